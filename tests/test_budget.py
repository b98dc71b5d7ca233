"""The budget and its terms."""

from __future__ import annotations

import pytest

from contextkit import OptionError, TokenBudget, chain, find_model, trim
from contextkit.budget import budget_for

HI = {"role": "user", "content": "hi"}


def test_the_window_less_what_is_reserved() -> None:
    budget = budget_for("gpt-4o", reserve_output=4_000, margin=100, frame=(("tools", 50),))
    assert budget.limit == 128_000 - 4_000 - 100
    assert budget.for_messages == budget.limit - 50
    assert sum(amount for _, amount in budget.terms) == budget.for_messages
    assert budget.terms[0] == ("window of gpt-4o", 128_000)


def test_max_tokens_overrides_the_window() -> None:
    budget = budget_for("gpt-4o", max_tokens=8_000, reserve_output=4_000)
    assert (budget.limit, budget.terms) == (8_000, (("max_tokens", 8_000),))


def test_an_input_cap_of_its_own_holds_beside_the_window() -> None:
    row = find_model("gpt-5")
    assert row.max_input is not None
    assert budget_for("gpt-5").limit == row.max_input
    large_answer = row.window - row.max_input + 5_000
    assert budget_for("gpt-5", reserve_output=large_answer).limit == row.max_input - 5_000


def test_without_model_and_limit_there_is_none() -> None:
    budget = budget_for()
    assert (budget.limit, budget.for_messages, budget.terms) == (None, None, ())


def test_nothing_left_is_an_error_with_the_sum() -> None:
    with pytest.raises(OptionError, match="8,192 - reserved 8,192 - margin 0 = 0"):
        budget_for("gpt-4", reserve_output=8_192)


def test_a_strategys_own_limit_tightens_the_calls() -> None:
    history = [{"role": "user", "content": "word " * 30} for _ in range(9)]
    own = trim(history, strategy=TokenBudget(max_tokens=100), max_tokens=1_000)
    assert own.tokens <= own.budget.limit == 100  # type: ignore[operator]
    both = chain(TokenBudget(max_tokens=200), TokenBudget(max_tokens=100))
    assert trim(history, strategy=both).messages == own.messages
    wider = trim(history, strategy=TokenBudget(max_tokens=1_000), max_tokens=100)
    assert wider.messages == own.messages


def test_the_window_of_the_model_is_the_limit_of_trim() -> None:
    result = trim([HI], model="gpt-4", reserve_output=192)
    assert result.budget.limit == 8_000
