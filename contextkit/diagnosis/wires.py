"""Formats whose messages are turns of blocks, calls and results among them: Anthropic, Gemini."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextkit.diagnosis.content import blocks_of
from contextkit.diagnosis.drafts import NO_MESSAGE, NO_RESULT, Entry
from contextkit.messages import as_mapping

Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wire:
    """How a format writes turns.

    Attributes:
        key: under which key of a message its blocks stand.
        model: the role of the model.
        nobody: a user message without blocks, into which placeholders go.
        opening: stands for the user message in front of a greeting.
        listed: the blocks of a message.
        calls: for each block of a turn the label of the call in it, "" where it is none; labels are
            unique in a turn.
        results: the same for results; a result has the label of the call that it answers.
        placeholder: a result for a call that has none.
    """

    key: str
    model: str
    nobody: Block
    opening: Block
    listed: Callable[[Any], list[Block]]
    calls: Callable[[Sequence[Block]], list[str]]
    results: Callable[[Sequence[Block]], list[str]]
    placeholder: Callable[[Block], Block]

    def holding(self, entry: Entry, blocks: Sequence[Block]) -> Entry:
        """The message with other blocks."""
        return Entry(entry.index, {**entry.data, self.key: list(blocks)})

    def calls_of(self, entry: Entry) -> dict[str, Block]:
        """The calls of a message by their labels."""
        blocks = self.listed(entry.data)
        return {label: b for label, b in zip(self.calls(blocks), blocks, strict=True) if label}

    def results_of(self, entry: Entry) -> dict[str, Block]:
        """The results of a message by the labels of their calls."""
        blocks = self.listed(entry.data)
        return {label: b for label, b in zip(self.results(blocks), blocks, strict=True) if label}


def _under(kind: str, key: str) -> Callable[[Sequence[Block]], list[str]]:
    """Label the blocks of one type by their id."""

    def labels(blocks: Sequence[Block]) -> list[str]:
        return [str(block.get(key)) if block.get("type") == kind else "" for block in blocks]

    return labels


def _no_result(call: Block) -> Block:
    id = str(call.get("id"))
    return {"type": "tool_result", "tool_use_id": id, "content": NO_RESULT, "is_error": True}


ANTHROPIC = Wire(
    key="content",
    model="assistant",
    nobody={"role": "user", "content": []},
    opening={"role": "user", "content": NO_MESSAGE},
    listed=blocks_of,
    calls=_under("tool_use", "id"),
    results=_under("tool_result", "tool_use_id"),
    placeholder=_no_result,
)


def parts_of(content: Any) -> list[Block]:
    """The parts of a content of Gemini; a lone one is a list of one."""
    parts = (as_mapping(content) or {}).get("parts") or ()
    listed = parts if isinstance(parts, (list, tuple)) else [parts]
    return [{"text": part} if isinstance(part, str) else as_mapping(part) or {} for part in listed]


def _named(*keys: str) -> Callable[[Sequence[Block]], list[str]]:
    """Label parts by the function's name, and by their number where it comes again."""

    def labels(parts: Sequence[Block]) -> list[str]:
        seen: list[str] = []
        found = []
        for part in parts:
            inside = next((each for key in keys if (each := as_mapping(part.get(key)))), None)
            name = "" if inside is None else str(inside.get("name"))
            seen.append(name)
            found.append(f"{name} {seen.count(name)}" if name and seen.count(name) > 1 else name)
        return found

    return labels


def _no_response(part: Block) -> Block:
    call = as_mapping(part.get("functionCall") or part.get("function_call")) or {}
    told = {key: call[key] for key in ("id", "name") if call.get(key) is not None}
    key = "functionResponse" if "functionCall" in part else "function_response"
    return {key: {**told, "response": {"error": NO_RESULT}}}


GEMINI = Wire(
    key="parts",
    model="model",
    nobody={"role": "user", "parts": []},
    opening={"role": "user", "parts": [{"text": NO_MESSAGE}]},
    listed=parts_of,
    calls=_named("functionCall", "function_call"),
    results=_named("functionResponse", "function_response"),
    placeholder=_no_response,
)
