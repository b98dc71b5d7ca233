"""Rules about the content of one message: missing, empty, or of a kind that is not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from contextkit.diagnosis.problems import Problem
from contextkit.messages import (
    INSTRUCTION_ROLES,
    History,
    Message,
    as_mapping,
    is_text,
    mappings_in,
)

_FOREIGN_PARTS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "document"}
    | {"input_text", "input_image", "input_file", "output_text"}
)
"""Part types of Anthropic and of Responses, for which chat completions answers 400."""


def missing_content(message: Message) -> Iterator[Problem]:
    """No content, where a message has nothing else to say either."""
    if message.data.get("content") is not None or says_something_else(message):
        return
    if message.role == "assistant":
        yield Problem(
            code="empty_assistant_message",
            index=message.index,
            message="an assistant message with neither content nor calls",
            remedy="drop it, or give it a text",
        )
    else:
        yield Problem(
            code="missing_content",
            index=message.index,
            message=f"a {message.role} message without content",
            remedy="set content to a string or a list of parts",
        )


def says_something_else(message: Message) -> bool:
    """Whether something stands for the content: calls, a refusal, audio, an item of another format.

    In Anthropic's format, whose results say whether they are errors, a result may be empty.
    """
    return bool(
        message.tool_calls
        or message.refusal
        or message.data.get("audio")
        or message.data.get("item")
        or message.data.get("parts")
        or "is_error" in message.data
    )


def empty_parts(message: Message) -> Iterator[Problem]:
    """A part list without parts."""
    content = message.data.get("content")
    if isinstance(content, (list, tuple)) and not content:
        yield Problem(
            code="empty_content_list",
            index=message.index,
            message="content is an empty list",
            remedy="give it at least one part, or a text",
        )


def null_content(message: Message) -> Iterator[Problem]:
    """Calls without content: templates that trim it fail on null."""
    if message.role == "assistant" and message.tool_calls and message.data.get("content") is None:
        yield Problem(
            code="null_content",
            index=message.index,
            message="content is null beside tool calls",
            remedy='set content to ""',
        )


def empty_text(history: History) -> Iterator[Problem]:
    """Text of nothing but white space, which Anthropic refuses.

    A result may be empty, and so may the text beside calls and the last assistant message.
    """
    for message in history:
        if not any(is_blank_text(part) for part in message.parts):
            continue
        is_last = message.index == len(history) - 1 and message.role == "assistant"
        is_string = isinstance(message.data.get("content"), str)
        if is_string and (is_last or message.tool_calls or message.role not in _SPEAKERS):
            continue
        yield Problem(
            code="empty_text",
            index=message.index,
            message="a text of nothing but white space",
            remedy="drop it",
        )


_SPEAKERS = frozenset({"user", "assistant"})


def is_blank_text(part: Mapping[str, Any]) -> bool:
    """Whether a part is text without a visible character."""
    return is_text(part) and not str(part.get("text") or "").strip()


def trailing_space(history: History) -> Iterator[Problem]:
    """White space at the end of an answer that the model is to go on with."""
    last = history[-1]
    if last.role == "assistant" and not last.tool_calls and last.text != last.text.rstrip():
        yield Problem(
            code="trailing_white_space",
            index=last.index,
            message="the last assistant message ends in white space",
            remedy="strip it",
        )


def part_types(message: Message) -> Iterator[Problem]:
    """Content parts of other formats, and those that are no text."""
    kinds = [str(part.get("type")) for part in message.parts]
    foreign = [kind for kind in kinds if kind in _FOREIGN_PARTS]
    if foreign:
        yield Problem(
            code="foreign_part",
            index=message.index,
            message=f"a content part of type {foreign[0]!r}, which chat messages do not have",
            remedy="convert the history to chat format first",
        )
    if any(kind != "text" for kind in kinds):
        yield Problem(
            code="part_no_text",
            index=message.index,
            message=f"a content part of type {next(k for k in kinds if k != 'text')!r}",
            remedy="send text alone",
        )
    if message.parts and not isinstance(message.data.get("content"), str):
        yield Problem(
            code="content_parts",
            index=message.index,
            message="content is a list of parts",
            remedy="send it as one string",
        )


def instructions_as_parts(message: Message) -> Iterator[Problem]:
    """Parts other than text in instructions."""
    if message.role in INSTRUCTION_ROLES and any(not is_text(part) for part in message.parts):
        yield Problem(
            code="instruction_no_text",
            index=message.index,
            message=f"a {message.role} message with a part that is no text",
            remedy="put images and files into a user message",
        )


def blocks_of(message: Any) -> list[Mapping[str, Any]]:
    """The content blocks of a message in Anthropic format; a string is one text block."""
    content = (as_mapping(message) or {}).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return mappings_in(content)
