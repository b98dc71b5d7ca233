"""The last resort: shorten the longest texts when what has to stay is too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextkit.ledger import Step
from contextkit.plans import Plan
from contextkit.shortening import shortened
from contextkit.strategies.rewriting import messages_of, texts_of, with_texts

_ROUNDS = 8
"""Marks and borders cost tokens that a cap cannot foresee; each round takes the rest off it."""


def with_longest_shortened(plan: Plan) -> Plan:
    """Return a plan that fits its budget because its longest texts were cut in the middle.

    All texts above one common cap are cut down to it, so the longest lose most. System and
    developer messages, pinned units and the arguments of calls are never cut.

    Returns:
        The plan under its limit, or as near as shortening gets.
    """
    limit = plan.budget.limit
    if limit is None:
        return plan
    steps = [step for step in plan.newest_first() if _may_shorten(plan, step)]
    sizes = [plan.count_text(text) for step in steps for text in _texts(step)]
    excess = plan.tokens - limit
    shorter = plan
    for _ in range(_ROUNDS):
        cap = _cap(sizes, excess)
        shorter = _capped(plan, steps, cap)
        if shorter.tokens <= limit or cap == 0:
            break
        excess += shorter.tokens - limit
    return shorter


def _may_shorten(plan: Plan, step: Step) -> bool:
    return step.action != "insert" and step.start not in plan.verbatim


def _texts(step: Step) -> Iterable[str]:
    return (text for message in messages_of(step) for text in texts_of(message))


def _cap(sizes: Sequence[int], excess: int) -> int:
    """Return the largest cap under which ``sizes`` lose at least ``excess`` together; 0 if none."""
    low, high = 0, max(sizes, default=0)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(max(0, size - middle) for size in sizes) >= excess:
            low = middle
        else:
            high = middle - 1
    return low


def _capped(plan: Plan, steps: Sequence[Step], cap: int) -> Plan:
    def cut(text: str) -> str:
        return shortened(text, cap, plan.count_text) or text

    for step in steps:
        before = messages_of(step)
        after = [with_texts(message, cut) for message in before]
        if any(new is not old.data for new, old in zip(after, before, strict=True)):
            (unit,) = step.units()
            plan = plan.rewrite(unit, after, reason=f"shortened: texts over {cap:,} tokens")
    return plan
