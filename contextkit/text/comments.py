"""Comments and documentation that run over several lines of code."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OPENING = re.compile(
    r"""\s*(?:[rbuf]?(\"{3}|'{3})|(/\*)|(\{-)|(<#)|(=(?:pod|head\d|begin|over)\b))"""
)
_QUOTES = ('"' * 3, "'" * 3)
_CLOSING = {"/*": "*/", "{-": "-}", "<#": "#>"}


def commented(lines: Sequence[str]) -> frozenset[int]:
    r"""Return the numbers of the lines that are inside of comments and docstrings.

    What is cut off in a comment ends in it. A quotation that is never closed is a docstring only
    where it opens the text: prose has its quotes too.

    Example:
        >>> sorted(commented(["/*", " Free software.", " */", "int x;"]))
        [0, 1, 2]
    """
    inside: set[int] = set()
    closing, since = "", 0
    for number, line in enumerate(lines):
        if closing:
            if closing in line:
                inside.update(range(since, number + 1))
                closing = ""
            continue
        opened = _OPENING.match(line[:200])
        if opened:
            mark = next(group for group in opened.groups() if group)
            rest = line[opened.end() :]
            closing = "=cut" if mark.startswith("=") else _CLOSING.get(mark, mark)
            since = number
            if closing in rest:
                inside.add(number)
                closing = ""
    if closing and (since == 0 or closing not in _QUOTES):
        inside.update(range(since, len(lines)))
    return frozenset(inside)
