"""Tokens of Mistral requests: the instruct format of version 13, in the tekken vocabulary.

The rules are what ``mistral-common`` writes, compared with recorded requests and the server's own
``usage`` (2024-10 to 2026-08): nine in ten without documents are met exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from contextkit.counting.counts import Method, Part
from contextkit.counting.images import image_size
from contextkit.counting.texts import TextCounter
from contextkit.counting.vocabularies import text_counter
from contextkit.formats import Api, Request
from contextkit.formats.request import Tool
from contextkit.messages import RESULT_ROLES, Message, ToolCall, as_mapping, is_text

_BEGIN = 1
"""Opens the prompt."""

_MARKED = 2
"""A system, user or result message, the list of tools, a call: a mark before, one behind."""

_END = 1
"""Ends an assistant message."""

_FORCED = 3
"""``tool_choice`` required or named (2025-05 to 2026-08); "any" was seen to be free, once 1."""

_SETTINGS, _SETTINGS_MODEL = 12, "mistral-small-latest"
"""Reasoning settings that this alias puts in front since July 2026, not with a response_format."""

_DOCUMENT, _DOCUMENT_MARGIN = 500, 490
"""A document of one to a few pages; long ones take far more."""

_SOUND, _SOUND_MARGIN = 100, 100
"""Some seconds of sound; it was seen to be free, too."""

_IMAGE, _IMAGE_MARGIN = 480, 460
"""An image that nobody looked at, up to a quarter of the largest; Pixtral takes three times it."""


@dataclass(frozen=True, slots=True)
class ImageRule:
    """How a model cuts an image.

    Attributes:
        side: longest side in pixels; larger images are scaled down.
        patch: pixels of a patch, each one token, with one more at the end of each row.
    """

    side: int
    patch: int


PIXTRAL = ImageRule(1024, 16)
MERGED = ImageRule(1540, 28)
"""Recorded 2025-04 to 2026-08; all but Pixtral merge four patches (three sizes, all exact)."""


@dataclass(frozen=True, slots=True)
class MistralCounter:
    """Count Mistral requests.

    Args:
        text: counts plain text in the tekken vocabulary.
        model: the name of the model, without hosts.

    Example:
        >>> from contextkit.counting.vocabularies import is_installed
        >>> from contextkit.messages import History
        >>> if is_installed("tekken"):
        ...     counter = mistral_counter("mistral-large-latest", "openai-chat")
        ...     counter.count_unit(History([{"role": "user", "content": "What is 6 times 7?"}]))
        [Part(name='message', tokens=10, method='exact', margin=0, index=0)]
    """

    text: TextCounter
    model: str

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        return [self._message(message) for message in messages]

    def count_frame(self, request: Request) -> Sequence[Part]:
        settings = 0
        if self.model == _SETTINGS_MODEL and not _has_format(request):
            settings = _SETTINGS
        return [Part("priming", _BEGIN + settings), *self._tools(request)]

    def _message(self, message: Message) -> Part:
        tokens = self._texts(message)
        extra, margin = self._others(message)
        method: Method = "exact"
        if message.tool_calls or message.role in RESULT_ROLES:
            method = "reconstructed"
        if margin:
            method = "estimate"
        return Part("message", tokens + extra, method, margin, message.index)

    def _texts(self, message: Message) -> int:
        text = self.text(message.text)
        if message.role != "assistant":
            return _MARKED + text
        return text + _END + sum(map(self._call, message.tool_calls))

    def _call(self, call: ToolCall) -> int:
        return _MARKED + self.text(call.name) + self.text(_spaced(call.arguments))

    def _others(self, message: Message) -> tuple[int, int]:
        """Tokens and margin of parts that are no text."""
        sizes = [self._other(part) for part in message.parts if not is_text(part)]
        return sum(tokens for tokens, _ in sizes), sum(margin for _, margin in sizes)

    def _other(self, part: Mapping[str, Any]) -> tuple[int, int]:
        kind = str(part["type"])
        if kind == "thinking":
            tokens = _MARKED + self.text(_thoughts(part))
            return tokens, tokens
        if "image" in kind:
            return self._image(part)
        if "audio" in kind:
            return _SOUND, _SOUND_MARGIN
        return _DOCUMENT, _DOCUMENT_MARGIN

    def _image(self, part: Mapping[str, Any]) -> tuple[int, int]:
        is_pixtral = self.model.startswith("pixtral")
        size = image_size(part)
        if size:
            return _patches(*size, PIXTRAL if is_pixtral else MERGED), 0
        times = 3 if is_pixtral else 1
        return _IMAGE * times, _IMAGE_MARGIN * times

    def _tools(self, request: Request) -> Iterator[Part]:
        choice = request.tool_choice
        if not request.tools or (choice and choice.mode == "none"):
            return
        written = json.dumps(list(map(_function, request.tools)), ensure_ascii=False, default=str)
        yield Part("tools", _MARKED + self.text(written), "reconstructed")
        if choice and choice.mode in ("required", "named"):
            forced = 0 if request.body.get("tool_choice") == "any" else _FORCED
            yield Part("tool choice", forced, "reconstructed", _FORCED)


def mistral_counter(name: str, api: Api) -> MistralCounter:
    """Return the counter of a Mistral model; all of them count as the newest format does.

    Args:
        name: the model without hosts in front.
        api: the wire format of its requests; the prompt is the same for each.

    Raises:
        TokenizerMissing: the tekken vocabulary is not installed.
    """
    return MistralCounter(text_counter("tekken"), name)


def _has_format(request: Request) -> bool:
    return bool(request.answer_schema or request.body.get("response_format"))


def _function(tool: Tool) -> Mapping[str, Any]:
    described = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": described}


def _spaced(arguments: str) -> str:
    """Write arguments as Python does; what is no JSON stays as it is."""
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


def _thoughts(part: Mapping[str, Any]) -> str:
    thoughts = part.get("thinking") or ()
    if isinstance(thoughts, str):
        return thoughts
    return "".join(str((as_mapping(chunk) or {}).get("text") or "") for chunk in thoughts)


def _patches(width: int, height: int, rule: ImageRule) -> int:
    """Tokens of an image: its patches row by row, each row closed by one more."""
    scale = max(1.0, max(width, height) / rule.side)
    columns, rows = (ceil(round(side / scale) / rule.patch) for side in (width, height))
    return (columns + 1) * rows
