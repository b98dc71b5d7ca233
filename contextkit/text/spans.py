"""The spans of a text: stretches in one language and of one content type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from contextkit.text.blocks import JsonReader
from contextkit.text.content import Piece, pieces
from contextkit.text.inline import inside
from contextkit.text.sentences import by_language
from contextkit.text.signs import language_of_signs


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text that is in one language and of one content type.

    Attributes:
        start: its first character (code points).
        end: the character behind it.
        language: BCP 47 tag, "latin", "zxx" or "und": of prose see `language_of`, of anything else
            `language_of_signs`.
        content: the content type, see `content_of`.
        code: programming language of a code span, when known.
    """

    start: int
    end: int
    language: str
    content: str
    code: str | None = None


def spans(text: str, *, content: str | None = None) -> list[Span]:
    r"""Return the spans that cover ``text`` exactly once, in order.

    Args:
        text: what a message says; any string, "" has no spans.
        content: the type of the whole, where the message tells it (a tool call, say); only the
            languages are told then.

    Example:
        >>> for span in spans("这段代码怎么了？\n```python\nprint(1\n```\nIt fails at the end."):
        ...     print(span)
        Span(start=0, end=9, language='zh-Hans', content='prose', code=None)
        Span(start=9, end=31, language='zxx', content='code', code='python')
        Span(start=31, end=51, language='en', content='prose', code=None)
    """
    if content is not None:
        found: Iterable[Span] = _told(text, Piece(0, len(text), content)) if text else ()
    else:
        reader = JsonReader(text, (0,))
        found = (
            span
            for piece in pieces(text)
            for part in _opened(text, piece, reader)
            for span in _told(text, part)
        )
    return _joined(found)


def _opened(text: str, piece: Piece, reader: JsonReader) -> Iterator[Piece]:
    """A piece of prose as what it is made of; others as they are."""
    if piece.content not in ("prose", "markdown"):
        yield piece
        return
    at = piece.start
    for start, end, content in inside(text, piece.start, piece.end, reader):
        if start > at:
            yield Piece(at, start, piece.content)
        yield Piece(start, end, content)
        at = end
    if at < piece.end:
        yield Piece(at, piece.end, piece.content)


def _told(text: str, piece: Piece) -> Iterator[Span]:
    """A piece with its language; prose with one for each stretch of sentences."""
    if piece.content in ("prose", "markdown"):
        for start, end, language in by_language(text, piece.start, piece.end):
            yield Span(start, end, language, piece.content)
        return
    language = language_of_signs(text[piece.start : piece.end], piece.content)
    yield Span(piece.start, piece.end, language, piece.content, piece.code)


def _joined(found: Iterable[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in found:
        before = joined[-1] if joined else None
        if before and _alike(before, span):
            joined[-1] = Span(before.start, span.end, span.language, span.content, span.code)
        else:
            joined.append(span)
    return joined


def _alike(one: Span, other: Span) -> bool:
    return (one.language, one.content, one.code) == (other.language, other.content, other.code)
