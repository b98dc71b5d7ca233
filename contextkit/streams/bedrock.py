"""Events of Bedrock's ``ConverseStream``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from contextkit.streams.assembly import Assembly, Dict, Event, as_object, mapping, merged_usage

_EVENTS = frozenset(
    {
        "messageStart",
        "contentBlockStart",
        "contentBlockDelta",
        "contentBlockStop",
        "messageStop",
        "metadata",
    }
)
_CALL = ("toolUse", "input")
_SET_ONCE = ("signature", "redactedContent")

Path = tuple[str, ...]


class BedrockAssembly(Assembly):
    """The content blocks of one message."""

    api = "bedrock"

    def __init__(self) -> None:
        super().__init__()
        self._role = "assistant"
        self._blocks: dict[int, _Block] = {}

    @staticmethod
    def fits(event: Event) -> bool:
        return len(event) == 1 and not _EVENTS.isdisjoint(event)

    def add(self, event: Event) -> None:
        self._role = mapping(event.get("messageStart")).get("role") or self._role
        for kind, key in (("contentBlockStart", "start"), ("contentBlockDelta", "delta")):
            told = mapping(event.get(kind))
            if told:
                place = told.get("contentBlockIndex") or 0
                self._blocks.setdefault(place, _Block()).add(mapping(told.get(key)))
        stop = mapping(event.get("messageStop")).get("stopReason")
        self.finish_reason, self.ended = stop or self.finish_reason, self.ended or bool(stop)
        self.usage = merged_usage(self.usage, mapping(event.get("metadata")).get("usage"))

    @property
    def messages(self) -> list[Dict]:
        blocks = [block.written() for _, block in sorted(self._blocks.items())]
        return [{"role": self._role, "content": blocks}]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        for block in self._blocks.values():
            call = block.facts.get("toolUse")
            if call:
                yield call.get("toolUseId") or call.get("name") or "", block.text(_CALL)


@dataclass(slots=True)
class _Block:
    """A content block, as texts and facts by their place in it."""

    texts: dict[Path, list[str]] = field(default_factory=dict)
    facts: Dict = field(default_factory=dict)

    def add(self, delta: Event, path: Path = ()) -> None:
        for key, value in delta.items():
            here = (*path, key)
            if isinstance(value, Mapping):
                self.add(value, here)
            elif isinstance(value, str) and _is_appended(here):
                self.texts.setdefault(here, []).append(value)
            else:
                _holder(self.facts, path)[key] = value

    def text(self, path: Path) -> str:
        return "".join(self.texts.get(path, ()))

    def written(self) -> Dict:
        block: Dict = {key: dict(mapping(value)) or value for key, value in self.facts.items()}
        for path in self.texts:
            value: Any = as_object(self.text(path)) if path == _CALL else self.text(path)
            _holder(block, path[:-1])[path[-1]] = value
        if "toolUse" in block:
            block["toolUse"].setdefault("input", {})
        return _reasoning(block)


def _is_appended(path: Path) -> bool:
    return path == _CALL or (path[0] != "toolUse" and path[-1] not in _SET_ONCE)


def _holder(block: Dict, path: Path) -> Dict:
    for step in path:
        block = block.setdefault(step, {})
    return block


def _reasoning(block: Dict) -> Dict:
    """A message holds reasoning one level deeper than a stream does."""
    told = block.get("reasoningContent")
    if told is None or "redactedContent" in told:
        return block
    return {**block, "reasoningContent": {"reasoningText": told}}
