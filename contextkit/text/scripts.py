"""The scripts of Unicode that tell languages, and how much of each a text holds."""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections import Counter
from functools import cache

_BLOCKS = (
    (0x41, 0x5A, "Latin"), (0x61, 0x7A, "Latin"), (0xAA, 0xAA, "Latin"), (0xBA, 0xBA, "Latin"),
    (0xC0, 0xD6, "Latin"), (0xD8, 0xF6, "Latin"), (0xF8, 0x2B8, "Latin"), (0x370, 0x3FF, "Greek"),
    (0x400, 0x52F, "Cyrillic"), (0x531, 0x58A, "Armenian"), (0x591, 0x5F4, "Hebrew"),
    (0x600, 0x6FF, "Arabic"), (0x700, 0x74F, "Syriac"), (0x750, 0x77F, "Arabic"),
    (0x780, 0x7BF, "Thaana"), (0x7C0, 0x7FF, "N'Ko"), (0x8A0, 0x8FF, "Arabic"),
    (0x900, 0x97F, "Devanagari"), (0x980, 0x9FF, "Bengali"), (0xA00, 0xA7F, "Gurmukhi"),
    (0xA80, 0xAFF, "Gujarati"), (0xB00, 0xB7F, "Odia"), (0xB80, 0xBFF, "Tamil"),
    (0xC00, 0xC7F, "Telugu"), (0xC80, 0xCFF, "Kannada"), (0xD00, 0xD7F, "Malayalam"),
    (0xD80, 0xDFF, "Sinhala"), (0xE01, 0xE7F, "Thai"), (0xE80, 0xEFF, "Lao"),
    (0xF00, 0xFFF, "Tibetan"), (0x1000, 0x109F, "Myanmar"), (0x10A0, 0x10FF, "Georgian"),
    (0x1100, 0x11FF, "Hangul"), (0x1200, 0x139F, "Ethiopic"), (0x13A0, 0x13FF, "Cherokee"),
    (0x1400, 0x167F, "Canadian syllabics"), (0x1780, 0x17FF, "Khmer"),
    (0x1800, 0x18AF, "Mongolian"),
    (0x1C80, 0x1C8F, "Cyrillic"), (0x1C90, 0x1CBF, "Georgian"), (0x1E00, 0x1EFF, "Latin"),
    (0x1F00, 0x1FFF, "Greek"), (0x2C60, 0x2C7F, "Latin"), (0x2D00, 0x2D2F, "Georgian"),
    (0x2D30, 0x2D7F, "Tifinagh"), (0x2D80, 0x2DDF, "Ethiopic"), (0x2E80, 0x2FDF, "Han"),
    (0x3005, 0x3007, "Han"), (0x3041, 0x309F, "Kana"), (0x30A1, 0x30FA, "Kana"),
    (0x30FC, 0x30FF, "Kana"), (0x3105, 0x312F, "Bopomofo"), (0x3131, 0x318E, "Hangul"),
    (0x31A0, 0x31BF, "Bopomofo"), (0x31F0, 0x31FF, "Kana"), (0x3400, 0x4DBF, "Han"),
    (0x4E00, 0x9FFF, "Han"), (0xA000, 0xA4CF, "Yi"), (0xA640, 0xA69F, "Cyrillic"),
    (0xA720, 0xA7FF, "Latin"), (0xA8E0, 0xA8FF, "Devanagari"), (0xAB30, 0xAB6F, "Latin"),
    (0xAC00, 0xD7A3, "Hangul"), (0xF900, 0xFAFF, "Han"), (0xFB1D, 0xFB4F, "Hebrew"),
    (0xFB50, 0xFDFF, "Arabic"), (0xFE70, 0xFEFC, "Arabic"), (0xFF21, 0xFF3A, "Latin"),
    (0xFF41, 0xFF5A, "Latin"), (0xFF66, 0xFF9F, "Kana"), (0xFFA0, 0xFFDC, "Hangul"),
    (0x1B000, 0x1B16F, "Kana"), (0x20000, 0x3FFFF, "Han"),
)  # fmt: skip
"""First and last code point and script, from Blocks.txt and Scripts.txt of Unicode 16.0.

A combining mark counts with the letters of its script: they are written with it.
"""

_STARTS = [start for start, _, _ in _BLOCKS]

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_NO_ASCII_LETTERS = bytes(set(range(128)) - set(string.ascii_letters.encode()))

WEIGHTS = {"Han": 7 / 3, "Kana": 7 / 3, "Hangul": 7 / 3, "Bopomofo": 7 / 3}
"""How many Latin letters one character says as much as: 30 % Han characters make a text Chinese."""

_EAST_ASIAN = ("Kana", "Bopomofo")
"""Scripts that stand beside Chinese characters, or in their place."""


@cache
def script_of(char: str) -> str | None:
    """Return the name of the script that ``char`` is a letter or a mark of.

    Example:
        >>> [script_of(char) for char in "aя好の7"]
        ['Latin', 'Cyrillic', 'Han', 'Kana', None]
    """
    _, end, script = _BLOCKS[bisect_right(_STARTS, ord(char)) - 1]
    return script if _STARTS[0] <= ord(char) <= end else None


def profile(text: str) -> Counter[str]:
    """Return the number of letters of each script in ``text``.

    Example:
        >>> sorted(profile("用 pip 安装").items())
        [('Han', 3), ('Latin', 3)]
    """
    found: Counter[str] = Counter()
    letters = len(text.encode("ascii", "ignore").translate(None, _NO_ASCII_LETTERS))
    if letters:
        found["Latin"] = letters
    if not text.isascii():
        for char, number in Counter("".join(_NOT_ASCII.findall(text))).items():
            script = script_of(char)
            if script is not None:
                found[script] += number
    return found


def main_script(found: Counter[str]) -> str | None:
    """Return the script that most of a text is in; None for a text without letters.

    The characters of Chinese, Japanese and Korean stand together, and weigh more than a letter.

    Example:
        >>> main_script(profile("用 pip 安装")), main_script(profile("123"))
        ('Han', None)
    """
    if len(found) < 2:
        return next(("Han" if script in _EAST_ASIAN else script for script in found), None)
    weights: Counter[str] = Counter()
    for script, number in found.items():
        name = "Han" if script in _EAST_ASIAN else script
        weights[name] += number * WEIGHTS.get(script, 1)  # type: ignore[assignment]
    return max(weights, key=lambda script: weights[script]) if weights else None
