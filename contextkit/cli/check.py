"""``contextkit check``: name the faults for which a server refuses a history."""

from __future__ import annotations

from typing import Any

import click

import contextkit
from contextkit.cli.group import each_is_fine, examples, file_options, finish, format_option, main
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import Output, output_to
from contextkit.diagnosis.providers import PROVIDERS

_COLUMNS = ("place", "index", "code", "severity", "id", "message", "remedy")

provider_option = click.option(
    "--provider",
    type=click.Choice(list(PROVIDERS)),
    help="Whose rules to keep; default: that of the format, openai for chat messages. strict is the"
    " chat template of an open model.",
)


@main.command(
    epilog=examples(
        "contextkit check history.json",
        "contextkit check talks.jsonl --provider anthropic --format csv",
    )
)
@file_options
@provider_option
@format_option("text", "json", "csv")
def check(
    file: str, input_format: InputFormat, output: str | None, provider: str | None, form: str
) -> None:
    """Name the faults for which a server refuses a history.

    One line a fault: where, its code, what is wrong, what to do. "risky" faults are taken by the
    provider, but mislead models or break with others; they do not change the exit status. Histories
    are chat messages, or lists and bodies in the provider's own format.
    """
    with output_to(output) as out:
        if form == "csv":
            out.csv(_COLUMNS)

        def work(record: Record) -> bool:
            problems = contextkit.check(checkable(record), provider=provider)
            _write(out, record, problems, form)
            return all(problem.severity != "rejected" for problem in problems)

        fine = each_is_fine(records(file, input_format), work)
    finish(fine)


def checkable(record: Record) -> Any:
    """The messages of a record; a body in a format that has none goes whole."""
    has_messages = isinstance(record.body, dict) and "messages" in record.body
    return record.messages if has_messages else record.request


def _write(out: Output, record: Record, problems: list[contextkit.Problem], form: str) -> None:
    for problem in problems:
        fields = _fields(record, problem)
        if form == "json":
            out.json(fields)
        elif form == "csv":
            out.csv(["" if value is None else value for value in fields.values()])
        else:
            out.line(f"{record.place}: {problem.severity}: {problem}")
    if form == "text" and not problems:
        out.line(f"{record.place}: no faults")


def _fields(record: Record, problem: contextkit.Problem) -> dict[str, object]:
    return {key: record.place if key == "place" else getattr(problem, key) for key in _COLUMNS}
