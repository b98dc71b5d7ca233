"""Read histories from files: JSON, JSONL with one history or one message a line, request bodies."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from contextkit.errors import ContextKitError

InputFormat = Literal["auto", "json", "jsonl", "messages"]

_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")

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
        found = (
            f"an object with {', '.join(self.body)}" if isinstance(self.body, dict) else "no list"
        )
        raise UnreadableInput(f"{found}; expected a list of messages or an object with messages")

    @property
    def request(self) -> Any:
        """The message list, or the whole body where it is a request in any wire format.

        Raises:
            UnreadableInput: it is neither.
        """
        if isinstance(self.body, dict) and not {"input", "contents"}.isdisjoint(self.body):
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
    with opened(path) as stream:
        lines = _numbered(stream)
        if input_format == "auto":
            yield from _recognised(path, lines)
        elif input_format == "jsonl":
            yield from (_of_line(path, number, line) for number, line in lines)
        elif input_format == "messages":
            yield _of_messages(path, lines)
        else:
            yield _whole(path, b"".join(line for _, line in lines))


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
    whole = _whole(f"{path}:{number}", line)
    return Record(whole.place, number, whole.body, whole.fault)


def _whole(place: str, data: bytes) -> Record:
    try:
        return Record(place, None, json.loads(data.decode("utf-8-sig"), parse_constant=_refuse))
    except UnicodeDecodeError as error:
        return Record(place, None, fault=f"not UTF-8 (byte {error.start}); convert the file")
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return Record(place, None, fault=f"not JSON: {error.msg} at {where}")
    except (ValueError, RecursionError) as error:
        return Record(place, None, fault=f"not JSON: {error}")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _numbered(stream: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    return ((number, line) for number, line in enumerate(stream, start=1) if line.strip())


@contextmanager
def opened(path: str) -> Iterator[Iterable[bytes]]:
    """Open a file, ``.gz`` too, or standard input for ``-``, to be read line by line."""
    if path == "-":
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as raw, _progress(raw, path) as watched:
        yield gzip.open(watched) if path.endswith(".gz") else watched


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
