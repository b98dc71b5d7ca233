"""Measure samples: tokens for each character, word and byte, and beside English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from contextkit.counting.vocabularies import repaired
from contextkit.densities.bootstrap import Ratio, ratios
from contextkit.densities.samples import Sample, as_sample
from contextkit.densities.table import DensityRow, DensityTable
from contextkit.densities.tallies import Cell, Tallies, Tally
from contextkit.densities.tokenizers import Measure, Tokenizers, measures_of
from contextkit.errors import SampleError
from contextkit.options import whole_number
from contextkit.text import words

_SIZES = 3
"""Characters, words and bytes stand in front of the tokens."""


def density(
    samples: Iterable[object],
    *,
    tokenizers: Tokenizers = ("o200k_base", "cl100k_base"),
    replicates: int = 1_000,
    seed: int = 0,
) -> DensityTable:
    """Measure how many tokens texts take, by language and kind of content.

    Args:
        samples: strings, `Sample` objects, or mappings with ``text`` and any of ``language``,
            ``content`` and ``group``; labels that are missing are found. They are read once, one
            at a time, and not kept.
        tokenizers: side by side: names of vocabularies ("o200k_base", "qwen") or models ("gpt-4o"),
            paths of ``tokenizer.json`` files, functions of a text that return its tokens. A mapping
            gives them names of your own.
        replicates: how often the bootstrap draws samples anew.
        seed: of its random numbers; the same seed gives the same intervals.

    Returns:
        One row for each tokenizer, language and kind of content, and for each total.

    Raises:
        SampleError: a sample cannot be read or counted, with its index.
        OptionError: there is no tokenizer, or one counts nothing.
        UnknownModel: a name is neither a vocabulary nor a model.
        TokenizerMissing: a vocabulary is not here.

    Example:
        >>> same = [
        ...     {"text": "Where is my parcel?", "language": "en", "group": "1"},
        ...     {"text": "我的包裹在哪里？", "language": "zh-Hans", "group": "1"},
        ... ]
        >>> row = density(same, tokenizers=["o200k_base"]).row("zh-Hans")
        >>> row.tokens, row.characters, row.per_character.value, row.premium.value
        (6, 8, 0.75, 1.2)
    """
    measures = measures_of(tokenizers)
    whole_number("replicates", replicates, 100)
    tallies = Tallies()
    for index, value in enumerate(samples):
        _add(tallies, as_sample(value, index), index, measures)
    rows = [
        row
        for cell, tally in tallies.cells.items()
        for row in _rows(cell, tally, tallies, list(measures), replicates, seed)
    ]
    return DensityTable(tuple(rows), replicates, seed)


def _add(tallies: Tallies, sample: Sample, index: int, measures: Mapping[str, Measure]) -> None:
    text = sample.text
    sizes = (len(text), words(text, sample.language), len(repaired(text).encode()))
    tokens = [_tokens(sample, index, name, measure) for name, measure in measures.items()]
    tallies.add(sample.language, sample.content, sample.group, sizes, tokens)


def _tokens(sample: Sample, index: int, name: str, measure: Measure) -> int:
    """Count one sample; whatever goes wrong is said to have happened to it."""
    try:
        tokens = measure(sample.text)
    except Exception as error:
        found = f"{name} fails on {_shown(sample)}: {type(error).__name__}: {error}"
        raise SampleError(index, found, "mend what counts, or leave the sample out") from error
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        found = f"{name} returned {tokens!r} for {_shown(sample)}"
        raise SampleError(index, found, "return an int of 0 or more")
    return tokens


def _shown(sample: Sample) -> str:
    start = " ".join(sample.text[:40].split())
    return f"{start!r} ({sample.language}, {sample.content})"


def _rows(
    cell: Cell, tally: Tally, tallies: Tallies, names: list[str], replicates: int, seed: int
) -> Iterator[DensityRow]:
    """The rows of one cell, one for each tokenizer."""
    columns = range(_SIZES, _SIZES + len(names))
    pairs = [(column, size) for column in columns for size in range(_SIZES)]
    found = ratios(tally.bundles, pairs, replicates=replicates, seed=seed)
    premiums = _premiums(tallies.beside_english(cell), len(names), replicates, seed)
    sums = [sum(column) for column in zip(*tally.bundles, strict=True)]
    for place, name in enumerate(names):
        character, word, byte = found[place * _SIZES : (place + 1) * _SIZES]
        yield DensityRow(
            tokenizer=name,
            language=cell[0],
            content=cell[1],
            samples=tally.samples,
            characters=sums[0],
            words=sums[1],
            bytes=sums[2],
            tokens=sums[_SIZES + place],
            per_character=character,
            per_word=word,
            per_byte=byte,
            premium=premiums[place],
        )


def _premiums(pairs: Tally, names: int, replicates: int, seed: int) -> list[Ratio | None]:
    beside = [(column, column + names) for column in range(names)]
    return ratios(pairs.bundles, beside, replicates=replicates, seed=seed)
