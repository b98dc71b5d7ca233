"""Ready summarisers for the usual clients; any function of a `SummaryRequest` is one too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contextkit.memory.requests import SummaryRequest


def openai_summarizer(client: Any, model: str, **options: Any) -> Callable[[SummaryRequest], Any]:
    """Return a summariser for an OpenAI client, or one of a compatible server.

    The answer is held to the request's JSON schema. An answer that ran into its token limit is an
    error, since half of a list is no list.

    Args:
        client: an ``openai.OpenAI`` or ``openai.AsyncOpenAI`` (the latter for `atrim`).
        model: which model to ask.
        options: further arguments of ``chat.completions.create``.
    """

    def summarize(request: SummaryRequest) -> Any:
        schema = {"name": "memory", "schema": request.schema}
        answer = client.chat.completions.create(
            model=model,
            messages=list(request.messages),
            max_tokens=request.max_tokens,
            response_format={"type": "json_schema", "json_schema": schema},
            **options,
        )
        return _awaited(answer) if hasattr(answer, "__await__") else _finished(answer)

    return summarize


def anthropic_summarizer(
    client: Any, model: str, **options: Any
) -> Callable[[SummaryRequest], Any]:
    """Return a summariser for an ``anthropic.Anthropic`` client.

    Args:
        client: the client.
        model: which model to ask.
        options: further arguments of ``messages.create``.
    """

    def summarize(request: SummaryRequest) -> str:
        system, question = request.messages
        answer = client.messages.create(
            model=model,
            system=system["content"],
            messages=[question],
            max_tokens=request.max_tokens,
            **options,
        )
        if answer.stop_reason != "end_turn":
            raise RuntimeError(f"the answer stopped with {answer.stop_reason!r}")
        return "".join(block.text for block in answer.content if block.type == "text")

    return summarize


async def _awaited(answer: Any) -> str:
    return _finished(await answer)


def _finished(answer: Any) -> str:
    choice = answer.choices[0]
    if choice.finish_reason != "stop":
        raise RuntimeError(f"the answer stopped with {choice.finish_reason!r}")
    return str(choice.message.content or "")
