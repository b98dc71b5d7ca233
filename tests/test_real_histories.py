"""The laws over every recorded trajectory, at eight budgets each."""

from __future__ import annotations

import copy
import statistics
from collections.abc import Iterator
from typing import Any

import laws
import pytest

from contextkit import (
    BudgetExceeded,
    FixedWindow,
    Strategy,
    TokenBudget,
    TrimResult,
    chain,
    check,
    count,
    trim,
)

pytestmark = pytest.mark.data

Messages = list[dict[str, Any]]
Trajectories = list[Messages]

SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.975)


def trims(
    histories: Trajectories, strategy: Strategy
) -> Iterator[tuple[Messages, TrimResult, int]]:
    """Trim every history to every share of its size, wherever what has to stay fits."""
    for history in histories:
        total = count(history)
        least = count(laws.least_messages(history))
        for share in SHARES:
            limit = max(1, int(total * share))
            if least <= limit:
                yield history, trim(history, max_tokens=limit, strategy=strategy), limit
            else:
                with pytest.raises(BudgetExceeded) as caught:
                    trim(history, max_tokens=limit, strategy=strategy)
                assert caught.value.needed == least


@pytest.mark.parametrize("low_water", [1.0, 0.5])
def test_no_law_is_broken(trajectories: Trajectories, low_water: float) -> None:
    trimmed = 0
    for history, result, limit in trims(trajectories, TokenBudget(low_water=low_water)):
        for law in laws.ALL_OF_A_RESULT:
            law(history, result)
        laws.fits(result, limit)
        assert result.tokens == count(result.messages)
        trimmed += result.changed
    assert trimmed > 1_500


def test_windows_break_no_law(trajectories: Trajectories) -> None:
    for strategy in (
        FixedWindow(turns=2),
        FixedWindow(messages=12),
        chain(FixedWindow(), TokenBudget()),
    ):
        for history in trajectories:
            try:
                result = trim(history, strategy=strategy, max_tokens=10**9)
            except BudgetExceeded as error:
                assert error.unit == "messages"
                continue
            for law in laws.ALL_OF_A_RESULT:
                law(history, result)


def test_histories_come_back_unharmed(trajectories: Trajectories) -> None:
    before = copy.deepcopy(trajectories)
    for _ in trims(trajectories, TokenBudget()):
        pass
    assert trajectories == before


def test_larger_budgets_keep_supersets(trajectories: Trajectories) -> None:
    kept: dict[int, set[int]] = {}
    for history, result, _ in trims(trajectories, TokenBudget()):
        assert kept.get(id(history), set()) <= set(result.kept)
        kept[id(history)] = set(result.kept)


def test_trimming_twice_is_trimming_once(trajectories: Trajectories) -> None:
    for _, result, limit in trims(trajectories, TokenBudget()):
        again = trim(result.messages, max_tokens=limit)
        assert not again.changed


def test_no_fault_is_made(trajectories: Trajectories) -> None:
    def faults(messages: Messages) -> set[tuple[int, str]]:
        return {(id(messages[p.index]), p.code) for p in check(messages) if p.index is not None}

    known = {id(history): faults(history) for history in trajectories}
    for history, result, _ in trims(trajectories, TokenBudget()):
        assert faults(result.messages) <= known[id(history)]


def test_the_budget_is_filled(trajectories: Trajectories) -> None:
    """The median fill is 0.90 where messages are small beside the budget.

    Histories of six messages are left out: whole turns of a fifth of the history cannot fill an
    arbitrary budget better (the law that nothing more would fit holds for them too).
    """
    longer = [history for history in trajectories if len(history) >= 10]
    fills = [r.tokens / limit for _, r, limit in trims(longer, TokenBudget()) if r.changed]
    assert statistics.median(fills) >= 0.90


def test_truncation_fits_where_dropping_does_not(trajectories: Trajectories) -> None:
    shortened = 0
    for history in trajectories:
        least = count(laws.least_messages(history))
        limit = int(least * 0.8)
        try:
            result = trim(history, max_tokens=limit, on_overflow="truncate")
        except BudgetExceeded:
            continue
        laws.fits(result, limit)
        shortened += 1
    assert shortened > len(trajectories) / 2


def test_known_faults_of_the_recordings_are_named(trajectories: Trajectories) -> None:
    """Many runs use an id again, which is no fault; the long sessions leave calls open."""
    codes: dict[str, int] = {}
    for history in trajectories:
        for problem in check(history):
            codes[problem.code] = codes.get(problem.code, 0) + 1
    assert codes["unanswered_tool_call"] > 0
    assert codes["empty_assistant_message"] > 0
    assert "duplicate_call_id" not in codes
