"""Read OpenAI Responses bodies.

Each input item becomes one chat message and stays in it under the key ``item``, because the server
bills some items differently when they carry an id or a status. Results get the name of the call
that they answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextkit.formats.openai_chat import read_tool_choice, read_tools
from contextkit.formats.request import AnswerSchema, Request
from contextkit.messages import History, as_mapping

Item = Mapping[str, Any]
Chat = Mapping[str, Any]


def parse(body: Mapping[str, Any]) -> Request:
    """Read a Responses body; ``instructions`` is one system message in front."""
    return Request(
        api="openai-responses",
        history=History(list(_messages(body))),
        tools=read_tools(body.get("tools")),
        tool_choice=read_tool_choice(body.get("tool_choice")),
        parallel_calls=body.get("parallel_tool_calls"),
        answer_schema=_answer_schema(body),
        body=body,
    )


def _messages(body: Mapping[str, Any]) -> Iterator[Chat]:
    if body.get("instructions"):
        yield {"role": "system", "content": body["instructions"]}
    given = body.get("input")
    if isinstance(given, str):
        yield {"role": "user", "content": given}
        return
    yield from _chat_messages([as_mapping(item) or {} for item in given or ()], body)


def _chat_messages(items: Sequence[Item], body: Mapping[str, Any]) -> Iterator[Chat]:
    calls: dict[str, Item] = {}
    for place, item in enumerate(items):
        if not _is_call(item):
            yield _message(item, calls.get(str(item.get("call_id")), {}))
            continue
        calls[str(item.get("call_id"))] = item
        beside = (*items[max(0, place - 1) : place], *items[place + 1 : place + 2])
        is_stored = "id" in item and "status" in item and body.get("store") is not False
        yield _call(item, is_alone=not any(map(_is_call, beside)), is_stored=is_stored)


def _is_call(item: Item) -> bool:
    return item.get("type") in ("function_call", "custom_tool_call")


def _message(item: Item, call: Item) -> Chat:
    """Write an item that is no call; ``call`` is the one that it answers, if it answers any."""
    kind = item.get("type", "message")
    if kind in ("function_call_output", "custom_tool_call_output"):
        return {
            "role": "tool",
            "tool_call_id": item.get("call_id"),
            "name": call.get("name"),
            "namespace": call.get("namespace"),
            "content": _content(item.get("output")),
            "item": item,
        }
    if kind == "message":
        return {
            "role": item.get("role", "user"),
            "content": _content(item.get("content")),
            "item": item,
        }
    # Reasoning, references to stored items, calls of the server's own tools: no text of a role.
    return {"role": "assistant", "content": None, "item": item}


def _call(item: Item, *, is_alone: bool, is_stored: bool) -> Chat:
    """Write a call; whether it is stored and no other one stands beside it changes its price."""
    function = {"name": item.get("name"), "arguments": item.get("arguments", item.get("input"))}
    call = {"id": item.get("call_id"), "type": "function", "function": function}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [call],
        "item": item,
        "is_alone": is_alone,
        "is_stored": is_stored,
    }


def _content(content: Any) -> Any:
    """Text stays text; parts stay the parts they are."""
    if content is None or isinstance(content, (str, list, tuple)):
        return content
    return str(content)


def _answer_schema(body: Mapping[str, Any]) -> AnswerSchema | None:
    wanted = as_mapping((as_mapping(body.get("text")) or {}).get("format")) or {}
    if wanted.get("type") != "json_schema":
        return None
    return AnswerSchema(
        name=str(wanted.get("name") or ""),
        description=str(wanted.get("description") or ""),
        schema=as_mapping(wanted.get("schema")) or {},
    )
