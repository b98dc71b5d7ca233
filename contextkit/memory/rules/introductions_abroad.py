"""What the user says of themselves in languages other than Chinese and English.

These languages put the speaker into the verb ("vivo en", "wohne in", "живу в") or leave them out
where nobody else is named (Japanese, Korean), so a short phrase is enough: the name, the place, the
employer or the trade stands right behind or right before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextkit.memory.han import simplified
from contextkit.memory.reading import Reading
from contextkit.memory.rules.spoken import Check, Rule, pattern

_CAPITAL = r"(?-i:[A-ZÀ-ÖØ-ÞĀ-ŽА-ЯЁ])[\w'’-]*"
_PARTICLE = r"(?:(?:de|van|von|bin|al|la|las|los|del|der|den|da|do|dos|di|e|y|of|and|&) )"
_NAME = rf"{_CAPITAL}(?: {_PARTICLE}?{_CAPITAL}){{0,3}}"
_FULL_NAME = rf"{_CAPITAL}(?: {_PARTICLE}?{_CAPITAL}){{1,3}}"
_ORG = rf"(?-i:[A-ZÀ-ÖØ-ÞА-ЯЁ0-9])[\w&.'’-]*\w(?: {_PARTICLE}?{_CAPITAL}){{0,3}}"
_END = r"(?=\s*(?:[,.!;:)\n。、！]|\Z)|\s+(?:y|e|et|und|i|и|en|and)\s)"
_TITLE = (
    r"(?:(?:doctora?|doutora?|dra?\.|señora?|senhora?|sra?\.|profesora?|professora?"
    r"|ingenier[oa]) )?"
)
_START = r"(?:\A|[,.!;\n¡]\s{0,4}|\b(?:y|e|et|und|и|hola|olá|salut|bonjour|hallo|ciao|oi)\s)"
_WORD_JA = r"[^\s、。，．！？!?「」はがをでに]"
_START_JA = r"(?:\A|[、。！!\s]|(?:私|僕|俺|わたし|ぼく)(?:の名前)?は、?)"
_START_KO = r"(?:\A|[,.!\s]|(?:저는|나는|전|난) )"
_WORD_KO = r"[가-힣A-Za-z]{2,10}?"

_TRADES = (
    r"(?:(?:profesor|enfermer|ingenier|abogad|médic|arquitect|maestr|cociner|consultor|programador"
    r"|diseñador|contador|traductor|camarer|desarrollador)[aoe]?r?a?"
    r"|(?:engenheir|advogad|enfermeir|arquitet|cozinheir)[ao]|(?:professor|programador|designer"
    r"|contador|tradutor|desenvolvedor)a?|jef[ea]|gerente|director[a]?|encargad[oa]|analista"
    r"|técnic[oa]|responsable|directeur|directrice|chef(?:fe)?|responsabile|impiegat[oa]"
    r"|estudiante|estudante|periodista|jornalista|dentista"
    r"|ingénieur[e]?|infirmi(?:er|ère)|médecin|avocat[e]?|professeur[e]?|développeu(?:r|se)"
    r"|étudiante?|comptable|architecte|journaliste|consultante?|graphiste|cuisini(?:er|ère)"
    r"|ingegnere|infermier[ae]|medico|avvocat[oa]|insegnante|studente(?:ssa)?|architetto"
    r"|programmat(?:ore|rice)|giornalista|(?:lehrer|ingenieur|krankenpfleger|entwickler|student"
    r"|programmierer|berater|anwält|buchhalter|designer|journalist|architekt|übersetzer"
    r"|wissenschaftler|administrator|leiter|sachbearbeiter|techniker|verkäufer|erzieher"
    r"|pfleger)(?:in)?|anwalt|arzt|ärztin|krankenschwester)"
)
_TRADES_EAST = (
    r"(?:[ァ-ヶー]{0,8}(?:エンジニア|デザイナー|プログラマー|マネージャー|ライター)"
    r"|[一-龯]{0,4}(?:会計士|弁護士|医師|看護師|教師"
    r"|講師|営業|経理|総務|人事|企画|広報|購買|事務|記者|編集者|研究者|料理人|店長|運転手|美容師"
    r"|大学生|学生)"
    r"|(?:[가-힣]{1,6} )?[가-힣]{0,6}(?:개발자|디자이너|기획자|매니저|교사|간호사"
    r"|의사|변호사|회계사|엔지니어|연구원|기자|요리사|대학생|학생|관리자|강사))"
)
_CITIES_AND_COUNTRIES = (
    r"(?:madrid|barcelona|valencia|sevilla|méxico|españa|argentina|colombia|chile|perú|bogotá"
    r"|lima|buenos aires|brasil|portugal|lisboa|porto|são paulo|italia|milano|roma|torino"
    r"|москве|петербурге|санкт|россии|казани|германии)\b"
)
_RELATIVES_JA = re.compile(
    "姉|妹|兄|弟|母|父|妻|夫|友[达人]|同僚|上司|彼|息子|娘|子供|祖[父母]|部長"
)
_RELATIVES_KO = re.compile(
    "언니|누나|오빠|형은|형이|동생|엄마|아빠|어머니|아버지|아내|남편|친구|동료|상사|아들|딸|그는"
    "|그녀"
)
_NO_NAMES_KO = frozenset(
    [
        "한국인",
        "이용자",
        "전문가",
        "신입생",
        "구매자",
        "조종사",
        "한의사",
        "임산부",
        "노동자",
        "주문자",
        "고등학",
        "유학생",
        "전공자",
        "남학생",
        "여학생",
        "이십대",
        "오십대",
    ]
)
_NO_NAMES_JA = re.compile(
    r"(?:[员生师家者学人样]|エンジニア|マネージャー|デザイナー|ん|い|の|から|こと|ところ|です)\Z"
    r"|[?？]"
)
_DEMONYMS = frozenset(
    [
        "français",
        "française",
        "espagnol",
        "italien",
        "italienne",
        "allemand",
        "belge",
        "suisse",
        "canadien",
        "québécois",
        "deutscher",
        "deutsche",
        "österreicher",
        "schweizer",
        "franzose",
        "englisch",
    ]
)


def _always(reading: Reading, match: re.Match[str]) -> bool:
    return True


def _is_speaker(reading: Reading, match: re.Match[str]) -> bool:
    """Japanese and Korean name the subject only when it is somebody else."""
    said = reading.before(match.end("value"))[-60:]
    return not (_RELATIVES_JA.search(said) or _RELATIVES_KO.search(said))


def _is_name(reading: Reading, match: re.Match[str]) -> bool:
    first, *_, last = [word.lower() for word in (match["value"].split() * 2)]
    is_trade = re.fullmatch(_TRADES, last) is not None or re.fullmatch(_TRADES, first) is not None
    return not is_trade and first not in _DEMONYMS


def _is_name_ja(reading: Reading, match: re.Match[str]) -> bool:
    return not _NO_NAMES_JA.search(match["value"]) and _is_speaker(reading, match)


def _is_name_ko(reading: Reading, match: re.Match[str]) -> bool:
    return match["value"] not in _NO_NAMES_KO and _is_speaker(reading, match)


def _is_employer(reading: Reading, match: re.Match[str]) -> bool:
    return re.match(_CITIES_AND_COUNTRIES, match["value"], re.I) is None


def _rules(key: str, check: Check, *named: tuple[str, str, str]) -> Iterator[Rule]:
    for name, hints, source in named:
        yield Rule(
            name=f"{key}-{name}",
            kind="identity",
            key=key,
            pattern=pattern(simplified(source)),
            hints=tuple(simplified(hints).split("|")),
            check=check,
        )


_NAMES = (
    *_rules(
        "name",
        _always,
        (
            "romance",
            "llamo|nombre|appelle|mon |nome|chamo|chiamo",
            r"\b(?:me llamo|mi nombre(?: completo)? es|je m['’]appelle|mon (?:pré)?nom est"
            r"|(?:o )?meu nome(?: completo)? é|me chamo|chamo-me|mi chiamo|il mio nome è) "
            rf"(?P<value>{_NAME})",
        ),
        ("moi-fr", "moi", rf"\bmoi,? c['’]est (?P<value>{_NAME})"),
        (
            "germanic",
            "hei|name|naam|heet|heter",
            r"\b(?:ich hei(?:ß|ss)e|mein name ist|mijn naam is|ik heet|jag heter|jeg heter"
            rf"|mitt namn är|mit navn er) (?P<value>{_NAME})",
        ),
        (
            "slavic",
            "зовут|имя|nazywam|imię|jmenuj",
            r"(?:меня зовут|мене звати|мо[её] имя(?: —|-)?|\bnazywam się|\bmam na imię"
            rf"|\bmoje imię to|\bjmenuji se) (?P<value>{_NAME})",
        ),
        (
            "others",
            "adım|nama |tên |nume|nimeni",
            r"\b(?:(?:benim )?adım|nama saya(?: adalah)?|(?:tôi|mình|em) tên là|tên tôi là"
            rf"|mă numesc|numele meu este|nimeni on) (?P<value>{_NAME})",
        ),
        (
            "ar",
            "اسمي|إسمي|أدعى",
            r"(?:اسمي|إسمي|أدعى)(?: هو)? (?P<value>[\u0621-\u064a]{2,14}"
            r"(?: (?!و?(?:من|في|رقم|أعمل|اعمل|أعيش|أسكن|وأ))[\u0621-\u064a]{2,14}){0,2})",
        ),
        ("hi", "मेरा नाम", r"मेरा नाम (?P<value>[\u0900-\u0963]{2,20}(?: [\u0900-\u0963]{2,20})?) है"),
    ),
    *_rules(
        "name",
        _is_name,
        ("i-am-es", "soy ", rf"{_START}(?:yo )?soy (?:el |la )?{_TITLE}(?P<value>{_NAME}){_END}"),
        ("i-am-pt", "sou ", rf"{_START}(?:eu )?sou (?:o|a) {_TITLE}(?P<value>{_NAME}){_END}"),
        ("i-am-pt-full", "sou ", rf"{_START}(?:eu )?sou (?P<value>{_FULL_NAME}){_END}"),
        ("i-am-fr", "je suis ", rf"{_START}je suis (?P<value>{_NAME}){_END}"),
        ("i-am-it", "sono ", rf"{_START}(?:io )?sono (?P<value>{_FULL_NAME}){_END}"),
        (
            "i-am-de",
            "ich bin|hier ist|hier spricht",
            rf"{_START}(?:ich bin|hier (?:ist|spricht)) (?:der |die )?(?P<value>{_FULL_NAME}"
            rf"|{_CAPITAL}(?= aus\b))(?:{_END}|(?= aus\b| von\b))",
        ),
        ("i-am-nl", "ik ben", rf"{_START}ik ben (?P<value>{_NAME})(?:{_END}|(?= uit\b| van\b))"),
        ("i-am-ru", "я ", rf"(?:\A|[,.!]\s*)я(?: —|,| -)? (?P<value>{_FULL_NAME}){_END}"),
        ("this-is-ru", "это ", rf"(?:\A|[.!,]\s*)это (?P<value>{_FULL_NAME}){_END}"),
    ),
    *_rules(
        "name",
        _is_name_ja,
        (
            "called-ja",
            "申し|言い|いいます",
            rf"{_START_JA}(?P<value>{_WORD_JA}{{2,14}}?)(?:と申します|といいます|と言います)",
        ),
        (
            "ja",
            "名前は",
            r"(?:(?:私|僕|わたし)の名前は|(?:\A|[、。\s])名前は)\s*"
            rf"(?P<value>{_WORD_JA}{{1,14}}?)(?:です|で(?=[、。\s])|だ(?=[。\s]|\Z))",
        ),
        (
            "company-ja",
            "です",
            r"(?:株式会社[^\s、。の]{1,12}|[^\s、。の]{1,12}(?:株式会社|[部課社店]))の"
            r"(?P<value>[一-龯々]{2,4}|[ァ-ヶー]{2,8})(?:です|と申します)",
        ),
        (
            "greeting-ja",
            "です",
            r"(?:\A(?:はじめまして|初めまして|こんにちは|こんばんは|おはようございます"
            r"|お世話になります"
            rf"|すみません)[、。！!]?\s*(?:私は)?)(?:{_WORD_JA}{{2,12}}の)?"
            r"(?P<value>[一-龯々]{2,5}|[ァ-ヶー]{2,8})です",
        ),
    ),
    *_rules(
        "name",
        _is_name_ko,
        (
            "ko",
            "이름은",
            r"(?:제|내|저의) 이름은 (?P<value>[가-힣]{2,5}?|[A-Za-z ]{2,20}?)"
            r"(?:입니다|이에요|예요|이야|야|이라고|이고|고(?= ))",
        ),
        (
            "called-ko",
            "라고",
            r"(?:\A|\s)(?P<value>[가-힣]{3}|[가-힣]{2})(?:이라고|라고) (?:합니다|해요|하는)",
        ),
        (
            "i-am-ko",
            "저는|전 |나는",
            r"(?:저는|전"
            r"|나는) (?P<value>[김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허남심노"
            r"하곽성차주우구민유진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모]"
            r"[가-힣]{2})(?=입니다|이에요|예요|이라고|라고|이고)",
        ),
    ),
)

_PLACES = (
    *_rules(
        "location",
        _always,
        (
            "romance",
            "vivo|resido|habite|je vis|moro|abito|risiedo",
            r"\b(?:(?:vivo|resido|moro) (?:actualmente |atualmente |ahora |agora )?(?:en|em|no|na)"
            r"|j['’]habite(?: actuellement| maintenant| désormais)? (?:à|en|au|aux)"
            r"|je vis (?:à|en|au)"
            rf"|(?:abito|vivo|risiedo) (?:a|ad|in)) (?P<value>{_NAME})",
        ),
        (
            "germanic",
            "wohn|leb|woon",
            r"\b(?:(?:ich )?(?:wohne|lebe)(?: (?:derzeit|jetzt|aktuell|gerade))?(?: ich)? in"
            rf"|ik woon in|jag bor i|jeg bor i) (?P<value>{_NAME})",
        ),
        (
            "moved",
            "mud|déménag|gezogen|trasferi|переехал",
            rf"\b(?:me (?:he )?mud(?:é|ado|ei)|j['’]ai déménagé|nous avons déménagé|(?:ich )?bin"
            rf"|mi sono trasferit[oa]|переехала?)"
            rf"(?: (?:von|de|da|из|от) {_CAPITAL})? (?:a|para|à|en|nach|в)(?: o"
            rf"| a)? (?P<value>{_NAME})"
            r"(?=[.,;!\n]|\Z| (?:el|la|le|o|il|hace|there|um)?(?:ge)?zogen| \w)",
        ),
        (
            "from-de",
            " aus ",
            rf"\bich (?:bin (?:{_NAME} aus)|komme aus) (?P<value>{_CAPITAL}(?: am {_CAPITAL})?)",
        ),
        (
            "slavic",
            "живу|живем|mieszkam|bydlím",
            rf"\b(?:живу (?:сейчас )?(?:в|во|на)|mieszkam w|bydlím v) (?P<value>{_NAME})",
        ),
        (
            "ar",
            "في",
            r"(?:أعيش|اعيش|أسكن|اسكن|أقيم|ساكن|مقيم) (?:حالي[اًا]+ )?في (?:مدينة )?"
            r"(?P<value>[\u0621-\u064a]{2,14})",
        ),
    ),
    *_rules(
        "location",
        _is_speaker,
        (
            "ja",
            "住|在住|暮らし",
            rf"{_START_JA}(?:今は|現在は?|いまは)?、?(?P<value>{_WORD_JA}{{2,10}}?)"
            r"(?:に(?:住んで|暮らして|住み|在住)|で暮らして|在住(?!在))",
        ),
        (
            "ko",
            "살|거주",
            rf"(?:\A|[,.!\s])(?P<value>{_WORD_KO})(?:에서?) (?:살고|살아|삽니다|사는|거주)",
        ),
    ),
)

_WORK = (
    *_rules(
        "org",
        _is_employer,
        (
            "romance",
            "trabajo|trabalho|travaille|lavoro",
            r"\b(?:trabajo (?:en|para)(?: el| la)?|trabalho (?:na|no|em|para(?: a| o)?)"
            r"|je travaille (?:actuellement )?(?:chez|pour"
            r"|à la)|lavoro (?:per(?: la)?|presso(?: la)?"
            rf"|alla|da|in)) (?P<value>{_ORG})",
        ),
        (
            "germanic",
            "arbeit|werk ",
            r"\b(?:arbeite (?:(?:derzeit|jetzt|aktuell|ich) )?(?:als \w+ )?"
            r"(?:bei(?: der)?|beim|für)"
            rf"|ik werk (?:bij|voor)) (?P<value>{_ORG})",
        ),
        (
            "ru",
            "работаю",
            rf"\bработаю (?:сейчас )?(?:в|во|на) (?:компании )?[«\"]?(?P<value>{_ORG})",
        ),
        (
            "ar",
            "عمل|شتغل",
            r"(?:أعمل|اعمل|أشتغل) (?:لدى|في شركة|في|مع) (?P<value>[\u0621-\u064a]{2,14}|\w{2,20})",
        ),
    ),
    *_rules(
        "org",
        _is_speaker,
        (
            "company-ja",
            "株式会社",
            r"(?P<value>株式会社[^\s、。の]{1,12}|[^\s、。の]{1,12}株式会社)"
            r"の[一-龯々ァ-ヶー]{2,8}(?:です|と申し)",
        ),
        (
            "ja",
            "働い|勤め|勤務|の社員",
            rf"{_START_JA}(?:今は|現在は?)?、?(?P<value>{_WORD_JA}{{2,14}}?)"
            r"(?:で働いて|に勤めて|に勤務|で勤務|勤務の|の社員)",
        ),
        (
            "ko",
            "일하|일합|일해|근무|다니|다녀|재직",
            rf"(?:\A|[,.!\s])(?P<value>{_WORD_KO})(?:에서"
            rf"|에) (?:(?:[가-힣]{{1,8}} )?[가-힣]{{2,8}}(?:으?로) )?(?:일하|일합|일해|근무|다니"
            rf"|다녀|재직)",
        ),
        (
            "ja-as",
            "をして|をやって|として|を担当",
            rf"{_START_JA}(?:今は|現在は?)?、?(?P<value>{_WORD_JA}{{2,14}}?)で"
            rf"{_TRADES_EAST}(?:を(?:して|やって|担当して)い|として)",
        ),
    ),
    *_rules(
        "role",
        _is_speaker,
        (
            "ja",
            "をして|をやって|として働|です|を担当",
            rf"(?:で|の|は|、|\A)(?P<value>{_TRADES_EAST})(?:を(?:して|やって|担当して)い"
            rf"|として働)",
        ),
        (
            "ko",
            "로 일|로 근무|입니다|이에요|예요",
            rf"(?:\A|[\s,.])(?P<value>{_TRADES_EAST})(?:으?로 (?:일|근무)|입니다|이에요|예요)",
        ),
    ),
    *_rules(
        "role",
        _always,
        (
            "romance",
            "soy |sou |suis |sono |como |comme |come ",
            r"\b(?:(?:soy|sou|sono|je suis) (?:un[ae]?|uma?)? ?|(?:trabajo|trabalho|travaille"
            r"|lavoro) (?:[^.,;\n]{0,40}?)?(?:como|comme|come|de) )"
            rf"(?P<value>{_TRADES}(?: (?:de|en|em|di|del) \w{{3,20}}(?: \w{{3,20}})?)?)\b",
        ),
        (
            "de",
            " bin |als |ich bin",
            r"\b(?:(?:ich|und) bin (?:ein |eine )?|arbeite (?:[^.,;\n]{0,40}?)?als (?:ein |eine )?)"
            rf"(?P<value>(?:\w+)?{_TRADES})\b",
        ),
        (
            "ru",
            "работаю",
            r"\bработаю (?:в [\w «»-]{2,30}? )?(?P<value>[а-яё]{3,20}(?:ом|ем|истом|ером))\b",
        ),
    ),
)

LANGUAGES = (*_NAMES, *_PLACES, *_WORK)
"""Rules for Spanish, French, Portuguese, Italian, German, Dutch, Russian, Arabic and some more."""
