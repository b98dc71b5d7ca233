"""Tasks in lists: under a heading, with boxes to tick, or one after the other in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextkit.memory.items import Finding
from contextkit.memory.reading import Reading
from contextkit.memory.rules.spoken import trimmed
from contextkit.memory.rules.todo_phrases import DUE_AT_END, IS_ERRAND, WHEN_ZH

_HEADING = re.compile(
    r"(?:\A|[\n。.!！；;，,][ \t]?)[ \t#*]*(?:ok(?:ay)?,? |so,? |and |also,? "
    r"|still )*(?:(?:here (?:is"
    r"|are) |these are )?(?:our |my |the |some )?"
    r"(?:next(?: steps?| up)?|action items?|to-?dos?(?: list)?|to do(?: list)?|check ?list|list"
    r"|things (?:to do|left|i need to do|we need to do)|errands|reminders?|plan"
    r"|remaining(?: tasks| work| items)?|open tasks|tasks?(?: left| remaining)?|follow-?ups?)"
    r"(?: (?:for|before|by|until|on|of|this|today|tomorrow|tonight|next|that)\b[^:：.!?\n]{0,30})?"
    r"|(?:and |so |also |please )?(?:we|i|you)(?: still| also)? (?:need to|have to|must|should)"
    r"(?: do)?(?: the following)?|(?:please )?remember(?: to)?|don['’]?t forget(?: to)?"
    r"|待办(?:事项|清单)?|后续(?:步骤|工作|任务|计划)?|下一步|接下来(?:要做的?)?|剩余(?:任务"
    r"|工作)|待处理"
    r"|(?:请|麻烦|先|今天|明天|后天|今晚|你|您)*(?:帮我|替我)?(?:记一?下|记录一?下|记着?|记|备忘"
    r"|加到待办|列入待办)"
    r"(?:这?[几两三四五]?[件个]?事?情?)?"
    r"|(?:今天|明天|这周|本周|下周|今晚|周末|下面|以下|还有|另外)?有?(?:[一二两三四五六七八几]"
    r"|\d)件(?:事情?|任务"
    r"|工作|要事)(?:要[做办])?"
    r"|(?:quick )?(?:brain ?dump|rundown|errand list|shopping list)(?: [\w ]{2,24})?"
    r"|(?:加|新增|添加|再加)(?:[几两三四五]?[个条项]?)?(?:待办|任务|todo)(?:事项)?"
    r"|再加(?:上?[一两三]?[个条项件])?|列入待办|待办(?:事项"
    r"|清单)?(?:里|上)?(?:再|先|还)?(?:加上?|添上?|记[上着]?(?:一?下)?|列一?下)"
    r"|(?:我|我们)?(?:今天|明天|今晚|本周|这周|下周|这个月|本月|周末|近期|最近|这几天|今日"
    r"|明日)?的?"
    r"(?:主要)?(?:任务|待办|计划|安排|工作|要做的事情?|事情|清单)(?:有|是|如下|包括)?"
    r"|(?:我们?)?(?:还)?(?:需要|要|得|有)(?:做|办|完成|处理)?的?(?:几件事|这几件事|以下几件事"
    r"|两件事|三件事|以下事项|下面几件事)"
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


def listed_tasks(reading: Reading) -> Iterator[Finding]:
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
_END_OF_LIST = re.compile(r"[。！？\n!?]|\.(?!\w)|\Z")
_WHEN_FIRST_ZH = re.compile(rf"(?P<due>{WHEN_ZH})(?:之?前|以前)?(?:要|得|去|我|我要|[，,])?")
_IS_NO_TASK = re.compile(
    r"(?:my|the|a|an|our|i|we|he|she|they|it|this|that|is|are|was|there|no|yes|if|when|how|what"
    r"|why)\b"
    r"|我|你|他|她|它|这|那|没有?|不|是|因为|如果|所以|\d|[^\u4e00-\u9fff]?\Z",
    re.I,
)
_TELLS_ZH = re.compile("[是叫为]|住在|等于|改[为成]")


def _enumerated(reading: Reading, start: int) -> list[tuple[int, int]]:
    """Spans of the entries of a list in one sentence: "add retries, write a test, and ship it".

    All of them have to be tasks: a verb and an object in English, a verb first in Chinese.
    """
    found = _END_OF_LIST.search(reading.free, start)
    end = found.start() if found else len(reading.free)
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
        return " " in words and IS_ERRAND.match(words) is not None
    return len(words) > 2 and not _TELLS_ZH.search(words)


def _entry(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    due = DUE_AT_END.search(reading.text, start, end) or _WHEN_FIRST_ZH.match(
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
