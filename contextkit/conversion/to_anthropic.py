"""Write a talk as an Anthropic messages body.

Rules of the server (2026-11): the system prompt stands apart; user and assistant alternate; all
results of a turn stand in one user message, in front of its text; no text block is empty or blank;
call ids are letters, digits, _ and -.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any

from contextkit.conversion.draft import (
    Draft,
    is_lone_string,
    note_instructions,
    results_first,
    spoken,
)
from contextkit.conversion.ids import safe_id
from contextkit.conversion.reading import carried, parsed_object
from contextkit.conversion.talk import Call, Foreign, Media, Part, Result, Text, Thinking, Turn

Block = dict[str, Any]

_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_SIGNED = ("signature", "data")


def messages(draft: Draft) -> dict[str, Any]:
    """Return ``system`` and ``messages``."""
    written = [_message(draft, is_model, turns) for is_model, turns in spoken(draft, _is_written)]
    draft.opens_with_user(message["role"] for message in written)
    system = _system(draft)
    return {"system": system, "messages": written} if system else {"messages": written}


def _system(draft: Draft) -> str | list[Block]:
    turns = list(draft.talk.instructions)
    note_instructions(draft)
    blocks = [block for turn in turns for block in _blocks(draft, _placed(turn))]
    lone = len(blocks) == 1 and is_lone_string(turns) and set(blocks[0]) == {"type", "text"}
    return str(blocks[0]["text"]) if lone else blocks


def _placed(turn: Turn) -> list[tuple[int | None, Part]]:
    return [(turn.index, part) for part in turn.parts]


def _is_written(draft: Draft, part: Part) -> bool:
    if isinstance(part, Text):
        return bool(part.text.strip())
    if isinstance(part, Thinking):
        return any(part.raw.get(key) for key in _SIGNED)
    if isinstance(part, Media):
        return _source(part) is not None
    return draft.is_same if isinstance(part, Foreign) else True


def _message(draft: Draft, is_model: bool, turns: list[Turn]) -> dict[str, Any]:
    blocks = _blocks(draft, results_first(turns))
    extra = {k: v for turn in turns for k, v in draft.extra(turn.index, turn.extra).items()}
    lone = len(blocks) == 1 and is_lone_string(turns) and set(blocks[0]) == {"type", "text"}
    content = blocks[0]["text"] if lone else blocks
    return {**extra, "role": "assistant" if is_model else "user", "content": content}


def _blocks(draft: Draft, placed: Iterable[tuple[int | None, Part]]) -> list[Block]:
    return [block for index, part in placed for block in _block(draft, index, part)]


def _block(draft: Draft, index: int | None, part: Part) -> Iterator[Block]:
    if not _is_written(draft, part):
        if not isinstance(part, Text):
            draft.lose(index, part)
        elif part.text:
            draft.note(index, f"a blank text; {draft.to} takes none, left out")
    elif isinstance(part, Text):
        text = draft.refusal(index, part)
        yield {"type": "text", "text": text.text, **draft.extra(index, text.extra)}
    elif isinstance(part, Call):
        yield _call(draft, index, part)
    elif isinstance(part, Result):
        yield _result(draft, index, part)
    elif isinstance(part, Media):
        yield _media(draft, index, part)
    else:
        yield dict(part.raw)


def _call(draft: Draft, index: int | None, call: Call) -> Block:
    given = parsed_object(call.arguments)
    if call.is_custom:
        draft.custom(index, call.name)
    elif given is None:
        draft.note(index, f"arguments of call {call.id!r} are no JSON object; carried as text")
    if call.signature:
        draft.note(index, f"the thought signature of call {call.id!r} is left out")
    arguments = carried(call.arguments) if given is None or call.is_custom else given
    return {"type": "tool_use", "id": safe_id(call.id), "name": call.name, "input": arguments}


def _result(draft: Draft, index: int | None, result: Result) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": safe_id(result.id)}
    blocks = _blocks(draft, ((index, part) for part in result.parts))
    if len(blocks) == 1 and result.plain and set(blocks[0]) == {"type", "text"}:
        block["content"] = blocks[0]["text"]
    elif blocks:
        block["content"] = blocks
    elif result.plain and result.parts:
        block["content"] = ""
    if result.is_error:
        block["is_error"] = True
    return {**block, **draft.extra(index, result.extra)}


def _media(draft: Draft, index: int | None, media: Media) -> Block:
    draft.detail(index, media)
    block: Block = {
        "type": "image" if media.kind == "image" else "document",
        "source": _source(media),
    }
    if media.name and media.kind == "file":
        block["title"] = media.name
    return {**block, **draft.extra(index, media.extra)}


def _source(media: Media) -> Block | None:
    """Where a medium lies; None for what the server does not take."""
    if media.kind not in ("image", "file"):
        return None
    if media.url:
        return {"type": "url", "url": media.url}
    if media.kind == "file" and media.media_type == "text/plain":
        text = base64.b64decode(media.data).decode("utf-8", "surrogatepass")
        return {"type": "text", "media_type": "text/plain", "data": text}
    if media.media_type in (_IMAGES if media.kind == "image" else ("application/pdf",)):
        return {"type": "base64", "media_type": media.media_type, "data": media.data}
    return None
