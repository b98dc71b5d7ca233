"""Which typed values of a message are worth keeping, whose they are, and what they correct."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from contextkit.memory.items import USER, Action, Finding, Kind
from contextkit.memory.reading import Reading, Sentence
from contextkit.memory.rules.people import owner
from contextkit.memory.rules.typed_cues import (
    ADVICE,
    AGREED,
    ASKED,
    ASKS_FOR,
    CHANGE,
    CHANGED_TO,
    CHECKED,
    CONTACT_CUE,
    CONTACTS,
    CORRECTED,
    CORRECTION,
    DENIED,
    LEFT,
    MADE,
    MEETING_TALK,
    MONEY_TALK,
    NOW,
    OLD,
    OWN_KIND,
    REFERENCES,
    TO_USER,
    TOWARDS,
    VOID,
    YES,
)
from contextkit.memory.rules.typed_ids import IDS
from contextkit.memory.rules.typed_values import TypedValue, typed_values

_FROM_TOOLS = IDS | {"email", "phone", "error_code"}

_MOST_FROM_TOOLS = 12

_SHORT = 300
"""Characters; longer messages may be about anybody's money, a word of trade must tell."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A typed value in its place."""

    reading: Reading
    value: TypedValue

    @property
    def before(self) -> str:
        return self.reading.before(self.value.start)[-60:]

    @property
    def after(self) -> str:
        return self.reading.after(self.value.end)[:30]

    @property
    def is_denied(self) -> bool:
        if DENIED.search(self.before) or OLD.search(self.before) or VOID.match(self.after):
            return True
        towards = TOWARDS.match(self.after)
        if towards is None or not LEFT.search(self.before):
            return False
        # "From 8 to 9" is a span of time, "moved from 8 to 9" is none.
        is_span = towards[0].strip() == "to" and not CHANGE.search(self.before)
        return not is_span

    @property
    def is_whole_sentence(self) -> bool:
        """Whether its sentence is nothing but this value and a copula: "a@b.jp です"."""
        start = self.reading.sentence_at(self.value.start).start
        around = self.reading.typed[start : self.value.start] + self.reading.after(self.value.end)
        return len(re.sub(r"\W|\b(?:it['’]?s|it is|now|these days|here|at)\b", "", around)) <= 3

    @property
    def is_alone(self) -> bool:
        """Whether the message is nothing but this value."""
        text = self.reading.typed.strip()
        return len(text) - len(self.value.value) < 8 and not re.search(
            r"\w", text.replace(self.value.value, "", 1)
        )


def typed_findings(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    """Yield the typed values of a message, the user's corrections among them.

    Args:
        reading: the message.
        before: the messages right before, for what a correction without old value corrects.

    Example:
        >>> from contextkit.memory.reading import read
        >>> text = "It's INV-7781, not INV-7718."
        >>> [found] = typed_findings(read(text, index=0, role="user"), ())
        >>> found.action, found.value, found.replaces
        ('supersede', 'INV-7781', 'INV-7718')
    """
    if reading.trust == "tool":
        yield from _from_tool(reading)
        return
    if reading.trust == "assistant":
        found = [found for found in _told(reading) if not _is_echo(found, before)]
    else:
        found = [_Found(reading, value) for value in typed_values(reading.typed)]
    denied = [f for f in found if f.is_denied]
    kept = [f for f in found if not f.is_denied and _is_worth_keeping(f)]
    for one in kept:
        said = _corrected(one, denied, before)
        yield _answered(one, said) if _answers(one, before) else said
    paired = {id(old) for one in kept if (old := _denied_by(one, denied))}
    yield from (_finding(f, "retract") for f in denied if id(f) not in paired)


def confirmations(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    """Yield the typed values that the assistant said and the user agrees to."""
    agreed = answered_yes(reading, before)
    if agreed is None:
        return
    own = {value.key for value in typed_values(reading.typed)}
    for found in _told(before[-1], asked=agreed):
        if found.value.key not in own and not found.is_denied:
            yield agreement(reading, _finding(found))


def agreement(reading: Reading, finding: Finding) -> Finding:
    """What the assistant said about the user, as the user's own statement."""
    said = reading.source(0, len(reading.text.split(maxsplit=1)[0]))
    return replace(finding, action="confirm", trust="user", confirmed=True, source=said)


def answered_yes(reading: Reading, before: Sequence[Reading]) -> bool | None:
    """Whether the user says yes to the assistant (True), lets it stand (False), or neither."""
    if reading.trust != "user" or not before or before[-1].trust != "assistant":
        return None
    if not YES.match(reading.free) or CORRECTION.search(reading.free[:80]):
        return None
    return AGREED.match(reading.free) is not None


def _from_tool(reading: Reading) -> Iterator[Finding]:
    left = _MOST_FROM_TOOLS
    for value in typed_values(reading.text):
        if left and value.key in _FROM_TOOLS:
            left -= 1
            yield _finding(_Found(reading, value))


def _told(reading: Reading, *, asked: bool = False) -> Iterator[_Found]:
    """Yield the values that an assistant says are the user's; or asks about, if ``asked``."""
    for sentence in _records(reading):
        for value in typed_values(reading.typed, sentence.start, sentence.end):
            found = _Found(reading, value)
            if (asked or _is_stated(found)) and _is_of_user(found):
                yield found


def _is_stated(found: _Found) -> bool:
    """Whether an assistant says it, or asks something else about a thing that has this number."""
    mood = found.reading.mood_at(found.value.start)
    is_known = mood == "question" and found.value.key in IDS and _is_taken_for_granted(found)
    return mood == "statement" or is_known


def _records(reading: Reading) -> Iterator[Sentence]:
    """Yield the sentences of an assistant that are about the user's matter.

    What is short and gives no advice is: "Booked, K7QX2M, 310 EUR." An essay is about the world.
    """
    is_short = len(reading.text) <= _SHORT
    for sentence in reading.sentences:
        words = reading.typed[sentence.start : sentence.end]
        if TO_USER.search(words) or (is_short and not ADVICE.search(words)):
            yield sentence


def _is_of_user(found: _Found) -> bool:
    """Whether a value is the user's own; links and files in advice are not."""
    if found.reading.mood_at(found.value.start) == "hypothetical":
        return False
    return found.value.key not in ("url", "path", "version") or bool(MADE.search(found.before))


def _answered(found: _Found, said: Finding) -> Finding:
    key = "birthday" if found.value.key == "date" else said.key
    return replace(said, kind="identity", key=key)


def _is_echo(found: _Found, before: Sequence[Reading]) -> bool:
    return any(found.value.value in other.text for other in before if other.trust == "user")


def _is_worth_keeping(found: _Found) -> bool:
    value, reading = found.value, found.reading
    if found.is_alone or CORRECTED.search(found.before):
        return not _is_doubted(found)
    if _is_doubted(found):
        return False
    sentence = reading.sentence_at(value.start)
    words = reading.typed[max(sentence.start, value.start - 80) : value.end + 40]
    if value.key == "amount" and len(reading.text) > _SHORT:
        return MONEY_TALK.search(words) is not None
    return value.key != "time" or MEETING_TALK.search(words) is not None


def _is_doubted(found: _Found) -> bool:
    if CHECKED.match(found.after):
        return True
    mood = found.reading.mood_at(found.value.start)
    return mood == "hypothetical" or (mood == "question" and not _is_taken_for_granted(found))


def _is_taken_for_granted(found: _Found) -> bool:
    """Whether a question is about a value and not whether it is this one."""
    if found.value.key not in REFERENCES:
        return found.reading.manner_at(found.value.start).presupposes
    return not ASKED.search(found.before)


def _finding(found: _Found, action: Action = "add") -> Finding:
    value, reading = found.value, found.reading
    kind, subject = _kind_and_subject(found)
    return Finding(
        action=action,
        kind=kind,
        key=value.key,
        subject=subject,
        value=reading.text[value.start : value.end],
        norm=value.norm,
        quote=reading.quote(value.start),
        source=reading.source(value.start, value.end),
        trust=reading.trust,
        confirmed=reading.trust == "user" and reading.mood_at(value.start) != "hearsay",
        confidence=0.95 if reading.trust == "user" else 0.7,
        method=f"rule:{value.key}",
    )


def _kind_and_subject(found: _Found) -> tuple[Kind, str]:
    value, reading = found.value, found.reading
    if value.key not in CONTACTS or reading.trust == "tool" or reading.is_quoted(value.start):
        return "fact", USER
    whose = owner(reading, value.start, value.end)
    if value.key == "account" and whose in ("", USER):
        return "identity", USER
    if reading.trust == "user" and (found.is_alone or found.is_whole_sentence):
        return "identity", USER
    cue = CONTACT_CUE.search(found.before)
    if reading.trust == "assistant" and whose != USER:
        return "fact", whose if whose.startswith("other") else USER
    if whose == USER and (cue or re.match(r"\s*(?:is|是)", found.after)):
        return "identity", USER
    if not whose and cue and not _is_of_something(found, cue):
        return "identity", USER
    return "fact", whose if whose.startswith("other") else USER


def _is_of_something(found: _Found, cue: re.Match[str]) -> bool:
    """Whether another noun stands before the label: "the support email", "客服电话"."""
    clause = re.split(r"[,，、;；:：\n]|\band\b|和|或", found.before[: cue.start()])[-1]
    return bool(clause.strip()) and not OWN_KIND.fullmatch(clause)


def _corrected(found: _Found, denied: Sequence[_Found], before: Sequence[Reading]) -> Finding:
    said = _finding(found)
    old = _denied_by(found, denied)
    if old is not None:
        return replace(said, action="supersede", replaces=old.value.value)
    if _is_new(found):
        return replace(said, action="supersede", replaces=_last_said(found.value, before))
    return said


def _is_new(found: _Found) -> bool:
    """Whether the words around a value say that it takes the place of another one."""
    if found.value.key not in ("date", "time") and NOW.search(found.before):
        return True
    if CORRECTED.search(found.before) or CHANGED_TO.match(found.after):
        return True
    return CORRECTION.search(found.reading.before(found.value.start)) is not None


_LONGEST_ANSWER = 80


def _answers(found: _Found, before: Sequence[Reading]) -> bool:
    """Whether the assistant asked for the user's mail, say, and this is the short answer."""
    asks = ASKS_FOR.get(found.value.key)
    if (
        asks is None
        or found.reading.trust != "user"
        or not before
        or before[-1].trust != "assistant"
    ):
        return False
    if owner(found.reading, found.value.start, found.value.end).startswith("other"):
        return False
    is_short = len(found.reading.text) - len(found.value.value) < _LONGEST_ANSWER
    return is_short and asks.search(before[-1].free) is not None


def _denied_by(found: _Found, denied: Sequence[_Found]) -> _Found | None:
    """The value that the same sentence says this one is not."""
    here = found.reading.sentence_at(found.value.start)
    for old in denied:
        near = found.reading.sentence_at(old.value.start) == here
        if near and _family(old.value.key) == _family(found.value.key):
            return old
    return None


def _family(key: str) -> str:
    return "id" if key in IDS or key == "account" else key


def _last_said(value: TypedValue, before: Sequence[Reading]) -> str:
    """The newest other value of this kind in the messages right before."""
    for reading in reversed(before):
        for other in reversed(typed_values(reading.typed) if reading.trust != "tool" else ()):
            if _family(other.key) == _family(value.key) and other.value != value.value:
                return reading.text[other.start : other.end]
    return ""
