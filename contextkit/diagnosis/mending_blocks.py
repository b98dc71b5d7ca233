"""Mend the blocks of messages in Anthropic's format: empty texts, ids, calls of one id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contextkit.diagnosis.content import blocks_of, is_blank_text
from contextkit.diagnosis.drafts import Draft, Entry, fitting_id
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
        ids = [str(b.get("id")) for b in blocks_of(entry.data) if b.get("type") == "tool_use"]
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
