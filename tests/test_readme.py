"""Every block of the README is run, in order."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

README = Path(__file__).parent.parent / "README.md"

_PYTHON = Sybil(parsers=[PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS)])
_EXAMPLES = list(_PYTHON.parse(README).examples())
_FENCES = re.findall(r"^```(\w*)$", README.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("example", _EXAMPLES, ids=lambda example: f"line {example.line}")
def test_python_block(example: Example) -> None:
    example.evaluate()


def console_commands() -> Iterator[tuple[str, str]]:
    """Each command of the console blocks with the output that is shown for it."""
    text = README.read_text("utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for part in block.split("$ ")[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def test_console_blocks(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command, shown in console_commands():
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        printed = run.stdout + run.stderr
        matches = doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS)
        assert matches, f"{command}\n{printed}"


def test_no_block_is_left_out() -> None:
    known = {"python", "console", "sh", ""}
    assert set(_FENCES) <= known, "a kind of block that no test runs"
    assert _FENCES.count("sh") == 2, "the two commands that .ci/run runs"
    assert len(_EXAMPLES) >= _FENCES.count("python") > 5
    assert len(list(console_commands())) > 5


def test_the_commands_of_ci_are_those_of_the_readme() -> None:
    script = (README.parent / ".ci" / "run").read_text("utf-8")
    for name in ("try", "test"):
        assert f"<!-- command: {name} -->" in README.read_text("utf-8")
        assert f"command_of_readme {name}" in script
    assert shutil.which("bash")
