"""Mend the items of Responses, which pair by id, wherever they stand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from contextkit.diagnosis.drafts import NO_RESULT, Draft, Entry
from contextkit.diagnosis.pairing import OUTPUTS, leads_nowhere

Item = Mapping[str, Any]
Mended = tuple[Item | None, str, str]


def mend_item_fields(draft: Draft) -> None:
    """Mend what stands in one item alone."""
    kept: list[Entry] = []
    for entry in draft.entries:
        mended = next(filter(None, (mend(entry) for mend in _MENDERS)), None)
        if mended is None or entry.index not in draft.readable:
            kept.append(entry)
            continue
        item, code, what = mended
        draft.note(code, entry.index, what)
        kept.extend([] if item is None else [Entry(entry.index, item)])
    draft.entries = kept


def _arguments(entry: Entry) -> Mended | None:
    item = entry.data
    arguments = item.get("arguments", "")
    if item.get("type") != "function_call" or isinstance(arguments, str):
        return None
    text = "{}" if arguments is None else json.dumps(arguments, ensure_ascii=False, default=str)
    written = {**item, "arguments": text}
    return written, "arguments_not_string", "arguments written as a JSON string"


def _missing_id(entry: Entry) -> Mended | None:
    item = entry.data
    if str(item.get("type")) not in OUTPUTS or isinstance(item.get("call_id"), str):
        return None
    id = f"call_{entry.index}"
    return {**item, "call_id": id}, "missing_call_id", f"id {id!r} given to the call"


def _nameless_output(entry: Entry) -> Mended | None:
    item = entry.data
    if item.get("type") not in OUTPUTS.values() or isinstance(item.get("call_id"), str):
        return None
    return None, "missing_tool_call_id", "a result removed that names no call"


def _empty_list(entry: Entry) -> Mended | None:
    item = entry.data
    if item.get("type") in OUTPUTS.values() and item.get("output") == []:
        return {**item, "output": ""}, "empty_content_list", 'output set to ""'
    if item.get("type", "message") == "message" and item.get("content") == []:
        return None, "empty_content_list", "an empty message dropped"
    return None


_MENDERS: tuple[Callable[[Entry], Mended | None], ...] = (
    _arguments,
    _missing_id,
    _nameless_output,
    _empty_list,
)


def mend_item_pairs(draft: Draft) -> None:
    """Remove outputs that answer no call; answer or remove calls without output."""
    waiting: dict[str, Entry] = {}
    orphans: list[Entry] = []
    for _, entry in draft.open_entries():
        id, kind = str(entry.data.get("call_id")), str(entry.data.get("type"))
        if kind in OUTPUTS:
            waiting[id] = entry
        elif kind in OUTPUTS.values() and waiting.pop(id, None) is None and not draft.stored:
            orphans.append(entry)
            what = "a result removed that answers no call"
            draft.note("orphan_tool_result", entry.index, what, id)
    _remove(draft, orphans)
    if draft.unanswered == "remove":
        _remove(draft, list(waiting.values()))
    for id, entry in waiting.items():
        removes = draft.unanswered == "remove"
        what = "the call removed" if removes else "a placeholder put for the result"
        draft.note("unanswered_tool_call", entry.index, what, id)
        if not removes:
            _answer(draft, entry, id)


def _remove(draft: Draft, gone: list[Entry]) -> None:
    places = set(map(id, gone))
    draft.entries = [entry for entry in draft.entries if id(entry) not in places]


def _answer(draft: Draft, call: Entry, id: str) -> None:
    """Put a placeholder behind the calls that the model made at once."""
    end = draft.entries.index(call) + 1
    while end < len(draft.entries) and str(draft.entries[end].data.get("type")) in OUTPUTS:
        end += 1
    kind = OUTPUTS[call.data["type"]]
    output = {"type": kind, "call_id": id, "output": NO_RESULT}
    draft.entries.insert(end, Entry(call.index, output))


def mend_reasoning_items(draft: Draft) -> None:
    """Remove reasoning behind which nothing stands that it led to."""
    kept: list[Entry] = []
    for place, entry in enumerate(draft.entries):
        behind = draft.entries[place + 1].data if place + 1 < len(draft.entries) else None
        if draft.minds("reasoning_without_item") and leads_nowhere(entry.data, behind):
            what = "reasoning removed: what it led to is gone"
            draft.note("reasoning_without_item", entry.index, what)
        else:
            kept.append(entry)
    draft.entries = kept
