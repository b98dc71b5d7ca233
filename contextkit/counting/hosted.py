"""Estimates for models whose vocabulary is published nowhere, or not at hand here.

Text is counted in o200k_base. What the host adds unseen, often several hundred tokens, was measured
on recorded requests (2024-06 to 2026-08), few for each family: every count is an estimate, and its
interval is wide on purpose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextkit.counting.counts import Part
from contextkit.counting.texts import TextCounter
from contextkit.counting.vocabularies import text_counter
from contextkit.formats import Api, Request
from contextkit.formats.request import Tool
from contextkit.messages import INSTRUCTION_ROLES, RESULT_ROLES, Message, as_mapping, is_text

_IMAGE, _FILE = 900, 1_800
"""An image and any other file, give or take as much; recorded: 170 to 1,800, 1,500 to 2,600."""

_ENCRYPTED = 0.15
"""Tokens of hidden reasoning for each character of its encrypted form (10 recordings of Grok 4.3:
0.13 to 0.18)."""


@dataclass(frozen=True, slots=True)
class Framing:
    """What one family adds to the text, in tokens.

    Attributes:
        opening: once a request.
        message: each message but instructions and results.
        instructions: each system message.
        tools: once, when there are tools.
        line: for each token of a tool's JSON.
        exchange: each call with its result.
        schema: once, when the answer has a schema, whose JSON comes on top; None where a schema
            steers the model without standing in its prompt.
        share: share of its tokens by which a part may be off.
        doubt: tokens by which the opening may be off, and that of the tools.
    """

    opening: int = 4
    message: int = 4
    instructions: int = 4
    tools: int = 100
    line: float = 1.0
    exchange: int = 25
    schema: int | None = None
    share: float = 0.15
    doubt: int = 6


GROK = (
    (r"grok-4[.-]3", Framing(187, 5, 2, tools=20, exchange=25, schema=8, share=0.08, doubt=3)),
    (r"grok-4(?:-\d{4}|-latest)?$", Framing(676, 5, 2, tools=20, doubt=40)),
    (r"grok", Framing(5, 3, 3, tools=120, exchange=22, schema=26, share=0.12, doubt=8)),
)
"""Recorded: 4.3 (20 requests), 4.1 fast (11) and 4 (1)."""

COHERE = (
    (r"command-a-reasoning", Framing(1_380, 6, 3, tools=870, line=1.05, exchange=74, schema=70)),
    (r"command-a-plus", Framing(170, 6, 3, tools=20, exchange=74, schema=70, doubt=60)),
    (
        r"command-(?:a|r7b)",
        Framing(489, 6, 33, tools=870, line=1.05, exchange=74, schema=70, share=0.08),
    ),
    (r"command-r", Framing(60, 6, 33, tools=740, line=1.05, exchange=50, schema=70, doubt=40)),
    (r"command", Framing(56, 6, 6, tools=740, exchange=50, schema=70)),
)
"""Recorded: Command A (11 requests), R7B (5), 1 to 3 of each other."""

NOVA = (
    (r"nova-2", Framing(44, 2, 0, tools=812, exchange=30, share=0.12, doubt=12)),
    (r"nova", Framing(0, 1, 0, tools=335, exchange=30, share=0.2, doubt=2)),
)
"""Recorded: 2 Lite (25 requests), Micro, Lite and Pro of the first generation (17)."""

OTHERS = (
    (r"(?:chat|zai-)?glm", Framing(2, 3, 3, tools=120, doubt=5)),
    (r"kimi|moonshot", Framing(3, 5, 5, tools=0, exchange=15)),
    (r"sonar", Framing(0, 1, 1, doubt=3)),
    (r"compound", Framing(5_000, 4, 4, doubt=4_900)),
    (r"", Framing(share=0.25, doubt=20)),
)
"""Recorded: GLM 4.7 (7 requests), Kimi K2 (2), Sonar (1), Compound, which searches on its own (2).
MiniMax, Granite, Phi and whatever else: assumed."""


@dataclass(frozen=True, slots=True)
class HostedCounter:
    """Estimate requests to one family of hosted models.

    Args:
        text: counts plain text.
        framing: the constants of the family.

    Example:
        >>> from contextkit.messages import History
        >>> counter = grok_counter("grok-4.3", "openai-chat")
        >>> counter.count_unit(History([{"role": "user", "content": "What is 6 times 7?"}]))
        [Part(name='message', tokens=13, method='estimate', margin=2, index=0)]
    """

    text: TextCounter
    framing: Framing

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        return [self._message(message) for message in messages]

    def count_frame(self, request: Request) -> Sequence[Part]:
        opening = Part("priming", self.framing.opening, "estimate", self.framing.doubt)
        return [opening, *self._tools(request), *self._schema(request)]

    def _message(self, message: Message) -> Part:
        media = sum(_medium(part) for part in _parts(message))
        hidden = round(_ENCRYPTED * _encrypted_length(message))
        tokens = self._marks(message) + self.count_text(message.text) + self._calls(message)
        margin = 1 + int(tokens * self.framing.share) + hidden // 3 + media
        return Part("message", tokens + hidden + media, "estimate", margin, message.index)

    def _marks(self, message: Message) -> int:
        if message.role in INSTRUCTION_ROLES:
            return self.framing.instructions
        written = message.text or message.role == "user"
        return self.framing.message if written and message.role not in RESULT_ROLES else 0

    def _calls(self, message: Message) -> int:
        calls = (f"{call.name}{call.arguments}" for call in message.tool_calls)
        return sum(self.framing.exchange + self.count_text(call) for call in calls)

    def _tools(self, request: Request) -> Iterator[Part]:
        if request.tools:
            lines = sum(self.count_text(_line(tool)) for tool in request.tools)
            tokens = self.framing.tools + round(self.framing.line * lines)
            margin = self.framing.doubt + int(tokens * self.framing.share)
            yield Part("tools", tokens, "estimate", margin)

    def _schema(self, request: Request) -> Iterator[Part]:
        schema = _answer_schema(request)
        if schema and self.framing.schema is not None:
            tokens = self.framing.schema + self.count_text(json.dumps(schema, default=str))
            yield Part("schema", tokens, "estimate", tokens // 3)


def grok_counter(name: str, api: Api) -> HostedCounter:
    """Return the counter of one of xAI's Grok models."""
    return _counter(GROK, name)


def cohere_counter(name: str, api: Api) -> HostedCounter:
    """Return the counter of one of Cohere's Command models."""
    return _counter(COHERE, name)


def nova_counter(name: str, api: Api) -> HostedCounter:
    """Return the counter of one of Amazon's Nova models."""
    return _counter(NOVA, name)


def estimated_counter(name: str, api: Api) -> HostedCounter:
    """Return a counter for a model of which little is known.

    Example:
        >>> estimated_counter("glm-4.7", "openai-chat").count_text("你好，世界")
        3
    """
    return _counter(OTHERS, name)


def _counter(families: Sequence[tuple[str, Framing]], name: str) -> HostedCounter:
    framing = next(framing for start, framing in families if re.match(start, name))
    return HostedCounter(text_counter("o200k_base"), framing)


def _line(tool: Tool) -> str:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    wanted = {"type": "function", "function": function} if tool.name else tool.raw
    return json.dumps(wanted, ensure_ascii=False, default=str)


def _parts(message: Message) -> Sequence[Mapping[str, Any]]:
    """The parts that are no text and cost something."""
    if not isinstance(message.data.get("content"), (list, tuple)):
        return ()
    silent = ("thinking", "cachePoint")
    return [p for p in message.parts if not is_text(p) and p.get("type") not in silent]


def _medium(part: Mapping[str, Any]) -> int:
    return _IMAGE if "image" in str(part.get("type")) else _FILE


def _encrypted_length(message: Message) -> int:
    """Characters of hidden reasoning that goes back to the model."""
    item = as_mapping(message.data.get("item")) or {}
    return len(str(item.get("encrypted_content") or "")) if item.get("type") == "reasoning" else 0


def _answer_schema(request: Request) -> Mapping[str, Any] | None:
    """The schema of the answer; Cohere has it right in its ``response_format``."""
    if request.answer_schema:
        return request.answer_schema.schema
    wanted = as_mapping(request.body.get("response_format")) or {}
    return as_mapping(wanted.get("json_schema") or wanted.get("schema"))
