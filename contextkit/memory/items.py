"""What a memory is made of: items that are kept, and findings that change them.

Reading a message yields **findings**: somebody said their name, corrected a number, ended a task.
Merging findings, in order, into what is known gives **items**. Findings are facts about one message
and know nothing of the memory; items know all their sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

Kind = Literal["identity", "fact", "constraint", "decision", "preference", "todo"]
"""What an item is about:

- ``identity``: who somebody is: name, mail, phone, organisation, role, place, account ...
- ``fact``: something asserted: an order number, an amount, a date, a version, free text.
- ``constraint``: a standing rule for the assistant ("never call me", "以后都用中文").
- ``decision``: something settled ("we go with plan B").
- ``preference``: a liking that is no rule.
- ``todo``: something that is still to be done.
"""

Trust = Literal["user", "assistant", "tool", "host"]
"""Who said it; ``host`` is the program that uses contextkit."""

Status = Literal["active", "superseded", "retracted", "quarantined", "open", "done", "cancelled"]
"""Where an item stands; todos are open, done or cancelled."""

Action = Literal[
    "add", "confirm", "supersede", "retract", "close", "cancel", "reopen", "quarantine"
]

USER = "user"
"""The subject of what is about the user; others are "assistant" or "other:LABEL"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a value was read.

    Attributes:
        message: index of the message in the whole history.
        role: its role.
        start: first character (code point) of the value in the message's text.
        end: the character behind it.
    """

    message: int
    role: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one message says.

    Attributes:
        action: what to do with it: "add" something; "confirm" a value that was said before;
            "supersede" ``replaces`` (or whatever the key held) by ``value``; "retract" a value;
            "close", "cancel" or "reopen" the todo that ``value`` describes; "quarantine" a value
            that is shaped like an instruction and comes from nobody who may give one.
        kind: what it is about.
        key: "name", "email", "phone", "org", "role", "location", "account", "order_id", "amount",
            "date", "url", "path", "version", "error_code", "ip" ...; "" for free text.
        subject: "user", "assistant" or "other:LABEL" (the nearest possessor: "other:wife").
        value: the span of the message, verbatim.
        norm: the same in a normal form (E.164, ISO date, "329.00 CNY", lower-case mail); "" when
            the verbatim value is as good.
        quote: the sentence around it, at most 160 characters.
        source: where it stands.
        trust: who said it.
        confirmed: False for questions, hypotheticals and hearsay.
        confidence: 0 to 1.
        method: "rule:NAME", "llm:MODEL" or "host".
        replaces: the old value of an explicit correction ("INV-7781, not INV-7718"); "" without.
        owner: who has to do a todo, if the message says.
        due: by when, verbatim, if the message says.
    """

    action: Action
    kind: Kind
    value: str
    source: Source
    key: str = ""
    subject: str = USER
    norm: str = ""
    quote: str = ""
    trust: Trust = "user"
    confirmed: bool = True
    confidence: float = 1.0
    method: str = "rule"
    replaces: str = ""
    owner: str = ""
    due: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that is remembered.

    Attributes:
        kind, key, subject, value, norm, quote, trust, confirmed, confidence, method, owner, due: as
            in the `Finding` that made it; a confirmation may have raised ``confirmed``.
        sources: every place where it was said, oldest first.
        status: "active", or for todos "open", or what became of it.
        superseded_by: id of the item that took its place; "" while none did.
        closed_by: the message that finished or cancelled a todo; None while none did.
        pinned: whether it is always rendered.
    """

    kind: Kind
    value: str
    sources: tuple[Source, ...]
    key: str = ""
    subject: str = USER
    norm: str = ""
    quote: str = ""
    trust: Trust = "user"
    confirmed: bool = True
    confidence: float = 1.0
    method: str = "rule"
    status: Status = "active"
    superseded_by: str = ""
    closed_by: Source | None = None
    owner: str = ""
    due: str = ""
    pinned: bool = False

    @property
    def id(self) -> str:
        """Stands for kind, subject, key and normal form: saying it again makes no new item."""
        return item_id(self.kind, self.subject, self.key, self.norm or self.value)

    @property
    def is_current(self) -> bool:
        """Whether it holds now."""
        return self.status in ("active", "open")


def item_id(kind: str, subject: str, key: str, normal: str) -> str:
    """Return the id of what is said, whatever the case and the spaces of its value.

    Example:
        >>> ids = [item_id("fact", "user", "order_id", number) for number in ("LX-204", "lx-204")]
        >>> ids[0] == ids[1]
        True
    """
    folded = "\x1f".join((kind, subject, key, " ".join(normal.casefold().split())))
    return blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
