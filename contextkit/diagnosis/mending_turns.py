"""Mend calls and results where they are blocks of turns: the next turn answers all calls."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from contextkit.diagnosis.drafts import Draft, Entry
from contextkit.diagnosis.mending_order import leading
from contextkit.diagnosis.pairing import pairing_of_parts
from contextkit.diagnosis.wires import ANTHROPIC, GEMINI, Block, Wire


def mend_contents(draft: Draft) -> None:
    """Drop the contents of Gemini that hold nothing."""
    kept = []
    for place, entry in enumerate(draft.entries):
        if (
            place in dict(draft.open_entries())
            and "parts" in entry.data
            and not entry.data["parts"]
        ):
            draft.note("empty_content_list", entry.index, "an empty content dropped")
        else:
            kept.append(entry)
    draft.entries = kept


def mend_gemini_turns(draft: Draft) -> None:
    """Mend the turns of Gemini: calls and responses, where all can be read, and who is first."""
    can_be_read = all(entry.index in draft.readable for entry in draft.entries)
    if can_be_read and any(pairing_of_parts([entry.data for entry in draft.entries])):
        merge_turns(draft, GEMINI)
        mend_results(draft, GEMINI)
    mend_opening(draft, GEMINI)


def mend_opening(draft: Draft, wire: Wire = ANTHROPIC) -> None:
    """Put a marked user message in front, where the model speaks first and that is refused."""
    front = leading(draft.entries)
    if front == len(draft.entries) or draft.entries[front].role != wire.model:
        return
    first = draft.entries[front]
    code = "call_without_user_turn" if wire.calls_of(first) else "first_not_user"
    if draft.rejects(code) and first.index in draft.readable:
        draft.entries.insert(front, Entry(first.index, wire.opening))
        draft.note(code, first.index, "a placeholder put for the user message in front")


def merge_turns(draft: Draft, wire: Wire = ANTHROPIC) -> None:
    """Merge neighbours of one role into one turn."""
    merged: list[Entry] = []
    for entry in draft.entries:
        before = merged[-1] if merged else None
        if before is None or not _is_same_turn(draft, wire, before, entry):
            merged.append(entry)
            continue
        blocks = [*wire.listed(before.data), *wire.listed(entry.data)]
        merged[-1] = wire.holding(before, blocks)
        draft.note("same_role_twice", entry.index, f"merged into message {before.index}")
    draft.entries = merged


def _is_same_turn(draft: Draft, wire: Wire, before: Entry, entry: Entry) -> bool:
    if entry.role not in ("user", wire.model) or before.role != entry.role:
        return False
    return draft.readable.issuperset({before.index, entry.index})


def mend_results(draft: Draft, wire: Wire = ANTHROPIC) -> None:
    """Give every turn of results exactly those of the calls in the turn before, in front."""
    asked: Mapping[str, Block] = {}
    entries: list[Entry] = []
    answering = partial(_answering, draft, wire)
    for place, entry in enumerate(draft.entries):
        if entry.role != wire.model:
            entries.extend(answering(place, entry, asked))
            asked = {}
            continue
        if asked:
            entries.extend(answering(place, Entry(entries[-1].index, wire.nobody), asked))
        asked = wire.calls_of(entry)
        entries.append(entry)
    if asked:
        entries.extend(answering(len(draft.entries), Entry(entries[-1].index, wire.nobody), asked))
    draft.entries = entries
    if draft.unanswered == "remove":
        _remove_calls(draft, wire)


def _answering(
    draft: Draft, wire: Wire, place: int, entry: Entry, asked: Mapping[str, Block]
) -> list[Entry]:
    """Return the user turn with results in front: its own, moved ones, placeholders."""
    blocks = wire.listed(entry.data)
    results: dict[str, Block] = {}
    rest: list[Block] = []
    moved: set[str] = set()
    for block, label in zip(blocks, wire.results(blocks), strict=True):
        if not label:
            rest.append(block)
        elif label in asked and label not in results:
            results[label] = block
        elif label not in moved and _is_moved(draft, wire, place, label, asked):
            moved.add(label)
        else:
            what = "a result removed: it answers no call"
            draft.note("orphan_tool_result", entry.index, what, label)
    for label in asked:
        if label not in results:
            results.update(_found_for(draft, wire, place, entry, label, asked[label]))
    wanted = [*results.values(), *rest]
    if wanted == blocks:
        return [entry] if blocks or entry.message is not wire.nobody else []
    _account_for_order(draft, entry, blocks, results, rest)
    return [wire.holding(entry, wanted)] if wanted else []


def _account_for_order(
    draft: Draft, entry: Entry, blocks: list[Block], results: dict[str, Block], rest: list[Block]
) -> None:
    kept = [block for block in blocks if block in rest or block in results.values()]
    kinds = [block in rest for block in kept]
    if kinds != sorted(kinds):
        draft.note("results_not_first", entry.index, "results put in front")


def _is_moved(draft: Draft, wire: Wire, place: int, label: str, asked: Mapping[str, Block]) -> bool:
    """Whether a result that is out of place answers the newest call of its label before it."""
    if label in asked:
        return False
    for before in range(place - 1, -1, -1):
        if label in wire.calls_of(draft.entries[before]):
            between = draft.entries[before + 1 : place]
            return not any(label in wire.results_of(entry) for entry in between)
    return False


def _found_for(
    draft: Draft, wire: Wire, place: int, entry: Entry, label: str, call: Block
) -> dict[str, Any]:
    """The result of a call from a later turn, or a placeholder for it."""
    for later in draft.entries[place:]:
        if label in wire.calls_of(later):
            break
        block = wire.results_of(later).get(label)
        if block is not None:
            what = "the result moved back to its call"
            draft.note("tool_result_not_contiguous", later.index, what, label)
            return {label: block}
    if draft.unanswered == "remove":
        return {}
    draft.note("unanswered_tool_call", entry.index, "a placeholder put for the result", label)
    return {label: wire.placeholder(call)}


def _remove_calls(draft: Draft, wire: Wire) -> None:
    kept: list[Entry] = []
    for place, entry in enumerate(draft.entries):
        behind = draft.entries[place + 1 : place + 2]
        answered = {label for each in behind for label in wire.results_of(each)}
        gone = [label for label in wire.calls_of(entry) if label not in answered]
        for label in gone:
            draft.note("unanswered_tool_call", entry.index, "the call removed", label)
        blocks = wire.listed(entry.data)
        labels = wire.calls(blocks)
        left = [
            b for b, label in zip(blocks, labels, strict=True) if label not in gone or not label
        ]
        kept.extend([wire.holding(entry, left) if gone else entry] if left or not gone else [])
    draft.entries = kept
