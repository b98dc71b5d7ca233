"""Tokens of OpenAI chat requests: the framing around the text.

The rules were found on some 2,000 recorded requests with the server's own ``usage`` (2023 to
September 2026) and tested on others: 98 % of plain chats are met exactly, 97 % of chats with tool
calls in their history, 92 % of those that offer tools. The cookbook's "+1 for a name" is wrong: the
role and the name are tokenised as one string.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from contextkit.counting.counts import Method, Part, shares
from contextkit.counting.images import Media, fault_of_image, media_of
from contextkit.counting.openai_tools import schema_tokens, tools_part, tools_text
from contextkit.counting.texts import TextCounter
from contextkit.counting.vocabularies import text_counter
from contextkit.errors import MessageError
from contextkit.formats.request import AnswerSchema, Request, Tool, ToolChoice
from contextkit.messages import RESULT_ROLES, Message, ToolCall, as_mapping, is_text

_MESSAGE = 3
"""Every message: its start mark, the separator behind its header, its end mark."""

_RESULT = _MESSAGE + 1 + 2
"""A result has the role ``tool`` and is addressed, which takes two more tokens."""

_LEGACY_CALL, _LEGACY_RESULT = 7, 3
"""The ``function_call`` of 2023 and its result, names and texts apart (few recordings)."""

_PARALLEL = "multi_tool_use.parallel"
"""Two or more calls are billed as one call of this function, and their results as one result."""

_HEADING = "# Tools\n\n## functions\n\n"
"""Stands above the tools; together they follow the first instructions, behind an empty line."""

_OWN_MESSAGE = _MESSAGE + 1
"""A system message that the server adds where the request has none."""

_SCHEMA, _SCHEMA_BESIDE_TOOLS = 8, -3
"""An answer schema, name and JSON apart; and what it saves where tools are offered too."""

_JSON_ANSWER = 2
"""Extra for an earlier answer that is a JSON object, where an answer schema is asked for, beside
the schema's name (few recordings)."""

_SEARCH_MARGIN = 16
"""Models that search the web rewrite what they are asked (two recordings)."""

_CUSTOM_CALL_MARGIN = 8
"""A call whose argument is free text: its framing is unknown."""


@dataclass(frozen=True, slots=True)
class Framing:
    """The constants of one model family, in tokens.

    Attributes:
        priming: opens the answer, once a request.
        answer_text: extra for each assistant message that has text.
        call_marks: extra for each call, between its name and its arguments.
        result_marks: extra for each result.
        joins_parallel: whether parallel calls are billed as one message.
        tools_apart: framing of tools that are no part of the instructions; None where they are.
        tools_more: extra for tools that are part of the instructions.
        named_choice: extra for a tool choice that names a function; None where it costs nothing.
    """

    priming: int = 3
    answer_text: int = 0
    call_marks: int = 0
    result_marks: int = 0
    joins_parallel: bool = True
    tools_apart: int | None = None
    tools_more: int = 0
    named_choice: int | None = 7


FRAMINGS: Mapping[str, Framing] = {
    "chat": Framing(),
    "o-series": Framing(priming=2, tools_more=1),
    "gpt-5": Framing(
        priming=2,
        answer_text=2,
        call_marks=4,
        result_marks=2,
        joins_parallel=False,
        tools_apart=90,
        named_choice=None,
    ),
}
"""By family. Recorded 2023-06 to 2026-09; "chat" is gpt-3.5, 4, 4o, 4.1 and what they share.

Few recordings: the o-series with tools.
"""


def family_of(model: str) -> str:
    """Return the framing family of an OpenAI model name; newer generations are like gpt-5.

    Example:
        >>> family_of("gpt-5-mini"), family_of("o3"), family_of("gpt-4o")
        ('gpt-5', 'o-series', 'chat')
    """
    if model.startswith(("gpt-5", "gpt-6")):
        return "gpt-5"
    primed_by_two = ("o1", "o3", "o4", "computer-use", "gpt-audio", "gpt-4o-audio")
    return "o-series" if model.startswith(primed_by_two) else "chat"


@dataclass(frozen=True, slots=True)
class OpenAIChatCounter:
    """Count OpenAI chat messages.

    Args:
        text: counts plain text in the model's encoding.
        framing: the constants of its family.
        model: its name, which decides what images cost.

    Example:
        >>> from contextkit.messages import History
        >>> counter = openai_chat_counter("o200k_base", "chat")
        >>> counter.count_unit(History([{"role": "user", "content": "What is 6 times 7?"}]))
        [Part(name='message', tokens=12, method='exact', margin=0, index=0)]
    """

    text: TextCounter
    framing: Framing
    model: str = ""

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        first, *results = messages
        calls = first.tool_calls
        if not calls:
            return [self._plain(message) for message in messages]
        return [self._calling(first), *self._results(calls, results)]

    def count_frame(self, request: Request) -> Sequence[Part]:
        parts = [Part("priming", self.framing.priming)]
        instructions = next((message.text for message in request.instructions), None)
        if request.tools:
            parts.append(self._tools(request.tools, request.tool_choice, instructions))
        if request.answer_schema:
            parts.append(self._schema(request.answer_schema, request, instructions))
        if "search" in self.model:
            parts.append(Part("search", 0, "estimate", _SEARCH_MARGIN))
        return parts

    def _tools(
        self, tools: Sequence[Tool], choice: ToolChoice | None, instructions: str | None
    ) -> Part:
        tokens = self._functions([tool for tool in tools if tool.name], instructions)
        if choice and choice.mode == "named" and self.framing.named_choice is not None:
            tokens += self.framing.named_choice + self.text(choice.name)
        return tools_part(tools, tokens, self.text)

    def _functions(self, tools: Sequence[Tool], instructions: str | None) -> int:
        framing = self.framing
        if not tools:
            return framing.tools_apart or 0
        if framing.tools_apart is None:
            text = _HEADING + tools_text(tools)
            return self._added(instructions, text) - 1 + framing.tools_more
        text = tools_text(tools, unions_in_line=True)
        return framing.tools_apart + self.text(text) + bool(tools[0].description)

    def _schema(self, schema: AnswerSchema, request: Request, instructions: str | None) -> Part:
        name = self.text(schema.name)
        tokens = _SCHEMA + 2 * name + schema_tokens(schema, self.text)
        tokens += _SCHEMA_BESIDE_TOOLS if request.tools else self._added(instructions, "")
        if self.framing.tools_apart is None:
            tokens += sum(map(_is_json_answer, request.history)) * (_JSON_ANSWER + name)
        return Part("schema", tokens, "reconstructed")

    def _added(self, instructions: str | None, text: str) -> int:
        """Tokens of a text that the server puts behind the instructions."""
        if instructions is None:
            return _OWN_MESSAGE + self.text(text)
        return self.text(f"{instructions}\n\n{text}") - self.text(instructions)

    def _plain(self, message: Message) -> Part:
        data = message.data
        role, content, name = data["role"], data.get("content"), message.name
        if role in RESULT_ROLES:
            return self._result(message, message.name)
        is_text_alone = type(content) is str and content
        text = content if is_text_alone else spoken(message)
        tokens = _MESSAGE + _header(self.text, f"{role}:{name}" if name else role)
        if text:
            tokens += self.text(text) + (self.framing.answer_text if role == "assistant" else 0)
        if is_text_alone:
            return Part("message", tokens, "exact", 0, message.index)
        return with_media(message, tokens, "exact", self.model)

    def _calling(self, message: Message) -> Part:
        tokens = self._calls(message.tool_calls)
        if message.text:
            tokens += self._plain(message).tokens
        margin = _CUSTOM_CALL_MARGIN * _custom_calls(message)
        method: Method = "estimate" if margin else "reconstructed"
        return Part("message", tokens, method, margin, message.index)

    def _calls(self, calls: Sequence[ToolCall]) -> int:
        if len(calls) > 1 and self.framing.joins_parallel:
            return _MESSAGE + self.text(f"assistant to={_PARALLEL}") + self.text(_joined(calls))
        marks = self.framing.call_marks if len(calls) == 1 else 0
        return sum(self._call(call) + marks for call in calls)

    def _call(self, call: ToolCall) -> int:
        if call.id is None:
            return _LEGACY_CALL + self.text(call.name) + self.text(call.arguments)
        addressed = self.text(f"assistant to=functions.{call.name}")
        return _MESSAGE + addressed + self.text(compact(call.arguments))

    def _results(self, calls: Sequence[ToolCall], results: Sequence[Message]) -> Sequence[Part]:
        if len(calls) > 1 and self.framing.joins_parallel:
            return self._joined_results(results)
        names = {call.id: call.name for call in calls}
        return [self._result(m, names.get(m.tool_call_id) or m.name) for m in results]

    def _result(self, message: Message, function: str | None) -> Part:
        tokens = _RESULT + self.framing.result_marks
        if message.role == "function":
            tokens = _LEGACY_RESULT
        tokens += self.text(function or "") + self.text(message.text)
        return with_media(message, tokens, "reconstructed", self.model)

    def _joined_results(self, results: Sequence[Message]) -> Sequence[Part]:
        """Parallel results are one message; each gets its share of it by length."""
        if not results:
            return ()
        texts = [message.text for message in results]
        total = _RESULT + self.text(_PARALLEL)
        total += self.text(json.dumps(texts, ensure_ascii=False))
        split = shares(total, [len(text) + 1 for text in texts])
        return [
            with_media(message, share, "reconstructed", self.model)
            for message, share in zip(results, split, strict=True)
        ]


def openai_chat_counter(encoding: str, family: str, model: str = "") -> OpenAIChatCounter:
    """Return the counter of a family in ``FRAMINGS`` with an encoding shipped here."""
    return OpenAIChatCounter(text_counter(encoding), FRAMINGS[family], model)


@lru_cache(1024)
def _header(text: TextCounter, header: str) -> int:
    """Tokens of a header; there are few different ones."""
    return text(header)


def with_media(message: Message, tokens: int, method: Method, model: str) -> Part:
    """Return the part of a message whose text and framing take ``tokens``, its media added.

    Raises:
        MessageError: a data URL that claims to hold an image holds something else.
    """
    content = message.data.get("content")
    if content is None or isinstance(content, str):
        return Part("message", tokens, method, index=message.index)
    media = [_media(message, part, model) for part in message.parts if not _is_read(part)]
    if media:
        method = "reconstructed" if all(found.known for found in media) else "estimate"
    tokens += sum(found.tokens for found in media)
    return Part("message", tokens, method, sum(found.margin for found in media), message.index)


def spoken(message: Message) -> str:
    """Return the text of a message, or the refusal that stands in for it."""
    if text := message.text or message.refusal:
        return text
    return "".join(str(part["refusal"]) for part in message.parts if part.get("refusal"))


def _is_read(part: Mapping[str, Any]) -> bool:
    return is_text(part) or part.get("type") == "refusal"


def _media(message: Message, part: Mapping[str, Any], model: str) -> Media:
    if fault := fault_of_image(part):
        remedy = "send an image, or name its real media type in a file part"
        raise MessageError(message.index, f"an image part that holds {fault}", remedy)
    return media_of(part, model)


def _is_json_answer(message: Message) -> bool:
    if message.role != "assistant" or not (text := message.text.strip()).startswith("{"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _custom_calls(message: Message) -> int:
    calls = (as_mapping(call) or {} for call in message.data.get("tool_calls") or ())
    return sum("custom" in call for call in calls)


def compact(arguments: str) -> str:
    """Write arguments as the server does; what is no JSON stays as it is."""
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return arguments


def _joined(calls: Sequence[ToolCall]) -> str:
    uses = (
        f'{{"recipient_name":"functions.{call.name}","parameters":{compact(call.arguments)}}}'
        for call in calls
    )
    return f'{{"tool_uses":[{",".join(uses)}]}}'
