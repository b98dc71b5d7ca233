"""Claude's generations: what their names say, and the constants of their prompts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from contextkit.counting.anthropic_media import IMAGES, LARGE_IMAGES, ImageRule

Version = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Framing:
    """The constants of one generation, in tokens.

    Attributes:
        opening: once a request.
        sections: sections of the prompt beside those that the request brings.
        thinking: thinking is enabled, whatever its budget.
        adaptive: thinking is adaptive; 0 where that adds nothing.
        thought: around thinking that stays in the prompt (9 recordings).
        keeps_thinking: whether the thinking of finished turns stays, too.
        escapes: whether the lines of tools have escapes for all that is not ASCII.
        defers: whether tools with ``defer_loading`` cost nothing before a search finds them.
        schemas: whether it knows structured answers.
        images: how it scales images.
        settled: whether the rules for tools are confirmed by recordings.
    """

    opening: int = 1
    sections: int = 0
    thinking: int = 29
    adaptive: int = 0
    thought: int = 8
    keeps_thinking: bool = False
    escapes: bool = True
    defers: bool = True
    schemas: bool = True
    images: ImageRule = IMAGES
    settled: bool = True


_SINCE_4_6 = Framing(sections=1, thinking=27, thought=15, keeps_thinking=True, escapes=False)
_NEWEST = replace(_SINCE_4_6, images=LARGE_IMAGES, settled=False)

FRAMINGS: Sequence[tuple[Version, str, Framing]] = (
    ((4, 8), "", replace(_NEWEST, opening=0, defers=False)),
    ((4, 7), "", _NEWEST),
    ((4, 6), "opus", replace(_SINCE_4_6, adaptive=16)),
    ((4, 6), "", _SINCE_4_6),
    ((4, 5), "opus", Framing(keeps_thinking=True)),
    ((4, 0), "", Framing()),
    ((3, 7), "", Framing(thinking=28, schemas=False)),
    ((0, 0), "", Framing(schemas=False)),
)
"""By first version and tier ("" is any), newest first. Few recordings: 4.7, 4.8 and 5."""


def framing_of(version: Version, tier: str) -> Framing:
    """Return the newest row that a model of this version and tier falls under.

    Example:
        >>> framing_of((4, 5), "haiku").thinking, framing_of((3, 7), "sonnet").thinking
        (29, 28)
    """
    rows = (row for since, only, row in FRAMINGS if since <= version and only in ("", tier))
    return next(rows)


def vocabulary_of(version: Version) -> str:
    """Return the name of the vocabulary of a version.

    Example:
        >>> vocabulary_of((3, 5)), vocabulary_of((5, 0))
        ('claude-3', 'claude-4.8')
    """
    if version >= (4, 8):
        return "claude-4.8"
    return "claude-4.7" if version == (4, 7) else "claude-3"


_NAME = re.compile(r"claude-(?:([a-z]+)-)?(\d+)(?:[-.](\d{1,2})(?!\d))?(?:-([a-z]+))?")


def version_and_tier(name: str) -> tuple[Version, str]:
    """Read a model name, old order or new; one without number is taken for the newest model.

    Example:
        >>> version_and_tier("claude-3-5-haiku-latest"), version_and_tier("claude-opus-4-20250514")
        (((3, 5), 'haiku'), ((4, 0), 'opus'))
    """
    found = _NAME.match(name)
    if found is None:
        return (5, 0), name.removeprefix("claude-")
    tier, major, minor, behind = found.groups()
    return (int(major), int(minor or 0)), tier or behind or ""
