"""The plan as the author of a strategy sees it."""

from __future__ import annotations

from typing import Any

import pytest

from contextkit import Plan, StrategyError, TokenBudget, chain, count, trim

Messages = list[dict[str, Any]]

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
HISTORY: Messages = [
    {"role": "system", "content": "rules"},
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": "first"},
    {"role": "user", "content": "two"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": "a long result " * 20},
    {"role": "assistant", "content": "second"},
    {"role": "user", "content": "three"},
]


def forget_first_turn(plan: Plan) -> Plan:
    return plan.drop(plan.turns[0], reason="small talk")


def test_a_function_is_a_strategy_and_signs_its_decisions() -> None:
    result = trim(HISTORY, strategy=forget_first_turn)
    assert result.kept == (0, 3, 4, 5, 6, 7)
    (step,) = {(s.by, s.reason) for s in result.plan.steps if s.action == "drop"}
    assert step == ("forget_first_turn", "small talk")


def test_functions_compose_with_ours() -> None:
    result = trim(HISTORY, strategy=chain(forget_first_turn, TokenBudget()), max_tokens=30)
    assert result.kept == (0, 3, 6, 7)
    by = {step.by for step in result.plan.steps if step.action == "drop"}
    assert by == {"forget_first_turn", "TokenBudget"}


def test_turns_and_units_show_what_is_there() -> None:
    seen: list[Any] = []

    def look(plan: Plan) -> Plan:
        seen.append([[(u.kind, u.start, u.stop) for u in turn] for turn in plan.turns])
        seen.append([u.tokens for u in plan.kept])
        return plan

    result = trim(HISTORY, strategy=look)
    assert seen[0] == [
        [("user", 1, 2), ("assistant", 2, 3)],
        [("user", 3, 4), ("call", 4, 6), ("assistant", 6, 7)],
        [("user", 7, 8)],
    ]
    assert sum(seen[1]) + 3 == result.tokens == count(HISTORY)


def test_a_unit_can_be_rewritten_with_the_same_roles_and_ids() -> None:
    short = {**HISTORY[5], "content": "short"}

    def shorten(plan: Plan) -> Plan:
        (unit,) = (unit for unit in plan.kept if unit.kind == "call")
        return plan.rewrite(unit, [HISTORY[4], short], reason="long")

    result = trim(HISTORY, strategy=shorten)
    assert result.messages == [*HISTORY[:5], short, *HISTORY[6:]]
    assert result.tokens == count(result.messages) < result.tokens_before
    assert HISTORY[5]["content"].startswith("a long result")
    (step,) = (step for step in result.plan.steps if step.action == "rewrite")
    assert (step.start, step.stop, step.messages_after) == (4, 6, 2)
    cut = trim(HISTORY, strategy=chain(shorten, TokenBudget()), max_tokens=42)
    assert short in cut.messages


@pytest.mark.parametrize(
    "messages",
    [
        [HISTORY[4]],
        [HISTORY[4], {**HISTORY[5], "tool_call_id": "other"}],
        [{"role": "assistant", "content": "no calls"}, HISTORY[5]],
    ],
)
def test_a_rewrite_cannot_break_the_pairing(messages: Messages) -> None:
    def break_it(plan: Plan) -> Plan:
        (unit,) = (unit for unit in plan.kept if unit.kind == "call")
        return plan.rewrite(unit, messages, reason="?")

    with pytest.raises(StrategyError, match="messages 4 to 5 was rewritten with other roles"):
        trim(HISTORY, strategy=break_it)


def test_messages_can_be_inserted_at_unit_borders() -> None:
    note = {"role": "user", "content": "Earlier: one was asked."}

    def summarise(plan: Plan) -> Plan:
        plan = plan.drop(plan.turns[0], reason="old")
        return plan.insert(3, [note], reason="what was dropped")

    result = trim(HISTORY, strategy=summarise)
    assert result.messages == [HISTORY[0], note, *HISTORY[3:]]
    assert result.tokens == count(result.messages)
    assert (
        result.tokens_before - sum(s.tokens_before - s.tokens_after for s in result.plan.steps)
        == result.tokens
    )
    tight = trim(HISTORY, strategy=chain(summarise, TokenBudget()), max_tokens=40)
    assert note in tight.messages
    assert tight.tokens == count(tight.messages)


def test_nothing_is_inserted_inside_a_unit() -> None:
    note = {"role": "user", "content": "!"}
    with pytest.raises(StrategyError, match="inside a unit"):
        trim(HISTORY, strategy=lambda plan: plan.insert(5, [note], reason="?"))


def test_an_insert_at_the_end_goes_to_the_end() -> None:
    note = {"role": "user", "content": "!"}
    result = trim(HISTORY, strategy=lambda plan: plan.insert(8, [note], reason="ask"))
    assert result.messages == [*HISTORY, note]


def test_dropping_twice_keeps_the_first_reason() -> None:
    def again(plan: Plan) -> Plan:
        return plan.cut(3, reason="later")

    result = trim(HISTORY, strategy=chain(forget_first_turn, again))
    assert {s.reason for s in result.plan.steps if s.action == "drop"} == {"small talk"}


def test_plans_are_values() -> None:
    plans: list[Plan] = []

    def keep_both(plan: Plan) -> Plan:
        plans.extend((plan, plan.drop(plan.turns[0], reason="x")))
        return plan

    assert not trim(HISTORY, strategy=keep_both).changed
    assert plans[0].tokens > plans[1].tokens
    assert len(plans[0].kept) == 7


def test_what_was_dropped_unseen_is_counted_only_when_asked_for() -> None:
    asked: list[str] = []

    def counter(message: Any) -> int:
        asked.append(str(message["content"]))
        return 1

    history = [{"role": "user", "content": str(n)} for n in range(1_000)]
    result = trim(history, max_tokens=10, counter=counter)
    assert len(result.plan.runs) == 2
    assert len(asked) <= 12
    assert result.tokens_before == 1_000
    assert len(asked) <= 1_000 + 12


def test_pins_keep_their_unit_and_its_question() -> None:
    assert trim(HISTORY, max_tokens=26).kept == (0, 3, 6, 7)
    by_index = trim(HISTORY, max_tokens=26, pin=[2])
    assert by_index.kept == (0, 1, 2, 7)
    by_function = trim(HISTORY, max_tokens=26, pin=lambda message: message.text == "first")
    assert by_function.kept == by_index.kept
    assert trim(HISTORY, max_tokens=100, pin=[-3]).kept == (0, 3, 4, 5, 6, 7)
