"""Strict messages: what is legal goes through unchanged, what is not is named where it stands."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import drawn
import pytest
from hypothesis import given
from openai.types.chat import ChatCompletionMessage
from pydantic import TypeAdapter, ValidationError

from contextkit import InvalidMessages, MessageError, count, trim, validate
from contextkit.schema import (
    Assistant,
    Fault,
    FunctionCall,
    ImagePart,
    System,
    TextPart,
    Tool,
    ToolCall,
    User,
)

Dict = dict[str, Any]


def faults(*messages: Any) -> list[Fault]:
    with pytest.raises(InvalidMessages) as caught:
        validate(messages)
    return list(caught.value.faults)


@given(drawn.any_history)
def test_legal_messages_come_back_as_they_were(history: list[Dict]) -> None:
    before = copy.deepcopy(history)
    models = validate(history)
    assert [model.model_dump() for model in models] == history == before


@given(drawn.any_history)
def test_models_are_counted_as_the_dicts_are(history: list[Dict]) -> None:
    assert count(validate(history)) == count(history)


def test_models_are_trimmed_and_kept_as_they_are() -> None:
    models = [System(content="Be brief."), User(content="一" * 400), User(content="你好")]
    result = trim(models, max_tokens=60)
    assert [id(message) for message in result.messages] == [id(models[0]), id(models[2])]


def test_a_message_written_by_hand_is_the_legal_payload() -> None:
    call = ToolCall(id="c1", function=FunctionCall(name="add", arguments='{"x": 1}'))
    history = [
        System(content=[TextPart(text="简短。")]),
        User(content=[ImagePart(image_url="https://example.org/a.png")], name="lin"),
        Assistant(content=None, tool_calls=[call]),
        Tool(tool_call_id="c1", content="2"),
    ]
    assert [message.model_dump() for message in history] == [
        {"role": "system", "content": [{"type": "text", "text": "简短。"}]},
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": "https://example.org/a.png"}],
            "name": "lin",
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "add", "arguments": '{"x": 1}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "2"},
    ]
    assert json.loads(history[2].model_dump_json()) == history[2].model_dump()
    assert validate(history) == history


def test_keys_of_providers_survive() -> None:
    cached = {"type": "text", "text": "长", "cache_control": {"type": "ephemeral"}}
    history = [
        {"role": "system", "content": [cached]},
        {"role": "user", "content": "你好", "name": "lin"},
        {"role": "assistant", "content": "好", "reasoning_content": "想", "prefix": True},
        {"role": "assistant", "content": None, "refusal": "No.", "audio": {"id": "a", "x": 1}},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": [cached]}, cached]},
    ]
    assert [model.model_dump() for model in validate(history)] == history


def test_an_object_of_the_sdk_loses_only_what_was_never_there() -> None:
    [answer] = validate([ChatCompletionMessage(role="assistant", content="好")])
    assert answer.model_dump() == {"role": "assistant", "content": "好"}


CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("message", "field", "kind", "remedy"),
    [
        ({"role": "asistant", "content": ""}, "role", "literal_error", "did you mean 'assistant'?"),
        ({"content": "x"}, "role", "missing", "set role to one of assistant, developer"),
        ({"role": None, "content": "x"}, "role", "literal_error", "use one of 'system'"),
        ({"role": "tool", "content": "r"}, "tool_call_id", "missing", "the id of the call"),
        ({"role": "tool", "tool_call_id": 5, "content": "r"}, "tool_call_id", "string_type", ""),
        (
            {
                "role": "assistant",
                "tool_calls": [{**CALL, "function": {"name": "f", "arguments": {}}}],
            },
            "tool_calls[0].function.arguments",
            "string_type",
            "json.dumps(arguments",
        ),
        ({"role": "assistant", "tool_calls": "f()"}, "tool_calls", "list_type", "use a list: ["),
        ({"role": "assistant", "tool_calls": CALL}, "tool_calls", "list_type", "use a list: ["),
        ({"role": "assistant", "tool_calls": [3]}, "tool_calls[0]", "model_type", 'use {"id"'),
        (
            {"role": "assistant", "tool_calls": [{**CALL, "type": "functon"}]},
            "tool_calls[0].type",
            "literal_error",
            "use one of 'function'",
        ),
        ({"role": "user", "content": {"type": "text"}}, "content", "list_type", "use a list: ["),
        ({"role": "user", "content": 5}, "content", "string_type", "a string or a list"),
        ({"role": "user", "content": None}, "content", "string_type", "a string or a list"),
        ({"role": "user"}, "content", "missing", "set content"),
        (
            {"role": "user", "content": [{"type": "txt", "text": "a"}]},
            "content[0]",
            "union_tag_invalid",
            "use one of 'text', 'image_url'",
        ),
        (
            {"role": "user", "content": [{"text": "a"}]},
            "content[0]",
            "union_tag_not_found",
            "use {",
        ),
        ({"role": "user", "content": [{"type": "text"}]}, "content[0].text", "missing", "set text"),
        (
            {"role": "user", "content": [{"type": "image_url", "image_url": {}}]},
            "content[0].image_url.url",
            "missing",
            "set url",
        ),
        (5, "", "model_type", "pass a dict"),
    ],
)
def test_a_fault_is_named_where_it_stands(message: Any, field: str, kind: str, remedy: str) -> None:
    fine = {"role": "user", "content": "好"}
    [fault] = faults(fine, message)
    assert (fault.index, fault.field, fault.type) == (1, field, kind)
    assert remedy in fault.remedy


def test_all_faults_of_all_messages_are_listed() -> None:
    broken = {**CALL, "id": 1, "function": {"name": "f", "arguments": {}}}
    found = faults(
        {"role": "usr", "content": "x"},
        {"role": "user", "content": "好"},
        {"role": "assistant", "tool_calls": [CALL, broken]},
    )
    assert [(fault.index, fault.field) for fault in found] == [
        (0, "role"),
        (2, "tool_calls[1].id"),
        (2, "tool_calls[1].function.arguments"),
    ]
    with pytest.raises(MessageError) as caught:
        validate([{"role": "usr", "content": "x"}, {"role": "tool", "content": "r"}])
    assert str(caught.value).splitlines() == [
        "message 0: role is 'usr' [literal_error]; did you mean 'user'?",
        "message 1: no tool_call_id [missing]; "
        "set tool_call_id to the id of the call that this answers",
    ]


def test_no_message_list_is_an_error_that_says_so() -> None:
    with pytest.raises(MessageError, match='pass its "messages"'):
        validate({"messages": []})


def test_construction_refuses_what_validate_refuses() -> None:
    arguments: Any = {"x": 1}
    with pytest.raises(ValidationError, match="string_type"):
        FunctionCall(name="add", arguments=arguments)
    role: Any = "asistant"
    with pytest.raises(ValidationError, match="literal_error"):
        Assistant(role=role, content="x")
    with pytest.raises(ValidationError, match="frozen"):
        User(content="x").content = "y"


@pytest.mark.data
def test_every_request_that_a_server_took_is_valid(
    data: Path, trajectories: list[list[Dict]]
) -> None:
    histories = list(trajectories)
    for file in sorted(data.glob("usage_pairs/*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        chats = [record for record in records if record["api"] == "openai-chat"]
        histories += [record["request"].get("messages") or [] for record in chats]
    assert len(histories) > 1_000
    for history in histories:
        assert [model.model_dump() for model in validate(history)] == history


@pytest.mark.data
def test_what_the_sdk_types_say_of_our_models(trajectories: list[list[Dict]]) -> None:
    from openai.types.chat import ChatCompletionMessageParam

    adapter: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageParam)
    known = {"role", "content", "tool_calls", "tool_call_id", "name"}
    for history in trajectories[::10]:
        for model in validate(history):
            if set(model.model_dump()) <= known:
                adapter.validate_python(model.model_dump())
