"""Message lists built from instructions, examples, history and question."""

from __future__ import annotations

import copy
from typing import Any

import drawn
import pytest
from hypothesis import given
from openai.types.chat import ChatCompletionMessage

from contextkit import AssemblyError, MessageError, OptionError, build_messages, check
from contextkit.schema import User

Dict = dict[str, Any]


def said(messages: list[Dict]) -> list[tuple[str, Any]]:
    return [(message["role"], message.get("content")) for message in messages]


def texts(message: Dict) -> list[str]:
    content = message.get("content") or ""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [part["text"] for part in parts if part.get("text")]


def test_the_order_is_instructions_examples_history_question() -> None:
    history = [{"role": "user", "content": "h1"}, {"role": "assistant", "content": "h2"}]
    built = build_messages(
        prompt="问题", messages=history, few_shot=[("q", "a"), ("问", "答")], system="简短。"
    )
    assert said(built) == [
        ("system", "简短。"),
        ("user", "q"),
        ("assistant", "a"),
        ("user", "问"),
        ("assistant", "答"),
        ("user", "h1"),
        ("assistant", "h2"),
        ("user", "问题"),
    ]
    assert built[5] is history[0]
    assert check(built) == []
    assert build_messages() == []


def test_a_list_of_instructions_is_one_message() -> None:
    developer = {"role": "developer", "content": "One."}
    part = {"type": "text", "text": "Two.", "cache_control": {"type": "ephemeral"}}
    assert said(build_messages(system=["One.", "二。"])) == [("system", "One.\n\n二。")]
    assert build_messages(system=[developer, developer]) == [
        {"role": "developer", "content": "One.\n\nOne."}
    ]
    assert said(build_messages(system=["One.", part])) == [
        ("system", [{"type": "text", "text": "One."}, part])
    ]
    assert build_messages(system=[developer])[0] is developer
    assert build_messages(system=[]) == build_messages(system=None) == []


def test_examples_and_questions_may_be_messages() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    example = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "r"},
    ]
    picture = [{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]
    built = build_messages(few_shot=[*example, (User(content="问"), "答")], prompt=picture)
    assert built[:3] == example
    assert said(built[3:]) == [("user", "问"), ("assistant", "答"), ("user", picture)]
    answer = ChatCompletionMessage(role="assistant", content="好")
    assert build_messages(messages=[answer]) == [{"role": "assistant", "content": "好"}]


def test_neighbours_are_merged_and_empty_turns_left_out() -> None:
    history = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "Are you there?"},
        {"role": "assistant", "content": "Yes"},
        {"role": "user", "content": "Good"},
        {"role": "user", "content": [{"type": "text", "text": "还有"}]},
    ]
    assert said(build_messages(messages=history, prompt="一件事", merge_turns=True)) == [
        ("user", "Hello\n\nAre you there?"),
        ("assistant", "Yes"),
        ("user", [{"type": "text", "text": text} for text in ("Good", "还有", "一件事")]),
    ]


def test_what_cannot_be_merged_without_loss_stays_apart() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "a", "name": "lin"},
        {"role": "user", "content": "b", "name": "tom"},
        {"role": "assistant", "content": "I look."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "r"},
        {"role": "tool", "tool_call_id": "d", "content": "r"},
        {"role": "assistant", "content": "x", "reasoning_content": "想"},
        {"role": "assistant", "content": "y"},
    ]
    merged = build_messages(messages=history, merge_turns=True)
    assert merged == [
        *history[:2],
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        *history[4:],
    ]


def test_content_is_made_one_form() -> None:
    parts = [{"type": "text", "text": "你"}, {"type": "text", "text": "好"}]
    history = [{"role": "user", "content": parts}, {"role": "assistant", "content": "ok"}]
    assert said(build_messages(messages=history, content="text")) == [
        ("user", "你好"),
        ("assistant", "ok"),
    ]
    assert said(build_messages(messages=history, content="parts")) == [
        ("user", parts),
        ("assistant", [{"type": "text", "text": "ok"}]),
    ]


@given(drawn.any_history)
def test_the_callers_messages_are_never_written_to(history: list[Dict]) -> None:
    before = copy.deepcopy(history)
    plain = build_messages(messages=history)
    assert [id(message) for message in plain] == [id(message) for message in history]
    merged = build_messages(messages=history, merge_turns=True, content="parts")
    assert history == before
    assert [text for m in merged for text in texts(m)] == [t for m in before for t in texts(m)]
    assert build_messages(messages=merged, merge_turns=True, content="parts") == merged


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"system": 5}, "system: int is no message"),
        ({"system": ["a", {"role": "user", "content": "b"}]}, r"system\[1\]: the role 'user'"),
        (
            {"system": ["a", {"role": "developer", "content": "b"}]},
            r"system\[1\]: a developer message with other keys than the system message",
        ),
        ({"few_shot": [("a", "b"), ("a",)]}, r"few_shot\[1\]: 1 values in place of two"),
        (
            {"few_shot": [("a", {"role": "user", "content": "b"})]},
            r"few_shot\[0\]: the role 'user'",
        ),
        ({"few_shot": "ab"}, "few_shot: str where a list belongs; wrap"),
        ({"messages": [{"role": "user"}, {"content": "x"}]}, r"messages\[1\]: no role"),
        ({"messages": [{"role": "usr", "content": "x"}]}, r"did you mean 'user'"),
        ({"messages": {"role": "user", "content": "x"}}, "messages: dict where a list belongs"),
        ({"prompt": {"role": "assistant", "content": "x"}}, "prompt: the role 'assistant'"),
        ({"prompt": ["x"]}, "prompt: content part 0 is str"),
    ],
)
def test_bad_input_is_named_by_section_and_index(given: Dict, place: str) -> None:
    with pytest.raises(AssemblyError, match=place) as caught:
        build_messages(**given)
    assert isinstance(caught.value, MessageError)
    assert caught.value.section == next(iter(given))


def test_what_has_no_place_in_a_string_is_no_string() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    with pytest.raises(AssemblyError, match=r"messages\[1\]: a part with type, image_url cannot"):
        build_messages(
            messages=[{"role": "user", "content": "a"}, {"role": "user", "content": [image]}],
            content="text",
        )
    with pytest.raises(OptionError, match="content: 'string'; use one of keep, text, parts"):
        build_messages(content="string")  # type: ignore[arg-type]
