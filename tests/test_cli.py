"""The commands on files as users have them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextkit import Memory, count, remember, sample_history, trim
from contextkit.cli import main

BODY: dict[str, Any] = {
    "model": "gpt-4o",
    "temperature": 0.2,
    "messages": [
        {"role": "system", "content": "Be brief."},
        *({"role": "user", "content": f"Question {n}: 你好？"} for n in range(50)),
    ],
}


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(main, [str(a) for a in arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def history(tmp_path: Path) -> Path:
    file = tmp_path / "history.json"
    file.write_text(json.dumps(sample_history(), ensure_ascii=False, indent=2), "utf-8")
    return file


def lines(tmp_path: Path, *records: Any, name: str = "talks.jsonl") -> Path:
    file = tmp_path / name
    text = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in records)
    file.write_text(text + "\n", "utf-8")
    return file


# trim


def test_trim_prints_the_messages_to_send(history: Path) -> None:
    result = run("trim", history, "--max-tokens", "1500")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == trim(sample_history(), max_tokens=1_500).messages
    assert "林晓雨" not in result.stdout
    assert "晓雨" in result.stdout, "Chinese is written as it is"


def test_trim_keeps_the_other_keys_of_a_request_body(tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(BODY), "utf-8")
    sent = json.loads(run("trim", file, "--max-tokens", "200").stdout)
    assert {**sent, "messages": None} == {**BODY, "messages": None}
    assert sent["messages"] == trim(BODY["messages"], max_tokens=200).messages


def test_trim_reads_standard_input_and_writes_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = run("trim", "-", "--max-tokens", "200", "-o", out, stdin=json.dumps(BODY["messages"]))
    assert result.stdout == ""
    assert json.loads(out.read_text("utf-8"))[0] == BODY["messages"][0]


def test_trim_explains(history: Path) -> None:
    text = run("trim", history, "--max-tokens", "1500", "--format", "text").stdout
    assert text.startswith("43 messages with")
    both = run("trim", history, "--max-tokens", "1500", "--explain")
    assert json.loads(both.stdout)
    assert "43 messages with" in both.stderr


def test_trim_prints_every_decision_as_json_and_csv(history: Path) -> None:
    plain = json.loads(run("trim", history, "--max-tokens", "1500", "--format", "json").stdout)
    table = run("trim", history, "--max-tokens", "1500", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["action"] for row in rows] == [step["action"] for step in plain["steps"]]
    assert run("trim", history, "--max-tokens", "1500", "-q").stdout == f"{plain['tokens']}\n"


def test_trim_takes_windows_and_chains(history: Path) -> None:
    sent = json.loads(run("trim", history, "--turns", "2").stdout)
    assert [m["role"] for m in sent].count("user") == 2
    few = json.loads(run("trim", history, "--messages", "5").stdout)
    assert len(few) <= 5
    chained = run(
        "trim", history, "-s", "tool-results", "-s", "budget",
        "--result-tokens", "60", "--max-tokens", "1500",
    )  # fmt: skip
    assert "characters removed" in chained.stdout
    assert run("trim", history, "--max-tokens", "1500", "--low-water", "0.5", "-q").exit_code == 0


def test_trim_of_what_cannot_fit_exits_with_1_and_says_why(history: Path) -> None:
    result = run("trim", history, "--max-tokens", "20")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "have to stay, the limit is 20" in result.stderr
    shortened = run("trim", history, "--max-tokens", "90", "--on-overflow", "truncate", "-q")
    assert int(shortened.stdout) <= 90


def test_a_pinned_message_stays(history: Path) -> None:
    sent = json.loads(run("trim", history, "--max-tokens", "500", "--pin", "1").stdout)
    assert sent[1] == sample_history()[1]


# count


def test_count(history: Path) -> None:
    expected = int(count(sample_history()))
    assert run("count", history, "-q").stdout == f"{expected}\n"
    assert f"{expected:,}" in run("count", history).stdout
    plain = json.loads(run("count", history, "--format", "json", "--explain").stdout)
    assert plain["tokens"] == expected == sum(part["tokens"] for part in plain["parts"])
    rows = list(csv.DictReader(io.StringIO(run("count", history, "--format", "csv").stdout)))
    assert rows[-1]["tokens"] == str(expected)
    assert "priming" in run("count", history, "--explain").stdout


def test_count_over_the_limit_exits_with_1(history: Path) -> None:
    assert run("count", history, "-q", "--max-tokens", "100000").exit_code == 0
    over = run("count", history, "-q", "--max-tokens", "100")
    assert over.exit_code == 1
    assert "over the limit of 100" in over.stderr


def test_count_of_many_histories_sums_up(tmp_path: Path) -> None:
    file = lines(tmp_path, BODY, BODY["messages"])
    text = run("count", file).stdout
    assert f"{2 * count(BODY):,}" in text
    assert run("count", file, "-q").stdout.splitlines() == [str(int(count(BODY)))] * 2


# check


def test_check_names_faults_and_exits_with_1(tmp_path: Path) -> None:
    orphan = [
        {"role": "user", "content": "x"},
        {"role": "tool", "tool_call_id": "a", "content": "x"},
    ]
    file = lines(tmp_path, BODY, orphan)
    result = run("check", file)
    assert result.exit_code == 1
    fine, faulty = result.stdout.splitlines()
    assert fine.endswith(":1: no faults")
    assert ":2: rejected: message 1: result 'a'" in faulty
    assert json.loads(run("check", file, "--format", "json").stdout)["code"] == "orphan_tool_result"
    assert "orphan_tool_result" in run("check", file, "--format", "csv").stdout


def test_risky_faults_do_not_change_the_exit_status(tmp_path: Path) -> None:
    empty = [{"role": "user", "content": "x"}, {"role": "assistant", "content": None}]
    result = run("check", lines(tmp_path, empty))
    assert result.exit_code == 0
    assert "risky" in result.stdout


# report


def test_report_of_many_histories_is_one_table(tmp_path: Path) -> None:
    file = lines(tmp_path, BODY, sample_history())
    result = run("report", file, "--by", "role", "--limit", "user=1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["place"] for row in rows} == {f"{file}:1", f"{file}:2"}
    counted = int(count(BODY)) + int(count(sample_history()))
    assert sum(int(row["tokens"]) for row in rows) == counted
    assert result.exit_code == 1
    assert [note.split(": ")[1] for note in result.stderr.splitlines()] == ["over its limit"] * 2


# memory


def test_memory_prints_what_is_known_and_where_it_was_said(history: Path) -> None:
    text = run("memory", history).stdout
    assert "林晓雨" in text
    assert "LX-20417" in text
    plain = json.loads(run("memory", history, "--format", "json").stdout)
    assert Memory.from_dict(plain) == remember(sample_history())
    rows = list(csv.DictReader(io.StringIO(run("memory", history, "--format", "csv").stdout)))
    assert {"kind": "identity", "key": "name", "messages": "1 user"}.items() <= rows[0].items()
    assert "conversation-notes" in run("memory", history, "--format", "notes").stdout


def test_memory_shows_whole_values_and_each_message_once(tmp_path: Path) -> None:
    path = f"/srv/{'very-' * 9}long/order-service.log"
    file = lines(tmp_path, [{"role": "user", "content": f"日志在 {path}，就是 {path}"}])
    [heading, _, *rows] = run("memory", file).stdout.splitlines()[1:]
    start = heading.index("value")
    shown = "".join(row[start:].split("   ")[0].strip() for row in rows)
    assert shown == path
    assert sum(row.count("0 user") for row in rows) == 1


def test_trim_compresses_and_recalls(history: Path) -> None:
    sent = run("trim", history, "-s", "summary", "--keep-turns", "2").stdout
    assert "conversation-notes" in sent
    chained = run(
        "trim", history, "-s", "summary", "-s", "recall", "-s", "budget", "--max-tokens", "1500"
    )
    assert count(json.loads(chained.stdout)) <= 1_500


# Files


def test_a_broken_line_is_reported_and_the_others_are_worked_on(tmp_path: Path) -> None:
    file = lines(
        tmp_path, BODY["messages"], '{"messages": [', "", [], {"text": 1}, BODY["messages"]
    )
    result = run("trim", file, "--max-tokens", "200")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
    notes = result.stderr.splitlines()
    assert [note.split(": ")[0].rsplit(":", 1)[1] for note in notes] == ["2", "4", "5"]
    assert "not JSON" in notes[0]
    assert "empty" in notes[1]
    assert "an object with text" in notes[2]


def test_a_broken_first_line_does_not_hide_the_others(tmp_path: Path) -> None:
    for name in ("talks.jsonl", "talks.txt"):
        result = run("count", lines(tmp_path, "{", BODY, name=name), "-q")
        assert result.exit_code == 1
        assert result.stdout == f"{int(count(BODY))}\n"
        assert f"{name}:1: not JSON" in result.stderr


def test_one_message_a_line_is_one_history(tmp_path: Path) -> None:
    file = lines(tmp_path, *BODY["messages"])
    assert run("count", file, "-q").stdout == f"{int(count(BODY['messages']))}\n"
    assert run("count", file, "-q", "--input-format", "messages").exit_code == 0
    broken = lines(tmp_path, BODY["messages"][0], "{", name="broken.jsonl")
    result = run("count", broken)
    assert result.exit_code == 1
    assert "line 2" in result.stderr


def test_compressed_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "talks.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps(BODY).encode() + b"\n" + json.dumps(BODY).encode()))
    assert len(run("count", file, "-q").stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"not json", "not JSON"),
        (b'[{"role": "user", "content": NaN}]', "NaN"),
        (b"7", "no list"),
        (b'{"a": 1}', "an object with a"),
        (b"\xff\xfe[]", "not UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b'[{"role": "asistant", "content": "x"}]', "did you mean 'assistant'?"),
        (b"[]", "empty"),
    ],
)
def test_files_that_hold_no_history(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "history.json"
    file.write_bytes(content)
    result = run("trim", file, "--max-tokens", "100")
    assert result.exit_code == 1
    assert says in result.stderr
    assert "Traceback" not in result.stderr


def test_a_byte_order_mark_and_surrogates_survive(tmp_path: Path) -> None:
    file = tmp_path / "history.json"
    text = '[{"role": "user", "content": "half \\ud83d emoji 你好"}]'
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    result = run("trim", file, "--max-tokens", "100")
    assert json.loads(result.stdout) == json.loads(text)


def test_a_file_that_is_no_archive_or_broken_off_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(json.dumps(BODY).encode())
    for data in (json.dumps(BODY).encode(), whole[: len(whole) // 2], whole[:20] + b"!" * 40):
        file = tmp_path / "history.json.gz"
        file.write_bytes(data)
        for command in (("count", "-q"), ("trim", "--max-tokens", "99"), ("check",), ("memory",)):
            result = run(*command, file)
            assert (result.exit_code, result.stdout) == (1, ""), command
            assert result.stderr.startswith(f"{file}: cannot be read: ")


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16"])
def test_another_encoding_comes_with_its_remedy(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "记录.json"
    file.write_bytes(json.dumps([{"content": "你好"}], ensure_ascii=False).encode(encoding))
    result = run("count", file)
    assert result.exit_code == 1
    assert f"iconv -f {encoding.upper()} -t UTF-8" in result.stderr


def test_a_body_without_chat_messages_is_pointed_to_convert(tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"contents": [{"role": "user", "parts": [{"text": "你好"}]}]}))
    assert run("count", file, "-q").exit_code == 0
    assert "contextkit convert FILE --to openai-chat" in run("memory", file).stderr
    chat = run("convert", file, "--to", "openai-chat").stdout
    assert run("memory", "-", stdin=chat).stdout == "stdin: nothing to remember\n"


def test_the_file_that_is_read_can_be_written(history: Path) -> None:
    expected = run("trim", history, "--max-tokens", "1500").stdout
    assert run("trim", history, "--max-tokens", "1500", "-o", history).exit_code == 0
    assert history.read_text("utf-8") == expected
    over = run("trim", history, "--max-tokens", "nothing", "-o", history)
    assert over.exit_code == 2
    assert history.read_text("utf-8") == expected


def test_what_cannot_be_written_is_one_line(history: Path, tmp_path: Path) -> None:
    for option in ("-o", "--html"):
        result = run("report", history, option, tmp_path / "nowhere" / "x")
        assert result.exit_code == 2
        [line] = result.stderr.splitlines()
        assert line == f"contextkit: {tmp_path / 'nowhere' / 'x'}: No such file or directory"


def test_wrong_use_exits_with_2(history: Path) -> None:
    unlimited = run("trim", history)
    assert unlimited.exit_code == 2
    assert "pass --max-tokens, -m" in unlimited.stderr
    nothing = run("trim", history, "--max-tokens", "0")
    assert nothing.exit_code == 2
    assert nothing.stderr == "contextkit: --max-tokens: 0 is no possible value; pass an int >= 1\n"
    assert run("report", history, "--max-tokens", "0").exit_code == 2
    assert run("count", history, "--encoding", "nope").exit_code == 2
    assert run("trim", history, "--max-tokens", "many").exit_code == 2
    assert run("trim", "no-such-file.json").exit_code == 2
    unknown = run("count", history, "-m", "gpt-4oo")
    assert unknown.exit_code == 2
    assert "did you mean" in unknown.stderr
    assert "--encoding" in unknown.stderr


def test_an_unknown_model_in_one_line_does_not_stop_the_others(tmp_path: Path) -> None:
    file = lines(tmp_path, {**BODY, "model": "mine"}, BODY)
    result = run("count", file, "-q")
    assert result.exit_code == 1
    assert result.stdout == f"{int(count(BODY))}\n"
    assert ":1: model 'mine' is unknown" in result.stderr


def test_a_body_that_no_format_fits_does_not_stop_the_others(tmp_path: Path) -> None:
    file = lines(tmp_path, {**BODY, "tools": "none"}, BODY)
    result = run("count", file, "-q")
    assert (result.exit_code, result.stdout) == (1, f"{int(count(BODY))}\n")
    assert result.stderr == f"{file}:1: tools: str is no list; pass a list of schemas\n"
    wrong = run("report", file, "--by", "colour")
    assert wrong.exit_code == 2
    assert "--by: 'colour' is no dimension" in wrong.stderr


_KEYS = st.sampled_from(
    [
        *("role", "content", "tool_calls", "tool_call_id", "id", "type", "function", "name"),
        *("arguments", "text", "parts", "messages", "contents", "input", "system", "tools"),
        *("model", "usage", "toolUse", "toolResult"),
    ]
)
_LEAVES = (
    st.none()
    | st.integers()
    | st.sampled_from(["user", "assistant", "tool", "tool_use", "function", "gpt-4o", "你好"])
)
_ANYTHING = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)
_MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "model"]), "content": _ANYTHING},
    optional={"tool_calls": _ANYTHING, "tool_call_id": _LEAVES, "parts": _ANYTHING},
)
_TALKS = st.lists(_MESSAGE | _ANYTHING, max_size=4)
_BODIES = st.builds(
    lambda key, talk, rest: {**rest, key: talk},
    st.sampled_from(["messages", "contents", "input"]),
    _TALKS | _ANYTHING,
    st.dictionaries(_KEYS, _ANYTHING, max_size=3),
)


@pytest.mark.parametrize(
    "command",
    [
        "count --explain", "trim --max-tokens 40 --on-overflow truncate",
        "trim --turns 1 -s summary -s recall -m gpt-4o --format text", "report -m gpt-4o", "memory",
        "convert --to anthropic", "convert --to openai-chat", "density",
    ],
)  # fmt: skip
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(value=st.one_of(_TALKS, _BODIES, _ANYTHING))
def test_whatever_json_a_file_holds_no_traceback_reaches_the_user(
    tmp_path: Path, command: str, value: Any
) -> None:
    name, *options = command.split()
    file = lines(tmp_path, value, BODY, name="records.jsonl")
    result = run(name, file, *options)
    assert result.exit_code in (0, 1)


# The program itself


def program(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "contextkit", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_sample_goes_through_a_pipe() -> None:
    sample = program("sample").stdout
    assert json.loads(sample) == sample_history()
    trimmed = program("trim", "-", "--max-tokens", "1500", stdin=sample)
    assert trimmed.stderr == ""
    assert json.loads(trimmed.stdout) == trim(sample_history(), max_tokens=1_500).messages


def test_help_lists_the_commands() -> None:
    text = program("--help").stdout
    assert max(map(len, text.splitlines())) <= 80
    for command in main.commands:
        assert f"  {command} " in text


@pytest.mark.parametrize("command", sorted(main.commands))
def test_the_help_of_each_command_ends_with_examples_that_it_understands(command: str) -> None:
    text = run(command, "--help").stdout
    assert "\\b" not in text
    assert max(map(len, text.splitlines())) <= 80
    _, _, examples = text.partition("Examples:\n")
    typed = [line.strip() for line in examples.splitlines()]
    assert typed
    for line in typed:
        assert any(part.split()[:2] == ["contextkit", command] for part in line.split("| "))
        for word in line.partition(f" {command} ")[2].partition("|")[0].split():
            assert not word.startswith("-") or word == "-" or f"{word}" in text, line
