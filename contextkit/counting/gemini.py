"""Tokens of Gemini requests: texts, declarations, calls, media and hidden thoughts.

The rules were found on recorded requests with the server's own ``usageMetadata`` (2024 to August
2026). Two servers sell the same models: the Gemini API frames every content since 2.5, Vertex AI
counts bare text. A body rarely says where it goes, so the API's rule is taken and the margin
reaches to the other one; in a tool loop the thought signatures of Gemini 3 and ids do tell.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

from contextkit.counting.counts import Method, Part
from contextkit.counting.images import image_size
from contextkit.counting.texts import TextCounter
from contextkit.counting.vocabularies import is_installed, text_counter
from contextkit.formats import Api, Request
from contextkit.formats.gemini import response_of
from contextkit.messages import RESULT_ROLES, Message, ToolCall, as_mapping, is_text, mappings_in

Generation = Literal["2.0", "2.5", "3"]
Host = Literal["api", "vertex"]


@dataclass(frozen=True, slots=True)
class Framing:
    """What a server adds to the texts, in tokens.

    Attributes:
        content: each content, the system instruction among them.
        call: each call, with its result.
        described_function: a declaration that has a description.
        function: each declaration.
        property: each property of its parameters, at any depth.
        required: each required property, beside its name, which is a text.
        described: each property with a description.
    """

    content: int = 0
    call: int = 0
    described_function: float = 0
    function: float = 0
    property: float = 0
    required: float = 0
    described: float = 0


BARE = Framing(described_function=1, property=1)
"""Vertex AI, and the Gemini API up to 2.0 (2024-09 to 2026-08, off by 4 at the most)."""

FRAMED: Mapping[Generation, Framing] = {
    "2.0": BARE,
    "2.5": Framing(1, 15, 0, 17.8, 14.0, -3.9, 1.8),
    "3": Framing(1, 15, 0, 13.2, 9.7, 9.7, 5.2),
}
"""The Gemini API (2025-04 to 2026-08); contents are exact, the fractions are fits (+-8 %)."""

_DECLARED = 0.08
"""Share of a declaration by which the fits are off."""

_PLAIN_ESTIMATE = 0.08
"""Share by which o200k differs from Gemma's vocabulary on a text, beside one token."""

_SIGNED, _SIGNED_START = 0.205, 25
"""Gemini 3 hides thoughts in signatures: tokens for each base64 character, less the start."""

_SIGNED_LEAST = 30
"""The fewest tokens of doubt; they are all in doubt, as earlier turns lose their thoughts."""

_OLD_SIGNED = 0.085
"""Gemini 2.5: between nothing and twice this for each character of a signature."""

_API_SIGNATURE, _VERTEX_SIGNATURES = "E", ("A", "C")
"""First letter of a signature of Gemini 3: the field it starts with tells the server."""

_DECLARED_LEAST = 4
"""The fewest tokens of doubt about declarations."""

_TURN = 6
"""Tokens by which each call, and each result, may differ from its texts and frame."""

_SCHEMA = 1.6
"""Tokens of doubt about the schema of an answer, for each token of its JSON."""

_SERVER_TOOL = 100
"""Doubt about a tool of the server's own (search, code): what it adds is not in the body."""

_TILE = 258
"""An image, a tile of a larger one, a page of a document (up to 2.5)."""

MEDIA: Mapping[Generation, Mapping[str, tuple[int, int]]] = {
    "2.0": {"image": (1290, 1290), "audio": (80, 70), "video": (2000, 1950), "file": (774, 516)},
    "2.5": {"image": (258, 258), "audio": (100, 80), "video": (2000, 1950), "file": (774, 516)},
    "3": {"image": (1095, 30), "audio": (100, 80), "video": (500, 450), "file": (811, 300)},
}
"""Tokens and margin of a file that nobody looked at: an image, seconds of sound, one to five pages.

Recorded 2025-04 to 2026-08; long recordings and documents are far above (258 tokens a page, 32 a
second of sound, up to 295 a second of video).
"""


@dataclass(frozen=True, slots=True)
class GeminiCounter:
    """Count Gemini requests.

    Args:
        text: counts plain text.
        generation: whose framing to use.
        api: the wire format; anything but "gemini" came through another host.

    Example:
        >>> from contextkit.messages import History
        >>> counter = GeminiCounter(text_counter("o200k_base"), "2.5", "gemini")
        >>> counter.count_unit(History([{"role": "user", "content": "What is 6 times 7?"}]))
        [Part(name='message', tokens=9, method='estimate', margin=3, index=0)]
    """

    text: TextCounter
    generation: Generation
    api: Api

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        host = self._host(messages)
        first, *results = messages
        parts = [self._message(first, host)]
        for place, result in enumerate(results):
            parts.append(self._message(result, host, opens_content=place == 0))
        return parts

    def count_frame(self, request: Request) -> Sequence[Part]:
        return [*self._tools(request), *self._schema(request)]

    def _message(self, message: Message, host: Host | None, *, opens_content: bool = True) -> Part:
        framing = self._framing(host)
        texts = self._texts(message)
        tokens = texts + (framing.content if opens_content else 0)
        tokens += framing.call * len(message.tool_calls)
        is_result = message.role in RESULT_ROLES
        margin = self._text_margin(texts) + _TURN * (len(message.tool_calls) + is_result)
        if host is None:
            margin += framing.content + framing.call * len(message.tool_calls)
        hidden, doubt = self._hidden(message)
        tokens, margin = tokens + hidden, margin + doubt
        method: Method = "estimate" if doubt or message.tool_calls else self._method("exact")
        if is_result and not doubt:
            method = self._method("reconstructed")
        return Part("message", tokens, method, margin, message.index)

    def _texts(self, message: Message) -> int:
        """Texts, thoughts that are sent back, names and values of calls and results."""
        if message.role in RESULT_ROLES:
            return self.text(message.name or "") + self._values(_answer(message))
        thoughts = (str(p.get("text") or "") for p in message.parts if p["type"] == "thinking")
        calls = sum(map(self._call, message.tool_calls))
        return self.text(message.text) + sum(map(self.text, thoughts)) + calls

    def _call(self, call: ToolCall) -> int:
        return self.text(call.name) + self._values(_parsed(call.arguments))

    def _values(self, value: Any) -> int:
        """Keys and values, without the marks between them."""
        if isinstance(value, Mapping):
            return sum(self.text(str(k)) + self._values(v) for k, v in value.items())
        if isinstance(value, (list, tuple)):
            return sum(map(self._values, value))
        return self.text(value if isinstance(value, str) else json.dumps(value, default=str))

    def _hidden(self, message: Message) -> tuple[int, int]:
        """Tokens and margin of what is no text here: media and thought signatures."""
        sizes = [self._medium(part) for part in _media(message)]
        sizes += [self._signature(signature) for signature in _signatures(message)]
        return sum(tokens for tokens, _ in sizes), sum(margin for _, margin in sizes)

    def _medium(self, part: Mapping[str, Any]) -> tuple[int, int]:
        kind = _kind(part)
        if kind in ("text", "other"):
            tokens = self._values(_inside(part))
            return tokens, tokens
        size = image_size(part) if kind == "image" else None
        if size and self.generation == "2.0":
            return _tiles(*size) * _TILE, 0
        if size and self.generation == "2.5" and max(size) <= 600:
            return _TILE, 0
        return MEDIA[self.generation][kind]

    def _signature(self, signature: str) -> tuple[int, int]:
        if self.generation == "2.5":
            half = round(_OLD_SIGNED * len(signature))
            return half, half
        if self.generation == "2.0" or not signature.startswith(_API_SIGNATURE):
            return 0, 0
        tokens = max(0, round(_SIGNED * len(signature)) - _SIGNED_START)
        return tokens, max(_SIGNED_LEAST, tokens)

    def _tools(self, request: Request) -> Iterator[Part]:
        if not request.tools:
            return
        functions = [tool.raw for tool in request.tools if tool.name]
        framed = self._declarations(functions, FRAMED[self.generation])
        margin = max(_DECLARED_LEAST, ceil(_DECLARED * framed)) if functions else 0
        margin = max(margin, framed - self._declarations(functions, BARE))
        margin += _SERVER_TOOL * (len(request.tools) - len(functions))
        yield Part("tools", framed, "estimate", margin)

    def _declarations(self, functions: Sequence[Mapping[str, Any]], framing: Framing) -> int:
        return round(sum(self._declaration(raw, framing) for raw in functions))

    def _declaration(self, raw: Mapping[str, Any], framing: Framing) -> float:
        function = as_mapping(raw.get("function")) or raw
        keys = ("parameters", "parametersJsonSchema", "parameters_json_schema")
        schema = next((found for key in keys if (found := as_mapping(function.get(key)))), {})
        described = str(function.get("description") or "")
        texts = self.text(str(function.get("name") or "")) + self.text(described)
        properties = sum(self._property(*found, framing) for found in _properties(schema))
        frame = framing.function + framing.described_function * bool(described)
        return texts + properties + frame

    def _property(
        self, name: str, schema: Mapping[str, Any], required: bool, framing: Framing
    ) -> float:
        described = str(schema.get("description") or "")
        tokens = self.text(name) * (2 if required else 1) + self.text(described) + framing.property
        return tokens + framing.required * required + framing.described * bool(described)

    def _schema(self, request: Request) -> Iterator[Part]:
        """Answer schemas are mostly free; Vertex AI bills Gemini 3 for them."""
        if request.answer_schema and self.generation != "2.5":
            text = json.dumps(request.answer_schema.schema, ensure_ascii=False, default=str)
            yield Part("schema", 0, "estimate", ceil(_SCHEMA * self.text(text)))

    def _host(self, messages: Iterable[Message]) -> Host | None:
        """Tell the server by what it signed; None where nothing is signed."""
        for message in messages:
            found = self._signer(message)
            if found:
                return found
        return None

    def _signer(self, message: Message) -> Host | None:
        if self.api != "gemini":
            return None
        if self.generation == "3":
            for signature in _signatures(message):
                if signature.startswith(_API_SIGNATURE):
                    return "api"
                if signature.startswith(_VERTEX_SIGNATURES):
                    return "vertex"
        return "api" if any("id" in call for call in _raw_calls(message)) else None

    def _framing(self, host: Host | None) -> Framing:
        return BARE if host == "vertex" else FRAMED[self.generation]

    def _method(self, best: Method) -> Method:
        return best if self.text.name == "gemma3" else "estimate"

    def _text_margin(self, tokens: int) -> int:
        return 0 if self.text.name == "gemma3" else 1 + ceil(_PLAIN_ESTIMATE * tokens)


def gemini_counter(name: str, api: Api) -> GeminiCounter:
    """Return the counter of a Gemini or Gemma model; without Gemma's vocabulary it estimates.

    Args:
        name: the model without hosts in front.
        api: the wire format of its requests.

    Example:
        >>> gemini_counter("gemini-2.5-flash", "gemini").generation
        '2.5'
    """
    vocabulary = "gemma3" if is_installed("gemma3") else "o200k_base"
    return GeminiCounter(text_counter(vocabulary), generation_of(name), api)


def generation_of(name: str) -> Generation:
    """Return the generation whose framing a model has; unnamed ones count as 2.5.

    Example:
        >>> generation_of("gemini-3-pro-preview"), generation_of("gemini-1.5-flash")
        ('3', '2.0')
    """
    if name.startswith(("gemini-1", "gemini-2.0", "gemini-pro")):
        return "2.0"
    return "3" if name.startswith("gemini-3") else "2.5"


def _answer(message: Message) -> Any:
    """What a function returned: as it was sent, or the JSON of a chat message."""
    if message.data.get("response"):
        return response_of(message.data).get("response")
    return _parsed(message.text)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _raw_parts(message: Message) -> Sequence[Mapping[str, Any]]:
    """The parts as Gemini wrote them; those of a chat message where it came in that format."""
    return mappings_in(message.data.get("parts")) or message.parts


def _raw_calls(message: Message) -> Iterator[Mapping[str, Any]]:
    for part in _raw_parts(message):
        call = as_mapping(part.get("functionCall") or part.get("function_call"))
        if call:
            yield call


def _signatures(message: Message) -> Iterator[str]:
    """Thought signatures as base64 text."""
    for part in _raw_parts(message):
        signature = part.get("thoughtSignature") or part.get("thought_signature")
        if signature:
            is_bytes = isinstance(signature, bytes)
            yield base64.b64encode(signature).decode() if is_bytes else str(signature)


def _media(message: Message) -> Iterator[Mapping[str, Any]]:
    """Parts that are neither text nor thought, those inside of a function's answer among them."""
    response = as_mapping(message.data.get("response")) or {}
    for part in (*message.parts, *mappings_in(response.get("parts"))):
        data = as_mapping(part) or {}
        if not is_text(data) and data.get("type") != "thinking" and data.get("type") != "empty":
            yield data


_DATA_KEYS = ("inlineData", "inline_data", "fileData", "file_data")


def _medium_of(part: Mapping[str, Any]) -> Mapping[str, Any]:
    return next((found for key in _DATA_KEYS if (found := as_mapping(part.get(key)))), {})


def _kind(part: Mapping[str, Any]) -> str:
    """One of the kinds in ``MEDIA``, "text" for a text file, "other" for code and the like."""
    medium = _medium_of(part)
    mime = str(medium.get("mimeType") or medium.get("mime_type") or part.get("type") or "")
    kinds = ("image", "audio", "video", "text")
    found = next((kind for kind in kinds if kind in mime), None)
    return found or ("file" if medium or "file" in mime else "other")


def _inside(part: Mapping[str, Any]) -> Any:
    """The text of a text file where it stands in the part, the values of any other part."""
    data = _medium_of(part).get("data")
    if isinstance(data, str):
        try:
            return base64.b64decode(data).decode()
        except ValueError:
            return ""
    hidden = ("type", "thoughtSignature", "thought_signature")
    return {key: value for key, value in part.items() if key not in hidden}


def _tiles(width: int, height: int) -> int:
    """Tiles of an image, and one for the whole of it."""
    if max(width, height) <= 384:
        return 1
    side = min(768, max(256, int(min(width, height) / 1.5)))
    return ceil(width / side) * ceil(height / side) + 1


def _properties(schema: Any) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Name, schema and whether it is required, for each property at any depth."""
    found = as_mapping(schema)
    if not found:
        return
    required = found.get("required") or ()
    for name, inner in (as_mapping(found.get("properties")) or {}).items():
        yield name, as_mapping(inner) or {}, name in required
        yield from _properties(inner)
    definitions = as_mapping(found.get("$defs")) or {}
    for inner in (found.get("items"), *(found.get("anyOf") or ()), *definitions.values()):
        yield from _properties(inner)
