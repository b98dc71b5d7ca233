"""The language of a text: its script first, then letters, small words and statistics."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from contextkit.text.alphabets import (
    english_score,
    is_vietnamese,
    told_by_letters,
    told_by_words,
)
from contextkit.text.chinese import chinese_variant
from contextkit.text.identify import identified
from contextkit.text.scripts import main_script, profile

_SAMPLE = 4_000
"""Characters that a language is told by: more do not change the answer."""

_NO_WORD = re.compile(
    r"(?:https?://|www\.)\S+|`[^`\n]{1,80}`"
    r"|(?<![A-Za-zÀ-ɏ0-9_.+-])[A-Za-zÀ-ɏ+-]*+[0-9@_/\\.][A-Za-zÀ-ɏ0-9_./\\@+-]*"
)
"""What is in Latin letters and in no language: addresses, inline code, paths, ids,
numbers with their units."""

_ASCII_LETTERS = re.compile("[A-Za-z]+")
"""Left out where the text is in another script: they mislead its statistics."""

_KANA_SHARE = 0.1
"""Share of kana among Han and kana that makes a text Japanese: whole sentences have 0.4 and more,
Chinese ones at most a の in a name."""

ENGLISH = 0.45
"""Mean of `english_score` from which on a text is English."""

_SHORT = 12
"""Letters below which statistics tell no language."""

UNSPACED = frozenset(("zh", "ja", "th", "lo", "km", "my", "bo"))
"""Languages that are written without spaces between words."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def language_of(text: str) -> str:
    """Return the language that most of ``text`` is in, as a BCP 47 tag.

    Chinese is "zh-Hans" or "zh-Hant". Languages in Latin letters other than English and Vietnamese
    are told by the extra ``lang``, and are "latin" without it.

    Args:
        text: any text; its first 4,000 characters decide.

    Returns:
        The tag; "latin"; "zxx" for what is in no language (numbers, addresses, signs); "und" for
        letters of a script that no language is known by.

    Example:
        >>> [language_of(text) for text in ("我的包裹在哪里", "我的包裹在哪裡", "Where is it?")]
        ['zh-Hans', 'zh-Hant', 'en']
        >>> language_of("荷物はどこですか"), language_of("2025-01-01 17:30")
        ('ja', 'zxx')
    """
    sample = unicodedata.normalize("NFC", text[:_SAMPLE])
    plain = _plain(sample)
    found = profile(plain)
    script = main_script(found)
    if script is None:
        return "zxx"
    if script == "Han":
        return _east_asian(sample, found)
    if script == "Latin":
        return _latin(plain, found["Latin"])
    letters = _ASCII_LETTERS.sub(" ", sample)
    told = told_by_words(script, letters) or identified(script, letters)
    return told or told_by_letters(script, letters) or "und"


def letters_of(text: str) -> Counter[str]:
    """Return the number of letters of each script in the words of ``text``.

    Addresses, paths and ids are no words.

    Example:
        >>> letters_of("订单 ACC-99321, see https://example.com/a")
        Counter({'Latin': 3, 'Han': 2})
    """
    return profile(_plain(text))


def is_japanese(letters: Counter[str]) -> bool:
    """Return whether letters of which most are Chinese characters and kana are Japanese.

    Example:
        >>> is_japanese(letters_of("荷物はどこですか"))
        True
        >>> is_japanese(letters_of("我每天都喝优の良品的茶"))
        False
    """
    return letters["Kana"] > _KANA_SHARE * (letters["Kana"] + letters["Han"])


def words(text: str, language: str) -> int:
    """Return the number of words of ``text``.

    Args:
        text: any text.
        language: its tag; for languages written without spaces (Chinese, Japanese, Thai, Lao,
            Khmer, Burmese, Tibetan) every letter of a script but Latin is a word.

    Example:
        >>> words("It isn't here.", "en"), words("用 pip 安装", "zh-Hans")
        (3, 4)
    """
    if language.split("-")[0] not in UNSPACED:
        return len(_WORD.findall(text))
    unspaced = sum(char.isalpha() and ord(char) > 0x2B8 for char in text)
    return unspaced + len(re.findall(r"[0-9A-Za-zÀ-ʸ]+", text))


def _plain(text: str) -> str:
    return _NO_WORD.sub(" ", text)


def _east_asian(text: str, found: Counter[str]) -> str:
    if is_japanese(found):
        return "ja"
    if found["Bopomofo"] > found["Han"]:
        return "zh-Hant"
    return chinese_variant(text)


def _latin(plain: str, letters: int) -> str:
    if is_vietnamese(plain):
        return "vi"
    score = english_score(plain)
    if score >= ENGLISH:
        return "en"
    told = identified("Latin", plain) if letters >= _SHORT else None
    return told or "latin"
