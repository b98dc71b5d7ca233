"""Gemini counts: both servers, declarations, media, hidden thoughts."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit import Count, MessageError, count
from contextkit.counting import gemini
from contextkit.counting.vocabularies import is_installed

MODEL = "gemini-2.5-flash"

with_vocabulary = pytest.mark.skipif(not is_installed("gemma3"), reason="no Gemma vocabulary")


def body(*contents: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    return {"contents": list(contents), **options}


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def called(**extra: Any) -> dict[str, Any]:
    call = {"functionCall": {"name": "weather", "args": {"city": "Paris"}}, **extra}
    return {"role": "model", "parts": [call]}


def answered() -> dict[str, Any]:
    response = {"name": "weather", "response": {"sky": "clear"}}
    return {"role": "user", "parts": [{"functionResponse": response}]}


def total(request: Mapping[str, Any], model: str = MODEL) -> Count:
    return count(request, model=model, api="gemini")


@with_vocabulary
def test_a_text_costs_its_tokens_and_one_for_the_content() -> None:
    counted = total(body(said("Hello")))
    assert (int(counted), counted.method) == (2, "estimate")
    assert counted.low <= 1, "Vertex AI does not bill the content"


@with_vocabulary
def test_the_system_instruction_is_one_more_content() -> None:
    system = {"parts": [{"text": "Hello"}]}
    assert total(body(said("Hello"), systemInstruction=system)) == 4


@with_vocabulary
def test_gemini_2_0_bills_bare_text() -> None:
    counted = total(body(said("Hello")), "gemini-2.0-flash")
    assert (int(counted), counted.low, counted.high) == (1, 1, 1)


def test_without_the_vocabulary_a_count_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gemini, "is_installed", lambda name: False)
    counted = total(body(said("Please describe the weather in Paris in May.")))
    assert counted.method == "estimate"
    assert counted.low < counted < counted.high


def test_signatures_of_the_gemini_api_are_billed_and_those_of_vertex_are_not() -> None:
    api, vertex = "E" + "A" * 3999, "C" + "A" * 3999
    plain = total(body(said("Go"), called(), answered()), "gemini-3-flash-preview")
    signed = total(
        body(said("Go"), called(thoughtSignature=api), answered()), "gemini-3-flash-preview"
    )
    free = total(
        body(said("Go"), called(thoughtSignature=vertex), answered()), "gemini-3-flash-preview"
    )
    assert signed - plain == round(0.205 * 4000) - 25
    assert free < plain


def test_signatures_may_come_as_bytes() -> None:
    text = "E" + "A" * 3999
    parts = [called(thoughtSignature=s) for s in (text, base64.b64decode(text))]
    counts = [total(body(said("Go"), part, answered()), "gemini-3-pro-preview") for part in parts]
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("width", "height", "tiles"),
    [(300, 200, 1), (384, 384, 1), (640, 480, 5), (540, 360, 7), (3000, 2000, 13)],
)
def test_gemini_2_0_cuts_large_images_into_tiles(width: int, height: int, tiles: int) -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(8) + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    data = base64.b64encode(png).decode()
    image = {"inlineData": {"mimeType": "image/png", "data": data}}
    counted = total(body({"role": "user", "parts": [image]}), "gemini-2.0-flash")
    assert (int(counted), counted.high) == (258 * tiles, 258 * tiles)


def test_a_file_is_an_estimate_whatever_its_length() -> None:
    sizes = []
    for length in (10, 10_000):
        file = {"inlineData": {"mimeType": "application/pdf", "data": "A" * length}}
        sizes.append(total(body({"role": "user", "parts": [file]})))
    assert sizes[0] == sizes[1]
    assert sizes[0].method == "estimate"


def test_a_text_file_is_read() -> None:
    data = base64.b64encode(b"one two three").decode()
    file = {"inlineData": {"mimeType": "text/plain", "data": data}}
    assert total(body({"role": "user", "parts": [file]})) < 20


def test_declarations_are_an_estimate_that_reaches_down_to_vertex() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tool = {"functionDeclarations": [{"name": "weather", "parameters": schema}]}
    counted = total(body(said("Go"), tools=[tool]))
    tools = next(part for part in counted.parts if part.name == "tools")
    assert tools.method == "estimate"
    assert tools.tokens - tools.margin <= 6


@given(st.lists(st.text(max_size=20), min_size=1, max_size=6))
def test_a_further_content_never_lowers_the_count(texts: list[str]) -> None:
    contents = [said(text, "model" if place % 2 else "user") for place, text in enumerate(texts)]
    sizes = [total(body(*contents[: end + 1])) for end in range(len(contents))]
    assert sizes == sorted(sizes)
    assert all(size.low <= size <= size.high for size in sizes)
    assert all(sum(part.tokens for part in size.parts) == size for size in sizes)


def test_contents_of_no_known_shape_are_refused() -> None:
    with pytest.raises(MessageError):
        count([{"role": "model", "content": "Hello"}], model=MODEL)


def recorded(folder: Path) -> Iterator[tuple[str, dict[str, Any], Count]]:
    """Kind, record and count of every pair that can be computed from its body."""
    for line in gzip.open(folder / "usage_pairs" / "gemini.jsonl.gz", "rt", encoding="utf-8"):
        record = json.loads(line)
        features = record["features"]
        hidden = features.get("server_tools") or features.get("server_state")
        if record["api"] != "gemini" or hidden or not record["usage_norm"].get("prompt_tokens"):
            continue
        model = record.get("response_model") or record["model"]
        yield kind_of(record), record, total(record["request"], model)


def kind_of(record: Mapping[str, Any]) -> str:
    features = record["features"]
    media = ("images", "files", "audio_video")
    if record["media"] or any(features.get(key) for key in media):
        return "media"
    if features.get("structured_output"):
        return "schema"
    return "tools" if features.get("n_tools") or features.get("tool_results") else "text"


@with_vocabulary
@pytest.mark.data
def test_recorded_requests(data: Path) -> None:
    """Text of the Gemini API is exact in nine of ten; the interval holds in nineteen of twenty."""
    found = list(recorded(data))
    texts = [
        counted == record["usage_norm"]["prompt_tokens"]
        for kind, record, counted in found
        if kind == "text"
        and record["provider"] == "google"
        and counted.method == "exact"
        and "gemini-2.0" not in record["model"]
    ]
    assert sum(texts) >= 0.9 * len(texts) > 0
    for kind in ("text", "tools", "schema"):
        inside = [
            counted.low <= record["usage_norm"]["prompt_tokens"] <= counted.high
            for found_kind, record, counted in found
            if found_kind == kind
        ]
        assert sum(inside) >= 0.95 * len(inside) > 0, kind
