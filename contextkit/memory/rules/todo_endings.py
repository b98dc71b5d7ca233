"""How tasks end: done, called off, or taken up again.

A clause in the past tense ends a task when it is about it, which merging decides; so what is read
here may be read generously.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from contextkit.memory.items import Action, Finding
from contextkit.memory.reading import Reading
from contextkit.memory.rules.abroad import CALLED_OFF_ABROAD, DONE_ABROAD, NOT_DONE_ABROAD
from contextkit.memory.rules.spoken import trimmed
from contextkit.memory.rules.words_todos import DONE, NOT_DONE, NOT_DONE_ZH

_LONGEST_CLAUSE = 120
_BORDER = re.compile(r"[,;!?\n，；。！？]|\.(?!\w)|,? (?:and|but|so) (?=i\b|we\b|you\b)", re.I)
_IS_DONE = re.compile(rf"\b{DONE}\b", re.I)
_IS_NOT_DONE = re.compile(NOT_DONE, re.I)
_IS_DONE_ZH = re.compile(
    r"(?:了|咗[喇啦]?|完|好|完成|搞定|完毕|妥|[关划勾]掉)[\W啦哈呢]*\Z"
    r"|已(?!知|有|是|婚|故|在|往|然)(?:经)?[\w .-]{2,30}\W*\Z|已经?\w{0,12}(?:完成|处理|提交|发送"
    r"|发给|更新|修复|上线)|\A\W*(?:完成|搞定|弄好|做完)了?"
)
_IS_NOT_DONE_ZH = re.compile(NOT_DONE_ZH)
_CUES = {
    "user": re.compile(
        r"ed\b|\b(?:done|sent|paid|made|w?rote|written|bought|told|built|ran|took|taken|met|spoken?"
        r"|found|given?|gave|set|put|got|shut|ya|já|già|j['’]ai|c['’]est|on a|est|erledigt"
        r"|fertig|habe?|ist"
        r"|sind|уже|готово|я)\b|ました|済み|完了|[했었았났냈샀]\w"
        r"|[了咗喇完好成定毕妥](?=[\W啦哈呢]*"
        r"(?:[，。；！？\n,]|\Z))|已",
        re.I,
    ),
    "assistant": re.compile(
        rf"\b(?:i|we)(?:['’]ve| have)?(?: already| just| now| also| successfully)* {DONE}\b"
        rf"|\b\w+ (?:added|booked|updated|created|fixed|removed|finished|scheduled|submitted"
        rf"|filed|ordered"
        rf"|paid|drafted|merged|deployed|installed|cancelled|renewed|uploaded|bumped)(?=[.!\n]|\Z)"
        rf"|(?:\A|[.!] )(?-i:Opened|Booked|Sent|Added|Created|Filed|Ordered|Scheduled|Updated"
        rf"|Cancelled"
        rf"|Submitted|Renewed|Fixed|Moved|Marked)\b"
        rf"|\b(?:is|are|has been|have been|was|were)(?: now| already| all| successfully)* {DONE}\b"
        r"|已经?|[完好]了(?=[，。！\n]|\Z)|完成|搞定|完毕|(?:关|划|勾)掉",
        re.I,
    ),
}
"""What makes a closer look at a clause worth while."""

_CALLED_OFF = re.compile(
    r"(?<!don't )(?<!don’t )(?<!dont )(?<!not )(?<!never )\b(?:forget (?:about )?|cancel "
    r"|drop |scratch |skip |never ?mind (?:about )?"
    r"|no need (?:to|for) |no longer (?:need|have) to |(?:don['’]?t|do not) (?:need|have) to "
    r"|don['’]?t bother (?:to |with |about )?)"
    r"(?:the (?:task|todo) (?:to |of |about )?)?(?P<value>[^,;.!?\n]{2,100})",
    re.I,
)
_CAN_WAIT = re.compile(
    r"(?P<value>[^,;.!?\n]{2,40}?) can wait\b|\btake (?:the "
    r"|my )?(?P<late>[^,;.!?\n]{2,40}?) off (?:my|the|our) list",
    re.I,
)
_CALLED_OFF_ZH = re.compile(
    r"(?:不用|不必|不需要|无需|取消|先不)(?:再|帮我|给我|去|提醒我|要)*"
    r"(?P<value>[^，。；！？\n,]{2,40}?)(?:了|吧|\Z|(?=[，。；！\n,]))"
    r"|别(?!忘|担心|客气)(?:再|帮我|给我|去|提醒我)*(?P<late>[^，。；！？\n,]{2,40}?)了"
)
_CALLED_OFF_BEHIND_ZH = re.compile(
    r"(?P<value>[^，。；！？\n,]{2,30}?)(?:就|都|先|这事|的事|[那这][个件条项])*(?:(?:不用(?:做"
    r"|管|发|弄)?"
    r"|算|取消|作废|不需要)了|取消(?:吧|掉|(?=[，。；！\n,]|\Z)))"
    r"|(?P<dropped>[^，。；！？\n,]{2,20}?)(?:我?想了?[想下一]+"
    r"|考虑了?[一下]*)?(?:就|先|也|都)?"
    r"不(?:找|做|搞|弄|要|办|约|订|写|发|买|改|去|管|剪|测|打|寄)了"
    r"|(?P<struck>[^，。；！？\n,]{2,20}?)(?:(?:下个?[月周]|以后|回头|改天"
    r"|过几天)?再说)?[，,]?\s?(?:先|就|直接|可以)*"
    r"(?:划掉|去掉|删掉|删了|划了|勾掉|拿掉)|(?P<needless>[^，。；！？\n,]{2,24}[，,]\s?(?:就|也"
    r"|都)?(?:不用|不需要|不必)"
    r"(?:再)?[^，。；！？\n,了]{1,4})(?=了?(?:[，。；！\n,]|\Z))"
    r"|(?P<late>[^，。；！？\n,]{2,20}?(?:就|都|先|也)*(?:不用|不必|不需要)"
    r"[^，。；！？\n,了]{1,4})了"
)
_TAKEN_UP = re.compile(
    r"\bre-?open (?P<value>[^,;.!?\n]{2,80})"
    r"|(?P<late>[^,;.!?\n]{4,80}?) (?:is|are|was|has|have)(?: still)?(?: not|n['’]t)"
    r"(?: actually| really)?(?: been)? (?:done|finished|sent|fixed|completed?)\b(?! \w+ \w)",
    re.I,
)
_TAKEN_UP_ZH = re.compile(
    r"重新(?:打开|开始)(?P<value>[^，。；！？\n,]{2,40})|(?P<late>[^，。；！？\n,]{2,40}?)"
    r"(?:其实|实际上)?还没有?(?:完成|做完|弄好|搞定|发|交|做)"
)
_THAT = re.compile(
    r"(?:(?:that|it|this|them|both|those|everything|all(?: of (?:it|that|them))?)(?: one| task"
    r"| item| todo)?|那个?|这个?|它)\Z",
    re.I,
)
_THAT_IS_DONE = re.compile(
    r"\W*(?:ok(?:ay)?\W+)?(?:(?:that|it|this)(?:['’]s| is| has been)(?: now| already| all)? "
    r"(?:done|finished|completed?|sorted|taken care of)"
    r"|(?:all )?done|finished|i(?:['’]ve| have)?(?: already)? (?:did|done) (?:it|that)|"
    r"(?:已经?|都)?(?:搞定|完成|做完|弄好|办好)了?)\W*\Z",
    re.I,
)
_BOX = re.compile(r"^[ \t]*[-*•][ \t]\[[xX]\][ \t]+(?P<value>[^\n]{2,160})", re.M)


def endings(reading: Reading, open_before: Callable[[], Sequence[Finding]]) -> Iterator[Finding]:
    """Yield what a message says about tasks that were set before.

    Args:
        reading: the message.
        open_before: gives the tasks of the messages right before; when there is one, "that" is it.

    Example:
        >>> from contextkit.memory.reading import read
        >>> found = endings(read("OK, contract sent to legal.", index=1, role="user"), list)
        >>> [(finding.action, finding.value) for finding in found]
        [('close', 'contract sent to legal')]
    """
    if "[x]" in reading.lower:
        yield from (
            _ending(reading, *box.span("value"), "close") for box in _BOX.finditer(reading.free)
        )
    yield from _done(reading, open_before)
    if reading.trust == "user":
        yield from _said_outright(reading, open_before)


def _done(reading: Reading, open_before: Callable[[], Sequence[Finding]]) -> Iterator[Finding]:
    last = -1
    for cue in _CUES[reading.trust].finditer(reading.free):
        start, end = _clause_around(reading.free, cue.start())
        if start == last or not _is_earnest(reading, start):
            continue
        last = start
        if _THAT_IS_DONE.match(reading.free, start, end):
            yield from _that(reading, start, "close", open_before)
        elif _ends_task(reading.free[start:end]):
            yield _ending(reading, start, end, "close")


def _is_earnest(reading: Reading, place: int) -> bool:
    sentence = reading.sentence_at(place)
    manner = reading.manner_at(place)
    return manner.mood in ("statement", "request") and manner.doubt > sentence.end - sentence.start


def _clause_around(text: str, place: int) -> tuple[int, int]:
    start = max(0, place - _LONGEST_CLAUSE)
    for mark in _BORDER.finditer(text, start, place):
        start = mark.end()
    limit = min(len(text), place + _LONGEST_CLAUSE + 1)
    following = _BORDER.search(text, place, limit)
    return start, following.start() if following else limit


def _ends_task(clause: str) -> bool:
    if not 4 <= len(clause) <= _LONGEST_CLAUSE:
        return False
    if _IS_DONE.search(clause):
        return not _IS_NOT_DONE.search(clause)
    if DONE_ABROAD.search(clause):
        return not NOT_DONE_ABROAD.search(clause)
    return bool(_IS_DONE_ZH.search(clause)) and not _IS_NOT_DONE_ZH.search(clause)


def _said_outright(
    reading: Reading, open_before: Callable[[], Sequence[Finding]]
) -> Iterator[Finding]:
    for action, hints, pattern in _OUTRIGHT:
        if not any(hint in reading.lower for hint in hints):
            continue
        for match in pattern.finditer(reading.free):
            if not _is_earnest(reading, match.start()):
                continue
            group = str(match.lastgroup)
            if not _THAT.match(match[group].strip()):
                yield _ending(reading, *match.span(group), action)
            elif not _IS_DONE.search(reading.before(match.start())):
                yield from _that(reading, match.start(), action, open_before)


_OUTRIGHT: Sequence[tuple[Action, tuple[str, ...], re.Pattern[str]]] = (
    (
        "cancel",
        ("forget", "cancel", "drop", "scratch", "skip", "mind", "need", "have to", "bother"),
        _CALLED_OFF,
    ),
    ("cancel", ("can wait", "off "), _CAN_WAIT),
    ("cancel", ("不用", "不必", "不需要", "无需", "取消", "先不", "别"), _CALLED_OFF_ZH),
    (
        "cancel",
        ("算了", "用", "取消了", "作废了", "需要", "不必", "了", "掉"),
        _CALLED_OFF_BEHIND_ZH,
    ),
    (
        "cancel",
        (
            "precisa",
            "ya no",
            "besoin",
            "peine",
            "nicht mehr",
            "больше не",
            "olv",
            "oubli",
            "vergiss",
            "cancela",
            "annul",
            "streich",
            "lascia",
            "serve",
            "不要",
            "キャンセル",
            "必要",
            "なしで",
            "やめ",
            "취소",
            "안 해도",
            "필요",
        ),
        CALLED_OFF_ABROAD,
    ),
    ("reopen", ("open", "not ", "n't", "n’t"), _TAKEN_UP),
    ("reopen", ("重新", "还没"), _TAKEN_UP_ZH),
)


def _that(
    reading: Reading,
    place: int,
    action: Action,
    open_before: Callable[[], Sequence[Finding]],
) -> Iterator[Finding]:
    known = open_before()
    if len(known) == 1:
        yield replace(_ending(reading, place, place + 1, action), value=known[0].value)


def _ending(reading: Reading, start: int, end: int, action: Action) -> Finding:
    start, end = trimmed(reading.text, start, end)
    return Finding(
        action=action,
        kind="todo",
        value=reading.text[start:end],
        quote=reading.quote(start),
        source=reading.source(start, end),
        trust=reading.trust,
        confidence=0.7,
        method=f"rule:{action}",
    )
