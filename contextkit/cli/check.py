"""``contextkit check``: name the faults for which a server refuses a history."""

from __future__ import annotations

import contextkit
from contextkit.cli.group import each_is_fine, file_options, finish, format_option, main
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import output_to

_COLUMNS = ("place", "index", "code", "severity", "id", "message", "remedy")


@main.command()
@file_options
@format_option("text", "json", "csv")
def check(file: str, input_format: InputFormat, output: str | None, form: str) -> None:
    """Name the faults for which a server refuses a history.

    One line a fault: where, its code, what is wrong, what to do. "risky" faults are taken by OpenAI
    but not by stricter servers; they do not change the exit status.
    """
    with output_to(output) as out:
        if form == "csv":
            out.csv(_COLUMNS)

        def work(record: Record) -> bool:
            problems = contextkit.check(record.messages)
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
            return all(problem.severity != "rejected" for problem in problems)

        fine = each_is_fine(records(file, input_format), work)
    finish(fine)


def _fields(record: Record, problem: contextkit.Problem) -> dict[str, object]:
    return {key: record.place if key == "place" else getattr(problem, key) for key in _COLUMNS}
