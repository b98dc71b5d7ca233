"""Where the user lives and gets mail."""

from __future__ import annotations

import re

from contextkit.memory.han import HAN
from contextkit.memory.reading import Reading
from contextkit.memory.rules.profile_phrases import (
    END,
    END_ZH,
    NOW,
    NOW_ZH,
    PLACE,
    WE_ZH,
    is_mine,
    is_own,
    is_place,
    rule,
)
from contextkit.memory.rules.words_identity import (
    CITIES_ZH,
    NO_PLACES_ZH,
)

_FORMER = re.compile(r"(?:原来|之前|以前|旧|原先|老)[^，。；\n]{0,14}\Z")


def _is_present_address(reading: Reading, match: re.Match[str]) -> bool:
    former = _FORMER.search(reading.free[max(0, match.start("value") - 20) : match.start("value")])
    return not former and is_own(reading, match)


PLACE_RULES = (
    rule(
        "location",
        "live-in",
        " in | near ",
        rf"\bi(?:'m| am|’m)? {NOW}(?:liv(?:e|ing)|based|located|resid(?:e|ing)) "
        rf"(?:in|near) (?P<value>{PLACE})",
        is_place,
    ),
    rule(
        "location",
        "moved",
        "mov|relocated",
        rf"\b(?:i|we)(?:'ve| have|’ve)? {NOW}(?:moved|relocated)(?: from (?P<old>{PLACE}))?"
        rf"(?: back)? to (?P<value>{PLACE})",
        is_place,
    ),
    rule(
        "location",
        "live-zh",
        "住|定居|常驻|base|坐标",
        rf"(?:{WE_ZH}{NOW_ZH}|[，,]\s?{NOW_ZH})(?:住|定居|居住|常驻|常住|base"
        rf"|坐标)\s?[在于到]?\s?(?!"
        rf"{NO_PLACES_ZH}|[校的了着在院])(?P<value>[{HAN}\w]{{2,14}}?){END_ZH}",
        is_mine,
    ),
    rule(
        "location",
        "where-i-live",
        "where i",
        rf"\b(?:in|from|to|at) (?P<value>{PLACE}),? where (?:i|we) "
        r"(?:now |currently )?(?:live|am based|are based|reside|stay)\b",
        is_place,
    ),
    rule(
        "location",
        "home-is",
        "home|hometown|city",
        rf"\bmy (?:home|home ?town|city|home city|location|current city) is (?P<value>{PLACE})"
        rf"(?={END})",
        is_place,
    ),
    rule(
        "location",
        "now-in-zh",
        "不在",
        rf"(?:我|本人)(?:早就|早|已经)?不在{CITIES_ZH}了?[，,。]\s*(?:我)?(?:现在|目前|如今|已经"
        rf"|改)*"
        rf"(?:在|去了|到了|来了|搬到了?)\s*(?P<value>{CITIES_ZH}){END_ZH}",
    ),
    rule(
        "location",
        "be-in-zh",
        "在",
        rf"{WE_ZH}{NOW_ZH}在(?P<value>{CITIES_ZH}市?[{HAN}]{{0,4}}?)(?:这边)?{END_ZH}",
    ),
    rule(
        "location",
        "moved-zh",
        "搬",
        rf"(?:从(?P<old>[{HAN}]{{2,8}}?"
        rf"|\s?[A-Za-z ]{{2,16}}?\s?))?搬家?[到去来回]了?\s?(?!{NO_PLACES_ZH})"
        rf"(?P<value>[{HAN}\w]{{2,12}}?){END_ZH}",
        is_own,
    ),
    rule(
        "address",
        "address",
        "address|地址",
        r"(?:\bmy (?:(?:home|shipping|delivery|billing|mailing|new|current) )?address is(?: now)? "
        r"(?P<value>\d[^.;!?\n]{5,80}))",
    ),
    rule(
        "address",
        "street-zh",
        "号|室|栋|楼|弄",
        rf"(?:地址|寄[到至]|送[到至]|发[到至]|改[成为到]|换成|搬[到去]了?|住在"
        rf"|新家)[^，。；\n]{{0,6}}?(?:改[成为到]|换成|[是为：:])?"
        rf"\s?(?P<value>(?![是为在到于改换了])[{HAN}]{{2,3}}(?:省|市|区"
        rf"|县)[^，。；！？\n,;@]{{2,36}}?\d+\s?(?:号|弄|栋"
        rf"|幢|室|楼|单元)[\w-]{{0,16}})",
        _is_present_address,
    ),
    rule(
        "address",
        "street",
        "place is|house is|it's|it’s|it is|ship|send|deliver|live at|moved",
        r"\b(?:it['’]?s|it is|(?:new|my|our) (?:place|house|home|flat) is|(?:ship|send"
        r"|deliver)(?: it| them)? to|(?:i|we) live at"
        r"|(?:i|we)(?:['’]ve)? moved to)\s"
        r"(?P<value>\d{1,5}[A-Z]? (?:(?-i:[A-Z0-9])[\w'’]*\.? ){1,4}"
        r"(?:ave(?:nue)?|st(?:reet)?|r(?:oa)?d|blvd|lane|ln|dr(?:ive)?|court|ct|way|place|pl"
        r"|square|sq)\b"
        r"(?:,? (?!now\b|please\b|instead\b)[\w#.-]+){0,8})",
    ),
    rule(
        "address",
        "address-abroad",
        "adresse|direcci|endere|indirizzo|anschrift",
        r"\b(?:adresse|direcci[óo]n|endereço|indirizzo|anschrift)\b[^.:\n]{0,12}"
        r"(?:[:：]| (?:est|es|é|ist|lautet))\s?(?P<value>(?=[^.;!?\n]*\d)[^.;!?\n@]{8,70})",
    ),
    rule(
        "address",
        "address-ja",
        "住所|届け先",
        r"(?:住所|届け先)[^。\n]{0,24}?[は、]\s?(?P<value>[一-龯]{2,4}[都道府県市区][^\s。、]{2,30}?\d[\d-]*)",
    ),
    rule(
        "address",
        "address-mixed",
        "address",
        r"(?:\A|[，,。]\s?|\b(?:my|new|home)\s)address\s?(?:is(?: now)?|是|改成|[:：])\s?"
        r"(?P<value>(?:(?:unit|apt|flat|room|suite|no\.?) ?)?\d[^;!?\n。，；]{5,80})",
    ),
    rule(
        "address",
        "address-zh",
        "地址",
        rf"(?:我的?|(?<![{HAN}]))(?:收货|家庭|邮寄|公司|取件|寄送|送货|配送|账单|办公"
        rf"|新)*地址(?:现在)?(?:是|为|改成|改为|改到|换成|[:：])\s*"
        r"(?P<value>[^，。；！？\n,;@]{5,60})",
    ),
    rule(
        "timezone",
        "timezone",
        "zone",
        r"(?:\b(?:my|our) |[，,。]\s?|我的?\s?|\A)time ?zone\s?(?:is|是|用|[:：])\s?"
        r"(?P<value>(?:UTC|GMT)\s?[+-]\s?\d{1,2}(?::\d\d)?"
        r"|(?-i:[A-Z][a-z]+)/[\w/]+|(?-i:[A-Z]{2,5})\b|(?-i:[A-Z])\w+ (?:Standard )?Time)",
    ),
    rule(
        "timezone",
        "timezone-zh",
        "时区",
        rf"时区(?:是|为|[:：])\s*(?P<value>[{HAN}\w+:/-]{{2,16}}?){END_ZH}",
    ),
)
