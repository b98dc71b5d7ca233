"""``contextkit simulate``: what a recorded session would have cost with each strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

import contextkit
from contextkit.cli.group import each_is_fine, file_options, finish, format_option, main
from contextkit.cli.reading import InputFormat, Record, records
from contextkit.cli.writing import Output, note, output_to

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


@main.command()
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
@click.option("--html", type=click.Path(dir_okay=False), help="Write charts to this page too.")
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
    r"""Replay recorded sessions call by call, and compare what each strategy would have cost.

    Every assistant message was the answer to one request. The provider's prompt cache is followed,
    so the table shows when a cut costs more than it saves.

    \b
    contextkit simulate chat.json -m gpt-4o --max-tokens 8000 -s everything -s budget:0.5
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
                _page(html, record).write_text(replayed.to_html(title=record.place), "utf-8")
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


def _page(html: str, record: Record) -> Path:
    """The page of a record: of a JSONL file, one page for each line."""
    path = Path(html)
    return path if record.line is None else path.with_stem(f"{path.stem}-{record.line}")


def _write(out: Output, record: Record, replayed: contextkit.Simulation, form: str) -> None:
    if form == "json":
        out.json({"place": record.place, **replayed.to_dict()})
    elif form == "csv":
        for replay in replayed.replays:
            out.csv((record.place, *replay.to_dict().values()))
    else:
        out.line(record.place)
        out.line(replayed.headline())
        out.table(replayed.table())
        if replayed.low_water is not None:
            out.line(f"{replayed.low_water}.")
    for remark in replayed.notes:
        note(f"{record.place}: {remark}")
