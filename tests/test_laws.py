"""The laws of trimming over drawn histories: one law a test."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import laws
import pytest
from drawn import agent_loops, any_history, faulty_histories, histories, shares
from hypothesis import assume, given
from hypothesis import strategies as st

from contextkit import (
    BudgetExceeded,
    FixedWindow,
    Strategy,
    TokenBudget,
    TrimResult,
    TruncateToolResults,
    chain,
    check,
    count,
    trim,
)

Messages = list[dict[str, Any]]

every_strategy = st.sampled_from(
    [
        TokenBudget(),
        TokenBudget(low_water=0.5),
        FixedWindow(turns=2),
        FixedWindow(messages=6),
        chain(FixedWindow(turns=3), TokenBudget()),
        chain(TokenBudget(), FixedWindow(turns=1), TokenBudget(low_water=0.7)),
    ]
)


def trimmed(history: Messages, share: float, strategy: Strategy | None = None) -> TrimResult:
    """Trim to a share of the history's size; examples that cannot fit are not what is tested."""
    try:
        return trim(history, max_tokens=max(1, int(count(history) * share)), strategy=strategy)
    except BudgetExceeded:
        assume(False)
        raise


@given(any_history, shares, every_strategy)
def test_the_callers_messages_are_never_changed(
    history: Messages, share: float, strategy: Strategy
) -> None:
    before = copy.deepcopy(history)
    trimmed(history, share, strategy)
    assert history == before


@pytest.mark.parametrize("law", laws.ALL_OF_A_RESULT, ids=lambda law: law.__name__)
@given(any_history, shares, every_strategy)
def test_law_of_a_result(
    law: Callable[[Messages, TrimResult], None],
    history: Messages,
    share: float,
    strategy: Strategy,
) -> None:
    law(history, trimmed(history, share, strategy))


@given(any_history, shares, every_strategy)
def test_tokens_before_less_removed_is_tokens_after(
    history: Messages, share: float, strategy: Strategy
) -> None:
    laws.the_sums_are_right(trimmed(history, share, strategy))


@given(any_history, shares, every_strategy)
def test_tokens_of_the_result_are_what_count_says(
    history: Messages, share: float, strategy: Strategy
) -> None:
    result = trimmed(history, share, strategy)
    assert result.tokens == count(result.messages)


@given(any_history, shares, st.sampled_from([1.0, 0.6]))
def test_the_budget_holds_or_the_error_names_every_term(
    history: Messages, share: float, low_water: float
) -> None:
    limit = max(1, int(count(history) * share))
    least = count(laws.least_messages(history))
    try:
        result = trim(history, max_tokens=limit, strategy=TokenBudget(low_water=low_water))
    except BudgetExceeded as error:
        assert least > limit
        assert (error.needed, error.limit) == (least, limit)
        assert sum(amount for _, amount in error.terms) == error.needed
    else:
        assert least <= limit
        laws.fits(result, limit)


@given(any_history, st.sampled_from([1.0, 0.5]))
def test_when_all_fits_the_output_is_the_input(history: Messages, low_water: float) -> None:
    result = trim(history, max_tokens=count(history), strategy=TokenBudget(low_water=low_water))
    assert [id(m) for m in result.messages] == [id(m) for m in history]
    assert not result.changed


@given(any_history, shares, every_strategy)
def test_trimming_twice_is_trimming_once(
    history: Messages, share: float, strategy: Strategy
) -> None:
    once = trimmed(history, share, strategy)
    limit = max(1, int(count(history) * share))
    assert trim(once.messages, max_tokens=limit, strategy=strategy).messages == once.messages


@given(any_history, shares, shares)
def test_a_larger_budget_keeps_a_superset(history: Messages, one: float, other: float) -> None:
    smaller, larger = sorted((one, other))
    assert set(trimmed(history, smaller).kept) <= set(trimmed(history, larger).kept)


@given(any_history, shares)
def test_nothing_more_would_fit(history: Messages, share: float) -> None:
    """The newest unit that was dropped, with the user message of its turn, is over the budget."""
    result = trimmed(history, share)
    drops = [step for step in result.plan.steps if step.action == "drop"]
    assume(drops)
    newest = range(drops[-1].start, drops[-1].stop)
    users = [i for i, m in enumerate(history[: newest.start + 1]) if m["role"] == "user"]
    wanted = sorted({*result.kept, *newest, *users[-1:]})
    limit = result.budget.limit
    assert limit is not None
    assert count([history[i] for i in wanted]) > limit


@given(agent_loops(), shares)
def test_a_long_agent_turn_keeps_its_task_and_its_newest_rounds(
    history: Messages, share: float
) -> None:
    kept = trimmed(history, share).kept
    task = next(i for i, m in enumerate(history) if m["role"] == "user")
    rounds = [i for i in kept if i > task]
    assert task in kept
    assert rounds == list(range(rounds[0], len(history)))


@given(any_history, st.data(), shares)
def test_pinned_messages_stay(history: Messages, data: st.DataObject, share: float) -> None:
    pins = data.draw(st.lists(st.integers(0, len(history) - 1), max_size=3))
    try:
        result = trim(history, max_tokens=max(1, int(count(history) * share)), pin=pins)
    except BudgetExceeded:
        assume(False)
        raise
    assert set(pins) <= set(result.kept)
    laws.groups_are_whole(history, result)
    laws.never_opens_with_an_answer(history, result)


@given(histories(rounds=1), shares)
def test_without_pins_no_two_user_messages_meet_that_did_not_before(
    history: Messages, share: float
) -> None:
    kept = [
        i for i in trimmed(history, share).kept if history[i]["role"] not in ("system", "developer")
    ]
    for left, right in itertools.pairwise(kept):
        if history[left]["role"] == history[right]["role"] == "user":
            assert all(
                history[i]["role"] in ("system", "developer") for i in range(left + 1, right)
            )


@given(faulty_histories(), shares, every_strategy)
def test_a_faulty_history_gets_no_new_fault(
    history: Messages, share: float, strategy: Strategy
) -> None:
    def faults(messages: Messages) -> set[tuple[int, str | None]]:
        return {
            (id(messages[p.index]), p.id)
            for p in check(messages)
            if p.index is not None and p.severity == "rejected"
        }

    result = trimmed(history, share, strategy)
    assert faults(result.messages) <= faults(history)


@given(any_history, st.floats(0.05, 0.9))
def test_truncation_fits_every_budget_above_what_is_never_shortened(
    history: Messages, share: float
) -> None:
    before = copy.deepcopy(history)
    limit = max(1, int(count(history) * share))
    try:
        result = trim(history, max_tokens=limit, on_overflow="truncate")
    except BudgetExceeded as error:
        assert error.needed > limit
    else:
        laws.fits(result, limit)
        assert result.tokens == count(result.messages)
        assert _outline(result.messages) == _outline([history[i] for i in _still_there(result)])
    assert history == before


def _still_there(result: TrimResult) -> list[int]:
    live = (step for step in result.plan.steps if step.action != "drop")
    return [index for step in live for index in range(step.start, step.stop)]


def _outline(messages: Messages) -> list[tuple[Any, ...]]:
    return [(m["role"], m.get("tool_call_id"), m.get("tool_calls")) for m in messages]


@given(st.lists(any_history, min_size=2, max_size=4), st.floats(0.2, 0.9), st.floats(0.2, 0.9))
def test_the_low_water_cut_moves_only_when_it_must(
    pieces: list[Messages], share: float, low_water: float
) -> None:
    """Append unit by unit: while what was sent and the new unit fit, the result only grows.

    Where only what has to stay was left there was no cut to hold on to: a user message without any
    answer stays while it is the newest, and goes when the next one comes.
    """
    history = [message for piece in pieces for message in piece]
    limit = max(1, int(count(history) * share))
    sent: Messages | None = None
    for start, stop in laws.units(history):
        try:
            result = trim(
                history[:stop], max_tokens=limit, strategy=TokenBudget(low_water=low_water)
            )
        except BudgetExceeded:
            sent = None
            continue
        grown = [*(sent or ()), *history[start:stop]]
        cut = sent is not None and len(sent) > len(laws.least_messages(history[:start]))
        if cut and count(grown) <= limit:
            assert laws.positions(history, result.messages) == laws.positions(history, grown)
        sent = result.messages


@given(faulty_histories())
def test_parts_sum_to_the_count(history: Messages) -> None:
    total = count(history)
    assert sum(part.tokens for part in total.parts) == total
    assert [part.index for part in total.parts if part.index is not None] == list(
        range(len(history))
    )


@given(any_history)
def test_appending_a_message_raises_the_count(history: Messages) -> None:
    counts = [count(history[: size + 1]) for size in range(len(history))]
    assert all(smaller < larger for smaller, larger in itertools.pairwise(counts))


@given(any_history, st.sampled_from([40, 200]))
def test_shortened_results_keep_ids_and_obey_their_cap(history: Messages, cap: int) -> None:
    result = trim(history, strategy=TruncateToolResults(max_tokens=cap))
    assert _outline(result.messages) == _outline(history)
