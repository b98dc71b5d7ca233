"""Find the usage records in files: responses, logged sessions, request bodies, whole folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contextkit.cli.reading import Record, UnreadableInput, records
from contextkit.messages import as_mapping

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")

_USAGES = ("usage", "usageMetadata", "usage_metadata")
_MODELS = ("model", "modelVersion", "model_version", "response_model")
_MOMENTS = ("created", "created_at", "createdAt", "timestamp", "createTime", "date")

_REQUESTS = ("messages", "input", "contents")

_MILLISECONDS = 100_000_000_000
"""Numbers from here on count milliseconds: as seconds they would lie 3,000 years ahead."""


@dataclass(frozen=True, slots=True)
class Logged:
    """One thing to price.

    Attributes:
        place: where it stands.
        what: a usage, a response, a history or a request body.
        model: who was asked; None where nothing says so.
        at: when; None where nothing says so.
        session: the file it stands in.
    """

    place: str
    what: Any
    model: str | None
    at: datetime | None
    session: str


def files_of(path: str) -> list[str]:
    """Return the file itself, or every file of a folder that can hold a log, in order."""
    if path == "-" or not Path(path).is_dir():
        return [path]
    return [str(p) for p in sorted(Path(path).rglob("*")) if p.name.endswith(_SUFFIXES)]


def logged(path: str) -> Iterator[Logged | Record]:
    """Yield what is to be priced in a file; what cannot be read comes as its record."""
    for record in records(path, "auto"):
        if record.fault is not None:
            yield record
        else:
            yield from _logged(record, path)


def _logged(record: Record, path: str) -> Iterator[Logged]:
    found = list(_answers(record.body, None, None))
    if not found and _is_request(record.body):
        body = record.body if isinstance(record.body, dict) else {}
        found = [(record.body, _first(body, _MODELS), None)]
    if not found:
        raise UnreadableInput("neither a usage record nor messages; pass responses or histories")
    for what, model, at in found:
        yield Logged(record.place, what, model, at, path)


def _answers(
    value: Any, model: str | None, at: datetime | None
) -> Iterator[tuple[Any, str | None, datetime | None]]:
    """Every usage inside ``value``, with the nearest model and moment around it."""
    if isinstance(value, list):
        for inner in value:
            yield from _answers(inner, model, at)
        return
    body = as_mapping(value)
    if body is None:
        return
    model, at = _first(body, _MODELS) or model, _moment(body) or at
    if any(as_mapping(body.get(key)) for key in _USAGES) or _is_usage(body):
        yield body, model, at
        return
    asked = as_mapping(body.get("request")) or {}
    for key in ("response", "messages", "message", "turns", "calls", "events", "choices"):
        yield from _answers(body.get(key), model or _first(asked, _MODELS), at)


def _is_usage(body: Mapping[str, Any]) -> bool:
    keys = ("prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "prompt_eval_count")
    if isinstance(body.get("input"), int) and "cacheRead" in body:
        return True
    return any(isinstance(body.get(key), int) for key in keys)


def _is_request(value: Any) -> bool:
    return isinstance(value, list) or (
        isinstance(value, dict) and any(key in value for key in _REQUESTS)
    )


def _first(body: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    found = (body.get(key) for key in keys)
    return next((value for value in found if isinstance(value, str) and value), None)


def _moment(body: Mapping[str, Any]) -> datetime | None:
    return next((m for key in _MOMENTS if (m := _read_moment(body.get(key)))), None)


def _read_moment(value: Any) -> datetime | None:
    """Seconds or milliseconds since 1970, or ISO 8601; without time zone it is UTC."""
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value / (1000 if value >= _MILLISECONDS else 1), UTC)
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
