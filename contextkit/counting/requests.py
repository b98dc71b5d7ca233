"""Count whole histories and requests: the two public functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from contextkit.counting.counters import Counter, as_counter
from contextkit.counting.counts import Count, Part
from contextkit.counting.openai_chat import family_of, openai_chat_counter
from contextkit.errors import TokenizerMissing
from contextkit.messages import History
from contextkit.models import find_model
from contextkit.units import Units


def count(
    messages: Iterable[Any] | Mapping[str, Any],
    *,
    model: str | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    counter: object = None,
) -> Count:
    """Count the input tokens of a request.

    Args:
        messages: a history, or a whole request body, whose ``model`` and ``tools`` are then taken
            unless given here.
        model: whose tokenizer and framing to use. None counts as gpt-4o does.
        tools: tool schemas sent with the request.
        counter: your own `Counter`, or a function of one message, in place of the model's.

    Returns:
        The tokens of messages, framing, priming and tools together. ``parts`` has one entry for
        each message and one for each part of the frame.

    Raises:
        MessageError: a message cannot be read.
        UnknownModel: no row for ``model``.
        TokenizerMissing: the model's vocabulary is not here.

    Example:
        >>> count([{"role": "user", "content": "What is 6 times 7?"}], model="gpt-4o")
        Count(15, exact)
    """
    if isinstance(messages, Mapping) and "messages" in messages:
        model = model or messages.get("model")
        tools = tools if tools is not None else messages.get("tools")
        messages = messages["messages"]
    chosen = counter_for(model, counter)
    history = History(messages)
    return Count.of([*message_parts(history, chosen), *frame_parts(history, chosen, tools)])


def count_text(text: str, *, model: str | None = None) -> Count:
    """Count the tokens of a text alone, without any framing.

    Args:
        text: any text; what looks like a special token is counted as text.
        model: whose tokenizer to use. None counts as gpt-4o does.

    Raises:
        UnknownModel: no row for ``model``.
        TokenizerMissing: the model's vocabulary is not here.

    Example:
        >>> count_text("你好，世界")
        Count(3, exact)
    """
    return Count(counter_for(model).count_text(text))


def counter_for(model: str | None, counter: object = None) -> Counter:
    """Return ``counter`` as a `Counter`, or the one of ``model``, or that of gpt-4o.

    Raises:
        OptionError: ``counter`` counts nothing.
        UnknownModel: no row for ``model``.
        TokenizerMissing: the model's vocabulary is not here.
    """
    if counter is not None:
        return as_counter(counter)
    row = find_model(model or "gpt-4o")
    if row.encoding is None:
        raise TokenizerMissing(row.name, "pass counter= with a tokenizer of your own")
    return openai_chat_counter(row.encoding, family_of(row.name))


def message_parts(history: History, counter: Counter) -> list[Part]:
    """Return one part for each message, in order."""
    parts: list[Part] = []
    for unit in Units(history, len).between(0, len(history)):
        parts.extend(counter.count_unit(unit.messages))
    return parts


def frame_parts(
    history: History, counter: Counter, tools: Sequence[Mapping[str, Any]] | None
) -> Sequence[Part]:
    """Return what the request costs beside its messages."""
    instructions = history[history.instructions[0]] if history.instructions else None
    return counter.count_frame(instructions, tools or ())
