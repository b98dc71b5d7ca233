"""Chunks of Gemini's ``streamGenerateContent``.

Each chunk is a whole answer with some parts of the message. The parts stay as they came and are not
joined, because a part with a ``thoughtSignature`` has to come back as it is (Google, "Thought
signatures", read 2026-12-07). Only a call whose arguments are streamed, which comes as many parts,
becomes the one part that it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from contextkit.streams.assembly import Assembly, Dict, Event, mapping, mappings

_PATH_STEP = re.compile(r"\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\.?([^.\[\]]+)")
_VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")


class GeminiAssembly(Assembly):
    """The candidates of one answer."""

    api = "gemini"

    def __init__(self) -> None:
        super().__init__()
        self._candidates: dict[int, _Candidate] = {}

    @staticmethod
    def fits(event: Event) -> bool:
        keys = {"candidates", "usageMetadata", "usage_metadata", "promptFeedback"}
        return not keys.isdisjoint(_unwrapped(event))

    def add(self, event: Event) -> None:
        event = _unwrapped(event)
        usage = event.get("usageMetadata", event.get("usage_metadata"))
        self.usage = dict(usage) if usage else self.usage
        for candidate in mappings(event.get("candidates")):
            kept = self._candidates.setdefault(candidate.get("index") or 0, _Candidate())
            content = mapping(candidate.get("content"))
            kept.role = content.get("role") or kept.role
            for part in mappings(content.get("parts")):
                kept.add(part)
            reason = candidate.get("finishReason", candidate.get("finish_reason"))
            kept.finish_reason = reason or kept.finish_reason
        blocked = mapping(event.get("promptFeedback")).get("blockReason")
        first = min(self._candidates, default=None)
        self.finish_reason = blocked if first is None else self._candidates[first].finish_reason
        finished = all(each.finish_reason for each in self._candidates.values())
        self.ended = bool(blocked or (self._candidates and finished))

    @property
    def messages(self) -> list[Dict]:
        several = sorted(self._candidates.items())
        return [{"role": each.role, "parts": list(each.parts)} for _, each in several]

    @property
    def calls(self) -> Iterator[tuple[str, str]]:
        """Calls come whole, but for the one that is still open when a stream breaks off."""
        for candidate in self._candidates.values():
            for part in candidate.parts:
                call = mapping(part.get("functionCall", part.get("function_call")))
                if call:
                    broken = call is candidate.open_call
                    arguments = json.dumps(call.get("args") or {}, default=str)
                    name = call.get("id") or call.get("name") or ""
                    yield name, arguments[:-1] if broken else arguments


class _Candidate:
    """One answer."""

    def __init__(self) -> None:
        self.role = "model"
        self.finish_reason: str | None = None
        self.parts: list[Event] = []
        self.open_call: Dict | None = None

    def add(self, part: Event) -> None:
        call = mapping(part.get("functionCall"))
        if self.open_call is None and not call.keys() & {"willContinue", "partialArgs"}:
            self.parts.append(part)
            return
        if self.open_call is None or call.get("name"):
            opened = {k: v for k, v in call.items() if k not in ("willContinue", "partialArgs")}
            self.open_call = {**opened, "args": dict(call.get("args") or {})}
            self.parts.append({**part, "functionCall": self.open_call})
        for change in mappings(call.get("partialArgs")):
            _apply(self.open_call["args"], change)
        if not call.get("willContinue"):
            self.open_call = None


def _unwrapped(event: Event) -> Event:
    """Some gateways put each chunk under ``response``."""
    inner = event.get("response")
    return inner if isinstance(inner, dict) and len(event) <= 2 else event


def _apply(arguments: Dict, change: Event) -> None:
    """Set one value of streamed arguments; text is appended to the text before it."""
    kind = next((key for key in _VALUES if key in change), None)
    if kind is None:
        return
    holder, key = _place(arguments, _steps(str(change.get("jsonPath") or "$")))
    value = None if kind == "nullValue" else change[kind]
    if kind == "stringValue":
        before = _get(holder, key)
        value = f"{before}{value}" if isinstance(before, str) else value
    _set(holder, key, value)


def _steps(path: str) -> list[str | int]:
    found = _PATH_STEP.finditer(path.removeprefix("$"))
    return [int(step[1]) if step[1] else str(step[2] or step[3]) for step in found]


def _place(holder: Any, steps: list[str | int]) -> tuple[Any, str | int]:
    """The list or object that holds the value at ``steps``, made where it is missing."""
    for step, following in pairwise(steps):
        inner = _get(holder, step)
        if not isinstance(inner, (dict, list)):
            inner = [] if isinstance(following, int) else {}
            _set(holder, step, inner)
        holder = inner
    return holder, steps[-1]


def _get(holder: Any, key: str | int) -> Any:
    if isinstance(holder, list):
        return holder[key] if isinstance(key, int) and key < len(holder) else None
    return holder.get(key)


def _set(holder: Any, key: str | int, value: Any) -> None:
    if isinstance(holder, list) and isinstance(key, int):
        holder.extend([None] * (key + 1 - len(holder)))
    holder[key] = value
