"""Name the faults for which a server refuses a message list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from contextkit.errors import MessageError
from contextkit.messages import History, Message, as_mapping
from contextkit.units import Units

Severity = Literal["rejected", "risky"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault of a message list.

    Attributes:
        code: what kind of fault, a stable snake_case name.
        index: the message at fault; None for the list itself.
        id: the tool call id concerned, if one is.
        message: what is wrong, in words.
        remedy: what to do.
        severity: "rejected" (OpenAI answers 400) or "risky" (OpenAI takes it, stricter servers or
            templates do not, or the model is misled).
    """

    code: str
    index: int | None
    id: str | None = None
    message: str
    remedy: str
    severity: Severity = "rejected"

    def __str__(self) -> str:
        place = "messages" if self.index is None else f"message {self.index}"
        return f"{place}: {self.message} [{self.code}]; {self.remedy}"


def check(messages: Iterable[Any]) -> list[Problem]:
    """Return every fault for which an OpenAI-compatible server refuses a message list.

    Nothing is raised for a faulty history: a message that cannot be read is a problem too, and the
    others are still looked at.

    Args:
        messages: the history.

    Returns:
        The problems in the order of the messages; an empty list when the server will take it.

    Example:
        >>> check([{"role": "tool", "tool_call_id": "c1", "content": "4"}])[0].code
        'orphan_tool_result'
    """
    try:
        listed = [] if messages is None else _listed(messages)
    except MessageError as error:
        return [_unreadable(None, error)]
    if not listed:
        remedy = "send at least one message"
        return [Problem(code="empty_list", index=None, message="no messages", remedy=remedy)]
    unread = list(_unread(listed))
    bad = {problem.index for problem in unread}
    # Unreadable messages are stood in for, so that the others keep their places.
    history = History([_STAND_IN if i in bad else m for i, m in enumerate(listed)])
    found = [p for p in _content_and_pairing_problems(history) if p.index not in bad]
    return sorted([*unread, *found], key=lambda problem: problem.index or 0)


_STAND_IN = {"role": "system", "content": "-"}


def _listed(messages: Iterable[Any]) -> list[Any]:
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Iterable):
        History(messages)
    return list(messages)


def _unread(messages: Sequence[Any]) -> Iterator[Problem]:
    for index, message in enumerate(messages):
        try:
            History([message])
        except MessageError as error:
            yield _unreadable(index, error)


def _unreadable(index: int | None, error: MessageError) -> Problem:
    return Problem(code="unreadable_message", index=index, message=error.found, remedy=error.remedy)


def _content_and_pairing_problems(history: History) -> Iterator[Problem]:
    for message in history:
        for rule in _MESSAGE_RULES:
            yield from rule(message)
    yield from _pairing_problems(history)


def _missing_content(message: Message) -> Iterator[Problem]:
    if message.data.get("content") is not None or message.tool_calls or message.refusal:
        return
    if message.role == "assistant":
        yield Problem(
            code="empty_assistant_message",
            index=message.index,
            message="an assistant message with neither content nor calls",
            remedy='drop it, or set content to ""',
            severity="risky",
        )
    else:
        yield Problem(
            code="missing_content",
            index=message.index,
            message=f"a {message.role} message without content",
            remedy="set content to a string or a list of parts",
        )


def _empty_parts(message: Message) -> Iterator[Problem]:
    content = message.data.get("content")
    if isinstance(content, (list, tuple)) and not content:
        yield Problem(
            code="empty_content_list",
            index=message.index,
            message="content is an empty list",
            remedy='use "" or at least one part',
        )


def _empty_calls(message: Message) -> Iterator[Problem]:
    calls = message.data.get("tool_calls")
    if calls is not None and not calls:
        yield Problem(
            code="empty_tool_calls",
            index=message.index,
            message="tool_calls is an empty list",
            remedy="leave the key out when there are no calls",
        )


def _misplaced_calls(message: Message) -> Iterator[Problem]:
    if message.role != "assistant" and message.data.get("tool_calls"):
        yield Problem(
            code="tool_calls_outside_assistant",
            index=message.index,
            message=f"a {message.role} message with tool_calls",
            remedy="only assistant messages make calls",
        )


def _call_fields(message: Message) -> Iterator[Problem]:
    seen: set[str] = set()
    for raw, call in zip(message.data.get("tool_calls") or (), message.tool_calls, strict=False):
        if call.id is None:
            yield _call_problem(message, "missing_call_id", None, "a tool call without id")
        elif call.id in seen:
            yield _call_problem(message, "duplicate_call_id", call.id, f"id {call.id!r} twice")
        seen.add(call.id or "")
        if not call.name:
            yield _call_problem(message, "missing_function_name", call.id, "a call without name")
        yield from _arguments(message, call.id, raw)


def _call_problem(message: Message, code: str, id: str | None, found: str) -> Problem:
    remedy = "give every call of a message its own id, a name and JSON arguments"
    return Problem(code=code, index=message.index, id=id, message=found, remedy=remedy)


def _arguments(message: Message, id: str | None, raw: Any) -> Iterator[Problem]:
    function = as_mapping((as_mapping(raw) or {}).get("function")) or {}
    arguments = function.get("arguments", "")
    if not isinstance(arguments, str):
        yield Problem(
            code="arguments_not_string",
            index=message.index,
            id=id,
            message=f"arguments are {type(arguments).__name__}",
            remedy="send them as a JSON string: json.dumps(arguments)",
        )
    elif not _is_json(arguments):
        yield Problem(
            code="invalid_arguments_json",
            index=message.index,
            id=id,
            message=f"arguments are no JSON: {arguments[:40]!r}",
            remedy="stricter servers and templates parse them; mend or drop the call",
            severity="risky",
        )


def _is_json(text: str) -> bool:
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _result_fields(message: Message) -> Iterator[Problem]:
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


_MESSAGE_RULES: Sequence[Callable[[Message], Iterator[Problem]]] = (
    _missing_content,
    _empty_parts,
    _empty_calls,
    _misplaced_calls,
    _call_fields,
    _result_fields,
)


def _pairing_problems(history: History) -> Iterator[Problem]:
    """Pair each result with the calls right before it; the same id may be used again later."""
    waiting: dict[str, list[Message]] = {}
    for unit in Units(history, len).between(0, len(history)):
        opener = unit.messages[0]
        asked = [call.id for call in opener.tool_calls if call.id is not None]
        answered: set[str] = set()
        for result in unit.messages:
            yield from _answer_problems(result, asked, answered, waiting)
        for id in asked:
            if id not in answered:
                waiting.setdefault(id, []).append(opener)
    yield from (_unanswered(opener, id) for id, openers in waiting.items() for opener in openers)


def _answer_problems(
    result: Message, asked: Sequence[str], answered: set[str], waiting: dict[str, list[Message]]
) -> Iterator[Problem]:
    id = result.tool_call_id
    if result.role != "tool" or id is None:
        return
    if id in answered:
        yield _second(result)
    elif id in asked:
        answered.add(id)
    elif waiting.get(id):
        waiting[id].pop()
        yield _displaced(result)
    else:
        yield _orphan(result)


def _unanswered(opener: Message, id: str) -> Problem:
    return Problem(
        code="unanswered_tool_call",
        index=opener.index,
        id=id,
        message=f"call {id!r} has no result right behind it",
        remedy="add a tool message with this tool_call_id, or drop the call",
    )


def _orphan(result: Message) -> Problem:
    return Problem(
        code="orphan_tool_result",
        index=result.index,
        id=result.tool_call_id,
        message=f"result {result.tool_call_id!r} answers no call right before it",
        remedy="drop it, or put back the assistant message with this call",
    )


def _displaced(result: Message) -> Problem:
    return Problem(
        code="tool_result_not_contiguous",
        index=result.index,
        id=result.tool_call_id,
        message=f"result {result.tool_call_id!r} is separated from its call",
        remedy="move it right behind the assistant message that makes the call",
    )


def _second(result: Message) -> Problem:
    return Problem(
        code="duplicate_tool_result",
        index=result.index,
        id=result.tool_call_id,
        message=f"call {result.tool_call_id!r} is answered a second time",
        remedy="keep one result for each call",
    )
