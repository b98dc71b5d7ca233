"""What a server counted makes the next counts better."""

from __future__ import annotations

import json
import random
import statistics
from pathlib import Path
from typing import Any

import pytest

from contextkit import Calibration, OptionError, count, trim
from contextkit.counting.usage import input_tokens

MODEL = "gpt-4o"

_TOOL = {
    "type": "function",
    "function": {
        "name": "find_parcel",
        "description": "Find a parcel by its number.",
        "parameters": {"type": "object", "properties": {"number": {"type": "string"}}},
    },
}


def requests(number: int, seed: int) -> list[dict[str, Any]]:
    draw = random.Random(seed)
    words = ["parcel", "今天", "number 17", "{'a': 1}", "Straße", "на складе", "ok.", "発送"]
    made = []
    for _ in range(number):
        talk = [
            {
                "role": ("user", "assistant")[n % 2],
                "content": " ".join(draw.choices(words, k=draw.randint(3, 60))),
            }
            for n in range(draw.choice([1, 3, 5]))
        ]
        body: dict[str, Any] = {"model": MODEL, "messages": talk}
        if draw.random() < 0.4:
            body["tools"] = [_TOOL] * draw.randint(1, 3)
        made.append(body)
    return made


def server(body: dict[str, Any]) -> int:
    """A server with another tokenizer and a framing of its own."""
    text = "".join(m["content"] for m in body["messages"])
    han = sum("一" <= c <= "鿿" for c in text)
    return round(
        1.2 * count(body["messages"]) + 0.4 * han + 5 * len(body["messages"])
        + 90 * len(body.get("tools", ())) + 12
    )  # fmt: skip


def errors(calibration: Calibration, bodies: list[dict[str, Any]]) -> float:
    return statistics.median(
        abs(calibration.count(body) - server(body)) / server(body) for body in bodies
    )


def test_twenty_observations_at_least_halve_the_error() -> None:
    calibration = Calibration()
    unseen = requests(60, seed=2)
    before = errors(calibration, unseen)
    for body in requests(20, seed=1):
        calibration.observe(body, {"prompt_tokens": server(body)})
    assert calibration.observations(MODEL) == 20
    assert errors(calibration, unseen) < before / 4
    inside = [calibration.count(b).low <= server(b) <= calibration.count(b).high for b in unseen]
    assert statistics.mean(inside) >= 0.9
    assert calibration.count(unseen[0]).method == "estimate"


def test_a_growing_conversation_starts_from_the_servers_number() -> None:
    calibration = Calibration()
    talk = [{"role": "user", "content": "word " * 500}]
    calibration.observe({"model": MODEL, "messages": talk}, {"prompt_tokens": 777})
    longer = [*talk, {"role": "assistant", "content": "ok"}, {"role": "user", "content": "go on"}]
    known = calibration.count({"model": MODEL, "messages": longer})
    assert known == 777 + count(longer) - count(talk)
    assert known.parts[0].tokens == 777
    other_tools = {"model": MODEL, "messages": longer, "tools": [_TOOL]}
    assert calibration.count(other_tools) == count(other_tools)
    changed = [{"role": "user", "content": "other"}, *longer[1:]]
    assert calibration.count({"model": MODEL, "messages": changed}) == count(changed)


def test_a_calibrated_counter_trims() -> None:
    calibration = Calibration()
    for body in requests(20, seed=1):
        calibration.observe(body, server(body))
    talk = [{"role": "user", "content": f"parcel {n} 今天"} for n in range(50)]
    result = trim(talk, max_tokens=300, counter=calibration.counter(MODEL))
    assert 200 < result.tokens <= 300
    assert (
        result.tokens
        == sum(step.tokens_after for step in result.plan.steps)
        + dict(result.budget.frame)["calibration"]
        + dict(result.budget.frame)["priming"]
    )


def test_models_are_kept_apart() -> None:
    calibration = Calibration()
    for body in requests(5, seed=1):
        calibration.observe(body, server(body))
    assert calibration.correction("gpt-4o") is not None
    assert calibration.correction("gpt-4") is None
    body = requests(1, seed=9)[0]
    assert calibration.count(body, model="gpt-4") == count(body, model="gpt-4")


def test_it_goes_through_a_file(tmp_path: Path) -> None:
    calibration = Calibration()
    for body in requests(12, seed=1):
        calibration.observe(body, server(body))
    file = tmp_path / "counts.json"
    calibration.save(file)
    again = Calibration.load(file)
    for body in requests(10, seed=3):
        assert calibration.count(body) == again.count(body)
    json.loads(file.read_text())


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '{"version": 99}',
        '{"version": 1, "models": {"m": [[1]]}}',
        '{"version": 1}',
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "counts.json"
    file.write_text(text)
    with pytest.raises(OptionError, match="calibration"):
        Calibration.load(file)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (17, 17),
        ({"prompt_tokens": 17, "completion_tokens": 3}, 17),
        ({"prompt_tokens": 17, "prompt_tokens_details": {"cached_tokens": 9}}, 17),
        ({"input_tokens": 17, "input_tokens_details": {"cached_tokens": 9}}, 17),
        ({"input_tokens": 7, "cache_read_input_tokens": 6, "cache_creation_input_tokens": 4}, 17),
        ({"input_tokens": 17, "cache_read_input_tokens": None}, 17),
        ({"inputTokens": 10, "cacheReadInputTokens": 7}, 17),
        ({"promptTokenCount": 17}, 17),
        ({"prompt_eval_count": 17}, 17),
        ({"billed_units": {"input_tokens": 5}, "tokens": {"input_tokens": 17}}, 17),
    ],
)
def test_usage_of_every_provider(usage: Any, tokens: int) -> None:
    assert input_tokens(usage) == tokens


@pytest.mark.parametrize(
    "usage", [None, {}, "17", {"output_tokens": 5}, -1, {"prompt_tokens": -5}, True]
)
def test_usage_without_counts_is_an_error(usage: Any) -> None:
    with pytest.raises(OptionError, match="usage"):
        input_tokens(usage)


def test_a_request_without_a_model_is_an_error() -> None:
    with pytest.raises(OptionError, match="model"):
        Calibration().count([{"role": "user", "content": "hi"}])
