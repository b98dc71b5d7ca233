"""Read Gemini generateContent bodies.

Every content becomes one chat message, or several where it holds function responses. Ids are made
from the position of a call, since Gemini pairs calls and responses by order and name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextkit.formats.request import AnswerSchema, Request, Tool, ToolChoice
from contextkit.messages import History, as_mapping

Part = Mapping[str, Any]
Chat = Mapping[str, Any]


def parse(body: Mapping[str, Any]) -> Request:
    """Read a generateContent body; ``systemInstruction`` is one system message in front."""
    config = _first(body, "generationConfig", "generation_config")
    return Request(
        api="gemini",
        history=History(list(_messages(body))),
        tools=tuple(_tools(body.get("tools"))),
        tool_choice=_tool_choice(_first(body, "toolConfig", "tool_config")),
        answer_schema=_answer_schema(config),
        body=body,
    )


def _first(mapping: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Gemini takes camelCase and snake_case."""
    return next((found for key in keys if (found := as_mapping(mapping.get(key)))), {})


def _messages(body: Mapping[str, Any]) -> Iterator[Chat]:
    system = _first(body, "systemInstruction", "system_instruction")
    if system:
        yield {"role": "system", "content": [_chat_part(part) for part in _parts(system)]}
    contents = body.get("contents") or ()
    for place, content in enumerate(
        [contents] if isinstance(contents, (str, Mapping)) else contents
    ):
        if isinstance(content, str):
            yield {"role": "user", "content": content}
        else:
            yield from _chat_messages(place, as_mapping(content) or {})


def _parts(content: Mapping[str, Any]) -> Sequence[Part]:
    parts = content.get("parts") or ()
    listed = [parts] if isinstance(parts, Mapping) else parts
    return [{"text": p} if isinstance(p, str) else as_mapping(p) or {} for p in listed]


def _chat_messages(place: int, content: Mapping[str, Any]) -> Iterator[Chat]:
    parts = _parts(content)
    if content.get("role") == "model":
        yield _model(place, parts)
        return
    responses = [
        found for part in parts if (found := _first(part, "functionResponse", "function_response"))
    ]
    rest = [p for p in parts if not _first(p, "functionResponse", "function_response")]
    for number, response in enumerate(responses):
        # The calls stand in the content right before.
        yield {
            "role": "tool",
            "tool_call_id": f"call_{place - 1}_{number}",
            "name": response.get("name"),
            "content": json.dumps(response.get("response"), ensure_ascii=False),
            "response": response,
        }
    if rest or not responses:
        yield {"role": "user", "content": [_chat_part(part) for part in rest]}


def _model(place: int, parts: Sequence[Part]) -> Chat:
    calls = [found for part in parts if (found := _first(part, "functionCall", "function_call"))]
    rest = [p for p in parts if not _first(p, "functionCall", "function_call")]
    chat = {
        "role": "assistant",
        "content": [_chat_part(part) for part in rest] or None,
        "parts": parts,
    }
    made = [_call(f"call_{place}_{number}", call) for number, call in enumerate(calls)]
    return {**chat, "tool_calls": made} if made else chat


def _call(id: str, call: Mapping[str, Any]) -> Mapping[str, Any]:
    arguments = json.dumps(call.get("args") or {}, ensure_ascii=False)
    return {
        "id": id,
        "type": "function",
        "function": {"name": call.get("name"), "arguments": arguments},
    }


def _chat_part(part: Part) -> Mapping[str, Any]:
    """Text is a text part; anything else keeps its keys and gets the kind of its media as type."""
    if "text" in part:
        kind = "thinking" if part.get("thought") else "text"
        return {**part, "type": kind}
    media = _first(part, "inlineData", "inline_data", "fileData", "file_data")
    mime = str(media.get("mimeType") or media.get("mime_type") or "")
    kind = mime.split("/")[0] if mime.split("/")[0] in ("image", "audio", "video") else "file"
    return {**part, "type": kind if media else next(iter(part), "empty")}


def _tools(tools: Any) -> Iterator[Tool]:
    listed = [tools] if isinstance(tools, Mapping) else tools or ()
    for tool in listed:
        raw = as_mapping(tool) or {}
        declared = raw.get("functionDeclarations") or raw.get("function_declarations")
        if not declared:
            yield Tool("", "", {}, raw)
        for function in declared or ():
            yield _function(as_mapping(function) or {})


def _function(raw: Mapping[str, Any]) -> Tool:
    keys = ("parameters", "parametersJsonSchema", "parameters_json_schema")
    name, description = str(raw.get("name") or ""), str(raw.get("description") or "")
    return Tool(name, description, _first(raw, *keys), raw)


def _tool_choice(config: Mapping[str, Any]) -> ToolChoice | None:
    calling = _first(config, "functionCallingConfig", "function_calling_config")
    mode = str(calling.get("mode") or "").lower()
    names = calling.get("allowedFunctionNames") or calling.get("allowed_function_names") or ()
    if mode == "any":
        named = len(names) == 1
        return ToolChoice("named", str(next(iter(names)))) if named else ToolChoice("required")
    return ToolChoice(mode) if mode in ("auto", "none") else None  # type: ignore[arg-type]


def _answer_schema(config: Mapping[str, Any]) -> AnswerSchema | None:
    keys = ("responseSchema", "response_schema", "responseJsonSchema", "response_json_schema")
    schema = _first(config, *keys)
    return AnswerSchema("", "", schema) if schema else None
