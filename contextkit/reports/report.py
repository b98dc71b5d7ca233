"""report(): how full a request is, and with what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from contextkit.budget import budget_for
from contextkit.counting.counts import Part
from contextkit.counting.requests import counter_for, read_request
from contextkit.errors import OptionError
from contextkit.formats import Api
from contextkit.messages import History
from contextkit.reports.limits import DIMENSIONS, Excess, exceeded
from contextkit.reports.pieces import Piece, frame_pieces, history_pieces, pieces_of
from contextkit.results import TrimResult

if TYPE_CHECKING:
    from pathlib import Path

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """What one kind of content takes.

    Attributes:
        kind: its value in each dimension that was asked for.
        tokens: its tokens.
        share: of all tokens of the request, 0 to 1.
        of_limit: of the most tokens the request may have; None without a limit.
        cost: USD at the model's price for uncached input; None where no price is known.
        messages: how many messages hold some of it.
    """

    kind: tuple[str | int, ...]
    tokens: int
    share: float
    of_limit: float | None
    cost: Decimal | None
    messages: int


@dataclass(frozen=True, kw_only=True)
class Report:
    """Where the tokens of a request go. ``len()`` and ``tokens`` count what is sent.

    Attributes:
        history: the messages.
        pieces: what the request is made of; their tokens sum to ``tokens``.
        model: the model, when one was named.
        limit: most tokens the request may have: ``max_tokens``, or the model's window; None where
            neither is known.
        price: USD per million tokens of uncached input; None where no price is known.
        exceeded: the limits on kinds that are exceeded.
        result: the trimming that led to these messages, when a `TrimResult` was reported on.
    """

    history: History
    pieces: tuple[Piece, ...]
    model: str | None = None
    limit: int | None = None
    price: Decimal | None = None
    exceeded: tuple[Excess, ...] = ()
    result: TrimResult | None = None

    @cached_property
    def tokens(self) -> int:
        """All input tokens of the request."""
        return sum(piece.tokens for piece in self.pieces)

    @property
    def headroom(self) -> int | None:
        """Tokens that are still free; negative when the request is too long, None without limit."""
        return None if self.limit is None else self.limit - self.tokens

    @property
    def cost(self) -> Decimal | None:
        """USD of the request's input when nothing of it is cached; None without a price."""
        return self._cost(self.tokens)

    def rows(self, by: str | Sequence[str] = "role") -> list[Row]:
        """Return what each kind takes, the largest first; turns in order.

        Args:
            by: "role", "turn", "language", "content", "form", "tool", or several of them crossed.
                By tool only what belongs to one is listed.

        Raises:
            OptionError: nothing can be grouped by this.

        Example:
            >>> found = report([{"role": "user", "content": "你好，世界"}], model="gpt-4o")
            >>> [(row.kind, row.tokens) for row in found.rows(("role", "content"))]
            [(('user', 'framing'), 4), (('user', 'prose'), 3), (('priming', 'framing'), 3)]
        """
        dimensions = _dimensions(by)
        groups: dict[tuple[str | int, ...], list[Piece]] = {}
        for piece in self.pieces:
            kind = tuple(getattr(piece, dimension) for dimension in dimensions)
            if kind != ("",):
                groups.setdefault(kind, []).append(piece)
        rows = [self._row(kind, pieces) for kind, pieces in groups.items()]
        if dimensions[0] == "turn":
            return sorted(rows, key=lambda row: (row.kind[0], -row.tokens))
        return sorted(rows, key=lambda row: -row.tokens)

    def biggest(self, most: int = 10) -> list[tuple[int, int]]:
        """Return the largest messages as ``(index, tokens)``, the largest first."""
        ranked = sorted(self.tokens_by_message.items(), key=lambda pair: (-pair[1], pair[0]))
        return ranked[:most]

    @cached_property
    def tokens_by_message(self) -> Mapping[int, int]:
        """Tokens of each message, framing included, by index."""
        totals: dict[int, int] = {}
        for piece in self.pieces:
            if piece.index is not None:
                totals[piece.index] = totals.get(piece.index, 0) + piece.tokens
        return totals

    @cached_property
    def growth(self) -> list[tuple[int, int, int]]:
        """For each turn its number, its tokens, and all tokens up to its end.

        Turn 0 is what stands before the first user message and beside the messages.
        """
        rows = self.rows("turn")
        reached = accumulate(row.tokens for row in rows)
        return [
            (int(row.kind[0]), row.tokens, total) for row, total in zip(rows, reached, strict=True)
        ]

    def table(self, by: str | Sequence[str] | None = None, *, width: int = 100) -> str:
        """Return the report as text: the window, then one table for each dimension.

        Args:
            by: one dimension, or several crossed, in place of role, language and content type.
            width: columns of the table.
        """
        from contextkit.reports.tables import report_table

        return report_table(self, by, width)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; costs are strings, so that nothing is rounded."""
        from contextkit.reports.plain import report_dict

        return report_dict(self)

    def to_csv(self, by: str | Sequence[str] = DIMENSIONS) -> str:
        """Return one line for each kind, with a line of headings; by default everything crossed."""
        from contextkit.reports.plain import report_csv

        return report_csv(self, by)

    def to_html(self, title: str = "Context report") -> str:
        """Return one self-contained HTML page: light and dark, no script, nothing from outside."""
        from contextkit.reports.page import report_page

        return report_page(self, title)

    def _row(self, kind: tuple[str | int, ...], pieces: Sequence[Piece]) -> Row:
        tokens = sum(piece.tokens for piece in pieces)
        return Row(
            kind,
            tokens,
            tokens / (self.tokens or 1),
            tokens / self.limit if self.limit else None,
            self._cost(tokens),
            len({piece.index for piece in pieces} - {None}),
        )

    def _cost(self, tokens: int) -> Decimal | None:
        return None if self.price is None else self.price * tokens / _MILLION


def report(
    messages: Iterable[Any] | Mapping[str, Any] | TrimResult,
    *,
    model: str | None = None,
    max_tokens: int | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    counter: object = None,
    encoding: str | Path | None = None,
    limits: Mapping[str, float] | None = None,
    api: Api | None = None,
) -> Report:
    """Return where the tokens of a request go: by role, turn, language, content type and tool.

    Args:
        messages: a history, a whole request body, or a `TrimResult`, whose page also shows what was
            kept, dropped and rewritten.
        model: whose tokenizer, framing, window and price to use; None takes the body's, and counts
            as gpt-4o does where there is none, without a window or price.
        max_tokens: most input tokens of the request; None takes the model's window.
        tools: tool schemas sent with a history; a body brings its own.
        counter: your own `Counter`, or a function of one message, in place of the model's.
        encoding: a vocabulary by name or the path of a ``tokenizer.json``, for any other model.
        limits: the most that a kind may take: tokens as an int, or a share of all as a float
            (``{"tool result": 0.4, "language:zh": 20_000}``).
        api: the wire format of a body; None recognises it.

    Raises:
        MessageError: a message cannot be read.
        OptionError: a limit on what nothing can be, an impossible value.
        UnknownModel: nothing is known of ``model``.
        TokenizerMissing: the model's vocabulary is not here.

    Example:
        >>> found = report([{"role": "user", "content": "你好，世界"}], model="gpt-4o")
        >>> found.tokens, found.headroom
        (10, 127990)
        >>> [(row.kind[0], row.tokens) for row in found.rows("language")]
        [('zxx', 7), ('zh-Hans', 3)]
    """
    if isinstance(messages, TrimResult):
        return _of_result(messages, model, max_tokens, limits or {})
    request, named = read_request(messages, tools, api)
    model = model or named
    chosen = counter_for(model, counter, request.api, encoding)
    pieces = pieces_of(request, chosen)
    limit = budget_for(model, max_tokens=max_tokens).limit if model or max_tokens else None
    return _report(request.history, pieces, model, limit, limits or {}, None)


def _of_result(
    result: TrimResult, model: str | None, max_tokens: int | None, limits: Mapping[str, float]
) -> Report:
    plan = result.plan
    history = History(plan.sent)
    pieces = history_pieces(history, plan.counter)
    for name, tokens in result.budget.frame:
        pieces.extend(frame_pieces(Part(name, tokens), (), plan.counter))
    return _report(history, pieces, model, max_tokens or result.budget.limit, limits, result)


def _report(
    history: History,
    pieces: Sequence[Piece],
    model: str | None,
    limit: int | None,
    limits: Mapping[str, float],
    result: TrimResult | None,
) -> Report:
    return Report(
        history=history,
        pieces=tuple(piece for piece in pieces if piece.tokens),
        model=model,
        limit=limit,
        price=_input_price(model),
        exceeded=exceeded(pieces, limits),
        result=result,
    )


def _input_price(model: str | None) -> Decimal | None:
    from contextkit.errors import UnknownPrice
    from contextkit.pricing import find_price

    if model is None:
        return None
    try:
        return find_price(model).input
    except UnknownPrice:
        return None


def _dimensions(by: str | Sequence[str]) -> Sequence[str]:
    dimensions = (by,) if isinstance(by, str) else tuple(by)
    unknown = [name for name in dimensions if name not in DIMENSIONS]
    if unknown or not dimensions:
        found = f"{unknown[0]!r} is no dimension" if unknown else "no dimension"
        raise OptionError("by", found, f"use one or several of {', '.join(DIMENSIONS)}")
    return dimensions
