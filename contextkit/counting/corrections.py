"""What the errors of a counter teach: a ridge regression on few observations.

How far each feature is usually misjudged is known before anything was observed; it says how far a
weight may go, so that twenty requests are enough to learn from. Applications send the same system
prompt, the same tools, the same old messages again and again: what is wrong about each of them is
learnt as a number of its own beside the features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contextkit.counting.counts import Part
from contextkit.counting.features import FRAME_FEATURES, MESSAGE_FEATURES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COVERAGE = 0.95
_FEW = 6
"""The interval is this many observations' worth wider: few of them flatter the chosen penalty."""

_NOISE, _NOISE_SHARE = 1.0, 0.005
"""Tokens, and share of the count, by which a request may be off for no reason."""

_PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Strengths of the ridge that are tried; leaving one out decides among them."""


@dataclass(frozen=True, slots=True)
class KnownPart:
    """A part of a request that may come again: one message, or the frame around all.

    Attributes:
        digest: stands for what it holds.
        usual: tokens by which such a part is usually misjudged.
        is_exact: whether the counter called it exact.
    """

    digest: str
    usual: float
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Observation:
    """One request that a server has counted.

    Attributes:
        features: of the whole request, as `request_features` orders them.
        unsure: the same of those parts alone that the counter does not call exact.
        parts: its messages and its frame.
        estimated: tokens that the uncalibrated counter gave.
        counted: tokens that the server gave.
        digests: one for each message, chained, so that the last one stands for all before it.
    """

    features: tuple[float, ...]
    unsure: tuple[float, ...]
    parts: tuple[KnownPart, ...]
    estimated: int
    counted: int
    digests: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        """Whether the counter called every part exact."""
        return not any(self.unsure)


@dataclass(frozen=True, slots=True)
class Correction:
    """What the observations of one model teach: a weight for each feature, and how sure it is.

    Attributes:
        weights: tokens to add for one unit of each feature.
        known: tokens to add for each part that was observed before, by its digest.
        spread: share of the count by which 95 % of the observations are off, each judged by the
            others alone.
        trusts_exact: whether parts that the counter calls exact are left alone. They are, unless
            the server contradicted most of the requests that were exact altogether.
        observations: how many requests it stands on.
    """

    weights: tuple[float, ...]
    known: Mapping[str, float]
    spread: float
    trusts_exact: bool
    observations: int

    def leaves_alone(self, part: Part) -> bool:
        """Whether a part needs no correction."""
        return self.trusts_exact and part.method == "exact"

    def of_message(self, features: Sequence[float], digest: str) -> float:
        """Tokens to add to a message."""
        return _dot(self.weights[: len(MESSAGE_FEATURES)], features) + self.known.get(digest, 0.0)

    def of_frame(self, features: Sequence[float], digest: str) -> float:
        """Tokens to add to the frame of a request."""
        return _dot(self.weights[len(MESSAGE_FEATURES) :], features) + self.known.get(digest, 0.0)


def learnt(seen: Sequence[Observation]) -> Correction | None:
    """Fit the errors; None where no correction predicts what was left out better than none."""
    import numpy as np

    trusts_exact = _trusts_exact(seen)
    known = {part.digest: part.usual for observation in seen for part in observation.parts}
    usual = np.array([*MESSAGE_FEATURES.values(), *FRAME_FEATURES.values(), *known.values()])
    errors = np.array([o.counted - o.estimated for o in seen], dtype=float)
    noise = np.array([_NOISE + _NOISE_SHARE * o.counted for o in seen])
    design = np.array([_design(o, list(known), trusts_exact) for o in seen])
    scaled, residuals = _best_ridge(design * usual / noise[:, None], errors / noise)
    if not scaled.any():
        return None
    weights = [float(weight) for weight in scaled * usual]
    shares = np.abs(residuals) * noise / [max(1, o.counted) for o in seen]
    spread = float(np.quantile(shares, _COVERAGE, method="higher")) * (1 + _FEW / len(seen))
    own = len(weights) - len(known)
    of_parts = dict(zip(known, weights[own:], strict=True))
    return Correction(tuple(weights[:own]), of_parts, spread, trusts_exact, len(seen))


def _design(observation: Observation, known: Sequence[str], trusts_exact: bool) -> list[float]:
    """The features that may explain an error, and how often the request holds each known part."""
    features = observation.unsure if trusts_exact else observation.features
    unsure = (p.digest for p in observation.parts if not (trusts_exact and p.is_exact))
    times = Counter(unsure)
    return [*features, *(float(times[digest]) for digest in known)]


def _trusts_exact(seen: Sequence[Observation]) -> bool:
    exact = [observation for observation in seen if observation.is_exact]
    wrong = sum(observation.counted != observation.estimated for observation in exact)
    return 2 * wrong <= len(exact)


def _best_ridge(features: NDArray[Any], errors: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the weights that predict best what was left out, and what they leave; perhaps none."""
    import numpy as np

    fits = [(np.zeros(features.shape[1]), errors)]
    fits += [_ridge(features, errors, penalty) for penalty in _PENALTIES]
    return min(fits, key=lambda fit: float(np.log1p(np.abs(fit[1])).mean()))


def _ridge(
    features: NDArray[Any], errors: NDArray[Any], penalty: float
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the weights, and the residual of each observation when it is left out.

    Solved over the observations, which are fewer than the features.
    """
    import numpy as np

    inverse = np.linalg.inv(features @ features.T + penalty * np.eye(len(errors)))
    explained = inverse @ errors
    return features.T @ explained, explained / np.diag(inverse)


def _dot(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, features, strict=True))
