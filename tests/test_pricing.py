"""What requests cost: arithmetic, names, sources, and what recorded bills say."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit import OptionError, UnknownPrice, cost, count, sample_history, trim
from contextkit.pricing import Price, PriceTable, Rates, Usage, find_price, read_usage
from contextkit.pricing.names import priced_name
from contextkit.pricing.prices import moment_of

DAY = date(2026, 11, 30)

MINE = """
[[price]]
model = "house-model"
provider = "anthropic"
input = 3
output = 15
cache_read = 0.3
cache_write_5m = 3.75
cache_write_1h = 6
long = [{ above = 200000, input = 6, output = 22.5, cache_read = 0.6, cache_write_5m = 7.5 }]
service = { flex = { input = 2 } }
source = "our contract"
date = 2026-11-01

[[price]]
model = "old-model"
provider = "house"
input = 1
source = "a note"
date = 2026-01-01

[[price]]
model = "old-model"
provider = "house"
since = 2026-06-01
input = 2
source = "a note"
date = 2026-06-01

[[price]]
model = "bare-model"
provider = "house"
input = 2
output = 8
source = "a note"
date = 2026-11-01
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(MINE, "utf-8")
    return path


def spent(usage: Any, source: Path, model: str = "house-model", **options: Any) -> Decimal:
    priced = cost(usage, model=model, source=source, at=DAY, **options)
    assert priced is not None
    return Decimal(priced.total)


def test_anthropics_input_excludes_what_its_cache_served(mine: Path) -> None:
    usage = {
        "input_tokens": 7,
        "cache_creation_input_tokens": 8_192,
        "cache_read_input_tokens": 0,
        "output_tokens": 240,
    }
    priced = cost(usage, model="house-model", source=mine, at=DAY)
    assert priced.total == Decimal("0.034341")
    assert priced.usage.input == 8_199


def test_an_hour_of_cache_has_its_own_price(mine: Path) -> None:
    usage = {
        "input_tokens": 0,
        "output_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 100_000,
    }
    split = {"ephemeral_5m_input_tokens": 60_000, "ephemeral_1h_input_tokens": 40_000}
    assert spent(usage, mine) == Decimal("0.375")
    assert spent({**usage, "cache_creation": split}, mine) == Decimal("0.465")


def test_the_batch_discount_reaches_every_class(mine: Path) -> None:
    usage = {
        "input_tokens": 2_000,
        "cache_read_input_tokens": 6_000,
        "cache_creation_input_tokens": 400,
        "output_tokens": 50,
    }
    assert spent(usage, mine) == Decimal("0.01005")
    assert spent(usage, mine, batch=True) == Decimal("0.005025")


def test_batch_prices_that_are_listed_win_over_the_factor() -> None:
    batch = find_price("gpt-5.4", DAY, service="batch")
    assert (batch.input, batch.cache_read, batch.output) == (
        Decimal("1.25"),
        Decimal("0.13"),
        Decimal("7.5"),
    )


@pytest.mark.parametrize(
    ("details", "expected"),
    [({"cached_tokens": 150}, "0.00005"), (None, "0.0002"), ({"cached_tokens": None}, "0.0002")],
)
def test_inconsistent_usage_is_flagged_and_costs_nothing_negative(
    tmp_path: Path, details: Any, expected: str
) -> None:
    path = tmp_path / "p.toml"
    row = 'model = "m"\nprovider = "p"\ninput = 2\ncache_read = 0.5\noutput = 8\n'
    path.write_text(f'[[price]]\n{row}source = "s"\ndate = 2026-11-01\n', "utf-8")
    usage = {"prompt_tokens": 100, "completion_tokens": 0, "prompt_tokens_details": details}
    priced = cost(usage, model="m", source=path, at=DAY)
    assert priced.total == Decimal(expected)
    assert bool(priced.notes) == (details == {"cached_tokens": 150})


counts = st.integers(0, 40_000)
usages = st.builds(
    Usage,
    uncached=counts,
    cache_read=counts,
    cache_write_5m=counts,
    cache_write_1h=counts,
    output=counts,
)


@given(usages)
def test_a_cost_is_the_sum_of_its_parts_and_each_token_is_in_one(usage: Usage) -> None:
    priced = cost(usage, model="claude-sonnet-4-5", at=DAY)
    assert priced.total == sum(part.amount for part in priced.parts)
    assert sum(part.tokens for part in priced.parts) == usage.input + usage.output
    assert all(part.amount >= 0 for part in priced.parts)


@given(usages, usages)
def test_two_requests_cost_what_they_cost_together_below_the_first_tier(
    one: Usage, other: Usage
) -> None:
    both = Usage(
        uncached=one.uncached + other.uncached,
        cache_read=one.cache_read + other.cache_read,
        cache_write_5m=one.cache_write_5m + other.cache_write_5m,
        cache_write_1h=one.cache_write_1h + other.cache_write_1h,
        output=one.output + other.output,
    )
    apart, together = (
        [cost(usage, model="claude-opus-4-5", at=DAY).total for usage in usages]
        for usages in ((one, other), (both,))
    )
    assert sum(apart) == sum(together)


@given(usages)
def test_no_cache_is_dearer_than_reading_it(usage: Usage) -> None:
    read = Usage(cache_read=usage.input, output=usage.output)
    plain = Usage(uncached=usage.input, output=usage.output)
    cached, full = (cost(u, model="claude-sonnet-4-5", at=DAY) for u in (read, plain))
    assert cached.total <= full.total
    assert full.total - cached.total == cached.saved


def test_the_long_tier_bills_the_whole_request(mine: Path) -> None:
    below = cost({"prompt_tokens": 200_000}, model="house-model", source=mine, at=DAY)
    above = cost({"prompt_tokens": 200_001}, model="house-model", source=mine, at=DAY)
    assert (below.total, below.above) == (Decimal("0.6"), None)
    assert (above.total, above.above) == (Decimal("1.200006"), 200_000)


def test_reasoning_is_part_of_the_output() -> None:
    usage = {
        "prompt_tokens": 0,
        "completion_tokens": 1_000,
        "completion_tokens_details": {"reasoning_tokens": 900},
    }
    priced = cost(usage, model="gpt-5-mini", at=DAY)
    assert [part.tokens for part in priced.parts] == [1_000]
    assert priced.usage.reasoning == 900


def test_a_model_that_thinks_at_another_price_bills_the_whole_answer_at_it() -> None:
    usage = {"prompt_tokens": 0, "completion_tokens": 1_000_000}
    thought = {**usage, "completion_tokens_details": {"reasoning_tokens": 1}}
    assert cost(usage, model="qwen-turbo", at=DAY).total == Decimal("0.2")
    assert cost(thought, model="qwen-turbo", at=DAY).total == Decimal("0.5")


def test_what_is_to_be_sent_is_counted() -> None:
    messages = sample_history()
    priced = cost(messages, model="gpt-4o", output_tokens=100, at=DAY)
    assert priced.usage == Usage(uncached=int(count(messages, model="gpt-4o")), output=100)
    body = {"model": "gpt-4o", "messages": messages}
    assert cost(body, model="gpt-4o", at=DAY).usage.input == priced.usage.input
    assert cost(1_000_000, model="gpt-4o", at=DAY).total == Decimal("2.5")


def test_an_estimated_count_says_so() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    priced = cost([{"role": "user", "content": [image]}], model="gpt-4o", at=DAY)
    assert any("estimate" in note for note in priced.notes)


def test_what_has_no_price_is_an_error_or_none_and_never_zero() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 5}
    with pytest.raises(UnknownPrice) as caught:
        cost(usage, model="gpt-4o-minni", at=DAY)
    assert "gpt-4o-mini" in caught.value.near
    assert cost(usage, model="gpt-4o-minni", unknown="none") is None


def test_a_class_without_a_price_is_an_error(mine: Path) -> None:
    with pytest.raises(UnknownPrice, match="output of old-model"):
        spent({"prompt_tokens": 5, "completion_tokens": 5}, mine, model="old-model")
    assert spent({"prompt_tokens": 5, "completion_tokens": 0}, mine, model="old-model") > 0


def test_cached_tokens_without_a_price_of_their_own_cost_what_input_does(mine: Path) -> None:
    usage = {"prompt_tokens": 1_000_000, "prompt_tokens_details": {"cached_tokens": 400_000}}
    priced = cost(usage, model="bare-model", source=mine, at=DAY)
    assert priced.total == 2
    assert "400,000 cached tokens cost what input does" in priced.notes[0]


def test_an_hour_of_cache_is_never_guessed_from_five_minutes() -> None:
    rates = Rates(input=Decimal(1), cache_write_5m=Decimal(2))
    price = Price(model="m", provider="p", rates=rates, source="s", checked=DAY)

    class Source:
        def find(self, *_: Any, **__: Any) -> Price:
            return price

        def names(self) -> list[str]:
            return ["m"]

    usage = Usage(cache_write_1h=1)
    with pytest.raises(UnknownPrice, match="1h of m"):
        cost(usage, model="m", source=Source())


def test_prices_of_the_day_are_used(mine: Path) -> None:
    usage = {"prompt_tokens": 1_000_000}
    early = cost(usage, model="old-model", source=mine, at=date(2026, 5, 31))
    late = cost(usage, model="old-model", source=mine, at=date(2026, 6, 1))
    assert [early.total, late.total] == [1, 2]
    assert find_price("gpt-5.6-sol", date(2026, 8, 20)).input == 5
    assert find_price("gpt-5.6-sol", date(2026, 8, 21)).input == 4


def test_an_old_price_warns_and_a_new_one_does_not(mine: Path) -> None:
    usage = {"prompt_tokens": 1}
    stale = cost(usage, model="old-model", source=mine, at=date(2026, 9, 1))
    fresh = cost(usage, model="old-model", source=mine, at=date(2026, 8, 1))
    assert stale.notes == ("the price of old-model is 92 days old (a note); check it",)
    assert fresh.notes == ()


def test_peak_hours_in_china_cost_twice() -> None:
    monday, sunday = datetime(2026, 11, 30, 2, tzinfo=UTC), datetime(2026, 11, 29, 2, tzinfo=UTC)
    evening = datetime(2026, 11, 30, 12, tzinfo=UTC)
    prices = [find_price("deepseek-flash", at, currency="CNY") for at in (monday, sunday, evening)]
    assert [price.input for price in prices] == [2, 1, 1]
    assert prices[0].cache_read == Decimal("0.04")


@pytest.mark.parametrize(
    ("given", "host", "model"),
    [
        ("gpt-4o-2024-08-06", "openai", "gpt-4o"),
        ("azure/gpt-4o-mini", "azure", "gpt-4o-mini"),
        ("openrouter/openai/gpt-4o", "openrouter", "openai/gpt-4o"),
        ("anthropic/claude-haiku-4.5", "anthropic", "claude-haiku-4-5"),
        ("models/gemini-2.5-flash", "google", "gemini-2.5-flash"),
        ("vertex_ai/claude-sonnet-4@20250514", "google", "claude-4-sonnet"),
        ("ft:gpt-4o-mini-2024-07-18:org::abc", "openai", "ft:gpt-4o-mini"),
        ("groq/openai/gpt-oss-120b", "groq", "openai/gpt-oss-120b"),
        ("dashscope/qwen3-max", "alibaba", "qwen3-max"),
        ("glm-4.6", "zai", "GLM-4.6"),
        (
            "us.anthropic.claude-sonnet-4-5-20250929-v1%3A0",
            "aws",
            "regional.anthropic.claude-sonnet-4-5-20250929-v1:0",
        ),
        (
            "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0",
            "aws",
            "regional.anthropic.claude-haiku-4-5-20251001-v1:0",
        ),
        ("bedrock/eu-west-1/amazon.nova-lite-v1:0", "aws", "amazon.nova-lite-v1:0"),
    ],
)
def test_names_as_people_write_them(given: str, host: str, model: str) -> None:
    price = find_price(given, DAY)
    assert (price.provider, price.model) == (host, model)


@pytest.mark.parametrize("name", ["gpt-4o", "claude-opus-4-5", "qwen-max", "kimi-k2.5", "grok-4.3"])
def test_hosts_are_told_from_names(name: str) -> None:
    assert priced_name(name).host is None
    assert priced_name(f"OpenRouter/x/{name}").host == "openrouter"


def test_a_fine_tuned_model_never_has_the_price_of_its_base() -> None:
    tuned, base = find_price("ft:gpt-4o:org::x", DAY), find_price("gpt-4o", DAY)
    assert tuned.input is not None
    assert base.input is not None
    assert tuned.input > base.input
    with pytest.raises(UnknownPrice):
        find_price("ft:gpt-5-mini:org::x", DAY)


def test_yuan_are_list_prices_and_nothing_is_converted() -> None:
    assert find_price("glm-5.3", DAY, currency="CNY").input == 8
    with pytest.raises(UnknownPrice, match="in CNY"):
        find_price("gpt-4o", DAY, currency="CNY")
    with pytest.raises(OptionError, match="EUR"):
        find_price("gpt-4o", DAY, currency="EUR")


def test_a_model_that_only_reads_is_priced_and_has_no_price_of_an_answer() -> None:
    usage = {"prompt_tokens": 500_000, "total_tokens": 500_000}
    assert cost(usage, model="text-embedding-3-small", at=DAY).total == Decimal("0.01")
    with pytest.raises(UnknownPrice, match="output of text-embedding-3-small"):
        cost({**usage, "completion_tokens": 1}, model="text-embedding-3-small", at=DAY)


def test_a_service_nobody_prices_is_an_error(mine: Path) -> None:
    assert find_price("house-model", DAY, mine, service="flex").input == 2
    with pytest.raises(UnknownPrice, match="priority"):
        find_price("claude-sonnet-4-5", DAY, service="priority")


@pytest.mark.parametrize(
    "broken", ["[[price]]\nmodel = 1", '[[price]]\nmodel = "m"\nprovider = "p"', "[[price"]
)
def test_a_file_that_holds_no_prices_is_an_error(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(broken, "utf-8")
    with pytest.raises(OptionError, match=r"broken\.toml"):
        find_price("gpt-4o", DAY, path)


def test_impossible_options_are_errors() -> None:
    for options in (
        {"output_tokens": -1},
        {"unknown": "zero"},
        {"batch": True, "service": "flex"},
        {"at": "2026-11-30"},
    ):
        with pytest.raises(OptionError):
            cost(5, model="gpt-4o", **options)
    with pytest.raises(OptionError, match="answer of its own"):
        cost({"prompt_tokens": 5}, model="gpt-4o", output_tokens=5)


def test_every_shipped_row_names_its_source_and_day() -> None:
    table = PriceTable()
    for name in table.names():
        for currency in ("USD", "CNY"):
            price = table.find(
                priced_name(name), at=moment_of(DAY), service="standard", currency=currency
            )
            if price is not None:
                assert price.source
                assert date(2026, 1, 1) < price.checked <= date(2026, 12, 31)
                assert price.input is not None
                assert price.cache_read is None or price.cache_read <= price.input


def test_a_price_is_json() -> None:
    priced = cost({"prompt_tokens": 5, "completion_tokens": 1}, model="gpt-4o", at=DAY)
    assert json.loads(json.dumps(priced.to_dict()))["total"] == f"{priced.total:f}"
    assert float(priced) == pytest.approx(0.0000225)
    assert "input 5 × 2.5" in str(priced)


def test_advice_about_a_cut_says_what_is_paid_again() -> None:
    talk = [{"role": "system", "content": "简短回答。" * 20}]
    talk += [{"role": "user", "content": f"第 {n} 个问题：{'请解释。' * 30}"} for n in range(40)]
    before = trim(talk[:40], model="gpt-4o", max_tokens=2_000)
    after = trim(talk, model="gpt-4o", max_tokens=2_000)
    assert before.prefix_kept(before) == before.tokens - 3
    kept = after.prefix_kept(before)
    assert kept == count(talk[:1], model="gpt-4o") - 3
    advice = after.cache_advice(before, model="gpt-4o", at=DAY)
    assert advice.prefix_kept == kept
    assert advice.paid_again == after.tokens - kept - count(talk[-1:], model="gpt-4o")
    added = count(talk[-1:], model="gpt-4o") - 3
    uncut = (before.tokens - 3) * Decimal("1.25") + added * Decimal("2.5")
    now = kept * Decimal("1.25") + (after.tokens - 3 - kept) * Decimal("2.5")
    assert advice.costs == (now - uncut) / 1_000_000
    assert advice.costs > 0
    assert str(advice).endswith(f"each time, which pays after {advice.pays_after} more")


def test_nothing_cut_is_nothing_paid_again() -> None:
    talk = [{"role": "user", "content": f"Question {n}"} for n in range(9)]
    before, after = (trim(talk[:n], model="gpt-4o", max_tokens=5_000) for n in (8, 9))
    advice = after.cache_advice(before, model="gpt-4o", at=DAY)
    assert [advice.paid_again, advice.costs, advice.pays_after] == [0, 0, 0]
    assert str(advice) == f"{before.tokens - 3} tokens stay cached; nothing is paid again"


_HOSTS = {
    "bedrock": "bedrock/",
    "google": "gemini/",
    "google-vertex": "vertex_ai/",
    "groq": "groq/",
    "openrouter": "openrouter/",
    "azure-openai": "azure/",
    "azure-ai": "azure/",
    "cohere": "cohere/",
    "deepseek": "deepseek/",
    "mistral": "mistral/",
    "xai": "xai/",
    "together": "together/",
    "cerebras": "cerebras/",
    "perplexity": "perplexity/",
    "zai": "zai/",
    "openai": "",
    "anthropic": "",
}
"""What to write in front of a recorded model's name; other hosts are local or unknown."""


def _recorded(data: Path) -> Iterator[tuple[str, Any]]:
    for file in sorted(data.glob("usage_pairs/*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                model = record["response_model"] or record["model"]
                if record["provider"] in _HOSTS and model:
                    yield _HOSTS[record["provider"]] + model, record["usage"]


@pytest.mark.data
def test_every_recorded_usage_with_a_price_is_priced(data: Path) -> None:
    priced, unpriced = 0, set()
    for model, usage in _recorded(data):
        try:
            rates = find_price(model, DAY).rates
        except UnknownPrice:
            unpriced.add(model)
            continue
        if rates.input is None or rates.output is None:
            unpriced.add(model)
            continue
        total = cost(usage, model=model, at=DAY).total
        assert total > 0 or rates.input == 0 or not read_usage(usage).input
        priced += 1
    assert priced > 2_200
    assert len(unpriced) < 16, unpriced


@pytest.mark.data
def test_xais_own_bill_is_met_to_the_last_digit(data: Path) -> None:
    with gzip.open(data / "usage_pairs/xai.jsonl.gz", "rt", encoding="utf-8") as lines:
        usages = [record["usage"] for record in map(json.loads, lines)]
    plain = [usage for usage in usages if not usage["num_server_side_tools_used"]]
    assert len(plain) > 20
    for usage in plain:
        billed = Decimal(usage["cost_in_usd_ticks"]) / 10**10
        assert cost(usage, model="xai/grok-4.3", at=DAY).total == billed


@pytest.mark.data
def test_a_coding_agents_own_sums_are_met(data: Path) -> None:
    """The client's book of a long session: 484 answers of one model, each with its own sum."""
    file = data / "trajectories/pi_sessions_openai.jsonl.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        turns = [turn for r in map(json.loads, lines) for turn in r["meta"]["usage_by_turn"]]
    assert len(turns) > 400
    for turn in turns:
        usage = turn["usage"]
        priced = cost(usage, model=turn["model"], at=date(2026, 1, 15))
        assert float(priced) == pytest.approx(usage["cost"]["total"], rel=1e-9, abs=1e-12)


def test_finding_prices_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        find_price("gpt-4o")
