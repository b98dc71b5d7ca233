"""Whose something is: the nearest person named before it decides."""

from __future__ import annotations

import re

from contextkit.memory.items import USER
from contextkit.memory.reading import Reading

_RELATIONS = (
    r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mother|mom|mum|father|dad"
    r"|parents?|brother|sister|siblings?|son|daughter|kids?|child|children|uncle|aunt|cousin|nephew"
    r"|niece|grand(?:ma|pa|mother|father)|boss|manager|colleagues?|coworkers?|co-worker|teammates?"
    r"|assistant|friends?|roommate|neighbou?r|landlord|tenant|client|customer|doctor|lawyer|teacher"
    r"|accountant|agent|supplier|vendor|student|dog|cat|in-law"
)
_RELATIONS_ZH = (
    "老公|老婆|妻子|丈夫|太太|先生|爱人|对象|女朋友|男朋友|女友|男友|妈妈?|母亲|爸爸?|父亲"
    "|父母|哥哥?|姐姐?"
    "|弟弟?|妹妹?|儿子|女儿|孩子|爷爷|奶奶|外公|外婆|叔叔|阿姨|舅舅|表[哥姐弟妹]|同事|老板"
    "|上司|领导|经理"
    "|下属|助理|朋友|闺蜜|室友|邻居|房东|客户|医生|律师|老师|同学|学生|供应商|猫|狗"
)
_RELATIONS_ABROAD = (
    r"femme|mari|fils|fille|mère|père|frère|s[œo]e?ur|collègue|patron(?:ne)?|ami[eg]?[oa]?"
    r"|esposa|mujer"
    r"|marido|hij[oa]|madre|padre|herman[oa]|jef[ea]|colega|compañer[oa]|frau|mann|sohn|tochter"
    r"|mutter"
    r"|vater|bruder|schwester|chefin?|kollegin|kollegen?|freund(?:in)?|filh[oa]|mãe|pai|irmã[o]?"
    r"|moglie"
    r"|marito|fratello|sorella"
)
_RELATIONS_EAST = "妻|夫|友人|同僚|上司|母の|父の|남편|아내|엄마|아빠|어머니|아버지|동료|친구"
_PERSON = re.compile(
    rf"\b(?:my|our|the|your)\s+(?:\w+\s+)?(?P<relation>{_RELATIONS})\b(?:'s|’s)?"
    rf"|(?:我|咱|本人)[们]?家?的?(?P<relation_zh>{_RELATIONS_ZH})"
    rf"|\b(?:ma|mon|mis?|mein(?:e[nrm]?)?|meu|minha|mia|mio"
    rf"|mijn)\s(?P<relation_abroad>{_RELATIONS_ABROAD})\b"
    r"|\b(?P<user>mine|my|i|me|i'?m|our|ours|we|us|myself|mon|ma|mi|meu|minha|meine?|mia|mio"
    r"|mijn|мо[йяёие]|moi"
    r"|m(?=['’](?:écri|join|contact|envoy|appel)))\b"
    r"|(?P<user_zh>本人|我们?|咱们?|私の|僕の|제 |내 |(?:بريد|هاتف|رقم|إيميل|ايميل|جوال|عنوان)ي)"
    r"|\b(?P<other>his|hers?|him|their|theirs|them|he|she|they|someone|somebody)\b"
    r"|(?P<other_zh>[他她它][们]?|对方|人家|别人|客户|同事|老板|(?:财务|甲方|乙方"
    r"|供应商)?(?:对接人|联系人|窗口|负责人"
    r"|审批人|经办人)|contact(?=\s?(?:是|叫|person)))"
    rf"|(?P<relation_east>{_RELATIONS_EAST})"
    r"|\b(?P<named>(?-i:[A-Z])\w+)(?:'s|’s)(?=\s+\w)"
    r"|\b(?P<you>yours?|you)\b|(?P<you_zh>[你您][们]?)",
    re.I,
)
_BEHIND = re.compile(r"\s*(?:is|are|是|就是|:)\s*(?:also )?(?:my|mine|我)(?!\w*'s)", re.I)
_NEAR = 80


def owner(reading: Reading, start: int, end: int) -> str:
    """Return the subject that ``[start, end)`` belongs to; "" when nobody is named before it.

    Example:
        >>> from contextkit.memory.reading import read
        >>> text = "My wife's email is a@b.org, mine is c@b.org."
        >>> reading = read(text, index=0, role="user")
        >>> [owner(reading, at, at + 7) for at in (text.index("a@b"), text.index("c@b"))]
        ['other:wife', 'user']
    """
    if _BEHIND.match(reading.after(end)):
        return _speaker(reading)
    people = list(_PERSON.finditer(reading.before(start)[-_NEAR:]))
    return _subject(people[-1], reading) if people else ""


def _subject(match: re.Match[str], reading: Reading) -> str:
    group = str(match.lastgroup)
    if group.startswith("user"):
        return _speaker(reading)
    if group.startswith("you"):
        return USER if reading.trust == "assistant" else "assistant"
    return f"other:{match[group].lower() if group != 'named' else match[group]}"


def _speaker(reading: Reading) -> str:
    return "assistant" if reading.trust == "assistant" else USER
