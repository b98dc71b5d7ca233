"""What all commands share: the group, common options, and how faults become exit statuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

import contextkit
from contextkit.cli.reading import Record, UnreadableInput
from contextkit.cli.writing import note
from contextkit.counting.requests import counter_for
from contextkit.errors import (
    BudgetExceeded,
    MessageError,
    OptionError,
    TokenizerMissing,
    UnknownModel,
    UnknownPrice,
)

Command = TypeVar("Command", bound=Callable[..., Any])

_OVER_OR_FAULTY = 1
_WRONG_USE = 2

_DATA_FAULTS = (
    MessageError,
    BudgetExceeded,
    UnreadableInput,
    UnknownModel,
    UnknownPrice,
    TokenizerMissing,
)
"""Faults of one history; the next one is still worked on."""


class Group(click.Group):
    """Turns an impossible option into one line on standard error instead of a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OptionError as error:
            note(f"contextkit: {error}")
            ctx.exit(_WRONG_USE)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(contextkit.__version__, prog_name="contextkit")
def main() -> None:
    r"""Keep conversations inside the context window of a language model.

    FILE is a JSON list of messages, a whole request body, or JSONL with one of these (or one
    message) on each line; .gz files are read too, and - is standard input.

    \b
    contextkit sample | contextkit trim - --max-tokens 1500 --format text
    contextkit count request.json -m gpt-4o
    contextkit check sessions.jsonl

    Results go to standard output, notes to standard error. The exit status is 1 when something is
    over its limit or faulty, 2 when the command was used wrongly.
    """


def file_options(command: Command) -> Command:
    """Add what every command on files has: FILE, --input-format, --output."""
    for option in (
        click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True)),
        click.option(
            "--input-format",
            type=click.Choice(["auto", "json", "jsonl", "messages"]),
            default="auto",
            show_default=True,
            help="What FILE holds: one history, one a line, or one message a line.",
        ),
        click.option("-o", "--output", type=click.Path(), help="Write the results to this file."),
    ):
        command = option(command)
    return command


def _known_model(ctx: click.Context, option: click.Parameter, name: str | None) -> str | None:
    """Refuse a model that cannot be counted before any file is opened."""
    try:
        counter_for(name)
    except (UnknownModel, TokenizerMissing) as error:
        raise click.BadParameter(str(error)) from error
    return name


model_option = click.option(
    "-m",
    "--model",
    callback=_known_model,
    help="Whose tokenizer, framing and window to use; default: the request's, or as gpt-4o counts.",
)


encoding_option = click.option(
    "--encoding",
    help='Count with this vocabulary ("cl100k_base", "qwen" ...) or tokenizer.json, for any model.',
)


def format_option(*choices: str) -> Callable[[Command], Command]:
    """Add --format with these choices, the first being the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="What to print.",
    )


def each_is_fine(found: Iterable[Record], work: Callable[[Record], bool]) -> bool:
    """Do ``work`` on every record; note the fault of one and go on with the next."""
    fine = True
    for record in found:
        fine = _survives(record, work) and fine
    return fine


def finish(fine: bool) -> None:
    """End the command, with status 1 unless all was fine."""
    if not fine:
        click.get_current_context().exit(_OVER_OR_FAULTY)


def _survives(record: Record, work: Callable[[Record], bool]) -> bool:
    try:
        return work(record)
    except _DATA_FAULTS as error:
        note(f"{record.place}: {error}")
        return False
