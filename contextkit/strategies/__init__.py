"""Strategies: callables that take a plan and return a plan."""

from contextkit.strategies.compose import Chain, chain
from contextkit.strategies.tokens import TokenBudget
from contextkit.strategies.tool_results import TruncateToolResults
from contextkit.strategies.window import FixedWindow

__all__ = ["Chain", "FixedWindow", "TokenBudget", "TruncateToolResults", "chain"]
