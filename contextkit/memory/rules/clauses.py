"""How the clauses begin and end that state a rule, a decision or a preference."""

from __future__ import annotations

import re

from contextkit.memory.items import USER, Kind
from contextkit.memory.reading import Reading
from contextkit.memory.rules.people import owner
from contextkit.memory.rules.spoken import Check, Rule, always, pattern

OPENING = (
    r"(?:(?:\A|[.!?;:\n。！？；：,，、)\]]|[-*•]\s|\d[.)])\s{0,8}"
    r"(?:(?:and|but|also|so|then|please|pls|ok|okay|btw|fyi|for the record|just|oh|remember|note"
    r"|let['’]?s|from now on|going forward"
    r"|in (?:the )?future)\b[,:]?\s*){0,3}|\b(?:and|but|please|from now on,?|going forward,?)\s+)"
)
REST = r"[^.,;!?\n，。；！？]|\.(?=\w)|(?<=\b[DM][rs])\.|,(?= (?:19|20)\d\d\b)|,(?=\d{3})"
CLAUSE = rf"(?:{REST}){{2,100}}"
TO_AND = rf"(?:(?! and (?:always|never|don'?t|do not|please|keep|use|only)\b)(?:{REST})){{2,100}}"
TO_THEN = (
    rf"(?:(?! (?:instead of|rather than|because|since|and (?:not|then)|over|for now)\b)(?:"
    rf"{REST})){{1,80}}"
)
REST_ZH = r"[^，。；！？\n,;!?]"
OPENING_ZH = (
    r"(?:(?:\A|[，。；！？\n,;!?、：:\s])(?:请|也|但|还有|另外|而且|并且|记住|注意|对了|那"
    r"|任何时候|无论如何"
    r"|平时|一定|麻烦|都|就是|还有就是|同时)*)"
)


def stated(kind: Kind, name: str, hints: str, source: str, check: Check = always) -> Rule:
    return Rule(
        name=name, kind=kind, pattern=pattern(source), hints=tuple(hints.split("|")), check=check
    )


_PRONOUNS = re.compile(
    r"(?:it|that|this|them|one|to|you|him|her|how|what|when|the (?:idea|sound|way|first|second"
    r"|last)|your|so|and)\b|这|那|你|它|他|她|的|啊|哦",
    re.I,
)


def is_thing(reading: Reading, match: re.Match[str]) -> bool:
    return not _PRONOUNS.match(match["what"].lstrip())


def is_own(reading: Reading, match: re.Match[str]) -> bool:
    return owner(reading, match.start("value"), match.start("value")) in ("", USER)
