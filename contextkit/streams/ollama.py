"""Lines of Ollama's own chat API; calls come whole, with arguments as an object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from contextkit.streams.assembly import Assembly, Dict, Event, mapping

_TEXTS = ("content", "thinking")
_LISTS = ("tool_calls", "images")
_USAGE = ("prompt_eval_count", "eval_count")


class OllamaAssembly(Assembly):
    """The text, thinking and calls of one message."""

    api = "ollama"

    def __init__(self) -> None:
        super().__init__()
        self._role = "assistant"
        self._texts: dict[str, list[str]] = {"content": []}
        self._lists: dict[str, list[Any]] = {}

    @staticmethod
    def fits(event: Event) -> bool:
        return "done" in event and isinstance(event.get("message"), dict)

    def add(self, event: Event) -> None:
        message = mapping(event.get("message"))
        self._role = message.get("role") or self._role
        for key in _TEXTS:
            if message.get(key):
                self._texts.setdefault(key, []).append(message[key])
        for key in _LISTS:
            if message.get(key):
                self._lists.setdefault(key, []).extend(message[key])
        if event.get("done"):
            self.ended = True
            self.finish_reason = event.get("done_reason")
            self.usage = {key: event[key] for key in _USAGE if event.get(key) is not None} or None

    @property
    def messages(self) -> list[Dict]:
        texts = {key: "".join(pieces) for key, pieces in self._texts.items()}
        return [{"role": self._role, **texts, **{k: list(v) for k, v in self._lists.items()}}]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        for call in self._lists.get("tool_calls", ()):
            function = mapping(mapping(call).get("function"))
            yield function.get("name") or "", json.dumps(function.get("arguments") or {})
