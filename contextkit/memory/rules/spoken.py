"""Rules over words: a pattern, what its value is, and when it does not count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from contextkit.memory.items import USER, Action, Finding, Kind
from contextkit.memory.reading import Reading

Check = Callable[[Reading, "re.Match[str]"], bool]

_TRIMMED = " \t\r\n,，、:：\"'“”「」『』*_`-–—~～.。!！;；"
_LONGEST = 120


def always(reading: Reading, match: re.Match[str]) -> bool:
    """A check that lets everything pass."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way to say something.

    Attributes:
        name: shown as ``method``: "rule:NAME".
        kind, key, action: what its findings are.
        pattern: with a group ``value``; a group ``due`` or ``when`` says by when, a group ``old``
            what no longer holds.
        hints: the rule is only tried when the lower-case text holds one of them.
        check: a last look at a match.
        confidence: how often it is right, about.
    """

    name: str
    kind: Kind
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    key: str = ""
    action: Action = "add"
    check: Check = always
    confidence: float = 0.9


def spoken(rules: Iterable[Rule], reading: Reading, *, asked: bool = False) -> Iterator[Finding]:
    """Yield what the rules find in the words of a message.

    Args:
        rules: in order; a later one may find the same again.
        reading: the message.
        asked: whether questions count, as they do when the next speaker says yes.
    """
    for rule in rules:
        if not any(hint in reading.lower for hint in rule.hints):
            continue
        for match in rule.pattern.finditer(reading.free):
            if match["value"] and _counts(reading, match, asked) and rule.check(reading, match):
                yield from _findings(rule, reading, match)


def _counts(reading: Reading, match: re.Match[str], asked: bool) -> bool:
    mood = reading.mood_at(match.start("value"))
    return mood in ("statement", "request") or (asked and mood == "question")


def _findings(rule: Rule, reading: Reading, match: re.Match[str]) -> Iterator[Finding]:
    start, end = trimmed(reading.text, *match.span("value"))
    if not 0 < end - start <= _LONGEST:
        return
    old = _written(reading, match, "old")
    yield Finding(
        action="supersede" if old and rule.action == "add" else rule.action,
        kind=rule.kind,
        key=rule.key,
        subject=USER,
        value=reading.text[start:end],
        quote=reading.quote(start),
        source=reading.source(start, end),
        trust=reading.trust,
        confirmed=reading.trust == "user",
        confidence=rule.confidence,
        method=f"rule:{rule.name}",
        replaces=old,
        owner=reading.trust if rule.kind == "todo" and reading.trust == "assistant" else "",
        due=_written(reading, match, "due", "when"),
    )


def _written(reading: Reading, match: re.Match[str], *groups: str) -> str:
    """What the first of these groups holds, in the characters of the message."""
    for group in groups:
        if match.groupdict().get(group):
            return reading.text[match.start(group) : match.end(group)].strip(_TRIMMED)
    return ""


def apart(findings: Iterable[Finding], length: int) -> Iterator[Finding]:
    """Yield the findings whose value no finding of the same kind and key before has taken.

    Args:
        findings: of one message, the surest first.
        length: characters of the message.
    """
    taken: dict[tuple[str, str], bytearray] = {}
    for finding in findings:
        stretch = slice(finding.source.start, finding.source.end)
        marks = taken.setdefault((finding.kind, finding.key), bytearray(length))
        if not any(marks[stretch]):
            marks[stretch] = b"\1" * (stretch.stop - stretch.start)
            yield finding


def place(finding: Finding) -> int:
    """Where in its message a finding's value starts."""
    return finding.source.start


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space and punctuation around it.

    Example:
        >>> trimmed("by: Ann. ", 3, 9)
        (4, 7)
    """
    while start < end and text[start] in _TRIMMED:
        start += 1
    while end > start and text[end - 1] in _TRIMMED:
        end -= 1
    return start, end


def pattern(source: str) -> re.Pattern[str]:
    """Compile with cases ignored; ``(?-i:...)`` marks what must be capital."""
    return re.compile(source, re.I)
