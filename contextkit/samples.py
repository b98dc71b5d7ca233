"""A history to try things on: a bilingual support desk with tool calls and one long agent turn."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def sample_history() -> list[dict[str, Any]]:
    """Return a new copy of the sample history, written for contextkit.

    Example:
        >>> [message["role"] for message in sample_history()[:3]]
        ['system', 'user', 'assistant']
    """
    text = files("contextkit").joinpath("sample.json").read_text("utf-8")
    messages: list[dict[str, Any]] = json.loads(text)
    return messages
