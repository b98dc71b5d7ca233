"""Tokens of requests to Claude models, whatever wire format they are in.

The prompt is a run of turns. Tool calls, their results and the text behind them are segments of one
assistant turn, and a turn that ends with results stays open for the model to go on. The rules were
found on some 700 recorded requests with the server's own usage (2024-06 to 2026-08).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from contextkit.counting.anthropic_media import Cost, part_cost
from contextkit.counting.anthropic_models import (
    Framing,
    Version,
    framing_of,
    version_and_tier,
    vocabulary_of,
)
from contextkit.counting.anthropic_tools import (
    calls_text,
    results_text,
    server_tool_cost,
    tool_line,
    tool_prompt,
)
from contextkit.counting.claude_estimate import claude_estimate
from contextkit.counting.counters import Counter
from contextkit.counting.counts import Method, Part, shares
from contextkit.counting.texts import TextCounter
from contextkit.counting.vocabularies import is_installed, text_counter
from contextkit.formats import Api, Request
from contextkit.formats.request import Tool
from contextkit.messages import (
    INSTRUCTION_ROLES,
    RESULT_ROLES,
    History,
    Message,
    as_mapping,
    is_text,
)
from contextkit.units import Units

_TURN = 3
"""Opens a turn, that of the answer included."""

_SEGMENT = 1
"""Every segment of an assistant turn behind its leading text."""

_ERROR = 4
"""Extra for a result that reports an error."""

_RESULT_IMAGE = Cost(12, 8)
"""Extra for an image in a result; 6 more beside text."""

_SCHEMA = 81
"""Around the schema of a structured answer."""

_TOOL = 1
"""Extra for the line of each tool."""

_TOOL_SERVER = Cost(2_400, 2_400)
"""The tools of an MCP server, which only the provider sees (3 recordings of one server)."""

_BILLING_HEADER = "x-anthropic-billing-header:"
"""A system block that the maker's own clients send; it does not reach the model."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """How far counts may be off, as shares of their tokens.

    Attributes:
        text: plain messages.
        least_text: tokens for each of them on top.
        tools: tools, calls and results.
        least_tools: tokens for each part that has them on top.
    """

    text: float
    least_text: int
    tools: float
    least_tools: int


_COUNTED, _NEWLY_COUNTED = Doubt(0.001, 0, 0.003, 1), Doubt(0.02, 1, 0.16, 2)
_ESTIMATED, _NEWLY_ESTIMATED = Doubt(0.18, 1, 0.07, 2), Doubt(0.2, 1, 0.2, 2)
"""Residuals on recorded requests: with the vocabulary and without, settled rules and new ones."""


@dataclass(frozen=True, slots=True)
class ClaudeCounter:
    """Count requests to one Claude model.

    Args:
        text: counts plain text, in the model's vocabulary or about.
        version: of the model.
        tier: "opus", "sonnet", "haiku" or another; "" where the name says none.
        knows_vocabulary: False when ``text`` estimates.
        trims: whether the host strips white space from the ends of texts.

    Example:
        >>> from contextkit.messages import History
        >>> counter = anthropic_counter("claude-haiku-4-5", "anthropic")
        >>> [part.tokens for part in counter.count_unit(History([{"role": "user", "content": ""}]))]
        [3]
    """

    text: TextCounter
    version: Version
    tier: str = ""
    knows_vocabulary: bool = True
    trims: bool = False

    @property
    def framing(self) -> Framing:
        """The constants of the model's generation."""
        return framing_of(self.version, self.tier)

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        first = messages[0]
        if first.role in RESULT_ROLES or first.tool_calls:
            return self._exchange(messages)
        return [self._plain(message) for message in messages]

    def count_frame(self, request: Request) -> Sequence[Part]:
        sections = self.framing.sections
        parts = []
        for name, cost in self._sections(request):
            sections += 1
            parts.append(self._tools_part(name, cost))
        opened = self.framing.opening + max(0, sections - 1 + _has_instructions(request))
        parts.insert(0, Part("priming", opened + self._answer(request), self._exact))
        return parts

    # Messages

    def _plain(self, message: Message) -> Part:
        if message.role in INSTRUCTION_ROLES:
            tokens = self.text(_system_text(message, self.trims))
            return self._text_part(tokens, message, self._media(message))
        tokens = _TURN + self.text(self._trimmed(message.text or message.refusal))
        if self.framing.keeps_thinking:
            tokens += self._thoughts(message)
        return self._text_part(tokens, message, self._media(message))

    def _text_part(self, tokens: int, message: Message, media: Cost) -> Part:
        doubt = self._doubt.least_text + int(tokens * self._doubt.text) + media.margin
        method = "estimate" if media.margin else self._exact
        return Part("message", tokens + media.tokens, method, doubt, message.index)

    def _exchange(self, messages: Sequence[Message]) -> list[Part]:
        """Calls and their results are one text; each message gets its share of it by length."""
        calls = messages[0].tool_calls
        results = messages[1:] if calls else messages
        texts = [calls_text(calls)] if calls else []
        written = "".join(texts) + results_text(calls, results)
        weights = [len(text) for text in texts] + [len(m.text) + 1 for m in results]
        split = shares(self.text(written) + _SEGMENT, weights)
        return [self._shared(m, share) for m, share in zip(messages, split, strict=True)]

    def _shared(self, message: Message, share: int) -> Part:
        tokens, media = share, self._media(message)
        if message.role not in RESULT_ROLES:
            tokens += self.text(self._trimmed(message.text))
            tokens += self._thoughts(message) if self.framing.keeps_thinking else 0
        elif message.data.get("is_error"):
            tokens += _ERROR
        return self._tools_part("message", Cost(tokens) + media, message.index)

    def _tools_part(self, name: str, cost: Cost, index: int | None = None) -> Part:
        margin = self._doubt.least_tools + int(cost.tokens * self._doubt.tools) + cost.margin
        sure = self.knows_vocabulary and self.framing.settled and not cost.margin
        method: Method = "reconstructed" if sure else "estimate"
        return Part(name, cost.tokens, method, margin, index)

    def _media(self, message: Message) -> Cost:
        if not isinstance(message.data.get("content"), (list, tuple)):
            return Cost()
        total = Cost()
        for part in message.parts:
            cost = part_cost(part, self.framing.images, self.text)
            nested = cost.margin and message.role in RESULT_ROLES
            total = total + cost + (_RESULT_IMAGE if nested else Cost())
        return total

    def _thoughts(self, message: Message) -> int:
        return sum(
            self.framing.thought + self.text(thought) for thought in _thinking_texts(message)
        )

    def _trimmed(self, text: str) -> str:
        return text.rstrip() if self.trims else text

    # The request around them

    def _answer(self, request: Request) -> int:
        """What opens the answer; nothing when the model continues an answer begun for it."""
        last = _last(request.history)
        if last is None or last.role == "user":
            return _TURN
        resumed = _SEGMENT if _offers_tools(request) else 0
        if last.role == "assistant" and not last.tool_calls:
            return resumed
        return _TURN + resumed + self._running_thoughts(request.history, last.index)

    def _running_thoughts(self, history: History, newest: int) -> int:
        """Thinking before the newest calls; older models drop it once their results are used."""
        if self.framing.keeps_thinking:
            return 0
        return self._thoughts(Units(history, len).ending_at(newest + 1).messages[0])

    def _sections(self, request: Request) -> Iterator[tuple[str, Cost]]:
        thinking = self._thinking(request.body)
        if thinking:
            yield "thinking", Cost(thinking)
        if request.answer_schema and self.framing.schemas:
            schema = json.dumps(request.answer_schema.schema, indent=2, default=str)
            yield "schema", Cost(_SCHEMA + self.text(schema))
        if request.tools or request.body.get("mcp_servers"):
            yield "tools", self._tools(request)

    def _thinking(self, body: Mapping[str, Any]) -> int:
        mode = _thinking_mode(body)
        if mode == "adaptive":
            return self.framing.adaptive
        return self.framing.thinking if mode == "enabled" else 0

    def _tools(self, request: Request) -> Cost:
        tokens = tool_prompt(self.version, self.tier).tokens(request)
        shown = [tool for tool in request.tools if self._shows(tool)]
        tokens += sum(_TOOL + self._line(tool) for tool in shown if tool.name)
        if request.tool_choice and request.tool_choice.mode == "named":
            tokens += self.text(request.tool_choice.name)
        servers = [_TOOL_SERVER] * len(request.body.get("mcp_servers") or ())
        unseen = [server_tool_cost(tool) for tool in shown if not tool.name]
        return sum((*servers, *unseen), Cost(tokens))

    def _shows(self, tool: Tool) -> bool:
        return not (self.framing.defers and tool.raw.get("defer_loading"))

    def _line(self, tool: Tool) -> int:
        return self.text(tool_line(tool, escapes=self.framing.escapes))

    @property
    def _exact(self) -> Method:
        return "exact" if self.knows_vocabulary else "estimate"

    @property
    def _doubt(self) -> Doubt:
        if self.knows_vocabulary:
            return _COUNTED if self.framing.settled else _NEWLY_COUNTED
        return _ESTIMATED if self.framing.settled else _NEWLY_ESTIMATED


def anthropic_counter(name: str, api: Api) -> Counter:
    """Return the counter of a Claude model, exact where its vocabulary is installed.

    Args:
        name: bare name of the model, like "claude-sonnet-4-5-20250929" or "claude-4.6-opus".
        api: wire format of the requests.

    Example:
        >>> anthropic_counter("claude-haiku-4-5", "anthropic").count_text("")
        0
    """
    version, _ = version_and_tier(name)
    return claude_counter(name, api, knows_vocabulary=is_installed(vocabulary_of(version)))


def claude_counter(name: str, api: Api, *, knows_vocabulary: bool) -> ClaudeCounter:
    """Return the counter of a Claude model with its vocabulary, or with the estimate of it.

    Raises:
        TokenizerMissing: the vocabulary is asked for and not installed.
    """
    version, tier = version_and_tier(name)
    vocabulary = vocabulary_of(version)
    text = text_counter(vocabulary) if knows_vocabulary else claude_estimate(vocabulary)
    return ClaudeCounter(text, version, tier, knows_vocabulary, trims=api.startswith("openai"))


def _system_text(message: Message, trims: bool) -> str:
    texts = (str(part.get("text") or "") for part in message.parts if is_text(part))
    text = "".join(text for text in texts if not text.startswith(_BILLING_HEADER))
    return text.rstrip(None if trims else "\n")


def _thinking_texts(message: Message) -> list[str]:
    if not isinstance(message.data.get("content"), (list, tuple)):
        return []
    return [str(p.get("thinking") or "") for p in message.parts if p.get("type") == "thinking"]


def _thinking_mode(body: Mapping[str, Any]) -> Literal["enabled", "adaptive"] | None:
    """Read Anthropic's ``thinking``, Bedrock's copy of it, and OpenRouter's ``reasoning``."""
    fields = as_mapping(body.get("additionalModelRequestFields")) or body
    mode = (as_mapping(fields.get("thinking")) or {}).get("type")
    if mode in ("enabled", "adaptive"):
        return "adaptive" if mode == "adaptive" else "enabled"
    reasoning = as_mapping(body.get("reasoning")) or {}
    off = reasoning.get("enabled") is False or reasoning.get("effort") in ("none", None)
    return "enabled" if reasoning and (not off or reasoning.get("max_tokens")) else None


def _has_instructions(request: Request) -> bool:
    return any(_system_text(message, trims=False) for message in request.instructions)


def _last(history: History) -> Message | None:
    indices = range(len(history) - 1, -1, -1)
    return next((history[i] for i in indices if history.roles[i] not in INSTRUCTION_ROLES), None)


def _offers_tools(request: Request) -> bool:
    """Whether tools are offered, and left to the model's choice."""
    choice = request.tool_choice.mode if request.tool_choice else "auto"
    return bool(request.tools) and choice == "auto"
