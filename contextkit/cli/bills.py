"""A bill: what logged requests cost, summed per model and per day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import contextkit
from contextkit.cli.logs import Logged, logged
from contextkit.cli.reading import UnreadableInput
from contextkit.cli.writing import note
from contextkit.errors import ContextKitError
from contextkit.pricing import Price

COLUMNS = ("model", "day", "calls", "input", "cached", "written", "output", "cost", "currency")


@dataclass(slots=True)
class Line:
    """What one model took on one day."""

    calls: int = 0
    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    cost: Decimal = Decimal(0)

    def add(self, priced: contextkit.Cost, times: int = 1) -> None:
        """Add a request; ``times=-1`` takes it off again."""
        self.calls += times
        self.input += times * priced.usage.input
        self.cached += times * priced.usage.cache_read
        self.written += times * priced.usage.written
        self.output += times * priced.usage.output
        self.cost += times * priced.total


class Bill:
    """The sums, and the one cost where there is only one.

    Agents log a streamed answer several times, each time with all that it used so far. Records
    with the id of one answer are one request, and the one with the longest answer counts.

    Args:
        model: who was asked, whatever the logs say; None believes them.
        options: of `contextkit.cost`; ``at`` is None for the moment that the log says.

    Attributes:
        lines: the sums, by model and day ("" where nothing says the day).
        fine: whether everything found a price.
        passed_over: lines of sessions that hold no usage.
    """

    def __init__(self, model: str | None, options: Mapping[str, Any]) -> None:
        self._model = model
        self._options = dict(options)
        self._answers: dict[str, tuple[Line, contextkit.Cost]] = {}
        self._checked: dict[str, date] = {}
        self.currency: str = options["currency"]
        self.lines: dict[tuple[str, str], Line] = {}
        self.only: contextkit.Cost | None = None
        self.fine = True
        self.passed_over = 0

    def read(self, path: str) -> None:
        """Add everything in a file; faults are noted and the rest is read."""
        for found in logged(path):
            if isinstance(found, Logged):
                self.add(found)
            elif found.fault is not None:
                self._fault(found.place, found.fault)
            else:
                self.passed_over += 1

    def add(self, found: Logged) -> None:
        """Add one request."""
        try:
            priced = self._priced(found)
        except ContextKitError as error:
            self._fault(found.place, str(error))
            return
        day = found.at.date().isoformat() if found.at else ""
        line = self.lines.setdefault((self._model or found.model or "", day), Line())
        if found.answer in self._answers and not self._longer(found.answer, priced):
            return
        for remark in priced.notes:
            note(f"{found.place}: {remark}")
        line.add(priced)
        self._note_price(priced.price)
        if found.answer is not None:
            self._answers[found.answer] = (line, priced)
        self.only = priced if self.calls == 1 else None

    def _note_price(self, price: Price) -> None:
        known = self._checked.get(price.source, price.checked)
        self._checked[price.source] = min(known, price.checked)

    def _longer(self, answer: str, priced: contextkit.Cost) -> bool:
        """Whether an answer that was logged before is longer now; then it is taken off the sums."""
        line, before = self._answers[answer]
        if priced.usage.output <= before.usage.output:
            return False
        line.add(before, times=-1)
        return True

    @property
    def calls(self) -> int:
        """How many requests were priced."""
        return sum(line.calls for line in self.lines.values())

    @property
    def total(self) -> Decimal:
        return sum((line.cost for line in self.lines.values()), Decimal(0))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The lines as values, see ``COLUMNS``; by model, then by day."""
        for (model, day), line in sorted(self.lines.items()):
            tokens = (line.input, line.cached, line.written, line.output)
            yield (model, day, line.calls, *tokens, f"{line.cost:f}", self.currency)

    def prices(self) -> list[str]:
        """Say where the prices are from and how old they are."""
        ages = {source: (date.today() - day).days for source, day in self._checked.items()}
        return [f"{source}, {age} days old" for source, age in sorted(ages.items())]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; amounts are decimal strings."""
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in self.rows()]
        whole: dict[str, Any] = {"total": f"{self.total:f}", "currency": self.currency}
        if self.only is not None:
            whole["request"] = self.only.to_dict()
        return {**whole, "lines": rows}

    def _priced(self, found: Logged) -> contextkit.Cost:
        model = self._model or found.model
        if model is None:
            raise UnreadableInput("nothing says which model was asked; pass -m")
        options = dict(self._options)
        at: datetime | None = options.pop("at") or found.at
        if not _is_to_be_sent(found.what):
            options["output_tokens"] = 0
        priced: contextkit.Cost = contextkit.cost(found.what, model=model, at=at, **options)
        return priced

    def _fault(self, place: str, fault: str) -> None:
        note(f"{place}: {fault}")
        self.fine = False


def _is_to_be_sent(what: Any) -> bool:
    if isinstance(what, dict):
        return any(key in what for key in ("messages", "contents", "input"))
    return True
