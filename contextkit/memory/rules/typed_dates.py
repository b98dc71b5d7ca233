"""Dates and times of day: ISO, English, Chinese; relative ones are left as they are."""

from __future__ import annotations

import re

from contextkit.memory.rules.typed_amounts import numeral_value

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NUMERAL = "[一二三四五六七八九十]{1,3}"

_MONTHS_ABROAD = (
    "janvier|enero|januar|janeiro|gennaio|января",
    "février|febrero|februar|fevereiro|febbraio|февраля",
    "mars|marzo|märz|março|марта",
    "avril|abril|aprile|апреля",
    "mai|mayo|maio|maggio|мая",
    "juin|junio|juni|junho|giugno|июня",
    "juillet|julio|juli|julho|luglio|июля",
    "août|agosto|августа",
    "septembre|septiembre|setembro|settembre|сентября",
    "octobre|octubre|oktober|outubro|ottobre|октября",
    "novembre|noviembre|novembro|ноября",
    "décembre|diciembre|dezember|dezembro|dicembre|декабря",
)
"""French, Spanish, German, Portuguese, Italian and Russian, where English has another name."""

_MONTH_ABROAD = f"(?:{'|'.join(_MONTHS_ABROAD)})"

DATE = re.compile(
    r"(?<![\w.-])(?P<iso>(?:19|20)\d\d(?P<mark>[-/.])(?:1[0-2]|0?[1-9])(?P=mark)"
    r"(?:3[01]|[12]\d|0?[1-9]))(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\d-])"
    rf"|\b(?P<month>{_MONTH})\.? (?P<day>{_DAY})(?:st|nd|rd|th)?(?:,? (?P<year>(?:19|20)\d\d))?\b"
    rf"|\b(?P<day2>{_DAY})(?:st|nd|rd|th)?(?: of)? (?P<month2>{_MONTH})\b\.?"
    r"(?:,? (?P<year2>(?:19|20)\d\d))?"
    r"|(?:(?P<year3>(?:19|20)\d\d)\s?年\s?)?(?P<month3>1[0-2]|0?[1-9])\s?月\s?"
    r"(?P<day3>3[01]|[12]\d|0?[1-9])\s?(?:[日号號])"
    rf"|(?P<month4>{_NUMERAL})月(?P<day4>{_NUMERAL})[日号號]"
    r"|(?<![\w./-])(?P<month6>1[0-2]|0?[1-9])/(?P<day6>3[01]|[12]\d|0?[1-9])(?![\w/%-])"
    r"(?=\s?(?:[上下]午|早上|晚上|中午|整天|之?前|以前|出发|到期|截止|好了|那天|[星周週]))"
    rf"|\b(?P<day7>{_DAY})(?:er|º|\.)? (?:de )?(?P<month7>{_MONTH_ABROAD})\b(?:,? (?:de "
    rf"|del )?(?P<year7>(?:19|20)\d\d))?"
    r"|(?:(?P<year8>(?:19|20)\d\d)년\s?)?(?P<month8>1[0-2]|0?[1-9])월\s?(?P<day8>3[01]|[12]\d"
    r"|0?[1-9])일"
    r"|(?<![\w./-])(?P<day5>\d{1,2})(?P<mark2>[./])(?P<month5>\d{1,2})(?P=mark2)(?P<year5>"
    r"(?:19|20)\d\d)(?![\w/-])",
    re.I,
)
DATED = (
    rf"(?:{_MONTH} {_DAY}(?:st|nd|rd|th)?|{_DAY}(?:st|nd|rd|th)? (?:of )?{_MONTH}|the {_DAY}"
    rf"(?:st|nd|rd|th)"
    r"|(?:19|20)\d\d-\d\d-\d\d)"
)
"""A date as part of a longer pattern."""

TIME = re.compile(
    r"(?<![\w:.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\b\.?)?(?![\w:])"
    r"|(?<![\w:.])(?:1[0-2]|[1-9])\s?[ap]\.?m\b"
    r"|(?:凌晨|早上|上午|中午|下午|傍晚|晚上)(?:\d{1,2}|[一二两兩三四五六七八九十]{1,3})[点點]"
    r"(?:半|\d{1,2}分?|[一三]刻)?",
    re.I,
)

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
RELATIVE = (
    rf"(?:(?:next|this|the following|coming) (?:week|month|quarter|year|weekend|{_WEEKDAY})"
    rf"|(?:the )?(?:end of (?:the |this |next )?(?:day|week|month|quarter|year))|eod|eow"
    rf"|today|tonight|tomorrow(?: (?:morning|afternoon|evening|night))?|the day after tomorrow"
    rf"|in (?:\d+|a|an|one|two|three|a few|a couple of) (?:minute|hour|day|week|month|year)s?"
    rf"|{_WEEKDAY}(?: (?:morning|afternoon|evening|night))?|noon|midnight)"
)
RELATIVE_ZH = (
    r"(?:今天|今晚|今日|明天|明晚|明早|明日|后天|後天|大后天|大後天"
    r"|(?:这|這|本|下下?|上)(?:个|個)?(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]?"
    r"|[周週][一二三四五六日末]|星期[一二三四五六日天]"
    r"|(?:这|這|本|下下?)(?:个|個)?(?:月|季度|学期)(?:初|底|末|中旬)?|月[底初末]|年[底初末]|明年"
    r"|后年|下班前|[过過]几天"
    r"|[\d一二两兩三四五六七八九十几]+(?:天|周|週|个月|個月|小时|小時|分钟|分鐘)[内內后後之]{1,2})"
)


def date_norm(match: re.Match[str]) -> str:
    """Return a match of `DATE` in ISO form; without a year as month and day.

    Example:
        >>> [date_norm(m) for m in DATE.finditer("March 3, 2026 or 3月15号")]
        ['2026-03-03', '03-15']
    """
    if match["iso"]:
        year, month, day = re.split(r"[-/.]", match["iso"])
        return f"{year}-{int(month):02d}-{int(day):02d}"
    if match["day5"]:
        return _day_first(match)
    if match["month4"]:
        return f"{numeral_value(match['month4']):02d}-{numeral_value(match['day4']):02d}"
    day_number = int(_first(match, "day", "day2", "day3", "day6", "day7", "day8"))
    stated = _first(match, "year", "year2", "year3", "year7", "year8")
    month_number = _month(match)
    return "-".join(filter(None, (stated, f"{month_number:02d}", f"{day_number:02d}")))


def _first(match: re.Match[str], *groups: str) -> str:
    return next((match[group] for group in groups if match[group]), "")


def _month(match: re.Match[str]) -> int:
    if named := _first(match, "month", "month2"):
        return _MONTHS.index(named[:3].lower()) + 1
    if named := _first(match, "month7").lower():
        return 1 + next(i for i, names in enumerate(_MONTHS_ABROAD) if named in names.split("|"))
    return int(_first(match, "month3", "month6", "month8"))


def _day_first(match: re.Match[str]) -> str:
    """``31.12.2026`` has the day first; with slashes only a number above 12 tells."""
    first, second, year = int(match["day5"]), int(match["month5"]), match["year5"]
    if match["mark2"] == "." or first > 12:
        first, second = second, first
    elif second <= 12 and first != second:
        return ""
    return f"{year}-{first:02d}-{second:02d}" if first <= 12 and second <= 31 else ""
