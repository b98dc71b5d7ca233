"""Pages in a real browser: rendered, quiet, and showing the numbers of the data."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from datetime import UTC, date, datetime
from html import unescape
from pathlib import Path

import pytest

from contextkit import density, report, sample_history, sample_texts, simulate, trim
from contextkit.cli.bill_page import bill_page
from contextkit.cli.bills import Bill
from contextkit.cli.logs import Logged
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


def test_a_role_has_one_colour_on_a_page() -> None:
    page = report(sample_history(), model="gpt-4o").to_html()
    keys = re.findall(r'<li><svg[^>]*><rect class="(\w+)"[^>]*/></svg>([a-z]+)', page)
    assert {name for _, name in keys} == {"system", "user", "assistant", "tool", "priming", "free"}
    assert len(dict(keys)) == len({name for _, name in keys}) == len(set(keys))


def test_the_charts_of_a_density_page_have_titles_of_their_own() -> None:
    page = density(sample_texts(), tokenizers=["o200k_base", "cl100k_base"]).to_html()
    titles = re.findall("<h2>(.*?)</h2>", page)
    assert len(titles) == len(set(titles))
    assert "cl100k_base: tokens relative to the same text in English, by language" in titles
    assert '<span class="label">zh-Hans</span>' in page, "what all bars share is in the note"


def test_a_simulation_shows_its_strategies_and_those_within_the_limit_alone(tmp_path: Path) -> None:
    talk = [{"role": "system", "content": "请简短回答。"}]
    for n in range(90):
        talk.append({"role": "user", "content": f"第 {n} 个问题：{'为什么？' * 20}"})
        talk.append({"role": "assistant", "content": "Because. " * 30})
    replayed = simulate(talk, model="gpt-4o", max_tokens=1_500, at=date(2026, 11, 30))
    page = replayed.to_html(title="夜班")
    shown = rendered(page, tmp_path)
    assert "夜班" in shown
    assert replayed.headline() in shown
    for replay, row in zip(replayed.replays, replayed.rows(), strict=True):
        assert all(cell in shown for cell in row)
        assert f"{replay.cost:.4f} USD" in shown
    charts = re.findall(r'<div class="plot">.*?</ul>', page, re.DOTALL)
    assert [re.findall(r'class="(c\d)" points', chart) for chart in charts] == [
        ["c0", "c1", "c2"],
        ["c1", "c2"],
    ]


def test_a_bill_shows_its_models_days_and_prices(tmp_path: Path) -> None:
    bill = Bill(None, {"at": None, "currency": "USD", "output_tokens": 0})
    for n, model in enumerate(("gpt-4o", "claude-haiku-4-5", "gpt-4o")):
        moment = datetime(2026, 11, 28 + n, tzinfo=UTC)
        bill.add(Logged("log", {"input_tokens": 9_000, "output_tokens": 70}, model, moment))
    shown = rendered(bill_page(bill, "十一月"), tmp_path)
    assert "3 requests cost 0.0558 USD" in shown
    assert "2026-11-28 2026-11-30" in " ".join(shown.split())
    assert all(f"{line.cost:,.6f}" in shown for line in bill.lines.values())
    assert bill.prices()[0] in shown
