"""``contextkit cost``: what requests cost, from logs or before they are sent."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import click

import contextkit
from contextkit.cli.group import finish, format_option, main
from contextkit.cli.logs import Logged, files_of, logged
from contextkit.cli.reading import Record, UnreadableInput
from contextkit.cli.writing import Output, columns, note, output_to
from contextkit.errors import MessageError, OptionError, TokenizerMissing, UnknownModel

_BAR_FROM = 20
"""Files from which on a folder gets a progress bar."""

_FAULTS = (
    MessageError,
    OptionError,
    TokenizerMissing,
    UnknownModel,
    UnreadableInput,
    contextkit.UnknownPrice,
)

_COLUMNS = ("model", "day", "calls", "input", "cached", "written", "output", "cost", "currency")


@main.command()
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
@format_option("text", "json", "csv")
def cost(
    file: str | None,
    tokens: int | None,
    model: str | None,
    output: str | None,
    quiet: bool,
    form: str,
    **options: Any,
) -> None:
    r"""Price requests: usage records, responses, logged sessions, histories, or a number of tokens.

    FILE is JSON or JSONL with usages or responses anywhere in it, a history or request body (priced
    as it would be sent), or a folder of such files. Sums are shown per model and per day.

    \b
    contextkit cost --tokens 12000 --output-tokens 500 -m gpt-4o
    contextkit cost response.json
    contextkit cost logs/ --format csv
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
    ledger = _Ledger(model, asked)
    if tokens is not None:
        ledger.add(Logged("tokens", tokens, None, None, ""))
    else:
        with _watched(files_of(str(file))) as files:
            for path in files:
                ledger.read(path)
    with output_to(output) as out:
        _write(out, ledger, "quiet" if quiet else form)
    finish(ledger.fine)


@dataclass(slots=True)
class _Line:
    """What one model took on one day."""

    calls: int = 0
    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    cost: Decimal = Decimal(0)

    def add(self, priced: contextkit.Cost) -> None:
        self.calls += 1
        self.input += priced.usage.input
        self.cached += priced.usage.cache_read
        self.written += priced.usage.written
        self.output += priced.usage.output
        self.cost += priced.total


class _Ledger:
    """The sums, and the one cost where there is only one."""

    def __init__(self, model: str | None, options: dict[str, Any]) -> None:
        self._model = model
        self._options = options
        self.currency = options["currency"]
        self.lines: dict[tuple[str, str], _Line] = {}
        self.only: contextkit.Cost | None = None
        self.fine = True

    def read(self, path: str) -> None:
        """Add everything in a file; faults are noted and the next file is read."""
        try:
            for found in logged(path):
                if isinstance(found, Record):
                    self._fault(found.place, str(found.fault))
                else:
                    self.add(found)
        except UnreadableInput as error:
            self._fault(path, str(error))

    def add(self, found: Logged) -> None:
        try:
            priced = self._priced(found)
        except _FAULTS as error:
            self._fault(found.place, str(error))
            return
        for remark in priced.notes:
            note(f"{found.place}: {remark}")
        day = found.at.date().isoformat() if found.at else ""
        name = self._model or found.model or ""
        self.only = priced if not self.lines else None
        self.lines.setdefault((name, day), _Line()).add(priced)

    @property
    def total(self) -> Decimal:
        return sum((line.cost for line in self.lines.values()), Decimal(0))

    def _priced(self, found: Logged) -> contextkit.Cost:
        model = self._model or found.model
        if model is None:
            raise UnreadableInput("nothing says which model was asked; pass -m")
        options = dict(self._options)
        at: datetime | None = options.pop("at") or found.at
        if not _is_to_be_sent(found.what):
            options["output_tokens"] = 0
        priced: contextkit.Cost = contextkit.cost(found.what, model=model, at=at, **options)
        return priced

    def _fault(self, place: str, fault: str) -> None:
        note(f"{place}: {fault}")
        self.fine = False


def _is_to_be_sent(what: Any) -> bool:
    if isinstance(what, dict):
        return any(key in what for key in ("messages", "contents", "input"))
    return True


def _write(out: Output, ledger: _Ledger, form: str) -> None:
    if form == "quiet":
        out.line(f"{ledger.total:f}")
    elif form == "json":
        out.json(_plain(ledger))
    elif form == "csv":
        out.csv(_COLUMNS)
        for row in _rows(ledger):
            out.csv(row)
    elif ledger.only is not None:
        _write_one(out, ledger.only)
    elif ledger.lines:
        _write_sums(out, ledger)


def _plain(ledger: _Ledger) -> dict[str, Any]:
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in _rows(ledger)]
    whole: dict[str, Any] = {"total": f"{ledger.total:f}", "currency": ledger.currency}
    if ledger.only is not None:
        whole["request"] = ledger.only.to_dict()
    return {**whole, "lines": rows}


def _rows(ledger: _Ledger) -> Iterator[tuple[Any, ...]]:
    for (model, day), line in sorted(ledger.lines.items()):
        tokens = (line.input, line.cached, line.written, line.output)
        yield (model, day, line.calls, *tokens, f"{line.cost:f}", ledger.currency)


def _write_one(out: Output, priced: contextkit.Cost) -> None:
    price = priced.price
    table = columns("class", "tokens", "per million", "amount", numeric=("tokens", "per million"))
    for part in priced.parts:
        table.add_row(part.name, f"{part.tokens:,}", f"{part.rate:f}", f"{part.amount:f}")
    table.add_section()
    tokens = priced.usage.input + priced.usage.output
    table.add_row("all", f"{tokens:,}", "", f"{priced.total:f} {priced.currency}")
    out.table(table)
    tier = f", above {priced.above:,} tokens" if priced.above else ""
    out.line(f"{price.provider} {price.model}, {price.service}{tier}")
    out.line(f"{price.source}, {price.age()} days old")


def _write_sums(out: Output, ledger: _Ledger) -> None:
    table = columns(*_COLUMNS, numeric=_COLUMNS[2:-1])
    for model, day, *numbers, amount, currency in _rows(ledger):
        table.add_row(model, day, *(f"{n:,}" for n in numbers), amount, currency)
    if len(ledger.lines) > 1:
        lines = ledger.lines.values()
        sums = (sum(getattr(line, name) for line in lines) for name in _COLUMNS[2:-2])
        table.add_section()
        table.add_row("all", "", *(f"{n:,}" for n in sums), f"{ledger.total:f}", ledger.currency)
    out.table(table)


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
