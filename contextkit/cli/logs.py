"""Find the usage records in files: responses, logged sessions, request bodies, whole folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contextkit.cli.reading import Record, records
from contextkit.messages import as_mapping

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")

_USAGES = ("usage", "usageMetadata", "usage_metadata")
_MODELS = ("model", "modelVersion", "model_version", "response_model")
_MOMENTS = ("created", "created_at", "createdAt", "timestamp", "createTime", "date")

_ANSWER_IDS = ("msg_", "chatcmpl-", "resp_", "gen-")
"""How the ids begin that Anthropic, OpenAI (chat, Responses) and OpenRouter give to answers."""

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
        answer: the id that the provider gave to the answer; None where there is none.
    """

    place: str
    what: Any
    model: str | None
    at: datetime | None
    answer: str | None = None


def files_of(path: str) -> list[str]:
    """Return the file itself, or every file of a folder that can hold a log, in order."""
    if path == "-" or not Path(path).is_dir():
        return [path]
    return [str(p) for p in sorted(Path(path).rglob("*")) if p.name.endswith(_SUFFIXES)]


def logged(path: str) -> Iterator[Logged | Record]:
    """Yield what is to be priced in a file; what cannot be read comes as its record.

    Sessions hold lines of many kinds. In a file with a usage anywhere, those without one come as
    they are, without a fault: there is nothing to price in them.
    """
    silent: list[Record] = []
    found = False
    for record in records(path, "auto"):
        if record.fault is not None:
            yield record
        elif answers := list(_answers(record.body, Logged(record.place, None, None, None))):
            found = True
            yield from answers
        else:
            silent.append(record)
    if not found:
        yield from map(_to_be_sent, silent)
    else:
        yield from silent


def _to_be_sent(record: Record) -> Logged | Record:
    body = record.body
    if not _is_request(body):
        fault = "neither a usage record nor messages; pass responses or histories"
        return replace(record, body=None, fault=fault)
    return Logged(record.place, body, _first(as_mapping(body) or {}, _MODELS), None)


def _answers(value: Any, near: Logged) -> Iterator[Logged]:
    """Every usage inside ``value``, with what ``near`` or a nearer record says of it."""
    if isinstance(value, list):
        for inner in value:
            yield from _answers(inner, near)
        return
    body = as_mapping(value)
    if body is None:
        return
    near = replace(near, model=_first(body, _MODELS) or near.model, at=_moment(body) or near.at)
    if any(as_mapping(body.get(key)) for key in _USAGES) or _is_usage(body):
        yield replace(near, what=body, answer=_answer_id(body))
        return
    asked = as_mapping(body.get("request")) or {}
    near = replace(near, model=near.model or _first(asked, _MODELS))
    for key in ("response", "messages", "message", "turns", "calls", "events", "choices"):
        yield from _answers(body.get(key), near)


def _answer_id(body: Mapping[str, Any]) -> str | None:
    """The provider's own id of an answer; ids that others give may stand for anything."""
    named = body.get("id")
    return named if isinstance(named, str) and named.startswith(_ANSWER_IDS) else None


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
