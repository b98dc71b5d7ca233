"""Tokens of open models: Llama, Qwen and gpt-oss, whoever serves them.

The rules are the chat templates of the models, compared with recorded requests and the servers'
own ``usage`` (2024-04 to 2026-08). A server may add to a template (Groq four tokens for gpt-oss,
Ollama two for Qwen) and a body does not name its server, so the template's rule is taken and the
margin holds the other servers. Plain names ("qwen3", "gpt-oss:20b") are Ollama's way of writing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from contextkit.counting.counts import Part
from contextkit.counting.openai_tools import tools_text
from contextkit.counting.texts import TextCounter
from contextkit.counting.vocabularies import text_counter
from contextkit.formats import Api, Request
from contextkit.formats.request import Tool
from contextkit.messages import INSTRUCTION_ROLES, RESULT_ROLES, Message, ToolCall, is_text

_OLLAMA_NAME = re.compile(r"(?:llama|qwen)[\d.]*(?::[\w.-]+)?$|gpt-oss:")
"""Names as Ollama's library has them, with or without a tag."""

_MEDIUM, _MEDIUM_MARGIN = 1250, 1100
"""An image or a file: between one and sixteen tiles on Llama 4; others were hardly seen."""

_JSON_MODE = 30
"""Doubt about a request for JSON answers: some servers add an instruction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framing:
    """The frame of one family's chat template, in tokens.

    Attributes:
        message: each message of a user or a system.
        answer: each message of the assistant without calls.
        priming: opens the prompt and the answer, once.
        priming_margin: how far servers differ in that.
        call: each call, beside its name and arguments.
        call_name: how the name of the function is written in a call.
        result: each result, beside its text.
        later_result: each result that follows another one.
        result_name: how the name of the function is written in a result; "" where it is not.
        thought: reasoning that is sent back with a call, beside its text.
        turn_margin: doubt about each call and each result.
        heading: stands in front of the system text.
        keeps_thoughts: whether text up to ``</think>`` in an answer stays.
    """

    message: int
    answer: int
    priming: int
    priming_margin: int
    call: int
    result: int
    later_result: int
    turn_margin: int
    call_name: str = "{}"
    result_name: str = ""
    thought: int = 4
    heading: str = ""
    keeps_thoughts: bool = True


LLAMA = Framing(
    message=5,
    answer=5,
    priming=5,
    priming_margin=1,
    call=12,
    result=6,
    later_result=6,
    turn_margin=6,
)
QWEN = Framing(
    message=5,
    answer=5,
    priming=3,
    priming_margin=2,
    call=11,
    result=8,
    later_result=4,
    turn_margin=6,
    keeps_thoughts=False,
)
GPT_OSS = Framing(
    message=4,
    answer=6,
    priming=63,
    priming_margin=4,
    call=8,
    result=5,
    later_result=5,
    turn_margin=2,
    call_name=" to=functions.{} ",
    result_name="functions.{} to=assistant",
    thought=6,
    heading="# Instructions\n\n",
)
R1_DISTILLED = replace(
    LLAMA, message=1, answer=2, priming=1, priming_margin=2, keeps_thoughts=False
)
"""Recorded 2024-04 to 2026-08: text within 4 of every request, tool loops by the template (few)."""

_DATE_HEADER, _DATE_IN_SYSTEM = 25, 20
"""Llama 3.1 to 3.3 open with the date: a system message of its own, or lines in the first one."""

_THINKING_OFF = 4
"""Qwen 3 opens its answer with an empty thought when it shall not think."""

_GROQ = 4
"""Groq adds this to gpt-oss; a body with ``reasoning_format`` is one for Groq."""

_QWEN_SYSTEM = 21
"""Qwen 2.5 puts a system message of its own in front of a history without one."""

_TOOLS_HEADING = "# Tools\n\n## functions\n\n"
"""gpt-oss reads tools as TypeScript behind the instructions, in one developer message."""

_DEVELOPER = 4
"""The frame of that message."""

_CALLS_GO_TO = "\nCalls to these tools must go to the commentary channel: 'functions'."


@dataclass(frozen=True, slots=True)
class ToolRule:
    """Tokens of tools as ``fixed + share x T(JSON lines)``.

    Attributes:
        fixed: the instructions around them.
        share: of the tokens of the JSON.
        margin_fixed: doubt about ``fixed``.
        margin_share: doubt about ``share``.
    """

    fixed: int
    share: float
    margin_fixed: int
    margin_share: float

    def part(self, tokens: int) -> Part:
        """Return the part for tools whose JSON has ``tokens``."""
        counted = round(self.fixed + self.share * tokens)
        margin = ceil(self.margin_fixed + self.margin_share * tokens)
        return Part("tools", counted, "estimate", margin)


LLAMA_TOOLS = ToolRule(80, 1.6, 40, 1.0)
LLAMA_4_TOOLS = ToolRule(590, 1.0, 120, 0.4)
LLAMA_4_BEDROCK_TOOLS = ToolRule(80, 1.0, 20, 0.4)
QWEN_TOOLS = ToolRule(78, 1.0, 4, 0.5)
QWEN_XML_TOOLS = ToolRule(208, 1.0, 20, 0.3)
"""Recorded 2025-02 to 2026-08 with servers that write tools in different ways."""

_OSS_TOOLS_OFF = 0.125
"""Share of the TypeScript text by which servers differ."""


@dataclass(frozen=True, slots=True)
class OpenModelCounter:
    """Count requests to an open model by its chat template.

    Args:
        text: counts plain text in the model's vocabulary.
        framing: the constants of its template.
        extras: what the request costs beside its messages and the priming.

    Example:
        >>> from contextkit.messages import History
        >>> counter = gpt_oss_counter("gpt-oss-120b", "openai-chat")
        >>> counter.count_unit(History([{"role": "user", "content": "What is 6 times 7?"}]))
        [Part(name='message', tokens=12, method='exact', margin=0, index=0)]
    """

    text: TextCounter
    framing: Framing
    extras: Callable[[TextCounter, Request], Iterator[Part]]

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        names = {call.id: call.name for call in messages[0].tool_calls}
        parts = []
        for place, message in enumerate(messages):
            name = names.get(message.tool_call_id) or message.name or ""
            parts.append(self._message(message, name, follows_result=place > 1))
        return parts

    def count_frame(self, request: Request) -> Sequence[Part]:
        priming = Part("priming", self.framing.priming, "exact", self.framing.priming_margin)
        return [priming, *self.extras(self.text, request), *_json_mode(request)]

    def _message(self, message: Message, function: str, *, follows_result: bool) -> Part:
        if message.role in RESULT_ROLES:
            part = self._result(message, function, follows_result)
        elif message.tool_calls:
            part = self._calling(message)
        else:
            part = Part("message", self._plain(message), "exact", 0, message.index)
        return _with_media(part, message)

    def _plain(self, message: Message) -> int:
        if message.role == "assistant":
            text = message.text if self.framing.keeps_thoughts else _said(message)
            return self.framing.answer + self.text(text)
        heading = self.framing.heading if message.role in INSTRUCTION_ROLES else ""
        return self.framing.message + self.text(heading + message.text)

    def _calling(self, message: Message) -> Part:
        calls = sum(map(self._call, message.tool_calls))
        thoughts = self._thoughts(message)
        said = self.framing.answer + self.text(_said(message)) if _said(message) else 0
        margin = self.framing.turn_margin * len(message.tool_calls) + thoughts
        return Part("message", said + calls + thoughts, "reconstructed", margin, message.index)

    def _call(self, call: ToolCall) -> int:
        written = self.framing.call_name.format(call.name)
        return self.framing.call + self.text(written) + self.text(call.arguments)

    def _thoughts(self, message: Message) -> int:
        """Reasoning that the running turn keeps and later ones lose."""
        keys = ("reasoning_content", "reasoning", "thinking")
        found = next((text for key in keys if (text := message.data.get(key))), "")
        return self.framing.thought + self.text(found) if isinstance(found, str) and found else 0

    def _result(self, message: Message, function: str, follows_result: bool) -> Part:
        frame = self.framing.later_result if follows_result else self.framing.result
        named = self.text(self.framing.result_name.format(function))
        tokens = frame + named + self.text(message.text)
        return Part("message", tokens, "reconstructed", self.framing.turn_margin, message.index)


def llama_counter(name: str, api: Api) -> OpenModelCounter:
    """Return the counter of a Llama model.

    Raises:
        TokenizerMissing: the vocabulary of Llama 3 is not installed.
    """
    text = text_counter("llama3")
    if name.startswith("deepseek"):
        return OpenModelCounter(text, R1_DISTILLED, _llama_extras)
    if re.search(r"llama-?4", name):
        return OpenModelCounter(text, LLAMA, _llama_4_extras)
    if re.search(r"llama-?3[-.][123]", name):
        return OpenModelCounter(text, LLAMA, _dated_extras)
    framing = replace(LLAMA, priming=LLAMA.priming - 1) if _OLLAMA_NAME.match(name) else LLAMA
    return OpenModelCounter(text, framing, _llama_extras)


def qwen_counter(name: str, api: Api) -> OpenModelCounter:
    """Return the counter of a Qwen model.

    Raises:
        TokenizerMissing: the vocabulary of Qwen is not installed.
    """
    framing = replace(QWEN, priming=QWEN.priming + 2) if _OLLAMA_NAME.match(name) else QWEN
    return OpenModelCounter(text_counter("qwen"), framing, _qwen_extras(name))


def gpt_oss_counter(name: str, api: Api) -> OpenModelCounter:
    """Return the counter of a gpt-oss model.

    Example:
        >>> gpt_oss_counter("gpt-oss-20b", "openai-chat").count_text("你好，世界")
        3
    """
    return OpenModelCounter(text_counter("o200k_base"), GPT_OSS, _gpt_oss_extras)


def _llama_extras(text: TextCounter, request: Request) -> Iterator[Part]:
    if request.tools:
        yield LLAMA_TOOLS.part(_json_lines(text, request.tools))


def _dated_extras(text: TextCounter, request: Request) -> Iterator[Part]:
    """Llama 3.1 to 3.3: some servers leave the date out."""
    header = _DATE_IN_SYSTEM if request.instructions else _DATE_HEADER
    yield Part("priming", header, "exact", header)
    yield from _llama_extras(text, request)


def _llama_4_extras(text: TextCounter, request: Request) -> Iterator[Part]:
    rule = LLAMA_4_BEDROCK_TOOLS if request.api == "bedrock" else LLAMA_4_TOOLS
    if request.tools:
        yield rule.part(_json_lines(text, request.tools))


def _qwen_extras(name: str) -> Callable[[TextCounter, Request], Iterator[Part]]:
    """Choose how a Qwen model reads tools: as XML since 3.5 and for code, as JSON before."""
    speaks_xml = re.search(r"coder|qwen-?3\.[5-9]", name)
    rule = QWEN_XML_TOOLS if speaks_xml else QWEN_TOOLS
    has_system = re.search(r"qwen-?2\.5", name) is not None
    lines = _ollama_lines if _OLLAMA_NAME.match(name) and not speaks_xml else _json_lines

    def extras(text: TextCounter, request: Request) -> Iterator[Part]:
        if has_system and not request.instructions:
            yield Part("priming", _QWEN_SYSTEM)
        if request.body.get("reasoning_effort") == "none":
            yield Part("priming", _THINKING_OFF)
        if request.tools:
            yield rule.part(lines(text, request.tools))

    return extras


def _gpt_oss_extras(text: TextCounter, request: Request) -> Iterator[Part]:
    if "reasoning_format" in request.body:
        yield Part("priming", _GROQ)
    if not any(tool.name for tool in request.tools):
        return
    start = "\n\n" if request.instructions else ""
    tokens = text(start + _TOOLS_HEADING + tools_text(request.tools)) + text(_CALLS_GO_TO)
    tokens += 0 if request.instructions else _DEVELOPER
    yield Part("tools", tokens, "reconstructed", ceil(_OSS_TOOLS_OFF * tokens))


def _json_lines(text: TextCounter, tools: Sequence[Tool]) -> int:
    """Tokens of the tools as the templates of Hugging Face write them."""
    lines = (json.dumps(_function(tool), ensure_ascii=False, default=str) for tool in tools)
    return sum(map(text, lines))


def _ollama_lines(text: TextCounter, tools: Sequence[Tool]) -> int:
    """Tokens of the tools as Ollama writes them: compact, with the keys that it knows."""
    return sum(
        text(json.dumps(_known(_function(tool)), ensure_ascii=False, separators=(",", ":")))
        for tool in tools
    )


def _function(tool: Tool) -> Mapping[str, Any]:
    return {"type": "function", "function": tool.raw.get("function") or tool.raw}


def _known(schema: Any) -> Any:
    if isinstance(schema, Mapping):
        dropped = ("additionalProperties", "strict", "$schema")
        return {key: _known(value) for key, value in schema.items() if key not in dropped}
    if isinstance(schema, (list, tuple)):
        return [_known(value) for value in schema]
    return schema


def _said(message: Message) -> str:
    """The text behind thoughts that stand in it."""
    return message.text.rpartition("</think>")[2]


def _json_mode(request: Request) -> Iterator[Part]:
    if request.answer_schema or request.body.get("response_format"):
        yield Part("schema", 0, "estimate", _JSON_MODE)


def _with_media(part: Part, message: Message) -> Part:
    media = sum(not is_text(found) for found in message.parts)
    if not media:
        return part
    tokens, margin = part.tokens + media * _MEDIUM, part.margin + media * _MEDIUM_MARGIN
    return Part("message", tokens, "estimate", margin, message.index)
