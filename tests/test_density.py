"""Density: what the numbers are, what their intervals promise, and how corpora are read."""

from __future__ import annotations

import csv
import gzip
import json
import math
import tracemalloc
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import texts
from hypothesis import given
from hypothesis import strategies as st

from contextkit import (
    OptionError,
    Sample,
    SampleError,
    TokenizerMissing,
    UnknownModel,
    count_text,
    density,
    read_corpus,
    sample_texts,
)
from contextkit.densities.bootstrap import Ratio, ratios
from contextkit.densities.tallies import BUNDLES, Tally
from contextkit.text import language_of, words

languages = st.sampled_from(["en", "zh-Hans", "ja", "python"])
contents = st.sampled_from(["prose", "code", "log"])
samples = st.builds(Sample, texts, languages, contents, st.sampled_from(["", "1", "2", "3"]))


@given(st.lists(samples, min_size=1, max_size=12))
def test_every_total_is_the_sum_of_its_rows(drawn: list[Sample]) -> None:
    table = density(drawn, replicates=100)
    for name in table.tokenizers:
        rows = [row for row in table.rows if row.tokenizer == name]
        inner = [row for row in rows if row.language is not None and row.content is not None]
        for total in rows:
            own = [
                row
                for row in inner
                if total.language in (None, row.language) and total.content in (None, row.content)
            ]
            for size in ("samples", "characters", "words", "bytes", "tokens"):
                assert getattr(total, size) == sum(getattr(row, size) for row in own)


@given(st.lists(samples, min_size=1, max_size=12))
def test_the_counts_are_those_of_the_texts(drawn: list[Sample]) -> None:
    table = density(drawn, tokenizers=["cl100k_base", "gpt-4o"], replicates=100)
    old, new = table.row(tokenizer="cl100k_base"), table.row(tokenizer="gpt-4o")
    assert old.tokens == sum(count_text(sample.text, encoding="cl100k_base") for sample in drawn)
    assert new.tokens == sum(count_text(sample.text, model="gpt-4o") for sample in drawn)
    assert new.characters == sum(len(sample.text) for sample in drawn)
    assert new.words == sum(words(sample.text, sample.language) for sample in drawn)


@given(st.lists(samples, min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_samples_does_not_matter(drawn: list[Sample], random: Any) -> None:
    table = density(drawn, replicates=100)
    shuffled = density(random.sample(drawn, len(drawn)), replicates=100)
    for row in table.rows:
        again = shuffled.row(row.language, row.content, tokenizer=row.tokenizer)
        assert (row.samples, row.tokens) == (again.samples, again.tokens)
        assert value(row.premium) == value(again.premium)
        assert value(row.per_byte) == value(again.per_byte)


def value(ratio: Ratio | None) -> float | None:
    return None if ratio is None else ratio.value


@given(st.lists(samples, min_size=1, max_size=12))
def test_the_premium_of_english_is_one_and_others_have_it_beside_english(
    drawn: list[Sample],
) -> None:
    for row in density(drawn, replicates=100).rows:
        english = {s.group for s in drawn if s.group and s.language == "en"}
        beside = [
            s
            for s in drawn
            if s.language == row.language and s.content == (row.content or s.content)
        ]
        if row.language == "en" and row.premium is not None:
            assert row.premium == Ratio(1.0, row.premium.low, row.premium.high)
        if not any(s.group in english for s in beside):
            assert row.premium is None


def test_the_premium_counts_only_texts_that_are_there_in_english() -> None:
    drawn = [
        Sample("one two", "en", "prose", "1"),
        Sample("eins zwei drei", "de", "prose", "1"),
        Sample("vier fünf sechs sieben", "de", "prose", "2"),
    ]
    row = density(drawn, tokenizers={"words": lambda text: len(text.split())}).row("de")
    assert row.tokens == 7
    assert row.premium == Ratio(1.5, None, None)


def test_the_same_seed_gives_the_same_table_and_another_one_another() -> None:
    first, second, third = (density(sample_texts(), seed=seed) for seed in (1, 1, 2))
    assert first == second
    assert first != third


# Intervals


@pytest.mark.parametrize("size", [2, 5, 8, 30])
def test_intervals_hold_the_true_ratio_as_often_as_they_say(size: int) -> None:
    generator = np.random.default_rng(7)
    held = 0
    for seed in range(400):
        characters = generator.lognormal(5, 0.6, size)
        tokens = characters * generator.lognormal(-1.2, 0.35, size)
        (ratio,) = ratios(np.stack([tokens, characters], 1).tolist(), [(0, 1)], seed=seed)
        assert ratio is not None
        assert ratio.low is not None
        assert ratio.high is not None
        held += ratio.low <= math.exp(-1.2 + 0.35**2 / 2) <= ratio.high
    assert held / 400 >= 0.9


def test_more_samples_make_narrower_intervals() -> None:
    generator = np.random.default_rng(3)
    numbers = generator.integers(5, 50, (800, 2)).tolist()
    widths = [width(ratios(numbers[:size], [(0, 1)])[0]) for size in (8, 80, 800)]
    assert widths[0] > 2 * widths[1] > 4 * widths[2]


def width(ratio: Ratio | None) -> float:
    assert ratio is not None
    assert ratio.high is not None
    assert ratio.low is not None
    return ratio.high - ratio.low


def test_bundles_give_the_interval_of_their_samples() -> None:
    generator = np.random.default_rng(5)
    numbers = generator.integers(1, 100, (3 * BUNDLES, 2)).tolist()
    tally = Tally()
    for row in numbers:
        tally.add(row)
    bundled, single = (ratios(rows, [(0, 1)])[0] for rows in (tally.bundles, numbers))
    assert len(tally.bundles) == BUNDLES
    assert value(bundled) == value(single)
    assert width(bundled) == pytest.approx(width(single), rel=0.15)


def test_one_sample_has_no_interval() -> None:
    row = density(["你好，世界"], tokenizers=["o200k_base"]).row()
    assert row.per_character == Ratio(0.6, None, None)
    assert str(row.per_character) == "0.60"


def test_nothing_at_all_is_an_empty_table() -> None:
    table = density([])
    assert table.rows == ()
    assert table.table().count("\n") == 1
    assert table.to_html().startswith("<!doctype html>")


# Labels and tokenizers


def test_labels_that_are_missing_are_found_and_given_ones_stay() -> None:
    table = density(
        [
            "请帮我查询订单的物流状态，谢谢。我的包裹应该昨天就到了。",
            {"text": "def total(prices):\n    return sum(prices)\n"},
            Sample("Where is it?", language="x-mine"),
        ],
        tokenizers=["o200k_base"],
    )
    cells = {(row.language, row.content) for row in table.rows}
    assert {("zh-Hans", "prose"), ("python", "code"), ("x-mine", "prose")} <= cells


def test_a_function_stands_beside_vocabularies_and_models() -> None:
    table = density(["你好，世界"], tokenizers=["gpt-4o", len, "cl100k_base"])
    assert table.tokenizers == ("gpt-4o", "len", "cl100k_base")
    assert [row.tokens for rows in table.lines() for row in rows] == [3, 5, 6]


def test_an_estimate_is_called_one() -> None:
    assert density(["text"], tokenizers=["grok-4"]).tokenizers == ("grok-4 (estimate)",)


@pytest.mark.parametrize(
    ("tokenizers", "error"),
    [
        ([], OptionError),
        ({}, OptionError),
        ("o200k_base", OptionError),
        ([3], OptionError),
        ([len, len], OptionError),
        (["no-such-model"], UnknownModel),
        (["missing/tokenizer.json"], TokenizerMissing),
    ],
)
def test_tokenizers_that_are_none_are_refused(tokenizers: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        density(["x"], tokenizers=tokenizers)


@pytest.mark.parametrize("bad", [3, None, {"txt": "x"}, {"text": 3}, {"text": "x", "group": 7}])
def test_what_is_no_sample_is_named(bad: object) -> None:
    with pytest.raises(SampleError, match="sample 1: ") as raised:
        density(["fine", bad])
    assert raised.value.place == 1


@pytest.mark.parametrize("answer", ["3", -1, True, None, 2.0])
def test_a_count_that_is_none_names_the_sample(answer: Any) -> None:
    with pytest.raises(SampleError, match=r"sample 0: mine returned .* \(en, prose\)"):
        density([Sample("x", "en", "prose")], tokenizers={"mine": lambda text: answer})


# Forms


def test_every_form_tells_the_same_numbers() -> None:
    table = density(sample_texts())
    rows = list(csv.DictReader(StringIO(table.to_csv())))
    plain = json.loads(json.dumps(table.to_dict()))["rows"]
    assert len(rows) == len(plain) == len(table.rows)
    for row, cells, dictionary in zip(table.rows, rows, plain, strict=True):
        assert row.tokens == int(cells["tokens"]) == dictionary["tokens"]
        assert (row.language or "") == cells["language"] == (dictionary["language"] or "")
        assert value(row.premium) == dictionary["premium"]
        assert cells["premium"] == ("" if row.premium is None else str(row.premium.value))
        assert row.per_word is not None
        assert dictionary["per_word_interval"] == [row.per_word.low, row.per_word.high]
    page = table.to_html()
    for row in table.rows:
        assert f">{row.tokens:,}<" in page
        assert str(row.per_character) in page


@pytest.mark.parametrize("wrong", [{"by": "size"}, {"per": "line"}])
def test_forms_that_do_not_exist_are_refused(wrong: Any) -> None:
    with pytest.raises(OptionError):
        density(["x"]).table(**wrong)


def test_a_table_shows_only_lines_with_the_ratio() -> None:
    shown = density(sample_texts()).table(by="language", per="premium")
    assert "zh-Hant" in shown
    assert "python" not in shown


# Built-in samples


def test_built_in_samples_say_the_same_in_every_language() -> None:
    groups: dict[str, list[str]] = {}
    for sample in sample_texts():
        groups.setdefault(sample.group, []).append(sample.language)
    groups.pop("")
    assert len(groups) == 8
    assert len({tuple(languages) for languages in groups.values()}) == 1
    assert len(set(groups["rain"])) == len(groups["rain"]) == 16


def test_built_in_samples_are_in_the_language_that_they_say() -> None:
    for sample in sample_texts():
        if sample.language in ("zh-Hans", "zh-Hant", "ja", "ko", "th", "ru", "ar", "hi", "en"):
            assert language_of(sample.text) == sample.language, sample.text


# Corpora


@given(st.lists(st.sampled_from(["第一段，很长。" * 40, "a line\r\n", "\n", "x" * 20_000])))
def test_the_pieces_of_a_text_file_are_the_file(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    file = tmp_path_factory.mktemp("corpus") / "text.txt"
    file.write_bytes("\n".join(parts).encode())
    pieces = [sample.text for sample in read_corpus([file])]
    assert "".join(pieces) == "\n".join(parts)
    assert all(len(piece) <= 33_000 for piece in pieces)


def test_folders_are_read_in_order_without_what_is_hidden_or_binary(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "b.txt").write_text("人人生而自由。", "utf-8")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"all are free"))
    (tmp_path / "inner" / "c.jsonl.gz").write_bytes(gzip.compress(b'{"text": "c", "group": "1"}\n'))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / ".hidden").write_text("secret", "utf-8")
    found = list(read_corpus([tmp_path]))
    assert [sample.text for sample in found] == ["all are free", "人人生而自由。", "c"]
    assert found[2].group == "1"


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.jsonl", b'{"text": "fine"}\n\nnot json\n', "a.jsonl:3: not JSON"),
        ("a.jsonl", b'{"txt": "x"}\n', 'a.jsonl:1: its "text" is NoneType'),
        ("a.txt", b"\xff\xfe\xff", "a.txt: not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, data: bytes, place: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(SampleError, match=place):
        list(read_corpus([tmp_path / name]))


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="is not there"):
        list(read_corpus([tmp_path / "nothing"]))


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    line = json.dumps({"text": "x" * 2_000, "language": "en", "content": "prose"}) + "\n"
    file = tmp_path / "large.jsonl.gz"
    with gzip.open(file, "wt", compresslevel=1) as stream:
        for _ in range(20):
            stream.write(line * 1_000)
    density(["x"], tokenizers=[len])
    tracemalloc.start()
    table = density(read_corpus([file]), tokenizers=[len], replicates=100)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert table.row().characters == 40_000_000
    assert peak < 30_000_000


@pytest.mark.data
def test_known_densities_of_real_texts(data: Path) -> None:
    table = density(declaration(data), tokenizers=["o200k_base", "cl100k_base"])
    chinese = table.row("zh", tokenizer="cl100k_base")
    assert chinese.premium is not None
    assert chinese.premium.value > 1.5
    modern = table.row("zh", tokenizer="o200k_base")
    assert modern.premium is not None
    assert modern.premium.high is not None
    assert chinese.premium.low is not None
    assert modern.premium.high < chinese.premium.low


def declaration(data: Path) -> Iterator[Sample]:
    with gzip.open(data / "text" / "udhr.jsonl.gz", "rt", encoding="utf-8") as lines:
        for version in map(json.loads, lines):
            if version["name"] in ("English", "Chinese, Mandarin (Simplified)"):
                for number, text in version["articles"].items():
                    yield Sample(text, version["bcp47"], "prose", number)
