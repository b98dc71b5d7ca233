"""Rules about the fields of one message: calls, ids, names, roles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from contextkit.diagnosis.problems import Problem
from contextkit.messages import Message, ToolCall, as_mapping

LONGEST_CALL_ID = 40
"""Characters of a call id in OpenAI chat (error "string too long", read 2026-11-30)."""

_FUNCTION_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}\Z")
_PARTICIPANT_NAME = re.compile(r"[^\s<|\\/>]+\Z")
PLAIN_CALL_ID = re.compile(r"[a-zA-Z0-9_-]+\Z")
"""Call ids that Anthropic takes."""
NINE_CHARACTER_ID = re.compile(r"[a-zA-Z0-9]{9}\Z")
"""Call ids that Mistral takes."""


def empty_calls(message: Message) -> Iterator[Problem]:
    """An empty ``tool_calls``."""
    calls = message.data.get("tool_calls")
    if calls is not None and not calls:
        yield Problem(
            code="empty_tool_calls",
            index=message.index,
            message="tool_calls is an empty list",
            remedy="leave the key out when there are no calls",
        )


def misplaced_calls(message: Message) -> Iterator[Problem]:
    """Calls that another than the assistant makes."""
    if message.role != "assistant" and message.data.get("tool_calls"):
        yield Problem(
            code="tool_calls_outside_assistant",
            index=message.index,
            message=f"a {message.role} message with tool_calls",
            remedy="only assistant messages make calls",
        )


def call_fields(message: Message) -> Iterator[Problem]:
    """The id, name and arguments of each call."""
    if message.role != "assistant":
        return
    seen: set[str] = set()
    for raw, call in zip(message.data.get("tool_calls") or (), message.tool_calls, strict=False):
        if call.id is None:
            yield _call_problem(message, "missing_call_id", None, "a tool call without id")
        elif call.id in seen:
            yield _call_problem(message, "duplicate_call_id", call.id, f"id {call.id!r} twice")
        seen.add(call.id or "")
        if not call.name:
            yield _call_problem(message, "missing_function_name", call.id, "a call without name")
        elif not _FUNCTION_NAME.match(call.name):
            found = f"function name {call.name[:40]!r}"
            yield _call_problem(message, "function_name_characters", call.id, found)
        yield from _arguments(message, call, raw)


def _call_problem(message: Message, code: str, id: str | None, found: str) -> Problem:
    remedy = "give every call of a message its own id, a name and JSON arguments"
    if code == "function_name_characters":
        remedy = "use letters, digits, _ and - only"
    return Problem(code=code, index=message.index, id=id, message=found, remedy=remedy)


def _arguments(message: Message, call: ToolCall, raw: Any) -> Iterator[Problem]:
    function = as_mapping((as_mapping(raw) or {}).get("function"))
    if function is None:
        return
    arguments = function.get("arguments", "")
    if not isinstance(arguments, str):
        yield Problem(
            code="arguments_not_string",
            index=message.index,
            id=call.id,
            message=f"arguments are {type(arguments).__name__}",
            remedy="send them as a JSON string: json.dumps(arguments)",
        )
    else:
        yield from _argument_text(message, call.id, arguments)


def _argument_text(message: Message, id: str | None, arguments: str) -> Iterator[Problem]:
    try:
        parsed = json.loads(arguments)
    except (ValueError, RecursionError):
        yield Problem(
            code="invalid_arguments_json",
            index=message.index,
            id=id,
            message=f"arguments are no JSON: {arguments[:40]!r}",
            remedy="stricter servers and templates parse them; mend or drop the call",
        )
        return
    if not isinstance(parsed, Mapping):
        yield Problem(
            code="arguments_not_object",
            index=message.index,
            id=id,
            message=f"arguments are no JSON object: {arguments[:40]!r}",
            remedy="send an object with one key for each parameter",
        )


def result_fields(message: Message) -> Iterator[Problem]:
    """What a result has to say of its call."""
    if message.role == "tool" and message.tool_call_id is None:
        yield Problem(
            code="missing_tool_call_id",
            index=message.index,
            message="a tool result without tool_call_id",
            remedy="set it to the id of the call that it answers",
        )
    if message.role == "function" and not message.name:
        yield Problem(
            code="missing_function_name",
            index=message.index,
            message="a function result without name",
            remedy="set name to the function that was called",
        )


def call_ids(message: Message) -> Iterator[Problem]:
    """Ids that one provider or another refuses, in calls and in results."""
    ids = [call.id for call in message.tool_calls] if message.role == "assistant" else []
    for id in [*ids, message.tool_call_id if message.role == "tool" else None]:
        if id is None:
            continue
        if len(id) > LONGEST_CALL_ID:
            yield _id_problem(message, id, "call_id_too_long", f"at most {LONGEST_CALL_ID} long")
        if not PLAIN_CALL_ID.match(id):
            yield _id_problem(message, id, "call_id_characters", "of letters, digits, _ and -")
        if not NINE_CHARACTER_ID.match(id):
            yield _id_problem(message, id, "call_id_not_nine", "of nine letters and digits")


def _id_problem(message: Message, id: str, code: str, wanted: str) -> Problem:
    return Problem(
        code=code,
        index=message.index,
        id=id,
        message=f"call id {id[:60]!r} is not {wanted}",
        remedy="write another id into the call and its result",
    )


def roles(message: Message) -> Iterator[Problem]:
    """Roles and keys that only OpenAI knows."""
    if message.role == "developer":
        yield Problem(
            code="developer_role",
            index=message.index,
            message="a developer message",
            remedy='use the role "system"',
        )
    if message.role == "function" or message.data.get("function_call"):
        yield Problem(
            code="legacy_function_call",
            index=message.index,
            message="a function call in the format of 2023",
            remedy="use tool_calls and messages with the role tool",
        )


def participant_name(message: Message) -> Iterator[Problem]:
    """A ``name`` with characters that OpenAI refuses."""
    if message.name and message.role != "tool" and not _PARTICIPANT_NAME.match(message.name):
        yield Problem(
            code="name_characters",
            index=message.index,
            message=f"name {message.name[:40]!r} has a space or one of < | \\ / >",
            remedy="leave these characters out",
        )
