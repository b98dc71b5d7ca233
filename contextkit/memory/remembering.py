"""Read the messages that a memory does not cover yet, each once, and never its own notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from contextkit.memory.blocks import has_block, strip_blocks
from contextkit.memory.items import Finding
from contextkit.memory.state import Heard, Memory, merged
from contextkit.messages import History, Message

if TYPE_CHECKING:
    from contextkit.memory.extraction import Pattern

Reader = Callable[[Message, Sequence[Message]], Iterable[Finding]]
"""What finds something in a message; it sees the two messages before it, too."""

_TAIL = 2
_TAIL_CHARACTERS = 4_000
"""What is kept of a message for those behind it; a reader sees no more of it in one go either, so
that a history read in pieces gives the same memory."""

_RECENT = 8
"""How many messages are marked, to find out where reading stopped in a list that was shortened."""


def remember(
    messages: Iterable[Any],
    *,
    memory: Memory | None = None,
    patterns: Sequence[Pattern] = (),
    secret: str = "",
) -> Memory:
    """Return the memory of a conversation, by rules alone.

    Only what ``memory`` does not cover is read. The list may be the whole history, as it was and
    longer, or one in which notes of this memory stand for older messages: it is then read behind
    the last message that is known.

    Args:
        messages: the history.
        memory: what was remembered of it before.
        patterns: more to look for.
        secret: the secret that notes in ``messages`` were rendered with.

    Raises:
        MessageError: a message that cannot be read.

    Example:
        >>> talk = [{"role": "user", "content": "My email is liz@example.com"}]
        >>> memory = remember(talk)
        >>> [item.value for item in memory.identity], memory.covered
        (['liz@example.com'], 1)
        >>> remember(talk, memory=memory) == memory
        True
    """
    from contextkit.memory.extraction import findings_of

    def read(message: Message, before: Sequence[Message]) -> Iterable[Finding]:
        return findings_of(message, before, patterns)

    return remember_with(read, messages, memory=memory or Memory(), secret=secret)


def remember_with(
    read: Reader, messages: Iterable[Any], *, memory: Memory, secret: str = ""
) -> Memory:
    """Do what `remember` does with another reader of messages."""
    history = messages if isinstance(messages, History) else History(messages)
    texts = _Texts(history, secret)
    tail, recent, covered = memory.tail, memory.recent, memory.covered
    findings: list[Finding] = []
    for place in range(_first_unread(texts, memory), len(history)):
        text = texts[place]
        if text is not None:
            message = _numbered(history[place], covered, text)
            findings += read(message, [_plain(heard) for heard in tail])
            heard = Heard(covered, message.role, text[-_TAIL_CHARACTERS:])
            tail, covered = (*tail, heard)[-_TAIL:], covered + 1
            recent = (*recent, texts.mark(place))[-_RECENT:]
    return replace(merged(memory, findings), covered=covered, tail=tail, recent=recent)


class _Texts:
    """The texts of a history without notes; None for a message that holds nothing else."""

    def __init__(self, history: History, secret: str) -> None:
        self.history = history
        self._secret = secret

    def __len__(self) -> int:
        return len(self.history)

    def __getitem__(self, place: int) -> str | None:
        text = self.history[place].text
        said = strip_blocks(text, self._secret)
        return None if said != text and not said.strip() else said

    def mark(self, place: int) -> str:
        """Stands for role and text; "" for a message of notes."""
        text = self[place]
        if text is None:
            return ""
        said = f"{self.history.roles[place]}\x1f{text.strip()}"
        return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()

    def holds_notes(self) -> bool:
        """Notes are looked for up to the first answer, before which they always stand."""
        for place, role in enumerate(self.history.roles):
            if has_block(self.history[place].text, self._secret):
                return True
            if role == "assistant":
                return False
        return False


def _first_unread(texts: _Texts, memory: Memory) -> int:
    """Where the messages begin that ``memory`` does not cover.

    In a history as it was, that is behind as many messages as are covered. If older messages were
    left out, the place is found by the last messages read, the more of them the surer. If none of
    them is left, the notes stand for all that was covered, and the rest is new.
    """
    is_long_enough = len(texts) >= memory.covered
    if is_long_enough and _known_before(memory.covered, texts.mark, memory) == len(memory.recent):
        return memory.covered
    marks = [texts.mark(place) for place in range(len(texts))]
    runs = {end: _known_before(end, marks.__getitem__, memory) for end in range(1, len(marks) + 1)}
    end = max(runs, key=lambda end: runs[end], default=0)
    if is_long_enough and runs.get(end, 0) < end and not texts.holds_notes():
        return memory.covered  # the whole history, but somebody has edited its newest messages
    return end if runs.get(end) else 0


def _known_before(end: int, mark: Callable[[int], str], memory: Memory) -> int:
    """How many of the messages right before ``end`` are the last ones that were read, in order."""
    known = 0
    for expected in reversed(memory.recent[-end:] if end else ()):
        if mark(end - 1 - known) != expected:
            break
        known += 1
    return known


def _numbered(message: Message, index: int, text: str) -> Message:
    """The message with its place in the whole history, and without notes."""
    if text == message.text:
        return replace(message, index=index)
    return replace(message, index=index, data={**message.data, "content": text})


def _plain(heard: Heard) -> Message:
    data = {"role": heard.role, "content": heard.text}
    return Message(heard.index, data, data)
