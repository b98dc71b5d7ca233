"""report(): every token is told once, by every dimension, and limits are flagged."""

from __future__ import annotations

import csv
import io
import json
from itertools import accumulate, pairwise
from typing import Any

import pytest
from click.testing import CliRunner
from drawn import histories, texts
from hypothesis import given
from hypothesis import strategies as st

from contextkit import count, report, sample_history, trim
from contextkit.cli import main
from contextkit.counting.requests import counter_for
from contextkit.counting.texts import token_ends
from contextkit.counting.vocabulary import encoding
from contextkit.errors import OptionError
from contextkit.reports.limits import DIMENSIONS
from contextkit.reports.splitting import tokens_by_span
from contextkit.text import Span

MIXED = [
    {"role": "system", "content": "Answer briefly."},
    {"role": "user", "content": "这段代码怎么了？\n```python\nprint(1\n```\n"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "run", "arguments": '{"x": 1}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "a", "content": '{"error": "SyntaxError", "line": 1}'},
]


@given(histories())
def test_pieces_sum_to_the_count_of_every_message(messages: list[dict[str, Any]]) -> None:
    found, counted = report(messages), count(messages)
    assert found.tokens == counted
    by_message = {part.index: part.tokens for part in counted.parts if part.index is not None}
    assert {i: n for i, n in by_message.items() if n} == dict(found.tokens_by_message)


@given(histories())
def test_every_dimension_but_tools_holds_all_tokens(messages: list[dict[str, Any]]) -> None:
    found = report(messages)
    for by in DIMENSIONS:
        if by != "tool":
            assert sum(row.tokens for row in found.rows(by)) == found.tokens
    assert sum(row.tokens for row in found.rows(DIMENSIONS)) == found.tokens


def test_one_message_is_many_kinds() -> None:
    kinds = {
        row.kind for row in report(MIXED, model="gpt-4o").rows(("content", "form", "language"))
    }
    assert ("prose", "prose", "zh-Hans") in kinds
    assert ("code", "code", "zxx") in kinds
    assert any(kind[:2] == ("tool result", "json") for kind in kinds)
    assert any(kind[0] == "tool call" for kind in kinds)


def test_tools_are_named_with_their_schemas_calls_and_results() -> None:
    tool = {
        "type": "function",
        "function": {"name": "run", "description": "Run.", "parameters": {}},
    }
    found = report(MIXED, model="gpt-4o", tools=[tool])
    by_tool = {(row.kind[0], row.kind[1]) for row in found.rows(("tool", "content"))}
    expected = {("run", "tool schema"), ("run", "tool call"), ("run", "tool result")}
    assert expected <= by_tool


def test_a_token_on_a_border_goes_to_the_larger_part() -> None:
    counter = counter_for("gpt-4o")
    text = "internationalization"
    assert counter.count_text("international") == 1
    for border in range(1, len(text)):
        halves = [Span(0, border, "en", "prose"), Span(border, len(text), "en", "prose")]
        assert sum(tokens_by_span(text, halves, counter)) == counter.count_text(text)
    hello = [Span(0, 2, "en", "prose"), Span(2, 5, "en", "prose")]
    assert tokens_by_span("hello", hello, counter) == [0, 1]
    three = [Span(0, 3, "en", "prose"), Span(3, 4, "en", "prose"), Span(4, 5, "en", "prose")]
    assert tokens_by_span("hello", three, counter) == [1, 0, 0]


_LINES = st.sampled_from(
    [
        "\n",
        " ",
        "\t",
        "/",
        "word",
        "你",
        "é",
        ";",
        '"',
        "\r",
        "\x1c",
        "\u3000",
        "12",
        "\ud83d",
        "😀",
    ]
)


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4"])
@given(st.lists(_LINES, min_size=2, max_size=40).map("".join), st.data())
def test_each_token_goes_to_the_span_with_its_larger_part(
    model: str, text: str, data: st.DataObject
) -> None:
    counter = counter_for(model)
    inner = data.draw(st.sets(st.integers(1, len(text) - 1), min_size=1, max_size=5))
    found = [Span(*cut, "en", "prose") for cut in pairwise([0, *sorted(inner), len(text)])]
    ends = token_ends(counter.text.name, text)  # type: ignore[attr-defined]
    assert ends is not None
    sizes = [len(text[: span.end].encode("utf-8", "surrogatepass")) for span in found]
    owners = [_owner(start, end, sizes) for start, end in pairwise([0, *ends.tolist()])]
    assert tokens_by_span(text, found, counter) == [owners.count(n) for n in range(len(found))]


def _owner(start: int, end: int, borders: list[int]) -> int:
    """The span that holds most bytes of a token, the first of equals."""
    held = [min(end, stop) - max(start, begin) for begin, stop in pairwise([0, *borders])]
    return held.index(max(held))


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
@given(texts | st.lists(_LINES, max_size=40).map("".join))
def test_tokens_end_where_tiktoken_ends_them(name: str, text: str) -> None:
    vocabulary = encoding(name)
    tokens = vocabulary.encode_ordinary(text)
    ends = token_ends(name, text)
    assert ends is not None
    lengths = (len(vocabulary.decode_single_token_bytes(token)) for token in tokens)
    assert ends.tolist() == list(accumulate(lengths))


def test_limits_by_share_tokens_and_language() -> None:
    limits = {"tool result": 0.01, "language:zh": 1, "role:system": 10_000, "language:fr": 0}
    found = report(MIXED, model="gpt-4o", limits=limits)
    assert [over.key for over in found.exceeded] == ["tool result", "language:zh"]


@pytest.mark.parametrize(
    "limits", [{"tool resutl": 0.5}, {"prose": 1.5}, {"prose": -1}, {"prose": True}]
)
def test_limits_that_limit_nothing_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="limits"):
        report(MIXED, limits=limits)


def test_a_dimension_that_does_not_exist_is_refused() -> None:
    with pytest.raises(OptionError, match="colour"):
        report(MIXED).rows("colour")


def test_growth_reaches_all_tokens_and_headroom_completes_the_window() -> None:
    found = report(sample_history(), model="gpt-4o")
    assert found.growth[-1][2] == found.tokens
    assert found.headroom == 128_000 - found.tokens
    assert found.cost is not None
    assert found.price is not None
    assert found.cost == found.price * found.tokens / 1_000_000


def test_an_image_takes_what_the_message_lacks_without_it() -> None:
    image = {
        "type": "image_url",
        "image_url": {"url": "https://example.org/a.png", "detail": "low"},
    }
    parts = [{"type": "text", "text": "What is this?"}, image]
    found = report([{"role": "user", "content": parts}], model="gpt-4o")
    assert {row.kind[0]: row.tokens for row in found.rows("content")}["image"] == 85


def test_a_result_of_trimming_is_reported_with_its_fates() -> None:
    result = trim(sample_history(), model="gpt-4o", max_tokens=1_500)
    found = report(result, model="gpt-4o")
    assert found.tokens == result.tokens
    assert found.limit == 1_500
    page = found.to_html()
    assert "What was done, message by message" in page
    assert "TokenBudget" in page


def test_csv_and_json_hold_every_token() -> None:
    found = report(sample_history(), model="gpt-4o")
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert sum(int(row["tokens"]) for row in rows) == found.tokens
    plain = json.loads(json.dumps(found.to_dict()))
    assert sum(row["tokens"] for row in plain["by"]["role"]) == found.tokens


def test_the_page_loads_nothing_and_escapes_what_it_shows() -> None:
    hostile = [{"role": "user", "content": "<script>alert(1)</script> \ud800 & more"}]
    page = report(hostile, model="gpt-4o").to_html("<b>title</b>")
    assert "<script" not in page
    assert "<b>" not in page
    assert "http" not in page


def test_command(tmp_path: Any) -> None:
    file, page = tmp_path / "talk.json", tmp_path / "talk.html"
    file.write_text(json.dumps(sample_history(), ensure_ascii=False), encoding="utf-8")
    options = ["report", str(file), "-m", "gpt-4o", "--by", "language,content"]
    shown = CliRunner().invoke(main, [*options, "--html", str(page)])
    assert shown.exit_code == 0
    assert "2,882 of 128,000 tokens" in shown.output
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    over = CliRunner().invoke(main, ["report", str(file), "--limit", "tool result=0.01"])
    assert over.exit_code == 1
    wrong = CliRunner().invoke(main, ["report", str(file), "--limit", "tool result"])
    assert wrong.exit_code == 2
