"""Replays of recorded sessions: the same as trimming call by call, and the caches followed."""

from __future__ import annotations

import copy
import csv
import gzip
import io
import itertools
import json
import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from drawn import any_history
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from contextkit import (
    BudgetExceeded,
    FixedWindow,
    OptionError,
    Simulation,
    Strategy,
    SummaryCompression,
    TokenBudget,
    TruncateToolResults,
    UnknownPrice,
    chain,
    cost,
    count,
    sample_history,
    simulate,
    trim,
)
from contextkit.counting.openai_chat import OpenAIChatCounter
from contextkit.counting.requests import counter_for
from contextkit.formats.openai_chat import chat_request
from contextkit.messages import History
from contextkit.pricing import CacheRule, Usage
from contextkit.simulation import Replay
from contextkit.simulation.following import PromptCache
from contextkit.simulation.measuring import Recording
from contextkit.simulation.prompts import Measured, Piece, Prompt
from contextkit.strategies.newest import Weigh, by_messages, by_tokens, newest_that_fit

Messages = list[dict[str, Any]]

DAY = date(2026, 11, 30)

every_strategy = st.sampled_from(
    [
        TokenBudget(),
        TokenBudget(low_water=0.5),
        TokenBudget(low_water=0.8),
        FixedWindow(turns=2),
        FixedWindow(messages=8),
        chain(TruncateToolResults(max_tokens=40), TokenBudget(low_water=0.6)),
        chain(FixedWindow(turns=3), TokenBudget()),
        SummaryCompression(keep_turns=1),
    ]
)


def answered(history: Messages) -> list[int]:
    return [n for n, message in enumerate(history) if message["role"] == "assistant" and n]


@settings(max_examples=60)
@given(any_history, st.floats(0.05, 1.0), every_strategy)
def test_a_replay_sends_what_trim_would_have_sent(
    history: Messages, share: float, strategy: Strategy
) -> None:
    limit = max(1, int(count(history, model="gpt-4o") * share))
    sizes = answered(history)
    assume(sizes)
    before = copy.deepcopy(history)
    try:
        trims = [
            trim(history[:size], model="gpt-4o", max_tokens=limit, strategy=strategy)
            for size in sizes
        ]
    except BudgetExceeded:
        assume(False)
        raise
    replay = simulate(history, model="gpt-4o", max_tokens=limit, strategies=[strategy]).replays[0]
    assert [sent.tokens for sent in replay.sent] == [trimmed.tokens for trimmed in trims]
    unchanged = [0, *(b.prefix_kept(a) for a, b in itertools.pairwise(trims))]
    assert [sent.unchanged for sent in replay.sent] == unchanged
    assert history == before


@settings(max_examples=300)
@given(any_history, st.integers(1, 3_000), st.sampled_from([by_tokens, by_messages]))
def test_the_search_finds_the_cut_of_the_walk(history: Messages, limit: int, weigh: Weigh) -> None:
    """Where all tokens are known the cut is found in leaps; it is the same cut."""
    limit = limit if weigh is by_tokens else 1 + limit % 40
    counter = counter_for("gpt-4o")
    request = chat_request(history)
    plans = [
        next(iter(Recording(request, counter, [len(history)]).calls(None, limit))).plan,
        trim(history, max_tokens=10**9, strategy=lambda plan: plan).plan,
    ]
    assert [plan.totals is None for plan in plans] == [False, True]
    searched, walked = (newest_that_fit(plan, limit, weigh) for plan in plans)
    assert searched.at == walked.at
    starts = [cut.refused and cut.refused.start for cut in (searched, walked)]
    assert starts[0] == starts[1]


caches = st.sampled_from(["none", "openai", "openai-blocks", "anthropic-5m", "deepseek", "xai"])


@settings(max_examples=40)
@given(any_history, caches, every_strategy)
def test_no_token_is_billed_twice_or_for_nothing(
    history: Messages, cache: str, strategy: Strategy
) -> None:
    assume(answered(history))
    replay = simulate(
        history * 3, model="gpt-4o", max_tokens=2_000, strategies=[strategy], cache=cache
    ).replays[0]
    for sent in replay.sent:
        assert 0 <= sent.cached <= sent.tokens
        assert sent.cached + sent.written <= sent.tokens
        assert 0 <= sent.unchanged <= sent.tokens
        assert 0 <= sent.visible <= 1
        assert cache != "none" or sent.cached == sent.written == 0


@settings(max_examples=30)
@given(any_history, caches)
def test_the_bill_is_the_sum_of_the_requests(history: Messages, cache: str) -> None:
    assume(answered(history))
    run = simulate(
        history * 3, model="claude-sonnet-4-5", cache=cache, strategies=[None], at=DAY
    ).replays[0]
    each = (
        cost(
            Usage(
                uncached=sent.tokens - sent.cached - sent.written,
                cache_read=sent.cached,
                cache_write_5m=sent.written,
                output=sent.answer,
            ),
            model="claude-sonnet-4-5",
            at=DAY,
        ).total
        for sent in run.sent
    )
    assert run.cost == sum(each, Decimal(0))


def rule(**options: Any) -> CacheRule:
    usual = {"name": "r", "minimum": 100, "lifetime": 300, "source": "s", "checked": DAY}
    return CacheRule(**{**usual, **options})


MEASURED = Measured(
    History([{"role": "user", "content": str(n)} for n in range(99)]), range(0, 1_000, 10)
)
"""A history whose every message has 10 tokens."""


def prompt(*spans: tuple[int, int], instructions: int = 0) -> Prompt:
    """A request that sends these spans of that history."""
    pieces = tuple(Piece(a, b, (), 10 * (b - a)) for a, b in spans)
    return Prompt(0, instructions, pieces, 3, MEASURED)


def test_blocks_serve_whole_blocks_from_the_minimum_on() -> None:
    cache = PromptCache(rule(block=64))
    assert cache.send(prompt((0, 9)), 0, 0).cache_read == 0
    assert cache.send(prompt((0, 20)), 1, 0).cache_read == 0
    usage = cache.send(prompt((0, 30)), 2, 0)
    assert (usage.cache_read, usage.uncached, usage.written) == (192, 111, 0)


def test_marks_serve_a_whole_prefix_or_none() -> None:
    cache = PromptCache(rule(marks="automatic", write="cache_write_5m"))
    first = cache.send(prompt((0, 20)), 0, 7)
    assert first == Usage(uncached=3, cache_write_5m=200, output=7)
    assert cache.send(prompt((0, 30)), 1, 0) == Usage(
        uncached=3, cache_read=200, cache_write_5m=100
    )
    cut = cache.send(prompt((0, 1), (15, 31)), 2, 0)
    assert (cut.cache_read, cut.written) == (0, 170)


def test_an_explicit_mark_behind_the_instructions_survives_a_cut() -> None:
    cache = PromptCache(rule(marks="explicit", write="cache_write_5m"))
    cache.send(prompt((0, 30), instructions=150), 0, 0)
    cut = cache.send(prompt((0, 15), (25, 31), instructions=150), 1, 0)
    assert (cut.cache_read, cut.written) == (150, 60)


def test_the_instructions_outlive_any_number_of_requests() -> None:
    cache = PromptCache(rule(marks="explicit", write="cache_write_5m"))
    for at in range(60):
        cache.send(prompt((0, 20 + at), instructions=150), 10 * at, 0)
    assert cache.send(prompt((0, 15), (70, 80), instructions=150), 600, 0).cache_read == 150


def test_a_prefix_lives_as_long_as_it_is_used() -> None:
    cache = PromptCache(rule())
    served = [cache.send(prompt((0, 20)), at, 0).cache_read for at in (0, 299, 598, 900)]
    assert served == [0, 200, 200, 0]


def test_a_pause_longer_than_the_lifetime_empties_the_cache() -> None:
    talk = [{"role": "system", "content": "你是客服。" * 500}]
    talk += [
        {"role": role, "content": "好的。"} for _ in range(9) for role in ("user", "assistant")
    ]
    replays = [
        simulate(talk, model="gpt-4o", strategies=[None], pause=pause).replays[0]
        for pause in (0, 299, 301)
    ]
    assert [replay.cached_share > 0.5 for replay in replays] == [True, True, False]


def chat(turns: int) -> Messages:
    """A chat in Chinese and English, long enough to be cut many times."""
    talk: Messages = [{"role": "system", "content": "Answer briefly. 请简短回答。"}]
    for n in range(turns):
        talk.append(
            {"role": "user", "content": f"Question {n}: " + "为什么天是蓝的？" * (5 + n % 7)}
        )
        talk.append({"role": "assistant", "content": f"Answer {n}. " + "Because. " * (20 + n % 11)})
    return talk


@pytest.fixture(scope="module")
def replayed() -> Simulation:
    return simulate(chat(300), model="gpt-4o", max_tokens=6_000, at=DAY)


def test_a_low_water_mark_keeps_the_cache_and_costs_less(replayed: Simulation) -> None:
    everything, sharp, low = replayed.replays
    assert everything.over > 200
    assert everything.unchanged_share_when_full is None
    assert sharp.over == low.over == 0
    assert sharp.unchanged_share_when_full is not None
    assert sharp.unchanged_share_when_full < 0.05
    assert low.held_share_when_full is not None
    assert low.held_share_when_full > 0.95
    assert low.cost is not None
    assert sharp.cost is not None
    assert low.cost < sharp.cost * Decimal("0.8")
    assert replayed.cheapest is low


def test_the_low_water_mark_that_is_recommended_is_among_the_cheapest(
    replayed: Simulation,
) -> None:
    advice = replayed.low_water
    assert advice is not None
    costs = {mark: run.cost for mark, run in advice.replays if run.cost is not None}
    assert advice.cost == costs[advice.mark]
    assert advice.cost <= min(costs.values()) * Decimal("1.02")
    assert all(
        amount > min(costs.values()) * Decimal("1.02")
        for mark, amount in costs.items()
        if mark > advice.mark
    )
    assert f"low_water={advice.mark:g} costs" in str(advice)


def test_without_a_cache_cutting_deeper_is_only_cheaper_by_what_it_leaves_out() -> None:
    runs = simulate(chat(120), model="gpt-4o", max_tokens=4_000, cache="none", at=DAY).replays
    for run in runs:
        answers = sum(sent.answer for sent in run.sent)
        assert run.cost == (run.input_tokens * Decimal("2.5") + answers * 10) / 1_000_000


def test_renderings_agree(replayed: Simulation) -> None:
    rows = list(csv.DictReader(io.StringIO(replayed.to_csv())))
    plain = replayed.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert [row["strategy"] for row in rows] == [s["strategy"] for s in plain["strategies"]]
    assert [row["cost"] for row in rows] == [s["cost"] for s in plain["strategies"]]
    text = replayed.explain(width=140)
    assert text.startswith("300 calls to gpt-4o, cache openai-blocks, USD prices of")
    assert "TokenBudget(low_water=0.5)" in text
    page = replayed.to_html(title="夜班 <1>")
    assert page.startswith("<!doctype html>")
    assert "夜班 &lt;1&gt;" in page
    assert all(replay.name in page for replay in replayed.replays)


def test_strategies_have_names() -> None:
    named = {"mine": FixedWindow(turns=1), "all": None}
    assert [run.name for run in simulate(chat(3), model="gpt-4o", strategies=named).replays] == [
        "mine",
        "all",
    ]

    def half(plan: Any) -> Any:
        return plan

    names: list[Strategy | None] = [
        half,
        half,
        chain(FixedWindow(turns=2), TokenBudget(max_tokens=900)),
    ]
    run = simulate(chat(3), model="gpt-4o", strategies=names)
    assert [replay.name for replay in run.replays][:2] == ["half", "half (2)"]
    assert "FixedWindow(turns=2)" in run.replays[2].name


def test_a_request_that_cannot_be_cut_is_sent_whole_and_counted_as_over() -> None:
    talk = [{"role": "system", "content": f"Rule {n}."} for n in range(9)] + chat(2)[1:]
    run = simulate(talk, model="gpt-4o", strategies=[FixedWindow(messages=4)]).replays[0]
    assert (run.over, run.visible) == (2, 1)


def test_requests_can_be_given() -> None:
    talk = chat(3)
    run = simulate(talk, model="gpt-4o", strategies=[None], requests=[2, 6, 7]).replays[0]
    assert [sent.messages for sent in run.sent] == [2, 6, 7]
    assert [sent.tokens for sent in run.sent] == [
        count(talk[:size], model="gpt-4o") for size in (2, 6, 7)
    ]
    assert run.sent[2].answer == 0


def test_tools_are_part_of_every_prefix() -> None:
    tool = {"type": "function", "function": {"name": "find", "description": "Look up. " * 400}}
    talk = chat(4)
    run = simulate(talk, model="gpt-5", tools=[tool], strategies=[None]).replays[0]
    assert run.sent[0].tokens == count(talk[:2], model="gpt-5", tools=[tool])
    assert run.sent[1].cached >= 768


def test_a_tool_loop_is_one_call_for_each_answer() -> None:
    history = sample_history()
    run = simulate(history, model="gpt-4o", strategies=[None]).replays[0]
    assert [sent.messages for sent in run.sent] == answered(history)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"messages": [{"role": "user", "content": "hi"}]}, "no assistant message"),
        ({"requests": [0]}, "requests"),
        ({"requests": [99]}, "requests"),
        ({"cache": "magic"}, "anthropic-1h"),
        ({"strategies": []}, "strategies"),
        ({"strategies": TokenBudget()}, r"one strategy, TokenBudget\(\)"),
        ({"pause": -1}, "pause"),
        ({"pause": [1]}, "pauses"),
        ({"pause": float("nan")}, "pause"),
        ({"currency": "EUR"}, "EUR"),
        ({"max_tokens": 0}, "max_tokens"),
    ],
)
def test_impossible_options_are_errors(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(OptionError, match=fault):
        simulate(**{"messages": chat(3), "model": "gpt-4o", **options})


def test_a_request_cannot_stop_between_a_call_and_its_results() -> None:
    history = sample_history()
    inside = next(n for n, message in enumerate(history) if message["role"] == "tool")
    with pytest.raises(OptionError, match="between a call and its results"):
        simulate(history, model="gpt-4o", requests=[inside])


def test_an_unknown_price_is_an_error_or_left_out() -> None:
    with pytest.raises(UnknownPrice):
        simulate(chat(3), model="qwen3-8b")
    run = simulate(chat(3), model="qwen3-8b", unknown="none", cache="none")
    assert run.replays[0].cost is None
    assert run.low_water is None
    assert "held" in run.explain()
    assert any("no price" in note for note in run.notes)
    assert "?" in run.explain()


def test_a_model_without_a_known_cache_says_so() -> None:
    run = simulate(chat(3), model="mistral-small-latest", counter=lambda m: len(str(m)))
    assert run.rule is None
    assert any("prompt cache" in note for note in run.notes)


def _records(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return list(map(json.loads, lines))


def _session(data: Path) -> Messages:
    """A coding agent at work: few turns, hundreds of rounds, results of up to 17,000 tokens."""
    record = _records(data / "trajectories/pi_sessions_openai.jsonl.gz")[0]
    messages: Messages = record["messages"]
    return messages


def _joined(data: Path, runs: int) -> Messages:
    """So many recorded runs of a support agent as one long chat."""
    records = _records(data / "trajectories/tau_bench_airline_gpt4o.jsonl.gz")[:runs]
    talk: Messages = [records[0]["messages"][0]]
    for record in records:
        talk.extend(message for message in record["messages"] if message["role"] != "system")
    return talk


def _replayed(history: Messages, limit: int, low_water: float) -> Replay:
    strategies = [TokenBudget(low_water=low_water)]
    return simulate(history, model="gpt-4o", max_tokens=limit, strategies=strategies).replays[0]


def _held(history: Messages, limit: int) -> float:
    share = _replayed(history, limit, 0.5).held_share_when_full
    assert share is not None
    return share


@pytest.mark.data
def test_a_long_coding_session_keeps_its_prefix(data: Path) -> None:
    session = _session(data)
    assert _held(session, 8_000) >= 0.93
    assert _held(session, 32_000) >= 0.97


@pytest.mark.data
def test_a_chat_of_200_turns_keeps_its_prefix(data: Path) -> None:
    joined = _joined(data, 23)
    assert sum(message["role"] == "user" for message in joined) >= 200
    assert _held(joined, 8_000) >= 0.93
    assert _held(joined, 32_000) >= 0.97
    sharp, mild = _replayed(joined, 8_000, 1.0), _replayed(joined, 8_000, 0.5)
    assert mild.cost is not None
    assert sharp.cost is not None
    assert mild.cost < sharp.cost


@pytest.mark.data
def test_new_messages_bound_the_unchanged_share_of_all_that_is_sent(data: Path) -> None:
    """Where each request adds a tenth of the budget, nine tenths can be unchanged at most."""
    full = _replayed(_session(data), 8_000, 0.5).when_full
    added = sum(one.fresh for one in full)
    assert added / len(full) > 0.08 * 8_000
    assert sum(one.unchanged for one in full) <= sum(one.tokens for one in full) - added


@pytest.mark.data
def test_a_simulation_of_four_strategies_takes_at_most_three_times_as_long_as_counting_for_each(
    data: Path,
) -> None:
    chosen = [None, TokenBudget(), TokenBudget(low_water=0.5), FixedWindow(turns=10)]
    for history in (_session(data), _joined(data, 20), _joined(data, 81)):
        counted, simulated = _seconds(
            partial(count, history, model="gpt-4o"),
            partial(simulate, history, model="gpt-4o", max_tokens=8_000, strategies=chosen),
        )
        assert simulated <= 3 * len(chosen) * counted


def _seconds(*works: Callable[[], object]) -> list[float]:
    """The least processor time of each of several kinds of work, measured in turns, all cold."""
    counter = counter_for("gpt-4o")
    assert isinstance(counter, OpenAIChatCounter)

    def once(work: Callable[[], object]) -> float:
        counter.text.forget()
        start = time.process_time()
        work()
        return time.process_time() - start

    rounds = [[once(work) for work in works] for _ in range(7)]
    return [min(times) for times in zip(*rounds, strict=True)]
