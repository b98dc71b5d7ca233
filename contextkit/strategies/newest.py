"""The cut that the window strategies share: the newest units that fit, beside what has to stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from contextkit.plans import Plan, Step

Weigh = Callable[[Step], int]


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
    if plan.measured:
        return _searched(plan, limit, weigh)
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


def _searched(plan: Plan, limit: int, weigh: Weigh) -> Cut:
    """Find the same cut by bisection, where sums cost nothing."""
    end = len(plan.history)
    stays = [(start, weigh(plan.step_at(start))) for start in plan.protected]

    def fits(at: int) -> bool:
        """Whether everything from message ``at`` on fits, with what has to stay before it."""
        before = sum(weight for start, weight in stays if start < at)
        head = head_weight(plan, at, weigh)
        return plan.weight_between(at, end, weigh) + before + head <= limit

    low, high = 0, end
    while low < high:
        middle = plan.unit_at((low + high) // 2).start
        if fits(middle):
            high = middle
        else:
            low = plan.unit_at(middle).stop
    return _cut_at(plan, high)


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
    inserts = (run for run in plan.runs if run.action == "insert" and run.start < end)
    protected = (plan.step_at(start) for start in plan.protected if start < end)
    return sum(map(weigh, inserts)) + sum(map(weigh, protected))


def head_weight(plan: Plan, start: int, weigh: Weigh) -> int:
    """Return the weight of the user message that stays with the unit at ``start``.

    0 where it is that unit, or stays anyway.
    """
    head = plan.head_of(start)
    if head is None or head == start or head in plan.protected:
        return 0
    return weigh(plan.step_at(head))
