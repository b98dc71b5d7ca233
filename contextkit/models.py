"""What contextkit knows about models: window, largest answer, encoding.

The rows stand in ``models.toml`` beside this file, each with its source and the day it was checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from contextkit.errors import UnknownModel

_HOST = re.compile(r"^(?!arn:)(?:[\w.-]+/)*(?:[a-z]+\.)*")
"""``azure/``, ``openrouter/openai/``, ``us.anthropic.`` and the like in front of a name."""

_FINE_TUNED = re.compile(r"^ft:([^:]+).*")

_VERSION = re.compile(
    r"(?:-(?:\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{3}|latest|preview|exp|v\d+)"
    r"|:\w+)$"
)
"""A date, a serial number, ``latest``, a tag behind a colon: the same model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The limits of one model, in tokens.

    Attributes:
        name: canonical name.
        provider: who made it.
        window: tokens that input and output share.
        max_input: most input tokens, where the provider caps them apart from the window.
        max_output: most tokens of one answer; None when unknown.
        encoding: tiktoken encoding; None when its vocabulary does not ship with contextkit.
        source: where the row was read.
        checked: the day it was read.
    """

    name: str
    provider: str
    window: int
    max_input: int | None
    max_output: int | None
    encoding: str | None
    source: str
    checked: date


def find_model(name: str) -> Model:
    """Return the row of a model; hosts, dates and fine-tuning marks around its name are ignored.

    Raises:
        UnknownModel: no row has this name; the error lists near ones.

    Example:
        >>> find_model("azure/gpt-4o-2024-08-06").window
        128000
    """
    rows = _rows()
    for candidate in candidate_names(name):
        if candidate in rows:
            return rows[candidate]
    from difflib import get_close_matches

    raise UnknownModel(name, get_close_matches(bare_name(name), rows, n=3, cutoff=0.5))


def known_models() -> tuple[Model, ...]:
    """Return every row once, in the order of the table."""
    return tuple(dict.fromkeys(_rows().values()))


def bare_name(name: str) -> str:
    """Return a model name in lower case without the hosts in front of it.

    Example:
        >>> bare_name("openrouter/anthropic/Claude-Haiku-4.5")
        'claude-haiku-4.5'
    """
    return _HOST.sub("", name.strip().lower().replace("%3a", ":"))


def candidate_names(name: str) -> Iterator[str]:
    """Yield the bare name as it is, then with one mark less at a time.

    Example:
        >>> list(candidate_names("azure/gpt-4o-2024-08-06"))
        ['gpt-4o-2024-08-06', 'gpt-4o-2024-08-06', 'gpt-4o']
    """
    bare = bare_name(name)
    yield bare
    bare = _FINE_TUNED.sub(r"\1", bare)
    yield bare
    while (shorter := _VERSION.sub("", bare)) != bare:
        bare = shorter
        yield bare


@cache
def _rows() -> Mapping[str, Model]:
    import tomllib
    from importlib.resources import files

    table = tomllib.loads(files("contextkit").joinpath("models.toml").read_text("utf-8"))
    rows: dict[str, Model] = {}
    for row in table["model"]:
        model = _model(row)
        rows.update(dict.fromkeys((model.name, *row.get("aliases", ())), model))
    return rows


def _model(row: Mapping[str, Any]) -> Model:
    return Model(
        name=row["name"],
        provider=row["provider"],
        window=row["window"],
        max_input=row.get("max_input"),
        max_output=row.get("max_output"),
        encoding=row.get("encoding"),
        source=row["source"],
        checked=row["date"],
    )
