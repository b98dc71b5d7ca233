"""Counts of Claude requests, with the vocabulary and without, and of models hosted elsewhere."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from drawn import histories
from hypothesis import given

from contextkit import Count, OptionError, count
from contextkit.counting.anthropic import ClaudeCounter, anthropic_counter, claude_counter
from contextkit.counting.anthropic_models import version_and_tier, vocabulary_of
from contextkit.counting.claude_estimate import claude_estimate
from contextkit.counting.counters import Counter
from contextkit.counting.hosted import (
    cohere_counter,
    estimated_counter,
    grok_counter,
    nova_counter,
)
from contextkit.counting.vocabularies import is_installed, text_counter
from contextkit.formats import Api

Dict = dict[str, Any]

needs_vocabulary = pytest.mark.skipif(
    not is_installed("claude-3"), reason="the vocabulary of Claude is not installed"
)

WEATHER: Dict = {
    "name": "get_weather",
    "description": "Weather now",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
}
CALL: Dict = {"type": "tool_use", "id": "t1", "name": "get_weather", "input": {"city": "Bergen"}}
RESULT: Dict = {"type": "tool_result", "tool_use_id": "t1", "content": "Rain, 9 degrees"}


def say(role: str, content: Any) -> Dict:
    return {"role": role, "content": content}


def body(*messages: Dict, **options: Any) -> Dict:
    return {"max_tokens": 9, "messages": list(messages), **options}


def counted(request: Dict, model: str = "claude-haiku-4-5") -> Count:
    return count(request, model=model, api="anthropic")


# Worked by hand, in the model's own vocabulary


@needs_vocabulary
@pytest.mark.parametrize(
    ("messages", "tokens"),
    [
        ([say("user", "")], 1 + 3 + 3),
        ([say("user", ""), say("assistant", "")], 1 + 3 + 3),
        ([say("user", ""), say("assistant", ""), say("user", "")], 1 + 3 + 3 + 3 + 3),
    ],
)
def test_a_turn_costs_three_and_so_does_the_one_to_come(messages: list[Dict], tokens: int) -> None:
    total = counted(body(*messages))
    assert (total, total.method) == (tokens, "exact")


@needs_vocabulary
def test_text_blocks_are_one_text() -> None:
    halves = [{"type": "text", "text": "Un"}, {"type": "text", "text": "believable"}]
    assert counted(body(say("user", halves))) == counted(body(say("user", "Unbelievable")))


@needs_vocabulary
def test_instructions_have_no_frame_and_lose_their_last_line_break() -> None:
    text = text_counter("claude-3")
    plain = counted(body(say("user", "Hi")))
    assert counted(body(say("user", "Hi"), system="Be brief.\n")) - plain == text("Be brief.")


@needs_vocabulary
def test_what_clients_send_for_accounting_is_not_counted() -> None:
    header = {"type": "text", "text": "x-anthropic-billing-header: cc_version=1;"}
    brief = {"type": "text", "text": "Be brief."}
    with_header = counted(body(say("user", "Hi"), system=[header, brief]))
    assert with_header == counted(body(say("user", "Hi"), system=[brief]))


@needs_vocabulary
def test_a_tool_is_a_line_behind_a_hidden_text() -> None:
    text = text_counter("claude-3")
    line = (
        '<function>{"description": "Weather now", "name": "get_weather", "parameters": '
        '{"properties": {"city": {"type": "string"}}, "type": "object"}}</function>\n'
    )
    more = counted(body(say("user", "Hi"), tools=[WEATHER])) - counted(body(say("user", "Hi")))
    assert more == 496 + text(line) + 1


@needs_vocabulary
def test_a_named_tool_and_instructions_add_a_name_and_a_section() -> None:
    choice = {"type": "tool", "name": "get_weather"}
    auto = counted(body(say("user", "Hi"), tools=[WEATHER]))
    named = counted(body(say("user", "Hi"), tools=[WEATHER], tool_choice=choice))
    assert named - auto == 590 - 496 + text_counter("claude-3")("get_weather")
    system = counted(body(say("user", "Hi"), tools=[WEATHER], system="Be brief."))
    assert system - auto == text_counter("claude-3")("Be brief.") + 1


@needs_vocabulary
def test_a_call_and_its_result_are_written_as_one_text() -> None:
    asked = [say("user", "Rain?")]
    answered = [*asked, say("assistant", [CALL]), say("user", [RESULT])]
    name = "antml:"
    written = (
        f'<{name}function_calls>\n<{name}invoke name="get_weather">\n'
        f'<{name}parameter name="city">Bergen</{name}parameter>\n</{name}invoke>\n'
        f"</{name}function_calls>\n\n<function_results>Rain, 9 degrees</function_results>\n\n"
    )
    more = counted(body(*answered, tools=[WEATHER])) - counted(body(*asked, tools=[WEATHER]))
    assert more == text_counter("claude-3")(written) + 1 + 1


@needs_vocabulary
def test_a_result_that_reports_an_error_costs_more() -> None:
    failed = {**RESULT, "is_error": True}
    asked = [say("user", "Rain?"), say("assistant", [CALL])]
    fine, bad = (counted(body(*asked, say("user", [result]))) for result in (RESULT, failed))
    assert 4 < bad - fine < 16


@needs_vocabulary
def test_thinking_costs_the_same_whatever_its_budget() -> None:
    plain = counted(body(say("user", "Hi")))
    for budget in (1024, 32_000):
        thinking = {"type": "enabled", "budget_tokens": budget}
        assert counted(body(say("user", "Hi"), thinking=thinking)) - plain == 29


@needs_vocabulary
def test_a_schema_is_written_with_indents() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    wanted = {"format": {"type": "json_schema", "schema": schema}}
    more = counted(body(say("user", "Hi"), output_config=wanted)) - counted(body(say("user", "Hi")))
    assert more == 81 + text_counter("claude-3")(json.dumps(schema, indent=2))


@needs_vocabulary
@pytest.mark.parametrize(
    ("size", "tokens"),
    [((28, 28), 1 + 3), ((640, 480), 23 * 18 + 3), ((8000, 28), 56 * 1 + 3)],
)
def test_an_image_costs_a_token_a_tile(size: tuple[int, int], tokens: int) -> None:
    width, height = size
    image = {"type": "image", "source": {"type": "url", "width": width, "height": height}}
    more = counted(body(say("user", [image]))) - counted(body(say("user", [])))
    assert more == tokens


def test_the_length_of_base64_does_not_matter() -> None:
    small, large = (
        {"type": "image", "source": {"type": "base64", "data": "A" * size}} for size in (40, 40_000)
    )
    assert counted(body(say("user", [small]))) == counted(body(say("user", [large])))


def test_newer_models_have_the_tools_of_a_search_and_older_ones_do_not() -> None:
    deferred = {**WEATHER, "defer_loading": True}
    lines = [
        counted(body(say("user", "Hi"), tools=[deferred]), model)
        - counted(body(say("user", "Hi"), tools=[]), model)
        for model in ("claude-haiku-4-5", "claude-opus-5")
    ]
    assert lines[0] == 496
    assert lines[1] > 300


@needs_vocabulary
def test_the_wire_formats_agree() -> None:
    arguments = json.dumps(CALL["input"])
    function = {"name": "get_weather", "arguments": arguments}
    parameters = WEATHER["input_schema"]
    chat = {
        "messages": [
            say("system", "Be brief."),
            say("user", "Rain?"),
            {
                **say("assistant", None),
                "tool_calls": [{"id": "t1", "type": "function", "function": function}],
            },
            {**say("tool", "Rain, 9 degrees"), "tool_call_id": "t1"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "get_weather",
                    "description": "Weather now",
                    "parameters": parameters,
                },
            }
        ],
    }
    converse = {
        "system": [{"text": "Be brief."}],
        "messages": [
            say("user", [{"text": "Rain?"}]),
            say("assistant", [{"toolUse": {"toolUseId": "t1", **_named(CALL)}}]),
            say(
                "user",
                [{"toolResult": {"toolUseId": "t1", "content": [{"text": "Rain, 9 degrees"}]}}],
            ),
        ],
        "toolConfig": {
            "tools": [
                {
                    "toolSpec": {
                        "name": "get_weather",
                        "description": "Weather now",
                        "inputSchema": {"json": parameters},
                    }
                },
                {"cachePoint": {"type": "default"}},
            ]
        },
    }
    own = body(
        say("user", "Rain?"),
        say("assistant", [CALL]),
        say("user", [RESULT]),
        tools=[WEATHER],
        system="Be brief.",
    )
    total = counted(own)
    assert count(chat, model="claude-haiku-4-5", api="openai-chat") == total
    assert count(converse, model="claude-haiku-4-5", api="bedrock") == total


def _named(call: Mapping[str, Any]) -> Dict:
    return {"name": call["name"], "input": call["input"]}


# Names


@pytest.mark.parametrize(
    ("name", "version", "tier", "vocabulary"),
    [
        ("claude-3-haiku-20240307", (3, 0), "haiku", "claude-3"),
        ("claude-3-5-sonnet-20240620-v1:0", (3, 5), "sonnet", "claude-3"),
        ("claude-4.6-sonnet-20260217", (4, 6), "sonnet", "claude-3"),
        ("claude-sonnet-4-20250514", (4, 0), "sonnet", "claude-3"),
        ("claude-opus-4.7", (4, 7), "opus", "claude-4.7"),
        ("claude-opus-4-8", (4, 8), "opus", "claude-4.8"),
        ("claude-fable-5", (5, 0), "fable", "claude-4.8"),
        ("claude-next", (5, 0), "next", "claude-4.8"),
    ],
)
def test_names_old_and_new(name: str, version: tuple[int, int], tier: str, vocabulary: str) -> None:
    assert version_and_tier(name) == (version, tier)
    assert vocabulary_of(version) == vocabulary


# Without the vocabulary


def estimating(name: str = "claude-haiku-4-5") -> ClaudeCounter:
    return claude_counter(name, "anthropic", knows_vocabulary=False)


def test_the_estimate_says_so_and_has_a_range() -> None:
    request = body(say("user", "What is the capital of France?"), tools=[WEATHER])
    total = count(request, counter=estimating(), api="anthropic")
    assert total.method == "estimate"
    assert total.low < total < total.high


@needs_vocabulary
@pytest.mark.parametrize(
    "text",
    [
        "The river carries more water in May than in any other month of the year. " * 4,
        "请把这份合同的第三条改成双方各自承担费用，并在周五之前发给我确认。" * 4,
        "def area(width: float, height: float) -> float:\n    return width * height\n" * 4,
    ],
)
@pytest.mark.parametrize("vocabulary", ["claude-3", "claude-4.7", "claude-4.8"])
def test_the_estimate_is_near_the_vocabulary(text: str, vocabulary: str) -> None:
    wide = 0.15 if vocabulary == "claude-3" else 0.3
    assert claude_estimate(vocabulary)(text) == pytest.approx(
        text_counter(vocabulary)(text), rel=wide
    )


def test_the_estimate_of_nothing_is_nothing_and_of_anything_at_least_one() -> None:
    estimate = claude_estimate("claude-4.8")
    assert estimate("") == 0
    assert estimate("1") >= 1


# Laws

COUNTERS: Sequence[Counter] = (
    anthropic_counter("claude-haiku-4-5", "openai-chat"),
    claude_counter("claude-opus-5", "openai-chat", knows_vocabulary=False),
    grok_counter("grok-4.3", "openai-chat"),
    cohere_counter("command-a-03-2025", "openai-chat"),
    nova_counter("nova-lite-v1:0", "bedrock"),
    estimated_counter("glm-4.7", "openai-chat"),
)


@given(history=histories())
def test_parts_sum_and_the_interval_holds_the_count(history: list[Dict]) -> None:
    for counter in COUNTERS:
        total = count(history, counter=counter)
        assert sum(part.tokens for part in total.parts) == total
        assert total.low <= total <= total.high
        assert all(part.tokens >= 0 for part in total.parts)
        indices = [part.index for part in total.parts if part.index is not None]
        assert indices == list(range(len(history)))


@given(history=histories())
def test_one_more_message_never_costs_less(history: list[Dict]) -> None:
    for counter in COUNTERS:
        totals = [count(history[:size], counter=counter) for size in range(len(history) + 1)]
        assert totals == sorted(totals)


# Awkward input


@pytest.mark.parametrize("arguments", ["", "not json", "[1, 2]", '"text"', "null", "[" * 5000])
def test_arguments_of_any_kind_are_counted(arguments: str) -> None:
    function = {"name": "f", "arguments": arguments}
    call = {**say("assistant", None), "tool_calls": [{"id": "c", "function": function}]}
    assert count([say("user", "Hi"), call], counter=anthropic_counter("claude-3-opus", "anthropic"))


@pytest.mark.parametrize(
    "block",
    [
        {"type": "document", "source": {"type": "text", "data": "Some text."}},
        {"type": "document", "source": {"type": "content", "content": [{"text": "Text."}]}},
        {"type": "document", "source": {"type": "base64", "data": "JVBERi0="}},
        {"type": "document", "source": {"type": "url"}, "citations": {"enabled": True}},
        {"type": "document", "document": {"format": "txt", "source": {"bytes": "SGkgdGhlcmU="}}},
        {"type": "document", "document": {"format": "txt", "source": {"bytes": "no base64!"}}},
        {"type": "search_result", "content": [{"type": "text", "text": "Found."}]},
        {"type": "tool_reference", "tool_name": "get_weather"},
        {"type": "server_tool_use", "name": "web_search", "input": {"query": "rain"}},
    ],
)
def test_blocks_that_are_no_text_are_estimates(block: Dict) -> None:
    total = counted(body(say("user", [{"type": "text", "text": "See here"}, block])))
    assert total.method == "estimate"
    assert total.low < total < total.high


def test_tools_of_the_server_are_estimates() -> None:
    memory = {"type": "memory_20250818", "name": "memory"}
    other = {"type": "time_machine_20290101", "name": "time_machine"}
    for tools in ([memory], [other]):
        total = counted(body(say("user", "Hi"), tools=tools))
        assert (total.method, total > 1_400) == ("estimate", True)


def test_a_tool_that_is_no_mapping_is_an_error() -> None:
    with pytest.raises(OptionError, match="tool 0 is str"):
        counted(body(say("user", "Hi"), tools=["get_weather"]))


# Hosted models


def test_hidden_text_of_hosted_models_is_in_the_frame() -> None:
    hello = [say("user", "Hello there")]
    assert count(hello, counter=grok_counter("grok-4.3", "openai-chat")) == 192 + 2
    assert count(hello, counter=cohere_counter("command-a-03-2025", "openai-chat")) == 495 + 2
    assert count(hello, counter=nova_counter("nova-2-lite-v1:0", "bedrock")) == 46 + 2


def test_hidden_reasoning_is_estimated_by_its_length() -> None:
    thought = {"type": "reasoning", "encrypted_content": "A" * 1000}
    request = {"input": [{"role": "user", "content": "Hi"}, thought], "model": "grok-4.3"}
    plain = {**request, "input": request["input"][:1]}
    more = count(request, model="grok-4.3") - count(plain, model="grok-4.3")
    assert more == 150


# Recorded requests


@dataclass(frozen=True, slots=True)
class Pair:
    """A recorded request and what the provider's server counted."""

    request: Dict
    model: str
    api: Api
    kind: str
    tokens: int


_APIS: Mapping[str, Api] = {
    "anthropic-messages": "anthropic",
    "anthropic-count-tokens": "anthropic",
    "bedrock-converse": "bedrock",
    "openai-chat": "openai-chat",
    "openai-responses": "openai-responses",
}
_UNKNOWABLE = ("mcp_servers", "context_management")


def claude_pairs(data: Path) -> Iterator[Pair]:
    """Recorded requests to Claude with nothing in them that only the server knows."""
    for name in ("anthropic", "bedrock", "openrouter"):
        with gzip.open(data / "usage_pairs" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                pair = _pair(record)
                if pair and not any(key in pair.request for key in _UNKNOWABLE):
                    yield pair


def _pair(record: Dict) -> Pair | None:
    features, tokens = record.get("features") or {}, record["usage_norm"].get("prompt_tokens")
    model, api = str(record.get("response_model") or record["model"]), _APIS.get(record["api"])
    hidden = features.get("server_tools") or features.get("server_state")
    media = features.get("images") or features.get("files")
    if not api or not tokens or hidden or media or "claude" not in model:
        return None
    kind = "tools" if features.get("n_tools") or features.get("tool_results") else "text"
    return Pair(record["request"], model, api, kind, tokens)


def errors(pairs: Sequence[Pair], counter_of: Any) -> list[float]:
    totals = [
        count(pair.request, counter=counter_of(pair.model, pair.api), api=pair.api)
        for pair in pairs
    ]
    return [abs(int(t) - p.tokens) / p.tokens for t, p in zip(totals, pairs, strict=True)]


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@pytest.mark.data
@needs_vocabulary
def test_recorded_requests_are_met(data: Path) -> None:
    pairs = list(claude_pairs(data))
    totals = [count(pair.request, model=pair.model, api=pair.api) for pair in pairs]
    off = [abs(int(total) - pair.tokens) for total, pair in zip(totals, pairs, strict=True)]
    within = [t.low <= p.tokens <= t.high for t, p in zip(totals, pairs, strict=True)]
    assert len(pairs) > 300
    assert sum(distance == 0 for distance in off) / len(pairs) >= 0.82
    assert sum(distance <= 2 for distance in off) / len(pairs) >= 0.90
    assert percentile([o / p.tokens for o, p in zip(off, pairs, strict=True)], 0.95) <= 0.06
    assert sum(within) / len(pairs) >= 0.95


@pytest.mark.data
@pytest.mark.parametrize(("kind", "most", "p95"), [("text", 0.04, 0.22), ("tools", 0.02, 0.07)])
def test_recorded_requests_are_estimated(data: Path, kind: str, most: float, p95: float) -> None:
    pairs = [pair for pair in claude_pairs(data) if pair.kind == kind]

    def counter_of(model: str, api: Api) -> ClaudeCounter:
        from contextkit.models import bare_name

        return claude_counter(bare_name(model), api, knows_vocabulary=False)

    found = errors(pairs, counter_of)
    assert median(found) <= most
    assert percentile(found, 0.95) <= p95
