"""The cut that the window strategies share: the newest units that fit, beside what has to stay."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextkit.ledger import Step
from contextkit.plans import Plan

Weigh = Callable[[Step], int]


def by_tokens(step: Step) -> int:
    """Weigh a step by its tokens."""
    return step.tokens_after


def by_messages(step: Step) -> int:
    """Weigh a step by its messages."""
    return step.messages_after


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a history can be cut.

    Attributes:
        at: index of the oldest message that is kept for being new; the length of the history if
            none is.
        refused: the step of the newest unit that no longer fits; None when everything does.
    """

    at: int
    refused: Step | None


def newest_that_fit(plan: Plan, limit: int, weigh: Weigh) -> Cut:
    """Return the oldest place to cut at which everything newer still fits.

    Older turns go first. A turn that fits only in part is cut through: its user message stays in
    front of its newest units, and its weight is part of the sum. The weight never falls as the cut
    moves back, so the first unit that does not fit ends the search, and what lies behind it is
    never looked at.

    Args:
        plan: where to cut.
        limit: most weight of all that is kept. Where even what has to stay is heavier, the cut
            goes as far as a cut can.
        weigh: weight of one step, or of a run of them.
    """
    sums = known_sums(plan, weigh)
    if sums is not None:
        return _cut_at(plan, _searched(plan, limit, sums))
    weight = standing_weight(plan, weigh)
    cut = len(plan.history)
    for step in plan.newest_first():
        if step.action == "insert" or step.start in plan.protected:
            continue
        weight += weigh(step)
        if weight + head_weight(plan, step.start, weigh) > limit:
            return Cut(cut, step)
        cut = step.start
    return Cut(cut, None)


def known_sums(plan: Plan, weigh: Weigh) -> Sequence[int] | None:
    """Return the weight before each message and of all of them; None where it is not known."""
    totals = plan.totals
    if totals is None or weigh is by_tokens:
        return totals
    return range(len(plan.history) + 1) if weigh is by_messages else None


def _searched(plan: Plan, limit: int, sums: Sequence[int]) -> int:
    """Find the oldest place that fits in a few leaps over ``sums``.

    Each leap goes to the first place that could fit with what is known to stand before it: the
    protected units, and in the turn that is cut through its user message.
    """
    end, users, at = len(plan.history), plan.history.users, 0
    over = sums[end] - limit
    stays = [(start, _weight_at(plan, start, sums)) for start in plan.protected]
    while at < end:
        need = over + sum(weight for start, weight in stays if start < at)
        if sums[at] < need:
            at = _border(plan, bisect_left(sums, need, at, end))
            continue
        need += _head_weight(plan, at, sums)
        if sums[at] >= need:
            break
        turn = bisect_right(users, at)
        leap = _border(plan, bisect_left(sums, need, at, end))
        at = leap if turn == len(users) else min(leap, users[turn])
    return at


def _border(plan: Plan, index: int) -> int:
    """The first unit border from message ``index`` on."""
    if index == len(plan.history):
        return index
    unit = plan.unit_at(index)
    return index if unit.start == index else unit.stop


def _weight_at(plan: Plan, start: int, sums: Sequence[int]) -> int:
    return sums[plan.unit_at(start).stop] - sums[start]


def _head_weight(plan: Plan, at: int, sums: Sequence[int]) -> int:
    head = _head_beside(plan, at)
    return 0 if head is None else _weight_at(plan, head, sums)


def _cut_at(plan: Plan, fitting: int) -> Cut:
    """The cut at the first unit from ``fitting`` on, and the first before it, that may go."""
    at, refused = fitting, fitting
    while at < len(plan.history) and at in plan.protected:
        at = plan.unit_at(at).stop
    while refused > 0:
        refused = plan.unit_at(refused - 1).start
        if refused not in plan.protected:
            return Cut(at, plan.step_at(refused))
    return Cut(at, None)


def standing_weight(plan: Plan, weigh: Weigh, before: int | None = None) -> int:
    """Return the weight of what no cut removes: protected units and inserted messages.

    Args:
        plan: the plan.
        weigh: weight of one step.
        before: only what stands before this message; None for all.
    """
    end = len(plan.history) + 1 if before is None else before
    protected = (start for start in plan.protected if start < end)
    sums = known_sums(plan, weigh)
    if sums is not None:
        return sum(_weight_at(plan, start, sums) for start in protected)
    inserts = (run for run in plan.runs if run.action == "insert" and run.start < end)
    return sum(map(weigh, inserts)) + sum(map(weigh, map(plan.step_at, protected)))


def head_weight(plan: Plan, start: int, weigh: Weigh) -> int:
    """Return the weight of the user message that stays with the unit at ``start``.

    0 where it is that unit, or stays anyway.
    """
    head = _head_beside(plan, start)
    return 0 if head is None else weigh(plan.step_at(head))


def _head_beside(plan: Plan, start: int) -> int | None:
    """The user message of the turn of the unit at ``start``, where that alone is why it stays."""
    head = plan.head_of(start)
    return None if head == start or head in plan.protected else head
