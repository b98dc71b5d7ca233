"""Write a talk as a Gemini generateContent body.

Rules of the server (2026-11): the system instruction stands apart; user and model alternate; all
responses of a turn stand in one user content, in front of its text; a response names its function
and is an object, whose key is ``output`` or ``error``; no text is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from contextkit.conversion.draft import Draft, note_instructions, results_first, spoken
from contextkit.conversion.reading import carried, parsed_object
from contextkit.conversion.talk import Call, Foreign, Media, Part, Result, Text, Thinking, Turn

Block = dict[str, Any]


def messages(draft: Draft) -> dict[str, Any]:
    """Return ``systemInstruction`` and ``contents``."""
    written = [_content(draft, is_model, turns) for is_model, turns in spoken(draft, _is_written)]
    draft.opens_with_user(content["role"] for content in written)
    note_instructions(draft)
    turns = draft.talk.instructions
    system = _parts(draft, ((turn.index, part) for turn in turns for part in turn.parts))
    instruction = {"systemInstruction": {"parts": system}} if system else {}
    return {**instruction, "contents": written}


def _is_written(draft: Draft, part: Part) -> bool:
    if isinstance(part, (Text, Thinking)):
        return bool(part.text)
    return draft.is_same if isinstance(part, Foreign) else True


def _content(draft: Draft, is_model: bool, turns: list[Turn]) -> dict[str, Any]:
    for turn in turns:
        draft.extra(turn.index, turn.extra)
    parts = _parts(draft, results_first(turns))
    return {"role": "model" if is_model else "user", "parts": parts}


def _parts(draft: Draft, placed: Iterable[tuple[int | None, Part]]) -> list[Block]:
    return [block for index, part in placed for block in _part(draft, index, part)]


def _part(draft: Draft, index: int | None, part: Part) -> Iterator[Block]:
    if not _is_written(draft, part):
        if not isinstance(part, Text):
            draft.lose(index, part)
    elif isinstance(part, Text):
        text = draft.refusal(index, part)
        yield {"text": text.text, **draft.extra(index, text.extra)}
    elif isinstance(part, Thinking):
        yield _thought(draft, index, part)
    elif isinstance(part, Call):
        yield _call(draft, index, part)
    elif isinstance(part, Result):
        yield from _result(draft, index, part)
    elif isinstance(part, Media):
        yield _media(draft, index, part)
    else:
        yield dict(part.raw)


def _thought(draft: Draft, index: int | None, thinking: Thinking) -> Block:
    if draft.is_same and thinking.raw:
        return dict(thinking.raw)
    if thinking.raw:
        draft.note(index, "reasoning goes as words; what signs it for its own server is left out")
    return {"text": thinking.text, "thought": True}


def _call(draft: Draft, index: int | None, call: Call) -> Block:
    given = parsed_object(call.arguments)
    if call.is_custom:
        draft.custom(index, call.name)
    elif given is None:
        draft.note(index, f"arguments of call {call.id!r} are no JSON object; carried as text")
    arguments = carried(call.arguments) if given is None or call.is_custom else given
    part: Block = {"functionCall": {"id": call.id, "name": call.name, "args": arguments}}
    return {**part, "thoughtSignature": call.signature} if call.signature else part


def _result(draft: Draft, index: int | None, result: Result) -> Iterator[Block]:
    texts = [part for part in result.parts if isinstance(part, Text)]
    draft.extra(index, {k: v for text in texts for k, v in text.extra.items()})
    draft.extra(index, result.extra)
    if not result.plain and len(texts) > 1:
        draft.note(index, f"{len(texts)} texts of result {result.id!r} are one")
    if not result.name:
        draft.note(index, f"result {result.id!r} answers no call right before it")
    key = "error" if result.is_error else "output"
    response = {key: "".join(text.text for text in texts)}
    yield {"functionResponse": {"id": result.id, "name": result.name, "response": response}}
    for part in result.parts:
        if not isinstance(part, Text):
            draft.note(index, f"{type(part).__name__.lower()} of a result stands behind it")
            yield from _part(draft, index, part)


def _media(draft: Draft, index: int | None, media: Media) -> Block:
    draft.detail(index, media)
    kind = {"mimeType": media.media_type} if media.media_type else {}
    name = {"displayName": media.name} if media.name else {}
    extra = draft.extra(index, media.extra)
    if media.url:
        return {"fileData": {**kind, **name, "fileUri": media.url}, **extra}
    return {"inlineData": {**kind, **name, "data": media.data}, **extra}
