"""Find the events in the bytes of a stream, wherever a network cuts them.

Server-sent events are read as the HTML standard says (section 9.2.6, "Interpreting an event
stream", read 2026-12-07): lines end with LF, CR or CRLF, a byte order mark in front is dropped,
lines that begin with a colon are comments, several ``data`` lines are one text, a blank line sends
the event. One thing is added, because clients hand on lines without their ends and leave the blank
ones out: data that is a whole JSON object needs nothing behind it. Nothing but white space could
follow it anyway, so a stream that keeps the standard is read the same.

Streams of bare JSON objects (one a line, one behind the other, or as elements of one array) are
read too.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

DONE = "[DONE]"
"""The data with which OpenAI's format ends."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_FIELD = re.compile(r"(?:data|event|id|retry)?:")
_JSON_MARK = re.compile(r'\\.|["{}]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event of a stream.

    Attributes:
        data: its text, several data lines joined by LF.
        name: the ``event`` field; "message" without one.
    """

    data: str
    name: str = "message"


class WireReader:
    r"""Reads the chunks of one stream, bytes or text, and returns the events that they complete.

    Example:
        >>> reader = WireReader()
        >>> list(reader.feed(b'data: {"a"')), list(reader.feed(b": 1}\n\n"))
        ([], [ServerEvent(data='{"a": 1}', name='message')])
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._events: _EventLines | _JSONObjects | None = None

    def feed(self, chunk: str | bytes | bytearray | memoryview) -> Iterator[ServerEvent]:
        """Yield the events that end in ``chunk``."""
        text = chunk if isinstance(chunk, str) else self._decoder.decode(bytes(chunk))
        if self._events is None:
            text = text.removeprefix("\ufeff").lstrip()
            if not text:
                return
            self._events = _JSONObjects() if text[0] in "[{" else _EventLines()
        yield from self._events.feed(text)

    def rest(self) -> Iterator[ServerEvent]:
        """Yield the event that has come in full without the line that ends it."""
        if self._events is not None:
            yield from self._events.rest()


@dataclass(slots=True)
class _EventLines:
    """Lines of server-sent events."""

    _pieces: list[str] = field(default_factory=list)
    """The line that has not ended yet."""
    _data: list[str] = field(default_factory=list)
    _name: str = ""
    _after_cr: bool = False

    def feed(self, text: str) -> Iterator[ServerEvent]:
        if self._pieces and self._next_line_starts(text):
            yield from self._line("")
        if self._after_cr and text:
            text, self._after_cr = text.removeprefix("\n"), False
        *ended, begun = _LINE_END.split(text)
        self._after_cr = self._after_cr or text.endswith("\r")
        for line in ended:
            yield from self._line(line)
        if begun:
            self._pieces.append(begun)

    def rest(self) -> Iterator[ServerEvent]:
        if self._pieces and _is_whole(self._open_line()):
            yield from self._line("")
        if _is_whole("\n".join(self._data)):
            yield from self._send()

    def _next_line_starts(self, text: str) -> bool:
        """Whether the open line was a whole one, handed over without its end."""
        if text and not _FIELD.match(text):
            return False
        line = self._open_line()
        name, _, value = line.partition(":")
        return _is_whole(value) if name == "data" else bool(text) and bool(value)

    def _open_line(self) -> str:
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def _line(self, end: str) -> Iterator[ServerEvent]:
        """Take the line that ``end`` completes."""
        line = "".join([*self._pieces, end])
        self._pieces = []
        if not line:
            yield from self._send()
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            if self._data and _is_whole("\n".join(self._data)):
                yield from self._send()
            self._data.append(value)

    def _send(self) -> Iterator[ServerEvent]:
        if self._data:
            yield ServerEvent("\n".join(self._data), self._name or "message")
        self._data, self._name = [], ""


@dataclass(slots=True)
class _JSONObjects:
    """Bare JSON objects with anything between them."""

    _pieces: list[str] = field(default_factory=list)
    _between: str = ""
    _depth: int = 0
    _in_string: bool = False
    _escape: str = ""

    def feed(self, text: str) -> Iterator[ServerEvent]:
        text, self._escape = self._escape + text, ""
        if (len(text) - len(text.rstrip("\\"))) % 2:
            text, self._escape = text[:-1], "\\"
        start = 0
        for mark in _JSON_MARK.finditer(text):
            if not self._depth:
                start = mark.start()
            if self._closes(mark[0]):
                yield ServerEvent("".join([*self._pieces, text[start : mark.end()]]))
                self._pieces, start = [], mark.end()
        if self._depth:
            self._pieces.append(text[start:])
        else:
            yield from self._look_for_the_end(text[start:])

    def rest(self) -> Iterator[ServerEvent]:
        return iter(())

    def _closes(self, mark: str) -> bool:
        """Follow one structural character; whether it ends an object of the stream."""
        if mark == '"' and self._depth:
            self._in_string = not self._in_string
        elif not self._in_string and mark in "{}":
            self._depth = max(0, self._depth + (1 if mark == "{" else -1))
            return mark == "}" and self._depth == 0
        return False

    def _look_for_the_end(self, between: str) -> Iterator[ServerEvent]:
        self._between = (self._between + between)[-2 * len(DONE) :]
        if DONE in self._between:
            self._between = ""
            yield ServerEvent(DONE)


def _is_whole(data: str) -> bool:
    """Whether a text is a JSON object, or the end mark, so that nothing can follow it."""
    data = data.strip()
    if data == DONE:
        return True
    if not data.endswith("}"):
        return False
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False
