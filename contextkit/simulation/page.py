"""A simulation as a page: prices, requests over time, the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from contextkit.pages import Bar, Section, bars, document, lines, table
from contextkit.simulation.results import HEADINGS, MEANING, Replay, Simulation

_FLAT = 3
"""Times that the longest request is as long as the others, from which on they have a chart."""

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
        Section("Requests", _requests(simulation.replays), "Input tokens of each request."),
        *_fitting(simulation),
        Section("Strategies", _table(simulation), MEANING),
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


def _fitting(simulation: Simulation) -> Iterator[Section]:
    """The requests below the limit alone, where longer ones press them flat."""
    within = [replay.largest for replay in simulation.replays if not replay.over]
    longest = max(replay.largest for replay in simulation.replays)
    if within and longest > _FLAT * max(within):
        chart = _requests(simulation.replays, but=lambda replay: replay.over > 0)
        yield Section("Requests of the strategies that keep to the limit", chart)


def _requests(
    replays: Sequence[Replay], but: Callable[[Replay], bool] = lambda replay: False
) -> str:
    series = {replay.name: [] if but(replay) else _thinned(replay) for replay in replays}
    return lines(series, first="call 1", last=f"call {replays[0].calls:,}")


def _thinned(replay: Replay) -> list[int]:
    """Input tokens over time; of several requests in one point, the largest."""
    tokens = [one.tokens for one in replay.sent]
    step = -(-len(tokens) // _POINTS)
    return [max(tokens[start : start + step]) for start in range(0, len(tokens), step)]


def _table(simulation: Simulation) -> str:
    return table(HEADINGS, simulation.rows(), numeric=HEADINGS[1:])
