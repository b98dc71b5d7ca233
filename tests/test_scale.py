"""Very long histories: memory, and a progress bar for those who wait."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from contextkit.cli import reading

_BUILD = (
    "import resource\n"
    "talk = [{'role': ('user', 'assistant')[n % 2], 'content': f'{n} ' + 'parcel 包裹 ' * 60}"
    " for n in range(100_001)]\n"
)
_TRIM = "import contextkit; assert contextkit.trim(talk, max_tokens=8_000).changed\n"
_PEAK = "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def peak(code: str) -> int:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(run.stdout)


def test_trimming_100_000_messages_takes_at_most_as_much_memory_again_as_they_do() -> None:
    assert peak(_BUILD + _TRIM + _PEAK) <= 2 * peak(_BUILD + _PEAK)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("long") / "talks.jsonl"
    line = json.dumps([{"role": "user", "content": "word " * 200}])
    file.write_text(f"{line}\n" * (2 * reading._BAR_FROM // len(line)))
    return file


def command(file: Path) -> list[str]:
    return [sys.executable, "-m", "contextkit", "check", str(file), "-o", "/dev/null"]


def test_a_long_file_shows_a_progress_bar_to_a_terminal(long_file: Path) -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen(command(long_file), stderr=follower, stdout=follower) as program:
        os.close(follower)
        shown = b""
        while True:
            try:
                shown += os.read(leader, 4_096)
            except OSError:  # the program has closed its side
                break
        assert program.wait() == 0
    os.close(leader)
    assert b"talks.jsonl" in shown
    assert "━".encode() in shown


def test_a_pipe_gets_no_progress_bar(long_file: Path) -> None:
    run = subprocess.run(command(long_file), capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", "")
