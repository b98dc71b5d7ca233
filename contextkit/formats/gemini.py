"""Read Gemini generateContent bodies.

Every content becomes one chat message, or several where it holds function responses. A call without
an id gets one from its position, and so does the response that answers it: the next one by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextkit.errors import MessageError, OptionError
from contextkit.formats.request import APART, AnswerSchema, Request, Tool, ToolChoice
from contextkit.messages import History, as_mapping, mappings_in, message_at

Part = Mapping[str, Any]
Chat = Mapping[str, Any]


def parse(body: Mapping[str, Any]) -> Request:
    """Read a generateContent body; ``systemInstruction`` is one system message in front."""
    config = _first(body, "generationConfig", "generation_config")
    placed = list(_messages(body))
    return Request(
        api="gemini",
        history=History([chat for _, chat in placed]),
        origins=[place for place, _ in placed],
        tools=tuple(_tools(body.get("tools"))),
        tool_choice=_tool_choice(_first(body, "toolConfig", "tool_config")),
        answer_schema=_answer_schema(config),
        body=body,
    )


def _first(mapping: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Gemini takes camelCase and snake_case."""
    return next((found for key in keys if (found := as_mapping(mapping.get(key)))), {})


def _messages(body: Mapping[str, Any]) -> Iterator[tuple[int, Chat]]:
    system = _first(body, "systemInstruction", "system_instruction")
    if system:
        yield APART, {"role": "system", "content": [_chat_part(part) for part in _parts(system)]}
    asked: list[tuple[str, str]] = []
    for place, content in enumerate(listed_contents(body)):
        if isinstance(content, str):
            yield place, {"role": "user", "content": content}
            continue
        read = message_at(place, content)
        parts = _parts(read, place)
        if read.get("role") == "model":
            asked = [_named(place, number, call) for number, call in enumerate(_calls(parts))]
            yield place, _model(parts, asked)
        else:
            yield from ((place, chat) for chat in _user(place, parts, asked))


def listed_contents(body: Mapping[str, Any]) -> Sequence[Any]:
    """The contents as a list; a lone text or content is one.

    Raises:
        MessageError: they are something else.
    """
    contents = body.get("contents") or ()
    if isinstance(contents, (str, Mapping)):
        return [contents]
    if not isinstance(contents, Sequence):
        found = f"contents is {type(contents).__name__}"
        raise MessageError(None, found, "pass a list of contents")
    return contents


def _parts(content: Mapping[str, Any], place: int | None = None) -> Sequence[Part]:
    parts = content.get("parts") or ()
    listed = [parts] if isinstance(parts, Mapping) else parts
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        raise MessageError(place, f"parts is {type(parts).__name__}", "pass a list of parts")
    return [{"text": p} if isinstance(p, str) else as_mapping(p) or {} for p in listed]


def _user(place: int, parts: Sequence[Part], open_calls: list[tuple[str, str]]) -> Iterator[Chat]:
    responses = [
        found for part in parts if (found := _first(part, "functionResponse", "function_response"))
    ]
    rest = [p for p in parts if not _first(p, "functionResponse", "function_response")]
    for number, response in enumerate(responses):
        # The calls stand in the content right before.
        id = _answered(response, open_calls) or f"call_{place - 1}_{number}"
        yield _result(id, response)
    if rest or not responses:
        yield {"role": "user", "content": [_chat_part(part) for part in rest]}


def _answered(response: Part, open_calls: list[tuple[str, str]]) -> str:
    """The id of the call that a response answers, taken off the open ones; "" without any."""
    given, name = response.get("id"), response.get("name")
    fitting = (call for call in open_calls if call[0] == given)
    by_name = (call for call in open_calls if given is None and call[1] == name)
    found = next(fitting, None) or next(by_name, None)
    if found:
        open_calls.remove(found)
    return str(given or (found[0] if found else ""))


def _result(id: str, response: Part) -> Chat:
    return {
        "role": "tool",
        "tool_call_id": id,
        "name": response.get("name"),
        "content": _answer_text(response),
        "response": response,
    }


def _answer_text(response: Part) -> str:
    """What a function returned: the text under ``output``, or the JSON of any other object."""
    answer = as_mapping(response.get("response")) or {}
    if set(answer) == {"output"} and isinstance(answer["output"], str):
        return answer["output"]
    return json.dumps(response.get("response"), ensure_ascii=False)


def response_of(chat: Chat) -> Part:
    """The function response of a result that `parse` read, with the text that it has now."""
    response: Part = chat["response"]
    if chat["content"] == _answer_text(response):
        return response
    return {**response, "response": {"output": chat["content"]}}


def _calls(parts: Sequence[Part]) -> list[Part]:
    return [found for part in parts if (found := _first(part, "functionCall", "function_call"))]


def _named(place: int, number: int, call: Part) -> tuple[str, str]:
    """The id and the name of a call."""
    return str(call.get("id") or f"call_{place}_{number}"), str(call.get("name") or "")


def _model(parts: Sequence[Part], asked: Sequence[tuple[str, str]]) -> Chat:
    rest = [p for p in parts if not _first(p, "functionCall", "function_call")]
    chat = {
        "role": "assistant",
        "content": [_chat_part(part) for part in rest] or None,
        "parts": parts,
    }
    made = [_call(id, call) for (id, _), call in zip(asked, _calls(parts), strict=True)]
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
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        raise OptionError("tools", f"{type(tools).__name__} is no list", "pass a list of tools")
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


def render(chats: Sequence[Chat], item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Write chat messages that `parse` read from one content as that content again.

    Args:
        chats: what is left of it, perhaps with other texts.
        item: the content as it was; {} for a new one.
    """
    role = "model" if chats[0]["role"] == "assistant" else "user"
    return {"role": role, **item, "parts": [part for chat in chats for part in _native(chat)]}


def _native(chat: Chat) -> Iterator[Part]:
    if chat["role"] == "tool":
        yield {"functionResponse": response_of(chat)}
        return
    yield from _texts(chat.get("content"))
    parts = mappings_in(chat.get("parts"))
    yield from (part for part in parts if _first(part, "functionCall", "function_call"))


def _texts(content: Any) -> Iterator[Part]:
    """Content parts without the type that `parse` gave them."""
    if isinstance(content, str):
        yield {"text": content}
    for part in content if isinstance(content, (list, tuple)) else ():
        yield {key: value for key, value in part.items() if key != "type"}


def with_system(body: Mapping[str, Any], chats: Sequence[Chat]) -> Mapping[str, Any]:
    """Return a body with other instructions."""
    key = "system_instruction" if "system_instruction" in body else "systemInstruction"
    parts = [part for chat in chats for part in _texts(chat.get("content"))]
    return {**body, key: {**_first(body, key), "parts": parts}}
