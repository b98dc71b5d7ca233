"""The ledger of a plan: what happens to each range of messages, and how decisions are laid over it.

Neighbouring units with one fate share one entry, a **run**, until somebody reads them unit by unit.
Every function here takes runs in order that cover the history once, and yields such runs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from contextkit.counting.counters import Counter
from contextkit.messages import History
from contextkit.units import Unit, Units

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

    def units_backwards(self) -> Iterator[Unit]:
        """The units it covers, newest first, found as far as somebody reads."""
        return self._units.backwards(self.start, self.stop)

    def part(self, start: int, stop: int) -> Step:
        """The same fate for the messages ``[start, stop)`` alone."""
        if start == self.start and stop == self.stop:
            return self
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


def unit_tokens(counter: Counter, unit: Unit) -> int:
    """Return the tokens of a unit, its framing included."""
    return sum(part.tokens for part in counter.count_unit(unit.messages))


def written_tokens(counter: Counter, written: History) -> int:
    """Return the tokens of messages that are put into a history."""
    units = Units(written, lambda unit: unit_tokens(counter, unit))
    return sum(unit.tokens for unit in units.between(0, len(written)))


def sent_messages(history: History, run: Step) -> Sequence[Any]:
    """Return the messages that a run leaves: the history's own objects, or what replaces them."""
    return history.originals[run.start : run.stop] if run.action == "keep" else run.messages


def run_at(runs: Sequence[Step], index: int) -> Step:
    """Return the run that message ``index`` belongs to."""
    return runs[bisect_right(runs, index, key=lambda run: run.start) - 1]


def per_unit(run: Step) -> Iterator[Step]:
    """Yield one step for each unit of a run; a rewrite or an insert is one step already."""
    if run.action in ("rewrite", "insert"):
        yield run
    else:
        yield from (run.part(unit.start, unit.stop) for unit in run.units())


def newest_first(runs: Sequence[Step]) -> Iterator[Step]:
    """Yield the steps that are not dropped, one a unit, found as far as somebody reads."""
    for run in reversed(runs):
        if run.action == "keep":
            for unit in run.units_backwards():
                yield run.part(unit.start, unit.stop)
        elif run.action != "drop":
            yield run


def left_between(runs: Iterable[Step], start: int, stop: int) -> Iterator[Step]:
    """Yield what is left of the messages ``[start, stop)``, without what was inserted.

    Both ends are unit borders.
    """
    for run in runs:
        if run.action not in ("drop", "insert") and run.start < stop and start < run.stop:
            yield run.part(max(start, run.start), min(stop, run.stop))


def gaps(units: Units, before: int, standing: Iterable[int]) -> list[tuple[int, int]]:
    """Return the spans of messages before ``before`` that hold no ``standing`` unit.

    Args:
        units: of the whole history.
        before: a unit border.
        standing: starts of the units between the spans.
    """
    spans, at = [], 0
    for start in sorted(start for start in standing if start < before):
        if at < start:
            spans.append((at, start))
        at = units.holding(start).stop
    return [*spans, (at, before)] if at < before else spans


def overlaid(
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


def inserted(runs: Sequence[Step], step: Step) -> Iterator[Step]:
    """Lay an insert between ``runs``, behind what was inserted at the same place before."""
    for run in runs:
        if run.start < step.start < run.stop:
            yield from (run.part(run.start, step.start), step, run.part(step.start, run.stop))
        elif run.start == step.start and run.action != "insert":
            yield from (step, run)
        else:
            yield run
    if step.start == runs[-1].stop:
        yield step
