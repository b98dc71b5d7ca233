"""Shorten a text to a size: its head and its tail stay, a mark between them says what is gone."""

from __future__ import annotations

from collections.abc import Callable

from contextkit.languages import is_chinese

Size = Callable[[str], int]

_SAMPLE = 400
"""Characters of a text that decide the language of its mark."""


def shortened(text: str, limit: int, size: Size) -> str | None:
    """Return ``text`` cut in the middle so that ``size`` of it is at most ``limit``.

    Head and tail are about equally long: the end of a log holds its result, the end of a tool's
    answer often the id that the next call needs. The cut falls between characters (code points)
    and the number in the mark is the number of characters removed.

    Args:
        text: the whole text.
        limit: most size of what is returned, mark included.
        size: measures a text; more text must not measure much less.

    Returns:
        ``text`` itself when it fits, None when not even the mark does.

    Example:
        >>> print(shortened("alpha " * 100 + "omega", 60, len))
        alpha alpha alp
        [… 575 characters removed …]
        pha alpha omega
    """
    if size(text) <= limit:
        return text
    kept = _most_kept(text, limit, size)
    while kept >= 0:
        candidate = _cut(text, kept)
        excess = size(candidate) - limit
        if excess <= 0:
            return candidate
        kept = min(kept - 1, kept - excess // 2) if kept else -1
    return None


def _most_kept(text: str, limit: int, size: Size) -> int:
    """Find the most characters that fit, looking at little more text than fits."""
    low, high = 0, min(len(text) - 1, max(16, limit))
    while high < len(text) - 1 and size(_cut(text, high)) <= limit:
        low, high = high, min(len(text) - 1, high * 2)
    while low < high:
        middle = (low + high + 1) // 2
        if size(_cut(text, middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def _cut(text: str, kept: int) -> str:
    """Keep ``kept`` characters; at least one goes."""
    tail = kept // 2
    head = kept - tail
    removed = len(text) - kept
    return text[:head] + _mark(text, removed) + (text[-tail:] if tail else "")


def _mark(text: str, removed: int) -> str:
    if is_chinese([text[:_SAMPLE]]):
        return f"\n[… 已删去 {removed:,} 个字符 …]\n"
    return f"\n[… {removed:,} characters removed …]\n"
