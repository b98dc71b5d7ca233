"""``contextkit sample``: a history to try things on."""

from __future__ import annotations

import click

import contextkit
from contextkit.cli.group import examples, main
from contextkit.cli.writing import output_to


@main.command(
    epilog=examples(
        "contextkit sample > history.json",
        "contextkit sample | contextkit trim - --max-tokens 1500 --format text",
    )
)
@click.option("-o", "--output", type=click.Path(), help="Write it to this file.")
def sample(output: str | None) -> None:
    """Print a sample history to try things on.

    A support chat in Chinese and English, with tool calls and a long agent turn.
    """
    with output_to(output) as out:
        out.json(contextkit.sample_history(), indent=1)
