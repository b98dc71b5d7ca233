"""Shortened texts: size, head, tail, mark."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from contextkit.counting.vocabularies import text_counter
from contextkit.shortening import shortened

MARK = re.compile(r"\n\[… (?:已删去 )?([\d,]+) (?:个字符|characters removed) …\]\n")

texts = st.text(min_size=1, max_size=600) | st.sampled_from(
    ["订单已经发出。" * 60, "word " * 300, "👩‍👩‍👧" * 100, "x" * 5_000]
)


@given(texts, st.integers(0, 300))
def test_it_fits_or_there_is_none(text: str, limit: int) -> None:
    count = text_counter("o200k_base")
    short = shortened(text, limit, count)
    if short is not None:
        assert count(short) <= limit
    else:
        assert limit < 40


@given(texts, st.integers(40, 300))
def test_head_and_tail_stay_and_the_mark_counts_what_is_gone(text: str, limit: int) -> None:
    short = shortened(text, limit, len)
    assert short is not None
    if short == text:
        return
    mark = list(MARK.finditer(short))[-1]
    head, tail = short[: mark.start()], short[mark.end() :]
    assert text.startswith(head)
    assert text.endswith(tail)
    assert int(mark.group(1).replace(",", "")) == len(text) - len(head) - len(tail) > 0
    assert 0 <= len(head) - len(tail) <= 1


def test_most_of_the_room_is_used() -> None:
    count = text_counter("o200k_base")
    short = shortened("The parcel left the depot. " * 500, 200, count)
    assert short is not None
    assert 190 <= count(short) <= 200


def test_work_grows_with_the_limit_not_with_the_text() -> None:
    looked_at: list[int] = []

    def size(text: str) -> int:
        looked_at.append(len(text))
        return len(text) // 4

    shortened("a" * 10_000_000, 100, size)
    assert sum(looked_at[1:]) < 30_000


def test_a_chinese_text_is_marked_in_chinese() -> None:
    assert "已删去" in (shortened("请查一下这个订单。" * 50, 60, len) or "")
    assert "removed" in (shortened("Please look it up. " * 50, 60, len) or "")
