"""Amounts of money, in figures and in Chinese numerals, with their currency."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_SIGNS = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "bucks": "USD",
    "美元": "USD", "美金": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "欧元": "EUR", "歐元": "EUR", "£": "GBP", "gbp": "GBP", "pounds": "GBP", "英镑": "GBP",
    "英鎊": "GBP", "¥": "CNY", "￥": "CNY", "cny": "CNY", "rmb": "CNY", "yuan": "CNY",
    "元": "CNY", "块": "CNY", "塊": "CNY", "块钱": "CNY", "塊錢": "CNY", "人民币": "CNY",
    "人民幣": "CNY", "元人民币": "CNY", "円": "JPY", "日元": "JPY", "日圓": "JPY", "jpy": "JPY",
    "yen": "JPY", "₩": "KRW", "원": "KRW", "krw": "KRW", "韩元": "KRW", "₹": "INR", "inr": "INR",
    "rs": "INR", "₽": "RUB", "руб": "RUB", "rub": "RUB", "港币": "HKD", "港幣": "HKD",
    "港元": "HKD", "hk$": "HKD", "hkd": "HKD", "nt$": "TWD", "twd": "TWD", "新台币": "TWD",
    "新台幣": "TWD", "台币": "TWD", "a$": "AUD", "aud": "AUD", "c$": "CAD", "cad": "CAD",
    "s$": "SGD", "sgd": "SGD", "chf": "CHF", "r$": "BRL", "brl": "BRL", "₫": "VND", "₴": "UAH",
    "₺": "TRY", "฿": "THB", "zł": "PLN",
    "pln": "PLN", "sek": "SEK", "nok": "NOK", "dkk": "DKK",
    "sar": "SAR", "aed": "AED", "egp": "EGP",
    "mxn": "MXN", "cop": "COP", "clp": "CLP", "ars": "ARS",
    "try": "TRY", "thb": "THB", "myr": "MYR",
    "idr": "IDR", "php": "PHP", "vnd": "VND", "nzd": "NZD",
    "zar": "ZAR", "ils": "ILS", "uah": "UAH",
    "kč": "CZK", "czk": "CZK", "huf": "HUF", "ريال": "SAR",
    "درهم": "AED", "reais": "BRL", "рублей": "RUB",
    "рубля": "RUB", "евро": "EUR", "долларов": "USD",
    "달러": "USD", "ドル": "USD", "ユーロ": "EUR",
    "유로": "EUR", "dólares": "USD", "dollari": "USD",
    "pesos": "MXN", "франков": "CHF", "圆": "JPY", "rm": "MYR", "₪": "ILS",
}  # fmt: skip
_SCALES = {
    "k": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9, "thousand": 3, "千": 3,
    "万": 4, "萬": 4, "亿": 8, "億": 8, "百万": 6, "만": 4,
}  # fmt: skip


def _longest_first(words: dict[str, str] | dict[str, int]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_NUMBER = (
    r"\d{1,3}(?:[,，' \u00a0\u202f]\d{3})+(?:\.\d{1,2}|(?<=[ \u00a0\u202f]\d{3}),\d{1,2})?"
    r"|\d{1,3}(?:\.\d{3})+,\d{2}|\d{1,3}(?:\.\d{3})+(?= ?(?:€|EUR|euro))|\d+(?:[.,]\d{1,2})?"
)
_SCALE = rf"(?:{_longest_first(_SCALES)})"
_BEFORE = "|".join(
    re.escape(sign)
    for sign in sorted(_SIGNS, key=len, reverse=True)
    if not sign[-1].isalpha() or (sign.isascii() and len(sign) == 3)
)
_BEHIND = "|".join(
    re.escape(word) + (r"\b" if word[-1].isascii() and word[-1].isalpha() else "")
    for word in sorted(_SIGNS, key=len, reverse=True)
)
_NUMERAL = "[零〇一二两兩三四五六七八九十百千万萬亿億]"
AMOUNT = re.compile(
    rf"(?<![A-Za-z0-9_.])(?!PHP \d{{1,2}}\.\d)(?P<sign>{_BEFORE})\s?(?P<first>{_NUMBER})"
    rf"\s?(?P<scale>{_SCALE}\b)?"
    rf"|(?P<sign2>新台[币幣]|人民[币幣]|港[币幣]|台[币幣]|美金"
    rf"|[美欧歐日]元)\s?(?P<third>{_NUMBER})\s?"
    rf"(?P<scale3>{_SCALE})?(?:\s?[元圆])?"
    rf"|(?<![A-Za-z0-9_.,@-])(?P<second>{_NUMBER})\s?(?P<scale2>{_SCALE})?\s?(?P<unit>{_BEHIND})"
    rf"(?![素件组組始\d])|(?P<numeral>{_NUMERAL}{{2,16}}|[一二两兩三四五六七八九](?=元"
    rf"|[块塊](?:[钱錢]|\W*\Z|[，。,])))\s?"
    r"(?P<unit3>元|块钱?|塊錢?|美元|美金|欧元|歐元|港[币幣元]|人民[币幣])(?![素件组組始儿])",
    re.I,
)


def amount_norm(match: re.Match[str]) -> str:
    """Return a match of `AMOUNT` as a decimal number and a currency.

    Example:
        >>> [amount_norm(m) for m in AMOUNT.finditer("$1,249.50, 20k USD 和两万五千元")]
        ['1249.50 USD', '20000 USD', '25000 CNY']
    """
    currency = _SIGNS[(match["sign"] or match["sign2"] or match["unit"] or match["unit3"]).lower()]
    if match["numeral"]:
        return f"{numeral_value(match['numeral'])} {currency}"
    number = _decimal(match["first"] or match["second"] or match["third"])
    scale = (match["scale"] or match["scale2"] or match["scale3"] or "").lower()
    return f"{number.scaleb(_SCALES[scale]):f} {currency}" if scale else f"{number:f} {currency}"


def _decimal(digits: str) -> Decimal:
    bare = re.sub(r"[ '\u00a0，]", "", digits)
    if re.fullmatch(r"[\d.]*,\d{1,2}", bare):
        bare = bare.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", bare):
        bare = bare.replace(".", "")
    try:
        return Decimal(bare.replace(",", ""))
    except InvalidOperation:
        return Decimal(0)


_FIGURES = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6,
    "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}


def numeral_value(numeral: str) -> int:
    """Return the number that a Chinese numeral stands for.

    Example:
        >>> numeral_value("两万五"), numeral_value("一百零三"), numeral_value("十二")
        (25000, 103, 12)
    """
    total = section = figure = 0
    last = 1
    for sign in numeral:
        if sign in _FIGURES:
            figure = _FIGURES[sign]
            last = 1 if sign in "零〇" else last
        elif sign in _UNITS:
            last = _UNITS[sign]
            section, figure = section + (figure or 1) * last, 0
        else:
            last = _MYRIADS[sign]
            total, section, figure = (total + section + figure) * last, 0, 0
    # A last figure without its unit counts tenths of the unit before: 两万五 is 25000.
    return total + section + figure * (last // 10 if last > 1 and figure else 1)
