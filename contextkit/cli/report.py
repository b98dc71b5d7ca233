"""``contextkit report``: where the tokens of histories go."""

from __future__ import annotations

from pathlib import Path

import click

import contextkit
from contextkit.cli.group import (
    each_is_fine,
    encoding_option,
    file_options,
    finish,
    format_option,
    main,
    model_option,
)
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import Output, note, output_to
from contextkit.errors import OptionError


@main.command()
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
@click.option("--html", type=click.Path(), help="Write a page to this file; several are numbered.")
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
    """Show where the tokens go: by role, turn, language, content type and tool."""
    dimensions = tuple(name.strip() for name in by.split(",")) if by else None
    most = dict(map(_limit, limits))
    pages = 0

    def work(record: Record) -> bool:
        nonlocal pages
        found = contextkit.report(
            record.request, model=model, encoding=encoding, max_tokens=max_tokens, limits=most
        )
        _write(out, record, found, form, dimensions)
        if html:
            pages += 1
            _write_page(html, pages, record, found)
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
        out.line((found.to_csv(by) if by else found.to_csv()).rstrip("\n"))
    else:
        out.line(f"{record.place}: {found.table(by)}")


def _write_page(html: str, number: int, record: Record, found: contextkit.Report) -> None:
    path = Path(html)
    if number > 1:
        path = path.with_name(f"{path.stem}-{number}{path.suffix}")
    path.write_text(found.to_html(record.place), encoding="utf-8")
    note(f"{record.place}: wrote {path}")
