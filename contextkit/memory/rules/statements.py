"""Decisions, standing rules, preferences and relative dates that the user states."""

from __future__ import annotations

from collections.abc import Iterator

from contextkit.memory.items import Finding
from contextkit.memory.reading import Reading
from contextkit.memory.rules.abroad import ABROAD
from contextkit.memory.rules.constraints import CONSTRAINTS
from contextkit.memory.rules.decisions import DECISIONS
from contextkit.memory.rules.preferences import PREFERENCES
from contextkit.memory.rules.spoken import Rule, apart, pattern, place, spoken
from contextkit.memory.rules.typed_dates import RELATIVE, RELATIVE_ZH


def facts(reading: Reading) -> Iterator[Finding]:
    """Yield decisions, standing rules and preferences that the user states.

    Example:
        >>> from contextkit.memory.reading import read
        >>> found = facts(read("Never use tables. Let's go with plan B.", index=0, role="user"))
        >>> sorted((finding.kind, finding.value) for finding in found)
        [('constraint', 'Never use tables'), ('decision', 'plan B')]
    """
    return iter(sorted(apart(spoken(_RULES, reading), len(reading.text)), key=place))


_RELATIVE_DATES = (
    Rule(
        name="relative-date",
        kind="fact",
        key="date",
        pattern=pattern(
            r"\b(?:deadline|due(?: date)?|meeting|appointment|launch|release|delivery"
            r"|interview|flight)\b"
            rf"(?:\s?(?:\b(?:is|will be|has been moved to|moved to|on|for|by|now"
            rf"|at [\d:]{{1,5}} ?(?:[ap]m)?)\b|:)){{1,4}}\s(?P<value>{RELATIVE})"
        ),
        hints=(
            "deadline",
            "due",
            "meeting",
            "appointment",
            "launch",
            "release",
            "delivery",
            "interview",
            "flight",
        ),
    ),
    Rule(
        name="relative-date-zh",
        kind="fact",
        key="date",
        pattern=pattern(
            r"(?:截止(?:日期|时间)?|交付(?:日期|时间)?|上线(?:时间|日期)?|会议|面试|发布)"
            r"(?:时间|日期)?(?:改到|改成|定在|是|在|为|：|:)*"
            rf"\s*(?P<value>{RELATIVE_ZH})"
        ),
        hints=("截止", "交付", "上线", "会议", "面试", "发布"),
    ),
)

_RULES = (*CONSTRAINTS, *DECISIONS, *PREFERENCES, *ABROAD, *_RELATIVE_DATES)
