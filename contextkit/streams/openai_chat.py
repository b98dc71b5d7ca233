"""Chunks of chat completions: OpenAI, DeepSeek, Qwen, Mistral, Moonshot, Groq, llama.cpp, vLLM ...

Servers differ in what they leave out and what they say twice, so a delta is read by meaning:
content, reasoning, refusal and arguments are appended; role, id, type and name are set once.

A delta of a tool call opens a new call when its index is new, or when it has both a name and an id
of its own: some servers number every call 0, some number none, some make up a new id for every
fragment. Without a name it goes on with a call that is open already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from contextkit.streams.assembly import (
    Assembly,
    Dict,
    Event,
    is_whole_object,
    mapping,
    mappings,
    merged_usage,
)

_TEXTS = ("content", "reasoning", "reasoning_content", "refusal")
_LISTS = ("annotations", "citations", "images", "reasoning_details", "thinking_blocks")
_OF_A_CALL = ("index", "function", "custom", "id", "type")


class ChatAssembly(Assembly):
    """The choices of one chat completion."""

    api = "openai-chat"

    def __init__(self) -> None:
        super().__init__()
        self._choices: dict[int, _Choice] = {}

    @staticmethod
    def fits(event: Event) -> bool:
        return "choices" in event or event.get("object") == "chat.completion.chunk"

    def add(self, event: Event) -> None:
        for usage in (event.get("usage"), mapping(event.get("x_groq")).get("usage")):
            self.usage = merged_usage(self.usage, usage)
        for choice in mappings(event.get("choices")):
            self._take(choice)

    def _take(self, choice: Event) -> None:
        place = choice.get("index") or 0
        kept = self._choices.setdefault(place, _Choice())
        self.usage = merged_usage(self.usage, choice.get("usage"))
        # A server that does not stream sends the whole message where deltas are expected.
        kept.add(mapping(choice.get("delta") or choice.get("message")))
        kept.finish_reason = choice.get("finish_reason") or kept.finish_reason
        self.finish_reason = self._choices[min(self._choices)].finish_reason
        self.ended = all(each.finish_reason for each in self._choices.values())

    @property
    def messages(self) -> list[Dict]:
        return [choice.message() for _, choice in sorted(self._choices.items())]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        for choice in self._choices.values():
            yield from (call.named_arguments() for call in choice.calls if not call.is_custom)


@dataclass(slots=True)
class _Choice:
    """One answer of the completion."""

    role: str = "assistant"
    finish_reason: str | None = None
    texts: dict[str, list[Any]] = field(default_factory=dict)
    lists: dict[str, list[Any]] = field(default_factory=dict)
    audio: dict[str, list[str]] = field(default_factory=dict)
    audio_facts: Dict = field(default_factory=dict)
    calls: list[_Call] = field(default_factory=list)
    legacy: _Call | None = None

    def add(self, delta: Event) -> None:
        self.role = delta.get("role") or self.role
        for key in _TEXTS:
            if isinstance(delta.get(key), (str, list, tuple)):
                self.texts.setdefault(key, []).append(delta[key])
        for key in _LISTS:
            if delta.get(key):
                self.lists.setdefault(key, []).extend(delta[key])
        self._add_audio(mapping(delta.get("audio")))
        for call in mappings(delta.get("tool_calls")):
            self._call_of(call).add(call)
        if delta.get("function_call"):
            self.legacy = self.legacy or _Call(None)
            self.legacy.add({"function": delta["function_call"]})

    def _add_audio(self, audio: Event) -> None:
        for key, value in audio.items():
            if key in ("data", "transcript") and isinstance(value, str):
                self.audio.setdefault(key, []).append(value)
            elif value is not None:
                self.audio_facts[key] = value

    def _call_of(self, delta: Event) -> _Call:
        """The call that a delta goes on with, or a new one."""
        index, id = delta.get("index"), delta.get("id")
        if index is None:
            open_calls = self.calls
        else:
            open_calls = [call for call in self.calls if call.index == index] if self.calls else []
        known = next((call for call in reversed(open_calls) if id and call.id == id), None)
        if known is not None:
            return known
        if not open_calls or _opens(delta, open_calls[-1]):
            self.calls.append(_Call(index))
            return self.calls[-1]
        return open_calls[-1]

    def message(self) -> Dict:
        message: Dict = {"role": self.role, "content": None}
        message |= {key: _joined(pieces) for key, pieces in self.texts.items()}
        message |= {key: _merged(entries) for key, entries in self.lists.items()}
        if self.audio or self.audio_facts:
            texts = {key: "".join(pieces) for key, pieces in self.audio.items()}
            message["audio"] = {**self.audio_facts, **texts}
        if self.calls:
            message["tool_calls"] = [
                call.written(self.finish_reason) for call in _in_order(self.calls)
            ]
        if self.legacy:
            message["function_call"] = self.legacy.written(self.finish_reason)["function"]
        return message


@dataclass(slots=True)
class _Call:
    """One tool call."""

    index: int | None
    id: str = ""
    type: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    facts: Dict = field(default_factory=dict)

    @property
    def is_custom(self) -> bool:
        return self.type == "custom"

    def add(self, delta: Event) -> None:
        body = mapping(delta.get("function") or delta.get("custom"))
        self.id = self.id or delta.get("id") or ""
        self.type = self.type or delta.get("type") or ("custom" if delta.get("custom") else "")
        self.name = self.name or body.get("name") or ""
        text = body.get("arguments", body.get("input"))
        if text:
            self.pieces.append(text if isinstance(text, str) else _json(text))
        self.facts |= {k: v for k, v in delta.items() if k not in _OF_A_CALL and v is not None}

    def written(self, finish_reason: str | None) -> Dict:
        """The call as it goes back to the server; a finished call without arguments has none."""
        text = "".join(self.pieces)
        id = {"id": self.id} if self.id else {}
        if self.is_custom:
            return {**id, "type": "custom", "custom": {"name": self.name, "input": text}}
        arguments = text or ("{}" if finish_reason else "")
        function = {"name": self.name, "arguments": arguments}
        return {**id, "type": self.type or "function", "function": function, **self.facts}

    def named_arguments(self) -> tuple[str, str]:
        return self.id or self.name, "".join(self.pieces)


def _in_order(calls: list[_Call]) -> list[_Call]:
    """The calls as the server numbered them, or as they came where it did not number all."""
    if any(call.index is None for call in calls):
        return calls
    return sorted(calls, key=lambda call: call.index or 0)


def _opens(delta: Event, last: _Call) -> bool:
    """Whether a delta on the place of the call ``last`` belongs to another one."""
    name = mapping(delta.get("function") or delta.get("custom")).get("name")
    if not name or not last.name:
        return False
    if delta.get("id") and last.id:
        return True
    if delta.get("id") or delta.get("index") is not None:
        return False
    return bool(name != last.name or (last.pieces and is_whole_object("".join(last.pieces))))


def _joined(pieces: Sequence[Any]) -> str | list[Any]:
    """Text, or parts where a server streams parts (Mistral's thinking)."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    parts: list[Any] = []
    for piece in pieces:
        texts = ({"type": "text", "text": piece},) if piece else ()
        parts.extend(texts if isinstance(piece, str) else piece)
    return _merged(parts)


def _merged(entries: Iterable[Any]) -> list[Any]:
    """Parts with the neighbours that are fragments of one part made into that part."""
    return [part for kind, run in groupby(entries, _kind) for part in _part(kind, list(run))]


def _kind(entry: Any) -> tuple[Any, ...] | None:
    """What two fragments of one part have in common; None for what is no fragment."""
    if not isinstance(entry, Mapping):
        return None
    for key in ("text", "thinking", "summary"):
        if isinstance(entry.get(key), (str, list)):
            return (entry.get("type"), entry.get("index"), entry.get("id"), key)
    return None


def _part(kind: tuple[Any, ...] | None, run: list[Any]) -> list[Any]:
    if kind is None:
        return run
    key = kind[-1]
    told = {k: v for entry in run for k, v in entry.items() if v is not None}
    texts = [entry[key] for entry in run]
    if all(isinstance(text, str) for text in texts):
        return [{**told, key: "".join(texts)}]
    return [{**told, key: _joined(texts)}]


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
