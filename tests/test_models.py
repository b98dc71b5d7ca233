"""The model table and its look-up."""

from __future__ import annotations

from datetime import date

import pytest

from contextkit import UnknownModel, find_model
from contextkit.counting.openai_chat import FRAMINGS, family_of
from contextkit.counting.vocabulary import OFFICIAL_SHA256
from contextkit.models import known_models


def test_every_row_is_sound() -> None:
    rows = known_models()
    assert len(rows) > 200
    for row in rows:
        assert row.name == row.name.lower()
        assert 1_000 < row.window <= 20_000_000, row
        assert row.max_output is None or 0 < row.max_output <= row.window, row
        assert row.max_input is None or 0 < row.max_input <= row.window, row
        assert row.encoding is None or row.encoding in OFFICIAL_SHA256, row
        assert row.source.startswith("https://"), row
        assert date(2026, 1, 1) < row.checked, row


def test_openai_rows_have_an_encoding() -> None:
    for row in known_models():
        assert (row.encoding is not None) == (row.provider == "openai"), row
        if row.encoding:
            assert family_of(row.name) in FRAMINGS


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("gpt-4o", "gpt-4o"),
        ("GPT-4o", "gpt-4o"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("azure/gpt-4o", "gpt-4o"),
        ("openrouter/openai/gpt-4.1-mini", "gpt-4.1-mini"),
        ("ft:gpt-4o-mini-2024-07-18:acme::abc123", "gpt-4o-mini"),
        ("gpt-5-mini-2025-08-07", "gpt-5-mini"),
        ("o3-2025-04-16", "o3"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1%3A0", "claude-sonnet-4-5"),
        ("gpt-4o-audio-preview-2024-12-17", "gpt-4o-audio-preview"),
    ],
)
def test_names_are_found_with_hosts_dates_and_marks(name: str, row: str) -> None:
    assert find_model(name).name == row


@pytest.mark.parametrize("name", ["gpt-4o-turbo-max", "gpt", "davinci", "", "/", "ft:", "gpt-4o/"])
def test_what_is_only_like_a_name_is_unknown(name: str) -> None:
    with pytest.raises(UnknownModel):
        find_model(name)
