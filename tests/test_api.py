"""The package as others see it: exported names, what an import loads, the wheel."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

import contextkit

ROOT = Path(__file__).parent.parent


def python(code: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
        env={**os.environ, **environment},
    )
    return run.stdout


def test_all_names_are_there_sorted_and_documented() -> None:
    assert contextkit.__all__ == sorted(contextkit.__all__)
    for name in contextkit.__all__:
        assert getattr(contextkit, name).__doc__, name
    assert set(contextkit.__all__) <= set(dir(contextkit))


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'trimm'"):
        contextkit.trimm  # noqa: B018


def test_names_for_type_checkers_and_at_run_time_are_the_same() -> None:
    homes = {name for names in contextkit._HOMES.values() for name in names}
    assert homes == set(contextkit.__all__)


def test_the_import_loads_nothing_heavy() -> None:
    code = "import sys, contextkit, json; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.split(".")[0] for name in json.loads(python(code))}
    assert loaded.isdisjoint(
        {"tiktoken", "tokenizers", "numpy", "pydantic", "asyncio", "rich", "click", "regex"}
    )


def test_trimming_with_ones_own_counter_loads_no_tokenizer() -> None:
    code = (
        "import sys, contextkit\n"
        "contextkit.trim([{'role': 'user', 'content': 'x'}], max_tokens=9, counter=lambda m: 1)\n"
        "print(sorted({'tiktoken', 'rich', 'click', 'regex'} & set(sys.modules)))"
    )
    assert python(code).strip() == "[]"


def test_the_import_takes_at_most_as_long_again_as_python_itself() -> None:
    def seconds(code: str) -> float:
        start = time.perf_counter()
        python(code)
        return time.perf_counter() - start

    pairs = [(seconds("pass"), seconds("import contextkit")) for _ in range(9)]
    bare, with_import = map(statistics.median, zip(*pairs, strict=True))
    assert with_import <= 2 * bare


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = f"from flit_core import buildapi; print(buildapi.build_wheel({str(folder)!r}))"
    run = subprocess.run(
        [sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return folder / run.stdout.strip().splitlines()[-1]


def test_the_wheel_is_small_and_holds_all_data(wheel: Path) -> None:
    assert wheel.stat().st_size <= 3_000_000
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "contextkit/py.typed",
        "contextkit/models.toml",
        "contextkit/sample.json",
        "contextkit/counting/vocabularies/o200k_base.xz",
        "contextkit/counting/vocabularies/cl100k_base.xz",
    } <= names
    assert not any(name.startswith("tests") for name in names)


def test_the_wheel_works_apart_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import contextkit; print(contextkit.__file__);"
        "print(contextkit.trim(contextkit.sample_history(), max_tokens=1500).tokens)"
    )
    place, tokens = python(code, PYTHONPATH=str(tmp_path)).splitlines()
    assert place.startswith(str(tmp_path))
    assert 0 < int(tokens) <= 1_500


def test_the_memory_package_hands_out_its_names_one_by_one() -> None:
    import contextkit.memory

    for name in contextkit.memory.__all__:
        assert getattr(contextkit.memory, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'Memoir'"):
        contextkit.memory.Memoir  # noqa: B018
