"""convert(): a history or a whole request body in the format of another API."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from contextkit.conversion import (
    to_anthropic,
    to_gemini,
    to_openai_chat,
    to_openai_responses,
)
from contextkit.conversion.draft import Draft
from contextkit.conversion.ids import safe_id
from contextkit.conversion.reading import read_talk
from contextkit.conversion.settings import setting_keys
from contextkit.conversion.talk import Call, Note, Result, Talk, Thinking, Turn
from contextkit.conversion.tools import answer_keys, tool_keys
from contextkit.errors import OptionError
from contextkit.formats import Api, as_body, parse_request

Target = Literal["openai-chat", "openai-responses", "anthropic", "gemini"]
Reasoning = Literal["keep", "drop"]

_WRITERS: Mapping[str, Callable[[Draft], dict[str, Any]]] = {
    "openai-chat": to_openai_chat.messages,
    "openai-responses": to_openai_responses.messages,
    "anthropic": to_anthropic.messages,
    "gemini": to_gemini.messages,
}

_MESSAGES = {"openai-responses": "input", "gemini": "contents"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A request in the format of another API, and what that format could not express.

    Attributes:
        body: the payload: messages, and system prompt, tools and options under the target's names.
        to: the target format.
        notes: what was left out, moved or said in another way, each with the place of its message
            in the source.
        ids: the call ids that had to be written in another way, original to written. Converted
            back they are the original ones.
    """

    body: dict[str, Any]
    to: Target
    notes: tuple[Note, ...]
    ids: Mapping[str, str]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The message list of the body, under whatever key."""
        found: list[dict[str, Any]] = self.body[_MESSAGES.get(self.to, "messages")]
        return found


def convert(
    messages: Iterable[Any] | Mapping[str, Any],
    *,
    to: Target,
    source: Api | Literal["auto"] = "auto",
    reasoning: Reasoning = "keep",
    model: str | None = None,
) -> Conversion:
    """Return a history or a request body in the format of another API.

    The system prompt goes where the target wants it; turns are merged where it wants them to
    alternate; results stand in front of their turn; images, tools, tool choice, answer schema and
    options take the target's form. What cannot be expressed is in the notes, never dropped
    silently. Nothing is repaired: an unanswered call is one in the result too.

    Args:
        messages: a list of messages (contents, items), or a whole body. Never written to.
        to: "openai-chat", "openai-responses", "anthropic" or "gemini".
        source: the format of ``messages``; "auto" recognises it. Bedrock Converse is read too.
        reasoning: "keep" what the model thought wherever the target can express it, or "drop" it.
        model: the target model to name in the body; without it the source's stays where both
            formats are OpenAI's, and is left out, noted, elsewhere.

    Raises:
        OptionError: an option has an impossible value, or the format is none that is known.
        MessageError: a message cannot be read.

    Example:
        >>> talk = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "你好"}]
        >>> convert(talk, to="anthropic").body
        {'system': 'Be brief.', 'messages': [{'role': 'user', 'content': '你好'}]}
    """
    _check("to", to, get_args(Target))
    _check("source", source, ("auto", *get_args(Api)))
    _check("reasoning", reasoning, get_args(Reasoning))
    api, body = as_body(messages, None if source == "auto" else source)
    talk = read_talk(parse_request(body, api))
    draft = Draft(talk if reasoning == "keep" else _without_reasoning(talk), to)
    written = _WRITERS[to](draft)
    if isinstance(messages, Mapping):
        written = _merged(_model(draft, model), written, setting_keys(draft))
        written = _merged(written, tool_keys(draft), answer_keys(draft))
    elif model is not None:
        written = {"model": model, **written}
    return Conversion(written, to, tuple(draft.notes), _ids(talk) if to == "anthropic" else {})


def _check(option: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(option, f"{value!r}", f"pass one of {', '.join(map(repr, choices))}")


def _without_reasoning(talk: Talk) -> Talk:
    def spoken(turn: Turn) -> Turn:
        parts = (part for part in turn.parts if not isinstance(part, Thinking))
        return replace(turn, parts=tuple(parts))

    return replace(talk, turns=list(map(spoken, talk.turns)))


def _model(draft: Draft, model: str | None) -> dict[str, Any]:
    named = draft.talk.request.body.get("model")
    if model is not None:
        return {"model": model}
    if named is None:
        return {}
    if draft.is_same or {draft.to, draft.talk.api} == {"openai-chat", "openai-responses"}:
        return {"model": named}
    draft.note(None, f"model {named!r} is none of {draft.to}; name one with model=")
    return {}


def _merged(*bodies: dict[str, Any]) -> dict[str, Any]:
    """Join bodies; an object that two of them have is joined too."""
    found: dict[str, Any] = {}
    for body in bodies:
        for key, value in body.items():
            both = isinstance(value, dict) and isinstance(found.get(key), dict)
            found[key] = {**found[key], **value} if both else value
    return found


def _ids(talk: Talk) -> dict[str, str]:
    parts = (part for turn in talk.turns for part in turn.parts)
    ids = {part.id for part in parts if isinstance(part, (Call, Result))}
    return {id: safe_id(id) for id in sorted(ids) if safe_id(id) != id}
