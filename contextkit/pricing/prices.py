"""Find the price of a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path

from contextkit.errors import OptionError, UnknownPrice
from contextkit.pricing.names import PricedName, priced_name
from contextkit.pricing.rates import Price
from contextkit.pricing.sources import GenaiPrices, PriceSource, PriceTable

Prices = PriceSource | str | Path
"""A source of prices, or the path of a TOML file with them."""

_HALF = Decimal("0.5")

_HALF_BY_BATCH = frozenset({"anthropic", "azure", "mistral", "openai"})
"""Providers whose batch interface costs half in every class of token, wherever no price of its own
is listed. At Anthropic the discounts of batch and cache multiply (its page on prompt caching,
2026-11-30); OpenAI, Azure and Mistral list half of every standard rate (their pages on prices,
2026-10-14)."""


def find_price(
    model: str,
    at: date | datetime | None = None,
    source: Prices | None = None,
    *,
    service: str = "standard",
    currency: str = "USD",
) -> Price:
    """Return what a model costs.

    Hosts, regions, dates and tags around a name are understood: ``azure/gpt-4o-2024-08-06``,
    ``bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0``, ``openrouter/openai/gpt-4o``.

    Args:
        model: its name; a host in front of it says who bills.
        at: when the request was made; None is now. A moment without time zone is UTC.
        source: your own prices, asked first: a `PriceSource` or the path of a TOML file.
        service: "standard", "batch", "flex", "priority" ...
        currency: "USD", or "CNY" for the list prices of providers in China. Nothing is converted.

    Raises:
        UnknownPrice: no source has the price; the error lists near models that have one.
        OptionError: nobody prices in this currency, the file holds no prices, ``model`` is no name
            or ``at`` no moment.

    Example:
        >>> from datetime import date
        >>> price = find_price("claude-sonnet-4-5", at=date(2026, 11, 30))
        >>> price.input, price.cache_read, price.cache_write_5m, price.output
        (Decimal('3'), Decimal('0.3'), Decimal('3.75'), Decimal('15'))
    """
    if not isinstance(model, str) or not model.strip():
        raise OptionError("model", f"{model!r} is no name", "say who is asked")
    name, moment, sources = priced_name(model), moment_of(at), sources_with(source)
    price = _first(sources, name, moment, service, currency)
    if price is None and service == "batch":
        price = _halved(_first(sources, name, moment, "standard", currency))
    if price is None:
        raise _unknown(sources, name, moment, service, currency)
    return price


def sources_with(source: Prices | None) -> Sequence[PriceSource]:
    """Return all sources in the order in which they are asked, the caller's own first."""
    own = PriceTable(Path(source)) if isinstance(source, (str, Path)) else source
    return (*((own,) if own is not None else ()), PriceTable(), GenaiPrices())


def moment_of(at: date | datetime | None) -> datetime:
    """Return a moment with time zone: a day is its first moment, UTC where none is said.

    Raises:
        OptionError: it is neither a day nor a moment.
    """
    if at is None:
        return datetime.now(UTC)
    if not isinstance(at, date):
        raise OptionError("at", f"{at!r} is no moment", "pass a date or a datetime")
    moment = at if isinstance(at, datetime) else datetime.combine(at, time.min)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _first(
    sources: Iterable[PriceSource], name: PricedName, at: datetime, service: str, currency: str
) -> Price | None:
    found = (s.find(name, at=at, service=service, currency=currency) for s in sources)
    return next((price for price in found if price is not None), None)


def _halved(price: Price | None) -> Price | None:
    if price is None or price.provider not in _HALF_BY_BATCH:
        return None
    return price.scaled(_HALF, "batch")


def _unknown(
    sources: Sequence[PriceSource], name: PricedName, at: datetime, service: str, currency: str
) -> Exception:
    if currency not in ("USD", "CNY"):
        remedy = "ask for USD, or CNY for providers in China; nothing is converted"
        return OptionError("currency", f"nobody prices in {currency!r}", remedy)
    kind = f" in {currency}" if currency != "USD" else ""
    if service != "standard" and _first(sources, name, at, "standard", currency):
        return UnknownPrice(f"{name.given} as {service!r}{kind}", ["the standard price"])
    if kind and _first(sources, name, at, service, "USD"):
        return UnknownPrice(f"{name.given}{kind}", [f"{name.given} in USD"])
    return UnknownPrice(f"{name.given}{kind}", _near(sources, name))


def _near(sources: Iterable[PriceSource], name: PricedName) -> list[str]:
    from difflib import get_close_matches

    known: dict[str, str] = {}
    for full in sorted((full for s in sources for full in s.names()), key=_hosts_before):
        known.setdefault(full.rpartition("/")[2].lower(), full)
    bare = name.model.rpartition("/")[2]
    return [known[near] for near in get_close_matches(bare, known, n=3, cutoff=0.6)]


def _hosts_before(full: str) -> int:
    """Makers come before hosts, where both have a model."""
    return full.count("/")
