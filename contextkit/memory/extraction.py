"""Reading one message: what it says about the user, the matter, and what is to be done.

Extraction is a function of the message and the two before it, nothing else: the same history gives
the same findings in whatever pieces it is read. What a finding does to what is known already is
decided by merging.

Who may say what: the user everything; the assistant what it did or promised, and values that are
about the user, unconfirmed until the user agrees; tools only typed values. System messages are
never read: they are always sent anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from contextkit.memory.items import Finding, Kind
from contextkit.memory.reading import Reading, read
from contextkit.memory.rules.names import asked_name, held_identities, identities
from contextkit.memory.rules.statements import facts
from contextkit.memory.rules.todos import todos
from contextkit.memory.rules.typed import (
    agreement,
    answered_yes,
    confirmations,
    typed_findings,
)
from contextkit.messages import INSTRUCTION_ROLES, Message

_LOOK_BACK = 2
_SPEAKERS = frozenset({"user", "assistant"})
_READ_OF_TOOLS = 4000
"""Characters; what a tool returns can be a whole data set."""


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""Values of the host program's own: part numbers, patient ids, room names.

    Args:
        name: shown as the method of what it finds: "rule:NAME".
        regex: what the values look like; a group ``value``, or the first group, or all of it is
            the value.
        kind: what it is about.
        key: what the value is called; values of a "fact" may have any key.

    Example:
        >>> from contextkit.messages import History
        >>> rooms = Pattern("room", re.compile(r"room (\w+)"), "fact", "room")
        >>> history = History([{"role": "user", "content": "It is in room B12."}])
        >>> [(found.key, found.value) for found in findings_of(history[0], patterns=[rooms])]
        [('room', 'B12')]
    """

    name: str
    regex: re.Pattern[str]
    kind: Kind = "fact"
    key: str = ""


def findings_of(
    message: Message, before: Sequence[Message] = (), patterns: Sequence[Pattern] = ()
) -> list[Finding]:
    """Return what a message says, in an order in which it can be merged.

    Args:
        message: the message to read.
        before: the messages right before it; at most two are looked at, so that "yes, exactly" and
            "no, it is now B" are understood.
        patterns: more values to find in messages of users, assistants and tools.

    Returns:
        The findings; none for system messages and for messages without text.

    Example:
        >>> from contextkit.messages import History
        >>> history = History([{"role": "user", "content": "我叫李雷，订单号 LX-204"}])
        >>> [(found.kind, found.key, found.value) for found in findings_of(history[0])]
        [('identity', 'name', '李雷'), ('fact', 'order_id', 'LX-204')]
    """
    if message.role in INSTRUCTION_ROLES or not message.text.strip():
        return []
    reading = _read(message)
    earlier = [_read(other) for other in before[-_LOOK_BACK:] if other.role in _SPEAKERS]
    return [*_said(reading, earlier), *_registered(reading, patterns)]


def _read(message: Message) -> Reading:
    text = message.text
    if message.role not in _SPEAKERS:
        text = text[:_READ_OF_TOOLS]
    return _reading(text, message.index, message.role)


@lru_cache(maxsize=4)
def _reading(text: str, index: int, role: str) -> Reading:
    """A message is looked back at when the next two are read: keep what was just made of it."""
    return read(text, index=index, role=role)


def _said(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    if reading.trust == "user":
        yield from _agreed(reading, before)
        yield from identities(reading)
    yield from typed_findings(reading, before)
    if reading.trust == "user":
        yield from facts(reading)
    if reading.trust != "tool":
        yield from todos(reading, before)


def _agreed(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    """Yield what the assistant asked for or read back, and the user answers or says yes to."""
    yield from confirmations(reading, before)
    if before and before[-1].trust == "assistant":
        yield from asked_name(reading, before[-1])
    if answered_yes(reading, before):
        yield from (agreement(reading, held) for held in held_identities(before[-1]))


def _registered(reading: Reading, patterns: Sequence[Pattern]) -> Iterator[Finding]:
    for pattern in patterns:
        for match in pattern.regex.finditer(reading.text):
            start, end = match.span(_group(pattern.regex))
            if start < end:
                yield _own(reading, pattern, start, end)


def _group(regex: re.Pattern[str]) -> str | int:
    return "value" if "value" in regex.groupindex else min(regex.groups, 1)


def _own(reading: Reading, pattern: Pattern, start: int, end: int) -> Finding:
    return Finding(
        action="add",
        kind=pattern.kind,
        key=pattern.key,
        value=reading.text[start:end],
        quote=reading.quote(start),
        source=reading.source(start, end),
        trust=reading.trust,
        confirmed=reading.trust == "user" and reading.asserts(start),
        method=f"rule:{pattern.name}",
    )
