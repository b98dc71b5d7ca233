"""Rules about calls and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contextkit.diagnosis.content import blocks_of
from contextkit.diagnosis.problems import Problem
from contextkit.messages import History, Message, as_mapping, mappings_in
from contextkit.units import Unit, Units


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which result answers which call; the same id may be used again later.

    Attributes:
        answers: index of the result, by index and id of its call.
        displaced: results that stand behind other messages than they should.
        seconds: results of calls that are answered already.
        orphans: results that answer no call before them.
        unanswered: calls, by index and id, without any result.
    """

    answers: dict[tuple[int, str], int] = field(default_factory=dict)
    displaced: list[int] = field(default_factory=list)
    seconds: list[int] = field(default_factory=list)
    orphans: list[int] = field(default_factory=list)
    unanswered: list[tuple[int, str]] = field(default_factory=list)


def paired(history: History) -> Pairing:
    """Pair each result with a call right before it, else with an older one that still waits."""
    found = Pairing()
    waiting: dict[str, list[int]] = {}
    for unit in Units(history, len).between(0, len(history)):
        opener = unit.messages[0]
        asked = dict.fromkeys(call.id for call in opener.tool_calls if call.id is not None)
        for result in _results(unit):
            _pair(found, result, opener.index, asked, waiting)
        for id in asked:
            if (opener.index, id) not in found.answers:
                waiting.setdefault(id, []).append(opener.index)
    found.unanswered.extend((index, id) for id, openers in waiting.items() for index in openers)
    return found


def _results(unit: Unit) -> list[tuple[int, str]]:
    tools = (message for message in unit.messages if message.role == "tool")
    return [(tool.index, tool.tool_call_id) for tool in tools if tool.tool_call_id is not None]


def _pair(
    found: Pairing,
    result: tuple[int, str],
    opener: int,
    asked: Mapping[str, None],
    waiting: Mapping[str, list[int]],
) -> None:
    index, id = result
    if (opener, id) in found.answers:
        found.seconds.append(index)
    elif id in asked:
        found.answers[opener, id] = index
    elif waiting.get(id):
        found.answers[waiting[id].pop(), id] = index
        found.displaced.append(index)
    else:
        found.orphans.append(index)


def pairing_by_place(history: History) -> Iterator[Problem]:
    """Chat, Converse: results stand right behind their calls."""
    found = paired(history)
    yield from (_displaced(history[index]) for index in found.displaced)
    yield from (_second(history[index]) for index in found.seconds)
    yield from (_orphan(history[index]) for index in found.orphans)
    yield from (_unanswered(index, id) for index, id in found.unanswered)


def pairing_of_blocks(messages: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Anthropic: neighbours of one role are one turn, and results stand in the next turn."""
    yield from _turns_paired(messages, _blocks_made, _blocks_answered)


def pairing_of_parts(contents: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Gemini: as many responses as calls in the turn before, paired by id or name."""
    yield from _turns_paired(contents, _parts_made, _parts_answered)


Named = Callable[[Mapping[str, Any]], list[str]]


def _turns_paired(
    messages: Sequence[Mapping[str, Any]], made: Named, answered: Named
) -> Iterator[Problem]:
    waiting: list[tuple[int, str]] = []
    older: list[tuple[int, str]] = []
    speaker = ""
    for index, message in enumerate(messages):
        role = "assistant" if message.get("role") in ("assistant", "model") else "user"
        if role != speaker and role == "assistant":
            older, waiting = [*older, *waiting], []
        speaker = role
        for id in answered(message):
            yield from _claimed(index, id, waiting, older)
        waiting.extend((index, id) for id in made(message))
    yield from (_unanswered(index, id) for index, id in (*older, *waiting))


def _claimed(
    index: int, id: str, waiting: list[tuple[int, str]], older: list[tuple[int, str]]
) -> Iterator[Problem]:
    """Take the call that a result answers off the list, or name the fault of the result."""
    result = Message(index, None, {"role": "tool", "tool_call_id": id})
    for calls in (waiting, older):
        call = next((call for call in calls if call[1] == id), None)
        if call is not None:
            calls.remove(call)
            if calls is older:
                yield _displaced(result)
            return
    yield _orphan(result)


def _blocks_made(message: Mapping[str, Any]) -> list[str]:
    return [str(block.get("id")) for block in blocks_of(message) if block.get("type") == "tool_use"]


def _blocks_answered(message: Mapping[str, Any]) -> list[str]:
    blocks = (block for block in blocks_of(message) if block.get("type") == "tool_result")
    return [str(block.get("tool_use_id")) for block in blocks]


def _parts_made(content: Mapping[str, Any]) -> list[str]:
    return _named(content, "functionCall", "function_call")


def _parts_answered(content: Mapping[str, Any]) -> list[str]:
    return _named(content, "functionResponse", "function_response")


def _named(content: Mapping[str, Any], *keys: str) -> list[str]:
    parts = content.get("parts")
    listed = mappings_in([parts] if as_mapping(parts) else parts)
    found = (as_mapping(part.get(key)) for part in listed for key in keys)
    return [str(each.get("name")) for each in found if each]


OUTPUTS: Mapping[str, str] = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
}
"""Responses: which kind of item answers which kind of call."""


def pairing_by_id(items: Sequence[Mapping[str, Any]], *, stored: bool) -> Iterator[Problem]:
    """Responses: a result stands anywhere behind its call.

    Args:
        items: the input.
        stored: whether the request goes on from items that the server keeps, so that a result may
            answer a call that is not here.
    """
    waiting: dict[str, int] = {}
    for index, item in enumerate(items):
        id, kind = str(item.get("call_id")), str(item.get("type"))
        if kind in OUTPUTS:
            waiting[id] = index
        elif kind in OUTPUTS.values() and waiting.pop(id, None) is None and not stored:
            yield _orphan(Message(index, item, {"role": "tool", "tool_call_id": id}))
    yield from (_unanswered(index, id) for id, index in waiting.items())


def reasoning_followed(items: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Responses: behind a reasoning item stands what it led to, a message or a call."""
    for index, item in enumerate(items):
        if leads_nowhere(item, items[index + 1] if index + 1 < len(items) else None):
            yield Problem(
                code="reasoning_without_item",
                index=index,
                id=str(item["id"]),
                message="a reasoning item without the message or call that it led to",
                remedy="put back what followed it, or drop it",
            )


def leads_nowhere(item: Mapping[str, Any], behind: Mapping[str, Any] | None) -> bool:
    """Whether an item is stored reasoning, and what stands behind it is not the model's."""
    if item.get("type") != "reasoning" or not item.get("id"):
        return False
    if behind is None:
        return True
    kind = str(behind.get("type") or "message")
    return kind.endswith("_output") or (kind == "message" and behind.get("role") != "assistant")


def _unanswered(index: int, id: str) -> Problem:
    return Problem(
        code="unanswered_tool_call",
        index=index,
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
