"""Events of Cohere's chat, version 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from contextkit.streams.assembly import Assembly, Dict, Event, mapping, merged_usage

_KINDS = ("message-", "content-", "tool-plan-", "tool-call-", "citation-")


class CohereAssembly(Assembly):
    """The content, tool plan, calls and citations of one message."""

    api = "cohere"

    def __init__(self) -> None:
        super().__init__()
        self._role = "assistant"
        self._plan: list[str] = []
        self._content: dict[int, _Fragments] = {}
        self._calls: dict[int, _Fragments] = {}
        self._citations: list[Any] = []

    @staticmethod
    def fits(event: Event) -> bool:
        return str(event.get("type")).startswith(_KINDS)

    def add(self, event: Event) -> None:
        delta, index = mapping(event.get("delta")), event.get("index") or 0
        message = mapping(delta.get("message"))
        self._role = message.get("role") or self._role
        self._plan.append(message.get("tool_plan") or "")
        if isinstance(message.get("content"), dict):
            self._content.setdefault(index, _Fragments()).add(message["content"])
        if isinstance(message.get("tool_calls"), dict):
            self._calls.setdefault(index, _Fragments()).add(message["tool_calls"])
        if isinstance(message.get("citations"), dict):
            self._citations.append(message["citations"])
        if event.get("type") == "message-end":
            self.ended = True
            self.finish_reason = delta.get("finish_reason")
            self.usage = merged_usage(self.usage, delta.get("usage"))

    @property
    def messages(self) -> list[Dict]:
        told = {
            "tool_plan": "".join(self._plan),
            "content": [part.written(self.ended) for _, part in sorted(self._content.items())],
            "tool_calls": [call.written(self.ended) for _, call in sorted(self._calls.items())],
            "citations": list(self._citations),
        }
        return [{"role": self._role, **{key: value for key, value in told.items() if value}}]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        for call in self._calls.values():
            yield call.facts.get("id") or call.name, "".join(call.texts.get("arguments", ()))


class _Fragments:
    """A content part or a call: some keys are appended to, the others are set."""

    def __init__(self) -> None:
        self.facts: Dict = {}
        self.texts: dict[str, list[str]] = {}
        self.name = ""

    def add(self, delta: Event) -> None:
        function = mapping(delta.get("function"))
        self.name = self.name or function.get("name") or ""
        texts = {**delta, "arguments": function.get("arguments")}
        for key in ("text", "thinking", "arguments"):
            if isinstance(texts.get(key), str):
                self.texts.setdefault(key, []).append(texts[key])
        self.facts |= {k: v for k, v in delta.items() if k not in ("text", "thinking", "function")}

    def written(self, ended: bool) -> Dict:
        texts = {key: "".join(pieces) for key, pieces in self.texts.items()}
        if "arguments" not in texts and not self.name:
            return {**self.facts, **texts}
        arguments = texts.get("arguments") or ("{}" if ended else "")
        return {**self.facts, "function": {"name": self.name, "arguments": arguments}}
