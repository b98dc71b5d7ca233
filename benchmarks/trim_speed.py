"""Time a cold trim beside the bare encoding of what it keeps, and beside what people use today.

    python benchmarks/trim_speed.py [--peers]

For each history and budget: milliseconds of one trim with nothing remembered, of encoding the kept
texts alone, and the ratio to what is allowed: 1.3 times that encoding plus 2 microseconds for
each message of the history. ``--peers`` adds langchain-core, litellm (``pip install '.[bench]'``)
and the loop of the tutorials, on a history small enough to wait for.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from histories import mixed_history

from contextkit import TokenBudget, TrimResult, trim
from contextkit.counting.vocabularies import text_counter
from contextkit.counting.vocabulary import encoding

Messages = list[dict[str, Any]]

_CASES = ((10_000, 8_000), (10_000, 128_000), (100_000, 8_000))
_RUNS = 7


def main() -> None:
    """Print one line a case."""
    print(" messages   budget  low  trim ms  encode ms  of what is allowed")
    for messages, budget in _CASES:
        serial = json.dumps(mixed_history(messages))
        for low_water in (1.0, 0.5):
            runs = [_cold_run(serial, budget, low_water) for _ in range(_RUNS)]
            trimmed, encoded = (statistics.median(column) for column in zip(*runs, strict=True))
            allowed = 1.3 * encoded + messages * 2e-6
            print(
                f"{messages:>9,} {budget:>8,} {low_water:>4} {trimmed * 1e3:>8.1f} "
                f"{encoded * 1e3:>10.1f} {trimmed / allowed:>19.2f}"
            )
    if "--peers" in sys.argv[1:]:
        _compare_with_peers()


def _cold_run(serial: str, budget: int, low_water: float) -> tuple[float, float]:
    """Seconds of a trim of strings never seen before, and of encoding what it kept."""
    history = json.loads(serial)
    text_counter("o200k_base").forget()
    strategy = TokenBudget(low_water=low_water)
    result: list[TrimResult] = []
    trimmed = _seconds(lambda: result.append(trim(history, max_tokens=budget, strategy=strategy)))
    kept = list(_texts(result[0].messages))
    encode = encoding("o200k_base").encode_ordinary
    return trimmed, _seconds(lambda: [encode(text) for text in kept])


def _texts(messages: Messages) -> list[str]:
    contents = [m["content"] for m in messages if m.get("content")]
    calls = [c["function"]["arguments"] for m in messages for c in m.get("tool_calls") or ()]
    return contents + calls


def _seconds(work: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _compare_with_peers(messages: int = 400) -> None:
    history = mixed_history(messages)
    total = trim(history, max_tokens=10**9).tokens
    budget = total // 2
    print(f"\n{messages} messages, {total:,} tokens, to {budget:,}; bare encoding of the tail = 1")
    kept = _texts(trim(history, max_tokens=budget).messages)
    encode = encoding("o200k_base").encode_ordinary
    bare = _seconds(lambda: [encode(text) for text in kept])
    for name, work in _contenders(history, budget).items():
        seconds = _seconds(work)
        print(f"{name:<28} {seconds * 1e3:>10.1f} ms {seconds / bare:>10.1f}x")


def _contenders(history: Messages, budget: int) -> dict[str, Callable[[], Any]]:
    from langchain_core.messages import convert_to_messages, trim_messages
    from litellm.utils import trim_messages as litellm_trim

    encode = encoding("o200k_base").encode_ordinary
    converted = convert_to_messages(history)

    def size(messages: Any) -> int:
        return sum(len(encode(str(m.content))) + 4 for m in messages)

    def cold_trim() -> Any:
        text_counter("o200k_base").forget()
        return trim(history, max_tokens=budget)

    return {
        "contextkit": cold_trim,
        "langchain-core trim_messages": lambda: trim_messages(
            converted, max_tokens=budget, token_counter=size, include_system=True, start_on="human"
        ),
        "litellm trim_messages": lambda: litellm_trim(
            list(history), model="gpt-4o", max_tokens=budget
        ),
        "the tutorials' loop": lambda: _tutorial_loop(list(history), budget, encode),
    }


def _tutorial_loop(history: Messages, budget: int, encode: Callable[[str], list[int]]) -> Messages:
    """Pop the oldest message and count everything again."""
    while sum(len(encode(str(m["content"]))) + 4 for m in history) > budget:
        history.pop(1)
    return history


if __name__ == "__main__":
    main()
