"""send() and asend(): trim, call, and trim again by the server's numbers when it was too long."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from inspect import Parameter, isawaitable, signature
from typing import Any

from contextkit.errors import OptionError, RequestTooLong
from contextkit.messages import as_mapping
from contextkit.options import whole_number
from contextkit.overflow import Overflow, parse_overflow
from contextkit.results import TrimResult
from contextkit.trimming import atrim, trim

Sent = Iterable[Any] | Mapping[str, Any]

_OUTPUT_NAMES = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens")
"""What the limit of the answer is called, by parameters and in bodies."""

_CONFIGS = ("generationConfig", "generation_config")
"""Where in a body of Gemini it stands, instead of at the top."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What the next request is made of.

    Attributes:
        number: of the attempt, from 0.
        messages: the untrimmed list or body.
        options: for `trim`.
        keywords: for the caller's function: a lower limit for the answer.
    """

    number: int
    messages: Sent
    options: dict[str, Any]
    keywords: dict[str, int]

    def payload(self, result: TrimResult) -> Any:
        """What the caller's function takes: messages for messages, a body for a body."""
        return result.body if isinstance(self.messages, Mapping) else result.messages


def send(
    call: Callable[..., Any],
    messages: Sent,
    *,
    model: str | None = None,
    retries: int = 2,
    **trim_options: Any,
) -> Any:
    """Trim a history, send it, and send less when the server says that it was too long.

    Each attempt is strictly smaller than the one before, so this ends. Rate limits and all other
    errors are raised as they come.

    An answer that was asked for too long is asked for shorter: in the body, or by the parameter of
    your function that is called ``max_tokens``, ``max_completion_tokens`` or
    ``max_output_tokens``.

    Args:
        call: your function: takes the trimmed messages, or the trimmed body where a body was given,
            and returns the response, or what `collect_stream` made of it.
        messages: the history, or a whole request body of OpenAI (chat or Responses), Anthropic or
            Gemini. Never written to.
        model: whose tokenizer and window to use, as in `trim`; a body's own by default.
        retries: how often to try again.
        **trim_options: everything else that `trim` takes.

    Returns:
        What ``call`` returned.

    Raises:
        RequestTooLong: the server found every attempt too long, or the answer asked for.
        BudgetExceeded: what has to stay does not fit into the server's limit.
        OptionError: an option has an impossible value.

    Example:
        >>> def strict_server(messages):
        ...     if len(messages) > 4:
        ...         raise ValueError("prompt is too long: 60 tokens > 30 maximum")
        ...     return len(messages)
        >>> talk = [{"role": "user", "content": f"Question {n}?"} for n in range(8)]
        >>> send(strict_server, talk, model="gpt-4o")
        3
        >>> body = {"model": "gpt-4o", "messages": talk, "max_tokens": 16}
        >>> send(lambda sent: strict_server(sent["messages"]), body)
        3
    """
    attempt = _opened(call, messages, model, retries, trim_options)
    while True:
        result = trim(attempt.messages, **attempt.options)
        try:
            response = call(attempt.payload(result), **attempt.keywords)
        except Exception as error:
            attempt = _next(call, result, attempt, parse_overflow(error), error, retries)
            continue
        hidden = parse_overflow(response)
        if hidden is None:
            return response
        attempt = _next(call, result, attempt, hidden, None, retries)


async def asend(
    call: Callable[..., Awaitable[Any]],
    messages: Sent,
    *,
    model: str | None = None,
    retries: int = 2,
    **trim_options: Any,
) -> Any:
    """Do what `send` does, from a coroutine; ``call`` is a coroutine function.

    Example:
        >>> import asyncio
        >>> async def echo(messages):
        ...     return messages[-1]["content"]
        >>> asyncio.run(asend(echo, [{"role": "user", "content": "你好"}], model="gpt-4o"))
        '你好'
    """
    attempt = _opened(call, messages, model, retries, trim_options)
    while True:
        result = await atrim(attempt.messages, **attempt.options)
        try:
            response = call(attempt.payload(result), **attempt.keywords)
            response = await response if isawaitable(response) else response
        except Exception as error:
            attempt = _next(call, result, attempt, parse_overflow(error), error, retries)
            continue
        hidden = parse_overflow(response)
        if hidden is None:
            return response
        attempt = _next(call, result, attempt, hidden, None, retries)


def _opened(
    call: object, messages: Sent, model: str | None, retries: int, options: dict[str, Any]
) -> _Attempt:
    if not callable(call):
        raise OptionError("call", f"{type(call).__name__}", "pass a function of a message list")
    whole_number("retries", retries, 0)
    is_single_use = not isinstance(messages, (list, tuple)) and hasattr(messages, "__next__")
    listed = list(messages) if is_single_use else messages
    return _Attempt(0, listed, {**options, "model": model}, {})


def _next(
    call: Callable[..., Any],
    result: TrimResult,
    attempt: _Attempt,
    overflow: Overflow | None,
    error: Exception | None,
    retries: int,
) -> _Attempt:
    """Return the smaller attempt that comes next, or raise what ends them."""
    if overflow is None or overflow.kind == "rate":
        if error is not None:
            raise error
        assert overflow is not None
        raise RequestTooLong(overflow, attempt.number + 1, overflow.cure)
    if attempt.number >= retries:
        raise RequestTooLong(overflow, attempt.number + 1, _last_cure(overflow)) from error
    number = attempt.number + 1
    if overflow.kind == "output":
        return _lowered(call, replace(attempt, number=number), overflow, error)
    reserve = attempt.options.get("reserve_output", 0)
    limit = overflow.limit_for(result.tokens, reserve_output=reserve)
    smaller = {**attempt.options, "max_tokens": limit, "margin": 0}
    return replace(attempt, number=number, options=smaller)


def _last_cure(overflow: Overflow) -> str:
    return f"allow more retries, or {overflow.cure}"


def _lowered(
    call: Callable[..., Any], attempt: _Attempt, overflow: Overflow, error: Exception | None
) -> _Attempt:
    """Ask for the longest answer that the server gives, shorter than the one asked for before."""
    name, most = _output_parameter(call), overflow.most_output
    before = attempt.keywords.get(name) if name else _asked_output(attempt.messages)
    has_place = name is not None or before is not None
    if not has_place or not most or (before is not None and most >= before):
        raise RequestTooLong(overflow, attempt.number, overflow.cure) from error
    if name is not None:
        return replace(attempt, keywords={name: most})
    return replace(attempt, messages=_asking_for(attempt.messages, most))


def _asked_output(messages: Sent) -> int | None:
    """The longest answer that a body asks for, in tokens; None where it does not say."""
    return max((tokens for _, _, tokens in _asked(messages)), default=None)


def _asking_for(messages: Sent, most: int) -> Sent:
    """Return a body that asks for a shorter answer, under the names that it has for the limit."""
    for config, name, _ in _asked(messages):
        assert isinstance(messages, Mapping)
        limit = {**messages[config], name: most} if config else most
        messages = {**messages, config or name: limit}
    return messages


def _asked(messages: Sent) -> list[tuple[str, str, int]]:
    """Where a body limits its answer: the config ("" for the top), the name, the tokens."""
    body = messages if isinstance(messages, Mapping) else {}
    holders = {"": body, **{key: as_mapping(body.get(key)) or {} for key in _CONFIGS}}
    return [
        (config, name, holder[name])
        for config, holder in holders.items()
        for name in _OUTPUT_NAMES
        if isinstance(holder.get(name), int)
    ]


def _output_parameter(call: Callable[..., Any]) -> str | None:
    """The parameter of the caller's function that limits the answer, if it has one."""
    try:
        parameters = signature(call).parameters
    except (TypeError, ValueError):
        return None
    named = (name for name in _OUTPUT_NAMES if name in parameters)
    name = next(named, None)
    is_open = name is not None and parameters[name].kind is not Parameter.POSITIONAL_ONLY
    return name if is_open else None
