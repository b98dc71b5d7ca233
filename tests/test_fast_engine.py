"""The faster engine: equal to tiktoken on everything, or not used."""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit.counting.fast import faster
from contextkit.counting.texts import exact_measure

ENCODINGS = ("o200k_base", "cl100k_base")

needs_toktok = pytest.mark.skipif(
    importlib.util.find_spec("toktok") is None, reason="contextkit[fast] is not installed"
)

_ALPHABET = (
    *map(chr, (0x17F, 0x212A, 0x88F, 0xC5C, 0x1ACF, 0xA7D2, 0x10D4A, 0x16EA0, 0x323B0, 0x1F600)),
    *"'’sStTlLrReEvVmMdD  \n\t!?aé12你あ한ك",
    "'s",
    "'ll",
    "\ud83d",
)


def both(name: str, text: str) -> tuple[int, int]:
    return faster(name, exact_measure)(text), exact_measure(name)(text)


@needs_toktok
@pytest.mark.parametrize("name", ENCODINGS)
def test_every_character_in_awkward_places(name: str) -> None:
    measure, exact = faster(name, exact_measure), exact_measure(name)
    for code in (c for c in range(0x110000) if not 0xD800 <= c < 0xE000):
        text = "{0}'s a{0}b '{0} 1{0} {0}{0}'ll !{0}".format(chr(code))
        if code < 0x3000 or code % 97 == 0 or 0xA000 <= code < 0x12000:
            assert measure(text) == exact(text), hex(code)


@needs_toktok
@pytest.mark.parametrize("name", ENCODINGS)
def test_random_strings_of_awkward_characters(name: str) -> None:
    draw = random.Random(11)
    for _ in range(20_000):
        fast, exact = both(name, "".join(draw.choices(_ALPHABET, k=draw.randint(1, 14))))
        assert fast == exact


@given(st.text(), st.sampled_from(ENCODINGS))
def test_any_text(text: str, name: str) -> None:
    fast, exact = both(name, text)
    assert fast == exact


@needs_toktok
def test_very_long_runs() -> None:
    for text in (" " * 1_500_000 + "x", "a" * 300_000, "\n" * 400_000):
        fast, exact = both("o200k_base", text)
        assert fast == exact


@needs_toktok
@pytest.mark.data
def test_real_texts(data: Path) -> None:
    for file in sorted(data.glob("text/*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                fast, exact = both("o200k_base", json.dumps(json.loads(line), ensure_ascii=False))
                assert fast == exact


def test_without_it_tiktoken_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "toktok", None)
    assert faster("o200k_base", exact=lambda name: len) is len
