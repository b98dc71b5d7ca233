"""Pages in a real browser: rendered, quiet, and showing the numbers of the data."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from contextkit import density, report, sample_history, sample_texts, trim
from contextkit.pages import Bar, Section, Segment, bars, columns, document, lines, share_bar

CHROMIUM = shutil.which("chromium")

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--enable-logging=stderr --virtual-time-budget=2000"
)


def rendered(page: str, folder: Path) -> str:
    """The text of a page as Chromium has it, after it wrote nothing to its console."""
    if CHROMIUM is None:
        assert "CI" not in os.environ, "install chromium"
        pytest.skip("chromium is not installed")
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    command = [CHROMIUM, *_FLAGS.split(), f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    run = subprocess.run(
        [*command, file.as_uri()], capture_output=True, text=True, check=True, timeout=120
    )
    assert "CONSOLE" not in run.stderr
    return unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", run.stdout, flags=re.DOTALL))


def test_a_report_shows_the_numbers_of_its_rows(tmp_path: Path) -> None:
    result = trim(sample_history(), model="gpt-4o", max_tokens=1_500)
    found = report(result, model="gpt-4o")
    shown = rendered(found.to_html(), tmp_path)
    assert f"{found.tokens:,} of 1,500 tokens" in shown
    for by in ("language", "content", "tool"):
        for row in found.rows(by):
            assert f"{row.tokens:,} · {100 * row.share:.1f} %" in shown
    for step in result.plan.steps:
        assert step.reason in shown


def test_a_density_table_shows_its_rows(tmp_path: Path) -> None:
    table = density(sample_texts(), tokenizers=["o200k_base"])
    shown = rendered(table.to_html(), tmp_path)
    assert "zh-Hans" in shown
    assert "o200k_base" in shown


def test_charts_keep_their_order_and_lengths(tmp_path: Path) -> None:
    charts = [
        share_bar([Segment("used", 30), Segment("free", 70, colour=None)]),
        bars([Bar("中文", 1.5, low=1.4, high=1.6), Bar("English", 1.0)]),
        columns([{"user": 3}, {"user": 5, "tool": 2}], first="turn 1", last="turn 2"),
        lines({"sent": [1, 2, 3]}, first="call 1", last="call 3"),
    ]
    shown = rendered(document("Charts", [Section("All", "\n".join(charts))]), tmp_path)
    places = [shown.index(label) for label in ("used 30", "free 70", "中文", "English", "turn 2")]
    assert places == sorted(places)


def test_a_page_asks_for_nothing_from_outside() -> None:
    page = report(sample_history(), model="gpt-4o").to_html()
    assert not re.search(r"<(script|iframe|object|embed)|\bsrc=|url\(|@import", page)
    assert re.findall(r'<link[^>]+href="([^"]*)"', page) == ["data:,"]
