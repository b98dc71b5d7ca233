"""``contextkit report``: where the tokens of histories go."""

from __future__ import annotations

import csv

import click

import contextkit
from contextkit.cli.group import (
    each_is_fine,
    encoding_option,
    examples,
    file_options,
    finish,
    format_option,
    main,
    model_option,
)
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import Output, note, output_to, write_page
from contextkit.errors import OptionError
from contextkit.options import whole_number


@main.command(
    epilog=examples(
        "contextkit report history.json -m gpt-4o",
        "contextkit report request.json --by language,content --format csv",
        'contextkit report history.json --limit "tool result=0.4"',
        "contextkit report history.json -m gpt-4o --html report.html",
    )
)
@file_options
@model_option
@encoding_option
@click.option("--max-tokens", type=int, help="The limit to report against; default: the window.")
@click.option("--by", help='Group by these: "role", "language,content" crossed, "turn", "tool" ...')
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="KIND=MOST",
    help='Exit with status 1 above it: "tool result=0.4" (a share), "language:zh=20000" (tokens).',
)
@click.option(
    "--html",
    type=click.Path(),
    help="Write a page too; of JSONL one for each line, with its number.",
)
@format_option("text", "json", "csv")
def report(
    file: str,
    input_format: InputFormat,
    output: str | None,
    model: str | None,
    encoding: str | None,
    max_tokens: int | None,
    by: str | None,
    limits: tuple[str, ...],
    html: str | None,
    form: str,
) -> None:
    """Show how full the window is, and with what.

    Tokens are grouped by role, turn, language, content type and tool, or by several of these
    crossed. "of limit" is their share of --max-tokens, or of the window of the model.
    """
    if max_tokens is not None:
        whole_number("max_tokens", max_tokens, 1)
    dimensions = tuple(name.strip() for name in by.split(",")) if by else None
    most = dict(map(_limit, limits))

    def work(record: Record) -> bool:
        found = contextkit.report(
            record.request, model=model, encoding=encoding, max_tokens=max_tokens, limits=most
        )
        _write(out, record, found, form, dimensions)
        if html:
            write_page(html, record.line, record.place, found.to_html(record.place))
        return not found.exceeded

    with output_to(output) as out:
        fine = each_is_fine(records(file, input_format), work)
    finish(fine)


def _limit(words: str) -> tuple[str, float]:
    kind, _, most = words.rpartition("=")
    try:
        return kind, float(most) if "." in most else int(most)
    except ValueError:
        found = f"{words!r} is no KIND=MOST"
        raise OptionError(
            "--limit", found, 'write "tool result=0.4" or "language:zh=20000"'
        ) from None


def _write(
    out: Output,
    record: Record,
    found: contextkit.Report,
    form: str,
    by: tuple[str, ...] | None,
) -> None:
    if form == "json":
        out.json({"place": record.place, **found.to_dict()})
    elif form == "csv":
        _write_csv(out, record, found.to_csv(by) if by else found.to_csv())
    else:
        out.line(f"{record.place}: {found.table(by)}")
    for over in found.exceeded if form != "text" else ():
        note(f"{record.place}: over its limit: {over}")


def _write_csv(out: Output, record: Record, table: str) -> None:
    """Write the lines of a report behind the place of their history, below one line of headings."""
    headings, *rows = csv.reader(table.splitlines())
    if out.is_empty:
        out.csv(("place", *headings))
    for row in rows:
        out.csv((record.place, *row))
