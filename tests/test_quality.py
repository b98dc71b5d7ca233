"""The code itself: types, lint, formatting, import direction, repeated as a user would run them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    ["mypy", "ruff check --output-format concise .", "ruff format --check .", "lint-imports"],
)
def test_tool_finds_nothing(command: str) -> None:
    tool, *options = command.split()
    run = subprocess.run(
        [str(TOOLS / tool), *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
