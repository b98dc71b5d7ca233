"""Events of OpenAI's Responses API, and of the servers that speak it.

The events of an item tell its parts one after the other, then ``output_item.done`` tells the whole
item, then the last event the whole response. The latest word counts; where a stream breaks off, the
parts that have come are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from contextkit.errors import StreamError
from contextkit.streams.assembly import Assembly, Dict, Event, mapping, mappings

_FIELDS = {
    "function_call_arguments": ("arguments",),
    "mcp_call_arguments": ("arguments",),
    "custom_tool_call_input": ("input",),
    "code_interpreter_call_code": ("code",),
    "apply_patch_call_operation_diff": ("operation", "diff"),
}
"""Where in an item a text goes that has no part of its own."""

_PARTS = {
    "output_text": ("content", "output_text", "text"),
    "refusal": ("content", "refusal", "refusal"),
    "reasoning_text": ("content", "reasoning_text", "text"),
    "reasoning_summary_text": ("summary", "summary_text", "text"),
}
"""List, type and key of the texts that stand in a part of an item."""

_LAST = ("completed", "incomplete", "failed", "cancelled")

Path = tuple[str | int, ...]


class ResponsesAssembly(Assembly):
    """The output items of one response."""

    api = "openai-responses"

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[int, Dict] = {}
        self._pieces: dict[int, dict[Path, list[str]]] = {}
        self._output: list[Dict] = []

    @staticmethod
    def fits(event: Event) -> bool:
        return str(event.get("type")).startswith("response.")

    def add(self, event: Event) -> None:
        kind = str(event.get("type")).removeprefix("response.")
        place = event.get("output_index", max(self._items, default=0))
        if kind in ("output_item.added", "output_item.done"):
            self._items[place] = deepcopy(dict(mapping(event.get("item"))))
            self._pieces[place] = {}
        elif kind.endswith(("_part.added", "_part.done")):
            self._take_part(place, kind, event)
        elif kind.endswith(".delta"):
            self._take_text(place, kind.removesuffix(".delta"), event)
        elif kind.endswith(".done"):
            self._take_text(place, kind.removesuffix(".done"), event, whole=True)
        elif kind == "output_text.annotation.added":
            part = self._part(place, "output_text", event)
            part.setdefault("annotations", []).append(event.get("annotation"))
        else:
            self._take_response(kind, mapping(event.get("response")))

    def _take_response(self, kind: str, response: Event) -> None:
        if kind == "created" and self.ended:
            raise StreamError(None, "a second response starts", "use one collector for each answer")
        usage = response.get("usage")
        self.usage = dict(usage) if usage else self.usage
        if kind in _LAST:
            self._output = [dict(item) for item in mappings(response.get("output"))]
            details = mapping(response.get("incomplete_details"))
            self.finish_reason = details.get("reason") or response.get("status") or kind
            self.ended = kind in ("completed", "incomplete")

    def _take_part(self, place: int, kind: str, event: Event) -> None:
        where = "summary" if "summary" in kind else "content"
        index = event.get(f"{where}_index") or 0
        _put(self._item(place), (where, index), dict(mapping(event.get("part"))))
        if kind.endswith(".done"):
            texts = self._pieces[place]
            self._pieces[place] = {k: v for k, v in texts.items() if k[:2] != (where, index)}

    def _take_text(self, place: int, kind: str, event: Event, *, whole: bool = False) -> None:
        path = self._path(place, kind, event)
        text = event.get(str(path[-1]) if whole else "delta") if path else None
        if isinstance(text, str) and whole:
            self._pieces[place][path] = [text]
        elif isinstance(text, str):
            self._pieces[place].setdefault(path, []).append(text)

    def _path(self, place: int, kind: str, event: Event) -> Path:
        """Where in its item a text belongs; empty for a text that no item holds."""
        item = self._item(place)
        if kind in _PARTS:
            self._part(place, kind, event)
            where, _, key = _PARTS[kind]
            return (where, event.get(f"{where}_index") or 0, key)
        path = _FIELDS.get(kind, ())
        return path if len(path) < 2 or isinstance(item.get(path[0]), dict) else ()

    def _part(self, place: int, kind: str, event: Event) -> Dict:
        where, type, key = _PARTS[kind]
        index = event.get(f"{where}_index") or 0
        parts = self._item(place).setdefault(where, [])
        while len(parts) <= index:
            parts.append({"type": type, key: ""})
        part: Dict = parts[index]
        return part

    def _item(self, place: int) -> Dict:
        self._pieces.setdefault(place, {})
        return self._items.setdefault(place, {})

    def _written(self, place: int) -> Dict:
        item = deepcopy(self._items[place])
        for path, pieces in self._pieces[place].items():
            _put(item, path, "".join(pieces))
        return item

    @property
    def messages(self) -> list[Dict]:
        return [{"output": self._output or [self._written(place) for place in sorted(self._items)]}]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        for item in self.messages[0]["output"]:
            if item.get("type") == "function_call":
                yield item.get("call_id") or item.get("name") or "", item.get("arguments") or ""


def _put(holder: Any, path: Path, value: Any) -> None:
    """Set what stands at ``path``; a list grows to it."""
    *way, last = path
    for step, following in zip(way, path[1:], strict=True):
        empty: Any = [] if isinstance(following, int) else {}
        holder = holder.setdefault(step, empty) if isinstance(step, str) else holder[step]
    if isinstance(last, int) and last >= len(holder):
        holder.append(value)
    else:
        holder[last] = value
