"""The phrases in which people say where they work and live, and whose they are."""

from __future__ import annotations

import re

from contextkit.memory.han import HAN
from contextkit.memory.items import USER, Action
from contextkit.memory.reading import Reading
from contextkit.memory.rules.people import owner
from contextkit.memory.rules.spoken import Check, Rule, pattern
from contextkit.memory.rules.words_identity import (
    CITIES_ZH,
    NO_ORGS_ZH,
    NO_PLACES,
    ROLES,
    ROLES_ZH,
)

I_AM = r"\bi(?:'m| am|’m) (?:now |currently |also )?"
NOW = r"(?:now |currently |presently |actually |still |just |recently )?"
THE = r"(?:the )?"
WORK = rf"\bi(?:'m| am|’m)? {NOW}(?:work(?:ing)?|employed)"
_BIG = r"(?-i:[A-ZÀ-Þ0-9])"
ORG = rf"{_BIG}[\w&.'’-]*(?: (?:(?:of|and|for|the|&) )?{_BIG}[\w&'’-]*){{0,5}}"
PLACE = r"(?-i:[A-ZÀ-Þ])[\w'’-]*(?:(?:, | )(?-i:[A-ZÀ-Þ])[\w'’-]*){0,3}"
ROLE = rf"(?:[\w/&+-]+ ){{0,4}}?{ROLES}(?!\w)(?: of [\w ]{{2,20}})?"
ROLE_ZH = rf"(?!在)(?:[{HAN}\w/+-]{{1,10}}?)?{ROLES_ZH}"
END = r"(?=\s*(?:[,.!;\n]|\Z))"
END_ZH = r"(?=\s*(?:[，,。.!！?？;；、\n]|\Z|了|工作|上班|办公|的|这|已|快|有|和|跟|生活))"
NOW_ZH = "(?:现在|目前|一直|最近|如今|刚|家|人|就|都)*"
WE_ZH = "(?:我们?|本人|咱们?)"
SUBJECT_ZH = (
    rf"(?:{WE_ZH}{NOW_ZH}(?:已经|刚刚?|上个?月|去年|今年)?|[，,。；]\s?{NOW_ZH}(?:已经|刚刚?)?)"
)

NOW_ORG_ZH = rf"(?:{NO_ORGS_ZH}|{CITIES_ZH})"


def is_own(reading: Reading, match: re.Match[str]) -> bool:
    return owner(reading, match.start("value"), match.end("value")) in ("", USER)


def is_mine(reading: Reading, match: re.Match[str]) -> bool:
    return owner(reading, match.start("value"), match.end("value")) == USER


def is_place(reading: Reading, match: re.Match[str]) -> bool:
    return match["value"].split()[0].lower().rstrip(",") not in NO_PLACES


def rule(
    key: str,
    name: str,
    hints: str,
    source: str,
    check: Check = is_own,
    action: Action = "add",
) -> Rule:
    return Rule(
        name=name,
        kind="identity",
        key=key,
        action=action,
        pattern=pattern(source),
        hints=tuple(hints.split("|")),
        check=check,
    )
