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
        said += _room(report.headroom or 0)
    if report.cost is not None:
        said += f"; uncached input costs ${report.cost:.6f}"
    return f"{said}."


def _room(headroom: int) -> str:
    return f", {headroom:,} free" if headroom >= 0 else f", {-headroom:,} too many"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def kind_text(value: str | int, dimension: str) -> str:
    """Return a kind as it is shown to readers."""
    if dimension == "turn":
        return f"turn {value}" if value else "outside turns"
    return {"zxx": "no language", "": "-"}.get(str(value), str(value))


def _dimensions(by: str | Sequence[str] | None) -> Iterator[Sequence[str]]:
    if by is None:
        yield from ((name,) for name in _DEFAULT)
    else:
        yield (by,) if isinstance(by, str) else tuple(by)


def _table(report: Report, dimensions: Sequence[str]) -> Table:
    table = _columns(report, *dimensions)
    for row in report.rows(dimensions):
        kind = (kind_text(k, name) for k, name in zip(row.kind, dimensions, strict=True))
        table.add_row(*kind, *_numbers(report, row.tokens), _bar(row))
    return table


def _columns(report: Report, *dimensions: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in dimensions:
        table.add_column(name, min_width=12)
    for name in ("tokens", "share", "of limit")[: 3 if report.limit else 2]:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", min_width=_BAR)
    return table


def _numbers(report: Report, tokens: int) -> list[str]:
    """Tokens, their share, and what they are of the limit where there is one."""
    whole = [total for total in (report.tokens or 1, report.limit) if total]
    return [f"{tokens:,}", *(_percent(tokens / total) for total in whole)]


def _bar(row: Row) -> str:
    return "█" * round(_BAR * row.share) or "▏"


def _biggest(report: Report) -> Table:
    table = _columns(report, "largest messages")
    for index, tokens in report.biggest(5):
        name = f"message {index} ({report.history.roles[index]})"
        table.add_row(name, *_numbers(report, tokens))
    return table
