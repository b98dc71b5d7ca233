"""Tokens of OpenAI Responses requests.

Text is billed as in chat; calls, results, tools and schemas are not. The rules were found on some
350 recorded requests (2025-04 to 2026-09) and tested on others: 92 % of texts, 91 % of requests
with tools and 77 % of those with calls in their history are met exactly. Reasoning is billed as
long as its turn runs, and its text is encrypted: an estimate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextkit.counting.counts import Part
from contextkit.counting.openai_chat import (
    OpenAIChatCounter,
    compact,
    openai_chat_counter,
    with_media,
)
from contextkit.counting.openai_tools import schema_tokens, tools_part, tools_text
from contextkit.formats.openai_chat import read_tools
from contextkit.formats.request import AnswerSchema, Request, Tool
from contextkit.messages import RESULT_ROLES, Message, ToolCall, as_mapping

Item = Mapping[str, Any]

_MESSAGE = 3
"""Every item: its start mark, the separator behind its header, its end mark."""

_PLAIN_CALL, _PLAIN_RESULT, _STORED_CALL = _MESSAGE + 4, _MESSAGE + 1, 3
"""A call and its result, names and texts apart, on gpt-4o and 4.1; and what a call takes more that
the server stored and that no other call stands beside."""

_HARMONY_CALL, _HARMONY_RESULT = _MESSAGE + 4, _MESSAGE + 2
"""The same for the gpt-5 family, where both are addressed."""

_SCHEMA_MARGIN = 2
"""Tokens by which answer schemas vary from request to request."""

_PER_CHARACTER, _UNREAD, _DOUBT, _LEAST_DOUBT = 0.1624, 180, 0.3, 50
"""Tokens for each character of encrypted content, less what every such content begins with; and how
far that was seen to be off: a share of the tokens, and at least so many."""

_STORED_REASONING, _SERVER_ITEM, _STORED_STATE = 300, 150, 1000
"""Rough sizes of what only the server knows: half of a range that starts at nothing."""

_STATE_KEYS = ("previous_response_id", "conversation", "prompt")


@dataclass(frozen=True, slots=True)
class Framing:
    """The constants of one model family, in tokens.

    Attributes:
        tools: opens the tools.
        schema: an answer schema, name and JSON apart.
        named_choice: extra for a tool choice that names a function; None where it costs nothing.
        one_call_at_most: extra for tools where parallel calls are forbidden.
        is_harmony: whether calls and results are addressed as in the gpt-5 family.
    """

    tools: int = 3
    schema: int = 7
    named_choice: int | None = 7
    one_call_at_most: int = 0
    is_harmony: bool = False


_PLAIN = Framing()
_HARMONY = Framing(tools=8, schema=6, named_choice=None, one_call_at_most=78, is_harmony=True)
"""gpt-4o, 4.1 and the o-series; and the gpt-5 family. Recorded 2025-04 to 2026-09.

Few recordings: forbidden parallel calls.
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What differs between the models of the gpt-5 family, in tokens.

    Attributes:
        with_id: extra for a call that has an id of its own.
        without_id: extra for a call that has none.
        added_tools: tools that an item adds later on, their text apart.
    """

    with_id: int = 0
    without_id: int = 0
    added_tools: int = 93


_SNAPSHOTS: Sequence[tuple[re.Pattern[str], Snapshot]] = (
    (re.compile(r"gpt-5(?:-|$)"), Snapshot(with_id=3, without_id=-3, added_tools=92)),
    (re.compile(r"gpt-5\.2"), Snapshot(without_id=-3)),
    (re.compile(r""), Snapshot()),
)
"""By the beginning of a model's name, the first that fits. Few recordings (2025-08 to 2026-09), so
the extra of a call is its margin as well."""


@dataclass(frozen=True, slots=True)
class OpenAIResponsesCounter:
    """Count the items of a Responses request.

    Args:
        chat: counts messages, which are billed as in chat.
        framing: the constants of everything else.

    Example:
        >>> from contextkit.formats import parse_request
        >>> request = parse_request({"input": "What is 6 times 7?"})
        >>> counter = openai_responses_counter("o200k_base", "chat")
        >>> counter.count_unit(request.history)
        [Part(name='message', tokens=12, method='exact', margin=0, index=0)]
    """

    chat: OpenAIChatCounter
    framing: Framing

    @property
    def _snapshot(self) -> Snapshot:
        model = self.chat.model
        return next(found for pattern, found in _SNAPSHOTS if pattern.match(model))

    def count_text(self, text: str) -> int:
        return self.chat.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        return [self._item(message) for message in messages]

    def count_frame(self, request: Request) -> Sequence[Part]:
        parts = [Part("priming", self.chat.framing.priming)]
        if request.tools:
            parts.append(self._tools(request))
        if request.answer_schema:
            parts.append(self._schema(request.answer_schema))
        parts.extend(_running_reasoning(request))
        if _is_known_in_part(request.body):
            parts.append(Part("server", _STORED_STATE, "estimate", _STORED_STATE))
        return parts

    def _item(self, message: Message) -> Part:
        if message.tool_calls:
            return self._call(message, message.tool_calls[0])
        if message.role in RESULT_ROLES:
            return self._result(message)
        item = _item_of(message)
        if item.get("type", "message") == "message":
            return self.chat.count_unit([message])[0]
        return self._other(message, item)

    def _call(self, message: Message, call: ToolCall) -> Part:
        item = _item_of(message)
        if item.get("type") == "custom_tool_call":
            return self._custom_call(message, call)
        text = self.chat.text
        if self.framing.is_harmony:
            address = text(f"assistant to={item.get('namespace') or 'functions'}.{call.name}")
            tokens = _HARMONY_CALL + address + text(compact(call.arguments))
            extra = self._snapshot.with_id if item.get("id") else self._snapshot.without_id
            return Part("message", tokens + extra, "reconstructed", abs(extra), message.index)
        tokens = _PLAIN_CALL + text(call.name) + text(call.arguments)
        if message.data.get("is_stored") and message.data.get("is_alone"):
            tokens += _STORED_CALL
        return Part("message", tokens, "reconstructed", index=message.index)

    def _custom_call(self, message: Message, call: ToolCall) -> Part:
        tokens = _HARMONY_CALL + 3 + self.chat.text(call.name) + self.chat.text(call.arguments)
        return Part("message", tokens, "estimate", _HARMONY_CALL, message.index)

    def _result(self, message: Message) -> Part:
        text, name = self.chat.text, message.name or ""
        if self.framing.is_harmony:
            address = f"{message.data.get('namespace') or 'functions'}.{name} to=assistant"
            tokens = _HARMONY_RESULT + text(address) + text(message.text)
        else:
            tokens = _PLAIN_RESULT + text(name) + text(message.text)
        return with_media(message, tokens, "reconstructed", self.chat.model)

    def _other(self, message: Message, item: Item) -> Part:
        """An item without a role: only what the server has to read again costs anything."""
        kind = item["type"]
        if kind == "reasoning":
            return Part("message", 0, "reconstructed", index=message.index)
        if kind == "compaction":
            return _encrypted("message", str(item.get("encrypted_content") or ""), message.index)
        if kind == "additional_tools":
            tokens = self._snapshot.added_tools + self._functions(read_tools(item.get("tools")))
            return Part("message", tokens, "reconstructed", 1, message.index)
        return Part("message", _SERVER_ITEM, "estimate", _SERVER_ITEM, message.index)

    def _tools(self, request: Request) -> Part:
        functions = [tool for tool in request.tools if tool.name]
        tokens = self.framing.tools + self._functions(functions)
        if functions and request.parallel_calls is False:
            tokens += self.framing.one_call_at_most
        choice = request.tool_choice
        if choice and choice.mode == "named" and self.framing.named_choice is not None:
            tokens += self.framing.named_choice + self.chat.text(choice.name)
        return tools_part(request.tools, tokens, self.chat.text)

    def _functions(self, tools: Sequence[Tool]) -> int:
        if not tools:
            return 0
        written = self.chat.text(tools_text(tools, unions_in_line=self.framing.is_harmony))
        return written + (self.framing.is_harmony and bool(tools[0].description))

    def _schema(self, schema: AnswerSchema) -> Part:
        tokens = self.framing.schema + self.chat.text(schema.name)
        tokens += schema_tokens(schema, self.chat.text)
        return Part("schema", tokens, "reconstructed", _SCHEMA_MARGIN)


def openai_responses_counter(encoding: str, family: str, model: str = "") -> OpenAIResponsesCounter:
    """Return the counter of a family, named as in chat, with an encoding shipped here."""
    chat = openai_chat_counter(encoding, family, model)
    return OpenAIResponsesCounter(chat, _HARMONY if family == "gpt-5" else _PLAIN)


def _is_known_in_part(body: Mapping[str, Any]) -> bool:
    """Whether the server adds stored items, a stored prompt or the instructions of pro mode."""
    reasoning = as_mapping(body.get("reasoning")) or {}
    return any(body.get(key) for key in _STATE_KEYS) or reasoning.get("mode") == "pro"


def _running_reasoning(request: Request) -> Iterator[Part]:
    """Reasoning behind the newest user message; that of older turns is dropped by the server."""
    start = max(request.history.users, default=-1) + 1
    for message in request.history[start:]:
        item = _item_of(message)
        if item.get("type") == "reasoning":
            yield _encrypted("reasoning", str(item.get("encrypted_content") or ""), None)


def _encrypted(name: str, content: str, index: int | None) -> Part:
    """Estimate a text from the length of its ciphertext; without that it is stored elsewhere."""
    if not content:
        return Part(name, _STORED_REASONING, "estimate", _STORED_REASONING, index)
    tokens = max(0, round(_PER_CHARACTER * len(content)) - _UNREAD)
    return Part(name, tokens, "estimate", round(_DOUBT * tokens) + _LEAST_DOUBT, index)


def _item_of(message: Message) -> Item:
    return as_mapping(message.data.get("item")) or {}
