"""The command line: ``contextkit trim | count | check | memory | sample``, one module each."""

from contextkit.cli import check, count, memory, sample, trim
from contextkit.cli.group import main

__all__ = ["check", "count", "main", "memory", "sample", "trim"]
