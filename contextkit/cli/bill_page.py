"""A bill as a page: cost by model, cost of each day, all lines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from itertools import islice

from contextkit.cli.bills import COLUMNS, Bill
from contextkit.pages import Bar, Section, bars, columns, document, table

_DAYS = 400
"""Most days drawn one by one."""

_BARS = 20
"""Most models that have a bar; the table has all."""

_SHOWN = 7
"""Models that have a colour of their own; the others share the last one."""


def bill_page(bill: Bill, title: str) -> str:
    """Return the whole page.

    Args:
        bill: what to show.
        title: its heading.
    """
    sections = [Section("Models", bars(_models(bill)))]
    if len(days := _days(bill)) > 1:
        note = f"{bill.currency} a day."
        chart = columns(list(days.values()), first=min(days), last=max(days), names=_names(bill))
        sections.append(Section("Days", chart, note))
    sections.append(Section("Models and days", _table(bill), _NOTE))
    sections.append(Section("Prices", table(["source"], zip(bill.prices()))))
    lead = f"{bill.calls:,} requests cost {bill.total:,.4f} {bill.currency}."
    return document(title, sections, lead=lead)


_NOTE = (
    "Tokens. Cached and written ones are part of the input: served from the provider's cache, and "
    "written to it at a price of their own."
)


def _by_model(bill: Bill) -> dict[str, float]:
    """Cost by model, the dearest first."""
    costs: dict[str, float] = {}
    for (model, _), line in bill.lines.items():
        costs[model] = costs.get(model, 0.0) + float(line.cost)
    return dict(sorted(costs.items(), key=lambda pair: -pair[1]))


def _models(bill: Bill) -> list[Bar]:
    return [
        Bar(model, cost, f"{cost:,.4f} {bill.currency}", colour=min(place, _SHOWN))
        for place, (model, cost) in enumerate(islice(_by_model(bill).items(), _BARS))
    ]


def _names(bill: Bill) -> list[str]:
    models = list(_by_model(bill))
    return models if len(models) <= _SHOWN + 1 else [*models[:_SHOWN], "other"]


def _days(bill: Bill) -> Mapping[str, Mapping[str, float]]:
    """Cost by model of each day from the first to the last, or of those with a cost if many lie
    between.
    """
    names = _names(bill)
    costs: dict[str, dict[str, float]] = {day: {} for day in _calendar(bill)}
    for (model, day), line in bill.lines.items():
        if day:
            name = model if model in names else "other"
            costs[day][name] = costs[day].get(name, 0.0) + float(line.cost)
    return costs


def _calendar(bill: Bill) -> list[str]:
    logged = sorted({day for _, day in bill.lines if day})
    if not logged:
        return []
    first, last = date.fromisoformat(logged[0]), date.fromisoformat(logged[-1])
    between = (last - first).days + 1
    if between > _DAYS:
        return logged
    return [(first + timedelta(days=n)).isoformat() for n in range(between)]


def _table(bill: Bill) -> str:
    rows = [
        (model, day, *(f"{number:,}" for number in numbers), f"{Decimal(cost):,.6f}")
        for model, day, *numbers, cost, _ in bill.rows()
    ]
    headings = (*COLUMNS[:-2], bill.currency)
    return table(headings, rows, numeric=headings[2:])
