"""Density by a server's own counts: a real llama.cpp server, and servers that go wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit import (
    OptionError,
    Sample,
    SampleError,
    density,
    density_from_usage,
    sample_texts,
)

TEXTS = ["Where is my parcel?", "我的包裹在哪里？", "x = [1, 2]", "Where is my parcel?"]


def server(around: int, asked: list[str]) -> Callable[[str], dict[str, int]]:
    """A server that bills a token a character, and ``around`` more."""

    def send(text: str) -> dict[str, int]:
        asked.append(text)
        return {"prompt_tokens": around + len(text), "completion_tokens": 1}

    return send


def first_of_each_kind() -> list[Sample]:
    kinds = {(sample.language, sample.content): sample for sample in reversed(sample_texts())}
    return list(kinds.values())


def test_counts_are_those_of_the_servers_own_tokenizer(llama_server: openai.OpenAI) -> None:
    def own(text: str) -> int:
        body = {"content": text, "add_special": False}
        answer: Any = llama_server.post(address, body=body, cast_to=object)
        return len(answer["tokens"])

    address = str(llama_server.base_url.copy_with(path="/tokenize"))
    asked = [Sample(s.text, s.language, s.content) for s in first_of_each_kind()]
    found = density_from_usage(asked, client=llama_server, model="smollm2")
    wanted = density(asked, tokenizers={"smollm2": own})
    assert len(asked) > 30
    assert found == wanted


@given(st.integers(0, 500), st.lists(st.text(max_size=20), max_size=6))
def test_the_framing_comes_off_whatever_it_is(around: int, drawn: list[str]) -> None:
    drawn = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in drawn]
    found = density_from_usage(drawn, client=server(around, []), model="toy")
    assert sum(row.tokens for rows in found.lines() for row in rows) == sum(map(len, drawn))


def test_a_framing_that_is_known_is_not_measured() -> None:
    asked: list[str] = []
    found = density_from_usage(TEXTS, client=server(9, asked), model="toy", framing=9)
    assert found.row().tokens == sum(map(len, TEXTS))
    assert asked == TEXTS[:3], "equal texts are asked for once, letters not at all"


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    asked: list[str] = []
    send = server(5, asked)

    def failing(text: str) -> object:
        if text == TEXTS[2]:
            raise ConnectionError("the line is cut")
        return send(text)

    with pytest.raises(SampleError, match=r"sample 2: toy fails on .*the line is cut") as raised:
        density_from_usage(TEXTS, client=failing, model="toy", answers=answers)
    assert isinstance(raised.value.__cause__, ConnectionError)
    assert asked == ["a", "x", *TEXTS[:2]]
    answers.write_text(answers.read_text("utf-8") + '{"key": "cut o', "utf-8")
    found = density_from_usage(TEXTS, client=send, model="toy", answers=answers)
    assert asked == ["a", "x", *TEXTS[:3]]
    assert found.row().tokens == sum(map(len, TEXTS))
    assert len(answers.read_text("utf-8").splitlines()) == 5
    assert "parcel" not in answers.read_text("utf-8")


def test_answers_of_another_model_are_no_answers(tmp_path: Path) -> None:
    answers, asked = tmp_path / "answers.jsonl", list[str]()
    for model in ("one", "two"):
        density_from_usage(TEXTS, client=server(5, asked), model=model, answers=answers)
    assert asked == ["a", "x", *TEXTS[:3]] * 2


def test_a_broken_file_of_answers_is_an_error(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"key": "k", "input_tokens": 3}) + "\nbroken\n", "utf-8")
    with pytest.raises(OptionError, match="answers: line 2 is no answer"):
        density_from_usage(TEXTS, client=server(5, []), model="toy", answers=answers)


def test_requests_keep_their_distance() -> None:
    times: list[float] = []

    def send(text: str) -> int:
        times.append(time.monotonic())
        return len(text)

    density_from_usage(TEXTS, client=send, model="toy", requests_per_minute=600)
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert len(gaps) == 4
    assert min(gaps) >= 0.099


def test_a_server_whose_framing_is_not_steady_is_refused() -> None:
    counts = iter([5, 6])
    with pytest.raises(OptionError, match="4 and 5 tokens around 'a' and 'x'"):
        density_from_usage(TEXTS, client=lambda text: next(counts), model="toy")


def test_a_text_that_takes_less_than_the_framing_names_its_sample() -> None:
    with pytest.raises(SampleError, match="sample 0: toy returned -31"):
        density_from_usage(TEXTS, client=server(0, []), model="toy", framing=50)


@pytest.mark.parametrize("client", [object(), openai.AsyncOpenAI(api_key="none")])
def test_what_is_no_client_is_refused(client: object) -> None:
    with pytest.raises(OptionError, match="client"):
        density_from_usage(TEXTS, client=client, model="toy")


def test_the_request_says_what_the_options_say() -> None:
    class Completions:
        def create(self, **request: Any) -> Any:
            requests.append(request)
            return type("Answer", (), {"usage": {"prompt_tokens": 8}})

    requests: list[dict[str, Any]] = []
    client = type("Client", (), {"chat": type("Chat", (), {"completions": Completions()})})()
    wanted = {"max_completion_tokens": 16}
    density_from_usage(["你好"], client=client, model="m", options=wanted, framing=3)
    message = {"role": "user", "content": "你好"}
    assert requests == [{"model": "m", "messages": [message], "max_completion_tokens": 16}]
