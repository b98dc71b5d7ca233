"""Check the values of options before they can do harm."""

from __future__ import annotations

from contextkit.errors import OptionError


def whole_number(option: str, value: object, least: int) -> int:
    """Return ``value`` if it is an int of at least ``least``; booleans are none.

    Raises:
        OptionError: it is something else, NaN included.

    Example:
        >>> whole_number("max_tokens", 8_000, 1)
        8000
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(option, f"{value!r} is no possible value", f"pass an int >= {least}")
    return value


def share(option: str, value: object) -> float:
    """Return ``value`` if it is a number above 0 and at most 1.

    Raises:
        OptionError: it is something else, NaN included.

    Example:
        >>> share("low_water", 0.5)
        0.5
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1:
        raise OptionError(option, f"{value!r} is no possible value", "pass a number in (0, 1]")
    return float(value)
