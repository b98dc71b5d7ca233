"""Read-only views over the caller's messages.

A history is the caller's own list, looked at once: every message must be readable, its role known,
its content of a possible type. Nothing is copied and nothing is written; a view holds the caller's
object by reference, so a message that is kept goes out as that same object.

Order faults (orphan results, unanswered calls) are no matter of reading: `check` names them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from contextkit.errors import MessageError

INSTRUCTION_ROLES = frozenset({"system", "developer"})
RESULT_ROLES = frozenset({"tool", "function"})
ROLES = INSTRUCTION_ROLES | RESULT_ROLES | {"user", "assistant"}

_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that an assistant message makes.

    Attributes:
        id: pairs the call with its result; None in the legacy ``function_call``.
        name: the function.
        arguments: JSON as the model wrote it (not parsed, perhaps not valid).
    """

    id: str | None
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """A view of one message of a history.

    Attributes:
        index: position in the history.
        original: the caller's object.
        data: the same as a mapping (``original`` itself when that is one).
    """

    index: int
    original: Any = field(repr=False)
    data: Mapping[str, Any]

    @property
    def role(self) -> str:
        return str(self.data["role"])

    @property
    def name(self) -> str | None:
        """The participant's name, or for legacy function results the function's."""
        return _text_or_none(self.data.get("name"))

    @property
    def tool_call_id(self) -> str | None:
        return _text_or_none(self.data.get("tool_call_id"))

    @property
    def parts(self) -> tuple[Mapping[str, Any], ...]:
        """The content as parts: a string is one text part, null is none."""
        content = self.data.get("content")
        if content is None:
            return ()
        if isinstance(content, str):
            return ({"type": "text", "text": content},)
        return tuple(_readable(part) for part in content)

    @property
    def text(self) -> str:
        """All text parts joined by nothing; "" where there is none."""
        content = self.data.get("content")
        if isinstance(content, str):
            return content
        if content is None:
            return ""
        return "".join(str(part.get("text") or "") for part in self.parts if is_text(part))

    @property
    def refusal(self) -> str:
        """The text with which the model declined; "" where it did not."""
        return _text_or_none(self.data.get("refusal")) or ""

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls of an assistant message; a legacy ``function_call`` is one without id."""
        if self.data.get("role") != "assistant":
            return ()
        calls = tuple(_tool_call(_readable(call)) for call in self.data.get("tool_calls") or ())
        legacy = self.data.get("function_call")
        return (*calls, _tool_call({"function": _readable(legacy)})) if legacy else calls


class History(Sequence[Message]):
    """The caller's messages, read but never written.

    Args:
        messages: dicts, other mappings, or objects with ``model_dump`` (pydantic models, SDK
            objects), in order.

    Raises:
        MessageError: not a list, a message that is no mapping, no role or an unknown one, content
            that is neither text nor parts nor null, calls that are no list of mappings.

    Example:
        >>> history = History([{"role": "user", "content": "你好"}])
        >>> history[0].role, history[0].text
        ('user', '你好')
    """

    __slots__ = ("data", "instructions", "notes", "originals", "roles", "users")

    originals: Sequence[Any]
    """The caller's objects, in order."""
    data: Sequence[Mapping[str, Any]]
    """The same as mappings."""
    roles: Sequence[str]
    instructions: Sequence[int]
    """Indices of the system and developer messages, ascending."""
    users: Sequence[int]
    """Indices of the user messages, ascending: where the turns start."""
    notes: dict[str, list[int]]
    """Numbers that somebody found for its messages, in order; its parts share them."""

    def __init__(self, messages: Iterable[Any]) -> None:
        self.originals = listed_messages(messages)
        read: list[Mapping[str, Any]] = []
        roles: list[str] = []
        for index, original in enumerate(self.originals):
            data = original if type(original) is dict else message_at(index, original)
            role = data.get("role")
            if not isinstance(role, str) or role not in ROLES:
                raise _role_error(index, data)
            content = data.get("content")
            if content is not None and type(content) is not str:
                _check_content(index, content)
            if role == "assistant" and ("tool_calls" in data or "function_call" in data):
                _check_calls(index, data)
            read.append(data)
            roles.append(role)
        self.data, self.roles, self.notes = read, roles, {}
        self.users = [i for i, role in enumerate(roles) if role == "user"]
        self.instructions = [i for i, role in enumerate(roles) if role in INSTRUCTION_ROLES]

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Message]: ...
    def __getitem__(self, index: int | slice) -> Message | Sequence[Message]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        position = range(len(self))[index]
        return Message(position, self.originals[position], self.data[position])

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[Message]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<History of {len(self)} messages>"

    def first(self, size: int) -> History:
        """The first ``size`` messages as a history of their own; nothing is read again.

        Example:
            >>> history = History([{"role": "user", "content": "你好"}] * 3)
            >>> len(history.first(2))
            2
        """
        part = object.__new__(History)
        part.originals, part.data = self.originals[:size], self.data[:size]
        part.roles, part.notes = self.roles[:size], self.notes
        part.users = self.users[: bisect_left(self.users, size)]
        part.instructions = self.instructions[: bisect_left(self.instructions, size)]
        return part

    def makes_calls(self, index: int) -> bool:
        """Whether message ``index`` is an assistant message with tool calls."""
        data = self.data[index]
        return self.roles[index] == "assistant" and bool(
            data.get("tool_calls") or data.get("function_call")
        )


def is_text(part: Mapping[str, Any]) -> bool:
    """Whether a content part holds text that the model reads."""
    return part.get("type") in _TEXT_PARTS


def as_mapping(value: Any) -> Mapping[str, Any] | None:
    """Return the mapping behind a dict, another mapping or an SDK object; None for anything else.

    Example:
        >>> as_mapping({"role": "user"}), as_mapping("user")
        ({'role': 'user'}, None)
    """
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "model_dump") and not isinstance(value, type):
        dumped = value.model_dump()
        return dumped if isinstance(dumped, Mapping) else None
    return None


def mappings_in(value: Any) -> list[Mapping[str, Any]]:
    """Return the entries of a list as mappings, {} for those that are none; [] for no list.

    Example:
        >>> mappings_in([{"type": "text"}, 7]), mappings_in("text")
        ([{'type': 'text'}, {}], [])
    """
    listed = value if isinstance(value, (list, tuple)) else ()
    return [as_mapping(entry) or {} for entry in listed]


def listed_messages(messages: object) -> list[Any]:
    """Return any iterable of messages as a list, or raise `MessageError` where there is none."""
    if isinstance(messages, Mapping):
        hint = (
            'pass its "messages"' if "messages" in messages else "wrap a single message in a list"
        )
        raise MessageError(None, "a mapping where a list of messages belongs", hint)
    if isinstance(messages, (str, bytes)) or not isinstance(messages, Iterable):
        found = f"{type(messages).__name__} where a list of messages belongs"
        raise MessageError(None, found, "pass a list of dicts with role and content")
    return list(messages)


def message_at(index: int, original: Any) -> Mapping[str, Any]:
    """Return the mapping of a message, or raise `MessageError` that names its place."""
    data = as_mapping(original)
    if data is None:
        found = f"{type(original).__name__} is no message"
        raise MessageError(index, found, "pass a dict, a mapping or an object with model_dump()")
    return data


def _role_error(index: int, data: Mapping[str, Any]) -> MessageError:
    if data.get("role") is None:
        return MessageError(index, "no role", f"set role to one of {', '.join(sorted(ROLES))}")
    from difflib import get_close_matches

    role = data["role"]
    near = get_close_matches(role, sorted(ROLES), n=1) if isinstance(role, str) else []
    hint = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(sorted(ROLES))}"
    return MessageError(index, f"unknown role {role!r}", hint)


def _check_content(index: int, content: Any) -> None:
    if isinstance(content, str):
        return
    if not isinstance(content, (list, tuple)):
        found = f"content is {type(content).__name__}"
        raise MessageError(index, found, "use a string, a list of content parts, or None")
    for place, part in enumerate(content):
        if not isinstance((as_mapping(part) or {}).get("type"), str):
            found = f"content part {place} is {_described(part)}"
            raise MessageError(index, found, 'use parts like {"type": "text", "text": "..."}')


def _check_calls(index: int, data: Mapping[str, Any]) -> None:
    calls = data.get("tool_calls")
    if calls is not None and not isinstance(calls, (list, tuple)):
        raise MessageError(index, f"tool_calls is {type(calls).__name__}", "use a list of calls")
    for place, call in enumerate(calls or ()):
        if as_mapping(call) is None:
            found = f"tool call {place} is {type(call).__name__}"
            raise MessageError(index, found, 'use {"id", "type": "function", "function": {...}}')
    legacy = data.get("function_call")
    if legacy is not None and as_mapping(legacy) is None:
        found = f"function_call is {type(legacy).__name__}"
        raise MessageError(index, found, 'use {"name": ..., "arguments": ...}')


def _described(part: Any) -> str:
    return type(part).__name__ if as_mapping(part) is None else "a mapping without type"


def _readable(value: Any) -> Mapping[str, Any]:
    return as_mapping(value) or {}


def _tool_call(call: Mapping[str, Any]) -> ToolCall:
    """Read a function call, or a custom tool's call whose free text is its argument."""
    body = _readable(call.get("function") or call.get("custom"))
    arguments = body.get("arguments", body.get("input"))
    return ToolCall(
        _text_or_none(call.get("id")), str(body.get("name") or ""), _json_text(arguments)
    )


def _json_text(arguments: Any) -> str:
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    import json

    return json.dumps(arguments, ensure_ascii=False, default=str)


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None
