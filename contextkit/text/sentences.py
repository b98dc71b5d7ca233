"""Sentences of a text and the language of each, neighbours in one language made one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from contextkit.text.alphabets import english_score, foreign_words
from contextkit.text.chinese import chinese_variant
from contextkit.text.language import ENGLISH, language_of
from contextkit.text.scripts import WEIGHTS, main_script, profile

_END = re.compile(r"(?:[.!?…:]{1,3}[\"'”’)]{0,3}(?=\s)|[。！？：]{1,3}[\"'”’」』）)]{0,3}|\n)\s*")
"""Where a sentence ends: marks and colons, with the white space behind them."""

_LETTERS = 16
"""Letters that a sentence needs to have a language of its own; Chinese ones weigh more."""

_CHARACTERS = 7
"""The same in Chinese characters."""

_SURE = 40
"""Letters from which a sentence in Latin letters may differ from the others in Latin letters."""

_SHORT = 400
"""Characters up to which each sentence is asked for its own language by statistics. In longer texts
in Latin letters paragraphs are asked."""

_LINE = re.compile(r"\n\s*")
_PARAGRAPH = 400
"""Characters that short lines are put together to, to be asked for their language at once."""

_FOREIGN = 3
"""Small words of other languages that English text without accents holds before it is doubted."""

_HARDLY = 0.1
"""What `english_score` gives at most for a sentence in another language than the English around."""

_PLAINLY = 0.8
"""From this score on a short sentence is English, whatever is around it."""

_HALF = 0.3
"""From this score on a short sentence, or one with accents, is English, and from the negative of it
on in another language. What is between goes with what stands before it."""


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
    if whole == "zxx" or (part.isascii() and whole == "en" and foreign_words(part) < _FOREIGN):
        return [(start, end, whole)]
    long = main == "Latin" and end - start > _SHORT
    told: list[tuple[int, int, str]] = []
    for paragraph in _paragraphs(text, start, end) if long else [(start, end)]:
        around = _language_around(text[slice(*paragraph)], whole) if long else whole
        told += [
            (*cut, _own_language(text[slice(*cut)], around, main, alike=long))
            for cut in _cut(_END, text, *paragraph)
        ]
    return _merged(told, whole)


def _cut(end_mark: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of ``text[start:end]`` behind each mark."""
    ends = (found.end() for found in end_mark.finditer(text, start, end))
    return pairwise(sorted({start, end, *ends}))


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for _, behind in _cut(_LINE, text, start, end):
        if behind - start >= _PARAGRAPH or behind == end:
            yield start, behind
            start = behind


def _language_around(paragraph: str, whole: str) -> str:
    """The language of a paragraph; that of the whole where it is too short to tell."""
    told = language_of(paragraph) if profile(paragraph).total() >= _SURE else whole
    return whole if told == "zxx" else told


def _own_language(sentence: str, whole: str, main: str | None, *, alike: bool) -> str:
    """The language of a sentence; "" where it is too short to tell.

    Args:
        sentence: its text.
        whole: the language of what stands around it.
        main: the script of the whole text.
        alike: whether all that is in Latin letters is in one language, English aside.
    """
    if len(sentence) < (_LETTERS if sentence.isascii() else _CHARACTERS):
        return ""
    letters = profile(sentence)
    script = main_script(letters)
    weight = sum(number * WEIGHTS.get(name, 1) for name, number in letters.items())
    if script is None or weight < _LETTERS:
        return ""
    if script == main == "Latin":
        told = _latin(sentence, weight, whole)
        if told is None and alike and whole != "en":
            told = "en" if english_score(sentence) >= ENGLISH else whole
        if told is not None:
            return told
    if whole.startswith("zh-") and letters.keys() == {"Han"}:
        return chinese_variant(sentence, otherwise=whole)
    told = language_of(sentence)
    if told.startswith("zh-"):
        return chinese_variant(sentence, otherwise=whole if whole.startswith("zh-") else told)
    return "" if told == "zxx" else told


def _latin(sentence: str, letters: float, whole: str) -> str | None:
    """The language of a sentence in a text in Latin letters; None where statistics have to tell."""
    score = english_score(sentence)
    if whole != "en" and letters < _SURE:
        return "en" if score >= _PLAINLY else whole
    if whole != "en":
        return None
    if score > (_HARDLY if letters >= _SURE and sentence.isascii() else _HALF):
        return "en"
    return "" if letters < _SURE and score > -_HALF else None


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
