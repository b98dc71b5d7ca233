"""Replay a recorded history call by call: what would each strategy have cost?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import accumulate
from typing import Any, Literal

from contextkit.counting.counters import Counter
from contextkit.counting.requests import counter_for
from contextkit.errors import BudgetExceeded, OptionError, UnknownPrice
from contextkit.formats.openai_chat import chat_request
from contextkit.plans import Plan, Strategy, applied, strategy_name
from contextkit.pricing.caches import CacheRule, cache_rule
from contextkit.pricing.costs import price_usage
from contextkit.pricing.prices import Prices, find_price
from contextkit.pricing.rates import Price, Rates
from contextkit.pricing.usage import Usage
from contextkit.simulation.following import PromptCache
from contextkit.simulation.measuring import Call, Recording
from contextkit.simulation.prompts import Measured, Prompt, prompt_of
from contextkit.simulation.results import Replay, Sent, Simulation
from contextkit.strategies.tokens import TokenBudget

Strategies = Mapping[str, Strategy | None] | Iterable[Strategy | None]
"""Strategies, by name or not; None sends everything."""

_USUAL = (None, TokenBudget(), TokenBudget(low_water=0.5))

_EVERYTHING = "everything"

_LOW_WATERS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)

_MARKED = {f"TokenBudget(low_water={mark:g})": TokenBudget(low_water=mark) for mark in _LOW_WATERS}


def simulate(
    messages: Iterable[Any],
    *,
    model: str,
    strategies: Strategies = _USUAL,
    cache: str = "auto",
    max_tokens: int | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    requests: Sequence[int] | None = None,
    pause: float | Sequence[float] = 0.0,
    at: date | datetime | None = None,
    currency: str = "USD",
    source: Prices | None = None,
    unknown: Literal["raise", "none"] = "raise",
    counter: object = None,
) -> Simulation:
    """Replay a recorded history with each strategy, and say what it would have cost.

    Every assistant message was the answer to one request, which held all messages before it. Each
    strategy trims each of these requests; the provider's prompt cache is followed by its own rules.
    Answers are the recorded ones, whatever a strategy cut; reasoning that the history does not
    hold is not part of them. Summaries are those of the rules, no model is asked. A request that
    a strategy cannot bring below its limit is sent whole, and counted as over.

    Args:
        messages: the history: dicts, other mappings or SDK objects. Never written to.
        model: whose tokenizer, window, prices and cache to use.
        strategies: what to compare, by name or in order; None sends everything. Default:
            everything, `TokenBudget()`, and `TokenBudget` with a low-water mark of 0.5.
        cache: the rules of the prompt cache: "auto" takes the model's, "none" has none,
            "anthropic-5m", "anthropic-1h", "openai", "openai-blocks", "gemini", "deepseek" ...
            With explicit marks one stands behind the instructions and one at the end of each
            request, and moves on with it.
        max_tokens: most input tokens of a request; None is the model's window.
        tools: tool schemas sent with every request.
        requests: how many messages stood in each request; None for one before each answer.
        pause: seconds before each request since the one before; one number for all, or one each.
        at: when, for prices that changed.
        currency: "USD", or "CNY" for providers in China.
        source: your own prices, asked first.
        unknown: "raise", or "none" to leave the cost out where a price is missing.
        counter: your own `Counter` in place of the model's.

    Raises:
        MessageError: a message cannot be read.
        OptionError: no request was made, or an option has an impossible value.
        UnknownModel: nothing is known of ``model``.
        UnknownPrice: no source has its price.

    Example:
        >>> talk = [{"role": "system", "content": "Be brief. " * 300}]
        >>> for n in range(60):
        ...     talk.append({"role": "user", "content": f"Question {n}? " * 20})
        ...     talk.append({"role": "assistant", "content": "42. " * 40})
        >>> replayed = simulate(talk, model="gpt-4o", max_tokens=3_000)
        >>> [(run.name, run.calls, run.over) for run in replayed.replays]
        [('everything', 60, 50), ('TokenBudget()', 60, 0), ('TokenBudget(low_water=0.5)', 60, 0)]
        >>> replayed.cheapest.name
        'TokenBudget(low_water=0.5)'
    """
    setting = _setting(model, cache, at, currency, source, unknown)
    chosen = dict(_named(strategies))
    if not chosen:
        raise OptionError("strategies", "none is given", "pass at least one; None sends everything")
    measure: Counter = counter_for(model, counter)
    recording = Recording(chat_request(messages, tools), measure, requests)
    moments = tuple(_moments(pause, len(recording.sizes)))

    def replay(strategies: Mapping[str, Strategy | None]) -> tuple[Replay, ...]:
        calls = zip(recording.calls(model, max_tokens), moments, strict=True)
        return _replayed(strategies, calls, recording.measured, setting)

    return Simulation(
        model=model,
        replays=replay(chosen),
        rule=setting.rule,
        price=setting.price,
        notes=setting.notes,
        _low_waters=lambda: tuple(zip(_LOW_WATERS, replay(_MARKED), strict=True)),
    )


@dataclass(frozen=True, slots=True)
class _Setting:
    """What is the same for all strategies."""

    rule: CacheRule | None
    price: Price | None
    notes: tuple[str, ...]


def _setting(
    model: str,
    cache: str,
    at: date | datetime | None,
    currency: str,
    source: Prices | None,
    unknown: str,
) -> _Setting:
    notes: list[str] = []
    try:
        price = find_price(model, at, source, currency=currency)
    except UnknownPrice as error:
        if unknown != "none":
            raise
        price = None
        notes.append(str(error))
    provider, name = (price.provider, price.model) if price else ("", model)
    rule = cache_rule(cache, provider=provider, model=name)
    if rule is None and cache == "auto":
        notes.append(f"nothing is known of a prompt cache of {model}: every token is paid in full")
    if price and (stale := price.warning()):
        notes.append(stale)
    return _Setting(rule, price, tuple(notes))


def _named(strategies: Strategies) -> Iterator[tuple[str, Strategy | None]]:
    if isinstance(strategies, Mapping):
        yield from strategies.items()
        return
    if strategies is None or callable(strategies):
        remedy = "put it into a list; several can be compared"
        raise OptionError("strategies", f"one strategy, {_label(strategies)}", remedy)
    taken: dict[str, int] = {}
    for strategy in strategies:
        name = _label(strategy)
        taken[name] = taken.get(name, 0) + 1
        yield (name if taken[name] == 1 else f"{name} ({taken[name]})"), strategy


def _label(strategy: object) -> str:
    """Name a strategy by its class and the options that are not its defaults."""
    if strategy is None:
        return _EVERYTHING
    if not is_dataclass(strategy) or isinstance(strategy, type):
        return strategy_name(strategy)
    said = ((field, getattr(strategy, field.name)) for field in fields(strategy) if field.repr)
    options = ", ".join(f"{f.name}={_said(value)}" for f, value in said if value != f.default)
    return f"{type(strategy).__name__}({options})"


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_said, value))
    return _label(value) if is_dataclass(value) else repr(value)


def _moments(pause: float | Sequence[float], calls: int) -> Iterator[float]:
    """When each request goes out, in seconds since the first."""
    pauses = [pause] * calls if isinstance(pause, (int, float)) else list(pause)
    if len(pauses) != calls:
        found = f"{len(pauses)} pauses for {calls} requests"
        raise OptionError("pause", found, "pass one number, or one for each request")
    if not all(isinstance(p, (int, float)) and 0 <= p < float("inf") for p in pauses):
        raise OptionError("pause", "a negative one", "pass seconds of 0 or more")
    return accumulate(pauses)


def _replayed(
    strategies: Mapping[str, Strategy | None],
    calls: Iterable[tuple[Call, float]],
    measured: Measured,
    setting: _Setting,
) -> tuple[Replay, ...]:
    """Send every call with every strategy; no call is held longer than that takes."""
    runs = [_Run(name, strategy, setting) for name, strategy in strategies.items()]
    for call, moment in calls:
        for run in runs:
            run.send(call, moment, measured)
    return tuple(run.finished() for run in runs)


class _Run:
    """A session under way with one strategy."""

    def __init__(self, name: str, strategy: Strategy | None, setting: _Setting) -> None:
        self._name = name
        self._strategy = strategy
        self._cache = PromptCache(setting.rule)
        self._bill = _Bill(setting.price)
        self._sent: list[Sent] = []
        self._before: tuple[int, Prompt | None] = (0, None)

    def send(self, call: Call, moment: float, measured: Measured) -> None:
        plan, refused = _trimmed(call, self._strategy)
        prompt = prompt_of(plan, measured)
        usage = self._cache.send(prompt, moment, call.answer)
        self._bill.add(usage)
        self._sent.append(_sent(call, prompt, self._before, usage, refused))
        self._before = (call.size, prompt)

    def finished(self) -> Replay:
        return Replay(name=self._name, sent=tuple(self._sent), cost=self._bill.total())


def _trimmed(call: Call, strategy: Strategy | None) -> tuple[Plan, bool]:
    """The plan of a request, and whether the strategy refused: then nothing is cut."""
    if strategy is None:
        return call.plan, False
    try:
        plan = applied(strategy, call.plan)
    except BudgetExceeded:
        return call.plan, True
    return (plan if plan.place is None else plan.place(plan)), False


def _sent(
    call: Call,
    prompt: Prompt,
    before: tuple[int, Prompt | None],
    usage: Usage,
    refused: bool,
) -> Sent:
    (size, last), totals = before, prompt.measured.totals
    kept = sum(piece.tokens for piece in prompt.pieces if not piece.written)
    limit = call.plan.budget.limit
    return Sent(
        messages=call.size,
        tokens=prompt.tokens,
        fresh=min(prompt.body, max(0, totals[call.size] - totals[size])),
        unchanged=prompt.common(last) if last else 0,
        cached=usage.cache_read,
        written=usage.written,
        answer=call.answer,
        visible=kept / totals[call.size] if totals[call.size] else 1.0,
        over=refused or (limit is not None and prompt.tokens > limit),
    )


class _Bill:
    """Sums usage by long-context tier, and is priced once at the end."""

    def __init__(self, price: Price | None) -> None:
        self._price = price
        self._sums: dict[int, tuple[Rates, list[int]]] = {}

    def add(self, usage: Usage) -> None:
        if self._price is None:
            return
        rates = self._price.rates_for(usage.input)
        _, sums = self._sums.setdefault(id(rates), (rates, [0, 0, 0, 0, 0]))
        sums[0] += usage.uncached
        sums[1] += usage.cache_read
        sums[2] += usage.cache_write_5m
        sums[3] += usage.cache_write_1h
        sums[4] += usage.output

    def total(self) -> Decimal | None:
        if self._price is None:
            return None
        return sum((self._amount(rates, sums) for rates, sums in self._sums.values()), Decimal(0))

    def _amount(self, rates: Rates, sums: Sequence[int]) -> Decimal:
        assert self._price is not None
        uncached, read, short, hour, output = sums
        usage = Usage(
            uncached=uncached,
            cache_read=read,
            cache_write_5m=short,
            cache_write_1h=hour,
            output=output,
        )
        parts = price_usage(usage, self._price, rates=rates)
        return sum((part.amount for part in parts), Decimal(0))
