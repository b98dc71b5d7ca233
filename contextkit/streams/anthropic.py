"""Events of Anthropic's messages.

The usage of ``message_delta`` is cumulative, so its numbers replace those of ``message_start``
(Anthropic, "Streaming messages", read 2026-12-07).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from contextkit.errors import StreamError
from contextkit.streams.assembly import (
    Assembly,
    Dict,
    Event,
    as_object,
    mapping,
    merged_usage,
)

_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_SET_ONCE = ("signature",)


class AnthropicAssembly(Assembly):
    """The content blocks of one message."""

    api = "anthropic"

    def __init__(self) -> None:
        super().__init__()
        self._role = "assistant"
        self._blocks: dict[int, _Block] = {}

    @staticmethod
    def fits(event: Event) -> bool:
        kind = str(event.get("type"))
        return kind.startswith(("message_", "content_block_")) or kind == "ping"

    def add(self, event: Event) -> None:
        kind, index = event.get("type"), event.get("index") or 0
        if kind == "message_start":
            self._start(mapping(event.get("message")))
        elif kind == "content_block_start":
            self._blocks[index] = _Block(dict(mapping(event.get("content_block"))))
        elif kind == "content_block_delta":
            self._blocks.setdefault(index, _Block({})).add(mapping(event.get("delta")))
        elif kind == "message_delta":
            self.usage = merged_usage(self.usage, event.get("usage"))
            reason = mapping(event.get("delta")).get("stop_reason")
            self.finish_reason = reason or self.finish_reason
        elif kind == "message_stop":
            self.ended = True

    def _start(self, message: Event) -> None:
        """Begin the message; a proxy that asks again after a failure begins it once more."""
        if self.ended:
            raise StreamError(None, "a second message starts", "use one collector for each answer")
        if self._blocks:
            self.notes.append(f"begun anew after {len(self._blocks)} blocks, which are left out")
        self._role = message.get("role") or "assistant"
        self._blocks = {
            place: _Block(dict(block)) for place, block in enumerate(message.get("content") or ())
        }
        self.usage = merged_usage(None, message.get("usage"))

    @property
    def messages(self) -> list[Dict]:
        blocks = [block.written() for _, block in sorted(self._blocks.items())]
        return [{"role": self._role, "content": blocks}]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        for block in self._blocks.values():
            if block.start.get("type") in _CALLS:
                yield block.start.get("id") or block.start.get("name") or "", block.input_text()


@dataclass(slots=True)
class _Block:
    """A content block: as it started, and what was added."""

    start: Dict
    texts: dict[str, list[str]] = field(default_factory=dict)
    facts: Dict = field(default_factory=dict)
    citations: list[Any] = field(default_factory=list)

    def add(self, delta: Event) -> None:
        for key, value in delta.items():
            if key == "citation":
                self.citations.append(value)
            elif key in _SET_ONCE or not isinstance(value, str):
                self.facts[key] = value
            elif key != "type":
                self.texts.setdefault(key, []).append(value)

    def input_text(self) -> str:
        return "".join(self.texts.get("partial_json", ()))

    def written(self) -> Dict:
        block = {**self.start, **self.facts}
        for key, pieces in self.texts.items():
            if key != "partial_json":
                block[key] = "".join([block.get(key) or "", *pieces])
        if self.input_text():
            block["input"] = as_object(self.input_text())
        if self.citations:
            block["citations"] = [*(block.get("citations") or ()), *self.citations]
        return block
