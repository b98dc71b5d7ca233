"""Mend messages in Anthropic's format, where calls and results are blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contextkit.diagnosis.content import blocks_of, is_blank_text
from contextkit.diagnosis.drafts import NO_RESULT, Draft, Entry, fitting_id
from contextkit.messages import as_mapping

Block = Mapping[str, Any]


def mend_empty_blocks(draft: Draft) -> None:
    """Drop texts of white space, in results too, and messages that are nothing else."""
    kept: list[Entry] = []
    for place, entry in enumerate(draft.entries):
        if entry.index not in draft.readable:
            kept.append(entry)
            continue
        is_prefill = place == len(draft.entries) - 1 and entry.role == "assistant"
        blocks = blocks_of(entry.data)
        if is_prefill and isinstance(entry.data.get("content"), str):
            kept.append(entry)
            continue
        full = [_full(block) for block in blocks if not is_blank_text(block)]
        if not full:
            draft.note(_emptiness(entry), entry.index, "an empty message dropped")
            continue
        if full != blocks:
            draft.note("empty_text", entry.index, "an empty text dropped")
            entry = _holding(entry, full)
        kept.append(entry)
    draft.entries = kept


def _emptiness(entry: Entry) -> str:
    content = entry.data.get("content")
    return (
        "missing_content" if content is None else "empty_text" if content else "empty_content_list"
    )


def _full(block: Block) -> Block:
    content = block.get("content")
    if block.get("type") != "tool_result" or not isinstance(content, (list, tuple)):
        return block
    parts = [part for part in content if not is_blank_text(as_mapping(part) or {})]
    return block if len(parts) == len(content) else {**block, "content": parts or ""}


def _holding(entry: Entry, blocks: list[Block]) -> Entry:
    return Entry(entry.index, {**entry.data, "content": blocks})


def merge_turns(draft: Draft) -> None:
    """Merge neighbours of one role into one turn."""
    merged: list[Entry] = []
    for entry in draft.entries:
        before = merged[-1] if merged else None
        if before is None or not _is_same_turn(draft, before, entry):
            merged.append(entry)
            continue
        merged[-1] = _holding(before, [*blocks_of(before.data), *blocks_of(entry.data)])
        draft.note("same_role_twice", entry.index, f"merged into message {before.index}")
    draft.entries = merged


def _is_same_turn(draft: Draft, before: Entry, entry: Entry) -> bool:
    if entry.role not in ("user", "assistant") or before.role != entry.role:
        return False
    return draft.readable.issuperset({before.index, entry.index})


def mend_block_ids(draft: Draft) -> None:
    """Write ids in the characters that Anthropic takes, alike in calls and results."""
    for place, entry in enumerate(draft.entries):
        blocks = blocks_of(entry.data)
        fitted = [_fitted(draft, entry.index, block) for block in blocks]
        if fitted != blocks:
            draft.rewrite(place, {**entry.data, "content": fitted})


def _fitted(draft: Draft, index: int, block: Block) -> Block:
    key = {"tool_use": "id", "tool_result": "tool_use_id"}.get(str(block.get("type")), "")
    old = block.get(key)
    new, code = fitting_id(old, draft) if isinstance(old, str) else (old, None)
    if code is None:
        return block
    draft.note(code, index, f"id {old!r} written as {new!r}", new)
    return {**block, key: new}


def mend_twin_calls(draft: Draft) -> None:
    """Tell calls of one turn apart that share an id, with their results in the next turn."""
    for place, entry in enumerate(draft.entries):
        ids = _ids(entry, "tool_use", "id")
        if entry.role != "assistant" or len(set(ids)) == len(ids):
            continue
        _number_twins(draft, place, "tool_use", "id", "duplicate_call_id")
        if place + 1 < len(draft.entries) and draft.entries[place + 1].role == "user":
            _number_twins(draft, place + 1, "tool_result", "tool_use_id", "duplicate_tool_result")


def _number_twins(draft: Draft, place: int, kind: str, key: str, code: str) -> None:
    """Number the ids of blocks that come again, alike in calls and in results."""
    entry = draft.entries[place]
    seen: list[str] = []
    blocks: list[Block] = []
    for block in blocks_of(entry.data):
        id = str(block.get(key))
        if block.get("type") == kind and id in seen:
            new = f"{id}_{seen.count(id) + 1}"
            draft.note(code, entry.index, f"id {new!r} given to the second block", new)
            block = {**block, key: new}
        seen.extend([id] if block.get("type") == kind else [])
        blocks.append(block)
    draft.rewrite(place, {**entry.data, "content": blocks})


def mend_results(draft: Draft) -> None:
    """Give every turn of results exactly those of the calls in the turn before, in front."""
    asked: list[str] = []
    entries: list[Entry] = []
    for place, entry in enumerate(draft.entries):
        if entry.role == "user":
            entries.extend(_answering(draft, place, entry, asked))
            asked = []
            continue
        if asked:
            entries.extend(_answering(draft, place, Entry(entries[-1].index, _NOBODY), asked))
        made = (block for block in blocks_of(entry.data) if block.get("type") == "tool_use")
        asked = [str(block.get("id")) for block in made]
        entries.append(entry)
    if asked:
        end = len(draft.entries)
        entries.extend(_answering(draft, end, Entry(entries[-1].index, _NOBODY), asked))
    draft.entries = entries
    if draft.unanswered == "remove":
        _remove_calls(draft)


_NOBODY: Mapping[str, Any] = {"role": "user", "content": []}


def _answering(draft: Draft, place: int, entry: Entry, asked: list[str]) -> list[Entry]:
    """Return the user turn with results in front: its own, moved ones, placeholders."""
    blocks = blocks_of(entry.data)
    results: dict[str, Block] = {}
    rest: list[Block] = []
    moved: set[str] = set()
    for block in blocks:
        id = str(block.get("tool_use_id"))
        if block.get("type") != "tool_result":
            rest.append(block)
        elif id in asked and id not in results:
            results[id] = block
        elif id not in moved and _is_moved(draft, place, id, asked):
            moved.add(id)
        else:
            draft.note(
                "orphan_tool_result", entry.index, "a result removed: it answers no call", id
            )
    for id in asked:
        if id not in results:
            results.update(_found_for(draft, place, entry, id))
    wanted = [*results.values(), *rest]
    if wanted == blocks:
        return [entry] if blocks or entry.message is not _NOBODY else []
    _account_for_order(draft, entry, blocks, results, rest)
    return [_holding(entry, wanted)] if wanted else []


def _account_for_order(
    draft: Draft, entry: Entry, blocks: list[Block], results: dict[str, Block], rest: list[Block]
) -> None:
    kept = [block for block in blocks if block in rest or block in results.values()]
    kinds = [block in rest for block in kept]
    if kinds != sorted(kinds):
        draft.note("results_not_first", entry.index, "results put in front")


def _is_moved(draft: Draft, place: int, id: str, asked: list[str]) -> bool:
    """Whether a result that is out of place answers the newest call under its id before it."""
    if id in asked:
        return False
    for before in range(place - 1, -1, -1):
        if id in _ids(draft.entries[before], "tool_use", "id"):
            answered = range(before + 1, place)
            return not any(
                id in _ids(draft.entries[p], "tool_result", "tool_use_id") for p in answered
            )
    return False


def _found_for(draft: Draft, place: int, entry: Entry, id: str) -> dict[str, Block]:
    """The result of a call from a later turn, or a placeholder for it."""
    for later in range(place, len(draft.entries)):
        if id in _ids(draft.entries[later], "tool_use", "id"):
            break
        for block in blocks_of(draft.entries[later].data):
            if block.get("type") == "tool_result" and block.get("tool_use_id") == id:
                index = draft.entries[later].index
                what = "the result moved back to its call"
                draft.note("tool_result_not_contiguous", index, what, id)
                return {id: block}
    if draft.unanswered == "remove":
        return {}
    draft.note("unanswered_tool_call", entry.index, "a placeholder put for the result", id)
    return {id: {"type": "tool_result", "tool_use_id": id, "content": NO_RESULT, "is_error": True}}


def _ids(entry: Entry, kind: str, key: str) -> list[str]:
    return [str(b.get(key)) for b in blocks_of(entry.data) if b.get("type") == kind]


def _remove_calls(draft: Draft) -> None:
    kept: list[Entry] = []
    for place, entry in enumerate(draft.entries):
        behind = draft.entries[place + 1 : place + 2]
        answered = {id for e in behind for id in _ids(e, "tool_result", "tool_use_id")}
        gone = [id for id in _ids(entry, "tool_use", "id") if id not in answered]
        for id in gone:
            draft.note("unanswered_tool_call", entry.index, "the call removed", id)
        blocks = [b for b in blocks_of(entry.data) if b.get("id") not in gone or not gone]
        if gone:
            entry = _holding(entry, blocks)
        kept.extend([entry] if blocks or not gone else [])
    draft.entries = kept
