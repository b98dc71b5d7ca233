"""send() and asend(): trim, call, and trim again by the server's numbers when it was too long."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from inspect import Parameter, isawaitable, signature
from typing import Any

from contextkit.errors import OptionError, RequestTooLong
from contextkit.options import whole_number
from contextkit.overflow import Overflow, parse_overflow
from contextkit.results import TrimResult
from contextkit.trimming import atrim, trim

_OUTPUT_NAMES = ("max_tokens", "max_completion_tokens", "max_output_tokens")


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What the next request is made of.

    Attributes:
        number: of the attempt, from 0.
        options: for `trim`.
        keywords: for the caller's function: a lower limit for the answer.
    """

    number: int
    options: dict[str, Any]
    keywords: dict[str, int]


def send(
    call: Callable[..., Any],
    messages: Iterable[Any],
    *,
    model: str | None,
    retries: int = 2,
    **trim_options: Any,
) -> Any:
    """Trim a history, send it, and send less when the server says that it was too long.

    Each attempt is strictly smaller than the one before, so this ends. Rate limits and all other
    errors are raised as they come.

    Args:
        call: your function: takes the trimmed messages, returns the response. When it has a
            parameter ``max_tokens``, ``max_completion_tokens`` or ``max_output_tokens`` and the
            answer asked for was too long, it is called again with what the server allows.
        messages: the history. Never written to.
        model: whose tokenizer and window to use, as in `trim`.
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
    """
    listed, attempt = _opened(call, messages, model, retries, trim_options)
    while True:
        result = trim(listed, **attempt.options)
        try:
            response = call(result.messages, **attempt.keywords)
        except Exception as error:
            attempt = _next(call, result, attempt, parse_overflow(error), error, retries)
            continue
        hidden = parse_overflow(response)
        if hidden is None:
            return response
        attempt = _next(call, result, attempt, hidden, None, retries)


async def asend(
    call: Callable[..., Awaitable[Any]],
    messages: Iterable[Any],
    *,
    model: str | None,
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
    listed, attempt = _opened(call, messages, model, retries, trim_options)
    while True:
        result = await atrim(listed, **attempt.options)
        try:
            response = call(result.messages, **attempt.keywords)
            response = await response if isawaitable(response) else response
        except Exception as error:
            attempt = _next(call, result, attempt, parse_overflow(error), error, retries)
            continue
        hidden = parse_overflow(response)
        if hidden is None:
            return response
        attempt = _next(call, result, attempt, hidden, None, retries)


def _opened(
    call: object, messages: Iterable[Any], model: str | None, retries: int, options: dict[str, Any]
) -> tuple[Any, _Attempt]:
    if not callable(call):
        raise OptionError("call", f"{type(call).__name__}", "pass a function of a message list")
    whole_number("retries", retries, 0)
    is_single_use = not isinstance(messages, (list, tuple)) and hasattr(messages, "__next__")
    listed = list(messages) if is_single_use else messages
    return listed, _Attempt(0, {**options, "model": model}, {})


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
        return replace(attempt, number=number, keywords=_lowered(call, attempt, overflow, error))
    reserve = attempt.options.get("reserve_output", 0)
    limit = overflow.limit_for(result.tokens, reserve_output=reserve)
    smaller = {**attempt.options, "max_tokens": limit, "margin": 0}
    return replace(attempt, number=number, options=smaller)


def _last_cure(overflow: Overflow) -> str:
    return f"allow more retries, or {overflow.cure}"


def _lowered(
    call: Callable[..., Any], attempt: _Attempt, overflow: Overflow, error: Exception | None
) -> dict[str, int]:
    """The limit for the answer that the server takes, smaller than the one before."""
    name, most = _output_parameter(call), overflow.most_output
    before = next(iter(attempt.keywords.values()), None)
    if name is None or not most or (before is not None and most >= before):
        raise RequestTooLong(overflow, attempt.number + 1, overflow.cure) from error
    return {name: most}


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
