"""Records of the folder of real data."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def records(data: Path, name: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a set such as "text/udhr"."""
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
