"""The rules by which providers cache the beginning of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Any, Literal

from contextkit.errors import OptionError

Marks = Literal["blocks", "automatic", "explicit"]

_HOUR = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheRule:
    """How one provider caches prefixes.

    Attributes:
        name: what `simulate` calls it.
        marks: where a cached prefix may end: "blocks" (after any multiple of ``block`` tokens),
            "automatic" (at the end of an earlier request) or "explicit" (at marks that the caller
            sets; `simulate` sets one behind the instructions and one at the end of each request).
        minimum: fewest tokens of a cached prefix.
        block: tokens between two places where a prefix may end.
        lifetime: seconds that a prefix stays after it was last used, at least.
        write: the class of the price that written tokens cost, as `Price` calls it; "" where
            writing costs what input does.
        source: where the rule was read.
        checked: the day it was read.
    """

    name: str
    marks: Marks = "blocks"
    minimum: int
    block: int = 1
    lifetime: float
    write: Literal["", "cache_write_5m", "cache_write_1h"] = ""
    source: str
    checked: date


def cache_rule(name: str, *, provider: str, model: str) -> CacheRule | None:
    """Return the rule of a name, or of a model.

    Args:
        name: "auto" for that of the model, "none" for no cache, or a rule by name ("anthropic-5m",
            "anthropic-1h", "openai", "openai-blocks", "gemini", "deepseek", "moonshot", "alibaba",
            "xai").
        provider: who bills, as prices call it.
        model: as prices call it.

    Returns:
        None for "none", and for "auto" where no rule of the model is known.

    Raises:
        OptionError: no rule has this name.

    Example:
        >>> rule = cache_rule("auto", provider="anthropic", model="claude-haiku-4-5")
        >>> rule.name, rule.minimum, rule.lifetime
        ('anthropic-5m', 4096, 300)
    """
    if name == "none":
        return None
    rows = _rows()
    if name == "auto":
        of_provider = [row for row in rows if provider in row["providers"]]
        return next((_rule(row) for row in of_provider if _is_for(row, model)), None)
    wanted = "anthropic-5m" if name == "anthropic-1h" else name
    named = [row for row in rows if row["name"] == wanted]
    if not named:
        known = ", ".join(["auto", "none", "anthropic-1h", *dict.fromkeys(r["name"] for r in rows)])
        raise OptionError("cache", f"{name!r} is unknown", f"use one of {known}")
    rule = _rule(next((row for row in named if _is_for(row, model)), named[-1]))
    if name == "anthropic-1h":
        return replace(rule, name=name, lifetime=_HOUR, write="cache_write_1h")
    return rule


def _is_for(row: Mapping[str, Any], model: str) -> bool:
    return "models" not in row or any(part in model.lower() for part in row["models"])


def _rule(row: Mapping[str, Any]) -> CacheRule:
    return CacheRule(
        name=row["name"],
        marks=row.get("marks", "blocks"),
        minimum=row["minimum"],
        block=row.get("block", 1),
        lifetime=row["lifetime"],
        write=row.get("write", ""),
        source=row["source"],
        checked=row["date"],
    )


@cache
def _rows() -> Sequence[Mapping[str, Any]]:
    import tomllib
    from importlib.resources import files

    text = files("contextkit.pricing").joinpath("prices.toml").read_text("utf-8")
    rows: Sequence[Mapping[str, Any]] = tomllib.loads(text)["cache"]
    return rows
