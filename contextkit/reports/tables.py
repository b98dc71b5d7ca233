"""A report as text: a line on the window, then a table for each dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from contextkit.reports.report import Report, Row

_DEFAULT = ("role", "language", "content")
_BAR = 20
"""Characters of the bar that stands for all tokens."""


def report_table(report: Report, by: str | Sequence[str] | None, width: int) -> str:
    """Return a report as text, ``width`` columns wide."""
    from rich.console import Console

    console = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    console.print(headline(report), highlight=False, markup=False, soft_wrap=True)
    for over in report.exceeded:
        console.print(f"over its limit: {over}", highlight=False, markup=False, soft_wrap=True)
    for dimensions in _dimensions(by):
        console.print(_table(report, dimensions))
    if by is None:
        console.print(_biggest(report))
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def headline(report: Report) -> str:
    """Return one sentence: how many tokens, of how many, at what price."""
    messages = len(report.history)
    said = f"{messages:,} message{'' if messages == 1 else 's'}, {report.tokens:,}"
    if report.limit is None:
        said += " tokens"
    else:
        said += f" of {report.limit:,} tokens ({_percent(report.tokens / (report.limit or 1))})"
        said += f", {report.headroom:,} free"
    if report.cost is not None:
        said += f"; uncached input costs ${report.cost:.6f}"
    return f"{said}."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def kind_text(value: str | int, dimension: str) -> str:
    """Return a kind as it is shown to readers."""
    if dimension == "turn":
        return f"turn {value}" if value else "before and beside"
    return {"zxx": "no language", "": "-"}.get(str(value), str(value))


def _dimensions(by: str | Sequence[str] | None) -> Iterator[Sequence[str]]:
    if by is None:
        yield from ((name,) for name in _DEFAULT)
    else:
        yield (by,) if isinstance(by, str) else tuple(by)


def _table(report: Report, dimensions: Sequence[str]) -> Table:
    table = _columns(*dimensions)
    for row in report.rows(dimensions):
        kind = (kind_text(k, name) for k, name in zip(row.kind, dimensions, strict=True))
        table.add_row(*kind, f"{row.tokens:,}", _percent(row.share), _of_limit(row), _bar(row))
    return table


def _columns(*dimensions: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in dimensions:
        table.add_column(name, min_width=12)
    for name in ("tokens", "share", "of limit"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", min_width=_BAR)
    return table


def _of_limit(row: Row) -> str:
    return "" if row.of_limit is None else _percent(row.of_limit)


def _bar(row: Row) -> str:
    return "█" * round(_BAR * row.share) or "▏"


def _biggest(report: Report) -> Table:
    table = _columns("largest messages")
    for index, tokens in report.biggest(5):
        name = f"message {index} ({report.history.roles[index]})"
        share = tokens / (report.tokens or 1)
        of_limit = _percent(tokens / report.limit) if report.limit else ""
        table.add_row(name, f"{tokens:,}", _percent(share), of_limit)
    return table
