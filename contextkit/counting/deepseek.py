"""Tokens of DeepSeek requests: the prompt of V4 rebuilt, and the frame of older models.

The rules are the published prompt format of DeepSeek V4, compared with recorded requests and the
server's own ``usage`` (2026-06 to 2026-08). ``deepseek-chat`` and ``deepseek-reasoner`` are V4
since then; R1 and V3 are served by others, with the frame that they always had.
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
from contextkit.messages import (
    INSTRUCTION_ROLES,
    RESULT_ROLES,
    Message,
    ToolCall,
    as_mapping,
    is_text,
)

_OLDER = re.compile(r"deepseek(?:-ai)?[-_]?(?:r1|v[23]|coder|llm)")

_ALIASES = frozenset({"deepseek-chat", "deepseek-reasoner"})
"""Names that meant older models before V4: their frame was up to one token off."""


@dataclass(frozen=True, slots=True)
class Framing:
    """The marks of one model generation, in tokens.

    Attributes:
        begin: opens the prompt.
        user: each user message.
        answer: each assistant message: its mark, what closes its thoughts, its end.
        opening: opens the answer.
        keeps_thoughts: whether text up to ``</think>`` in an answer stays.
    """

    begin: int
    user: int
    answer: int
    opening: int
    keeps_thoughts: bool


V4 = Framing(begin=1, user=1, answer=3, opening=2, keeps_thoughts=True)
OLDER = Framing(begin=1, user=1, answer=2, opening=1, keeps_thoughts=False)
"""V4 recorded 2026-06 to 2026-08, texts all exact; R1 and V3 recorded 2025, single turns."""

_TOOLS = 221
"""The fixed text around the tools of V4."""

_FORCED = 7
"""A required or a named tool."""

_RESPONSES = 79
"""What the Responses API adds: it asks for high effort."""

_OLDER_TOOLS, _OLDER_TOOLS_MARGIN = 150, 150
"""The fixed text around the tools of V3 and R1, which differs from host to host."""

_CALL_MARGIN = 2
"""Tokens by which a message with calls may be off: the marks of empty thoughts."""

_MEDIUM, _MEDIUM_MARGIN = 500, 500
"""An image or a file: never seen in recordings."""

_MARK = "｜DSML｜"


@dataclass(frozen=True, slots=True)
class DeepSeekCounter:
    """Count DeepSeek requests.

    Args:
        text: counts plain text in DeepSeek's vocabulary.
        framing: the marks of the generation.
        alias: whether the name meant an older model before.
        api: the wire format of the requests.

    Example:
        >>> from contextkit.counting.vocabularies import is_installed
        >>> from contextkit.messages import History
        >>> if is_installed("deepseek"):
        ...     counter = deepseek_counter("deepseek-v4-flash", "openai-chat")
        ...     counter.count_unit(History([{"role": "user", "content": "What is 6 times 7?"}]))
        [Part(name='message', tokens=9, method='exact', margin=0, index=0)]
    """

    text: TextCounter
    framing: Framing
    alias: bool
    api: Api

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        first, *results = messages
        parts = [self._first(first, answered=bool(results))]
        parts += [
            self._result(result, opens_turn=not place) for place, result in enumerate(results)
        ]
        return [_with_media(part, m) for part, m in zip(parts, messages, strict=True)]

    def count_frame(self, request: Request) -> Sequence[Part]:
        priming = self.framing.begin + self.framing.opening
        if request.api == "openai-responses":
            priming += _RESPONSES
        priming = max(0, priming + self._joints(request))
        return [Part("priming", priming, "exact", int(self.alias)), *self._tools(request)]

    def _first(self, message: Message, *, answered: bool) -> Part:
        if message.role in RESULT_ROLES:
            return self._result(message, opens_turn=True)
        if message.tool_calls:
            return self._calling(message, answered)
        if _is_reasoning_item(message):
            return self._reasoning_item(message)
        if message.role == "assistant":
            return self._answer(message)
        mark = 0 if message.role in INSTRUCTION_ROLES else self.framing.user
        return Part("message", mark + self.text(message.text), "exact", 0, message.index)

    def _answer(self, message: Message) -> Part:
        """Count an answer: thoughts are dropped, unless tools keep them alive."""
        kept = self.framing.keeps_thoughts
        text = message.text if kept else message.text.rpartition("</think>")[2]
        thoughts = self.text(_reasoning(message)) if kept else 0
        tokens = self.framing.answer + self.text(text)
        return Part("message", tokens, "exact", thoughts, message.index)

    def _reasoning_item(self, message: Message) -> Part:
        """Count reasoning of the Responses API: it stays in front of calls only."""
        tokens = self.text(_reasoning(message)) + 1
        half = (tokens + 1) // 2
        return Part("message", half, "estimate", half, message.index)

    def _calling(self, message: Message, answered: bool) -> Part:
        """Count calls; parallel ones of the Responses API come as messages without results."""
        thinks = "reasoning_content" in message.data and self.framing.keeps_thoughts
        written = "\n".join(map(_invocation, message.tool_calls))
        if self.api == "openai-responses" and not answered:
            tokens = self.text("\n" + written)
        else:
            tokens = self.framing.answer + self.text(message.text + _block(written))
        tokens += self.text(_reasoning(message)) + 1 if thinks else 0
        return Part("message", tokens, "reconstructed", _CALL_MARGIN, message.index)

    def _result(self, message: Message, *, opens_turn: bool) -> Part:
        """Count a result; several stand in one turn, a blank line between them."""
        text = f"<tool_result>{message.text}</tool_result>"
        if opens_turn:
            tokens = self.framing.user + self.text(text)
        else:
            before = "</tool_result>"
            tokens = self.text(f"{before}\n\n{text}") - self.text(before)
        return Part("message", tokens, "reconstructed", 1, message.index)

    def _tools(self, request: Request) -> Iterator[Part]:
        functions = [tool for tool in request.tools if tool.name]
        if not functions or _are_forbidden(request):
            return
        lines = "\n".join(map(_line, functions)) + "\n\n"
        if self.framing is OLDER:
            counted = _OLDER_TOOLS + self.text(lines)
            yield Part("tools", counted, "estimate", _OLDER_TOOLS_MARGIN)
            return
        tokens = _TOOLS + self.text(lines) + self._blank_line(request)
        yield Part("tools", tokens, "reconstructed", 1)
        if request.tool_choice and request.tool_choice.mode in ("required", "named"):
            yield Part("tool choice", _FORCED, "reconstructed")

    def _joints(self, request: Request) -> int:
        """What several system texts cost less when they are read as one."""
        texts = [message.text for message in request.instructions]
        return self.text("".join(texts)) - sum(map(self.text, texts))

    def _blank_line(self, request: Request) -> int:
        """The blank line between the system text and the tools, read with that text."""
        if not request.instructions:
            return 0
        last = request.instructions[-1].text
        return self.text(last + "\n\n") - self.text(last)


def deepseek_counter(name: str, api: Api) -> DeepSeekCounter:
    """Return the counter of a DeepSeek model.

    Args:
        name: the model without hosts in front.
        api: the wire format of its requests.

    Raises:
        TokenizerMissing: its vocabulary is not installed.
    """
    framing = OLDER if _OLDER.match(name) else V4
    return DeepSeekCounter(text_counter("deepseek"), framing, name in _ALIASES, api)


def _are_forbidden(request: Request) -> bool:
    """``tool_choice: none`` takes the tools out of the prompt."""
    return request.tool_choice is not None and request.tool_choice.mode == "none"


def _line(tool: Tool) -> str:
    """A function as one line of JSON, keys as sent, without what only a server reads."""
    function = as_mapping(tool.raw.get("function")) or tool.raw
    dropped = ("strict",) if "function" in tool.raw else ("strict", "type")
    kept = {key: value for key, value in function.items() if key not in dropped}
    return json.dumps(kept, ensure_ascii=False, default=str)


def _block(invocations: str) -> str:
    return f"\n\n<{_MARK}tool_calls>\n{invocations}\n</{_MARK}tool_calls>"


def _invocation(call: ToolCall) -> str:
    arguments = "\n".join(_parameter(key, value) for key, value in _arguments(call).items())
    return f'<{_MARK}invoke name="{call.name}">\n{arguments}\n</{_MARK}invoke>'


def _parameter(key: str, value: Any) -> str:
    is_string = isinstance(value, str)
    written = value if is_string else json.dumps(value, ensure_ascii=False)
    string = "true" if is_string else "false"
    return f'<{_MARK}parameter name="{key}" string="{string}">{written}</{_MARK}parameter>'


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    try:
        parsed = json.loads(call.arguments)
    except (ValueError, RecursionError):
        parsed = None
    return parsed if isinstance(parsed, Mapping) else {"arguments": call.arguments}


def _is_reasoning_item(message: Message) -> bool:
    item = as_mapping(message.data.get("item")) or {}
    return item.get("type") == "reasoning"


def _reasoning(message: Message) -> str:
    """The thoughts that are sent back with a message."""
    if _is_reasoning_item(message):
        blocks = message.data["item"].get("content") or ()
        return "".join(str((as_mapping(block) or {}).get("text") or "") for block in blocks)
    found = message.data.get("reasoning_content")
    return found if isinstance(found, str) else ""


def _with_media(part: Part, message: Message) -> Part:
    media = sum(not is_text(found) for found in message.parts)
    if not media:
        return part
    tokens, margin = part.tokens + media * _MEDIUM, part.margin + media * _MEDIUM_MARGIN
    return Part("message", tokens, "estimate", margin, message.index)
