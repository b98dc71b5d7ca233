"""Read OpenAI Responses bodies.

Each input item becomes one chat message and stays in it under the key ``item``, because the server
bills some items differently when they carry an id or a status.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from contextkit.formats.openai_chat import read_tool_choice, read_tools
from contextkit.formats.request import AnswerSchema, Request
from contextkit.messages import History, as_mapping

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
    for item in given or ():
        yield _message(as_mapping(item) or {})


def _message(item: Mapping[str, Any]) -> Chat:
    kind = item.get("type", "message")
    if kind in ("function_call", "custom_tool_call"):
        return _call(item)
    if kind in ("function_call_output", "custom_tool_call_output"):
        return {
            "role": "tool",
            "tool_call_id": item.get("call_id"),
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


def _call(item: Mapping[str, Any]) -> Chat:
    function = {"name": item.get("name"), "arguments": item.get("arguments", item.get("input"))}
    call = {"id": item.get("call_id"), "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call], "item": item}


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
