"""Read what is to be checked: a history, or a body or list in the provider's own format.

The rules look at chat messages. What came in another format is read as chat messages, each with
the place of the message, item or content that it came from, so that a fault is named where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contextkit.diagnosis.problems import Problem
from contextkit.diagnosis.providers import PROVIDERS, Provider, find_provider
from contextkit.errors import MessageError, OptionError
from contextkit.formats import Api, detect_api, parse_request
from contextkit.messages import RESULT_ROLES, History, as_mapping, listed_messages

Body = Mapping[str, Any]

LIST_KEYS: Mapping[Api, str] = {
    "openai-chat": "messages",
    "openai-responses": "input",
    "anthropic": "messages",
    "gemini": "contents",
    "bedrock": "messages",
}
"""Under which key of a body its messages stand."""

_STAND_IN: Mapping[Api, Any] = {
    "openai-chat": {"role": "system", "content": "-"},
    "openai-responses": {"role": "system", "content": "-"},
    "anthropic": {"role": "system", "content": "-"},
    "gemini": {"role": "user", "parts": [{"text": "-"}]},
    "bedrock": {"role": "user", "content": [{"text": "-"}]},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A message list as read.

    Attributes:
        api: its wire format.
        originals: its messages as they came.
        history: the same as chat messages; unreadable ones are stood in for.
        places: for each message of ``history`` its place in ``originals``; None for instructions
            that stand beside the list.
        body: the body that held them; empty for a bare list.
        unread: what could not be read.
    """

    api: Api
    originals: Sequence[Any]
    history: History
    places: Sequence[int | None]
    body: Body = field(default_factory=dict)
    unread: tuple[Problem, ...] = ()

    @property
    def mappings(self) -> Sequence[Mapping[str, Any]]:
        """The originals as mappings; unreadable ones are empty."""
        bad = {problem.index for problem in self.unread}
        listed = enumerate(self.originals)
        return [{} if i in bad else as_mapping(original) or {} for i, original in listed]

    @property
    def goes_on(self) -> bool:
        """Whether a Responses request goes on from items that the server keeps."""
        kept = ("previous_response_id", "conversation")
        referred = any(item.get("type") == "item_reference" for item in self.mappings)
        return referred or any(self.body.get(key) for key in kept)


def rules_for(messages: object, provider: str | None) -> Provider:
    """Return the rules of a provider; of none that of the messages' own format.

    Raises:
        OptionError: there is no such provider.
    """
    return find_provider(_spoken_by(messages) if provider is None else provider)


def _spoken_by(messages: object) -> str:
    """Whose format this is: chat messages are OpenAI's, and so is what nobody recognises."""
    body = as_mapping(messages)
    if body is None or "messages" in body:
        listed = messages if body is None else body["messages"]
        api = api_of_list(listed, _MARKS) if isinstance(listed, (list, tuple)) else "openai-chat"
    else:
        api = detect_api(body) if any(key in body for key in LIST_KEYS.values()) else "openai-chat"
    return api if api in PROVIDERS else "openai"


def read(messages: object, provider: Provider) -> Reading:
    """Read a list or a body.

    Raises:
        MessageError: it is neither.
        OptionError: the body is in a format that the provider does not speak.
    """
    body = as_mapping(messages)
    body = as_mapping((body or {}).get("generateContentRequest")) or body
    if body is None:
        listed = [] if messages is None else listed_messages(messages)
        return _of_list(listed, api_of_list(listed, provider.apis), {})
    if not any(key in body for key in (*LIST_KEYS.values(), "prompt")):
        History(body)
    api = _api_of_body(body, provider)
    given = body.get(LIST_KEYS[api])
    if isinstance(given, str) and api == "openai-responses":
        given = {"role": "user", "content": given}
    listed = [given] if isinstance(given, (str, Mapping)) else listed_messages(given or [])
    return _of_list(listed, api, body)


def api_of_list(messages: Sequence[Any], apis: Iterable[Api]) -> Api:
    """Recognise a list in one of these formats by what only that has; else it is chat."""
    mappings = [as_mapping(message) or {} for message in messages]
    if any(_is_chat(message) for message in mappings):
        return "openai-chat"
    own = (api for api in apis if api in _MARKS and any(map(_MARKS[api], mappings)))
    return next(own, "openai-chat")


def _api_of_body(body: Body, provider: Provider) -> Api:
    api = "openai-responses" if "prompt" in body else detect_api(body)
    if api != "openai-chat" and api not in provider.apis:
        found = f"a body in {api} format, which {provider.name} does not speak"
        speak = " or ".join(repr(name) for name, each in PROVIDERS.items() if api in each.apis)
        raise OptionError("provider", found, f"use {speak}, or convert the body first")
    if api == "openai-chat" and "messages" in body:
        return api_of_list(listed_messages(body["messages"] or []), provider.apis)
    return api


_RESPONSES_BLOCKS = frozenset({"input_text", "input_image", "input_file", "output_text"})


def _is_chat(message: Body) -> bool:
    role = str(message.get("role"))
    return role in RESULT_ROLES or (role == "assistant" and bool(message.get("tool_calls")))


def _is_responses(item: Body) -> bool:
    kind = str(item.get("type") or "")
    if kind.endswith(("_call", "_call_output")) or kind in ("reasoning", "item_reference"):
        return True
    return any(str(block.get("type")) in _RESPONSES_BLOCKS for block in _blocks(item))


_ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})


def _is_anthropic(message: Body) -> bool:
    return any("source" in b or str(b.get("type")) in _ANTHROPIC_BLOCKS for b in _blocks(message))


def _is_bedrock(message: Body) -> bool:
    return any("type" not in block for block in _blocks(message))


def _is_gemini(content: Body) -> bool:
    return "parts" in content


_MARKS: Mapping[Api, Callable[[Body], bool]] = {
    "openai-responses": _is_responses,
    "anthropic": _is_anthropic,
    "gemini": _is_gemini,
    "bedrock": _is_bedrock,
}


def _blocks(message: Body) -> list[Body]:
    content = message.get("content")
    listed = content if isinstance(content, (list, tuple)) else ()
    return [block for each in listed if (block := as_mapping(each)) is not None]


def _of_list(listed: list[Any], api: Api, body: Body) -> Reading:
    unread = tuple(_unread(listed, api))
    bad = {problem.index for problem in unread}
    readable = [_STAND_IN[api] if i in bad else each for i, each in enumerate(listed)]
    whole = {**body, LIST_KEYS[api]: readable}
    history = History(readable) if api == "openai-chat" else parse_request(whole, api).history
    sizes = [_size(each, api) for each in readable]
    beside = len(history) - sum(sizes)
    places = [place for place, size in enumerate(sizes) for _ in range(size)]
    return Reading(
        api=api,
        originals=listed,
        history=history,
        places=[*[None] * beside, *places],
        body=body,
        unread=unread,
    )


def _size(original: Any, api: Api) -> int:
    """Number of chat messages that an original is read as."""
    return 1 if api == "openai-chat" else len(_alone(original, api))


def _alone(original: Any, api: Api) -> History:
    if api == "openai-chat":
        return History([original])
    if as_mapping(original) is None and not isinstance(original, str):
        return History([original])
    return parse_request({LIST_KEYS[api]: [original]}, api).history


def _unread(listed: Sequence[Any], api: Api) -> Iterator[Problem]:
    for index, original in enumerate(listed):
        try:
            _alone(original, api)
        except MessageError as error:
            yield unreadable(index, error)
        except (AttributeError, TypeError):
            found = f"this is not in the shape of {api}"
            yield unreadable(index, MessageError(index, found, "see the provider's reference"))


def unreadable(index: int | None, error: MessageError) -> Problem:
    """Name what could not be read."""
    return Problem(code="unreadable_message", index=index, message=error.found, remedy=error.remedy)
