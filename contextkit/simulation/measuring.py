"""A history measured once, and cut short at every request that was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from contextkit.budget import Budget, budget_for
from contextkit.counting.counters import Counter
from contextkit.counting.requests import message_parts
from contextkit.errors import OptionError
from contextkit.formats import Request
from contextkit.messages import History
from contextkit.plans import Plan, opened_plan
from contextkit.simulation.prompts import Measured
from contextkit.units import Unit, Units

Frame = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """One request of a recorded history.

    Attributes:
        size: how many messages of the history stood in it.
        plan: keeps all of them.
        answer: tokens of the message that answered it; 0 where none did.
    """

    size: int
    plan: Plan
    answer: int


class _KnownUnits(Units):
    """Units that are all found once, for every beginning of the history that splits none."""

    __slots__ = ("_held",)

    def __init__(self, history: History, totals: Sequence[int]) -> None:
        super().__init__(history, len, totals)
        found = Units(history, len, totals).between(0, len(history))
        self._held = [unit for unit in found for _ in range(len(unit))]

    def holding(self, index: int) -> Unit:
        return self._held[index]

    def ending_at(self, stop: int) -> Unit:
        return self._held[stop - 1]


class Recording:
    """A history whose messages are counted once, whatever is replayed.

    Args:
        request: the whole history, with its tools.
        counter: of the model.
        sizes: how many messages stood in each request; None for one before each answer.

    Attributes:
        measured: the history with its tokens.
        sizes: how many messages stood in each request.

    Raises:
        OptionError: no request was made, or one stops between a call and its results.
    """

    def __init__(self, request: Request, counter: Counter, sizes: Sequence[int] | None) -> None:
        self._request = request
        self._counter = counter
        parts = message_parts(request.history, counter)
        totals = tuple(accumulate((part.tokens for part in parts), initial=0))
        self.measured = Measured(request.history, totals)
        self._units = _KnownUnits(request.history, totals)
        self.sizes = self._checked(sizes)

    def calls(self, model: str | None, max_tokens: int | None) -> Iterator[Call]:
        """Yield one call for each request, with its budget.

        Args:
            model: whose window is the limit.
            max_tokens: the limit, where it is another.
        """
        history = self._request.history
        budgets: dict[Frame, Budget] = {}
        for size in self.sizes:
            part = replace(self._request, history=history.first(size))
            frame = tuple((p.name, p.tokens) for p in self._counter.count_frame(part))
            if frame not in budgets:
                budgets[frame] = budget_for(model, max_tokens=max_tokens, frame=frame)
            plan = opened_plan(part.history, self._counter, budgets[frame], units=self._units)
            yield Call(size, plan, self._answer(size))

    def _answer(self, size: int) -> int:
        roles = self._request.history.roles
        if size == len(roles) or roles[size] != "assistant":
            return 0
        return self.measured.totals[size + 1] - self.measured.totals[size]

    def _checked(self, sizes: Sequence[int] | None) -> Sequence[int]:
        roles = self._request.history.roles
        if sizes is None:
            sizes = [index for index, role in enumerate(roles) if role == "assistant" and index]
            if not sizes:
                found = "no assistant message stands in the history, so no request was made"
                raise OptionError("requests", found, "pass the number of messages of each request")
        for size in sizes:
            if isinstance(size, bool) or not isinstance(size, int) or not 0 < size <= len(roles):
                raise OptionError("requests", f"{size!r} messages", f"use 1 to {len(roles)}")
            if size < len(roles) and self._units.holding(size).start != size:
                found = f"a request of {size} messages stops between a call and its results"
                raise OptionError("requests", found, "send the results first")
        return sizes
