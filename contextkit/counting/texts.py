"""Count plain text, and remember the numbers but never the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from contextkit.counting.vocabulary import encoding

if TYPE_CHECKING:
    import tiktoken

_REMEMBERED = 65_536
"""Numbers kept by one memory and one generation: about 10 MB at the most."""

_PANIC_RUN = 250_000
"""White-space runs from this many characters on go another way: tiktoken 0.14 panics at 1e6."""

_LONG_BLANK = re.compile(rf"\s{{{_PANIC_RUN}}}")


class CountMemory:
    """A bounded memory of counts, keyed by the hash and length of a text.

    The texts themselves are never held: a cache of long bodies would keep them all alive. Two
    generations stand in for a least-recently-used order: what is asked for again moves to the young
    one, and when that is full the old one goes. Python's string hash is 64 bits wide and keyed
    anew in each process; among 131,072 texts the odds that any two collide are below 1e-9.

    Example:
        >>> memory = CountMemory()
        >>> memory.store("hello", 1)
        >>> memory.recall("hello"), memory.recall("other")
        (1, None)
    """

    __slots__ = ("_old", "_size", "_young")

    def __init__(self, size: int = _REMEMBERED) -> None:
        self._size = size
        self._young: dict[tuple[int, int], int] = {}
        self._old: dict[tuple[int, int], int] = {}

    def recall(self, text: str) -> int | None:
        """The number stored for ``text``, or None."""
        key = (hash(text), len(text))
        known = self._young.get(key)
        if known is None and (known := self._old.get(key)) is not None:
            self._keep(key, known)
        return known

    def store(self, text: str, tokens: int) -> None:
        """Keep ``tokens`` for ``text``."""
        self._keep((hash(text), len(text)), tokens)

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def _keep(self, key: tuple[int, int], tokens: int) -> None:
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = tokens


class TextCounter:
    """Count text with one vocabulary: each text is encoded once, special tokens count as text.

    Args:
        name: what the vocabulary is called.
        measure: tokens of one text; called once for each text, as long as it is remembered.

    Example:
        >>> TextCounter("letters", len)("你好")
        2
    """

    __slots__ = ("_measure", "_memory", "name")

    def __init__(self, name: str, measure: Callable[[str], int]) -> None:
        self.name = name
        self._measure = measure
        self._memory = CountMemory()

    def __call__(self, text: str) -> int:
        """Tokens of ``text``."""
        known = self._memory.recall(text)
        if known is None:
            known = self._measure(text)
            self._memory.store(text, known)
        return known


def tiktoken_counter(name: str) -> TextCounter:
    """Return a counter for an encoding that ships with contextkit.

    Lone surrogates count as the replacement character that they become on the wire.

    Raises:
        TokenizerMissing: no such encoding ships.

    Example:
        >>> tiktoken_counter("o200k_base")("你好，世界")
        3
    """
    chosen = encoding(name)
    return TextCounter(name, lambda text: _encoded_length(chosen, text))


def _encoded_length(encoding: tiktoken.Encoding, text: str) -> int:
    if len(text) >= _PANIC_RUN and _LONG_BLANK.search(text):
        return _length_by_pieces(encoding, text)
    return len(encoding.encode_ordinary(text))


def _length_by_pieces(encoding: tiktoken.Encoding, text: str) -> int:
    """Split outside tiktoken, whose own splitter overflows its stack on very long blank runs."""
    import regex

    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    pieces = regex.finditer(encoding._pat_str, text)
    return sum(len(encoding._encode_single_piece(piece.group())) for piece in pieces)
