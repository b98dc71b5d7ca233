"""The plan: an immutable ledger of what happens to every unit, and why.

A plan starts as "keep everything" and goes through strategies, each of which returns a new plan.
Its ledger is a sequence of runs (see `contextkit.ledger`), so a plan over 100,000 messages that
keeps the last fifty has a handful of entries, and what was dropped unseen was never looked at.

The plan keeps the laws: what is protected cannot be dropped, a unit cannot be split, and a
rewritten unit answers the same calls as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from contextkit.budget import Budget
from contextkit.counting.counters import Counter
from contextkit.errors import StrategyError
from contextkit.ledger import (
    Action,
    Step,
    gaps,
    inserted,
    left_between,
    newest_first,
    overlaid,
    per_unit,
    run_at,
    sent_messages,
    unit_tokens,
    written_tokens,
)
from contextkit.messages import History
from contextkit.units import Unit, Units

if TYPE_CHECKING:
    from contextkit.formats.native import Native
    from contextkit.memory.requests import SummaryRequest
    from contextkit.memory.state import Memory

Summarize = Callable[["SummaryRequest"], Any]
"""Asks a model: takes a request, returns its answer as text, or an awaitable of it for `atrim`."""

Fulfil = Callable[["Plan", Sequence[object]], "Plan"]


class Strategy(Protocol):
    """Anything that takes a plan and returns a plan: a frozen dataclass of ours, or a function."""

    def __call__(self, plan: Plan, /) -> Plan: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An immutable ledger with one step for each unit.

    Attributes:
        history: the caller's messages.
        budget: the limit and its terms.
        protected: starts of the units that stay: system and developer messages, the newest user
            message, the newest unit, what was pinned (with the user message of its turn), and
            what was recalled.
        verbatim: starts of the units whose text stays too: system and developer messages and what
            was pinned.
        recalled: starts of the old units that a strategy holds on to, the most important first.
            They stay as protected ones do, until a smaller limit has no room for all of them.
        acting: name of the strategy that is at work.
        memory: what summary compression keeps of the messages it drops; None without it.
        pending: questions to a model that are not asked yet; their answers may take up to what the
            plan reserves for them.
        summarize: who answers them; None where the rules alone decide.
        fulfil: what makes the plan of this one and the answers, one for each pending request.
        place: what puts the memory into the message that it belongs to, when all else is decided.
        notes: what happened beside the steps, in words.
        native: what the history was read from, and the way back to it.
        runs: the ledger as it is stored: neighbours with one fate share an entry.

    Example:
        >>> from contextkit import trim
        >>> def without_oldest_turn(plan):
        ...     return plan.drop(plan.turns[0], reason="oldest")
        >>> talk = [{"role": "user", "content": text} for text in ("早", "在吗", "再见")]
        >>> [(step.action, step.by) for step in trim(talk, strategy=without_oldest_turn).plan.steps]
        [('drop', 'without_oldest_turn'), ('keep', ''), ('keep', '')]
    """

    history: History
    budget: Budget
    protected: frozenset[int]
    verbatim: frozenset[int]
    recalled: tuple[int, ...] = ()
    acting: str = ""
    memory: Memory | None = None
    pending: tuple[SummaryRequest, ...] = ()
    summarize: Summarize | None = field(default=None, repr=False)
    fulfil: Fulfil | None = field(default=None, repr=False)
    place: Callable[[Plan], Plan] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    native: Native | None = field(default=None, repr=False)
    runs: tuple[Step, ...]
    _units: Units = field(repr=False, compare=False)
    _counter: Counter = field(repr=False, compare=False)

    @property
    def steps(self) -> tuple[Step, ...]:
        """One step for each unit, and one for each insert, in order."""
        return tuple(step for run in self.runs for step in per_unit(run))

    @property
    def tokens(self) -> int:
        """Tokens of the request as planned; counts what is kept, never what is dropped."""
        return self.budget.frame_tokens + sum(run.tokens_after for run in self.runs)

    @property
    def tokens_before(self) -> int:
        """Tokens of the request without any change; counts the whole history when first read."""
        units = self._units.between(0, len(self.history))
        return self.budget.frame_tokens + sum(unit.tokens for unit in units)

    @property
    def counter(self) -> Counter:
        """What counts this plan's messages."""
        return self._counter

    @property
    def sent(self) -> list[Any]:
        """A new list of the chat messages as planned: kept ones are the history's own objects."""
        return [message for run in self.runs for message in sent_messages(self.history, run)]

    @property
    def kept(self) -> tuple[Unit, ...]:
        """The units that are still there, oldest first."""
        live = (run for run in self.runs if run.action in ("keep", "rewrite"))
        return tuple(unit for run in live for unit in run.units())

    @property
    def turns(self) -> tuple[tuple[Unit, ...], ...]:
        """The kept units by turn, oldest first; system messages are no part of a turn.

        Units before the first user message are a turn of their own.
        """
        turns: dict[int | None, list[Unit]] = {}
        for unit in self.kept:
            if unit.kind != "instruction":
                turns.setdefault(self._units.turn_head(unit.start), []).append(unit)
        return tuple(tuple(turn) for turn in turns.values())

    def protection(self, start: int) -> str:
        """Say why the unit that starts at message ``start`` has to stay; "" when it need not."""
        if start not in self.protected:
            return ""
        if start in self.recalled:
            return "recalled"
        if start in self.history.instructions:
            return "system"
        if start in self.verbatim:
            return "pinned"
        if start in self.history.users[-1:]:
            return "newest user message"
        newest = self._units.ending_at(len(self.history))
        return "newest unit" if start == newest.start else "opens a pinned turn"

    def newest_first(self) -> Iterator[Step]:
        """The kept, rewritten and inserted steps, one a unit, found as far as somebody reads."""
        return newest_first(self.runs)

    def step_at(self, index: int) -> Step:
        """The step of the unit that starts at message ``index``."""
        run, unit = run_at(self.runs, index), self._units.holding(index)
        return run if run.action == "rewrite" else run.part(unit.start, unit.stop)

    @property
    def totals(self) -> Sequence[int] | None:
        """Tokens before each message and of all of them; None where sums are not known as such.

        They are while nothing was decided yet and every message was measured beforehand.
        """
        untouched = len(self.runs) == 1 and self.runs[0].action == "keep"
        return self._units.totals if untouched else None

    def unit_at(self, index: int) -> Unit:
        """The unit of the history that message ``index`` belongs to."""
        return self._units.holding(index)

    def weight_between(self, start: int, stop: int, weigh: Callable[[Step], int]) -> int:
        """Weight of what is left of the messages ``[start, stop)``, without what was inserted.

        Both ends are unit borders.
        """
        return sum(map(weigh, left_between(self.runs, start, stop)))

    def head_of(self, index: int) -> int | None:
        """Start of the user message whose turn holds message ``index``, if it is still there."""
        head = self._units.turn_head(index)
        return None if head is None or run_at(self.runs, head).action == "drop" else head

    def count_text(self, text: str) -> int:
        """Tokens of ``text`` alone, by the counter of the call."""
        return self._counter.count_text(text)

    def units_from(self, index: int) -> Iterator[Unit]:
        """All units of the history from message ``index`` on, dropped or not."""
        return self._units.between(index, len(self.history))

    def drop(self, units: Iterable[Unit], *, reason: str) -> Plan:
        """Return a plan without ``units``.

        Raises:
            StrategyError: one of them is protected.
        """
        starts = sorted((unit.start, unit.stop) for unit in units)
        for start, stop in starts:
            if start in self.protected:
                raise self._refusal(start, stop, "has to stay")
        return self._dropping(starts, reason)

    def cut(self, before: int, *, reason: str) -> Plan:
        """Return a plan without the units before message ``before``.

        What is protected stays, and so does the user message of the turn that is cut through.
        """
        head = self.head_of(before) if before < len(self.history) else None
        standing = self.protected if head is None else self.protected | {head}
        return self._dropping(gaps(self._units, before, standing), reason)

    def restore(self, units: Iterable[Unit], *, reason: str) -> Plan:
        """Return a plan that holds on to ``units``: what was dropped is back, verbatim, in place.

        Each brings the user message of its turn, so that no answer stands without its question.

        Args:
            units: the most important first; under a smaller limit the last ones go first.
            reason: why they matter.
        """
        named = ((self._units.turn_head(unit.start), unit.start) for unit in units)
        wanted = dict.fromkeys(start for pair in named for start in pair if start is not None)
        fresh = tuple(start for start in wanted if start not in self.protected)
        held = [self._units.holding(start) for start in sorted(fresh)]
        steps = [self._new("keep", unit.start, unit.stop, reason, None) for unit in held]
        return replace(
            self,
            runs=tuple(overlaid(self.runs, steps, ("rewrite", "insert"))),
            protected=self.protected.union(fresh),
            recalled=(*self.recalled, *fresh),
        )

    def rewrite(self, unit: Unit, messages: Sequence[Mapping[str, Any]], *, reason: str) -> Plan:
        """Return a plan in which ``messages`` stand in the place of ``unit``.

        Raises:
            StrategyError: their roles or call ids differ from the unit's.
        """
        written = History(messages)
        if _shape(written) != _shape(unit.messages):
            raise self._refusal(unit.start, unit.stop, "was rewritten with other roles or call ids")
        step = self._new("rewrite", unit.start, unit.stop, reason, written)
        return replace(self, runs=tuple(overlaid(self.runs, [step])))

    def insert(
        self,
        at: int,
        messages: Sequence[Mapping[str, Any]],
        *,
        reason: str,
        growth: int = 0,
    ) -> Plan:
        """Return a plan with new ``messages`` in front of message ``at``, a unit border.

        Args:
            at: index of the message, or the length of the history for its end.
            messages: what to put there; no cut removes it.
            reason: why, in words.
            growth: tokens by which it may still grow, counted with it already.

        Raises:
            StrategyError: message ``at`` is inside a unit.
        """
        if at < len(self.history) and self._units.holding(at).start != at:
            raise self._refusal(at, at + 1, "is inside a unit, so nothing can be put before it")
        step = self._new("insert", at, at, reason, History(messages))
        grown = replace(step, _added=step.tokens_after + growth)
        return replace(self, runs=tuple(inserted(self.runs, grown)))

    def without_inserts(self, reason: str) -> Plan:
        """Return a plan without what was inserted for this reason."""
        runs = (run for run in self.runs if run.action != "insert" or run.reason != reason)
        return replace(self, runs=tuple(runs))

    def noted(self, note: str) -> Plan:
        """Return a plan with one more note."""
        return replace(self, notes=(*self.notes, note))

    def limited(self, max_tokens: int) -> Plan:
        """Return the plan under a limit of its own, where that is smaller than the budget's.

        What was recalled and no longer fits beside what has to stay is an old turn like any other.
        """
        budget = self.budget.tightened(max_tokens, f"{self.acting} max_tokens")
        return replace(self, budget=budget)._recalling(budget.for_messages or 0)

    def _recalling(self, room: int) -> Plan:
        """Hold on to as much of what was recalled as ``room`` tokens have room for."""
        firm = self.protected.difference(self.recalled)
        inserts = (run.tokens_after for run in self.runs if run.action == "insert")
        weight = sum(inserts) + sum(self.step_at(start).tokens_after for start in firm)
        weights = (self.step_at(start).tokens_after for start in self.recalled)
        number = sum(reached <= room for reached in accumulate(weights, initial=weight)) - 1
        held = self.recalled[: max(0, number)]
        return replace(self, recalled=held, protected=firm.union(held))

    def _dropping(self, spans: Sequence[tuple[int, int]], reason: str) -> Plan:
        if not spans:
            return self
        steps = [self._new("drop", start, stop, reason, None) for start, stop in spans]
        return replace(self, runs=tuple(overlaid(self.runs, steps)))

    def _new(
        self, action: Action, start: int, stop: int, reason: str, written: History | None
    ) -> Step:
        return Step(
            action=action,
            start=start,
            stop=stop,
            reason=reason,
            by=self.acting,
            messages=tuple(written.originals) if written else (),
            _added=written_tokens(self._counter, written) if written else 0,
            _units=self._units,
        )

    def _refusal(self, start: int, stop: int, fault: str) -> StrategyError:
        place = f"message {start}" if stop - start == 1 else f"messages {start} to {stop - 1}"
        remedy = "leave it out; plan.protected lists what stays, plan.turns what goes together"
        return StrategyError(self.acting or "(none)", f"{place} {fault}", remedy)


def opened_plan(
    history: History,
    counter: Counter,
    budget: Budget,
    pinned: Iterable[int] = (),
    units: Units | None = None,
) -> Plan:
    """Return the plan that keeps everything.

    Args:
        history: the messages, at least one.
        counter: measures the units, each at most once.
        budget: the limit of the request.
        pinned: indices of messages that have to stay.
        units: those of the messages, or of a history that starts with them, where they are known
            already.
    """
    if units is None:
        units = Units(history, lambda unit: unit_tokens(counter, unit))
    whole = Step(action="keep", start=0, stop=len(history), _units=units)
    pins = {units.holding(index).start for index in pinned}
    return Plan(
        history=history,
        budget=budget,
        protected=_protected(history, units, pins),
        verbatim=frozenset(pins.union(history.instructions)),
        runs=(whole,),
        _units=units,
        _counter=counter,
    )


def applied(strategy: Strategy, plan: Plan) -> Plan:
    """Return what ``strategy`` makes of ``plan``, its name on every step it decides.

    Raises:
        StrategyError: it is not callable, or returns something that is no plan of this history.
    """
    name = strategy_name(strategy)
    if not callable(strategy):
        raise StrategyError(name, "it cannot be called", "pass a strategy or a function of a plan")
    result = strategy(replace(plan, acting=name))
    if not isinstance(result, Plan) or result.history is not plan.history:
        found = f"it returned {type(result).__name__}, no plan of this history"
        raise StrategyError(name, found, "return plan, or what plan.drop() and the like return")
    return replace(result, acting=plan.acting)


def strategy_name(strategy: object) -> str:
    """Return the name under which a strategy's decisions stand in the plan."""
    return getattr(strategy, "__name__", type(strategy).__name__)


def _protected(history: History, units: Units, pins: Iterable[int]) -> frozenset[int]:
    """What stays; a pinned unit brings the user message of its turn, so that it never leads."""
    newest = {units.ending_at(len(history)).start, *history.users[-1:]}
    heads = {head for pin in pins if (head := units.turn_head(pin)) is not None}
    return frozenset(newest.union(history.instructions, pins, heads))


def _shape(messages: Iterable[Any]) -> list[tuple[Any, ...]]:
    return [(m.role, m.tool_call_id, *(call.id for call in m.tool_calls)) for m in messages]
