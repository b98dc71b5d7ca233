"""Standing rules, decisions, preferences and tasks in languages other than Chinese and English.

A rule or a task starts with one of few words in each language ("nunca", "recuérdame", "bitte ...
nicht") or ends with one (Japanese, Korean); the clause around it is kept as it was said. What a
condition opens ("si", "wenn", "もし") is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextkit.memory.items import Kind
from contextkit.memory.reading import Reading
from contextkit.memory.rules.spoken import Rule, pattern

_START = (
    r"(?:(?:\A|[.!;:\n¡。！]\s{0,4})(?:(?:e|y|et|und|и|а)\s)?"
    r"|,\s(?:por favor,? |s['’]il vous pla[iî]t,? |bitte |e |y |et |und |и )?|\s(?:y|e|et|und"
    r"|и)\s(?=nunca|nie|jamais|siempre|sempre|immer|никогда|не |ne |\w{3,12}e kein))"
)
_PART = r"[^.,;!?\n¡¿]{2,90}"
_CLAUSE_EAST = r"[^。！？!?.\n]{1,60}?"
_PART_EAST = r"[^。、，,！？!?.\n]{1,40}?"
_CONDITION = re.compile(
    r"\b(?:si|wenn|falls|se|caso|если|quando|quand)\b|もし|たら|만약|(?:으|라)?면\s", re.I
)
_INFINITIVE = r"(?:\w+(?:ar|er|ir|re|oir)(?:me|te|se|lo|la|le|les|los)?)"


def _is_earnest(reading: Reading, match: re.Match[str]) -> bool:
    return not _CONDITION.search(reading.before(match.start("value")))


def _rules(kind: Kind, *cases: tuple[str, str, str]) -> list[Rule]:
    return [
        Rule(
            name=f"{kind}-{name}",
            kind=kind,
            pattern=pattern(source),
            hints=tuple(hints.split("|")),
            check=_is_earnest,
            confidence=0.85,
        )
        for name, hints, source in cases
    ]


ABROAD: Sequence[Rule] = (
    *_rules(
        "constraint",
        (
            "romance",
            "nunca|jam|siempre|sempre|toujours|désormais|partir d|d'ora|non |ne ",
            rf"{_START}(?P<value>(?:(?:responde|contesta|escribe|usa|habla|responda|escreva|fale"
            rf"|use)\w* (?:siempre|sempre)|nunca|jamás|jamais|siempre|sempre|toujours|désormais"
            rf"|mai\b"
            r"|a partir d(?:e|i) (?:ahora|agora|ora|hoy|hoje)|à partir de maintenant"
            r"|d['’]ora in poi|de (?:ahora|agora) en? (?:adelante|diante)"
            r"|(?:ne|n['’])(?: ?(?:me|m['’]|le|la|les|lui|l['’]))? ?\w+(?:ez|es|e)\b(?: \w+)? "
            rf"(?:jamais|pas|plus)|non \w+(?:re|te|rmi|rlo) mai)\b{_PART})",
        ),
        (
            "german",
            "nie|immer|nicht|kein|ab jetzt|künftig|in zukunft|nur|nichts",
            rf"{_START}(?P<value>(?:(?:\w{{2,12}}e(?:n sie)? (?:bitte )?)?(?:niemals|nie|immer)"
            rf"|\w{{3,12}}e (?:bitte )?keine?[nmr]?\b|(?:ab jetzt"
            rf"|ab sofort|künftig|in zukunft)\b"
            r"|bitte (?![^.!?\n]{0,60}vergessen)[^.,;!?\n]{0,50}?\b(?:nie|niemals|immer|nichts?"
            rf"|keine?[nmr]?|nur|ausschließlich)\b){_PART})",
        ),
        (
            "russian",
            "никогда|всегда|больше не|впредь|не ",
            rf"{_START}(?P<value>(?:пожалуйста,? )?(?:никогда|больше никогда|всегда|больше не"
            rf"|впредь|отныне"
            r"|с этого момента|не (?:звон|пиш|отправля|присыла|использу|удаля|меня|трога|показыва)"
            rf"\w*те?)\b{_PART})",
        ),
        (
            "japanese",
            "ないで|必ず|いつも|常に|絶対|今后|これから|毎回",
            rf"(?P<value>(?!{_CLAUSE_EAST}忘れないで){_CLAUSE_EAST}(?:ないで(?:ください|下さい"
            rf"|ほしい|欲しい|ね)?)"
            rf"|(?:{_PART_EAST})?(?:必ず|いつも|常に|絶対に?|今后は?|これからは|毎回){_CLAUSE_EAST}"
            r"(?:ください|下さい|して(?:ほしい|欲しい)?|お愿いします|お願いします))(?=[。！\n]|\Z)",
        ),
        (
            "korean",
            "마세요|말아|마 |절대|항상|반드시|앞으로|꼭",
            rf"(?P<value>{_CLAUSE_EAST}지 (?:마세요|말아 ?주세요|말아줘|마)"
            rf"|(?:{_PART_EAST})?(?:절대|항상|반드시|앞으로는?|꼭){_CLAUSE_EAST}"
            r"(?:주세요|줘|하세요|해요|합니다|부탁드려요|부탁드립니다))(?=[.。!\n]|\Z)",
        ),
    ),
    *_rules(
        "decision",
        (
            "western",
            "decid|usar|qued|vamos|usaremos|prend|part|entschied|beschlos|nehmen|nutzen|verwenden"
            "|реш|выбра|будем",
            r"\b(?:(?:hemos )?decidi(?:mos|do)|nos quedamos con|(?:al final )?usaremos|ficamos com"
            r"|(?:on a|nous avons) décidé(?: de)?|on (?:prend|part sur|garde)"
            r"|abbiamo deciso(?: di)?"
            r"|wir haben (?:entschieden|beschlossen)"
            r"|wir haben uns für(?= [^.,;!?\n]+ entschieden)|мы решили|решено:?"
            r"|мы выбрали"
            rf"|будем использовать)[,:]?\s(?P<value>{_PART})",
        ),
        (
            "let-us",
            "vamos |andiamo|wir ",
            rf"{_START}(?:entonces |então |dann |also )?(?P<value>(?:vamos (?:a )?(?:usar|con"
            rf"|com|ficar)"
            r"|wir (?:nehmen|nutzen|verwenden|bleiben bei)|andiamo con|usiamo"
            rf"|me quedo con|fico com|je prends|ich nehme|prendo|беру)\b{_PART})",
        ),
        (
            "japanese",
            "决め|にします|でいき|で行き|决まり",
            rf"(?P<value>{_PART_EAST})(?:に(?:决め(?:ました|た)|します|决まりました|しました|する)"
            r"|で(?:行|い)きます|で进めます)(?:。|\n|\Z|、)",
        ),
        (
            "korean",
            "하기로|할게요|결정|정했",
            rf"(?P<value>{_PART_EAST}(?:하기로|로) (?:했어요|했습니다|할게요|하겠습니다"
            rf"|결정했\S*|정했\S*))(?=[.!\n]|\Z)",
        ),
    ),
    *_rules(
        "preference",
        (
            "western",
            "pref|gust|gosto|aime|bevorzug|mag |lieber|allerg|alérg|piace|предпоч|нрав|люблю|аллерг"
            "|preferisco|celíac|diabét|vegetar|vegan|végét",
            r"\b(?P<value>(?:no me gustan?|me gustan?|prefiero|não gosto de|gosto de|prefiro"
            r"|je (?:préfère|n['’]aime pas|déteste)|j['’](?:aime|adore)|preferisco"
            r"|(?:non )?mi piac\w+"
            r"|ich (?:bevorzuge|mag|esse kein\w*)|mir ist lieber|soy (?:celíac[oa]|diabétic[oa]"
            r"|alérgic[oa]"
            r"|vegetarian[oa]|vegan[oa])"
            r"|sou (?:alérgic[oa]|vegetarian[oa]|vegan[oa])|je suis (?:allergique"
            r"|végétarien(?:ne)?|végane?)"
            r"|ich bin (?:allergisch|vegetarier(?:in)?|veganer(?:in)?)|sono (?:allergic[oa]"
            r"|vegetarian[oa])"
            r"|я (?:предпочитаю|люблю|не люблю|не ем)|мне (?:не )?нравится|у меня аллергия)\b"
            r"(?:[^.,;!?\n]{0,70}))",
        ),
        (
            "japanese",
            "好き|アレルギー|苦手|嫌い|方がいい",
            rf"(?P<value>(?!誰|何|どん){_PART_EAST}(?:が好き|が苦手|が嫌い|の方がいい"
            rf"|アレルギー))(?!ですか|の?人)",
        ),
        (
            "korean",
            "선호|좋아|싫|알레르기|알러지|못 먹",
            rf"(?P<value>{_PART_EAST}(?:선호(?:해|합)|좋아(?:해|합)|싫어(?:해|합)|알레르기"
            rf"|알러지|못 먹)\S{{0,8}})",
        ),
    ),
)
"""What the user wants, likes and has decided."""

TASKS_ABROAD: Sequence[Rule] = tuple(
    _rules(
        "todo",
        (
            "romance",
            "recu|record|olvid|esque|lembr|rappel|oubli|ricorda|dimentica|pens",
            r"\b(?:recu[ée]rd(?:a|e)(?:me)?\b(?: de)?|no (?:te |se )?olvides?(?: de)?"
            r"|acu[ée]rdate de"
            r"|(?:me )?lembr[ea](?:-se|-me)?(?: de)?|não (?:se )?esqueç?ca?(?: de)?|não esqueça de"
            r"|rappelle(?:z)?[- ]moi d(?:e |['’])|n['’]oublie(?:z|r)? pas d(?:e |['’])|pense(?:z"
            r"|r)? à"
            rf"|ricorda(?:mi|ti)? di|non dimenticare di)\s?(?P<value>{_PART})",
        ),
        (
            "must-romance",
            "tengo que|hay que|preciso|tenho que|dois |faut |devo |dobbiamo|debo ",
            r"\b(?:(?:todavía |aún )?(?:tengo|tenemos) que|hay que|debo"
            r"|(?:ainda )?(?:preciso|precisamos)"
            r"(?: de)?|(?:tenho|temos) que|je dois(?: encore)?|nous devons"
            r"|il (?:me )?faut(?: que je| encore)?"
            rf"|(?:devo|dobbiamo)(?: ancora)?)\s(?P<value>(?:{_INFINITIVE}"
            rf"|(?<=que je )\w+)\s{_PART})",
        ),
        (
            "heading",
            "할|やること|タスク|pendiente|faire|tarea|erledigen|aufgabe|tarefa|fare|дела|задач",
            r"(?:\A|[\n.。!！]\s?)(?:할 ?일|やること|タスク|pendientes?|à faire|tareas?"
            r"|zu erledigen|aufgaben?"
            rf"|tarefas?|da fare|дела|задачи?)\s?[:：]\s?(?P<value>{_PART})",
        ),
        (
            "german",
            "erinner|muss |müssen|vergessen|denk",
            r"\b(?:erinner\w* (?:sie )?mich (?:bitte )?(?:daran,? |an )"
            r"|(?:ich|wir) (?:muss|müssen) (?:noch |unbedingt |auch noch )+"
            r"|denk(?:en sie)? (?:bitte )?(?:an|daran,?) )"
            rf"(?P<value>{_PART})",
        ),
        (
            "russian",
            "напомни|забуд|надо |нужно |должен|должна",
            r"\b(?:напомни(?:те)?(?: мне)?|не забудь(?:те)?|мне (?:ещё |еще )?(?:надо|нужно)"
            r"|я (?:должен|должна))\s"
            rf"(?P<value>{_PART})",
        ),
        (
            "japanese",
            "忘れ|リマインド|しないと|なければ|必要があり|やること",
            rf"(?:\A|[。、！\n]|は)(?P<value>{_PART_EAST})(?:のを?忘れないで|を忘れずに"
            rf"|(?:する)?のをリマインド"
            r"|をリマインド|しないと|しなければ|する必要があり)",
        ),
        (
            "korean",
            "잊지|알려|상기|해야",
            rf"(?:\A|[.,!\n])\s?(?P<value>{_PART_EAST}(?:하는 것|는 거|기)?)(?:을|를"
            rf"|도)? ?(?:잊지 (?:마|말)|(?:하라고|다시) 알려"
            r"|상기시켜|해야 (?:해|합|돼|됩|하))",
        ),
    )
)
"""What the user has to do, or asks to be reminded of."""

JOINED_ABROAD = re.compile(rf"\s+(?:y|e|et|ed)\s+(?:de\s+)?(?={_INFINITIVE}\b\s+\w)", re.I)
"""Between two tasks in one sentence: "renovar o certificado e avisar a Bia"."""

DONE_ABROAD = re.compile(
    r"\b(?:ya|já|già)\s(?:he |ha |ho |hemos |tenho )?\w+|\b(?:j['’]ai|c['’]est|on a|nous avons)"
    r"(?: déjà| enfin| bien)? \w+(?:é|i|u|is|it)e?s?\b|\best (?:déjà |bien )?\w+ée?\b|\b(?:ho"
    r"|abbiamo) (?:già )?\w+(?:ato|uto|ito|tto|so)\b"
    r"|\b(?:ist|sind|wurden?|habe|haben|hab)\b[^.!?]{0,60}\b(?:erledigt|fertig|ge\w{2,}(?:t|en)"
    r"|be\w{3,}t|ver\w{3,}t)\b"
    r"|\berledigt\b|\b(?:уже|готово)\b|\bя \w+(?:ил|ал|ел|ла|ул)а?\b"
    r"|(?:ました|済み|终わった|完了)(?:です)?(?:ね|よ)?\Z|(?:했어요|했습니다|했다|끝났\w*"
    r"|완료\w*|마쳤\w*|냈어요|샀어요|었어요|았어요)\Z",
    re.I,
)
"""A clause that says something is done."""

NOT_DONE_ABROAD = re.compile(
    r"\b(?:no|todavía|aún|não|ainda|pas|encore|nicht|noch|kein\w*|не|ещё|еще|non|ancora)\b"
    r"|ません|まだ|못|안 |아직",
    re.I,
)

CALLED_OFF_ABROAD = re.compile(
    r"\b(?:lascia perdere|non serve più|não precisa(?:mos)? mais|ya no (?:hace falta|necesito"
    r"|tengo que)|(?:plus"
    r"|pas) besoin de?|pas la peine de"
    r"|(?:muss|brauche) (?:ich )?nicht mehr|больше не (?:нужно|надо)|olv[ií]d\w+(?: lo de)?"
    r"|oublie(?:z)?|vergiss"
    r"|cancela(?:r)?|annule(?:z|r)?|streich\w*)\s(?P<value>[^.,;!?\n]{3,80})"
    r"|(?P<late>[^。、！？\n]{2,30}?)(?:は|を)(?:もう)?(?:不要|キャンセル|必要ありません|なしで"
    r"|やめ)"
    r"|(?P<east>[^.,!?\n]{2,30}?)(?:은|는|을|를)? (?:취소|안 해도|필요 없)",
    re.I,
)
"""What a task is called off with."""

PROMISES_ABROAD: Sequence[Rule] = tuple(
    _rules(
        "todo",
        (
            "promise",
            "enverrai|ferai|rappellerai|confirmerai|enviaré|llamaré|enviarei|ligarei|schicke"
            "|sende|melde|manderò",
            r"\b(?:je vous |je te |le |te |les |lhe |ich )?(?P<value>(?:enverrai|rappellerai"
            r"|confirmerai|enviaré|llamaré"
            rf"|enviarei|ligarei|manderò|(?:schicke|sende|melde) (?:ihnen|dir|mich))\b{_PART})",
        ),
    )
)
"""What an assistant says it will do."""
