"""Units and turns: where a history may be cut.

A **unit** is the smallest run of messages that goes or stays as one: a plain message, or an
assistant message with tool calls together with all results that follow it. A **turn** is a user
message and every unit up to the next user message.

Calls and results are paired by adjacency. An id map over the whole conversation would be wrong:
servers ask for results right behind their call, and real agents use the same id again later.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from contextkit.messages import INSTRUCTION_ROLES, RESULT_ROLES, History, Message

Kind = Literal["instruction", "user", "assistant", "call", "orphan"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A run of messages ``[start, stop)`` that is never split.

    Attributes:
        start: index of its first message.
        stop: index behind its last message.
        kind: "instruction" (system, developer), "user", "assistant", "call" (an assistant message
            with tool calls and all its results) or "orphan" (results that answer no call).
    """

    start: int
    stop: int
    kind: Kind
    _units: Units = field(repr=False, compare=False)

    @property
    def tokens(self) -> int:
        """Tokens of all its messages, their framing included; counted once."""
        return self._units.tokens(self)

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(self._units.history[self.start : self.stop])

    def __len__(self) -> int:
        """Number of messages."""
        return self.stop - self.start


class Units:
    """The units of one history: found when asked for, each measured at most once.

    Args:
        history: the messages.
        measure: tokens of one unit; called once for each unit that somebody asks about.
        totals: tokens before each message and of all of them, where they are known already.

    Example:
        >>> units = Units(History([{"role": "user", "content": "hi"}]), measure=len)
        >>> [unit.kind for unit in units.between(0, 1)]
        ['user']
    """

    __slots__ = ("_known", "_measure", "history", "totals")

    def __init__(
        self,
        history: History,
        measure: Callable[[Unit], int],
        totals: Sequence[int] | None = None,
    ) -> None:
        self.history = history
        self.totals = totals
        self._measure = measure
        self._known: dict[int, int] = {}

    def tokens(self, unit: Unit) -> int:
        """Tokens of ``unit``, from memory when it was measured before."""
        if self.totals is not None:
            return self.totals[unit.stop] - self.totals[unit.start]
        known = self._known.get(unit.start)
        if known is None:
            known = self._known[unit.start] = self._measure(unit)
        return known

    def tokens_between(self, start: int, stop: int) -> int:
        """Tokens of the units of messages ``[start, stop)``; both ends are unit borders."""
        if self.totals is not None:
            return self.totals[stop] - self.totals[start]
        return sum(unit.tokens for unit in self.between(start, stop))

    def ending_at(self, stop: int) -> Unit:
        """The unit whose last message is ``stop - 1``."""
        start = stop - 1
        roles = self.history.roles
        if roles[start] not in RESULT_ROLES:
            return Unit(start, stop, self._kind(start), self)
        while start > 0 and roles[start - 1] in RESULT_ROLES:
            start -= 1
        if start > 0 and self.history.makes_calls(start - 1):
            return Unit(start - 1, stop, "call", self)
        return Unit(start, stop, "orphan", self)

    def holding(self, index: int) -> Unit:
        """The unit that message ``index`` belongs to."""
        stop = index + 1
        roles = self.history.roles
        if roles[index] in RESULT_ROLES or self.history.makes_calls(index):
            while stop < len(roles) and roles[stop] in RESULT_ROLES:
                stop += 1
        return self.ending_at(stop)

    def between(self, start: int, stop: int) -> Iterator[Unit]:
        """The units of messages ``[start, stop)``, oldest first; both ends are unit borders."""
        while start < stop:
            unit = self.holding(start)
            yield unit
            start = unit.stop

    def backwards(self, start: int, stop: int) -> Iterator[Unit]:
        """The units of messages ``[start, stop)``, newest first; both ends are unit borders."""
        while stop > start:
            unit = self.ending_at(stop)
            yield unit
            stop = unit.start

    def turn_head(self, index: int) -> int | None:
        """Index of the user message whose turn holds message ``index``; None before the first."""
        place = bisect_right(self.history.users, index)
        return self.history.users[place - 1] if place else None

    def _kind(self, index: int) -> Kind:
        role = self.history.roles[index]
        if role in INSTRUCTION_ROLES:
            return "instruction"
        if role == "user":
            return "user"
        return "call" if self.history.makes_calls(index) else "assistant"
