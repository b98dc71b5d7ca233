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
from contextkit.plans import Plan, opened_plan
from contextkit.simulation.prompts import Measured
from contextkit.units import Units

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


class Recording:
    """A history whose messages are counted once, whatever is replayed.

    Args:
        request: the whole history, with its tools.
        counter: of the model.

    Attributes:
        measured: the history with its tokens.
    """

    def __init__(self, request: Request, counter: Counter) -> None:
        self._request = request
        self._counter = counter
        parts = message_parts(request.history, counter)
        totals = tuple(accumulate((part.tokens for part in parts), initial=0))
        self.measured = Measured(request.history, totals)

    def calls(
        self, sizes: Sequence[int] | None, model: str | None, max_tokens: int | None
    ) -> Iterator[Call]:
        """Yield one call for each request, with its budget.

        Args:
            sizes: how many messages stood in each request; None for one before each answer.
            model: whose window is the limit.
            max_tokens: the limit, where it is another.

        Raises:
            OptionError: no request was made, or one stops between a call and its results.
        """
        history, totals = self._request.history, self.measured.totals
        budgets: dict[Frame, Budget] = {}
        for size in self._sizes(sizes):
            part = replace(self._request, history=history.first(size))
            frame = tuple((p.name, p.tokens) for p in self._counter.count_frame(part))
            if frame not in budgets:
                budgets[frame] = budget_for(model, max_tokens=max_tokens, frame=frame)
            plan = opened_plan(part.history, self._counter, budgets[frame], totals=totals)
            yield Call(size, plan, self._answer(size))

    def _answer(self, size: int) -> int:
        roles = self._request.history.roles
        if size == len(roles) or roles[size] != "assistant":
            return 0
        return self.measured.totals[size + 1] - self.measured.totals[size]

    def _sizes(self, sizes: Sequence[int] | None) -> Sequence[int]:
        roles = self._request.history.roles
        if sizes is None:
            sizes = [index for index, role in enumerate(roles) if role == "assistant" and index]
            if not sizes:
                found = "no assistant message stands in the history, so no request was made"
                raise OptionError("requests", found, "pass the number of messages of each request")
        units = Units(self._request.history, len)
        for size in sizes:
            if isinstance(size, bool) or not isinstance(size, int) or not 0 < size <= len(roles):
                raise OptionError("requests", f"{size!r} messages", f"use 1 to {len(roles)}")
            if size < len(roles) and units.holding(size).start != size:
                found = f"a request of {size} messages stops between a call and its results"
                raise OptionError("requests", found, "send the results first")
        return sizes
