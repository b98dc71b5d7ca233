"""Bugs that users reported of other trimmers, as what contextkit does instead."""

from __future__ import annotations

import copy
import gc
import itertools
import re
import time
import tracemalloc
from collections.abc import Mapping
from typing import Any

import pytest

from contextkit import (
    BudgetExceeded,
    FixedWindow,
    TokenBudget,
    TruncateToolResults,
    chain,
    check,
    count,
    count_text,
    trim,
)
from contextkit.counting.openai_chat import FRAMINGS, OpenAIChatCounter
from contextkit.counting.texts import TextCounter, tiktoken_counter

Messages = list[dict[str, Any]]


def characters(message: Mapping[str, Any]) -> int:
    """A counter that makes the arithmetic of a test plain."""
    return len(message["content"] or "")


def calls(*ids: str, name: str = "read_shelf") -> dict[str, Any]:
    function = {"name": name, "arguments": "{}"}
    made = [{"id": id, "type": "function", "function": function} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def user(content: str) -> dict[str, Any]:
    return {"role": "user", "content": content}


def answer(content: str) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def system(content: str) -> dict[str, Any]:
    return {"role": "system", "content": content}


# A cheap call with expensive results


def test_a_call_is_not_kept_without_its_results() -> None:
    history = [
        system("s" * 20),
        user("u" * 300),
        calls("a", "b"),
        result("a", "r" * 50),
        result("b", "r" * 50),
        user("thanks, once more?"),
    ]
    assert trim(history, max_tokens=110, counter=characters).kept == (0, 5)


# Parallel results


def test_all_results_of_a_parallel_call_belong_to_it() -> None:
    history = [
        user("go"),
        calls("a", "b", "c"),
        result("c", "1"),
        result("a", "2"),
        result("b", "3"),
    ]
    unchanged = trim(history, max_tokens=5, counter=lambda message: 1)
    assert not unchanged.changed
    assert check(history) == []


def test_a_foreign_result_in_a_group_is_named_and_the_others_are_not() -> None:
    history = [
        user("go"),
        calls("new"),
        result("old", "stale"),
        result("new", "fresh"),
        answer("ok"),
    ]
    (problem,) = check(history)
    assert (problem.code, problem.index, problem.id) == ("orphan_tool_result", 2, "old")


# Windows counted in messages


def test_a_message_window_never_opens_with_a_tool_result() -> None:
    turn = [user("q"), calls("a"), result("a", "ok"), answer("done")]
    history = [system("rules"), *turn, *turn, *turn]
    window = trim(history, strategy=FixedWindow(messages=4))
    assert window.kept == (0, 9, 12)


def test_a_message_window_keeps_the_system_prompt_and_counts_it() -> None:
    history = [system("rhyme"), *(m for n in range(6) for m in (user(f"u{n}"), answer(f"a{n}")))]
    window = trim(history, strategy=FixedWindow(messages=4))
    assert window.messages[0] is history[0]
    assert window.messages[-1] is history[-1]
    assert len(window.messages) <= 4


def test_a_cut_inside_a_turn_keeps_the_task() -> None:
    history = [
        system("sys"),
        user("old"),
        answer("old"),
        user("do it"),
        calls("f"),
        result("f", "ok"),
        calls("g"),
        result("g", "ok"),
        answer("finished"),
    ]
    assert trim(history, strategy=FixedWindow(messages=6)).kept == (0, 3, 6, 7, 8)


# Arithmetic of the budget


def test_the_system_message_is_taken_off_the_budget_once_and_the_limit_is_inclusive() -> None:
    history = [system("s" * 200)]
    history += [user("u" * 50), answer("a" * 50)] * 4
    kept = trim(history[:-1], max_tokens=450, counter=characters)
    assert kept.kept == (0, 3, 4, 5, 6, 7)
    assert kept.tokens == 450


def test_one_message_over_the_budget_is_an_error_that_names_both_numbers() -> None:
    with pytest.raises(BudgetExceeded, match=r"1,000.*300") as caught:
        trim([user("x" * 1_000)], max_tokens=300, counter=characters)
    assert (caught.value.needed, caught.value.limit) == (1_000, 300)


def test_truncation_makes_one_message_fit_and_marks_it() -> None:
    shortened = trim(
        [user("x" * 1_000)], max_tokens=300, counter=characters, on_overflow="truncate"
    )
    (message,) = shortened.messages
    assert len(message["content"]) <= 300
    assert "characters removed" in message["content"]


def test_truncation_leaves_the_callers_messages_and_shares_nothing_nested() -> None:
    history: Messages = [
        {"role": "user", "content": [{"type": "text", "text": "note " * 100}], "tags": ["a", ["b"]]}
    ]
    before = copy.deepcopy(history)
    (sent,) = trim(history, max_tokens=60, on_overflow="truncate").messages
    sent["content"][0]["text"] = "changed"
    sent["tags"][1].append("changed")
    assert history == before


# Bookkeeping


def test_the_number_of_omitted_messages_is_right() -> None:
    history = [
        user("m0"),
        calls("y"),
        result("y", "ok"),
        answer("m3"),
        calls("z"),
        result("z", "m5"),
    ]
    kept = trim(history, strategy=FixedWindow(messages=3))
    assert len(kept.dropped) == len(history) - len(kept.messages)
    assert f"became {len(kept.messages)} messages" in kept.headline()


def test_nothing_to_do_changes_nothing_and_says_so() -> None:
    history = [user("who am I?"), calls("u"), result("u", "Mara"), answer("Mara."), user("thanks")]
    same = trim(history, strategy=chain(FixedWindow(turns=99), TokenBudget()), max_tokens=10_000)
    assert [id(m) for m in same.messages] == [id(m) for m in history]
    assert not same.changed
    assert same.headline().startswith("Nothing was removed")


# Shortened results


@pytest.mark.parametrize("lines", [50, 400, 4_000])
def test_a_shortened_result_keeps_head_tail_and_id_and_counts_what_it_lost(lines: int) -> None:
    log = "start of log\n" + "a line of no interest\n" * lines + "session=ses_91\nexit=0"
    history = [user("run"), calls("j"), result("j", log)]
    short = trim(history, strategy=TruncateToolResults(max_tokens=600), counter=characters)
    text = short.messages[2]["content"]
    assert len(text) <= 600
    assert text.startswith("start of log")
    assert text.endswith("session=ses_91\nexit=0")
    assert short.messages[2]["tool_call_id"] == "j"
    (removed,) = re.findall(r"\[… ([\d,]+) characters removed …\]", text)
    mark = re.search(r"\n\[….*…\]\n", text)
    assert mark is not None
    assert int(removed.replace(",", "")) == len(log) - (len(text) - len(mark.group()))


# Neighbours


def test_trimming_makes_no_two_user_messages_meet() -> None:
    history = [system("s"), *(m for n in range(8) for m in (user("q" * 30), answer("a" * 30)))]
    for limit in range(40, 500, 7):
        try:
            sent = trim([*history, user("last")], max_tokens=limit, counter=characters).messages
        except BudgetExceeded:
            continue
        roles = [message["role"] for message in sent]
        assert all(pair != ("user", "user") for pair in itertools.pairwise(roles))


# Counting


def test_texts_in_chinese_japanese_and_korean_are_counted_exactly() -> None:
    """Numbers of tiktoken 0.14 on OpenAI's own files."""
    texts = (
        "请帮我查询订单的物流状态，谢谢。",
        "注文番号の配送状況を確認してください。",
        "주문 번호의 배송 상태를 확인해 주세요.",
    )
    assert [count_text(text, model="gpt-4o") for text in texts] == [10, 10, 11]
    assert [count_text(text, model="gpt-4") for text in texts] == [16, 19, 16]


def test_every_message_raises_the_count_even_an_empty_one() -> None:
    history = [
        system("s"),
        user("hi"),
        {
            "role": "user",
            "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
        },
        calls("a", "b"),
        result("a", "done"),
        result("b", ""),
        answer(""),
        {"role": "assistant", "content": None},
    ]
    counts = [count(history[: size + 1]) for size in range(len(history))]
    assert counts == sorted(set(counts))


def test_a_text_in_two_parts_counts_no_less_than_in_one() -> None:
    parts = [{"type": "text", "text": "part one"}, {"type": "text", "text": "part two"}]
    assert count([{"role": "user", "content": parts}]) >= count([user("part onepart two")])


# Cost of counting


class Clerk:
    """A counter that records how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, message: Mapping[str, Any]) -> int:
        self.asked += 1
        return len(message["content"])


def long_chat(messages: int) -> Messages:
    return [(user, answer)[n % 2](f"{n:05d} " + "word " * 39) for n in range(messages - 1)] + [
        user("?")
    ]


def test_a_trim_counts_only_what_it_keeps() -> None:
    clerk = Clerk()
    kept = trim(long_chat(2_000), max_tokens=40_000, counter=clerk)
    assert clerk.asked <= len(kept.messages) + 3


def test_a_second_trim_counts_only_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []

    def measure(text: str) -> int:
        encoded.append(text)
        return len(text)

    spy = OpenAIChatCounter(TextCounter("spy", measure), FRAMINGS["chat"])
    history = long_chat(400)
    trim(history, max_tokens=20_000, counter=spy)
    assert len(encoded) > 50
    encoded.clear()
    trim([*history, answer("fine"), user("and now?")], max_tokens=20_000, counter=spy)
    assert len(encoded) <= 10


def test_time_grows_no_faster_than_the_history() -> None:
    def seconds(messages: int) -> float:
        history = long_chat(messages)
        runs = []
        for _ in range(5):
            start = time.perf_counter()
            trim(history, max_tokens=messages * 20, counter=characters)
            runs.append(time.perf_counter() - start)
        return min(runs)

    assert seconds(4_000) <= 3 * seconds(2_000)


def test_counting_long_texts_keeps_none_of_them() -> None:
    counter = tiktoken_counter("o200k_base")
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(1_000):
            counter(f"{number} " * 3_000)
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 1_000_000
    assert counter("7 " * 3_000) == counter("7 " * 3_000) == 6_000


def test_the_memory_of_counts_is_bounded_and_forgets_the_oldest() -> None:
    asked: list[str] = []

    def measure(text: str) -> int:
        asked.append(text)
        return int(text)

    counter = TextCounter("numbers", measure, size=100)
    for number in range(1_000):
        assert counter(str(number)) == number
        counter("0")
    assert len(counter) <= 200
    assert asked.count("0") == 1, "what is asked for again stays"
    asked.clear()
    assert (counter("999"), counter("1")) == (999, 1)
    assert asked == ["1"]
