"""Streams as the SDKs of OpenAI, Anthropic and Google hand them out, from a server of our own.

The server sends events as the providers write them; each SDK parses them into its own objects. What
is collected from those objects is what is collected from the bytes.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import types

from contextkit import StreamCollector, StreamedMessage, acollect_stream, collect_stream, validate

Dict = dict[str, Any]

ASKED: Any = [{"role": "user", "content": "杭州天气？"}]


def named(*events: Dict) -> bytes:
    lines = (f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n" for e in events)
    return "".join(lines).encode()


def plain(*events: Dict, end: str = "") -> bytes:
    lines = (f"data: {json.dumps(each, ensure_ascii=False)}\n\n" for each in events)
    return "".join([*lines, end]).encode()


def _chat() -> bytes:
    told = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o"}

    def chunk(finish: str | None = None, **delta: Any) -> Dict:
        return {**told, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def fragment(index: int, arguments: str, **told: Any) -> Dict:
        name = {"name": told.pop("name")} if "name" in told else {}
        function = {"arguments": arguments, **name}
        return {"index": index, **told, "function": function}

    usage = {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21}
    first = fragment(0, "", id="a", type="function", name="weather")
    second = fragment(1, '{"city"', id="b", type="function", name="time")
    return plain(
        chunk(role="assistant", content=None, reasoning_content="查两次"),
        chunk(tool_calls=[first]),
        chunk(tool_calls=[second, fragment(0, '{"city": "杭')]),
        chunk(tool_calls=[fragment(0, '州"}'), fragment(1, ': "Berlin"}')]),
        chunk("tool_calls"),
        {**told, "choices": [], "usage": usage},
        end="data: [DONE]\n\n",
    )


def _responses() -> bytes:
    call = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "weather"}
    whole = {**call, "arguments": '{"city": "杭州"}', "status": "completed"}
    response = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-4o",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "output": [],
    }
    place = {"output_index": 0, "item_id": "fc_1"}
    usage = {
        "input_tokens": 9,
        "output_tokens": 12,
        "total_tokens": 21,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    events: list[Dict] = [
        {"type": "response.created", "response": {**response, "status": "in_progress"}},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**call, "arguments": "", "status": "in_progress"},
        },
        {"type": "response.function_call_arguments.delta", **place, "delta": '{"city": "杭'},
        {"type": "response.function_call_arguments.delta", **place, "delta": '州"}'},
        {"type": "response.output_item.done", "output_index": 0, "item": whole},
        {
            "type": "response.completed",
            "response": {**response, "status": "completed", "output": [whole], "usage": usage},
        },
    ]
    return named(*({**event, "sequence_number": n} for n, event in enumerate(events)))


def _anthropic() -> bytes:
    def added(index: int, **delta: Any) -> Dict:
        return {"type": "content_block_delta", "index": index, "delta": delta}

    def begun(index: int, **block: Any) -> Dict:
        return {"type": "content_block_start", "index": index, "content_block": block}

    message: Dict = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 1},
    }
    return named(
        {"type": "message_start", "message": message},
        begun(0, type="thinking", thinking="", signature=""),
        {"type": "ping"},
        added(0, type="thinking_delta", thinking="查一下"),
        added(0, type="signature_delta", signature="c2ln"),
        {"type": "content_block_stop", "index": 0},
        begun(1, type="text", text=""),
        added(1, type="text_delta", text="好"),
        added(1, type="text_delta", text="的"),
        {"type": "content_block_stop", "index": 1},
        begun(2, type="tool_use", id="toolu_1", name="weather", input={}),
        added(2, type="input_json_delta", partial_json='{"city": "杭'),
        added(2, type="input_json_delta", partial_json='州"}'),
        {"type": "content_block_stop", "index": 2},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"output_tokens": 12},
        },
        {"type": "message_stop"},
    )


def _gemini() -> bytes:
    def chunk(*parts: Dict, **beside: Any) -> Dict:
        content = {"role": "model", "parts": [*parts]}
        return {"candidates": [{"index": 0, "content": content, **beside}], "modelVersion": "m"}

    call = {"id": "fc-1", "name": "weather", "args": {"city": "杭州"}}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 12, "totalTokenCount": 21}
    last = chunk({"functionCall": call, "thoughtSignature": "c2ln"}, finishReason="STOP")
    return plain(
        chunk({"text": "查一下", "thought": True}),
        chunk({"text": "好的"}),
        {**last, "usageMetadata": usage},
    )


class _Sending(BaseHTTPRequestHandler):
    """A server that answers every request with the stream of its path."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        ends = {"completions": _chat, "responses": _responses, "messages": _anthropic}
        sent = ends.get(self.path.split("?")[0].rsplit("/", 1)[-1], _gemini)()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *values: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Sending) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def same(message: StreamedMessage, sent: bytes) -> None:
    """Collected from objects is collected from bytes, with all that the stream told beside it."""
    wanted = collect_stream([sent])
    assert message == wanted
    assert message.usage == wanted.usage
    assert message.usage is not None
    assert message.finish_reason == wanted.finish_reason
    assert (message.complete, message.error, message.incomplete_calls) == (True, None, ())


def test_the_messages_are_the_ones_that_were_cut() -> None:
    chat = collect_stream([_chat()])
    assert chat["reasoning_content"] == "查两次"
    assert [call["function"]["arguments"] for call in chat["tool_calls"]] == [
        '{"city": "杭州"}',
        '{"city": "Berlin"}',
    ]
    assert validate([chat])
    assert collect_stream([_responses()])["output"][0]["arguments"] == '{"city": "杭州"}'
    blocks = collect_stream([_anthropic()])["content"]
    assert blocks[0] == {"type": "thinking", "thinking": "查一下", "signature": "c2ln"}
    assert blocks[2]["input"] == {"city": "杭州"}
    assert collect_stream([_gemini()])["parts"][2]["thoughtSignature"] == "c2ln"


def test_openai(address: str) -> None:
    with openai.OpenAI(base_url=address, api_key="x") as client:
        chunks = client.chat.completions.create(model="m", messages=ASKED, stream=True)
        same(collect_stream(chunks), _chat())
        same(
            collect_stream(client.responses.create(model="m", input="?", stream=True)), _responses()
        )
        with client.chat.completions.stream(model="m", messages=ASKED) as helper:
            same(collect_stream(helper), _chat())
        with client.responses.stream(model="m", input="?") as events:
            assert collect_stream(events).complete


def test_anthropic(address: str) -> None:
    asked: Any = {"model": "claude", "max_tokens": 99, "messages": ASKED}
    with anthropic.Anthropic(base_url=address, api_key="x") as client:
        same(collect_stream(client.messages.create(**asked, stream=True)), _anthropic())
        with client.messages.stream(**asked) as helper:
            message = collect_stream(helper)
            same(message, _anthropic())
            final = helper.get_final_message()
    kinds = [block.type for block in final.content]
    assert kinds == [block["type"] for block in message["content"]]


def test_google(address: str) -> None:
    client = genai.Client(api_key="x", http_options=types.HttpOptions(base_url=address))
    chunks = client.models.generate_content_stream(model="m", contents="?")
    same(collect_stream(chunks), _gemini())


@asynccontextmanager
async def _openai(address: str) -> AsyncIterator[Any]:
    async with openai.AsyncOpenAI(base_url=address, api_key="x") as client:
        yield await client.chat.completions.create(model="m", messages=ASKED, stream=True)


@asynccontextmanager
async def _anthropics(address: str) -> AsyncIterator[Any]:
    asked: Any = {"model": "claude", "max_tokens": 99, "messages": ASKED}
    async with anthropic.AsyncAnthropic(base_url=address, api_key="x") as client:
        yield await client.messages.create(**asked, stream=True)


@asynccontextmanager
async def _google(address: str) -> AsyncIterator[Any]:
    client = genai.Client(api_key="x", http_options=types.HttpOptions(base_url=address)).aio
    yield await client.models.generate_content_stream(model="m", contents="?")
    await client.aclose()


@pytest.mark.filterwarnings("ignore:Inheritance class:DeprecationWarning")  # google's aiohttp
@pytest.mark.parametrize(
    ("opened", "sent"),
    [(_openai, _chat), (_anthropics, _anthropic), (_google, _gemini)],
    ids=["openai", "anthropic", "google"],
)
def test_asynchronous_streams(
    address: str, opened: Callable[[str], Any], sent: Callable[[], bytes]
) -> None:
    async def whole() -> StreamedMessage:
        async with opened(address) as chunks:
            return await acollect_stream(chunks)

    async def watched() -> StreamCollector:
        async with opened(address) as chunks:
            collector = StreamCollector(chunks)
            async for _ in collector:
                assert collector.complete or collector.error is None
            return collector

    message = asyncio.run(whole())
    same(message, sent())
    assert asyncio.run(watched()).message == message


def test_a_real_server_streams_in_two_more_formats(llama_server: openai.OpenAI) -> None:
    """What llama.cpp streams is what it answers without streaming."""
    said: Any = [{"role": "user", "content": "Say hello, then 你好."}]
    chunks = llama_server.responses.create(
        model="smollm2", temperature=0, max_output_tokens=9, input=said, stream=True
    )
    whole = llama_server.responses.create(
        model="smollm2", temperature=0, max_output_tokens=9, input=said
    )
    message = collect_stream(chunks)
    assert message.complete
    texts = [part["text"] for item in message["output"] for part in item["content"]]
    assert "".join(texts) == whole.output_text
    root = str(llama_server.base_url).removesuffix("/v1/")
    asked: Any = {"model": "smollm2", "max_tokens": 9, "messages": said}
    cold: Any = {"extra_body": {"temperature": 0}}
    with anthropic.Anthropic(base_url=root, api_key="none") as client:
        streamed = collect_stream(client.messages.create(**asked, **cold, stream=True))
        final = client.messages.create(**asked, **cold)
    assert streamed.complete
    assert streamed["content"] == [{"type": "text", "text": final.content[0].text}]
    assert streamed.usage is not None
    assert streamed.usage["output_tokens"] == final.usage.output_tokens
