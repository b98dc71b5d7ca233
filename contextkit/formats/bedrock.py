"""Read Bedrock Converse bodies: Anthropic's structure under other names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from contextkit.errors import MessageError
from contextkit.formats.request import APART, AnswerSchema, Request, Tool, ToolChoice
from contextkit.messages import History, as_mapping, listed_messages, mappings_in

Block = Mapping[str, Any]
Chat = Mapping[str, Any]


def parse(body: Mapping[str, Any]) -> Request:
    """Read a Converse body; ``system`` is one system message in front."""
    config = as_mapping(body.get("toolConfig")) or {}
    placed = list(_messages(body))
    return Request(
        api="bedrock",
        history=History([chat for _, chat in placed]),
        origins=[place for place, _ in placed],
        tools=tuple(map(_tool, _offered(config.get("tools") or ()))),
        tool_choice=_tool_choice(as_mapping(config.get("toolChoice")) or {}),
        answer_schema=_answer_schema(body),
        body=body,
    )


def _messages(body: Mapping[str, Any]) -> Iterator[tuple[int, Chat]]:
    system = [_part(block) for block in mappings_in(body.get("system"))]
    if system:
        yield APART, {"role": "system", "content": system}
    for place, original in enumerate(listed_messages(body.get("messages") or ())):
        message, blocks = _read(place, original)
        if message.get("role") == "assistant":
            yield place, _assistant(blocks)
        else:
            yield from ((place, chat) for chat in _user(blocks))


def _read(place: int, original: object) -> tuple[Block, Sequence[Block]]:
    message = as_mapping(original)
    content = message.get("content") or () if message is not None else None
    if message is None or not isinstance(content, (list, tuple)):
        found = f"{type(original if message is None else content).__name__} is no list of blocks"
        raise MessageError(place, found, "pass an object with a role and a list as content")
    return message, [as_mapping(block) or {} for block in content]


def _assistant(blocks: Sequence[Block]) -> Chat:
    calls = [_call(as_mapping(block["toolUse"]) or {}) for block in blocks if "toolUse" in block]
    rest = [_part(block) for block in blocks if "toolUse" not in block]
    chat = {"role": "assistant", "content": rest or None}
    return {**chat, "tool_calls": calls} if calls else chat


def _user(blocks: Sequence[Block]) -> Iterator[Chat]:
    results = [as_mapping(block["toolResult"]) or {} for block in blocks if "toolResult" in block]
    rest = [_part(block) for block in blocks if "toolResult" not in block]
    for result in results:
        yield {
            "role": "tool",
            "tool_call_id": result.get("toolUseId"),
            "content": [_part(as_mapping(block) or {}) for block in result.get("content") or ()],
            "is_error": result.get("status") == "error",
        }
    if rest or not results:
        yield {"role": "user", "content": rest}


def _call(block: Block) -> Mapping[str, Any]:
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    function = {"name": block.get("name"), "arguments": arguments}
    return {"id": block.get("toolUseId"), "type": "function", "function": function}


def _part(block: Block) -> Mapping[str, Any]:
    """A block is a mapping with one key, its kind; JSON results are text to the model."""
    if "text" in block:
        return {"type": "text", "text": block["text"]}
    if "json" in block:
        return {"type": "text", "text": json.dumps(block["json"], ensure_ascii=False)}
    if "reasoningContent" in block:
        inner = as_mapping(block["reasoningContent"].get("reasoningText")) or {}
        return {"type": "thinking", "thinking": inner.get("text", ""), **block}
    return {"type": next(iter(block), "empty"), **block}


def _offered(tools: Iterable[Any]) -> Iterator[Block]:
    """The tools among the entries; a cache point may stand among them."""
    entries = (as_mapping(entry) or {} for entry in tools)
    return (entry for entry in entries if "cachePoint" not in entry)


def _tool(raw: Mapping[str, Any]) -> Tool:
    spec = as_mapping(raw.get("toolSpec")) or {}
    schema = as_mapping((as_mapping(spec.get("inputSchema")) or {}).get("json")) or {}
    return Tool(str(spec.get("name") or ""), str(spec.get("description") or ""), schema, raw)


def _tool_choice(choice: Mapping[str, Any]) -> ToolChoice | None:
    if "tool" in choice:
        return ToolChoice("named", str(choice["tool"].get("name") or ""))
    if "any" in choice:
        return ToolChoice("required")
    return ToolChoice("auto") if "auto" in choice else None


def _answer_schema(body: Mapping[str, Any]) -> AnswerSchema | None:
    text = as_mapping((as_mapping(body.get("outputConfig")) or {}).get("textFormat")) or {}
    wanted = as_mapping((as_mapping(text.get("structure")) or {}).get("jsonSchema")) or {}
    schema = wanted.get("schema")
    if isinstance(schema, str):
        try:
            schema = json.loads(schema)
        except ValueError:
            return None
    found = as_mapping(schema)
    return AnswerSchema(str(wanted.get("name") or ""), "", found) if found else None
