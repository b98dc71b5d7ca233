"""Summary compression: old turns go, and what matters of them stays as a short memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Any, Literal

from contextkit.errors import OptionError
from contextkit.memory.blocks import has_block
from contextkit.memory.extraction import Pattern
from contextkit.memory.notes import parse_block
from contextkit.memory.proposals import Proposal, read_proposal
from contextkit.memory.remembering import remember
from contextkit.memory.requests import SummaryRequest, summary_requests
from contextkit.memory.state import Memory, merged
from contextkit.messages import INSTRUCTION_ROLES
from contextkit.options import whole_number
from contextkit.plans import Plan, Summarize
from contextkit.strategies.placement import MEMORY, is_memory, with_memory_placed
from contextkit.strategies.window import oldest_turn_kept

Placement = Literal["user", "system", "pair"]

_ACKNOWLEDGED = "OK."

_AROUND = 16
"""Tokens kept free for the message around the memory: it is shorter than what it replaces."""


@dataclass(frozen=True, slots=True)
class SummaryCompression:
    """Replace older turns by a memory: who the user is, confirmed facts and rules, open todos.

    Rules find all of it in Chinese and English, offline. With a model (``summarize``, here or in
    `trim`) free-text facts, decisions and todos are added, each only where its words stand in the
    message it cites; when the model fails, the rules' memory is used and the result says so.

    Args:
        keep_turns: newest turns that stay as they are.
        max_summary_tokens: most tokens of the memory's message.
        summarize: asks a model: takes a `SummaryRequest`, returns text. None: the one given to
            `trim`, or the rules alone.
        placement: "user" puts the memory in front of the first user message that is kept;
            "system" behind the text of the first system message; "pair" as a user message of its
            own with a short acknowledgement.
        memory: what was remembered before (`TrimResult.memory`); only what is new is read.
        patterns: further typed values to look for.
        secret: signs the memory's block, so that a user who knows how it is made cannot forge one.

    When what is dropped is not larger than its memory, nothing is changed.

    Example:
        >>> from contextkit import trim
        >>> talk = [{"role": "user", "content": "My name is Mara Voss, order LX-20417. " * 20}]
        >>> talk += [{"role": "assistant", "content": "Noted."}, {"role": "user", "content": "ok?"}]
        >>> result = trim(talk, strategy=SummaryCompression(keep_turns=1))
        >>> "Mara Voss" in result.messages[0]["content"], result.tokens < result.tokens_before
        (True, True)
    """

    keep_turns: int = 4
    max_summary_tokens: int = 800
    summarize: Summarize | None = None
    placement: Placement = "user"
    memory: Memory | None = field(default=None, repr=False)
    patterns: tuple[Pattern, ...] = ()
    secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        whole_number("keep_turns", self.keep_turns, 1)
        whole_number("max_summary_tokens", self.max_summary_tokens, 1)
        if self.placement not in ("user", "system", "pair"):
            raise OptionError("placement", f"{self.placement!r}", 'pass "user", "system" or "pair"')

    def __call__(self, plan: Plan) -> Plan:
        cut = oldest_turn_kept(plan, self.keep_turns)
        if cut is None or not _drops_anything(plan, cut):
            return plan.noted("nothing to summarise")
        memory = remember(
            plan.history.originals[:cut],
            memory=self._known(plan, cut),
            patterns=self.patterns,
            secret=self.secret,
        )
        asked = self.summarize or plan.summarize
        shorter = plan.cut(cut, reason=f"older than the last {self.keep_turns} turns, remembered")
        cap = min(self.max_summary_tokens, plan.tokens - shorter.tokens - _AROUND)
        planned = self._with_block(shorter, memory, cap) if cap > 0 else plan
        if planned.tokens >= plan.tokens or (memory.items and not _has_block(planned)):
            return plan.noted("the memory would not be shorter than what it replaces")
        asked = self.summarize or plan.summarize
        if asked is None:
            return planned
        reserved = self._with_block(shorter, memory, cap, reserves=True)
        pending = self._requests(plan, memory, cut)
        fulfil = partial(self.fulfilled, cap=cap)
        return replace(reserved, pending=pending, summarize=asked, fulfil=fulfil)

    def fulfilled(self, plan: Plan, answers: Sequence[object], *, cap: int) -> Plan:
        """Return the plan with what a model answered to its pending requests.

        Args:
            plan: a plan that this strategy left pending.
            answers: one text for each request, or the exception that came instead.
            cap: most tokens of the memory.
        """
        memory = plan.memory or Memory()
        for request, answer in zip(plan.pending, answers, strict=True):
            proposal = _proposal(plan, request, answer)
            memory = merged(memory, proposal.findings)
            plan = _noted(plan, proposal)
        plan = replace(plan.without_inserts(MEMORY), pending=(), acting=type(self).__name__)
        return self._with_block(plan, memory, cap)

    def _known(self, plan: Plan, cut: int) -> Memory | None:
        """What was remembered before: the memory given, or the notes that stand in the history."""
        if self.memory is not None:
            return self.memory
        for message in reversed(plan.history[:cut]):
            if has_block(message.text, self.secret):
                return Memory(items=tuple(parse_block(message.text, self.secret)))
        return None

    def _requests(self, plan: Plan, memory: Memory, cut: int) -> tuple[SummaryRequest, ...]:
        start = self.memory.covered if self.memory else 0
        todos = [item.value for item in memory.todos]
        messages = plan.history[min(start, cut) : cut]
        asked = summary_requests(messages, max_tokens=self.max_summary_tokens, todos=todos)
        return tuple(asked)

    def _with_block(self, plan: Plan, memory: Memory, cap: int, *, reserves: bool = False) -> Plan:
        """Put the memory's message behind the leading system messages."""
        rendering = memory.render(max_tokens=cap, count=plan.count_text, secret=self.secret)
        place = partial(with_memory_placed, secret=self.secret)
        plan = replace(plan, memory=memory.sent(), place=place)
        if not rendering.text:
            return plan
        growth = cap - rendering.tokens if reserves else 0
        at = len(list(takewhile(lambda role: role in INSTRUCTION_ROLES, plan.history.roles)))
        messages = self._messages(rendering.text)
        return plan.insert(at, messages, reason=MEMORY, growth=growth)

    def _messages(self, text: str) -> list[Mapping[str, Any]]:
        if self.placement == "system":
            return [{"role": "system", "content": text}]
        block: dict[str, Any] = {"role": "user", "content": text}
        if self.placement == "pair":
            return [block, {"role": "assistant", "content": _ACKNOWLEDGED}]
        return [block]


def _has_block(plan: Plan) -> bool:
    return any(is_memory(run) for run in plan.runs)


def _drops_anything(plan: Plan, cut: int) -> bool:
    older = (unit for unit in plan.kept if unit.start < cut)
    return any(unit.start not in plan.protected for unit in older)


def _proposal(plan: Plan, request: SummaryRequest, answer: object) -> Proposal:
    if isinstance(answer, Exception):
        return Proposal(fault=f"the summariser failed: {type(answer).__name__}: {answer}")
    return read_proposal(answer, plan.history[slice(*request.span)])


def _noted(plan: Plan, proposal: Proposal) -> Plan:
    if proposal.fault:
        return plan.noted(f"degraded: {proposal.fault}; the memory is what rules found")
    if proposal.refused:
        return plan.noted(
            f"{proposal.refused} items of the summariser had no ground and were left out"
        )
    return plan
