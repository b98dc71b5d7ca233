"""What a request costs: tokens by class, times the price of each class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, TypeGuard, overload

from contextkit.counting.requests import count
from contextkit.errors import OptionError, UnknownPrice
from contextkit.options import whole_number
from contextkit.pricing.prices import Prices, find_price, moment_of
from contextkit.pricing.rates import Price, Rates
from contextkit.pricing.usage import Usage, read_usage

_MILLION = Decimal(1_000_000)

_REQUEST_KEYS = ("messages", "input", "contents")


@dataclass(frozen=True, slots=True)
class CostPart:
    """One addend of a cost.

    Attributes:
        name: class of the tokens: "input", "cache read", "cache write 5m", "cache write 1h",
            "output", "input audio" ...; with the model's name in front where it is another's.
        tokens: how many.
        rate: price of one million of them.
        amount: what they cost.
    """

    name: str
    tokens: int
    rate: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a request costs, with its addends.

    Attributes:
        total: the sum of all parts, in ``price.currency``.
        parts: the classes that were used.
        usage: the tokens by class.
        price: the price that was used, its source and the day it was checked.
        above: the long-context tier in use, as the number of input tokens it starts above; None
            below the first tier.
        notes: what to know: a usage that does not add up, an old price, a count that is an
            estimate, what is billed apart.
    """

    total: Decimal
    parts: tuple[CostPart, ...]
    usage: Usage
    price: Price
    above: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def currency(self) -> str:
        return self.price.currency

    @property
    def saved(self) -> Decimal:
        """What the cache saved against paying all input in full; negative where writing cost more.

        Zero where nothing was cached.
        """
        full = self.price.rates_for(self.usage.input).input or Decimal(0)
        cached = [part for part in self.parts if part.name.startswith("cache")]
        return sum((full * p.tokens / _MILLION - p.amount for p in cached), Decimal(0))

    def __float__(self) -> float:
        return float(self.total)

    def __str__(self) -> str:
        """The sum and its currency, then each addend."""
        addends = ", ".join(f"{part.name} {part.tokens:,} × {part.rate:f}" for part in self.parts)
        return f"{self.total:f} {self.currency} ({addends})"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; amounts are decimal strings."""
        return {
            "total": f"{self.total:f}",
            "currency": self.currency,
            "model": self.price.model,
            "provider": self.price.provider,
            "service": self.price.service,
            "parts": [
                {
                    "name": p.name,
                    "tokens": p.tokens,
                    "rate": f"{p.rate:f}",
                    "amount": f"{p.amount:f}",
                }
                for p in self.parts
            ],
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "reasoning_tokens": self.usage.reasoning,
            "long_context_above": self.above,
            "source": self.price.source,
            "checked": self.price.checked.isoformat(),
            "notes": list(self.notes),
        }


@overload
def cost(
    usage_or_messages: object,
    *,
    model: str,
    output_tokens: int = ...,
    at: date | datetime | None = ...,
    currency: str = ...,
    batch: bool = ...,
    service: str | None = ...,
    source: Prices | None = ...,
    unknown: Literal["raise"] = ...,
) -> Cost: ...
@overload
def cost(
    usage_or_messages: object,
    *,
    model: str,
    output_tokens: int = ...,
    at: date | datetime | None = ...,
    currency: str = ...,
    batch: bool = ...,
    service: str | None = ...,
    source: Prices | None = ...,
    unknown: Literal["none"],
) -> Cost | None: ...
def cost(
    usage_or_messages: object,
    *,
    model: str,
    output_tokens: int = 0,
    at: date | datetime | None = None,
    currency: str = "USD",
    batch: bool = False,
    service: str | None = None,
    source: Prices | None = None,
    unknown: Literal["raise", "none"] = "raise",
) -> Cost | None:
    """Return what a request costs, or would cost.

    Args:
        usage_or_messages: the ``usage`` that a server returned, or the whole response, as it came;
            or what is to be sent: a history, a request body, or a number of input tokens.
        model: who is asked. A host in front says who bills: ``azure/gpt-4o``.
        output_tokens: length of the answer, for what is to be sent.
        at: when; None is now. Prices of that moment are used where they are known.
        currency: "USD", or "CNY" for the list prices of providers in China. Nothing is converted.
        batch: whether the request goes through the provider's batch interface.
        service: "flex", "priority" ...; None takes what the usage says.
        source: your own prices, asked first: a `PriceSource` or the path of a TOML file.
        unknown: "raise", or "none" to return None where a price is missing. It is never 0.

    Raises:
        UnknownPrice: no source has a price of the model, or of a class of tokens that was used.
        OptionError: no usage, a negative count, a currency that nobody prices in.

    Example:
        >>> from datetime import date
        >>> usage = {"input_tokens": 3, "cache_creation_input_tokens": 12304,
        ...          "cache_read_input_tokens": 0, "output_tokens": 550}
        >>> price = cost(usage, model="claude-sonnet-4-5", at=date(2026, 11, 30))
        >>> price.total, price.usage.input
        (Decimal('0.054399'), 12307)
        >>> [(part.name, part.tokens) for part in price.parts]
        [('input', 3), ('cache write 5m', 12304), ('output', 550)]
    """
    if unknown not in ("raise", "none"):
        raise OptionError("unknown", f"{unknown!r}", 'pass "raise" or "none"')
    usage, notes = _usage_of(usage_or_messages, model, output_tokens)
    chosen = _service(usage, batch, service)
    try:
        return _priced(usage, model, moment_of(at), currency, chosen, source, notes)
    except UnknownPrice:
        if unknown == "none":
            return None
        raise


def price_usage(
    usage: Usage, price: Price, *, rates: Rates | None = None, of: str = ""
) -> tuple[CostPart, ...]:
    """Return the addends of ``usage`` at ``price``, one for each class that was used.

    Args:
        usage: the tokens by class.
        price: of the model.
        rates: those of ``price`` to use; None takes the tier of one request with this usage.
        of: stands in front of every name.

    Raises:
        UnknownPrice: a class that was used has no price.
    """
    parts = []
    for name, tokens, rate in _classes(usage, rates or price.rates_for(usage.input)):
        if not tokens:
            continue
        if rate is None:
            raise UnknownPrice(f"{name} of {price.model} ({price.source})", [])
        parts.append(CostPart(of + name, tokens, rate, rate * tokens / _MILLION))
    return tuple(parts)


def _priced(
    usage: Usage,
    model: str,
    at: datetime,
    currency: str,
    service: str,
    source: Prices | None,
    notes: tuple[str, ...],
) -> Cost:
    price = find_price(model, at, source, service=service, currency=currency)
    parts = list(price_usage(usage, price))
    for other, call in usage.extra:
        theirs = find_price(other or model, at, source, service=service, currency=currency)
        parts.extend(price_usage(call, theirs, of=f"{other or 'compaction'}: "))
    passed = [above for above, _ in price.long if usage.input > above]
    return Cost(
        total=sum((part.amount for part in parts), Decimal(0)),
        parts=tuple(parts),
        usage=usage,
        price=price,
        above=passed[-1] if passed else None,
        notes=(*notes, *_notes(usage, price, at)),
    )


def _classes(usage: Usage, rates: Rates) -> Iterator[tuple[str, int, Decimal | None]]:
    """Every class of tokens with its rate.

    A class that has no price of its own costs what the class does that it is part of: cached input,
    audio and images what input does. An hour of cache is dearer than input, and never guessed.
    """
    read = _or(rates.cache_read, rates.input)
    written = _or(rates.cache_write_5m, rates.input)
    hour = rates.input if rates.cache_write_5m is None else rates.cache_write_1h
    yield "input", usage.uncached - usage.audio - usage.image, rates.input
    yield "input audio", usage.audio, _or(rates.input_audio, rates.input)
    yield "input image", usage.image, _or(rates.input_image, rates.input)
    yield "cache read", usage.cache_read - usage.cached_audio, read
    yield "cache read audio", usage.cached_audio, _or(rates.cache_read_audio, read)
    yield "cache write 5m", usage.cache_write_5m, written
    yield "cache write 1h", usage.cache_write_1h, _or(rates.cache_write_1h, hour)
    yield from _answer_classes(usage, rates)


def _answer_classes(usage: Usage, rates: Rates) -> Iterator[tuple[str, int, Decimal | None]]:
    answer = rates.output
    if usage.reasoning and rates.output_thinking is not None:
        answer = rates.output_thinking
    apart = usage.reasoning if rates.output_reasoning is not None else 0
    text = usage.output - usage.output_audio - usage.output_image - apart
    yield "output", text, answer
    yield "output reasoning", apart, rates.output_reasoning
    yield "output audio", usage.output_audio, _or(rates.output_audio, answer)
    yield "output image", usage.output_image, _or(rates.output_image, answer)


def _or(rate: Decimal | None, usual: Decimal | None) -> Decimal | None:
    return usual if rate is None else rate


def _usage_of(given: object, model: str, output_tokens: int) -> tuple[Usage, tuple[str, ...]]:
    """The tokens of a record, or of what is to be sent, with what is uncertain about them."""
    whole_number("output_tokens", output_tokens, 0)
    if isinstance(given, int):
        return Usage(uncached=whole_number("usage", given, 0), output=output_tokens), ()
    if isinstance(given, (list, tuple)) or _is_request(given):
        counted = count(given, model=model)
        notes: tuple[str, ...] = ()
        if counted.method == "estimate":
            notes = (f"the input is an estimate: {counted.low:,} to {counted.high:,} tokens",)
        return Usage(uncached=int(counted), output=output_tokens), notes
    if output_tokens:
        found = "the usage has an answer of its own"
        raise OptionError("output_tokens", found, "leave it out, or pass messages")
    return read_usage(given), ()


def _is_request(given: object) -> TypeGuard[Mapping[str, Any]]:
    if not isinstance(given, Mapping):
        return False
    return any(isinstance(given.get(key), (str, list, tuple)) for key in _REQUEST_KEYS)


def _service(usage: Usage, batch: bool, service: str | None) -> str:
    if batch and service not in (None, "batch"):
        raise OptionError("service", f"{service!r} with batch=True", "pass one of the two")
    return "batch" if batch else service or usage.service or "standard"


def _notes(usage: Usage, price: Price, at: datetime) -> Iterator[str]:
    yield from (f"usage: {fault}" for fault in usage.faults)
    if stale := price.warning(max(at.date(), price.checked)):
        yield stale
    rates = price.rates_for(usage.input)
    if usage.cache_read and rates.cache_read is None:
        yield f"{usage.cache_read:,} cached tokens cost what input does: no other price is listed"
    if usage.written and rates.cache_write_5m is None:
        yield f"{usage.written:,} written tokens cost what input does: no other price is listed"
    if usage.searches:
        yield f"{usage.searches:,} web searches are billed apart"
