"""The words around typed values that tell whose they are and whether they hold."""

from __future__ import annotations

import re

from contextkit.memory.rules.typed_ids import IDS

CONTACTS = frozenset({"email", "phone", "account"})
REFERENCES = IDS | CONTACTS | {"url", "path", "ip", "error_code", "version"}
"""What a question takes for granted: "where is order LX-204?" is about an order that exists."""

MONEY_TALK = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|our|us|budget|price[ds]?|costs?|charged?|charges|refund\w*|paid"
    r"|pay\w*|total|fees?|order|invoice|bill(?:ed)?|salary|rent|deposit|balance|spen[dt]|discount"
    r"|quote[ds]?|owe[ds]?)\b|[价费付退扣花钱总租收款转]|预算|工资|账|押金|余额",
    re.I,
)

MEETING_TALK = re.compile(
    r"\b(?:meet\w*|appointment|call|flight|deadline|schedul\w+|interview|due|train|check-?in|at)\b"
    r"|开会|会议|见面|预约|航班|面试|出发|到达|截止|会面|火车",
    re.I,
)

TO_USER = re.compile(
    r"\byours?\b|[您你]|\bi(?:'ve| have)? (?:created|saved|wrote|added|booked|issued|opened|filed"
    r"|refunded|sent)\b|\b(?:the|this) (?:\w+ ){0,2}(?:number|reference|code|id) is\b"
    r"|(?:单号|编号|受理号|预约号|取件码|号码)\s?(?:是|为|[:：]|(?=[A-Z0-9]{4}))|我们?(?:会|将)"
    r"|\b[A-Z]{2,4}-\d"
    r"|(?:su|seu|votre|ihre?|ваш\w*)\b|el total|le total|o total|番号は|번호는|お?客样"
    r"|已经?(?:为|帮|给)?[您你]?(?:创建|保存|提交|预订|退款|记录|登记|受理)",
    re.I,
)

ADVICE = re.compile(
    r"\b(?:could|can|would|might|may|should|e\.g|for example|for instance|such as|usually|typically"
    r"|generally|around|about|roughly|average|try|consider|recommend|suggest|often|most|between"
    r"|peut|pourrait|podría|puede|poderia|kann|könnte)\b"
    r"|建议|可以|一般|通常|大约|大概|左右|例如|比如|如果|要是|可能|也许|平均|推荐|不妨|约为"
    r"|できます|かもしれ|수 있|ことが多い",
    re.I,
)

MADE = re.compile(
    r"\bi(?:['’]ve| have)? (?:\w+ )?(?:created|saved|wrote|added|uploaded|opened|fixed|moved)\b"
    r"|\byour [\w ]{1,30}(?:is|are|at|:)|(?:[你您]的.{1,12}(?:是|在|：|:)|已经?.{0,4}(?:创建"
    r"|保存|写入|上传))",
    re.I,
)

CONTACT_CUE = re.compile(
    r"(?:\b(?:e-?mail|mail|phone|cell|mobile|tel|telephone|number"
    r"|whatsapp|contact (?=info|details|address|number|e-?mail))\b"
    r"(?: ?(?:address|number|id|no\.?|info"
    r"|details))?|邮箱|邮件地址|电邮|信箱|手机号?|电话|号码|联系方式"
    r"|メール|アドレス|電話|num[ée]ro|номер|correo|courriel|メールアドレス|이메일|전화|почт\w*"
    r"|телефон\w*|بريد\w*|هاتف\w*|رقمي|جوال\w*|إيميل\w*|连络先|연락처|联络电话|t[ée]l[ée]phone"
    r"|celular|m[óo]vil|portable|handy\w*|cellulare|tel[eé]fono|telefone|telefon\w*)[^。!?]{0,24}\Z"
    r"|\b(?:reach|contact|e-?mail|text|call|write to|ping|message) (?:me|us)\b[^!?]{0,40}\Z"
    r"|(?:联系我|找我|打给我|发给我|发我|打我|短信|简讯|换号)[^。]{0,14}\Z|(?:现在|以后"
    r"|今后)用\s*\Z"
    r"|门号|번호[^.]{0,10}\Z|\bjust use\s*\Z|, use\s*\Z|\b(?:mine|ours|meiner?s?"
    r"|la m[ií]a|el mío|le mien|la mienne|o meu|a minha) (?:is|ist|es|est|é) (?:now )?\Z"
    r"|我的是\s*\Z|\bmy (?:own )?address\b[^!?]{0,30}\Z|(?:保单|发票|账单|通知|确认函?|回执|收据"
    r"|提醒|作业|资料)[^。]{0,4}"
    r"(?:发|寄)[到至]\s*\Z|(?:m['’](?:écrire|joindre|contacter)|(?:écrivez|contactez)-moi"
    r"|escr[ií]b\w*me"
    r"|contáct\w*me|schreiben sie mir|пишите(?: мне)?)[^!?]{0,30}\Z",
    re.I,
)

CHECKED = re.compile(r"\s?(?:吗|对吧|对吗|没错吧|是吧|, right\b|, correct\b)")
"""Behind a value: the speaker is not sure of it."""

DENIED = re.compile(
    r"(?:\b(?:not|instead of|rather than|no longer|drop|discard|remove|wrong one|isn['’]t"
    r"|wasn['’]t|statt|anstatt"
    r"|,\s?(?:pas|nicht|no|não|non)|au lieu de|en (?:lugar|vez) de|em vez de|invece di|вместо"
    r"|не)|(?:不再?是"
    r"|而不是|而非|不要用|别用|不用|不要打|别打))"
    r"\s*(?:the |my |your |on |by |#|number |no\. |我的)?[\"'“「]?\Z",
    re.I,
)

OLD = re.compile(
    r"(?:旧的?|以前的?|原来的?|\bold (?:one|number|email|address|phone)(?: (?:was"
    r"|is))?)\w{0,4}[:：]?\s*\Z",
    re.I,
)

VOID = re.compile(
    r"[^，。,.]{0,6}(?:不用了|作废|停用|不对|是错的)|\s?那个\s?(?:cancel|取消|注销|停用"
    r"|作废)|\s?(?:말고|이?었는데|였는데"
    r"|だったのですが|から変更|ではなく|じゃなくて)"
    r"|\s*(?:is|was) (?:no longer|not|old|wrong"
    r"|outdated|invalid)\b",
    re.I,
)

LEFT = re.compile(r"(?:\bfrom|从|由|原来的?|之前的?|old \w+ (?:was|is))\s*\Z", re.I)
TOWARDS = re.compile(r"\s*(?:to\b|改|换|变|调|搬|,? (?:it'?s )?(?:now|but now)\b|，?现在)", re.I)
CHANGE = re.compile(
    r"\b(?:chang|mov|reschedul|postpon|switch|shift|rais|increas|lower|reduc|updat|correct)\w*\b",
    re.I,
)

CORRECTED = re.compile(
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

CHANGED_TO = re.compile(r"\s?(?:に変更|に変え|に修正|으?로 (?:변경|바꿔|바꾸|수정)|へ変更)")
NOW = re.compile(
    r"(?:现在|目前|如今)的?[\u4e00-\u9fff]{0,4}(?:是|用的?是?|为|升到了?)\s*\Z"
    r"|\bnow (?:on|at|it['’]?s)\s*\Z"
    r"|\b(?:jetzt|nun|ahora|maintenant|agora|adesso|теперь)\b[^.,;!?]{0,16}\Z"
    r"|今は\s*\Z|지금은\s*\Z",
    re.I,
)
"""What holds now took the place of what was said before; of a date it only says today's."""

CORRECTION = re.compile(
    r"\A\W*(?:no\b(?! problem)|nope|actually|sorry|wait|correction|oops|my mistake|i meant"
    r"|erreur|error mío|perdón|scusi|entschuldigung|すみません|아니요"
    r"|不对|不是|更正|纠正|错了"
    r"|抱歉|等等|哦不)|说错|搞错|写错|打错|弄错|记错|输错|\bi (?:mistyped|misspoke)|\btypo\b"
    r"|\bwas wrong\b",
    re.I,
)

YES = re.compile(
    r"\W*(?:(?:yes|yep|yeah|yup|correct|right|exactly|that'?s (?:right|correct|it)|sure"
    r"|confirmed|ok|okay|great"
    r"|perfect|thanks|thank you|got it)\b(?!,? but| not)|(?:对|是的|没错|正确|嗯|好的?|可以|行"
    r"|谢谢|收到|确认)(?![不话方面象于]))",
    re.I,
)

AGREED = re.compile(
    r"\W*(?:yes|yep|yeah|yup|correct|right|exactly|that'?s|confirmed|对|是的|没错|正确|嗯|确认)",
    re.I,
)

ASKED = re.compile(
    r"\b(?:is|was|are)(?: it| that| this)?\s*\Z|是\s*\Z|\b(?:is|was) .{0,30}\b(?:number|id"
    r"|email|code|e-mail|no\.|address)\s*\Z",
    re.I,
)

OWN_KIND = re.compile(
    r"\W*(?:.*[.!?。] ?)?(?:work|personal|private|new|home|office|best|cell|direct|current"
    r"|mein\w*|mi|mon|meu|neue?|nuev[oa]|nouveau|nouvelle|nov[oa]|мой|новый"
    r"|другой|теперь у меня другой|у меня|是"
    r"|记一下|请记一下|please note|工作|个人|公司|新|私人|常用|联系|备用)\s*",
    re.I,
)
"""Before a label these say which of the user's own it is."""

ASKS_FOR = {
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
