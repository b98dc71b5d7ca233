"""What all writers share: the notes they take, and how parts are gathered into turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from contextkit.conversion.talk import (
    Foreign,
    Media,
    Note,
    Part,
    Result,
    Talk,
    Text,
    Thinking,
    Turn,
)
from contextkit.formats import Api


@dataclass(frozen=True, slots=True)
class Draft:
    """A talk that is being written in the format ``to``."""

    talk: Talk
    to: Api
    notes: list[Note] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """Whether the talk is in this format already."""
        return self.talk.api == self.to

    def note(self, index: int | None, reason: str) -> None:
        self.notes.append(Note(index, reason))

    def lose(self, index: int | None, part: Part) -> None:
        """Note a part that has no place in the target."""
        self.note(index, f"{_described(part)} cannot be expressed in {self.to}; left out")

    def extra(self, index: int | None, extra: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return keys of the source format where they mean the same; note them where not."""
        if self.is_same:
            return extra
        for key in extra:
            self.note(index, f"{key!r} is no key of {self.to}; left out")
        return {}

    def detail(self, index: int | None, media: Media) -> None:
        """Note a level of detail where the target has none."""
        if media.detail:
            self.note(index, f"detail {media.detail!r} of an image: {self.to} has none")

    def refusal(self, index: int | None, text: Text) -> Text:
        """Return a refusal as the plain text that it is, noted; any other text as it is."""
        if not text.extra.get("refusal"):
            return text
        self.note(index, f"a refusal is plain text in {self.to}")
        return Text(text.text)

    def error(self, index: int | None, result: Result) -> None:
        """Note the mark of an error where the target has none."""
        if result.is_error:
            self.note(index, f"result {result.id!r} is an error: {self.to} has no mark for it")

    def custom(self, index: int | None, name: str) -> None:
        """Note that a custom tool's call becomes that of a function."""
        self.note(index, f"the call of custom tool {name!r} is a function call in {self.to}")

    def opens_with_user(self, roles: Iterable[str]) -> None:
        """Note a conversation that the target will not take, as the model speaks first."""
        if next(iter(roles), "user") != "user":
            self.note(None, f"the model speaks first: {self.to} wants a user message in front")


def spoken(
    draft: Draft, is_written: Callable[[Draft, Part], bool]
) -> Iterator[tuple[bool, list[Turn]]]:
    """Group neighbours that one message has to hold: the model's turns, and all others.

    A turn of which nothing is written is left out, so that its neighbours meet.
    """
    said = [turn for turn in draft.talk.dialogue if _says_something(draft, turn, is_written)]
    for is_model, group in groupby(said, key=lambda turn: turn.role == "assistant"):
        yield is_model, list(group)


def _says_something(draft: Draft, turn: Turn, is_written: Callable[[Draft, Part], bool]) -> bool:
    if any(is_written(draft, part) for part in turn.parts):
        return True
    draft.extra(turn.index, turn.extra)
    for part in turn.parts:
        if not isinstance(part, Text):
            draft.lose(turn.index, part)
    draft.note(turn.index, f"an empty {turn.role} message; {draft.to} takes none, left out")
    return False


def note_instructions(draft: Draft) -> None:
    """Note what changes for instructions where one place in front holds all of them."""
    is_open = False
    for turn in draft.talk.turns:
        if turn.role not in ("system", "developer"):
            is_open = True
            continue
        if is_open:
            draft.note(turn.index, f"a {turn.role} message in mid-conversation; moved to the front")
        if turn.role == "developer":
            draft.note(turn.index, f"a developer message is system text in {draft.to}")
        draft.extra(turn.index, turn.extra)


def results_first(turns: Iterable[Turn]) -> list[tuple[int | None, Part]]:
    """Return the parts of neighbours with their places, tool results in front."""
    placed = [(turn.index, part) for turn in turns for part in turn.parts]
    return sorted(placed, key=lambda pair: not isinstance(pair[1], Result))


def is_lone_string(turns: list[Turn]) -> bool:
    """Whether the only text of a message stood there as a string, so that it can again."""
    return len(turns) == 1 and turns[0].plain


def _described(part: Part) -> str:
    if isinstance(part, Foreign):
        return f"{part.kind!r} of the source format"
    if isinstance(part, Thinking):
        return "reasoning" if part.text else "hidden reasoning"
    if isinstance(part, Media):
        return f"{part.kind} ({part.media_type or part.url[:60] or 'unknown type'})"
    return type(part).__name__.lower()
