"""The chat message as the wire has it: strict models, and `validate`.

A model takes what an OpenAI-compatible server takes and refuses the rest where it is written: no
number becomes a text, no object becomes a JSON string. Keys that the format does not know are the
provider's own (``reasoning_content``, ``prefix``, ``cache_control`` ...) and survive.
``model_dump`` gives the payload: what was said, and nothing that was not.

The shape of each message is checked here; the order of messages is checked by `contextkit.check`.

Sources: the OpenAI API reference (chat completions), Mistral's and Qwen's for ``document_url`` and
``video_url``; every chat request recorded with an answer in the real data of the tests is valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError

from contextkit.assembly import payload
from contextkit.errors import InvalidMessages
from contextkit.messages import ROLES, as_mapping
from contextkit.messages import _listed as listed


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


class ImageURL(WireModel):
    """Where an image is: an address, or a ``data:`` URL with the image in it."""

    url: str
    detail: Literal["auto", "low", "high", "original"] | None = None


def _address_kind(address: Any) -> str:
    return "<text>" if isinstance(address, str) else "<object>"


_Text: TypeAlias = Annotated[str, Tag("<text>")]
_ImageAddress: TypeAlias = Annotated[
    _Text | Annotated[ImageURL, Tag("<object>")], Discriminator(_address_kind)
]


class ImagePart(WireModel):
    """An image; some servers take the address alone in place of the object."""

    type: Literal["image_url"] = "image_url"
    image_url: _ImageAddress


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


_VideoAddress: TypeAlias = Annotated[
    _Text | Annotated[VideoURL, Tag("<object>")], Discriminator(_address_kind)
]


class VideoPart(WireModel):
    """A video by its address (Qwen, OpenRouter)."""

    type: Literal["video_url"] = "video_url"
    video_url: _VideoAddress


def _content_kind(content: Any) -> str:
    return "<parts>" if isinstance(content, (list, tuple, dict)) else "<text>"


_InstructionParts: TypeAlias = Annotated[list[TextPart], Tag("<parts>")]
_Part: TypeAlias = Annotated[
    TextPart | ImagePart | AudioPart | FilePart | DocumentPart | VideoPart,
    Field(discriminator="type"),
]
_AnswerPart: TypeAlias = Annotated[TextPart | RefusalPart, Field(discriminator="type")]
_Content: TypeAlias = Annotated[
    _Text | Annotated[list[_Part], Tag("<parts>")], Discriminator(_content_kind)
]
_Instruction: TypeAlias = Annotated[_Text | _InstructionParts, Discriminator(_content_kind)]
_Answer: TypeAlias = Annotated[
    _Text | Annotated[list[_AnswerPart], Tag("<parts>")], Discriminator(_content_kind)
]


class FunctionCall(WireModel):
    """The function that a call names, and its arguments.

    Attributes:
        arguments: a JSON string, as the model wrote it; never the object.
    """

    name: str
    arguments: str


class ToolCall(WireModel):
    """A call of a function."""

    id: str
    type: Literal["function"] = "function"
    function: FunctionCall


class CustomCall(WireModel):
    """The custom tool that a call names, and the text for it."""

    name: str
    input: str


class CustomToolCall(WireModel):
    """A call of a custom tool."""

    id: str
    type: Literal["custom"] = "custom"
    custom: CustomCall


def _call_kind(call: Any) -> str:
    data = as_mapping(call) or {}
    return "<custom>" if data.get("type") == "custom" else "<function>"


_Call: TypeAlias = Annotated[
    Annotated[ToolCall, Tag("<function>")] | Annotated[CustomToolCall, Tag("<custom>")],
    Discriminator(_call_kind),
]


class AudioAnswer(WireModel):
    """Audio that the model has spoken, by its id."""

    id: str


class System(WireModel):
    """Instructions."""

    role: Literal["system"] = "system"
    content: _Instruction
    name: str | None = None


class Developer(WireModel):
    """Instructions to a reasoning model of OpenAI."""

    role: Literal["developer"] = "developer"
    content: _Instruction
    name: str | None = None


class User(WireModel):
    """What the user says."""

    role: Literal["user"] = "user"
    content: _Content
    name: str | None = None


class Assistant(WireModel):
    """What the model said, and what it called."""

    role: Literal["assistant"] = "assistant"
    content: _Answer | None = None
    tool_calls: list[_Call] | None = None
    function_call: FunctionCall | None = None
    refusal: str | None = None
    audio: AudioAnswer | None = None
    name: str | None = None


class Tool(WireModel):
    """The result of a call."""

    role: Literal["tool"] = "tool"
    content: _Content
    tool_call_id: str


class Function(WireModel):
    """The result of a legacy ``function_call``."""

    role: Literal["function"] = "function"
    content: str | None
    name: str


class _Unknown(WireModel):
    """A message whose role is none: only there to say so."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]


Message: TypeAlias = System | Developer | User | Assistant | Tool | Function

_MODELS: Mapping[Any, type[WireModel]] = {
    "system": System,
    "developer": Developer,
    "user": User,
    "assistant": Assistant,
    "tool": Tool,
    "function": Function,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one message.

    Attributes:
        index: position of the message in the list.
        field: where in the message, like ``tool_calls[0].function.arguments``; "" for the message.
        type: pydantic's name of the fault, like "literal_error", "string_type" or "missing".
        found: what stood there.
        remedy: what to do.
    """

    index: int
    field: str
    type: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"message {self.index}: {self.found} [{self.type}]; {self.remedy}"


def validate(messages: Iterable[Any]) -> list[Message]:
    """Return the messages as strict models, ready for `trim`, `count` or a client.

    Args:
        messages: dicts, other mappings or SDK objects, in order; models are taken as they are.

    Raises:
        InvalidMessages: some have a wrong shape; with all faults of all messages.
        MessageError: not a list.

    Example:
        >>> [answer] = validate([{"role": "assistant", "content": "好", "reasoning_content": "…"}])
        >>> answer.model_dump()
        {'role': 'assistant', 'content': '好', 'reasoning_content': '…'}
        >>> validate([{"role": "usr", "content": "好"}])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        contextkit.errors.InvalidMessages: message 0: role is 'usr' [literal_error]; ...
    """
    models: list[Any] = []
    faults: list[Fault] = []
    for index, message in enumerate(listed(messages)):
        try:
            models.append(_model(index, message))
        except ValidationError as error:
            faults.extend(_faults(index, payload(message) or {}, error))
        except InvalidMessages as error:
            faults.extend(error.faults)
    if faults:
        raise InvalidMessages(faults)
    return models


def _model(index: int, message: Any) -> WireModel:
    if isinstance(message, WireModel):
        return message
    data = payload(message)
    if data is None:
        found = f"{type(message).__name__} is no message"
        remedy = "pass a dict, a mapping or an object with model_dump()"
        raise InvalidMessages([Fault(index, "", "model_type", found, remedy)])
    role = data.get("role")
    model = _MODELS.get(role, _Unknown) if isinstance(role, str) else _Unknown
    return model.model_validate(dict(data))


def _faults(index: int, data: Mapping[str, Any], error: ValidationError) -> list[Fault]:
    return [
        _fault(index, _steps(data, fault["loc"]), fault)
        for fault in error.errors(include_url=False, include_context=True)
    ]


def _steps(data: Any, location: Sequence[str | int]) -> list[str | int]:
    """The way to a fault through the message, without the names of union members."""
    steps: list[str | int] = []
    written = [step for step in location if not str(step).startswith("<")]
    for place, step in enumerate(written):
        is_last = place == len(written) - 1
        is_inside = isinstance(step, int) or (
            isinstance(data, Mapping) and (step in data or is_last)
        )
        if is_inside:
            steps.append(step)
            data = _inside(data, step)
    return steps


def _inside(data: Any, step: str | int) -> Any:
    if isinstance(data, Mapping):
        return data.get(step)
    in_list = isinstance(data, (list, tuple)) and isinstance(step, int) and step < len(data)
    return data[step] if in_list else None


def _fault(index: int, steps: Sequence[str | int], fault: Mapping[str, Any]) -> Fault:
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    field = field.removeprefix(".")
    kind = str(fault["type"])
    value = fault["input"]
    last = next((step for step in reversed(steps) if isinstance(step, str)), "")
    if kind == "missing":
        return Fault(index, field, kind, f"no {field}", _missing(last))
    place = field or "the message"
    if kind.startswith("union_tag"):
        tag = (as_mapping(value) or {}).get("type")
        if tag is None:
            return Fault(index, field, kind, f"{place} has no type", f"use {_sample(last)}")
        found = f"{place} has the type {tag!r}"
        return Fault(index, field, kind, found, f"use one of {_expected(fault)}")
    told = repr(value) if isinstance(value, str) and len(value) < 40 else type(value).__name__
    found = f"{place} is {told}"
    return Fault(index, field, kind, found, _remedy(kind, last, value, fault))


_TEXT_REMEDIES = {
    "arguments": "use the JSON string: json.dumps(arguments, ensure_ascii=False)",
    "content": "use a string or a list of content parts",
}

_SAMPLES = {
    "content": '{"type": "text", "text": "..."}',
    "tool_calls": '{"id": "...", "type": "function", "function": {...}}',
    "function": '{"name": "...", "arguments": "{}"}',
    "image_url": '{"url": "..."}',
}


def _missing(field: str) -> str:
    if field == "role":
        return f"set role to one of {', '.join(sorted(ROLES))}"
    if field == "tool_call_id":
        return "set tool_call_id to the id of the call that this answers"
    return f"set {field}"


def _remedy(kind: str, field: str, value: Any, fault: Mapping[str, Any]) -> str:
    if kind == "literal_error":
        near = get_close_matches(str(value), ROLES if field == "role" else (), n=1)
        return f"did you mean {near[0]!r}?" if near else f"use one of {_expected(fault)}"
    if kind == "string_type":
        return _TEXT_REMEDIES.get(field, "use a string")
    if kind == "list_type":
        return f"use a list: [{_sample(field)}]"
    if kind.startswith("model"):
        return f"use {_sample(field)}"
    return str(fault["msg"])


def _sample(field: str) -> str:
    return _SAMPLES.get(field, "a mapping")


def _expected(fault: Mapping[str, Any]) -> str:
    context = fault.get("ctx") or {}
    return str(context.get("expected_tags") or context.get("expected") or "the known types")
