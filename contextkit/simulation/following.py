"""Follow which prefixes a provider's cache holds while requests come in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from contextkit.pricing.caches import CacheRule
from contextkit.pricing.usage import Usage
from contextkit.simulation.prompts import Prompt

_HELD = 8
"""Requests that are remembered; what is older has been built on, or is never asked for again."""


@dataclass(slots=True, eq=False)
class _Entry:
    """The first ``tokens`` of a prompt, last used at ``used``."""

    prompt: Prompt
    tokens: int
    used: float


class PromptCache:
    """The prefixes that a provider holds.

    Args:
        rule: of the provider; None for no cache.
    """

    def __init__(self, rule: CacheRule | None) -> None:
        self._rule = rule
        self._instructions: list[_Entry] = []
        self._requests: list[_Entry] = []

    def send(self, prompt: Prompt, at: float, answer: int) -> Usage:
        """Return the usage of a request, and remember what it leaves in the cache.

        Args:
            prompt: the request.
            at: when, in seconds; never before the request that was sent last.
            answer: tokens of the answer.
        """
        rule = self._rule
        if rule is None:
            return Usage(uncached=prompt.tokens, output=answer)
        read = self._read(rule, prompt, at)
        new = [end for end in _ends(rule, prompt) if end >= rule.minimum and end > read]
        for end in new:
            self._hold(_Entry(prompt, end, at))
        written = max(new) - read if new and rule.write else 0
        return Usage(
            uncached=prompt.tokens - read - written,
            cache_read=read,
            cache_write_5m=written if rule.write == "cache_write_5m" else 0,
            cache_write_1h=written if rule.write == "cache_write_1h" else 0,
            output=answer,
        )

    def _read(self, rule: CacheRule, prompt: Prompt, at: float) -> int:
        """Tokens of the longest held prefix that the request starts with.

        It lives on, and so do the instructions in front of it, which bear a mark of their own.
        """
        best = 0
        for entry in self._instructions + self._requests[::-1]:
            if entry.tokens > best and at - entry.used <= rule.lifetime:
                tokens = _reach(rule, prompt.common(entry.prompt), entry.tokens)
                if tokens > best:
                    best, entry.used = tokens, at
        return best

    def _hold(self, entry: _Entry) -> None:
        alike = self._requests if entry.tokens == entry.prompt.body else self._instructions
        alike.append(entry)
        del alike[:-_HELD]


def _reach(rule: CacheRule, common: int, held: int) -> int:
    """How much of a held prefix serves a request that shares ``common`` tokens with it."""
    if rule.marks == "blocks":
        tokens = min(common, held) // rule.block * rule.block
        return tokens if tokens >= rule.minimum else 0
    return held if held <= common else 0


def _ends(rule: CacheRule, prompt: Prompt) -> Iterator[int]:
    """Where the prefixes end that a request leaves in the cache."""
    if rule.marks == "explicit" and prompt.instructions:
        yield prompt.instructions
    yield prompt.body
