"""Time counting beside raw tiktoken: short and long messages, nothing remembered.

    python benchmarks/count_speed.py

Ratios above 1 are faster than ``len(encoding.encode_ordinary(text))`` on the same texts. With
``contextkit[fast]`` installed the second row shows its engine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from histories import mixed_history

from contextkit.counting.fast import faster
from contextkit.counting.texts import TextCounter, exact_measure
from contextkit.counting.vocabulary import encoding

_RUNS = 7


def main() -> None:
    """Print one line for each engine and length of text."""
    messages = [str(m["content"]) for m in mixed_history(6_000) if m["content"]]
    texts = {"short": [f"{n} {t[:60]}" for n, t in enumerate(messages)], "long": messages}
    for engine, measure in _engines().items():
        for length, sample in texts.items():
            ratios = [_raw(sample) / _counted(sample, measure) for _ in range(_RUNS)]
            print(f"{engine:<10} {length:<6} {statistics.median(ratios):5.2f} times raw tiktoken")


def _engines() -> dict[str, Callable[[str], int]]:
    exact = exact_measure("o200k_base")
    fast = faster("o200k_base", exact_measure)
    return {"tiktoken": exact} if fast is exact else {"tiktoken": exact, "fast": fast}


def _raw(texts: list[str]) -> float:
    encode = encoding("o200k_base").encode_ordinary
    return _seconds(lambda: [len(encode(text)) for text in texts])


def _counted(texts: list[str], measure: Callable[[str], int]) -> float:
    counter = TextCounter("o200k_base", measure)
    return _seconds(lambda: [counter(text) for text in texts])


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
