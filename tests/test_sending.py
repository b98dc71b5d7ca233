"""send() and asend(): against servers of every temper, and a real one."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import itertools
from collections.abc import Callable
from typing import Any, get_args

import openai
import pytest
from drawn import any_history
from hypothesis import given
from hypothesis import strategies as st

from contextkit import (
    BudgetExceeded,
    OptionError,
    RequestTooLong,
    StreamedMessage,
    asend,
    check,
    collect_stream,
    convert,
    count,
    parse_overflow,
    send,
    trim,
)
from contextkit.conversion.converting import Target

Messages = list[dict[str, Any]]

TALK: Messages = [
    message
    for n in range(40)
    for message in (
        {"role": "user", "content": f"第 {n} 天的天气怎么样？"},
        {"role": "assistant", "content": f"On day {n} it was sunny in the morning."},
    )
] + [{"role": "user", "content": "So which day was best?"}]


class Server:
    """Counts as a server does that agrees with nobody, and refuses what is over its limit."""

    def __init__(
        self, limit: int, ratio: float = 1.3, wording: str = "{n} > {limit} maximum"
    ) -> None:
        self.limit, self.ratio, self.wording = limit, ratio, wording
        self.asked: list[int] = []

    def counted(self, messages: Messages) -> int:
        return int(count(messages) * self.ratio)

    def __call__(self, messages: Messages) -> Messages:
        counted = self.counted(messages)
        self.asked.append(counted)
        if counted > self.limit:
            said = self.wording.format(n=counted, limit=self.limit)
            raise ValueError(f"prompt is too long: {said}")
        return messages


def test_what_fits_is_sent_once() -> None:
    server = Server(10_000)
    assert send(server, TALK, model="gpt-4o") == TALK
    assert len(server.asked) == 1


def test_one_retry_fits_by_the_numbers_of_the_server() -> None:
    server = Server(600)
    sent = send(server, TALK, model="gpt-4o")
    assert len(server.asked) == 2
    assert server.limit * 0.9 < server.asked[1] <= server.limit
    assert sent == trim(TALK, max_tokens=count(sent)).messages


@given(any_history, st.integers(5, 3_000), st.floats(0.4, 2.5), st.integers(0, 5), st.booleans())
def test_it_ends_and_every_attempt_is_smaller(
    history: Messages, limit: int, ratio: float, retries: int, says_numbers: bool
) -> None:
    before = copy.deepcopy(history)
    server = Server(limit, ratio, "{n} > {limit} maximum" if says_numbers else "")
    try:
        sent = send(server, history, model="gpt-4o", retries=retries)
    except (RequestTooLong, BudgetExceeded) as error:
        assert isinstance(error, BudgetExceeded) or error.attempts == retries + 1
    else:
        assert server.counted(sent) <= limit
        assert check(sent) == [] or check(history) != []
    assert len(server.asked) <= retries + 1
    assert all(later <= earlier for earlier, later in itertools.pairwise(server.asked))
    assert len(set(server.asked)) == len(server.asked) or ratio < 1
    assert history == before


def test_when_nothing_helps_the_last_word_of_the_server_is_kept() -> None:
    def never(messages: Messages) -> None:
        raise ValueError("Prompt is too long")

    with pytest.raises(RequestTooLong, match="asked 3 times") as caught:
        send(never, TALK, model="gpt-4o")
    assert caught.value.overflow.kind == "input"
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(RequestTooLong, match="asked once"):
        send(never, TALK, model="gpt-4o", retries=0)


def test_what_has_to_stay_may_be_too_long_for_the_server() -> None:
    with pytest.raises(BudgetExceeded, match="have to stay"):
        send(Server(3), TALK, model="gpt-4o")


@pytest.mark.parametrize("error", [ValueError("Rate limit reached"), KeyError("x"), OSError("no")])
def test_other_errors_are_raised_as_they_come(error: Exception) -> None:
    calls: list[int] = []

    def failing(messages: Messages) -> None:
        calls.append(len(messages))
        raise error

    with pytest.raises(type(error)) as caught:
        send(failing, TALK, model="gpt-4o")
    assert caught.value is error
    assert len(calls) == 1


def test_an_error_with_status_200_is_an_error_too() -> None:
    asked: list[int] = []

    def gateway(messages: Messages) -> dict[str, Any]:
        asked.append(count(messages))
        if asked[-1] > 500:
            text = (
                "This endpoint's maximum context length is 500 tokens. However, you requested "
                f"about {asked[-1]} tokens ({asked[-1]} of text input)."
            )
            return {"error": {"message": text, "code": 400}}
        return {"choices": [{"message": {"role": "assistant", "content": "too long, it exceeds"}}]}

    assert "choices" in send(gateway, TALK, model="gpt-4o")
    assert len(asked) == 2
    with pytest.raises(RequestTooLong, match="wait"):
        send(lambda messages: {"error": {"message": "Rate limit"}}, TALK, model="gpt-4o")


def test_a_lower_limit_for_the_answer_is_passed_where_it_is_taken() -> None:
    asked: list[int] = []

    def model(messages: Messages, max_tokens: int = 9_000) -> str:
        asked.append(max_tokens)
        if max_tokens > 4_096:
            raise ValueError("Invalid max_tokens value, the valid range of max_tokens is [1, 4096]")
        return "ok"

    assert send(model, TALK, model="gpt-4o") == "ok"
    assert asked == [9_000, 4_096]


def test_the_room_beside_the_input_is_what_is_left_for_the_answer() -> None:
    asked: list[int] = []

    def claude(messages: Messages, *, max_tokens: int = 20_000) -> str:
        asked.append(max_tokens)
        if 190_000 + max_tokens > 200_000:
            raise ValueError(
                "input length and `max_tokens` exceed context limit: "
                f"190000 + {max_tokens} > 200000, decrease input length or `max_tokens`"
            )
        return "ok"

    assert send(claude, TALK, model="gpt-4o") == "ok"
    assert asked == [20_000, 10_000]


def test_elsewhere_the_cure_is_named() -> None:
    def model(messages: Messages) -> None:
        raise ValueError("Range of max_tokens should be [1, 8192]")

    with pytest.raises(RequestTooLong, match="at most 8,192 tokens"):
        send(model, TALK, model="gpt-4o")

    def stubborn(messages: Messages, max_tokens: int = 9) -> None:
        raise ValueError("Range of max_tokens should be [1, 8192]")

    with pytest.raises(RequestTooLong, match="asked 2 times"):
        send(stubborn, TALK, model="gpt-4o", retries=9)


def test_options_of_trim_hold_for_every_attempt() -> None:
    server = Server(600)
    sent = send(server, iter(TALK), model="gpt-4o", pin=[0], max_tokens=900)
    assert sent[0] is TALK[0]
    assert server.asked[0] <= 900 * server.ratio


def test_impossible_options() -> None:
    with pytest.raises(OptionError, match="call"):
        send("gpt-4o", TALK, model=None)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="retries"):
        send(print, TALK, model=None, retries=-1)


def test_asend_does_the_same() -> None:
    server = Server(600)

    async def call(messages: Messages) -> Messages:
        await asyncio.sleep(0)
        return server(messages)

    sent = asyncio.run(asend(call, TALK, model="gpt-4o"))
    assert sent == send(Server(600), TALK, model="gpt-4o")
    assert len(server.asked) == 2

    async def slow(messages: Messages) -> None:
        raise ValueError("Too many requests")

    with pytest.raises(ValueError, match="Too many requests"):
        asyncio.run(asend(slow, TALK, model="gpt-4o"))


def test_a_cancelled_call_is_not_tried_again() -> None:
    calls: list[int] = []

    async def hanging(messages: Messages) -> None:
        calls.append(1)
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asend(hanging, TALK, model="gpt-4o"))
    assert calls == [1]


# Bodies

BODIES: dict[str, dict[str, Any]] = {
    to: convert(
        {"messages": [{"role": "system", "content": "Be brief."}, *TALK], "max_tokens": 900}, to=to
    ).body
    for to in get_args(Target)
}


def asked_output(body: dict[str, Any]) -> int:
    holder = body.get("generationConfig", body)
    names = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens")
    return int(next(holder[name] for name in names if name in holder))


class BodyServer:
    """Takes bodies of one format, and refuses what or whose answer is over a limit."""

    def __init__(self, api: str, *, limit: int, output: int) -> None:
        self.api: Any = api
        self.limit, self.output = limit, output
        self.asked: list[tuple[int, int]] = []

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        counted, wanted = int(count(body, api=self.api) * 1.3), asked_output(body)
        self.asked.append((counted, wanted))
        if counted > self.limit:
            raise ValueError(f"prompt is too long: {counted} tokens > {self.limit} maximum")
        if wanted > self.output:
            raise ValueError(f"Range of max_tokens should be [1, {self.output}]")
        return body


@pytest.mark.parametrize("api", BODIES)
def test_a_body_is_sent_as_a_body_of_the_same_format(api: str) -> None:
    given = BODIES[api]
    before = copy.deepcopy(given)
    server = BodyServer(api, limit=600, output=300)
    sent = send(server, given, model="gpt-4o")
    assert given == before
    assert [wanted for _, wanted in server.asked] == [900, 900, 300]
    assert server.limit * 0.9 < server.asked[1][0] <= server.limit
    assert list(sent) == list(given)
    key = next(key for key in ("input", "contents", "messages") if key in given)
    assert sent[key][-1] is given[key][-1]
    for instructions in ("system", "instructions", "systemInstruction"):
        assert sent.get(instructions) is given.get(instructions)


@pytest.mark.parametrize("api", BODIES)
@given(st.integers(1, 1_500), st.integers(0, 1_200), st.integers(0, 6))
def test_bodies_end_too(api: str, limit: int, output: int, retries: int) -> None:
    server = BodyServer(api, limit=limit, output=output)
    with contextlib.suppress(RequestTooLong, BudgetExceeded):
        sent = send(server, BODIES[api], model="gpt-4o", retries=retries)
        assert count(sent, api=server.api) * 1.3 <= limit + 1
        assert asked_output(sent) <= output
    assert len(server.asked) <= retries + 1
    assert all(later < earlier for earlier, later in itertools.pairwise(map(sum, server.asked)))


def test_a_body_brings_its_own_model_and_its_own_limit() -> None:
    body = {"model": "gpt-4o", "messages": TALK, "max_tokens": 900}
    assert send(lambda sent: sent, body) is body
    unlimited = {"model": "gpt-4o", "messages": TALK}

    def model(sent: dict[str, Any]) -> None:
        raise ValueError("Range of max_tokens should be [1, 100]")

    with pytest.raises(RequestTooLong, match="at most 100 tokens"):
        send(model, unlimited)


def test_the_error_of_a_collected_stream_is_an_error_too() -> None:
    server = Server(600)

    def streaming(messages: Messages) -> StreamedMessage:
        try:
            server(messages)
        except ValueError as error:
            return collect_stream([{"type": "error", "error": {"message": str(error)}}])
        return collect_stream([{"choices": [{"delta": {"content": "ok"}}]}])

    assert send(streaming, TALK, model="gpt-4o") == {"role": "assistant", "content": "ok"}
    assert len(server.asked) == 2


# A real server with a context of 2,048 tokens

LONG: Messages = [
    message
    for n in range(60)
    for message in (
        {"role": "user", "content": f"Please read row {n}: 货架 {n} 有 {n * 7} 箱。"},
        {"role": "assistant", "content": f"Row {n} holds {n * 7} boxes. " * 3},
    )
] + [{"role": "user", "content": "How many boxes are in row 3?"}]


def completing(client: openai.OpenAI, sizes: list[int]) -> Callable[[Messages], Any]:
    def call(messages: Messages) -> Any:
        sizes.append(len(messages))
        chat: Any = messages
        return client.chat.completions.create(model="smollm2", messages=chat, max_tokens=4)

    return call


def test_a_real_server_says_how_much_it_takes(llama_server: openai.OpenAI) -> None:
    with pytest.raises(openai.APIStatusError) as caught:
        completing(llama_server, [])(LONG)
    found = parse_overflow(caught.value)
    assert found is not None
    assert (found.kind, found.limit, found.provider) == ("input", 2_048, "llama.cpp")
    assert found.requested is not None
    assert found.requested > 2_048


def test_a_real_server_takes_a_later_attempt(llama_server: openai.OpenAI) -> None:
    sizes: list[int] = []
    answer = send(completing(llama_server, sizes), LONG, model="gpt-4o", reserve_output=8)
    assert len(sizes) in (2, 3)
    assert sizes == sorted(set(sizes), reverse=True)
    assert 1_500 < answer.usage.prompt_tokens < 2_048


@pytest.mark.parametrize(
    ("api", "path"),
    [
        ("openai-chat", "/chat/completions"),
        ("openai-responses", "/responses"),
        ("anthropic", "/messages"),
    ],
)
def test_a_real_server_takes_a_later_attempt_in_every_format_that_it_speaks(
    llama_server: openai.OpenAI, api: Any, path: str
) -> None:
    body = convert({"messages": LONG, "max_tokens": 4}, to=api, model="smollm2").body
    sizes: list[int] = []

    def call(sent: dict[str, Any]) -> Any:
        sizes.append(len(sent.get("messages") or sent["input"]))
        return llama_server.post(path, body=sent, cast_to=object)

    answer = send(call, body, model="gpt-4o", reserve_output=8)
    usage = answer["usage"]
    assert len(sizes) in (2, 3)
    assert sizes == sorted(set(sizes), reverse=True)
    read = usage.get("prompt_tokens") or usage["input_tokens"] + usage.get(
        "cache_read_input_tokens", 0
    )
    assert 1_500 < read < 2_048
