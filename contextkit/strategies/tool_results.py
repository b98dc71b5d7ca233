"""Strategies for the results of tools, the largest part of most agent histories."""

from __future__ import annotations

from dataclasses import dataclass

from contextkit.ledger import Step
from contextkit.messages import RESULT_ROLES
from contextkit.options import whole_number
from contextkit.plans import Plan
from contextkit.shortening import shortened
from contextkit.strategies.rewriting import messages_of, with_texts


@dataclass(frozen=True, slots=True)
class TruncateToolResults:
    r"""Shorten every tool result that is longer than a number of tokens, in the middle.

    Head and tail stay, with a mark between them that says how many characters are gone. Ids stay;
    pinned results stay whole.

    Args:
        max_tokens: most tokens of one text of a result, the mark included.

    Raises:
        OptionError: ``max_tokens`` below 1.

    Example:
        >>> from contextkit import trim
        >>> call = {"id": "c1", "type": "function", "function": {"name": "run", "arguments": "{}"}}
        >>> talk = [
        ...     {"role": "user", "content": "run it"},
        ...     {"role": "assistant", "content": None, "tool_calls": [call]},
        ...     {"role": "tool", "tool_call_id": "c1", "content": "line\\n" * 500 + "exit=0"},
        ... ]
        >>> result = trim(talk, strategy=TruncateToolResults(max_tokens=40))
        >>> result.messages[2]["content"][-6:]
        'exit=0'
    """

    max_tokens: int = 2_000

    def __post_init__(self) -> None:
        whole_number("max_tokens", self.max_tokens, 1)

    def __call__(self, plan: Plan) -> Plan:
        for step in tuple(plan.newest_first()):
            if _has_results(plan, step) and step.start not in plan.verbatim:
                plan = self._shortened(plan, step)
        return plan

    def _shortened(self, plan: Plan, step: Step) -> Plan:
        before = messages_of(step)
        after = [
            with_texts(m, lambda text: self._text(plan, text)) if m.role in RESULT_ROLES else m.data
            for m in before
        ]
        if all(new is old.data for new, old in zip(after, before, strict=True)):
            return plan
        (unit,) = step.units()
        return plan.rewrite(unit, after, reason=f"tool result over {self.max_tokens:,} tokens")

    def _text(self, plan: Plan, text: str) -> str:
        return shortened(text, self.max_tokens, plan.count_text) or text


def _has_results(plan: Plan, step: Step) -> bool:
    return step.action != "insert" and plan.history.roles[step.stop - 1] in RESULT_ROLES
