"""validate(): every fault of every message, with the place where it stands and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from pydantic import ValidationError

from contextkit.assembly import payload
from contextkit.errors import InvalidMessages
from contextkit.messages import ROLES, as_mapping
from contextkit.messages import listed_messages as listed
from contextkit.schema.messages import (
    Assistant,
    Developer,
    Function,
    Message,
    System,
    Tool,
    User,
)
from contextkit.schema.parts import WireModel


class _Unknown(WireModel):
    """A message whose role is none: only there to say so."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]


_MODELS: Mapping[Any, type[WireModel]] = {
    "system": System,
    "developer": Developer,
    "user": User,
    "assistant": Assistant,
    "tool": Tool,
    "function": Function,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one message.

    Attributes:
        index: position of the message in the list.
        field: where in the message, like ``tool_calls[0].function.arguments``; "" for the message.
        type: pydantic's name of the fault, like "literal_error", "string_type" or "missing".
        found: what stood there.
        remedy: what to do.
    """

    index: int
    field: str
    type: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"message {self.index}: {self.found} [{self.type}]; {self.remedy}"


def validate(messages: Iterable[Any]) -> list[Message]:
    """Return the messages as strict models, ready for `trim`, `count` or a client.

    Args:
        messages: dicts, other mappings or SDK objects, in order; models are taken as they are.

    Raises:
        InvalidMessages: some have a wrong shape; with all faults of all messages.
        MessageError: not a list.

    Example:
        >>> [answer] = validate([{"role": "assistant", "content": "好", "reasoning_content": "…"}])
        >>> answer.model_dump()
        {'role': 'assistant', 'content': '好', 'reasoning_content': '…'}
        >>> validate([{"role": "usr", "content": "好"}])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        contextkit.errors.InvalidMessages: message 0: role is 'usr' [literal_error]; ...
    """
    models: list[Any] = []
    faults: list[Fault] = []
    for index, message in enumerate(listed(messages)):
        try:
            models.append(_model(index, message))
        except ValidationError as error:
            faults.extend(_faults(index, payload(message) or {}, error))
        except InvalidMessages as error:
            faults.extend(error.faults)
    if faults:
        raise InvalidMessages(faults)
    return models


def _model(index: int, message: Any) -> WireModel:
    if isinstance(message, WireModel):
        return message
    data = payload(message)
    if data is None:
        found = f"{type(message).__name__} is no message"
        remedy = "pass a dict, a mapping or an object with model_dump()"
        raise InvalidMessages([Fault(index, "", "model_type", found, remedy)])
    role = data.get("role")
    model = _MODELS.get(role, _Unknown) if isinstance(role, str) else _Unknown
    return model.model_validate(dict(data))


def _faults(index: int, data: Mapping[str, Any], error: ValidationError) -> list[Fault]:
    return [
        _fault(index, _steps(data, fault["loc"]), fault)
        for fault in error.errors(include_url=False, include_context=True)
    ]


def _steps(data: Any, location: Sequence[str | int]) -> list[str | int]:
    """The way to a fault through the message, without the names of union members."""
    steps: list[str | int] = []
    written = [step for step in location if not str(step).startswith("<")]
    for place, step in enumerate(written):
        is_last = place == len(written) - 1
        is_inside = isinstance(step, int) or (
            isinstance(data, Mapping) and (step in data or is_last)
        )
        if is_inside:
            steps.append(step)
            data = _inside(data, step)
    return steps


def _inside(data: Any, step: str | int) -> Any:
    if isinstance(data, Mapping):
        return data.get(step)
    in_list = isinstance(data, (list, tuple)) and isinstance(step, int) and step < len(data)
    return data[step] if in_list else None


def _fault(index: int, steps: Sequence[str | int], fault: Mapping[str, Any]) -> Fault:
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    field = field.removeprefix(".")
    kind = str(fault["type"])
    value = fault["input"]
    last = next((step for step in reversed(steps) if isinstance(step, str)), "")
    if kind == "missing":
        return Fault(index, field, kind, f"no {field}", _missing(last))
    place = field or "the message"
    if kind.startswith("union_tag"):
        tag = (as_mapping(value) or {}).get("type")
        if tag is None:
            return Fault(index, field, kind, f"{place} has no type", f"use {_sample(last)}")
        found = f"{place} has the type {tag!r}"
        return Fault(index, field, kind, found, f"use one of {_expected(fault)}")
    told = repr(value) if isinstance(value, str) and len(value) < 40 else type(value).__name__
    found = f"{place} is {told}"
    return Fault(index, field, kind, found, _remedy(kind, last, value, fault))


_TEXT_REMEDIES = {
    "arguments": "use the JSON string: json.dumps(arguments, ensure_ascii=False)",
    "content": "use a string or a list of content parts",
}

_SAMPLES = {
    "content": '{"type": "text", "text": "..."}',
    "tool_calls": '{"id": "...", "type": "function", "function": {...}}',
    "function": '{"name": "...", "arguments": "{}"}',
    "image_url": '{"url": "..."}',
}


def _missing(field: str) -> str:
    if field == "role":
        return f"set role to one of {', '.join(sorted(ROLES))}"
    if field == "tool_call_id":
        return "set tool_call_id to the id of the call that this answers"
    return f"set {field}"


def _remedy(kind: str, field: str, value: Any, fault: Mapping[str, Any]) -> str:
    if kind == "literal_error":
        near = get_close_matches(str(value), ROLES if field == "role" else (), n=1)
        return f"did you mean {near[0]!r}?" if near else f"use one of {_expected(fault)}"
    if kind == "string_type":
        return _TEXT_REMEDIES.get(field, "use a string")
    if kind == "list_type":
        return f"use a list: [{_sample(field)}]"
    if kind.startswith("model"):
        return f"use {_sample(field)}"
    return str(fault["msg"])


def _sample(field: str) -> str:
    return _SAMPLES.get(field, "a mapping")


def _expected(fault: Mapping[str, Any]) -> str:
    context = fault.get("ctx") or {}
    return str(context.get("expected_tags") or context.get("expected") or "the known types")
