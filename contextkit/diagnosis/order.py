"""Rules about the order of roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from contextkit.diagnosis.content import blocks_of
from contextkit.diagnosis.problems import Problem
from contextkit.messages import INSTRUCTION_ROLES, History


def first_speaker(history: History) -> Iterator[Problem]:
    """Who speaks first, instructions aside."""
    speakers = [m for m in history if m.role not in INSTRUCTION_ROLES]
    if not history.users:
        yield Problem(
            code="no_user_message",
            index=None,
            message="no user message",
            remedy="send the user's request as a user message",
        )
    if speakers and speakers[0].role == "assistant":
        first = speakers[0]
        yield Problem(
            code="call_without_user_turn" if first.tool_calls else "first_not_user",
            index=first.index,
            message="the conversation opens with an assistant message",
            remedy="put the user message that it answers in front, or drop it",
        )


def repeated_roles(roles: Sequence[str], opens: Sequence[bool]) -> Iterator[Problem]:
    """Two user or two assistant messages in a row.

    Args:
        roles: of all messages.
        opens: for each message whether it makes calls, whose results have to follow.
    """
    for index, (before, role) in enumerate(pairwise(roles), start=1):
        if before == role and role in ("user", "assistant", "model") and not opens[index - 1]:
            yield Problem(
                code="same_role_twice",
                index=index,
                message=f"a second {role} message in a row",
                remedy="merge the two",
            )


def late_instructions(history: History) -> Iterator[Problem]:
    """Instructions behind the conversation's start, and more than one message of them."""
    leading = 0
    while leading < len(history) and history.roles[leading] in INSTRUCTION_ROLES:
        leading += 1
    for index in history.instructions:
        if index >= leading:
            yield Problem(
                code="instructions_not_first",
                index=index,
                message=f"a {history.roles[index]} message in mid-conversation",
                remedy="move it to the front, or say it in a user message",
            )
        elif index:
            yield Problem(
                code="several_instructions",
                index=index,
                message=f"{history.roles[index]} message number {index + 1}",
                remedy="merge it into the first one",
            )


def last_speaker(history: History) -> Iterator[Problem]:
    """An answer at the end: to be continued, but not every server does so."""
    last = history[-1]
    marked = last.data.get("prefix") or last.data.get("partial")
    if last.role == "assistant" and not last.tool_calls and not marked:
        yield Problem(
            code="last_is_assistant",
            index=last.index,
            message="the conversation ends with an assistant message",
            remedy="end with a user message, or mark it as the start of the answer (prefix)",
        )


def user_after_result(history: History) -> Iterator[Problem]:
    """Mistral's older models: the assistant speaks between a result and the user."""
    for index, pair in enumerate(pairwise(history.roles), start=1):
        if pair == ("tool", "user"):
            yield Problem(
                code="user_after_result",
                index=index,
                message="a user message right behind a result",
                remedy="let the assistant answer the result first",
            )


def results_first(messages: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Anthropic: results stand in front of all else in their user message."""
    for index, message in enumerate(messages):
        kinds = [block.get("type") == "tool_result" for block in blocks_of(message)]
        if kinds != sorted(kinds, reverse=True):
            yield Problem(
                code="results_not_first",
                index=index,
                message="a tool_result stands behind other content",
                remedy="put all tool_result blocks in front",
            )


def gemini_roles(contents: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Gemini: roles are user and model, and every content has parts."""
    for index, content in enumerate(contents):
        role = content.get("role")
        if role is not None and role not in ("user", "model", "function", "tool"):
            yield Problem(
                code="unknown_role",
                index=index,
                message=f"role {role!r}",
                remedy='use "user" or "model"; instructions go into systemInstruction',
            )
        if "parts" in content and not content["parts"]:
            yield Problem(
                code="empty_content_list",
                index=index,
                message="parts is empty",
                remedy="drop the content, or give it a part",
            )
