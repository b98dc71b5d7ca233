"""A message list while it is mended, with an account of every change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

from contextkit.diagnosis.fields import LONGEST_CALL_ID, NINE_CHARACTER_ID, PLAIN_CALL_ID
from contextkit.diagnosis.problems import Severity
from contextkit.diagnosis.providers import Provider
from contextkit.diagnosis.reading import Reading
from contextkit.messages import History, as_mapping

Unanswered = Literal["placeholder", "remove"]

NO_RESULT = "[no result: this call was not answered]"
"""Stands for the result of a call that has none."""
NO_MESSAGE = "[no message: the conversation starts with the assistant]"
"""Stands for the user message in front of a greeting."""

_STAND_IN = {"role": "system", "content": "-"}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that repair did.

    Attributes:
        code: the fault that it mends, as `check` names it.
        index: the message concerned, in the list as it was given.
        id: the tool call id concerned, if one is.
        what: what was done, in words.
    """

    code: str
    index: int | None
    id: str | None
    what: str

    def __str__(self) -> str:
        place = "messages" if self.index is None else f"message {self.index}"
        return f"{place}: {self.what} [{self.code}]"


@dataclass(frozen=True, slots=True)
class Entry:
    """A message of the draft.

    Attributes:
        index: its place in the list as given; for a placeholder that of the message before it.
        message: the caller's own object, or a new one that stands for it.
    """

    index: int
    message: Any

    @property
    def data(self) -> Mapping[str, Any]:
        return as_mapping(self.message) or {}

    @property
    def role(self) -> str:
        return str(self.data.get("role"))


@dataclass(slots=True)
class Draft:
    """The list under repair.

    Attributes:
        entries: its messages; replaced, never written to.
        severities: how the provider takes each kind of fault.
        unanswered: what becomes of a call without result.
        changes: what was done so far.
        readable: the indices of messages that can be read; the others stay as they are.
        stored: whether results may answer calls that only the server has (Responses).
    """

    entries: list[Entry]
    severities: Mapping[str, Severity]
    unanswered: Unanswered
    readable: frozenset[int]
    stored: bool = False
    changes: list[Change] = field(default_factory=list)

    def minds(self, code: str) -> bool:
        """Whether the provider takes this for a fault."""
        return code in self.severities

    def rejects(self, code: str) -> bool:
        """Whether the provider refuses a request for it."""
        return self.severities.get(code) == "rejected"

    def note(self, code: str, index: int, what: str, id: str | None = None) -> None:
        """Account for a change."""
        self.changes.append(Change(code, index, id, what))

    def rewrite(self, place: int, message: Any) -> None:
        """Put another message in the place of one."""
        self.entries[place] = Entry(self.entries[place].index, message)

    def history(self) -> History:
        """The draft as chat messages; unreadable ones are stood in for."""
        readable = self.readable
        return History([e.message if e.index in readable else _STAND_IN for e in self.entries])

    def open_entries(self) -> Iterator[tuple[int, Entry]]:
        """The places and entries of what can be read."""
        readable = self.readable
        return ((p, e) for p, e in enumerate(self.entries) if e.index in readable)


def draft_of(reading: Reading, provider: Provider, unanswered: Unanswered) -> Draft:
    """Return the draft that is the list as given."""
    unread = {problem.index for problem in reading.unread}
    return Draft(
        entries=[Entry(index, message) for index, message in enumerate(reading.originals)],
        severities=provider.severities,
        unanswered=unanswered,
        readable=frozenset(range(len(reading.originals))) - unread,
        stored=reading.goes_on,
    )


def fitting_id(id: str, draft: Draft) -> tuple[str, str | None]:
    """Return the id as the provider takes it, and the fault of the old one; one id, one result."""
    digest = sha256(id.encode("utf-8", "surrogatepass"))
    if draft.rejects("call_id_not_nine") and not NINE_CHARACTER_ID.match(id):
        return _nine_characters(int.from_bytes(digest.digest())), "call_id_not_nine"
    if draft.rejects("call_id_characters") and not PLAIN_CALL_ID.match(id):
        plain = "".join(c if PLAIN_CALL_ID.match(c) else "_" for c in id)
        return f"{plain}_{digest.hexdigest()[:8]}", "call_id_characters"
    if draft.rejects("call_id_too_long") and len(id) > LONGEST_CALL_ID:
        return f"{id[: LONGEST_CALL_ID - 9]}_{digest.hexdigest()[:8]}", "call_id_too_long"
    return id, None


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _nine_characters(number: int) -> str:
    return "".join(_DIGITS[number // len(_DIGITS) ** place % len(_DIGITS)] for place in range(9))


def joined(first: Any, second: Any) -> Any:
    """Return two contents as one: strings with a blank line between them, else a list of parts."""
    if not first or not second:
        return first or second
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*as_parts(first), *as_parts(second)]


def as_parts(content: Any) -> list[Any]:
    """Return content as a list of parts; a string is one text part."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or ())
