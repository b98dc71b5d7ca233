"""The plan: an immutable ledger of what happens to every unit, and why.

A plan starts as "keep everything" and goes through strategies, each of which returns a new plan.
The ledger is a sequence of **runs**: neighbouring units with the same fate share one entry until
somebody reads ``plan.steps``, so a plan over 100,000 messages that keeps the last fifty has a
handful of entries, and what was dropped unseen was never looked at.

The plan keeps the laws: what is protected cannot be dropped, a unit cannot be split, and a
rewritten unit answers the same calls as before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, Protocol

from contextkit.budget import Budget
from contextkit.counting.counters import Counter
from contextkit.errors import StrategyError
from contextkit.messages import History
from contextkit.units import Unit, Units

if TYPE_CHECKING:
    from contextkit.formats.native import Native
    from contextkit.memory.requests import SummaryRequest
    from contextkit.memory.state import Memory

Summarize = Callable[["SummaryRequest"], Any]
"""Asks a model: takes a request, returns its answer as text, or an awaitable of it for `atrim`."""

Fulfil = Callable[["Plan", Sequence[object]], "Plan"]

Action = Literal["keep", "drop", "rewrite", "insert"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happens to the messages ``[start, stop)`` of the history.

    Attributes:
        action: "keep", "drop", "rewrite" (``messages`` stand in their place) or "insert"
            (``messages`` are new; start == stop).
        start: index of the first message.
        stop: index behind the last message.
        reason: why, in words.
        by: the strategy that decided; "" while nobody has.
        messages: what a rewrite or an insert puts there.
    """

    action: Action
    start: int
    stop: int
    reason: str = ""
    by: str = ""
    messages: tuple[Mapping[str, Any], ...] = ()
    _added: int = field(default=0, repr=False)
    _units: Units = field(repr=False, compare=False)

    @property
    def tokens_before(self) -> int:
        """Tokens that these messages had in the history; counts them when first read."""
        return self._units.tokens_between(self.start, self.stop)

    @property
    def tokens_after(self) -> int:
        """Tokens that they have in the result."""
        if self.action == "keep":
            return self.tokens_before
        return self._added

    @property
    def messages_after(self) -> int:
        """Number of messages in the result."""
        return self.stop - self.start if self.action == "keep" else len(self.messages)

    def units(self) -> Iterator[Unit]:
        """The units it covers, oldest first."""
        return self._units.between(self.start, self.stop)

    def part(self, start: int, stop: int) -> Step:
        """The same fate for the messages ``[start, stop)`` alone."""
        return Step(
            action=self.action,
            start=start,
            stop=stop,
            reason=self.reason,
            by=self.by,
            messages=self.messages,
            _added=self._added,
            _units=self._units,
        )


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
        return tuple(step for run in self.runs for step in _per_unit(run))

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
        return [message for run in self.runs for message in _sent(self.history, run)]

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
        for run in reversed(self.runs):
            if run.action == "keep":
                for unit in self._units.backwards(run.start, run.stop):
                    yield run.part(unit.start, unit.stop)
            elif run.action != "drop":
                yield run

    def step_at(self, index: int) -> Step:
        """The step of the unit that starts at message ``index``."""
        run, unit = self._run_at(index), self._units.holding(index)
        return run if run.action == "rewrite" else run.part(unit.start, unit.stop)

    @property
    def measured(self) -> bool:
        """Whether nothing was decided yet and all tokens are known, so that sums cost nothing."""
        return self._units.totals is not None and [run.action for run in self.runs] == ["keep"]

    def unit_at(self, index: int) -> Unit:
        """The unit of the history that message ``index`` belongs to."""
        return self._units.holding(index)

    def weight_between(self, start: int, stop: int, weigh: Callable[[Step], int]) -> int:
        """Weight of what is left of the messages ``[start, stop)``, without what was inserted.

        Both ends are unit borders.
        """
        live = (run for run in self.runs if run.action not in ("drop", "insert"))
        parts = (
            run.part(max(start, run.start), min(stop, run.stop))
            for run in live
            if run.start < stop and start < run.stop
        )
        return sum(map(weigh, parts))

    def head_of(self, index: int) -> int | None:
        """Start of the user message whose turn holds message ``index``, if it is still there."""
        head = self._units.turn_head(index)
        return None if head is None or self._run_at(head).action == "drop" else head

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
        return self._dropping(self._gaps(before, standing), reason)

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
            runs=tuple(_overlaid(self.runs, steps, ("rewrite", "insert"))),
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
        return replace(self, runs=tuple(_overlaid(self.runs, [step])))

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
        return replace(self, runs=tuple(_inserted(self.runs, grown)))

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

    def _run_at(self, index: int) -> Step:
        return self.runs[bisect_right(self.runs, index, key=lambda run: run.start) - 1]

    def _dropping(self, spans: Sequence[tuple[int, int]], reason: str) -> Plan:
        steps = [self._new("drop", start, stop, reason, None) for start, stop in spans]
        return replace(self, runs=tuple(_overlaid(self.runs, steps)))

    def _gaps(self, before: int, standing: frozenset[int]) -> list[tuple[int, int]]:
        """The spans of messages before ``before`` that hold no standing unit."""
        spans, at = [], 0
        for start in sorted(start for start in standing if start < before):
            if at < start:
                spans.append((at, start))
            at = self._units.holding(start).stop
        return [*spans, (at, before)] if at < before else spans

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
            _added=_measured(written, self._counter) if written else 0,
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
    totals: Sequence[int] | None = None,
) -> Plan:
    """Return the plan that keeps everything.

    Args:
        history: the messages, at least one.
        counter: measures the units, each at most once.
        budget: the limit of the request.
        pinned: indices of messages that have to stay.
        totals: tokens before each message and of all of them, where they are known already.
    """
    units = Units(history, lambda unit: _tokens(counter, unit), totals)
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


def _tokens(counter: Counter, unit: Unit) -> int:
    return sum(part.tokens for part in counter.count_unit(unit.messages))


def _measured(written: History, counter: Counter) -> int:
    units = Units(written, lambda unit: _tokens(counter, unit))
    return sum(unit.tokens for unit in units.between(0, len(written)))


def _shape(messages: Iterable[Any]) -> list[tuple[Any, ...]]:
    return [(m.role, m.tool_call_id, *(call.id for call in m.tool_calls)) for m in messages]


def _sent(history: History, run: Step) -> Sequence[Any]:
    return history.originals[run.start : run.stop] if run.action == "keep" else run.messages


def _per_unit(run: Step) -> Iterator[Step]:
    if run.action in ("rewrite", "insert"):
        yield run
    else:
        yield from (run.part(unit.start, unit.stop) for unit in run.units())


def _overlaid(
    runs: Sequence[Step],
    patches: Sequence[Step],
    closed: tuple[Action, ...] = ("drop", "insert"),
) -> Iterator[Step]:
    """Lay ``patches`` (sorted, apart) over ``runs``, but not over ``closed`` ones.

    What is dropped already keeps its reason.
    """
    for run in runs:
        if run.action in closed:
            yield run
        else:
            yield from _carved(run, _touching(patches, run))


def _touching(patches: Sequence[Step], run: Step) -> Iterator[Step]:
    place = bisect_right(patches, run.start, key=lambda patch: patch.stop)
    while place < len(patches) and patches[place].start < run.stop:
        yield patches[place]
        place += 1


def _carved(run: Step, patches: Iterable[Step]) -> Iterator[Step]:
    at = run.start
    for patch in patches:
        start, stop = max(patch.start, run.start), min(patch.stop, run.stop)
        if at < start:
            yield run.part(at, start)
        yield patch.part(start, stop)
        at = stop
    if at < run.stop:
        yield run.part(at, run.stop)


def _inserted(runs: Sequence[Step], step: Step) -> Iterator[Step]:
    for run in runs:
        if run.start < step.start < run.stop:
            yield from (run.part(run.start, step.start), step, run.part(step.start, run.stop))
        elif run.start == step.start and run.action != "insert":
            yield from (step, run)
        else:
            yield run
    if step.start == runs[-1].stop:
        yield step
