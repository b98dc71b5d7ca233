"""Where the user works, and as what."""

from __future__ import annotations

from contextkit.memory.han import HAN
from contextkit.memory.rules.profile_phrases import (
    END,
    END_ZH,
    I_AM,
    NOW,
    NOW_ORG_ZH,
    NOW_ZH,
    ORG,
    PLACE,
    ROLE,
    ROLE_ZH,
    SUBJECT_ZH,
    THE,
    WE_ZH,
    WORK,
    is_mine,
    is_own,
    rule,
)
from contextkit.memory.rules.words_identity import (
    CITIES_ZH,
    NO_ORGS_ZH,
)


def _works_zh(org: str, role: str) -> str:
    return (
        rf"(?:\A|[，,。；;\s]|我|现在|目前|[{HAN}A-Za-z]{{2,4}}(?=在))在\s*"
        rf"(?P<{org}>(?!{NO_ORGS_ZH}|{CITIES_ZH})[{HAN}\w&][{HAN}\w& ]{{1,13}}?)\s*"
        r"(?:公司|集团)?(?:做|当|担任|任职|的|任)\s*(?:一[名个位])?"
        rf"(?P<{role}>{ROLE_ZH}|{ROLE}){END_ZH}"
    )


WORK_RULES = (
    rule("org", "work-at", "work|employed", rf"{WORK} (?:at|for|with) {THE}(?P<value>{ORG})"),
    rule(
        "org",
        "joined",
        "joined",
        rf"\bi(?:'ve| have)? {NOW}joined (?P<value>{ORG})(?={END}|\s+(?:as|last|this|in|on)\b)",
    ),
    rule(
        "org",
        "my-company",
        "company|employer|organi",
        rf"\b(?:my|our) (?:company|employer|organi[sz]ation) is (?:called )?(?P<value>{ORG})",
    ),
    rule("org", "role-at", "i", rf"{I_AM}(?:an?|the) {ROLE} (?:at|with|for) (?P<value>{ORG})"),
    rule(
        "org",
        "lead-at",
        "lead|run|manage|head|direct|teach|consult|intern|freelance|took over|handle|look after"
        "|own ",
        rf"\bi {NOW}(?:lead|run|manage|head|direct|teach|consult|intern|freelance|took over|handle"
        rf"|look after|own)"
        rf"(?: [\w ]{{2,40}}?)? (?:at|for) {THE}(?P<value>{ORG})",
    ),
    rule(
        "org",
        "named-role-at",
        " at ",
        rf"\b(?:this is|i am|i'm|i’m|intro:|name is) {PLACE}, (?:an? |the )?{ROLE} at "
        rf"(?P<value>{ORG})",
    ),
    rule(
        "org",
        "caller-from",
        " from ",
        rf"\b(?:this is|i am|i'm|i’m"
        rf"|my name is) {PLACE},? (?:calling )?from {THE}"
        rf"(?P<value>{ORG} (?-i:[A-Z])[\w&]*)(?={END}|\s+(?:and|about))",
    ),
    rule(
        "org",
        "left",
        "work",
        rf"\bi (?:don['’]?t|no longer|do not|used to) work (?:at|for) (?P<value>{ORG})",
        action="retract",
    ),
    rule("org", "works-zh", "在", _works_zh("value", "role"), is_own),
    rule(
        "org",
        "employed-zh",
        "职于|入职|跳槽|加入|效力|join",
        rf"{SUBJECT_ZH}(?:就职于|任职于|供职于|效力于|入职了?|跳槽[到去]了?|加入了?"
        rf"|\s?join(?:ed)?\s?了?)\s*"
        rf"(?P<value>(?!{NOW_ORG_ZH})[{HAN}\w&][{HAN}\w& ]{{1,13}}?)"
        rf"(?:公司)?(?={END_ZH}|做|当|担任)",
        is_mine,
    ),
    rule(
        "org",
        "went-to-zh",
        "去了|到了|转到|调到|换工作|换到",
        rf"{SUBJECT_ZH}(?:去了?|到了?|转到了?|调到了?|换工作[到去]了?"
        rf"|换到了?)\s*(?P<value>(?!{NOW_ORG_ZH})"
        rf"[{HAN}\w&]{{2,12}}?)(?:公司)?(?:做|当|担任|上班|工作|任职)(?:一[名个位])?"
        rf"(?:{ROLE_ZH}|{ROLE}|){END_ZH}",
        is_mine,
    ),
    rule(
        "org",
        "left-zh",
        "离职|辞职|不在",
        rf"(?:{SUBJECT_ZH}从(?P<value>[{HAN}\w&]{{2,12}}?)(?:公司)?(?:离职|辞职|离开|出来)了?)",
        is_mine,
        action="retract",
    ),
    rule(
        "org",
        "no-longer-at-zh",
        "不在",
        rf"(?:我|本人)(?:早就|早|已经)?不在(?P<value>(?!{NOW_ORG_ZH}|家|线|里)"
        rf"[{HAN}\w&]{{2,12}}?)(?:公司)?(?:工作|上班|干|做)?了",
        action="retract",
    ),
    rule(
        "org",
        "now-at-zh",
        "不在",
        rf"(?:我|本人)(?:早就|早|已经)?不在(?!{NOW_ORG_ZH}|家|线|里)[{HAN}\w& ]{{2,12}}?"
        rf"(?:工作|上班|干|做)?了?[，,。]\s*(?:我)?(?:现在|目前|如今|已经|改)*(?:在|去了|到了"
        rf"|来了)\s*"
        rf"(?P<value>(?!{NOW_ORG_ZH})[{HAN}\w&][{HAN}\w& ]{{1,13}}?)(?={END_ZH}|做|当|担任)",
    ),
    rule(
        "org",
        "works-at-zh",
        "上班|工作",
        rf"{SUBJECT_ZH}在\s*(?P<value>(?!{NOW_ORG_ZH})[{HAN}\w&][{HAN}\w& ]{{1,13}}?)\s*"
        rf"(?:工作|上班|任职|就职|供职|实习){END_ZH}",
        is_mine,
    ),
    rule(
        "org",
        "works-at-mixed",
        "在",
        rf"(?:我(?:现在|目前)?|现在我|[，,]\s?(?:现在|目前)?)在\s?(?P<value>{ORG})\s?(?:做|当"
        rf"|上班|工作|负责|担任|任职)",
    ),
    rule(
        "org",
        "company-called-zh",
        "公司|单位|店|团队",
        rf"我们?[{HAN}]{{0,6}}?(?:公司|单位|店|团队"
        rf"|工作室)[^。！？]{{0,14}}?[，,]?叫\s?(?P<value>[{HAN}\w&]{{2,14}}?){END_ZH}",
        is_own,
    ),
    rule(
        "org",
        "works-at-called-zh",
        "叫",
        rf"在一?家?叫\s?(?P<value>[{HAN}\w&]{{2,14}}?)的(?:公司|店|工作室|机构|学校|医院|单位"
        rf"|企业)(?:做|当|上班|工作|担任|任职)",
        is_own,
    ),
    rule(
        "role",
        "works-as-called-zh",
        "叫",
        rf"在一?家?叫\s?[{HAN}\w&]{{2,14}}?的(?:公司|店|工作室|机构|学校|医院|单位|企业)(?:做|当"
        rf"|担任)(?:一[名个位])?(?P<value>{ROLE_ZH}){END_ZH}",
        is_own,
    ),
    rule("role", "works-as-zh", "在", _works_zh("org", "value"), is_own),
    rule(
        "role",
        "works-as",
        "work",
        rf"{WORK} (?:(?:at|for|with) {THE}{ORG} )?as (?:an?|the) (?P<value>{ROLE})",
    ),
    rule(
        "role",
        "i-am-role",
        "i",
        rf"{I_AM}(?:an?|the) (?P<value>{ROLE})"
        rf"(?={END}|\s+(?:at|for|with|by|in|from|who|and|working|based|there|here)\b)",
    ),
    rule(
        "role",
        "my-role",
        "my ",
        r"\bmy (?:job title|job|role|title|position|profession|occupation) is "
        rf"(?:an? |the )?(?P<value>{ROLE})",
    ),
    rule(
        "role",
        "i-am-role-zh",
        "是|做|当",
        rf"(?:{WE_ZH}{NOW_ZH}(?:是|做|当)(?:一?[名位个])?"
        rf"|[，,]\s?{NOW_ZH}(?:是一[名位个]|做))\s?(?P<value>{ROLE_ZH}|{ROLE}){END_ZH}",
        is_mine,
    ),
    rule(
        "role",
        "profession-zh",
        "从事",
        rf"从事(?P<value>[{HAN}\w]{{2,10}}?)(?:方面|行业)?的?(?:工作|职业)",
        is_own,
    ),
    rule(
        "role",
        "position-zh",
        "职|岗",
        rf"(?:我(?:现在|目前)?的?|本人|[，,。\s]|\A)(?:现在的?|目前的?)?(?:职业|职位|职务|岗位"
        rf"|职称|头衔)"
        rf"(?:是|为|[:：])\s*(?P<value>[{HAN}\w][{HAN}\w ]{{1,18}}?){END_ZH}",
        is_own,
    ),
    rule(
        "role",
        "went-as-zh",
        "做|当|担任",
        rf"{SUBJECT_ZH}(?:去了?|到了?|转到了?|调到了?|换工作[到去]了?|换到了?|入职了?|加入了?"
        rf"|跳槽[到去]了?)\s*"
        rf"[{HAN}\w&]{{2,12}}?(?:做|当|担任)(?:一[名个位])?(?P<value>{ROLE_ZH}|{ROLE}){END_ZH}",
        is_mine,
    ),
    rule(
        "role",
        "named-role",
        " at |intro",
        rf"\b(?:this is|i am|i'm|i’m|intro:|name is) {PLACE}, (?:an? |the )?(?P<value>{ROLE})"
        rf"(?={END}| at\b| from\b)",
    ),
)
