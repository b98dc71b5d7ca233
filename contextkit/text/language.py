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

_NO_WORD = re.compile(r"(?:https?://|www\.)\S+|(?<![\w.+-])[\w.+-]*[\d@_/\\.][\w./\\@-]*")
"""What is in Latin letters and in no language: addresses, paths, ids, numbers with their units."""

_ASCII_LETTERS = re.compile("[A-Za-z]+")
"""Left out where the text is in another script: they mislead its statistics."""

_KANA_SHARE = 0.1
"""Share of kana among Han and kana that makes a text Japanese: whole sentences have 0.4 and more,
Chinese ones at most a の in a name."""

_ENGLISH = 0.45
"""Mean of `english_score` from which on a text is English."""

_SHORT = 12
"""Letters below which statistics tell no language."""

UNSPACED = frozenset(("zh", "ja", "th", "lo", "km", "my", "bo"))
"""Languages that are written without spaces between words."""

_ASCII_LETTERS = re.compile("[A-Za-z]+")
"""Left out where the text is in another script: they mislead its statistics."""

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
    plain = _NO_WORD.sub(" ", sample)
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


def _east_asian(text: str, found: Counter[str]) -> str:
    if found["Kana"] > _KANA_SHARE * (found["Kana"] + found["Han"]):
        return "ja"
    if found["Bopomofo"] > found["Han"]:
        return "zh-Hant"
    return chinese_variant(text)


def _latin(plain: str, letters: int) -> str:
    if is_vietnamese(plain):
        return "vi"
    score = english_score(plain)
    if score >= _ENGLISH:
        return "en"
    told = identified("Latin", plain) if letters >= _SHORT else None
    return told or "latin"
