"""The table of densities, and every form in which it can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from contextkit.densities.bootstrap import CONFIDENCE, Ratio
from contextkit.errors import OptionError

By = Literal["both", "language", "content"]
Per = Literal["character", "word", "byte", "premium"]

MEANINGS: dict[Per, str] = {
    "character": "tokens per character",
    "word": "tokens per word",
    "byte": "tokens per UTF-8 byte",
    "premium": "tokens relative to the same text in English",
}


@dataclass(frozen=True, slots=True)
class DensityRow:
    """What one tokenizer makes of the texts of one language and kind of content.

    Attributes:
        tokenizer: its name.
        language: BCP 47 tag, or a programming language; None in a total over languages.
        content: kind of content; None in a total over kinds.
        samples: number of texts.
        characters: their code points.
        words: their words; where words are not spaced (Chinese, Japanese, Thai) each character.
        bytes: their length in UTF-8.
        tokens: their tokens.
        per_character: tokens for each character; None where there are none.
        per_word: tokens for each word.
        per_byte: tokens for each byte.
        premium: tokens relative to the same texts in English; None without parallel texts, and in
            totals over languages.
    """

    tokenizer: str
    language: str | None
    content: str | None
    samples: int
    characters: int
    words: int
    bytes: int
    tokens: int
    per_character: Ratio | None
    per_word: Ratio | None
    per_byte: Ratio | None
    premium: Ratio | None

    def ratio(self, per: Per) -> Ratio | None:
        """Return the ratio of this name."""
        found: Ratio | None = getattr(self, per if per == "premium" else f"per_{per}")
        return found


@dataclass(frozen=True, slots=True)
class DensityTable:
    """Densities by tokenizer, language and kind of content, totals included.

    Attributes:
        rows: in the order in which the samples came.
        replicates: draws behind each interval.
        seed: of the random numbers.
    """

    rows: tuple[DensityRow, ...]
    replicates: int
    seed: int

    @property
    def tokenizers(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(dict.fromkeys(row.tokenizer for row in self.rows))

    def row(
        self,
        language: str | None = None,
        content: str | None = None,
        *,
        tokenizer: str | None = None,
    ) -> DensityRow:
        """Return one row.

        Args:
            language: None for the total over languages.
            content: None for the total over kinds of content.
            tokenizer: None for the first one.

        Raises:
            OptionError: there is no such row.
        """
        wanted = (tokenizer or self.tokenizers[0] if self.rows else "", language, content)
        for row in self.rows:
            if (row.tokenizer, row.language, row.content) == wanted:
                return row
        raise OptionError("row", f"none for {wanted}", f"tokenizers: {', '.join(self.tokenizers)}")

    def lines(self, by: By = "both") -> Iterator[Sequence[DensityRow]]:
        """Yield the rows of each language and kind of content, one for each tokenizer.

        Args:
            by: "both" leaves the totals out; "language" and "content" are totals.
        """
        grouped: dict[tuple[str | None, str | None], list[DensityRow]] = {}
        for row in self.rows:
            if _is_by(row, by):
                grouped.setdefault((row.language, row.content), []).append(row)
        yield from grouped.values()

    def table(self, *, by: By = "both", per: Per = "character") -> str:
        """Return the tokenizers side by side as plain text.

        Lines for which there is no such ratio (no words, no parallel text) are left out.

        Args:
            by: what a line is: a "language", a kind of "content", or "both".
            per: what is shown: tokens per "character", "word" or "byte", or the "premium".

        Raises:
            OptionError: one of them is something else.

        Example:
            >>> from contextkit import density
            >>> print(density(["人人生而自由。", "人人平等。"], tokenizers=["gpt-4o"]).table())
            tokens per character, 95 % intervals
            language  content  samples  characters  gpt-4o
            zh-Hans   prose          2          12  0.75 (0.43–1.30)
        """
        if per not in MEANINGS:
            raise OptionError("per", f"{per!r} is no measure", f"pass one of {', '.join(MEANINGS)}")
        headings = [*_labels(by), "samples", "characters", *self.tokenizers]
        body = [_line(rows, by, per) for rows in self.lines(by) if any(r.ratio(per) for r in rows)]
        title = f"{MEANINGS[per]}, {CONFIDENCE * 100:.0f} % intervals"
        return "\n".join([title, *_aligned([headings, *body], len(_labels(by)))])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; an interval is ``[low, high]``."""
        return {
            "confidence": CONFIDENCE,
            "replicates": self.replicates,
            "seed": self.seed,
            "rows": [_plain(row) for row in self.rows],
        }

    def to_csv(self) -> str:
        """Return all rows as CSV; a total has nothing for what it is a total over.

        Example:
            >>> from contextkit import density
            >>> print(density(["你好"]).to_csv().splitlines()[0][:52])
            tokenizer,language,content,samples,characters,words,
        """
        import csv
        from io import StringIO

        buffer = StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow([*_COUNTS, *(name for per in MEANINGS for name in _spread(per))])
        writer.writerows(map(_cells, self.rows))
        return buffer.getvalue()

    def to_html(self, *, title: str = "Token density") -> str:
        """Return one self-contained page with charts and all numbers."""
        from contextkit.densities.page import density_page

        return density_page(self, title)


_COUNTS = (
    "tokenizer",
    "language",
    "content",
    "samples",
    "characters",
    "words",
    "bytes",
    "tokens",
)


def _is_by(row: DensityRow, by: By) -> bool:
    has = (row.language is not None, row.content is not None)
    wanted = {"both": (True, True), "language": (True, False), "content": (False, True)}
    if by not in wanted:
        raise OptionError("by", f"{by!r} is nothing to group by", "pass language, content or both")
    return has == wanted[by]


def _labels(by: By) -> tuple[str, ...]:
    return ("language", "content") if by == "both" else (by,)


def _line(rows: Sequence[DensityRow], by: By, per: Per) -> list[str]:
    first = rows[0]
    labels = [str(getattr(first, label)) for label in _labels(by)]
    shown = ["-" if (ratio := row.ratio(per)) is None else str(ratio) for row in rows]
    return [*labels, f"{first.samples:,}", f"{first.characters:,}", *shown]


def _aligned(lines: Sequence[Sequence[str]], labels: int) -> Iterator[str]:
    """Set the lines in columns; the two numbers behind the labels go to the right.

    A Chinese character is two columns wide.
    """
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = []
        for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
            space = " " * (width - cell_len(cell))
            cells.append(space + cell if labels <= place < labels + 2 else cell + space)
        yield "  ".join(cells).rstrip()


def _plain(row: DensityRow) -> dict[str, Any]:
    plain: dict[str, Any] = {name: getattr(row, name) for name in _COUNTS}
    for per in MEANINGS:
        name, ratio = _spread(per)[0], row.ratio(per)
        plain[name] = None if ratio is None else ratio.value
        known = ratio is not None and ratio.low is not None
        plain[f"{name}_interval"] = [ratio.low, ratio.high] if ratio and known else None
    return plain


def _cells(row: DensityRow) -> list[object]:
    cells: list[object] = [getattr(row, name) for name in _COUNTS]
    for per in MEANINGS:
        ratio = row.ratio(per)
        cells += (None, None, None) if ratio is None else (ratio.value, ratio.low, ratio.high)
    return ["" if cell is None else cell for cell in cells]


def _spread(per: Per) -> tuple[str, str, str]:
    name = per if per == "premium" else f"per_{per}"
    return name, f"{name}_low", f"{name}_high"
