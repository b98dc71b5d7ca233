"""Streams of every wire format, put together to the message that the server meant."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
import streamed
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseTextDeltaEvent

from contextkit import OptionError, StreamCollector, StreamError, check, collect_stream, validate
from contextkit.cli import main

Dict = dict[str, Any]


def delta(finish: str | None = None, **told: Any) -> Dict:
    return {"choices": [{"index": 0, "delta": told, "finish_reason": finish}]}


def call(arguments: str | None = None, name: str | None = None, **told: Any) -> Dict:
    function = {"name": name, "arguments": arguments}
    return {**told, "function": {k: v for k, v in function.items() if v is not None}}


def calls_of(*chunks: Dict) -> list[tuple[str, str, str]]:
    message = collect_stream([*chunks, delta("tool_calls")])
    assert message["role"] == "assistant"
    assert message.complete
    return [
        (each["id"], each["function"]["name"], each["function"]["arguments"])
        for each in message["tool_calls"]
    ]


def sse(events: Iterable[Dict]) -> bytes:
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


# laws


@given(st.data())
def test_any_cutting_of_the_same_deltas_is_the_same_message(data: st.DataObject) -> None:
    message = data.draw(streamed.answers())
    chunks = data.draw(streamed.chat_chunks(message))
    got = collect_stream(chunks)
    assert got == message
    assert got.complete
    assert got.incomplete_calls == ()
    assert got.usage == chunks[-1]["usage"]


@given(st.data())
def test_any_cutting_of_anthropic_deltas_is_the_same_message(data: st.DataObject) -> None:
    message = data.draw(streamed.anthropic_answers())
    got = collect_stream(data.draw(streamed.anthropic_events(message)))
    assert got == message
    assert got.usage == {"input_tokens": 9, "output_tokens": 44}
    assert (got.complete, got.finish_reason) == (True, "end_turn")


@given(st.data())
def test_bytes_may_be_cut_anywhere(data: st.DataObject) -> None:
    message = data.draw(streamed.answers() | streamed.anthropic_answers())
    is_chat = "tool_calls" in message or not isinstance(message["content"], list)
    events = streamed.chat_chunks if is_chat else streamed.anthropic_events
    sent = data.draw(streamed.wire(data.draw(events(message))))
    got = collect_stream(data.draw(st.composite(streamed.cut)(sent)))
    assert (got, got.complete) == (message, True)
    assert collect_stream([sent[at : at + 1] for at in range(len(sent))]) == message


@given(st.data())
def test_lines_without_their_ends_are_read_too(data: st.DataObject) -> None:
    message = data.draw(streamed.answers())
    events = sse(data.draw(streamed.chat_chunks(message))).decode().split("\n")
    with_blanks: list[Any] = [*events, "data: [DONE]"]
    without = [line.encode() for line in with_blanks if line]
    only_data = [line.removeprefix("data: ") for line in with_blanks if line]
    for lines in (with_blanks, without, only_data):
        got = collect_stream(lines)
        assert (got, got.complete) == (message, True)


@given(st.data())
def test_a_stream_that_breaks_off_leaves_what_had_come(data: st.DataObject) -> None:
    message = data.draw(streamed.answers())
    chunks = data.draw(streamed.chat_chunks(message))[:-2]
    came = collect_stream(chunks[: data.draw(st.integers(0, len(chunks)))])
    assert not came.complete
    assert message["content"].startswith(came["content"] or "")
    for got, whole in zip(came.get("tool_calls", ()), message.get("tool_calls", ()), strict=False):
        assert whole["function"]["arguments"].startswith(got["function"]["arguments"])
        is_whole = got["function"]["arguments"] == whole["function"]["arguments"]
        assert (got["id"] in came.incomplete_calls) != is_whole


def test_the_work_grows_with_the_stream() -> None:
    def seconds(size: int) -> float:
        fragment = call("x" * 20, index=0, id="a", name="f")
        raw = sse([delta(tool_calls=[fragment])] * size)
        start = time.process_time()
        collect_stream([raw[at : at + 64] for at in range(0, len(raw), 64)])
        return time.process_time() - start

    seconds(1_000)
    assert min(seconds(40_000) for _ in range(2)) <= 3 * 4 * min(seconds(10_000) for _ in range(3))


# chat: the ways of servers


ADD = ("ca", "add", '{"x":1}')
MUL = ("cb", "mul", '{"y":2}')


@pytest.mark.parametrize("index", [{}, {"index": 1}], ids=["no index", "only the last has one"])
def test_calls_without_an_index(index: Dict) -> None:
    assert calls_of(
        delta(tool_calls=[call('{"x"', "add", id="ca", type="function")]),
        delta(tool_calls=[call(":1}")]),
        delta(tool_calls=[call('{"y":2}', "mul", id="cb", **index)]),
    ) == [ADD, MUL]


def test_two_fragments_of_one_call_in_one_chunk() -> None:
    opening = [call(name="add", id="ca", index=0), call('{"x":', index=0)]
    rest = delta(tool_calls=[call("1}", index=0)])
    assert calls_of(delta(tool_calls=opening), rest) == [ADD]


def test_a_new_id_for_every_fragment() -> None:
    fragments = [call(c, "", index=0, id=f"x{n}") for n, c in enumerate('{"x":1}')]
    chunks = [delta(tool_calls=[each]) for each in (call("", "add", index=0, id="ca"), *fragments)]
    assert calls_of(*chunks) == [ADD]


def test_facts_that_every_chunk_repeats_are_said_once() -> None:
    facts = {"index": 0, "id": "ca", "type": "function"}
    pieces = [call(text, "add", **facts) for text in ('{"x"', ":", "1}")]
    chunks = [delta(role="assistant", tool_calls=[each]) for each in pieces]
    assert calls_of(*chunks) == [ADD]
    assert collect_stream(chunks)["role"] == "assistant"


def test_every_call_with_the_index_0() -> None:
    both = [call('{"x":1}', "add", index=0, id="ca"), call('{"y":2}', "mul", index=0, id="cb")]
    assert calls_of(*(delta(tool_calls=[each]) for each in both)) == [ADD, MUL]


def test_calls_without_id_or_index() -> None:
    chunks = [call('{"x":1}', "add"), call('{"x":2}', "add"), call('{"y":2}', "mul")]
    message = collect_stream([delta(tool_calls=chunks), delta("tool_calls")])
    assert [each["function"]["arguments"] for each in message["tool_calls"]] == [
        '{"x":1}',
        '{"x":2}',
        '{"y":2}',
    ]


def test_a_call_without_arguments_has_none() -> None:
    assert calls_of(delta(tool_calls=[call("", "now", id="c", index=0)])) == [("c", "now", "{}")]
    broken = collect_stream([delta(tool_calls=[call("", "now", id="c", index=0)])])
    assert broken["tool_calls"][0]["function"]["arguments"] == ""
    assert broken.incomplete_calls == ("c",)


def test_arguments_cut_by_the_length_limit_are_marked_and_kept_raw() -> None:
    raw = '{"path":"a.txt","text":"abc'
    message = collect_stream(
        [delta(tool_calls=[call(raw, "write_file", index=0, id="ca")]), delta("length")]
    )
    assert message["tool_calls"][0]["function"]["arguments"] == raw
    assert (message.finish_reason, message.complete) == ("length", True)
    assert message.incomplete_calls == ("ca",)


def test_custom_and_legacy_calls() -> None:
    custom = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "sql", "input": "SELECT"}}
    more = {"index": 0, "custom": {"input": " 1"}}
    message = collect_stream([delta(tool_calls=[custom]), delta("tool_calls", tool_calls=[more])])
    assert message["tool_calls"] == [
        {"id": "c", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}}
    ]
    assert message.incomplete_calls == ()
    legacy = [{"name": "f", "arguments": ""}, {"arguments": '{"a"'}, {"arguments": ":1}"}]
    message = collect_stream([*(delta(function_call=each) for each in legacy), delta("stop")])
    assert message["function_call"] == {"name": "f", "arguments": '{"a":1}'}


def test_usage_that_grows_and_usage_without_choices() -> None:
    growing = [{**delta(content="x"), "usage": {"completion_tokens": n}} for n in range(1, 4)]
    last = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 3}}
    message = collect_stream([*growing, delta("stop"), last, {"choices": [], "usage": None}])
    assert message.usage == {"completion_tokens": 3, "prompt_tokens": 5}
    in_choice = {"choices": [{"index": 0, "delta": {}, "usage": {"prompt_tokens": 1}}]}
    assert collect_stream([in_choice]).usage == {"prompt_tokens": 1}


def test_several_choices_stay_apart() -> None:
    chunks = [
        {"choices": [{"index": place, "delta": {"content": text}, "finish_reason": end}]}
        for place, text, end in [(1, "b", None), (0, "a", None), (1, "B", "stop"), (0, "A", None)]
    ]
    collector = StreamCollector()
    for chunk in chunks:
        collector.add(chunk)
    assert [message["content"] for message in collector.messages] == ["aA", "bB"]
    assert (collector.message["content"], collector.complete) == ("aA", False)


def test_parts_of_a_server_that_streams_thinking_as_parts() -> None:
    def thinking(text: str) -> list[Dict]:
        return [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]

    chunks = [
        delta(content=""),
        delta(content=thinking("先想")),
        delta(content=thinking("一想。")),
        delta(content="答案"),
        delta("stop", content="是 4。"),
    ]
    assert collect_stream(chunks)["content"] == [
        *thinking("先想一想。"),
        {"type": "text", "text": "答案是 4。"},
    ]


def test_reasoning_details_of_a_gateway_are_put_together() -> None:
    pieces = [{"type": "reasoning.text", "index": 0, "text": text} for text in ("Let ", "me")]
    signed = {"type": "reasoning.text", "index": 0, "text": "", "signature": "s"}
    hidden = {"type": "reasoning.encrypted", "index": 1, "data": "zz"}
    chunks = [delta(reasoning_details=[each]) for each in (*pieces, signed, hidden)]
    assert collect_stream(chunks)["reasoning_details"] == [
        {"type": "reasoning.text", "index": 0, "text": "Let me", "signature": "s"},
        hidden,
    ]


def test_spoken_audio() -> None:
    chunks = [
        delta(audio={"id": "a1"}),
        delta(audio={"transcript": "你", "data": "AA"}),
        delta(audio={"transcript": "好", "data": "BB"}),
        delta("stop", audio={"expires_at": 9}),
    ]
    assert collect_stream(chunks)["audio"] == {
        "id": "a1",
        "expires_at": 9,
        "transcript": "你好",
        "data": "AABB",
    }


def test_a_server_that_does_not_stream_is_read_all_the_same() -> None:
    message = {"role": "assistant", "content": "好"}
    whole = {
        "object": "chat.completion",
        "choices": [{"message": message, "finish_reason": "stop"}],
    }
    assert collect_stream([json.dumps(whole, indent=2)]) == message


# other formats


def test_responses_that_break_off_have_what_had_come() -> None:
    def event(kind: str, **told: Any) -> Dict:
        return {"type": f"response.{kind}", "output_index": 0, **told}

    item = {
        "type": "message",
        "id": "m",
        "role": "assistant",
        "status": "in_progress",
        "content": [],
    }
    part = {"type": "output_text", "text": "", "annotations": []}
    events = [
        {"type": "response.created", "response": {"status": "in_progress", "output": []}},
        event("output_item.added", item=item),
        event("content_part.added", content_index=0, part=part),
        event("output_text.delta", content_index=0, delta="你"),
        event("output_text.delta", content_index=0, delta="好"),
        event("output_item.added", output_index=1, item={"type": "reasoning", "summary": []})
        | {"output_index": 1},
        event("reasoning_summary_text.delta", summary_index=0, delta="Hm") | {"output_index": 1},
        event("output_item.added", item={"type": "function_call", "call_id": "c", "arguments": ""})
        | {"output_index": 2},
        event("function_call_arguments.delta", delta='{"a"') | {"output_index": 2},
    ]
    message = collect_stream(events)
    assert message["output"] == [
        {**item, "content": [{**part, "text": "你好"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}]},
        {"type": "function_call", "call_id": "c", "arguments": '{"a"'},
    ]
    assert (message.complete, message.incomplete_calls) == (False, ("c",))
    assert item["content"] == [], "the caller's event is not written to"


def test_responses_cut_by_a_limit() -> None:
    response = {
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "output": [{"type": "message", "content": []}],
        "usage": {"input_tokens": 3},
    }
    message = collect_stream([{"type": "response.incomplete", "response": response}])
    assert (message.complete, message.finish_reason) == (True, "max_output_tokens")
    assert message == {"output": response["output"]}
    assert message.usage == {"input_tokens": 3}


def anthropic_call(*fragments: str) -> list[Dict]:
    block = {"type": "tool_use", "id": "t", "name": "add", "input": {}}
    return [
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": fragment},
            }
            for fragment in fragments
        ),
    ]


def test_broken_input_of_an_anthropic_call_is_kept_and_marked() -> None:
    message = collect_stream(anthropic_call("", '{"x": [1,'))
    assert message["content"][0]["input"] == {"INVALID_JSON": '{"x": [1,'}
    assert (message.incomplete_calls, message.complete) == (("t",), False)
    whole = collect_stream([*anthropic_call(""), {"type": "message_stop"}])
    assert whole["content"][0]["input"] == {}
    assert whole.incomplete_calls == ()


def test_an_anthropic_message_that_starts_again() -> None:
    again = collect_stream(
        [*anthropic_call('{"x"'), *anthropic_call("{}"), {"type": "message_stop"}]
    )
    assert again["content"] == [{"type": "tool_use", "id": "t", "name": "add", "input": {}}]
    assert again.notes == ("begun anew after 1 blocks, which are left out",)
    stopped = [*anthropic_call("{}"), {"type": "message_stop"}]
    with pytest.raises(StreamError, match="chunk 4: a second message starts; use one collector"):
        collect_stream([*stopped, *stopped])


def test_citations_and_signatures() -> None:
    def added(index: int, **told: Any) -> Dict:
        return {"type": "content_block_delta", "index": index, "delta": told}

    message = collect_stream(
        [
            {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}},
            added(0, type="thinking_delta", thinking="想"),
            added(0, type="signature_delta", signature="s"),
            {
                "type": "content_block_start",
                "index": 1,
                "content_block": {"type": "text", "text": "T"},
            },
            added(1, type="text_delta", text="ext"),
            added(1, type="citations_delta", citation={"cited_text": "x"}),
        ]
    )
    assert message["content"] == [
        {"type": "thinking", "thinking": "想", "signature": "s"},
        {"type": "text", "text": "Text", "citations": [{"cited_text": "x"}]},
    ]


def gemini(part: Dict, **told: Any) -> Dict:
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, **told}]}


def test_gemini_calls_with_streamed_arguments() -> None:
    def changed(path: str, more: bool = True, **value: Any) -> Dict:
        call = {"partialArgs": [{"jsonPath": path, **value}], "willContinue": more}
        return gemini({"functionCall": call})

    chunks = [
        gemini({"functionCall": {"name": "cook", "willContinue": True}, "thoughtSignature": "s"}),
        changed("$.steps[0].text", stringValue="Boil ", willContinue=True),
        changed("$.steps[0].text", stringValue="water"),
        changed("$.steps[1]['text']", stringValue="Eat"),
        changed("$.minutes", more=False, numberValue=9),
        gemini({"text": ""}, finishReason="STOP"),
    ]
    args = {"steps": [{"text": "Boil water"}, {"text": "Eat"}], "minutes": 9}
    message = collect_stream(chunks)
    assert message["parts"] == [
        {"functionCall": {"name": "cook", "args": args}, "thoughtSignature": "s"},
        {"text": ""},
    ]
    assert (message.complete, message.incomplete_calls) == (True, ())
    assert collect_stream(chunks[:3]).incomplete_calls == ("cook",)


@given(st.data())
def test_a_json_array_is_a_stream_too(data: st.DataObject) -> None:
    text = data.draw(streamed.texts)
    chunks = [gemini({"text": text}), gemini({"text": "}]"}, finishReason="STOP")]
    sent = json.dumps(chunks, ensure_ascii=False, indent=data.draw(st.none() | st.just(2))).encode()
    got = collect_stream(data.draw(st.composite(streamed.cut)(sent)))
    assert got == {"role": "model", "parts": [{"text": text}, {"text": "}]"}]}


def test_bedrock_cohere_ollama_and_interactions() -> None:
    def block(place: int, **told: Any) -> Dict:
        return {"contentBlockDelta": {"contentBlockIndex": place, "delta": told}}

    opened = {"toolUse": {"toolUseId": "t", "name": "add"}}
    bedrock = collect_stream(
        [
            {"messageStart": {"role": "assistant"}},
            block(0, reasoningContent={"text": "想"}),
            block(0, reasoningContent={"text": "想"}),
            block(0, reasoningContent={"signature": "s"}),
            block(1, text="a"),
            block(1, text="b"),
            {"contentBlockStart": {"contentBlockIndex": 2, "start": opened}},
            block(2, toolUse={"input": '{"x"'}),
            block(2, toolUse={"input": ":1}"}),
            {"messageStop": {"stopReason": "tool_use"}},
            {"metadata": {"usage": {"inputTokens": 3}}},
        ]
    )
    assert bedrock["content"] == [
        {"reasoningContent": {"reasoningText": {"text": "想想", "signature": "s"}}},
        {"text": "ab"},
        {"toolUse": {"toolUseId": "t", "name": "add", "input": {"x": 1}}},
    ]
    assert (bedrock.complete, bedrock.usage) == (True, {"inputTokens": 3})

    def cohere(kind: str, index: int = 0, **told: Any) -> Dict:
        return {"type": kind, "index": index, "delta": {"message": told}}

    began = {"id": "c", "type": "function", "function": {"name": "add", "arguments": ""}}
    answer = collect_stream(
        [
            cohere("message-start", role="assistant"),
            cohere("tool-plan-delta", tool_plan="I add."),
            cohere("tool-call-start", tool_calls=began),
            cohere("tool-call-delta", tool_calls={"function": {"arguments": '{"x":1}'}}),
            cohere("content-start", content={"type": "text", "text": ""}),
            cohere("content-delta", content={"text": "好"}),
            {
                "type": "message-end",
                "delta": {"finish_reason": "COMPLETE", "usage": {"tokens": {}}},
            },
        ]
    )
    assert answer == {
        "role": "assistant",
        "tool_plan": "I add.",
        "content": [{"type": "text", "text": "好"}],
        "tool_calls": [{**began, "function": {"name": "add", "arguments": '{"x":1}'}}],
    }
    tool = {"function": {"name": "add", "arguments": {"x": 1}}}
    lines = [
        {"message": {"role": "assistant", "content": "", "thinking": "想"}, "done": False},
        {"message": {"content": "好", "tool_calls": [tool]}, "done": False},
        {"message": {"content": ""}, "done": True, "done_reason": "stop", "eval_count": 5},
    ]
    local = collect_stream("".join(json.dumps(line) + "\n" for line in lines).encode())
    assert local == {"role": "assistant", "content": "好", "thinking": "想", "tool_calls": [tool]}
    assert (local.usage, local.finish_reason) == ({"eval_count": 5}, "stop")

    steps = [
        {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}},
        {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "你"}},
        {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "好"}},
        {"event_type": "interaction.completed", "interaction": {"status": "completed"}},
    ]
    interaction = collect_stream(steps)
    assert interaction["steps"] == [
        {"type": "model_output", "content": [{"type": "text", "text": "你好"}]}
    ]
    assert interaction.complete


# the wire, and who reads it


def test_comments_names_and_several_data_lines() -> None:
    sent = (
        "\ufeff: hello\n\nid: 1\nretry: 9\nunknown\nevent: message\n"
        'data: {"choices":\n'
        'data:  [{"delta": {"content": "a\u2028b"}, "finish_reason": "stop"}]}\n\n'
    )
    assert collect_stream([sent])["content"] == "a\u2028b"


@pytest.mark.parametrize(
    "event",
    [
        'event: error\ndata: {"error": {"message": "too long"}}\n\n',
        'data: {"type": "error", "error": {"message": "too long"}}\n\n',
        'data: {"error": {"message": "too long"}}\n\n',
    ],
)
def test_error_events_are_kept_and_what_came_before_them(event: str) -> None:
    message = collect_stream([sse([delta(content="half")]).decode(), event])
    assert (message["content"], message.complete) == ("half", False)
    assert message.error is not None
    assert message.error["error"] == {"message": "too long"}
    alone = collect_stream([event])
    assert (alone["content"], alone.complete) == (None, False)
    assert alone.error == message.error


def test_an_error_in_plain_words() -> None:
    message = collect_stream(["event: error\ndata: upstream failed\n\n"])
    assert message.error == {"error": "upstream failed"}
    throttled = collect_stream([{"throttlingException": {"message": "slow down"}}])
    assert throttled.error == {"throttlingException": {"message": "slow down"}}


@pytest.mark.parametrize(
    ("chunk", "found"),
    [
        (5, "chunk 1: int is no chunk"),
        ({"type": "session.created"}, "chunk 1: a chunk with type"),
        ("data: <html>\n\n", "chunk 1: data '<html>' is no JSON object"),
        ("data: [1]\n\n", r"chunk 1: data '\[1\]' is no JSON object"),
    ],
)
def test_what_is_no_chunk_is_named(chunk: Any, found: str) -> None:
    with pytest.raises(StreamError, match=found):
        collect_stream([b": comment\n\n", chunk])


def test_chunks_go_through_as_they_are_and_a_failure_leaves_what_came() -> None:
    chunks = [delta(content="a"), delta(content="b")]

    def failing() -> Iterator[Dict]:
        yield from chunks
        raise ConnectionError("reset by peer")

    collector = StreamCollector(failing())
    reading = iter(collector)
    assert [next(reading) is chunk for chunk in chunks] == [True, True]
    with pytest.raises(ConnectionError):
        next(reading)
    assert (collector.message["content"], collector.complete) == ("ab", False)


def test_an_asynchronous_stream() -> None:
    async def sent() -> AsyncIterator[bytes]:
        for part in (sse([delta(content="你")]), sse([delta("stop", content="好")])[:9], b""):
            yield part
        yield sse([delta("stop", content="好")])[9:]

    async def read() -> tuple[StreamCollector, list[bytes]]:
        collector = StreamCollector(sent())
        return collector, [chunk async for chunk in collector]

    collector, chunks = asyncio.run(read())
    assert (collector.message["content"], collector.complete) == ("你好", True)
    assert collector.api == "openai-chat"
    assert len(chunks) == 4
    with pytest.raises(OptionError, match="async for"):
        collect_stream(sent())  # type: ignore[arg-type]


def test_objects_of_the_sdk() -> None:
    told = {"id": "x", "created": 1, "model": "m", "object": "chat.completion.chunk"}
    pieces = [call('{"x"', "add", index=0, id="ca", type="function"), call(":1}", index=0)]
    raw = [delta(role="assistant", content=None), *(delta(tool_calls=[each]) for each in pieces)]
    chunks = [
        ChatCompletionChunk.model_validate({**told, **each}) for each in [*raw, delta("stop")]
    ]
    message = collect_stream(chunks)
    assert message == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "ca", "type": "function", "function": {"name": "add", "arguments": '{"x":1}'}}
        ],
    }
    event = ResponseTextDeltaEvent(
        type="response.output_text.delta",
        content_index=0,
        delta="好",
        item_id="m",
        logprobs=[],
        output_index=0,
        sequence_number=1,
    )
    part = {"type": "output_text", "text": "好"}
    assert collect_stream([event]) == {"output": [{"content": [part]}]}


def test_the_command_collects_a_recorded_stream(tmp_path: Path) -> None:
    file = tmp_path / "answer.sse"
    whole = [delta(content="你"), delta("stop", content="好")]
    file.write_bytes(sse(whole))
    result = CliRunner().invoke(main, ["collect", str(file)])
    assert json.loads(result.stdout) == {"role": "assistant", "content": "你好"}
    assert (result.exit_code, result.stderr) == (0, "")
    fragment = call('{"x"', "add", index=0, id="ca")
    result = CliRunner().invoke(
        main, ["collect", "-", "--format", "report"], input=sse([delta(tool_calls=[fragment])])
    )
    assert json.loads(result.stdout)["complete"] is False
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "-: the stream broke off; the message is what had come",
        "-: the arguments of call 'ca' are no whole JSON object; do not run it",
    ]
    result = CliRunner().invoke(main, ["collect", "-"], input="data: nothing\n\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "chunk 1: data 'nothing' is no JSON object" in result.stderr


# a real server


@pytest.mark.parametrize("raw", [False, True], ids=["sdk", "bytes"])
def test_a_llama_cpp_server(llama_server: openai.OpenAI, raw: bool) -> None:
    asked: Any = {
        "model": "smollm2",
        "messages": [{"role": "user", "content": "Say hello, then 你好."}],
        "max_tokens": 12,
        "temperature": 0,
        "seed": 1,
    }
    usage: Any = {"include_usage": True}
    if raw:
        streaming = llama_server.chat.completions.with_streaming_response
        with streaming.create(**asked, stream=True, stream_options=usage) as response:
            message = collect_stream(response.iter_bytes(7))
    else:
        message = collect_stream(
            llama_server.chat.completions.create(**asked, stream=True, stream_options=usage)
        )
    whole = llama_server.chat.completions.create(**asked)
    assert message["content"] == whole.choices[0].message.content
    assert message.finish_reason == whole.choices[0].finish_reason
    assert message.usage is not None
    assert whole.usage is not None
    assert message.usage["prompt_tokens"] == whole.usage.prompt_tokens
    assert message.complete
    [asked_for, answer] = validate([*asked["messages"], message])
    assert check([asked_for, answer]) == []


# real streams


@pytest.fixture(scope="session")
def recorded(data: Path) -> list[Dict]:
    """Streams as they came, each with the message and usage that were read from it."""
    return _records(data / "streams" / "sse_cassettes.jsonl.gz")


def _records(file: Path) -> list[Dict]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _said_once(message: Any) -> Any:
    """A recording that joined a function name which the server said twice, with the name once."""
    for each in message.get("tool_calls", ()) if isinstance(message, dict) else ():
        name = each["function"]["name"]
        if name[: len(name) // 2] * 2 == name:
            each["function"]["name"] = name[: len(name) // 2]
    return message


@pytest.mark.data
def test_every_recorded_stream_is_the_recorded_message(recorded: list[Dict]) -> None:
    assert len(recorded) >= 160
    for record in recorded:
        message = collect_stream([record["sse"].encode()])
        wanted = _said_once(record["assembled"])
        got = message["output"] if record["api"] == "openai-responses" else dict(message)
        if isinstance(got, dict):
            beside = {"thinking", "reasoning_details"}  # what the recordings left out
            got = {key: value for key, value in got.items() if key not in beside - set(wanted)}
        assert got == wanted, record["id"]
        assert message.usage == record["usage"], record["id"]
        assert record["finish_reason"] in (None, message.finish_reason), record["id"]
        assert message.complete == (message.error is None), record["id"]
        assert message.incomplete_calls == (), record["id"]


@pytest.mark.data
def test_recorded_streams_may_be_cut_anywhere(recorded: list[Dict]) -> None:
    for record in recorded[::3]:
        sent = record["sse"].encode()
        pieces = [sent[at : at + 13] for at in range(0, len(sent), 13)]
        assert collect_stream(pieces) == collect_stream([sent]), record["id"]


def _one_answer_each(events: list[Dict]) -> list[list[Dict]]:
    """The answers of a recording that holds several behind each other."""
    answers: list[list[Dict]] = [[]]
    last = ("message_stop", "response.completed")
    for event in events:
        if answers[-1] and answers[-1][-1].get("type") in last:
            answers.append([])
        answers[-1].append(event)
    return answers


@pytest.mark.data
def test_every_recorded_list_of_chunks_is_read(data: Path) -> None:
    records = _records(data / "streams" / "vercel_chunks.jsonl.gz")
    assert len(records) >= 65
    for record in records:
        if str(record["events"][0].get("type")).startswith("session."):
            continue  # a realtime session has transcripts, and no message
        for events in _one_answer_each(record["events"]):
            message = collect_stream(events)
            assert message.complete == (message.error is None), record["id"]
            assert message.incomplete_calls == (), record["id"]
            sent = json.dumps(list(message.values()), ensure_ascii=False)
            for text in _texts(events):
                assert json.dumps(text, ensure_ascii=False)[1:-1] in sent, record["id"]


def _texts(events: list[Dict]) -> Iterator[str]:
    """What the server wrote, found by names alone; of Responses the whole texts, its last word."""
    for event in events:
        told = event.get("delta")
        if str(event.get("type")).endswith("output_text.done"):
            yield event["text"]
        elif isinstance(told, dict) and isinstance(told.get("text"), str):
            yield told["text"]
        for choice in event.get("choices") or ():
            yield choice["delta"].get("content") or ""
            yield choice["delta"].get("reasoning_content") or ""
