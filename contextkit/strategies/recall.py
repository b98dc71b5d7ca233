"""Recall: old turns that matter for what is asked now, brought back as they were."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from contextkit.errors import OptionError
from contextkit.messages import Message
from contextkit.options import whole_number
from contextkit.plans import Plan
from contextkit.strategies.bm25 import Index, indexed
from contextkit.strategies.newest import by_tokens, newest_that_fit, standing_weight
from contextkit.units import Unit

_NEIGHBOUR = 0.5
"""Share of a unit's score that goes to those beside it: the answer stands next to the question."""

_UNASKED = 0.2
"""Share of the room for what resembles a message that asks nothing; small talk resembles small
talk, so the rest goes to the turns that say most."""

_QUESTION_MARKS = "?？؟"

_COURTESIES = re.compile(
    r"\b(?:no (?:problem|worries)|(?:see|talk to) you|take (?:care|it easy)|you too|sounds good|"
    r"of course|good (?:luck|morning|evening|night)|(?:good|great|nice) to (?:hear|know|see)|"
    r"have a (?:good|great|nice|lovely) \w+)\b|"
    r"[你您]好|大家好|[谢謝]{2}[你您]?|多[谢謝]|辛苦了|再[见見]|拜拜|(?<!\w)好[的吧]|"
    "没问题|沒問題|不客[气氣]|哈{2,}",
    re.IGNORECASE,
)
"""Phrases of a message that it would be wrong to look for."""

_MISSES = 16
"""Turns in a row that do not fit before the search ends: each had to be counted."""

_REASON = "matters for what is asked now"


@dataclass(frozen=True, slots=True)
class RecallRelevant:
    """Bring back old turns, verbatim, that matter for the newest question.

    Behind a strategy that drops (`FixedWindow`, a summary) it restores what was dropped, each turn
    in its old place. In front of `TokenBudget` it holds on to old turns that the cut would take.
    Either way a budget behind it drops the other old turns first. `FixedWindow` with ``messages``
    belongs in front of it: behind it, what is recalled counts as messages that have to stay.

    Turns are ranked by BM25 over all their texts, calls and results included. A turn comes whole
    where it fits; of a longer one comes what was found, with its question and its end. Where
    nothing is asked, and in room that is left, come the turns with the most names, numbers and
    rare words.

    Args:
        max_tokens: most tokens of what is recalled. Less is recalled where the limit of the call
            leaves less room beside what has to stay.
        query: what to look for; None takes the newest user message.

    Raises:
        OptionError: ``max_tokens`` below 1, or a query that is no text.

    Example:
        >>> from contextkit import FixedWindow, chain, trim
        >>> talk = [{"role": "user", "content": f"Shelf {n} holds {n * n} jars."} for n in range(9)]
        >>> talk.append({"role": "user", "content": "How many jars are on shelf 7?"})
        >>> strategy = chain(FixedWindow(turns=1), RecallRelevant(max_tokens=12))
        >>> [message["content"] for message in trim(talk, strategy=strategy).messages]
        ['Shelf 7 holds 49 jars.', 'How many jars are on shelf 7?']
    """

    max_tokens: int = 1_000
    query: str | None = None

    def __post_init__(self) -> None:
        whole_number("max_tokens", self.max_tokens, 1)
        if self.query is not None and not isinstance(self.query, str):
            raise OptionError("query", f"{self.query!r} is no text", "pass a str, or None")

    def __call__(self, plan: Plan) -> Plan:
        room = _room(plan, self.max_tokens)
        old = _old_turns(plan, room) if room > 0 else ()
        if not old:
            return plan
        query = _newest_question(plan) if self.query is None else self.query
        asks = self.query is not None or any(mark in query for mark in _QUESTION_MARKS)
        units = [unit for turn in old for unit in turn.units]
        index = indexed(map(_text, units))
        basket = _Basket(plan=plan, room=room)
        basket.fill(_by_relevance(index, old, query), room if asks else int(room * _UNASKED))
        basket.fill(_by_salience(index, old), basket.room)
        return _within_limit(plan, plan.restore(basket.units.values(), reason=_REASON))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A turn, as far as it is old.

    Attributes:
        question: its user message, old or not; None before the first.
        units: its old units.
    """

    question: Unit | None
    units: Sequence[Unit]

    def bundles(self, unit: Unit) -> Iterator[Sequence[Unit]]:
        """What may come for the sake of ``unit``: all of it, or a part with the question."""
        question = () if self.question is None else (self.question,)
        yield (*question, *self.units)
        yield (*question, unit, self.units[-1])
        yield (*question, unit)


@dataclass(slots=True, kw_only=True)
class _Basket:
    """What is recalled so far, the most important first, and the room that is left."""

    plan: Plan
    room: int
    units: dict[int, Unit] = field(default_factory=dict)

    def fill(self, ranked: Iterable[tuple[_Turn, Unit]], allowance: int) -> None:
        """Take units, best first, as far as ``allowance`` tokens of the room reach."""
        spare, misses = self.room - allowance, 0
        for turn, unit in ranked:
            if self.room <= spare or misses == _MISSES:
                break
            if unit.start not in self.units:
                taken = any(self._take(bundle, spare) for bundle in turn.bundles(unit))
                misses = 0 if taken else misses + 1

    def _take(self, bundle: Iterable[Unit], spare: int) -> bool:
        """Take all of a bundle, or nothing where less than ``spare`` would be left."""
        new = {
            unit.start: unit
            for unit in bundle
            if unit.start not in self.units and unit.start not in self.plan.protected
        }
        left = self.room
        for unit in new.values():
            left -= _tokens(self.plan, unit)
            if left < spare:
                return False
        self.units |= new
        self.room = left
        return True


def _room(plan: Plan, max_tokens: int) -> int:
    """Tokens for what is recalled, beside what has to stay."""
    limit = plan.budget.for_messages
    if limit is None:
        return max_tokens
    return min(max_tokens, limit - standing_weight(plan, by_tokens))


def _old_turns(plan: Plan, room: int) -> Sequence[_Turn]:
    """What was dropped, and what a budget will drop when ``room`` of it is taken, by turn.

    Where there is neither, a smaller budget may still follow: all that it might drop is old then.
    """
    limit = plan.budget.for_messages
    recent = 0 if limit is None else newest_that_fit(plan, limit - room, by_tokens).at
    runs = [run for run in plan.runs if run.action != "insert"]
    fates = [(unit, run.action) for run in runs for unit in run.units()]
    free = [(u, fate) for u, fate in fates if u.start not in plan.protected and _is_whole(u)]
    old = [unit for unit, fate in free if fate == "drop" or unit.start < recent]
    return _by_turn(plan, old or [unit for unit, _ in free])


def _is_whole(unit: Unit) -> bool:
    """Whether a unit can stand for itself: a message, or calls of which each has its result."""
    if unit.kind != "call":
        return unit.kind in ("user", "assistant")
    calls, *results = unit.messages
    return {call.id for call in calls.tool_calls} == {result.tool_call_id for result in results}


def _by_turn(plan: Plan, units: Iterable[Unit]) -> Sequence[_Turn]:
    users = plan.history.users
    turns = []
    for place, turn in groupby(units, key=lambda unit: bisect_right(users, unit.start)):
        question = next(plan.units_from(users[place - 1])) if place else None
        turns.append(_Turn(question=question, units=tuple(turn)))
    return turns


def _by_relevance(index: Index, old: Sequence[_Turn], query: str) -> Iterator[tuple[_Turn, Unit]]:
    """The units that share a term with ``query`` or stand beside one that does, best first."""
    import numpy as np

    scores = index.relevance(query)
    around = np.pad(scores, 1)
    scores = scores + _NEIGHBOUR * (around[:-2] + around[2:])
    ranked = np.argsort(-scores, kind="stable")[: np.count_nonzero(scores)]
    units = [(turn, unit) for turn in old for unit in turn.units]
    return (units[place] for place in ranked)


def _by_salience(index: Index, old: Sequence[_Turn]) -> Iterator[tuple[_Turn, Unit]]:
    """The newest unit of each turn, those turns first in which people say most.

    What tools return is long and full of numbers, and little of it matters later.
    """
    said = [
        number if unit.kind in ("user", "assistant") else -1
        for number, turn in enumerate(old)
        for unit in turn.units
    ]
    ranked = index.most_telling(said, len(old))
    return ((old[number], old[number].units[-1]) for number in ranked)


def _within_limit(before: Plan, after: Plan) -> Plan:
    """Cut the oldest other turns where a plan that fitted no longer does."""
    limit = before.budget.for_messages
    if limit is None or newest_that_fit(before, limit, by_tokens).refused is not None:
        return after
    cut = newest_that_fit(after, limit, by_tokens)
    return after.cut(cut.at, reason="makes room for what is recalled") if cut.refused else after


def _newest_question(plan: Plan) -> str:
    """The newest user message, less its courtesies: small talk resembles small talk."""
    users = plan.history.users
    return _COURTESIES.sub(" ", plan.history[users[-1]].text) if users else ""


def _text(unit: Unit) -> str:
    """All that a unit says: who speaks, the text, the calls, the results."""
    return "\n".join(part for message in unit.messages for part in _parts(message) if part)


def _parts(message: Message) -> Iterator[str]:
    yield message.name or ""
    yield message.text
    for call in message.tool_calls:
        yield f"{call.name} {call.arguments}"


def _tokens(plan: Plan, unit: Unit) -> int:
    """Tokens that a unit takes when it is recalled: as it stands in the plan, or as it was."""
    step = plan.step_at(unit.start)
    return unit.tokens if step.action == "drop" else step.tokens_after
