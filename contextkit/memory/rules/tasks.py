"""The ways to set a task, and to promise one."""

from __future__ import annotations

import re

from contextkit.memory.items import Action
from contextkit.memory.reading import Reading
from contextkit.memory.rules.spoken import Check, Rule, always, pattern
from contextkit.memory.rules.todo_phrases import (
    ACT_ZH,
    BEFORE_ZH,
    DUE_TASK,
    END,
    HELP_ZH,
    IS_ERRAND,
    LATER_ZH,
    OPENING,
    REST,
    REST_ZH,
    TASK,
    TASK_ZH,
    WHEN,
    WHEN_ZH,
)
from contextkit.memory.rules.words_todos import ERRANDS_ZH, NO_TASKS


def _rule(
    name: str, hints: str, source: str, check: Check = always, action: Action = "add"
) -> Rule:
    return Rule(
        name=name,
        kind="todo",
        action=action,
        pattern=pattern(source),
        hints=tuple(hints.split("|")),
        check=check,
        confidence=0.85,
    )


_IS_MENTAL = re.compile(rf"(?:also |just |really )*{NO_TASKS}\b", re.I)

_IS_ANSWER = re.compile(
    r"(?:tell|show|explain|recommend|suggest|describe|play|list|help|give me|find|search)\b", re.I
)


def _is_task(reading: Reading, match: re.Match[str]) -> bool:
    return not _IS_MENTAL.match(match["value"]) and reading.mood_at(match.start()) != "hypothetical"


def _is_unfinished(reading: Reading, match: re.Match[str]) -> bool:
    return not match["value"].endswith(("了", "吧"))


def _is_request(reading: Reading, match: re.Match[str]) -> bool:
    """What can be answered at once is no task."""
    return _is_task(reading, match) and not _IS_ANSWER.match(match["value"])


_IS_ANSWER_ZH = re.compile(
    "翻译|解释|介绍|推荐|列|总结|讲|算|分析|说|看|想|查一?下|找|润色|写一?[首篇段个封]|生成|起"
    "|取个?名|改写|出主意"
    "|想想|理解|判断|对比|比较|评价|规划|制定|设计|描述|举|回答|画"
)


def _is_errand_for_later(reading: Reading, match: re.Match[str]) -> bool:
    return bool(match["due"]) and _is_errand(reading, match)


def _is_errand_zh(reading: Reading, match: re.Match[str]) -> bool:
    """What can be answered at once is no task."""
    said = match["value"]
    return not (_IS_ANSWER_ZH.match(said) or said.endswith(("了", "吗", "呢")))


def _is_errand(reading: Reading, match: re.Match[str]) -> bool:
    return IS_ERRAND.match(match["value"]) is not None


TASKS = (
    _rule(
        "remind-me",
        "remind me|a reminder",
        rf"(?:\A|[.!,;:\n。，]\s{{0,4}}|\b(?:please|pls|you|also|and|then|to"
        rf"|actually) )(?:remind me|(?:set|add|create) a reminder)(?: again)?(?: for me)? (?:"
        rf"(?P<when>{WHEN}) )?(?:to |about )(?:the )?{TASK}",
    ),
    _rule(
        "dont-forget",
        "forget to|remember to",
        rf"(?:\b(?:don['’]?t|do not|never) (?:let me )?forget to"
        rf"|(?<!i )\bremember to(?! me)) {TASK}",
        _is_task,
    ),
    _rule(
        "todo",
        "todo|to-do|to do:|action item",
        rf"\b(?:todo|to-do|to do|action item)\s*(?:[:：]|-\s)\s*(?![-*•\d\n\[]){TASK}",
    ),
    _rule(
        "on-my-list",
        " list|to-do|todo",
        rf"(?:{OPENING}|\b(?:please|and|also) )(?:put|add|stick|place) (?P<value>{REST}{{4,80}}?) "
        r"(?:on|to|in) (?:my|the|our) (?:[\w-]+ )?(?:list|to-?dos?|tasks)\b",
    ),
    _rule(
        "we-need-to",
        "we |still ",
        rf"\b(?:we (?:still |also |then |now )?(?:need to|have to|must|ought to|['’]?ve got to)"
        rf"|i still (?:need|have) to) (?:also |still |first )?{TASK}",
        _is_task,
    ),
    _rule(
        "i-need-to",
        "i ",
        rf"\bi(?:['’]ll)? (?:also |then |really |still |just )?(?:need to|have to|must|should"
        rf"|['’]?ve got to|gotta) "
        rf"(?:also )?{TASK}",
        _is_errand,
    ),
    _rule(
        "need-to",
        "need to|have to|got to|gotta",
        rf"{OPENING}(?:still |just |also )?(?:need|have|got) to (?:also |still )?{TASK}",
        _is_errand,
    ),
    _rule(
        "could-you",
        "you",
        rf"\b(?:can|could|would|will) you (?:please |also |then |maybe )*{DUE_TASK}",
        _is_request,
    ),
    _rule(
        "could-you-arrange",
        "you",
        rf"\b(?:can|could|would|will) you (?:please |also |then |maybe )*(?P<value>(?:order|book"
        rf"|schedule|reserve|open an? |file|cancel"
        rf"|renew|arrange|submit|set up|sign me up|chase|return"
        rf"|refund)\b{REST}{{2,80}}?)(?:\s+(?P<due>{WHEN}))?{END}",
        _is_request,
    ),
    _rule("please-by", "please", rf"\bplease (?:also |then )?{DUE_TASK}", _is_errand),
    _rule(
        "make-sure",
        "sure to|sure you|see to it",
        rf"(?:{OPENING}|\b(?:please|and|also) )(?:make sure"
        rf"|be sure|see to it)(?: to| that you| you)"
        rf" (?:also )?{TASK}",
        _is_errand,
    ),
    _rule(
        "want-you-to",
        "you to ",
        rf"\bi(?:['’]d like| want| need| would like) you to (?:also |please )?{TASK}",
        _is_errand_for_later,
    ),
    _rule(
        "plan-to",
        "plan|supposed to|about to|scheduled to|due to",
        rf"\b(?:i|we)(?:['’]m| am|['’]re| are)? (?:plan(?:ning)? to|supposed to|scheduled to"
        rf"|due to) {DUE_TASK}",
        _is_errand,
    ),
    _rule(
        "i-will",
        "i'll|i will|i’ll|going to",
        rf"\bi(?:['’]ll| will|['’]m going to| am going to) {DUE_TASK}",
        _is_errand,
    ),
    _rule(
        "remember-zh",
        "记得|别忘|不要忘|提醒我|勿忘",
        rf"(?:(?P<due>{WHEN_ZH})[，,]?\s*)?(?:(?:提醒我|(?:(?<![我还不你他她也都])"
        rf"|(?<=帮我))(?:记得"
        rf"|别忘了?记?|不要忘了?记?|勿忘)){{1,2}}|[你您](?:记得|别忘了?|不要忘了?)(?=要|帮|给"
        rf"|把|在|去)){HELP_ZH}(?P<when>{WHEN_ZH})?{HELP_ZH}{TASK_ZH}",
    ),
    _rule(
        "object-first-zh",
        "得去|还得|还要|还没",
        rf"(?:\A|[，。；！\n]|另外|还有"
        rf"|对了)\s?(?P<value>(?![我你您他她它这那]|到现在|一直|怎么|为什么"
        rf"|现在)[\u4e00-\u9fff]{{2,8}}?"
        rf"(?:得去|还得|还要|还没)(?:去|赶紧|尽快)?{ERRANDS_ZH}[\u4e00-\u9fff]{{0,4}})"
        r"(?=[，。；！\n,]|\Z)",
        _is_errand_zh,
    ),
    _rule(
        "i-will-zh",
        "我",
        rf"(?:\A|[，。；！\n,]\s?)(?P<value>(?:[\u4e00-\u9fff\w]{{2,8}}?)?我(?P<when>{WHEN_ZH})(?:就|会|去|再|来)*"
        rf"(?:{ERRANDS_ZH})(?!过|了|什么|吗)[^，。；！？\n,了吗]{{0,30}})(?=[，。；！\n,]|\Z)",
        _is_unfinished,
    ),
    _rule(
        "object-must-zh",
        "要",
        r"(?:\A|[，。；！\n,]\s?|还有"
        r"|另外)(?P<value>(?![我你他她它这那谁什只就不想都快会还另])[\u4e00-\u9fff]{2,6}要"
        r"(?:通知|过户|申请|预约|缴|续|换|修|办|提交|更新|寄|还|准备|联系|确认|交|签|报名"
        r"|打印)[\u4e00-\u9fff]{0,8})(?=[，。；！\n,]|\Z)",
        _is_errand_zh,
    ),
    _rule(
        "still-zh",
        "还需|还要|还得|仍需|还差",
        rf"(?<![比都你您])(?:还需要|还需(?!要)|还要|还得|仍需要|仍需(?!要))(?P<due>{WHEN_ZH})?"
        rf"{HELP_ZH}{TASK_ZH}",
    ),
    _rule(
        "when-must-zh",
        "要|得|需要|必须",
        rf"(?P<due>{WHEN_ZH})(?:我们?|你|您|大家|就|还|也|一定|之前|前)*(?:要|得|需要|必须)"
        rf"{HELP_ZH}{TASK_ZH}",
        _is_unfinished,
    ),
    _rule(
        "later-zh",
        "帮|替我|给我",
        rf"(?:(?P<due>{WHEN_ZH})|{LATER_ZH})(?:我们?|你|您|请|麻烦|再|也|还|之前|前)*(?:帮我"
        rf"|帮忙|替我|给我)(?:再|也)?{TASK_ZH}",
    ),
    _rule(
        "we-must-zh",
        "需要|必须|得",
        rf"(?:我们?|咱们?|你们?)(?:还|也|都|就)?(?:必须|需要|得)(?:尽快|马上|先|再|去)*"
        rf"(?P<value>{ERRANDS_ZH}{REST_ZH}{{1,60}})",
        _is_unfinished,
    ),
    _rule(
        "soon-zh",
        "需要|必须|得",
        r"(?:\A|[，。；！\n])\s?(?:还)?(?:必须|需要|得)(?:尽快|马上|立刻|抓紧)(?:去)?"
        rf"(?P<value>{ERRANDS_ZH}{REST_ZH}{{1,60}})",
        _is_unfinished,
    ),
    _rule(
        "due-zh",
        "前|把|给|之内",
        rf"(?:\A|[，。；！、：:,;\n\s]|请|麻烦|务必)(?:我们?|你们?|您|请|麻烦|大家|记住|务必"
        rf"|另外|还有|对了)*(?:在|于)?"
        rf"(?P<due>{BEFORE_ZH}(?:前|之前|以前|之内|内)?)[，,]?(?:我们?|你们?|您|请|麻烦|一定"
        rf"|务必|尽量|先|就|再|也|要|得|需要|记得)*"
        rf"(?P<value>(?:把|给|将|(?<=前){ACT_ZH}|(?<=前[请要得]){ACT_ZH}){REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "must-before-zh",
        "务必|一定要|必须",
        rf"(?:务必|一定要|必须)(?:请)?(?:在|于)(?P<due>[^，。；！？\n,;!?]{{1,12}}?(?:之?前|以前"
        rf"|之内))"
        rf"(?P<value>(?:把|给|将|{ERRANDS_ZH}){REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "trouble-you-zh",
        "麻烦|劳烦|烦请|有劳|请你|请您|务必",
        rf"(?:麻烦|劳烦|烦请|有劳|请[你您]|务必)(?:[你您]们?|大家|帮忙|帮我|替我|给我|也|再|先"
        rf"|尽快|及时|去)*"
        rf"(?P<value>(?:把|将|给(?!我)|{ERRANDS_ZH})(?!(?:的话|您了|你了)){REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "you-first-zh",
        "你先|您先|给",
        rf"(?:你|您|麻烦)先?(?P<value>(?:给|把|为){REST_ZH}{{1,20}}?(?:补上?|加上?|写上?|修好?"
        rf"|改成|删掉|换成|更新){REST_ZH}{{1,24}})",
        _is_errand_zh,
    ),
    _rule(
        "help-me-zh",
        "帮我|替我|帮忙|帮我们",
        rf"(?:帮我们?|替我|帮忙)(?:去|再|先|也|尽快|给)*\s?(?P<value>(?:预?订|预约|改签"
        rf"|退[票货掉款]|换货|取消|寄"
        r"|发给|发[一个封]|通知|联系|安排|登记|报名|续[费订签]|提交|催|转[给告达]|约|买|跟进"
        r"|取[一下快件]|缴|充值"
        rf"|加上|加一?[个条项段]|补上|补一?[个条]|删掉|写一?[个支份套](?!作文|故事|诗)"
        rf"|做一?[个份套](?!梦)|跑一[下遍次]"
        rf"|改[^写进成变]{{1,6}}(?:时间|日期|地址|航班|机票|班次)|schedule|book|cancel|send"
        rf"|email|remind"
        rf"|把{REST_ZH}{{1,20}}?(?:发|寄|交|送|退|转|改到|改成|订|存档|备份|归档"
        rf"|更新)){REST_ZH}{{0,60}})",
        _is_errand_zh,
    ),
    _rule(
        "by-the-way-zh",
        "顺便|顺带|另外|同时|还有",
        rf"(?:顺便|顺带|另外|同时|还有)[，,]?(?:请|麻烦|你|您|也|帮我|再"
        rf"|去)*\s?(?P<value>(?:(?:add|write|fix"
        rf"|update|remove|send|check|run|create|rename)\b|把|将|通知|联系|提交|发给"
        rf"|更新|准备|安排|预订|整理|确认|跟进){REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "must-first-zh",
        "得先|要先|需要先|必须先|还没",
        rf"(?<![觉懂记获值晓])(?:得|要|需要|必须)先(?P<value>(?:把|{ACT_ZH}){REST_ZH}{{1,60}})",
        _is_errand_zh,
    ),
    _rule(
        "todo-zh", "待办|待处理", rf"(?:待办|待处理)(?:事项|任务)?[:：]\s*(?![-*•\d一1①]){TASK_ZH}"
    ),
)

PROMISES = (
    _rule(
        "deliver",
        "i'll|i will|i’ll|we'll|we will",
        r"\b(?:i|we)(?:['’]ll| will) (?:also |then "
        r"|now )?(?P<value>(?:(?:send|e-?mail|text|call|mail"
        rf"|ship) (?:you|it to you|them to you)\b|follow up|get back to you|escalate\b|notify\b)"
        rf"{REST}{{0,80}}?)(?:\s+(?P<due>{WHEN}))?{END}",
    ),
    _rule(
        "promise",
        "i'll|i will|i’ll|going to",
        rf"\bi(?:['’]ll| will|['’]m going to| am going to) (?:also |then )?{DUE_TASK}",
        _is_errand,
    ),
    _rule(
        "promise-zh",
        "我",
        rf"我们?(?:会|将)?(?:在|于)?(?P<due>{WHEN_ZH})(?:之?[前内])?(?:为[你您]|帮[你您])?"
        rf"{TASK_ZH}",
    ),
)
