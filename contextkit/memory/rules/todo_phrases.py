"""The phrases of which sentences about tasks are made, and by when they are due."""

from __future__ import annotations

import re

from contextkit.memory.rules.typed_dates import DATED, RELATIVE, RELATIVE_ZH
from contextkit.memory.rules.words_todos import ERRANDS, ERRANDS_ZH, NO_TASKS_ZH

REST = (
    r"(?:[^.,;!?\n，。；！？]|\.(?=\w)|(?<=\b[DM][rs])\.|(?<=\bMrs)\.|,(?=\d{3})"
    r"|,(?= (?:19|20)\d\d\b)|\?(?=[\w=&]))"
)
REST_ZH = r"(?:[^，。；！？\n,;!?]|\?(?=[\w=&]))"
WHEN = (
    rf"(?:(?:(?:by|before|until|no later than|on) )?{RELATIVE}|(?:by|before|until) {DATED}"
    r"|(?:by|before) (?:the )?(?:end\b[\w ]{0,20}|\d[\w:. ]{0,10}|lunch|dinner|christmas|new year)"
    r"|later(?: today| on)?|when you (?:can|get a chance|have time)|afterwards)"
)
END = (
    r"(?=\s*(?:[,;!?\n，。；！？]|(?<!\b[DM][rs])(?<!\bMrs)\.|\Z"
    r"|\b(?:and )?then\b|\b(?:and|but) (?:i|we|you|also|please"
    r"|remind)\b|\bbecause\b))"
)
OPENING = r"(?:\A|[.!;:\n。，,]\s{0,4})"
TASK = rf"(?P<value>{REST}{{2,120}}?)(?:\s+(?P<due>{WHEN}))?{END}"
DUE_TASK = rf"(?P<value>{REST}{{2,120}}?)\s+(?P<due>{WHEN}){END}"
WHEN_ZH = (
    rf"(?:{RELATIVE_ZH}|周末|(?:20\d\d年)?\d{{1,2}}月\d{{1,2}}[日号])(?:之?前|以前|上午|下午"
    rf"|早上|晚上|中午|下班)?"
    rf"(?:[\d一二两三四五六七八九十]{{1,3}}[点:](?:半|\d{{0,2}}分?))?(?:之?前|以前)?"
)
BEFORE_ZH = (
    rf"(?:{WHEN_ZH}|(?:凌晨|早上|上午|中午|下午|傍晚"
    rf"|晚上)?[\d一二两三四五六七八九十]{{1,3}}[点:](?:半|\d{{0,2}}分?)钟?"
    r"(?:之?前|以前)|[\u4e00-\u9fff]{2,4}(?:之前|以前|前))"
)
"""A day or an hour, or an event, by which something has to be done: "出发前"."""
ACT_ZH = rf"\s?(?:{ERRANDS_ZH}|{ERRANDS}\b)"
LATER_ZH = "(?:等一?下|等会儿?|待会儿?|回头|稍后|晚点|晚些时候|过后|之后|有空的?时候?)"
TASK_ZH = rf"(?P<value>(?!{NO_TASKS_ZH}){REST_ZH}{{2,60}})"
HELP_ZH = "(?:一下|帮我|帮忙|替我|给我|要|去|再|也)*"
DUE_AT_END = re.compile(rf"\s+[(（]?(?P<due>(?:by|before|due) .{{2,40}}|{WHEN})[)）]?\Z", re.I)
IS_ERRAND = re.compile(rf"(?:also |just |first )*{ERRANDS}\b", re.I)
