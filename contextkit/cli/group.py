"""What all commands share: the group, common options, and how faults become exit statuses."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

import contextkit
from contextkit.cli.reading import Record
from contextkit.cli.writing import note
from contextkit.counting.requests import counter_for
from contextkit.errors import ContextKitError, OptionError, TokenizerMissing, UnknownModel

Command = TypeVar("Command", bound=Callable[..., Any])

_OVER_OR_FAULTY = 1
_WRONG_USE = 2


class Group(click.Group):
    """Turns every fault into one line on standard error instead of a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OptionError as error:
            note(f"contextkit: {self._as_typed(ctx, error)}")
            ctx.exit(_WRONG_USE)
        except ContextKitError as error:
            note(f"contextkit: {spoken(error)}")
            ctx.exit(_OVER_OR_FAULTY)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            note(f"contextkit: {error.filename or 'output'}: {error.strerror or error}")
            ctx.exit(_WRONG_USE)

    def _as_typed(self, ctx: click.Context, error: OptionError) -> str:
        """The error with the option as it is written on the command line."""
        options = self.commands[ctx.invoked_subcommand or ""].params
        typed = {option.name: option.opts[-1] for option in options}
        return str(error).replace(error.option, typed.get(error.option, error.option), 1)


def examples(*lines: str) -> str:
    """Return the end of a help page: command lines to try, one below the other."""
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "contextkit sample > history.json",
        "contextkit trim history.json --max-tokens 1500 --format text",
        "contextkit count request.json -m gpt-4o",
        "contextkit check sessions.jsonl --provider anthropic",
    ),
)
@click.version_option(contextkit.__version__, prog_name="contextkit")
def main() -> None:
    """Keep conversations inside the context window of a language model.

    FILE is a JSON list of messages, a whole request body, or JSONL with one of these (or one
    message) on each line; .gz files are read too, and - is standard input.

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
        raise click.BadParameter(spoken(error)) from error
    return name


def _known_encoding(ctx: click.Context, option: click.Parameter, name: str | None) -> str | None:
    """Refuse a vocabulary that is not here before any file is opened."""
    try:
        counter_for(None, encoding=name)
    except TokenizerMissing as error:
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
    callback=_known_encoding,
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
    except ContextKitError as error:
        if isinstance(error, OptionError) and _is_typed(error.option):
            raise
        note(f"{record.place}: {spoken(error)}")
        return False


def _is_typed(option: str) -> bool:
    """Whether the user gave this option: then no other record can be worked on either."""
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.COMMANDLINE


_ANY_OTHER = "Any other model is told by --encoding (its tokenizer) and --max-tokens, without -m"


def spoken(error: Exception, any_other: str = _ANY_OTHER) -> str:
    """Return what an error says, with options of the command line as its remedy."""
    if not isinstance(error, UnknownModel):
        return str(error)
    hint = f"did you mean {', '.join(error.near)}? " if error.near else ""
    return f"model {error.model!r} is unknown; {hint}{any_other}"
