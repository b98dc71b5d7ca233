"""How many tokens a request may have, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

from contextkit.errors import OptionError
from contextkit.models import Model, find_model
from contextkit.options import whole_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most input tokens of one request, with the terms it is made of.

    Attributes:
        limit: most tokens of the whole request: messages, framing, tools, priming. None: no limit.
        basis: what ``limit`` starts from, as ``(name, tokens)``: a model's window, or max_tokens.
        reserve_output: tokens of the window kept free for the answer.
        margin: tokens kept free for safety.
        frame: what the request costs beside its messages, as ``(name, tokens)`` pairs.

    Example:
        >>> from contextkit import trim
        >>> trim([{"role": "user", "content": "你好"}], max_tokens=50, margin=5).budget.terms
        (('max_tokens', 50), ('margin', -5), ('priming', -3))
    """

    limit: int | None
    basis: tuple[str, int] | None = None
    reserve_output: int = 0
    margin: int = 0
    frame: tuple[tuple[str, int], ...] = ()

    @property
    def terms(self) -> tuple[tuple[str, int], ...]:
        """Signed terms that sum to ``for_messages``; empty without a limit."""
        if self.basis is None:
            return ()
        off = (("reserved output", self.reserve_output), ("margin", self.margin), *self.frame)
        return (self.basis, *((name, -tokens) for name, tokens in off if tokens))

    @property
    def for_messages(self) -> int | None:
        """Tokens that the messages may have, their framing included; None without a limit."""
        return None if self.limit is None else self.limit - self.frame_tokens

    @property
    def frame_tokens(self) -> int:
        """Tokens of tools and priming."""
        return sum(tokens for _, tokens in self.frame)

    def tightened(self, max_tokens: int, name: str) -> Budget:
        """Return the budget with ``max_tokens`` as its limit, where that is smaller."""
        if self.limit is not None and self.limit <= max_tokens:
            return self
        return replace(self, limit=max_tokens, basis=(name, max_tokens), reserve_output=0, margin=0)


def budget_for(
    model: str | None = None,
    *,
    max_tokens: int | None = None,
    reserve_output: int = 0,
    margin: int = 0,
    frame: tuple[tuple[str, int], ...] = (),
) -> Budget:
    """Work out the budget of a call.

    Args:
        model: whose window to use when ``max_tokens`` is not given.
        max_tokens: most input tokens of the whole request; overrides the model's window, and
            with it ``reserve_output``.
        reserve_output: tokens of the window to keep free for the answer.
        margin: tokens to keep free for safety.
        frame: ``(name, tokens)`` of what the request costs beside its messages.

    Raises:
        OptionError: a value is impossible, or nothing of the window is left.
        UnknownModel: no row for ``model``.

    Example:
        >>> budget_for("gpt-4o", reserve_output=4_096).limit
        123904
    """
    whole_number("reserve_output", reserve_output, 0)
    whole_number("margin", margin, 0)
    if max_tokens is not None:
        limit = whole_number("max_tokens", max_tokens, 1) - margin
        basis, reserve_output = ("max_tokens", max_tokens), 0
    elif model is not None:
        basis, reserve_output = _of_window(find_model(model), reserve_output)
        limit = basis[1] - reserve_output - margin
    else:
        return Budget(limit=None, frame=frame)
    if limit < 1:
        found = (
            f"{basis[0]} {basis[1]:,} - reserved {reserve_output:,} - margin {margin:,} = {limit:,}"
        )
        raise OptionError("budget", found, "reserve less or use a model with a larger window")
    return Budget(
        limit=limit, basis=basis, reserve_output=reserve_output, margin=margin, frame=frame
    )


def _of_window(model: Model, reserve_output: int) -> tuple[tuple[str, int], int]:
    """Where the provider caps the input by itself, the answer's reserve may lie outside the cap."""
    if model.max_input is None or model.window - reserve_output <= model.max_input:
        return (f"window of {model.name}", model.window), reserve_output
    return (f"largest input of {model.name}", model.max_input), 0
