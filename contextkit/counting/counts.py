"""What counting returns: numbers that say how far they can be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

Method = Literal["exact", "reconstructed", "custom", "estimate"]
"""How a number was found.

- ``exact``: the model's own tokenizer on text whose framing is settled on recorded requests.
- ``reconstructed``: the model's own tokenizer on a rebuilt prompt (tool calls, tools, schemas).
- ``custom``: the caller's own counter, taken at its word.
- ``estimate``: something in the request cannot be known from it; ``low`` and ``high`` say how far.
"""

_FROM_SURE_TO_UNSURE: tuple[Method, ...] = ("exact", "reconstructed", "custom", "estimate")


@dataclass(frozen=True, slots=True)
class Part:
    """One addend of a count.

    Attributes:
        name: "message", or what it is of the frame: "priming", "tools", "schema", "reasoning",
            "template", "search", "server" (what only the server can see), "calibration".
        tokens: its tokens, framing included.
        method: how they were found.
        margin: most tokens by which ``tokens`` is thought to be off, in either direction.
        index: the message it stands for, None for parts of the request.
    """

    name: str
    tokens: int
    method: Method = "exact"
    margin: int = 0
    index: int | None = None


class Count(int):
    """A number of tokens that behaves as an int and knows where it comes from.

    Attributes:
        method: the least certain method among its parts; what has a range is not "exact".
        low: fewest tokens it can be.
        high: most tokens it can be.
        parts: the addends; their tokens sum to the count.

    Example:
        >>> total = Count.of([Part("message", 7, index=0), Part("priming", 3)])
        >>> total + 5, total.method, (total.low, total.high)
        (15, 'exact', (10, 10))
    """

    method: Method
    low: int
    high: int
    parts: tuple[Part, ...]

    def __new__(cls, tokens: int, parts: Iterable[Part] = ()) -> Count:
        self = super().__new__(cls, tokens)
        self.parts = tuple(parts)
        margin = sum(part.margin for part in self.parts)
        self.low, self.high = max(0, tokens - margin), tokens + margin
        methods = map(_method, self.parts)
        self.method = max(methods, key=_FROM_SURE_TO_UNSURE.index, default="exact")
        return self

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Count:
        """Sum ``parts``."""
        addends = tuple(parts)
        return cls(sum(part.tokens for part in addends), addends)

    def __repr__(self) -> str:
        span = "" if self.low == self.high else f", {self.low}..{self.high}"
        return f"Count({int(self)}, {self.method}{span})"


def _method(part: Part) -> Method:
    return "estimate" if part.method == "exact" and part.margin else part.method


def shares(total: int, weights: Sequence[int]) -> list[int]:
    """Divide ``total`` by weight into whole numbers that sum to it.

    Example:
        >>> shares(10, [1, 1, 1])
        [3, 3, 4]
    """
    borders = [total * reached // sum(weights) for reached in accumulate(weights)]
    return [border - before for before, border in pairwise([0, *borders])]
