"""A token budget: the newest units that fit, counted exactly."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from contextkit.errors import OptionError
from contextkit.ledger import Step
from contextkit.messages import History, Message, is_text
from contextkit.options import share, whole_number
from contextkit.plans import Plan
from contextkit.strategies.newest import by_tokens, head_weight, newest_that_fit, standing_weight

_BYTES_A_TOKEN = 4
"""UTF-8 bytes that one token stands for, about: English 4.5, Chinese 4.2, JSON 3 (o200k_base)."""

_LEAST_LEFT = 0.5
"""A cut goes down to half the low-water mark at the most; dense text can bring it that far."""

_MESSAGE_BYTES = 4 * _BYTES_A_TOKEN
"""What a message weighs beside its text."""

_MEDIA_BYTES = 800 * _BYTES_A_TOKEN
"""What an image or file weighs; its base64 says nothing about its tokens."""


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Keep the newest units that fit into a number of tokens.

    Older turns go first; a turn too long to keep whole keeps its user message and its newest
    rounds. Tokens are counted from the newest message backwards and only as far as the budget
    reaches.

    Args:
        max_tokens: most input tokens of the whole request; None takes the budget of the call. The
            smaller of both holds.
        low_water: below 1, a cut goes down to about this share of the budget, at a place that
            depends on the history alone. Until the budget is full again the next requests start
            with the same messages, so the provider's prompt cache hits. 1 keeps as much as fits
            and moves the start of the request with every new message.

    Raises:
        OptionError: an impossible value; when called: no limit here and none in the call.

    Example:
        >>> from contextkit import trim
        >>> talk = [{"role": "user", "content": "你好 " * 50} for _ in range(30)]
        >>> result = trim(talk, strategy=TokenBudget(max_tokens=300))
        >>> len(result.messages), result.tokens
        (2, 211)
    """

    max_tokens: int | None = None
    low_water: float = 1.0

    def __post_init__(self) -> None:
        if self.max_tokens is not None:
            whole_number("max_tokens", self.max_tokens, 1)
        share("low_water", self.low_water)

    def __call__(self, plan: Plan) -> Plan:
        if self.max_tokens is not None:
            plan = plan.limited(self.max_tokens)
        limit, room = plan.budget.limit, plan.budget.for_messages
        if limit is None or room is None:
            remedy = "pass max_tokens= or model= to trim, or max_tokens= here"
            raise OptionError("TokenBudget", "no limit is known", remedy)
        cut = newest_that_fit(plan, room, by_tokens)
        at = cut.at
        if self.low_water < 1 and cut.refused is not None and at < len(plan.history):
            at = _grid_cut(plan, cut.at, cut.refused, room, self.low_water)
        return plan.cut(at, reason=f"older than what fits into {limit:,} tokens")


def _grid_cut(plan: Plan, cut: int, refused: Step, room: int, low_water: float) -> int:
    """Move ``cut`` on to the next unit border behind a line of a grid laid over the history.

    The lines stand every so many bytes of text from the first message on, and a border counts when
    a line lies between it and the border before. Both depend on what stands before them alone, so
    later messages never move them: as long as what follows a border fits, it is chosen again.

    A line is of use only if it was there when ``refused`` stopped fitting, and if enough is left
    behind it. Both are judged at that moment of the past, not now, and so they too stay as they
    are while messages are added. Otherwise the cut stays where it is, until it has to move again.
    """
    reached = _bytes_before(plan.history)
    spacing = (1 - low_water) * room * _BYTES_A_TOKEN
    weight = standing_weight(plan, by_tokens, before=refused.start)
    weight += head_weight(plan, refused.start, by_tokens)
    start = refused.start
    border = _border_behind(plan, reached, (reached[start] // spacing + 1) * spacing, start)
    stop = _full_at(plan, start, room - weight)
    if (
        border >= stop
        or plan.weight_between(border, stop, by_tokens) < _LEAST_LEFT * low_water * room
    ):
        return cut
    return border


def _border_behind(plan: Plan, reached: Sequence[int], line: float, start: int) -> int:
    """The first unit behind ``start`` that no less than ``line`` bytes stand before."""
    end = len(plan.history)
    at = bisect_left(reached, line, start + 1, end)
    while at < end:
        unit = plan.unit_at(at)
        if unit.start == at and unit.kind != "instruction":
            return at
        at = unit.stop
    return end


def _full_at(plan: Plan, start: int, room: int) -> int:
    """Where the units from ``start`` on no longer fit, the first of these included."""
    totals = plan.totals
    if totals is not None:
        end = len(plan.history)
        fits = bisect_right(totals, totals[start] + room, start + 1, end + 1) - 1
        return plan.unit_at(fits).stop if fits < end else end
    weight = 0
    for unit in plan.units_from(start):
        weight += by_tokens(plan.step_at(unit.start))
        if weight > room:
            return unit.stop
    return len(plan.history)


def _bytes_before(history: History) -> Sequence[int]:
    """Bytes before each message and of all of them; parts of a history share the pass."""
    known = history.notes.setdefault("bytes before", [0])
    for index in range(len(known) - 1, len(history)):
        known.append(known[-1] + _weight(history, index))
    return known


def _weight(history: History, index: int) -> int:
    """Bytes of a message, found without a view where its content is a string."""
    data = history.data[index]
    content = data.get("content")
    if type(content) is str:
        weight = _MESSAGE_BYTES + _bytes(content)
    else:
        weight = _MESSAGE_BYTES + _bytes_of_parts(history[index])
    if "tool_calls" in data:
        weight += sum(_bytes(c.name) + _bytes(c.arguments) for c in history[index].tool_calls)
    return weight


def _bytes_of_parts(message: Message) -> int:
    media = sum(not is_text(part) for part in message.parts)
    return _bytes(message.text) + media * _MEDIA_BYTES


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
