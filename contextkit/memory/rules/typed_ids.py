"""Numbers of things: what a label makes an id, and what looks like one without a label."""

from __future__ import annotations

import re

IDS = frozenset(
    {"id", "order_id", "invoice_id", "ticket_id", "reservation_id", "tracking_id", "commit"}
)
"""Keys whose values are somebody's numbers for things."""

_LABELS = {
    "order_id": (
        "orders?|订单|pedido|commande|bestellung|bestellnummer|ordine|[Зз]аказа?|주문|注文"
        "|zamówienie|bestelling"
    ),
    "invoice_id": "invoice|发票|factura|facture|fatura|rechnung|fattura|[Сс]ч[её]та?|请求书",
    "ticket_id": "ticket|case|incident|工单|票",
    "reservation_id": (
        "reservation|booking|confirmation|pnr|(?:record )?locator|localizador|(?:订位|订座"
        "|确认)代[号码]"
        "|预[订定约]|予约|예약|reserva|réservation|buchung"
    ),
    "tracking_id": "tracking|shipment|waybill|송장|운송장|追迹|运单|快递|物流",
    "account": (
        "account|member(?:ship)?|customer|user|client|employee|student|会员|[账帐][号户]|客户"
        "|员工|用户|[工学]号|cliente|client[ei]?|kunden|회원|会員"
    ),
    "id": (
        r"mrn|patient|chart|workspace(?: id)?|номер операции|операции?|обращени\w|avería"
        "|项目代[号码]|专案代[号码]|"
        r"policy|serial|contract|transaction|payment|reference|ref|receipt|claim|licen[sc]e"
        r"|passport"
        r"|card|quote|po|project|product|sku|item|flight|file(?= ?(?:no[. ]|num|ref|#))|vuelo"
        r"|vol|voo|flug"
        "|航班|车次|合同|保单|序列|流水|交易|户|卡|统编|税|医保|社保|健保|取[票件货]|投诉|案件"
        "|申请|受理|登记|假单"
        "|档案|접수|管理|受付|会場|verwendungszweck"
        "|参[考照]|护照|就诊|病历|身份证|银行卡|车牌|编号|单号"
        "|contrat[oi]?|vertrag|[Дд]оговора?|expediente|dossier|계약"
    ),
    "commit": "commit|提交",
}
LABELLED = re.compile(
    "(?<![a-z])(?:" + "|".join(f"(?P<{key}>{names})" for key, names in _LABELS.items()) + ")"
    r"(?:[ _-]?(?:id|number|num|no\.?|nr\.?|n[º°]|№"
    r"|code|reference|hash|locator|número|numéro|nummer"
    r"|номер|番号|번호|卡号|单号|编号|号码|[号码]))*"
    r"[\"'`]?(?:\s*(?:\b(?:is now|is actually|should be"
    r"|was|is)\b|应该是|改成|改为|换成|是|为|は|은|는|es\b|est\b|é\b|ist\b"
    r"|[:：=]|#)){0,2}"
    r"\s*[\"'`]?(?P<value>\d{4}(?: \d{4}){1,4}(?!\d)|#?[A-Z0-9](?:[A-Z0-9]"
    r"|[-_/.](?=[A-Z0-9])){2,39})(?![\w@])",
    re.I | re.A,
)
"""A label, and the value of the group ``value``."""

BARE = re.compile(
    r"(?<![\w/.#@+-])(?:[A-ZА-Я]{1,6}[-_](?:[A-Z0-9]{1,8}[-_]){0,3}\d{2,}[A-Z0-9]*"
    r"|#[A-Z]{0,3}\d{4,}"
    r"|[a-z]{2,5}-\d{5,}|\d{12,24}|(?=[A-Z0-9]{9})(?:\d+[A-Z]|[A-Z]+\d)[A-Z0-9]{7,32})(?![\w/-]"
    r"|\.\d)",
    re.A,
)
CONTRASTED = re.compile(
    r"(?:不是|而是|[，,]\s?是|\bnot|\bbut|\bit['’]?s)\s*(?P<value>#?"
    r"(?=[A-Z0-9-]*\d[A-Z0-9-]*\d[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{3,30})(?![\w%.:-])",
    re.A,
)
"""What somebody says a number is, or is not."""

_NUMBER = re.compile(
    r"\b(?:number|id|code|order|invoice|ticket)\b|[单账工会][号单]|编号|号码", re.I
)
_NO_ID = re.compile(
    r"(?:UTF|ISO|SHA|MD|COVID|GPT|RFC|IEEE|AES|RSA|BASE|X86|HTTP|PHP|CPU|GPU|USB|PEP"
    r"|SARS)[-_]\S*|(?:ES|MP|WIN|ARM|TOP)[-_]\d{1,4}|[A-Z]{1,2}-\d{1,2}|1[5-9]\d{11}(?:\d{3}"
    r"|\d{6})?",
    re.A,
)
IBAN = re.compile(
    r"(?<!\w)[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,4})?)(?!\w)", re.A
)
UUID = re.compile(r"(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])", re.I | re.A)
PLATE = re.compile(
    r"(?<!\w)[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z]\s?[·•-]?\s?[A-Z0-9]{5,6}(?![A-Z0-9])",
    re.A,
)
_LOCATOR = re.compile(r"[A-Z0-9]{5,8}", re.A)
_HASH = re.compile(r"[0-9a-f]{7,40}", re.A)


def is_bare_id(match: re.Match[str]) -> bool:
    """Whether a match of `BARE` is neither the name of a standard nor a time stamp."""
    return not _NO_ID.fullmatch(match[0]) and sum(map(str.isdigit, match[0])) >= 3


def is_contrasted_id(match: re.Match[str]) -> bool:
    """Whether a sentence that contrasts two codes is about a number of something."""
    before = match.string[max(0, match.start() - 60) : match.start()]
    return _NUMBER.search(before) is not None


def label_of(match: re.Match[str]) -> str:
    """The key of a match of `LABELLED`."""
    return next(key for key in _LABELS if match[key])


def is_labelled_id(match: re.Match[str]) -> bool:
    """Whether what follows a label is its number.

    Nearly anything with figures is, where the label says number or the value has letters too; "2
    orders 15 days ago" has neither. A locator like ``ZFAOYV`` has no figures at all.
    """
    value, key = match["value"], label_of(match)
    said = match.string[match.start() : match.start("value")].strip()
    if key == "commit":
        return _HASH.fullmatch(value) is not None
    figures = sum(map(str.isdigit, value))
    if key == "account" and figures and not value.isdigit():
        return len(said) > len(match[key]) or "_" in value
    if figures < 2:
        is_code = _LOCATOR.fullmatch(value) is not None and len(said) > len(match[key])
        return is_code and (figures == 1 or key == "reservation_id")
    if value.isdigit() and len(said) == len(match[key]):
        return figures >= 5
    return figures >= (2 if value.isdigit() or value[0] == "#" or value.upper() == value else 3)
