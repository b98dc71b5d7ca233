"""Where prices come from: genai-prices, our own table, the user's files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from contextkit.errors import OptionError
from contextkit.models import candidate_names
from contextkit.pricing.names import PricedName
from contextkit.pricing.rates import CLASSES, Price, Rates

_SATURDAY = 5


class PriceSource(Protocol):
    """Anything that knows prices."""

    def find(self, name: PricedName, *, at: datetime, service: str, currency: str) -> Price | None:
        """Return the price of a model, or None when this source has none.

        Args:
            name: the model, and who bills where that is known.
            at: the moment of the request, with its time zone.
            service: "standard", "batch", "flex", "priority" ...
            currency: of the price, for example "USD".
        """
        ...

    def names(self) -> Iterable[str]:
        """The models it knows, as a caller would write them."""
        ...


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices from a TOML file.

    Args:
        path: the file; None is the table that ships with contextkit.

    Example:
        >>> from datetime import UTC, datetime
        >>> from contextkit.pricing.names import priced_name
        >>> now = datetime(2026, 12, 1, tzinfo=UTC)
        >>> price = PriceTable().find(
        ...     priced_name("qwen-plus"), at=now, service="standard", currency="CNY")
        >>> price.currency
        'CNY'
    """

    path: Path | None = None

    def find(self, name: PricedName, *, at: datetime, service: str, currency: str) -> Price | None:
        rows = _rows(self.path)
        for candidate in _candidates(name):
            fitting = [
                row
                for row in rows.get(candidate, ())
                if row.price.currency == currency
                and (name.host is None or name.host == row.price.provider)
                and (row.since is None or row.since <= at.date())
            ]
            if fitting:
                newest = max(fitting, key=lambda row: row.since or date.min)
                return newest.serving(service, at)
        return None

    def names(self) -> Iterable[str]:
        return _rows(self.path).keys()


@dataclass(frozen=True, slots=True)
class GenaiPrices:
    """Prices in USD from the package genai-prices, with their history and hours of the day."""

    def find(self, name: PricedName, *, at: datetime, service: str, currency: str) -> Price | None:
        if currency != "USD":
            return None
        providers = _genai_providers()
        found = _genai_model(name, providers)
        if found is None:
            return None
        provider, model = found
        own = any(model is listed for listed in provider.models)
        prices = model.get_prices(at, _context(service) if own else None)
        if service != "standard" and prices == model.get_prices(at):
            return None
        return Price(
            model=model.id,
            provider=provider.id,
            service=service,
            rates=_genai_rates(prices, 0),
            long=tuple((start, _genai_rates(prices, start + 1)) for start in _starts(prices)),
            source=f"genai-prices {_genai_version()}",
            checked=_genai_checked(),
        )

    def names(self) -> Iterable[str]:
        for provider in _genai_providers():
            prefix = "" if provider.model_match else f"{provider.id}/"
            yield from (f"{prefix}{model.id}" for model in provider.models)


@dataclass(frozen=True, slots=True)
class _Peak:
    """Hours of the day, UTC, in which a model costs more."""

    hours: Sequence[Sequence[int]]
    weekdays: bool
    factor: Decimal

    def holds(self, at: datetime) -> bool:
        moment = at.astimezone(UTC)
        if self.weekdays and moment.weekday() >= _SATURDAY:
            return False
        return any(start <= moment.hour < stop for start, stop in self.hours)


@dataclass(frozen=True, slots=True)
class _Row:
    price: Price
    since: date | None
    services: Mapping[str, Rates]
    peak: _Peak | None

    def serving(self, service: str, at: datetime) -> Price | None:
        price = self.price
        if service != "standard":
            rates = self.services.get(service)
            if rates is None:
                return None
            price = replace(price, service=service, rates=rates.over(price.rates))
        if self.peak and self.peak.holds(at):
            return price.scaled(self.peak.factor, service)
        return price


def _candidates(name: PricedName) -> Iterator[str]:
    """The names to look for: a fine-tuned model never has the price of its base."""
    if name.model.startswith("ft:"):
        base = name.model.split(":")[1]
        return (f"ft:{candidate}" for candidate in candidate_names(base))
    return candidate_names(name.model)


@cache
def _rows(path: Path | None) -> Mapping[str, Sequence[_Row]]:
    import tomllib
    from importlib.resources import files

    shipped = files("contextkit.pricing").joinpath("prices.toml")
    text = shipped.read_text("utf-8") if path is None else path.read_text("utf-8")
    rows: dict[str, list[_Row]] = {}
    try:
        for row in tomllib.loads(text, parse_float=Decimal).get("price", ()):
            for model in (row["model"], *row.get("aliases", ())):
                rows.setdefault(model.lower(), []).append(_row(row))
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError) as error:
        found = f"{path or 'prices.toml'}: {error!r}"
        raise OptionError(
            "prices", found, "each [[price]] needs model, provider, source, date"
        ) from error
    return rows


def _row(row: Mapping[str, Any]) -> _Row:
    rates = _rates(row)
    price = Price(
        model=row["model"],
        provider=row["provider"],
        currency=row.get("currency", "USD"),
        rates=rates,
        long=tuple((tier["above"], _rates(tier)) for tier in row.get("long", ())),
        source=row["source"],
        checked=row["date"],
    )
    services = {name: _rates(table) for name, table in row.get("service", {}).items()}
    return _Row(price, row.get("since"), services, _peak(row.get("peak")))


def _peak(table: Mapping[str, Any] | None) -> _Peak | None:
    if table is None:
        return None
    factor = Decimal(table["factor"])
    return _Peak(table["hours"], bool(table.get("weekdays", False)), factor)


def _rates(table: Mapping[str, Any]) -> Rates:
    return Rates(**{name: Decimal(table[name]) for name in CLASSES if name in table})


_GLM_IN_USD = "zai"
"""Who bills for GLM in USD; what genai-prices lists for Zhipu itself is converted from CNY."""

_GENAI_KEYS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write_5m": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "input_audio": "input_audio_mtok",
    "cache_read_audio": "cache_audio_read_mtok",
    "output_audio": "output_audio_mtok",
    "input_image": "input_image_mtok",
    "output_image": "output_image_mtok",
    "output_reasoning": "output_reasoning_mtok",
}


@cache
def _genai_providers() -> Sequence[Any]:
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot().providers


@cache
def _genai_version() -> str:
    from importlib.metadata import version

    return version("genai-prices")


@cache
def _genai_checked() -> date:
    """The newest day on which the package says that it verified a row."""
    said = re.compile(r"(?:verified|checked) on (\d{4}-\d{2}-\d{2})")
    comments = (m.price_comments or "" for p in _genai_providers() for m in p.models)
    return max(date.fromisoformat(day) for comment in comments for day in said.findall(comment))


def _genai_model(name: PricedName, providers: Sequence[Any]) -> tuple[Any, Any] | None:
    for candidate in dict.fromkeys((name.model, *_candidates(name))):
        provider = _genai_provider(name.host, candidate, providers)
        if provider is not None:
            model = provider.find_model(candidate, all_providers=providers)
            if model is not None:
                return provider, model
    return None


def _genai_provider(host: str | None, model: str, providers: Sequence[Any]) -> Any:
    if host is None and model.startswith("glm-"):
        host = _GLM_IN_USD
    if host is not None:
        return next((p for p in providers if p.id == host), None)
    makers = [p for p in providers if p.model_match]
    named = (p for p in makers if p.model_match.is_match(model))
    listed = (p for p in makers if any(row.id == model for row in p.models))
    return next(chain(named, listed), None)


def _context(service: str) -> Mapping[str, str] | None:
    if service == "standard":
        return None
    return {"processing": "batch"} if service == "batch" else {"service_tier": service}


def _genai_rates(prices: Any, input_tokens: int) -> Rates:
    return Rates(**{n: _rate(getattr(prices, key), input_tokens) for n, key in _GENAI_KEYS.items()})


def _rate(price: Any, input_tokens: int) -> Decimal | None:
    if price is None or isinstance(price, Decimal):
        return price
    passed = [tier.price for tier in price.tiers if input_tokens > tier.start]
    return Decimal(passed[-1] if passed else price.base)


def _starts(prices: Any) -> list[int]:
    tiered = (getattr(getattr(prices, key), "tiers", ()) for key in _GENAI_KEYS.values())
    return sorted({tier.start for tiers in tiered for tier in tiers})
