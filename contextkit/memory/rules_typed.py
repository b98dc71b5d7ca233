"""Which typed values of a message are worth keeping, whose they are, and what they correct."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from contextkit.memory.items import USER, Action, Finding, Kind
from contextkit.memory.people import owner
from contextkit.memory.reading import Reading, Sentence
from contextkit.memory.typed_ids import IDS
from contextkit.memory.typed_values import TypedValue, typed_values

_CONTACTS = frozenset({"email", "phone", "account"})
_REFERENCES = IDS | _CONTACTS | {"url", "path", "ip", "error_code", "version"}
"""What a question takes for granted: "where is order LX-204?" is about an order that exists."""

_FROM_TOOLS = IDS | {"email", "phone", "error_code"}
_MOST_FROM_TOOLS = 12

_SHORT = 300
"""Characters; longer messages may be about anybody's money, a word of trade must tell."""

_MONEY_TALK = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|our|us|budget|price[ds]?|costs?|charged?|charges|refund\w*|paid"
    r"|pay\w*|total|fees?|order|invoice|bill(?:ed)?|salary|rent|deposit|balance|spen[dt]|discount"
    r"|quote[ds]?|owe[ds]?)\b|[价费付退扣花钱总租收款转]|预算|工资|账|押金|余额",
    re.I,
)
_MEETING_TALK = re.compile(
    r"\b(?:meet\w*|appointment|call|flight|deadline|schedul\w+|interview|due|train|check-?in|at)\b"
    r"|开会|会议|见面|预约|航班|面试|出发|到达|截止|会面|火车",
    re.I,
)
_TO_USER = re.compile(
    r"\byours?\b|[您你]|\bi(?:'ve| have)? (?:created|saved|wrote|added|booked|issued|opened|filed"
    r"|refunded|sent)\b|\b(?:the|this) (?:\w+ ){0,2}(?:number|reference|code|id) is\b"
    r"|(?:单号|编号|受理号|预约号|取件码|号码)\s?(?:是|为|[:：]|(?=[A-Z0-9]{4}))|我们?(?:会|将)"
    r"|\b[A-Z]{2,4}-\d"
    r"|(?:su|seu|votre|ihre?|ваш\w*)\b|el total|le total|o total|番号は|번호는|お?客样"
    r"|已经?(?:为|帮|给)?[您你]?(?:创建|保存|提交|预订|退款|记录|登记|受理)",
    re.I,
)
_ADVICE = re.compile(
    r"\b(?:could|can|would|might|may|should|e\.g|for example|for instance|such as|usually|typically"
    r"|generally|around|about|roughly|average|try|consider|recommend|suggest|often|most|between"
    r"|peut|pourrait|podría|puede|poderia|kann|könnte)\b"
    r"|建议|可以|一般|通常|大约|大概|左右|例如|比如|如果|要是|可能|也许|平均|推荐|不妨|约为"
    r"|できます|かもしれ|수 있|ことが多い",
    re.I,
)
_MADE = re.compile(
    r"\bi(?:['’]ve| have)? (?:\w+ )?(?:created|saved|wrote|added|uploaded|opened|fixed|moved)\b"
    r"|\byour [\w ]{1,30}(?:is|are|at|:)|(?:[你您]的.{1,12}(?:是|在|：|:)|已经?.{0,4}(?:创建"
    r"|保存|写入|上传))",
    re.I,
)
_CONTACT_CUE = re.compile(
    r"(?:\b(?:e-?mail|mail|phone|cell|mobile|tel|telephone|number"
    r"|whatsapp|contact (?=info|details|address|number|e-?mail))\b"
    r"(?: ?(?:address|number|id|no\.?|info"
    r"|details))?|邮箱|邮件地址|电邮|信箱|手机号?|电话|号码|联系方式"
    r"|メール|アドレス|電話|num[ée]ro|номер|correo|courriel|メールアドレス|이메일|전화|почт\w*"
    r"|телефон\w*|بريد\w*|هاتف\w*|رقمي|جوال\w*|إيميل\w*|连络先|연락처|联络电话|t[ée]l[ée]phone"
    r"|celular|m[óo]vil|portable|handy\w*|cellulare|tel[eé]fono|telefone|telefon\w*)[^。!?]{0,24}\Z"
    r"|\b(?:reach|contact|e-?mail|text|call|write to|ping|message) (?:me|us)\b[^!?]{0,40}\Z"
    r"|(?:联系我|找我|打给我|发给我|发我|打我|短信|简讯)[^。]{0,14}\Z|(?:现在|以后|今后)用\s*\Z"
    r"|门号|분호\s*\Z|번호[^.]{0,10}\Z|\bjust use\s*\Z|, use\s*\Z|\b(?:mine|ours) is (?:now )?\Z"
    r"|我的是\s*\Z|\bmy (?:own )?address\b[^!?]{0,30}\Z|(?:保单|发票|账单|通知|确认函?|回执|收据"
    r"|提醒|作业|资料)[^。]{0,4}"
    r"(?:发|寄)[到至]\s*\Z|(?:m['’](?:écrire|joindre|contacter)|(?:écrivez|contactez)-moi"
    r"|escr[ií]b\w*me"
    r"|contáct\w*me|schreiben sie mir|пишите(?: мне)?)[^!?]{0,30}\Z",
    re.I,
)
_CHECKED = re.compile(r"\s?(?:吗|对吧|对吗|没错吧|是吧|, right\b|, correct\b)")
"""Behind a value: the speaker is not sure of it."""

_DENIED = re.compile(
    r"(?:\b(?:not|instead of|rather than|no longer|wrong one|isn['’]t|wasn['’]t|statt|anstatt"
    r"|au lieu de|en (?:lugar|vez) de|em vez de|invece di|вместо|не)|(?:不再?是"
    r"|而不是|而非|不要用|别用|不用))"
    r"\s*(?:the |my |your |on |by |#|number |no\. |我的)?[\"'“「]?\Z",
    re.I,
)
_OLD = re.compile(
    r"(?:旧的?|以前的?|原来的?|\bold (?:one|number|email|address|phone)(?: (?:was"
    r"|is))?)\w{0,4}[:：]?\s*\Z",
    re.I,
)
_VOID = re.compile(
    r"[^，。,.]{0,6}(?:不用了|作废|停用|不对|是错的|座机，)|\s?(?:말고|이?었는데|였는데"
    r"|だったのですが|から変更|ではなく|じゃなくて)"
    r"|\s*(?:is|was) (?:no longer|not|old|wrong"
    r"|outdated|invalid)\b",
    re.I,
)
_LEFT = re.compile(r"(?:\bfrom|从|由|原来的?|之前的?|old \w+ (?:was|is))\s*\Z", re.I)
_TOWARDS = re.compile(r"\s*(?:to\b|改|换|变|调|搬|,? (?:it'?s )?(?:now|but now)\b|，?现在)", re.I)
_CHANGE = re.compile(
    r"\b(?:chang|mov|reschedul|postpon|switch|shift|rais|increas|lower|reduc|updat|correct)\w*\b",
    re.I,
)
_CORRECTED = re.compile(
    r"(?:\b(?:is|are|was|to|has) (?:now|actually|changed to|been changed to|updated to)"
    r"|changed? (?:it |that )?to"
    r"|should (?:be|read|have been)|\bmake (?:it|that)|\bupdated? (?:it |that )?to|moved to"
    r"|postponed to|pushed to"
    r"|(?:涨|降|升|变|went up|dropped|increased|raised)[^.。]{0,12}\bnow"
    r"|\bnew (?:\w+ ){0,2}(?:reference|ref|number|code|id|date|time|version)(?: is| no\.?|:)?"
    r"|新的?[\u4e00-\u9fff]{0,5}(?:单|号|码)(?:是|为|：)?|cambiad[oa] (?:al?|para)(?: el)?"
    r"|changée? (?:au|en|pour)(?: le)?"
    r"|(?:pasar|cambiar|mover)\w*(?: la fecha)? (?:al?|para)(?: el)?|geändert (?:auf|zu)"
    r"|alterad[oa] para|mejor el|plutôt le|lieber (?:am|den)"
    r"|改[成到为做]了?|换成了?|更[新正][为成]|调整[为到成]|推迟到|提前到|延[期后]到|应该是|应为"
    r"|变成了?)\s*[\"'“]?\Z",
    re.I,
)
_CHANGED_TO = re.compile(r"\s?(?:に変更|に変え|に修正|으?로 (?:변경|바꿔|바꾸|수정)|へ変更)")
_NOW = re.compile(
    r"(?:现在|目前|如今)的?[\u4e00-\u9fff]{0,4}(?:是|用的?是?|为|升到了?)\s*\Z"
    r"|\bnow (?:on|at|it['’]?s)\s*\Z"
    r"|\b(?:jetzt|nun|ahora|maintenant|agora|adesso|теперь)\b[^.,;!?]{0,16}\Z"
    r"|今は\s*\Z|지금은\s*\Z",
    re.I,
)
"""What holds now took the place of what was said before; of a date it only says today's."""

_CORRECTION = re.compile(
    r"\A\W*(?:no\b(?! problem)|nope|actually|sorry|wait|correction|oops|my mistake|i meant"
    r"|不对|不是|更正|纠正|错了"
    r"|抱歉|等等|哦不)|说错|搞错|写错|打错|弄错|记错|输错|\bi (?:mistyped|misspoke)|\btypo\b"
    r"|\bwas wrong\b",
    re.I,
)
_YES = re.compile(
    r"\W*(?:(?:yes|yep|yeah|yup|correct|right|exactly|that'?s (?:right|correct|it)|sure"
    r"|confirmed|ok|okay|great"
    r"|perfect|thanks|thank you|got it)\b(?!,? but| not)|(?:对|是的|没错|正确|嗯|好的?|可以|行"
    r"|谢谢|收到|确认)(?![不话方面象于]))",
    re.I,
)
_AGREED = re.compile(
    r"\W*(?:yes|yep|yeah|yup|correct|right|exactly|that'?s|confirmed|对|是的|没错|正确|嗯|确认)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A typed value in its place."""

    reading: Reading
    value: TypedValue

    @property
    def before(self) -> str:
        return self.reading.before(self.value.start)[-60:]

    @property
    def after(self) -> str:
        return self.reading.after(self.value.end)[:30]

    @property
    def is_denied(self) -> bool:
        if _DENIED.search(self.before) or _OLD.search(self.before) or _VOID.match(self.after):
            return True
        towards = _TOWARDS.match(self.after)
        if towards is None or not _LEFT.search(self.before):
            return False
        # "From 8 to 9" is a span of time, "moved from 8 to 9" is none.
        is_span = towards[0].strip() == "to" and not _CHANGE.search(self.before)
        return not is_span

    @property
    def is_whole_sentence(self) -> bool:
        """Whether its sentence is nothing but this value and a copula: "a@b.jp です"."""
        start = self.reading.sentence_at(self.value.start).start
        around = self.reading.typed[start : self.value.start] + self.reading.after(self.value.end)
        return len(re.sub(r"\W|\b(?:it['’]?s|it is|now|these days|here|at)\b", "", around)) <= 3

    @property
    def is_alone(self) -> bool:
        """Whether the message is nothing but this value."""
        text = self.reading.typed.strip()
        return len(text) - len(self.value.value) < 8 and not re.search(
            r"\w", text.replace(self.value.value, "", 1)
        )


def typed_findings(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    """Yield the typed values of a message, the user's corrections among them.

    Args:
        reading: the message.
        before: the messages right before, for what a correction without old value corrects.

    Example:
        >>> from contextkit.memory.reading import read
        >>> text = "It's INV-7781, not INV-7718."
        >>> [found] = typed_findings(read(text, index=0, role="user"), ())
        >>> found.action, found.value, found.replaces
        ('supersede', 'INV-7781', 'INV-7718')
    """
    if reading.trust == "tool":
        yield from _from_tool(reading)
        return
    if reading.trust == "assistant":
        found = [found for found in _told(reading) if not _is_echo(found, before)]
    else:
        found = [_Found(reading, value) for value in typed_values(reading.typed)]
    denied = [f for f in found if f.is_denied]
    kept = [f for f in found if not f.is_denied and _is_worth_keeping(f)]
    for one in kept:
        said = _corrected(one, denied, before)
        yield _answered(one, said) if _answers(one, before) else said
    paired = {id(old) for one in kept if (old := _denied_by(one, denied))}
    yield from (_finding(f, "retract") for f in denied if id(f) not in paired)


def confirmations(reading: Reading, before: Sequence[Reading]) -> Iterator[Finding]:
    """Yield the typed values that the assistant said and the user agrees to."""
    agreed = answered_yes(reading, before)
    if agreed is None:
        return
    own = {value.key for value in typed_values(reading.typed)}
    for found in _told(before[-1], asked=agreed):
        if found.value.key not in own:
            yield agreement(reading, _finding(found))


def agreement(reading: Reading, finding: Finding) -> Finding:
    """What the assistant said about the user, as the user's own statement."""
    said = reading.source(0, len(reading.text.split(maxsplit=1)[0]))
    return replace(finding, action="confirm", trust="user", confirmed=True, source=said)


def answered_yes(reading: Reading, before: Sequence[Reading]) -> bool | None:
    """Whether the user says yes to the assistant (True), lets it stand (False), or neither."""
    if reading.trust != "user" or not before or before[-1].trust != "assistant":
        return None
    if not _YES.match(reading.free) or _CORRECTION.search(reading.free[:80]):
        return None
    return _AGREED.match(reading.free) is not None


def _from_tool(reading: Reading) -> Iterator[Finding]:
    left = _MOST_FROM_TOOLS
    for value in typed_values(reading.text):
        if left and value.key in _FROM_TOOLS:
            left -= 1
            yield _finding(_Found(reading, value))


def _told(reading: Reading, *, asked: bool = False) -> Iterator[_Found]:
    """Yield the values that an assistant says are the user's; or asks about, if ``asked``."""
    for sentence in _records(reading):
        for value in typed_values(reading.typed, sentence.start, sentence.end):
            found = _Found(reading, value)
            if (asked or _is_stated(found)) and _is_of_user(found):
                yield found


def _is_stated(found: _Found) -> bool:
    """Whether an assistant says it, or asks something else about a thing that has this number."""
    mood = found.reading.mood_at(found.value.start)
    is_known = mood == "question" and found.value.key in IDS and _is_taken_for_granted(found)
    return mood == "statement" or is_known


def _records(reading: Reading) -> Iterator[Sentence]:
    """Yield the sentences of an assistant that are about the user's matter.

    What is short and gives no advice is: "Booked, K7QX2M, 310 EUR." An essay is about the world.
    """
    is_short = len(reading.text) <= _SHORT
    for sentence in reading.sentences:
        words = reading.typed[sentence.start : sentence.end]
        if _TO_USER.search(words) or (is_short and not _ADVICE.search(words)):
            yield sentence


def _is_of_user(found: _Found) -> bool:
    """Whether a value is the user's own; links and files in advice are not."""
    if found.reading.mood_at(found.value.start) == "hypothetical":
        return False
    return found.value.key not in ("url", "path", "version") or bool(_MADE.search(found.before))


def _answered(found: _Found, said: Finding) -> Finding:
    key = "birthday" if found.value.key == "date" else said.key
    return replace(said, kind="identity", key=key)


def _is_echo(found: _Found, before: Sequence[Reading]) -> bool:
    return any(found.value.value in other.text for other in before if other.trust == "user")


def _is_worth_keeping(found: _Found) -> bool:
    value, reading = found.value, found.reading
    if found.is_alone or _CORRECTED.search(found.before):
        return not _is_doubted(found)
    if _is_doubted(found):
        return False
    sentence = reading.sentence_at(value.start)
    words = reading.typed[max(sentence.start, value.start - 80) : value.end + 40]
    if value.key == "amount" and len(reading.text) > _SHORT:
        return _MONEY_TALK.search(words) is not None
    return value.key != "time" or _MEETING_TALK.search(words) is not None


def _is_doubted(found: _Found) -> bool:
    if _CHECKED.match(found.after):
        return True
    mood = found.reading.mood_at(found.value.start)
    return mood == "hypothetical" or (mood == "question" and not _is_taken_for_granted(found))


_ASKED = re.compile(
    r"\b(?:is|was|are)(?: it| that| this)?\s*\Z|是\s*\Z|\b(?:is|was) .{0,30}\b(?:number|id"
    r"|email|code|e-mail|no\.|address)\s*\Z",
    re.I,
)


def _is_taken_for_granted(found: _Found) -> bool:
    """Whether a question is about a value and not whether it is this one."""
    if found.value.key not in _REFERENCES:
        return found.reading.manner_at(found.value.start).presupposes
    return not _ASKED.search(found.before)


def _finding(found: _Found, action: Action = "add") -> Finding:
    value, reading = found.value, found.reading
    kind, subject = _kind_and_subject(found)
    return Finding(
        action=action,
        kind=kind,
        key=value.key,
        subject=subject,
        value=reading.text[value.start : value.end],
        norm=value.norm,
        quote=reading.quote(value.start),
        source=reading.source(value.start, value.end),
        trust=reading.trust,
        confirmed=reading.trust == "user" and reading.mood_at(value.start) != "hearsay",
        confidence=0.95 if reading.trust == "user" else 0.7,
        method=f"rule:{value.key}",
    )


def _kind_and_subject(found: _Found) -> tuple[Kind, str]:
    value, reading = found.value, found.reading
    if value.key not in _CONTACTS or reading.trust == "tool" or reading.is_quoted(value.start):
        return "fact", USER
    whose = owner(reading, value.start, value.end)
    if value.key == "account" and whose in ("", USER):
        return "identity", USER
    if reading.trust == "user" and (found.is_alone or found.is_whole_sentence):
        return "identity", USER
    cue = _CONTACT_CUE.search(found.before)
    if reading.trust == "assistant" and whose != USER:
        return "fact", whose if whose.startswith("other") else USER
    if whose == USER and (cue or re.match(r"\s*(?:is|是)", found.after)):
        return "identity", USER
    if not whose and cue and not _is_of_something(found, cue):
        return "identity", USER
    return "fact", whose if whose.startswith("other") else USER


_OWN_KIND = re.compile(
    r"\W*(?:.*[.!?。] ?)?(?:work|personal|private|new|home|office|best|cell|direct|current|是"
    r"|记一下|请记一下|please note|工作|个人|公司|新|私人|常用|联系|备用)\s*",
    re.I,
)
"""Before a label these say which of the user's own it is."""


def _is_of_something(found: _Found, cue: re.Match[str]) -> bool:
    """Whether another noun stands before the label: "the support email", "客服电话"."""
    clause = re.split(r"[,，、;；:：\n]|\band\b|和|或", found.before[: cue.start()])[-1]
    return bool(clause.strip()) and not _OWN_KIND.fullmatch(clause)


def _corrected(found: _Found, denied: Sequence[_Found], before: Sequence[Reading]) -> Finding:
    said = _finding(found)
    old = _denied_by(found, denied)
    if old is not None:
        return replace(said, action="supersede", replaces=old.value.value)
    sentence = found.reading.before(found.value.start)
    if found.value.key not in ("date", "time") and _NOW.search(found.before):
        return replace(said, action="supersede", replaces=_last_said(found.value, before))
    is_new = _CORRECTED.search(found.before) or _CHANGED_TO.match(found.after)
    if is_new or _CORRECTION.search(sentence):
        return replace(said, action="supersede", replaces=_last_said(found.value, before))
    return said


_ASKS_FOR = {
    "email": re.compile(
        r"\byour\b.{0,20}\be-?mail|\ban (?:\w+ )?e-?mail\b|\b(?:name and|the) e-?mail\b"
        r"|[您你]的?.{0,6}(?:邮箱|邮件)"
        r"|(?:留下?|提供|告知|联系).{0,8}(?:邮箱|邮件)|\b(?:which|what)\b.{0,30}\be-?mail"
        r"|correo|courriel|メール|이메일|почт|endereço de e-?mail|adresse e-?mail",
        re.I,
    ),
    "phone": re.compile(
        r"\byour\b.{0,20}\b(?:phone|number|mobile)|\ba (?:\w+ )?(?:phone|mobile|contact)\b"
        r"|[您你]的?.{0,6}(?:手机|电话|号码)"
        r"|(?:联系|联络|留下?|提供|告知|收件人).{0,8}(?:电话|手机|号码|联系方式)"
        r"|\b(?:which|what)\b.{0,30}\b(?:phone"
        r"|number to (?:call|reach)|mobile)|电话番号|전화번호|연락처"
        r"|tel[eé]fono|telefone|téléphone|telefon|телефон",
        re.I,
    ),
    "date": re.compile(
        r"date of birth|\bbirth ?(?:date|day)|when were you born|出生|生日|生年月日|생년월일"
        r"|fecha de nacimiento|date de naissance|geburtsdatum|data de nascimento|дат\w рождения",
        re.I,
    ),
    "account": re.compile(
        r"\byour\b.{0,20}\b(?:id|account)\b|[您你]的?.{0,6}(?:账号|会员号)", re.I
    ),
}
_LONGEST_ANSWER = 80


def _answers(found: _Found, before: Sequence[Reading]) -> bool:
    """Whether the assistant asked for the user's mail, say, and this is the short answer."""
    asks = _ASKS_FOR.get(found.value.key)
    if (
        asks is None
        or found.reading.trust != "user"
        or not before
        or before[-1].trust != "assistant"
    ):
        return False
    if owner(found.reading, found.value.start, found.value.end).startswith("other"):
        return False
    is_short = len(found.reading.text) - len(found.value.value) < _LONGEST_ANSWER
    return is_short and asks.search(before[-1].free) is not None


def _denied_by(found: _Found, denied: Sequence[_Found]) -> _Found | None:
    """The value that the same sentence says this one is not."""
    here = found.reading.sentence_at(found.value.start)
    for old in denied:
        near = found.reading.sentence_at(old.value.start) == here
        if near and _family(old.value.key) == _family(found.value.key):
            return old
    return None


def _family(key: str) -> str:
    return "id" if key in IDS or key == "account" else key


def _last_said(value: TypedValue, before: Sequence[Reading]) -> str:
    """The newest other value of this kind in the messages right before."""
    for reading in reversed(before):
        for other in reversed(typed_values(reading.typed) if reading.trust != "tool" else ()):
            if _family(other.key) == _family(value.key) and other.value != value.value:
                return other.value
    return ""
