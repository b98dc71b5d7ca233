"""Write the texts of a unit anew without touching the caller's messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from contextkit.ledger import Step
from contextkit.messages import Message, is_text

Rewrite = Callable[[str], str]


def with_texts(message: Message, rewrite: Rewrite) -> Mapping[str, Any]:
    """Return a copy of a message in which every text of its content went through ``rewrite``.

    Everything else, call ids and unknown keys included, is copied as it is. Nothing nested is
    shared with the caller's message. A message in which no text changes is returned itself.
    """
    content = message.data.get("content")
    written: object
    if isinstance(content, str):
        written = rewrite(content)
    else:
        written = [_part(part, rewrite) for part in message.parts]
    if written == content or not content:
        return message.data
    return {key: deepcopy(value) for key, value in message.data.items()} | {"content": written}


def texts_of(message: Message) -> Sequence[str]:
    """Return the texts of a message's content, one a part."""
    return [str(part["text"]) for part in message.parts if is_text(part) and part.get("text")]


def messages_of(step: Step) -> Sequence[Message]:
    """Return the messages that a kept or rewritten step of one unit stands for now."""
    from contextkit.messages import History

    if step.action == "rewrite":
        return tuple(History(step.messages))
    return tuple(message for unit in step.units() for message in unit.messages)


def _part(part: Mapping[str, Any], rewrite: Rewrite) -> Mapping[str, Any]:
    if is_text(part) and part.get("text"):
        return {**deepcopy(dict(part)), "text": rewrite(str(part["text"]))}
    return deepcopy(dict(part))
