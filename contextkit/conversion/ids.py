"""Call ids in the alphabet that a server takes, and back: one to one, with no state to keep."""

from __future__ import annotations

import re
from string import ascii_letters, digits

_PLAIN = re.compile(r"[a-zA-Z0-9_-]+\Z")
_ESCAPED = "esc_"
_KEPT = frozenset(ascii_letters + digits + "-")


def safe_id(id: str) -> str:
    """Return ``id`` where it consists of letters, digits, _ and -, else an escaped form of it.

    Anthropic refuses others: "String should match pattern '^[a-zA-Z0-9_-]+$'" (2026-11).

    Example:
        >>> safe_id("call_1"), safe_id("functions.look_up:0")
        ('call_1', 'esc_functions_2elook_5fup_3a0')
        >>> original_id(safe_id("functions.look_up:0"))
        'functions.look_up:0'
    """
    if _PLAIN.match(id) and not id.startswith(_ESCAPED):
        return id
    data = id.encode("utf-8", "surrogatepass")
    return _ESCAPED + "".join(chr(b) if chr(b) in _KEPT else f"_{b:02x}" for b in data)


def original_id(id: str) -> str:
    """Return the id that `safe_id` was given; any other id is its own original."""
    if not id.startswith(_ESCAPED):
        return id
    text = re.sub(r"_([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), id.removeprefix(_ESCAPED))
    try:
        found = text.encode("latin-1").decode("utf-8", "surrogatepass")
    except UnicodeError:
        return id
    return found if safe_id(found) == id else id
