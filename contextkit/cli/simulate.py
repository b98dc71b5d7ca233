"""``contextkit simulate``: what a recorded session would have cost with each strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

import contextkit
from contextkit.cli.group import each_is_fine, examples, file_options, finish, format_option, main
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import Output, note, output_to, write_page

_MAKERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "budget": ("low_water", lambda v: contextkit.TokenBudget(low_water=float(v or 1))),
    "window": ("turns", lambda v: contextkit.FixedWindow(turns=int(v or 10))),
    "messages": ("messages", lambda v: contextkit.FixedWindow(messages=int(v or 20))),
    "summary": ("keep_turns", lambda v: contextkit.SummaryCompression(keep_turns=int(v or 4))),
    "recall": ("max_tokens", lambda v: contextkit.RecallRelevant(max_tokens=int(v or 1_000))),
    "tool-results": (
        "max_tokens",
        lambda v: contextkit.TruncateToolResults(max_tokens=int(v or 2_000)),
    ),
}
"""What a name makes of the number behind its colon, and what that number is called."""

_EVERYTHING = "everything"

_COLUMNS = (
    "strategy",
    "calls",
    "input_tokens",
    "cached_share",
    "unchanged_share",
    "unchanged_share_when_full",
    "held_share_when_full",
    "written_tokens",
    "cost",
    "largest",
    "over",
    "visible",
)


class _StrategyType(click.ParamType[tuple[str, contextkit.Strategy | None]]):
    """``budget:0.5``, or several in a row: ``tool-results:2000+budget:0.5``."""

    name = "strategy"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, contextkit.Strategy | None]:
        if value == _EVERYTHING:
            return value, None
        steps = [self._step(part, param, ctx) for part in str(value).split("+")]
        return str(value), steps[0] if len(steps) == 1 else contextkit.chain(*steps)

    def _step(
        self, part: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> contextkit.Strategy:
        name, _, number = part.partition(":")
        if name not in _MAKERS:
            self.fail(f"{name!r} is none of {_EVERYTHING}, {', '.join(_MAKERS)}", param, ctx)
        option, make = _MAKERS[name]
        try:
            made: contextkit.Strategy = make(number)
        except ValueError:
            self.fail(f"{part!r}: {number!r} is no possible {option}", param, ctx)
        return made


@main.command(
    epilog=examples(
        "contextkit simulate chat.json -m gpt-4o --max-tokens 8000",
        "contextkit simulate chat.json -m gpt-4o -s everything -s budget:0.5",
        "contextkit simulate talks.jsonl -m claude-sonnet-4-5 --html costs.html",
    )
)
@file_options
@click.option("-m", "--model", help="Who was asked; default: the request body's.")
@click.option(
    "-s",
    "--strategy",
    "strategies",
    multiple=True,
    type=_StrategyType(),
    help="everything, budget:LOW_WATER, window:TURNS, messages:N, summary:TURNS, recall:TOKENS, "
    "tool-results:TOKENS; several joined by + are one. May be repeated. Default: everything, "
    "budget:1 and budget:0.5.",
)
@click.option(
    "--cache",
    default="auto",
    show_default=True,
    help="Rules of the prompt cache: auto, none, anthropic-5m, anthropic-1h, openai, deepseek ...",
)
@click.option("--max-tokens", type=int, help="Most input tokens of a request; default: the window.")
@click.option("--pause", type=float, default=0.0, help="Seconds between two requests.")
@click.option("--at", type=click.DateTime(), help="At the prices of this moment (UTC).")
@click.option("--currency", default="USD", show_default=True, help="USD, or CNY (list prices).")
@click.option(
    "--prices",
    type=click.Path(exists=True, dir_okay=False),
    help="Your own prices (TOML), asked first.",
)
@click.option(
    "--unknown",
    type=click.Choice(["raise", "none"]),
    default="raise",
    show_default=True,
    help="Without a price: an error, or leave the cost out.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False),
    help="Write a page with charts too; of JSONL one for each line, with its number.",
)
@format_option("text", "json", "csv")
def simulate(
    file: str,
    input_format: InputFormat,
    output: str | None,
    model: str | None,
    strategies: tuple[tuple[str, contextkit.Strategy | None], ...],
    html: str | None,
    form: str,
    **options: Any,
) -> None:
    """Replay recorded sessions, and compare strategies.

    Every assistant message was the answer to one request. The provider's prompt cache is followed,
    so the table shows when a cut costs more than it saves.

    input: tokens of all requests. cached: share of them that the cache serves. held: once the
    window is full, share of the older tokens that start a request as they did the one before.
    written: tokens written to the cache at a price. cost: of requests and answers. largest: tokens
    of the longest request. over: requests longer than the limit. visible: mean share of the history
    that is sent.
    """
    options["source"] = options.pop("prices")
    chosen = dict(strategies or [_usual(text) for text in (_EVERYTHING, "budget:1", "budget:0.5")])
    with output_to(output) as out:
        if form == "csv":
            out.csv(("place", *_COLUMNS))

        def work(record: Record) -> bool:
            replayed = _simulated(record, model, chosen, options)
            _write(out, record, replayed, form)
            if html is not None:
                page = replayed.to_html(title=record.place)
                write_page(html, record.line, record.place, page)
            return True

        fine = each_is_fine(records(file, input_format), work)
    finish(fine)


def _usual(text: str) -> tuple[str, contextkit.Strategy | None]:
    return _StrategyType().convert(text, None, None)


def _simulated(
    record: Record,
    model: str | None,
    strategies: Mapping[str, contextkit.Strategy | None],
    options: dict[str, Any],
) -> contextkit.Simulation:
    body = record.body if isinstance(record.body, dict) else {}
    named = model or body.get("model")
    if not isinstance(named, str):
        raise click.UsageError("pass -m: the file names no model")
    messages, tools = record.messages, body.get("tools")
    return contextkit.simulate(messages, model=named, strategies=strategies, tools=tools, **options)


def _write(out: Output, record: Record, replayed: contextkit.Simulation, form: str) -> None:
    if form == "json":
        out.json({"place": record.place, **replayed.to_dict()})
    elif form == "csv":
        for replay in replayed.replays:
            out.csv((record.place, *replay.to_dict().values()))
    else:
        out.line(f"{record.place}: {replayed.headline()}\n")
        out.table(replayed.table())
        if replayed.low_water is not None:
            out.line(f"\n{replayed.low_water}.")
        out.line("")
    for remark in replayed.notes:
        note(f"{record.place}: {remark}")
