"""``contextkit cost`` and ``contextkit simulate`` from the outside."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from contextkit import sample_history
from contextkit.cli import main

CLAUDE = {
    "model": "claude-sonnet-4-5",
    "created_at": "2026-10-01T00:00:00Z",
    "usage": {"input_tokens": 3, "cache_creation_input_tokens": 12_304, "output_tokens": 550},
}
GPT = {
    "model": "gpt-4o-mini",
    "created": 1_790_000_000,
    "usage": {
        "prompt_tokens": 1_000,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 512},
    },
}


def run(*arguments: str, input: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=input)


def lines(path: Path, *values: Any) -> str:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return str(path)


def test_a_number_of_tokens_is_priced() -> None:
    result = run("cost", "--tokens", "100000", "--output-tokens", "1000", "-m", "gpt-4o", "-q")
    assert (result.exit_code, result.stdout) == (0, "0.26\n")


def test_one_response_shows_its_parts(tmp_path: Path) -> None:
    result = run("cost", lines(tmp_path / "one.jsonl", CLAUDE))
    assert result.exit_code == 0
    assert "cache write 5m" in result.stdout
    assert "0.054399 USD" in result.stdout


def test_a_folder_of_logs_is_summed_by_model_and_day(tmp_path: Path) -> None:
    lines(tmp_path / "a.jsonl", CLAUDE, GPT)
    (tmp_path / "deeper").mkdir()
    session = [
        {"role": "user", "content": "你好"},
        {**CLAUDE, "role": "assistant", "content": "在"},
    ]
    (tmp_path / "deeper/b.json").write_text(json.dumps({"messages": session}), "utf-8")
    (tmp_path / "notes.txt").write_text("no log", "utf-8")
    result = run("cost", str(tmp_path), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [(r["model"], r["day"], r["calls"], r["cost"]) for r in rows] == [
        ("claude-sonnet-4-5", "2026-10-01", "2", "0.108798"),
        ("gpt-4o-mini", "2026-09-21", "1", "0.0001236"),
    ]
    assert json.loads(run("cost", str(tmp_path), "--format", "json").stdout)["total"] == "0.1089216"


def test_what_has_no_price_or_no_model_is_named_and_the_rest_is_summed(tmp_path: Path) -> None:
    unnamed = {"usage": GPT["usage"]}
    unknown = {**GPT, "model": "gpt-99"}
    result = run("cost", lines(tmp_path / "mixed.jsonl", unnamed, unknown, GPT))
    assert result.exit_code == 1
    assert "mixed.jsonl:1: nothing says which model" in result.stderr
    assert "mixed.jsonl:2: no price for gpt-99" in result.stderr
    assert "0.0001236" in result.stdout


def test_a_history_is_priced_as_it_would_be_sent(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(sample_history(), ensure_ascii=False), "utf-8")
    result = run("cost", str(path), "-m", "gpt-4o", "-q")
    assert (result.exit_code, result.stdout) == (0, "0.007205\n")


def test_your_own_prices_come_first(tmp_path: Path) -> None:
    row = 'model = "gpt-4o"\nprovider = "openai"\ninput = 1\noutput = 1\n'
    path = tmp_path / "mine.toml"
    path.write_text(f'[[price]]\n{row}source = "mine"\ndate = 2026-12-01\n', "utf-8")
    result = run("cost", "--tokens", "1000000", "-m", "gpt-4o", "-q", "--prices", str(path))
    assert result.stdout == "1\n"


@pytest.mark.parametrize(
    "arguments",
    [["cost"], ["cost", "--tokens", "-1"], ["cost", "--tokens", "5", "-m", "gpt-4o", "--at", "x"]],
)
def test_wrong_use_is_status_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_session_is_simulated(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    chat = json.dumps(sample_history(), ensure_ascii=False)
    result = run(
        "simulate", "-", "-m", "gpt-4o", "--max-tokens", "1500", "--html", str(page), input=chat
    )
    assert result.exit_code == 0, result.stderr
    assert "budget:0.5" in result.stdout
    assert "low_water=" in result.stdout
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_strategies_are_chosen_by_name(tmp_path: Path) -> None:
    chat = json.dumps(sample_history(), ensure_ascii=False)
    chosen = ["-s", "everything", "-s", "tool-results:50+budget:0.5", "--format", "csv"]
    result = run("simulate", "-", "-m", "gpt-4o", "--max-tokens", "1500", *chosen, input=chat)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["strategy"] for row in rows] == ["everything", "tool-results:50+budget:0.5"]
    assert int(rows[1]["input_tokens"]) < int(rows[0]["input_tokens"])
    assert [row["over"] for row in rows] == ["7", "0"]


@pytest.mark.parametrize("strategy", ["magic", "budget:2", "window:x", "budget:0.5+magic"])
def test_impossible_strategies_are_status_2(strategy: str) -> None:
    result = run("simulate", "-", "-m", "gpt-4o", "-s", strategy, input="[]")
    assert result.exit_code == 2
    assert "strategy" in result.stderr or strategy.split("+")[-1] in result.stderr


def test_a_history_without_an_answer_is_an_error() -> None:
    chat = json.dumps([{"role": "user", "content": "你好"}])
    result = run("simulate", "-", "-m", "gpt-4o", input=chat)
    assert result.exit_code != 0
    assert "no assistant message" in result.stderr
