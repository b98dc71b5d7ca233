"""Count for any model whose tokenizer is at hand: a vocabulary by name, or a ``tokenizer.json``.

With a chat template the prompt is rendered as the model's server renders it, and what the template
writes around a message is part of the count. Without one the framing is not known: some tokens a
message are added, and the count is an estimate.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from contextkit.counting.counters import Counter
from contextkit.counting.counts import Part
from contextkit.counting.texts import TextCounter
from contextkit.counting.vocabularies import text_counter, tokenizer_json_counter
from contextkit.errors import OptionError, TokenizerMissing
from contextkit.formats import Request
from contextkit.messages import Message

Render = Callable[..., str]

_FRAME, _FRAME_MARGIN = 4, 3
"""Tokens around a message where no template says; open models take 1 to 7."""

_QUESTION: Mapping[str, Any] = {"role": "user", "content": "?"}
"""Stands in front of units that no conversation can open with, and comes off again."""


def encoding_counter(encoding: str | Path) -> Counter:
    """Return a counter for a vocabulary by name, or for a ``tokenizer.json`` with its template.

    Args:
        encoding: a name that `text_counter` knows ("cl100k_base", "qwen" ...), or the path of a
            ``tokenizer.json``. A template is looked for beside it, in ``chat_template.jinja`` and
            in the ``chat_template`` of ``tokenizer_config.json``.

    Raises:
        TokenizerMissing: no such vocabulary, or the file cannot be read.
        OptionError: the template is broken.

    Example:
        >>> encoding_counter("cl100k_base").count_text("你好，世界")
        6
    """
    path = Path(encoding)
    if path.suffix != ".json":
        return PlainCounter(text_counter(str(encoding)))
    text = tokenizer_json_counter(path)
    template = _template_beside(path)
    return PlainCounter(text) if template is None else TemplateCounter(text, _rendering(template))


@dataclass(frozen=True, slots=True)
class PlainCounter:
    """Count texts exactly and guess what stands around them."""

    text: TextCounter

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        return [self._part(message) for message in messages]

    def count_frame(self, request: Request) -> Sequence[Part]:
        priming = Part("priming", _FRAME, "estimate", _FRAME_MARGIN)
        if not request.tools:
            return [priming]
        tokens = sum(self.text(_json(tool.raw)) for tool in request.tools)
        return [priming, Part("tools", tokens, "estimate", tokens // 4 + 20)]

    def _part(self, message: Message) -> Part:
        calls = sum(self.text(c.name) + self.text(c.arguments) + _FRAME for c in message.tool_calls)
        tokens = _FRAME + self.text(message.text) + calls
        margin = _FRAME_MARGIN * (1 + len(message.tool_calls))
        return Part("message", tokens, "estimate", margin, message.index)


@dataclass(frozen=True, slots=True)
class TemplateCounter:
    """Count what a chat template renders.

    A unit is rendered by itself, behind a question where it could not open a conversation, and the
    question comes off again. The frame is what is left of a request of the instructions and the
    newest user message, tools and priming included.
    """

    text: TextCounter
    render: Render

    def count_text(self, text: str) -> int:
        return self.text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        before = [] if messages[0].role in ("user", "system", "developer") else [_QUESTION]
        reached = self._rendered(before)
        parts = []
        for size in range(1, len(messages) + 1):
            upto = self._rendered([*before, *map(_for_template, messages[:size])])
            tokens = max(1, upto - reached)
            parts.append(Part("message", tokens, "reconstructed", index=messages[size - 1].index))
            reached = max(reached, upto)
        return parts

    def count_frame(self, request: Request) -> Sequence[Part]:
        history = request.history
        lasting = [*history.instructions, *history.users[-1:]]
        kept = [history[index] for index in sorted(lasting)] or [history[len(history) - 1]]
        tools = [tool.raw for tool in request.tools] or None
        whole = self._rendered(
            list(map(_for_template, kept)), tools=tools, add_generation_prompt=True
        )
        alone = sum(part.tokens for message in kept for part in self.count_unit([message]))
        return [Part("template", whole - alone, "reconstructed")]

    def _rendered(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> int:
        return self.text(self.render(messages=messages, **options)) if messages else 0


def _for_template(message: Message) -> Mapping[str, Any]:
    """A message as templates expect it: text as a string, arguments as values."""
    data = {**message.data, "content": message.text}
    if not message.tool_calls:
        return data
    calls = [
        {
            "type": "function",
            "id": c.id,
            "function": {"name": c.name, "arguments": _value(c.arguments)},
        }
        for c in message.tool_calls
    ]
    return {**data, "tool_calls": calls}


def _value(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def _template_beside(tokenizer: Path) -> str | None:
    """The chat template that belongs to a ``tokenizer.json``, if there is one."""
    own_file = tokenizer.with_name("chat_template.jinja")
    if own_file.exists():
        return own_file.read_text("utf-8")
    config = tokenizer.with_name("tokenizer_config.json")
    if not config.exists():
        return None
    template = json.loads(config.read_text("utf-8")).get("chat_template")
    if isinstance(template, list):
        named = {entry["name"]: entry["template"] for entry in template}
        return named.get("default")
    return template if isinstance(template, str) else None


def _rendering(template: str) -> Render:
    """Compile a template in a sandbox, as the libraries that wrote it do."""
    try:
        sandbox = import_module("jinja2.sandbox")
    except ImportError as error:
        remedy = "install it: pip install 'contextkit[templates]'"
        raise TokenizerMissing("chat templates", remedy) from error
    environment = sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.filters["tojson"] = _json
    environment.globals["raise_exception"] = _refused
    try:
        compiled = environment.from_string(template)
    except Exception as error:
        raise OptionError("encoding", f"the chat template is broken: {error}", "mend it") from error
    return lambda **context: str(compiled.render(bos_token="", eos_token="", **context))


def _json(value: Any, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str, indent=options.get("indent"))


def _refused(reason: str) -> None:
    raise OptionError("messages", f"the chat template refuses them: {reason}", "see check()")
