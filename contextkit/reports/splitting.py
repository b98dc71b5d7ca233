"""Divide the tokens of one text among its spans, exactly."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from contextkit.counting.counters import Counter
from contextkit.counting.counts import shares
from contextkit.counting.texts import TextCounter, token_ends
from contextkit.text import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def tokens_by_span(text: str, spans: Sequence[Span], counter: Counter) -> list[int]:
    """Return the tokens of each span; they sum to those of the text.

    A token that crosses a border goes to the span that holds the larger part of its bytes, the
    earlier one when they are equal. A tokenizer that does not tell where its tokens end counts
    each span alone, and the text's tokens are divided by these numbers.

    Args:
        text: what the spans cover.
        spans: its spans in order, without gaps.
        counter: counts the text.

    Example:
        >>> from contextkit.counting.requests import counter_for
        >>> from contextkit.text import Span
        >>> halves = [Span(0, 2, "zh-Hans", "prose"), Span(2, 7, "en", "prose")]
        >>> tokens_by_span("你好 world", halves, counter_for("gpt-4o"))
        [1, 1]
    """
    total = counter.count_text(text)
    if len(spans) == 1:
        return [total]
    found = _counted_apart(text, [span.end for span in spans[:-1]], total, counter)
    if found is None:
        return divided(total, [counter.count_text(text[s.start : s.end]) for s in spans])
    return found


def _counted_apart(
    text: str, borders: Sequence[int], total: int, counter: Counter
) -> list[int] | None:
    """The tokens between the borders, exactly; None where the tokenizer tells no ends.

    Tokens are looked at one by one only in the windows in which one may cross a border. What is
    between the windows is counted, but for the longest stretch: it has what the others lack.
    """
    tokens = [0] * (len(borders) + 1)
    stretches: list[tuple[int, int]] = []
    done = 0
    for start, end in [*_windows(text, borders), (len(text), len(text))]:
        if done < start:
            stretches.append((done, start))
        if start < end:
            first, behind = bisect_right(borders, start), bisect_left(borders, end)
            window = text[start:end]
            ends = _ends(counter, window)
            if ends is None:
                return None
            inner = [border - start for border in borders[first:behind]]
            for number, part in enumerate(_counted_between(ends, _in_bytes(window, inner)), first):
                tokens[number] += part
        done = end
    longest = max(stretches, key=lambda stretch: stretch[1] - stretch[0], default=None)
    for start, end in stretches:
        if (start, end) != longest:
            tokens[bisect_right(borders, start)] += counter.count_text(text[start:end])
    if longest:
        tokens[bisect_right(borders, longest[0])] += total - sum(tokens)
    return tokens


_LINE_START = re.compile(r"\n(?=[ \t]*[^\s/]|[ \t]+/)")
"""A line break behind which a token ends, whatever the text, in both encodings of tiktoken.

Their patterns take a run of white space up to its last line break, and signs with the line breaks
and, in o200k_base, the slashes behind them.
"""


def _windows(text: str, borders: Sequence[int]) -> list[tuple[int, int]]:
    """The lines around each border; empty ones where no token crosses it."""
    windows: list[tuple[int, int]] = []
    floor = 0
    for border in borders:
        if border < floor:
            continue
        if _LINE_START.match(text, border - 1):
            windows.append((border, border))
        else:
            start = text.rfind("\n", floor, border - 1)
            while start >= 0 and not _LINE_START.match(text, start):
                start = text.rfind("\n", floor, start)
            ending = _LINE_START.search(text, border)
            floor = ending.end() if ending else len(text)
            windows.append((max(start + 1, windows[-1][1] if windows else 0), floor))
    return windows


def divided(total: int, weights: Sequence[int]) -> list[int]:
    """Divide ``total`` by weight into whole numbers that sum to it; all to the last without any.

    Example:
        >>> divided(10, [1, 3]), divided(2, [0, 0])
        ([2, 8], [0, 2])
    """
    if not any(weights):
        return [0] * (len(weights) - 1) + [total] if weights else []
    return shares(total, weights)


def _ends(counter: Counter, text: str) -> NDArray[np.int64] | None:
    """Where each token ends, in bytes; None where the tokenizer does not tell."""
    vocabulary = getattr(counter, "text", None)
    return token_ends(vocabulary.name, text) if isinstance(vocabulary, TextCounter) else None


def _in_bytes(text: str, places: Sequence[int]) -> list[int]:
    """Places in a text as places in its UTF-8, in which a lone surrogate takes three bytes."""
    if text.isascii():
        return list(places)
    parts = (text[start:end] for start, end in pairwise([0, *places]))
    return list(accumulate(len(part.encode("utf-8", "surrogatepass")) for part in parts))


def _counted_between(ends: NDArray[np.int64], borders: Sequence[int]) -> list[int]:
    crossed = [int(place) for place in ends.searchsorted(borders)]
    reached: list[int] = []
    for place, group in groupby(zip(crossed, borders, strict=True), key=itemgetter(0)):
        if place == len(ends):
            reached += [place for _ in group]
        else:
            start, end = (int(ends[place - 1]) if place else 0), int(ends[place])
            reached += _owned(place, [start, *(border for _, border in group), end])
    return [stop - start for start, stop in pairwise([0, *reached, len(ends)])]


def _owned(place: int, parts: Sequence[int]) -> list[int]:
    """For each border inside token ``place``, the number of tokens that stand before it."""
    sizes = [stop - start for start, stop in pairwise(parts)]
    owner = sizes.index(max(sizes))
    return [place + (owner <= border) for border in range(len(sizes) - 1)]
