"""Counts: the shipped vocabularies, the framing, special cases of text."""

from __future__ import annotations

import base64
import hashlib
import pickle
import random
from importlib.resources import files
from typing import Any

import pytest
import tiktoken
import tiktoken_ext.openai_public as official
from hypothesis import given
from hypothesis import strategies as st

from contextkit import (
    Count,
    Part,
    TokenizerMissing,
    VocabularyCorrupt,
    convert,
    count,
    count_text,
    sample_history,
    trim,
)
from contextkit.counting import vocabulary
from contextkit.counting.texts import exact_measure, length_by_pieces

ENCODINGS = ("o200k_base", "cl100k_base")


def shipped(name: str) -> bytes:
    return files("contextkit.counting").joinpath("vocabularies", f"{name}.xz").read_bytes()


def official_file(name: str) -> bytes:
    tokens = vocabulary.unpack(shipped(name))
    lines = (b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))
    return b"".join(lines)


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_shipped_vocabulary_is_openais_own(name: str) -> None:
    rebuilt = official_file(name)
    assert hashlib.sha256(rebuilt).hexdigest() == vocabulary.OFFICIAL_SHA256[name]
    assert vocabulary.pack(rebuilt) == shipped(name)


@pytest.mark.parametrize("name", ENCODINGS)
def test_pattern_and_hash_are_tiktokens_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hashes: list[str] = []

    def load(url: str, expected_hash: str) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return {}

    monkeypatch.setattr(official, "load_tiktoken_bpe", load)
    assert getattr(official, name)()["pat_str"] == vocabulary.encoding(name)._pat_str
    assert hashes == [vocabulary.OFFICIAL_SHA256[name]]


def test_a_corrupt_vocabulary_is_an_error_with_both_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vocabulary._PACKED_SHA256, "o200k_base", "0" * 64)
    with pytest.raises(VocabularyCorrupt, match="expected 0000"):
        vocabulary.encoding.__wrapped__("o200k_base")


def test_an_encoding_that_does_not_ship_is_an_error_that_lists_those_that_do() -> None:
    with pytest.raises(TokenizerMissing, match="cl100k_base, o200k_base"):
        vocabulary.encoding("p50k_base")


def test_no_network_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("somebody opened a connection")

    monkeypatch.setattr("socket.socket.connect", refuse)
    assert vocabulary.encoding.__wrapped__("cl100k_base").n_vocab == 100_256


# Text


@pytest.mark.parametrize(
    "text",
    [
        " " * 300_000 + "end",
        "\n" * 260_000,
        "start" + "\t " * 130_000,
        "a b  c\n\n  d'll I'LL 你好 ١٢٣ é́ \ud83d" * 50,
    ],
)
def test_counting_by_pieces_is_counting(text: str) -> None:
    for name in ENCODINGS:
        encoding = vocabulary.encoding(name)
        assert length_by_pieces(encoding, text) == len(encoding.encode_ordinary(text))


def test_blank_runs_on_which_tiktoken_panics_are_counted() -> None:
    assert exact_measure("o200k_base")(" " * 1_500_000 + "x") > 10_000


@given(st.text())
def test_any_text_is_counted(text: str) -> None:
    assert (count_text(text) == 0) == (text == "")
    assert count_text(text) == count_text(text)


def test_what_looks_like_a_special_token_is_text() -> None:
    assert count_text("<|endoftext|>") == 7
    assert count([{"role": "user", "content": "<|im_start|>system"}]) > 8


def test_random_bytes_as_text_agree_with_a_fresh_encoding() -> None:
    draw = random.Random(3)
    ranks = {token: rank for rank, token in enumerate(vocabulary.unpack(shipped("o200k_base")))}
    fresh = tiktoken.Encoding(
        "fresh",
        pat_str=vocabulary.encoding("o200k_base")._pat_str,
        mergeable_ranks=ranks,
        special_tokens={"<|endoftext|>": 199_999},
    )
    for _ in range(200):
        text = draw.randbytes(300).decode("utf-8", "replace")
        assert count_text(text) == len(fresh.encode_ordinary(text))


# Framing: worked examples, by hand from the rules


def user(content: Any, **keys: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **keys}


def n(text: str) -> int:
    return len(vocabulary.encoding("o200k_base").encode_ordinary(text))


def test_plain_chats() -> None:
    chat = [{"role": "system", "content": "Be brief."}, user("What is 6 times 7?")]
    assert count(chat, model="gpt-4o") == 3 + 1 + 3 + 3 + 1 + 8 + 3
    assert count(chat, model="o3") == count(chat, model="gpt-4o") - 1
    assert count([user("hi", name="user")]) == count([user("hi")]) + 1
    answered = [*chat, {"role": "assistant", "content": "42"}]
    extra = count(answered, model="gpt-5") - count(chat, model="gpt-5")
    assert extra == 3 + 1 + 1 + 2


CALL = {"id": "c", "type": "function", "function": {"name": "multiply", "arguments": '{"a": 6}'}}
RESULT = {"role": "tool", "tool_call_id": "c", "content": "42"}


def test_a_call_and_its_result() -> None:
    chat = [user("go"), {"role": "assistant", "content": None, "tool_calls": [CALL]}, RESULT]
    added = count(chat, model="gpt-4o") - count(chat[:1], model="gpt-4o")
    call = 3 + n("assistant to=functions.multiply") + n('{"a":6}')
    assert added == call + 3 + 1 + 2 + n("multiply") + n("42")
    assert count(chat).method == "reconstructed"


def test_parallel_calls_are_one_message_and_their_results_another() -> None:
    other = {**CALL, "id": "d"}
    calling = {"role": "assistant", "content": None, "tool_calls": [CALL, other]}
    chat = [user("go"), calling, RESULT, {**RESULT, "tool_call_id": "d", "content": "一"}]
    added = count(chat, model="gpt-4o") - count(chat[:1], model="gpt-4o")
    one = '{"recipient_name":"functions.multiply","parameters":{"a":6}}'
    uses = f'{{"tool_uses":[{one},{one}]}}'
    calls = 3 + n("assistant to=multi_tool_use.parallel") + n(uses)
    assert added == calls + 6 + n("multi_tool_use.parallel") + n('["42", "一"]')


def test_function_names_and_arguments_cost_tokens() -> None:
    def calling(name: str, arguments: str = "{}") -> list[dict[str, Any]]:
        function = {"name": name, "arguments": arguments}
        return [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "1", "function": function}],
            }
        ]

    assert count(calling("look_up_parcel_by_number")) > count(calling("f"))
    assert count(calling("f", '{"q": "' + "word " * 200 + '"}')) > 200
    legacy = {"role": "assistant", "content": None}
    short = {**legacy, "function_call": {"name": "f", "arguments": "{}"}}
    long = {**legacy, "function_call": {"name": "f", "arguments": "word " * 200}}
    assert count([long]) > count([short]) + 190


def test_an_image_is_an_estimate_and_its_base64_costs_nothing() -> None:
    def picture(size: int) -> list[dict[str, Any]]:
        url = {"url": "data:image/png;base64," + "A" * size}
        return [user([{"type": "text", "text": "look"}, {"type": "image_url", "image_url": url}])]

    small, large = count(picture(100)), count(picture(1_000_000))
    assert small == large
    assert small.method == "estimate"
    assert small.low < small < small.high


def test_a_request_body_brings_its_model() -> None:
    body = {"model": "gpt-4", "messages": [user("请帮我查询订单")], "temperature": 0}
    assert count(body) == count(body["messages"], model="gpt-4")  # type: ignore[arg-type]
    assert count(body, model="gpt-4o") < count(body)


def test_counts_are_ints_with_parts() -> None:
    total = Count.of([Part("message", 7, "estimate", 2, 0), Part("priming", 3)])
    assert (total + 1, total.low, total.high, total.method) == (11, 8, 12, "estimate")
    assert repr(total) == "Count(10, estimate, 8..12)"
    again = pickle.loads(pickle.dumps(total))
    assert (again, again.parts) == (total, total.parts)


@pytest.mark.parametrize(
    ("api", "key"),
    [("anthropic", "messages"), ("gemini", "contents"), ("openai-responses", "input")],
)
def test_a_list_counts_as_the_body_that_holds_it(api: Any, key: str) -> None:
    listed = convert(sample_history()[1:], to=api).messages
    total = count(listed, model="gpt-4o")
    assert total == count({"model": "gpt-4o", key: listed}, api=api)
    assert total == trim(listed, model="gpt-4o").tokens
    tools = [{"name": "stock", "description": "Look up the stock.", "input_schema": {}}]
    assert count(iter(listed), model="gpt-4o", tools=tools) > total


def test_what_has_a_range_is_not_called_exact() -> None:
    total = Count.of([Part("message", 7, index=0), Part("priming", 3, margin=1)])
    assert (total.method, total.low, total.high) == ("estimate", 9, 11)
