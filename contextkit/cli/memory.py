"""``contextkit memory``: what summary compression would remember of a history."""

from __future__ import annotations

import contextkit
from contextkit.cli.group import each_is_fine, examples, file_options, finish, format_option, main
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import Output, columns, output_to

_COLUMNS = ("place", "kind", "key", "value", "status", "confirmed", "messages")


@main.command(
    epilog=examples(
        "contextkit memory history.json",
        "contextkit memory talks.jsonl --format csv -o remembered.csv",
    )
)
@file_options
@format_option("text", "json", "csv", "notes")
def memory(file: str, input_format: InputFormat, output: str | None, form: str) -> None:
    """Print what summary compression would remember.

    That is who the user is, confirmed facts and rules, decisions and todos, with the index and role
    of the messages that say so. Rules find them offline. --format notes prints the message that
    would stand for the history, json everything that is remembered.
    """
    with output_to(output) as out:
        if form == "csv":
            out.csv(_COLUMNS)

        def work(record: Record) -> bool:
            remembered = contextkit.remember(record.messages)
            _write(out, record, remembered, form)
            return True

        fine = each_is_fine(records(file, input_format), work)
    finish(fine)


def _write(out: Output, record: Record, remembered: contextkit.Memory, form: str) -> None:
    if form == "json":
        out.json(remembered.to_dict())
    elif form == "notes":
        out.line(remembered.render().text)
    elif form == "csv":
        for item in remembered.items:
            out.csv(_row(record, item))
    elif not remembered.items:
        out.line(f"{record.place}: nothing to remember")
    else:
        table = columns(*_COLUMNS[1:])
        for item in remembered.items:
            table.add_row(*_row(record, item)[1:])
        out.line(record.place)
        out.table(table)
        out.line("")


def _row(record: Record, item: contextkit.Item) -> tuple[str, ...]:
    key = item.key if item.subject == "user" else f"{item.key} ({item.subject})"
    said = dict.fromkeys(f"{source.message} {source.role}" for source in item.sources)
    confirmed = "yes" if item.confirmed else "no"
    return (record.place, item.kind, key, item.value, item.status, confirmed, ", ".join(said))
