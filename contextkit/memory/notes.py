"""One item as a line of notes, and notes read back as items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from contextkit.memory.blocks import bodies
from contextkit.memory.guard import cleaned, is_instruction
from contextkit.memory.items import USER, Item, Kind, Status, Trust
from contextkit.memory.note_words import CHINESE, ENGLISH, Words

_LABELLED = re.compile(r"(?P<label>[^\[\]:：]{1,40}?)(?:: |：)(?P<value>.+)")
_BRACKETED = re.compile(r"\[([^\[\]]+)\] ")
_RESERVED = re.compile(r"[\[\]:：]")
_TAG_CHARACTERS = 40

_KINDS: Mapping[str, Kind] = {
    "identity": "identity",
    "constraint": "constraint",
    "todo": "todo",
    "decision": "decision",
    "fact": "fact",
    "preference": "preference",
    "done": "todo",
}


def note_line(item: Item, words: Words) -> str:
    """Return ``item`` as one line.

    Example:
        >>> hers = Item(kind="identity", key="name", value="Ann", subject="other:wife", sources=())
        >>> note_line(hers, ENGLISH)
        '- [of: wife] name: Ann'
    """
    tags = "".join(f"[{tag}] " for tag in _tags(item, words))
    value = cleaned(item.value)
    label = _label(item, value, words)
    return f"- {tags}{label}{words.colon}{value}" if label else f"- {tags}{value}"


def parse_block(text: str, secret: str = "") -> list[Item]:
    r"""Return the items of the blocks of ours in ``text``, as far as notes tell.

    Notes hold values, keys and kinds, whose and how sure they are; where they were said, their
    normal forms and what was superseded is known to the memory only.

    Args:
        text: a message that may hold rendered notes.
        secret: the secret that they were rendered with.

    Example:
        >>> from contextkit.memory.render import rendering
        >>> call = Item(kind="todo", value="call mom", status="open", sources=(), due="Friday")
        >>> parse_block("Hi! " + rendering([call]).text) == [call]
        True
        >>> parse_block('<conversation-notes nonce="0123456789ab">\n- x\n</conversation-notes>')
        []
    """
    return [item for body in bodies(text, secret) for item in _read(body)]


def _tags(item: Item, words: Words) -> Iterator[str]:
    if item.subject != USER:
        yield words.other + _plain(item.subject.removeprefix("other:"))
    if item.status == "cancelled":
        yield words.cancelled
    if not item.confirmed:
        yield words.unconfirmed
    if item.trust == "tool":
        yield words.tool
    if item.owner:
        yield words.owner + _plain(item.owner)
    if item.due:
        yield words.due + _plain(item.due)


def _label(item: Item, value: str, words: Words) -> str:
    if item.key:
        return words.labels.get(item.key) or _plain(item.key).replace("_", " ")
    if item.kind == "constraint" and item.trust == "user" and is_instruction(item.value):
        return words.asked
    return words.text if value.startswith("[") or _LABELLED.match(value) else ""


def _plain(text: str) -> str:
    return cleaned(_RESERVED.sub(" ", text), _TAG_CHARACTERS)


def _read(body: str) -> Iterator[Item]:
    """Read a body line by line; lines that are neither a title nor an item say nothing."""
    words, section = ENGLISH, ""
    for line in body.splitlines():
        if line.startswith("- ") and section:
            yield _item(line[2:], section, words)
        for language in (ENGLISH, CHINESE):
            if line in language.titles.values():
                words = language
                section = next(name for name, title in words.titles.items() if title == line)


def _item(line: str, section: str, words: Words) -> Item:
    tags = []
    while tag := _BRACKETED.match(line):
        tags.append(tag[1])
        line = line[tag.end() :]
    labelled = _LABELLED.fullmatch(line)
    key = _key(labelled["label"], words) if labelled else ""
    said = {
        name: tag.removeprefix(prefix)
        for name, prefix in (("subject", words.other), ("owner", words.owner), ("due", words.due))
        for tag in tags
        if tag.startswith(prefix)
    }
    trust: Trust = "tool" if words.tool in tags else "user"
    return Item(
        kind=_KINDS[section],
        value=labelled["value"] if labelled else line,
        sources=(),
        key=key,
        subject=_subject(said.get("subject", USER)),
        trust=trust,
        confirmed=words.unconfirmed not in tags,
        status=_status(section, words.cancelled in tags),
        owner=said.get("owner", ""),
        due=said.get("due", ""),
    )


def _key(label: str, words: Words) -> str:
    if label in (words.text, words.asked):
        return ""
    named = next((key for key, name in words.labels.items() if name == label), None)
    return named or label.replace(" ", "_")


def _subject(whose: str) -> str:
    return whose if whose in (USER, "assistant") else f"other:{whose}"


def _status(section: str, is_cancelled: bool) -> Status:
    if section == "done":
        return "cancelled" if is_cancelled else "done"
    return "open" if section == "todo" else "active"
