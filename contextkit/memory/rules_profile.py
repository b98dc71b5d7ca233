"""Where the user works and lives, as what, and under which accounts."""

from __future__ import annotations

import re

from contextkit.memory.items import USER, Action
from contextkit.memory.people import owner
from contextkit.memory.reading import Reading
from contextkit.memory.spoken import Check, Rule, always, pattern
from contextkit.memory.words_identity import (
    CITIES_ZH,
    NO_ORGS_ZH,
    NO_PLACES,
    NO_PLACES_ZH,
    ROLES,
    ROLES_ZH,
)

_HAN = r"\u4e00-\u9fff"
_I_AM = r"\bi(?:'m| am|’m) (?:now |currently |also )?"
_NOW = r"(?:now |currently |presently |actually |still |just |recently )?"
_THE = r"(?:the )?"
_WORK = rf"\bi(?:'m| am|’m)? {_NOW}(?:work(?:ing)?|employed)"
_BIG = r"(?-i:[A-ZÀ-Þ0-9])"
_ORG = rf"{_BIG}[\w&.'’-]*(?: (?:(?:of|and|for|the|&) )?{_BIG}[\w&'’-]*){{0,5}}"
_PLACE = r"(?-i:[A-ZÀ-Þ])[\w'’-]*(?:(?:, | )(?-i:[A-ZÀ-Þ])[\w'’-]*){0,3}"
_ROLE = rf"(?:[\w/&+-]+ ){{0,4}}?{ROLES}(?!\w)(?: of [\w ]{{2,20}})?"
_ROLE_ZH = rf"(?!在)(?:[{_HAN}\w/+-]{{1,10}}?)?{ROLES_ZH}"
_END = r"(?=\s*(?:[,.!;\n]|\Z))"
_END_ZH = r"(?=\s*(?:[，,。.!！?？;；、\n]|\Z|了|工作|上班|办公|的|这|已|快|有|和|跟|生活))"
_NOW_ZH = "(?:现在|目前|一直|最近|如今|刚|家|人|就|都)*"
_WE_ZH = "(?:我们?|本人|咱们?)"
_SUBJECT_ZH = (
    rf"(?:{_WE_ZH}{_NOW_ZH}(?:已经|刚刚?|上个?月|去年|今年)?|[，,。；]\s?{_NOW_ZH}(?:已经|刚刚?)?)"
)
_NOW_ORG_ZH = rf"(?:{NO_ORGS_ZH}|{CITIES_ZH})"


def _is_own(reading: Reading, match: re.Match[str]) -> bool:
    return owner(reading, match.start("value"), match.end("value")) in ("", USER)


def _is_mine(reading: Reading, match: re.Match[str]) -> bool:
    return owner(reading, match.start("value"), match.end("value")) == USER


def _is_place(reading: Reading, match: re.Match[str]) -> bool:
    return match["value"].split()[0].lower().rstrip(",") not in NO_PLACES


_FORMER = re.compile(r"(?:原来|之前|以前|旧|原先|老)[^，。；\n]{0,14}\Z")


def _is_present_address(reading: Reading, match: re.Match[str]) -> bool:
    former = _FORMER.search(reading.free[max(0, match.start("value") - 20) : match.start("value")])
    return not former and _is_own(reading, match)


def _rule(
    key: str,
    name: str,
    hints: str,
    source: str,
    check: Check = _is_own,
    action: Action = "add",
) -> Rule:
    return Rule(
        name=name,
        kind="identity",
        key=key,
        action=action,
        pattern=pattern(source),
        hints=tuple(hints.split("|")),
        check=check,
    )


def _works_zh(org: str, role: str) -> str:
    return (
        rf"(?:\A|[，,。；;\s]|我|现在|目前|[{_HAN}A-Za-z]{{2,4}}(?=在))在\s*"
        rf"(?P<{org}>(?!{NO_ORGS_ZH}|{CITIES_ZH})[{_HAN}\w&][{_HAN}\w& ]{{1,13}}?)\s*"
        r"(?:公司|集团)?(?:做|当|担任|任职|的|任)\s*(?:一[名个位])?"
        rf"(?P<{role}>{_ROLE_ZH}|{_ROLE}){_END_ZH}"
    )


_WORK_RULES = (
    _rule("org", "work-at", "work|employed", rf"{_WORK} (?:at|for|with) {_THE}(?P<value>{_ORG})"),
    _rule(
        "org",
        "joined",
        "joined",
        rf"\bi(?:'ve| have)? {_NOW}joined (?P<value>{_ORG})(?={_END}|\s+(?:as|last|this|in|on)\b)",
    ),
    _rule(
        "org",
        "my-company",
        "company|employer|organi",
        rf"\b(?:my|our) (?:company|employer|organi[sz]ation) is (?:called )?(?P<value>{_ORG})",
    ),
    _rule("org", "role-at", "i", rf"{_I_AM}(?:an?|the) {_ROLE} (?:at|with|for) (?P<value>{_ORG})"),
    _rule(
        "org",
        "lead-at",
        "lead|run|manage|head|direct|teach|consult|intern|freelance|took over|handle|look after"
        "|own ",
        rf"\bi {_NOW}(?:lead|run|manage|head|direct|teach|consult|intern|freelance|took over|handle"
        rf"|look after|own)"
        rf"(?: [\w ]{{2,40}}?)? (?:at|for) {_THE}(?P<value>{_ORG})",
    ),
    _rule(
        "org",
        "named-role-at",
        " at ",
        rf"\b(?:this is|i am|i'm|i’m|intro:|name is) {_PLACE}, (?:an? |the )?{_ROLE} at "
        rf"(?P<value>{_ORG})",
    ),
    _rule(
        "org",
        "left",
        "work",
        rf"\bi (?:don['’]?t|no longer|do not|used to) work (?:at|for) (?P<value>{_ORG})",
        action="retract",
    ),
    _rule("org", "works-zh", "在", _works_zh("value", "role"), _is_own),
    _rule(
        "org",
        "employed-zh",
        "职于|入职|跳槽|加入|效力|join",
        rf"{_SUBJECT_ZH}(?:就职于|任职于|供职于|效力于|入职了?|跳槽[到去]了?|加入了?"
        rf"|\s?join(?:ed)?\s?了?)\s*"
        rf"(?P<value>(?!{_NOW_ORG_ZH})[{_HAN}\w&][{_HAN}\w& ]{{1,13}}?)"
        rf"(?:公司)?(?={_END_ZH}|做|当|担任)",
        _is_mine,
    ),
    _rule(
        "org",
        "went-to-zh",
        "去了|到了|转到|调到|换工作|换到",
        rf"{_SUBJECT_ZH}(?:去了?|到了?|转到了?|调到了?|换工作[到去]了?"
        rf"|换到了?)\s*(?P<value>(?!{_NOW_ORG_ZH})"
        rf"[{_HAN}\w&]{{2,12}}?)(?:公司)?(?:做|当|担任|上班|工作|任职)(?:一[名个位])?"
        rf"(?:{_ROLE_ZH}|{_ROLE}|){_END_ZH}",
        _is_mine,
    ),
    _rule(
        "org",
        "left-zh",
        "离职|辞职|不在",
        rf"(?:{_SUBJECT_ZH}从(?P<value>[{_HAN}\w&]{{2,12}}?)(?:公司)?(?:离职|辞职|离开|出来)了?)",
        _is_mine,
        action="retract",
    ),
    _rule(
        "org",
        "no-longer-at-zh",
        "不在",
        rf"(?:我|本人)(?:早就|早|已经)?不在(?P<value>(?!{_NOW_ORG_ZH}|家|线|里)"
        rf"[{_HAN}\w&]{{2,12}}?)(?:公司)?(?:工作|上班|干|做)?了",
        action="retract",
    ),
    _rule(
        "org",
        "now-at-zh",
        "不在",
        rf"(?:我|本人)(?:早就|早|已经)?不在(?!{_NOW_ORG_ZH}|家|线|里)[{_HAN}\w& ]{{2,12}}?"
        rf"(?:工作|上班|干|做)?了?[，,。]\s*(?:我)?(?:现在|目前|如今|已经|改)*(?:在|去了|到了"
        rf"|来了)\s*"
        rf"(?P<value>(?!{_NOW_ORG_ZH})[{_HAN}\w&][{_HAN}\w& ]{{1,13}}?)(?={_END_ZH}|做|当|担任)",
    ),
    _rule(
        "org",
        "works-at-zh",
        "上班|工作",
        rf"{_SUBJECT_ZH}在\s*(?P<value>(?!{_NOW_ORG_ZH})[{_HAN}\w&][{_HAN}\w& ]{{1,13}}?)\s*"
        rf"(?:工作|上班|任职|就职|供职|实习){_END_ZH}",
        _is_mine,
    ),
    _rule(
        "org",
        "works-at-mixed",
        "在",
        rf"(?:我(?:现在|目前)?|现在我|[，,]\s?(?:现在|目前)?)在\s?(?P<value>{_ORG})\s?(?:做|当"
        rf"|上班|工作|负责|担任|任职)",
    ),
    _rule(
        "org",
        "company-called-zh",
        "公司|单位|店|团队",
        rf"我们?[{_HAN}]{{0,6}}?(?:公司|单位|店|团队"
        rf"|工作室)[^。！？]{{0,14}}?[，,]?叫\s?(?P<value>[{_HAN}\w&]{{2,14}}?){_END_ZH}",
        _is_own,
    ),
    _rule("role", "works-as-zh", "在", _works_zh("org", "value"), _is_own),
    _rule(
        "role",
        "works-as",
        "work",
        rf"{_WORK} (?:(?:at|for|with) {_THE}{_ORG} )?as (?:an?|the) (?P<value>{_ROLE})",
    ),
    _rule(
        "role",
        "i-am-role",
        "i",
        rf"{_I_AM}(?:an?|the) (?P<value>{_ROLE})"
        rf"(?={_END}|\s+(?:at|for|with|by|in|from|who|and|working|based)\b)",
    ),
    _rule(
        "role",
        "my-role",
        "my ",
        r"\bmy (?:job title|job|role|title|position|profession|occupation) is "
        rf"(?:an? |the )?(?P<value>{_ROLE})",
    ),
    _rule(
        "role",
        "i-am-role-zh",
        "是|做|当",
        rf"(?:{_WE_ZH}{_NOW_ZH}(?:是|做|当)(?:一?[名位个])?"
        rf"|[，,]\s?{_NOW_ZH}(?:是一[名位个]|做))\s?(?P<value>{_ROLE_ZH}|{_ROLE}){_END_ZH}",
        _is_mine,
    ),
    _rule(
        "role",
        "profession-zh",
        "从事",
        rf"从事(?P<value>[{_HAN}\w]{{2,10}}?)(?:方面|行业)?的?(?:工作|职业)",
        _is_own,
    ),
    _rule(
        "role",
        "position-zh",
        "职|岗",
        rf"(?:我(?:现在|目前)?的?|本人|[，,。\s]|\A)(?:现在的?|目前的?)?(?:职业|职位|职务|岗位"
        rf"|职称|头衔)"
        rf"(?:是|为|[:：])\s*(?P<value>[{_HAN}\w][{_HAN}\w ]{{1,18}}?){_END_ZH}",
        _is_own,
    ),
    _rule(
        "role",
        "went-as-zh",
        "做|当|担任",
        rf"{_SUBJECT_ZH}(?:去了?|到了?|转到了?|调到了?|换工作[到去]了?|换到了?|入职了?|加入了?"
        rf"|跳槽[到去]了?)\s*"
        rf"[{_HAN}\w&]{{2,12}}?(?:做|当|担任)(?:一[名个位])?(?P<value>{_ROLE_ZH}|{_ROLE}){_END_ZH}",
        _is_mine,
    ),
    _rule(
        "role",
        "named-role",
        " at |intro",
        rf"\b(?:this is|i am|i'm|i’m|intro:|name is) {_PLACE}, (?:an? |the )?(?P<value>{_ROLE})"
        rf"(?={_END}| at\b| from\b)",
    ),
)

_PLACE_RULES = (
    _rule(
        "location",
        "live-in",
        " in | near ",
        rf"\bi(?:'m| am|’m)? {_NOW}(?:liv(?:e|ing)|based|located|resid(?:e|ing)) "
        rf"(?:in|near) (?P<value>{_PLACE})",
        _is_place,
    ),
    _rule(
        "location",
        "moved",
        "mov|relocated",
        rf"\b(?:i|we)(?:'ve| have|’ve)? {_NOW}(?:moved|relocated)(?: from (?P<old>{_PLACE}))?"
        rf"(?: back)? to (?P<value>{_PLACE})",
        _is_place,
    ),
    _rule(
        "location",
        "live-zh",
        "住|定居|常驻|base|坐标",
        rf"(?:{_WE_ZH}{_NOW_ZH}|[，,]\s?{_NOW_ZH})(?:住|定居|居住|常驻|常住|base"
        rf"|坐标)\s?[在于到]?\s?(?!"
        rf"{NO_PLACES_ZH}|[校的了着在院])(?P<value>[{_HAN}\w]{{2,14}}?){_END_ZH}",
        _is_mine,
    ),
    _rule(
        "location",
        "where-i-live",
        "where i",
        rf"\b(?:in|from|to|at) (?P<value>{_PLACE}),? where (?:i|we) "
        r"(?:now |currently )?(?:live|am based|are based|reside|stay)\b",
        _is_place,
    ),
    _rule(
        "location",
        "home-is",
        "home|hometown|city",
        rf"\bmy (?:home|home ?town|city|home city|location|current city) is (?P<value>{_PLACE})"
        rf"(?={_END})",
        _is_place,
    ),
    _rule(
        "location",
        "now-in-zh",
        "不在",
        rf"(?:我|本人)(?:早就|早|已经)?不在{CITIES_ZH}了?[，,。]\s*(?:我)?(?:现在|目前|如今|已经"
        rf"|改)*"
        rf"(?:在|去了|到了|来了|搬到了?)\s*(?P<value>{CITIES_ZH}){_END_ZH}",
    ),
    _rule(
        "location",
        "be-in-zh",
        "在",
        rf"{_WE_ZH}{_NOW_ZH}在(?P<value>{CITIES_ZH}市?[{_HAN}]{{0,4}}?)(?:这边)?{_END_ZH}",
    ),
    _rule(
        "location",
        "moved-zh",
        "搬",
        rf"(?:从(?P<old>[{_HAN}]{{2,8}}?))?搬家?[到去来回]了?(?!{NO_PLACES_ZH})"
        rf"(?P<value>[{_HAN}\w]{{2,10}}?){_END_ZH}",
        _is_own,
    ),
    _rule(
        "address",
        "address",
        "address|地址",
        r"(?:\bmy (?:(?:home|shipping|delivery|billing|mailing|new|current) )?address is(?: now)? "
        r"(?P<value>\d[^.;!?\n]{5,80}))",
    ),
    _rule(
        "address",
        "street-zh",
        "号|室|栋|楼|弄",
        rf"(?:地址|寄[到至]|送[到至]|发[到至]|改[成为到]|换成|搬[到去]了?|住在"
        rf"|新家)[^，。；\n]{{0,6}}?(?:改[成为到]|换成|[是为：:])?"
        rf"\s?(?P<value>(?![是为在到于改换了])[{_HAN}]{{2,3}}(?:省|市|区"
        rf"|县)[^，。；！？\n,;@]{{2,36}}?\d+\s?(?:号|弄|栋"
        rf"|幢|室|楼|单元)[\w-]{{0,16}})",
        _is_present_address,
    ),
    _rule(
        "address",
        "street",
        "place is|house is|it's|it’s|it is|ship|send|deliver|live at|moved",
        r"\b(?:it['’]?s|it is|(?:new|my|our) (?:place|house|home|flat) is|(?:ship|send"
        r"|deliver)(?: it| them)? to|(?:i|we) live at"
        r"|(?:i|we)(?:['’]ve)? moved to)\s"
        r"(?P<value>\d{1,5}[A-Z]? (?:(?-i:[A-Z0-9])[\w'’]*\.? ){1,4}"
        r"(?:ave(?:nue)?|st(?:reet)?|r(?:oa)?d|blvd|lane|ln|dr(?:ive)?|court|ct|way|place|pl"
        r"|square|sq)\b"
        r"(?:,? (?!now\b|please\b|instead\b)[\w#.-]+){0,8})",
    ),
    _rule(
        "address",
        "address-abroad",
        "adresse|direcci|endere|indirizzo|anschrift",
        r"\b(?:adresse|direcci[óo]n|endereço|indirizzo|anschrift)\b[^.:\n]{0,12}"
        r"(?:[:：]| (?:est|es|é|ist|lautet))\s?(?P<value>(?=[^.;!?\n]*\d)[^.;!?\n@]{8,70})",
    ),
    _rule(
        "address",
        "address-ja",
        "住所|届け先",
        r"(?:住所|届け先)[^。\n]{0,24}?[は、]\s?(?P<value>[一-龯]{2,4}[都道府県市区][^\s。、]{2,30}?\d[\d-]*)",
    ),
    _rule(
        "address",
        "address-mixed",
        "address",
        r"(?:\A|[，,。]\s?|\b(?:my|new|home)\s)address\s?(?:is(?: now)?|是|改成|[:：])\s?"
        r"(?P<value>(?:(?:unit|apt|flat|room|suite|no\.?) ?)?\d[^;!?\n。，；]{5,80})",
    ),
    _rule(
        "address",
        "address-zh",
        "地址",
        rf"(?:我的?|(?<![{_HAN}]))(?:收货|家庭|邮寄|公司|取件|寄送|送货|配送|账单|办公"
        rf"|新)*地址(?:现在)?(?:是|为|改成|改为|改到|换成|[:：])\s*"
        r"(?P<value>[^，。；！？\n,;@]{5,60})",
    ),
    _rule(
        "timezone",
        "timezone",
        "zone",
        r"(?:\b(?:my|our) |[，,。]\s?|我的?\s?|\A)time ?zone\s?(?:is|是|[:：])\s?"
        r"(?P<value>(?:UTC|GMT)\s?[+-]\s?\d{1,2}(?::\d\d)?"
        r"|(?-i:[A-Z][a-z]+)/[\w/]+|(?-i:[A-Z]{2,5})\b|(?-i:[A-Z])\w+ (?:Standard )?Time)",
    ),
    _rule(
        "timezone",
        "timezone-zh",
        "时区",
        rf"时区(?:是|为|[:：])\s*(?P<value>[{_HAN}\w+:/-]{{2,16}}?){_END_ZH}",
    ),
)

_HANDLE = r"(?P<value>@?[A-Za-z][\w.-]{2,30}\w|\d{5,12})(?![\w@]|\.\w|://)"
_ACCOUNT_RULES = (
    _rule(
        "account",
        "handle",
        "wechat|qq|telegram|skype|discord|github|twitter|instagram|slack",
        r"\b(?:WeChat|QQ|Telegram|Skype|Discord|GitHub|Twitter|Instagram|Slack)"
        rf"(?: ?(?:id|account|handle|username|号))?\s*(?:is|是|[:：])\s*{_HANDLE}",
    ),
    _rule(
        "account",
        "handle-zh",
        "微信|推特|钉钉|飞书",
        rf"(?:微信|推特|钉钉|飞书)(?:号|ID|账号)?\s*(?:是|为|[:：])?\s*{_HANDLE}",
    ),
    _rule(
        "account",
        "username",
        "my ",
        r"\bmy (?:user ?name|login|user id|handle) is (?P<value>@?[\w.-]{2,40}\w)",
    ),
    _rule(
        "account",
        "username-zh",
        "用户名|昵称|登录名",
        r"我的?(?:用户名|昵称|登录名)(?:是|为|[:：])\s*(?P<value>[\w.@-]{2,30})",
    ),
    _rule("age", "age", " old", rf"{_I_AM}(?P<value>\d{{1,2}} years? old)\b", always),
    _rule(
        "age",
        "age-zh",
        "岁",
        rf"(?:我|今年|现在|[，,]\s?)(?P<value>\d{{1,2}}岁){_END_ZH}",
        _is_mine,
    ),
    _rule(
        "birthday",
        "born-zh",
        "生",
        r"(?P<value>(?:(?:19|20)\d\d年"
        r"|民国\s?\d{2,3}\s?年\s?)\d{1,2}\s?月\s?\d{1,2}\s?[日号])\s?(?:出生|生(?=[，。,\s]|\Z))",
    ),
    _rule(
        "birthday",
        "born",
        " born",
        r"\bi was born (?:on |in )?(?P<value>[\w ,./-]{4,24}?\d{2,4})(?=[.,;!\n]|\Z)",
        always,
    ),
    _rule("age", "age-this-year-zh", "今年", r"我今年(?P<value>\d{1,2})(?=[，。,]|\Z)", always),
    _rule(
        "birthday",
        "birthday",
        "birthday|生日",
        r"(?:\bmy birthday is (?:on )?|我的?生日(?:是|在))"
        r"(?P<value>[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? "
        r"(?:of )?[A-Z][a-z]{2,8}|\d{1,2}月\d{1,2}[日号]?)",
        always,
    ),
)

PROFILE = (*_WORK_RULES, *_PLACE_RULES, *_ACCOUNT_RULES)
"""What the user says."""

HELD_PROFILE = (
    _rule(
        "location",
        "you-live",
        "you",
        rf"\byou(?:'re| are|’re)? {_NOW}(?:live|living|based) in (?P<value>{_PLACE})",
        _is_place,
    ),
    _rule(
        "org",
        "you-work",
        "you",
        rf"\byou(?:'re| are|’re)? {_NOW}work(?:ing)? (?:at|for) (?P<value>{_ORG})",
        always,
    ),
)
"""What an assistant says about the user."""
