"""The parts of a message's content, as the wire has them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag


class WireModel(BaseModel):
    """A part of a request: strict, immutable, with room for the keys of providers."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    tags: ClassVar[tuple[str, ...]] = ("role", "type")
    """Fields whose only value need not be written, but is always sent."""

    def model_post_init(self, context: Any, /) -> None:
        self.model_fields_set.update(tag for tag in self.tags if tag in type(self).model_fields)

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """Return the legal payload; fields that were never set are left out."""
        return super().model_dump(**{"exclude_unset": True, **options})

    def model_dump_json(self, **options: Any) -> str:
        """Return the legal payload as JSON; fields that were never set are left out."""
        return super().model_dump_json(**{"exclude_unset": True, **options})


class TextPart(WireModel):
    """A text as a content part."""

    type: Literal["text"] = "text"
    text: str


class RefusalPart(WireModel):
    """The text with which the model declined."""

    type: Literal["refusal"] = "refusal"
    refusal: str


class ThinkingPart(WireModel):
    """What the model thought, as parts (Mistral)."""

    type: Literal["thinking"] = "thinking"
    thinking: list[TextPart]


class ImageURL(WireModel):
    """Where an image is: an address, or a ``data:`` URL with the image in it."""

    url: str
    detail: Literal["auto", "low", "high", "original"] | None = None


def _address_kind(address: Any) -> str:
    return "<text>" if isinstance(address, str) else "<object>"


Text: TypeAlias = Annotated[str, Tag("<text>")]
ImageAddress: TypeAlias = Annotated[
    Text | Annotated[ImageURL, Tag("<object>")], Discriminator(_address_kind)
]


class ImagePart(WireModel):
    """An image; some servers take the address alone in place of the object."""

    type: Literal["image_url"] = "image_url"
    image_url: ImageAddress


class InputAudio(WireModel):
    """Audio in base64."""

    data: str
    format: str


class AudioPart(WireModel):
    """Audio for the model to hear."""

    type: Literal["input_audio"] = "input_audio"
    input_audio: InputAudio


class InputFile(WireModel):
    """A file: its content in base64, or the id of an uploaded one."""

    file_data: str | None = None
    file_id: str | None = None
    filename: str | None = None


class FilePart(WireModel):
    """A file for the model to read."""

    type: Literal["file"] = "file"
    file: InputFile


class DocumentPart(WireModel):
    """A document by its address (Mistral)."""

    type: Literal["document_url"] = "document_url"
    document_url: str


class VideoURL(WireModel):
    """Where a video is."""

    url: str


VideoAddress: TypeAlias = Annotated[
    Text | Annotated[VideoURL, Tag("<object>")], Discriminator(_address_kind)
]


class VideoPart(WireModel):
    """A video by its address (Qwen, OpenRouter)."""

    type: Literal["video_url"] = "video_url"
    video_url: VideoAddress


def _content_kind(content: Any) -> str:
    return "<parts>" if isinstance(content, (list, tuple, dict)) else "<text>"


InstructionParts: TypeAlias = Annotated[list[TextPart], Tag("<parts>")]
Part: TypeAlias = Annotated[
    TextPart | ImagePart | AudioPart | FilePart | DocumentPart | VideoPart,
    Field(discriminator="type"),
]
AnswerPart: TypeAlias = Annotated[
    TextPart | RefusalPart | ThinkingPart, Field(discriminator="type")
]
Content: TypeAlias = Annotated[
    Text | Annotated[list[Part], Tag("<parts>")], Discriminator(_content_kind)
]
Instruction: TypeAlias = Annotated[Text | InstructionParts, Discriminator(_content_kind)]
Answer: TypeAlias = Annotated[
    Text | Annotated[list[AnswerPart], Tag("<parts>")], Discriminator(_content_kind)
]
