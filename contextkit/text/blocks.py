"""Blocks of several lines that belong together: fences, traces, diffs, tables, JSON and the like.

Each reader is given the lines of a text and the number of one of them. It returns the number of
the line behind the block that starts there, or the same number when none does. A reader that
declines has looked at a bounded number of lines, so reading a text takes time linear in its length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import compress

from contextkit.text.comments import COMMENT_OPENING
from contextkit.text.evidence import LOGGED, evidence, shape

Lines = Sequence[str]
Reader = Callable[[Lines, int], int]

_NEAR = 4
"""Lines below a heading in which the first frame of a stack trace has to come."""

_FRAME = re.compile(
    r"\s*(?:at .+[(:].*\d|at [\w.$<>`\[\]]+\(|File \".*\", line \d+|from .+:\d+:in |#\d+\s+\S"
    r"|\d+: +\S|\.{3} \d+ (?:more|common)|Caused by: |goroutine \d+ \[|\S+\.go:\d+|\S+:\d+:in [`'])"
)
_TRACE_HEAD = re.compile(
    r"\s*(?:[|+] )?(?:Traceback \(most recent call last\)|Exception in thread |panic: "
    r"|goroutine \d+ \[|thread '.*' panicked|Unhandled exception|Stack trace:|Caused by: "
    r"|stack backtrace:|PHP (?:Fatal|Warning)|Fatal error: "
    r"|[\w.$:]*(?:Error|Exception|Throwable)\b.{0,300}"
    r"|Uncaught |\S+:\d+:in [`'])"
)
_TRACE_LINK = re.compile(
    r"During handling of|The above exception|Traceback|Caused by|\s*\.{3} \d+|exit status"
    r"|note: run with|goroutine |Stack trace:|stack backtrace:|[\w./*()]+\(.*\)$|created by "
    r"|\s*thrown in"
)
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?::|$)")
_DIFF_HEAD = re.compile(r"diff -|Index: |@@ -\d|\*\*\* Begin Patch|From [0-9a-f]{40} ")
_DIFF_LINE = re.compile(
    r"[-+ @\\]|diff |index |Index: |new file|deleted file|old mode|new mode|similarity|rename "
    r"|copy |Binary |Only in |\*\*\* |===|\t"
)
_URL_HEAD = r"\s*<?(?:https?|ftp|wss?|file)://|\s*www\."
_ENCODED_HEAD = (
    r"-----BEGIN |\s*(?:data:|[A-Za-z0-9+/_-]{40}|(?:[0-9a-fA-F]{2}[ :]?){16}|eyJ[\w-]{10}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-)"
)
_RULE = re.compile(r"\s*[|+]?\s*:?[-=]{2,}:?\s*(?:[|+]\s*:?[-=]+:?\s*)*[|+]?\s*$")
_BOX = re.compile(r"\s*[┌├└│╭╰╔║╚╠┏┃┗┣]")
_TABLE_HEAD = rf"\s*[|+]|{_BOX.pattern}|\S.*?  "
_GAP = re.compile(r"\S {2,}(?=\S)")
_NOT_ALIGNED = re.compile(r"[;{}]$|//|^#")
_SURE = 2.5
"""Evidence for code from which on a line is no row of a table."""

_QUOTED = re.compile(r'"[^"\n]*"')
_NOT_A_ROW = re.compile(
    r"[ \t]|(?://|#|\"\s|/\*|[}\])]|<\w|[-*] )|.*(?:\) ?\{|=> | = |[,;{(\[\\.:。)]$)"
)
_ENCODED = re.compile(
    r"\s*(?:data:[\w/+.-]*;base64,)?(?:[A-Za-z0-9+/_-]{40,}={0,2}|(?:[0-9a-fA-F]{2}[ :]?){16,}"
    r"|eyJ[\w-]{10,}\.[\w-]+(?:\.[\w-]*)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$"
)
_MIXED = re.compile(r"(?=.*\d)(?=.*[a-zA-Z])")
_URL = re.compile(r"\s*<?(?:https?|ftp|wss?|file)://\S+\s*$|\s*www\.\S+\.\S+\s*$")
_MATH_OPEN = re.compile(r"\s*(\$\$|\\\[|\\begin\{(\w+\*?)\})")
_MATH_LINES = 60
"""Lines in which a formula has to end."""

_HEADS = {
    "fence": r"\s{0,12}(?:[-*>] )?(?:`{3}|~{3})",
    "comment": COMMENT_OPENING.pattern,
    "json": r"\s*[{\[]",
    "stack trace": _TRACE_HEAD.pattern,
    "diff": rf"--- |{_DIFF_HEAD.pattern}",
    "url": _URL_HEAD,
    "base64": _ENCODED_HEAD,
    "math": _MATH_OPEN.pattern,
    "table": _TABLE_HEAD,
}
"""What the first line of a block of each kind begins with."""

_ALL_HEADS = re.compile(
    "".join(f"(?:(?={head})(?P<h{n}>)|)" for n, head in enumerate(_HEADS.values()))
)
_GROUPS = tuple(f"h{n}" for n in range(len(_HEADS)))
_SEARCHED = 400
"""Characters of a line that are searched for what it opens."""

_REMEMBERED = 200
"""Characters of the longest lines that are remembered with what they open."""


def openings(line: str) -> tuple[str, ...]:
    """Return the kinds of block that may start at ``line``, in the order they are to be tried.

    Example:
        >>> openings('[{"paid": true},'), openings("We met at noon.")
        (('json',), ())
    """
    return _openings(line) if len(line) <= _REMEMBERED else _openings.__wrapped__(line)


@lru_cache(maxsize=8192)
def _openings(line: str) -> tuple[str, ...]:
    return _openings_of(shape(line))


@lru_cache(maxsize=2048)
def _openings_of(line: str) -> tuple[str, ...]:
    found = _ALL_HEADS.match(line[:_SEARCHED])
    assert found is not None
    kinds = _kinds(found.group(*_GROUPS))
    return (*kinds, "csv") if _is_row(line) else kinds


@lru_cache(maxsize=512)
def _kinds(heads: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(compress(_HEADS, (head is not None for head in heads)))


def read_trace(lines: Lines, at: int) -> int:
    """Read a stack trace: its heading, its frames, and what they end in."""
    if not _TRACE_HEAD.match(lines[at][:400]):
        return at
    if not any(_FRAME.match(line[:400]) for line in lines[at : at + 1 + _NEAR]):
        return at
    end = at + 1
    while end < len(lines) and _goes_on(lines, end):
        end += 1
    raised = end < len(lines) and lines[end - 1][:1].isspace() and _RAISED.match(lines[end])
    return end + 1 if raised else end


def _goes_on(lines: Lines, at: int) -> bool:
    line = lines[at][:400]
    if not line.strip():
        return at + 1 < len(lines) and bool(_TRACE_LINK.match(lines[at + 1][:400]))
    if line[:1].isspace() or _FRAME.match(line) or _TRACE_LINK.match(line):
        return True
    below = lines[at + 1][:400] if at + 1 < len(lines) else ""
    return bool(_FRAME.match(below)) or (
        bool(_RAISED.match(line)) and bool(_TRACE_LINK.match(below))
    )


def read_diff(lines: Lines, at: int) -> int:
    """Read a patch, from its first heading to its last hunk."""
    pair = lines[at].startswith("--- ") and lines[at + 1 : at + 2] and lines[at + 1][:4] == "+++ "
    if not (pair or _DIFF_HEAD.match(lines[at])):
        return at
    letter = lines[at].startswith("From ")
    end = at + 1
    while end < len(lines):
        letter = letter and not lines[end].startswith("diff ")
        blank = not lines[end].strip() and _DIFF_LINE.match("".join(lines[end + 1 : end + 2]))
        if not (letter or blank or _DIFF_LINE.match(lines[end])):
            break
        end += 1
    return end


def read_table(lines: Lines, at: int) -> int:
    """Read a table drawn with bars, rules or boxes, or in columns of white space."""
    for is_row in (_is_barred, _is_boxed, _is_aligned):
        end = _while(is_row, lines, at)
        if end - at >= 2:
            return end
    return at


def _is_barred(line: str) -> bool:
    bare = line.strip()
    return (bare[:1] == "|" and bare.count("|") > 1) or (
        bare[:1] == "+" and bool(_RULE.match(bare))
    )


def _is_boxed(line: str) -> bool:
    return bool(_BOX.match(line))


def _is_aligned(line: str) -> bool:
    if line[:1].isspace() or _NOT_ALIGNED.search(line[:400]):
        return False
    return len(_GAP.findall(line[:400])) >= 2 and not _is_code(line)


def _is_code(line: str) -> bool:
    return evidence(line[:200]).get("code", 0.0) >= _SURE


def read_csv(lines: Lines, at: int) -> int:
    """Read rows of values that the same number of commas, semicolons or tabs parts."""
    for mark in ("\t", ";", ","):
        number = _parts(lines[at], mark)
        if not number:
            continue
        end = _while(lambda line: _parts(line, mark) == number, lines, at)  # noqa: B023
        if end - at >= (3 if mark == "\t" and number == 1 else 2):
            return end
    return at


def _parts(line: str, mark: str) -> int:
    """The number of ``mark`` in a row; 0 for a line that is none."""
    if mark not in line or "csv" not in openings(line):
        return 0
    bare = _unquoted(line)
    number = bare.count(mark)
    return 0 if mark != "\t" and 2 * bare.count(mark + " ") > number else number


def _is_row(line: str) -> bool:
    """Whether a line has parts, and is neither logged, nor code, nor a part of a sentence."""
    if not ("," in line or ";" in line or "\t" in line):
        return False
    bare = _unquoted(line)
    return not (_NOT_A_ROW.match(bare[:200]) or LOGGED.match(line[:200]) or _is_code(line))


def _unquoted(line: str) -> str:
    bare = line.rstrip("\r")
    return _QUOTED.sub('""', bare) if '"' in bare else bare


def read_encoded(lines: Lines, at: int) -> int:
    """Read bytes written as text: base64, hexadecimal digits, keys, UUIDs."""
    if lines[at].startswith("-----BEGIN "):
        end = _while(lambda line: bool(line.strip()), lines, at)
        marks = (number for number in range(at, end) if lines[number].startswith("-----END "))
        return next(marks, end - 1) + 1
    return _while(_is_encoded, lines, at)


def _is_encoded(line: str) -> bool:
    return "__" not in line and bool(_MIXED.match(line[:200]) and _ENCODED.match(line))


def read_urls(lines: Lines, at: int) -> int:
    """Read lines that are an address each."""
    return _while(lambda line: bool(_URL.match(line)), lines, at)


def read_math(lines: Lines, at: int) -> int:
    """Read a displayed formula, from its opening mark to its closing one."""
    opened = _MATH_OPEN.match(lines[at])
    if not opened:
        return at
    closing = {"$$": "$$", "\\[": "\\]"}.get(opened[1], f"\\end{{{opened[2]}}}")
    if closing in lines[at][opened.end() :]:
        return at + 1
    for end in range(at + 1, min(len(lines), at + _MATH_LINES)):
        if closing in lines[end]:
            return end + 1
    return at


def _while(holds: Callable[[str], bool], lines: Lines, at: int) -> int:
    end = at
    while end < len(lines) and holds(lines[end]):
        end += 1
    return end


class JsonReader:
    """Reads JSON values that fill whole lines.

    A value that turns out to be broken was read for nothing. ``patience`` bounds how many
    characters may be (json counts the lines before an error too), so that a text of a million
    opening brackets is no trap.
    """

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._patience = 2 * len(text) + 1_000

    def __call__(self, lines: Lines, at: int) -> int:
        """Read an object or an array that starts line ``at`` and ends another."""
        bare = lines[at].lstrip()
        if bare[:1] not in ("{", "[") or self._patience < 0:
            return at
        start = self._starts[at] + len(lines[at]) - len(bare)
        stop = self.value_end(start)
        if stop is None:
            return at
        end = at
        while end < len(lines) and self._starts[end] < stop:
            end += 1
        rest = self._text[stop : self._starts[end - 1] + len(lines[end - 1])]
        return at if rest.strip(" \t\r,;") else end

    def value_end(self, start: int) -> int | None:
        """Return where the object or array that starts at ``start`` ends; None if broken."""
        if self._patience < 0 or not _JSON_START.match(self._text, start):
            return None
        try:
            value, stop = _DECODER.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            self._patience -= error.pos - start + error.pos // 64 + 1
            return None
        except (ValueError, RecursionError):
            self._patience -= len(self._text)
            return None
        return stop if value or stop - start > 2 else None


_JSON_START = re.compile(r"\{\s{0,80}[\"}]|\[\s{0,80}[\"{\[\]\d+tfn-]")
_DECODER = json.JSONDecoder()
