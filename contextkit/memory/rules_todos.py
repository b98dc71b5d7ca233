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

_REST = r"(?:[^.,;!?\n，。；！？]|\.(?=\w)|,(?=\d{3})|,(?= (?:19|20)\d\d\b)|\?(?=[\w=&]))"
_REST_ZH = r"(?:[^，。；！？\n,;!?]|\?(?=[\w=&]))"
_WHEN = (
    rf"(?:(?:(?:by|before|until|no later than|on) )?{RELATIVE}|(?:by|before|until) {DATED}"
    r"|(?:by|before) (?:the )?(?:end\b[\w ]{0,20}|\d[\w:. ]{0,10}|lunch|dinner|christmas|new year)"
    r"|later(?: today| on)?|when you (?:can|get a chance|have time)|afterwards)"
)
_END = (
    r"(?=\s*(?:[.,;!?\n，。；！？]|\Z|\b(?:and )?then\b|\b(?:and|but) (?:i|we|you|also|please"
    r"|remind)\b|\bbecause\b))"
)
_TASK = rf"(?P<value>{_REST}{{2,120}}?)(?:\s+(?P<due>{_WHEN}))?{_END}"
_DUE_TASK = rf"(?P<value>{_REST}{{2,120}}?)\s+(?P<due>{_WHEN}){_END}"
_WHEN_ZH = (
    rf"(?:{RELATIVE_ZH}|\d{{1,2}}月\d{{1,2}}[日号])(?:之?前|上午|下午|早上|晚上|中午)?"
    rf"(?:[\d一二两三四五六七八九十]{{1,3}}[点:](?:半|\d{{0,2}}分?))?"
)
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
    """Each stretch of text sets one task; what "and then" goes on with is another."""
    for finding in sorted(apart(found, len(reading.text)), key=place):
        yield finding
        yield from _continued(finding, reading)


_GOES_ON = re.compile(
    rf"[^.;!?\n。；！？]{{0,30}}?[,，]?\s*(?:\b(?:and )?then\b|然后|接着)\s*(?:再|要|去)?"
    rf"(?P<value>{_REST}{{2,80}})",
    re.I,
)


def _continued(finding: Finding, reading: Reading) -> Iterator[Finding]:
    match = _GOES_ON.match(reading.free, finding.source.end)
    if match:
        start, end = trimmed(reading.text, *match.span("value"))
        yield replace(
            finding, value=reading.text[start:end], source=reading.source(start, end), due=""
        )


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
        "i-will",
        "i'll|i will|i’ll|going to",
        rf"\bi(?:['’]ll| will|['’]m going to| am going to) {_DUE_TASK}",
        _is_errand,
    ),
    _rule(
        "remember-zh",
        "记得|别忘|不要忘|提醒我|勿忘",
        rf"(?:(?P<due>{_WHEN_ZH})[，,]?\s*)?(?:(?:提醒我|(?<![我还不你他她也都])(?:记得"
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
        "todo-zh", "待办|待处理", rf"(?:待办|待处理)(?:事项|任务)?[:：]\s*(?![-*•\d一1①]){_TASK_ZH}"
    ),
)

_PROMISES = (
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
    r"(?:\A|[\n。.!！；;])[ \t#*]*(?:(?:our |my |the )?(?:next steps?|action items?|to-?dos?"
    r"(?: list)?|to do(?: list)?"
    r"|remaining(?: tasks| work)?|open tasks|tasks?(?: left| remaining)?|follow-?ups?)|待办"
    r"(?:事项|清单)?|后续(?:步骤|工作|任务|计划)?"
    r"|下一步|接下来(?:要做的?)?|剩余(?:任务|工作)|待处理)[ \t*]*[:：][ \t*]*",
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
    for span in inline:
        yield from _entry(reading, *span)


_DUE_AT_END = re.compile(rf"\s+[(（]?(?P<due>(?:by|before|due) .{{2,40}}|{_WHEN})[)）]?\Z", re.I)


def _entry(reading: Reading, start: int, end: int) -> Iterator[Finding]:
    due = _DUE_AT_END.search(reading.text, start, end)
    start, end = trimmed(reading.text, start, due.start() if due else end)
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
            due=due["due"] if due else "",
        )
