"""Comments and documentation that run over several lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

COMMENT_OPENING = re.compile(
    r"""\s*(?:[rbuf]?(\"{3}|'{3})|(/\*)|(\{-)|(<#)|(=(?:pod|head\d|begin|over)\b))"""
)
_QUOTES = ('"' * 3, "'" * 3)
_CLOSING = {"/*": "*/", "{-": "-}", "<#": "#>"}


def commented(lines: Sequence[str], opening: Iterable[int]) -> frozenset[int]:
    r"""Return the numbers of the lines that are inside of comments and docstrings.

    What is cut off in a comment ends in it. A quotation that is never closed is a docstring only
    where it opens the text: prose has its quotes too.

    Args:
        lines: the lines of a text.
        opening: the numbers of those that begin as a comment does, in order.

    Example:
        >>> sorted(commented(["/*", " Free software.", " */", "int x;"], [0]))
        [0, 1, 2]
    """
    inside: set[int] = set()
    behind = 0
    for since in opening:
        if since < behind:
            continue
        opened = COMMENT_OPENING.match(lines[since][:200])
        if opened:
            mark = next(group for group in opened.groups() if group)
            behind = _line_behind(lines, since, lines[since][opened.end() :], mark)
            inside.update(range(since, behind))
    return frozenset(inside)


def _line_behind(lines: Sequence[str], since: int, rest: str, mark: str) -> int:
    """The number of the line behind the comment that ``mark`` opens in line ``since``."""
    closing = "=cut" if mark.startswith("=") else _CLOSING.get(mark, mark)
    if closing in rest:
        return since + 1
    for number in range(since + 1, len(lines)):
        if closing in lines[number]:
            return number + 1
    return len(lines) if since == 0 or closing not in _QUOTES else since
