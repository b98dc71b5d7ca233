"""Content types: short texts of every kind, and real files of twenty formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn import texts
from hypothesis import given
from hypothesis import strategies as st
from records import records
from snippets import HELD_OUT, SEEN

from contextkit.text import content_of

_MEANT = {
    "html": "xml", "svg": "xml", "xml": "xml", "toml": "config", "ini": "config", "bash": "shell",
    "json": "json", "notebook-json": "json", "markdown": "markdown", "mdx": "markdown",
    "rst": "markdown", "yaml": "yaml", "csv": "csv", "log": "log", "diff": "diff",
    "base64": "base64", "hex": "base64", "uuid": "base64", "numbers": "csv", "latex-math": "math",
    "urls": "url", "emoji": "prose", "word-problems": "prose",
}  # fmt: skip
"""The content type of each kind of file in the data; any other is code."""

_COARSE = {"json": "json", "prose": "prose", "markdown": "prose", "code": "code"}


def test_the_snippets_that_the_rules_were_made_by() -> None:
    wrong = [(content, text[:40]) for content, _, text in SEEN if content_of(text)[0] != content]
    assert len(wrong) <= 0.02 * len(SEEN), wrong


def test_snippets_that_the_rules_were_not_made_by() -> None:
    right = sum(content_of(text)[0] == content for content, _, text in HELD_OUT)
    assert right / len(HELD_OUT) >= 0.9


def test_programming_languages() -> None:
    found = [(code, content_of(text)[1]) for _, code, text in (*SEEN, *HELD_OUT) if code]
    named = [(code, told) for code, told in found if told is not None]
    assert sum(code == told for code, told in named) / len(named) >= 0.8


@pytest.mark.data
@pytest.mark.parametrize("name", ["code_and_markup", "logs_csv_misc"])
def test_real_files(data: Path, name: str) -> None:
    found = [
        (_MEANT.get(r["type"], "code"), content_of(r["text"])[0])
        for r in records(data, f"text/{name}")
    ]
    assert sum(meant == told for meant, told in found) / len(found) >= 0.9


@pytest.mark.data
def test_code_prose_and_json_are_kept_apart(data: Path) -> None:
    kinds = [
        (_COARSE.get(_MEANT.get(r["type"], "code"), ""), _COARSE.get(content_of(r["text"])[0], ""))
        for name in ("code_and_markup", "logs_csv_misc", "code_installed")
        for r in records(data, f"text/{name}")
    ]
    pairs = [(meant, told) for meant, told in kinds if meant and told]
    assert sum(meant == told for meant, told in pairs) / len(pairs) >= 0.97


@pytest.mark.parametrize("text", ["", " ", "\n\n", "ok", "好的。", "Thanks!", "42"])
def test_short_messages_are_prose(text: str) -> None:
    assert content_of(text) == ("prose", None)


@given(texts | st.text(st.characters(), max_size=300))
def test_any_string_has_a_content_type(text: str) -> None:
    content, code = content_of(text)
    assert content
    assert code is None or content == "code"
