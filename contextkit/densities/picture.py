"""A chart of densities as one SVG that needs no style sheet: for notebooks and code hosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextkit.densities.bootstrap import Ratio
from contextkit.densities.table import MEANINGS, DensityRow, Per
from contextkit.pages.document import text

_WIDTH, _LABEL, _VALUE, _LINE = 640, 170, 130, 20
"""Pixels: the picture, what is left of the bars, what is right of them, each line."""

_COLOURS = ("#2f6fa8", "#d9822b", "#3f8f5f", "#a8507f", "#7a6bb8", "#8a7442", "#3f9aa3", "#b5564a")


def density_picture(rows: Sequence[DensityRow], *, per: Per = "character") -> str:
    """Return a bar for each row that has the ratio, the longest first, with its interval.

    Args:
        rows: of one tokenizer, or of several; each has its colour.
        per: which ratio: tokens per "character", "word" or "byte", or the "premium".

    Returns:
        An SVG picture, for a file or for ``IPython.display.SVG``.

    Example:
        >>> from contextkit import density
        >>> density_picture(density(["你好"], tokenizers=["gpt-4o"]).rows)[:4]
        '<svg'
    """
    shown = longest_first(rows, per)
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    longest = max((ratio.high or ratio.value for ratio, _ in shown), default=0) or 1
    scale = (_WIDTH - _LABEL - _VALUE) / longest
    height = (len(shown) + 1) * _LINE + 6
    title = f"{MEANINGS[per]} ({', '.join(names)})"
    body = [f'<text x="6" y="15" font-weight="bold">{text(title)}</text>']
    labels = labels_of([row for _, row in shown])
    for place, ((ratio, row), label) in enumerate(zip(shown, labels, strict=True), start=1):
        colour = _COLOURS[names.index(row.tokenizer) % len(_COLOURS)]
        body.extend(_line(place * _LINE, ratio, label, scale, colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" font-family="sans-serif" font-size="12" '
        f'fill="#22262b"><rect width="{_WIDTH}" height="{height}" fill="#fdfcf9"/>'
        f"{''.join(body)}</svg>"
    )


def longest_first(rows: Sequence[DensityRow], per: Per) -> list[tuple[Ratio, DensityRow]]:
    """Return the rows that have the ratio, each behind it, the largest first."""
    shown = [(ratio, row) for row in rows if (ratio := row.ratio(per)) is not None]
    return sorted(shown, key=lambda pair: -pair[0].value)


def labels_of(rows: Sequence[DensityRow]) -> list[str]:
    """Return what tells each row from the others: language, kind of content, tokenizer.

    Example:
        >>> from contextkit import density
        >>> found = density(["你好", "Hello, how are you?"], tokenizers=["gpt-4o"])
        >>> labels_of([row for [row] in found.lines()])
        ['zh-Hans', 'en']
    """
    kinds = [(row.language, row.content, row.tokenizer) for row in rows]
    telling = [len(set(column)) > 1 for column in zip(*kinds, strict=True)]
    return [" · ".join(_told(kind, telling)) or _whole(kind) for kind in kinds]


def _told(kind: tuple[str | None, ...], telling: Sequence[bool]) -> Iterator[str]:
    return (part or "all" for part, tells in zip(kind, telling, strict=True) if tells)


def _whole(kind: tuple[str | None, ...]) -> str:
    return " · ".join(part for part in kind[:2] if part) or "all"


def _line(top: int, ratio: Ratio, label: str, scale: float, colour: str) -> Iterator[str]:
    base, end = top + 15, _LABEL + ratio.value * scale
    yield f'<text x="{_LABEL - 8}" y="{base}" text-anchor="end">{text(label)}</text>'
    width = ratio.value * scale
    yield f'<rect x="{_LABEL}" y="{top + 4}" width="{width:.1f}" height="14" fill="{colour}"/>'
    if ratio.low is not None and ratio.high is not None:
        low, end = _LABEL + ratio.low * scale, _LABEL + ratio.high * scale
        path = f"M{low:.1f} {top + 11}H{end:.1f}M{low:.1f} {top + 7}v8M{end:.1f} {top + 7}v8"
        yield f'<path d="{path}" stroke="#22262b" fill="none"/>'
    yield f'<text x="{end + 6:.1f}" y="{base}">{text(ratio)}</text>'
