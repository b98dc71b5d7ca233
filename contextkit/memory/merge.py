"""Merge findings into items: nothing is deleted, and who may say more decides.

The user and the host outrank the assistant, who outranks tools. Among equals the later message
holds; two values of one message stand side by side. Where a lower rank contradicts a higher one,
the contradiction is kept as an item that was superseded from the start, so it is never shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from contextkit.memory.guard import cleaned, is_admissible, is_untrusted
from contextkit.memory.items import USER, Finding, Item, Source, Status, item_id
from contextkit.memory.overlap import Sentences, likeness

SINGLE_VALUED = frozenset(
    {"name", "email", "phone", "org", "role", "location", "timezone", "birthday", "age", "language"}
)
"""Keys of an identity that hold one value: the next one takes its place."""

_RANKS = {"user": 2, "host": 2, "assistant": 1, "tool": 0}
"""Who outranks whom, by trust and by role of a source alike; all other roles rank as tools do."""

_SAME_SENTENCE = 0.7
"""From this overlap on, a retold sentence is an echo and no item of its own."""


def merged_items(items: Iterable[Item], findings: Iterable[Finding]) -> tuple[Item, ...]:
    """Return ``items`` as they are after ``findings``, in the order of first mention.

    Example:
        >>> said = [Source(message=i, role="user") for i in (0, 4)]
        >>> mails = zip(("bob@old.com", "bob@new.io"), said)
        >>> found = [
        ...     Finding(action="add", kind="identity", key="email", value=mail, source=source)
        ...     for mail, source in mails
        ... ]
        >>> [(item.value, item.status) for item in merged_items((), found)]
        [('bob@old.com', 'superseded'), ('bob@new.io', 'active')]
    """
    draft = _Draft(items)
    for finding in findings:
        draft.apply(finding)
    return draft.items


def id_of(finding: Finding) -> str:
    """Return the id of the item that a finding makes."""
    normal = finding.norm or finding.value
    return item_id(finding.kind, finding.subject, finding.key, normal)


class _Draft:
    """Items that are being changed, found by id, by value, by key and by content."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items: dict[str, Item] = {}
        self._by_value: defaultdict[str, list[str]] = defaultdict(list)
        self._by_key: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
        self._sentences: dict[str, Sentences] = {}
        self._actions: Mapping[str, Callable[[Finding], object]] = {
            "add": self._add,
            "confirm": self._confirm,
            "supersede": self._supersede,
            "retract": self._retract,
            "close": lambda finding: self._end(finding, "done"),
            "cancel": lambda finding: self._end(finding, "cancelled"),
            "reopen": self._reopen,
            "quarantine": self._quarantine,
        }
        for item in items:
            self._put(item.id, item)

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(self._items.values())

    def apply(self, finding: Finding) -> None:
        if not cleaned(finding.value):
            return
        brings_in = finding.action in ("add", "confirm", "supersede")
        if brings_in and not is_admissible(finding):
            self._quarantine(finding)
        elif brings_in or finding.action == "quarantine" or not is_untrusted(finding):
            self._actions[finding.action](finding)

    def _put(self, id: str, item: Item) -> None:
        known = self._items.get(id)
        if known is None or known.value != item.value:
            for name in {_folded(item.value), _folded(item.norm or item.value)}:
                self._by_value[name].append(id)
        if known is None:
            self._by_key[item.kind, item.subject, item.key].append(id)
        self._items[id] = item
        if item.kind in self._sentences and _is_sentence(item):
            self._sentences[item.kind].remove(id)
            if item.is_current:
                self._sentences[item.kind].add(id, item.value)

    def _add(self, finding: Finding) -> str:
        """Bring a finding in, as an item or as another source of one; return the item's id."""
        id = self._echoed_by(finding) or id_of(finding)
        known = self._items.get(id)
        rivals = self._rivals(id, finding)
        stronger = [rival for rival, order in rivals if order == "holds"]
        if stronger:
            self._note(id, finding, "superseded", stronger[-1])
        elif known is None or known.is_current or self._revives(finding, known):
            self._put(id, _said_again(known, finding) if known else _new_item(finding))
            self._replace_by(id, [rival for rival, order in rivals if order == "yields"])
        else:
            self._note(id, finding, known.status)
        return id

    def _note(self, id: str, finding: Finding, status: Status, superseded_by: str = "") -> None:
        """Keep that something was said, without effect: a new item is none that holds."""
        known = self._items.get(id)
        if known is not None:
            self._put(id, replace(known, sources=_with_source(known, finding)))
        else:
            item = replace(_new_item(finding), status=status, superseded_by=superseded_by)
            self._put(id, item)

    def _rivals(self, id: str, finding: Finding) -> list[tuple[str, _Order]]:
        """Current items that hold the single value of the same key."""
        if not _is_single_valued(finding):
            return []
        held = self._by_key[finding.kind, finding.subject, finding.key]
        items = ((other, self._items[other]) for other in held if other != id)
        return [(other, _order(item, finding)) for other, item in items if item.is_current]

    def _echoed_by(self, finding: Finding) -> str:
        """The item of the same kind that a retelling, by the assistant or a model, is about."""
        retold = finding.trust == "assistant" or finding.method.startswith("llm")
        if finding.key or not retold or id_of(finding) in self._items:
            return ""
        id = self._about(finding)
        alike = id and likeness(self._items[id].value, finding.value) >= _SAME_SENTENCE
        return id if alike else ""

    def _revives(self, finding: Finding, item: Item) -> bool:
        """Whether an item that was ended holds again: the user, or the host, says it later."""
        if _rank(finding) < _RANKS["user"] or not finding.confirmed:
            return False
        if item.kind == "todo" and finding.action == "confirm":
            return False
        if item.status == "quarantined":
            return True
        if item.status in ("done", "cancelled") and item.closed_by is not None:
            return finding.source.message > item.closed_by.message
        ending = self._items.get(item.superseded_by, item)
        return finding.source.message > ending.sources[-1].message

    def _confirm(self, finding: Finding) -> None:
        id = id_of(finding)
        known = [id] if id in self._items else self._named(finding.value, finding.norm)
        same = [other for other in known if self._items[other].subject == finding.subject]
        for other in same:
            item = self._items[other]
            self._add(
                replace(finding, kind=item.kind, key=item.key, value=item.value, norm=item.norm)
            )
        if not same:
            self._add(finding)

    def _supersede(self, finding: Finding) -> None:
        old = self._superseded_by(finding)
        outranking = [other for other in old if _rank(self._items[other]) > _rank(finding)]
        if outranking:
            self._note(id_of(finding), finding, _ended(finding), outranking[-1])
            return
        id = self._add(finding)
        if self._items[id].is_current:
            self._replace_by(id, [other for other in old if other != id])
        unknown = not (old or self._named(finding.replaces))
        if finding.replaces and unknown and finding.kind != "todo":
            # A value that was denied before it was known: no echo may bring it up later.
            denied = replace(finding, value=finding.replaces, norm="")
            self._note(id_of(denied), denied, "superseded", id)

    def _superseded_by(self, finding: Finding) -> list[str]:
        """The current items that an explicit correction is about."""
        if finding.replaces:
            named = [id for id in self._named(finding.replaces) if self._items[id].is_current]
            return list(dict.fromkeys([*named, *self._mentioning(finding)]))
        if finding.key:
            held = self._by_key[finding.kind, finding.subject, finding.key]
            current = [id for id in held if self._items[id].is_current]
            return current if _is_single_valued(finding) else current[-1:]
        about = self._about(finding)
        return [about] if about else []

    def _mentioning(self, finding: Finding) -> Iterator[str]:
        """Free text that names the replaced value: of the same kind, or of any if it is typed."""
        needle = _folded(finding.replaces)
        is_typed = any(c.isdigit() or c == "@" for c in needle)
        for kind in ("decision", "preference", "constraint", "fact"):
            if kind == finding.kind or is_typed:
                for id in self._sentences_of(kind).sharing(needle):
                    item = self._items[id]
                    if item.is_current and _names(item.value, needle):
                        yield id

    def _replace_by(self, id: str, old: Sequence[str]) -> None:
        for other in old:
            item = self._items[other]
            self._put(other, replace(item, status=_ended(item), superseded_by=id, pinned=False))
            if item.pinned:
                self._put(id, replace(self._items[id], pinned=True))

    def _retract(self, finding: Finding) -> None:
        if finding.kind == "todo":
            self._end(finding, "cancelled")
            return
        named = self._named(finding.value, finding.norm)
        targets = [id for id in named if self._items[id].subject == finding.subject]
        if not named and not finding.key:
            about = self._about(finding)
            targets = [about] if about else []
        for id in targets:
            item = self._items[id]
            if item.is_current and item.kind != "todo" and _rank(item) <= _rank(finding):
                sources = _with_source(item, finding)
                self._put(id, replace(item, status="retracted", sources=sources))
        if not targets:
            self._note(id_of(finding), finding, "retracted")

    def _end(self, finding: Finding, status: Status) -> None:
        id = self._about(replace(finding, kind="todo"))
        if id and self._items[id].sources[0].message <= finding.source.message:
            self._put(id, replace(self._items[id], status=status, closed_by=finding.source))

    def _reopen(self, finding: Finding) -> None:
        ended = Sentences()
        for id, item in self._items.items():
            if item.status in ("done", "cancelled"):
                ended.add(id, item.value)
        if again := ended.closest(finding.value):
            item = replace(self._items[again], status="open", closed_by=None, superseded_by="")
            self._put(again, replace(item, sources=_with_source(item, finding)))

    def _quarantine(self, finding: Finding) -> None:
        self._note(id_of(finding), finding, "quarantined")

    def _named(self, *values: str) -> list[str]:
        """Ids of the items of any kind with one of these values."""
        found = (id for value in values if value for id in self._by_value.get(_folded(value), ()))
        return list(dict.fromkeys(found))

    def _about(self, finding: Finding) -> str:
        """The current sentence of the kind that ``finding`` is about; "" for none and for a tie."""
        exact = self._items.get(id_of(finding))
        if exact is not None and exact.is_current:
            return exact.id
        return self._sentences_of(finding.kind).closest(finding.value)

    def _sentences_of(self, kind: str) -> Sentences:
        """The current sentences of a kind; collected when first asked for, kept up from then on."""
        if kind not in self._sentences:
            self._sentences[kind] = Sentences()
            for id, item in self._items.items():
                if item.kind == kind and item.is_current and _is_sentence(item):
                    self._sentences[kind].add(id, item.value)
        return self._sentences[kind]


_Order = Literal["yields", "holds", "beside"]


def _order(item: Item, finding: Finding) -> _Order:
    """Whether an item gives way to another value of its key, holds against it, or stands beside."""
    if (ranks := _rank(finding) - _rank(item)) != 0:
        return "yields" if ranks > 0 else "holds"
    if item.confirmed != finding.confirmed:
        return "yields" if finding.confirmed else "holds"
    stated = _last_stated(item)
    if stated == finding.source.message:
        return "beside"
    return "yields" if stated < finding.source.message else "holds"


def _last_stated(item: Item) -> int:
    """The last message in which somebody of the item's own rank said it; an echo is none."""
    stated = [s.message for s in item.sources if _RANKS.get(s.role, 0) >= _rank(item)]
    return max(stated, default=item.sources[0].message)


def _rank(said: Item | Finding) -> int:
    return _RANKS[said.trust]


def _is_single_valued(finding: Finding) -> bool:
    """Names tell people apart: two of "other:colleague" are two colleagues."""
    if finding.kind != "identity" or finding.key not in SINGLE_VALUED:
        return False
    return finding.key != "name" or finding.subject == USER


def _is_sentence(item: Item) -> bool:
    return item.kind == "todo" or not item.key


def _new_item(finding: Finding) -> Item:
    return Item(
        kind=finding.kind,
        value=finding.value,
        sources=(finding.source,),
        key=finding.key,
        subject=finding.subject,
        norm=finding.norm,
        quote=finding.quote,
        trust=finding.trust,
        confirmed=finding.confirmed,
        confidence=finding.confidence,
        method=finding.method,
        status="open" if finding.kind == "todo" else "active",
        owner=finding.owner,
        due=finding.due,
    )


def _said_again(item: Item, finding: Finding) -> Item:
    """An echo adds a source; whoever ranks higher than the first speaker lends it trust."""
    sources = _with_source(item, finding)
    if not item.is_current:
        return replace(_new_item(finding), sources=sources, pinned=item.pinned)
    rises = _rank(finding) > _rank(item)
    newer = _rank(finding) >= _rank(item)
    reads_back = finding.action == "confirm" and not is_untrusted(finding)
    return replace(
        item,
        sources=sources,
        trust=finding.trust if rises else item.trust,
        confirmed=item.confirmed or (finding.confirmed and (newer or reads_back)),
        confidence=max(item.confidence, finding.confidence),
        due=(finding.due if newer else "") or item.due or finding.due,
        owner=item.owner or finding.owner,
    )


def _with_source(item: Item, finding: Finding) -> tuple[Source, ...]:
    source = finding.source
    if source in item.sources[-8:]:
        return item.sources
    if not item.sources or item.sources[-1].message <= source.message:
        return (*item.sources, source)
    return tuple(sorted((*item.sources, source), key=lambda s: (s.message, s.start)))


def _ended(said: Item | Finding) -> Status:
    """What an item becomes when another takes its place."""
    return "cancelled" if said.kind == "todo" else "superseded"


def _folded(value: str) -> str:
    return " ".join(value.casefold().split())


def _names(sentence: str, needle: str) -> bool:
    """Whether a sentence holds a folded value that is no part of a longer word or number."""
    text = _folded(sentence)
    at = text.find(needle) if len(needle) > 1 else -1
    while at >= 0:
        around = text[at - 1 : at] + needle[0], needle[-1] + text[at + len(needle) :][:1]
        if not any(pair.isascii() and pair.isalnum() and len(pair) == 2 for pair in around):
            return True
        at = text.find(needle, at + 1)
    return False
