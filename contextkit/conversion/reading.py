"""Read a request of any format into a `Talk`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextkit.conversion.blocks import read_part
from contextkit.conversion.ids import original_id
from contextkit.conversion.talk import Call, Part, Result, Role, Talk, Text, Thinking, Turn
from contextkit.formats import Request
from contextkit.formats.openai_responses import joined
from contextkit.formats.request import APART
from contextkit.messages import RESULT_ROLES, Message, as_mapping, mappings_in
from contextkit.streams.assembly import INVALID_JSON

_OWN_KEYS = frozenset(
    {
        *("role", "content", "tool_calls", "function_call", "tool_call_id"),
        *("reasoning_content", "reasoning", "thinking_blocks", "is_error"),
        # What the readers of other formats put beside them.
        *("item", "is_alone", "is_stored", "namespace", "parts", "response"),
    }
)


def read_talk(request: Request) -> Talk:
    """Return what a request says.

    Example:
        >>> from contextkit.formats import parse_request
        >>> talk = read_talk(parse_request({"input": "你好"}))
        >>> talk.turns[0].parts
        (Text(text='你好', extra={}),)
    """
    return Talk(request, list(_turns(request)))


def _turns(request: Request) -> Iterator[Turn]:
    asked: list[Call] = []
    for places in _steps(request):
        messages = [request.history[place] for place in places]
        index = request.origins[places[0]]
        turn = _turn(request, messages, None if index == APART else index, asked)
        if turn.role == "assistant":
            asked = [part for part in turn.parts if isinstance(part, Call)]
        yield turn


def _steps(request: Request) -> Sequence[tuple[int, ...]]:
    if request.api == "openai-responses":
        return joined(request.history.data)
    return [(place,) for place in range(len(request.history))]


def _turn(
    request: Request, messages: Sequence[Message], index: int | None, asked: list[Call]
) -> Turn:
    first = messages[0]
    if first.role in RESULT_ROLES:
        return Turn(index, "tool", (_result(request, first, asked),))
    parts = [part for message in messages for part in _parts(request, message)]
    role: Role = first.role  # type: ignore[assignment]
    plain = any(isinstance(message.data.get("content"), str) for message in messages)
    return Turn(index, role, tuple(parts), plain, _extra(request, messages))


def _parts(request: Request, message: Message) -> Iterator[Part]:
    """Thoughts, words and media, then calls."""
    if item_type(message) not in ("message", "function_call", "custom_tool_call"):
        yield read_part(request.api, as_mapping(message.data["item"]) or {})
        return
    yield from _thoughts(message)
    for part in message.parts:
        yield read_part(request.api, part)
    if message.refusal:
        yield read_part(request.api, {"type": "refusal", "refusal": message.refusal})
    yield from _calls(request, message)


def _thoughts(message: Message) -> Iterator[Thinking]:
    """Thoughts of a chat message: signed blocks where another format left them, or bare words."""
    blocks = message.data.get("thinking_blocks")
    if isinstance(blocks, (list, tuple)) and blocks:
        for block in map(as_mapping, blocks):
            yield Thinking(str((block or {}).get("thinking") or ""), block or {})
        return
    words = message.data.get("reasoning_content") or message.data.get("reasoning")
    if isinstance(words, str) and words:
        yield Thinking(words)


def _calls(request: Request, message: Message) -> Iterator[Call]:
    signatures = _signatures(message)
    raws = message.data.get("tool_calls") or ()
    for number, call in enumerate(message.tool_calls):
        raw = as_mapping(raws[number]) if number < len(raws) else None
        signature = signatures[number] if number < len(signatures) else _carried(raw or {})
        id = call.id or f"call_{request.origins[message.index]}_{number}"
        is_custom = "custom" in (raw or {}) or item_type(message) == "custom_tool_call"
        arguments = call.arguments if is_custom else _arguments(call.arguments)
        yield Call(original_id(id), call.name, arguments, is_custom, signature)


def _signatures(message: Message) -> Sequence[str]:
    """The thought signatures that Gemini puts on the parts of its calls, one for each call."""
    parts = mappings_in(message.data.get("parts"))
    calls = [part for part in parts if "functionCall" in part or "function_call" in part]
    return [str(p.get("thoughtSignature") or p.get("thought_signature") or "") for p in calls]


def _carried(call: Mapping[str, Any]) -> str:
    """The signature where Google's own OpenAI-compatible server puts it."""
    extra = as_mapping(call.get("extra_content")) or {}
    return str((as_mapping(extra.get("google")) or {}).get("thought_signature") or "")


def _arguments(arguments: str) -> str:
    """Arguments as the model wrote them, also where they were carried inside an object."""
    if f'"{INVALID_JSON}"' in arguments:
        found = parsed_object(arguments)
        if (
            found is not None
            and set(found) == {INVALID_JSON}
            and isinstance(found[INVALID_JSON], str)
        ):
            return str(found[INVALID_JSON])
    return arguments


def item_type(message: Message) -> str:
    """The kind of Responses item that a message was read from; "message" for any other one."""
    return str((as_mapping(message.data.get("item")) or {}).get("type", "message"))


def _result(request: Request, message: Message, asked: list[Call]) -> Result:
    call = _answered(message, asked)
    id = original_id(message.tool_call_id or (call.id if call else "call_unknown"))
    name = (call.name if call else "") or message.name or ""
    response = as_mapping(message.data.get("response"))
    if response is not None:
        text, is_error = _response_text(response)
        return Result(id, name, (Text(text),), True, is_error)
    return Result(
        id=id,
        name=name,
        parts=tuple(read_part(request.api, part) for part in message.parts),
        plain=not isinstance(message.data.get("content"), (list, tuple)),
        is_error=bool(message.data.get("is_error")),
        is_custom=call is not None and call.is_custom,
        extra={} if message.role == "function" else _extra(request, [message]),
    )


def _answered(message: Message, asked: list[Call]) -> Call | None:
    """The call right before that a result answers; one of 2023 has no id, and takes the first."""
    id = message.tool_call_id
    fitting = (call for call in asked if id is None or call.id == original_id(id))
    found = next(fitting, None)
    if found and id is None:
        asked.remove(found)
    return found


def _response_text(response: Mapping[str, Any]) -> tuple[str, bool]:
    """Text of a function response, and whether it is an error; other objects are JSON text."""
    found = as_mapping(response.get("response")) or {}
    for key in ("output", "error"):
        if set(found) == {key} and isinstance(found[key], str):
            return found[key], key == "error"
    return json.dumps(response.get("response"), ensure_ascii=False, default=str), False


def _extra(request: Request, messages: Sequence[Message]) -> Mapping[str, Any]:
    if request.api != "openai-chat":
        return {}
    found = ((k, v) for m in messages for k, v in m.data.items() if k not in _OWN_KEYS)
    return {key: value for key, value in found if value is not None and key != "refusal"}


def parsed_object(arguments: str) -> dict[str, Any] | None:
    """Return the JSON object that arguments are; None when they are none, {} when empty.

    Example:
        >>> parsed_object('{"city": "杭州"}'), parsed_object("{broken"), parsed_object("")
        ({'city': '杭州'}, None, {})
    """
    if not arguments.strip():
        return {}
    try:
        found = json.loads(arguments, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def carried(arguments: str) -> dict[str, Any]:
    """Return arguments that are no JSON object inside an object that says so."""
    return {INVALID_JSON: arguments}
