"""The rules of each provider, on histories and on bodies in its own format."""

from __future__ import annotations

import copy
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit import OptionError, check, count, repair, trim
from contextkit.diagnosis.providers import PROVIDERS
from contextkit.diagnosis.repair import MENDED

Message = dict[str, Any]

USER = {"role": "user", "content": "你好"}
ANSWER = {"role": "assistant", "content": "您好！"}
SYSTEM = {"role": "system", "content": "Be brief."}


def call(id: str = "c23456789", name: str = "f", arguments: str = "{}") -> Message:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*made: Message) -> Message:
    return {"role": "assistant", "content": "", "tool_calls": list(made)}


def tool(id: str = "c23456789") -> Message:
    return {"role": "tool", "tool_call_id": id, "content": "ok"}


CHAT: dict[str, tuple[list[Message], int | None, dict[str, str]]] = {
    "first_not_user": (
        [ANSWER, USER],
        0,
        {"anthropic": "rejected", "bedrock": "risky", "gemini": "risky", "strict": "rejected"},
    ),
    "call_without_user_turn": (
        [SYSTEM, calls(call()), tool(), USER],
        1,
        dict.fromkeys(("anthropic", "bedrock", "gemini", "strict"), "rejected"),
    ),
    "no_user_message": (
        [SYSTEM],
        None,
        dict.fromkeys(("anthropic", "bedrock", "gemini", "qwen", "strict"), "rejected"),
    ),
    "same_role_twice": (
        [USER, USER],
        1,
        {"anthropic": "risky", "bedrock": "risky", "gemini": "risky", "strict": "rejected"},
    ),
    "instructions_not_first": (
        [USER, ANSWER, SYSTEM, USER],
        2,
        {
            **dict.fromkeys(("anthropic", "bedrock", "gemini", "qwen", "mistral"), "risky"),
            "strict": "rejected",
        },
    ),
    "several_instructions": ([SYSTEM, SYSTEM, USER], 1, {"qwen": "risky", "strict": "rejected"}),
    "last_is_assistant": (
        [USER, ANSWER],
        1,
        {"anthropic": "risky", "bedrock": "risky", "mistral": "rejected", "strict": "risky"},
    ),
    "user_after_result": ([USER, calls(call()), tool(), USER], 3, {"mistral": "risky"}),
    "developer_role": (
        [{"role": "developer", "content": "简短"}, USER],
        0,
        dict.fromkeys(("deepseek", "qwen", "mistral", "strict"), "rejected"),
    ),
    "empty_text": (
        [{"role": "user", "content": " \n"}, ANSWER, USER],
        0,
        {"anthropic": "rejected", "bedrock": "risky", "gemini": "risky", "strict": "risky"},
    ),
    "trailing_white_space": (
        [USER, {"role": "assistant", "content": "答案是 "}],
        1,
        {"anthropic": "rejected", "bedrock": "rejected"},
    ),
    "call_id_characters": (
        [USER, calls(call("functions.f:0")), tool("functions.f:0")],
        1,
        {"anthropic": "rejected", "bedrock": "risky"},
    ),
    "call_id_not_nine": ([USER, calls(call("c1")), tool("c1")], 1, {"mistral": "rejected"}),
    "call_id_too_long": (
        [USER, calls(call("c" * 41)), tool("c" * 41)],
        1,
        {"openai": "rejected"},
    ),
    "function_name_characters": (
        [USER, calls(call(name="查询")), tool()],
        1,
        dict.fromkeys(("openai", "anthropic", "bedrock", "deepseek"), "rejected"),
    ),
    "arguments_not_object": (
        [USER, calls(call(arguments="[1]")), tool()],
        1,
        {
            **dict.fromkeys(("anthropic", "bedrock", "gemini", "strict"), "rejected"),
            **dict.fromkeys(("qwen", "mistral"), "risky"),
        },
    ),
    "name_characters": ([{**USER, "name": "Lin Xiao"}], 0, {"openai": "rejected"}),
    "foreign_part": (
        [{"role": "user", "content": [{"type": "input_text", "text": "?"}]}, tool()],
        0,
        {"openai": "rejected"},
    ),
    "part_no_text": (
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://x"}}]}],
        0,
        {"deepseek": "rejected", "strict": "rejected"},
    ),
    "resent_reasoning": (
        [USER, {**ANSWER, "reasoning_content": "想"}, USER],
        1,
        {"deepseek": "risky"},
    ),
    "null_content": ([USER, {**calls(call()), "content": None}, tool()], 1, {"strict": "risky"}),
}


@pytest.mark.parametrize("code", CHAT)
def test_each_provider_takes_a_fault_in_its_own_way(code: str) -> None:
    messages, index, expected = CHAT[code]
    for provider in PROVIDERS:
        found = [p for p in check(messages, provider=provider) if p.code == code]
        assert (
            {p.severity for p in found} == {expected[provider]} - {""}
            if provider in expected
            else not found
        )
        assert not found or found[0].index == index


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_plain_conversation_with_a_call_is_fine_everywhere(provider: str) -> None:
    closing = [ANSWER, USER]
    assert check([SYSTEM, USER, calls(call()), tool(), *closing], provider=provider) == []


def test_an_unknown_provider_is_an_error_that_names_near_ones() -> None:
    with pytest.raises(OptionError, match=r"did you mean 'deepseek'.*anthropic"):
        check([USER], provider="deepsek")


# The providers' own formats


def names(messages: Any, provider: str) -> list[tuple[str, int | None, str | None]]:
    return [(p.code, p.index, p.id) for p in check(messages, provider=provider)]


def test_anthropic_blocks_are_judged_where_they_stand() -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "q"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "a", "name": "f", "input": {}},
                {"type": "tool_use", "id": "b", "name": "f", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "here"},
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "zzz", "content": "2"},
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": ""}]},
        {"role": "user", "content": "next"},
    ]
    expected = [
        ("unanswered_tool_call", 1, "b"),
        ("results_not_first", 2, None),
        ("orphan_tool_result", 2, "zzz"),
        ("empty_text", 3, None),
    ]
    assert names(messages, "anthropic") == expected
    body = {"model": "claude-opus-4-8", "max_tokens": 9, "system": "s", "messages": messages}
    assert names(body, "anthropic") == expected


def test_neighbouring_turns_of_one_speaker_are_one_turn_to_anthropic() -> None:
    use = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    answered = {"type": "tool_result", "tool_use_id": "a", "content": "1"}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [use]},
        {"role": "assistant", "content": [{**use, "id": "b"}]},
        {"role": "user", "content": [answered]},
        {"role": "user", "content": [{**answered, "tool_use_id": "b"}]},
    ]
    assert {code for code, _, _ in names(messages, "anthropic")} == {"same_role_twice"}


def test_gemini_contents_pair_calls_and_responses_by_name() -> None:
    called = {"name": "查天气", "args": {"城市": "杭州"}}
    made = {"functionCall": called, "thoughtSignature": "c2lnbmVk"}
    said = {"functionResponse": {"name": "查天气", "response": {"result": "雨"}}}
    opening = {"role": "user", "parts": [{"text": "天气？"}]}
    contents = [
        opening,
        {"role": "model", "parts": [made, made]},
        {"role": "user", "parts": [said]},
    ]
    assert names(contents, "gemini") == [("unanswered_tool_call", 1, "查天气")]
    whole = [*contents, {"role": "user", "parts": [said]}]
    assert names({"contents": whole}, "gemini") == [("same_role_twice", 3, None)]
    assert names([*contents[1:2], opening], "gemini")[0] == ("call_without_user_turn", 0, None)
    wrong = [{"role": "assistant", "parts": []}]
    assert ("unknown_role", 0, None) in names(wrong, "gemini")


def test_responses_items_pair_by_id_wherever_they_stand() -> None:
    made = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
    said = {"type": "function_call_output", "call_id": "a", "output": "1"}
    text = {"role": "user", "content": "q"}
    assert names([text, made, {**made, "call_id": "b"}, text, said], "openai") == [
        ("unanswered_tool_call", 2, "b")
    ]
    assert names({"input": [said]}, "openai") == [("orphan_tool_result", 0, "a")]
    assert names({"input": [said], "previous_response_id": "r"}, "openai") == []
    assert names({"input": "你好"}, "openai") == []


def test_reasoning_goes_back_to_deepseek_with_the_calls_that_it_led_to() -> None:
    thought = {"reasoning_content": "用户想知道天气"}
    called = {**calls(call()), **thought}
    talk = [USER, called, tool(), {**ANSWER, **thought}, USER]
    assert names(talk, "deepseek") == []
    assert repair(talk, provider="deepseek").messages == talk
    lost = [USER, called, tool(), ANSWER, USER, calls(call("d23456789")), tool("d23456789")]
    assert names(lost, "deepseek") == [
        ("missing_reasoning", 3, None),
        ("missing_reasoning", 5, None),
    ]
    assert names([USER, calls(call()), tool(), USER], "deepseek") == []
    idle = [USER, {**ANSWER, **thought}, *talk]
    assert repair(idle, provider="deepseek").messages == [USER, ANSWER, *talk]


def test_thinking_stands_in_front_of_the_calls_of_the_open_turn() -> None:
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    done = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}
    thought = {"type": "thinking", "thinking": "想", "signature": "s"}
    bare, whole = ({"role": "assistant", "content": [*c, use]} for c in ([], [thought]))
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
    body = {**thinking, "messages": [USER, bare, done]}
    assert names(body, "anthropic") == [("missing_thinking", 1, None)]
    assert names({**body, "thinking": {"type": "adaptive"}}, "anthropic") == []
    assert names({**body, "messages": [USER, whole, done]}, "anthropic") == []
    assert names({**body, "messages": [USER, bare, done, ANSWER, USER]}, "anthropic") == []


def test_gemini_wants_the_signature_of_the_first_call_of_each_step() -> None:
    def called(**beside: str) -> Message:
        return {"functionCall": {"name": "f", "args": {}}, **beside}

    def step(*parts: Message) -> list[Message]:
        response = {"functionResponse": {"name": "f", "response": {}}}
        return [{"role": "model", "parts": [*parts]}, {"parts": [response] * len(parts)}]

    asked = {"role": "user", "parts": [{"text": "q"}]}
    signed = called(thoughtSignature="s")
    assert names([asked, *step(signed, called()), *step(signed)], "gemini") == []
    faults = names([asked, *step(signed), *step(called())], "gemini")
    assert faults == [("missing_signature", 3, None)]
    told = {"role": "model", "parts": [{"text": "a"}]}
    assert names([asked, *step(called()), told, asked], "gemini") == []


def test_a_body_that_the_provider_does_not_speak_is_an_error() -> None:
    with pytest.raises(OptionError, match="gemini format, which openai does not speak"):
        check({"contents": [{"parts": [{"text": "hi"}]}]}, provider="openai")


def test_without_a_provider_the_rules_of_the_format_hold() -> None:
    greeting = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f"}]}
    assert [problem.code for problem in check([greeting])] == [
        problem.code for problem in check([greeting], provider="anthropic")
    ]
    assert check({"contents": [{"role": "user", "parts": [{"text": "你好"}]}]}) == []
    assert check([{"role": "assistant", "content": "您好"}]) == []


def test_what_cannot_be_read_is_named_among_the_rest() -> None:
    messages = [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]}, 7]
    assert [(code, index) for code, index, _ in names(messages, "anthropic")] == [
        ("orphan_tool_result", 0),
        ("unreadable_message", 1),
    ]


# Real requests and real histories

_RULES_OF = {
    "anthropic-messages": "anthropic",
    "anthropic-count-tokens": "anthropic",
    "gemini": "gemini",
    "gemini-count-tokens": "gemini",
    "bedrock-converse": "bedrock",
    "openai-responses": "openai",
    "openai-chat": "openai",
}


def accepted_requests(data: Path) -> Iterator[tuple[str, str, Message]]:
    """Every recorded request with the rules of its provider."""
    for file in sorted(data.glob("usage_pairs/*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                rules = _RULES_OF.get(record["api"])
                if rules == "openai" and record["provider"] in PROVIDERS:
                    rules = str(record["provider"])
                if rules is not None:
                    yield record["id"], rules, record["request"]


@pytest.mark.data
def test_no_request_that_a_server_took_is_called_rejected(data: Path) -> None:
    seen: Counter[str] = Counter()
    for id, provider, body in accepted_requests(data):
        seen[provider] += 1
        assert [p for p in check(body, provider=provider) if p.severity == "rejected"] == [], id
    assert set(seen) == {"openai", "anthropic", "bedrock", "gemini", "deepseek", "mistral"}
    assert seen.total() > 2_000


@pytest.mark.data
def test_every_unanswered_call_and_empty_answer_of_the_long_sessions_is_named(
    trajectories: list[list[Message]],
) -> None:
    named: Counter[str] = Counter()
    for history in trajectories:
        problems = {(p.code, p.index) for p in check(history)}
        for index, message in enumerate(history):
            behind = []
            for later in history[index + 1 :]:
                if later["role"] != "tool":
                    break
                behind.append(later.get("tool_call_id"))
            made = message.get("tool_calls") or ()
            if any(each["id"] not in behind for each in made):
                named["open"] += 1
                codes = {code for code, place in problems if place == index}
                assert "unanswered_tool_call" in codes or _comes_later(history, index)
            if message["role"] == "assistant" and message.get("content") is None and not made:
                named["empty"] += 1
                assert ("empty_assistant_message", index) in problems
    assert named["open"] > 0
    assert named["empty"] > 0


def _comes_later(history: list[Message], index: int) -> bool:
    ids = {each["id"] for each in history[index]["tool_calls"]}
    return any(later.get("tool_call_id") in ids for later in history[index + 1 :])


@pytest.mark.data
@pytest.mark.parametrize("provider", ["openai", "anthropic", "mistral", "strict"])
def test_real_histories_are_mended_once_and_for_all(
    trajectories: list[list[Message]], provider: str
) -> None:
    for history in trajectories:
        mended = repair(history, provider=provider)
        left = {p.code for p in mended.problems if p.severity == "rejected"}
        assert not left & MENDED
        assert not repair(mended.messages, provider=provider).changed
        faults = check(history, provider=provider)
        assert faults or all(a is b for a, b in zip(mended.messages, history, strict=True))


def test_no_budget_lets_a_call_or_a_result_lead() -> None:
    history = [
        SYSTEM,
        {"role": "user", "content": "an old question " * 20},
        {"role": "assistant", "content": "an old answer " * 20},
        {"role": "user", "content": "请处理"},
        *(
            message
            for number in range(3)
            for message in (calls(call(f"c{number:08}")), tool(f"c{number:08}"))
        ),
        ANSWER,
    ]
    most, least = count(history), count([*history[:1], history[3], history[-1]])
    for limit in range(least, most + 1):
        sent = trim(history, max_tokens=limit).messages
        for provider in PROVIDERS:
            faults = check([*sent, USER], provider=provider)
            assert [p for p in faults if p.severity == "rejected"] == []


_scalars = st.none() | st.booleans() | st.integers() | st.sampled_from(["a", "user", "model", "好"])
_keys = st.sampled_from(
    ["role", "content", "type", "text", "parts", "tool_calls", "id", "tool_use_id", "call_id"]
) | st.sampled_from(["functionCall", "name", "arguments", "function", "source", "toolUse"])
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_keys, inner, max_size=4)
)
_kinds = st.sampled_from(
    ["text", "tool_use", "tool_result", "function_call", "function_call_output"]
)
_messages = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant", "system", "tool", "model", "usr"]) | _scalars,
        "content": _values
        | st.lists(st.dictionaries(st.just("type"), _kinds, min_size=1), max_size=2),
        "type": _kinds,
        "parts": _values,
        "tool_calls": _values,
    },
)


@given(st.lists(_messages | _values, max_size=4), st.sampled_from(sorted(PROVIDERS)))
def test_anything_can_be_checked_and_mended(messages: list[Any], provider: str) -> None:
    before = copy.deepcopy(messages)
    problems = check(messages, provider=provider)
    assert all(problem.remedy for problem in problems)
    try:
        mended = repair(messages, provider=provider)
    except OptionError:
        return
    finally:
        assert messages == before
    assert all(change.what for change in mended.changes)
