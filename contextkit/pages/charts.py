"""Charts: shapes in SVG, words around them in HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contextkit.pages.document import text

_COLOURS = 8
"""Colours of the style sheet, ``c0`` to ``c7``."""

_WIDTH = 1000
"""Units across every shape; the page stretches them to its own width."""

_HEIGHT = 100


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a stacked bar.

    Attributes:
        label: what it is, plain text.
        value: its length, 0 or more.
        shown: its value in words; "" writes the number.
        colour: 0 to 7, or None for what is left over (grey).
    """

    label: str
    value: float
    shown: str = ""
    colour: int | None = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a bar chart.

    Attributes:
        label: what it is, plain text.
        value: its length, 0 or more.
        shown: its value in words; "" writes the number.
        low: lower end of an interval around the value; None without one.
        high: upper end of it.
        colour: 0 to 7.
    """

    label: str
    value: float
    shown: str = ""
    low: float | None = None
    high: float | None = None
    colour: int = 0


def share_bar(segments: Sequence[Segment]) -> str:
    """Return one bar, stacked from ``segments``, with its legend.

    Example:
        >>> share_bar([Segment("system", 30), Segment("free", 70, colour=None)]).count("<rect")
        4
    """
    total = sum(segment.value for segment in segments) or 1
    pieces, start = [], 0.0
    for segment in segments:
        width = _WIDTH * segment.value / total
        pieces.append(_rectangle(start, 0, width, _HEIGHT, _colour(segment.colour), _said(segment)))
        start += width
    keys = "".join(_key(segment.colour, _said(segment)) for segment in segments)
    return f'<div class="share">{_svg(pieces)}</div>\n<ul class="legend">{keys}</ul>'


def bars(rows: Sequence[Bar]) -> str:
    """Return horizontal bars on one scale, with whiskers where a row has an interval.

    Example:
        >>> "1.5" in bars([Bar("zh", 1.5, low=1.4, high=1.6), Bar("en", 1.0)])
        True
    """
    longest = max((max(row.value, row.high or 0) for row in rows), default=0) or 1
    return f'<div class="bars">{"".join(_bar(row, _WIDTH / longest) for row in rows)}</div>'


def columns(
    values: Sequence[Mapping[str, float]], *, first: str, last: str, names: Sequence[str] = ()
) -> str:
    """Return a stacked column for each mapping of a name to its height, with a legend.

    Args:
        values: one mapping a column.
        first: what stands below the first column.
        last: what stands below the last one.
        names: in the order of their colours, all of them; () takes the order of appearance.

    Example:
        >>> columns([{"user": 3, "tool": 9}, {"user": 5}], first="1", last="2").count("<rect")
        5
    """
    names = names or list(dict.fromkeys(name for column in values for name in column))
    top = max((sum(column.values()) for column in values), default=0) or 1
    pieces: list[str] = []
    for place, column in enumerate(values):
        pieces.extend(_column(place, column, names, _WIDTH / len(values), _HEIGHT / top))
    keys = "".join(_key(place % _COLOURS, name) for place, name in enumerate(names))
    return f'{_plot(pieces, top, first, last)}\n<ul class="legend">{keys}</ul>'


def lines(series: Mapping[str, Sequence[float]], *, first: str, last: str) -> str:
    """Return one line for each named row of numbers, all from the left to the right edge.

    Args:
        series: the numbers by name; each colour follows the order. A row without numbers is left
            out and keeps its colour.
        first: what stands below the left end.
        last: what stands below the right end.

    Example:
        >>> lines({"sent": [1, 2, 3]}, first="call 1", last="call 3").count("<polyline")
        1
    """
    top = max((max(row, default=0) for row in series.values()), default=0) or 1
    drawn = [(place, name, row) for place, (name, row) in enumerate(series.items()) if row]
    pieces = [_line(place, row, _HEIGHT / top) for place, _, row in drawn]
    keys = "".join(_key(place % _COLOURS, name) for place, name, _ in drawn)
    return f'{_plot(pieces, top, first, last)}\n<ul class="legend">{keys}</ul>'


def _bar(row: Bar, scale: float) -> str:
    shown = text(row.shown or f"{row.value:,}")
    label = f"{row.label}: {row.shown or row.value}"
    pieces = [_rectangle(0, 15, row.value * scale, 70, _colour(row.colour), label)]
    if row.low is not None and row.high is not None:
        pieces.append(_whisker(row.low * scale, row.high * scale))
    return (
        f'<span class="label">{text(row.label)}</span><span class="bar">{_svg(pieces)}</span>'
        f'<span class="value">{shown}</span>'
    )


def _whisker(low: float, high: float) -> str:
    ends = "".join(f"M{x:.1f} 30V70" for x in (low, high))
    path = f"M{low:.1f} 50H{high:.1f}{ends}"
    return f'<path class="mark" d="{path}" fill="none" vector-effect="non-scaling-stroke"/>'


def _column(
    place: int, column: Mapping[str, float], names: Sequence[str], width: float, scale: float
) -> list[str]:
    pieces, top = [], float(_HEIGHT)
    for colour, name in enumerate(names):
        value = column.get(name, 0)
        height = value * scale
        top -= height
        said = f"{place + 1}: {name} {value:,}"
        if value:
            pieces.append(
                _rectangle(place * width, top, width * 0.9, height, _colour(colour), said)
            )
    return pieces


def _line(place: int, row: Sequence[float], scale: float) -> str:
    step = _WIDTH / max(1, len(row) - 1)
    points = " ".join(f"{i * step:.1f},{_HEIGHT - y * scale:.1f}" for i, y in enumerate(row))
    colour = _colour(place % _COLOURS)
    stroke = 'stroke-width="2" vector-effect="non-scaling-stroke"'
    return f'<polyline class="{colour}" points="{points}" {stroke}/>'


def _plot(pieces: Sequence[str], top: float, first: str, last: str) -> str:
    scale = "".join(f"<span>{_number(top * part)}</span>" for part in (1, 0.5, 0))
    ends = f"<span>{text(first)}</span><span>{text(last)}</span>"
    return (
        f'<div class="plot"><div class="scale">{scale}</div>{_svg([*_rules(), *pieces])}'
        f'<div class="ends">{ends}</div></div>'
    )


def _rules() -> list[str]:
    stroke = 'vector-effect="non-scaling-stroke"'
    return [f'<path class="rule" d="M0 {y}H{_WIDTH}" {stroke}/>' for y in (0, 50, _HEIGHT)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == 0 else f"{value:.2g}"


def _svg(pieces: Sequence[str]) -> str:
    box = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" role="img"'
    return f"<svg {box}>{''.join(pieces)}</svg>"


def _rectangle(x: float, y: float, width: float, height: float, colour: str, said: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect class="{colour}" {place}><title>{text(said)}</title></rect>'


def _key(colour: int | None, words: str) -> str:
    square = f'<svg viewBox="0 0 1 1"><rect class="{_colour(colour)}" width="1" height="1"/></svg>'
    return f"<li>{square}{text(words)}</li>"


def _said(segment: Segment) -> str:
    return f"{segment.label} {segment.shown or format(segment.value, ',')}"


def _colour(place: int | None) -> str:
    return "rest" if place is None else f"c{place % _COLOURS}"
