"""check(): every fault of a message list, by the rules of the provider that it goes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from contextkit.diagnosis import content, fields, order, pairing, reasoning
from contextkit.diagnosis.problems import Problem
from contextkit.diagnosis.providers import Table
from contextkit.diagnosis.reading import Reading, read, rules_for, unreadable
from contextkit.errors import MessageError
from contextkit.messages import History, Message

_MESSAGE_RULES: Sequence[Callable[[Message], Iterator[Problem]]] = (
    content.missing_content,
    content.empty_parts,
    content.null_content,
    content.part_types,
    content.instructions_as_parts,
    fields.empty_calls,
    fields.misplaced_calls,
    fields.call_fields,
    fields.call_ids,
    fields.result_fields,
    fields.roles,
    fields.participant_name,
)

_HISTORY_RULES: Sequence[Callable[[History], Iterator[Problem]]] = (
    content.empty_text,
    content.trailing_space,
    reasoning.resent_reasoning,
    reasoning.missing_reasoning,
    order.first_speaker,
    order.late_instructions,
    order.last_speaker,
    order.user_after_result,
)

_RESPONSES_ARE_FREE_OF = frozenset(
    {"missing_content", "empty_assistant_message", "foreign_part", "call_id_too_long"}
)
"""Chat rules that say nothing about Responses items."""


def check(
    messages: Iterable[Any] | Mapping[str, Any], *, provider: str | None = None
) -> list[Problem]:
    """Return every fault for which a provider refuses a message list, or may be misled by it.

    Nothing is raised for a faulty history: a message that cannot be read is a problem too, and the
    others are still looked at.

    Args:
        messages: a history of chat messages, or a list or whole body in the provider's own format
            (Responses items, Anthropic messages, Gemini contents, Converse messages).
        provider: "openai", "anthropic", "bedrock", "gemini", "deepseek", "qwen", "mistral", or
            "strict" for the chat templates of open models. A chat history for a provider with a
            format of its own is judged as what it will be converted to. None takes the provider
            of the format: "openai" for chat messages.

    Returns:
        The problems in the order of the messages, each "rejected" or only "risky"; an empty list
        when there is nothing to say. Gemini pairs by name and order, where calls have no ids.

    Raises:
        OptionError: there is no such provider, or the body is in another provider's format.

    Example:
        >>> check([{"role": "tool", "tool_call_id": "c1", "content": "4"}])[0].code
        'orphan_tool_result'
        >>> hello = {"role": "assistant", "content": "您好！"}
        >>> greeting = [hello, {"role": "user", "content": "嗨"}]
        >>> [str(problem) for problem in check(greeting)]
        []
        >>> [problem.code for problem in check(greeting, provider="anthropic")]
        ['first_not_user']
    """
    rules = rules_for(messages, provider)
    try:
        reading = read(messages, rules)
    except MessageError as error:
        return [unreadable(None, error)]
    if not reading.originals and not reading.body.get("prompt"):
        remedy = "send at least one message"
        return [Problem(code="empty_list", index=None, message="no messages", remedy=remedy)]
    found = [*reading.unread, *_readable_problems(reading)]
    return sorted(_judged(found, rules.severities), key=lambda problem: problem.index or 0)


def _readable_problems(reading: Reading) -> Iterator[Problem]:
    bad = {problem.index for problem in reading.unread}
    here = (_placed(problem, reading) for problem in _chat_problems(reading))
    for problem in (*here, *_wire_problems(reading)):
        if problem.index not in bad or problem.index is None:
            yield problem


def _chat_problems(reading: Reading) -> Iterator[Problem]:
    free = _free_of(reading)
    history = reading.history
    found = [problem for m in history for rule in _MESSAGE_RULES for problem in rule(m)]
    if len(history):
        found.extend(problem for rule in _HISTORY_RULES for problem in rule(history))
    yield from (problem for problem in found if problem.code not in free)
    if reading.api in ("openai-chat", "bedrock"):
        yield from pairing.pairing_by_place(reading.history)


def _free_of(reading: Reading) -> frozenset[str]:
    """Chat rules that say nothing about a list in this format."""
    if reading.api == "openai-responses":
        return _RESPONSES_ARE_FREE_OF
    is_user = any(original.get("role") == "user" for original in reading.mappings)
    # A user turn of results alone is read as tool messages.
    return frozenset({"no_user_message"} if is_user and reading.api != "openai-chat" else ())


def _wire_problems(reading: Reading) -> Iterator[Problem]:
    """What only the list as it came tells."""
    originals = reading.mappings
    if reading.api == "openai-responses":
        yield from pairing.pairing_by_id(originals, stored=reading.goes_on)
        yield from pairing.reasoning_followed(originals)
        return
    if reading.api == "anthropic":
        yield from order.results_first(originals)
        yield from pairing.pairing_of_blocks(originals)
        yield from reasoning.missing_thinking(originals, reading.body)
    if reading.api == "gemini":
        yield from order.gemini_roles(originals)
        yield from pairing.pairing_of_parts(originals)
        yield from reasoning.missing_signature(originals)
    yield from order.repeated_roles(*_roles(reading))


def _roles(reading: Reading) -> tuple[Sequence[str], Sequence[bool]]:
    if reading.api == "openai-chat":
        history = reading.history
        return history.roles, [history.makes_calls(index) for index in range(len(history))]
    roles = [str(original.get("role") or "user") for original in reading.mappings]
    return roles, [False] * len(roles)


def _placed(problem: Problem, reading: Reading) -> Problem:
    index = problem.index
    return problem if index is None else replace(problem, index=reading.places[index])


def _judged(problems: Iterable[Problem], severities: Table) -> Iterator[Problem]:
    for problem in problems:
        if problem.code in severities:
            yield replace(problem, severity=severities[problem.code])
