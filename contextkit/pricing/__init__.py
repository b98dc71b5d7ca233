"""What tokens cost: prices of models, and the price of a request."""

from contextkit.pricing.caches import CacheRule, cache_rule
from contextkit.pricing.costs import Cost, cost
from contextkit.pricing.prices import find_price
from contextkit.pricing.rates import Price, Rates
from contextkit.pricing.sources import GenaiPrices, PriceSource, PriceTable
from contextkit.pricing.usage import Usage, read_usage

__all__ = [
    "CacheRule",
    "Cost",
    "GenaiPrices",
    "Price",
    "PriceSource",
    "PriceTable",
    "Rates",
    "Usage",
    "cache_rule",
    "cost",
    "find_price",
    "read_usage",
]
