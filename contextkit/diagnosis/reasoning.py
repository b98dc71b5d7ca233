"""Rules about what the model thought: what has to come back with its calls, and what need not.

Sources: DeepSeek, "Thinking mode"; Anthropic, "Extended thinking"; Google, "Thought signatures";
the servers' error texts in reports of 2025 and 2026 (read 2026-12-07).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextkit.diagnosis.content import blocks_of
from contextkit.diagnosis.problems import Problem
from contextkit.diagnosis.wires import ANTHROPIC, GEMINI, Wire
from contextkit.messages import History, Message, as_mapping


def idle_reasoning(history: History) -> Iterator[Message]:
    """The messages whose reasoning says nothing any more: no call in their turn, which is over."""
    for turn in _turns(history):
        if turn[-1].index < len(history) - 1 and not any(m.tool_calls for m in turn):
            yield from (m for m in turn if m.data.get("reasoning_content"))


def resent_reasoning(history: History) -> Iterator[Problem]:
    """Reasoning of turns that are over and made no call: DeepSeek's R1 answered 400 to it."""
    for message in idle_reasoning(history):
        yield Problem(
            code="resent_reasoning",
            index=message.index,
            message="reasoning_content of a turn that is over",
            remedy="leave it out before the newest user message",
        )


def missing_reasoning(history: History) -> Iterator[Problem]:
    """Turns with calls whose reasoning is gone, in a history of a model that thinks."""
    if not any(message.data.get("reasoning_content") is not None for message in history):
        return
    for turn in _turns(history):
        for message in turn if any(m.tool_calls for m in turn) else ():
            if message.role == "assistant" and message.data.get("reasoning_content") is None:
                yield Problem(
                    code="missing_reasoning",
                    index=message.index,
                    message="no reasoning_content in a turn with calls",
                    remedy="send it back as it came; where there is none, as an empty string",
                )


def _turns(history: History) -> list[list[Message]]:
    """The messages between two user messages."""
    borders = [*history.users, len(history)]
    spans = zip([-1, *history.users], borders, strict=True)
    turns = ([history[index] for index in range(start + 1, stop)] for start, stop in spans)
    return [turn for turn in turns if turn]


def missing_thinking(
    messages: Sequence[Mapping[str, Any]], body: Mapping[str, Any]
) -> Iterator[Problem]:
    """Anthropic, with thinking enabled: thoughts stand in front of the calls of the open turn."""
    if (as_mapping(body.get("thinking")) or {}).get("type") != "enabled":
        return
    for index in _open_turn(messages, ANTHROPIC):
        kinds = [block.get("type") for block in blocks_of(messages[index])]
        if "tool_use" in kinds and kinds[0] not in ("thinking", "redacted_thinking"):
            yield Problem(
                code="missing_thinking",
                index=index,
                message="a call without the thinking block in front of it",
                remedy="send the thinking blocks of this turn as they came, or disable thinking",
            )


def missing_signature(contents: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Gemini 3: the first call of every step of the open turn has its thought signature."""
    for index in _open_turn(contents, GEMINI):
        parts = GEMINI.listed(contents[index])
        labels = GEMINI.calls(parts)
        first = next((part for part, label in zip(parts, labels, strict=True) if label), None)
        if first and not (first.get("thoughtSignature") or first.get("thought_signature")):
            yield Problem(
                code="missing_signature",
                index=index,
                message="a call without its thoughtSignature, which Gemini 3 refuses",
                remedy="send the part back as it came",
            )


def _open_turn(messages: Sequence[Mapping[str, Any]], wire: Wire) -> Iterator[int]:
    """The model's messages behind the newest user message that is more than results."""
    start = 0
    for index, message in enumerate(messages):
        blocks = wire.listed(message)
        if message.get("role") != wire.model and not all(wire.results(blocks)):
            start = index
    for index in range(start, len(messages)):
        if messages[index].get("role") == wire.model:
            yield index
