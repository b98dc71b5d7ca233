"""Read Anthropic messages bodies.

One Anthropic message may become several chat messages: results come out as tool messages, and user
text behind them as a user message. Blocks that have no place in a chat message (thinking, documents
...) stay as parts of the message that holds them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextkit.formats.openai_chat import read_tools
from contextkit.formats.request import APART, AnswerSchema, Request, Tool, ToolChoice
from contextkit.messages import History, as_mapping, listed_messages, message_at

Block = Mapping[str, Any]
Chat = Mapping[str, Any]


def parse(body: Mapping[str, Any]) -> Request:
    """Read a messages body; ``system`` is one system message in front."""
    choice = as_mapping(body.get("tool_choice")) or {}
    placed = list(_messages(body))
    return Request(
        api="anthropic",
        history=History([chat for _, chat in placed]),
        origins=[place for place, _ in placed],
        tools=tuple(map(_tool, read_tools(body.get("tools")))),
        tool_choice=_tool_choice(choice),
        parallel_calls=False if choice.get("disable_parallel_tool_use") else None,
        answer_schema=_answer_schema(body),
        body=body,
    )


def _messages(body: Mapping[str, Any]) -> Iterator[tuple[int, Chat]]:
    if body.get("system"):
        yield APART, {"role": "system", "content": body["system"]}
    for place, message in enumerate(listed_messages(body.get("messages") or ())):
        yield from ((place, chat) for chat in _chat_messages(message_at(place, message)))


def _chat_messages(message: Mapping[str, Any]) -> Iterator[Chat]:
    content = message.get("content")
    if not isinstance(content, (list, tuple)):
        yield message
        return
    blocks = [as_mapping(block) or {} for block in content]
    if message.get("role") == "assistant":
        yield _assistant(message, blocks)
        return
    results = [block for block in blocks if block.get("type") == "tool_result"]
    rest = [block for block in blocks if block.get("type") != "tool_result"]
    yield from map(_result, results)
    if rest or not results:
        yield {**message, "content": rest}


def _assistant(message: Mapping[str, Any], blocks: Sequence[Block]) -> Chat:
    calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
    rest = [block for block in blocks if block.get("type") != "tool_use"]
    chat = {**message, "content": rest or None}
    return {**chat, "tool_calls": calls} if calls else chat


def _call(block: Block) -> Mapping[str, Any]:
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    function = {"name": block.get("name"), "arguments": arguments}
    return {"id": block.get("id"), "type": "function", "function": function}


def _result(block: Block) -> Chat:
    return {
        "role": "tool",
        "tool_call_id": block.get("tool_use_id"),
        "content": block.get("content"),
        "is_error": bool(block.get("is_error")),
    }


def _tool(tool: Tool) -> Tool:
    """A function has an ``input_schema`` and no type, or the type ``custom``."""
    schema = as_mapping(tool.raw.get("input_schema"))
    is_function = tool.raw.get("type") in (None, "custom")
    name = str(tool.raw.get("name") or "") if is_function else ""
    return Tool(name, tool.description, schema or {}, tool.raw)


def _tool_choice(choice: Mapping[str, Any]) -> ToolChoice | None:
    kind = choice.get("type")
    if kind == "tool":
        return ToolChoice("named", str(choice.get("name") or ""))
    if kind == "any":
        return ToolChoice("required")
    return ToolChoice(kind) if kind in ("auto", "none") else None


def _answer_schema(body: Mapping[str, Any]) -> AnswerSchema | None:
    config = as_mapping(body.get("output_config")) or {}
    wanted = as_mapping(config.get("format")) or as_mapping(body.get("output_format")) or {}
    schema = as_mapping(wanted.get("schema"))
    return AnswerSchema("", "", schema) if wanted.get("type") == "json_schema" and schema else None


def render(chats: Sequence[Chat], item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Write chat messages that `parse` read from one message as that message again.

    Args:
        chats: what is left of it, perhaps with other texts.
        item: the message as it was; {} for a new one.
    """
    (first, *others) = chats
    if not others and first["role"] != "tool" and not first.get("tool_calls"):
        return {**item, "role": first["role"], "content": first.get("content")}
    raw = {_key(block): block for block in _blocks(item.get("content"))}
    blocks = [block for chat in chats for block in _native(chat, raw)]
    return {**item, "role": item["role"], "content": blocks}


def _native(chat: Chat, raw: Mapping[str, Block]) -> Iterator[Block]:
    if chat["role"] == "tool":
        block = raw[f"result {chat['tool_call_id']}"]
        is_new = chat["content"] != block.get("content")
        yield {**block, "content": chat["content"]} if is_new else block
        return
    yield from _blocks(chat.get("content"))
    yield from (raw[f"call {call['id']}"] for call in chat.get("tool_calls") or ())


def _key(block: Block) -> str:
    kind = {"tool_use": "call", "tool_result": "result"}.get(str(block.get("type")), "")
    return f"{kind} {block.get('tool_use_id', block.get('id'))}"


def _blocks(content: Any) -> list[Block]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [as_mapping(block) or {} for block in content or ()]


def with_system(body: Mapping[str, Any], chats: Sequence[Chat]) -> Mapping[str, Any]:
    """Return a body with other instructions: a lone text as text, more as blocks."""
    if len(chats) == 1:
        return {**body, "system": chats[0]["content"]}
    return {**body, "system": [block for chat in chats for block in _blocks(chat["content"])]}
