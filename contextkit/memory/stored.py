"""A memory as JSON, and the checks that JSON from elsewhere has to pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_args

from contextkit.errors import OptionError
from contextkit.memory.items import Item, Kind, Source, Status, Trust

if TYPE_CHECKING:
    from contextkit.memory.state import Memory

SCHEMA = 1
"""Version of the stored form."""

_REMEDY = "pass what Memory.to_json() or to_dict() returned, unchanged"

_TODO_STATUS = frozenset({"open", "done", "cancelled"})
_CHOICES: Mapping[str, Sequence[str]] = {
    "kind": get_args(Kind),
    "trust": get_args(Trust),
    "status": get_args(Status),
}
_DEFAULTS = {f.name: f.default for f in fields(Item) if f.name not in ("kind", "value", "sources")}


def memory_as_dict(memory: Memory) -> dict[str, Any]:
    """Return ``memory`` as plain values; see `Memory.to_dict`."""
    return {
        "schema": SCHEMA,
        "covered": memory.covered,
        "generation": memory.generation,
        "told": memory.told,
        "tail": [[heard.index, heard.role, heard.text] for heard in memory.tail],
        "recent": list(memory.recent),
        "merged": sorted(memory.merged),
        "items": [_item_as_dict(item) for item in memory.items],
    }


def memory_as_json(memory: Memory) -> str:
    """Return ``memory`` as JSON; see `Memory.to_json`."""
    text = json.dumps(memory_as_dict(memory), ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, which no file holds
        return json.dumps(memory_as_dict(memory))
    return text


def memory_from_json(text: str) -> Memory:
    """Read JSON; see `Memory.from_json`."""
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise OptionError("memory", f"it is no JSON ({error})", _REMEDY) from None
    return memory_from_dict(data)


def memory_from_dict(data: Mapping[str, Any]) -> Memory:
    """Read plain values; see `Memory.from_dict`."""
    from contextkit.memory.state import Heard, Memory

    top = _mapping(data, "memory")
    if top.get("schema") != SCHEMA:
        raise _fault("schema", f"{top.get('schema')!r} is no version that this release reads")
    names = ("schema", "covered", "generation", "told", "tail", "recent", "merged", "items")
    _exactly(top, "memory", names, required=names)
    items = tuple(_item(entry, f"items[{i}]") for i, entry in enumerate(_list(top, "items")))
    _check_references(items)
    tail = [_heard(entry, f"tail[{i}]") for i, entry in enumerate(_list(top, "tail"))]
    return Memory(
        items=items,
        covered=_number(top["covered"], "covered"),
        generation=_number(top["generation"], "generation"),
        told=_number(top["told"], "told"),
        tail=tuple(Heard(*heard) for heard in tail),
        recent=tuple(_text(mark, "recent") for mark in _list(top, "recent")),
        merged=frozenset(_text(mark, "merged") for mark in _list(top, "merged")),
    )


def _item_as_dict(item: Item) -> dict[str, Any]:
    """What differs from an ordinary item, and the id, by which references are followed."""
    stored: dict[str, Any] = {"id": item.id, "kind": item.kind, "value": item.value}
    stored["sources"] = [_source_as_list(source) for source in item.sources]
    for name, default in _DEFAULTS.items():
        value = getattr(item, name)
        if value != default:
            stored[name] = _source_as_list(value) if name == "closed_by" else value
    return stored


def _source_as_list(source: Source) -> list[Any]:
    return [source.message, source.role, source.start, source.end]


def _item(entry: Any, place: str) -> Item:
    data = _mapping(entry, place)
    required = ("id", "kind", "value", "sources")
    _exactly(data, place, (*required, *_DEFAULTS), required=required)
    values = {name: _checked(name, data[name], f"{place}.{name}") for name in data if name != "id"}
    item = Item(**values)
    if item.id != data["id"]:
        raise _fault(f"{place}.id", f"{data['id']!r} is not the id of this value ({item.id!r})")
    if (item.status in _TODO_STATUS) != (item.kind == "todo") and item.status != "quarantined":
        raise _fault(f"{place}.status", f"{item.status!r} is no status of a {item.kind}")
    return item


def _checked(name: str, value: Any, place: str) -> Any:
    if name == "sources":
        if not isinstance(value, list) or not value:
            raise _fault(place, "it is no list of sources, or an empty one")
        return tuple(_source(entry, f"{place}[{i}]") for i, entry in enumerate(value))
    check = _choice if name in _CHOICES else _CHECKS.get(name, _text)
    return check(value, place)


def _source(entry: Any, place: str) -> Source:
    if not isinstance(entry, list) or len(entry) != 4:
        raise _fault(place, "it is no [message, role, start, end]")
    message, start, end = (_number(entry[i], place) for i in (0, 2, 3))
    return Source(message=message, role=_text(entry[1], place), start=start, end=end)


def _heard(entry: Any, place: str) -> tuple[int, str, str]:
    if not isinstance(entry, list) or len(entry) != 3:
        raise _fault(place, "it is no [index, role, text]")
    return _number(entry[0], place), _text(entry[1], place), _text(entry[2], place)


def _check_references(items: Sequence[Item]) -> None:
    ids = [item.id for item in items]
    known = set(ids)
    if len(known) < len(ids):
        twice = next(id for id in ids if ids.count(id) > 1)
        raise _fault("items", f"id {twice!r} stands there twice")
    for i, item in enumerate(items):
        if item.superseded_by and item.superseded_by not in known:
            raise _fault(f"items[{i}].superseded_by", f"no item is {item.superseded_by!r}")


def _exactly(
    data: Mapping[str, Any], place: str, names: Sequence[str], required: Sequence[str]
) -> None:
    missing = [name for name in required if name not in data]
    unknown = [name for name in data if name not in names]
    if missing:
        raise _fault(place, f"{missing[0]!r} is missing")
    if unknown:
        raise _fault(place, f"{unknown[0]!r} is no field of it")


def _mapping(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _fault(place, f"{type(value).__name__} where a mapping belongs")
    return value


def _list(data: Mapping[str, Any], name: str) -> Sequence[Any]:
    entries = data[name]
    if not isinstance(entries, list):
        raise _fault(name, f"{type(entries).__name__} where a list belongs")
    return entries


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise _fault(place, f"{value!r} is no text")
    return value


def _choice(value: Any, place: str) -> str:
    choices = _CHOICES[place.rpartition(".")[2]]
    if value not in choices:
        raise _fault(place, f"{value!r} is none of {', '.join(choices)}")
    return str(value)


def _number(value: Any, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _fault(place, f"{value!r} is no whole number of 0 or more")
    return value


def _flag(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise _fault(place, f"{value!r} is neither true nor false")
    return value


def _confidence(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise _fault(place, f"{value!r} is no number from 0 to 1")
    return value


_CHECKS: Mapping[str, Callable[[Any, str], Any]] = {
    "confirmed": _flag,
    "pinned": _flag,
    "confidence": _confidence,
    "closed_by": _source,
}


def _fault(place: str, found: str) -> OptionError:
    option = "memory" if place == "memory" else f"memory.{place}"
    return OptionError(option, found, _REMEDY)
