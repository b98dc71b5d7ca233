"""The vocabularies that ship with the package, and how they are packed.

tiktoken downloads its vocabularies when first used. A tool that trims requests must work without
a network, so the two current ones ship here, packed: token lengths and token bytes, in rank order,
through xz. Unpacking takes about 0.1 s, once a process.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from contextkit.errors import TokenizerMissing, VocabularyCorrupt

if TYPE_CHECKING:
    import tiktoken

OFFICIAL_SHA256 = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""Hashes of OpenAI's own files (one ``base64 rank`` line a token), as tiktoken 0.14 names them."""

_PACKED_SHA256 = {
    "o200k_base": "c42d83ae3ffc64b9768b7a3656f45634df9b063b609f05e67021273f56e1698b",
    "cl100k_base": "46f9d8f55939b252783b84af06b99d2a8e450135488e31ade6c85824432c9b25",
}

_PATTERNS = {
    "o200k_base": "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    ),
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
}


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """Return the tiktoken encoding ``name`` from the vocabulary shipped here.

    Raises:
        TokenizerMissing: no such encoding ships with contextkit.
        VocabularyCorrupt: the file is not the one that was shipped.

    Example:
        >>> encoding("o200k_base").encode("你好，世界")
        [177519, 979, 28428]
    """
    if name not in OFFICIAL_SHA256:
        known = ", ".join(sorted(OFFICIAL_SHA256))
        raise TokenizerMissing(name, f"encodings at hand: {known}; pass counter= for another")
    import tiktoken

    ranks = {token: rank for rank, token in enumerate(unpack(_read(name)))}
    # Special tokens are left out: text that looks like one is text, and is counted as text.
    return tiktoken.Encoding(
        name, pat_str=_PATTERNS[name], mergeable_ranks=ranks, special_tokens={}
    )


def pack(official: bytes) -> bytes:
    """Pack one of OpenAI's vocabulary files; its ranks must be 0, 1, 2 ..."""
    import lzma
    from base64 import b64decode

    tokens = [b64decode(line.split()[0]) for line in official.splitlines()]
    lengths = bytes(len(token) for token in tokens)
    body = len(tokens).to_bytes(4, "big") + lengths + b"".join(tokens)
    return lzma.compress(body, preset=9 | lzma.PRESET_EXTREME)


def unpack(packed: bytes) -> list[bytes]:
    """Return the tokens of a packed vocabulary in rank order."""
    import lzma

    body = lzma.decompress(packed)
    start = 4 + int.from_bytes(body[:4], "big")
    tokens = []
    for length in body[4:start]:
        tokens.append(body[start : start + length])
        start += length
    return tokens


def _read(name: str) -> bytes:
    packed = files("contextkit.counting").joinpath("vocabularies", f"{name}.xz").read_bytes()
    found = hashlib.sha256(packed).hexdigest()
    if found != _PACKED_SHA256[name]:
        raise VocabularyCorrupt(name, _PACKED_SHA256[name], found)
    return packed
