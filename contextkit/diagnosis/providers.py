"""Which provider refuses what.

Every rule runs for everybody; a provider's table says how it takes each kind of fault. A code that
is not in the table is no fault there. Where a table says "rejected" the provider's error text is
known (from its documentation, its validator or reports, read 2026-11-30), or it is a rule of the
format that it copied; recorded requests that were accepted contradict none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from contextkit.diagnosis.problems import Severity
from contextkit.errors import OptionError
from contextkit.formats import Api

Table = Mapping[str, Severity]


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider's rules.

    Attributes:
        name: how `check` is asked for it.
        apis: its own wire formats, beside chat messages that are to be converted.
        severities: how it takes each kind of fault; what is not named is none.
    """

    name: str
    apis: tuple[Api, ...]
    severities: Table = field(repr=False)


def _rejected(*codes: str) -> dict[str, Severity]:
    return dict.fromkeys(codes, "rejected")


def _risky(*codes: str) -> dict[str, Severity]:
    return dict.fromkeys(codes, "risky")


_EVERYWHERE: Table = {
    **_rejected(
        "empty_list",
        "unreadable_message",
        "missing_content",
        "empty_content_list",
        "empty_tool_calls",
        "tool_calls_outside_assistant",
        "missing_call_id",
        "duplicate_call_id",
        "missing_function_name",
        "arguments_not_string",
        "missing_tool_call_id",
        "unanswered_tool_call",
        "orphan_tool_result",
        "tool_result_not_contiguous",
        "duplicate_tool_result",
    ),
    **_risky("empty_assistant_message", "invalid_arguments_json"),
}

_CHAT_ONLY_LATE: Table = _rejected("developer_role", "legacy_function_call")
"""What those who copied chat completions left out."""

_OPENAI: Table = {
    **_EVERYWHERE,
    **_rejected("call_id_too_long", "function_name_characters", "name_characters", "foreign_part"),
    **_rejected("reasoning_without_item"),
}

_ANTHROPIC: Table = {
    **_EVERYWHERE,
    **_rejected(
        "first_not_user",
        "call_without_user_turn",
        "no_user_message",
        "empty_text",
        "trailing_white_space",
        "results_not_first",
        "call_id_characters",
        "function_name_characters",
        "empty_assistant_message",
        "invalid_arguments_json",
        "arguments_not_object",
    ),
    **_risky("same_role_twice", "instructions_not_first", "last_is_assistant", "missing_thinking"),
}

_BEDROCK: Table = {
    **_ANTHROPIC,
    **_risky(
        "first_not_user",
        "call_id_characters",
        "empty_text",
        "unanswered_tool_call",
    ),
}
"""Converse serves many models: what some of them took is rejected by others."""

_GEMINI: Table = {
    **_EVERYWHERE,
    **_rejected(
        "call_without_user_turn",
        "no_user_message",
        "unknown_role",
        "invalid_arguments_json",
        "arguments_not_object",
    ),
    **_risky("first_not_user", "same_role_twice", "empty_text", "instructions_not_first"),
    **_risky("duplicate_call_id", "missing_signature"),
}

_DEEPSEEK: Table = {
    **_EVERYWHERE,
    **_CHAT_ONLY_LATE,
    **_rejected("function_name_characters", "part_no_text"),
    **_risky("resent_reasoning", "missing_reasoning", "content_parts"),
}

_QWEN: Table = {
    **_EVERYWHERE,
    **_CHAT_ONLY_LATE,
    **_rejected("no_user_message", "instruction_no_text"),
    **_risky("instructions_not_first", "several_instructions", "arguments_not_object"),
}

_MISTRAL: Table = {
    **_EVERYWHERE,
    **_CHAT_ONLY_LATE,
    **_rejected("call_id_not_nine", "last_is_assistant", "empty_assistant_message"),
    **_risky(
        "user_after_result",
        "instructions_not_first",
        "arguments_not_object",
        "empty_content_list",
        "empty_tool_calls",
    ),
}

_STRICT: Table = {
    **_EVERYWHERE,
    **_CHAT_ONLY_LATE,
    **_rejected(
        "first_not_user",
        "call_without_user_turn",
        "no_user_message",
        "same_role_twice",
        "instructions_not_first",
        "several_instructions",
        "empty_assistant_message",
        "invalid_arguments_json",
        "arguments_not_object",
        "part_no_text",
    ),
    **_risky("content_parts", "null_content", "empty_text", "last_is_assistant"),
}

PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider("openai", ("openai-responses",), _OPENAI),
        Provider("anthropic", ("anthropic",), _ANTHROPIC),
        Provider("bedrock", ("bedrock", "anthropic"), _BEDROCK),
        Provider("gemini", ("gemini",), _GEMINI),
        Provider("deepseek", ("openai-responses",), _DEEPSEEK),
        Provider("qwen", (), _QWEN),
        Provider("mistral", (), _MISTRAL),
        Provider("strict", (), _STRICT),
    )
}
"""All of them; "strict" is the chat template of an open model, which raises where it can."""


def find_provider(name: object) -> Provider:
    """Return the rules of a provider.

    Raises:
        OptionError: there are none under this name.
    """
    if isinstance(name, str) and name in PROVIDERS:
        return PROVIDERS[name]
    near = get_close_matches(str(name).lower(), list(PROVIDERS), n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    raise OptionError("provider", f"{name!r} is unknown", f"{hint}use one of {_names()}")


def _names() -> str:
    return ", ".join(PROVIDERS)
