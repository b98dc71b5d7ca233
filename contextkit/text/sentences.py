"""Sentences of a text and the language of each, neighbours in one language made one."""

from __future__ import annotations

import re
from itertools import pairwise

from contextkit.text.chinese import chinese_variant
from contextkit.text.language import language_of
from contextkit.text.scripts import WEIGHTS, main_script, profile

_END = re.compile(r"(?:[.!?…:]{1,3}[\"'”’)]{0,3}(?=\s)|[。！？：]{1,3}[\"'”’」』）)]{0,3}|\n)\s*")
"""Where a sentence ends: marks and colons, with the white space behind them."""

_LETTERS = 16
"""Letters that a sentence needs to have a language of its own; Chinese ones weigh more."""

_SURE = 40
"""Letters from which a sentence in Latin letters may differ from the others in Latin letters."""


def by_language(text: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """Return the stretches of ``text[start:end]`` in one language: start, end and tag.

    A sentence that is too short to tell, a single foreign word or a name goes with what stands
    before it.

    Example:
        >>> by_language("Please translate this sentence: 我的包裹在哪里？", 0, 40)
        [(0, 32, 'en'), (32, 40, 'zh-Hans')]
    """
    part = text[start:end]
    whole, main = language_of(part), main_script(profile(part))
    cuts = sorted({start, end, *(found.end() for found in _END.finditer(text, start, end))})
    told = [(*cut, _own_language(text[slice(*cut)], whole, main)) for cut in pairwise(cuts)]
    return _merged(told, whole)


def _own_language(sentence: str, whole: str, main: str | None) -> str:
    """The language of a sentence; "" where it is too short to tell."""
    letters = profile(sentence)
    script = main_script(letters)
    weight = sum(number * WEIGHTS.get(name, 1) for name, number in letters.items())
    if script is None or weight < _LETTERS:
        return ""
    if script == main == "Latin" and weight < _SURE:
        return whole
    told = language_of(sentence)
    if told.startswith("zh-"):
        return chinese_variant(sentence, otherwise=whole if whole.startswith("zh-") else told)
    return "" if told == "zxx" else told


def _merged(told: list[tuple[int, int, str]], whole: str) -> list[tuple[int, int, str]]:
    merged: list[tuple[int, int, str]] = []
    first = next((language for _, _, language in told if language), whole)
    for start, end, own in told:
        language = own or (merged[-1][2] if merged else first)
        if merged and merged[-1][2] == language:
            merged[-1] = (merged[-1][0], end, language)
        else:
            merged.append((start, end, language))
    return merged
