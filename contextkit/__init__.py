"""contextkit: keep a conversation inside the context window of a language model.

A message list goes in; a message list that fits comes out, with an account of every decision::

    from contextkit import trim

    result = trim(messages, model="gpt-4o", max_tokens=8_000)
    result.messages     # what to send
    result.explain()    # what was left out, and why

Names are loaded when first used, so the import itself costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextkit.budget import Budget
    from contextkit.counting.calibration import Calibration
    from contextkit.counting.counters import Counter
    from contextkit.counting.counts import Count, Part
    from contextkit.counting.requests import count, count_text
    from contextkit.diagnosis import Problem, check
    from contextkit.errors import (
        BudgetExceeded,
        ContextKitError,
        MessageError,
        OptionError,
        StrategyError,
        TokenizerMissing,
        UnknownModel,
        VocabularyCorrupt,
    )
    from contextkit.memory.items import Item
    from contextkit.memory.remembering import remember
    from contextkit.memory.requests import SummaryRequest
    from contextkit.memory.state import Memory
    from contextkit.messages import History, Message, ToolCall
    from contextkit.models import Model, find_model
    from contextkit.plans import Plan, Step, Strategy
    from contextkit.results import TrimResult
    from contextkit.samples import sample_history
    from contextkit.strategies.compose import chain
    from contextkit.strategies.recall import RecallRelevant
    from contextkit.strategies.summary import SummaryCompression
    from contextkit.strategies.tokens import TokenBudget
    from contextkit.strategies.tool_results import TruncateToolResults
    from contextkit.strategies.window import FixedWindow
    from contextkit.trimming import atrim, trim
    from contextkit.units import Unit

__version__ = "0.1.0"

_HOMES = {
    "budget": ("Budget",),
    "counting.calibration": ("Calibration",),
    "counting.counters": ("Counter",),
    "counting.counts": ("Count", "Part"),
    "counting.requests": ("count", "count_text"),
    "diagnosis": ("Problem", "check"),
    "errors": (
        "BudgetExceeded",
        "ContextKitError",
        "MessageError",
        "OptionError",
        "StrategyError",
        "TokenizerMissing",
        "UnknownModel",
        "VocabularyCorrupt",
    ),
    "messages": ("History", "Message", "ToolCall"),
    "models": ("Model", "find_model"),
    "plans": ("Plan", "Step", "Strategy"),
    "results": ("TrimResult",),
    "samples": ("sample_history",),
    "strategies.compose": ("chain",),
    "memory.items": ("Item",),
    "memory.remembering": ("remember",),
    "memory.requests": ("SummaryRequest",),
    "memory.state": ("Memory",),
    "strategies.recall": ("RecallRelevant",),
    "strategies.summary": ("SummaryCompression",),
    "strategies.tokens": ("TokenBudget",),
    "strategies.tool_results": ("TruncateToolResults",),
    "strategies.window": ("FixedWindow",),
    "trimming": ("atrim", "trim"),
    "units": ("Unit",),
}

__all__ = [
    "Budget",
    "BudgetExceeded",
    "Calibration",
    "ContextKitError",
    "Count",
    "Counter",
    "FixedWindow",
    "History",
    "Item",
    "Memory",
    "Message",
    "MessageError",
    "Model",
    "OptionError",
    "Part",
    "Plan",
    "Problem",
    "RecallRelevant",
    "Step",
    "Strategy",
    "StrategyError",
    "SummaryCompression",
    "SummaryRequest",
    "TokenBudget",
    "TokenizerMissing",
    "ToolCall",
    "TrimResult",
    "TruncateToolResults",
    "Unit",
    "UnknownModel",
    "VocabularyCorrupt",
    "atrim",
    "chain",
    "check",
    "count",
    "count_text",
    "find_model",
    "remember",
    "sample_history",
    "trim",
]


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            value = globals()[name] = getattr(import_module(f"contextkit.{module}"), name)
            return value
    raise AttributeError(f"module 'contextkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
