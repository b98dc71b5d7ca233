"""Read one content part of any format."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote_to_bytes

from contextkit.conversion.talk import Foreign, Media, MediaKind, Part, Text, Thinking
from contextkit.formats import Api
from contextkit.messages import as_mapping

Block = Mapping[str, Any]

_GEMINI_KEYS = ("inlineData", "inline_data", "fileData", "file_data")


def read_part(api: Api, block: Block) -> Part:
    """Return what a part means; what only its own format knows is `Foreign`.

    Example:
        >>> read_part("openai-chat", {"type": "input_text", "text": "你好"})
        Text(text='你好', extra={})
    """
    reader = _READERS.get(str(block.get("type")))
    found = reader(block) if reader else None
    if found is not None:
        return found
    shown = block if api != "gemini" else {k: v for k, v in block.items() if k != "type"}
    return Foreign(str(block.get("type")), shown)


def _text(block: Block) -> Part:
    return Text(str(block.get("text") or ""), _beside(block, "text", "annotations", "logprobs"))


def _refusal(block: Block) -> Part:
    return Text(str(block.get("refusal") or ""), {"refusal": True})


def _thinking(block: Block) -> Part:
    """Thoughts of Anthropic, Bedrock, or Gemini, which marks a text as one."""
    if block.get("thought"):
        raw = {key: value for key, value in block.items() if key != "type"}
        return Thinking(str(block.get("text") or ""), raw)
    return Thinking(str(block.get("thinking") or ""), block)


def _reasoning(block: Block) -> Part:
    """A reasoning item of Responses: summaries, or the thoughts of a model with open weights."""
    listed = [*(block.get("summary") or ()), *(block.get("content") or ())]
    words = (str((as_mapping(part) or {}).get("text") or "") for part in listed)
    return Thinking("\n\n".join(filter(None, words)), block)


def _image_url(block: Block) -> Part | None:
    image = block.get("image_url")
    given = as_mapping(image) or {"url": image}
    extra = _beside(block, "image_url")
    return _from_url("image", given.get("url"), detail=_detail(given), extra=extra)


def _input_image(block: Block) -> Part | None:
    extra = _beside(block, "image_url", "detail", "file_id")
    return _from_url("image", block.get("image_url"), detail=_detail(block), extra=extra)


def _detail(image: Block) -> str:
    """The level of detail; "auto" is what OpenAI takes where none is given."""
    detail = str(image.get("detail") or "")
    return "" if detail == "auto" else detail


def _input_audio(block: Block) -> Part | None:
    audio = as_mapping(block.get("input_audio")) or {}
    kind = {"mp3": "audio/mpeg"}.get(str(audio.get("format")), f"audio/{audio.get('format')}")
    data = str(audio.get("data") or "")
    return Media("audio", kind, data, extra=_beside(block, "input_audio")) if data else None


def _file(block: Block) -> Part | None:
    """A file of chat completions, or of Gemini, or of Responses, which has no level between."""
    if _is_gemini(block):
        return _gemini_media(block)
    given = as_mapping(block.get("file")) or block
    url = given.get("file_data") or given.get("file_url")
    extra = _beside(block, "file", "file_data", "file_url", "filename", "file_id", "detail")
    return _from_url("file", url, name=str(given.get("filename") or ""), extra=extra)


def _source(block: Block) -> Part | None:
    """An image or a document of Anthropic; an image of Gemini carries its kind as type too."""
    if _is_gemini(block):
        return _gemini_media(block)
    source = as_mapping(block.get("source")) or {}
    kind: MediaKind = "image" if block.get("type") == "image" else "file"
    name, extra = str(block.get("title") or ""), _beside(block, "source", "title")
    media_type, data = str(source.get("media_type") or ""), str(source.get("data") or "")
    if source.get("type") == "base64":
        return Media(kind, media_type, data, name=name, extra=extra)
    if source.get("type") == "text":
        encoded = base64.b64encode(data.encode("utf-8", "surrogatepass")).decode()
        return Media(kind, "text/plain", encoded, name=name, extra=extra)
    if source.get("type") == "url":
        return Media(kind, "", url=str(source.get("url") or ""), name=name, extra=extra)
    return None


def _gemini_media(block: Block) -> Part | None:
    inside = next(found for key in _GEMINI_KEYS if (found := as_mapping(block.get(key))))
    media_type = str(inside.get("mimeType") or inside.get("mime_type") or "")
    data, url = inside.get("data") or "", inside.get("fileUri") or inside.get("file_uri") or ""
    if isinstance(data, bytes):
        data = base64.b64encode(data).decode()
    name = str(inside.get("displayName") or inside.get("display_name") or "")
    extra = _beside(block, *_GEMINI_KEYS)
    return Media(kind_of(media_type), media_type, str(data), str(url), name, extra=extra)


def kind_of(media_type: str) -> MediaKind:
    """Tell what a model takes a MIME type for."""
    kinds: Mapping[str, MediaKind] = {"image": "image", "audio": "audio", "video": "video"}
    return kinds.get(media_type.split("/")[0], "file")


def _from_url(kind: MediaKind, url: object, **fields: Any) -> Part | None:
    """Media at a URL, or inside a data URL; None where the provider holds it under an id."""
    if not isinstance(url, str) or not url:
        return None
    if not url.startswith("data:"):
        return Media(kind, url=url, **fields)
    head, _, payload = url.removeprefix("data:").partition(",")
    media_type, *parameters = head.split(";")
    if "base64" not in parameters:
        payload = base64.b64encode(unquote_to_bytes(payload)).decode()
    return Media(kind, media_type, payload, **fields)


def data_url(media: Media) -> str:
    """Where a medium lies: its URL, or its data as one.

    Example:
        >>> data_url(Media("image", "image/png", "iVBO"))
        'data:image/png;base64,iVBO'
    """
    return media.url or f"data:{media.media_type};base64,{media.data}"


def _beside(block: Block, *known: str) -> Mapping[str, Any]:
    """The keys of a block that no other field holds."""
    return {k: v for k, v in block.items() if k != "type" and k not in known and v is not None}


_READERS: Mapping[str, Callable[[Block], Part | None]] = {
    "text": _text,
    "input_text": _text,
    "output_text": _text,
    "refusal": _refusal,
    "thinking": _thinking,
    "redacted_thinking": _thinking,
    "reasoning": _reasoning,
    "image_url": _image_url,
    "input_image": _input_image,
    "input_audio": _input_audio,
    "input_file": _file,
    "file": _file,
    "image": _source,
    "document": _source,
    "audio": lambda block: _gemini_media(block) if _is_gemini(block) else None,
    "video": lambda block: _gemini_media(block) if _is_gemini(block) else None,
}


def _is_gemini(block: Block) -> bool:
    return any(as_mapping(block.get(key)) for key in _GEMINI_KEYS)


def texts_of(parts: Sequence[Part]) -> list[str]:
    """The words among parts."""
    return [part.text for part in parts if isinstance(part, Text)]
