"""Tokens for each character of real texts, by language and kind of content, in five vocabularies.

    python benchmarks/density.py FOLDER [TABLE.csv]

FOLDER holds ``*.jsonl`` or ``*.jsonl.gz`` files of texts: one JSON object a line. A parallel text
has ``articles`` (numbered texts), ``bcp47`` and ``name``; any other has ``text`` and ``type``, what
it is. Printed are all languages, the dearest first, and all kinds of content; the file takes all
numbers with their intervals. Texts are cut into samples of at most 2,000 characters, at line ends.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from contextkit import DensityRow, DensityTable, Sample, density

_TOKENIZERS = ("o200k_base", "cl100k_base", "deepseek", "qwen", "tekken")

_PIECE = 2_000


def main() -> None:
    """Print both tables and write all numbers."""
    found = density(_samples(Path(sys.argv[1])), tokenizers=_TOKENIZERS)
    for content in ("prose", None):
        _print_lines(found, content)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(found.to_csv(), "utf-8")


def _samples(folder: Path) -> Iterator[Sample]:
    for file in sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]):
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield from _of_record(json.loads(line))


def _of_record(record: dict[str, Any]) -> Iterator[Sample]:
    if "articles" not in record:
        kind = record["type"]
        yield from (Sample(piece, "various", kind) for piece in _pieces(record["text"]))
        return
    language = f"{record['bcp47']} {record['name']}"
    language = "en" if record["bcp47"] == "en" else language
    for number, text in record["articles"].items():
        yield Sample(text, language, "prose", number)


def _pieces(text: str) -> Iterator[str]:
    held = ""
    for line in text.splitlines(keepends=True):
        if held and len(held) + len(line) > _PIECE:
            yield held
            held = ""
        held += line
    if held:
        yield held


def _print_lines(found: DensityTable, content: str | None) -> None:
    """Print languages, with premiums, or kinds of content."""
    lines = [
        rows
        for rows in found.lines("both" if content else "content")
        if content is None or rows[0].content == content
    ]
    lines.sort(key=lambda rows: -_per_character(rows[0]))
    print(f"\n{'tokens per character':<44}{'samples':>8}", *(f"{t:>24}" for t in _TOKENIZERS))
    for rows in lines:
        label = (rows[0].language if content else rows[0].content) or ""
        print(f"{label[:44]:<44}{rows[0].samples:>8,}", *(f"{_shown(row):>24}" for row in rows))


def _per_character(row: DensityRow) -> float:
    return row.per_character.value if row.per_character else 0.0


def _shown(row: DensityRow) -> str:
    premium = f" x{row.premium.value:.2f}" if row.premium else ""
    return f"{row.per_character}{premium}"


if __name__ == "__main__":
    main()
