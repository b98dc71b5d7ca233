"""Reading: every shape in which clients hold messages."""

from __future__ import annotations

from collections import UserDict
from types import MappingProxyType
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage
from pydantic import BaseModel

from contextkit import History, ToolCall, count, trim

CALL = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}


class Note(BaseModel):
    role: str
    content: str


SDK_MESSAGE = ChatCompletionMessage.model_validate(
    {"role": "assistant", "content": None, "tool_calls": [CALL]}
)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "hi"},
        UserDict(role="user", content="hi"),
        MappingProxyType({"role": "user", "content": "hi"}),
        Note(role="user", content="hi"),
    ],
)
def test_mappings_and_models_are_read_and_come_back_as_themselves(message: Any) -> None:
    result = trim([message], max_tokens=50)
    assert result.messages[0] is message
    assert result.tokens == 8


def test_sdk_objects_make_units_with_their_results() -> None:
    history = [
        {"role": "user", "content": "1 + 1?"},
        SDK_MESSAGE,
        {"role": "tool", "tool_call_id": "c1", "content": "2"},
        {"role": "user", "content": "thanks"},
    ]
    assert History(history)[1].tool_calls == (ToolCall("c1", "add", '{"a": 1}'),)
    result = trim(history, max_tokens=count(history) - 1)
    assert result.kept == (3,)


def test_sdk_calls_inside_a_dict_are_read() -> None:
    message = {"role": "assistant", "content": None, "tool_calls": SDK_MESSAGE.tool_calls}
    plain = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    assert count([message]) == count([plain])


def test_content_in_every_form() -> None:
    def text(content: Any) -> str:
        return History([{"role": "user", "content": content}])[0].text

    assert text("one") == "one"
    assert text([{"type": "text", "text": "o"}, {"type": "text", "text": "ne"}]) == "one"
    assert text([{"type": "image_url", "image_url": {"url": "x"}}]) == ""
    assert text([]) == ""
    assert text(None) == ""
    assert History([{"role": "user"}])[0].text == ""


def test_all_kinds_of_calls() -> None:
    def calls(**keys: Any) -> tuple[ToolCall, ...]:
        return History([{"role": "assistant", "content": None, **keys}])[0].tool_calls

    assert calls(tool_calls=None) == calls(tool_calls=[]) == calls() == ()
    assert calls(function_call={"name": "f", "arguments": "{}"}) == (ToolCall(None, "f", "{}"),)
    custom = {"id": "x", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    assert calls(tool_calls=[custom]) == (ToolCall("x", "sh", "ls"),)
    as_object = {"id": "y", "function": {"name": "f", "arguments": {"城": "杭州"}}}
    assert calls(tool_calls=[as_object]) == (ToolCall("y", "f", '{"城": "杭州"}'),)


def test_calls_of_other_roles_are_none() -> None:
    history = History([{"role": "user", "content": "x", "tool_calls": [CALL]}])
    assert history[0].tool_calls == ()
    assert not history.makes_calls(0)


def test_a_history_is_a_sequence_of_views() -> None:
    messages = [{"role": "system", "content": "a"}, {"role": "user", "content": "b", "name": "lin"}]
    history = History(messages)
    assert len(history) == 2
    assert history[-1].name == "lin"
    assert [message.index for message in history] == [0, 1]
    assert [message.role for message in history[0:2]] == ["system", "user"]
    assert history[1].original is messages[1]
    with pytest.raises(IndexError):
        history[2]


def test_a_generator_is_a_history_too() -> None:
    assert len(History({"role": "user", "content": str(n)} for n in range(3))) == 3
