"""Errors of many servers, each in its own words: what was too long, and by how much."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import anthropic
import openai
import pytest
from botocore.exceptions import ClientError
from google.genai import errors
from hypothesis import given
from hypothesis import strategies as st

from contextkit import (
    OptionError,
    Overflow,
    StreamCollector,
    StreamedMessage,
    collect_stream,
    count,
    parse_overflow,
    trim,
)

Numbers = tuple[int | None, int | None]

# Wordings of many servers: the text, then limit and requested, in all.
INPUT: list[tuple[str, Numbers]] = [
    (
        "This model's maximum context length is 16385 tokens. However, your messages resulted in "
        "20011 tokens. Please reduce the length of the messages.",
        (16385, 20011),
    ),
    (
        "This model's maximum context length is 8192 tokens. However, you requested 9300 tokens "
        "(8800 in the messages, 100 in the functions, and 400 in the completion).",
        (8192, 9300),
    ),
    (
        "This model's maximum context length is 4097 tokens, however you requested 5000 tokens "
        "(4900 in your prompt; 100 for the completion).",
        (4097, 5000),
    ),
    ("Your input exceeds the context window of this model.", (None, None)),
    ("This model's maximum context length is 65536 tokens.", (65536, None)),
    (
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in "
        "301234 tokens.",
        (272000, 301234),
    ),
    ("prompt is too long: 214,733 tokens > 199,999 maximum", (199999, 214733)),
    (
        "input length and `max_tokens` exceed context limit: 201000 + 21333 > 200000, decrease "
        "input length or `max_tokens` and try again",
        (200000, 222333),
    ),
    ("Prompt is too long", (None, None)),
    (
        "The input token count (1204811) exceeds the maximum number of tokens allowed (1048576).",
        (1048576, 1204811),
    ),
    ("The input token count exceeds the maximum number of tokens allowed (32768).", (32768, None)),
    ("Request contains 9000 tokens, which exceeds the limit of 8192.", (8192, 9000)),
    (
        "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
        (30720, None),
    ),
    (
        "Invalid request: Your request exceeded model token limit: 131072 (requested: 140001)",
        (131072, 140001),
    ),
    ("model max length exceeded, max length:8192", (8192, None)),
    ("Prompt exceeds max length", (None, None)),
    (
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum "
        "context length",
        (32768, 40000),
    ),
    ("Prompt 40000 > 32768 maximum context length", (32768, 40000)),
    ("Please reduce the length of the messages or completion.", (None, None)),
    (
        "Please reduce the length of the messages or completion. Current length is 9001 while "
        "limit is 8192",
        (8192, 9001),
    ),
    (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4500 "
        "`inputs` tokens and 200 `max_new_tokens`",
        (4096, 4700),
    ),
    (
        "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context "
        "length is 4096 tokens and your request has 4200 input tokens (500 > 4096 - 4200).",
        (4096, 4700),
    ),
    (
        "The input (70000 tokens) is longer than the model's context length (65536 tokens).",
        (65536, 70000),
    ),
    (
        "Requested token count exceeds the model's maximum context length of 8192 tokens. You "
        "requested a total of 9192 tokens: 9000 tokens from the input messages and 192 tokens for "
        "the completion.",
        (8192, 9192),
    ),
    (
        "request (2311 tokens) exceeds the available context size (2048 tokens), try increasing it",
        (2048, 2311),
    ),
    (
        "Input token count + `max_tokens` parameter must be less than the context length of the "
        "model being queried. Set max_tokens to a lower number.",
        (None, None),
    ),
    ("Requested tokens (700) exceed context window of 512", (512, 700)),
    ("Input length 5000 exceeds context length 4096", (4096, 5000)),
    (
        "Trying to keep the first 5000 tokens, but tokens to keep from the initial prompt is "
        "greater than the context length",
        (None, None),
    ),
    ('level=WARN msg="truncating input prompt" limit=2048 prompt=5065', (2048, 5065)),
    ("Input is too long for requested model.", (None, None)),
    (
        "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
        (131072, 150000),
    ),
    (
        "too many tokens: size limit exceeded by 11 tokens. Try using shorter or fewer inputs. The "
        "limit for this model is 4096 tokens.",
        (4096, 4107),
    ),
    ("prompt token count of 70000 exceeds the limit of 64000", (64000, 70000)),
    ("invalid params, context window exceeds limit", (None, None)),
    ("The total length of all messages is too long.", (None, None)),
    ("length of prompt_tokens (40000) must be less than max_seq_len (32768).", (32768, 40000)),
    # Other separators and other languages.
    ("Maximum context length is 131.072 tokens, you requested 140.001 tokens", (131072, 140001)),
    ("Context window exceeded: limit is 8'192, received 9'001 tokens", (8192, 9001)),
    ("输入内容过长：当前输入 9001 个 token，最大上下文长度为 8192", (8192, 9001)),
    ("请求的 token 数超过模型上下文长度限制，上限为 32,768", (32768, None)),
    ("提示词超长，请缩短后重试", (None, None)),
]

OUTPUT: list[tuple[str, int | None]] = [
    ("Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", 4096),
    ("Range of max_tokens should be [1, 8192]", 8192),
    (
        "max_tokens is too large: 9000. This model supports at most 4096 completion tokens, "
        "whereas you provided 9000.",
        4096,
    ),
    (
        "too many tokens: max tokens must be less than or equal to 4096, the maximum output for "
        "this model - received 8192.",
        4096,
    ),
    (
        "max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens for this",
        64000,
    ),
    ("max_tokens 参数取值范围为 [1, 8192]", 8192),
    (
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease "
        "input length or `max_tokens` and try again",
        200000,
    ),
]

RATE = [
    "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9411, "
    "please reduce your message size and try again.",
    "Too many tokens, please wait before trying again.",
    "Rate limit reached for requests",
    "Quota exceeded for metric: requests per day",
    "请求过于频繁，请稍后再试",
]

NOTHING = [
    "Incorrect API key provided: the token is too long",
    "You exceeded your current quota, please check your plan and billing details.",
    "账户余额不足，请充值",
    "The response was filtered due to the prompt triggering content management policy, too long",
    "Malformed input request.",
    "The context is large, but acceptable.",
    "messages[3].name: string too long. Expected a string with maximum length 64",
    "image exceeds 5 MB maximum",
    "Request timed out: the request took over 30 seconds",
    "model not found",
    "你好，世界",
    "",
]


def shapes(text: str) -> list[object]:
    """The ways in which a text reaches a caller."""
    body = {"error": {"message": text, "type": "invalid_request_error", "code": None}}
    nested = {"error": {"message": json.dumps(body), "code": 400}}
    flat = {"object": "error", "message": text, "code": 3051}
    return [
        text,
        text.encode(),
        body,
        json.dumps(body),
        nested,
        flat,
        f"event: error\ndata: {json.dumps(body)}\n\n",
        {"id": "x", "choices": None, "error": {"message": text, "code": 400}},
        ValueError(text),
        RuntimeError(body),
    ]


class _Refusing(BaseHTTPRequestHandler):
    """A server that refuses everything with the body and status it is told."""

    body: ClassVar[bytes] = b""
    status: ClassVar[int] = 400

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(self.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, format: str, *values: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def refused(address: str, text: str, status: int = 400) -> list[Exception]:
    """What the SDKs raise when a server refuses a request with this text."""
    error = {"type": "invalid_request_error", "message": text, "code": None}
    _Refusing.body = json.dumps({"type": "error", "error": error}).encode()
    _Refusing.status = status
    said: list[Any] = [{"role": "user", "content": "你好"}]
    with (
        openai.OpenAI(base_url=address, api_key="x", max_retries=0) as chat,
        pytest.raises(openai.APIStatusError) as first,
    ):
        chat.chat.completions.create(model="m", messages=said)
    with (
        anthropic.Anthropic(base_url=address, api_key="x", max_retries=0) as messages,
        pytest.raises(anthropic.APIStatusError) as second,
    ):
        messages.messages.create(model="m", max_tokens=9, messages=said)
    return [first.value, second.value]


@pytest.mark.parametrize(("text", "numbers"), INPUT)
def test_an_input_that_is_too_long(text: str, numbers: Numbers) -> None:
    for shape in shapes(text):
        found = parse_overflow(shape)
        assert found is not None, shape
        assert (found.kind, found.limit, found.requested) == ("input", *numbers), shape


@pytest.mark.parametrize(("text", "limit"), OUTPUT)
def test_an_output_that_is_too_long(text: str, limit: int | None) -> None:
    for shape in shapes(text):
        found = parse_overflow(shape)
        assert found is not None, shape
        assert (found.kind, found.limit) == ("output", limit), shape
        assert "shorter answer" in found.cure


@pytest.mark.parametrize("text", RATE)
def test_a_rate_limit(text: str) -> None:
    for shape in shapes(text):
        found = parse_overflow(shape)
        assert found is not None, shape
        assert found.kind == "rate", shape
        assert "wait" in found.cure


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_overflow(text: str) -> None:
    for shape in shapes(text):
        assert parse_overflow(shape) is None, shape


@given(
    st.integers(1_000, 3_000_000), st.integers(1, 900_000), st.sampled_from([",", "，", ".", "’"])
)
def test_numbers_with_any_separator(limit: int, excess: int, separator: str) -> None:
    shown = [f"{number:,}".replace(",", separator) for number in (limit, limit + excess)]
    for text in (
        f"prompt is too long: {shown[1]} tokens > {shown[0]} maximum",
        f"输入过长：上下文最大长度 {shown[0]}，当前请求 {shown[1]}",
    ):
        found = parse_overflow(text)
        assert found is not None
        assert (found.limit, found.requested) == (limit, limit + excess)


def test_fields_of_their_own_hold_numbers() -> None:
    error = {
        "code": 400,
        "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 3100,
        "n_ctx": 2048,
    }
    found = parse_overflow({"error": error})
    assert found is not None
    assert (found.limit, found.requested, found.provider) == (2048, 3100, "llama.cpp")


def test_exceptions_of_the_sdks(address: str) -> None:
    for text, numbers in INPUT:
        for error in refused(address, text):
            found = parse_overflow(error)
            assert found is not None, text
            assert (found.kind, found.limit, found.requested) == ("input", *numbers), error
    for error in (*refused(address, "Slow down", 429), *refused(address, RATE[0])):
        found = parse_overflow(error)
        assert found is not None
        assert found.kind == "rate"
    for text in NOTHING:
        assert [parse_overflow(error) for error in refused(address, text)] == [None, None]


def test_exceptions_of_amazon() -> None:
    said = {"Code": "ValidationException", "Message": "Input is too long for requested model."}
    found = parse_overflow(ClientError({"Error": said}, "Converse"))
    assert found is not None
    assert (found.kind, found.provider) == ("input", "bedrock")
    throttled = {"Code": "ThrottlingException", "Message": "Too many tokens, please wait."}
    slow = parse_overflow(ClientError({"Error": throttled}, "Converse"))
    assert slow is not None
    assert slow.kind == "rate"


def test_exceptions_of_google() -> None:
    text = "The input token count (40000) exceeds the maximum number of tokens allowed (32768)."
    body = {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}
    found = parse_overflow(errors.ClientError(400, body))
    assert found is not None
    assert (found.limit, found.requested, found.provider) == (32768, 40000, "gemini")


REFUSAL = "prompt is too long: 214733 tokens > 199999 maximum"


@pytest.mark.parametrize(
    "events",
    [
        [{"type": "error", "error": {"type": "invalid_request_error", "message": REFUSAL}}],
        [{"choices": [{"delta": {"content": "Hel"}}]}, {"error": {"message": REFUSAL}}],
        [
            {"type": "response.created", "response": {"id": "r"}},
            {"type": "response.failed", "response": {"error": {"message": REFUSAL}}},
        ],
        [{"validationException": {"message": REFUSAL}}],
        [f"event: error\ndata: {REFUSAL}\n\n"],
    ],
)
def test_the_error_of_a_stream_that_was_collected(events: list[Any]) -> None:
    collector = StreamCollector(events)
    assert len(list(collector)) == len(events)
    for told in (collect_stream(events), collector):
        found = parse_overflow(told)
        assert found is not None
        assert (found.kind, found.limit, found.requested) == ("input", 199_999, 214_733)


def test_a_collected_answer_is_an_answer_and_has_its_usage() -> None:
    chunk = {"choices": [{"delta": {"content": REFUSAL}}], "usage": {"prompt_tokens": 2_048}}
    message = collect_stream([chunk])
    assert isinstance(message, StreamedMessage)
    assert parse_overflow(message) is None
    found = parse_overflow(message, sent=5_065, window=2_048)
    assert found is not None
    assert (found.silent, found.limit, found.requested) == (True, 2_048, 5_065)
    slow = parse_overflow(collect_stream([{"throttlingException": {"message": "Slow down."}}]))
    assert slow is not None
    assert slow.kind == "rate"


def test_a_wrapped_exception_is_read_through() -> None:
    try:
        try:
            raise ValueError("prompt is too long: 12 tokens > 10 maximum")
        except ValueError as inner:
            raise RuntimeError("the agent failed") from inner
    except RuntimeError as error:
        found = parse_overflow(error)
    assert found is not None
    assert found.requested == 12


def test_limits_of_a_field_and_of_the_body_are_not_in_tokens() -> None:
    field = parse_overflow(
        "Invalid 'input': string too long. Expected a string with maximum length 1000, but got a "
        "string with length 1200 instead."
    )
    assert field is not None
    assert (field.unit, field.limit, field.requested) == ("characters", 1000, 1200)
    body = parse_overflow(
        {
            "type": "error",
            "error": {"type": "request_too_large", "message": "Request exceeds the maximum size"},
        }
    )
    assert body is not None
    assert (body.kind, body.unit) == ("input", "bytes")


def test_what_a_model_says_is_no_error() -> None:
    text = "prompt is too long: 12 tokens > 10 maximum"
    for answer in (
        {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": {}},
        {"content": [{"type": "text", "text": text}], "usage": {"input_tokens": 3}},
        {"candidates": [{"content": {"parts": [{"text": text}]}}]},
    ):
        assert parse_overflow(answer) is None
        assert parse_overflow(json.dumps(answer)) is None


@pytest.mark.parametrize(
    ("usage", "sent", "window", "expected"),
    [
        ({"prompt_eval_count": 2048}, 5065, 2048, (2048, 5065)),
        ({"usage": {"prompt_tokens": 4900}}, 5065, 8192, None),
        ({"usage": {"prompt_tokens": 4090}}, 4200, 4096, None),
        ({"usage": {"input_tokens": 210_000}}, 205_000, 200_000, (200_000, 210_000)),
        ({"usage": {"prompt_tokens": 2048}}, None, None, None),
    ],
)
def test_a_prompt_that_was_cut_silently(
    usage: Any, sent: int | None, window: int | None, expected: Numbers | None
) -> None:
    found = parse_overflow(usage, sent=sent, window=window)
    assert (found and (found.limit, found.requested)) == expected
    assert found is None or found.silent


# What to do with it

TALK = [{"role": "user", "content": f"第 {n} 个问题：今天的库存是多少？"} for n in range(60)]


@given(st.floats(0.5, 2), st.integers(100, 5_000))
def test_the_limit_is_carried_over_to_our_count(ratio: float, limit: int) -> None:
    """What is sent next fits by the server's own count, however it counts."""
    sent = count(TALK)
    requested = max(limit + 1, int(sent * ratio))
    overflow = Overflow(kind="input", limit=limit, requested=requested)
    ours = overflow.limit_for(sent)
    assert ours * requested <= limit * sent or ours == 1
    assert ours < sent


def test_trim_uses_the_numbers_of_the_server() -> None:
    sent = count(TALK)
    overflow = parse_overflow(f"prompt is too long: {sent * 2} tokens > 500 maximum")
    result = trim(TALK, model="gpt-4o", after=overflow)
    assert 200 < result.tokens <= 250
    assert result.budget.basis == ("limit of the server", 250)
    reserved = (
        "maximum context length is 500 tokens, however you requested 900 tokens "
        "(800 in the messages, 100 in the completion)"
    )
    assert trim(TALK, after=parse_overflow(reserved)).budget.limit == sent * 400 // 800


def test_without_numbers_the_request_gets_shorter_all_the_same() -> None:
    result = trim(TALK, after=parse_overflow("Prompt is too long"))
    assert result.tokens < count(TALK)


def test_what_a_shorter_input_does_not_cure_is_an_error() -> None:
    with pytest.raises(OptionError, match="wait"):
        trim(TALK, after=parse_overflow("Rate limit reached"))
    with pytest.raises(OptionError, match="at most 4,096 tokens"):
        trim(TALK, after=parse_overflow("Range of max_tokens should be [1, 4096]"))


_scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats()
_keys = st.sampled_from(["error", "message", "code", "choices", "usage", "detail", "status", "x"])
_json = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner),
    max_leaves=9,
)


@given(_json)
def test_anything_can_be_read(value: Any) -> None:
    found = parse_overflow(value)
    assert found is None or found.kind in ("input", "output", "rate")
