"""What trim() returns, and how it reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any

from contextkit.budget import Budget
from contextkit.ledger import Step, sent_messages
from contextkit.messages import as_mapping
from contextkit.plans import Plan

if TYPE_CHECKING:
    from datetime import date, datetime

    from rich.table import Table

    from contextkit.memory.state import Memory
    from contextkit.pricing.cuts import CacheAdvice
    from contextkit.pricing.prices import Prices

_PREVIEW = 48
"""Characters of a message shown in the explanation."""


@dataclass(frozen=True, slots=True)
class TrimResult:
    """A history that fits, with the plan that led to it.

    Attributes:
        plan: one step for each unit: what happened to it, why, who decided.
            Its messages are chat messages: an Anthropic message or Responses item of the caller may
            be more or less than one of them.

    Example:
        >>> from contextkit import trim
        >>> talk = [{"role": "user", "content": f"第 {n} 个问题？"} for n in range(9)]
        >>> result = trim(talk, max_tokens=30)
        >>> result.kept, result.tokens, result.tokens_before
        ((7, 8), 23, 93)
        >>> result.undo() == talk
        True
    """

    plan: Plan

    @property
    def messages(self) -> list[Any]:
        """A new list of what is sent, in the caller's format: what is kept are their objects."""
        pieces, native = _pieces(self.plan), self.plan.native
        return native.sent(pieces) if native else [message for _, message in pieces]

    @property
    def body(self) -> Mapping[str, Any]:
        """The request body with what is sent in it; that of a list holds the messages alone."""
        native = self.plan.native
        return native.body(_pieces(self.plan)) if native else {"messages": self.messages}

    @property
    def budget(self) -> Budget:
        """The limit with its terms."""
        return self.plan.budget

    @property
    def tokens(self) -> int:
        """Input tokens of the request as it is now, tools and priming included."""
        return self.plan.tokens

    @property
    def tokens_before(self) -> int:
        """Input tokens of the untrimmed request; counts the whole history when first read."""
        return self.plan.tokens_before

    @property
    def changed(self) -> bool:
        """Whether anything was dropped, rewritten or inserted."""
        return any(run.action != "keep" for run in self.plan.runs)

    @property
    def kept(self) -> tuple[int, ...]:
        """Indices of the messages that are sent as they came."""
        return _whole(self.plan, "keep")

    @property
    def dropped(self) -> tuple[int, ...]:
        """Indices of the messages that are left out."""
        return _whole(self.plan, "drop")

    @property
    def memory(self) -> Memory | None:
        """What summary compression remembers of what was dropped; None without it."""
        return self.plan.memory

    @property
    def notes(self) -> tuple[str, ...]:
        """What happened beside the steps: nothing to summarise, a summariser that failed ..."""
        return self.plan.notes

    def prefix_kept(self, previous: TrimResult) -> int:
        """Tokens at the start of this request that the previous one started with too.

        A provider's prompt cache can have them; what stands behind them is paid in full.

        Example:
            >>> from contextkit import trim
            >>> talk = [{"role": "user", "content": "你好"}, {"role": "user", "content": "在吗"}]
            >>> trim(talk, max_tokens=50).prefix_kept(trim(talk[:1], max_tokens=50))
            5
        """
        if _lead(self.plan) != _lead(previous.plan):
            return 0
        tokens, theirs = _lead(self.plan), iter([m for _, m in _pieces(previous.plan)])
        for step in self.plan.steps:
            ours = list(_live(self.plan, step))
            alike = len(list(takewhile(lambda message: message == next(theirs, None), ours)))
            if alike < len(ours):
                return tokens + _tokens_of_first(self.plan, step, alike)
            tokens += step.tokens_after
        return tokens

    def cache_advice(
        self,
        previous: TrimResult,
        *,
        model: str,
        at: date | datetime | None = None,
        source: Prices | None = None,
    ) -> CacheAdvice:
        """Say what this cut costs and saves, against the previous request with the new messages.

        Args:
            previous: the result of the same history before its newest messages came.
            model: whose prices to use.
            at: when, for prices that changed; None is now.
            source: your own prices, asked first.

        Raises:
            UnknownPrice: no source has the model's price.
        """
        from contextkit.pricing.cuts import cut_advice
        from contextkit.pricing.prices import find_price

        units = self.plan.units_from(len(previous.plan.history))
        return cut_advice(
            kept=self.prefix_kept(previous),
            sent=self.tokens - _priming(self.plan),
            before=previous.tokens - _priming(previous.plan),
            added=sum(unit.tokens for unit in units),
            price=find_price(model, at, source),
        )

    def undo(self) -> list[Any]:
        """Return a new list of the messages as they came, each the caller's own object."""
        native = self.plan.native
        return list(native.items if native else self.plan.history.originals)

    def check_places(self) -> None:
        """Refuse a result that its format has no place for.

        Raises:
            StrategyError: a system message was put into a list whose format holds it apart.
        """
        inserts = (run for run in self.plan.runs if run.action == "insert")
        if self.plan.native:
            self.plan.native.checked([(None, m) for run in inserts for m in run.messages])

    def explain(self, *, width: int = 100) -> str:
        """Return a table of what was kept, dropped and rewritten, with the reasons.

        Counts the whole history, since it shows what the removed messages took. Neighbours with the
        same fate and reason share a line.

        Args:
            width: columns of the table; a Chinese character takes two.

        Example:
            >>> from contextkit import trim
            >>> result = trim([{"role": "user", "content": "你好"}], max_tokens=50)
            >>> print(result.explain().splitlines()[0])
            Nothing was removed: 1 message, 8 of 50 tokens (16 %).
        """
        from io import StringIO

        from rich.console import Console

        console = Console(
            file=StringIO(),
            width=width,
            color_system=None,
            legacy_windows=False,
            force_jupyter=False,
        )
        console.print(self.headline(), highlight=False, markup=False, soft_wrap=True)
        console.print(self.table())
        for note in self.notes:
            console.print(f"note: {note}", highlight=False, markup=False)
        assert isinstance(console.file, StringIO)
        lines = console.file.getvalue().splitlines()
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def headline(self) -> str:
        """Return one sentence: how many messages and tokens are left, of how many."""
        sent, had = len(self.messages), len(self.undo())
        limit = self.budget.limit
        room = f"{self.tokens:,} tokens"
        if limit is not None:
            room = f"{self.tokens:,} of {limit:,} tokens ({self.tokens / limit:.0%})".replace(
                "%", " %"
            )
        if not self.changed:
            return f"Nothing was removed: {_counted(had)}, {room}."
        return (
            f"{_counted(had)} with {self.tokens_before:,} tokens became {_counted(sent)} "
            f"with {room}."
        )

    def table(self) -> Table:
        """Return the lines of `explain` as a rich table."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False, expand=True)
        table.add_column("messages", justify="right", min_width=8)
        table.add_column("tokens", justify="right", min_width=13)
        table.add_column("what", min_width=9)
        table.add_column("text", ratio=3, no_wrap=True, overflow="ellipsis")
        table.add_column("why", ratio=2)
        for steps in _lines(self.plan):
            table.add_row(*map(Text, _row(self.plan, steps)))
        for name, tokens in self.budget.frame:
            table.add_row("", f"{tokens:,}", name)
        return table

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; counts the whole history.

        ``messages`` are plain dicts. ``steps`` has one entry for each unit, with its message
        indices ``start`` (first) and ``stop`` (behind the last).
        """
        return {
            "messages": [as_mapping(message) for message in self.messages],
            "tokens": self.tokens,
            "tokens_before": self.tokens_before,
            "limit": self.budget.limit,
            "terms": dict(self.budget.terms),
            "changed": self.changed,
            "kept": list(self.kept),
            "dropped": list(self.dropped),
            "steps": [_plain(step) for step in self.plan.steps],
            "notes": list(self.notes),
            "memory": None if self.memory is None else self.memory.to_dict(),
        }


def _pieces(plan: Plan) -> list[tuple[int | None, Any]]:
    """What is sent, each message with its place in the history; None for a new one."""
    return [piece for run in plan.runs for piece in _placed(plan, run)]


def _placed(plan: Plan, run: Step) -> Iterator[tuple[int | None, Any]]:
    for number, message in enumerate(_live(plan, run)):
        yield None if run.action == "insert" else run.start + number, message


def _whole(plan: Plan, action: str) -> tuple[int, ...]:
    """The caller's messages that have one fate as a whole."""
    runs = (run for run in plan.runs if run.action == action)
    indices = (index for run in runs for index in range(run.start, run.stop))
    return plan.native.whole(indices) if plan.native else tuple(indices)


def _live(plan: Plan, step: Step) -> Iterator[Any]:
    return iter(sent_messages(plan.history, step))


def _tokens_of_first(plan: Plan, step: Step, number: int) -> int:
    """Tokens of the first messages of a unit; a rewritten one is the same as a whole or not."""
    if step.action != "keep" or not number:
        return 0
    parts = plan.counter.count_unit(next(step.units()).messages)
    return sum(part.tokens for part in parts[:number])


def _lead(plan: Plan) -> int:
    """Tokens in front of the first message: tools and the like."""
    return plan.budget.frame_tokens - _priming(plan)


def _priming(plan: Plan) -> int:
    """Tokens behind the last message, which open the answer: no request can begin with them."""
    return sum(tokens for name, tokens in plan.budget.frame if name == "priming")


def _plain(step: Step) -> Mapping[str, Any]:
    return {
        "action": step.action,
        "start": step.start,
        "stop": step.stop,
        "tokens_before": step.tokens_before,
        "tokens_after": step.tokens_after,
        "reason": step.reason,
        "by": step.by,
    }


def _counted(messages: int) -> str:
    return f"{messages:,} message{'' if messages == 1 else 's'}"


def _lines(plan: Plan) -> Iterator[list[Step]]:
    """Group the steps into lines: a dropped range is one, everything else one a unit."""
    for (action, _, _), steps in groupby(plan.steps, key=lambda s: (s.action, s.reason, s.by)):
        if action == "drop":
            yield list(steps)
        else:
            yield from ([step] for step in steps)


def _row(plan: Plan, steps: list[Step]) -> tuple[str, ...]:
    first, last = steps[0], steps[-1]
    numbers = str(first.start) if last.stop - first.start == 1 else f"{first.start}–{last.stop - 1}"
    before, after = (sum(s.tokens_before for s in steps), sum(s.tokens_after for s in steps))
    tokens = f"{after:,}" if before == after else f"{before:,} → {after:,}"
    if first.action == "insert":
        numbers = "+"
    return numbers, tokens, _what(plan, first), _preview(plan, steps), _why(plan, first)


def _what(plan: Plan, step: Step) -> str:
    if step.action != "keep":
        return step.action
    return plan.history.roles[step.start]


def _why(plan: Plan, step: Step) -> str:
    """The reason of a decision, or what keeps a step that nothing may drop."""
    if step.reason:
        return f"{step.by}: {step.reason}"
    protection = plan.protection(step.start)
    return f"stays: {protection}" if protection else ""


def _preview(plan: Plan, steps: list[Step]) -> str:
    first = steps[0]
    if first.action == "insert":
        return " ".join(str(first.messages[0].get("content")).split())[:_PREVIEW]
    message = plan.history[first.start]
    called = ", ".join(f"{call.name}()" for call in message.tool_calls)
    text = " ".join(message.text[: 2 * _PREVIEW].split())
    return " ".join(filter(None, (text, called)))[: 2 * _PREVIEW]
