"""Limits on a kind of content, and what exceeds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from contextkit.errors import OptionError
from contextkit.messages import ROLES
from contextkit.reports.pieces import Piece

DIMENSIONS = ("role", "turn", "language", "content", "form", "tool")
"""By what the tokens of a report can be grouped."""

_NAMED = ("content", "role", "tool", "language", "form")
"""Where a limit without a dimension is looked up, in this order."""

_CONTENTS = frozenset(
    """prose code json yaml xml csv table markdown log diff shell url base64 math image audio video
    file reasoning framing""".split()  # noqa: SIM905
) | {"stack trace", "tool schema", "tool call", "tool result", "answer schema"}


@dataclass(frozen=True, slots=True)
class Excess:
    """A kind that has more tokens than its limit.

    Attributes:
        key: the limit as it was given: "tool result", "language:zh" ...
        tokens: what there is.
        limit: the most tokens there may be; of a share, that share of all tokens.
    """

    key: str
    tokens: int
    limit: int

    def __str__(self) -> str:
        over = self.tokens - self.limit
        return f"{self.key}: {self.tokens:,} tokens, the limit is {self.limit:,} ({over:,} over)"


def exceeded(pieces: Sequence[Piece], limits: Mapping[str, float]) -> tuple[Excess, ...]:
    """Return which of ``limits`` the pieces exceed, in the order given.

    Args:
        pieces: all pieces of a request.
        limits: by kind, the most tokens as an int, or the largest share of all tokens as a float
            in (0, 1]. A kind is a content type, role, tool or language, with or without the
            dimension in front ("tool:search", "language:zh" for every kind of Chinese).

    Raises:
        OptionError: a kind that nothing can be of, or a limit that is no number of tokens or share.
    """
    total = sum(piece.tokens for piece in pieces)
    found = (
        Excess(key, _tokens_of(key, pieces), _in_tokens(key, most, total))
        for key, most in limits.items()
    )
    return tuple(excess for excess in found if excess.tokens > excess.limit)


def belongs(piece: Piece, dimension: str, value: str) -> bool:
    """Return whether a piece is of a kind; a language holds its scripts ("zh" holds "zh-Hant")."""
    own = str(getattr(piece, dimension))
    return own == value or (dimension == "language" and own.startswith(f"{value}-"))


def _tokens_of(key: str, pieces: Iterable[Piece]) -> int:
    pieces = list(pieces)
    dimension, value = _kind(key, pieces)
    return sum(piece.tokens for piece in pieces if belongs(piece, dimension, value))


def _kind(key: str, pieces: Sequence[Piece]) -> tuple[str, str]:
    dimension, colon, value = key.partition(":")
    if colon and dimension in DIMENSIONS:
        return dimension, value
    for dimension in _NAMED:
        if any(belongs(piece, dimension, key) for piece in pieces):
            return dimension, key
    if key in _CONTENTS or key in ROLES:
        return "content", key
    kinds = ", ".join(f"{name}:..." for name in DIMENSIONS)
    raise OptionError("limits", f"nothing is of kind {key!r}", f"write {kinds} or a content type")


def _in_tokens(key: str, most: float, total: int) -> int:
    if isinstance(most, int) and not isinstance(most, bool) and most >= 0:
        return most
    if isinstance(most, float) and 0 < most <= 1:
        return int(most * total)
    found = f"{most!r} limits nothing ({key})"
    raise OptionError("limits", found, "pass tokens as an int, or a share as a float in (0, 1]")
