"""What one line of a text speaks for: marks of code, logs, markup and so on, with weights.

A line is looked at alone here. `content` weighs the lines of a text against each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import compress

_LOOKED_AT = 160
"""Characters of a line that are looked at: its start tells what it is."""

_KEPT = 200
"""Characters of a line that its evidence is remembered by: some of them may be indentation."""

_DIGIT = re.compile("[1-9]")

_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,:]\d+)?"
_DATE = r"\d{2,4}[-/.]\d{1,2}[-/.]\d{1,4}"
_LEVEL = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE|PANIC"
    r"|信息|警告|错误|錯誤|调试)"
)
_COMMANDS = (
    r"sudo|apt|apt-get|yum|dnf|brew|pip\d?|uv|poetry|conda|npm|npx|yarn|pnpm|cargo|rustup|git|docker"
    "|docker-compose|kubectl|helm|terraform|curl|wget|ssh|scp|rsync|cd|ls|mkdir|rm|cp|mv|cat|grep|sed"
    r"|awk|tar|unzip|gzip|chmod|chown|systemctl|journalctl|make|cmake|python\d?|pytest|node|bash"
    "|sh|source|echo|tail|head|kill|ps|df|du|nohup|ollama|vllm|aws|gcloud|az|psql|mysql|openssl"
)
_NAME = r"[\w$.-]+"

_MARKS = (
    # Logs.
    ("log", 3.0, rf"\W{{0,2}}(?:{_DATE}[ T_-]?)?{_TIME}(?:Z|[+-]\d\d:?\d\d)?(?:[]| ]|$)\s*\S"),
    ("log", 3.0, r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d "),
    ("log", 3.0, r"\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} \d\d \d\d:\d\d:\d\d"),
    ("log", 3.0, r"\S+ \S+ \S+ \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d"),
    ("log", 3.0, r"\d{8}-\d\d?:\d\d"),
    ("log", 3.0, r"[IWEF]\d{4} \d\d:\d\d:\d\d"),
    ("log", 2.5, rf"\[?{_LEVEL}\]?(?::\S+:|\s*[]|:]\s|\s+\[|\s+[\d(])"),
    ("log", 2.5, rf"\[{_LEVEL}\]"),
    ("log", 2.0, rf"(?:\S+ ){{1,6}}{_LEVEL}\b:? "),
    ("log", 2.0, r"(?:- )?\d{6,} (?:\S+ ){0,2}\S*\d+[.:]"),
    ("log", 2.0, r"\d{4,} \S+ \S+ \S+ \d{6,} "),
    ("log", 2.6, r"(?:[\w.]+=(?:\"[^\"]*\"|[^\s\"]*)\s+){2,}[\w.]+="),
    # Markup.
    ("xml", 2.5, r"<(?:[!?]\w|/?[a-zA-Z][\w:.-]*(?:\s+[\w:@.#-]+(?:=|\s|/?>)|\s*/?>|$))"),
    ("markdown", 2.2, r"#{1,6} \S*[^\W\d]"),
    ("markdown", 1.6, r"(?:[-*+•] |\d{1,3}[.)] |[-*] \[[ xX]\] )\S"),
    ("markdown", 1.6, r">\s+\S|(?:-{3,}|\*{3,}|={3,})$"),
    ("markdown", 1.8, r"!\[[^\]]*\]\(|\[[^\]]+\]\([^)\s]+\)|\.\. [\w-]+::|\*\*[^*\n]+\*\*:?$"),
    # Data.
    ("json", 2.2, r'"[^"\n]*"\s*:\s'),
    ("json", 2.2, r'[{\[]\s*"[^"\n]*"\s*[:,]|\[\s*\{\s*"'),
    ("json", 0.9, r'"[^"]*",?$'),
    ("config", 1.0, r'"[^"]*",?$|\],?$'),
    ("json", 0.8, r"[{}\[\]]+,?$"),
    (
        "yaml",
        1.7,
        rf"(?:- )?{_NAME}:(?:$|\s+(?:[\"'\[{{|>&*]|{_NAME}$|[\w./:@-]+(?: [\w./:@-]+){{0,2}}$))",
    ),
    ("yaml", 1.8, r"(?:- )?(?:[a-z_][\w-]*|[一-鿿]{1,6}): +\S"),
    ("yaml", 2.0, r"---$|%YAML"),
    ("config", 2.6, r"\[{1,2}[A-Za-z_][\w.\" :/-]*\]{1,2}$"),
    (
        "config",
        1.3,
        rf"(?:{_NAME}|\"[^\"\n]+\")\s*=\s*(?:[\"'\[{{\d]|true\b|false\b|[^\s(){{}};]+$)",
    ),
    ("config", 1.9, r"[\w.-]+ *= *[\"'\[{][^;]*$"),
    ("config", 1.2, r"[A-Z][A-Z0-9_]+=[^\s;]*$"),
    # Shell.
    ("shell", 3.0, r"[$%❯] \S|PS [A-Z]:\\[^>\n]*>|\S+@\S+[:~ ]\S*[$#] |#!.*\b(?:ba|z|k)?sh\b"),
    ("shell", 2.4, rf"(?:{_COMMANDS})(?: -{{1,2}}\w| [\w./~$\"'{{*@:-]+(?: |$))(?!.*[。.!?]$)"),
    (
        "shell",
        2.0,
        r"(?:fi|done|esac|then)$|(?:if|elif|while) \[\[? |for \w+ in .*; ?do$|\w+\(\) ?\{$",
    ),
    ("shell", 2.4, r"export [A-Z_a-z]\w*(?:=|$)"),
    (
        "shell",
        3.0,
        r"(?:\$\w+ = |\| ?)?(?:Get|Set|New|Remove|Add|Where|ForEach|Select|Write|Read|Import|Export"
        r"|Invoke|Start|Stop|Test|Out|Copy|Move|Join|ConvertTo|ConvertFrom|Format|Sort|Measure"
        r"|Install)-[A-Z]\w+",
    ),
    ("shell", 1.6, r"-{1,2}[\w-]+(?: \S+|=\S+)?(?: \\)?$|set -[a-z]+|\w+=\"?\$[({\w]"),
    # Math.
    ("math", 3.0, r"\\(?:begin|end)\{|\\\[|\$\$"),
    # Code.
    (
        "code",
        1.4,
        r"(?://|/\*|\*/|\* |\*$|--+ |\{-|#\s?\S|\"\"\"|'''|=(?:head\d?|cut|item|over|back"
        r"|pod)\b|;;)",
    ),
    ("code", 1.4, r"(?:[\w.$@]+|[\w.$]+\[[^\]]*\]|\$?\w+(?:, \w+)*) (?:[-+*/|]|<<)?= ?\S"),
    ("code", 1.6, r"[\w.$@:]+[(\[][^。，]*[)\]][;,]?(?:\s*(?:#|//).*)?$"),
    (
        "code",
        2.6,
        r"(?:async )?(?:def|class|func|fn|function|interface|struct|enum|trait|impl|module"
        r"|defmodule|defp|object|namespace) [\w$.:<(*&'\[]+.*(?:[{:(,;]|do|end|where"
        r"|=)?$(?<![.?。])",
    ),
    (
        "code",
        2.8,
        r"(?:from [\w.]+ import "
        r"|import (?:[\w.*{}, ]+ from )?[\w.\"'{]+[\w.*\"']*(?: as \w+)?;?$"
        r"|import (?:qualified|static|type) |using [\w.]+;|use [\w:{}\\, ]+;"
        r"|package \w[\w.]*;?$|#\s*(?:include|define|ifn?def|endif|pragma|undef|if|else"
        r"|elif)\b|require(?:_relative)?[ (]['\"]|library\(|local (?:function )?\w+)",
    ),
    (
        "code",
        2.2,
        r"(?:const|let|var|val|auto|final|static|public|private|protected|internal|export"
        r"|extern|virtual|override|suspend|data class|abstract|typedef|type|pub|mut|unsigned"
        r"|my|our|mutable|lazy|open|inline|constexpr"
        r"|template)\b[ (<][\w$@%*&<\"'{\[(].*(?:[;{}(),:=>]|= ?\S.*)$",
    ),
    (
        "code",
        1.8,
        r"(?:if|for|while|switch|elif|elsif|unless|foreach|catch|match|guard|when|with|else if"
        r"|until)\b ?\(?[\w$!(&*\"'\[].*(?:[:{]|\bdo|\bthen|\))(?: ?\|[\w, ]+\|)?$",
    ),
    (
        "code",
        1.8,
        r"(?:return|yield|raise|throw|throws|await|break|continue|pass|else:?|try:?|finally:?"
        r"|end|begin|do|default:|case \S+.*:|puts|print|echo)\b(?:$"
        r"| ?[\w$\[({\"'`!-].*(?<![.。?!])$|;)",
    ),
    (
        "code",
        1.8,
        r"(?:@\w[\w.]*(?:\(.*\)?)?$|#\[|<\?php|\$\w+ ?=|~?\w+ :: |data \w+|attr_\w+ :"
        r"|instance \w+|deriving|\| \w.* = )",
    ),
    (
        "code",
        2.6,
        r"(?i:select .+|(?:create|drop|alter) (?:table|view|index|database|or replace)\b.*"
        r"|insert into .+|update \w+ set\b.*|delete from .+|(?:left |inner "
        r"|right )?join \w+.* on .+|group by .+|order by .+)(?<![.?!。])$(?-i:(?<!,))",
    ),
    (
        "code",
        1.6,
        r"(?:FROM|WHERE|AND|VALUES|HAVING|LIMIT|SELECT|SET|ON|UNION|WITH|GROUP BY"
        r"|ORDER BY) ?[\w('\"*]",
    ),
    ("code", 2.2, r"(?:FROM|RUN|COPY|CMD|ENTRYPOINT|WORKDIR|ENV|EXPOSE|ARG|ADD) [\w./\[-]"),
    ("code", 2.0, r"(?:[.#&@*\w][\w.#&@*:,>~+() -]*\{|[a-z-]+:\s*[^;{}]+;)"),
    (
        "code",
        3.2,
        r"(?:set|let|if|syn|hi|syntax|highlight|command|endif|endfunction|au|autocmd|call"
        r"|function)!? (?:[a-z]:\w|match|keyword|region|link|def link|exists|version|clear)"
        r"|\" \w+:|\"\s*(?:\w|-|$)(?!.*\")",
    ),
    ("code", 2.4, r"\.PHONY:|(?:@|-)?\$\([A-Z_]+\)|[\w./%$()-]+ ?::?(?: [^:=]*)?\$[(@<^]"),
    ("code", 2.0, r"(?:resource|variable|provider|module|output|data)(?: \"[\w-]+\"){1,2} \{$"),
    ("code", 1.2, r"[)\]}]+[;,)]*$|(?:end|else)\b\S{0,2}$|\.\w+\(.*"),
)  # fmt: skip
"""What lines begin with."""

_SIGNS = (
    ("math", 2.0, r"\\[a-zA-Z]+[\s{_^\\(,].*?\\[a-zA-Z]+[\s{_^\\(,]"),
    ("math", 1.5, r"[∀∃∑∏∫√≤≥≠≈∞∈∉⊂∪∩⇒⇔→∂∇²³±×÷].*?[∀∃∑∏∫√≤≥≠≈∞∈∉⊂∪∩⇒⇔→∂∇²³±×÷]"),
    ("code", 1.4, r"(?:;|\{|\}\)?;?|\)\s*[{:]|=>|->|\|\||&&)\s*(?://.*)?$"),
    (
        "code",
        1.6,
        r"\((?<=\w\()(?:\)|[^)\s]*\)\.)|::(?<=\w::)\w|->\w|\$\w+->|=> |==|!==|!= |\+=|:=|<-"
        r"|\|>|%>%|&mut",
    ),
)
"""What lines hold or end in. Each begins with a sign, so that a search passes over words."""

_ALL_MARKS = re.compile("".join(f"(?:(?={pattern})()|)" for _, _, pattern in _MARKS))
"""All marks in one pass: an empty group for each that a line begins with."""

_SEARCHES = tuple(re.compile(pattern).search for _, _, pattern in _SIGNS)

LOGGED = re.compile(
    "|".join(pattern for kind, weight, pattern in _MARKS if kind == "log" and weight == 3)
)

_PLAIN_WORD = re.compile(r"(?<![^\s(\"'“‘¿¡«])[^\W\d_]+(?:['’-][^\W\d_]+)*[,.;:!?)\"'”’»…]*(?!\S)")
_UNSPACED = re.compile(
    "[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
)
_INDENTED = 0.7
"""How much less an indented line speaks for prose and for settings, which have no blocks."""

_HASH_KINDS = ("code", "shell", "yaml", "config")
"""Kinds that have comments behind a number sign."""

_NO_SENTENCE_ENDS = (";", "{", "}", "=", "(", "\\", ">")
_KEY = re.compile(r"(?:[a-z_-]+|[一-鿿]{1,6}): ")
_COMMENT = re.compile(r"(?://|/\*|\*[ /]|--|#!?|;|%|\"\s|<!--)\s?")
_SENTENCE_END = re.compile(r"[.!?。！？…:：,，;；][\"'”’）)]*$")


def shape(line: str) -> str:
    """Return ``line`` with 0 for every digit: one digit speaks for the same as another.

    Example:
        >>> shape("at 17:30, 2 parcels")
        'at 00:00, 0 parcels'
    """
    return _DIGIT.sub("0", line)


def evidence(line: str) -> Mapping[str, float]:
    """Return what ``line`` speaks for: content types with their weights, the strongest first.

    Example:
        >>> next(iter(evidence("for (int i = 0; i < 3; i++) {")))
        'code'
        >>> next(iter(evidence("Where did you put the parcel?")))
        'prose'
        >>> evidence("  ")
        {}
    """
    return _evidence(line if len(line) <= _KEPT else line[:_KEPT])


@lru_cache(maxsize=8192)
def _evidence(line: str) -> Mapping[str, float]:
    return _evidence_of(shape(line))


@lru_cache(maxsize=2048)
def _evidence_of(line: str) -> Mapping[str, float]:
    head = line.strip()[:_LOOKED_AT]
    marked = _ALL_MARKS.match(head)
    if not head or marked is None:
        return {}
    signs = tuple([search(head) is not None for search in _SEARCHES])
    found = dict(_weights(signs, marked.groups()))
    if head[:1] == "#" != head[1:2]:
        found.update((kind, max(found.get(kind, 0.0), 1.3)) for kind in _HASH_KINDS)
    prose = _prose(head)
    found["markdown"] = max(found.get("markdown", 0.0), 0.8 * prose)
    found["prose"] = prose
    if line[:1] in (" ", "\t"):
        found["code"] = found.get("code", 0.0) + 0.3
        found["prose"] *= _INDENTED
        found["config"] = found.get("config", 0.0) * _INDENTED
    strongest = max(found, key=found.__getitem__)
    return {strongest: found[strongest], **found}


@lru_cache(maxsize=2048)
def _weights(signs: tuple[bool, ...], marks: tuple[str | None, ...]) -> Mapping[str, float]:
    """What signs and marks weigh together: a second one for the same kind adds a little."""
    found: dict[str, float] = {}
    there = (*signs, *(mark is not None for mark in marks))
    for kind, weight, _ in compress((*_SIGNS, *_MARKS), there):
        found[kind] = max(found.get(kind, 0.0) + 0.4, weight)
    return found


def _prose(head: str) -> float:
    """How much a line reads like a sentence: plain words in a row, and an end like one."""
    words = _PLAIN_WORD.findall(head)
    plain = len(words)
    unspaced = 0 if head.isascii() else len(_UNSPACED.findall(head))
    share = min(1.0, (sum(map(len, words)) + plain + unspaced) / (len(head) + 1))
    if _COMMENT.match(head):
        return 0.5 * share
    if head[-1:] in _NO_SENTENCE_ENDS or _KEY.match(head):
        share *= 0.4
    length = min(1.0, (plain + unspaced / 2) / 6)
    closed = 0.6 if plain + unspaced > 2 and _SENTENCE_END.search(head) else 0.0
    return 0.2 + share * (0.6 + 2.0 * length) + closed * share
