"""Spans: they cover a text exactly once, whatever it is, and quickly."""

from __future__ import annotations

import random
import string
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from drawn import texts
from hypothesis import given
from hypothesis import strategies as st
from snippets import SNIPPETS

from contextkit.text import Span, spans

_PIECES = st.sampled_from(
    [
        "```python\nx = 1\n```\n", "```\n", "```", "~~~\n\n~~~\n", "\ud83d", "\x00\x1b[0m", "\r\n",
        "你好。", "Where is it? ", '{"a": [1, 2]}', "{", "[[", "$$", "\\begin{a}", "| a | b |\n",
        "a,b\n", "--- a\n+++ b\n@@ -1 +1 @@\n", "Traceback (most recent call last):\n", "/*\n",
        '"""\n', "https://example.com/a/very/long/address ", "A1b2" * 20, "\n", "  ", "# x\n",
    ]
)  # fmt: skip
any_text = (
    texts | st.text(st.characters(), max_size=200) | st.lists(_PIECES, max_size=20).map("".join)
)


@given(any_text, st.sampled_from([None, "tool call"]))
def test_spans_cover_a_text_exactly_once(text: str, content: str | None) -> None:
    found = spans(text, content=content)
    assert "".join(text[span.start : span.end] for span in found) == text
    assert all(span.start < span.end for span in found)
    assert all(one.end == other.start for one, other in pairwise(found))


@given(any_text)
def test_neighbours_differ(text: str) -> None:
    kinds = [(span.language, span.content, span.code) for span in spans(text)]
    assert all(one != other for one, other in pairwise(kinds))


def test_nothing_has_no_spans() -> None:
    assert spans("") == []
    assert spans("", content="tool call") == []


def test_a_given_content_type_is_that_of_the_whole() -> None:
    found = spans('{"city": "上海"}', content="tool call")
    assert {span.content for span in found} == {"tool call"}


def outline(text: str) -> list[tuple[str, str]]:
    return [(span.content, span.language) for span in spans(text)]


def test_a_question_with_code_and_a_trace_is_three() -> None:
    text = (
        "我在运行下面的脚本时遇到了错误，能帮我看看吗？\n\n"
        "```python\nprint(load('a.json'))\n```\n"
        'Traceback (most recent call last):\n  File "a.py", line 7, in load\n'
        "    return json.load(f)\nValueError: the file is empty and cannot be read\n"
    )
    assert outline(text) == [("prose", "zh-Hans"), ("code", "zxx"), ("stack trace", "en")]


def test_what_stands_inside_of_a_sentence() -> None:
    text = (
        "It says here https://example.com/guide/install that the answer is "
        '{"status": "error", "code": 17} and nothing else.'
    )
    kinds = [content for content, _ in outline(text)]
    assert kinds == ["prose", "url", "prose", "json", "prose"]


def test_a_sentence_in_another_language_is_a_span_and_a_word_is_not() -> None:
    assert outline("Please translate this sentence: 我的包裹现在在哪里？") == [
        ("prose", "en"),
        ("prose", "zh-Hans"),
    ]
    assert outline("请把 parcel 改成 package，再发给我。") == [("prose", "zh-Hans")]


def test_comments_in_another_script_give_code_a_language() -> None:
    text = "```python\n# 读取所有订单并按客户统计总金额\nx = 1  # 第一位客户的编号\n```"
    assert spans(text) == [Span(0, len(text), "zh-Hans", "code", "python")]


def test_a_foreign_sentence_is_a_span_in_a_long_text_too() -> None:
    pytest.importorskip("py3langid")
    french = "Où est mon colis, s'il vous plaît ? Je l'attends depuis lundi matin. "
    english = "Where is my parcel? I have been waiting for it for a whole week now. "
    assert outline(french * 8 + english) == [("prose", "fr"), ("prose", "en")]
    assert outline(english * 8 + french + english) == [
        ("prose", "en"),
        ("prose", "fr"),
        ("prose", "en"),
    ]


def test_code_without_a_fence_is_told_apart() -> None:
    text = (
        "Why does this function return nothing at all?\n\n"
        "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n"
        "\n"
        "I expected it to return the sum of all the prices."
    )
    assert [content for content, _ in outline(text)] == ["prose", "code", "prose"]


@pytest.mark.parametrize(
    "unit",
    [
        ".", "[", "[1,\n", '{"', '{"a": [', "a", "a ", "`", "```\n", "()", "$$\n", "\\(a ", "|\n",
        "Error: x\n", "http://a ", "A1b", "-\n", "<a ", "我的", "a: b\n", "# a\n", "/* a\n",
        '"""a\n', "a@", "a-", "(a)", "x.y(", "\\begin{a}\n", "--- \n", "a,b\n", "\n", " ", "\u0301",
    ],
)  # fmt: skip
def test_adversarial_texts_take_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        spans(text)
        return time.process_time() - start

    seconds(100)
    small, large = seconds(50_000), seconds(400_000)
    assert large < 16 * small + 0.3


def _word(chance: random.Random, letters: int = 6) -> str:
    return "".join(chance.choices(string.ascii_lowercase, k=letters))


_ENGLISH = ("the parcel", "left", "our house", "on Monday", "and should reach", "you", "in days")
_FRENCH = (
    "le colis",
    "est parti",
    "de chez nous",
    "lundi",
    "et devrait",
    "vous",
    "dans trois jours",
)
_LINES: dict[str, tuple[float, Callable[[random.Random], str]]] = {
    "snippets": (1.0, lambda chance: f"{chance.choice(SNIPPETS)[2]}\n{_word(chance)}"),
    "English": (1.0, lambda chance: " ".join(chance.choices(_ENGLISH, k=6)) + "."),
    "French": (1.5, lambda chance: " ".join(chance.choices(_FRENCH, k=6)) + "."),
    "Chinese": (
        1.0,
        lambda chance: "".join(chance.choices("我的包裹在哪里请帮查一下", k=14)) + "。",
    ),
    "code": (1.0, lambda chance: f"    {_word(chance)} = {_word(chance)}({chance.random()})"),
    "rows": (1.0, lambda chance: f"{_word(chance, 1)},{chance.randrange(99)}"),
    "numbers": (1.0, lambda chance: str(chance.randrange(9999))),
    "settings": (1.0, lambda chance: f"{_word(chance, 2)} = {chance.randrange(99)}"),
    "words of three letters": (5.0, lambda chance: _word(chance, 3)),
}
"""Milliseconds that a message of 1 kB takes at the most, and what makes a line of it."""


@pytest.mark.parametrize("kind", _LINES)
def test_a_message_of_a_kilobyte_takes_a_millisecond(kind: str) -> None:
    most, line = _LINES[kind]
    chance = random.Random(kind)

    def message() -> str:
        lines = [line(chance)]
        while sum(len(line.encode()) + 1 for line in lines) < 1_000:
            lines.append(line(chance))
        return "\n".join(lines)

    def milliseconds() -> float:
        texts = [message() for _ in range(10)]
        size = sum(len(text.encode()) for text in texts)
        start = time.process_time()
        for text in texts:
            spans(text)
        return (time.process_time() - start) * 1e6 / size

    milliseconds()
    assert min(milliseconds() for _ in range(5)) < most
