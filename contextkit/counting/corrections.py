"""What the errors of a counter teach: a ridge regression on few observations.

How far each feature is usually misjudged is known before anything was observed; it says how far a
weight may go, so that twenty requests are enough to learn from. Requests of one application share
their tools, and what is wrong about that frame is learnt as one number beside the features.
"""

from __future__ import annotations

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

_FRAME = 30.0
"""Tokens by which the frame that an application sends along is usually misjudged."""

_PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Strengths of the ridge that are tried; leaving one out decides among them."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One request that a server has counted.

    Attributes:
        features: of the whole request, as `request_features` orders them.
        unsure: the same of those parts alone that the counter does not call exact.
        frame: stands for what is around the messages.
        estimated: tokens that the uncalibrated counter gave.
        counted: tokens that the server gave.
        digests: one for each message, chained, so that the last one stands for all before it.
    """

    features: tuple[float, ...]
    unsure: tuple[float, ...]
    frame: str
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
        frames: tokens to add for each frame that was observed, by its digest.
        spread: share of the count by which 95 % of the observations are off, each judged by the
            others alone.
        trusts_exact: whether parts that the counter calls exact are left alone. They are, unless
            the server contradicted most of the requests that were exact altogether.
        observations: how many requests it stands on.
    """

    weights: tuple[float, ...]
    frames: Mapping[str, float]
    spread: float
    trusts_exact: bool
    observations: int

    def leaves_alone(self, part: Part) -> bool:
        """Whether a part needs no correction."""
        return self.trusts_exact and part.method == "exact"

    def of_message(self, features: Sequence[float]) -> float:
        """Tokens to add to a message."""
        return _dot(self.weights[: len(MESSAGE_FEATURES)], features)

    def of_frame(self, features: Sequence[float]) -> float:
        """Tokens to add to the frame of a request."""
        return _dot(self.weights[len(MESSAGE_FEATURES) :], features)


def learnt(seen: Sequence[Observation]) -> Correction | None:
    """Fit the errors; None where no correction predicts what was left out better than none."""
    import numpy as np

    trusts_exact = _trusts_exact(seen)
    frames = sorted({observation.frame for observation in seen})
    usual = np.array(
        [*MESSAGE_FEATURES.values(), *FRAME_FEATURES.values(), *[_FRAME] * len(frames)]
    )
    errors = np.array([o.counted - o.estimated for o in seen], dtype=float)
    noise = np.array([_NOISE + _NOISE_SHARE * o.counted for o in seen])
    design = np.array([_design(o, frames, trusts_exact) for o in seen]) * usual / noise[:, None]
    scaled, residuals = _best_ridge(design, errors / noise)
    if not scaled.any():
        return None
    weights = [float(weight) for weight in scaled * usual]
    shares = np.abs(residuals) * noise / np.maximum(1, errors + [o.estimated for o in seen])
    spread = float(np.quantile(shares, _COVERAGE, method="higher")) * (1 + _FEW / len(seen))
    own = len(weights) - len(frames)
    of_frames = dict(zip(frames, weights[own:], strict=True))
    return Correction(tuple(weights[:own]), of_frames, spread, trusts_exact, len(seen))


def _design(observation: Observation, frames: Sequence[str], trusts_exact: bool) -> list[float]:
    """The features that may explain an error, and which frame the request had."""
    features = observation.unsure if trusts_exact else observation.features
    unsure = any(features)
    return [*features, *(float(unsure and observation.frame == frame) for frame in frames)]


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
    """Return the weights, and the residual of each observation when it is left out."""
    import numpy as np

    inner = features.T @ features + penalty * np.eye(features.shape[1])
    solved = np.linalg.solve(inner, features.T)
    weights = solved @ errors
    leverage = np.einsum("ij,ji->i", features, solved)
    return weights, (errors - features @ weights) / np.maximum(1 - leverage, 1e-6)


def _dot(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, features, strict=True))
