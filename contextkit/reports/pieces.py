"""Take a request apart into pieces that each have one role, language, content type and tool.

The tokens of the pieces of a message sum to the message's count, those of all pieces to the
request's. Text is counted as text; what a message takes beyond its texts is its framing. Media and
reasoning take what the message would lack without them, so that a reasoning text which the
provider does not bill takes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contextkit.counting.counters import Counter
from contextkit.counting.counts import Part
from contextkit.formats.request import Request, Tool
from contextkit.messages import RESULT_ROLES, History, Message, is_text
from contextkit.reports.splitting import divided, tokens_by_span
from contextkit.text import language_of, language_of_signs, spans
from contextkit.units import Unit, Units

NO_LANGUAGE = "zxx"
"""BCP 47 for what is in no language: framing, images, code."""

_FRAME_CONTENT = {"tools": "tool schema", "schema": "answer schema", "reasoning": "reasoning"}
_MEDIA = {"image": "image", "audio": "audio", "video": "video"}
_REASONING_PARTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
_REASONING_KEYS = ("reasoning_content", "reasoning")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a request that is of one kind throughout.

    Attributes:
        index: the message; None for what stands beside the messages.
        turn: 1 for the first user message and what follows it; 0 before it, and for what stands
            beside the messages.
        role: the message's role; "tools", "priming" ... beside the messages.
        language: BCP 47; "zxx" for what is in none.
        content: prose, code, json ...; image, audio, file; tool schema, tool call, tool result,
            reasoning, framing.
        form: how it is written: as ``content``, and for a tool's call, result and schema or for
            reasoning, what its text is (json, log, prose ...).
        tool: the function that is called, answers or is described; "" elsewhere.
        tokens: its tokens.
    """

    index: int | None
    turn: int
    role: str
    language: str
    content: str
    form: str
    tool: str
    tokens: int


def pieces_of(request: Request, counter: Counter) -> list[Piece]:
    """Return the pieces of a request, message by message, then those of its frame."""
    pieces = history_pieces(request.history, counter)
    for part in counter.count_frame(request):
        pieces.extend(frame_pieces(part, request.tools, counter))
    return pieces


def history_pieces(history: History, counter: Counter) -> list[Piece]:
    """Return the pieces of the messages, in order."""
    found: list[Piece] = []
    turn = 0
    for unit in Units(history, len).between(0, len(history)):
        turn += unit.kind == "user"
        found.extend(replace(piece, turn=turn) for piece in _unit_pieces(unit, counter))
    return found


def frame_pieces(part: Part, tools: Sequence[Tool], counter: Counter) -> Iterator[Piece]:
    """Return the pieces of one part of the frame; the tools' part is divided among ``tools``."""
    content = _FRAME_CONTENT.get(part.name, "framing")
    if content == "tool schema" and tools:
        yield from _tool_pieces(part, tools, counter)
    else:
        yield Piece(None, 0, part.name, NO_LANGUAGE, content, content, "", part.tokens)


def _tool_pieces(part: Part, tools: Sequence[Tool], counter: Counter) -> Iterator[Piece]:
    """Divide the tokens of all tools by the length of each one's schema."""
    written = [json.dumps(dict(tool.raw), ensure_ascii=False, default=str) for tool in tools]
    split = divided(part.tokens, [counter.count_text(text) for text in written])
    for tool, tokens in zip(tools, split, strict=True):
        name = tool.name or str(tool.raw.get("type") or "")
        language = language_of(tool.description)
        yield Piece(None, 0, part.name, language, "tool schema", "json", name, tokens)


def _unit_pieces(unit: Unit, counter: Counter) -> Iterator[Piece]:
    messages = unit.messages
    called = {call.id: call.name for call in messages[0].tool_calls}
    aside = _set_aside(messages, counter)
    for message, part in zip(messages, counter.count_unit(messages), strict=True):
        tool = called.get(message.tool_call_id) or message.name or ""
        said = list(_said(message, tool if message.role in RESULT_ROLES else "", counter))
        yield from _reconciled(message, part.tokens, [*said, *aside.get(message.index, ())])


def _reconciled(message: Message, total: int, found: Sequence[Piece]) -> Iterator[Piece]:
    """Give what is left to the framing; scale down where texts take less inside the message."""
    taken = sum(piece.tokens for piece in found)
    if taken <= total:
        yield from found
        yield _piece(message, "framing", tokens=total - taken)
        return
    scaled = divided(total, [piece.tokens for piece in found])
    for piece, tokens in zip(found, scaled, strict=True):
        yield replace(piece, tokens=tokens)


def _said(message: Message, tool: str, counter: Counter) -> Iterator[Piece]:
    """The texts and calls of a message."""
    content = "tool result" if message.role in RESULT_ROLES else None
    yield from _text_pieces(message, message.text or message.refusal, content, tool, counter)
    for call in message.tool_calls:
        tokens = counter.count_text(call.name) + counter.count_text(call.arguments)
        language = language_of_signs(call.arguments, "tool call")
        yield _piece(message, "tool call", language, form="json", tool=call.name, tokens=tokens)


def _text_pieces(
    message: Message, text: str, content: str | None, tool: str, counter: Counter
) -> Iterator[Piece]:
    if not text:
        return
    found = spans(text)
    for span, tokens in zip(found, tokens_by_span(text, found, counter), strict=True):
        kind = content or span.content
        yield _piece(message, kind, span.language, form=span.content, tool=tool, tokens=tokens)


def _set_aside(messages: Sequence[Message], counter: Counter) -> Mapping[int, list[Piece]]:
    """Media and reasoning of a unit: what each message would lack without them."""
    found: dict[int, list[Piece]] = {}
    for message in messages:
        for kind, data in _reduced(message):
            tokens = _lacking(messages, message.index, data, counter)
            if tokens > 0:
                form = "prose" if kind == "reasoning" else kind
                piece = _piece(message, kind, _language(message, kind), form=form, tokens=tokens)
                found.setdefault(message.index, []).append(piece)
    return found


def _reduced(message: Message) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """For each kind that is no text, the message without it."""
    kinds = {_kind(part) for part in message.parts} - {"text"}
    for kind in sorted(kinds):
        left = [part for part in message.parts if _kind(part) != kind]
        yield kind, {**message.data, "content": left or ""}
    held = [key for key in _REASONING_KEYS if message.data.get(key)]
    if held:
        yield "reasoning", {k: v for k, v in message.data.items() if k not in held}


def _kind(part: Mapping[str, Any]) -> str:
    type_ = str(part.get("type"))
    if is_text(part) or type_ == "refusal":
        return "text"
    if type_ in _REASONING_PARTS:
        return "reasoning"
    return next((kind for word, kind in _MEDIA.items() if word in type_), "file")


def _lacking(
    messages: Sequence[Message], index: int, data: Mapping[str, Any], counter: Counter
) -> int:
    without = [replace(m, original=data, data=data) if m.index == index else m for m in messages]
    return _tokens(counter.count_unit(messages)) - _tokens(counter.count_unit(without))


def _tokens(parts: Sequence[Part]) -> int:
    return sum(part.tokens for part in parts)


def _language(message: Message, kind: str) -> str:
    if kind != "reasoning":
        return NO_LANGUAGE
    keyed = [str(message.data[key]) for key in _REASONING_KEYS if message.data.get(key)]
    parts = [str(part.get("thinking") or part.get("text") or "") for part in message.parts]
    return language_of("\n".join([*keyed, *parts]))


def _piece(
    message: Message,
    content: str,
    language: str = NO_LANGUAGE,
    *,
    form: str = "",
    tool: str = "",
    tokens: int,
) -> Piece:
    return Piece(message.index, 0, message.role, language, content, form or content, tool, tokens)
