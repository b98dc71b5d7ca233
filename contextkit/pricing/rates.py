"""What a model costs: rates by class of token, and the price that holds them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal

_STALE_AFTER = 90
"""Days after which a price is old enough to warn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Prices of one million tokens by class, in the currency of their `Price`; None is unknown.

    Attributes:
        input: text that no cache served.
        output: the answer, its reasoning included.
        cache_read: input served from the provider's cache.
        cache_write_5m: input written to the cache for the provider's usual lifetime (5 minutes at
            Anthropic, 30 at OpenAI).
        cache_write_1h: input written to it for an hour.
        input_audio: audio in the input; None where it costs what text does, or is unknown.
        cache_read_audio: audio served from the cache; None as above.
        output_audio: audio in the answer; None as above.
        input_image: images in the input; None as above.
        output_image: images in the answer; None as above.
        output_reasoning: reasoning alone; None where it costs what the answer does.
        output_thinking: the whole answer of a request in which the model reasoned; None where that
            makes no difference.
    """

    input: Decimal | None = None
    output: Decimal | None = None
    cache_read: Decimal | None = None
    cache_write_5m: Decimal | None = None
    cache_write_1h: Decimal | None = None
    input_audio: Decimal | None = None
    cache_read_audio: Decimal | None = None
    output_audio: Decimal | None = None
    input_image: Decimal | None = None
    output_image: Decimal | None = None
    output_reasoning: Decimal | None = None
    output_thinking: Decimal | None = None

    def scaled(self, factor: Decimal) -> Rates:
        """Return the rates times ``factor``; what is unknown stays unknown.

        Example:
            >>> Rates(input=Decimal(3)).scaled(Decimal("0.5")).input
            Decimal('1.5')
        """
        known = {name: rate * factor for name in CLASSES if (rate := getattr(self, name))}
        return replace(self, **known)

    def over(self, other: Rates) -> Rates:
        """Return these rates, with those of ``other`` where these are unknown."""
        known = {n: rate for n in CLASSES if (rate := getattr(self, n)) is not None}
        return replace(other, **known)


CLASSES = tuple(field.name for field in fields(Rates))
"""The names of all rates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one model costs at one provider, at one moment, for one kind of service.

    Attributes:
        model: its name in the source.
        provider: who bills.
        currency: of all rates, for example "USD".
        service: "standard", "batch", "flex", "priority" ...
        rates: of requests up to the first long-context tier, per million tokens.
        long: ``(above, rates)`` pairs, ascending: a request with more input tokens than ``above``
            is billed as a whole at these rates.
        source: where the price was read.
        checked: the day on which the source was last known to be right.
    """

    model: str
    provider: str
    currency: str = "USD"
    service: str = "standard"
    rates: Rates
    long: tuple[tuple[int, Rates], ...] = ()
    source: str
    checked: date

    @property
    def input(self) -> Decimal | None:
        """Price of one million input tokens that no cache served; None when unknown."""
        return self.rates.input

    @property
    def output(self) -> Decimal | None:
        """Price of one million output tokens; None when unknown."""
        return self.rates.output

    @property
    def cache_read(self) -> Decimal | None:
        """Price of one million input tokens served from the cache; None when unknown."""
        return self.rates.cache_read

    @property
    def cache_write_5m(self) -> Decimal | None:
        """Price of one million input tokens cached for the usual lifetime; None when unknown."""
        return self.rates.cache_write_5m

    @property
    def cache_write_1h(self) -> Decimal | None:
        """Price of one million input tokens cached for an hour; None when unknown."""
        return self.rates.cache_write_1h

    def rates_for(self, input_tokens: int) -> Rates:
        """Return the rates of a request with so many input tokens, cached ones included.

        Example:
            >>> from datetime import date
            >>> price = Price(model="m", provider="p", source="s", checked=date(2026, 11, 30),
            ...               rates=Rates(input=Decimal(1)),
            ...               long=((200_000, Rates(input=Decimal(2))),))
            >>> price.rates_for(200_000).input, price.rates_for(200_001).input
            (Decimal('1'), Decimal('2'))
        """
        passed = [rates for above, rates in self.long if input_tokens > above]
        return passed[-1] if passed else self.rates

    def scaled(self, factor: Decimal, service: str) -> Price:
        """Return the price of another kind of service that costs ``factor`` times as much."""
        long = tuple((above, rates.scaled(factor)) for above, rates in self.long)
        return replace(self, rates=self.rates.scaled(factor), long=long, service=service)

    def age(self, today: date | None = None) -> int:
        """Days since the price was checked."""
        return ((today or date.today()) - self.checked).days

    def warning(self, today: date | None = None) -> str | None:
        """Say that the price is old, when it is older than 90 days; None while it is not.

        Example:
            >>> from datetime import date
            >>> price = Price(model="m", provider="p", rates=Rates(), source="s",
            ...               checked=date(2026, 1, 1))
            >>> price.warning(date(2026, 6, 1))
            'the price of m is 151 days old (s); check it'
        """
        age = self.age(today)
        if age <= _STALE_AFTER:
            return None
        return f"the price of {self.model} is {age} days old ({self.source}); check it"
