"""What kinds of content a text is made of, line by line: prose, code, JSON, logs and the like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from contextkit.text.blocks import (
    JsonReader,
    Reader,
    read_csv,
    read_diff,
    read_encoded,
    read_math,
    read_table,
    read_trace,
    read_urls,
)
from contextkit.text.comments import commented
from contextkit.text.evidence import evidence
from contextkit.text.fences import named_content, read_fence
from contextkit.text.programming import guess_language

KINDS = ("prose", "markdown", "code", "shell", "yaml", "config", "xml", "log", "json", "math")
"""What single lines are weighed between; on a draw the first wins."""

_CHANGE = 2.2
"""Evidence that has to speak for another kind before a text is said to change to it."""

_COMMENT = {"code": 1.5}
_HASH = re.compile(r"#(?:\s|$)")
_SAME = {kind: kind for kind in KINDS}
_LOOKED_AT = 200
"""Characters of a line that it is weighed by."""

_SAMPLE = 20_000
"""Characters by which `content_of` tells a text."""


_STRUCTURED = 0.15
"""Share of headings, lists and the like beside prose from which on a document is Markdown."""

_OPENINGS = (
    ("xml", re.compile(r"\s*<(?:!doctype|\?xml|html|svg|template)\b", re.IGNORECASE)),
    ("shell", re.compile(r"#!\S*/(?:env )?(?:ba|z|k|da)?sh\b")),
    ("markdown", re.compile(r"---\n(?:[^\n]+\n){1,20}---\n")),
)
"""What a file of a kind begins with, whatever comes next."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one content type: characters ``[start, end)`` of the text."""

    start: int
    end: int
    content: str
    code: str | None = None


def content_of(text: str) -> tuple[str, str | None]:
    r"""Return the content type that most of ``text`` is of, and its programming language.

    Args:
        text: a snippet, a file or a message; its first 20,000 characters decide.

    Returns:
        "prose", "code", "json", "yaml", "config" (TOML, INI, .env), "xml" (HTML and SVG too),
        "csv", "table", "markdown", "log", "diff", "stack trace", "shell", "url", "base64" (any
        bytes written as text) or "math"; and for code its language in lower case, None when
        nothing tells it.

    Example:
        >>> content_of('{"paid": true}'), content_of("def f(x):\n    return x")
        (('json', None), ('code', 'python'))
    """
    sample = text[:_SAMPLE]
    opening = next((kind for kind, mark in _OPENINGS if mark.match(sample)), None)
    if opening:
        return opening, None
    sizes: Counter[tuple[str, str | None]] = Counter()
    kinds: Counter[str] = Counter()
    for piece in pieces(sample):
        size = len(sample[piece.start : piece.end].strip())
        kinds[piece.content] += size
        sizes[piece.content, piece.code] += size
    if not kinds:
        return "prose", None
    if kinds["markdown"] > _STRUCTURED * kinds["prose"]:
        kinds["markdown"] += kinds.pop("prose", 0)
        sizes["markdown", None] += 1
    content = max(kinds, key=lambda kind: kinds[kind])
    return max((pair for pair in sizes if pair[0] == content), key=lambda pair: sizes[pair])


def pieces(text: str) -> list[Piece]:
    """Return the pieces that cover ``text`` exactly once, in order; neighbours differ.

    Fences, JSON, tables, traces and patches are read as blocks. The lines between them are weighed:
    each speaks for some kinds, and the text changes from one kind to another only where the lines
    together outweigh the change (the best path, by Viterbi's algorithm).
    """
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    starts[-1] = len(text)
    inside = commented(lines)
    found: list[Piece] = []
    open_from = 0
    for begin, end, content, code in _blocks(text, lines, starts, inside):
        found += _weighed(text, lines, starts, inside, open_from, begin)
        found.append(Piece(starts[begin], starts[end], content, code))
        open_from = end
    found += _weighed(text, lines, starts, inside, open_from, len(lines))
    return _joined(piece for piece in found if piece.end > piece.start)


def _blocks(
    text: str, lines: Sequence[str], starts: Sequence[int], inside: frozenset[int]
) -> Iterator[tuple[int, int, str, str | None]]:
    """The blocks of ``lines``: first line, line behind the last, content type, language."""
    readers: tuple[tuple[str, Reader], ...] = (
        ("json", JsonReader(text, starts)),
        ("stack trace", read_trace),
        ("diff", read_diff),
        ("url", read_urls),
        ("base64", read_encoded),
        ("math", read_math),
        ("table", read_table),
        ("csv", read_csv),
    )
    at = 0
    while at < len(lines):
        if at in inside or not lines[at].strip():
            at += 1
            continue
        fence = read_fence(lines, at)
        if fence:
            end, info = fence
            fenced = text[starts[at + 1] : max(starts[at + 1], starts[end - 1])]
            content, code = named_content(info) or content_of(fenced)
            if content == "code" and code is None:
                code = guess_language(fenced)
        else:
            content, end = _first_block(readers, lines, at)
            code = None
        if end > at:
            yield at, end, content, code
        at = max(end, at + 1)


def _first_block(
    readers: Sequence[tuple[str, Reader]], lines: Sequence[str], at: int
) -> tuple[str, int]:
    for content, read in readers:
        end = read(lines, at)
        if end > at:
            return content, end
    return "", at


def _weighed(
    text: str,
    lines: Sequence[str],
    starts: Sequence[int],
    inside: frozenset[int],
    begin: int,
    end: int,
) -> Iterator[Piece]:
    """The pieces of the lines ``[begin, end)``, in which there is no block."""
    kinds = _best_path(lines[begin:end], inside, begin)
    at = begin
    for number in range(begin + 1, end + 1):
        if number == end or kinds[number - begin] != kinds[at - begin]:
            content = kinds[at - begin]
            part = text[starts[at] : starts[number]]
            code = guess_language(part) if content == "code" else None
            yield Piece(starts[at], starts[number], content, code)
            at = number


def _best_path(lines: Sequence[str], inside: frozenset[int], first: int) -> list[str]:
    """The kind of each line, so that evidence less changes is greatest."""
    points = dict.fromkeys(KINDS, 0.0)
    came_from: list[dict[str, str]] = []
    for number, line in enumerate(lines):
        if not line.strip():
            came_from.append(_SAME)
            continue
        best = max(KINDS, key=points.__getitem__)
        bar = points[best] - _CHANGE
        came_from.append({kind: kind if points[kind] >= bar else best for kind in KINDS})
        found = (
            {"code": 1.5} if first + number in inside else evidence(line) if line.strip() else {}
        )
        points = {kind: max(points[kind], bar) + found.get(kind, 0.0) for kind in KINDS}
    return _walked_back(max(KINDS, key=points.__getitem__), came_from)


def _is_commented(lines: Sequence[str], at: int) -> bool:
    """Whether a line behind a number sign has a neighbour behind one: headings stand alone."""
    around = (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2])
    return any(_HASH.match(line) for line in around)


def _walked_back(last: str, came_from: Sequence[dict[str, str]]) -> list[str]:
    path = []
    for choices in reversed(came_from):
        path.append(last)
        last = choices[last]
    return path[::-1]


def _joined(found: Iterator[Piece]) -> list[Piece]:
    """The pieces with neighbours of one kind made one, and blank ones given to the one before."""
    joined: list[Piece] = []
    for piece in found:
        before = joined[-1] if joined else None
        if before and (before.content, before.code) == (piece.content, piece.code):
            joined[-1] = Piece(before.start, piece.end, before.content, before.code)
        else:
            joined.append(piece)
    return joined
