"""What is still to be done, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from contextkit.memory.items import Action, Finding
from contextkit.memory.reading import Reading
from contextkit.memory.spoken import Check, Rule, always, apart, pattern, place, spoken, trimmed
from contextkit.memory.todo_endings import endings
from contextkit.memory.typed_dates import DATED, RELATIVE, RELATIVE_ZH
from contextkit.memory.words_todos import ERRANDS, ERRANDS_ZH, NO_TASKS, NO_TASKS_ZH

_REST = (
    r"(?:[^.,;!?\n，。；！？]|\.(?=\w)|(?<=\b[DM][rs])\.|(?<=\bMrs)\.|,(?=\d{3})"
    r"|,(?= (?:19|20)\d\d\b)|\?(?=[\w=&]))"
)
_REST_ZH = r"(?:[^，。；！？\n,;!?]|\?(?=[\w=&]))"
_WHEN = (
    rf"(?:(?:(?:by|before|until|no later than|on) )?{RELATIVE}|(?:by|before|until) {DATED}"
    r"|(?:by|before) (?:the )?(?:end\b[\w ]{0,20}|\d[\w:. ]{0,10}|lunch|dinner|christmas|new year)"
    r"|later(?: today| on)?|when you (?:can|get a chance|have time)|afterwards)"
)
_END = (
    r"(?=\s*(?:[,;!?\n，。；！？]|(?<!\b[DM][rs])(?<!\bMrs)\.|\Z"
    r"|\b(?:and )?then\b|\b(?:and|but) (?:i|we|you|also|please"
    r"|remind)\b|\bbecause\b))"
)
_OPENING = r"(?:\A|[.!;:\n。，,]\s{0,4})"
_TASK = rf"(?P<value>{_REST}{{2,120}}?)(?:\s+(?P<due>{_WHEN}))?{_END}"
_DUE_TASK = rf"(?P<value>{_REST}{{2,120}}?)\s+(?P<due>{_WHEN}){_END}"
_WHEN_ZH = (
    rf"(?:{RELATIVE_ZH}|周末|(?:20\d\d年)?\d{{1,2}}月\d{{1,2}}[日号])(?:之?前|以前|上午|下午|早上|晚上|中午|下班)?"
    rf"(?:[\d一二两三四五六七八九十]{{1,3}}[点:](?:半|\d{{0,2}}分?))?(?:之?前|以前)?"
)
_BEFORE_ZH = (
    rf"(?:{_WHEN_ZH}|(?:凌晨|早上|上午|中午|下午|傍晚|晚上)?[\d一二两三四五六七八九十]{{1,3}}[点:](?:半|\d{{0,2}}分?)钟?"
    r"(?:之?前|以前)|[\u4e00-\u9fff]{2,4}(?:之前|以前|前))"
)
"""A day or an hour, or an event, by which something has to be done: "出发前"."""
_ACT_ZH = rf"\s?(?:{ERRANDS_ZH}|{ERRANDS}\b)"
_LATER_ZH = "(?:等下|等会儿?|待会儿?|回头|稍后|晚点|晚些时候|过后|之后|有空的?时候?)"
_TASK_ZH = rf"(?P<value>(?!{NO_TASKS_ZH}){_REST_ZH}{{2,60}})"
_HELP_ZH = "(?:一下|帮我|帮忙|替我|给我|要|去|再|也)*"


def todos(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    """Yield the tasks that a message sets, ends, calls off or takes up again.

    What a message ends comes first: it is never a task of the same message.

    Args:
        reading: the message.
        before: the messages right before, for "that is done".

    Example:
        >>> from contextkit.memory.reading import read
        >>> found = todos(read("Remind me to call Ann by Friday.", index=0, role="user"), ())
        >>> [(finding.action, finding.value, finding.due) for finding in found]
        [('add', 'call Ann', 'by Friday')]
    """
    yield from endings(reading, lambda: [todo for other in before for todo in set_tasks(other)])
    yield from set_tasks(reading)


def set_tasks(reading: Reading) -> Iterator[Finding]:
    """Yield the tasks that a message sets."""
    if reading.trust == "assistant":
        yield from _with_sequels(spoken(_PROMISES, reading), reading)
    elif reading.trust == "user":
        yield from _with_sequels(_all(reading), reading)


def _all(reading: Reading) -> Iterator[Finding]:
    yield from _listed(reading)
    yield from spoken(_TASKS, reading)


def _with_sequels(found: Iterator[Finding], reading: Reading) -> Iterator[Finding]:
    """Each stretch of text sets one task; what "and" or "and then" goes on with is another."""
    for finding in sorted(apart(found, len(reading.text)), key=place):
        yield from _halves(finding, reading)
        yield from _continued(finding, reading)


_GOES_ON = re.compile(
    rf"[^.;!?\n。；！？]{{0,30}}?(?:[,，]?\s*(?:\b(?:and )?then\b|然后|接着)\s*(?:再|要|去)?"
    rf"|[,，]\s*再(?![说见也三次])|[,，]\s*(?:并且?|同时)(?:抓紧|尽快|及时)?(?=把|{ERRANDS_ZH}))(?P<value>{_REST}{{2,80}})",
    re.I,
)
_LISTED_ON = re.compile(
    rf"(?:\s+{_WHEN})?,\s*(?:and\s+)?(?:also\s+)?(?:to\s+)?(?P<value>{ERRANDS}\b{_REST}{{2,80}})",
    re.I,
)
"""How a sentence goes on with another task: "buy milk, call Ann, and pay the rent"."""

_JOINED = re.compile(rf"\s+and\s+(?:also\s+|then\s+)?(?:to\s+|(?={ERRANDS}\b\s+\w))", re.I)
_HALVED = re.compile(r"\w+\W+(?:\w+\W+)*\w")


def _halves(finding: Finding, reading: Reading) -> Iterator[Finding]:
    """Yield the tasks that "and" joins: each has a verb and an object of its own."""
    start, limit = finding.source.start, finding.source.end
    for joint in _JOINED.finditer(reading.text, start, limit):
        if _HALVED.match(reading.text, start, joint.start()):
            yield from _part(finding, reading, start, joint.start())
            start = joint.end()
    is_whole = start == finding.source.start and finding.value == reading.text[start:limit]
    yield from [finding] if is_whole else _part(finding, reading, start, limit)


def _part(finding: Finding, reading: Reading, start: int, end: int) -> Iterator[Finding]:
    late = _DUE_AT_END.search(reading.text, start, end)
    start, end = trimmed(reading.text, start, late.start() if late else end)
    if start < end:
        due = late["due"] if late else finding.due
        source = reading.source(start, end)
        yield replace(finding, value=reading.text[start:end], source=source, due=due)


def _continued(finding: Finding, reading: Reading) -> Iterator[Finding]:
    end = finding.source.end
    if match := _GOES_ON.match(reading.free, end):
        yield from _part(replace(finding, due=""), reading, *match.span("value"))
        return
    while match := _LISTED_ON.match(reading.free, end):
        end = match.end("value")
        listed = reading.source(*match.span("value"))
        yield from _halves(replace(finding, source=listed, due=""), reading)


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
_IS_ERRAND = re.compile(rf"(?:also |just |first )*{ERRANDS}\b", re.I)


def _is_task(reading: Reading, match: re.Match[str]) -> bool:
    return not _IS_MENTAL.match(match["value"]) and reading.mood_at(match.start()) != "hypothetical"


def _is_unfinished(reading: Reading, match: re.Match[str]) -> bool:
    return not match["value"].endswith(("了", "吧"))


def _is_request(reading: Reading, match: re.Match[str]) -> bool:
    """What can be answered at once is no task."""
    return _is_task(reading, match) and not _IS_ANSWER.match(match["value"])


_IS_ANSWER_ZH = re.compile(
    "翻译|解释|介绍|推荐|列|总结|讲|算|分析|说|看|想|查一?下|找|润色|写一?[首篇段个封]|生成|起|取个?名|改写|出主意"
    "|想想|理解|判断|对比|比较|评价|规划|制定|设计|描述|举|回答|画"
)


def _is_errand_for_later(reading: Reading, match: re.Match[str]) -> bool:
    return bool(match["due"]) and _is_errand(reading, match)


def _is_errand_zh(reading: Reading, match: re.Match[str]) -> bool:
    """What can be answered at once is no task."""
    said = match["value"]
    return not (_IS_ANSWER_ZH.match(said) or said.endswith(("了", "吗", "呢")))


def _is_errand(reading: Reading, match: re.Match[str]) -> bool:
    return _IS_ERRAND.match(match["value"]) is not None


_TASKS = (
    _rule(
        "remind-me",
        "remind me|a reminder",
        rf"(?:\A|[.!,;:\n。，]\s{{0,4}}|\b(?:please|pls|you|also|and|then|to"
        rf"|actually) )(?:remind me|(?:set|add|create) a reminder)(?: again)?(?: for me)? (?:"
        rf"(?P<when>{_WHEN}) )?(?:to |about )(?:the )?{_TASK}",
    ),
    _rule(
        "dont-forget",
        "forget to|remember to",
        rf"(?:\b(?:don['’]?t|do not|never) forget to|(?<!i )\bremember to(?! me)) {_TASK}",
        _is_task,
    ),
    _rule(
        "todo",
        "todo|to-do|to do:|action item",
        rf"\b(?:todo|to-do|to do|action item)\s*(?:[:：]|-\s)\s*(?![-*•\d\n\[]){_TASK}",
    ),
    _rule(
        "we-need-to",
        "we |still ",
        rf"\b(?:we (?:still |also |then |now )?(?:need to|have to|must|ought to|['’]?ve got to)"
        rf"|i still (?:need|have) to) (?:also |still |first )?{_TASK}",
        _is_task,
    ),
    _rule(
        "i-need-to",
        "i ",
        rf"\bi (?:also |then |really )?(?:need to|have to|must|should|['’]?ve got to|gotta) "
        rf"(?:also )?{_TASK}",
        _is_errand,
    ),
    _rule(
        "could-you",
        "you",
        rf"\b(?:can|could|would|will) you (?:please |also |then |maybe )*{_DUE_TASK}",
        _is_request,
    ),
    _rule("please-by", "please", rf"\bplease (?:also |then )?{_DUE_TASK}", _is_errand),
    _rule(
        "make-sure",
        "sure to|sure you|see to it",
        rf"(?:{_OPENING}|\b(?:please|and|also) )(?:make sure"
        rf"|be sure|see to it)(?: to| that you| you)"
        rf" (?:also )?{_TASK}",
        _is_errand,
    ),
    _rule(
        "want-you-to",
        "you to ",
        rf"\bi(?:['’]d like| want| need| would like) you to (?:also |please )?{_TASK}",
        _is_errand_for_later,
    ),
    _rule(
        "plan-to",
        "plan|supposed to|about to|scheduled to|due to",
        rf"\b(?:i|we)(?:['’]m| am|['’]re| are)? (?:plan(?:ning)? to|supposed to|scheduled to"
        rf"|due to) {_DUE_TASK}",
        _is_errand,
    ),
    _rule(
        "i-will",
        "i'll|i will|i’ll|going to",
        rf"\bi(?:['’]ll| will|['’]m going to| am going to) {_DUE_TASK}",
        _is_errand,
    ),
    _rule(
        "remember-zh",
        "记得|别忘|不要忘|提醒我|勿忘",
        rf"(?:(?P<due>{_WHEN_ZH})[，,]?\s*)?(?:(?:提醒我|(?:(?<![我还不你他她也都])|(?<=帮我))(?:记得"
        rf"|别忘了?记?|不要忘了?记?|勿忘)){{1,2}}|[你您](?:记得|别忘了?|不要忘了?)(?=要|帮|给"
        rf"|把|在|去)){_HELP_ZH}(?P<when>{_WHEN_ZH})?{_HELP_ZH}{_TASK_ZH}",
    ),
    _rule(
        "still-zh",
        "还需|还要|还得|仍需|还差",
        rf"(?<![比都你您])(?:还需要|还需(?!要)|还要|还得|仍需要|仍需(?!要))(?P<due>{_WHEN_ZH})?"
        rf"{_HELP_ZH}{_TASK_ZH}",
    ),
    _rule(
        "when-must-zh",
        "要|得|需要|必须",
        rf"(?P<due>{_WHEN_ZH})(?:我们?|你|您|大家|就|还|也|一定|之前|前)*(?:要|得|需要|必须)"
        rf"{_HELP_ZH}{_TASK_ZH}",
        _is_unfinished,
    ),
    _rule(
        "later-zh",
        "帮|替我|给我",
        rf"(?:(?P<due>{_WHEN_ZH})|{_LATER_ZH})(?:我们?|你|您|请|麻烦|再|也|还|之前|前)*(?:帮我"
        rf"|帮忙|替我|给我)(?:再|也)?{_TASK_ZH}",
    ),
    _rule(
        "we-must-zh",
        "需要|必须|得",
        rf"(?:我们?|咱们?|你们?)(?:还|也|都|就)?(?:必须|需要|得)(?:尽快|马上|先|再|去)*"
        rf"(?P<value>{ERRANDS_ZH}{_REST_ZH}{{1,60}})",
        _is_unfinished,
    ),
    _rule(
        "soon-zh",
        "需要|必须|得",
        r"(?:\A|[，。；！\n])\s?(?:还)?(?:必须|需要|得)(?:尽快|马上|立刻|抓紧)(?:去)?"
        rf"(?P<value>{ERRANDS_ZH}{_REST_ZH}{{1,60}})",
        _is_unfinished,
    ),
    _rule(
        "due-zh",
        "前|把|给|之内",
        rf"(?:\A|[，。；！、：:,;\n\s]|请|麻烦|务必)(?:我们?|你们?|您|请|麻烦|大家|记住|务必|另外|还有|对了)*(?:在|于)?"
        rf"(?P<due>{_BEFORE_ZH}(?:前|之前|以前|之内|内)?)[，,]?(?:我们?|你们?|您|请|麻烦|一定|务必|尽量|先|就|再|也|要|得|需要|记得)*"
        rf"(?P<value>(?:把|给|将|(?<=前){_ACT_ZH}|(?<=前[请要得]){_ACT_ZH}){_REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "must-before-zh",
        "务必|一定要|必须",
        rf"(?:务必|一定要|必须)(?:请)?(?:在|于)(?P<due>[^，。；！？\n,;!?]{{1,12}}?(?:之?前|以前|之内))"
        rf"(?P<value>(?:把|给|将|{ERRANDS_ZH}){_REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "trouble-you-zh",
        "麻烦|劳烦|烦请|有劳|请你|请您|务必",
        rf"(?:麻烦|劳烦|烦请|有劳|请[你您]|务必)(?:[你您]们?|大家|帮忙|帮我|替我|给我|也|再|先|尽快|及时|去)*"
        rf"(?P<value>(?:把|将|给(?!我)|{ERRANDS_ZH})(?!(?:的话|您了|你了)){_REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "help-me-zh",
        "帮我|替我|帮忙|帮我们",
        rf"(?:帮我们?|替我|帮忙)(?:去|再|先|也|尽快|给)*\s?(?P<value>(?:预?订|预约|改签|退[票货掉款]|换货|取消|寄"
        r"|发给|发[一个封]|通知|联系|安排|登记|报名|续[费订签]|提交|催|转[给告达]|约|买|跟进|取[一下快件]|缴|充值"
        rf"|改[^写进成变]{{1,6}}(?:时间|日期|地址|航班|机票|班次)|schedule|book|cancel|send|email|remind"
        rf"|把{_REST_ZH}{{1,20}}?(?:发|寄|交|送|退|转|改到|改成|订|存档|备份|归档|更新)){_REST_ZH}{{0,60}})",
        _is_errand_zh,
    ),
    _rule(
        "by-the-way-zh",
        "顺便|顺带|另外|同时|还有",
        rf"(?:顺便|顺带|另外|同时|还有)[，,]?(?:请|麻烦|你|您|也|帮我|再|去)*(?P<value>(?:把|将|通知|联系|提交|发给"
        rf"|更新|准备|安排|预订|整理|确认|跟进){_REST_ZH}{{2,60}})",
        _is_errand_zh,
    ),
    _rule(
        "must-first-zh",
        "得先|要先|需要先|必须先|还没",
        rf"(?<![觉懂记获值晓])(?:得|要|需要|必须)先(?P<value>(?:把|{_ACT_ZH}){_REST_ZH}{{1,60}})",
        _is_errand_zh,
    ),
    _rule(
        "todo-zh", "待办|待处理", rf"(?:待办|待处理)(?:事项|任务)?[:：]\s*(?![-*•\d一1①]){_TASK_ZH}"
    ),
)

_PROMISES = (
    _rule(
        "deliver",
        "i'll|i will|i’ll|we'll|we will",
        r"\b(?:i|we)(?:['’]ll| will) (?:also |then "
        r"|now )?(?P<value>(?:(?:send|e-?mail|text|call|mail"
        rf"|ship) (?:you|it to you|them to you)\b|follow up|get back to you|escalate\b|notify\b)"
        rf"{_REST}{{0,80}}?)(?:\s+(?P<due>{_WHEN}))?{_END}",
    ),
    _rule(
        "promise",
        "i'll|i will|i’ll|going to",
        rf"\bi(?:['’]ll| will|['’]m going to| am going to) (?:also |then )?{_DUE_TASK}",
        _is_errand,
    ),
    _rule(
        "promise-zh",
        "我会|我将|我们会|我们将",
        rf"我们?(?:会|将)(?:在|于)?(?P<due>{_WHEN_ZH})(?:之?[前内])?(?:为[你您]|帮[你您])?"
        rf"{_TASK_ZH}",
    ),
)

_HEADING = re.compile(
    r"(?:\A|[\n。.!！；;，,][ \t]?)[ \t#*]*(?:(?:here (?:is"
    r"|are) |these are )?(?:our |my |the |some )?"
    r"(?:next steps?|action items?|to-?dos?(?: list)?|to do(?: list)?|check ?list|list"
    r"|things (?:to do|left|i need to do|we need to do)|errands|reminders?|plan"
    r"|remaining(?: tasks| work| items)?|open tasks|tasks?(?: left| remaining)?|follow-?ups?)"
    r"(?: (?:for|before|by|until|on|of|this|today|tomorrow|tonight|next|that)\b[^:：.!?\n]{0,30})?"
    r"|(?:and |so |also |please )?(?:we|i|you)(?: still| also)? (?:need to|have to|must|should)"
    r"(?: do)?(?: the following)?|(?:please )?remember(?: to)?|don['’]?t forget(?: to)?"
    r"|待办(?:事项|清单)?|后续(?:步骤|工作|任务|计划)?|下一步|接下来(?:要做的?)?|剩余(?:任务|工作)|待处理"
    r"|(?:请|麻烦|先)*(?:帮我|替我)?(?:记一?下|记录一?下|记着?|备忘|加到待办|列入待办)"
    r"(?:这?[几两三四五]?[件个]?事?情?)?"
    r"|(?:我|我们)?(?:今天|明天|今晚|本周|这周|下周|这个月|本月|周末|近期|最近|这几天|今日|明日)?的?"
    r"(?:主要)?(?:任务|待办|计划|安排|工作|要做的事情?|事情|清单)(?:有|是|如下|包括)?"
    r"|(?:我们?)?(?:还)?(?:需要|要|得|有)(?:做|办|完成|处理)?的?(?:几件事|这几件事|以下几件事|两件事|三件事|以下事项|下面几件事)"
    r"(?:情)?(?:要[做办])?)[ \t*]*[:：][ \t*]*",
    re.I,
)
_BULLET = re.compile(
    r"[ \t]*(?:[-*•·]|\d{1,2}[.)、]|[①-⑳])\s*(?:\[[ ]?\]\s*)?(?!\[[xX]\])"
    r"(?P<value>[^\n]{2,160})(?:\n|\Z)"
)
_INLINE = re.compile(
    r"(?:(?<![\w.])\d{1,2}[.)、:：]|[（(]\d{1,2}[)）]|[①-⑳])\s*(?P<value>.{2,120}?)"
    r"(?=[;；，,。]?\s*(?:(?<![\w.])\d{1,2}[.)、:：]\D|[（(]\d{1,2}[)）]|[①-⑳]|\n|\Z))"
)
_BOX = re.compile(r"^[ \t]*[-*•][ \t]\[ \][ \t]+(?P<value>[^\n]{2,160})", re.M)


def _listed(reading: Reading) -> Iterator[Finding]:
    """Yield the entries of lists under a heading, and open check boxes."""
    if "[ ]" in reading.free:
        for box in _BOX.finditer(reading.free):
            yield from _entry(reading, *box.span("value"))
    for heading in _HEADING.finditer(reading.free):
        if reading.asserts(heading.end() - 1):
            yield from _entries(reading, heading.end())


def _entries(reading: Reading, start: int) -> Iterator[Finding]:
    line_end = reading.free.find("\n", start)
    line_end = len(reading.free) if line_end < 0 else line_end
    inline = [match.span("value") for match in _INLINE.finditer(reading.free, start, line_end)]
    if not inline and not reading.free[start:line_end].strip():
        place = line_end + 1
        while (bullet := _BULLET.match(reading.free, place)) is not None:
            inline.append(bullet.span("value"))
            place = bullet.end()
    yield from (
        entry for span in inline or _enumerated(reading, start) for entry in _entry(reading, *span)
    )


_BETWEEN = re.compile(
    r"\s*(?:[,;、，；]\s*(?:(?:and|then|also)\s)?|\band\s(?=[^,;、，；]*\Z))\s*"
    r"(?:(?:还要|还得|还有|另外|以及|然后|再|要|得|去|和)(?![\u4e00-\u9fff]?[,，、]))?",
    re.I,
)
_WHEN_FIRST_ZH = re.compile(rf"(?P<due>{_WHEN_ZH})(?:之?前|以前)?(?:要|得|去|我|我要|[，,])?")
_IS_NO_TASK = re.compile(
    r"(?:my|the|a|an|our|i|we|he|she|they|it|this|that|is|are|was|there|no|yes|if|when|how|what|why)\b"
    r"|我|你|他|她|它|这|那|没有?|不|是|因为|如果|所以|\d|[^\u4e00-\u9fff]?\Z",
    re.I,
)
_TELLS_ZH = re.compile("[是叫为]|住在|等于|改[为成]")


def _enumerated(reading: Reading, start: int) -> list[tuple[int, int]]:
    """Spans of the entries of a list in one sentence: "add retries, write a test, and ship it".

    All of them have to be tasks: a verb and an object in English, a verb first in Chinese.
    """
    end = reading.sentence_at(start).end
    end = start + len(reading.free[start:end].rstrip(" \t\r\n.。!！;；"))
    spans, last = [], start
    for mark in _BETWEEN.finditer(reading.free, start, end):
        spans.append((last, mark.start()))
        last = mark.end()
    spans = [span for span in [*spans, (last, end)] if span[0] < span[1]]
    return spans if all(_can_be_task(reading.free[slice(*span)]) for span in spans) else []


def _can_be_task(words: str) -> bool:
    words = words.strip()
    if not words or len(words) > 120 or _IS_NO_TASK.match(words):
        return False
    if words[0].isascii():
        return " " in words and _IS_ERRAND.match(words) is not None
    return len(words) > 2 and not _TELLS_ZH.search(words)


_DUE_AT_END = re.compile(rf"\s+[(（]?(?P<due>(?:by|before|due) .{{2,40}}|{_WHEN})[)）]?\Z", re.I)


def _entry(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    due = _DUE_AT_END.search(reading.text, start, end) or _WHEN_FIRST_ZH.match(
        reading.free, start, end
    )
    if due and due.start() > start:
        end = due.start()
    elif due and due.end() < end:
        start = due.end()
    start, end = trimmed(reading.text, start, end)
    if start < end:
        yield Finding(
            action="add",
            kind="todo",
            value=reading.text[start:end],
            quote=reading.quote(start),
            source=reading.source(start, end),
            trust=reading.trust,
            confidence=0.9,
            method="rule:list",
            due=reading.text[slice(*due.span("due"))] if due else "",
        )
