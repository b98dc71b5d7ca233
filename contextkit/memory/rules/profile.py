"""Where the user works and lives, as what, and under which accounts."""

from __future__ import annotations

from contextkit.memory.rules.places import PLACE_RULES
from contextkit.memory.rules.profile_phrases import (
    END_ZH,
    I_AM,
    NOW,
    ORG,
    PLACE,
    is_mine,
    is_place,
    rule,
)
from contextkit.memory.rules.spoken import always
from contextkit.memory.rules.work import WORK_RULES

_HANDLE = r"(?P<value>@?[A-Za-z][\w.-]{2,30}\w|\d{5,12})(?![\w@]|\.\w|://)"

_ACCOUNT_RULES = (
    rule(
        "account",
        "handle",
        "wechat|qq|telegram|skype|discord|github|twitter|instagram|slack",
        r"\b(?:WeChat|QQ|Telegram|Skype|Discord|GitHub|Twitter|Instagram|Slack)"
        rf"(?: ?(?:id|account|handle|username|号))?\s*(?:is|是|[:：])\s*{_HANDLE}",
    ),
    rule(
        "account",
        "handle-zh",
        "微信|推特|钉钉|飞书",
        rf"(?:微信|推特|钉钉|飞书)(?:号|ID|账号)?\s*(?:是|为|[:：])?\s*{_HANDLE}",
    ),
    rule(
        "account",
        "username",
        "my ",
        r"\bmy (?:user ?name|login|user id|handle) is (?P<value>@?[\w.-]{2,40}\w)",
    ),
    rule(
        "account",
        "username-zh",
        "用户名|昵称|登录名",
        r"我的?(?:用户名|昵称|登录名)(?:是|为|[:：])\s*(?P<value>[\w.@-]{2,30})",
    ),
    rule("age", "age", " old", rf"{I_AM}(?P<value>\d{{1,2}} years? old)\b", always),
    rule(
        "age",
        "age-zh",
        "岁",
        rf"(?:我|今年|现在|[，,]\s?)(?P<value>\d{{1,2}}岁){END_ZH}",
        is_mine,
    ),
    rule(
        "birthday",
        "born-zh",
        "生",
        r"(?P<value>(?:(?:19|20)\d\d年"
        r"|民国\s?\d{2,3}\s?年\s?)\d{1,2}\s?月\s?\d{1,2}\s?[日号])\s?(?:出生|生(?=[，。,\s]|\Z))",
    ),
    rule(
        "birthday",
        "born",
        " born|date of birth|dob",
        r"\b(?:i was born (?:on |in )?|(?:my )?(?:date of birth|dob)(?: is"
        r"|:)? )(?P<value>[\w ,./-]{4,24}?\d{2,4})(?=[.,;!\n]|\Z)",
        always,
    ),
    rule("age", "age-this-year-zh", "今年", r"我今年(?P<value>\d{1,2})(?=[，。,]|\Z)", always),
    rule(
        "birthday",
        "birthday",
        "birthday|生日",
        r"(?:\bmy birthday is (?:on )?|我的?生日(?:是|在))"
        r"(?P<value>[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? "
        r"(?:of )?[A-Z][a-z]{2,8}|\d{1,2}月\d{1,2}[日号]?)",
        always,
    ),
)

PROFILE = (*WORK_RULES, *PLACE_RULES, *_ACCOUNT_RULES)
"""What the user says."""

HELD_PROFILE = (
    rule(
        "location",
        "you-live",
        "you",
        rf"\byou(?:'re| are|’re)? {NOW}(?:live|living|based) in (?P<value>{PLACE})",
        is_place,
    ),
    rule(
        "org",
        "you-work",
        "you",
        rf"\byou(?:'re| are|’re)? {NOW}work(?:ing)? (?:at|for) (?P<value>{ORG})",
        always,
    ),
)
"""What an assistant says about the user."""
