"""Mend the fields of chat messages, and the ids of their calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from contextkit.diagnosis.content import says_something_else
from contextkit.diagnosis.drafts import Draft, Entry, fitting_id
from contextkit.diagnosis.reasoning import idle_reasoning
from contextkit.messages import History, Message, as_mapping

Data = Mapping[str, Any]
Mended = tuple[dict[str, Any], str, str]


def mend_fields(draft: Draft) -> None:
    """Mend what stands in one message alone."""
    for place, _ in list(draft.open_entries()):
        for mend in _MENDERS:
            _apply(draft, place, mend)


def _apply(draft: Draft, place: int, mend: Callable[[Message], Mended | None]) -> None:
    entry = draft.entries[place]
    mended = mend(_view(entry))
    if mended is not None and draft.minds(mended[1]):
        draft.rewrite(place, mended[0])
        draft.note(mended[1], entry.index, mended[2])


def _view(entry: Entry) -> Message:
    return History([entry.message])[0]


def _empty_calls(message: Message) -> Mended | None:
    data = message.data
    if "tool_calls" not in data or data["tool_calls"] is None or data["tool_calls"]:
        return None
    return without(data, "tool_calls"), "empty_tool_calls", "the empty tool_calls left out"


def _misplaced_calls(message: Message) -> Mended | None:
    if message.role == "assistant" or not message.data.get("tool_calls"):
        return None
    kept = without(message.data, "tool_calls")
    return kept, "tool_calls_outside_assistant", f"tool_calls taken off a {message.role} message"


def _missing_content(message: Message) -> Mended | None:
    if message.data.get("content") is not None or says_something_else(message):
        return None
    code = "empty_assistant_message" if message.role == "assistant" else "missing_content"
    return {**message.data, "content": ""}, code, 'content set to ""'


def _null_content(message: Message) -> Mended | None:
    if not message.tool_calls or message.data.get("content") is not None:
        return None
    return {**message.data, "content": ""}, "null_content", 'content set to ""'


def _empty_parts(message: Message) -> Mended | None:
    content = message.data.get("content")
    if content is None or isinstance(content, str) or content:
        return None
    return {**message.data, "content": ""}, "empty_content_list", 'content set to ""'


def _developer(message: Message) -> Mended | None:
    if message.role != "developer":
        return None
    return {**message.data, "role": "system"}, "developer_role", 'role set to "system"'


def _arguments(message: Message) -> Mended | None:
    if message.role != "assistant":
        return None
    calls = [as_mapping(call) or {} for call in message.data.get("tool_calls") or ()]
    written = [_with_written_arguments(call) for call in calls]
    if written == calls:
        return None
    mended = {**message.data, "tool_calls": written}
    return mended, "arguments_not_string", "arguments written as a JSON string"


def _with_written_arguments(call: Data) -> Data:
    function = as_mapping(call.get("function")) or {}
    arguments = function.get("arguments", "")
    if isinstance(arguments, str):
        return call
    text = "{}" if arguments is None else json.dumps(arguments, ensure_ascii=False, default=str)
    return {**call, "function": {**function, "arguments": text}}


_MENDERS: tuple[Callable[[Message], Mended | None], ...] = (
    _empty_calls,
    _misplaced_calls,
    _missing_content,
    _null_content,
    _empty_parts,
    _developer,
    _arguments,
)


def without(data: Data, key: str) -> dict[str, Any]:
    """Return a message without one of its keys."""
    return {name: value for name, value in data.items() if name != key}


def mend_reasoning(draft: Draft) -> None:
    """Leave out the reasoning of turns that are over and made no call."""
    if not draft.minds("resent_reasoning"):
        return
    for message in list(idle_reasoning(draft.history())):
        entry = draft.entries[message.index]
        draft.rewrite(message.index, without(entry.data, "reasoning_content"))
        draft.note("resent_reasoning", entry.index, "reasoning of an older turn left out")


def mend_missing_ids(draft: Draft) -> None:
    """Give every call of a message an id of its own, and its result the same."""
    for place, entry in list(draft.open_entries()):
        if entry.role == "assistant" and entry.data.get("tool_calls"):
            _mend_ids_of(draft, place)


def _mend_ids_of(draft: Draft, place: int) -> None:
    """Calls without an id, or with another's, get one; so do the results that are left for them.

    A result is left for a call when it is the only one without an id or a second one under the
    same id: the place tells whose it is.
    """
    entry = draft.entries[place]
    calls = [as_mapping(call) or {} for call in entry.data["tool_calls"]]
    results = list(_results_behind(draft, place))
    taken: set[str] = set()
    written = []
    for number, call in enumerate(calls):
        id = call.get("id")
        if isinstance(id, str) and id not in taken:
            taken.add(id)
            written.append(call)
            continue
        code = "duplicate_call_id" if isinstance(id, str) else "missing_call_id"
        new = _new_id(f"{id if isinstance(id, str) else 'call'}_{entry.index}_{number}", taken)
        written.append({**call, "id": new})
        draft.note(code, entry.index, f"id {new!r} given to the call", new)
        _claim(draft, results, id if isinstance(id, str) else None, new)
    if written != calls:
        draft.rewrite(place, {**entry.data, "tool_calls": written})
    _give_the_last_id(draft, place, results)


def _new_id(wanted: str, taken: set[str]) -> str:
    while wanted in taken:
        wanted += "_"
    taken.add(wanted)
    return wanted


def _claim(draft: Draft, results: list[int], old: str | None, new: str) -> None:
    """Give the new id to a result that the first call under the old one leaves over."""
    under = [place for place in results if draft.entries[place].data.get("tool_call_id") == old]
    left = under[1:] if old is not None else (under if len(under) == 1 else [])
    if left:
        entry = draft.entries[left[0]]
        draft.rewrite(left[0], {**entry.data, "tool_call_id": new})
        code = "missing_tool_call_id" if old is None else "duplicate_tool_result"
        draft.note(code, entry.index, f"tool_call_id {new!r} given to the result", new)


def _give_the_last_id(draft: Draft, place: int, results: list[int]) -> None:
    """One call without a result and one result without an id belong together."""
    data = draft.entries[place].data
    given = {draft.entries[p].data.get("tool_call_id") for p in results}
    ids = [(as_mapping(call) or {}).get("id") for call in data["tool_calls"]]
    open_ids = [id for id in ids if id not in given]
    nameless = [p for p in results if not _has_id(draft.entries[p])]
    if len(open_ids) == len(nameless) == 1:
        entry, id = draft.entries[nameless[0]], str(open_ids[0])
        draft.rewrite(nameless[0], {**entry.data, "tool_call_id": id})
        draft.note("missing_tool_call_id", entry.index, f"tool_call_id set to {id!r}", id)


def _has_id(entry: Entry) -> bool:
    return isinstance(entry.data.get("tool_call_id"), str)


def _results_behind(draft: Draft, place: int) -> Iterator[int]:
    for behind in range(place + 1, len(draft.entries)):
        entry = draft.entries[behind]
        if entry.index not in draft.readable or entry.role != "tool":
            return
        yield behind


def mend_id_forms(draft: Draft) -> None:
    """Write ids in the characters that the provider takes, alike in calls and results."""
    for place, entry in list(draft.open_entries()):
        data, faults = _with_fitting_ids(entry.data, draft)
        if faults:
            draft.rewrite(place, data)
        for old, new, code in faults:
            draft.note(code, entry.index, f"id {old[:60]!r} written as {new!r}", new)


def _with_fitting_ids(data: Data, draft: Draft) -> tuple[Data, list[tuple[str, str, str]]]:
    faults: list[tuple[str, str, str]] = []

    def fitted(holder: Data, key: str) -> Data:
        old = holder.get(key)
        new, code = fitting_id(old, draft) if isinstance(old, str) else (old, None)
        if code is None or not isinstance(old, str):
            return holder
        faults.append((old, str(new), code))
        return {**holder, key: new}

    if data.get("role") == "tool":
        data = fitted(data, "tool_call_id")
    if data.get("role") == "assistant" and data.get("tool_calls"):
        calls = [fitted(as_mapping(call) or {}, "id") for call in data["tool_calls"]]
        data = {**data, "tool_calls": calls}
    return data, faults
