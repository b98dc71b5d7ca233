"""What a fault is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["rejected", "risky"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault of a message list.

    Attributes:
        code: what kind of fault, a stable snake_case name.
        index: the message at fault; None for the list itself.
        id: the tool call id concerned, if one is.
        message: what is wrong, in words.
        remedy: what to do.
        severity: "rejected" (the provider answers 400) or "risky" (it takes it, but older models,
            stricter servers or templates do not, or the model is misled).
    """

    code: str
    index: int | None
    id: str | None = None
    message: str
    remedy: str
    severity: Severity = "rejected"

    def __str__(self) -> str:
        place = "messages" if self.index is None else f"message {self.index}"
        return f"{place}: {self.message} [{self.code}]; {self.remedy}"
