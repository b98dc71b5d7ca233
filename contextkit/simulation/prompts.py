"""What is sent in one request, as pieces that two requests can be compared by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextkit.messages import History
from contextkit.plans import Plan


@dataclass(frozen=True, slots=True)
class Piece:
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
    """

    lead: int
    instructions: int
    pieces: tuple[Piece, ...]
    priming: int
    measured: Measured

    @property
    def tokens(self) -> int:
        """Input tokens of the request."""
        return self.body + self.priming

    @property
    def body(self) -> int:
        """The tokens that a later request can begin with: all but the priming."""
        return self.lead + sum(piece.tokens for piece in self.pieces)

    def common(self, other: Prompt) -> int:
        """Tokens at the start of this request that ``other`` starts with too.

        Messages are compared whole: a message that differs in its last word counts as different.
        """
        if self.lead != other.lead:
            return 0
        tokens, totals = self.lead, self.measured.totals
        for place, (ours, theirs) in enumerate(zip(self.pieces, other.pieces, strict=False)):
            if ours.start != theirs.start or ours.written != theirs.written:
                return tokens + self._repeated(other, place, 0)
            if ours.stop != theirs.stop:
                stop = min(ours.stop, theirs.stop)
                tokens += totals[stop] - totals[ours.start]
                if stop == theirs.stop and place + 1 == len(other.pieces):
                    return tokens
                return tokens + self._repeated(other, place, stop - ours.start)
            tokens += ours.tokens
        return tokens

    def _repeated(self, other: Prompt, place: int, skip: int) -> int:
        """Tokens that are the same from message ``skip`` of piece ``place`` on, but from elsewhere.

        A history may hold the same message twice; to a cache the two are one.
        """
        tokens = 0
        for ours, theirs in zip(self._said(place, skip), other._said(place, skip), strict=False):
            if ours.said != theirs.said:
                break
            tokens += ours.tokens
        return tokens

    def _said(self, place: int, skip: int) -> Iterator[_Said]:
        for piece in self.pieces[place:]:
            if piece.start < 0:
                yield _Said(piece.written, piece.tokens)
            else:
                yield from map(self.measured.said, range(piece.start + skip, piece.stop))
            skip = 0


@dataclass(frozen=True, slots=True)
class _Said:
    said: object
    tokens: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A history whose tokens are known.

    Attributes:
        history: the messages.
        totals: tokens before each of them, and of all of them.
    """

    history: History
    totals: Sequence[int]

    def said(self, index: int) -> _Said:
        """What message ``index`` says, and its tokens."""
        return _Said(self.history.data[index], self.totals[index + 1] - self.totals[index])


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
