"""``contextkit density`` as users call it."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from contextkit import density, read_corpus, sample_texts
from contextkit.cli import main


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["density", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    lines = (
        {"text": f"第 {n} 句话。", "language": "zh-Hans", "content": "prose"} for n in range(9)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "zh.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "corpus" / "en.txt").write_text("All are born free and equal.\n", "utf-8")
    return tmp_path / "corpus"


def test_without_paths_the_built_in_samples_are_measured() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == density(sample_texts()).table() + "\n"
    assert result.stderr == ""


def test_a_folder_is_measured_by_language(corpus: Path) -> None:
    result = run(corpus, "-t", "gpt-4o", "--by", "language", "--per", "byte")
    wanted = density(read_corpus([corpus]), tokenizers=["gpt-4o"])
    assert result.stdout == wanted.table(by="language", per="byte") + "\n"
    assert "zh-Hans" in result.stdout


def test_json_csv_and_a_page(corpus: Path, tmp_path: Path) -> None:
    wanted = density(read_corpus([corpus]))
    page, output = tmp_path / "page.html", tmp_path / "table.csv"
    assert json.loads(run(corpus, "--format", "json").stdout) == wanted.to_dict()
    assert run(corpus, "--format", "csv", "-o", output, "--html", page).stdout == ""
    rows = list(csv.DictReader(io.StringIO(output.read_text("utf-8"))))
    assert [int(row["tokens"]) for row in rows] == [row.tokens for row in wanted.rows]
    assert page.read_text("utf-8") == wanted.to_html()


def test_what_cannot_be_measured_is_one_line_and_status_1(corpus: Path) -> None:
    (corpus / "broken.jsonl").write_text("{\n", "utf-8")
    result = run(corpus)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "broken.jsonl:1: not JSON" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    unknown = run("-t", "no-such-model")
    assert unknown.exit_code == 2
    assert "no-such-model" in unknown.stderr
    assert run("nothing-here").exit_code == 2


def test_a_folder_without_texts_and_a_broken_archive_are_told(tmp_path: Path) -> None:
    empty = run(tmp_path)
    assert (empty.exit_code, empty.stdout) == (1, "")
    assert f"no text in {tmp_path}" in empty.stderr
    whole = gzip.compress(b'{"text": "x"}\n')
    for name, data in (("corpus.jsonl.gz", whole[:-9]), ("notes.txt.gz", b"no archive")):
        damaged = tmp_path / name
        damaged.write_bytes(data)
        result = run(damaged)
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"{damaged}: cannot be read" in result.stderr


def test_columns_are_aligned_with_chinese_labels(corpus: Path) -> None:
    own = {"text": "一段正文。", "language": "中文", "content": "正文"}
    (corpus / "own.jsonl").write_text(json.dumps(own) + "\n", "utf-8")
    _, *lines = run(corpus).stdout.splitlines()
    assert any(line.startswith("中文 ") for line in lines)
    assert len({cell_len(line.removesuffix(line.split("  ")[-1])) for line in lines}) == 1
