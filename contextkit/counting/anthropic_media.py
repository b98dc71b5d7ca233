"""What Claude is billed for parts that are no text: images, documents, blocks of the server."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

from contextkit.counting.images import Size, image_size
from contextkit.messages import as_mapping, is_text

Part = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of one part, and by how many they may be off.

    Attributes:
        tokens: what it costs.
        margin: half the width of the interval around them.
    """

    tokens: int = 0
    margin: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.tokens + other.tokens, self.margin + other.margin)


@dataclass(frozen=True, slots=True)
class ImageRule:
    """How images are scaled before they are cut into tiles.

    Attributes:
        edge: longest edge that is left as it is, in pixels.
        most: most tiles, one token each.
    """

    edge: int
    most: int


IMAGES, LARGE_IMAGES = ImageRule(1568, 1568), ImageRule(2576, 4784)
"""Up to Claude 4.6, and later. The limits are documented; recorded are images up to 1001 px."""

_TILE = 28
"""Edge of a tile, in pixels."""

_IMAGE_MARKS, _IMAGE_MARGIN = 3, 2
"""Around an image: exact in 16 of 21 recordings, 18 more on Claude 3.5 Haiku."""

_UNKNOWN_IMAGE = Cost(800, 800)
"""An image whose size nobody can see here; recorded behind URLs: 19 to 480 tokens."""

_PDF = Cost(2_150, 1_100)
"""A PDF of one page: recorded at 1,600 without text and 2,670 with it. Pages are not counted."""

_DOCUMENT_MARKS = Cost(45, 25)
"""Around the text of a document, its title included."""

_CITATIONS = Cost(1_000, 600)
"""Extra for a document that may be cited: 570 for a short text, 1,560 for a PDF (3 recordings)."""

_REFERENCE = Cost(55, 55)
"""A tool that a search found: its line, which is loaded from there on (9 recordings: 19 to 65)."""

_SERVER_SHARE = 2
"""Blocks that the server wrote itself: one token in so many of their JSON, give or take as much."""

_TEXT_FORMATS = frozenset({"txt", "md", "csv", "html"})
"""Bedrock's names for documents whose bytes are text."""

_FREE = frozenset({"thinking", "redacted_thinking", "cachePoint"})
"""Parts that cost nothing or are counted elsewhere."""

_KINDS: Mapping[str, str] = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "document": "document",
    "file": "document",
    "input_file": "document",
    "search_result": "document",
    "tool_reference": "reference",
}


def part_cost(part: Part, rule: ImageRule, text: Callable[[str], int]) -> Cost:
    """Return the cost of a content part; nothing for text, which is counted with its message.

    Args:
        part: a content part of a chat message, or a block that was kept as one.
        rule: how the model scales images.
        text: tokens of a text.
    """
    kind = part.get("type")
    if is_text(part) or kind in _FREE:
        return Cost()
    match _KINDS.get(str(kind)):
        case "image":
            return _image(image_size(part), rule)
        case "document":
            return _document(part, text)
        case "reference":
            return _REFERENCE
        case _:
            half = text(json.dumps(part, default=str)) // _SERVER_SHARE
            return Cost(half, half)


def _image(size: Size | None, rule: ImageRule) -> Cost:
    if size is None:
        return _UNKNOWN_IMAGE
    return Cost(min(_tiles(_scaled(size, rule)), rule.most) + _IMAGE_MARKS, _IMAGE_MARGIN)


def _scaled(size: Size, rule: ImageRule) -> tuple[float, float]:
    width, height = size
    area = sqrt(rule.most * _TILE * _TILE / (width * height))
    factor = min(1.0, rule.edge / max(size), area)
    return width * factor, height * factor


def _tiles(size: tuple[float, float]) -> int:
    width, height = size
    return ceil(width / _TILE) * ceil(height / _TILE)


def _document(part: Part, text: Callable[[str], int]) -> Cost:
    document = as_mapping(part.get("document")) or part
    body = _document_text(document)
    cost = _PDF if body is None else Cost(text(body)) + _DOCUMENT_MARKS
    cites = as_mapping(document.get("citations")) or {}
    return cost + _CITATIONS if cites.get("enabled") else cost


def _document_text(document: Part) -> str | None:
    """The text of a document that is text, None for any other."""
    source = as_mapping(document.get("source")) or document
    listed = source.get("content")
    if isinstance(listed, (list, tuple)):
        blocks = (as_mapping(block) or {} for block in listed)
        return "".join(str(block.get("text") or "") for block in blocks)
    if document.get("format") in _TEXT_FORMATS and "bytes" in source:
        return _decoded(source["bytes"])
    found = source.get("data") if source.get("type") == "text" else source.get("text")
    return found if isinstance(found, str) else None


def _decoded(data: object) -> str | None:
    """The text in base64 or bytes; None for what is neither."""
    try:
        raw = data if isinstance(data, bytes) else b64decode(str(data), validate=True)
    except ValueError:
        return None
    return raw.decode("utf-8", "replace")
