"""Count plain text, and remember the numbers but never the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from contextkit.counting.fast import faster, faster_ends
from contextkit.counting.vocabulary import OFFICIAL_SHA256, encoding

if TYPE_CHECKING:
    import numpy as np
    import tiktoken
    from numpy.typing import NDArray

_REMEMBERED = 65_536
"""Numbers kept by one counter in one generation: about 10 MB at the most."""

_PANIC_RUN = 250_000
"""White-space runs from this many characters on go another way: tiktoken 0.14 panics at 1e6."""

_LONG_BLANK = re.compile(rf"\s{{{_PANIC_RUN}}}")


class TextCounter:
    """Count text with one vocabulary, and remember the numbers.

    Numbers are kept by the hash of a text, so no text is kept alive. Two generations stand in for
    a least-recently-used order: what is asked for again moves to the young one, and when that is
    full the old one goes. Python's string hash is 64 bits wide and keyed anew in each process;
    among 131,072 texts the odds that any two collide are below 1e-9.

    Args:
        name: what the vocabulary is called.
        measure: tokens of one text, asked once for each text as long as its number is remembered.
        size: numbers in one generation.

    Example:
        >>> TextCounter("letters", len)("你好")
        2
    """

    __slots__ = ("_measure", "_old", "_size", "_young", "name")

    def __init__(self, name: str, measure: Callable[[str], int], size: int = _REMEMBERED) -> None:
        self.name = name
        self._measure = measure
        self._size = size
        self.forget()

    def forget(self) -> None:
        """Drop all numbers: the next counts are cold."""
        self._young: dict[int, int] = {}
        self._old: dict[int, int] = {}

    def __call__(self, text: str) -> int:
        """Tokens of ``text``; special tokens count as text."""
        key = hash(text)
        tokens = self._young.get(key)
        if tokens is None:
            tokens = self._old.get(key)
            if tokens is None:
                tokens = self._measure(text)
            if len(self._young) >= self._size:
                self._old, self._young = self._young, {}
            self._young[key] = tokens
        return tokens

    def __len__(self) -> int:
        """How many numbers are remembered."""
        return len(self._young) + len(self._old)


def tiktoken_counter(name: str) -> TextCounter:
    """Return a counter for an encoding that ships with contextkit.

    Lone surrogates count as the replacement character that they become on the wire.

    Raises:
        TokenizerMissing: no such encoding ships.

    Example:
        >>> tiktoken_counter("o200k_base")("你好，世界")
        3
    """
    return TextCounter(name, faster(name, exact_measure))


@cache
def exact_measure(name: str) -> Callable[[str], int]:
    """Return what counts a text with tiktoken itself, without ever letting it panic.

    Raises:
        TokenizerMissing: no such encoding ships.

    Example:
        >>> exact_measure("o200k_base")("你好，世界")
        3
    """
    chosen = encoding(name)
    encode = chosen.encode_ordinary

    def measure(text: str) -> int:
        if len(text) >= _PANIC_RUN and _LONG_BLANK.search(text):
            return length_by_pieces(chosen, text)
        return len(encode(text))

    return measure


def token_ends(name: str, text: str) -> NDArray[np.int64] | None:
    """Return where each token of ``text`` ends, in UTF-8 bytes.

    None where nobody tells: another vocabulary than the two that ship, or a text with a blank run
    on which tiktoken panics. A lone surrogate is three bytes, as the character it becomes.

    Example:
        >>> token_ends("o200k_base", "你好，世界").tolist()
        [6, 9, 15]
    """
    if name not in OFFICIAL_SHA256 or (len(text) >= _PANIC_RUN and _LONG_BLANK.search(text)):
        return None
    fast = faster_ends(name, text)
    if fast is not None:
        import numpy as np

        return np.fromiter(fast, np.int64, len(fast))
    ends: NDArray[np.int64] = _token_lengths(name)[encoding(name).encode_ordinary(text)].cumsum()
    return ends


@cache
def _token_lengths(name: str) -> NDArray[np.int64]:
    """Bytes of each token, by rank."""
    import numpy as np

    return np.fromiter(map(len, encoding(name)._mergeable_ranks), np.int64)


def length_by_pieces(encoding: tiktoken.Encoding, text: str) -> int:
    """Split outside tiktoken, whose own splitter overflows its stack on very long blank runs."""
    import regex

    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    pieces = regex.finditer(encoding._pat_str, text)
    return sum(len(encoding._encode_single_piece(piece.group())) for piece in pieces)
