"""What it costs to move the start of a request, and what it saves later."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from contextkit.errors import UnknownPrice
from contextkit.pricing.rates import Price, Rates

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheAdvice:
    """What a cut does to the provider's prompt cache, against sending what was sent and more.

    Attributes:
        prefix_kept: tokens that stand the same at the start of the request before: a cache has
            them.
        paid_again: tokens of the request before that are sent again at another place: no cache has
            them.
        costs: what this request costs more than the uncut one; negative where it is cheaper.
        saves: what each later request costs less, as long as it grows like this one.
        currency: of both.
    """

    prefix_kept: int
    paid_again: int
    costs: Decimal
    saves: Decimal
    currency: str

    @property
    def pays_after(self) -> int | None:
        """Later requests after which the cut has paid for itself; None if it never does."""
        if self.costs <= 0:
            return 0
        if self.saves <= 0:
            return None
        return int((self.costs / self.saves).to_integral_value(ROUND_CEILING))

    def __str__(self) -> str:
        """One sentence."""
        if not self.paid_again:
            return f"{self.prefix_kept:,} tokens stay cached; nothing is paid again"
        return (
            f"{self.prefix_kept:,} tokens stay cached, {self.paid_again:,} are paid again: "
            f"{abs(self.costs):f} {self.currency} {'more' if self.costs > 0 else 'less'} now, "
            f"{abs(self.saves):f} {'less' if self.saves > 0 else 'more'} each time"
            f"{self._payback()}"
        )

    def _payback(self) -> str:
        if self.costs <= 0:
            return ""
        after = self.pays_after
        return ", which never pays" if after is None else f", which pays after {after:,} more"


def cut_advice(*, kept: int, sent: int, before: int, added: int, price: Price) -> CacheAdvice:
    """Compare a request with the one that would have been sent without a cut.

    Args:
        kept: tokens at its start that the request before has too.
        sent: all its input tokens, without the priming of the answer.
        before: those of the request before.
        added: tokens of the messages that came since.
        price: of the model. A provider that bills writes bills what is not cached as one.

    Raises:
        UnknownPrice: the model's input has no price.

    Example:
        >>> from datetime import date
        >>> price = Price(model="m", provider="p", source="s", checked=date(2026, 11, 30),
        ...               rates=Rates(input=Decimal(2), cache_read=Decimal("0.2")))
        >>> cut = cut_advice(kept=1_000, sent=5_000, before=9_000, added=500, price=price)
        >>> cut.paid_again, cut.costs, cut.saves, cut.pays_after
        (3500, Decimal('0.0054'), Decimal('0.0009'), 6)
    """
    uncut = before + added
    cached, full = _rates(price.rates_for(sent), price)
    uncut_cached, uncut_full = _rates(price.rates_for(uncut), price)
    now = kept * cached + (sent - kept) * full
    without = before * uncut_cached + added * uncut_full
    return CacheAdvice(
        prefix_kept=kept,
        paid_again=max(0, sent - kept - added),
        costs=(now - without) / _MILLION,
        saves=(uncut * uncut_cached - sent * cached) / _MILLION,
        currency=price.currency,
    )


def _rates(rates: Rates, price: Price) -> tuple[Decimal, Decimal]:
    """What a cached token costs, and one that is not."""
    if rates.input is None:
        raise UnknownPrice(f"input of {price.model} ({price.source})", [])
    cached = rates.input if rates.cache_read is None else rates.cache_read
    return cached, rates.input if rates.cache_write_5m is None else rates.cache_write_5m
