"""Mend calls and results of chat messages: move back, remove, answer by a placeholder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contextkit.diagnosis.drafts import NO_RESULT, Draft, Entry
from contextkit.diagnosis.mending_fields import without
from contextkit.diagnosis.pairing import Pairing, paired
from contextkit.messages import as_mapping


def mend_pairs(draft: Draft) -> None:
    """Put every result right behind its call, and leave no call and no result alone."""
    history = draft.history()
    found = paired(history)
    nameless = [m.index for m in history if m.role == "tool" and m.tool_call_id is None]
    if not (found.displaced or found.seconds or found.orphans or found.unanswered or nameless):
        return
    _account(draft, found, nameless)
    gone = {*found.displaced, *found.seconds, *found.orphans, *nameless}
    draft.entries = [
        each
        for place, entry in enumerate(draft.entries)
        if place not in gone
        for each in _group(draft, entry, place, found)
    ]
    _move_in(draft)


def _account(draft: Draft, found: Pairing, nameless: list[int]) -> None:
    for places, code, what in (
        (found.displaced, "tool_result_not_contiguous", "the result moved back to its call"),
        (found.seconds, "duplicate_tool_result", "a second result removed"),
        (found.orphans, "orphan_tool_result", "a result removed that answers no call"),
        (nameless, "missing_tool_call_id", "a result removed that names no call"),
    ):
        for place in places:
            entry = draft.entries[place]
            draft.note(code, entry.index, what, entry.data.get("tool_call_id"))


def _group(draft: Draft, entry: Entry, place: int, found: Pairing) -> list[Entry]:
    """The message, or its calls that are answered, with displaced results and placeholders."""
    open_ids = [id for index, id in found.unanswered if index == place]
    kept: list[Entry] = [entry]
    if open_ids and draft.unanswered == "remove":
        kept = _without_calls(draft, entry, open_ids)
        open_ids = []
    moved = sorted(p for (opener, _), p in found.answers.items() if opener == place)
    late = [draft.entries[p] for p in moved if p in found.displaced]
    passing = (_Late(each.index, each.message) for each in late)
    return [*kept, *passing, *_placeholders(draft, entry, open_ids)]


class _Late(Entry):
    """A result that has to go behind those that stand behind the call already."""


def _move_in(draft: Draft) -> None:
    """Let late results pass those that are in place."""
    entries: list[Entry] = []
    late: list[Entry] = []
    for entry in draft.entries:
        if isinstance(entry, _Late):
            late.append(Entry(entry.index, entry.message))
            continue
        if entry.role not in ("tool", "function"):
            entries, late = [*entries, *late], []
        entries.append(entry)
    draft.entries = [*entries, *late]


def _placeholders(draft: Draft, entry: Entry, ids: list[str]) -> list[Entry]:
    for id in ids:
        draft.note("unanswered_tool_call", entry.index, "a placeholder put for the result", id)
    made = ({"role": "tool", "tool_call_id": id, "content": NO_RESULT} for id in ids)
    return [_Late(entry.index, message) for message in made]


def _without_calls(draft: Draft, entry: Entry, ids: list[str]) -> list[Entry]:
    """Take calls off a message; what has nothing else to say goes with them."""
    for id in ids:
        draft.note("unanswered_tool_call", entry.index, "the call removed", id)
    data: Mapping[str, Any] = entry.data
    calls = [call for call in data["tool_calls"] if (as_mapping(call) or {}).get("id") not in ids]
    if calls:
        return [Entry(entry.index, {**data, "tool_calls": calls})]
    rest = without(data, "tool_calls")
    says = rest.get("content") or rest.get("refusal") or rest.get("audio")
    return [Entry(entry.index, rest)] if says or rest.get("function_call") else []
