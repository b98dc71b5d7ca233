"""The chat messages of each role, as the wire has them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Tag

from contextkit.messages import as_mapping
from contextkit.schema.parts import Answer, Content, Instruction, WireModel


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
    content: Instruction
    name: str | None = None


class Developer(WireModel):
    """Instructions to a reasoning model of OpenAI."""

    role: Literal["developer"] = "developer"
    content: Instruction
    name: str | None = None


class User(WireModel):
    """What the user says."""

    role: Literal["user"] = "user"
    content: Content
    name: str | None = None


class Assistant(WireModel):
    """What the model said, and what it called."""

    role: Literal["assistant"] = "assistant"
    content: Answer | None = None
    tool_calls: list[_Call] | None = None
    function_call: FunctionCall | None = None
    refusal: str | None = None
    audio: AudioAnswer | None = None
    name: str | None = None


class Tool(WireModel):
    """The result of a call."""

    role: Literal["tool"] = "tool"
    content: Content
    tool_call_id: str


class Function(WireModel):
    """The result of a legacy ``function_call``."""

    role: Literal["function"] = "function"
    content: str | None
    name: str


Message: TypeAlias = System | Developer | User | Assistant | Tool | Function
