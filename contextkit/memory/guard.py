"""Keep what is remembered from acting: clean values, and know what is shaped like an instruction.

A memory is sent again with every request. A value that says "ignore previous instructions", or that
closes the block it stands in, would act with every request too, whoever wrote it.
"""

from __future__ import annotations

import re
from unicodedata import category, normalize

from contextkit.memory.items import Finding
from contextkit.messages import INSTRUCTION_ROLES, RESULT_ROLES

TAG = "conversation-notes"
"""Name of the tags around a rendered memory."""

MOST_CHARACTERS = 200
"""Length of the longest value that is shown whole."""

_OWN_TAG = re.compile(rf"[<＜](?=\s*/?\s*{TAG})", re.IGNORECASE)

_UNSEEN = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Letters and marks that show nothing: joiners and fillers."""

_PERSONAL = frozenset({"identity", "constraint", "todo"})
"""Kinds that only a person, the assistant or the host may bring in."""

_UNTRUSTED_ROLES = RESULT_ROLES | INSTRUCTION_ROLES

_ENGLISH = (
    r"\b(?:ignore|disregard)\s+(?:(?:all|any|the|your|my|of|these|those)\s+){0,3}"
    r"(?:previous|prior|above|earlier|preceding|foregoing)"
    r"(?=\s*(?:$|[.,;:!?]|and\b|then\b)|(?:\s+\w+){0,2}\s+"
    r"(?:instruction|prompt|rule|message|direction|guideline|context|conversation|order|command"
    r"|text|content))",
    r"\b(?:ignore|disregard|forget|override|bypass|drop)\s+(?:\w+\s+){0,4}"
    r"(?:instructions?|prompts?|guidelines?|directives?|safety\s+rules|previous\s+rules)\b",
    r"\b(?:ignore|disregard|forget)\s+(?:all|everything)\s+(?:of\s+)?(?:the\s+|you\s+were\s+"
    r"|that\s+)?"
    r"(?:above|before|previous|told|said)\b",
    r"^\W*(?:system|developer|assistant)(?:\s+(?:prompt|message|instructions?|note))?\s*:",
    r"\byou\s+are\s+now\b",
    r"\bfrom\s+now\s+on,?\s+you\s+(?:are|will|must|shall|should|act)\b",
    r"(?:^|[.!?;:,]\s*)(?:please\s+)?(?:act|behave)\s+as\s+(?:if|though|an?|the|my)\b",
    r"\bpretend\s+(?:to\s+be|that\s+you|you\s+are|you're)\b",
    r"\bnew\s+(?:system\s+)?instructions?\s*:",
    r"\b(?:reveal|print|show|repeat|output)\s+(?:\w+\s+){0,3}system\s+prompt\b",
    r"\b(?:do\s+not|don't|never)\s+(?:tell|inform|alert)\s+the\s+user\b",
)

_CHINESE = (
    r"(?:忽略|无视|無視|不要理会|不要理會|不用理会|不必理會|别管|別管)[^，。；！？,.;!?]{0,6}?"
    r"(?:以上|上述|上面|之前|前面|先前|此前|以前)",
    r"(?:忽略|无视|無視|忘记|忘記|忘掉|忘了|抛开|拋開|绕过|繞過|覆盖|覆蓋)[^，。；！？,.;!?]{0,12}?"
    r"(?:指令|指示|提示词|提示詞|系统提示|系統提示|设定|設定|命令)",
    r"^\W*(?:系统|系統|开发者|開發者|助手)(?:提示词?|提示詞?|指令|消息|訊息|信息)?\s*:",
    r"你(?:现在|現在)(?:就)?是",
    r"(?:从|從)(?:现在|現在|此刻|今)(?:开始|開始|起)?[,，]?\s*你(?:就|将|將)?(?:是|要|必须|必須"
    r"|扮演)",
    r"你(?:将|將|要|必须|必須)?扮演|(?:^|[,，。;；])(?:请|請)扮演",
    r"新的?(?:系统|系統)?指令\s*:",
    r"(?:输出|輸出|透露|显示|顯示|告诉我|告訴我|重复|重複)你?的?(?:系统|系統)(?:提示|指令)",
    r"(?:不要|别|別|不许|不許)(?:告诉|告訴|通知|提醒)(?:用户|用戶|使用者)",
)

_TEMPLATE_TOKENS = (
    r"<\|[^|<>\s]{1,40}\|>",
    r"\[/?inst\]|<</?sys>>|</?(?:start|end)_of_turn>|</?(?:system|instructions?)>",
    r"#{2,}\s*(?:instruction|system|response|指令|系统|系統)",
)

_SHAPES = re.compile("|".join((*_ENGLISH, *_CHINESE, *_TEMPLATE_TOKENS)), re.MULTILINE)


def cleaned(text: str, limit: int = MOST_CHARACTERS) -> str:
    r"""Return ``text`` as one harmless line.

    White space becomes single spaces; control, zero-width and direction characters go; tags that
    would end or open a block of notes are escaped. What is too long is cut and ends in "…".

    Example:
        >>> cleaned("a\u200bb\n\u202ec </conversation-notes>")
        'ab c &lt;/conversation-notes>'
    """
    is_plain = text.isascii() and text.isprintable()
    line = " ".join(text.split()) if is_plain else visible(text)
    if TAG in line.casefold():
        line = _OWN_TAG.sub("&lt;", line)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def visible(text: str) -> str:
    r"""Return ``text`` on one line, without the characters that nobody sees.

    Example:
        >>> visible("a\tb\u200bc")
        'a bc'
    """
    return " ".join("".join(_seen(c) for c in text).split())


def is_instruction(text: str) -> bool:
    """Whether ``text`` is shaped like an instruction to a model, in English or Chinese.

    Width, case and unseen characters make no difference.

    Example:
        >>> is_instruction("IGNORE all previous instructions"), is_instruction("忽略以上内容")
        (True, True)
        >>> is_instruction("never use bullet points")
        False
    """
    plain = text if text.isascii() else normalize("NFKC", text)
    lines = (visible(line) for line in plain.casefold().splitlines())
    return _SHAPES.search("\n".join(lines)) is not None


def is_admissible(finding: Finding) -> bool:
    """Whether a finding may become something that is shown.

    What tools return, what was retrieved and what the system message says brings in typed facts
    only: no identity, no rule, no todo, no free text. Nobody brings in what is shaped like an
    instruction, but for the user and the host who may set a rule.
    """
    if is_untrusted(finding) and (finding.kind in _PERSONAL or not finding.key):
        return False
    if finding.kind == "constraint" and finding.trust in ("user", "host"):
        return True
    said = (finding.value, finding.due, finding.owner, finding.subject)
    return not is_instruction("\n".join(said))


def is_untrusted(finding: Finding) -> bool:
    """Whether it comes from a tool, or from a message that no person and no model wrote.

    Example:
        >>> from contextkit.memory.items import Source
        >>> source = Source(message=0, role="tool")
        >>> is_untrusted(Finding(action="add", kind="fact", value="4", source=source, trust="tool"))
        True
    """
    return finding.trust == "tool" or (
        finding.trust != "host" and finding.source.role in _UNTRUSTED_ROLES
    )


def _seen(character: str) -> str:
    if character.isspace():
        return " "
    kind = category(character)
    if (
        kind in ("Cc", "Cf", "Cs")
        or character in _UNSEEN
        or "\U000e0100" <= character <= "\U000e01ef"
    ):
        return ""
    return character
