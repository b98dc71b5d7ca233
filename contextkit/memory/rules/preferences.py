"""What the user likes, cannot stand and cannot eat."""

from __future__ import annotations

import re

from contextkit.memory.han import HAN
from contextkit.memory.items import USER
from contextkit.memory.reading import Reading
from contextkit.memory.rules.clauses import OPENING_ZH, REST, REST_ZH, is_own, is_thing, stated
from contextkit.memory.rules.people import owner


def _is_own_ailment(reading: Reading, match: re.Match[str]) -> bool:
    """The person named last before "过敏" has it."""
    return owner(reading, match.end("value") - 2, match.end("value")) in ("", USER)


PREFERENCES = (
    stated(
        "preference",
        "allergic",
        "allergic|intoler",
        rf"\b(?:i['’]?m|i am) (?:also |very |severely )?(?P<value>(?:lactose"
        rf"|gluten)[- ]intolerant|allergic to (?:(?! and i\b| but | so | as well)(?:"
        rf"{REST})){{2,60}})",
    ),
    stated(
        "preference",
        "diet",
        "vegetarian|vegan|pescatarian|halal|kosher|left-handed|colou?r-?blind|teetotal",
        r"\b(?:i['’]?m|i am)(?: an?)?(?: strict)? (?P<value>vegetarian|vegan|pescatarian"
        r"|left-handed|colou?r-?blind|teetotal)\b",
    ),
    stated(
        "preference",
        "prefer",
        "prefer",
        rf"\bi(?:['’]d)? (?:really |usually |generally |would |much )?(?P<value>prefer "
        rf"(?P<what>(?:(?! because | if | but | so | and i ){REST}){{2,70}}))",
        is_thing,
    ),
    stated(
        "preference",
        "dislike",
        "don't|don’t|hate|can't|dont|can’t",
        r"\bi (?:really )?(?P<value>(?:don['’]?t (?:like|eat|drink|want to be called)|hate"
        r"|can['’]?t (?:stand|eat|drink)) "
        rf"(?P<what>(?:(?! because | when | if | but | so | and i ){REST}){{2,60}}))",
        is_thing,
    ),
    stated(
        "preference",
        "rather",
        "rather",
        rf"\bi(?:['’]d| would) (?P<value>rather (?!not\b)(?P<what>(?:(?! because "
        rf"| if | but ){REST})"
        r"{4,70}))",
    ),
    stated(
        "preference",
        "like",
        "love|like|enjoy",
        r"\bi (?:really |absolutely |usually |also )?(?P<value>(?:love|like|enjoy) (?P<what>"
        rf"(?:(?! because | when | if | but | so | and i | and (?:he|she|it|we|they) ){REST})"
        r"{3,50}))",
        is_thing,
    ),
    stated(
        "preference",
        "always-want",
        "always|usually",
        rf"\b(?P<value>i (?:always|usually) (?:want|take|choose|pick|get|order|fly|sit|book"
        rf"|drink|go for) (?P<what>(?:{REST}){{2,50}}))",
        is_thing,
    ),
    stated(
        "preference",
        "diet-abroad",
        "celiac|coeliac|diabetic|gluten",
        r"\b(?:i['’]?m|i am) (?:a )?(?P<value>coeliac|celiac|diabetic|gluten[- ]free"
        r"|dairy[- ]free)\b",
    ),
    stated(
        "preference",
        "favourite",
        "favo",
        rf"\b(?P<value>my favou?rite (?:\w+ ){{1,4}}is (?:(?! because | and my ){REST}){{2,50}})",
    ),
    stated(
        "preference",
        "allergic-zh",
        "过敏",
        rf"(?:我(?:自己|本人)?(?:从小|一直|是|也|还|有|就)*|[，,、。；！\n\s]|\A)(?:对)?"
        rf"(?P<value>(?:(?!过敏|对|我|他|她|不|没|会|容易|抗|皮肤|有点){REST_ZH}){{1,12}}过敏)"
        r"(?!史|吗|原|性|药|反应|的)",
        _is_own_ailment,
    ),
    stated(
        "preference",
        "cannot-zh",
        "不能吃|不能喝|不能碰|不耐受|不碰|吃素|纯素|素食",
        rf"(?:我(?:自己|本人)?|{OPENING_ZH})(?:也|从来|一般|平时|都|是|一直)*(?P<value>不能[吃喝碰]"
        rf"(?:(?!但|因为|所以){REST_ZH}){{1,16}}|[{HAN}]{{2,4}}不耐受|不碰[{HAN}]{{1,6}}"
        r"|(?:纯素|素食|清真)(?:主义)?者?)",
        is_own,
    ),
    stated(
        "preference",
        "dislike-zh",
        "不吃|不喝|不喜欢|讨厌|吃素",
        rf"(?:我|{OPENING_ZH})(?:也|从来|一般|平时|最|真的|都|们|自己|本人|个人|比较"
        rf"|很)*(?P<value>(?:不吃|不喝"
        rf"|不喜欢|讨厌)(?P<what>(?:(?!但|因为|所以){REST_ZH}){{1,20}})|吃素)",
        is_own,
    ),
    stated(
        "preference",
        "best-zh",
        "最好",
        rf"{OPENING_ZH}(?P<value>(?!我|你|他|她|这|那|哪|什么)[{HAN}]{{0,6}}最好(?:是|有|带|能"
        rf"|靠|离|在|选|别|不要|不)"
        rf"(?:(?!但|因为|所以|吗){REST_ZH}){{1,20}})",
        is_own,
    ),
    stated(
        "preference",
        "like-zh",
        "喜欢|偏好|爱吃|爱喝|钟意|prefer",
        rf"我(?:自己|本人|个人|平时|一直|也|还|比较|更|最|很|特别|非常|就"
        rf"|真的)*(?P<value>(?:更?喜欢|偏好"
        rf"|钟意|\s?prefer\b"
        rf"|偏爱|爱吃|爱喝)(?P<what>(?:(?!但|因为|所以){REST_ZH}){{1,24}}))",
        is_thing,
    ),
)
