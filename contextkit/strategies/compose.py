"""Composition: a chain of strategies is a strategy."""

from __future__ import annotations

from dataclasses import dataclass

from contextkit.errors import OptionError
from contextkit.plans import Plan, Strategy, applied


@dataclass(frozen=True, slots=True)
class Chain:
    """Strategies one after the other; make one with `chain`."""

    strategies: tuple[Strategy, ...]

    def __call__(self, plan: Plan) -> Plan:
        for strategy in self.strategies:
            plan = applied(strategy, plan)
        return plan


def chain(*strategies: Strategy) -> Chain:
    """Compose strategies: each gets the plan that the one before left.

    Args:
        strategies: ours, or any function of a plan that returns a plan.

    Returns:
        A strategy. Each step of the plan names the one that decided it.

    Raises:
        OptionError: none was given.

    Example:
        >>> from contextkit import FixedWindow, TokenBudget
        >>> chain(FixedWindow(turns=20), TokenBudget()).strategies[0]
        FixedWindow(turns=20, messages=None)
    """
    if not strategies:
        raise OptionError("strategies", "none were given", "pass at least one")
    return Chain(strategies)
