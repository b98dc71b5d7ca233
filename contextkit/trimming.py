"""The two drivers: trim() and atrim()."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import isawaitable, iscoroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from contextkit.budget import budget_for
from contextkit.counting.counters import Counter
from contextkit.counting.members import member_counter
from contextkit.counting.requests import counter_for, named_model
from contextkit.errors import BudgetExceeded, OptionError, StrategyError
from contextkit.formats.native import Native, read_native
from contextkit.messages import INSTRUCTION_ROLES, Message
from contextkit.plans import Plan, Strategy, Summarize, applied, opened_plan, strategy_name
from contextkit.results import TrimResult
from contextkit.strategies.tokens import TokenBudget
from contextkit.strategies.truncation import with_longest_shortened

if TYPE_CHECKING:
    from contextkit.memory.requests import SummaryRequest
    from contextkit.overflow import Overflow

Pin = Callable[[Message], bool] | Collection[int]
OnOverflow = Literal["raise", "truncate"]


class TrimOptions(TypedDict, total=False):
    """The options of `trim`, for functions that pass them on."""

    model: str | None
    max_tokens: int | None
    strategy: Strategy | None
    tools: Sequence[Mapping[str, Any]] | None
    reserve_output: int
    margin: int
    on_overflow: OnOverflow
    counter: object
    encoding: str | Path | None
    pin: Pin
    summarize: Summarize | None
    after: Overflow | None


def trim(
    messages: Iterable[Any] | Mapping[str, Any],
    *,
    model: str | None = None,
    max_tokens: int | None = None,
    strategy: Strategy | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    reserve_output: int = 0,
    margin: int = 0,
    on_overflow: OnOverflow = "raise",
    counter: object = None,
    encoding: str | Path | None = None,
    pin: Pin = (),
    summarize: Summarize | None = None,
    after: Overflow | None = None,
) -> TrimResult:
    """Return the part of a history that fits, and an account of every decision.

    System and developer messages, the newest user message, the newest unit and what is pinned stay.
    Tool calls stay with their results. Kept messages are the caller's own objects, in order.

    Args:
        messages: the history: dicts, other mappings or SDK objects. Or a whole request body of
            OpenAI (chat or Responses), Anthropic or Gemini, or the list that is in it; what comes
            back has the same format. Never written to.
        model: whose tokenizer, framing and window to use; a body's own by default. None counts as
            gpt-4o does and knows no window.
        max_tokens: most input tokens of the whole request: messages, framing, priming and tools.
            Stands in place of the model's window less ``reserve_output``.
        strategy: what to do; None is ``TokenBudget()``. Any function of a `Plan` is one.
        tools: tool schemas sent with a list; their tokens are part of the request. A body brings
            its own.
        reserve_output: tokens of the model's window to keep free for the answer; nothing is
            reserved from ``max_tokens``.
        margin: tokens to keep free for safety, of either limit.
        on_overflow: when what has to stay is too long: "raise", or "truncate" to cut its longest
            texts in the middle, marked.
        counter: your own `Counter`, or a function of one message, in place of the model's.
        encoding: a vocabulary by name or the path of a ``tokenizer.json``, for any other model.
        pin: messages that have to stay: indices (negative ones count from the end), or a function
            of a `Message`.
        summarize: asks a model what `SummaryCompression` should remember: takes a
            `SummaryRequest`, returns its answer as text. When it fails, rules decide alone.
        after: what the server said when these messages were sent (see `parse_overflow`). Its limit
            holds, corrected by how it counted them.

    Returns:
        What to send in ``messages`` (or ``body``), its ``tokens``, and ``plan`` with one step for
        each unit: what happened to it, why, who decided.

    Raises:
        MessageError: a message cannot be read, or there is none.
        OptionError: an option has an impossible value, or no limit is known.
        BudgetExceeded: what has to stay is over the limit.
        StrategyError: a strategy broke a law.
        UnknownModel: no row for ``model``.
        TokenizerMissing: the model's vocabulary is not here.

    Example:
        >>> talk = [{"role": "system", "content": "Be brief."}]
        >>> talk += [{"role": "user", "content": f"Question {n}?"} for n in range(100)]
        >>> result = trim(talk, model="gpt-4o", max_tokens=40)
        >>> [m["content"] for m in result.messages], result.tokens
        (['Be brief.', 'Question 97?', 'Question 98?', 'Question 99?'], 34)
    """
    plan = _planned(
        messages,
        model=model,
        max_tokens=max_tokens,
        strategy=strategy,
        tools=tools,
        reserve_output=reserve_output,
        margin=margin,
        on_overflow=on_overflow,
        counter=counter,
        encoding=encoding,
        pin=pin,
        summarize=summarize,
        after=after,
    )
    answers = [_answer(plan, request) for request in plan.pending]
    return _finished(plan, answers, on_overflow)


async def atrim(
    messages: Iterable[Any] | Mapping[str, Any],
    **options: Unpack[TrimOptions],
) -> TrimResult:
    """Do what `trim` does, from a coroutine; ``summarize`` may be a coroutine function.

    When it is cancelled nothing is lost: the caller's messages are as they were.

    Args:
        messages: a history or a request body.
        **options: those of `trim`, with the same meaning and the same errors.

    Returns:
        The same result.

    Example:
        >>> import asyncio
        >>> asyncio.run(atrim([{"role": "user", "content": "你好"}], max_tokens=50)).tokens
        8
    """
    plan = _planned(messages, **options)
    answers = [await _awaited_answer(plan, request) for request in plan.pending]
    return _finished(plan, answers, options.get("on_overflow", "raise"))


def _planned(
    messages: Iterable[Any] | Mapping[str, Any],
    *,
    model: str | None = None,
    max_tokens: int | None = None,
    strategy: Strategy | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    reserve_output: int = 0,
    margin: int = 0,
    on_overflow: OnOverflow = "raise",
    counter: object = None,
    encoding: str | Path | None = None,
    pin: Pin = (),
    summarize: Summarize | None = None,
    after: Overflow | None = None,
) -> Plan:
    """Return what the strategy makes of the history, with no model asked yet."""
    if on_overflow not in ("raise", "truncate"):
        raise OptionError("on_overflow", f"{on_overflow!r}", 'pass "raise" or "truncate"')
    native = read_native(messages, tools)
    model = model or named_model(native.request.body)
    measure = _measure(native, counter_for(model, counter, native.request.api, encoding))
    frame = tuple((part.name, part.tokens) for part in measure.count_frame(native.request))
    budget = budget_for(
        model, max_tokens=max_tokens, reserve_output=reserve_output, margin=margin, frame=frame
    )
    plan = opened_plan(native.history, measure, budget, _pinned(native, pin))
    if after is not None:
        limit = after.limit_for(plan.tokens, reserve_output=reserve_output)
        plan = replace(plan, budget=budget.tightened(limit, "limit of the server"))
    chosen = strategy if strategy is not None else TokenBudget()
    return _lawful(applied(chosen, replace(plan, summarize=summarize, native=native)), chosen)


def _answer(plan: Plan, request: SummaryRequest) -> object:
    """What the model answers, or the exception that came instead: no history is lost to it."""
    assert plan.summarize is not None
    try:
        answer = plan.summarize(request)
    except Exception as error:
        return error
    if isawaitable(answer):
        if iscoroutine(answer):
            answer.close()
        raise OptionError("summarize", "it returned an awaitable", "use atrim, or a plain function")
    return answer


async def _awaited_answer(plan: Plan, request: SummaryRequest) -> object:
    assert plan.summarize is not None
    try:
        answer = plan.summarize(request)
        return await answer if isawaitable(answer) else answer
    except Exception as error:
        return error


def _finished(plan: Plan, answers: Sequence[object], on_overflow: OnOverflow) -> TrimResult:
    """Take in the answers, put the memory where it belongs, and see to it that all fits."""
    if plan.pending and plan.fulfil is not None:
        plan = plan.fulfil(plan, answers)
    if plan.place is not None:
        plan = plan.place(plan)
    result = TrimResult(plan=_fitting(plan, on_overflow))
    result.check_places()
    return result


def _measure(native: Native, counter: Counter) -> Counter:
    request = native.request
    return member_counter(counter, request) if request.api == "openai-responses" else counter


def _pinned(native: Native, pin: Pin) -> list[int]:
    if callable(pin):
        return [message.index for message in native.history if pin(message)]
    size = len(native.items)
    for index in pin:
        if isinstance(index, bool) or not isinstance(index, int) or not -size <= index < size:
            raise OptionError("pin", f"{index!r} is no message", f"use 0 to {size - 1}")
    return [owner for index in pin for owner in native.owners(index % size)]


def _lawful(plan: Plan, strategy: object) -> Plan:
    """Refuse a plan whose conversation opens with an answer, unless the history did."""
    if _opening_role(plan.history.roles) != "user" or _opening_role(_sent_roles(plan)) == "user":
        return plan
    found = "the conversation would open with an answer to nothing"
    remedy = "drop whole turns (plan.turns), or call plan.cut, which keeps the user message"
    raise StrategyError(strategy_name(strategy), found, remedy)


def _opening_role(roles: Iterable[str]) -> str:
    """Return the role of the first message behind the leading instructions."""
    return next((role for role in roles if role not in INSTRUCTION_ROLES), "user")


def _sent_roles(plan: Plan) -> Iterator[str]:
    for run in plan.runs:
        if run.action == "insert":
            yield from (str(message["role"]) for message in run.messages)
        elif run.action != "drop":
            yield from (plan.history.roles[index] for index in range(run.start, run.stop))


def _fitting(plan: Plan, on_overflow: OnOverflow) -> Plan:
    limit = plan.budget.limit
    if limit is None or plan.tokens <= limit:
        return plan
    if on_overflow == "truncate":
        acting = replace(plan, acting="on_overflow")
        shorter = replace(with_longest_shortened(acting), acting=plan.acting)
        if shorter.tokens <= limit:
            return shorter
        plan = shorter
    raise _overflow(plan, limit, on_overflow)


def _overflow(plan: Plan, limit: int, on_overflow: OnOverflow) -> BudgetExceeded:
    """Name every term of the sum: what each kind of message takes, and the frame."""
    kinds: dict[str, int] = {}
    for step in reversed(tuple(plan.newest_first())):
        name = _term(plan, step.start, step.action)
        kinds[name] = kinds.get(name, 0) + step.tokens_after
    droppable = any(step.start not in plan.protected for step in plan.newest_first())
    return BudgetExceeded(
        needed=plan.tokens,
        limit=limit,
        terms=[*kinds.items(), *plan.budget.frame],
        remedy=_remedy(droppable, on_overflow),
        found="are left by the strategy" if droppable else "have to stay",
    )


def _term(plan: Plan, start: int, action: str) -> str:
    if action == "insert":
        return "inserted"
    role = plan.protection(start)
    if not role:
        return "other turns"
    return role if role == "system" else f"{role} ({start})"


def _remedy(droppable: bool, on_overflow: OnOverflow) -> str:
    if droppable:
        return "compose the strategy with TokenBudget(), which drops older turns"
    if on_overflow == "raise":
        return 'raise max_tokens, shorten what stays, or pass on_overflow="truncate"'
    return "raise max_tokens: system messages, pinned ones and call arguments are never shortened"
