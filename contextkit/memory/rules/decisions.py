"""What the user has decided."""

from __future__ import annotations

import re

from contextkit.memory.han import HAN
from contextkit.memory.reading import Reading
from contextkit.memory.rules.clauses import OPENING, REST_ZH, TO_THEN, is_own, is_thing, stated


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
        "stay-with",
        "stay |stick |keep |go with |staying|keeping|sticking",
        rf"(?:{OPENING}|[，,] ?)(?:ok(?:ay)?,? |then |nah,? |no,? |we['’]?ll |we['’]?re |we "
        rf"|let['’]?s |i['’]?ll |i['’]?m |那就?)*"
        rf"(?P<value>(?:(?:stay|stick)(?:ing)? (?:on|with|(?:in|at)(?= (?-i:[A-Z])))|go with"
        rf"|keep(?:ing)?(?= (?:the |(?-i:[A-Z])))) (?P<what>{TO_THEN}))",
        is_thing,
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
        r"(?:我们?|咱们?|大家|团队|最终|最后|已经|还是)*(?:(?:决定|确定|商定|decided?)\s?(?:了"
        r"|要|是)?"
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
        "decided-now-zh",
        "决定|decide",
        rf"(?:\A|[，。；！\n,]\s?)(?:那么?|嗯|好|行|就|我|我们|最后|最终|还是)*\s?(?:决定"
        rf"|decided?)\s?(?:了|就)?[，,]?\s?"
        rf"(?P<value>(?!吗|吧|没|不了|采用|使用|选用|选择|用|选|要不|什么"
        rf"|怎么){REST_ZH}{{2,40}}?)(?:了|吧)?(?=[，。；！\n,]|\Z)",
        is_own,
    ),
    stated(
        "decision",
        "set-zh",
        "定在|定为|定于|敲定|确定",
        rf"(?:我们?|咱们?|大家|最终|最后|那|(?:时间|日期|地点|上线|发布|价格|名字|方案|名称|预算"
        rf"|会议|行程))"
        rf"(?:就|都|已经|最终|最后|也)*(?:定在|定为|定于|敲定为|敲定在|确定为|确定在)(?P<value>"
        rf"{REST_ZH}{{2,40}}?)"
        r"(?:吧|了)?(?=[，。；！\n,]|\Z)",
    ),
    stated(
        "decision",
        "settled-zh",
        "定下来|定了|拍板|敲定|过了|好了|一致",
        r"(?:定下来了?|(?:就这么|已经)?定了|拍板了|敲定了|(?:商量|讨论|商议|谈|说|约|沟通)(?:过"
        r"|好)了"
        r"|一致同意|达成一致)[，,：:]\s*(?!我|你|他|她|结果|但|可)"
        rf"(?P<value>{REST_ZH}{{2,40}})",
    ),
    stated(
        "decision",
        "chose-zh",
        "选了|定了|用了",
        rf"(?:最终|最后|final(?:ly)?|我们|大家|团队|还是)\s?(?:都|一致|就)?\s?(?:选"
        rf"|定)了[\s:：，,]*"
        rf"(?P<value>(?!吗|吧|个|一下|时间|下来){REST_ZH}{{2,40}})",
        is_own,
    ),
    stated(
        "decision",
        "not-for-now-zh",
        "先不|就不",
        rf"(?:\A|[，。；！\n,]\s?)(?:那么?|行|好|那就|我们?|还是)*就?(?P<value>(?!我|你|他|她"
        rf"|如果|要不|就){REST_ZH}{{0,10}}?"
        r"(?:先不|(?<=就)不)(?:做|换|订|买|改|去|办|上|搬|退|报|约|考虑|升级|动|走|开"
        r"|要(?![\u4e00-\u9fff])|用(?=[^，。；！？\s]))[^，。；！？\n,了吗]{0,10})了?"
        r"(?=[，。；！\n,]|\Z)",
        is_own,
    ),
    stated(
        "decision",
        "instead-zh",
        "，改|,改|, 改",
        rf"不{REST_ZH}{{1,24}}[，,]\s?(?P<value>改(?:做|用|去|坐|选|走|买|吃|写"
        rf"|住){REST_ZH}{{1,24}})",
        is_own,
    ),
    stated(
        "decision",
        "then-zh",
        "那",
        r"(?:\A|[。！\n])\s?(?:好的?|行|可以|嗯|ok|okay|成)[，,]?\s*那就?(?P<value>(?:打|用|选"
        r"|走|买|订|坐|去|按|吃|住|约|报|上|要)"
        r"(?![吗么哪谁])[^，。；！？\n,了吗]{2,24})(?:吧|了)?(?=[，。；！\n,]|\Z)",
        is_own,
    ),
    stated(
        "decision",
        "settled-on-zh",
        "那就",
        rf"(?:\A|[。！\n])\s?(?:好的?|行|可以|嗯|ok|okay|成)[，,]\s*那就(?P<value>(?!这样|这么"
        rf"|好|行|算|不|麻烦|谢|等|先|再|看|拜托|辛苦|是|没)"
        rf"[{HAN}\w ]{{2,14}}?)(?:吧|了)?(?=[，。；！\n,]|\Z)",
        is_own,
    ),
    stated(
        "decision",
        "conclusion-zh",
        "结论",
        rf"结论{REST_ZH}{{0,6}}?[：:，,]\s?(?P<value>{REST_ZH}{{4,40}})",
        is_own,
    ),
    stated(
        "decision",
        "after-all-zh",
        "还是",
        r"(?:\A|[。！\n]\s?|[，,]\s?(?:那|(?=还是[^，。！？]{2,20}吧))|算了[，,]\s?)(?:那"
        r"|算了[，,]|嗯[，,]"
        r"|好吧[，,])?\s?还是(?P<value>(?!你|我|他|她|不|有|很|没|会|想|觉得|那|这|老|太)"
        r"[^，。；！？\n,吗呢]{2,24})(?:吧|了)?(?=[，。；！\n,]|\Z)",
        is_own,
    ),
    stated(
        "decision",
        "go-with-zh",
        "就|还是",
        rf"(?:那|咱|我们|最后|最终|，|\A)*(?:就|还是)(?:用|选|按|走|定|买|订|要|去|采用"
        rf"|选择)(?P<value>"
        rf"(?!这|那|不|什么|哪|的|你|我|会|是)(?:(?!吧|了|好了|行){REST_ZH}){{2,30}})(?:吧|了"
        rf"|好了)",
        is_own,
    ),
    stated(
        "decision",
        "thing-goes-with-zh",
        "就用|就选|就按|就走|就定|就订|就住|就买|就坐|就吃|就约|就去",
        rf"(?:\A|[，。；！\n：:])\s?(?:那么?|[{HAN}\w ]{{2,10}}?)?就(?:用|选|按|走|定|订|住|买"
        rf"|坐|吃|约|去)\s?(?P<value>"
        rf"(?!这|那|不|什么|哪|的|你|我|会|是)(?:(?!吧|了|好了|行|可以|能|会){REST_ZH}){{2,30}})"
        r"(?=[，。；！\n]|\Z)",
        is_own,
    ),
)
