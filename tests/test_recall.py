"""RecallRelevant: what it brings back, for how much, and that every law holds with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import laws
import pytest
from drawn import any_history, faulty_histories, shares
from hypothesis import assume, given
from hypothesis import strategies as st

from contextkit import (
    BudgetExceeded,
    FixedWindow,
    OptionError,
    Plan,
    RecallRelevant,
    Strategy,
    SummaryCompression,
    TokenBudget,
    TrimResult,
    TruncateToolResults,
    chain,
    check,
    count,
    trim,
)
from contextkit.strategies.bm25 import indexed
from contextkit.strategies.summary import Placement

Messages = list[dict[str, Any]]

JARS = ("plums", "quinces", "rhubarb", "currants", "gherkins", "walnuts", "ginger", "lemons")


def said(user: str, assistant: str) -> Messages:
    return [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]


def pantry(question: str = "Where did we put the quinces?") -> Messages:
    turns = [
        said(f"We bought {jar} today.", f"They go on shelf {n}.") for n, jar in enumerate(JARS)
    ]
    return [*(m for turn in turns for m in turn), {"role": "user", "content": question}]


def looked_up(city: str, found: str) -> Messages:
    call = {
        "id": f"call_{city}",
        "type": "function",
        "function": {"name": "weather", "arguments": f'{{"city": "{city}"}}'},
    }
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call_{city}", "content": found},
    ]


def recalled(result: TrimResult) -> list[int]:
    return sorted(result.plan.recalled)


windowed = chain(FixedWindow(turns=1), RecallRelevant(max_tokens=30))


def test_a_dropped_turn_comes_back_whole_and_in_its_place() -> None:
    history = pantry()
    result = trim(history, strategy=windowed)
    assert result.messages == [history[2], history[3], history[-1]]
    assert [m is history[i] for m, i in zip(result.messages, result.kept, strict=True)] == [
        True
    ] * 3
    assert recalled(result) == [2, 3]


def test_a_query_takes_the_place_of_the_newest_message() -> None:
    recall = RecallRelevant(max_tokens=30, query="walnut")
    result = trim(pantry(), strategy=chain(FixedWindow(turns=1), recall))
    assert result.kept == (10, 11, 16)


@pytest.mark.parametrize(
    ("history", "kept"),
    [
        ([*said("我的猫叫团子。", "记住了。"), *said("今天天气很好。", "是的。"),
          {"role": "user", "content": "团子几岁了？"}], (0, 1, 4)),
        ([*said("東京の会議は三時です。", "はい。"), *said("昼はカレーです。", "いいですね。"),
          {"role": "user", "content": "会議は何時？"}], (0, 1, 4)),
        ([*said("회의는 세 시입니다.", "네."), *said("점심은 카레입니다.", "좋아요."),
          {"role": "user", "content": "회의가 언제예요?"}], (0, 1, 4)),
    ],
)  # fmt: skip
def test_scripts_without_spaces_are_compared_by_pairs(history: Messages, kept: tuple[int]) -> None:
    recall = RecallRelevant(max_tokens=25)
    assert trim(history, strategy=chain(FixedWindow(turns=1), recall)).kept == kept


def test_calls_and_results_are_read_and_never_parted() -> None:
    history = [
        {"role": "user", "content": "Compare the weather."},
        *looked_up("Oslo", "snow " * 30),
        *looked_up("Lima", "fog and drizzle"),
        *looked_up("Cairo", "dust " * 30),
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Where was the drizzle?"},
    ]
    recall = RecallRelevant(max_tokens=60)
    result = trim(history, strategy=chain(FixedWindow(turns=1), recall))
    assert result.kept == (0, 3, 4, 7, 8)


def test_an_answer_brings_its_question_and_a_long_one_leaves_the_question_alone() -> None:
    history = [
        *said("Which bolt fits the flange?", "The M12 one. " + "It is made of steel. " * 30),
        *said("Bye.", "Bye."),
        {"role": "user", "content": "Which bolt was it?"},
    ]
    whole, question = (
        trim(history, strategy=chain(FixedWindow(turns=1), RecallRelevant(room, "bolt flange")))
        for room in (200, 20)
    )
    assert {0, 1} <= set(whole.kept)
    assert 0 in question.kept
    assert 1 not in question.kept


def test_before_a_budget_it_reserves_room_for_what_matters() -> None:
    history = pantry()
    budget = count(history) // 2
    alone = trim(history, max_tokens=budget)
    assert not {2, 3} & set(alone.kept)
    result = trim(
        history, max_tokens=budget, strategy=chain(RecallRelevant(max_tokens=25), TokenBudget())
    )
    assert {2, 3} <= set(result.kept)
    assert {14, 15, 16} <= set(result.kept)
    assert result.tokens <= budget


def test_a_budget_behind_it_drops_the_other_old_turns_first() -> None:
    strategy = chain(FixedWindow(turns=4), RecallRelevant(max_tokens=25), TokenBudget())
    result = trim(pantry(), max_tokens=60, strategy=strategy)
    assert {2, 3, 16} <= set(result.kept)
    assert set(range(10, 16)) - set(result.kept)


def test_a_smaller_budget_behind_it_takes_back_what_has_no_room() -> None:
    history = pantry("Where are the quinces and the plums?")
    recall = RecallRelevant(max_tokens=60)
    tight = count([history[-1]]) + 25
    result = trim(history, strategy=chain(recall, TokenBudget(max_tokens=tight)))
    assert result.tokens <= tight
    assert 16 in result.kept
    assert trim(history, strategy=chain(recall, TokenBudget(max_tokens=18))).kept == (16,)


@pytest.mark.parametrize("placement", ["user", "system", "pair"])
def test_it_brings_back_turns_that_a_summary_replaced(placement: Placement) -> None:
    history = [*said("I am Mara Voss, order LX-20417. " * 9, "Noted."), *pantry()]
    summary = SummaryCompression(keep_turns=2, placement=placement)
    strategy = chain(summary, RecallRelevant(max_tokens=30), TokenBudget())
    result = trim(history, max_tokens=250, strategy=strategy)
    assert result.plan.recalled == (4, 5)
    assert result.tokens == count(result.messages) <= 250
    assert not check(result.messages)
    assert "LX-20417" in str(result.messages[0]["content"])


def test_without_a_budget_behind_it_a_window_makes_room_for_what_comes_back() -> None:
    limit = count(pantry()[10:]) + 5
    result = trim(
        pantry(), max_tokens=limit, strategy=chain(FixedWindow(turns=4), RecallRelevant())
    )
    assert result.tokens <= limit
    assert {2, 3, 16} <= set(result.kept)


def test_a_window_behind_it_keeps_what_was_recalled() -> None:
    result = trim(pantry(), strategy=chain(RecallRelevant(max_tokens=25), FixedWindow(turns=1)))
    assert result.kept == (2, 3, 16)


def test_when_all_fits_nothing_changes() -> None:
    history = pantry()
    result = trim(history, max_tokens=10_000, strategy=chain(RecallRelevant(), TokenBudget()))
    assert not result.changed
    assert result.messages == history


def test_a_rewritten_unit_stays_rewritten() -> None:
    history = [
        {"role": "user", "content": "Look at the quinces."},
        *looked_up("Oslo", "snow " * 300),
        *said("And now?", "Nothing."),
        {"role": "user", "content": "What about the quinces?"},
    ]
    strategy = chain(TruncateToolResults(40), RecallRelevant(max_tokens=120), FixedWindow(turns=1))
    result = trim(history, strategy=strategy)
    (rewritten,) = (step for step in result.plan.steps if step.action == "rewrite")
    assert rewritten.start == 1
    assert 1 in result.plan.recalled


def test_without_a_question_come_names_and_numbers() -> None:
    history = [
        *said("It is nice out, is it not, and so warm as well.", "It is warm and nice, yes."),
        *said("Well, what else is there to do out there?", "Warm days are there to do nothing."),
        *said("I moved to Utrecht, flat 4417, with Joost.", "Noted: flat 4417."),
        *said("It is nice and warm again.", "Warm and nice, yes."),
        {"role": "user", "content": "Thanks, see you!"},
    ]
    recall = RecallRelevant(max_tokens=40)
    assert {4, 5} <= set(trim(history, strategy=chain(FixedWindow(turns=1), recall)).kept)


def test_a_counter_of_messages_works_too() -> None:
    recall = RecallRelevant(max_tokens=2)
    result = trim(pantry(), strategy=chain(FixedWindow(turns=1), recall), counter=lambda message: 1)
    assert result.kept == (2, 3, 16)


def test_only_candidates_are_counted() -> None:
    asked: list[str] = []

    def counter(message: Any) -> int:
        asked.append(str(message["content"]))
        return 1

    history = [{"role": "user", "content": f"jar {n} of plums"} for n in range(1_000)]
    recall = RecallRelevant(max_tokens=5, query="jar 17")
    result = trim(history, strategy=chain(FixedWindow(turns=1), recall), counter=counter)
    assert 17 in result.kept
    assert len(asked) < 50


@pytest.mark.parametrize("history", [
    [{"role": "user", "content": "Hello?"}],
    [{"role": "system", "content": "Be brief."}],
    [{"role": "assistant", "content": "Hi."}, {"role": "user", "content": "?"}],
    [{"role": "user", "content": None}, {"role": "user", "content": ""}],
])  # fmt: skip
@pytest.mark.parametrize("query", [None, "", "the", "\ud800", "x" * 10_000])
def test_small_histories_and_empty_queries(history: Messages, query: str | None) -> None:
    result = trim(history, strategy=chain(FixedWindow(turns=1), RecallRelevant(5, query)))
    assert result.messages[-1] is history[-1]


@pytest.mark.parametrize("options", [{"max_tokens": 0}, {"max_tokens": True}, {"query": 7}])
def test_impossible_options(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        RecallRelevant(**options)


def test_restored_units_bring_their_question_and_say_so() -> None:
    def bring_back(plan: Plan) -> Plan:
        (answer,) = (unit for unit in plan.units_from(3) if unit.start == 3)
        return plan.restore([answer], reason="asked for")

    result = trim(pantry(), strategy=chain(FixedWindow(turns=1), bring_back))
    assert result.kept == (2, 3, 16)
    assert result.plan.recalled == (2, 3)
    assert result.plan.protection(3) == "recalled"
    assert "bring_back: asked for" in result.explain(width=200)


def test_words_are_compared_without_case_and_endings() -> None:
    scores = indexed(["He studies DANCING.", "Ｄａｎｃｅｄ all night", "a trance"]).relevance(
        "dances"
    )
    assert list(scores > 0) == [True, True, False]


def test_ranking_of_nothing() -> None:
    assert list(indexed([]).relevance("x")) == []
    assert list(indexed(["", "the"]).relevance("the")) == [0.0, 0.0]
    assert list(indexed(["", "the"]).most_telling([0, 1], 2)) == [0, 1]


queries = st.sampled_from([None, "parcel", "订单", ""])
rooms = st.integers(1, 200)
recalls = st.builds(RecallRelevant, max_tokens=rooms, query=queries)
every_strategy = st.builds(
    lambda recall, shape: shape(recall),
    recalls,
    st.sampled_from(
        [
            lambda recall: chain(recall, TokenBudget()),
            lambda recall: chain(recall, TokenBudget(low_water=0.5)),
            lambda recall: chain(FixedWindow(turns=1), recall),
            lambda recall: chain(FixedWindow(turns=2), recall, TokenBudget()),
            lambda recall: chain(TokenBudget(), recall),
            lambda recall: chain(recall, FixedWindow(turns=1), TokenBudget()),
            lambda recall: chain(recall, recall, TokenBudget()),
        ]
    ),
)


def trimmed(history: Messages, share: float, strategy: Strategy) -> TrimResult:
    try:
        return trim(history, max_tokens=max(1, int(count(history) * share)), strategy=strategy)
    except BudgetExceeded:
        assume(False)
        raise


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
def test_the_sums_are_right(history: Messages, share: float, strategy: Strategy) -> None:
    result = trimmed(history, share, strategy)
    laws.the_sums_are_right(result)
    assert result.tokens == count(result.messages)


@given(any_history, shares, recalls, st.sampled_from([1.0, 0.5]))
def test_a_budget_behind_it_fails_only_where_nothing_fits(
    history: Messages, share: float, recall: RecallRelevant, low_water: float
) -> None:
    limit = max(1, int(count(history) * share))
    strategy = chain(FixedWindow(turns=2), recall, TokenBudget(low_water=low_water))
    try:
        laws.fits(trim(history, max_tokens=limit, strategy=strategy), limit)
    except BudgetExceeded as error:
        assert error.needed == count(laws.least_messages(history)) > limit


@given(any_history, shares, recalls)
def test_a_later_limit_fails_only_where_nothing_fits(
    history: Messages, share: float, recall: RecallRelevant
) -> None:
    limit = max(1, int(count(history) * share))
    try:
        laws.fits(trim(history, strategy=chain(recall, TokenBudget(max_tokens=limit))), limit)
    except BudgetExceeded as error:
        assert error.needed == count(laws.least_messages(history)) > limit


@given(any_history, shares, recalls)
def test_it_never_makes_a_window_too_large(
    history: Messages, share: float, recall: RecallRelevant
) -> None:
    limit = max(1, int(count(history) * share))
    window = FixedWindow(turns=2)
    trimmed(history, share, window)
    laws.fits(trim(history, max_tokens=limit, strategy=chain(window, recall)), limit)


@given(any_history, recalls)
def test_what_comes_back_costs_at_most_what_was_allowed(
    history: Messages, recall: RecallRelevant
) -> None:
    window = FixedWindow(turns=1)
    alone = trim(history, strategy=window)
    result = trim(history, strategy=chain(window, recall))
    assert set(alone.kept) <= set(result.kept)
    assert result.tokens - alone.tokens <= recall.max_tokens


@given(any_history, shares, every_strategy)
def test_trimming_twice_is_trimming_once(
    history: Messages, share: float, strategy: Strategy
) -> None:
    once = trimmed(history, share, strategy)
    limit = max(1, int(count(history) * share))
    assert trim(once.messages, max_tokens=limit, strategy=strategy).messages == once.messages


@given(any_history, shares, recalls)
def test_what_was_recalled_outlives_the_other_old_turns(
    history: Messages, share: float, recall: RecallRelevant
) -> None:
    result = trimmed(history, share, chain(FixedWindow(turns=2), recall, TokenBudget()))
    assert set(recalled(result)) <= set(result.kept)


@given(faulty_histories(), shares, every_strategy)
def test_a_faulty_history_gets_no_new_fault(
    history: Messages, share: float, strategy: Strategy
) -> None:
    # A result that stands apart from its call is one fault of both, named at the result; where
    # only the call is left, the same fault is named there. So faults are told by the call's id.
    def faults(messages: Messages) -> set[str | None]:
        return {problem.id for problem in check(messages) if problem.severity == "rejected"}

    assert faults(trimmed(history, share, strategy).messages) <= faults(history)
