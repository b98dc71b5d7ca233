"""The language of what is no prose: code, data, logs, markup, tool calls."""

from __future__ import annotations

import re

from contextkit.text.language import language_of
from contextkit.text.scripts import WEIGHTS, profile

_SAMPLE = 2_000
"""Characters that the language of signs is told by."""

_SIGNS = frozenset(("code", "shell", "config", "base64", "url", "math", "diff"))
"""Content whose Latin words are names and key words, in no language."""

_COMMENTED = 0.2
"""Share of letters other than Latin from which on signs are in the language of these letters."""

_WORD = r"[^\W\d_]++(?:['’-][^\W\d_]++)*+"
_SENTENCES = re.compile(rf"\b{_WORD}(?:,? {_WORD}){{3,}}+")
"""Four words and more in a row."""

_SPOKEN = 0.5
"""Share of letters in rows of words from which on data is in a language."""

_SPOKEN_BY_PROGRAMS = {"log": 0.1, "stack trace": 0.1}
"""The same for what programs tell: a message stands behind times, names and places."""


def language_of_signs(text: str, content: str) -> str:
    """Return the language that ``text`` holds, "zxx" for signs that are in none.

    Keys, names, ids and key words are in no language, though they look like one. Any content is in
    the language of its letters other than Latin, where it has a fair share of them. Beyond that,
    data is in the language of its sentences where they are at least half of it; logs and stack
    traces are in that of their messages.

    Args:
        text: the content; its first 2,000 characters decide.
        content: its type, see `content_of`, or "tool call".

    Example:
        >>> [language_of_signs(text, "json") for text in ('{"path": "src/main"}', '{"市": "上海"}')]
        ['zxx', 'zh-Hans']
        >>> language_of_signs('{"answer": "Your parcel is on its way to you."}', "json")
        'en'
    """
    sample = text[:_SAMPLE]
    if not sample.isascii():
        weights = {name: number * WEIGHTS.get(name, 1) for name, number in profile(sample).items()}
        other = sum(weights.values()) - weights.get("Latin", 0)
        if other and other >= _COMMENTED * sum(weights.values()):
            return language_of("".join(c for c in sample if not c.isascii() or c.isspace()))
    if content in _SIGNS:
        return "zxx"
    sentences = " . ".join(_SENTENCES.findall(sample))
    least = _SPOKEN_BY_PROGRAMS.get(content, _SPOKEN) * profile(sample).total()
    return language_of(sentences) if profile(sentences).total() >= least else "zxx"
