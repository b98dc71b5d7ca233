"""trim() on bodies and lists of every format: what comes back has the same format."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any, get_args

import pytest
from drawn import any_history, shares
from hypothesis import assume, given
from hypothesis import strategies as st

from contextkit import (
    BudgetExceeded,
    FixedWindow,
    OptionError,
    StrategyError,
    SummaryCompression,
    TokenBudget,
    TrimResult,
    TruncateToolResults,
    check,
    convert,
    count,
    trim,
)
from contextkit.conversion.converting import Target
from contextkit.formats import detect_api
from contextkit.formats.native import read_native

Body = dict[str, Any]

FORMATS = get_args(Target)
KEYS = {"openai-responses": "input", "gemini": "contents"}

TOOL = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}

SUMMARY = SummaryCompression(keep_turns=1)

bodies = st.builds(
    lambda history, to: (to, _body(history, to)), any_history, st.sampled_from(FORMATS)
).filter(lambda drawn: bool(items(drawn[1], drawn[0])))  # a blank question alone is no message


def _body(history: list[dict[str, Any]], to: Target) -> Body:
    body = {"messages": history, "tools": [TOOL], "temperature": 0.5}
    return convert(body, to=to).body


def items(body: Body, api: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = body[KEYS.get(api, "messages")]
    return found


def trimmed(body: Body, share: float, **options: Any) -> TrimResult:
    try:
        return trim(body, max_tokens=max(1, int(count(body) * share)), **options)
    except BudgetExceeded:
        assume(False)
        raise


def calls_of(item: dict[str, Any]) -> list[str]:
    parts = item.get("content") if isinstance(item.get("content"), list) else item.get("parts")
    listed = [part for part in parts or [] if isinstance(part, dict)]
    found = [call["id"] for call in item.get("tool_calls") or []]
    found += [block["id"] for block in listed if block.get("type") == "tool_use"]
    found += [part["functionCall"]["id"] for part in listed if "functionCall" in part]
    return found + ([item["call_id"]] if item.get("type") == "function_call" else [])


def results_of(item: dict[str, Any]) -> list[str]:
    parts = item.get("content") if isinstance(item.get("content"), list) else item.get("parts")
    listed = [part for part in parts or [] if isinstance(part, dict)]
    found = [item["tool_call_id"]] if item.get("role") == "tool" else []
    found += [block["tool_use_id"] for block in listed if block.get("type") == "tool_result"]
    found += [part["functionResponse"]["id"] for part in listed if "functionResponse" in part]
    return found + ([item["call_id"]] if item.get("type") == "function_call_output" else [])


def calls_have_their_results(listed: list[dict[str, Any]]) -> None:
    """Ids asked for are answered before the model or the user speaks again, and no others."""
    waiting: list[str] = []
    for item in listed:
        answered = results_of(item)
        assert set(answered) <= set(waiting)
        waiting = [id for id in waiting if id not in answered]
        speaks = not answered and item.get("type") not in ("function_call", "reasoning")
        assert not (speaks and waiting)
        waiting += calls_of(item)
    assert not waiting


def has_new_blocks(listed: list[dict[str, Any]], sent: list[dict[str, Any]]) -> bool:
    """Whether what is sent has a text, call or result that was in no item."""
    old = json.dumps(listed, ensure_ascii=False)
    blocks = (part for item in sent for part in item.get("content") or item.get("parts") or [])
    return any(
        json.dumps(block, ensure_ascii=False) not in old
        for block in blocks
        if isinstance(block, dict)
    )


@given(bodies, shares)
def test_laws_of_a_trimmed_body(drawn: tuple[Target, Body], share: float) -> None:
    api, body = drawn
    before = copy.deepcopy(body)
    result = trimmed(body, share)
    sent, given_items = result.messages, items(body, api)
    assert body == before
    assert sent == items(dict(result.body), api)
    by_id = {id(item): place for place, item in enumerate(given_items)}
    places = [by_id[id(item)] for item in sent if id(item) in by_id]
    assert places == sorted(places) == list(result.kept)
    assert not has_new_blocks(given_items, sent)
    calls_have_their_results(sent)


@given(bodies, shares)
def test_a_new_object_is_only_what_was_cut_through(
    drawn: tuple[Target, Body], share: float
) -> None:
    api, body = drawn
    result = trimmed(body, share)
    old = {id(item) for item in items(body, api)}
    for item in result.messages:
        if id(item) not in old:
            assert api in ("anthropic", "gemini")
            assert item["role"] == "user"
            assert not results_of(item)


@given(bodies, shares, st.sampled_from([TokenBudget(), TokenBudget(low_water=0.5)]))
def test_the_body_has_the_tokens_that_the_result_says(
    drawn: tuple[Target, Body], share: float, strategy: TokenBudget
) -> None:
    api, body = drawn
    result = trimmed(body, share, strategy=strategy)
    assert count(dict(result.body), api=api) == result.tokens
    assert result.budget.limit is not None
    assert result.tokens <= result.budget.limit


@given(bodies)
def test_when_all_fits_the_body_is_the_input(drawn: tuple[Target, Body]) -> None:
    _, body = drawn
    result = trim(body, max_tokens=count(body))
    assert result.body is body
    assert not result.changed


@given(bodies, shares)
def test_other_keys_stay(drawn: tuple[Target, Body], share: float) -> None:
    api, body = drawn
    sent = dict(trimmed(body, share).body)
    key = KEYS.get(api, "messages")
    assert list(sent) == list(body)
    assert all(sent[name] is body[name] for name in body if name != key)


@given(bodies, shares)
def test_every_item_has_one_fate(drawn: tuple[Target, Body], share: float) -> None:
    api, body = drawn
    result = trimmed(body, share)
    fates = sorted([*result.kept, *result.dropped])
    assert len(set(fates)) == len(fates)
    assert [item is old for item, old in zip(result.undo(), items(body, api), strict=True)]
    split = set(range(len(items(body, api)))) - set(fates)
    assert all(results_of(items(body, api)[place]) for place in split)


@given(bodies, st.sampled_from([40, 120]))
def test_shortened_results_stay_in_their_format(drawn: tuple[Target, Body], cap: int) -> None:
    api, body = drawn
    result = trim(body, strategy=TruncateToolResults(max_tokens=cap))
    old = items(body, api)
    assert len(result.messages) == len(old)
    for item, was in zip(result.messages, old, strict=True):
        assert set(item) == set(was)
        assert calls_of(item) == calls_of(was)
        assert results_of(item) == results_of(was)
        assert (item is was) or results_of(item)
    assert count(dict(result.body), api=api) == result.tokens


@pytest.mark.parametrize("placement", ["user", "system", "pair"])
@given(bodies)
def test_memories_are_written_in_the_format_of_the_body(
    placement: Any, drawn: tuple[Target, Body]
) -> None:
    api, body = drawn
    opened = {"role": "user", "content": "我叫林晓雨，我的订单是 LX-20417。"}
    answered = {"role": "assistant", "content": "好的，我记住了。" * 60}
    talk = convert([opened, answered], to=api).messages
    body = {**body, KEYS.get(api, "messages"): [*talk, *items(body, api)]}
    result = trim(body, strategy=SummaryCompression(keep_turns=1, placement=placement))
    sent = dict(result.body)
    assert "LX-20417" in json.dumps(sent, ensure_ascii=False)
    calls_have_their_results(items(sent, api))
    again = convert(sent, to="openai-chat", source=api)
    assert "LX-20417" in json.dumps(again.messages, ensure_ascii=False)


@given(bodies)
def test_parse_then_render_is_the_identity(drawn: tuple[Target, Body]) -> None:
    """Every message written anew, none handed through, gives the same items."""
    api, body = drawn
    native = read_native(body)
    pieces = [(index, copy.deepcopy(data)) for index, data in enumerate(native.history.data)]
    assert native.sent(pieces) == items(body, api)
    assert native.body(pieces) == body


def test_a_question_behind_its_results_stays_when_they_go() -> None:
    use = {"type": "tool_use", "id": "t", "name": "read_log", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "all fine, " * 200}
    question = {"type": "text", "text": "那现在呢？"}
    body = {
        "messages": [
            {"role": "user", "content": "Read the log."},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result, question]},
        ]
    }
    sent = trim(body, max_tokens=60)
    assert sent.messages == [{"role": "user", "content": [question]}]
    assert sent.dropped == (0, 1)
    assert sent.kept == ()


def test_parallel_calls_of_responses_go_together() -> None:
    def round_(n: int) -> list[dict[str, Any]]:
        ids = (f"a{n}", f"b{n}")
        calls = [
            {"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"} for id in ids
        ]
        outputs = [
            {"type": "function_call_output", "call_id": id, "output": "很好 " * 30} for id in ids
        ]
        return [{"type": "reasoning", "id": f"rs_{n}", "summary": []}, *calls, *outputs]

    listed = [{"role": "user", "content": "go"}, *(item for n in range(8) for item in round_(n))]
    result = trim(listed, max_tokens=1_500)
    assert result.messages[0] is listed[0]
    assert (len(result.messages) - 1) % 5 == 0
    assert count(dict(result.body)) == result.tokens
    assert 0 < len(result.dropped) < len(listed) - 1
    assert [item["type"] for item in result.messages[1:6]] == [
        *("reasoning", "function_call", "function_call"),
        *("function_call_output", "function_call_output"),
    ]
    assert all(any(item is old for old in listed) for item in result.messages)


@st.composite
def late_outputs(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Responses items whose outputs stand anywhere behind their calls, which the server takes."""
    listed = items(_body(draw(any_history), "openai-responses"), "openai-responses")
    for number, item in enumerate(listed):
        place = draw(st.integers(number, min(number + 4, len(listed) - 1)))
        if item.get("type") == "function_call_output" and draw(st.booleans()):
            listed.insert(place, listed.pop(number))
    assume(not any(problem.severity == "rejected" for problem in check(listed)))
    return listed


@given(late_outputs(), shares, st.sampled_from([None, FixedWindow(turns=2), SUMMARY]))
def test_an_output_that_comes_late_goes_and_stays_with_its_call(
    listed: list[dict[str, Any]], share: float, strategy: Any
) -> None:
    result = trimmed({"input": listed}, share, strategy=strategy)
    faults = [problem.code for problem in check(result.messages)]
    assert not {"orphan_tool_result", "unanswered_tool_call"}.intersection(faults)
    by_id = {id(item): place for place, item in enumerate(listed)}
    places = [by_id[id(item)] for item in result.messages if id(item) in by_id]
    assert places == sorted(places) == list(result.kept)
    assert count(dict(result.body)) == result.tokens


@pytest.mark.parametrize(
    "listed",
    [
        [{"role": "user", "parts": [{"text": "你好"}]}],
        [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
        [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "x"}}]}],
    ],
)
def test_a_list_is_recognised(listed: list[Any]) -> None:
    assert trim(listed, max_tokens=4_000).messages[0] is listed[0]


def test_items_are_pinned_by_their_own_place() -> None:
    body = {
        "system": "Be brief.",
        "messages": [
            {"role": "user" if n % 2 == 0 else "assistant", "content": f"Note {n} " * 20}
            for n in range(21)
        ],
    }
    result = trim(body, max_tokens=250, pin=[2])
    assert 2 in result.kept
    assert result.messages[0] is body["messages"][2]


def test_a_body_of_bedrock_and_doubled_tools_are_refused() -> None:
    with pytest.raises(OptionError, match="convert"):
        trim({"messages": [{"role": "user", "content": [{"text": "hi"}]}]}, max_tokens=50)
    with pytest.raises(OptionError, match="tools"):
        trim({"messages": [{"role": "user", "content": "hi"}]}, max_tokens=50, tools=[TOOL])


def test_a_memory_that_a_bare_list_has_no_place_for_is_refused() -> None:
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    done = {"type": "tool_result", "tool_use_id": "t", "content": "ok"}
    listed = [
        {"role": "user", "content": "我叫林晓雨。" + "这是一个很长的故事。" * 80},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [done]},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "And now?"},
    ]
    memory = SummaryCompression(keep_turns=1, placement="system")
    with pytest.raises(StrategyError, match="no place for a system message"):
        trim(listed, strategy=memory)
    body = trim({"messages": listed}, strategy=memory, max_tokens=4_000).body
    assert "林晓雨" in str(body["system"])


@pytest.mark.data
def test_recorded_bodies(data: Path) -> None:
    """What was sent to a server and taken, in any format, is cut by the same laws."""
    seen = 0
    for file in sorted(data.glob("usage_pairs/*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                seen += _is_cut_lawfully(record)
    assert seen > 200


def _is_cut_lawfully(record: dict[str, Any]) -> bool:
    api = {"anthropic-messages": "anthropic"}.get(record["api"], record["api"])
    body = record["request"]
    if (
        api not in FORMATS
        or record.get("features", {}).get("server_state")
        or detect_api(body) != api
    ):
        return False
    total = count(body, model="gpt-4o", api=api)
    assert trim(body, model="gpt-4o", max_tokens=max(1, total)).body is body
    try:
        result = trim(body, model="gpt-4o", max_tokens=max(1, total * 7 // 10))
    except BudgetExceeded:
        return False
    assert count(dict(result.body), model="gpt-4o", api=api) == result.tokens
    return True
