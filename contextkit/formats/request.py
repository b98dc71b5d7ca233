"""One request, whatever wire format it came in.

A body of any provider is read into the same values: a history of chat messages, tools, the choice
among them, a schema for the answer. Chat messages are the caller's own objects; the messages of
other formats are written as chat messages with their own blocks kept as parts, so that nothing a
provider bills for is lost on the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from contextkit.messages import History, Message

Api = Literal["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock"]

APART = -1
"""The origin of instructions that stand beside the messages, not among them."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call.

    Attributes:
        name: the function; "" for a tool of another kind (web search, code interpreter ...).
        description: what it does; "" without one.
        parameters: JSON schema of its arguments; empty when it takes none.
        raw: the tool as it stands in the request.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Which tool the model has to call.

    Attributes:
        mode: "auto", "none", "required" (any of them) or "named".
        name: the function, for "named".
    """

    mode: Literal["auto", "none", "required", "named"] = "auto"
    name: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """The JSON schema that the answer has to obey.

    Attributes:
        name: its name; "" without one.
        description: what it is for; "" without one.
        schema: the JSON schema.
    """

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a model.

    Attributes:
        api: the wire format it came in.
        history: its messages as chat messages, instructions in front where they are held apart.
        origins: for each of them the place of the body's item that it was written from; `APART`
            for instructions that are held apart.
        tools: the tools offered.
        tool_choice: which of them to call; None when the request does not say.
        parallel_calls: whether several calls at once are allowed; None when it does not say.
        answer_schema: the schema of a structured answer, if one is asked for.
        body: the request as it came, for what only one provider knows.
    """

    api: Api
    history: History
    origins: Sequence[int] = ()
    tools: Sequence[Tool] = ()
    tool_choice: ToolChoice | None = None
    parallel_calls: bool | None = None
    answer_schema: AnswerSchema | None = None
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def instructions(self) -> Sequence[Message]:
        """The system and developer messages, in order."""
        return [self.history[index] for index in self.history.instructions]
