"""A body of any format as a history that can be cut, and what is left of it in its own format.

What is kept whole goes out as the caller's own object. Only an item that is cut through (a user
message of Anthropic or Gemini whose results go while its question stays) or whose text was written
anew is another object; its other keys are the item's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from types import ModuleType
from typing import Any

from contextkit.errors import MessageError, OptionError, StrategyError
from contextkit.formats import MESSAGES_KEYS, anthropic, as_body, gemini, openai_responses
from contextkit.formats import parse_request as _parse
from contextkit.formats.gemini import listed_contents
from contextkit.formats.openai_responses import joined, listed_items, members, merged
from contextkit.formats.request import APART, Request
from contextkit.messages import INSTRUCTION_ROLES, History, as_mapping

Chat = Mapping[str, Any]
Piece = tuple[int | None, Chat]
"""A message that is sent: its place in the history (None for a new one), and what it says now."""

_MODULES: Mapping[str, ModuleType] = {
    "anthropic": anthropic,
    "gemini": gemini,
    "openai-responses": openai_responses,
}


@dataclass(frozen=True, slots=True)
class Native:
    """A body, the history that was read from it, and the way back.

    Attributes:
        request: as it was read.
        items: the caller's own messages, contents or items.
        history: chat messages, those of one step of the model joined.
        places: for each of them the places of the items that it was read from; () for instructions
            that are held apart.
        is_body: whether the caller gave a whole body, not a list.
    """

    request: Request
    items: Sequence[Any]
    history: History
    places: Sequence[tuple[int, ...]]
    is_body: bool
    _owners: Mapping[int, frozenset[int]] = field(repr=False)

    @property
    def is_chat(self) -> bool:
        """Whether items and messages are the same."""
        return self.request.api == "openai-chat"

    def owners(self, place: int) -> frozenset[int]:
        """The messages of the history that item ``place`` was read as."""
        return frozenset((place,)) if self.is_chat else self._owners.get(place, frozenset())

    def whole(self, messages: Iterable[int]) -> tuple[int, ...]:
        """The items of which every message is among these."""
        if self.is_chat:
            return tuple(messages)
        given = frozenset(messages)
        places = {place for index in given for place in self.places[index]}
        return tuple(sorted(p for p in places if self.owners(p).issubset(given)))

    def sent(self, pieces: Sequence[Piece]) -> list[Any]:
        """Return what is sent as items of the format, instructions apart from them left out."""
        if self.is_chat:
            return [message for _, message in pieces]
        spoken = (piece for piece in pieces if not self._is_apart(piece))
        placed: list[tuple[int, Any]] = []
        for origin, group in groupby(enumerate(spoken), key=self._origin):
            before = placed[-1][0] if placed else -1
            start = max(origin) if max(origin) >= 0 else before
            placed += [(start, item) for item in self._items([piece for _, piece in group])]
        return [item for _, item in sorted(placed, key=itemgetter(0))]

    def body(self, pieces: Sequence[Piece]) -> Mapping[str, Any]:
        """Return the body with what is sent in it; the body itself where nothing changed."""
        items = self.sent(pieces)
        unchanged = len(items) == len(self.items) and all(map(_is, items, self.items))
        body = self.request.body
        if not unchanged or not self.is_body:
            body = {**body, MESSAGES_KEYS.get(self.request.api, "messages"): items}
        if self.is_chat:
            return body
        apart = [piece for piece in pieces if self._is_apart(piece)]
        if all(map(self._is_unchanged, apart)):
            return body
        written: Mapping[str, Any] = self._module.with_system(body, [chat for _, chat in apart])
        return written

    def checked(self, pieces: Sequence[Piece]) -> None:
        """Refuse instructions that a bare list has no place for.

        Raises:
            StrategyError: there are such.
        """
        if self.is_body or self.is_chat or not any(map(self._is_apart, pieces)):
            return
        found = f"a list of {self.request.api} messages has no place for a system message"
        raise StrategyError("placement", found, "pass the whole body, or place it otherwise")

    @property
    def _module(self) -> ModuleType:
        return _MODULES[self.request.api]

    def _is_apart(self, piece: Piece) -> bool:
        index, chat = piece
        if index is not None:
            return not self.places[index]
        return chat["role"] in INSTRUCTION_ROLES and self.request.api != "openai-responses"

    def _is_unchanged(self, piece: Piece) -> bool:
        index, chat = piece
        return index is not None and chat is self.history.originals[index]

    def _origin(self, numbered: tuple[int, Piece]) -> tuple[int, ...]:
        """What one item is written from: neighbours that were read from it, or a new message."""
        number, (index, _) = numbered
        return (-1 - number,) if index is None else self.places[index]

    def _items(self, pieces: Sequence[Piece]) -> Iterator[Any]:
        first, _ = pieces[0]
        places = self.places[first] if first is not None else ()
        whole = all(len(self.owners(place)) == len(pieces) for place in places)
        if places and whole and all(map(self._is_unchanged, pieces)):
            yield from (self.items[place] for place in places)
        elif self.request.api == "openai-responses":
            yield from self._parts_of_step(pieces[0][1], places)
        else:
            item = as_mapping(self.items[places[0]]) or {} if places else {}
            yield self._module.render([chat for _, chat in pieces], item)

    def _parts_of_step(self, message: Chat, places: Sequence[int]) -> Iterator[Any]:
        """The items of a step whose text was written anew; all others are as they were."""
        read = [self.request.history.data[self._read_as(place)] for place in places]
        for number, chat in enumerate(members(message)):
            if number < len(places) and _says_the_same(chat, read[number]):
                yield self.items[places[number]]
            else:
                item = as_mapping(self.items[places[number]]) or {} if places else {}
                yield openai_responses.render([chat], item)

    def _read_as(self, place: int) -> int:
        return list(self.request.origins).index(place)


def _says_the_same(chat: Chat, other: Chat) -> bool:
    return bool(chat.get("content") == other.get("content"))


def _is(one: object, other: object) -> bool:
    return one is other


def read_native(messages: object, tools: Sequence[Any] | None = None) -> Native:
    """Read a body or a list in any format but Bedrock's, to be cut and written again.

    Args:
        messages: a list of messages (contents, items), or a whole body.
        tools: offered with a list, as its format writes them; a body brings its own.

    Raises:
        OptionError: the format cannot be written again, or a body and tools are given.
        MessageError: a message cannot be read, or there is none.
    """
    api, body = as_body(messages)
    if api == "bedrock":
        found = "a body of Bedrock Converse"
        raise OptionError("messages", found, "convert it first: convert(body, to=...)")
    if tools is not None and isinstance(messages, Mapping):
        raise OptionError("tools", "a body brings its own", "put them into the body")
    request = _parse(body if tools is None else {**body, "tools": tools}, api)
    is_body, items = isinstance(messages, Mapping), _items_of(request)
    if not items:
        raise MessageError(None, "the list is empty", "a request needs at least one message")
    if api == "openai-chat":
        return Native(request, items, request.history, (), is_body, {})
    steps = _steps(request)
    places = [tuple(o for i in step if (o := request.origins[i]) != APART) for step in steps]
    return Native(request, items, _joined(request, steps), places, is_body, _owners(places))


def _owners(places: Sequence[tuple[int, ...]]) -> Mapping[int, frozenset[int]]:
    owners: dict[int, set[int]] = {}
    for index, found in enumerate(places):
        for place in found:
            owners.setdefault(place, set()).add(index)
    return {place: frozenset(found) for place, found in owners.items()}


def _steps(request: Request) -> Sequence[tuple[int, ...]]:
    if request.api == "openai-responses":
        return _answered_at_once(request, joined(request.history.data))
    return [(place,) for place in range(len(request.history))]


def _answered_at_once(
    request: Request, steps: Sequence[tuple[int, ...]]
) -> Sequence[tuple[int, ...]]:
    """Return the steps with every result behind its calls, which may come later in Responses.

    So a call and its result go or stay together; what stays is sent in the order of the items.
    """
    groups: list[list[tuple[int, ...]]] = []
    asked: dict[str | None, int] = {}
    for step in steps:
        messages = [request.history[place] for place in step]
        home = asked.pop(messages[0].tool_call_id, None) if messages[0].role == "tool" else None
        if home is not None:
            groups[home].append(step)
            continue
        asked.update((call.id, len(groups)) for m in messages for call in m.tool_calls)
        groups.append([step])
    return [step for group in groups for step in group]


def _joined(request: Request, steps: Sequence[tuple[int, ...]]) -> History:
    if list(steps) == [(place,) for place in range(len(request.history))]:
        return request.history
    return History([_step(request, step) for step in steps])


def _step(request: Request, step: Sequence[int]) -> Any:
    if len(step) == 1:
        return request.history.originals[step[0]]
    return merged([request.history.data[place] for place in step])


def _items_of(request: Request) -> Sequence[Any]:
    if request.api == "openai-chat":
        return request.history.originals
    if request.api == "gemini":
        return listed_contents(request.body)
    given = request.body.get(MESSAGES_KEYS.get(request.api, "messages"))
    return listed_items(request.body) if isinstance(given, str) else list(given or ())
