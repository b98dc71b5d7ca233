"""Units and turns: by adjacency, whatever the ids say."""

from __future__ import annotations

from typing import Any

from contextkit import History
from contextkit.units import Units


def calls(*ids: str) -> dict[str, Any]:
    made = [{"id": id, "type": "function", "function": {"name": "f"}} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def tool(id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": "x"}


def said(role: str) -> dict[str, Any]:
    return {"role": role, "content": "x"}


def units(*messages: dict[str, Any]) -> list[tuple[int, int, str]]:
    history = History(messages)
    found = Units(history, len)
    forwards = list(found.between(0, len(history)))
    assert forwards == list(found.backwards(0, len(history)))[::-1]
    assert all(found.holding(i) == unit for unit in forwards for i in range(unit.start, unit.stop))
    return [(unit.start, unit.stop, unit.kind) for unit in forwards]


def test_a_call_and_its_results_are_one_unit() -> None:
    assert units(said("user"), calls("a", "b"), tool("b"), tool("a"), said("assistant")) == [
        (0, 1, "user"),
        (1, 4, "call"),
        (4, 5, "assistant"),
    ]


def test_an_id_used_again_makes_two_units() -> None:
    assert units(calls("a"), tool("a"), calls("a"), tool("a")) == [(0, 2, "call"), (2, 4, "call")]


def test_a_result_with_a_foreign_id_belongs_to_the_call_before_it() -> None:
    assert units(calls("a"), tool("old"), tool("a")) == [(0, 3, "call")]


def test_results_without_a_call_are_orphans() -> None:
    assert units(tool("a"), tool("b"), said("user"), tool("c")) == [
        (0, 2, "orphan"),
        (2, 3, "user"),
        (3, 4, "orphan"),
    ]


def test_a_call_without_results_is_a_unit_of_one() -> None:
    assert units(calls("a"), said("user")) == [(0, 1, "call"), (1, 2, "user")]


def test_legacy_functions_and_developers() -> None:
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "f"}}
    result = {"role": "function", "name": "f", "content": "x"}
    assert units(said("developer"), legacy, result) == [(0, 1, "instruction"), (1, 3, "call")]


def test_turns_start_at_user_messages() -> None:
    history = History([said("system"), said("assistant"), said("user"), calls("a"), tool("a")])
    found = Units(history, len)
    assert [found.turn_head(index) for index in range(5)] == [None, None, 2, 2, 2]


def test_a_unit_is_measured_once() -> None:
    asked: list[int] = []

    def measure(unit: Any) -> int:
        asked.append(unit.start)
        return 7

    found = Units(History([said("user")]), measure)
    assert [found.holding(0).tokens, found.holding(0).tokens, asked] == [7, 7, [0]]
