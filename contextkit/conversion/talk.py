"""What all formats can say: turns made of parts, tools, options.

A part holds what is meant, apart from how any format spells it, and the spelling it came in: a
writer of the same format gives that back, a writer of another one notes the keys that it cannot
express.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from contextkit.formats import Api, Request

Role = Literal["system", "developer", "user", "assistant", "tool"]
MediaKind = Literal["image", "audio", "video", "file"]


@dataclass(frozen=True, slots=True)
class Text:
    """Words; ``extra`` are keys of its format that are no words (cache marks, citations ...)."""

    text: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Media:
    """An image, a recording, a document: base64 ``data`` or the ``url`` where it lies.

    Attributes:
        kind: what the model takes it for.
        media_type: its MIME type; "" where only the server at ``url`` knows.
        data: base64; "" where it lies elsewhere.
        url: where it lies; "" where ``data`` holds it.
        name: its file name; "" without one.
        detail: OpenAI's level of detail; "" without one.
        extra: keys of its format beside these.
    """

    kind: MediaKind
    media_type: str = ""
    data: str = field(default="", repr=False)
    url: str = ""
    name: str = ""
    detail: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the model thought, as far as its provider shows it.

    Attributes:
        text: the thoughts in words; "" where they are hidden.
        raw: the block of the source format, with what its own server wants to see again.
    """

    text: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call.

    Attributes:
        id: pairs it with its result.
        name: the function.
        arguments: JSON as the model wrote it, perhaps not valid.
        is_custom: whether it calls OpenAI's custom kind of tool, whose argument is free text.
        signature: Gemini's thought signature, which its newer models want to see again.
    """

    id: str
    name: str
    arguments: str
    is_custom: bool = False
    signature: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool returned.

    Attributes:
        id: of the call that it answers.
        name: the function; "" where nothing tells.
        parts: what it returned.
        plain: whether it stood there as a string, not as a list of parts.
        is_error: whether the tool failed.
        is_custom: whether it answers OpenAI's custom kind of call.
        extra: keys of its message beside these.
    """

    id: str
    name: str
    parts: tuple[Part, ...]
    plain: bool = True
    is_error: bool = False
    is_custom: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Foreign:
    """What only the source format knows: ``kind`` names it, ``raw`` is it."""

    kind: str
    raw: Mapping[str, Any] = field(repr=False)


Part = Text | Media | Thinking | Call | Result | Foreign


@dataclass(frozen=True, slots=True)
class Turn:
    """One message.

    Attributes:
        index: its place in the caller's list; None for instructions that are held apart.
        role: who speaks.
        parts: what is said, in order.
        plain: whether the text stood there as a string, not as a list of parts.
        extra: keys of the message beside role and content.
    """

    index: int | None
    role: Role
    parts: tuple[Part, ...]
    plain: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation, whatever format it came in.

    Attributes:
        request: as it was read, with tools, choice and answer schema.
        turns: its messages.
    """

    request: Request
    turns: Sequence[Turn]

    @property
    def api(self) -> Api:
        return self.request.api

    @property
    def instructions(self) -> Iterator[Turn]:
        """The system and developer turns."""
        return (turn for turn in self.turns if turn.role in ("system", "developer"))

    @property
    def dialogue(self) -> Iterator[Turn]:
        """All other turns."""
        return (turn for turn in self.turns if turn.role not in ("system", "developer"))


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the target format could not express, or says in another way.

    Attributes:
        index: place of the message in the source; None where it is not about one message.
        reason: what it was, and what became of it.
    """

    index: int | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.index is None else f"message {self.index}: {self.reason}"
