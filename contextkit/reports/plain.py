"""A report as plain values: JSON and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from contextkit.reports.limits import DIMENSIONS

if TYPE_CHECKING:
    from contextkit.reports.report import Report, Row

_CROSSED = (("language", "content"),)


def report_dict(report: Report) -> dict[str, Any]:
    """Return everything in a report as plain JSON values."""
    crossed = {" x ".join(by): _listed(report, by) for by in _CROSSED}
    return {
        "model": report.model,
        "tokens": report.tokens,
        "limit": report.limit,
        "headroom": report.headroom,
        "messages": len(report.history),
        "cost_usd": _text_or_none(report.cost),
        "by": {by: _listed(report, (by,)) for by in DIMENSIONS} | crossed,
        "biggest": [{"message": index, "tokens": tokens} for index, tokens in report.biggest()],
        "growth": [
            {"turn": turn, "tokens": tokens, "reached": reached}
            for turn, tokens, reached in report.growth
        ],
        "exceeded": [
            {"kind": over.key, "tokens": over.tokens, "limit": over.limit}
            for over in report.exceeded
        ],
    }


def report_csv(report: Report, by: str | Sequence[str]) -> str:
    """Return one CSV line for each kind, below a line of headings."""
    dimensions = (by,) if isinstance(by, str) else tuple(by)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow((*dimensions, "tokens", "share", "share_of_limit", "cost_usd", "messages"))
    for row in report.rows(dimensions):
        writer.writerow("" if cell is None else cell for cell in _cells(row))
    return buffer.getvalue()


def _listed(report: Report, by: Sequence[str]) -> list[dict[str, Any]]:
    names = (*by, "tokens", "share", "share_of_limit", "cost_usd", "messages")
    return [dict(zip(names, _cells(row), strict=True)) for row in report.rows(by)]


def _cells(row: Row) -> tuple[Any, ...]:
    of_limit = None if row.of_limit is None else round(row.of_limit, 6)
    numbers = (row.tokens, round(row.share, 6), of_limit, _text_or_none(row.cost), row.messages)
    return (*row.kind, *numbers)


def _text_or_none(value: object) -> str | None:
    return None if value is None else format(value, "f")
