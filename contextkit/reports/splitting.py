"""Divide the tokens of one text among its spans, exactly."""

from __future__ import annotations

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
    ends = _ends(counter, text)
    if ends is None:
        return divided(total, [counter.count_text(text[s.start : s.end]) for s in spans])
    return _counted_between(ends, _byte_borders(text, spans))


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


def _byte_borders(text: str, spans: Sequence[Span]) -> list[int]:
    """Where each span but the last ends, in bytes."""
    if text.isascii():
        return [span.end for span in spans[:-1]]
    lengths = (len(text[span.start : span.end].encode("utf-8", "replace")) for span in spans[:-1])
    return list(accumulate(lengths))


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
