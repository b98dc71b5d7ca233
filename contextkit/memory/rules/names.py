"""What the user is called, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from contextkit.memory.han import HAN
from contextkit.memory.items import USER, Finding
from contextkit.memory.reading import Reading
from contextkit.memory.rules.introductions_abroad import LANGUAGES
from contextkit.memory.rules.people import owner
from contextkit.memory.rules.profile import HELD_PROFILE, PROFILE
from contextkit.memory.rules.spoken import Check, Rule, pattern, spoken
from contextkit.memory.rules.words_identity import (
    COMPOUND_SURNAMES,
    NO_NAMES,
    NOT_ENDING_NAMES,
    SURNAMES,
)

_CAPITAL = r"(?-i:[A-ZÀ-ÖØ-ÞА-ЯЁ])[\w'’-]*"
_NAME = rf"{_CAPITAL}(?: (?:(?:de|van|von|bin|al|la|del|der) )?{_CAPITAL}){{0,3}}"
_LOWER_NAME = r"[a-z][a-z'’-]+(?: [a-z]+)?(?=\s*(?:[,.!;]|\Z|and\b|btw\b))"
_END_ZH = r"(?=\s*(?:[，,。.!！?？;；、\n)）\"”」]|\Z))"
_STOP_ZH = r"(?=\s*(?:[，,。.!！?？;；、\n)）\"”」]|\Z|[在是来今住做负请就吧]|btw\b|and\b))"
_MIXED_NAME = rf"[{HAN}]{{1,2}} ?(?-i:[A-Z])[A-Za-z]{{1,14}}{_STOP_ZH}"
_NAME_ZH = rf"(?:[{HAN}·]{{2,4}}?{_STOP_ZH}|{_MIXED_NAME}|{_NAME}(?: ?[{SURNAMES}](?={_END_ZH}))?)"
_SURE_NAME_ZH = (
    rf"(?:(?:{COMPOUND_SURNAMES})[{HAN}]{{1,2}}"
    rf"|[{SURNAMES}](?:[{HAN}]{{1,2}}(?<![{NOT_ENDING_NAMES}])"
    r"|小姐|先生|女士))"
)
_TITLE = r"(?:(?:Mrs?|Ms|Miss|Dr|Prof(?:essor)?)\.? )?"
_STOPPED_NAME_ZH = rf"[，,、。]\s*(?:全名|名字|单名|名?叫|是|[{SURNAMES}])"
_QUOTE = r"[\"“「『']?"
_IS = (
    r"(?:\s*(?:is now|is actually|is\b|was changed to|has changed to|改成了?|改为|换成|是|叫"
    r"|为|[:：=])|['’]s)"
)


def identities(reading: Reading) -> Iterator[Finding]:
    """Yield what the words of a message say about the user.

    Example:
        >>> from contextkit.memory.reading import read
        >>> found = identities(read("Hi, I'm Ann from Oslo.", index=0, role="user"))
        >>> [(finding.key, finding.value) for finding in found]
        [('name', 'Ann')]
    """
    yield from spoken(_NAMES, reading)
    yield from spoken(LANGUAGES, reading)
    yield from spoken(PROFILE, reading)


def asked_name(reading: Reading, asked: Reading) -> Iterator[Finding]:
    """Yield the name with which the user answers an assistant that asks for it.

    Example:
        >>> from contextkit.memory.reading import read
        >>> asked = read("May I have your full name?", index=0, role="assistant")
        >>> [f.value for f in asked_name(read("Mia Li", index=1, role="user"), asked)]
        ['Mia Li']
    """
    if _ASKS_NAME.search(asked.free):
        yield from islice(spoken(_ANSWERED_NAMES, reading), 1)


def held_identities(reading: Reading) -> Iterator[Finding]:
    """Yield what an assistant's message takes for granted about the user.

    Example:
        >>> from contextkit.memory.reading import read
        >>> found = held_identities(read("So your name is Ann?", index=0, role="assistant"))
        >>> [(finding.value, finding.confirmed) for finding in found]
        [('Ann', False)]
    """
    yield from spoken(_HELD_NAMES, reading, asked=True)
    yield from spoken(HELD_PROFILE, reading, asked=True)


def _is_name(reading: Reading, match: re.Match[str]) -> bool:
    name = match["value"]
    return name.split()[0].lower() not in NO_NAMES and not any(map(str.isdigit, name))


def _is_own_name(reading: Reading, match: re.Match[str]) -> bool:
    whose = owner(reading, match.start("value"), match.end("value"))
    return _is_name(reading, match) and whose in ("", USER)


def _name(name: str, hints: str, source: str, check: Check = _is_name) -> Rule:
    return Rule(
        name=name,
        kind="identity",
        key="name",
        pattern=pattern(source),
        hints=tuple(hints.split("|")),
        check=check,
    )


_NAMES = (
    _name(
        "my-name",
        "name",
        rf"(?:\bmy (?:(?:full|first|last|real|preferred|legal) )?|\A\W*(?:the )?)name{_IS}\s*"
        rf"{_QUOTE}(?P<value>{_NAME}|{_LOWER_NAME}|{_NAME_ZH})",
        _is_own_name,
    ),
    _name(
        "call-me",
        "call|i go by",
        r"\b(?:call(?:ing)? me|everyone calls me|(?:people|friends|they|everybody) calls? me"
        r"|i go by"
        rf"|i(?: am|'m|’m) called) {_QUOTE}(?P<value>{_NAME})"
        r"(?=\W*(?:\Z|[,.;!\n]|and|from|instead|please|or\b|for short))",
    ),
    _name(
        "this-is",
        "this is|it's|it is",
        r"(?:\A|[.!,\n]\s{0,4}|\b(?:hi|hello|hey),? )(?:this is|it's|it is) "
        rf"{_TITLE}(?P<value>{_NAME})(?=,? (?:from|at|with|here|speaking|calling|again|i am|i'm"
        rf"|i)\b)",
    ),
    _name(
        "here-is",
        "this is",
        rf"(?:\A|[.!\n]\s{{0,4}}|\b(?:hi|hello"
        rf"|hey),? )this is {_TITLE}(?P<value>{_NAME}), (?:the |an? |i )?\w",
    ),
    _name(
        "renamed",
        " now",
        rf"\bit['’]?s (?P<value>{_CAPITAL}(?: {_CAPITAL}){{1,2}}) now\b",
    ),
    _name(
        "greeting",
        "this is|name's|i am|i'm|i’m",
        r"\b(?:hi|hello|hey|morning|afternoon|evening"
        r"|day)(?: there| all| everyone| team)?[,.!]{0,2} "
        rf"(?:this is|(?:the )?name['’]s) (?P<value>{_NAME})(?=\s*(?:[,.!;\n]|\Z))",
    ),
    _name(
        "introduction",
        "intro|about me",
        r"\b(?:(?:quick |short |brief )?intro(?:duction)?|about me)\s*[:：-]\s*"
        rf"(?P<value>{_NAME})(?=\s*(?:[,.!;\n]|\Z))",
    ),
    _name(
        "here",
        " here",
        rf"(?:\A|[.!] |\b(?:hi|hello|hey|morning|afternoon"
        rf"|evening)(?: there)?[,!]? )(?P<value>{_NAME})"
        rf"(?: from [\w ]{{2,40}}?)? here(?=\s*(?:[,.!;\n]|\Z|from\b))",
    ),
    _name(
        "my-name-is-not",
        "my name",
        rf"\bmy name (?:is not|isn['’]t|is no longer) (?P<old>{_NAME})[,;.]?"
        rf" (?:but|it['’]s|it is|it is now) (?P<value>{_NAME})",
    ),
    _name(
        "i-am",
        "i am|i'm|i’m",
        r"(?:\A|[.!,\n]\s{0,4}|\b(?:hi|hello|hey)(?: there)?[,!]? )(?:i am|i'm|i’m) "
        rf"(?P<value>{_NAME})(?=\s*(?:[,.!;\n]|\Z|from|with|and i\b|by the way\b|btw\b)"
        r"|\s+(?:at|of) (?-i:[A-Z]))",
    ),
    _name(
        "my-name-zh",
        "名",
        rf"(?:(?:我|本人)的?(?:名字|姓名|全名|真名|英文名|中文名)(?:是|叫|[:：])|"
        rf"(?<![{HAN}])姓名[:：])\s*{_QUOTE}(?P<value>{_NAME_ZH})",
    ),
    _name(
        "called-zh",
        "叫",
        r"(?:我(?:就|现在|本名)?叫做?|(?:请|可以|就|都|你|您|直接|以后|麻烦)叫我|(?<!\w)叫我"
        rf"|(?<![{HAN}])(?:(?:本人|我)?姓[{HAN}][，,]\s*)?(?:本人|大家好[，,])?"
        rf"(?:名叫|名字叫|现在叫|改名叫|改叫|本人叫))\s*{_QUOTE}"
        rf"(?P<value>(?!做|什么|他|她|你|您|不|了|个|人|一|车|外卖|上){_NAME_ZH})",
    ),
    _name(
        "family-name-zh",
        "姓",
        rf"(?:敝姓|免贵姓|我姓|本人姓)(?P<family>[{HAN}])[，,、。]\s*(?:全名|名字|单名)?(?:叫|是)?"
        rf"(?P<value>(?P=family)[{HAN}]{{1,2}}){_END_ZH}",
    ),
    _name(
        "role-and-name-zh",
        "我是|本人是",
        rf"(?:\A|[，,。！!；;\s])(?:我|本人)是[^，。！？]{{0,16}}?(?:经理|主管|总监|老师|医生"
        rf"|护士|工程师|设计师|顾问|助理|专员|同学"
        rf"|秘书|会计|律师|研究生|博士生|硕士生|本科生|女儿|儿子|妈妈|爸爸|家长|店长|站长|组长"
        rf"|队长|班长|编辑|记者|讲师|教授|开发|运营"
        rf"|产品|负责人|创始人)[，,\s]?\s?(?P<value>{_SURE_NAME_ZH}){_END_ZH}",
    ),
    _name(
        "who-zh",
        "我是",
        rf"(?:\A|[，,。！!；;\s])我是(?:[{HAN}\w]{{2,14}}的(?:[{HAN}]{{0,4}}(?:经理|主管|老师"
        rf"|医生|工程师|顾问|助理|专员|同学|秘书|会计|设计师|总监))?"
        rf"|[^，,。！？的]{{2,14}}[，,]\s?|[^，。！？]{{2,14}}的"
        rf"[{HAN}]{{2,4}}[，,]\s?)(?P<value>[{SURNAMES}][{HAN}]{{1,2}}(?<![{NOT_ENDING_NAMES}])){_END_ZH}",
        _is_own_name,
    ),
    _name(
        "newcomer-zh",
        "大家好|你好|您好|各位",
        rf"(?:大家好|你好|您好|各位好)[，,！!。]\s?(?:我是)?(?:新来的|新入职的|这边是"
        rf"|今天刚入职的)?[{HAN}]{{0,4}}"
        rf"(?:经理|主管|老师|工程师|设计师|顾问|助理|专员|同学|会计|运营|开发"
        rf"|实习生)(?P<value>{_SURE_NAME_ZH}){_END_ZH}",
    ),
    _name(
        "and-called-zh",
        "叫",
        rf"我是[^。！？]{{2,20}}[，,]\s?(?:我)?(?:名字)?叫\s?(?P<value>{_SURE_NAME_ZH}"
        rf"|{_NAME}){_END_ZH}",
        _is_own_name,
    ),
    _name(
        "it-is-me-zh",
        "本人|就是我|是我",
        rf"(?:收件人|联系人|户名|姓名|乘客)(?:是|叫"
        rf"|：)?(?P<value>{_SURE_NAME_ZH})[，,]\s?(?:就是|也是|是)(?:我|本人)",
    ),
    _name(
        "only-family-name-zh",
        "姓",
        rf"(?:敝姓|免贵姓|我姓|本人姓)(?P<value>[{SURNAMES}])(?!{_STOPPED_NAME_ZH}){_END_ZH}",
    ),
    _name(
        "i-am-zh",
        "我是|本人",
        rf"(?:\A|[，,。！!；;\s])(?:我是|本人是?)\s*{_QUOTE}"
        rf"(?P<value>(?:{_NAME}|[阿小老大]{_CAPITAL}|{_SURE_NAME_ZH}){_END_ZH})",
    ),
    Rule(
        name="not-my-name-zh",
        kind="identity",
        key="name",
        action="retract",
        pattern=pattern(rf"我不(?:是|叫)(?P<value>[{SURNAMES}][{HAN}]{{1,2}}){_END_ZH}"),
        hints=("我不",),
    ),
)

_ASKS_NAME = re.compile(
    r"\b(?:your|what|the) (?:(?:full|first|last|family) )?(?:sur)?name\b[^.!]*\?"
    r"|\b(?:passenger|guest|cardholder|account|travell?er|full|contact) name\b"
    r"|\bwho am i (?:speaking|talking|chatting)|怎么称呼|贵姓"
    r"|请问.{0,4}姓名|(?:[您你]|收件人|联系人|乘客|预订人)的?.{0,4}(?:名字|姓名)|叫什么|(?:提供"
    r"|留下?|告知).{0,6}姓名"
    r"|\b(?:name|nom|nombre|nome|имя)\b[^.!?]{0,24}\?|votre (?:pré)?nom|su nombre|cómo se llama"
    r"|seu nome|ihr(?:en)? name|il suo nome|ваше имя"
    r"|вас зовут"
    r"|お名前|성함|이름이",
    re.I,
)
_ANSWERED_NAMES = (
    _name(
        "asked-name",
        "",
        r"\A\W*(?:(?:sure|yes|ok|of course)\W+)?(?:it['’]?s |it is |i['’]?m |i am |是|我?叫|姓名"
        r"|我是|我?姓.[，,])?\s*"
        rf"(?P<value>{_NAME}|{_SURE_NAME_ZH}){_END_ZH}",
    ),
    _name(
        "asked-name-inside",
        "",
        r"(?:\b(?:under|name is|name's|it['’]?s for|a nombre de|au nom de|auf den namen)\s|(?:\A"
        r"|[，。,、]\s?)"
        r"(?:收件人|姓名|名字|户名|被保险人|乘客|预订人)(?:是|叫|：|:)?\s?)"
        rf"(?P<value>{_NAME}|{_SURE_NAME_ZH}){_END_ZH}",
    ),
    _name(
        "asked-name-behind",
        "",
        rf"[,，]\s?(?P<value>{_CAPITAL}(?: {_CAPITAL}){{1,2}})\W*\Z",
    ),
    _name("asked-name-ko", "", r"\A\W*(?P<value>[가-힣]{2,4})(?:입니다|이에요|예요|이라고)"),
    _name(
        "asked-name-ja", "", r"\A\W*(?P<value>[一-龯々]{1,4}(?: [一-龯々]{1,3})?)(?:です|と申し)"
    ),
)

_HELD_NAMES = (
    _name(
        "your-name",
        "your ",
        rf"\byour (?:(?:full|first|last) )?name{_IS}\s*{_QUOTE}(?P<value>{_NAME})",
    ),
    _name(
        "your-name-zh",
        "您|你",
        rf"[您你]的?(?:名字|姓名)?(?:是叫|叫做?|是)\s*{_QUOTE}"
        rf"(?P<value>[{SURNAMES}][{HAN}]{{1,2}}?|{_NAME})(?=[，,。？?！!吗对\s]|\Z)",
    ),
)
