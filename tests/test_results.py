"""What a result says of itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from contextkit import FixedWindow, atrim, sample_history, trim

CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "简短回答。"},
    *({"role": "user", "content": f"第{n}个问题：今天天气怎么样？"} for n in range(40)),
]


def test_the_explanation_names_every_range_and_reason() -> None:
    text = trim(CHAT, max_tokens=120).explain()
    head, *lines = text.splitlines()
    assert head.startswith("41 messages with")
    assert "of 120 tokens" in head
    (dropped,) = (line for line in lines if "drop" in line)
    assert "1–33" in dropped
    assert "→ 0" in dropped
    assert "TokenBudget" in dropped
    assert "stays: system" in text
    assert "stays: newest" in text
    assert "priming" in text


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_no_line_is_wider_than_asked_for(width: int) -> None:
    from rich.cells import cell_len

    for line in trim(CHAT, max_tokens=300).explain(width=width).splitlines()[1:]:
        assert cell_len(line) <= width


def test_markup_in_messages_is_text() -> None:
    history = [{"role": "user", "content": "[bold]not bold[/bold] [/x]"}]
    assert "[bold]" in trim(history, max_tokens=50).explain()


def test_to_dict_is_json_and_adds_up() -> None:
    plain = json.loads(json.dumps(trim(sample_history(), max_tokens=1_500).to_dict()))
    assert plain["tokens"] <= plain["limit"] == 1_500
    assert plain["terms"] == {"max_tokens": 1_500, "priming": -3}
    assert sorted(plain["kept"] + plain["dropped"]) == list(range(43))
    assert sum(step["tokens_after"] for step in plain["steps"]) + 3 == plain["tokens"]
    assert len(plain["messages"]) == len(plain["kept"])


def test_atrim_does_what_trim_does() -> None:
    same = asyncio.run(atrim(CHAT, max_tokens=120, strategy=FixedWindow(turns=3)))
    assert same.messages == trim(CHAT, max_tokens=120, strategy=FixedWindow(turns=3)).messages


def test_strategies_print_and_compare() -> None:
    assert repr(FixedWindow()) == "FixedWindow(turns=10, messages=None)"
    assert FixedWindow(messages=5) == FixedWindow(messages=5) != FixedWindow(turns=5)
    assert FixedWindow(messages=5).turns is None
