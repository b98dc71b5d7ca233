"""What is still to be done, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from contextkit.memory.items import Finding
from contextkit.memory.reading import Reading
from contextkit.memory.rules.abroad import JOINED_ABROAD, PROMISES_ABROAD, TASKS_ABROAD
from contextkit.memory.rules.spoken import apart, place, spoken, trimmed
from contextkit.memory.rules.tasks import PROMISES, TASKS
from contextkit.memory.rules.todo_endings import endings
from contextkit.memory.rules.todo_lists import listed_tasks
from contextkit.memory.rules.todo_phrases import (
    DUE_AT_END,
    REST,
    WHEN,
)
from contextkit.memory.rules.words_todos import ERRANDS, ERRANDS_ZH


def todos(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    """Yield the tasks that a message sets, ends, calls off or takes up again.

    What a message ends comes first: it is never a task of the same message.

    Args:
        reading: the message.
        before: the messages right before, for "that is done".

    Example:
        >>> from contextkit.memory.reading import read
        >>> found = todos(read("Remind me to call Ann by Friday.", index=0, role="user"), ())
        >>> [(finding.action, finding.value, finding.due) for finding in found]
        [('add', 'call Ann', 'by Friday')]
    """
    yield from endings(reading, lambda: [todo for other in before for todo in set_tasks(other)])
    yield from set_tasks(reading)


def set_tasks(reading: Reading) -> Iterator[Finding]:
    """Yield the tasks that a message sets."""
    if reading.trust == "assistant":
        yield from _with_sequels(spoken((*PROMISES, *PROMISES_ABROAD), reading), reading)
    elif reading.trust == "user":
        yield from _with_sequels(_all(reading), reading)


def _all(reading: Reading) -> Iterator[Finding]:
    yield from listed_tasks(reading)
    yield from spoken(TASKS, reading)
    yield from spoken(TASKS_ABROAD, reading)


def _with_sequels(found: Iterator[Finding], reading: Reading) -> Iterator[Finding]:
    """Each stretch of text sets one task; what "and" or "and then" goes on with is another."""
    for finding in sorted(apart(found, len(reading.text)), key=place):
        yield from _halves(finding, reading)
        yield from _continued(finding, reading)


_GOES_ON = re.compile(
    rf"[^.;!?\n。；！？]{{0,30}}?(?:[,，]?\s*(?:\b(?:and )?then\b|然后|接着)\s*(?:再|要|去)?"
    rf"|[,，]\s*再(?![说见也三次看想等])|[,，]\s*(?:并且?|同时)(?:抓紧|尽快|及时)?(?=把"
    rf"|{ERRANDS_ZH}))(?P<value>{REST}{{2,80}})",
    re.I,
)

_LISTED_ON = re.compile(
    rf"(?:\s+{WHEN})?(?:,\s*(?:and\s+)?(?:also\s+)?"
    rf"|\s+and also\s+)(?:to\s+)?(?P<value>{ERRANDS}\b{REST}{{2,80}})",
    re.I,
)
"""How a sentence goes on with another task: "buy milk, call Ann, and pay the rent"."""

_JOINED = re.compile(rf"\s+and\s+(?:also\s+|then\s+)?(?:to\s+|(?={ERRANDS}\b\s+\w))", re.I)
_ABROAD = frozenset(f"rule:{rule.name}" for rule in TASKS_ABROAD)
_HALVED = re.compile(r"\w+\W+(?:\w+\W+)*\w")


def _halves(finding: Finding, reading: Reading) -> Iterator[Finding]:
    """Yield the tasks that "and" joins: each has a verb and an object of its own."""
    start, limit = finding.source.start, finding.source.end
    joined = JOINED_ABROAD if finding.method in _ABROAD else _JOINED
    for joint in joined.finditer(reading.text, start, limit):
        if _HALVED.match(reading.text, start, joint.start()):
            yield from _part(finding, reading, start, joint.start())
            start = joint.end()
    is_whole = start == finding.source.start and finding.value == reading.text[start:limit]
    yield from [finding] if is_whole else _part(finding, reading, start, limit)


def _part(finding: Finding, reading: Reading, start: int, end: int) -> Iterator[Finding]:
    late = DUE_AT_END.search(reading.text, start, end)
    start, end = trimmed(reading.text, start, late.start() if late else end)
    if start < end:
        due = late["due"] if late else finding.due
        source = reading.source(start, end)
        yield replace(finding, value=reading.text[start:end], source=source, due=due)


def _continued(finding: Finding, reading: Reading) -> Iterator[Finding]:
    end = finding.source.end
    if match := _GOES_ON.match(reading.free, end):
        yield from _part(replace(finding, due=""), reading, *match.span("value"))
        return
    while match := _LISTED_ON.match(reading.free, end):
        end = match.end("value")
        listed = reading.source(*match.span("value"))
        yield from _halves(replace(finding, source=listed, due=""), reading)
