"""``contextkit repair``: mend histories that a server would refuse."""

from __future__ import annotations

from typing import Any, Literal

import click

import contextkit
from contextkit.cli.check import checkable, provider_option
from contextkit.cli.group import each_is_fine, examples, file_options, finish, format_option, main
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import Output, note, output_to

_COLUMNS = ("place", "index", "code", "id", "what")


@main.command(
    epilog=examples(
        "contextkit repair history.json --format text",
        "contextkit repair talks.jsonl --provider mistral -o mended.jsonl",
    )
)
@file_options
@provider_option
@click.option(
    "--unanswered",
    type=click.Choice(["placeholder", "remove"]),
    default="placeholder",
    show_default=True,
    help="What becomes of a call without result.",
)
@format_option("messages", "text", "json", "csv")
def repair(
    file: str,
    input_format: InputFormat,
    output: str | None,
    provider: str | None,
    unanswered: Literal["placeholder", "remove"],
    form: str,
) -> None:
    """Mend histories that a server would refuse.

    Prints the messages to send, in the shape they came in; --format text, json and csv list what
    was changed instead. What cannot be mended is named on standard error, and the exit status is 1.
    Histories are chat messages, or lists and bodies in the provider's own format.
    """
    with output_to(output) as out:
        if form == "csv":
            out.csv(_COLUMNS)

        def work(record: Record) -> bool:
            mended = contextkit.repair(checkable(record), provider=provider, unanswered=unanswered)
            _write(out, record, mended, form)
            left = [problem for problem in mended.problems if problem.severity == "rejected"]
            for problem in left:
                note(f"{record.place}: left: {problem}")
            return not left

        fine = each_is_fine(records(file, input_format), work)
    finish(fine)


def _write(out: Output, record: Record, mended: contextkit.RepairResult, form: str) -> None:
    if form == "messages":
        out.json(_shaped(record, mended), indent=None if record.line else 1)
    elif form == "text" and not mended.changed:
        out.line(f"{record.place}: nothing to mend")
    else:
        for change in mended.changes:
            _write_change(out, record, change, form)


def _shaped(record: Record, mended: contextkit.RepairResult) -> Any:
    """The mended messages in the shape in which the record came."""
    is_other_body = isinstance(record.body, dict) and "messages" not in record.body
    return mended.body if is_other_body else record.with_messages(mended.messages)


def _write_change(out: Output, record: Record, change: contextkit.Change, form: str) -> None:
    if form == "text":
        out.line(f"{record.place}: {change}")
        return
    row = {key: record.place if key == "place" else getattr(change, key) for key in _COLUMNS}
    if form == "json":
        out.json(row)
    else:
        out.csv(["" if value is None else value for value in row.values()])
