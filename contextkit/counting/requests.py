"""Count whole histories and requests: the two public functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from contextkit.counting.counters import Counter, as_counter
from contextkit.counting.counts import Count, Part
from contextkit.counting.families import counter_of_model
from contextkit.counting.templates import encoding_counter
from contextkit.errors import OptionError
from contextkit.formats import Api, Request, as_body, parse_request
from contextkit.formats.openai_chat import chat_request
from contextkit.messages import History
from contextkit.units import Units

_BODY_KEYS = frozenset({"messages", "input", "contents"})


def count(
    messages: Iterable[Any] | Mapping[str, Any],
    *,
    model: str | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    counter: object = None,
    encoding: str | Path | None = None,
    api: Api | None = None,
) -> Count:
    """Count the input tokens of a request.

    Args:
        messages: a whole request body (OpenAI chat or Responses, Anthropic, Gemini, Bedrock
            Converse) with everything that the provider bills for, or the list of messages in it.
        model: whose tokenizer and framing to use; None takes the body's ``model``, and counts as
            gpt-4o does where there is none.
        tools: tool schemas sent with a history; a body brings its own.
        counter: your own `Counter`, or a function of one message, in place of the model's.
        encoding: for any other model: a vocabulary by name ("cl100k_base", "qwen" ...) or the path
            of a ``tokenizer.json``, whose chat template is used when it lies beside it.
        api: the wire format of a body or list; None recognises it.

    Returns:
        The tokens of messages, framing, tools and priming together. ``parts`` has one entry for
        each message and one for each part of the frame.

    Raises:
        MessageError: a message cannot be read.
        OptionError: the body has no known format, a tool is no schema.
        UnknownModel: nothing is known of ``model``.
        TokenizerMissing: the model's vocabulary is not here.

    Example:
        >>> count([{"role": "user", "content": "What is 6 times 7?"}], model="gpt-4o")
        Count(15, exact)
        >>> count({"model": "gpt-4o", "input": "What is 6 times 7?"})
        Count(15, exact)
    """
    request, named = read_request(messages, tools, api)
    chosen = counter_for(model or named, counter, request.api, encoding)
    return Count.of([*message_parts(request.history, chosen), *chosen.count_frame(request)])


def read_request(
    messages: object,
    tools: Sequence[Mapping[str, Any]] | None = None,
    api: Api | None = None,
) -> tuple[Request, str | None]:
    """Return a history or a body as a request, with the model that it names.

    Raises:
        MessageError: a message cannot be read.
        OptionError: the body has no known format, a tool is no schema.
    """
    if isinstance(messages, Mapping):
        if _BODY_KEYS.isdisjoint(messages):
            return chat_request(messages, tools), None
        return parse_request(messages, api), named_model(messages)
    found, body = as_body(messages, api)
    if found == "openai-chat":
        return chat_request(body["messages"], tools), None
    return parse_request(body if tools is None else {**body, "tools": tools}, found), None


def named_model(body: Mapping[str, Any]) -> str | None:
    """Return the model that a body names; None where it names none.

    Raises:
        OptionError: it is no text.
    """
    model = body.get("model")
    if model is None or isinstance(model, str):
        return model
    raise OptionError("the body's model", f"{model!r} is no name", "set it to a string")


def count_text(text: str, *, model: str | None = None, encoding: str | Path | None = None) -> Count:
    """Count the tokens of a text alone, without any framing.

    Args:
        text: any text; what looks like a special token is counted as text.
        model: whose tokenizer to use. None counts as gpt-4o does.
        encoding: a vocabulary by name or the path of a ``tokenizer.json``, in place of the model's.

    Returns:
        Its tokens, which are 0 for an empty text.

    Raises:
        UnknownModel: nothing is known of ``model``.
        TokenizerMissing: the model's vocabulary is not here.

    Example:
        >>> count_text("你好，世界")
        Count(3, exact)
    """
    return Count(counter_for(model, encoding=encoding).count_text(text))


def counter_for(
    model: str | None,
    counter: object = None,
    api: Api = "openai-chat",
    encoding: str | Path | None = None,
) -> Counter:
    """Return ``counter`` as a `Counter`, or that of ``encoding``, of ``model``, or of gpt-4o.

    Raises:
        OptionError: ``counter`` counts nothing, or both it and ``encoding`` are given.
        UnknownModel: nothing is known of ``model``.
        TokenizerMissing: the model's vocabulary is not here.
    """
    if counter is not None and encoding is not None:
        raise OptionError("encoding", "counter is given too", "pass one of the two")
    if counter is not None:
        return as_counter(counter)
    if encoding is not None:
        return encoding_counter(encoding)
    return counter_of_model(model or "gpt-4o", api)


def message_parts(history: History, counter: Counter) -> list[Part]:
    """Return one part for each message, in order."""
    parts: list[Part] = []
    for unit in Units(history, len).between(0, len(history)):
        parts.extend(counter.count_unit(unit.messages))
    return parts
