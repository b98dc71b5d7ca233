"""``contextkit trim``: cut histories down to what fits."""

from __future__ import annotations

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
from contextkit.cli.writing import Output, note, output_to

_STEP_COLUMNS = ("action", "start", "stop", "tokens_before", "tokens_after", "reason", "by")


@main.command(
    epilog=examples(
        "contextkit trim history.json --max-tokens 8000 -o smaller.json",
        "contextkit trim request.json -m gpt-4o --reserve-output 4096 --explain",
        "contextkit trim history.json --turns 10 --format text",
        "contextkit trim talks.jsonl -s summary -s budget --max-tokens 8000 -q",
    )
)
@file_options
@model_option
@encoding_option
@click.option("--max-tokens", type=int, help="Most input tokens of the whole request.")
@click.option(
    "--reserve-output",
    type=int,
    default=0,
    help="Tokens of the window that are left for the answer.",
)
@click.option("--margin", type=int, default=0, help="Tokens to keep free for safety.")
@click.option(
    "-s",
    "--strategy",
    "strategies",
    multiple=True,
    type=click.Choice(["budget", "window", "tool-results", "summary", "recall"]),
    help="What to do, in this order; may be repeated. Without it: a window when --turns or "
    "--messages is given, and a budget when a limit is known.",
)
@click.option("--turns", type=int, help="window: user turns to keep.")
@click.option("--messages", type=int, help="window: most messages to keep.")
@click.option(
    "--low-water",
    type=float,
    default=1.0,
    show_default=True,
    help="budget: cut down to this share of the limit, so that the next cut is far.",
)
@click.option(
    "--keep-turns",
    type=int,
    default=4,
    show_default=True,
    help="summary: newest turns that stay as they are.",
)
@click.option(
    "--summary-tokens",
    type=int,
    default=800,
    show_default=True,
    help="summary: most tokens of the memory.",
)
@click.option(
    "--recall-tokens",
    type=int,
    default=1_000,
    show_default=True,
    help="recall: most tokens brought back.",
)
@click.option(
    "--result-tokens",
    type=int,
    default=2_000,
    show_default=True,
    help="tool-results: most tokens of one result.",
)
@click.option(
    "--on-overflow",
    type=click.Choice(["raise", "truncate"]),
    default="raise",
    show_default=True,
    help="When even what has to stay is too long: fail, or cut its longest texts in the middle.",
)
@click.option(
    "--pin",
    type=int,
    multiple=True,
    help="Index of a message that stays, from 0; may be repeated.",
)
@click.option("--explain", is_flag=True, help="Print every decision to standard error.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the number of tokens that are left.")
@format_option("messages", "text", "json", "csv")
def trim(
    file: str,
    input_format: InputFormat,
    output: str | None,
    form: str,
    quiet: bool,
    explain: bool,
    pin: tuple[int, ...],
    **options: Any,
) -> None:
    """Cut histories down to what fits.

    The limit is --max-tokens, or the window of the model that -m or the request body names.

    Prints the messages to send, in the shape they came in: a list, or the request body with its
    other keys. A body of another API comes out in its own format. --format text explains every
    decision instead, json and csv list them.
    """
    with output_to(output) as out:
        if form == "csv" and not quiet:
            out.csv(("place", *_STEP_COLUMNS))

        def work(record: Record) -> bool:
            result = _trimmed(record, pin, options)
            if explain:
                note(f"{record.place}: {result.explain()}")
            _write_trimmed(out, record, result, "quiet" if quiet else form)
            return True

        fine = each_is_fine(records(file, input_format), work)
    finish(fine)


def _trimmed(
    record: Record, pin: tuple[int, ...], options: dict[str, Any]
) -> contextkit.TrimResult:
    request = record.request
    names_model = isinstance(request, dict) and request.get("model") is not None
    limited = options["max_tokens"] is not None or options["model"] is not None or names_model
    return contextkit.trim(
        request,
        model=options["model"],
        max_tokens=options["max_tokens"],
        strategy=_strategy(options, limited),
        reserve_output=options["reserve_output"],
        margin=options["margin"],
        on_overflow=options["on_overflow"],
        encoding=options["encoding"],
        pin=pin,
    )


def _strategy(options: dict[str, Any], limited: bool) -> contextkit.Strategy:
    names = list(options["strategies"])
    if not names:
        windowed = options["turns"] is not None or options["messages"] is not None
        names = ["window"] * windowed + ["budget"] * limited
    if not limited and ("budget" in names or not names):
        raise click.UsageError(
            "no limit is known; pass --max-tokens, -m for the window of a model, or --turns"
        )
    return contextkit.chain(*(_named_strategy(name, options) for name in names))


def _named_strategy(name: str, options: dict[str, Any]) -> contextkit.Strategy:
    if name == "window":
        return contextkit.FixedWindow(turns=options["turns"], messages=options["messages"])
    if name == "summary":
        return contextkit.SummaryCompression(
            keep_turns=options["keep_turns"], max_summary_tokens=options["summary_tokens"]
        )
    if name == "recall":
        return contextkit.RecallRelevant(max_tokens=options["recall_tokens"])
    if name == "tool-results":
        return contextkit.TruncateToolResults(max_tokens=options["result_tokens"])
    return contextkit.TokenBudget(low_water=options["low_water"])


def _write_trimmed(out: Output, record: Record, result: contextkit.TrimResult, form: str) -> None:
    if form == "messages":
        indent = None if record.line else 1
        sent = result.body if isinstance(record.body, dict) else result.messages
        out.json(sent, indent=indent)
    elif form == "text":
        place = f"{record.place}: " if record.line else ""
        out.line(place + result.explain().rstrip("\n"))
    elif form == "json":
        out.json({"place": record.place, **result.to_dict()})
    elif form == "csv":
        for step in result.to_dict()["steps"]:
            out.csv((record.place, *(step[column] for column in _STEP_COLUMNS)))
    else:
        out.line(str(result.tokens))
