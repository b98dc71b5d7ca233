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
    assert "USD per million" in result.stdout
    assert result.stdout.splitlines()[-3].split() == ["all", "12,857", "0.054399"]


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


def spoken(id: str, output_tokens: int) -> dict[str, Any]:
    """A line of an agent's log: part of a streamed answer, with all that it used so far."""
    usage = {"input_tokens": 10, "cache_read_input_tokens": 4_000, "output_tokens": output_tokens}
    message = {"id": id, "model": "claude-sonnet-4-5", "role": "assistant", "usage": usage}
    return {"type": "assistant", "timestamp": "2026-11-02T08:00:00Z", "message": message}


def test_an_answer_that_is_logged_several_times_is_one_request(tmp_path: Path) -> None:
    asked = {"type": "user", "message": {"role": "user", "content": "你好"}}
    log = [asked, spoken("msg_1", 1), spoken("msg_1", 90), spoken("msg_1", 90), spoken("msg_2", 5)]
    result = run("cost", lines(tmp_path / "session.jsonl", *log), "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(result.stdout))
    assert (row["calls"], row["input"], row["output"]) == ("2", "8020", "95")
    assert row["cost"] == "0.003885"
    assert result.exit_code == 0
    assert "1 lines without a usage were passed over" in result.stderr


def test_ids_that_providers_did_not_give_stand_for_nothing(tmp_path: Path) -> None:
    result = run("cost", lines(tmp_path / "log.jsonl", *[{**GPT, "id": "customer-7"}] * 3))
    assert "0.000371" in result.stdout


def test_one_unreadable_line_does_not_end_a_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(GPT) + "\n{broken\n" + json.dumps(GPT) + "\n", "utf-8")
    result = run("cost", str(path), "--format", "csv")
    assert result.exit_code == 1
    assert "log.jsonl:2: not JSON" in result.stderr
    assert next(csv.DictReader(io.StringIO(result.stdout)))["calls"] == "2"


def test_a_folder_without_logs_is_status_2(tmp_path: Path) -> None:
    result = run("cost", str(tmp_path))
    assert result.exit_code == 2
    assert "no .json" in result.stderr


def test_long_names_and_numbers_are_never_cut_short(tmp_path: Path) -> None:
    name = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
    result = run("cost", lines(tmp_path / "log.jsonl", GPT, {**CLAUDE, "model": name}))
    assert "…" not in result.stdout
    chat = json.dumps(sample_history() * 30, ensure_ascii=False)
    text = run("simulate", "-", "-m", "claude-sonnet-4-5", input=chat).stdout
    assert "…" not in text
    assert "every request fits as it is" in text


def test_what_may_not_be_cut_is_said_and_a_price_can_be_left_out() -> None:
    ask = {"role": "user", "content": "请解释相对论。" * 40}
    talk = json.dumps([ask, {"role": "assistant", "content": "Later."}])
    options = ["-m", "gpt-4o", "--max-tokens", "30"]
    assert "nothing may be cut" in run("simulate", "-", *options, input=talk).stdout
    unpriced = ["-m", "qwen3-8b", "--cache", "none"]
    assert run("simulate", "-", *unpriced, input=talk).exit_code == 1
    shown = run("simulate", "-", *unpriced, "--unknown", "none", input=talk)
    assert shown.exit_code == 0
    assert "no price for qwen3-8b" in shown.stderr


def test_a_page_has_every_day_between_the_first_and_the_last(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    log = lines(tmp_path / "log.jsonl", CLAUDE, GPT)
    result = run("cost", log, "--html", str(path))
    page = path.read_text("utf-8")
    assert "wrote" in result.stderr
    assert page.count("<title>11: claude-sonnet-4-5") == 1, "2026-10-01 is day 11 from 2026-09-21"
    assert "2 requests cost 0.0545 USD" in page


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
