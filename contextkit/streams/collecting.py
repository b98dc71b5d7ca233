"""Put the chunks of a stream together to one answer, in any wire format."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import Any

from contextkit.errors import OptionError, StreamError
from contextkit.messages import as_mapping
from contextkit.streams.anthropic import AnthropicAssembly
from contextkit.streams.assembly import Assembly, Dict, is_whole_object
from contextkit.streams.bedrock import BedrockAssembly
from contextkit.streams.cohere import CohereAssembly
from contextkit.streams.gemini import GeminiAssembly
from contextkit.streams.gemini_interactions import InteractionAssembly
from contextkit.streams.ollama import OllamaAssembly
from contextkit.streams.openai_chat import ChatAssembly
from contextkit.streams.openai_responses import ResponsesAssembly
from contextkit.streams.sse import DONE, ServerEvent, WireReader

_FORMATS: tuple[type[Assembly], ...] = (
    ChatAssembly,
    ResponsesAssembly,
    AnthropicAssembly,
    GeminiAssembly,
    InteractionAssembly,
    BedrockAssembly,
    CohereAssembly,
    OllamaAssembly,
)

_RAW = (str, bytes, bytearray, memoryview)


class StreamedMessage(dict[str, Any]):
    """A message that came as a stream: a plain dict, and what the stream told beside it.

    Hand it to `parse_overflow` to learn whether the error in it, or its usage, tells of an input or
    an answer that was too long.

    Attributes:
        usage: the server's own count, as it came; None when the stream told none.
        finish_reason: why the model stopped, in the server's words; None when it did not say.
        complete: whether the stream came to its end. When not, the message is what had come.
        incomplete_calls: ids (names, where there are none) of the calls whose arguments are no
            whole JSON object: cut off, or badly written. Do not run them.
        error: the error event of the stream, as it came.
        notes: what else happened to the stream, in words.
    """

    usage: Dict | None
    finish_reason: str | None
    complete: bool
    incomplete_calls: tuple[str, ...]
    error: Dict | None
    notes: tuple[str, ...]


def collect_stream(chunks: Iterable[Any]) -> StreamedMessage:
    r"""Read a stream to its end and return the message that it brought.

    The message is what the same API returns without streaming, ready to be appended to a history:
    the chat message, Anthropic's or Bedrock's message, Gemini's content; for Responses
    ``{"output": [items]}``, whose items go to the end of ``input``.

    Args:
        chunks: what the server sent: SDK objects, dicts, or server-sent events as bytes, text or
            lines, cut anywhere, or the whole body at once. The wire format is recognised.

    Returns:
        The message, a dict with ``usage``, ``finish_reason`` and ``complete``. A stream that breaks
        off, or brings an error event, gives what had come, with ``complete`` False. What
        iterating over ``chunks`` raises is raised; a `StreamCollector` has the part before it.

    Raises:
        StreamError: a chunk is of no known format; with the index of the chunk.
        OptionError: ``chunks`` is asynchronous.

    Example:
        >>> message = collect_stream([
        ...     'data: {"choices": [{"delta": {"role": "assistant", "content": "你"}}]}\n\n',
        ...     'data: {"choices": [{"delta": {"content": "好"}, "finish_reason": "stop"}]}\n\n',
        ...     "data: [DONE]\n\n",
        ... ])
        >>> message, message.complete, message.finish_reason
        ({'role': 'assistant', 'content': '你好'}, True, 'stop')
    """
    collector = StreamCollector(chunks)
    for _ in collector:
        pass
    return _collected(collector)


async def acollect_stream(chunks: AsyncIterable[Any]) -> StreamedMessage:
    """Do what `collect_stream` does with an asynchronous stream.

    Example:
        >>> import asyncio
        >>> async def answering():
        ...     for text in ("你", "好"):
        ...         yield {"choices": [{"delta": {"content": text}}]}
        >>> asyncio.run(acollect_stream(answering()))
        {'role': 'assistant', 'content': '你好'}
    """
    collector = StreamCollector(chunks)
    async for _ in collector:
        pass
    return _collected(collector)


def _collected(collector: StreamCollector) -> StreamedMessage:
    message = StreamedMessage(collector.message)
    message.usage = collector.usage
    message.finish_reason = collector.finish_reason
    message.complete = collector.complete
    message.incomplete_calls = collector.incomplete_calls
    message.error = collector.error
    message.notes = collector.notes
    return message


class StreamCollector:
    """Collects a stream while somebody else reads it.

    Iterate over it, with ``for`` or ``async for``, as over the stream itself, or give it each chunk
    with `add`. What has come so far is there at any time; ``message`` is put together when it is
    read, so the work for n chunks is that of n appends and one join.

    Args:
        chunks: the stream, synchronous or asynchronous; nothing when chunks are added.

    Attributes:
        error: the error event of the stream, as it came; None without one.

    Example:
        >>> collector = StreamCollector([
        ...     {"choices": [{"delta": {"content": "One, "}}]},
        ...     {"choices": [{"delta": {"content": "two"}}]},
        ... ])
        >>> for chunk in collector:
        ...     print(chunk["choices"][0]["delta"]["content"], end="|")
        One, |two|
        >>> collector.message, collector.complete
        ({'role': 'assistant', 'content': 'One, two'}, False)
    """

    def __init__(self, chunks: Iterable[Any] | AsyncIterable[Any] = ()) -> None:
        self.error: Dict | None = None
        self._chunks = (chunks,) if isinstance(chunks, _RAW) else chunks
        self._wire = WireReader()
        self._assembly: Assembly | None = None
        self._number = 0
        self._is_done = False

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self._chunks, Iterable):
            found = f"{type(self._chunks).__name__} where chunks to iterate over belong"
            remedy = "use acollect_stream, or `async for chunk in StreamCollector(chunks)`"
            raise OptionError("chunks", found, remedy)
        for chunk in self._chunks:
            self.add(chunk)
            yield chunk

    async def __aiter__(self) -> AsyncIterator[Any]:
        if not isinstance(self._chunks, AsyncIterable):
            found = f"{type(self._chunks).__name__} is not asynchronous"
            remedy = "use collect_stream, or `for chunk in StreamCollector(chunks)`"
            raise OptionError("chunks", found, remedy)
        async for chunk in self._chunks:
            self.add(chunk)
            yield chunk

    def add(self, chunk: Any) -> None:
        """Take the next chunk.

        Args:
            chunk: an SDK object, a dict, or any piece of the bytes or text that the server sent.

        Raises:
            StreamError: it is of no known format, or begins a second answer.
        """
        if isinstance(chunk, _RAW):
            for event in self._wire.feed(chunk):
                self._take_text(event)
        else:
            self._take(self._dumped(chunk))
        self._number += 1

    @property
    def api(self) -> str | None:
        """The wire format; None before the first chunk that tells it."""
        return None if self._assembly is None else self._assembly.api

    @property
    def message(self) -> Dict:
        """The message as far as it has come; the first one, where several choices came."""
        return next(iter(self.messages), {"role": "assistant", "content": None})

    @property
    def messages(self) -> list[Dict]:
        """The messages of all choices (``n`` above 1), as far as they have come."""
        assembly = self._up_to_date()
        return [] if assembly is None else assembly.messages

    @property
    def usage(self) -> Dict | None:
        """The server's own count, as it came; of several that grow the last one."""
        assembly = self._up_to_date()
        return None if assembly is None else assembly.usage

    @property
    def finish_reason(self) -> str | None:
        """Why the model stopped, in the server's words."""
        assembly = self._up_to_date()
        return None if assembly is None else assembly.finish_reason

    @property
    def complete(self) -> bool:
        """Whether the server said that this is all; a length limit ends a stream too."""
        assembly = self._up_to_date()
        ended = assembly is not None and (self._is_done or assembly.ended)
        return ended and self.error is None

    @property
    def incomplete_calls(self) -> tuple[str, ...]:
        """Ids (or names) of the calls whose arguments are no whole JSON object: do not run them."""
        assembly = self._up_to_date()
        calls = () if assembly is None else assembly.calls
        over = self.complete
        return tuple(
            name
            for name, arguments in calls
            if not is_whole_object(arguments) or not (arguments or over)
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What happened to the stream, in words."""
        return () if self._assembly is None else tuple(self._assembly.notes)

    def _up_to_date(self) -> Assembly | None:
        for event in self._wire.rest():
            self._take_text(event)
        return self._assembly

    def _take_text(self, event: ServerEvent) -> None:
        data = event.data.strip()
        if data == DONE:
            self._is_done = True
            return
        try:
            value = json.loads(data)
        except ValueError:
            value = data
        if event.name == "error" and not (isinstance(value, dict) and "error" in value):
            value = {"error": value}
        if not isinstance(value, dict):
            raise self._refusal(f"data {data[:60]!r} is no JSON object")
        self._take(value)

    def _take(self, event: Mapping[str, Any]) -> None:
        if set(event) == {"data"} and isinstance(event["data"], Mapping):
            event = event["data"]  # the SDK of Mistral wraps each chunk
        if _is_error(event):
            self.error = self.error or dict(event)
        if self._assembly is None:
            self._assembly = self._recognised(event)
        if self._assembly is not None:
            self._add(self._assembly, event)

    def _add(self, assembly: Assembly, event: Mapping[str, Any]) -> None:
        try:
            assembly.add(event)
        except StreamError as error:
            raise StreamError(self._number, error.found, error.remedy) from None

    def _recognised(self, event: Mapping[str, Any]) -> Assembly | None:
        found = next((each for each in _FORMATS if each.fits(event)), None)
        if found is None and self.error is None:
            raise self._refusal(f"a chunk with {', '.join(map(str, event)) or 'no keys'}")
        return None if found is None else found()

    def _refusal(self, found: str) -> StreamError:
        return StreamError(self._number, found, "pass what the server sent, unchanged")

    def _dumped(self, chunk: Any) -> Mapping[str, Any]:
        event = _as_sent(chunk)
        if event is None:
            raise self._refusal(f"{type(chunk).__name__} is no chunk")
        return event


def _is_error(event: Mapping[str, Any]) -> bool:
    response = event.get("response")
    failed = isinstance(response, Mapping) and response.get("error")
    fault = any(str(key).endswith("Exception") for key in event)  # of Bedrock
    return bool(event.get("error") or failed or fault or event.get("type") == "error")


def _as_sent(chunk: Any) -> Mapping[str, Any] | None:
    """Read an SDK object as the JSON that it came from: only what was sent, named as it was."""
    if getattr(chunk, "type", None) == "chunk":
        chunk = chunk.chunk  # of OpenAI's stream(), with the whole answer so far beside it
    if isinstance(chunk, Mapping) or not hasattr(chunk, "model_dump"):
        return as_mapping(chunk)
    try:
        dumped = chunk.model_dump(mode="json", by_alias=True, exclude_unset=True)
    except TypeError:
        return as_mapping(chunk)
    return dumped if isinstance(dumped, Mapping) else None
