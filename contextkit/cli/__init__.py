"""The command line: one module for each command of ``contextkit``."""

from contextkit.cli import (
    check,
    collect,
    convert,
    cost,
    count,
    density,
    memory,
    repair,
    report,
    sample,
    simulate,
    trim,
)
from contextkit.cli.group import main

__all__ = [
    "check",
    "collect",
    "convert",
    "cost",
    "count",
    "density",
    "main",
    "memory",
    "repair",
    "report",
    "sample",
    "simulate",
    "trim",
]
