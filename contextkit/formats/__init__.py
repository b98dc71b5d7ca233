"""Wire formats: read any provider's request body into one `Request`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from contextkit.errors import OptionError
from contextkit.formats import anthropic, bedrock, gemini, openai_chat, openai_responses
from contextkit.formats.request import Api, Request
from contextkit.messages import History, as_mapping, mappings_in

__all__ = ["Api", "Request", "as_body", "detect_api", "parse_request"]

_PARSERS: Mapping[Api, Callable[[Mapping[str, Any]], Request]] = {
    "openai-chat": openai_chat.parse,
    "openai-responses": openai_responses.parse,
    "anthropic": anthropic.parse,
    "gemini": gemini.parse,
    "bedrock": bedrock.parse,
}

_ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})


def parse_request(body: Mapping[str, Any], api: Api | None = None) -> Request:
    """Read a request body.

    Args:
        body: as it is sent to the provider.
        api: its wire format; None recognises it.

    Raises:
        OptionError: no format fits.
        MessageError: a message cannot be read.

    Example:
        >>> request = parse_request({"input": "你好", "instructions": "Be brief."})
        >>> request.api, [message.role for message in request.history]
        ('openai-responses', ['system', 'user'])
    """
    return _PARSERS[api or detect_api(body)](body)


def detect_api(body: Mapping[str, Any]) -> Api:
    """Recognise the wire format of a request body by the keys that only it has.

    Raises:
        OptionError: no format fits.
    """
    if "contents" in body:
        return "gemini"
    if "messages" not in body:
        if "input" in body or "instructions" in body:
            return "openai-responses"
        found = f"a body with {', '.join(map(str, body)) or 'no keys'}"
        raise OptionError("request", found, 'it needs "messages", "input" or "contents"')
    if _is_bedrock(body):
        return "bedrock"
    return "anthropic" if _is_anthropic(body) else "openai-chat"


def as_body(messages: object, api: Api | None = None) -> tuple[Api, Mapping[str, Any]]:
    """Return what was given as a body: a body as it is, a list under its format's key.

    Args:
        messages: a list of messages (contents, items), or a whole body.
        api: its wire format; None recognises it.

    Raises:
        OptionError: no format fits.
        MessageError: it is neither a list nor a body.

    Example:
        >>> as_body([{"role": "user", "parts": [{"text": "你好"}]}])
        ('gemini', {'contents': [{'role': 'user', 'parts': [{'text': '你好'}]}]})
    """
    if isinstance(messages, Mapping):
        if "role" in messages:
            History(messages)
        return api or detect_api(messages), messages
    if isinstance(messages, (str, bytes)) or not isinstance(messages, Iterable):
        History(messages)  # type: ignore[arg-type]  # says what is wrong with it
    listed = list(messages)  # type: ignore[call-overload]
    found = api or _api_of_list(listed)
    return found, {MESSAGES_KEYS.get(found, "messages"): listed}


MESSAGES_KEYS: Mapping[Api, str] = {"openai-responses": "input", "gemini": "contents"}
"""The key of the message list in the bodies of those that do not call it ``messages``."""

_ITEM_TYPES = frozenset(
    {
        *("message", "reasoning", "function_call", "function_call_output", "item_reference"),
        *("custom_tool_call", "custom_tool_call_output", "compaction", "additional_tools"),
    }
)
_INPUT_TYPES = frozenset({"input_text", "input_image", "input_file", "output_text"})


def _api_of_list(messages: Sequence[Any]) -> Api:
    return next(filter(None, map(_api_of_message, messages)), "openai-chat")


def _api_of_message(original: Any) -> Api | None:
    """The format of a message that only one format can have; None for what is like chat."""
    message = original if type(original) is dict else as_mapping(original) or {}
    if "parts" in message and "content" not in message:
        return "gemini"
    if _type(message) in _ITEM_TYPES:
        return "openai-responses"
    content = message.get("content")
    if not isinstance(content, (list, tuple)):
        return None
    blocks = [block for block in content if isinstance(block, Mapping)]
    if any(_type(block) in _INPUT_TYPES for block in blocks):
        return "openai-responses"
    return "anthropic" if any(map(_is_anthropic_block, blocks)) else None


def _is_bedrock(body: Mapping[str, Any]) -> bool:
    if "toolConfig" in body or "inferenceConfig" in body:
        return True
    return any("type" not in block for block in _blocks(body))


def _is_anthropic(body: Mapping[str, Any]) -> bool:
    if "system" in body or "anthropic_version" in body or "stop_sequences" in body:
        return True
    if any("input_schema" in tool for tool in mappings_in(body.get("tools"))):
        return True
    if any(_is_anthropic_block(block) for block in _blocks(body)):
        return True
    return str(body.get("model") or "").startswith("claude") and "max_tokens" in body


def _is_anthropic_block(block: Mapping[str, Any]) -> bool:
    return _type(block) in _ANTHROPIC_BLOCKS or "source" in block


def _type(block: Mapping[str, Any]) -> str:
    """The type of a block or item; "" where it is no text."""
    found = block.get("type")
    return found if isinstance(found, str) else ""


def _blocks(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    messages = body.get("messages")
    listed = messages if isinstance(messages, (list, tuple)) else ()
    contents = (m.get("content") for m in listed if isinstance(m, Mapping))
    lists = (content for content in contents if isinstance(content, (list, tuple)))
    return [block for content in lists for block in content if isinstance(block, Mapping)]
