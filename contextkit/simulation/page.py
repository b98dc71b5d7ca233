"""A simulation as a page: prices, requests over time, the table."""

from __future__ import annotations

from contextkit.pages import Bar, Section, bars, document, lines, table
from contextkit.simulation.results import HEADINGS, Replay, Simulation

_POINTS = 400
"""Points of a line; more would be narrower than a pixel."""


def page(simulation: Simulation, title: str) -> str:
    """Return the whole page.

    Args:
        simulation: what to show.
        title: its heading.
    """
    sections = [
        Section("Cost", bars(_costs(simulation)), _advice(simulation)),
        Section("Requests", _requests(simulation), "Input tokens of each request."),
        Section("Strategies", _table(simulation)),
    ]
    lead = " ".join([simulation.headline(), *simulation.notes])
    return document(title, sections, lead=lead)


def _costs(simulation: Simulation) -> list[Bar]:
    """One bar a strategy: its cost, or where no price is known the tokens paid in full."""
    return [
        Bar(replay.name, *_amount(simulation, replay), colour=place % 8)
        for place, replay in enumerate(simulation.replays)
    ]


def _amount(simulation: Simulation, replay: Replay) -> tuple[float, str]:
    if replay.cost is None or simulation.price is None:
        paid = replay.input_tokens - sum(one.cached for one in replay.sent)
        return paid, f"{paid:,} tokens"
    return float(replay.cost), f"{replay.cost:.4f} {simulation.price.currency}"


def _advice(simulation: Simulation) -> str:
    low_water = simulation.low_water
    return "" if low_water is None else f"{low_water}."


def _requests(simulation: Simulation) -> str:
    series = {replay.name: _thinned(replay) for replay in simulation.replays}
    return lines(series, first="call 1", last=f"call {simulation.replays[0].calls:,}")


def _thinned(replay: Replay) -> list[int]:
    """Input tokens over time; of several requests in one point, the largest."""
    tokens = [one.tokens for one in replay.sent]
    step = -(-len(tokens) // _POINTS)
    return [max(tokens[start : start + step]) for start in range(0, len(tokens), step)]


def _table(simulation: Simulation) -> str:
    return table(HEADINGS, simulation.rows(), numeric=HEADINGS[1:])
