"""``contextkit cost``: what requests cost, from logs or before they are sent."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import click

import contextkit
from contextkit.cli.bill_page import bill_page
from contextkit.cli.bills import COLUMNS, Bill
from contextkit.cli.group import examples, finish, format_option, main
from contextkit.cli.logs import Logged, files_of
from contextkit.cli.writing import Output, columns, note, output_to, write_page

_BAR_FROM = 20
"""Files from which on a folder gets a progress bar."""


@main.command(
    epilog=examples(
        "contextkit cost --tokens 12000 --output-tokens 500 -m gpt-4o",
        "contextkit cost response.json",
        "contextkit cost logs/ --html costs.html",
    )
)
@click.argument("file", required=False, type=click.Path(exists=True, allow_dash=True))
@click.option("--tokens", type=click.IntRange(0), help="Price this many input tokens, no file.")
@click.option("--output-tokens", type=click.IntRange(0), default=0, help="Length of the answer.")
@click.option("-m", "--model", help="Who was asked; default: what the log says.")
@click.option("--at", type=click.DateTime(), help="When (UTC); default: what the log says, or now.")
@click.option("--currency", default="USD", show_default=True, help="USD, or CNY (list prices).")
@click.option("--batch", is_flag=True, help="At the prices of the batch interface.")
@click.option("--service", help='"flex", "priority" ...; default: what the log says.')
@click.option(
    "--prices",
    type=click.Path(exists=True, dir_okay=False),
    help="Your own prices (TOML), asked first.",
)
@click.option("-o", "--output", type=click.Path(), help="Write the results to this file.")
@click.option("-q", "--quiet", is_flag=True, help="Print the bare sum.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write a page with charts too.")
@format_option("text", "json", "csv")
def cost(
    file: str | None,
    tokens: int | None,
    model: str | None,
    output: str | None,
    quiet: bool,
    html: str | None,
    form: str,
    **options: Any,
) -> None:
    """Price requests, logged sessions or a number of tokens.

    FILE is JSON or JSONL with usages or responses anywhere in it, a history or request body (priced
    as it would be sent), or a folder of such files. Sums are shown per model and per day.
    """
    if (file is None) == (tokens is None):
        raise click.UsageError("pass FILE, or --tokens with -m")
    asked = {
        "at": options["at"],
        "currency": options["currency"],
        "batch": options["batch"],
        "service": options["service"],
        "source": options["prices"],
        "output_tokens": options["output_tokens"],
    }
    bill = Bill(model, asked)
    if tokens is not None:
        bill.add(Logged(f"--tokens {tokens}", tokens, None, None))
    else:
        with _watched(_files(str(file))) as files:
            for path in files:
                bill.read(path)
    if bill.passed_over:
        note(f"{file}: {bill.passed_over:,} lines without a usage were passed over")
    with output_to(output) as out:
        _write(out, bill, "quiet" if quiet else form)
    if html is not None:
        write_page(html, None, str(file), bill_page(bill, str(file or "Cost")))
    finish(bill.fine)


def _files(path: str) -> list[str]:
    files = files_of(path)
    if not files:
        raise click.UsageError(f"{path} holds no .json, .jsonl or .ndjson file (.gz or not)")
    return files


def _write(out: Output, bill: Bill, form: str) -> None:
    if form == "quiet":
        out.line(f"{bill.total:f}")
    elif form == "json":
        out.json(bill.to_dict())
    elif form == "csv":
        out.csv(COLUMNS)
        for row in bill.rows():
            out.csv(row)
    elif bill.only is not None:
        _write_one(out, bill.only)
    elif bill.lines:
        _write_sums(out, bill)


def _write_one(out: Output, priced: contextkit.Cost) -> None:
    price = priced.price
    unit = f"{priced.currency} per million"
    headings = ("class", "tokens", unit, priced.currency)
    table = columns(*headings, numeric=headings[1:])
    amounts = _aligned([*(part.amount for part in priced.parts), priced.total])
    rates = _aligned([part.rate for part in priced.parts])
    for part, rate, amount in zip(priced.parts, rates, amounts, strict=False):
        table.add_row(part.name, f"{part.tokens:,}", rate, amount)
    table.add_section()
    table.add_row("all", f"{priced.usage.input + priced.usage.output:,}", "", amounts[-1])
    out.table(table)
    tier = f", above {priced.above:,} tokens" if priced.above else ""
    out.line(f"{price.provider} {price.model}, {price.service}{tier}")
    out.line(f"{price.source}, {price.age()} days old")


def _write_sums(out: Output, bill: Bill) -> None:
    table = columns(*COLUMNS[:-2], bill.currency, numeric=(*COLUMNS[2:-2], bill.currency))
    rows = list(bill.rows())
    for model, day, *numbers, amount, _ in rows:
        table.add_row(model, day, *(f"{n:,}" for n in numbers), f"{Decimal(amount):,.6f}")
    if len(rows) > 1:
        sums = (sum(column) for column in list(zip(*rows, strict=True))[2:-2])
        table.add_section()
        table.add_row("all", "", *(f"{n:,}" for n in sums), f"{bill.total:,.6f}")
    out.table(table)
    for source in bill.prices():
        out.line(source)


def _aligned(amounts: Sequence[Decimal]) -> list[str]:
    """Write amounts exactly, all with as many decimals as the finest has."""
    finest = max((-int(amount.normalize().as_tuple().exponent) for amount in amounts), default=0)
    return [f"{amount:,.{max(0, finest)}f}" for amount in amounts]


@contextmanager
def _watched(files: list[str]) -> Iterator[Iterable[str]]:
    """Show how many files of a folder are read, when there are many and somebody is looking."""
    if len(files) < _BAR_FROM or not sys.stderr.isatty():
        yield files
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        yield progress.track(files, description="reading")
