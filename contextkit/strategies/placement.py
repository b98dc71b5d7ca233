"""Where a memory goes in the end: into the message beside it, so that no two of a role meet.

While strategies work, a memory is a message of its own, which no cut removes. What it stands beside
is known only when they are done. Strict servers and templates refuse two user messages in a row and
a second system message, so it then becomes part of its neighbour.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from contextkit.ledger import Step
from contextkit.memory.blocks import strip_blocks
from contextkit.messages import INSTRUCTION_ROLES
from contextkit.plans import Plan
from contextkit.strategies.rewriting import messages_of

MEMORY = "memory of older turns"
"""The reason under which a memory stands in a plan."""


def is_memory(step: Step) -> bool:
    """Whether a step is the message of a memory."""
    return step.action == "insert" and step.reason == MEMORY


def with_memory_placed(plan: Plan, *, secret: str = "") -> Plan:
    """Return a plan whose memory, if it has one, is part of the message that it belongs to.

    Args:
        plan: the plan when all strategies are done.
        secret: what older notes were signed with; those in that message go.
    """
    memory = next((run for run in plan.runs if is_memory(run)), None)
    if memory is None or len(memory.messages) != 1:
        return plan
    block = memory.messages[0]
    beside = _neighbour(plan, memory, str(block["role"]))
    if beside is None:
        return plan
    (message,) = messages_of(beside)
    told = {**message.data, "content": _without_notes(message.data.get("content"), secret)}
    written = _joined(told, str(block["content"]), in_front=block["role"] == "user")
    (unit,) = beside.units()
    alone = replace(plan.without_inserts(memory.reason), acting=memory.by)
    placed = alone.rewrite(unit, [written], reason=memory.reason)
    return replace(placed, acting=plan.acting)


def _without_notes(content: Any, secret: str) -> Any:
    return strip_blocks(content, secret) if isinstance(content, str) else content


def _neighbour(plan: Plan, memory: Step, role: str) -> Step | None:
    """The first system message, or the first message behind them if it is a plain user's."""
    live = reversed(tuple(plan.newest_first()))
    steps = [step for step in live if step.action != "insert"]
    if role == "user":
        spoken = (s for s in steps if plan.history.roles[s.start] not in INSTRUCTION_ROLES)
        first = next(spoken, None)
        return first if first and plan.history.roles[first.start] == "user" else None
    leading = (s for s in steps if s.start < memory.start)
    return next(leading, None)


def _joined(message: Mapping[str, Any], block: str, *, in_front: bool) -> Mapping[str, Any]:
    """A copy of a message with a block in front of its text, or behind it."""
    content = message.get("content")
    part = {"type": "text", "text": block}
    joined: object
    if isinstance(content, (list, tuple)):
        parts = deepcopy(list(content))
        joined = [part, *parts] if in_front else [*parts, part]
    else:
        texts = [block, content] if in_front else [content, block]
        joined = "\n\n".join(text for text in texts if text)
    return {key: deepcopy(value) for key, value in message.items()} | {"content": joined}
