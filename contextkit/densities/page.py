"""The page of a density table: a chart for each tokenizer and measure, and all numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextkit.densities.picture import labels_of, longest_first
from contextkit.densities.table import MEANINGS, By, DensityRow, DensityTable, Per
from contextkit.pages import Bar, Section, bars, document, table

_TITLES: dict[By, str] = {"language": "by language", "content": "by kind of content"}

_PROSE = "prose"


def density_page(found: DensityTable, title: str) -> str:
    """Return a table of densities as one HTML page.

    Example:
        >>> from contextkit import density
        >>> "tokens per character" in density(["你好，世界"]).to_html()
        True
    """
    return document(title, _sections(found), lead=_lead(found))


def density_bars(
    rows: Sequence[DensityRow], per: Per = "character", *, names: Sequence[str] = ()
) -> str:
    """Return a bar for each row that has the ratio, the longest first, with its interval.

    Args:
        rows: of one or of several tokenizers; each tokenizer has its colour.
        per: which ratio: tokens per "character", "word" or "byte", or the "premium".
        names: all tokenizers of a page, so that each keeps its colour; () takes those of the rows.

    Returns:
        HTML for a page of `contextkit.pages`.

    Example:
        >>> from contextkit import density
        >>> "prose" in density_bars(density(["你好"], tokenizers=["o200k_base"]).rows)
        True
    """
    named = list(names) or list(dict.fromkeys(row.tokenizer for row in rows))
    shown = longest_first(rows, per)
    labels = labels_of([row for _, row in shown])
    return bars(
        [
            Bar(
                label,
                ratio.value,
                str(ratio),
                ratio.low,
                ratio.high,
                named.index(row.tokenizer) % 8,
            )
            for (ratio, row), label in zip(shown, labels, strict=True)
        ]
    )


def _sections(found: DensityTable) -> Iterator[Section]:
    for by, title in _TITLES.items():
        for per in ("character", "premium"):
            for name in found.tokenizers:
                yield from _chart(found, name, by, per, title)
    yield Section("All numbers", _numbers(found))


def _chart(found: DensityTable, name: str, by: By, per: Per, title: str) -> Iterator[Section]:
    rows = [row for row in _shown(found, by) if row.tokenizer == name and row.ratio(per)]
    if rows:
        heading = f"{name}: {MEANINGS[per]}, {title}"
        note = "Prose." if {row.content for row in rows} == {_PROSE} else ""
        yield Section(heading, density_bars(rows, per, names=found.tokenizers), note)


def _shown(found: DensityTable, by: By) -> list[DensityRow]:
    """Languages are compared on prose where there is some: a total would mix in code."""
    if by == "content":
        return [row for rows in found.lines("content") for row in rows]
    prose = [row for rows in found.lines() for row in rows if row.content == _PROSE]
    return prose or [row for rows in found.lines("language") for row in rows]


def _numbers(found: DensityTable) -> str:
    counts = ("samples", "characters", "words", "bytes", "tokens")
    headings = ["tokenizer", "language", "content", *counts, *MEANINGS.values()]
    rows = [
        [
            row.tokenizer,
            row.language or "all",
            row.content or "all",
            *(f"{getattr(row, name):,}" for name in counts),
            *("-" if (ratio := row.ratio(per)) is None else str(ratio) for per in MEANINGS),
        ]
        for row in found.rows
    ]
    return table(headings, rows, numeric=headings[3:])


def _lead(found: DensityTable) -> str:
    totals = [r for r in found.rows if r.language is None and r.content is None]
    size = f"{totals[0].samples:,} samples, {totals[0].characters:,} characters. " if totals else ""
    tokens = ", ".join(f"{row.tokenizer} {row.tokens:,} tokens" for row in totals)
    return f"{size}{tokens}. Marks are 95 % bootstrap intervals ({found.replicates:,} draws)."
