"""Write a talk as an OpenAI Responses body: every text, call, result and thought is an item.

The first system message is ``instructions`` where it is plain text; others stay in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from contextkit.conversion.blocks import data_url
from contextkit.conversion.draft import Draft
from contextkit.conversion.talk import Call, Foreign, Media, Part, Result, Text, Thinking, Turn

Item = dict[str, Any]


def messages(draft: Draft) -> dict[str, Any]:
    """Return ``instructions`` and ``input``."""
    turns = list(draft.talk.turns)
    lead = _plain_system(turns[0]) if turns else None
    rest = turns if lead is None else turns[1:]
    items = [item for turn in rest for item in _items(draft, turn)]
    return {"input": items} if lead is None else {"instructions": lead, "input": items}


def _plain_system(turn: Turn) -> str | None:
    """The text of a system message that is nothing else."""
    if turn.role != "system" or turn.extra or len(turn.parts) != 1:
        return None
    (part,) = turn.parts
    return part.text if isinstance(part, Text) and part.text and not part.extra else None


def _items(draft: Draft, turn: Turn) -> Iterator[Item]:
    draft.extra(turn.index, turn.extra)
    if turn.role == "tool":
        for part in turn.parts:
            if isinstance(part, Result):
                yield _result(draft, turn.index, part)
    elif turn.role == "assistant":
        yield from (item for part in turn.parts for item in _step(draft, turn, part))
    else:
        yield _message(draft, turn)


def _message(draft: Draft, turn: Turn) -> Item:
    content = [written for part in turn.parts for written in _part(draft, turn.index, part)]
    lone = turn.plain and len(content) == 1 and set(content[0]) == {"type", "text"}
    text = content[0]["text"] if lone else content or ""
    return {"role": turn.role, "content": text}


def _step(draft: Draft, turn: Turn, part: Part) -> Iterator[Item]:
    """The items of one part of an answer; each text is a message of its own."""
    if isinstance(part, Text):
        text = draft.refusal(turn.index, part)
        draft.extra(turn.index, text.extra)
        if text.text or len(turn.parts) == 1:
            # OpenAI takes it without a type; llama.cpp does not.
            yield {"type": "message", "role": "assistant", "content": text.text}
    elif isinstance(part, Call):
        yield _call(draft, turn.index, part)
    elif isinstance(part, (Thinking, Foreign)) and draft.is_same:
        yield dict(part.raw)
    else:
        draft.lose(turn.index, part)


def _call(draft: Draft, index: int | None, call: Call) -> Item:
    if call.signature:
        draft.note(index, f"the thought signature of call {call.id!r} is left out")
    if call.is_custom:
        kind, argument = "custom_tool_call", {"input": call.arguments}
    else:
        kind, argument = "function_call", {"arguments": call.arguments or "{}"}
    return {"type": kind, "call_id": call.id, "name": call.name, **argument}


def _result(draft: Draft, index: int | None, result: Result) -> Item:
    draft.error(index, result)
    draft.extra(index, result.extra)
    parts = [written for part in result.parts for written in _part(draft, index, part)]
    lone = result.plain and len(parts) == 1 and set(parts[0]) == {"type", "text"}
    output = parts[0]["text"] if lone else parts or ""
    kind = "custom_tool_call_output" if result.is_custom else "function_call_output"
    return {"type": kind, "call_id": result.id, "output": output}


def _part(draft: Draft, index: int | None, part: Part) -> Iterator[Item]:
    if isinstance(part, Text):
        text = draft.refusal(index, part)
        yield {"type": "input_text", "text": text.text, **draft.extra(index, text.extra)}
    elif isinstance(part, Media) and part.kind == "image":
        detail = part.detail or "auto"
        extra = draft.extra(index, part.extra)
        yield {"type": "input_image", "image_url": data_url(part), "detail": detail, **extra}
    elif isinstance(part, Media) and part.kind == "file":
        yield _file(draft, index, part)
    elif isinstance(part, Foreign) and draft.is_same:
        yield dict(part.raw)
    else:
        draft.lose(index, part)


def _file(draft: Draft, index: int | None, media: Media) -> Item:
    name = {"filename": media.name} if media.name else {}
    where = {"file_url": media.url} if media.url else {"file_data": data_url(media)}
    return {"type": "input_file", **name, **where, **draft.extra(index, media.extra)}
