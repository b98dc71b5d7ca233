"""What is sent in one request, as pieces that two requests can be compared by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from contextkit.messages import History
from contextkit.plans import Plan


class Piece(NamedTuple):
    """A run of messages of a request: a span of the history, or messages written anew.

    Attributes:
        start: first message of the span; -1 for written messages.
        stop: behind its last message.
        written: the messages that are no longer the caller's own.
        tokens: of all of them.
    """

    start: int
    stop: int
    written: tuple[Mapping[str, Any], ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request.

    Attributes:
        lead: tokens before the first message: tools and the like.
        instructions: tokens up to the end of the leading instructions, ``lead`` included.
        pieces: its messages.
        priming: tokens behind the last message.
        measured: the history that its spans are of.
        body: the tokens that a later request can begin with: all but the priming.
    """

    lead: int
    instructions: int
    pieces: tuple[Piece, ...]
    priming: int
    measured: Measured
    body: int = field(init=False)

    def __post_init__(self) -> None:
        body = self.lead + sum([piece.tokens for piece in self.pieces])
        object.__setattr__(self, "body", body)

    @property
    def tokens(self) -> int:
        """Input tokens of the request."""
        return self.body + self.priming

    def common(self, other: Prompt) -> int:
        """Tokens at the start of this request that ``other`` starts with too.

        Messages are compared whole: a message that differs in its last word counts as different.
        """
        if self.lead != other.lead:
            return 0
        tokens = self.lead
        for place, (ours, theirs) in enumerate(zip(self.pieces, other.pieces, strict=False)):
            if ours != theirs:
                return tokens + self._shared(other, place)
            tokens += ours.tokens
        return tokens

    def _shared(self, other: Prompt, place: int) -> int:
        """Tokens that are the same from piece ``place`` on, the first that differs."""
        ours, theirs = self.pieces[place], other.pieces[place]
        if ours.start != theirs.start or ours.start < 0:
            return self._repeated(other, place, 0) if self._opens_alike(ours, theirs) else 0
        stop, totals = min(ours.stop, theirs.stop), self.measured.totals
        tokens = totals[stop] - totals[ours.start]
        if stop == theirs.stop and place + 1 == len(other.pieces):
            return tokens
        return tokens + self._repeated(other, place, stop - ours.start)

    def _opens_alike(self, ours: Piece, theirs: Piece) -> bool:
        data = self.measured.history.data
        if ours.start < 0 or theirs.start < 0:
            return ours.written == theirs.written
        return data[ours.start] == data[theirs.start]

    def _repeated(self, other: Prompt, place: int, skip: int) -> int:
        """Tokens that are the same from message ``skip`` of piece ``place`` on, but from elsewhere.

        A history may hold the same message twice; to a cache the two are one.
        """
        tokens = 0
        for ours, theirs in zip(self._said(place, skip), other._said(place, skip), strict=False):
            if ours[0] != theirs[0]:
                break
            tokens += ours[1]
        return tokens

    def _said(self, place: int, skip: int) -> Iterator[tuple[object, int]]:
        """Each message from there on with its tokens; what was written together stays together."""
        data, totals = self.measured.history.data, self.measured.totals
        for piece in self.pieces[place:]:
            if piece.start < 0:
                yield piece.written, piece.tokens
            for index in range(piece.start + skip, piece.stop):
                yield data[index], totals[index + 1] - totals[index]
            skip = 0


@dataclass(frozen=True, slots=True)
class Measured:
    """A history whose tokens are known.

    Attributes:
        history: the messages.
        totals: tokens before each of them, and of all of them.
    """

    history: History
    totals: Sequence[int]


def prompt_of(plan: Plan, measured: Measured) -> Prompt:
    """Return what a plan sends.

    Args:
        plan: the finished plan of one request.
        measured: the whole history.
    """
    totals = measured.totals
    priming = sum(tokens for name, tokens in plan.budget.frame if name == "priming")
    lead = plan.budget.frame_tokens - priming
    pieces = _pieces(plan, totals)
    leading = _leading_instructions(plan)
    return Prompt(lead, lead + totals[leading], pieces, priming, measured)


def _pieces(plan: Plan, totals: Sequence[int]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for run in plan.runs:
        if run.action == "keep":
            start = run.start
            if pieces and pieces[-1].stop == start:
                start = pieces.pop().start
            pieces.append(Piece(start, run.stop, (), totals[run.stop] - totals[start]))
        elif run.action != "drop":
            pieces.append(Piece(-1, -1, run.messages, run.tokens_after))
    return tuple(pieces)


def _leading_instructions(plan: Plan) -> int:
    """How many messages open the history as instructions."""
    indices = plan.history.instructions
    return next((n for n, index in enumerate(indices) if index != n), len(indices))
