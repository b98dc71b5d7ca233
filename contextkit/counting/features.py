"""What calibration looks at: additive features of messages and tools.

Every feature is a sum over messages, so a calibrated count can be taken apart again into the counts
of its messages, and trimming can use it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextkit.formats import Request
from contextkit.messages import RESULT_ROLES, Message, as_mapping, is_text

MESSAGE_FEATURES = {
    "estimated tokens": 0.05,
    "messages": 4.0,
    "tokens of results": 0.05,
    "calls": 12.0,
    "media": 300.0,
    "Latin letters": 0.02,
    "Han": 0.1,
    "kana and Hangul": 0.1,
    "other letters": 0.2,
    "digits": 0.1,
    "marks": 0.1,
}
"""Features of one message, each with the tokens by which one unit of it is usually misjudged."""

FRAME_FEATURES = {
    "requests": 30.0,
    "estimated frame": 0.05,
    "schemas": 40.0,
    "tools": 20.0,
    "bytes of tools": 0.02,
    "properties": 8.0,
    "described properties": 4.0,
    "required properties": 4.0,
}
"""Features of the frame around all messages, likewise."""

_DEPTH = 4

_CLASSES = (
    re.compile(r"[A-Za-z\u00c0-\u024f]"),
    re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]"),
    re.compile(r"[\u3040-\u30ff\uac00-\ud7af]"),
    re.compile(r"[\u0370-\u2fff\ua000-\uabff]"),
    re.compile(r"\d"),
    re.compile(r"[^\w\s]"),
)


def message_features(message: Message, tokens: int) -> list[float]:
    """Return the features of one message, in the order of ``MESSAGE_FEATURES``.

    Args:
        message: the message.
        tokens: what the uncalibrated counter says of it.
    """
    calls = message.tool_calls
    text = message.text + "".join(call.name + call.arguments for call in calls)
    media = sum(not is_text(part) for part in message.parts)
    of_results = tokens if message.role in RESULT_ROLES else 0
    counted = [float(len(pattern.findall(text))) for pattern in _CLASSES]
    return [float(tokens), 1.0, float(of_results), float(len(calls)), float(media), *counted]


def frame_features(request: Request, tokens: int) -> list[float]:
    """Return the features of what is beside the messages, in the order of ``FRAME_FEATURES``.

    Args:
        request: the request.
        tokens: what the uncalibrated counter says of its frame.
    """
    schemas = [tool.parameters for tool in request.tools]
    properties = [found for schema in schemas for found in _properties(schema)]
    required = sum(len(schema.get("required") or ()) for schema in schemas)
    counted = (
        1,
        tokens,
        request.answer_schema is not None,
        len(schemas),
        sum(len(json.dumps(tool.raw, default=str)) for tool in request.tools),
        len(properties),
        sum("description" in found for found in properties),
        required,
    )
    return list(map(float, counted))


def _properties(schema: Mapping[str, Any], depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The properties of an object schema and of the objects in it, some levels deep."""
    for value in (as_mapping(schema.get("properties")) or {}).values():
        found = as_mapping(value) or {}
        yield found
        if depth < _DEPTH:
            yield from _properties(found, depth + 1)
            yield from _properties(as_mapping(found.get("items")) or {}, depth + 1)


def request_features(messages: Sequence[Sequence[float]], frame: Sequence[float]) -> list[float]:
    """Return the features of a request: those of its messages summed, then those of its frame."""
    empty = [0.0] * len(MESSAGE_FEATURES)
    return [*map(sum, zip(empty, *messages, strict=True)), *frame]
