"""``contextkit count``: the input tokens of histories and request bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

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
from contextkit.cli.writing import Output, columns, note, output_to
from contextkit.counting.requests import read_request


@main.command(
    epilog=examples(
        "contextkit count request.json -m gpt-4o --explain",
        "contextkit count talks.jsonl --max-tokens 8000 --format csv",
        "contextkit sample | contextkit count - -q",
    )
)
@file_options
@model_option
@encoding_option
@click.option("--max-tokens", type=int, help="Exit with status 1 when a history has more.")
@click.option("--explain", is_flag=True, help="Show where the tokens are, message by message.")
@click.option("-q", "--quiet", is_flag=True, help="Print a bare number for each history.")
@format_option("text", "json", "csv")
def count(
    file: str,
    input_format: InputFormat,
    output: str | None,
    model: str | None,
    encoding: str | None,
    max_tokens: int | None,
    explain: bool,
    quiet: bool,
    form: str,
) -> None:
    """Count the input tokens of histories or request bodies.

    The number is what the provider bills for the request: messages, their framing, tools and
    priming (the tokens that open the answer). "exact" and "reconstructed" (tools, calls, schemas)
    follow the provider's own rules; an "estimate" comes with its range.
    """
    rows: list[tuple[Record, contextkit.Count]] = []
    with output_to(output) as out:
        write = _count_writer(out, "quiet" if quiet else form, explain)

        def work(record: Record) -> bool:
            counted = _counted(record, model, encoding)
            rows.append((record, counted)) if write is None else write(record, counted)
            return _within(record, counted, max_tokens)

        fine = each_is_fine(records(file, input_format), work)
        if write is None:
            _write_count_table(out, rows, explain)
    finish(fine)


def _counted(record: Record, model: str | None, encoding: str | None) -> contextkit.Count:
    return contextkit.count(record.request, model=model, encoding=encoding)


def _within(record: Record, counted: contextkit.Count, max_tokens: int | None) -> bool:
    if max_tokens is None or counted <= max_tokens:
        return True
    note(f"{record.place}: {int(counted):,} tokens are over the limit of {max_tokens:,}")
    return False


def _count_writer(
    out: Output, form: str, explain: bool
) -> Callable[[Record, contextkit.Count], None] | None:
    """Return what writes one count as it comes; None where a table is drawn at the end."""
    if form == "text":
        return None
    if form == "quiet":
        return lambda record, counted: out.line(str(int(counted)))
    if form == "csv":
        out.csv(("place", "part", "message", "tokens", "low", "high", "method"))
        return lambda record, counted: _write_count_rows(out, record, counted, explain)
    return lambda record, counted: out.json(_count_dict(record, counted, explain))


def _write_count_rows(
    out: Output, record: Record, counted: contextkit.Count, explain: bool
) -> None:
    for part in counted.parts if explain else ():
        low, high = max(0, part.tokens - part.margin), part.tokens + part.margin
        row = (record.place, part.name, part.index, part.tokens, low, high, part.method)
        out.csv(["" if value is None else value for value in row])
    total = (int(counted), counted.low, counted.high, counted.method)
    out.csv((record.place, "total", "", *total))


def _count_dict(record: Record, counted: contextkit.Count, explain: bool) -> dict[str, Any]:
    total = {
        "place": record.place,
        "tokens": int(counted),
        "low": counted.low,
        "high": counted.high,
        "method": counted.method,
    }
    if explain:
        total["parts"] = [
            {"name": p.name, "message": p.index, "tokens": p.tokens, "method": p.method}
            for p in counted.parts
        ]
    return total


def _write_count_table(
    out: Output, rows: list[tuple[Record, contextkit.Count]], explain: bool
) -> None:
    table = columns("history", "messages", "tokens", "method", numeric=("messages", "tokens"))
    for record, counted in rows:
        span = "" if counted.low == counted.high else f" ({counted.low:,} to {counted.high:,})"
        messages = sum(part.index is not None for part in counted.parts)
        table.add_row(record.place, f"{messages:,}", f"{int(counted):,}{span}", counted.method)
        for name, part in _named_parts(record, counted) if explain else ():
            table.add_row(f"  {name}", "", f"{part.tokens:,}", part.method)
    if len(rows) > 1:
        messages = sum(part.index is not None for _, counted in rows for part in counted.parts)
        table.add_section()
        table.add_row("all", f"{messages:,}", f"{sum(counted for _, counted in rows):,}", "")
    if rows:
        out.table(table)


def _named_parts(
    record: Record, counted: contextkit.Count
) -> Iterator[tuple[str, contextkit.Part]]:
    """The parts of a count, messages by index and role."""
    roles = read_request(record.request)[0].history.roles
    for part in counted.parts:
        yield part.name if part.index is None else f"{part.index} {roles[part.index]}", part
