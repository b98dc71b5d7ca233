"""Decisions, standing rules and preferences of the user."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextkit.memory.items import USER, Finding, Kind
from contextkit.memory.people import owner
from contextkit.memory.reading import Reading
from contextkit.memory.spoken import Check, Rule, always, apart, pattern, place, spoken
from contextkit.memory.typed_dates import RELATIVE, RELATIVE_ZH

_HAN = r"\u4e00-\u9fff"
_OPENING = (
    r"(?:(?:\A|[.!?;:\n。！？；：,，、)\]]|[-*•]\s|\d[.)])\s{0,8}"
    r"(?:(?:and|but|also|so|then|please|pls|ok|okay|btw|remember|note|from now on|going forward"
    r"|in (?:the )?future)\b[,:]?\s*){0,3}|\b(?:and|but|please|from now on,?|going forward,?)\s+)"
)
_REST = r"[^.,;!?\n，。；！？]|\.(?=\w)|(?<=\b[DM][rs])\.|,(?= (?:19|20)\d\d\b)|,(?=\d{3})"
_CLAUSE = rf"(?:{_REST}){{2,100}}"
_TO_AND = rf"(?:(?! and (?:always|never|don'?t|do not|please|keep|use|only)\b)(?:{_REST})){{2,100}}"
_TO_THEN = (
    rf"(?:(?! (?:instead of|rather than|because|since|and (?:not|then)|over|for now)\b)(?:"
    rf"{_REST})){{1,80}}"
)
_REST_ZH = r"[^，。；！？\n,;!?]"
_OPENING_ZH = (
    r"(?:(?:\A|[，。；！？\n,;!?、：:\s])(?:请|也|但|还有|另外|而且|并且|记住|注意|对了|那|任何时候|无论如何"
    r"|平时|一定|都)*)"
)


def facts(reading: Reading) -> Iterator[Finding]:
    """Yield decisions, standing rules and preferences that the user states.

    Example:
        >>> from contextkit.memory.reading import read
        >>> found = facts(read("Never use tables. Let's go with plan B.", index=0, role="user"))
        >>> sorted((finding.kind, finding.value) for finding in found)
        [('constraint', 'Never use tables'), ('decision', 'plan B')]
    """
    return iter(sorted(apart(spoken(_RULES, reading), len(reading.text)), key=place))


def _rule(kind: Kind, name: str, hints: str, source: str, check: Check = always) -> Rule:
    return Rule(
        name=name, kind=kind, pattern=pattern(source), hints=tuple(hints.split("|")), check=check
    )


_PRONOUNS = re.compile(
    r"(?:it|that|this|them|one|to|you|him|her|how|what|when|the (?:idea|sound|way|first|second"
    r"|last)|your|so|and)\b|这|那|你|它|他|她|的|啊|哦",
    re.I,
)
_CHATTY = re.compile(
    r"(?:worry|mind|know|think|care|understand|see|get me wrong|forget|be (?:afraid|shy|sorry|sad"
    r"|silly)|believe|want|have|need|like|remember|miss|hesitate|bother|let me|tell me|cry|stop|say"
    r"|give up|ask why|look|you|i)\b",
    re.I,
)
_CHATTY_ZH = re.compile(
    "担心|客气|急|生气|说了|难过|害怕|怕|闹|忘|骗|哭|介意|灰心|放弃|紧张|太|想|这么|那么|那样"
    "|再说|着急|伤心|误会|见怪"
    "|理|了|人|处|名|墅|针|致|离开|走|放在心上"
)


def _is_rule(reading: Reading, match: re.Match[str]) -> bool:
    return not _CHATTY.match(match["what"].lstrip())


_TALK_ZH = re.compile("什么|怎么|我就|我会|我们|感觉|问题")
_NO_ORDER = re.compile(
    r"(?:an?|the|so|by|with|for|like|up|good|nice|great|fun|happy|glad|there|here|in|on|at"
    r"|worth|more|been|was|is|are|had"
    r"|wanted|welcome|new|something|such|one|some|my|very|too|\w+ed|\w+ing)\b",
    re.I,
)


def _is_order(reading: Reading, match: re.Match[str]) -> bool:
    """An order has a verb behind "always": "always good to hear" is none."""
    return _is_rule(reading, match) and not _NO_ORDER.match(match["what"])


def _is_rule_zh(reading: Reading, match: re.Match[str]) -> bool:
    said = match["what"]
    return not (
        _CHATTY_ZH.match(said)
        or _TALK_ZH.search(said)
        or (said.endswith("了") and "再" not in match["value"])
    )


_ERRAND_ZH = re.compile(
    rf"(?:在|于)?{_REST_ZH}{{0,12}}?(?:之?前|以前)(?!提)|(?:尽快|马上|立刻|今天|明天|后天|本周|下周)"
    r"|(?:帮我|给我)?把.{1,20}(?:发|寄|交|送|给|还|提交)"
)


def _is_standing_rule_zh(reading: Reading, match: re.Match[str]) -> bool:
    """A "务必在会议前寄出" is done once, which makes it a task."""
    is_once = "务必" in match[0] and _ERRAND_ZH.match(match["what"]) is not None
    return not is_once and _is_rule_zh(reading, match)


_STANDING = re.compile(
    r"\b(?:from now on|going forward|in (?:the )?future|at all times|every time"
    r"|(?:for|in) all)\b",
    re.I,
)
_IS_ORDER = re.compile(
    r"(?:use|keep|stick|write|send|ship|deliver|call|email|e-mail|text|contact|answer|reply|respond"
    r"|speak|format|put|add|include|show|give|quote|cite|address|treat|follow|run|test|check|ask|tell"
    r"|make|set|store|save|log|name|book|order|bill|charge|round|limit|avoid|skip|leave|start|end"
    r"|sign|cc|copy|prefer|default|spell|translate|list|explain|summari[sz]e|only|double[- ]check"
    r"|confirm|report|notify|refer|go|do|buy|recommend|suggest|pick|choose|schedule|change|delete"
    r"|remove|share|spend|pay|commit|push|merge|deploy|touch|edit|modify|move|cancel|post|publish"
    r"|submit)\b",
    re.I,
)


def _is_plain_order(reading: Reading, match: re.Match[str]) -> bool:
    return _IS_ORDER.match(match["what"].lstrip()) is not None


def _is_standing_order(reading: Reading, match: re.Match[str]) -> bool:
    return _STANDING.search(match[0]) is not None and _is_plain_order(reading, match)


def _is_thing(reading: Reading, match: re.Match[str]) -> bool:
    return not _PRONOUNS.match(match["what"].lstrip())


def _is_plan(reading: Reading, match: re.Match[str]) -> bool:
    """Nothing is settled by "let's keep going" and "let's take a look"."""
    rest = match["what"].partition(" ")[2]
    return not _NO_PLAN.match(rest)


_NO_PLAN = re.compile(
    r"(?:\w+ing\b|(?:a |the )?(?:look|break|step|moment|minute|time|chance|stab|deep|in touch|it\b"
    r"|this\b|that\b|them\b|on\b|up\b|aside|example|case|scenario|here\b))",
    re.I,
)


def _is_own_ailment(reading: Reading, match: re.Match[str]) -> bool:
    """The person named last before "过敏" has it."""
    return owner(reading, match.end("value") - 2, match.end("value")) in ("", USER)


def _is_own(reading: Reading, match: re.Match[str]) -> bool:
    return owner(reading, match.start("value"), match.start("value")) in ("", USER)


_CONSTRAINTS = (
    _rule(
        "constraint",
        "always",
        "always",
        rf"{_OPENING}always (?P<value>(?P<what>{_TO_AND}))",
        _is_order,
    ),
    _rule(
        "constraint",
        "never",
        "never|don't|don’t|do not|avoid|stop |no more",
        rf"{_OPENING}(?P<value>(?:never|don['’]?t ever|do not ever|don['’]?t|do not|avoid|stop"
        rf"(?= \w+ing))\s+(?P<what>{_TO_AND}))",
        _is_rule,
    ),
    _rule(
        "constraint",
        "from-now-on",
        "from now on|going forward|in future|in the future",
        r"\b(?:from now on|going forward|in (?:the )?future),? (?:please |always |you "
        r"(?:should|must) (?:always )?)?"
        rf"(?!i\b|we\b|never|don)(?P<value>(?P<what>{_TO_AND}))",
        _is_rule,
    ),
    _rule(
        "constraint",
        "until-further-notice",
        "from now on|going forward|in future|in the future|at all times|every time|for all|in all",
        rf"{_OPENING}(?P<value>(?P<what>(?:{_REST}){{4,100}}))(?=[.,;!?\n]|\Z)",
        _is_standing_order,
    ),
    _rule(
        "constraint",
        "ask-first",
        "without |before ",
        rf"{_OPENING}(?P<value>(?P<what>(?:{_REST}){{3,60}}?) (?:without (?:first )?(?:asking"
        r"|checking with|telling|consulting|my (?:permission|approval|ok|okay|consent))"
        rf"(?:{_REST}){{0,40}}))",
        _is_plain_order,
    ),
    _rule(
        "constraint",
        "must",
        "must|should|have to|are to",
        r"\b(?:you|all (?:answers|replies|responses)|every (?:answer|reply|response)|"
        r"(?:answers|replies))"
        rf" (?P<value>(?:must|should|have to|are to|may|can) "
        rf"(?P<what>(?:always|never|not|only)\b{_CLAUSE}))",
    ),
    _rule(
        "constraint",
        "wish",
        "you to ",
        rf"\bi(?:['’]d like| want| need| would like) you to (?P<value>(?:always|never) {_TO_AND})",
    ),
    _rule(
        "constraint",
        "manner",
        "answer|reply|respond|keep|use |write|every|each|all ",
        rf"{_OPENING}(?P<value>(?:(?:only )?(?:answer|reply|respond)(?: to me| me)? "
        rf"(?:only )?in (?P<what>(?:{_REST}){{2,40}})"
        r"|keep (?:your |all |the |every )?(?:answers?|repl(?:ies|y)|responses?|it|explanations?"
        r"|messages?|summar(?:y|ies)|emails?) (?:short"
        r"|brief|concise|simple|polite|formal|under [\w ]+"
        r"|to [\w ]+|in [\w ]+)"
        r"|(?:(?:end|start|begin|finish|sign) (?:off )?(?:every"
        r"|each|all|your) |format (?:all|every) "
        rf"|(?:cite|include|show|quote|list"
        rf"|add) [\w ]{{2,40}}? (?:in|with|for) (?:every|each|all) )"
        rf"(?:{_REST}){{3,60}}"
        r"|(?:only )?use (?:only )?(?:metric|imperial|formal|informal|simple|british|american"
        r"|plain)[\w ]{2,40}))",
    ),
    _rule(
        "constraint",
        "from-now-on-zh",
        "以后|今后|往后|从现在|之后|每次|一律|始终|永远|务必|请总是",
        rf"(?:{_OPENING_ZH}(?:以后|今后|往后|从现在起|从现在开始|之后都|之后请|接下来都"
        rf"|每次都?[请要])(?:你|您|请|就|都|的|要|，|所有)*"
        rf"|{_OPENING_ZH}(?:你|您|请|回答|回复)*(?:一律|始终|永远都?|务必|请总是)(?:要)?)"
        rf"(?!我|再说|有机会|还|不要|别|不)(?P<value>(?P<what>{_REST_ZH}{{2,40}}))",
        _is_standing_rule_zh,
    ),
    _rule(
        "constraint",
        "every-zh",
        "必须|一律|都要|都得|统一|都不|只能|一定要|都用|均|不能|不得",
        rf"{_OPENING_ZH}(?P<value>(?:所有|每[个次条一封份]|任何|全部|凡是|无论|只要是|涉及)"
        rf"(?P<what>{_REST_ZH}{{1,24}}?(?:必须|一律|都[要得用不]|统一|只能|一定要|均|不能|不得)"
        rf"{_REST_ZH}{{1,40}}))",
        _is_rule_zh,
    ),
    _rule(
        "constraint",
        "uniformly-zh",
        "一律|统一|只能用|只用",
        rf"{_OPENING_ZH}(?P<value>(?!我|他|她|它|公司|学校|国家|政府)(?P<what>{_REST_ZH}{{1,24}}?"
        rf"(?:一律|统一用|统一使用|统一按|只能用)"
        rf"{_REST_ZH}{{1,40}}))",
        _is_rule_zh,
    ),
    _rule(
        "constraint",
        "manner-zh",
        "回答|回复|说话|解释|语气|称呼|输出|代码|答案",
        rf"{_OPENING_ZH}(?P<value>(?:回答|回复|说话|解释|语气|输出|答案|给我的?回复|跟我说话)"
        rf"(?:时|的时候|内容)?(?:请|要|尽量|得|最好|只|都|请用|麻烦)+(?P<what>{_REST_ZH}{{1,30}})"
        rf"|(?:请|麻烦|尽量)?用(?:中文|英文|英语|日语|简体中文|繁体中文|粤语|普通话|大白话)"
        rf"(?:来)?(?:回答|回复|交流|说|写|沟通){_REST_ZH}{{0,12}})",
    ),
    _rule(
        "constraint",
        "never-zh",
        "不要|别|不准|禁止|切勿|请勿|不许|不得|不能",
        rf"(?:{_OPENING_ZH}|(?:以后|今后|千万|回答|回复|永远|绝对)(?:你|请|都|时|中|里|，)*)"
        r"(?P<value>(?:千万|永远|绝对|再也)?(?:不要再?|别再?|不准|禁止|切勿|请勿|不许|不得|不可以?)"
        rf"(?P<what>{_REST_ZH}{{2,40}}))",
        _is_rule_zh,
    ),
)

_DECISIONS = (
    _rule(
        "decision",
        "go-with",
        "go with|going with|stick with|opt for|settle",
        r"\b(?:let['’]?s|we['’]?ll|we will|i['’]?ll|i will|we['’]re|i['’]m|we are|i am"
        r"|we should|we)(?: just| definitely)? "
        r"(?:go(?:ing)? (?:ahead )?with|stick(?:ing)? with|opt(?:ing)? for|settled? on) "
        rf"(?P<value>(?P<what>{_TO_THEN}))",
        _is_thing,
    ),
    _rule(
        "decision",
        "use",
        "use ",
        rf"\b(?:let['’]?s|we['’]?ll|we will) use (?P<value>(?P<what>{_TO_THEN}))",
        _is_thing,
    ),
    _rule(
        "decision",
        "decided",
        "decided|agreed|chose|settled|picked|decision",
        rf"(?:\b(?:we|i)(?:['’]ve| have)? (?:all |both |finally |also )?(?:(?:decided|agreed) (?:to"
        rf"|on|that)|settled on"
        rf"|opted for)|{_OPENING}(?:we|i)(?:['’]ve| have)? (?:finally )?(?:chosen?(?: to)?"
        rf"|picked(?= (?-i:[A-Z])))) (?P<value>(?P<what>{_TO_THEN}))",
        _is_thing,
    ),
    _rule(
        "decision",
        "let-us",
        "let's|let’s|lets ",
        r"\blet['’]?s (?P<value>(?P<what>(?:postpone"
        r"|delay|pin|choose|pick|book|switch to|migrate to"
        r"|standardi[sz]e on|keep|drop|launch|ship|release|freeze|cap|set|move|target|adopt|hire"
        rf"|order|buy|take|do without|cancel|skip|split|schedule) {_TO_THEN}))",
        _is_plan,
    ),
    _rule(
        "decision",
        "decision-is",
        "decision|decided",
        rf"\b(?:(?:final|our|the|my) decision is(?: to)?|decision:|(?:it['’]?s"
        rf"|it is) decided[:,] ?)\s*(?P<value>{_TO_THEN})",
    ),
    _rule(
        "decision",
        "use-zh",
        "决定|确定|选|敲定|商定|decide",
        r"(?:我们?|咱们?|大家|团队|最终|最后|已经|还是)*(?:(?:决定|确定|商定|decided?)\s?(?:了|要|是)?"
        r"(?:采用|使用|选用|选择|用|选)|选定|敲定)了?(?:为|在|是)?\s?"
        rf"(?![，。,\s]*\Z)(?P<value>(?:(?![做当作来而]|，|不用){_REST_ZH}){{1,30}})",
        _is_own,
    ),
    _rule(
        "decision",
        "decided-zh",
        "决定|商定|说好|约定",
        r"(?:我们?|咱们?|大家|团队)(?:最终|最后|已经|一致|还是|都)*(?:决定|商定|说好|约定)"
        r"(?:了|要|在|，)?"
        rf"(?!采用|使用|选用|选择|用|选|了)(?P<value>{_REST_ZH}{{2,40}})",
    ),
    _rule(
        "decision",
        "set-zh",
        "定在|定为|定于|敲定|确定",
        rf"(?:我们?|咱们?|大家|最终|最后|那|(?:时间|日期|地点|上线|发布|价格|名字|方案|名称|预算|会议|行程))"
        rf"(?:就|都|已经|最终|最后|也)*(?:定在|定为|定于|敲定为|敲定在|确定为|确定在)(?P<value>"
        rf"{_REST_ZH}{{2,40}}?)"
        r"(?:吧|了)?(?=[，。；！\n,]|\Z)",
    ),
    _rule(
        "decision",
        "settled-zh",
        "定下来|定了|拍板|敲定|过了|好了|一致",
        r"(?:定下来了?|(?:就这么|已经)?定了|拍板了|敲定了|(?:商量|讨论|商议|谈|说|约|沟通)(?:过|好)了"
        r"|一致同意|达成一致)[，,：:]\s*(?!我|你|他|她|结果|但|可)"
        rf"(?P<value>{_REST_ZH}{{2,40}})",
    ),
    _rule(
        "decision",
        "go-with-zh",
        "就|还是",
        rf"(?:那|咱|我们|最后|最终|，|\A)*(?:就|还是)(?:用|选|按|走|定|买|订|要|去|采用|选择)(?P<value>"
        rf"(?!这|那|不|什么|哪|的|你|我|会|是)(?:(?!吧|了|好了|行){_REST_ZH}){{2,30}})(?:吧|了|好了)",
        _is_own,
    ),
    _rule(
        "decision",
        "thing-goes-with-zh",
        "就用|就选|就按|就走|就定",
        rf"(?:\A|[，。；！\n：:])\s?(?:那么?|[{_HAN}\w ]{{2,10}}?)就(?:用|选|按|走|定)(?P<value>"
        rf"(?!这|那|不|什么|哪|的|你|我|会|是)(?:(?!吧|了|好了|行|可以|能|会){_REST_ZH}){{2,30}})"
        r"(?=[，。；！\n]|\Z)",
        _is_own,
    ),
)

_PREFERENCES = (
    _rule(
        "preference",
        "allergic",
        "allergic|intoler",
        rf"\b(?:i['’]?m|i am) (?:also |very |severely )?(?P<value>(?:lactose"
        rf"|gluten)[- ]intolerant|allergic to (?:(?! and i\b| but | so | as well)(?:"
        rf"{_REST})){{2,60}})",
    ),
    _rule(
        "preference",
        "diet",
        "vegetarian|vegan|pescatarian|halal|kosher|left-handed|colou?r-?blind|teetotal",
        r"\b(?:i['’]?m|i am)(?: an?)?(?: strict)? (?P<value>vegetarian|vegan|pescatarian"
        r"|left-handed|colou?r-?blind|teetotal)\b",
    ),
    _rule(
        "preference",
        "prefer",
        "prefer",
        rf"\bi(?:['’]d)? (?:really |usually |generally |would |much )?(?P<value>prefer "
        rf"(?P<what>(?:(?! because | if | but | so | and i ){_REST}){{2,70}}))",
        _is_thing,
    ),
    _rule(
        "preference",
        "dislike",
        "don't|don’t|hate|can't|dont|can’t",
        r"\bi (?:really )?(?P<value>(?:don['’]?t (?:like|eat|drink|want to be called)|hate"
        r"|can['’]?t (?:stand|eat|drink)) "
        rf"(?P<what>(?:(?! because | when | if | but | so | and i ){_REST}){{2,60}}))",
        _is_thing,
    ),
    _rule(
        "preference",
        "rather",
        "rather",
        rf"\bi(?:['’]d| would) (?P<value>rather (?!not\b)(?P<what>(?:(?! because "
        rf"| if | but ){_REST})"
        r"{4,70}))",
    ),
    _rule(
        "preference",
        "like",
        "love|like|enjoy",
        r"\bi (?:really |absolutely |usually |also )?(?P<value>(?:love|like|enjoy) (?P<what>"
        rf"(?:(?! because | when | if | but | so | and i | and (?:he|she|it|we|they) ){_REST})"
        r"{3,50}))",
        _is_thing,
    ),
    _rule(
        "preference",
        "favourite",
        "favo",
        rf"\b(?P<value>my favou?rite (?:\w+ ){{1,4}}is (?:(?! because | and my ){_REST}){{2,50}})",
    ),
    _rule(
        "preference",
        "allergic-zh",
        "过敏",
        rf"(?:我(?:自己|本人)?(?:从小|一直|是|也|还|有|就)*|[，,、。；！\n\s]|\A)(?:对)?"
        rf"(?P<value>(?:(?!过敏|对|我|他|她|不|没|会|容易|抗|皮肤|有点){_REST_ZH}){{1,12}}过敏)"
        r"(?!史|吗|原|性|药|反应|的)",
        _is_own_ailment,
    ),
    _rule(
        "preference",
        "cannot-zh",
        "不能吃|不能喝|不能碰|不耐受|不碰|吃素|纯素|素食",
        rf"(?:我(?:自己|本人)?|{_OPENING_ZH})(?:也|从来|一般|平时|都|是|一直)*(?P<value>不能[吃喝碰]"
        rf"(?:(?!但|因为|所以){_REST_ZH}){{1,16}}|[{_HAN}]{{2,4}}不耐受|不碰[{_HAN}]{{1,6}}"
        r"|(?:纯素|素食|清真)(?:主义)?者?)",
        _is_own,
    ),
    _rule(
        "preference",
        "dislike-zh",
        "不吃|不喝|不喜欢|讨厌|吃素",
        rf"(?:我|{_OPENING_ZH})(?:也|从来|一般|平时|最|真的|都|们|自己|本人|个人|比较|很)*(?P<value>(?:不吃|不喝"
        rf"|不喜欢|讨厌)(?P<what>(?:(?!但|因为|所以){_REST_ZH}){{1,20}})|吃素)",
        _is_own,
    ),
    _rule(
        "preference",
        "like-zh",
        "喜欢|偏好|爱吃|爱喝",
        rf"我(?:个人|平时|一直|也|还|比较|更|最|很|特别|非常|就|真的)*(?P<value>(?:更?喜欢|偏好"
        rf"|偏爱|爱吃|爱喝)(?P<what>(?:(?!但|因为|所以){_REST_ZH}){{1,24}}))",
        _is_thing,
    ),
)

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

_RULES = (*_CONSTRAINTS, *_DECISIONS, *_PREFERENCES, *_RELATIVE_DATES)
