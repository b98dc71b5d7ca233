"""repair(): mend what can be mended without inventing content, with an account of every change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contextkit.diagnosis import mending_blocks as blocks
from contextkit.diagnosis import mending_fields as fields
from contextkit.diagnosis import mending_items as items
from contextkit.diagnosis import mending_order as order
from contextkit.diagnosis import mending_pairs as pairs
from contextkit.diagnosis import mending_turns as turns
from contextkit.diagnosis.check import check
from contextkit.diagnosis.drafts import Change, Draft, Unanswered, draft_of
from contextkit.diagnosis.problems import Problem
from contextkit.diagnosis.reading import LIST_KEYS, Reading, read, rules_for
from contextkit.errors import OptionError
from contextkit.formats import Api

__all__ = ["MENDED", "Change", "RepairResult", "repair"]

MENDED = frozenset(
    {
        "missing_content",
        "empty_assistant_message",
        "empty_content_list",
        "empty_tool_calls",
        "tool_calls_outside_assistant",
        "missing_call_id",
        "duplicate_call_id",
        "arguments_not_string",
        "missing_tool_call_id",
        "unanswered_tool_call",
        "orphan_tool_result",
        "tool_result_not_contiguous",
        "duplicate_tool_result",
        "call_id_too_long",
        "call_id_characters",
        "call_id_not_nine",
        "developer_role",
        "empty_text",
        "trailing_white_space",
        "results_not_first",
        "same_role_twice",
        "first_not_user",
        "call_without_user_turn",
        "instructions_not_first",
        "several_instructions",
        "reasoning_without_item",
    }
)
"""The faults that repair takes away where a provider rejects them."""

_CHAT: Sequence[Callable[[Draft], None]] = (
    fields.mend_fields,
    fields.mend_reasoning,
    fields.mend_missing_ids,
    fields.mend_id_forms,
    pairs.mend_pairs,
    order.mend_empty_texts,
    order.mend_instructions,
    order.mend_repeated_roles,
    order.mend_first_speaker,
    order.mend_last_space,
)

_BLOCKS: Sequence[Callable[[Draft], None]] = (
    blocks.mend_empty_blocks,
    turns.merge_turns,
    blocks.mend_twin_calls,
    blocks.mend_block_ids,
    turns.mend_results,
    turns.mend_opening,
    order.mend_last_space,
)

_CONTENTS: Sequence[Callable[[Draft], None]] = (turns.mend_contents, turns.mend_gemini_turns)

_ITEMS: Sequence[Callable[[Draft], None]] = (
    items.mend_item_fields,
    items.mend_item_pairs,
    items.mend_reasoning_items,
)

_MENDERS: Mapping[Api, Sequence[Callable[[Draft], None]]] = {
    "openai-chat": _CHAT,
    "openai-responses": _ITEMS,
    "anthropic": _BLOCKS,
    "gemini": _CONTENTS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairResult:
    """A mended message list.

    Attributes:
        messages: what to send; messages that needed nothing are the caller's own objects.
        body: the request body with them; that of a list holds the messages alone.
        changes: what was done, in order.
        problems: the faults that are left, as `check` names them.
    """

    messages: list[Any]
    body: Mapping[str, Any] = field(repr=False)
    changes: tuple[Change, ...]
    problems: tuple[Problem, ...]

    @property
    def changed(self) -> bool:
        """Whether anything had to be done."""
        return bool(self.changes)

    def explain(self) -> str:
        """Say what was done and what is left, a line each."""
        left = (f"left: {problem}" for problem in self.problems)
        return "\n".join([*map(str, self.changes), *left]) or "nothing to mend"


def repair(
    messages: Iterable[Any] | Mapping[str, Any],
    *,
    provider: str | None = None,
    unanswered: Unanswered = "placeholder",
) -> RepairResult:
    """Return a message list without the faults for which a provider refuses it.

    As little as possible is changed, and no content is invented: a call without result is answered
    by a message that says so, or removed; a result that answers no call is removed; a result that
    stands in the wrong place is moved. What cannot be mended stays, and is named.

    Args:
        messages: a history of chat messages, or a list or whole body in the provider's own format
            (Responses items, Anthropic messages, Gemini contents). Never written to.
        provider: whose rules to keep, as in `check`; None takes the provider of the format.
        unanswered: what becomes of a call without result: "placeholder" or "remove".

    Returns:
        The mended list, every change, and the problems that are left. A list without faults comes
        back as it is; mending twice is mending once.

    Raises:
        MessageError: this is neither a list nor a body.
        OptionError: an option is unknown, or the messages are in a format that the provider does
            not speak, or that is to be converted first (Bedrock Converse).

    Example:
        >>> function = {"name": "deploy", "arguments": "{}"}
        >>> call = {"id": "d1", "type": "function", "function": function}
        >>> history = [
        ...     {"role": "user", "content": "部署一下"},
        ...     {"role": "assistant", "content": None, "tool_calls": [call]},
        ...     {"role": "user", "content": "等等，先停"},
        ... ]
        >>> mended = repair(history)
        >>> print(mended.explain())
        message 1: a placeholder put for the result [unanswered_tool_call]
        >>> mended.messages[2]["content"]
        '[no result: this call was not answered]'
    """
    rules = rules_for(messages, provider)
    if unanswered not in ("placeholder", "remove"):
        raise OptionError("unanswered", f"{unanswered!r}", 'pass "placeholder" or "remove"')
    reading = read(messages, rules)
    draft = draft_of(reading, rules, unanswered)
    _mend(draft, _menders(reading.api))
    mended = [entry.message for entry in draft.entries]
    body = _body(reading, mended)
    left = tuple(check(body if reading.body else mended, provider=rules.name))
    return RepairResult(messages=mended, body=body, changes=tuple(draft.changes), problems=left)


def _menders(api: Api) -> Sequence[Callable[[Draft], None]]:
    if api in _MENDERS:
        return _MENDERS[api]
    found = f"a list in {api} format"
    raise OptionError("messages", found, "convert it to chat format, repair that, convert it back")


def _body(reading: Reading, mended: list[Any]) -> Mapping[str, Any]:
    """The body with the mended messages; the body itself where nothing had to be done."""
    unchanged = len(mended) == len(reading.originals) and all(
        one is other for one, other in zip(mended, reading.originals, strict=True)
    )
    if reading.body and unchanged:
        return reading.body
    return {**reading.body, LIST_KEYS[reading.api]: mended}


def _mend(draft: Draft, menders: Sequence[Callable[[Draft], None]]) -> None:
    """Mend until nothing is left to do: what one mender takes away may bring others together."""
    done = -1
    while done != len(draft.changes):
        done = len(draft.changes)
        for mend in menders:
            mend(draft)
