"""What a simulation found, and how it reads."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from contextkit.pricing.caches import CacheRule
from contextkit.pricing.rates import Price

if TYPE_CHECKING:
    from rich.table import Table

_CLOSE = Decimal("1.02")
"""A low-water mark that costs at most this much more than the cheapest keeps more in sight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One request as a strategy sent it.

    Attributes:
        messages: how many messages the history had.
        tokens: input tokens of the request.
        fresh: how many of them the history gained since the request before: no cache can have them.
        unchanged: how many of them, from the start, stood the same in the request before.
        cached: how many the provider's cache served.
        written: how many were written to it at a price of their own.
        answer: tokens of the recorded answer.
        visible: share of the history's tokens that was sent as it stands.
        over: whether the request is longer than its limit, or the strategy refused it.
    """

    messages: int
    tokens: int
    fresh: int
    unchanged: int
    cached: int
    written: int
    answer: int
    visible: float
    over: bool


@dataclass(frozen=True, kw_only=True)
class Replay:
    """What one strategy would have sent, and its price.

    Attributes:
        name: of the strategy.
        sent: one entry for each request.
        cost: of all requests and answers; None where a price is unknown.
    """

    name: str
    sent: tuple[Sent, ...]
    cost: Decimal | None

    @property
    def calls(self) -> int:
        return len(self.sent)

    @cached_property
    def input_tokens(self) -> int:
        """Input tokens of all requests."""
        return sum(one.tokens for one in self.sent)

    @cached_property
    def cached_share(self) -> float:
        """Share of the input tokens that the cache served."""
        return _share(sum(one.cached for one in self.sent), self.input_tokens)

    @cached_property
    def written_tokens(self) -> int:
        """Tokens written to the cache at a price of their own."""
        return sum(one.written for one in self.sent)

    @cached_property
    def unchanged_share(self) -> float:
        """Share of the input tokens that stood the same at the start of the request before."""
        return _share(sum(one.unchanged for one in self.sent), self.input_tokens)

    @cached_property
    def when_full(self) -> tuple[Sent, ...]:
        """The requests from the first on that left something out; none where none did."""
        first = next((n for n, one in enumerate(self.sent) if one.visible < 1), len(self.sent))
        return self.sent[first:]

    @cached_property
    def unchanged_share_when_full(self) -> float | None:
        """The unchanged share of the requests in `when_full`; None where none left anything out.

        It can never reach 100 %: the messages that each request adds are part of the whole.
        """
        tokens = sum(one.tokens for one in self.when_full)
        return sum(one.unchanged for one in self.when_full) / tokens if tokens else None

    @cached_property
    def held_share_when_full(self) -> float | None:
        """The same, of those tokens that could be unchanged: all but the ones just added.

        This is how well a strategy keeps the prefix, whatever the history adds to each request.
        """
        old = sum(one.tokens - one.fresh for one in self.when_full)
        return sum(one.unchanged for one in self.when_full) / old if old else None

    @cached_property
    def largest(self) -> int:
        """Input tokens of the largest request."""
        return max(one.tokens for one in self.sent)

    @cached_property
    def over(self) -> int:
        """How many requests were longer than their limit."""
        return sum(one.over for one in self.sent)

    @cached_property
    def visible(self) -> float:
        """Mean share of the history's tokens that was sent as it stands."""
        return sum(one.visible for one in self.sent) / len(self.sent)

    def to_dict(self) -> dict[str, Any]:
        """Return the sums as plain JSON values; the cost is a decimal string."""
        return {
            "strategy": self.name,
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "cached_share": round(self.cached_share, 6),
            "unchanged_share": round(self.unchanged_share, 6),
            "unchanged_share_when_full": _rounded(self.unchanged_share_when_full),
            "held_share_when_full": _rounded(self.held_share_when_full),
            "written_tokens": self.written_tokens,
            "cost": None if self.cost is None else f"{self.cost:f}",
            "largest": self.largest,
            "over": self.over,
            "visible": round(self.visible, 6),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class LowWater:
    """The low-water mark that suits a history and a model.

    Attributes:
        mark: for ``TokenBudget(low_water=...)``.
        cost: of the whole history with it.
        instead_of: the same without a low-water mark.
        replays: every mark that was tried, with its replay.
    """

    mark: float
    cost: Decimal
    instead_of: Decimal
    replays: tuple[tuple[float, Replay], ...] = field(repr=False)

    def __str__(self) -> str:
        """Return one sentence."""
        sharp = self.replays[0][1]
        if not sharp.when_full:
            why = "nothing may be cut" if sharp.over else "every request fits as it is"
            return f"{why}: no low-water mark makes a difference"
        if self.mark == 1:
            return "no low-water mark is cheaper than cutting just below the limit"
        saved = 1 - self.cost / self.instead_of
        return f"low_water={self.mark:g} costs {saved:.0%} less than cutting just below the limit"


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """What each strategy would have cost on a recorded history.

    Attributes:
        model: who was asked.
        replays: one for each strategy, in the order given.
        rule: of the prompt cache; None for none.
        price: of the model; None where it is unknown.
        notes: what to know: an unknown cache, an old price.
    """

    model: str
    replays: tuple[Replay, ...]
    rule: CacheRule | None
    price: Price | None
    notes: tuple[str, ...] = ()
    _low_waters: Callable[[], tuple[tuple[float, Replay], ...]] = field(repr=False, compare=False)

    @property
    def cheapest(self) -> Replay:
        """The replay that costs least among those that never went over the limit, if any did not.

        Where no price is known, the one that sent the fewest tokens that no cache served.
        """
        fitting = [replay for replay in self.replays if not replay.over] or self.replays
        return min(fitting, key=_weight)

    @cached_property
    def low_water(self) -> LowWater | None:
        """The low-water mark of a `TokenBudget` that suits this history; None without prices.

        Eight marks are replayed. Of those that cost at most 2 % more than the cheapest, the highest
        is taken: it keeps most of the history in sight.
        """
        tried = self._low_waters()
        costs = {mark: replay.cost for mark, replay in tried if replay.cost is not None}
        if not costs:
            return None
        close = [mark for mark, amount in costs.items() if amount <= min(costs.values()) * _CLOSE]
        mark = max(close)
        return LowWater(mark=mark, cost=costs[mark], instead_of=costs[1.0], replays=tried)

    def table(self) -> Table:
        """Return the strategies as a rich table."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
        table.add_column(HEADINGS[0], overflow="fold", min_width=10)
        for heading in HEADINGS[1:]:
            table.add_column(heading, justify="right", no_wrap=True)
        for row in self.rows():
            table.add_row(*row)
        return table

    def explain(self, *, width: int = 110) -> str:
        """Return the table as text, with the rules that were used and what they lead to.

        Args:
            width: columns of the table.
        """
        from rich.console import Console

        out = io.StringIO()
        console = Console(
            file=out, width=width, color_system=None, legacy_windows=False, force_jupyter=False
        )
        console.print(self.headline() + "\n", highlight=False, markup=False, soft_wrap=True)
        console.print(self.table())
        for note in self.notes:
            console.print(f"note: {note}", highlight=False, markup=False, soft_wrap=True)
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"

    def headline(self) -> str:
        """Return one sentence: how many calls, at whose prices, with which cache."""
        calls = self.replays[0].calls
        cached = f"cache {self.rule.name}" if self.rule else "no cache"
        priced = "without a price"
        if self.price is not None:
            priced = f"{self.price.currency} prices of {self.price.checked} ({self.price.source})"
        return f"{calls:,} calls to {self.model}, {cached}, {priced}."

    def to_csv(self) -> str:
        """Return the sums as CSV, one line for each strategy."""
        out = io.StringIO()
        rows = [replay.to_dict() for replay in self.replays]
        writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def to_html(self, *, title: str = "") -> str:
        """Return one page with the prices, the requests over time and the table.

        Args:
            title: heading of the page; "" names the model.
        """
        from contextkit.simulation.page import page

        return page(self, title or f"A session with {self.model}")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "model": self.model,
            "cache": self.rule.name if self.rule else None,
            "currency": self.price.currency if self.price else None,
            "price_source": self.price.source if self.price else None,
            "price_checked": self.price.checked.isoformat() if self.price else None,
            "strategies": [replay.to_dict() for replay in self.replays],
            "cheapest": self.cheapest.name,
            "notes": list(self.notes),
        }

    def rows(self) -> Sequence[Sequence[str]]:
        """The cells of the table, one row for each strategy; see ``HEADINGS``."""
        return [_row(replay) for replay in self.replays]


HEADINGS = ("strategy", "input", "cached", "held", "written", "cost", "largest", "over", "visible")

MEANING = (
    "Input: tokens of all requests. Cached: share of them that the cache serves. Held: once the "
    "window is full, share of the older tokens that start a request as they did the one before. "
    "Written: tokens written to the cache at a price of their own. Cost: of requests and answers. "
    "Largest: tokens of the longest request. Over: requests longer than the limit. Visible: mean "
    "share of the history that is sent."
)


def _row(replay: Replay) -> Sequence[str]:
    return (
        replay.name,
        f"{replay.input_tokens:,}",
        f"{replay.cached_share:.1%}",
        "-" if replay.held_share_when_full is None else f"{replay.held_share_when_full:.1%}",
        f"{replay.written_tokens:,}",
        "?" if replay.cost is None else f"{replay.cost:.4f}",
        f"{replay.largest:,}",
        f"{replay.over:,}",
        f"{replay.visible:.0%}",
    )


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 6)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _weight(replay: Replay) -> tuple[Decimal, int]:
    paid = replay.input_tokens - sum(one.cached for one in replay.sent)
    return (Decimal(0) if replay.cost is None else replay.cost, paid)
