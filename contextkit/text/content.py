"""What kinds of content a text is made of, line by line: prose, code, JSON, logs and the like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from contextkit.text.blocks import (
    JsonReader,
    Reader,
    openings,
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
from contextkit.text.paths import Path
from contextkit.text.programming import guess_language

_COMMENT = {"code": 1.5}
"""What a line inside of a comment speaks for, whatever it says."""

_PLAIN_CODE = re.compile(r"\s*[A-Za-z_$})][^\"#<]*[;{(})],?$")
"""Lines that code alone has many of; what also JSON, markup and headings look like is left out."""

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
    opened = [(at, kinds) for at, line in enumerate(lines) if (kinds := openings(line))]
    inside = commented(lines, (at for at, kinds in opened if "comment" in kinds))
    found: list[Piece] = []
    open_from = 0
    for begin, end, content, code in _blocks(text, lines, starts, opened, inside):
        found += _weighed(text, lines, starts, inside, open_from, begin)
        found.append(Piece(starts[begin], starts[end], content, code))
        open_from = end
    found += _weighed(text, lines, starts, inside, open_from, len(lines))
    return _joined(piece for piece in found if piece.end > piece.start)


def _blocks(
    text: str,
    lines: Sequence[str],
    starts: Sequence[int],
    opened: Iterable[tuple[int, Sequence[str]]],
    inside: frozenset[int],
) -> Iterator[tuple[int, int, str, str | None]]:
    """The blocks of ``lines``: first line, line behind the last, content type, language."""
    readers: Mapping[str, Reader] = {"json": JsonReader(text, starts), **_READERS}
    behind = 0
    for at, kinds in opened:
        if at < behind or at in inside:
            continue
        fence = read_fence(lines, at) if "fence" in kinds else None
        if fence:
            end, info = fence
            fenced = text[starts[at + 1] : max(starts[at + 1], starts[end - 1])]
            content, code = named_content(info) or content_of(fenced)
            if content == "code" and code is None:
                code = guess_language(fenced)
        else:
            content, end = _first_block(readers, kinds, lines, at)
            code = None
        if end > at:
            yield at, end, content, code
            behind = end


_READERS: Mapping[str, Reader] = {
    "stack trace": read_trace,
    "diff": read_diff,
    "url": read_urls,
    "base64": read_encoded,
    "math": read_math,
    "table": read_table,
    "csv": read_csv,
}


def _first_block(
    readers: Mapping[str, Reader], kinds: Iterable[str], lines: Sequence[str], at: int
) -> tuple[str, int]:
    for kind in kinds:
        end = readers[kind](lines, at) if kind in readers else at
        if end > at:
            return kind, end
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
    if begin == end:
        return
    runs = _runs(lines[begin:end], begin, inside)
    for (first, content), (behind, _) in pairwise([*runs, (end, "")]):
        part = text[starts[first] : starts[behind]]
        code = guess_language(part) if content == "code" else None
        yield Piece(starts[first], starts[behind], content, code)


def _runs(lines: Iterable[str], first: int, inside: frozenset[int]) -> list[tuple[int, str]]:
    """The first line and the kind of each run.

    While one kind is far ahead, a line is passed over if the next one speaks for that kind: no
    line alone outweighs a change to another kind and the change back. In the midst of code, what
    ends as code does need not be weighed.
    """
    path = Path()
    passed: list[tuple[int, str]] = []
    for number, line in enumerate(lines, first):
        if not line or line.isspace():
            continue
        if path.far_ahead and path.best == "code" and _PLAIN_CODE.match(line):
            passed.clear()
            continue
        if path.far_ahead and not passed:
            passed.append((number, line))
            continue
        weights = _COMMENT if number in inside else evidence(line)
        if not (path.far_ahead and next(iter(weights)) == path.best):
            _add(path, passed, inside)
            path.add(number, weights)
        passed.clear()
    _add(path, passed, inside)
    return path.runs(first)


def _add(path: Path, numbered: Iterable[tuple[int, str]], inside: frozenset[int]) -> None:
    for number, line in numbered:
        path.add(number, _COMMENT if number in inside else evidence(line))


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
