"""Add up samples as they come, in as much memory as there are kinds of them, however many come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Cell = tuple[str | None, str | None]
"""A language and a kind of content; None stands for all of them."""

BUNDLES = 2_000
"""Sums kept for one cell. From this many samples on, each is added to one of them in turn, and the
bundles are resampled in the samples' place: the interval is the same but for some percent of its
width, and neither time nor memory grows with the corpus."""


@dataclass(slots=True)
class Tally:
    """The sums of one cell.

    Attributes:
        samples: how many were added.
        bundles: the numbers of each sample, or of each bundle of samples.
    """

    samples: int = 0
    bundles: list[list[int]] = field(default_factory=list)

    def add(self, numbers: Sequence[int]) -> None:
        """Add the numbers of one sample."""
        if self.samples < BUNDLES:
            self.bundles.append(list(numbers))
        else:
            bundle = self.bundles[self.samples % BUNDLES]
            bundle[:] = map(sum, zip(bundle, numbers, strict=True))
        self.samples += 1


@dataclass(slots=True)
class Tallies:
    """The sums of every cell and every total, and the tokens of parallel texts.

    What is parallel is kept by text and language until the end: memory grows with the number of
    parallel texts, not with their length.
    """

    cells: dict[Cell, Tally] = field(default_factory=dict)
    _groups: dict[str, dict[Cell, list[int]]] = field(default_factory=dict)

    def add(
        self, language: str, content: str, group: str, sizes: Sequence[int], tokens: Sequence[int]
    ) -> None:
        """Add one sample.

        Args:
            language: its language.
            content: its kind of content.
            group: the parallel text that it is a version of; "" for none.
            sizes: its characters, words and bytes.
            tokens: its tokens, one number for each tokenizer.
        """
        numbers = (*sizes, *tokens)
        for cell in ((language, content), (language, None), (None, content), (None, None)):
            self.cells.setdefault(cell, Tally()).add(numbers)
        for kind in (content, None) if group else ():
            texts = self._groups.setdefault(group, {})
            texts[language, kind] = _sum(texts.get((language, kind)), tokens)

    def beside_english(self, cell: Cell) -> Tally:
        """Return the tokens of a cell's texts that are there in English too, then the English ones.

        Languages taken together have no common English text to stand beside.
        """
        tally = Tally()
        for own, english in self._pairs(cell):
            tally.add([*own, *english])
        return tally

    def _pairs(self, cell: Cell) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        language, content = cell
        for texts in self._groups.values() if language is not None else ():
            own, english = texts.get(cell), texts.get(("en", content))
            if own is not None and english is not None:
                yield own, english


def _sum(held: list[int] | None, added: Sequence[int]) -> list[int]:
    return list(added) if held is None else list(map(sum, zip(held, added, strict=True)))
