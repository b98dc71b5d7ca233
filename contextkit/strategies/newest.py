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
        weigh: weight of one step.
    """
    weight = standing_weight(plan, weigh)
    cut = len(plan.history)
    for step in plan.newest_first():
        if step.action == "insert" or step.start in plan.protected:
            continue
        weight += weigh(step)
        if weight + head_weight(plan, step, weigh) > limit:
            return Cut(cut, step)
        cut = step.start
    return Cut(cut, None)


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


def head_weight(plan: Plan, step: Step, weigh: Weigh) -> int:
    """Return the weight of the user message that stays with ``step``, unless counted already."""
    head = plan.head_of(step.start)
    if head is None or head == step.start or head in plan.protected:
        return 0
    return weigh(plan.step_at(head))
