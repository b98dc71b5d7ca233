"""Let a model propose, and believe it only where the messages bear it out.

A summary is a claim about a conversation. Each item has to pass, in this order: the answer is JSON
of the agreed form; the cited message is one that was shown; its words stand in that message; and
who said it may say such a thing. What does not pass is dropped and counted, never repaired.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextkit.memory.items import Finding, Kind, Source, Trust
from contextkit.messages import RESULT_ROLES, Message

_KINDS: Mapping[str, Kind] = {
    "fact": "fact",
    "constraint": "constraint",
    "decision": "decision",
    "preference": "preference",
    "todo": "todo",
}
_USER_ONLY = frozenset({"constraint", "preference", "todo"})
"""What nobody but the user can lay down."""

_LONGEST = 200
"""Characters of one item; a longer one is no item but a retelling."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is left of an answer.

    Attributes:
        findings: the items that passed.
        refused: how many did not.
        fault: why the whole answer is of no use; "" when it is.
    """

    findings: tuple[Finding, ...] = ()
    refused: int = 0
    fault: str = ""


def read_proposal(answer: object, messages: Sequence[Message], *, model: str = "") -> Proposal:
    """Read a summariser's answer about ``messages``.

    Args:
        answer: the text it returned.
        messages: what it was shown.
        model: its name, kept with each finding.

    Example:
        >>> from contextkit import History
        >>> talk = History([{"role": "user", "content": "We go with plan B."}])
        >>> answer = '{"items": [{"kind": "decision", "text": "plan B", "message": 0}], "done": []}'
        >>> read_proposal(answer, talk).findings[0].value
        'plan B'
        >>> read_proposal("I cannot do that.", talk).fault
        'the answer is no JSON object'
    """
    parsed = _json_object(answer)
    if parsed is None:
        return Proposal(fault="the answer is no JSON object")
    items, done = parsed.get("items"), parsed.get("done", [])
    if not isinstance(items, list) or not isinstance(done, list):
        return Proposal(fault='the answer has no list of "items" or "done"')
    shown = {message.index: message for message in messages}
    method = f"llm:{model}" if model else "llm"
    found = [_added(item, shown, method) for item in items]
    found += [_closed(item, shown, method) for item in done]
    passed = tuple(finding for finding in found if finding is not None)
    return Proposal(passed, refused=len(found) - len(passed))


def _json_object(answer: object) -> Mapping[str, Any] | None:
    """The JSON object in an answer, which may stand in a fence; cut-off JSON is none."""
    if not isinstance(answer, str):
        return None
    start, end = answer.find("{"), answer.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        parsed = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _added(item: Any, shown: Mapping[int, Message], method: str) -> Finding | None:
    kind = _KINDS.get(str(item.get("kind"))) if isinstance(item, dict) else None
    message, text = _cited(item, shown)
    if kind is None or message is None or not _may_say(message, kind):
        return None
    return _finding("add", kind, message, text, method)


def _closed(item: Any, shown: Mapping[int, Message], method: str) -> Finding | None:
    """A todo is done only where a message of the user or the assistant says so."""
    message, text = _cited(item, shown)
    if message is None or message.role in RESULT_ROLES:
        return None
    return _finding("close", "todo", message, text, method)


def _cited(item: Any, shown: Mapping[int, Message]) -> tuple[Message | None, str]:
    """The message that an item cites and the words it cites, if they stand there."""
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        return None, ""
    number, text = item.get("message"), item["text"].strip()
    message = shown.get(number) if isinstance(number, int) else None
    if message is None or not 0 < len(text) <= _LONGEST or "\n" in text:
        return None, ""
    return (message, text) if folded(text) in folded(message.text) else (None, "")


def folded(text: str) -> str:
    """Return ``text`` as it is compared: NFKC, without differences of white space or case.

    Example:
        >>> folded("Ｐlan  B")
        'plan b'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _may_say(message: Message, kind: Kind) -> bool:
    if message.role in RESULT_ROLES:
        return False
    return message.role == "user" or kind not in _USER_ONLY


def _finding(action: Any, kind: Kind, message: Message, text: str, method: str) -> Finding:
    start = max(0, message.text.find(text))
    trust: Trust = "user" if message.role == "user" else "assistant"
    return Finding(
        action=action,
        kind=kind,
        value=text,
        quote=text[:160],
        source=Source(message=message.index, role=message.role, start=start, end=start + len(text)),
        trust=trust,
        confirmed=message.role == "user",
        confidence=0.7,
        method=method,
    )
