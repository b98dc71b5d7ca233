"""Addresses, encoded bytes, formulas, code and JSON inside of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextkit.text.blocks import JsonReader

_LEAST = 24
"""Characters from which on something inside of a sentence is worth telling apart."""

_SHORT = (
    r"(?P<url>(?:https?|ftp)://[^\s<>\"'`，。；、（）【】「」一-鿿]{8,2000})"
    r"|(?P<code>`[^`\n]{22,300}`)"
    r"|(?P<math>\$\$[^$\n]{4,500}\$\$|\\\([^\n]{2,300}?\\\)|\$\\[a-z]+[^$\n]{4,200}\$)"
    r"|(?P<json>\{\s{0,4}\"|\[\s{0,4}\{\s{0,4}\")"
)
_ENCODED = (
    r"|(?P<base64>(?:data:[\w/+.-]{3,60};base64,)?(?<![\w/+-])[A-Za-z0-9+/]{48,}={0,2}(?![\w/+-]))"
)
_INSIDE = re.compile(_SHORT)
_INSIDE_OR_ENCODED = re.compile(_SHORT + _ENCODED)
_LONG_WORD = 48
"""Characters of a word from which on it may be encoded bytes."""

_MIXED = re.compile(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])")


def inside(text: str, start: int, end: int, reader: JsonReader) -> Iterator[tuple[int, int, str]]:
    """Find what is no prose in the prose ``text[start:end]``: start, end and content type."""
    longest = max(map(len, text[start:end].split()), default=0)
    pattern = _INSIDE if longest < _LONG_WORD else _INSIDE_OR_ENCODED
    at = start
    while at < end:
        found = pattern.search(text, at, end)
        if not found:
            return
        kind, stop = str(found.lastgroup), found.end()
        if kind == "json":
            value_end = reader.value_end(found.start())
            fits = value_end is not None and value_end <= end
            stop = value_end if value_end is not None and fits else found.start()
        if stop - found.start() >= _LEAST and _is_meant(kind, found[0]):
            yield found.start(), stop, kind
        at = max(stop, found.end())


def _is_meant(kind: str, text: str) -> bool:
    return kind != "base64" or bool(_MIXED.match(text[:200]))
