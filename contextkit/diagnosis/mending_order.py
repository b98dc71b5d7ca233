"""Mend empty texts and the order of roles in chat messages."""

from __future__ import annotations

from typing import Any

from contextkit.diagnosis.content import is_blank_text
from contextkit.diagnosis.drafts import NO_MESSAGE, Draft, Entry, joined
from contextkit.messages import INSTRUCTION_ROLES, History, as_mapping


def mend_empty_texts(draft: Draft) -> None:
    """Drop parts of white space, and messages that are nothing else."""
    if not draft.minds("empty_text"):
        return
    kept: list[Entry] = []
    for place, entry in enumerate(draft.entries):
        is_last = place == len(draft.entries) - 1
        mended = entry if entry.index not in draft.readable else _without_blanks(entry, is_last)
        if mended is not entry:
            what = "an empty message dropped" if mended is None else "an empty text dropped"
            draft.note("empty_text", entry.index, what)
        kept.extend([] if mended is None else [mended])
    draft.entries = kept


def _without_blanks(entry: Entry, is_last: bool) -> Entry | None:
    message = History([entry.message])[0]
    content = message.data.get("content")
    if not any(map(is_blank_text, message.parts)):
        return entry
    if isinstance(content, str):
        stays = (is_last and message.role == "assistant") or message.tool_calls
        return entry if stays or message.role not in ("user", "assistant") else None
    parts = [part for part in content or () if not is_blank_text(as_mapping(part) or {})]
    if parts:
        return Entry(entry.index, {**message.data, "content": parts})
    if message.tool_calls:
        return Entry(entry.index, {**message.data, "content": None})
    if message.role == "tool":
        return Entry(entry.index, {**message.data, "content": ""})
    return None


def mend_instructions(draft: Draft) -> None:
    """Move late instructions to the front, and merge several into one, where they are refused."""
    if draft.rejects("instructions_not_first"):
        places = [place for place, _ in _late_instructions(draft)]
        moved = [draft.entries[place] for place in places]
        rest = [entry for place, entry in enumerate(draft.entries) if place not in set(places)]
        front = leading(rest)
        for entry in moved:
            draft.note("instructions_not_first", entry.index, "moved to the front")
        draft.entries = [*rest[:front], *moved, *rest[front:]]
    if draft.rejects("several_instructions"):
        _merge_neighbours(draft, INSTRUCTION_ROLES, "several_instructions")


def leading(entries: list[Entry]) -> int:
    """Number of instructions in front."""
    count = 0
    while count < len(entries) and entries[count].role in INSTRUCTION_ROLES:
        count += 1
    return count


def _late_instructions(draft: Draft) -> list[tuple[int, Entry]]:
    front = leading(draft.entries)
    found = draft.open_entries()
    return [(p, e) for p, e in found if p >= front and e.role in INSTRUCTION_ROLES]


def mend_repeated_roles(draft: Draft) -> None:
    """Merge neighbours of one role."""
    if draft.minds("same_role_twice"):
        _merge_neighbours(draft, frozenset({"user", "assistant"}), "same_role_twice")


def _merge_neighbours(draft: Draft, roles: frozenset[str], code: str) -> None:
    merged: list[Entry] = []
    for entry in draft.entries:
        before = merged[-1] if merged else None
        if before is None or entry.role not in roles or not _mergeable(draft, before, entry):
            merged.append(entry)
            continue
        merged[-1] = Entry(before.index, _merged(before.data, entry.data))
        draft.note(code, entry.index, f"merged into message {before.index}")
    draft.entries = merged


def _mergeable(draft: Draft, before: Entry, entry: Entry) -> bool:
    """Calls come last in a message, so what makes some takes no more text behind them."""
    if before.role != entry.role or not draft.readable.issuperset({before.index, entry.index}):
        return False
    return not (before.data.get("tool_calls") or before.data.get("function_call"))


def _merged(first: Any, second: Any) -> dict[str, Any]:
    content = joined(first.get("content"), second.get("content"))
    return {**second, **first, "content": content}


def mend_first_speaker(draft: Draft) -> None:
    """Put a marked user message in front of a greeting, where one is needed."""
    front = leading(draft.entries)
    if front == len(draft.entries) or draft.entries[front].role != "assistant":
        return
    first = draft.entries[front]
    calls = first.data.get("tool_calls") or first.data.get("function_call")
    code = "call_without_user_turn" if calls else "first_not_user"
    if draft.rejects(code) and first.index in draft.readable:
        opening = Entry(first.index, {"role": "user", "content": NO_MESSAGE})
        draft.entries.insert(front, opening)
        draft.note(code, first.index, "a placeholder put for the user message in front")


def mend_last_space(draft: Draft) -> None:
    """Strip the white space behind an answer that is to be continued."""
    if not draft.minds("trailing_white_space") or not draft.entries:
        return
    entry = draft.entries[-1]
    if entry.index not in draft.readable or entry.role != "assistant":
        return
    content = entry.data.get("content")
    if entry.data.get("tool_calls") or not content:
        return
    stripped = content.rstrip() if isinstance(content, str) else _stripped(list(content))
    if stripped != content:
        draft.rewrite(len(draft.entries) - 1, {**entry.data, "content": stripped})
        draft.note("trailing_white_space", entry.index, "white space at its end stripped")


def _stripped(parts: list[Any]) -> list[Any]:
    """The parts, the text of the last one without white space at its end."""
    last = as_mapping(parts[-1]) or {}
    if not isinstance(last.get("text"), str):
        return parts
    return [*parts[:-1], {**last, "text": last["text"].rstrip()}]
