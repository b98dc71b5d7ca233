"""A fixed window: the system messages and the newest turns or messages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from contextkit.errors import BudgetExceeded
from contextkit.ledger import Step
from contextkit.options import whole_number
from contextkit.plans import Plan
from contextkit.strategies.newest import by_messages, newest_that_fit, standing_weight


@dataclass(frozen=True, slots=True)
class FixedWindow:
    """Keep system and developer messages and the newest turns, or the newest messages.

    Args:
        turns: user messages to keep, each with all that follows it; 10 when nothing is given.
        messages: most messages of the result, system messages included. A turn that does not fit
            keeps its user message and its newest units.

    With both, both hold. Tool calls stay with their results, so fewer messages than asked for may
    be left. The budget of the call is checked, not kept: compose with `TokenBudget` for that.

    Raises:
        OptionError: a value below 1.
        BudgetExceeded: when called: more messages have to stay than ``messages`` allows.

    Example:
        >>> from contextkit import trim
        >>> talk = [{"role": "user", "content": str(n)} for n in range(30)]
        >>> [m["content"] for m in trim(talk, strategy=FixedWindow(turns=2)).messages]
        ['28', '29']
    """

    turns: int | None = None
    messages: int | None = None

    def __post_init__(self) -> None:
        if self.turns is None and self.messages is None:
            object.__setattr__(self, "turns", 10)
        if self.turns is not None:
            whole_number("turns", self.turns, 1)
        if self.messages is not None:
            whole_number("messages", self.messages, 1)

    def __call__(self, plan: Plan) -> Plan:
        if self.turns is not None:
            plan = _last_turns(plan, self.turns)
        if self.messages is not None:
            plan = _last_messages(plan, self.messages)
        return plan


def oldest_turn_kept(plan: Plan, turns: int) -> int | None:
    """Return where the newest ``turns`` turns start; None where there are no more than that."""
    if plan.totals is not None:
        return plan.history.users[-turns] if turns <= len(plan.history.users) else None
    users = (step.start for step in plan.newest_first() if _is_user(plan, step))
    return next(islice(users, turns - 1, None), None)


def _last_turns(plan: Plan, turns: int) -> Plan:
    oldest_kept = oldest_turn_kept(plan, turns)
    if oldest_kept is None:
        return plan
    return plan.cut(oldest_kept, reason=f"older than the last {turns:,} turns")


def _last_messages(plan: Plan, messages: int) -> Plan:
    standing = standing_weight(plan, by_messages)
    if standing > messages:
        raise BudgetExceeded(
            needed=standing,
            limit=messages,
            terms=[("messages that stay", standing)],
            remedy="allow more messages, or pin fewer",
            unit="messages",
        )
    cut = newest_that_fit(plan, messages, by_messages)
    return plan.cut(cut.at, reason=f"beyond the newest {messages:,} messages")


def _is_user(plan: Plan, step: Step) -> bool:
    return step.action != "insert" and plan.history.roles[step.start] == "user"
