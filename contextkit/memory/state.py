"""The memory of a conversation: what is known, and how far the messages were read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from contextkit.errors import OptionError
from contextkit.memory.items import Finding, Item, Kind, Source
from contextkit.memory.merge import id_of, merged_items
from contextkit.memory.render import Rendering, rendering

_ENDED = frozenset({"superseded", "retracted", "quarantined"})


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as far as the next ones refer to it.

    Attributes:
        index: its place in the whole history.
        role: its role.
        text: its text without rendered notes; of a long one the end.
    """

    index: int
    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What is remembered of a conversation; a value that never changes.

    Attributes:
        items: everything that was ever said, in the order of first mention. Nothing is deleted: an
            item that no longer holds has another status.
        covered: how many messages of the history were read.
        generation: how many times its notes were sent in the place of messages.
        told: how many messages were covered when the notes were last sent; what was finished
            before is not reported again.
        tail: the last two messages read, for what the next one may refer to.
        recent: marks of the last messages read, to know them again in a list that was shortened.
        merged: marks of the findings that are in; a finding counts once, whenever it comes again.

    Example:
        >>> source = Source(message=0, role="user")
        >>> name = Finding(action="add", kind="identity", key="name", value="Liz", source=source)
        >>> memory = merged(Memory(), [name])
        >>> [item.value for item in memory.identity], merged(memory, [name]) == memory
        (['Liz'], True)
        >>> Memory.from_json(memory.to_json()) == memory
        True
    """

    items: tuple[Item, ...] = ()
    covered: int = 0
    generation: int = 0
    told: int = 0
    tail: tuple[Heard, ...] = ()
    recent: tuple[str, ...] = ()
    merged: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def identity(self) -> tuple[Item, ...]:
        """Who the user is, and the people that were spoken of."""
        return self._current("identity")

    @property
    def facts(self) -> tuple[Item, ...]:
        return self._current("fact")

    @property
    def rules(self) -> tuple[Item, ...]:
        """Standing rules that the user gave."""
        return self._current("constraint")

    @property
    def decisions(self) -> tuple[Item, ...]:
        return self._current("decision")

    @property
    def preferences(self) -> tuple[Item, ...]:
        return self._current("preference")

    @property
    def todos(self) -> tuple[Item, ...]:
        """Todos that are open."""
        return self._current("todo")

    @property
    def done(self) -> tuple[Item, ...]:
        """Todos that were done or cancelled since the notes were last sent."""
        closed = (item for item in self.items if item.closed_by is not None)
        return tuple(i for i in closed if i.closed_by and i.closed_by.message >= self.told)

    @property
    def quarantined(self) -> tuple[Item, ...]:
        """What tried to become an item and is never shown: instructions, identities from tools."""
        return tuple(item for item in self.items if item.status == "quarantined")

    def with_items(self, findings: Iterable[Finding]) -> Memory:
        """Return the memory with what the host program knows, as of now.

        It counts as confirmed and as much as the user's word: a later statement of the user
        replaces it. What the host gave before has no effect when it is given again, so a program
        may pass its profile of the user with every call.

        Args:
            findings: what to add; trust, method and source are set here.

        Example:
            >>> source = Source(message=0, role="host")
            >>> plan = Finding(action="add", kind="fact", key="plan", value="gold", source=source)
            >>> Memory().with_items([plan]).facts[0].trust
            'host'
        """
        here = Source(message=max(0, self.covered - 1), role="host")
        given = [
            replace(f, trust="host", method="host", confirmed=True, source=here) for f in findings
        ]
        return merged(self, given)

    def pinned(self, ids: Iterable[str]) -> Memory:
        """Return the memory with these items pinned: they are shown as long as they hold.

        Args:
            ids: ids of items. An item that replaces a pinned one is pinned too.

        Raises:
            OptionError: there is no item with such an id.
        """
        wanted = set(ids)
        unknown = sorted(wanted - {item.id for item in self.items})
        if unknown:
            found = f"no item has the id {unknown[0]!r}"
            raise OptionError("pinned", found, "pass ids of memory.items")
        items = (replace(i, pinned=True) if i.id in wanted else i for i in self.items)
        return replace(self, items=tuple(items))

    def sent(self) -> Memory:
        """Return the memory as it is once its notes were sent in the place of messages."""
        return replace(self, generation=self.generation + 1, told=self.covered)

    def render(
        self,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] = len,
        secret: str = "",
    ) -> Rendering:
        """Return the notes to send, as large as ``max_tokens`` allows.

        Args:
            max_tokens: the cap, in what ``count`` counts; None for no cap.
            count: measures the finished text; characters unless given.
            secret: makes the mark of the block unforgeable for who does not know it; reading the
                block back needs the same.

        Raises:
            OptionError: what is pinned does not fit.

        Example:
            >>> Memory().render().text
            ''
        """
        done = {item.id for item in self.done}
        shown = [item for item in self.items if item.is_current or item.id in done]
        ended = [item for item in self.items if item.status in _ENDED]
        return rendering(shown, ended=ended, max_tokens=max_tokens, count=count, secret=secret)

    def to_dict(self) -> dict[str, Any]:
        """Return the memory as plain values that JSON can hold."""
        from contextkit.memory.stored import memory_as_dict

        return memory_as_dict(self)

    def to_json(self) -> str:
        """Return the memory as JSON, to be kept between two requests."""
        from contextkit.memory.stored import memory_as_json

        return memory_as_json(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Memory:
        """Read what `to_dict` returned.

        Raises:
            OptionError: another version, or a fault, with its place.
        """
        from contextkit.memory.stored import memory_from_dict

        return memory_from_dict(data)

    @classmethod
    def from_json(cls, text: str) -> Memory:
        """Read what `to_json` returned.

        Raises:
            OptionError: no JSON, another version, or a fault, with its place.
        """
        from contextkit.memory.stored import memory_from_json

        return memory_from_json(text)

    def _current(self, kind: Kind) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.kind == kind and item.is_current)


def merged(memory: Memory, findings: Iterable[Finding]) -> Memory:
    """Return ``memory`` with ``findings`` in it; what is in already has no effect.

    Args:
        memory: what is known.
        findings: what was read, in the order of the messages.

    Example:
        >>> source = Source(message=0, role="user")
        >>> call = Finding(action="add", kind="todo", value="call mom", source=source)
        >>> said = Source(message=2, role="user")
        >>> called = Finding(action="close", kind="todo", value="called mom", source=said)
        >>> merged(Memory(), [call, called]).done[0].closed_by == said
        True
    """
    fresh: dict[str, Finding] = {}
    for finding in findings:
        mark = _mark(finding)
        if mark not in memory.merged:
            fresh.setdefault(mark, finding)
    if not fresh:
        return memory
    return replace(
        memory,
        items=merged_items(memory.items, fresh.values()),
        merged=memory.merged.union(fresh),
    )


def _mark(finding: Finding) -> str:
    """Tells findings apart; what the host gives is the same wherever it is given."""
    place = () if finding.trust == "host" else _place(finding.source)
    parts = (
        finding.action,
        id_of(finding),
        finding.trust,
        finding.method,
        finding.replaces,
        *place,
    )
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _place(source: Source) -> tuple[str, ...]:
    return (source.role, str(source.message), str(source.start), str(source.end))
