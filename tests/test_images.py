"""Images: sizes from headers, and what OpenAI's models are billed for them."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextkit import MessageError, count
from contextkit.counting.images import image_size, media_of


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x06\0\0\0"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0"


def jpeg(width: int, height: int, profile: int = 0) -> bytes:
    """Start, comment segments of ``profile`` bytes in all, and a progressive frame."""
    comments = b""
    while profile > 0:
        size = min(profile, 65_000)
        comments += b"\xff\xfe" + struct.pack(">H", size + 2) + b"x" * size
        profile -= size
    frame = b"\xff\xc2" + struct.pack(">HBHH", 17, 8, height, width) + b"\x03" + b"\0" * 9
    return b"\xff\xd8" + comments + b"\xff\xff" + frame[1:] + b"\xff\xda"


def webp(kind: bytes, body: bytes) -> bytes:
    return b"RIFF\x64\0\0\0WEBP" + kind + struct.pack("<I", len(body)) + body + b"\0" * 16


LOSSY = webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640, 480))
LOSSLESS = webp(b"VP8L", b"\x2f" + struct.pack("<I", 639 | 479 << 14))
EXTENDED = webp(b"VP8X", b"\0\0\0\0" + (639).to_bytes(3, "little") + (479).to_bytes(3, "little"))


def data_url(data: bytes, mime: str = "image/png") -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize(
    "data",
    [
        png(640, 480),
        gif(640, 480),
        jpeg(640, 480),
        jpeg(640, 480, 70_000),
        LOSSY,
        LOSSLESS,
        EXTENDED,
    ],
)
def test_the_size_stands_in_the_header(data: bytes) -> None:
    url = data_url(data)
    assert image_size({"type": "image_url", "image_url": {"url": url}}) == (640, 480)
    assert image_size({"type": "image_url", "image_url": {"url": url.rstrip("=")}}) == (640, 480)


TEXT = base64.b64encode(png(30, 20)).decode()


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": data_url(png(30, 20)), "detail": "low"}},
        {"type": "image_url", "image_url": data_url(png(30, 20))},
        {"type": "input_image", "image_url": data_url(png(30, 20))},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": TEXT}},
        {"type": "image", "inlineData": {"mimeType": "image/png", "data": TEXT}},
        {"type": "image", "inline_data": {"mime_type": "image/png", "data": TEXT}},
        {"type": "image", "image": {"format": "png", "source": {"bytes": png(30, 20)}}},
        {"type": "image", "image": {"format": "png", "source": {"bytes": TEXT}}},
        {"type": "image_url", "image_url": {"url": "https://a.b/c.png"}, "width": 30, "height": 20},
        {"type": "image", "source": {"type": "url", "url": "u", "width": 30, "height": 20}},
    ],
)
def test_every_format_has_its_place_for_an_image(part: dict[str, Any]) -> None:
    assert image_size(part) == (30, 20)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "text", "text": "no image"},
        {"type": "image_url", "image_url": {"url": "https://example.com/cat.png"}},
        {"type": "input_image", "file_id": "file-1"},
        {"type": "input_image", "image_url": data_url(b"BM no such format")},
        {"type": "input_image", "image_url": "data:image/png;base64,not base64 at all!"},
        {"type": "input_image", "image_url": "data:image/png;base64,"},
        {"type": "input_image", "image_url": data_url(png(30, 20)[:20])},
        {"type": "input_image", "image_url": data_url(png(0, 20))},
        {"type": "input_image", "image_url": data_url(b"\xff\xd8\xff\xda")},
        {"type": "input_image", "width": 0, "height": 20},
        {"type": "input_image", "width": "30", "height": "20"},
        {"type": "image_url", "image_url": None},
    ],
)
def test_what_cannot_be_known_is_none(part: dict[str, Any]) -> None:
    assert image_size(part) is None


@given(st.binary(max_size=80), st.sampled_from([b"", b"\xff\xd8", b"RIFF0000WEBP", b"GIF89a"]))
def test_no_bytes_are_an_error(tail: bytes, head: bytes) -> None:
    size = image_size({"type": "input_image", "image_url": data_url(head + tail)})
    assert size is None or min(size) > 0


@given(st.text(max_size=60))
def test_no_url_is_an_error(url: str) -> None:
    image_size({"type": "image_url", "image_url": {"url": url}})
    image_size({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{url}"}})


# What they cost


def cost(model: str, width: int, height: int, detail: str = "auto") -> int:
    part = {"type": "input_image", "width": width, "height": height, "detail": detail}
    media = media_of(part, model)
    assert media.known
    return media.tokens


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        ("gpt-4o", (512, 512), 85 + 170),
        ("gpt-4o", (640, 480), 85 + 170 * 2),
        ("gpt-4o", (1024, 1024), 85 + 170 * 4),
        ("gpt-4o", (2048, 4096), 85 + 170 * 6),
        ("gpt-4o", (4096, 512), 85 + 170 * 4),
        ("gpt-4o-mini", (640, 480), 2833 + 5667 * 2),
        ("gpt-5", (640, 480), 70 + 140 * 2),
        ("o3", (640, 480), 75 + 150 * 2),
        ("gpt-4.1-mini", (640, 480), 488),
        ("o4-mini", (640, 480), 517),
        ("gpt-5-nano", (640, 480), 451),
    ],
)
def test_images_of_known_size(model: str, size: tuple[int, int], tokens: int) -> None:
    width, height = size
    assert cost(model, width, height) == cost(model, height, width) == tokens


def test_low_detail_is_the_base_whatever_the_size() -> None:
    assert cost("gpt-4o", 3000, 2000, "low") == 85
    assert media_of({"type": "input_image", "file_id": "f", "detail": "low"}, "gpt-4o").margin == 0


@given(st.integers(1, 20_000), st.integers(1, 20_000))
def test_no_image_costs_more_than_the_largest(width: int, height: int) -> None:
    assert 85 + 170 <= cost("gpt-4o", width, height) <= 85 + 8 * 170
    assert 0 < cost("gpt-4.1-mini", width, height) <= 1 + 1536 * 1.62 + 1


def test_an_unknown_size_is_an_estimate_that_spans_all_sizes() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.com/cat.png"}}
    message = [{"role": "user", "content": [{"type": "text", "text": "What is it?"}, image]}]
    total = count(message, model="gpt-4o")
    frame = int(count([{"role": "user", "content": "What is it?"}], model="gpt-4o"))
    assert total.method == "estimate"
    assert (total.low, total.high) == (frame + 85, frame + 85 + 8 * 170)


def test_base64_is_never_counted_as_text() -> None:
    picture = data_url(png(640, 480) + b"\0" * 1_000_000)
    image = {"type": "image_url", "image_url": {"url": picture}}
    total = count([{"role": "user", "content": [image]}], model="gpt-4o")
    assert (total, total.method) == (3 + 4 + 425, "reconstructed")


def test_a_data_url_that_is_no_image_is_an_error_with_its_place() -> None:
    false = {"type": "image_url", "image_url": {"url": data_url(b"%PDF-1.4 and so on")}}
    history = [{"role": "user", "content": "Read it."}, {"role": "user", "content": [false]}]
    with pytest.raises(MessageError, match=r"message 1: .* a PDF document; send an image"):
        count(history, model="gpt-4o")
