"""Read histories from files: JSON, JSONL with one history or one message a line, request bodies."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from contextkit.errors import ContextKitError

InputFormat = Literal["auto", "json", "jsonl", "messages"]

_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")

_OTHER_KEYS = ("input", "contents")
"""Where request bodies have their messages that are no chat messages."""

_BAR_FROM = 4_000_000
"""Bytes from which on a file gets a progress bar."""


class UnreadableInput(ContextKitError, ValueError):
    """A file, or one line of it, holds no history."""


@dataclass(frozen=True, slots=True)
class Record:
    """One history of a file.

    Attributes:
        place: what to call it in notes: the file, and the line of a JSONL file.
        line: line number, from 1; None when the file is one history.
        body: the JSON value as read.
        fault: why it could not be read; None when it could.
    """

    place: str
    line: int | None
    body: Any = None
    fault: str | None = None

    @property
    def messages(self) -> Any:
        """The message list, of a bare list or of a request body.

        Raises:
            UnreadableInput: there is none.
        """
        if self.fault is not None:
            raise UnreadableInput(self.fault)
        if isinstance(self.body, list):
            return self.body
        if isinstance(self.body, dict) and "messages" in self.body:
            return self.body["messages"]
        raise UnreadableInput(_not_chat(self.body))

    @property
    def request(self) -> Any:
        """The message list, or the whole body where it is a request in any wire format.

        Raises:
            UnreadableInput: it is neither.
        """
        if isinstance(self.body, dict) and not self.body.keys().isdisjoint(_OTHER_KEYS):
            return self.body
        listed = self.messages
        return self.body if isinstance(self.body, dict) else listed

    def with_messages(self, messages: list[Any]) -> Any:
        """The body as it came, with other messages in it."""
        return {**self.body, "messages": messages} if isinstance(self.body, dict) else messages


def records(path: str, input_format: InputFormat) -> Iterator[Record]:
    """Yield the histories of a file, or of standard input for ``-``; lines are read one by one.

    A broken line is yielded with its fault, and the next lines are read all the same.
    """
    place = "stdin" if path == "-" else path
    try:
        with opened(path) as stream:
            yield from _records(place, _numbered(stream), input_format)
    except UnreadableInput as error:
        yield Record(place, None, fault=str(error))


def _records(
    place: str, lines: Iterator[tuple[int, bytes]], input_format: InputFormat
) -> Iterator[Record]:
    if input_format == "auto":
        yield from _recognised(place, lines)
    elif input_format == "jsonl":
        yield from (_of_line(place, number, line) for number, line in lines)
    elif input_format == "messages":
        yield _of_messages(place, lines)
    else:
        yield _whole(place, b"".join(line for _, line in lines))


def _recognised(path: str, lines: Iterator[tuple[int, bytes]]) -> Iterator[Record]:
    """Tell the formats apart by the file's name and first line."""
    first = next(lines, None)
    if first is None:
        yield Record(path, None, fault="the file is empty")
        return
    head = _of_line(path, *first)
    if head.fault is None and isinstance(head.body, dict) and "role" in head.body:
        yield _of_messages(path, _again(first, lines))
    elif path.endswith(_LINE_SUFFIXES):
        yield head
        yield from (_of_line(path, number, line) for number, line in lines)
    elif head.fault is None:
        yield from _one_or_many(path, head, lines)
    else:
        yield from _pretty_or_broken(path, [first, *lines])


def _one_or_many(path: str, head: Record, lines: Iterator[tuple[int, bytes]]) -> Iterator[Record]:
    second = next(lines, None)
    if second is None:
        yield Record(path, None, head.body)
        return
    yield head
    yield from (_of_line(path, number, line) for number, line in _again(second, lines))


def _pretty_or_broken(path: str, lines: list[tuple[int, bytes]]) -> Iterator[Record]:
    """A first line that is no JSON opens an indented file, or is the broken line of a JSONL one."""
    whole = _whole(path, b"".join(line for _, line in lines))
    each = [_of_line(path, number, line) for number, line in lines[1:]]
    if whole.fault is None or not any(_is_history(record) for record in each):
        yield whole
    else:
        yield _of_line(path, *lines[0])
        yield from each


def _not_chat(body: Any) -> str:
    """Say what stands where chat messages are expected, and what to do about it."""
    if not isinstance(body, dict):
        return "no list; expected a list of messages, or a request body"
    key = next((key for key in _OTHER_KEYS if key in body), None)
    if key is None:
        found = ", ".join(body) or "nothing in it"
        return f"an object with {found}; expected a list of messages, or a request body"
    remedy = "make chat messages of it first: contextkit convert FILE --to openai-chat"
    return f"a request body with {key}, which this command does not read; {remedy}"


def _is_history(record: Record) -> bool:
    return record.fault is None and isinstance(record.body, (list, dict)) and bool(record.body)


def _again(
    first: tuple[int, bytes], rest: Iterable[tuple[int, bytes]]
) -> Iterator[tuple[int, bytes]]:
    yield first
    yield from rest


def _of_messages(path: str, lines: Iterable[tuple[int, bytes]]) -> Record:
    parsed = [_of_line(path, number, line) for number, line in lines]
    broken = next((record for record in parsed if record.fault), None)
    if broken is not None:
        return Record(path, None, fault=f"line {broken.line}: {broken.fault}")
    return Record(path, None, [record.body for record in parsed])


def _of_line(path: str, number: int, line: bytes) -> Record:
    whole = _whole(f"{path}:{number}", line.rstrip(b"\r\n"))
    return Record(whole.place, number, whole.body, whole.fault)


def _whole(place: str, data: bytes) -> Record:
    try:
        return Record(place, None, json.loads(data.decode("utf-8-sig"), parse_constant=_refuse))
    except UnicodeDecodeError as error:
        return Record(place, None, fault=_not_utf8(data, error.start))
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if b"\n" in data else ""
        return Record(place, None, fault=f"not JSON: {error.msg} at {line}column {error.colno}")
    except (ValueError, RecursionError) as error:
        return Record(place, None, fault=f"not JSON: {error}")


def _not_utf8(data: bytes, byte: int) -> str:
    """Say where UTF-8 ends, and how to convert what is most likely there."""
    likely = "UTF-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "GB18030"
    try:
        data.decode(likely)
    except UnicodeDecodeError:
        return f"not UTF-8 (byte {byte}); convert the file"
    remedy = f"convert the file, from {likely}: iconv -f {likely} -t UTF-8 FILE"
    return f"not UTF-8 (byte {byte}); {remedy}"


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _numbered(stream: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    return ((number, line) for number, line in enumerate(stream, start=1) if line.strip())


@contextmanager
def opened(path: str) -> Iterator[Iterable[bytes]]:
    """Open a file, ``.gz`` too, or standard input for ``-``, to be read line by line.

    A line that cannot be read, as of a file that only claims to be compressed, raises
    `UnreadableInput`.
    """
    if path == "-":
        yield _readable(sys.stdin.buffer)
        return
    with Path(path).open("rb") as raw, _progress(raw, path) as watched:
        yield _readable(gzip.open(watched) if path.endswith(".gz") else watched)


def _readable(stream: Iterable[bytes]) -> Iterator[bytes]:
    try:
        yield from stream
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableInput(f"cannot be read: {error}") from error


@contextmanager
def _progress(raw: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """Show how much of a long file is read, when somebody is looking."""
    size = Path(path).stat().st_size
    if size < _BAR_FROM or not sys.stderr.isatty():
        yield raw
        return
    from rich.console import Console
    from rich.progress import wrap_file

    with wrap_file(
        raw, size, description=Path(path).name, console=Console(stderr=True), transient=True
    ) as watched:
        yield watched
