"""What the user has decided."""

from __future__ import annotations

import re

from contextkit.memory.clauses import HAN, OPENING, REST_ZH, TO_THEN, is_own, is_thing, stated
from contextkit.memory.reading import Reading


def _is_plan(reading: Reading, match: re.Match[str]) -> bool:
    """Nothing is settled by "let's keep going" and "let's take a look"."""
    rest = match["what"].partition(" ")[2]
    return not _NO_PLAN.match(rest)


_NO_PLAN = re.compile(
    r"(?:\w+ing\b|(?:a |the )?(?:look|break|step|moment|minute|time|chance|stab|deep|in touch|it\b"
    r"|this\b|that\b|them\b|on\b|up\b|aside|example|case|scenario|here\b))",
    re.I,
)


DECISIONS = (
    stated(
        "decision",
        "go-with",
        "go with|going with|stick with|opt for|settle",
        r"\b(?:let['’]?s|we['’]?ll|we will|i['’]?ll|i will|we['’]re|i['’]m|we are|i am"
        r"|we should|we)(?: just| definitely)? "
        r"(?:go(?:ing)? (?:ahead )?with|stick(?:ing)? with|opt(?:ing)? for|settled? on) "
        rf"(?P<value>(?P<what>{TO_THEN}))",
        is_thing,
    ),
    stated(
        "decision",
        "use",
        "use ",
        rf"\b(?:let['’]?s|we['’]?ll|we will) use (?P<value>(?P<what>{TO_THEN}))",
        is_thing,
    ),
    stated(
        "decision",
        "decided",
        "decided|agreed|chose|settled|picked|decision",
        rf"(?:\b(?:we|i)(?:['’]ve| have)? (?:all |both |finally |also )?(?:(?:decided|agreed) (?:to"
        rf"|on|that)|settled on"
        rf"|opted for)|{OPENING}(?:we|i)(?:['’]ve| have)? (?:finally )?(?:chosen?(?: to)?"
        rf"|picked(?= (?-i:[A-Z])))) (?P<value>(?P<what>{TO_THEN}))",
        is_thing,
    ),
    stated(
        "decision",
        "let-us",
        "let's|let’s|lets ",
        r"\blet['’]?s (?P<value>(?P<what>(?:postpone"
        r"|delay|pin|choose|pick|book|switch to|migrate to"
        r"|standardi[sz]e on|keep|drop|launch|ship|release|freeze|cap|set|move|target|adopt|hire"
        rf"|order|buy|take|do without|cancel|skip|split|schedule) {TO_THEN}))",
        _is_plan,
    ),
    stated(
        "decision",
        "decision-is",
        "decision|decided",
        rf"\b(?:(?:final|our|the|my) decision is(?: to)?|decision:|(?:it['’]?s"
        rf"|it is) decided[:,] ?)\s*(?P<value>{TO_THEN})",
    ),
    stated(
        "decision",
        "use-zh",
        "决定|确定|选|敲定|商定|decide",
        r"(?:我们?|咱们?|大家|团队|最终|最后|已经|还是)*(?:(?:决定|确定|商定|decided?)\s?(?:了|要|是)?"
        r"(?:采用|使用|选用|选择|用|选)|选定|敲定)了?(?:为|在|是)?\s?"
        rf"(?![，。,\s]*\Z)(?P<value>(?:(?![做当作来而]|，|不用){REST_ZH}){{1,30}})",
        is_own,
    ),
    stated(
        "decision",
        "decided-zh",
        "决定|商定|说好|约定",
        r"(?:我们?|咱们?|大家|团队)(?:最终|最后|已经|一致|还是|都)*(?:决定|商定|说好|约定)"
        r"(?:了|要|在|，)?"
        rf"(?!采用|使用|选用|选择|用|选|了)(?P<value>{REST_ZH}{{2,40}})",
    ),
    stated(
        "decision",
        "set-zh",
        "定在|定为|定于|敲定|确定",
        rf"(?:我们?|咱们?|大家|最终|最后|那|(?:时间|日期|地点|上线|发布|价格|名字|方案|名称|预算|会议|行程))"
        rf"(?:就|都|已经|最终|最后|也)*(?:定在|定为|定于|敲定为|敲定在|确定为|确定在)(?P<value>"
        rf"{REST_ZH}{{2,40}}?)"
        r"(?:吧|了)?(?=[，。；！\n,]|\Z)",
    ),
    stated(
        "decision",
        "settled-zh",
        "定下来|定了|拍板|敲定|过了|好了|一致",
        r"(?:定下来了?|(?:就这么|已经)?定了|拍板了|敲定了|(?:商量|讨论|商议|谈|说|约|沟通)(?:过|好)了"
        r"|一致同意|达成一致)[，,：:]\s*(?!我|你|他|她|结果|但|可)"
        rf"(?P<value>{REST_ZH}{{2,40}})",
    ),
    stated(
        "decision",
        "go-with-zh",
        "就|还是",
        rf"(?:那|咱|我们|最后|最终|，|\A)*(?:就|还是)(?:用|选|按|走|定|买|订|要|去|采用|选择)(?P<value>"
        rf"(?!这|那|不|什么|哪|的|你|我|会|是)(?:(?!吧|了|好了|行){REST_ZH}){{2,30}})(?:吧|了|好了)",
        is_own,
    ),
    stated(
        "decision",
        "thing-goes-with-zh",
        "就用|就选|就按|就走|就定",
        rf"(?:\A|[，。；！\n：:])\s?(?:那么?|[{HAN}\w ]{{2,10}}?)就(?:用|选|按|走|定)(?P<value>"
        rf"(?!这|那|不|什么|哪|的|你|我|会|是)(?:(?!吧|了|好了|行|可以|能|会){REST_ZH}){{2,30}})"
        r"(?=[，。；！\n]|\Z)",
        is_own,
    ),
)
