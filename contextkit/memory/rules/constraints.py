"""Standing rules of the user: "never ...", "from now on ...", "以后都…"."""

from __future__ import annotations

import re

from contextkit.memory.han import HAN
from contextkit.memory.reading import Reading
from contextkit.memory.rules.clauses import (
    CLAUSE,
    OPENING,
    OPENING_ZH,
    REST,
    REST_ZH,
    TO_AND,
    stated,
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
        or (said.endswith("了") and not re.search("再|以后|今后", match[0]))
    )


_ERRAND_ZH = re.compile(
    rf"(?:在|于)?{REST_ZH}{{0,12}}?(?:之?前|以前)(?!提)|(?:尽快|马上|立刻|今天|明天|后天|本周|下周)"
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
    r"(?:use|keep|stick|hand|give|write|send|ship|deliver|call|email|e-mail|text|contact|answer"
    r"|reply|respond"
    r"|speak|format|put|add|include|show|give|quote|cite|address|treat|follow|run|test|check|ask"
    r"|tell"
    r"|make|set|store|save|log|name|book|order|bill|charge|round|limit|avoid|skip|leave|start|end"
    r"|sign|cc|copy|prefer|default|spell|translate|list|explain|summari[sz]e|only|double[- ]check"
    r"|confirm|report|notify|refer|go|do|buy|recommend|suggest|pick|choose|schedule|change|delete"
    r"|remove|share|spend|pay|commit|push|merge|deploy|touch|edit|modify|move|cancel|post|publish"
    r"|submit)\b",
    re.I,
)


_NO_BAN = re.compile(
    r"(?:problem|worr|idea|need|rush|hurry|thank|doubt|way|one|matter|luck|clue|reply|answer"
    r"|response"
    r"|news|change|sign|longer|more than|less|wonder|chance)",
    re.I,
)


def _is_ban(reading: Reading, match: re.Match[str]) -> bool:
    """Whether it forbids something, as "no luck in the lab" does not."""
    return not _NO_BAN.match(match["what"])


def _is_plain_order(reading: Reading, match: re.Match[str]) -> bool:
    return _IS_ORDER.match(match["what"].lstrip()) is not None


def _is_standing_order(reading: Reading, match: re.Match[str]) -> bool:
    return _STANDING.search(match[0]) is not None and _is_plain_order(reading, match)


_HOURS_ZH = (
    r"(?:(?:每?周[一二三四五六日末天]|星期[一二三四五六日天]|工作日|节假日|周末|上班时间|早上"
    r"|晚上|夜里|中午|[上下]午|白天"
    r"|\d{1,2}[点:：]\d{0,2}(?:之?[前后]|以[前后])?)(?:之?[前后]|以[前后]|的时候)?)+(?:都|请|也"
    r"|千万)?"
)

CONSTRAINTS = (
    stated(
        "constraint",
        "always",
        "always",
        rf"{OPENING}always (?P<value>(?P<what>{TO_AND}))",
        _is_order,
    ),
    stated(
        "constraint",
        "never",
        "never|don't|don’t|do not|avoid|stop |no more",
        rf"{OPENING}(?P<value>(?:never|don['’]?t ever|do not ever|don['’]?t|do not|avoid|stop"
        rf"(?= \w+ing))\s+(?P<what>{TO_AND}))",
        _is_rule,
    ),
    stated(
        "constraint",
        "from-now-on",
        "from now on|going forward|in future|in the future",
        r"\b(?:from now on|going forward|in (?:the )?future),? (?:please |always |you "
        r"(?:should|must) (?:always )?)?"
        rf"(?!i\b|we\b|never|don)(?P<value>(?P<what>{TO_AND}))",
        _is_rule,
    ),
    stated(
        "constraint",
        "until-further-notice",
        "from now on|going forward|in future|in the future|at all times|every time|for all|in all",
        rf"{OPENING}(?P<value>(?P<what>(?:{REST}){{4,100}}))(?=[.,;!?\n]|\Z)",
        _is_standing_order,
    ),
    stated(
        "constraint",
        "ask-first",
        "without |before ",
        rf"{OPENING}(?P<value>(?P<what>(?:{REST}){{3,60}}?) (?:without (?:first )?(?:asking"
        r"|checking with|telling|consulting|my (?:permission|approval|ok|okay|consent))"
        rf"(?:{REST}){{0,40}}))",
        _is_plain_order,
    ),
    stated(
        "constraint",
        "must",
        "must|should|have to|are to",
        r"\b(?:you|all (?:answers|replies|responses)|every (?:answer|reply|response)|"
        r"(?:answers|replies))"
        rf" (?P<value>(?:must|should|have to|are to|may|can) "
        rf"(?P<what>(?:always|never|not|only)\b{CLAUSE}))",
    ),
    stated(
        "constraint",
        "wish",
        "you to ",
        rf"\bi(?:['’]d like| want| need| would like) you to (?P<value>(?:always|never) {TO_AND})",
    ),
    stated(
        "constraint",
        "manner",
        "answer|reply|respond|keep|use |write|every|each|all ",
        rf"{OPENING}(?P<value>(?:(?:only )?(?:answer|reply|respond)(?: to me| me)? "
        rf"(?:only )?in (?P<what>(?:{REST}){{2,40}})"
        r"|keep (?:your |all |the |every )?(?:answers?|repl(?:ies|y)|responses?|it|explanations?"
        r"|messages?|summar(?:y|ies)|emails?) (?:short"
        r"|brief|concise|simple|polite|formal|under [\w ]+"
        r"|to [\w ]+|in [\w ]+)"
        r"|(?:(?:end|start|begin|finish|sign) (?:off )?(?:every"
        r"|each|all|your) |format (?:all|every) "
        rf"|(?:cite|include|show|quote|list"
        rf"|add) [\w ]{{2,40}}? (?:in|with|for) (?:every|each|all) )"
        rf"(?:{REST}){{3,60}}"
        r"|(?:only )?use (?:only )?(?:metric|imperial|formal|informal|simple|british|american"
        r"|plain)[\w ]{2,40}))",
    ),
    stated(
        "constraint",
        "nothing",
        "no |nothing ",
        rf"{OPENING}(?P<value>no(?:thing)? (?P<what>"
        rf"(?:{REST}){{3,60}}?),? (?:ever|at all|whatsoever"
        rf"|(?:for me,? )?please)(?:, ever)?)(?=[.,;!\n]|\Z)",
        _is_ban,
    ),
    stated(
        "constraint",
        "instead-of",
        "instead of|rather than",
        rf"{OPENING}(?P<value>(?P<what>(?:text|call|e-?mail|message|ping|use|write|send|contact"
        rf"|mail) (?:{REST}){{2,40}}?) (?:instead of|rather than) (?:{REST}){{3,40}})",
        _is_plain_order,
    ),
    stated(
        "constraint",
        "limit",
        "keep ",
        rf"(?:{OPENING}|\b(?:and|rules?:) )(?P<value>keep (?P<what>(?:{REST}){{3,40}}?) (?:under"
        rf"|below|within|above|to|at|in) (?:{REST}){{2,40}})",
    ),
    stated(
        "constraint",
        "no-without",
        "no ",
        rf"(?:{OPENING}|[:：] ?)(?P<value>no (?P<what>(?:{REST}){{3,50}}?) (?:without|during"
        rf"|before|after|on|in|outside|unless|until) (?:{REST}){{3,50}})",
        _is_ban,
    ),
    stated(
        "constraint",
        "order-only-by",
        " only ",
        rf"{OPENING}(?P<value>(?P<what>(?:{REST}){{4,40}}?) only (?:on|by|in|via|through|after"
        rf"|before|during|with|to|from|at|as) (?:{REST}){{2,40}})",
        _is_plain_order,
    ),
    stated(
        "constraint",
        "only-order",
        "only ",
        rf"(?:{OPENING}|\bso (?:please )?)(?P<value>only (?P<what>(?:{REST}){{6,80}}))",
        _is_plain_order,
    ),
    stated(
        "constraint",
        "not-before",
        "don't|don’t|do not",
        rf"\b(?P<value>i (?:don['’]?t|do not) (?P<what>(?:take|do|accept|work|answer|fly|drive"
        rf"|eat)\b(?:{REST}){{0,30}}? (?:before|after|on|during|past)"
        rf" (?:{REST}){{2,30}}))",
    ),
    stated(
        "constraint",
        "no-more",
        "any more|anymore",
        rf"\b(?:we|i)(?:['’]re| are|['’]m"
        rf"| am)? (?P<value>not (?P<what>(?:{REST}){{4,60}}?) any ?more)\b",
    ),
    stated(
        "constraint",
        "only",
        " only",
        rf"{OPENING}(?P<value>(?P<what>(?:{REST}){{4,60}}?) only)(?=[.,;!\n]|\Z)",
        _is_plain_order,
    ),
    stated(
        "constraint",
        "nobody-may",
        "must|should never",
        r"\b(?:the|my|our|your) [\w ]{3,24}? (?P<value>(?:mustn['’]t|must not|must never"
        r"|should never"
        rf"|may not|must always) (?P<what>{TO_AND}))",
    ),
    stated(
        "constraint",
        "from-now-on-zh",
        "以后|今后|往后|从现在|之后|每次|一律|始终|永远|务必|请总是",
        rf"(?:{OPENING_ZH}(?:以后|今后|往后|从现在起|从现在开始|之后都|之后请|接下来都"
        rf"|每次都?[请要])(?:你|您|请|就|都|的|要|，|所有)*"
        rf"|{OPENING_ZH}(?:你|您|请|回答|回复)*(?:一律|始终|永远都?|务必|请总是)(?:要)?)"
        rf"(?!我|再说|有机会|还|不要|别|不)(?P<value>(?P<what>{REST_ZH}{{2,40}}))",
        _is_standing_rule_zh,
    ),
    stated(
        "constraint",
        "every-zh",
        "必须|一律|都要|都得|统一|都不|只能|一定要|都用|均|不能|不得|不许|不准|不要|禁止",
        rf"{OPENING_ZH}(?P<value>(?:所有人?|每[个次条一封份]|任何人?|全部|凡是|无论|只要是|涉及)"
        rf"(?P<what>{REST_ZH}{{0,24}}?(?:必须|一律|都[要得用不]|不许|不准|不要|禁止|统一|只能"
        rf"|一定要|均|不能|不得)"
        rf"{REST_ZH}{{1,40}}))",
        _is_rule_zh,
    ),
    stated(
        "constraint",
        "uniformly-zh",
        "一律|统一|只能用|只用",
        rf"{OPENING_ZH}(?P<value>(?!我|他|她|它|公司|学校|国家|政府)(?P<what>{REST_ZH}{{1,24}}?"
        rf"(?:一律|统一用|统一使用|统一按|只能用)"
        rf"{REST_ZH}{{1,40}}))",
        _is_rule_zh,
    ),
    stated(
        "constraint",
        "all-to-zh",
        "都发|都寄|都存|都放|都走|都打",
        rf"{OPENING_ZH}(?P<value>(?!我们|大家|他|她|人)(?P<what>{REST_ZH}{{1,12}}?(?:全都?"
        rf"|都)(?:(?:发|寄|存|放|打|送|转|汇)"
        rf"(?:到|给|在)|走){REST_ZH}{{2,30}}))",
        _is_rule_zh,
    ),
    stated(
        "constraint",
        "must-have-zh",
        "都要|都得|一定要有|必须有|只能|就行",
        rf"{OPENING_ZH}(?P<value>(?!我们?|你|他|她|这|那|大家"
        rf"|人)(?P<what>[{HAN}\w]{{2,8}}?(?:都[要得](?:选|用|有|写|是|带|含|按|用)"
        rf"|一定要有?|必须有?|只能|只要){REST_ZH}{{1,30}}))",
        _is_rule_zh,
    ),
    stated(
        "constraint",
        "before-zh",
        "前",
        rf"{OPENING_ZH}(?P<value>(?!我|你|他|她)(?P<what>[{HAN}\w ]{{1,10}}?(?:之前|以前"
        rf"|前)(?:一定|必须|务必|都)+(?:要|得|先)+{REST_ZH}{{2,30}}))",
        _is_rule_zh,
    ),
    stated(
        "constraint",
        "thing-never-zh",
        "别|不要",
        rf"{OPENING_ZH}(?P<value>(?P<what>(?!以后|今后|回答|回复"
        rf"|[我你他她您这那特个级区性分什差])[{HAN}\w]{{2,8}}?(?:就|都|也)?(?:别|不要)再?"
        rf"(?:安排|发|给|放|带|写|用|打|碰|动|改|删|加|选|订|买|寄|送|叫|推荐"
        rf"|提|超过|晚于|早于|低于){REST_ZH}{{1,24}}))",
        _is_rule_zh,
    ),
    stated(
        "constraint",
        "reach-me-zh",
        "有事|有什么事|有问题",
        rf"(?P<value>(?:有事|有什么事|有问题|有情况)\s?(?:请|就|直接|都)*(?P<what>(?:发|打|用|找"
        rf"|走|留|联系|[A-Za-z]){REST_ZH}{{1,20}}))",
    ),
    stated(
        "constraint",
        "manner-zh",
        "回答|回复|说话|解释|语气|称呼|输出|代码|答案",
        rf"{OPENING_ZH}(?P<value>[你您]?(?:回答|回复|说话|解释|语气|输出|答案|给我的?回复"
        rf"|跟我说话|注释|[{HAN}]{{2,4}}注释|文案|标题)"
        rf"(?:我|时|的时候|内容)?(?:请|要|尽量|一直用|得|最好|只|都|请用"
        rf"|麻烦)+(?P<what>{REST_ZH}{{1,30}})"
        rf"|(?:请|麻烦|尽量)?用(?:中文|英文|英语|日语|简体中文|繁体中文|粤语|普通话|大白话)"
        rf"(?:来)?(?:回答|回复|交流|说|写|沟通){REST_ZH}{{0,12}})",
    ),
    stated(
        "constraint",
        "never-zh",
        "不要|别|不准|禁止|切勿|请勿|不许|不得|不能|唔好|咪",
        rf"(?:{OPENING_ZH}|(?:以后|今后|千万|回答|回复|永远|绝对)(?:你|请|都|时|中|里|，)*"
        rf"|(?P<when>{_HOURS_ZH}))"
        r"(?P<value>(?:千万|永远|绝对|再也)?(?:不要再?|别再?|不准|禁止|切勿|请勿|不许|不得"
        r"|不可以?|唔好|咪)"
        rf"(?P<what>{REST_ZH}{{2,40}}))",
        _is_rule_zh,
    ),
)
