"""``contextkit sample``: a history to try things on."""

from __future__ import annotations

import click

import contextkit
from contextkit.cli.group import main
from contextkit.cli.writing import output_to


@main.command()
@click.option("-o", "--output", type=click.Path(), help="Write it to this file.")
def sample(output: str | None) -> None:
    """Print a sample history: Chinese and English, tool calls, a long agent turn."""
    with output_to(output) as out:
        out.json(contextkit.sample_history(), indent=1)
