"""Write results: JSON and CSV to standard output or a file, notes to standard error."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

from rich.console import Console
from rich.table import Table

_HELD = 16_000_000
"""Bytes of a result that are held in memory until it is written to its file."""


class Output:
    """Where the results of one command go."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.is_empty = True

    def line(self, text: str) -> None:
        """Write one line; a lone surrogate, legal in JSON, is written as its escape."""
        self.is_empty = False
        self._stream.write(f"{text}\n".encode("utf-8", "backslashreplace"))

    def json(self, value: Any, *, indent: int | None = None) -> None:
        self.line(json.dumps(value, ensure_ascii=False, indent=indent))

    def csv(self, row: Sequence[object]) -> None:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="").writerow(row)
        self.line(buffer.getvalue())

    def table(self, table: Table) -> None:
        """Write a table in the width of the terminal, 100 columns elsewhere."""
        buffer = io.StringIO()
        width = None if sys.stdout.isatty() else 100
        Console(file=buffer, width=width, markup=False, emoji=False).print(table)
        self.line("\n".join(line.rstrip() for line in buffer.getvalue().splitlines()))


@contextmanager
def output_to(path: str | None) -> Iterator[Output]:
    """Open the output of a command: standard output, or a file.

    The file is written when the command is through with reading, so it may be the one that is read.
    """
    if path is None or path == "-":
        yield Output(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with open(path, "ab"), SpooledTemporaryFile(_HELD) as held:
        yield Output(held)
        held.seek(0)
        with open(path, "wb") as stream:
            shutil.copyfileobj(held, stream)


def write_page(path: str, line: int | None, place: str, page: str) -> None:
    """Write a page to a file, and note it; each line of a JSONL file has a page of its own."""
    file = Path(path) if line is None else Path(path).with_stem(f"{Path(path).stem}-{line}")
    file.write_text(page, "utf-8")
    note(f"{place}: wrote {file}")


def note(text: str) -> None:
    """Write a note to standard error."""
    sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def columns(*headings: str, numeric: Iterable[str] = ()) -> Table:
    """Return an empty table; numeric columns are set to the right, and nothing is cut short."""
    from rich.box import SIMPLE_HEAD

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in headings:
        is_numeric = heading in set(numeric)
        table.add_column(heading, justify="right" if is_numeric else "left", overflow="fold")
    return table
