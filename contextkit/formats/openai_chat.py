"""Read OpenAI chat completion bodies, and those of all who copied the format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from contextkit.errors import OptionError
from contextkit.formats.request import AnswerSchema, Request, Tool, ToolChoice
from contextkit.messages import History, as_mapping


def chat_request(messages: Any, tools: Sequence[Any] | None = None) -> Request:
    """Return the request that a bare history is.

    Raises:
        MessageError: a message cannot be read.
        OptionError: a tool is no mapping.
    """
    history = History(messages)
    return Request(
        api="openai-chat", history=history, origins=range(len(history)), tools=read_tools(tools)
    )


def parse(body: Mapping[str, Any]) -> Request:
    """Read a chat completion body; ``functions`` of 2023 are tools."""
    history = History(body["messages"])
    return Request(
        api="openai-chat",
        history=history,
        origins=range(len(history)),
        tools=read_tools(body.get("tools") or body.get("functions")),
        tool_choice=read_tool_choice(body.get("tool_choice", body.get("function_call"))),
        parallel_calls=body.get("parallel_tool_calls"),
        answer_schema=_answer_schema(body.get("response_format")),
        body=body,
    )


def read_tools(tools: object) -> tuple[Tool, ...]:
    """Read tool schemas: nested under ``function`` (chat), or flat (Responses, 2023).

    Raises:
        OptionError: ``tools`` is no list, or one of them no mapping.
    """
    if tools is None:
        return ()
    if isinstance(tools, (str, bytes, Mapping)) or not isinstance(tools, Iterable):
        raise OptionError("tools", f"{type(tools).__name__} is no list", "pass a list of schemas")
    return tuple(_tool(index, tool) for index, tool in enumerate(tools))


def read_tool_choice(choice: object) -> ToolChoice | None:
    """Read ``tool_choice`` of chat and Responses, and ``function_call`` of 2023."""
    if isinstance(choice, str):
        modes = {"auto": "auto", "none": "none", "required": "required", "any": "required"}
        return ToolChoice(modes[choice]) if choice in modes else None  # type: ignore[arg-type]
    named = as_mapping(choice) or {}
    name = (as_mapping(named.get("function")) or named).get("name")
    return ToolChoice("named", str(name)) if name else None


def _tool(index: int, tool: object) -> Tool:
    raw = as_mapping(tool)
    if raw is None:
        found = f"tool {index} is {type(tool).__name__}"
        raise OptionError("tools", found, 'use {"type": "function", "function": {...}}')
    function = as_mapping(raw.get("function")) or raw
    parameters = function.get("parameters")
    if parameters is not None and as_mapping(parameters) is None:
        found = f"parameters of tool {index} are {type(parameters).__name__}"
        raise OptionError("tools", found, "pass a JSON schema, or leave them out")
    is_function = raw.get("type", "function") == "function"
    return Tool(
        name=str(function.get("name") or "") if is_function else "",
        description=str(function.get("description") or ""),
        parameters=as_mapping(parameters) or {},
        raw=raw,
    )


def _answer_schema(response_format: object) -> AnswerSchema | None:
    wanted = as_mapping(response_format) or {}
    described = as_mapping(wanted.get("json_schema"))
    if wanted.get("type") != "json_schema" or described is None:
        return None
    return AnswerSchema(
        name=str(described.get("name") or ""),
        description=str(described.get("description") or ""),
        schema=as_mapping(described.get("schema")) or {},
    )
