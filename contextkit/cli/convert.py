"""``contextkit convert``: histories and request bodies in the format of another API."""

from __future__ import annotations

from typing import get_args

import click

import contextkit
from contextkit.cli.group import each_is_fine, examples, file_options, finish, format_option, main
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import note, output_to
from contextkit.conversion.converting import Reasoning, Target
from contextkit.formats import Api

_COLUMNS = ("place", "index", "reason")


@main.command(
    epilog=examples(
        "contextkit convert history.json --to anthropic -o request.json",
        "contextkit convert request.json --to gemini --format text",
    )
)
@file_options
@click.option("--to", type=click.Choice(get_args(Target)), required=True, help="The target format.")
@click.option(
    "--source",
    type=click.Choice(["auto", *get_args(Api)]),
    default="auto",
    show_default=True,
    help="The format of FILE.",
)
@click.option(
    "--reasoning",
    type=click.Choice(get_args(Reasoning)),
    default="keep",
    show_default=True,
    help="What becomes of what the model thought.",
)
@click.option("--model", help="The target model to name in the body.")
@format_option("body", "messages", "text", "csv")
def convert(
    file: str,
    input_format: InputFormat,
    output: str | None,
    to: Target,
    source: Api,
    reasoning: Reasoning,
    model: str | None,
    form: str,
) -> None:
    """Turn histories or request bodies into the format of another API.

    Prints the body, or its messages alone; --format text and csv list what the target could not
    express instead. With a body these notes go to standard error.
    """
    with output_to(output) as out:
        if form == "csv":
            out.csv(_COLUMNS)

        def work(record: Record) -> bool:
            made = contextkit.convert(
                record.request, to=to, source=source, reasoning=reasoning, model=model
            )
            for found in made.notes:
                if form == "csv":
                    out.csv(
                        (record.place, "" if found.index is None else found.index, found.reason)
                    )
                else:
                    (out.line if form == "text" else note)(f"{record.place}: {found}")
            if form in ("body", "messages"):
                shown = made.body if form == "body" else made.messages
                out.json(shown, indent=None if record.line else 1)
            return True

        fine = each_is_fine(records(file, input_format), work)
    finish(fine)
