"""Write a talk as an OpenAI chat completion body.

A tool message holds text alone, so the images of a result go into a user message behind the
results; their bytes never become text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from contextkit.conversion.blocks import data_url
from contextkit.conversion.draft import Draft
from contextkit.conversion.talk import Call, Foreign, Media, Part, Result, Text, Thinking, Turn

Chat = dict[str, Any]

_AUDIO = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}


def messages(draft: Draft) -> dict[str, Any]:
    """Return ``messages``."""
    written: list[Chat] = []
    pictured: list[Chat] = []
    for turn in draft.talk.turns:
        results = [part for part in turn.parts if isinstance(part, Result)]
        if not results:
            written += [*pictured, _message(draft, turn)]
            pictured = []
        for result in results:
            written.append(_result(draft, turn.index, result))
            pictured += _pictures(draft, turn.index, result)
    return {"messages": [*written, *pictured]}


def _message(draft: Draft, turn: Turn) -> Chat:
    said = [part for part in turn.parts if not (_is_aside(part) or _is_gap(draft, turn, part))]
    parts = [written for part in said for written in _part(draft, turn, part)]
    extra = draft.extra(turn.index, turn.extra)
    message: Chat = {"role": turn.role, "content": _content(parts, turn.plain or not draft.is_same)}
    if turn.role == "assistant":
        message.update(_asides(draft, turn))
        if not parts:
            message["content"] = None if "tool_calls" in message else ""
    return {**message, **extra}


def _is_aside(part: Part) -> bool:
    return isinstance(part, (Call, Thinking)) or _is_refusal(part)


def _is_gap(draft: Draft, turn: Turn, part: Part) -> bool:
    """Whether a part is an empty text beside others, which only another format can tell apart."""
    is_empty = isinstance(part, Text) and not part.text
    return is_empty and len(turn.parts) > 1 and not draft.is_same


def _is_refusal(part: Part) -> bool:
    return isinstance(part, Text) and bool(part.extra.get("refusal"))


def _content(parts: list[Chat], may_be_string: bool) -> str | list[Chat]:
    """A lone text is a string, unless it came as a list in this very format."""
    if may_be_string and len(parts) == 1 and set(parts[0]) == {"type", "text"}:
        return str(parts[0]["text"])
    return parts or ""


def _asides(draft: Draft, turn: Turn) -> Chat:
    """What an assistant message holds beside its content: reasoning, a refusal, calls."""
    found: Chat = {}
    thoughts = [part for part in turn.parts if isinstance(part, Thinking)]
    refusals = [part.text for part in turn.parts if isinstance(part, Text) and _is_refusal(part)]
    calls = [_call(draft, turn.index, part) for part in turn.parts if isinstance(part, Call)]
    if thoughts:
        found.update(_reasoning(draft, turn.index, thoughts))
    if refusals:
        found["refusal"] = "".join(refusals)
    if calls:
        found["tool_calls"] = calls
    return found


def _reasoning(draft: Draft, index: int | None, thoughts: Sequence[Thinking]) -> Chat:
    """Words as DeepSeek and Qwen spell them; Anthropic's signed blocks beside them."""
    words = "\n\n".join(thinking.text for thinking in thoughts if thinking.text)
    found: Chat = {"reasoning_content": words} if words else {}
    signed = [t.raw for t in thoughts if t.raw.get("type") in ("thinking", "redacted_thinking")]
    if signed:
        found["thinking_blocks"] = [dict(raw) for raw in signed]
    for thinking in thoughts:
        if thinking.raw.get("encrypted_content") or (not thinking.text and not signed):
            draft.note(index, "hidden reasoning cannot be expressed in openai-chat; left out")
    return found


def _call(draft: Draft, index: int | None, call: Call) -> Chat:
    if call.is_custom:
        custom = {"name": call.name, "input": call.arguments}
        return {"id": call.id, "type": "custom", "custom": custom}
    function = {"name": call.name, "arguments": call.arguments or "{}"}
    written: Chat = {"id": call.id, "type": "function", "function": function}
    if call.signature:
        written["extra_content"] = {"google": {"thought_signature": call.signature}}
    return written


def _part(draft: Draft, turn: Turn, part: Part) -> Iterator[Chat]:
    index = turn.index
    if isinstance(part, Text):
        yield {"type": "text", "text": part.text, **draft.extra(index, part.extra)}
    elif isinstance(part, Media):
        yield from _media(draft, index, part)
    elif isinstance(part, Foreign) and draft.is_same:
        yield dict(part.raw)
    else:
        draft.lose(index, part)


def _media(draft: Draft, index: int | None, media: Media) -> Iterator[Chat]:
    extra = draft.extra(index, media.extra)
    if media.kind == "image":
        detail = {"detail": media.detail} if media.detail else {}
        yield {"type": "image_url", "image_url": {"url": data_url(media), **detail}, **extra}
    elif media.media_type in _AUDIO and media.data:
        sound = {"data": media.data, "format": _AUDIO[media.media_type]}
        yield {"type": "input_audio", "input_audio": sound, **extra}
    elif media.kind == "file" and media.data:
        name = {"filename": media.name} if media.name else {}
        yield {"type": "file", "file": {**name, "file_data": data_url(media)}, **extra}
    else:
        draft.lose(index, media)


def _result(draft: Draft, index: int | None, result: Result) -> Chat:
    draft.error(index, result)
    texts = [
        {"type": "text", "text": part.text, **draft.extra(index, part.extra)}
        for part in result.parts
        if isinstance(part, Text)
    ]
    media = sum(isinstance(part, Media) for part in result.parts)
    if media:
        plural = "" if media == 1 else "s"
        texts.append({"type": "text", "text": f"[{media} attachment{plural}: see below]"})
    for part in result.parts:
        if not isinstance(part, (Text, Media)):
            draft.lose(index, part)
    content = _content(texts, result.plain or not draft.is_same)
    extra = draft.extra(index, result.extra)
    return {"role": "tool", "tool_call_id": result.id, "content": content, **extra}


def _pictures(draft: Draft, index: int | None, result: Result) -> Iterator[Chat]:
    """The user message that shows what a result cannot."""
    media = [part for part in result.parts if isinstance(part, Media)]
    shown = [written for part in media for written in _media(draft, index, part)]
    if shown:
        draft.note(index, f"media of result {result.id!r} stand in a user message behind it")
        label = {"type": "text", "text": f"[attachments of tool result {result.id}]"}
        yield {"role": "user", "content": [label, *shown]}
