"""Images: their size in pixels, and what OpenAI's models are billed for a size.

The size stands in the first bytes of a file, so no picture is decoded and nothing is downloaded.
An image behind a URL or a file id has no size here.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import Any

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Media:
    """Tokens of media that a message holds.

    Attributes:
        tokens: how many.
        margin: most tokens by which they are thought to be off; 0 where the rule is settled.
        known: whether the count follows from the body.
    """

    tokens: int
    margin: int = 0
    known: bool = True


@dataclass(frozen=True, slots=True)
class Tiles:
    """An image costs ``base``, and ``tile`` for every 512 x 512 pixels unless detail is low."""

    base: int
    tile: int


@dataclass(frozen=True, slots=True)
class Patches:
    """An image costs ``factor`` for every 32 x 32 pixels, and ``more``; ``margin`` was seen."""

    factor: float
    more: int = 1
    margin: int = 0
    seen: bool = True


_RULES: Sequence[tuple[re.Pattern[str], Tiles | Patches]] = (
    (re.compile(r"gpt-4o-mini"), Tiles(2833, 5667)),
    (re.compile(r"gpt-4\.1-mini"), Patches(1.62)),
    (re.compile(r"gpt-4\.1-nano"), Patches(2.46)),
    (re.compile(r"o4-mini"), Patches(1.72)),
    (re.compile(r"gpt-5-mini"), Patches(1.2, more=2, margin=1)),
    (re.compile(r"gpt-5-nano"), Patches(1.5, margin=1)),
    (re.compile(r"gpt-5(?:-|$)"), Tiles(70, 140)),
    (re.compile(r"gpt-[5-9]"), Patches(1.2, seen=False)),
    (re.compile(r"o[1-4]"), Tiles(75, 150)),
    (re.compile(r"computer-use"), Tiles(65, 129)),
    (re.compile(r""), Tiles(85, 170)),
)
"""By the beginning of a model's name, the first that fits.

In tokens. The factors of gpt-5-mini and gpt-5-nano are those that were billed in 2025 and 2026, the
vendor's guide has others. Recorded: gpt-4o, 4o-mini, 4-vision, 4.1-mini, 4.1-nano, o4-mini, gpt-5-
mini and -nano; gpt-5.1 and later are a guess, the rest is the vendor's guide.
"""

_FIT, _SHORTER, _TILE = 2048, 768, 512
"""Pixels: an image is made to fit a square of the first, its shorter side cut to the second."""

_PATCH, _MOST_PATCHES, _LOW_PATCHES, _CAP_DOUBT = 32, 1536, 256, 0.05
"""Pixels of a patch's side; patches at the most, and with low detail (both by the guide only)."""

_MOST_TILES = 8
"""Tiles of a 768 x 2048 image, the largest there is."""

_FILE = Media(500, 500, known=False)
"""A document: recorded ones cost 10 to 950 tokens, large ones cost what their text does."""

_AUDIO = Media(80, 80, known=False)
"""A spoken sentence or two; about ten tokens a second."""

_OTHER_FILES = {
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a zip archive",
    b"<!DOC": "a web page",
    b"<html": "a web page",
}
"""First bytes that no image has."""

_NESTED = ("image_url", "source", "inlineData", "inline_data", "image")
"""Keys under which the formats of OpenAI, Anthropic, Gemini and Bedrock hold an image."""

_DATA = ("url", "data", "bytes")
"""Keys of the data itself inside of these."""

_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG segments that hold the size; the three left out are tables in the same range."""

_PREFIXES = (1 << 8, 1 << 16, 1 << 20)
"""Characters of base64 that are looked at first: a size rarely stands further back."""


def image_size(part: Mapping[str, Any]) -> Size | None:
    """Return width and height of the image in a content part, in pixels.

    Args:
        part: a part of OpenAI chat (``image_url``) or Responses (``input_image``), or a block of
            Anthropic (``source``), Gemini (``inlineData``) or Bedrock (``image``). The size is read
            from PNG, JPEG, GIF and WebP data (bytes, base64, data URL), or taken from the keys
            ``width`` and ``height`` of the part or of the mapping inside of it.

    Returns:
        None where the size cannot be known: a URL, a file id, another format, broken data.

    Example:
        >>> image_size({"type": "input_image", "width": 640, "height": 480})
        (640, 480)
        >>> gif = "data:image/gif;base64,R0lGODlhQAEAAQ=="
        >>> image_size({"type": "image_url", "image_url": {"url": gif}})
        (320, 256)
    """
    holders = [part, *_inner(part)]
    stated = next((size for holder in holders if (size := _stated(holder))), None)
    if stated:
        return stated
    return next((size for data in _payloads(holders) if (size := _size_of(data))), None)


def media_of(part: Mapping[str, Any], model: str) -> Media:
    """Return what a content part that is no text costs with an OpenAI model.

    Args:
        part: a part of a chat or Responses message.
        model: the model's name, which decides between tiles and patches.

    Example:
        >>> media_of({"type": "input_image", "width": 640, "height": 480}, "gpt-4o")
        Media(tokens=425, margin=0, known=True)
    """
    kind = str(part.get("type"))
    if "audio" in kind:
        return _AUDIO
    if "image" not in kind and not _is_image_file(part):
        return _FILE
    rule = next(rule for pattern, rule in _RULES if pattern.match(model))
    detail = _detail(part)
    size = image_size(part)
    return (
        _by_tiles(size, detail, rule)
        if isinstance(rule, Tiles)
        else _by_patches(size, detail, rule)
    )


def fault_of_image(part: Mapping[str, Any]) -> str | None:
    """Return what a data URL holds that says it holds an image; None unless that is certain.

    Example:
        >>> url = "data:image/png;base64,JVBERi0xLjQK"
        >>> fault_of_image({"type": "input_image", "image_url": url})
        'a PDF document'
    """
    for data in _payloads([part, *_inner(part)]):
        if isinstance(data, str) and data.startswith("data:image/") and ";base64," in data[:60]:
            head = _decoded(data[data.index(",") + 1 :][:16])
            return next(
                (what for mark, what in _OTHER_FILES.items() if head.startswith(mark)), None
            )
    return None


def _by_tiles(size: Size | None, detail: str, rule: Tiles) -> Media:
    if detail == "low":
        return Media(rule.base)
    if size is None:
        half = _MOST_TILES * rule.tile // 2
        return Media(rule.base + half, half, known=False)
    return Media(rule.base + rule.tile * _tiles(*size))


def _tiles(width: float, height: float) -> int:
    """Tiles of an image after it was scaled down; small ones are not scaled up."""
    scale = min(1.0, _FIT / max(width, height))
    scale *= min(1.0, _SHORTER / (min(width, height) * scale))
    return ceil(round(width * scale, 6) / _TILE) * ceil(round(height * scale, 6) / _TILE)


def _by_patches(size: Size | None, detail: str, rule: Patches) -> Media:
    if size is None:
        half = ceil(_MOST_PATCHES * rule.factor / 2)
        return Media(half, half, known=False)
    most = _LOW_PATCHES if detail == "low" else _MOST_PATCHES
    patches, is_capped = _patches(*size, most)
    tokens = ceil(patches * rule.factor) + rule.more
    if not rule.seen:
        return Media(tokens, tokens // 2, known=False)
    doubt = ceil(tokens * _CAP_DOUBT) if is_capped else 0
    return Media(tokens, rule.margin + doubt)


def _patches(width: int, height: int, most: int) -> tuple[int, bool]:
    """Patches of an image, and whether it had to be scaled down to have so few."""
    patches = ceil(width / _PATCH) * ceil(height / _PATCH)
    if patches <= most:
        return patches, False
    scale = sqrt(_PATCH * _PATCH * most / (width * height))
    across, down = width * scale / _PATCH, height * scale / _PATCH
    scale = min(floor(across) / across, floor(down) / down) or 1.0
    return min(most, ceil(across * scale) * ceil(down * scale)), True


def _detail(part: Mapping[str, Any]) -> str:
    holders = (part, *_inner(part))
    return next((str(h["detail"]) for h in holders if isinstance(h.get("detail"), str)), "auto")


def _is_image_file(part: Mapping[str, Any]) -> bool:
    return any(key in part for key in ("image_url", "image"))


def _inner(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The mappings inside of a part that describe its image, outermost first."""
    for key in _NESTED:
        inner = part.get(key)
        if isinstance(inner, Mapping):
            yield inner
            yield from _inner(inner)


def _stated(holder: Mapping[str, Any]) -> Size | None:
    width, height = holder.get("width"), holder.get("height")
    if isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0:
        return width, height
    return None


def _payloads(holders: list[Mapping[str, Any]]) -> Iterator[str | bytes]:
    for holder in holders:
        for key in (*_DATA, *_NESTED):
            data = holder.get(key)
            if isinstance(data, (bytes, bytearray)):
                yield bytes(data)
            elif isinstance(data, str):
                yield data


def _size_of(data: str | bytes) -> Size | None:
    return next((size for head in _heads(data) if (size := _size_of_header(head))), None)


def _heads(data: str | bytes) -> Iterator[bytes]:
    """The beginning of a file, longer each time, the whole of it last."""
    if isinstance(data, bytes):
        yield data
        return
    start = data.find(",", 0, 200) + 1 if data.startswith("data:") else 0
    if not start and "://" in data[:20]:
        return
    for length in (*_PREFIXES, len(data)):
        head = _decoded(data[start : start + length])
        if not head:
            return
        yield head
        if start + length >= len(data) or not head.startswith(b"\xff\xd8"):
            return


def _decoded(base64: str) -> bytes:
    """Decode as many whole groups of four as there are; b"" for what is no base64."""
    try:
        text = base64.translate({45: 43, 95: 47})  # the alphabet for URLs
        return binascii.a2b_base64(text[: len(text) // 4 * 4])
    except ValueError:
        return b""


def _size_of_header(head: bytes) -> Size | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return _positive(_big(head, 16, 4), _big(head, 20, 4))
    if head.startswith((b"GIF87a", b"GIF89a")) and len(head) >= 10:
        return _positive(_little(head, 6, 2), _little(head, 8, 2))
    if head.startswith(b"\xff\xd8"):
        return _size_of_jpeg(head)
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return _size_of_webp(head)
    return None


def _size_of_jpeg(head: bytes) -> Size | None:
    """Go from segment to segment up to the frame header."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        mark = head[at + 1]
        if mark in _JPEG_FRAMES:
            return _positive(_big(head, at + 7, 2), _big(head, at + 5, 2))
        bare = mark == 0xFF or mark == 0x01 or 0xD0 <= mark <= 0xD8
        at += (1 if mark == 0xFF else 2) if bare else 2 + _big(head, at + 2, 2)
    return None


def _size_of_webp(head: bytes) -> Size | None:
    if len(head) < 30:
        return None
    kind = head[12:16]
    if kind == b"VP8X":
        return 1 + _little(head, 24, 3), 1 + _little(head, 27, 3)
    if kind == b"VP8L":
        bits = _little(head, 21, 4)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        return _positive(_little(head, 26, 2) & 0x3FFF, _little(head, 28, 2) & 0x3FFF)
    return None


def _positive(width: int, height: int) -> Size | None:
    return (width, height) if width and height else None


def _big(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "big")


def _little(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "little")
