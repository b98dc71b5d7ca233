"""The usage of every provider, read into one shape."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit import OptionError
from contextkit.counting.usage import input_tokens
from contextkit.pricing import Usage, read_usage

Record = dict[str, Any]

counts = st.integers(0, 200_000)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    """A usage that adds up."""
    output = draw(counts)
    return Usage(
        uncached=draw(counts),
        cache_read=draw(counts),
        cache_write_5m=draw(counts),
        cache_write_1h=draw(counts),
        output=output,
        reasoning=draw(st.integers(0, output)),
    )


def openai_chat(usage: Usage) -> Record:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_write_tokens": usage.written,
        },
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning, "audio_tokens": None},
    }


def openai_responses(usage: Usage) -> Record:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_write_tokens": usage.written,
        },
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def anthropic(usage: Usage) -> Record:
    return {
        "input_tokens": usage.uncached,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.written,
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_write_5m,
            "ephemeral_1h_input_tokens": usage.cache_write_1h,
        },
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
        "service_tier": "standard",
    }


def bedrock(usage: Usage) -> Record:
    return {
        "inputTokens": usage.uncached,
        "cacheReadInputTokens": usage.cache_read,
        "cacheWriteInputTokens": usage.written,
        "cacheDetails": [
            {"inputTokens": usage.cache_write_5m, "ttl": "5m"},
            {"inputTokens": usage.cache_write_1h, "ttl": "1h"},
        ],
        "outputTokens": usage.output,
        "totalTokens": usage.input + usage.output,
    }


def deepseek(usage: Usage) -> Record:
    return {
        "prompt_tokens": usage.input,
        "prompt_cache_hit_tokens": usage.cache_read,
        "prompt_cache_miss_tokens": usage.input - usage.cache_read,
        "completion_tokens": usage.output,
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def gemini(usage: Usage) -> Record:
    return {
        "promptTokenCount": usage.input,
        "cachedContentTokenCount": usage.cache_read,
        "candidatesTokenCount": usage.output - usage.reasoning,
        "thoughtsTokenCount": usage.reasoning,
        "totalTokenCount": usage.input + usage.output,
    }


def mistral(usage: Usage) -> Record:
    return {
        "prompt_tokens": usage.input,
        "num_cached_tokens": usage.cache_read,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
    }


def moonshot(usage: Usage) -> Record:
    return {
        "prompt_tokens": usage.input,
        "cached_tokens": usage.cache_read,
        "completion_tokens": usage.output,
    }


def qwen(usage: Usage) -> Record:
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "prompt_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_creation_input_tokens": usage.written,
        },
    }


SPOKEN: list[tuple[Callable[[Usage], Record], str]] = [
    (openai_chat, "read written reasoning"),
    (openai_responses, "read written reasoning"),
    (anthropic, "read written hour reasoning"),
    (bedrock, "read written hour"),
    (deepseek, "read reasoning"),
    (gemini, "read reasoning"),
    (mistral, "read"),
    (moonshot, "read"),
    (qwen, "read written"),
]
"""What each dialect can say."""


@pytest.mark.parametrize(("dialect", "says"), SPOKEN, ids=lambda v: getattr(v, "__name__", ""))
@given(usage=usages())
def test_every_token_is_read_into_the_class_it_was_written_from(
    dialect: Callable[[Usage], Record], says: str, usage: Usage
) -> None:
    read = read_usage(dialect(usage))
    assert (read.input, read.output) == (usage.input, usage.output)
    assert read.cache_read == usage.cache_read
    assert read.written == (usage.written if "written" in says else 0)
    assert read.cache_write_1h == (usage.cache_write_1h if "hour" in says else 0)
    assert read.reasoning == (usage.reasoning if "reasoning" in says else 0)
    assert not read.faults


@given(st.sampled_from([dialect for dialect, _ in SPOKEN]), usages(), st.integers(0, 1_000_000))
def test_cached_tokens_beyond_the_prompt_are_flagged_and_never_negative(
    dialect: Callable[[Usage], Record], usage: Usage, cached: int
) -> None:
    record = dialect(usage)
    details = record.get("prompt_tokens_details") or record.get("input_tokens_details")
    if details is None:
        return
    details["cached_tokens"] = cached
    read = read_usage(record)
    assert read.input == usage.input
    assert min(read.uncached, read.cache_read, read.written) >= 0
    assert bool(read.faults) == (cached + usage.written > usage.input)


def test_the_split_of_what_was_written_is_no_addition_to_it() -> None:
    read = read_usage(
        {
            "input_tokens": 0,
            "output_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation_input_tokens": 1_000_000,
            "cache_creation": {
                "ephemeral_5m_input_tokens": 600_000,
                "ephemeral_1h_input_tokens": 400_000,
            },
        }
    )
    assert (read.input, read.cache_write_5m, read.cache_write_1h) == (1_000_000, 600_000, 400_000)


def test_a_whole_response_is_read_with_its_service_tier() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    assert read_usage({"model": "gpt-4o", "service_tier": "flex", "usage": usage}).service == "flex"
    assert read_usage({"usage": usage, "service_tier": "default"}).service is None


def test_sdk_objects_are_read_as_they_come() -> None:
    from openai.types import CompletionUsage
    from openai.types.completion_usage import PromptTokensDetails

    usage = CompletionUsage(
        prompt_tokens=100,
        completion_tokens=5,
        total_tokens=105,
        prompt_tokens_details=PromptTokensDetails(cached_tokens=64),
    )
    assert read_usage(usage) == Usage(uncached=36, cache_read=64, output=5)


def test_audio_and_images_are_counted_inside_their_class() -> None:
    read = read_usage(
        {
            "promptTokenCount": 3_297,
            "cachedContentTokenCount": 2_918,
            "candidatesTokenCount": 55,
            "promptTokensDetails": [
                {"modality": "TEXT", "tokenCount": 2_976},
                {"modality": "AUDIO", "tokenCount": 321},
            ],
            "cacheTokensDetails": [{"modality": "AUDIO", "tokenCount": 284}],
        }
    )
    assert (read.audio, read.cached_audio, read.uncached) == (37, 284, 379)


def test_what_only_the_total_tells_is_added() -> None:
    audio = {"prompt_tokens": 9, "completion_tokens": 248, "total_tokens": 632}
    read = read_usage({**audio, "prompt_tokens_details": {"audio_tokens": 375}})
    assert (read.input, read.audio, read.output) == (384, 375, 248)
    reasoning = {"prompt_tokens": 9, "completion_tokens": 10, "total_tokens": 49}
    read = read_usage({**reasoning, "completion_tokens_details": {"reasoning_tokens": 30}})
    assert (read.output, read.reasoning) == (40, 30)


def test_calls_inside_a_request_are_kept_apart_with_their_model() -> None:
    read = read_usage(
        {
            "input_tokens": 181,
            "output_tokens": 8,
            "iterations": [
                {"type": "compaction", "input_tokens": 100, "output_tokens": 83},
                {"type": "advisor_message", "model": "claude-opus-4-8", "input_tokens": 9},
                {"type": "message", "input_tokens": 181, "output_tokens": 8},
            ],
        }
    )
    assert read.input == 181
    assert [(model, call.input) for model, call in read.extra] == [
        (None, 100),
        ("claude-opus-4-8", 9),
    ]


@pytest.mark.parametrize(
    "broken",
    [
        None,
        "usage",
        {},
        {"input": "你好"},
        {"total_tokens": 5, "completion_tokens": 2},
        {"prompt_tokens": -1},
        {"prompt_tokens": 3.5},
        {"prompt_tokens": True},
        {"prompt_tokens": "12"},
        {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": -2}},
    ],
)
def test_what_is_no_usage_is_an_error(broken: Any) -> None:
    with pytest.raises(OptionError, match="usage"):
        read_usage(broken)


@pytest.fixture(scope="session")
def recorded(data: Path) -> list[Record]:
    """Every recorded answer with its usage, by file."""
    return list(_recorded(data))


def _recorded(data: Path) -> Iterator[Record]:
    for file in sorted(data.glob("usage_pairs/*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from ({**json.loads(line), "file": file.name} for line in lines)


@pytest.mark.data
def test_every_recorded_usage_adds_up_to_its_own_total(recorded: list[Record]) -> None:
    for record in recorded:
        usage, read = record["usage"], read_usage(record["usage"])
        total = usage.get("total_tokens", usage.get("totalTokens", usage.get("totalTokenCount")))
        assert total is None or total == read.input + read.output, record["id"]
        searched = usage.get("toolUsePromptTokenCount", 0)
        audio_apart = read.audio if "prompt_audio_seconds" in usage else 0
        if "totalBillableCharacters" not in usage and set(usage) - {
            "totalTokens",
            "promptTokensDetails",
        }:
            assert read.input == input_tokens(usage) + searched + audio_apart, record["id"]


@pytest.mark.data
def test_only_known_records_contradict_themselves(recorded: list[Record]) -> None:
    faulty = [record for record in recorded if read_usage(record["usage"]).faults]
    grok = [record for record in faulty if record["model"].startswith("grok")]
    assert len(grok) == 8
    assert [record["file"] for record in faulty if record not in grok] == ["openrouter.jsonl.gz"]
