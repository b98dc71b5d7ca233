"""Whatever can count a text, by the name under which a table shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import cast

from contextkit.counting.counters import Counter
from contextkit.counting.counts import Part
from contextkit.counting.requests import counter_for
from contextkit.counting.vocabularies import VOCABULARIES
from contextkit.errors import OptionError
from contextkit.messages import History

Measure = Callable[[str], int]

Tokenizers = Iterable[object] | Mapping[str, object]


def measures_of(tokenizers: Tokenizers) -> dict[str, Measure]:
    """Return what counts a text for each tokenizer, by name.

    Args:
        tokenizers: names of vocabularies or models, paths of ``tokenizer.json`` files, functions
            of a text; a mapping gives them names of their own.

    Raises:
        OptionError: there is none, one counts nothing, or two have one name.
        UnknownModel: a name is neither a vocabulary nor a model.
        TokenizerMissing: a vocabulary is not here.

    Example:
        >>> {name: count("你好，世界") for name, count in measures_of(["gpt-4", len]).items()}
        {'gpt-4': 6, 'len': 5}
    """
    if isinstance(tokenizers, str):
        found = f"{tokenizers!r} is one name"
        raise OptionError("tokenizers", found, "pass a list of tokenizers")
    if not isinstance(tokenizers, Mapping):
        tokenizers = _by_their_names(tokenizers)
    if not tokenizers:
        raise OptionError("tokenizers", "there is none", 'pass one, "o200k_base" for example')
    return {name: _named(one)[1] for name, one in tokenizers.items()}


def _by_their_names(tokenizers: Iterable[object]) -> dict[str, object]:
    named: dict[str, object] = {}
    for name, measure in map(_named, tokenizers):
        if name in named:
            raise OptionError("tokenizers", f"two are called {name!r}", "pass a mapping of names")
        named[name] = measure
    return named


def _named(tokenizer: object) -> tuple[str, Measure]:
    if isinstance(tokenizer, (str, Path)):
        return _of_name(str(tokenizer))
    if isinstance(tokenizer, Counter):
        return type(tokenizer).__name__, tokenizer.count_text
    if callable(tokenizer):
        name = getattr(tokenizer, "__name__", type(tokenizer).__name__)
        return name, cast(Measure, tokenizer)
    found = f"{type(tokenizer).__name__} counts nothing"
    raise OptionError("tokenizers", found, "pass a name, a path or a function of a text")


def _of_name(name: str) -> tuple[str, Measure]:
    if name in VOCABULARIES or Path(name).suffix == ".json":
        return name, counter_for(None, encoding=name).count_text
    counter = counter_for(name)
    return f"{name} (estimate)" if _estimates(counter) else name, counter.count_text


def _estimates(counter: Counter) -> bool:
    """Whether a model's counter only estimates a plain text."""
    parts: Iterable[Part] = counter.count_unit(History([{"role": "user", "content": "text"}]))
    return any(part.method == "estimate" for part in parts)
