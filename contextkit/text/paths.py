"""The best path through the kinds of the lines of a text (Viterbi's algorithm)."""

from __future__ import annotations

import sys
from collections.abc import Mapping

KINDS = ("prose", "markdown", "code", "shell", "yaml", "config", "xml", "log", "json", "math")
"""What single lines are weighed between; on a draw the first wins."""

_CHANGE = 2.2
"""Evidence that has to speak for another kind before a text is said to change to it."""


class Path:
    """Finds the kind of each line so that evidence less changes is greatest.

    A kind that is a change behind the best one, or more, has nothing to remember: should the text
    be of that kind later, it changes to it from the best one there. So while all other kinds are
    that far behind, a line that speaks most for the best one need not be added.

    Example:
        >>> path = Path()
        >>> for line, weights in enumerate([{"prose": 3.0}, {"code": 3.0}, {"code": 2.5}]):
        ...     path.add(line, weights)
        >>> path.runs(0)
        [(0, 'prose'), (1, 'code')]
    """

    __slots__ = ("_changes", "_points", "best", "far_ahead")

    def __init__(self) -> None:
        self.best = KINDS[0]
        self.far_ahead = False
        self._points = dict.fromkeys(KINDS, 0.0)
        self._changes: dict[str, list[tuple[int, str]]] = {}

    def add(self, line: int, weights: Mapping[str, float]) -> None:
        """Weigh the line of number ``line`` by what it speaks for."""
        points, best = self._points, self.best
        most = points[best]
        bar = most - _CHANGE
        for kind, weight in weights.items():
            reached = points[kind]
            if reached < bar:
                self._changes.setdefault(kind, []).append((line, self.best))
                reached = bar
            points[kind] = reached = reached + weight
            if reached > most:
                best, most = kind, reached
        self.best = best
        self.far_ahead = sum(map((most - _CHANGE).__lt__, points.values())) == 1

    def runs(self, first: int) -> list[tuple[int, str]]:
        """Return the first line and the kind of each run of lines, from line ``first`` on."""
        found: list[tuple[int, str]] = []
        left = {kind: list(changes) for kind, changes in self._changes.items()}
        kind, begins = self.best, sys.maxsize
        while True:
            led = left.get(kind, [])
            while led and led[-1][0] >= begins:
                led.pop()
            if not led:
                return [(first, kind), *reversed(found)]
            begins, before = led.pop()
            found.append((begins, kind))
            kind = before
