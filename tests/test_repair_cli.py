"""``contextkit check --provider`` and ``contextkit repair`` on files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from contextkit.cli import main

OPEN_CALL: list[dict[str, Any]] = [
    {"role": "user", "content": "部署一下"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "d1", "type": "function", "function": {"name": "deploy", "arguments": "{}"}}
        ],
    },
    {"role": "user", "content": "先停"},
]
GREETING = [{"role": "assistant", "content": "您好！"}, {"role": "user", "content": "嗨"}]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def lines(tmp_path: Path, *records: Any) -> Path:
    file = tmp_path / "talks.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return file


def test_check_by_the_rules_of_a_provider(tmp_path: Path) -> None:
    file = lines(tmp_path, GREETING)
    assert run("check", file).exit_code == 0
    faulty = run("check", file, "--provider", "anthropic")
    assert faulty.exit_code == 1
    assert "first_not_user" in faulty.stdout
    wrong = run("check", file, "--provider", "antropic")
    assert wrong.exit_code == 2
    assert "anthropic" in wrong.output


def test_check_takes_a_body_in_the_format_of_the_provider(tmp_path: Path) -> None:
    called = {"functionCall": {"name": "f", "args": {}}}
    contents = [{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [called]}]
    result = run("check", lines(tmp_path, {"contents": contents}), "--provider", "gemini")
    assert "message 1: call 'f' has no result" in result.stdout


def test_repair_prints_the_messages_in_the_shape_they_came_in(tmp_path: Path) -> None:
    result = run("repair", lines(tmp_path, {"id": 7, "messages": OPEN_CALL}, GREETING))
    first, second = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 0
    assert first["id"] == 7
    assert [m["role"] for m in first["messages"]] == ["user", "assistant", "tool", "user"]
    assert second == GREETING
    assert "部署" in result.stdout
    removed = run("repair", lines(tmp_path, OPEN_CALL), "--unanswered", "remove")
    assert json.loads(removed.stdout) == [OPEN_CALL[0], OPEN_CALL[2]]


def test_repair_lists_its_changes(tmp_path: Path) -> None:
    file = lines(tmp_path, OPEN_CALL, GREETING)
    told = run("repair", file, "--format", "text").stdout.splitlines()
    assert told[0].endswith("message 1: a placeholder put for the result [unanswered_tool_call]")
    assert told[1].endswith("nothing to mend")
    (change,) = run("repair", file, "--format", "json").stdout.splitlines()
    assert json.loads(change)["code"] == "unanswered_tool_call"
    assert len(run("repair", file, "--format", "csv").stdout.splitlines()) == 2


def test_what_is_left_is_named_and_changes_the_exit_status(tmp_path: Path) -> None:
    result = run("repair", lines(tmp_path, [{"role": "usr", "content": "?"}]))
    assert result.exit_code == 1
    assert "left: message 0: unknown role 'usr'" in result.stderr


def test_check_and_repair_take_files_of_every_format(tmp_path: Path) -> None:
    called = {"functionCall": {"name": "f", "args": {}}}
    asked = {"role": "user", "parts": [{"text": "看看"}]}
    gemini = {"contents": [asked, {"role": "model", "parts": [called]}], "generationConfig": {}}
    item = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
    responses = {"model": "gpt-5", "input": [{"role": "user", "content": "q"}, item]}
    block = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
    turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [block]}]
    anthropic = {"system": "Be brief.", "messages": turns}
    for provider, body, key in (
        ("gemini", gemini, "contents"),
        ("openai", responses, "input"),
        ("anthropic", anthropic, "messages"),
    ):
        file = lines(tmp_path, body, body[key])
        checked = run("check", file, "--provider", provider)
        assert checked.stdout.count("[unanswered_tool_call]") == 2
        mended = run("repair", file, "--provider", provider)
        assert mended.exit_code == 0
        whole, listed = map(json.loads, mended.stdout.splitlines())
        assert list(whole) == list(body)
        assert whole[key] == listed
        assert len(listed) == 3
        again = lines(tmp_path, whole, listed)
        assert run("check", again, "--provider", provider).exit_code == 0
