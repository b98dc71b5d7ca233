"""Hypothesis profiles, the real data, and the README as tests."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "contextkit", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("contextkit")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; without the variable these tests are skipped."""
    named = os.environ.get("CONTEXTKIT_DATA")
    if not named:
        pytest.skip("CONTEXTKIT_DATA is not set")
    folder = Path(named)
    assert folder.is_dir(), f"CONTEXTKIT_DATA names {named}, which is no folder"
    return folder


@pytest.fixture(scope="session")
def trajectories(data: Path) -> list[list[dict[str, Any]]]:
    """Every real history in OpenAI chat format."""
    files = sorted(data.glob("trajectories/*.jsonl.gz"))
    assert files, f"no trajectories in {data}"
    return [
        record["messages"]
        for file in files
        for record in _records(file)
        if record["format"].startswith("openai")
    ]


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
