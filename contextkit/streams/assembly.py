"""What the assemblies of all wire formats share."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

Event = Mapping[str, Any]
Dict = dict[str, Any]

INVALID_JSON = "INVALID_JSON"
"""Key under which arguments stand that are no JSON object, where a format wants an object: what
Anthropic's page on fine-grained tool streaming proposes (read 2026-12-07)."""


class Assembly(ABC):
    """One answer in the making, in one wire format.

    Attributes:
        usage: the server's own count, as it came; None while none has come.
        finish_reason: why the model stopped, in the server's words.
        ended: whether the server said that this is all.
        notes: what happened to the stream, in words.
    """

    api: ClassVar[str]

    def __init__(self) -> None:
        self.usage: Dict | None = None
        self.finish_reason: str | None = None
        self.ended = False
        self.notes: list[str] = []

    @staticmethod
    @abstractmethod
    def fits(event: Event) -> bool:
        """Whether ``event`` is one of this format."""

    @abstractmethod
    def add(self, event: Event) -> None:
        """Take one event; those that tell nothing about the message are passed over."""

    @property
    @abstractmethod
    def messages(self) -> list[Dict]:
        """The answers as far as they have come, one for each choice that was asked for."""

    @property
    @abstractmethod
    def calls(self) -> Iterable[tuple[str, str]]:
        """Id (or name, where there is none) and arguments as text of each function call."""


def merged_usage(old: Mapping[str, Any] | None, new: object) -> Dict | None:
    """Return a usage with the newer numbers in it; what is null tells nothing.

    Example:
        >>> merged_usage({"input_tokens": 9, "output_tokens": 1}, {"output_tokens": 7})
        {'input_tokens': 9, 'output_tokens': 7}
    """
    if not isinstance(new, Mapping):
        return None if old is None else dict(old)
    told = {key: value for key, value in new.items() if value is not None or key not in (old or {})}
    return {**(old or {}), **told}


def is_whole_object(arguments: str) -> bool:
    """Whether the text of a call's arguments is one JSON object; no text at all stands for ``{}``.

    Example:
        >>> is_whole_object('{"city": "杭州"}'), is_whole_object(""), is_whole_object('{"city": "')
        (True, True, False)
    """
    return isinstance(parsed(arguments), dict)


def parsed(arguments: str) -> Any:
    """Return the JSON value of a call's arguments; None when they are none."""
    try:
        return json.loads(arguments) if arguments.strip() else {}
    except ValueError:
        return None


def as_object(arguments: str) -> Dict:
    """Return a call's arguments as an object; broken text is kept whole under `INVALID_JSON`."""
    value = parsed(arguments)
    return value if isinstance(value, dict) else {INVALID_JSON: arguments}


def mappings(value: object) -> Iterator[Mapping[str, Any]]:
    """The mappings of a list that may be missing."""
    if isinstance(value, (list, tuple)):
        yield from (each for each in value if isinstance(each, Mapping))


def mapping(value: object) -> Mapping[str, Any]:
    """A mapping that may be missing."""
    return value if isinstance(value, Mapping) else {}
