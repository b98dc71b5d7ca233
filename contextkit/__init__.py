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
    from contextkit.assembly import build_messages
    from contextkit.budget import Budget
    from contextkit.conversion.converting import Conversion, convert
    from contextkit.conversion.talk import Note
    from contextkit.counting.calibration import Calibration
    from contextkit.counting.counters import Counter
    from contextkit.counting.counts import Count, Part
    from contextkit.counting.requests import count, count_text
    from contextkit.densities.corpora import read_corpus, sample_texts
    from contextkit.densities.from_usage import density_from_usage
    from contextkit.densities.measuring import density
    from contextkit.densities.samples import Sample
    from contextkit.densities.table import DensityRow, DensityTable
    from contextkit.diagnosis import Change, Problem, RepairResult, check, repair
    from contextkit.errors import (
        AssemblyError,
        BudgetExceeded,
        ContextKitError,
        InvalidMessages,
        MessageError,
        OptionError,
        RequestTooLong,
        SampleError,
        StrategyError,
        StreamError,
        TokenizerMissing,
        UnknownModel,
        UnknownPrice,
        VocabularyCorrupt,
    )
    from contextkit.ledger import Step
    from contextkit.memory.items import Item
    from contextkit.memory.remembering import remember
    from contextkit.memory.requests import SummaryRequest
    from contextkit.memory.state import Memory
    from contextkit.messages import History, Message, ToolCall
    from contextkit.models import Model, find_model
    from contextkit.overflow import Overflow, parse_overflow
    from contextkit.plans import Plan, Strategy
    from contextkit.pricing.costs import Cost, cost
    from contextkit.reports.report import Report, report
    from contextkit.results import TrimResult
    from contextkit.samples import sample_history
    from contextkit.schema import validate
    from contextkit.sending import asend, send
    from contextkit.simulation.replay import simulate
    from contextkit.simulation.results import Simulation
    from contextkit.strategies.compose import chain
    from contextkit.strategies.recall import RecallRelevant
    from contextkit.strategies.summary import SummaryCompression
    from contextkit.strategies.tokens import TokenBudget
    from contextkit.strategies.tool_results import TruncateToolResults
    from contextkit.strategies.window import FixedWindow
    from contextkit.streams.collecting import (
        StreamCollector,
        StreamedMessage,
        acollect_stream,
        collect_stream,
    )
    from contextkit.trimming import atrim, trim
    from contextkit.units import Unit

__version__ = "0.1.0"

_HOMES = {
    "assembly": ("build_messages",),
    "budget": ("Budget",),
    "conversion.converting": ("Conversion", "convert"),
    "conversion.talk": ("Note",),
    "counting.calibration": ("Calibration",),
    "counting.counters": ("Counter",),
    "counting.counts": ("Count", "Part"),
    "counting.requests": ("count", "count_text"),
    "densities.corpora": ("read_corpus", "sample_texts"),
    "densities.from_usage": ("density_from_usage",),
    "densities.measuring": ("density",),
    "densities.samples": ("Sample",),
    "densities.table": ("DensityRow", "DensityTable"),
    "diagnosis": ("Change", "Problem", "RepairResult", "check", "repair"),
    "errors": (
        "AssemblyError",
        "BudgetExceeded",
        "ContextKitError",
        "InvalidMessages",
        "MessageError",
        "OptionError",
        "RequestTooLong",
        "SampleError",
        "StrategyError",
        "StreamError",
        "TokenizerMissing",
        "UnknownModel",
        "UnknownPrice",
        "VocabularyCorrupt",
    ),
    "ledger": ("Step",),
    "messages": ("History", "Message", "ToolCall"),
    "models": ("Model", "find_model"),
    "overflow": ("Overflow", "parse_overflow"),
    "plans": ("Plan", "Strategy"),
    "pricing.costs": ("Cost", "cost"),
    "reports.report": ("Report", "report"),
    "results": ("TrimResult",),
    "samples": ("sample_history",),
    "schema": ("validate",),
    "simulation.replay": ("simulate",),
    "simulation.results": ("Simulation",),
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
    "streams.collecting": (
        "StreamCollector",
        "StreamedMessage",
        "acollect_stream",
        "collect_stream",
    ),
    "sending": ("asend", "send"),
    "trimming": ("atrim", "trim"),
    "units": ("Unit",),
}

__all__ = [
    "AssemblyError",
    "Budget",
    "BudgetExceeded",
    "Calibration",
    "Change",
    "ContextKitError",
    "Conversion",
    "Cost",
    "Count",
    "Counter",
    "DensityRow",
    "DensityTable",
    "FixedWindow",
    "History",
    "InvalidMessages",
    "Item",
    "Memory",
    "Message",
    "MessageError",
    "Model",
    "Note",
    "OptionError",
    "Overflow",
    "Part",
    "Plan",
    "Problem",
    "RecallRelevant",
    "RepairResult",
    "Report",
    "RequestTooLong",
    "Sample",
    "SampleError",
    "Simulation",
    "Step",
    "Strategy",
    "StrategyError",
    "StreamCollector",
    "StreamError",
    "StreamedMessage",
    "SummaryCompression",
    "SummaryRequest",
    "TokenBudget",
    "TokenizerMissing",
    "ToolCall",
    "TrimResult",
    "TruncateToolResults",
    "Unit",
    "UnknownModel",
    "UnknownPrice",
    "VocabularyCorrupt",
    "acollect_stream",
    "asend",
    "atrim",
    "build_messages",
    "chain",
    "check",
    "collect_stream",
    "convert",
    "cost",
    "count",
    "count_text",
    "density",
    "density_from_usage",
    "find_model",
    "parse_overflow",
    "read_corpus",
    "remember",
    "repair",
    "report",
    "sample_history",
    "sample_texts",
    "send",
    "simulate",
    "trim",
    "validate",
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
