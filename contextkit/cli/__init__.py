"""The command line: ``contextkit trim | count | check | sample``, one module each."""

from contextkit.cli import check, count, sample, trim
from contextkit.cli.group import main

__all__ = ["check", "count", "main", "sample", "trim"]
