"""Take an error apart, whatever it is: texts, codes, numbers, status, usage."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from contextkit.messages import as_mapping
from contextkit.streams.collecting import StreamCollector, StreamedMessage

_TEXT_KEYS = (
    "message",
    "Message",
    "detail",
    "details",
    "msg",
    "error_message",
    "errorMessage",
    "error_description",
    "raw",
    "reason",
)
_CODE_KEYS = ("code", "type", "status", "Code", "error_type", "errorType", "__type")
_HOLDERS = ("error", "Error", "errors", "error_info", "metadata", "response", "incomplete_details")
_ANSWER_KEYS = ("choices", "candidates", "output", "content", "usage", "prompt_eval_count")
_NUMBER_KEYS = ("n_ctx", "n_prompt_tokens")
_DEEPEST = 8


@dataclass(slots=True)
class ErrorFields:
    """What an error says.

    Attributes:
        texts: its messages, the outermost first.
        codes: its codes and types, in lower case.
        numbers: token numbers that stand in fields of their own.
        status: HTTP status; None when unknown.
        usage: the usage of an answer.
        is_answer: whether it is an answer of a model, whose text is no error.
    """

    texts: list[str] = field(default_factory=list)
    codes: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)
    status: int | None = None
    usage: Mapping[str, Any] = field(default_factory=dict)
    is_answer: bool = False


def fields_of(error: object) -> ErrorFields:
    """Take an error apart."""
    found = ErrorFields()
    body = as_mapping(error)
    if isinstance(error, (StreamedMessage, StreamCollector)):
        _take_stream(found, error)
    elif body is not None:
        _take_mapping(found, body, 0)
    elif isinstance(error, (str, bytes)):
        _take_text(found, error, 0)
    elif isinstance(error, BaseException):
        _take_exception(found, error)
    elif isinstance(error, Iterable):
        _take_values(found, error, 0)
    return found


def _take_stream(found: ErrorFields, stream: StreamedMessage | StreamCollector) -> None:
    """The error event of a stream; without one it is an answer with its usage."""
    if stream.error is not None:
        _take_mapping(found, stream.error, 0)
    else:
        found.is_answer, found.usage = True, stream.usage or {}


def _take_exception(found: ErrorFields, error: BaseException) -> None:
    """An exception, what it holds, and what it was raised from."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        _take_one_exception(found, current)
        current = current.__cause__ or current.__context__


def _take_one_exception(found: ErrorFields, error: BaseException) -> None:
    found.codes.add(type(error).__name__.lower())
    for key in ("status_code", "http_status", "code", "status"):
        _take_code(found, getattr(error, key, None))
    for key in ("body", "details", "response", "message"):
        value = getattr(error, key, None)
        text = getattr(value, "text", None)
        _take_value(found, text if isinstance(text, str) else value, 0)
    for value in (*error.args, str(error)):
        _take_value(found, value, 0)


def _take_value(found: ErrorFields, value: object, depth: int) -> None:
    body = as_mapping(value)
    if body is not None:
        _take_mapping(found, body, depth)
    elif isinstance(value, (str, bytes)):
        _take_text(found, value, depth)
    elif isinstance(value, (list, tuple)):
        _take_values(found, value, depth)


def _take_values(found: ErrorFields, values: Iterable[object], depth: int) -> None:
    if depth < _DEEPEST:
        for value in values:
            _take_value(found, value, depth + 1)


def _take_mapping(found: ErrorFields, body: Mapping[str, Any], depth: int) -> None:
    if depth > _DEEPEST:
        return
    faults = [key for key in body if str(key).endswith("Exception")]  # events of Bedrock
    holders = [body[key] for key in (*_HOLDERS, *faults) if body.get(key)]
    if not holders and any(body.get(key) is not None for key in _ANSWER_KEYS):
        found.is_answer = not found.texts
        found.usage = as_mapping(body.get("usage") or body.get("usageMetadata")) or body
        return
    for code in (*(body.get(key) for key in _CODE_KEYS), *faults):
        _take_code(found, code)
    for key in _NUMBER_KEYS:
        if isinstance(body.get(key), int):
            found.numbers[key] = body[key]
    for value in (*(body.get(key) for key in _TEXT_KEYS), *holders):
        _take_value(found, value, depth + 1)


def _take_code(found: ErrorFields, code: object) -> None:
    if isinstance(code, str):
        found.codes.add(code.lower())
    elif isinstance(code, int) and not isinstance(code, bool):
        if 400 <= code < 600 and found.status is None:
            found.status = code
        found.codes.add(str(code))


def _take_text(found: ErrorFields, raw: str | bytes, depth: int) -> None:
    """Text, or JSON in it: a body, the events of a stream, an error quoted in another one."""
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    values = list(_json_values(text)) if depth <= _DEEPEST else []
    for value in values:
        _take_value(found, value, depth + 1)
    if not values and text.strip():
        found.texts.append(text)


def _json_values(text: str) -> Iterator[Any]:
    """The JSON objects of a text: all of it, its data lines, or one behind other words."""
    lines = [line.strip() for line in text.splitlines()]
    data = [line[5:].strip() for line in lines if line.startswith("data:")]
    for candidate in data or [text[text.find("{") :] if "{" in text else ""]:
        try:
            value, _ = json.JSONDecoder().raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
