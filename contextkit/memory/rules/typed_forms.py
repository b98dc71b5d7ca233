"""What addresses, phones, paths, versions and error codes look like, in any language."""

from __future__ import annotations

import re

URL = re.compile(
    r"(?:(?:https?|ftp|ssh|s3|git)://|\bwww\.(?=[\w.-]+\.\w{2}))"
    r"[^\s<>\"'`，。；！？、（）【】「」“”\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+",
    re.I,
)
EMAIL = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
    r"(?![\w-])",
    re.A,
)
PATH = re.compile(
    r"(?<![\w./:~<\\-])(?:~?/|\.{1,2}/|[A-Za-z]:\\)?(?:[\w.@+-]{1,80}[/\\]){1,20}[\w.@+-]*\w", re.A
)
FILE = re.compile(
    r"(?<![\w./@-])(?!(?:node|vue|next|react|express|three|d3|nuxt|chart|console|process|math)\.)"
    r"[\w-]{2,60}\.(?:py|js|tsx?|json|ya?ml|toml|md|txt|csv|xlsx?|docx?|pdf|sql|sh|java"
    r"|go|rs|cpp|html|css|log|ini|conf|env|png|jpe?g|zip|ipynb|pptx?)\b(?!\.|\()",
    re.A | re.I,
)
IP = re.compile(
    r"(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)"
    r"(?:/\d{1,2}|:\d{2,5})?(?![\w.]*\d)",
    re.A,
)
IP6 = re.compile(
    r"(?<![\w:])(?=[0-9a-f:]{6,39}(?![\w:]))(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4})"
    r"(?:::?[0-9a-f]{1,4})*",
    re.I | re.A,
)
VERSION = re.compile(
    r"(?<![\w.])(?:v\d+(?:\.\d+){1,3}(?:-[a-z]+[\w.]*)?"
    r"|\d{1,3}\.\d{1,3}\.\d{1,4}(?:-?(?:rc|beta|alpha|dev)[\w.]*)?)(?![\w%]|\.\d)"
    r"|(?:\bversion|版本号?)\s?(?:is|是|为|:|：)?\s?(?P<value>\d+(?:\.\d+)+)(?![\w%]|\.\d)",
    re.I | re.A,
)
ERROR = re.compile(
    r"(?<![\w-])(?:E(?:CONN|ADDR|NO|PERM|ACCES|TIMED|PIPE|NOENT|EXIST)[A-Z]{0,12}"
    r"|0x[0-9A-Fa-f]{4,8}"
    r"|ERR_[A-Z0-9_]{3,40}|E\d{3,5}|ORA-\d{4,5}|CVE-\d{4}-\d{4,7}|[A-Z]\w{2,60}(?:Error"
    r"|Exception))(?![\w-])|(?:\b(?:[Ee]rror(?: [Cc]ode)?|[Ss]tatus [Cc]ode|HTTP(?!_)) ?(?:is|:"
    r"|#)? ?"
    r"|(?:错误码|错误代码|报错|状态码) ?(?:是|为|:|：)? ?)(?P<value>[A-Z]{0,4}[-_]?\d{3,6})"
    r"(?![\w.])|(?:\b(?:shows?|displays?|says)|显示|报|提示) ?(?P<shown>E\d{2,5})(?![\w.-])"
    r"|(?:\b(?:(?:users|we|customers|clients) (?:see|get)|gets?|getting|got|throws?|throwing"
    r"|fails? with|errors?:?|fehlermeldung)|报错?了?|提示|返回) ?"
    r"(?P<thrown>[A-Z]{2,10}[-_]\d{3,5})(?![\w.-])|(?<![\w-])LNK\d{4}(?![\w-])"
    r"|(?<![\w-])(?:HTTP_\d{3}|TS\d{4,5}|E_[A-Z_]{4,40})(?![\w-])",
    re.A,
)
PHONE = re.compile(
    r"(?<![\w+#.-])(?:\+\d{1,3}[\s.-]?(?:\(\d{1,4}\)[\s.-]?)?\d(?:[\s.-]?\d){5,12}"
    r"|(?:86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}|\(\d{3}\)[ -]?\d{3}[-. ]\d{4}"
    r"|\d{3}([-. ])\d{3}\1\d{4}|09\d{2}-?\d{3}-?\d{3}|0\d{2,3}-\d{7,8}|0\d{1,4}[- ]\d{3,4}[- ]\d{4}"
    r"|0[1-9]\d{1,3} \d{3,4} \d{3}|01[5-7]\d[ /]\d{7,8}|[679]\d\d \d{3} \d{3}|0\d(?:[ .]\d\d){4}"
    r"|400-?\d{3}-?\d{4})(?![\w-]|\.\d)",
    re.A,
)
LABELLED_PHONE = re.compile(
    r"(?:\b(?:phone|cell|mobile|tel|telephone|whatsapp|fax|(?:call|text) me (?:at|on))\b"
    r"(?: ?(?:number|no\.?|#))?|手机|电话|号码|座机|電話番号|전화(?:번호)?|tel[ée]fono"
    r"|t[ée]l[ée]phone|telefon\w*|телефон\w*)\D{0,14}?(?P<value>\+?\d[\d\s().-]{4,17}\d)(?![\w-])",
    re.I,
)

_ROOTED = re.compile(
    r"(?:~?/|\.{1,2}/|[A-Za-z]:\\)[\w.@+-]+[/\\]|(?:.*[/\\])?[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}\Z",
    re.A,
)
_ROOTS = re.compile(r"~?/(?:home|etc|usr|var|opt|tmp|mnt|data|srv|root|api|v\d)\b")
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|cn|gov|edu)/", re.A | re.I)


def is_path(match: re.Match[str]) -> bool:
    """Whether words with slashes name a file or folder, not alternatives ("and/or", "3/4")."""
    if _DOMAIN.match(match[0]) or not any(map(str.isalpha, match[0])):
        return False
    return bool(_ROOTED.match(match[0]) or _ROOTS.match(match[0]))


def is_phone(match: re.Match[str]) -> bool:
    """Whether digits behind a label are as many as a phone number has."""
    return 7 <= sum(map(str.isdigit, match["value"])) <= 15


def phone_norm(written: str) -> str:
    """Return a phone number as E.164 where its form tells the country, else its digits.

    Example:
        >>> phone_norm("138 1234 5678"), phone_norm("(415) 555-2671"), phone_norm("020 7946 0018")
        ('+8613812345678', '+14155552671', '02079460018')
    """
    digits = re.sub(r"\D", "", written)
    if written.lstrip().startswith("+"):
        return f"+{digits}"
    if re.fullmatch(r"(?:86)?1[3-9]\d{9}", digits):
        return f"+86{digits[-11:]}"
    if re.fullmatch(r"09\d{8}", digits):
        return f"+886{digits[1:]}"
    if re.fullmatch(r"1?[2-9]\d{2}[2-9]\d{6}", digits):
        return f"+1{digits[-10:]}"
    return digits
