"""What summary compression keeps: identity, confirmed facts, rules, decisions and open todos.

`remember` folds messages into a `Memory` of `Item`s; a `Pattern` finds values of your own; a model
may propose items through `openai_summarizer` or `anthropic_summarizer`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextkit.memory.extraction import Pattern, findings_of
    from contextkit.memory.items import Finding, Item, Source
    from contextkit.memory.notes import parse_block
    from contextkit.memory.remembering import remember
    from contextkit.memory.render import Rendering
    from contextkit.memory.requests import SummaryRequest
    from contextkit.memory.state import Memory
    from contextkit.memory.summarizers import anthropic_summarizer, openai_summarizer

_HOMES = {
    "extraction": ("Pattern", "findings_of"),
    "items": ("Finding", "Item", "Source"),
    "notes": ("parse_block",),
    "remembering": ("remember",),
    "render": ("Rendering",),
    "requests": ("SummaryRequest",),
    "state": ("Memory",),
    "summarizers": ("anthropic_summarizer", "openai_summarizer"),
}

__all__ = [
    "Finding",
    "Item",
    "Memory",
    "Pattern",
    "Rendering",
    "Source",
    "SummaryRequest",
    "anthropic_summarizer",
    "findings_of",
    "openai_summarizer",
    "parse_block",
    "remember",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for: reading messages needs nothing of a model."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"contextkit.memory.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
