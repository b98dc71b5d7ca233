"""Read from an error what did not fit."""

from contextkit.overflow.parsing import Overflow, parse_overflow

__all__ = ["Overflow", "parse_overflow"]
