"""Read OpenAI Responses bodies.

Each input item becomes one chat message and stays in it under the key ``item``, because the server
bills some items differently when they carry an id or a status. Results get the name of the call
that they answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from contextkit.errors import MessageError
from contextkit.formats.openai_chat import read_tool_choice, read_tools
from contextkit.formats.request import APART, AnswerSchema, Request
from contextkit.messages import History, as_mapping, message_at

Item = Mapping[str, Any]
Chat = Mapping[str, Any]


def parse(body: Mapping[str, Any]) -> Request:
    """Read a Responses body; ``instructions`` is one system message in front."""
    placed = list(_messages(body))
    return Request(
        api="openai-responses",
        history=History([chat for _, chat in placed]),
        origins=[place for place, _ in placed],
        tools=read_tools(body.get("tools")),
        tool_choice=read_tool_choice(body.get("tool_choice")),
        parallel_calls=body.get("parallel_tool_calls"),
        answer_schema=_answer_schema(body),
        body=body,
    )


def joined(messages: Sequence[Chat]) -> list[tuple[int, ...]]:
    """Return the places of the messages that are one step of the model.

    That is its reasoning, its text and its parallel calls. Items without calls are a step of their
    own, and reasoning belongs to what comes next.

    Example:
        >>> items = [{"type": "function_call", "call_id": "a"}, {"type": "function_call"}]
        >>> joined(parse({"input": items}).history.data)
        [(0, 1)]
    """
    steps: list[list[int]] = []
    for place, message in enumerate(messages):
        if place and _continues(messages, steps[-1], message):
            steps[-1].append(place)
        else:
            steps.append([place])
    return [tuple(step) for step in steps]


def _continues(messages: Sequence[Chat], step: Sequence[int], message: Chat) -> bool:
    last = messages[step[-1]]
    if last["role"] != "assistant" or message["role"] != "assistant":
        return False
    if message.get("tool_calls") or any(messages[place].get("tool_calls") for place in step):
        return True
    return not any(messages[place].get("content") for place in step)


def _messages(body: Mapping[str, Any]) -> Iterator[tuple[int, Chat]]:
    if body.get("instructions"):
        yield APART, {"role": "system", "content": body["instructions"]}
    yield from enumerate(_chat_messages(listed_items(body), body))


def listed_items(body: Mapping[str, Any]) -> Sequence[Item]:
    """The input as items; a lone text is a user message.

    Raises:
        MessageError: it is something else.
    """
    given = body.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if not isinstance(given or (), Iterable):
        found = f"input is {type(given).__name__}"
        raise MessageError(None, found, "pass a text or a list of items")
    return [message_at(place, item) for place, item in enumerate(given or ())]


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


def merged(chats: Sequence[Chat]) -> Chat:
    """Return one step of the model as one chat message; its ``members`` are what it is made of."""
    parts = [part for chat in chats for part in _parts(chat.get("content"))]
    calls = [call for chat in chats for call in chat.get("tool_calls") or ()]
    step = {"role": "assistant", "content": parts or None, "members": list(chats)}
    return {**step, "tool_calls": calls} if calls else step


def members(message: Chat) -> list[Chat]:
    """Return what a merged message is made of, with the texts that it has now."""
    if "members" not in message:
        return [message]
    parts = iter(message.get("content") or ())
    return [_with_content(chat, parts) for chat in message["members"]]


def _with_content(chat: Chat, parts: Iterator[Any]) -> Chat:
    before = _parts(chat.get("content"))
    after = [next(parts) for _ in before]
    if after == before:
        return chat
    is_text = isinstance(chat["content"], str)
    return {**chat, "content": after[0]["text"] if is_text else after}


def _parts(content: Any) -> list[Any]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or ())


def render(chats: Sequence[Chat], item: Item) -> Item:
    """Write the chat message that `parse` read from an item as that item again.

    Args:
        chats: the message, perhaps with other texts.
        item: the item as it was; {} for a new one.
    """
    (chat,) = chats
    if chat["role"] == "tool":
        return {**item, "output": _typed(chat["content"], "input_text")}
    kind = "output_text" if chat["role"] == "assistant" else "input_text"
    return {**item, "role": chat["role"], "content": _typed(chat.get("content"), kind)}


def _typed(content: Any, kind: str) -> Any:
    """Name the texts that are new as this format does."""
    if not isinstance(content, (list, tuple)):
        return content
    return [{**part, "type": kind} if part.get("type") == "text" else part for part in content]


def with_system(body: Mapping[str, Any], chats: Sequence[Chat]) -> Mapping[str, Any]:
    """Return a body with other instructions."""
    texts = (str(chat.get("content") or "") for chat in chats)
    return {**body, "instructions": "\n\n".join(filter(None, texts))}
