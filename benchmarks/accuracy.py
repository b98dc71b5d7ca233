"""Compare counts with the server's own usage, beside litellm and langchain.

    python benchmarks/accuracy.py FOLDER

FOLDER holds ``*.jsonl`` or ``*.jsonl.gz`` files of recorded requests: one JSON object a line with
``api``, ``model``, ``request`` (the body as sent) and ``usage_norm.prompt_tokens`` (what the server
counted). Records whose ``features`` tell of server-side tools or state are left out, since the
server adds text to them that nobody else can see.

Printed for each provider and kind: how many counts are exact, the median and the 95th percentile of
the error, how many true counts lie in the stated interval, and the median error of
litellm.token_counter and of langchain's approximate count.
"""

from __future__ import annotations

import gzip
import json
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contextkit import ContextKitError, count
from contextkit.formats import Api

_APIS: dict[str, Api] = {
    "openai-chat": "openai-chat",
    "openai-responses": "openai-responses",
    "anthropic-messages": "anthropic",
    "gemini": "gemini",
    "bedrock-converse": "bedrock",
}

Record = dict[str, Any]
Peer = Callable[[Record], int]


@dataclass
class Row:
    """The errors of one provider and kind, as shares of the true count."""

    exact: int = 0
    covered: int = 0
    refused: int = 0
    errors: list[float] = field(default_factory=list)
    peers: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def main() -> None:
    """Print one line for each provider and kind."""
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    peers = _peers()
    for record in _records(Path(sys.argv[1])):
        _judge(rows[record["provider"], _kind(record)], record, peers)
    names = "".join(f"{name + ' median':>20}" for name in peers)
    print("provider        kind         n   exact  median     p95  in range" + names)
    for (provider, kind), row in sorted(rows.items()):
        print(f"{provider:<16}{kind:<9}{_line(row, list(peers))}")


def _records(folder: Path) -> Iterator[Record]:
    for file in sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]):
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if _usable(record):
                    yield record


def _usable(record: Record) -> bool:
    features = record.get("features", {})
    hidden = features.get("server_tools") or features.get("server_state")
    counted = (record.get("usage_norm") or {}).get("prompt_tokens")
    return bool(record.get("api") in _APIS and record.get("model") and counted and not hidden)


def _kind(record: Record) -> str:
    features = record.get("features", {})
    if features.get("images") or features.get("files") or features.get("audio_video"):
        return "media"
    if features.get("structured_output"):
        return "schema"
    if features.get("tool_results"):
        return "history"
    return "tools" if features.get("n_tools") else "text"


def _judge(row: Row, record: Record, peers: dict[str, Peer]) -> None:
    true = record["usage_norm"]["prompt_tokens"]
    model = record.get("response_model") or record["model"]
    try:
        counted = count(record["request"], model=model, api=_APIS[record["api"]])
    except ContextKitError:
        row.refused += 1
        return
    row.exact += counted == true
    row.covered += counted.low <= true <= counted.high
    row.errors.append(abs(counted - true) / true)
    for name, peer in peers.items():
        try:
            row.peers[name].append(abs(peer(record) - true) / true)
        except Exception:  # a peer that cannot read the body has no number
            continue


def _line(row: Row, peers: list[str]) -> str:
    number = len(row.errors)
    if not number:
        return f"{row.refused:>5} refused"
    ordered = sorted(row.errors)
    p95 = ordered[min(number - 1, int(number * 0.95))]
    own = f"{number:>5}{row.exact / number:>8.1%}{statistics.median(ordered):>8.1%}{p95:>8.1%}"
    own += f"{row.covered / number:>10.1%}"
    medians = (row.peers.get(name) for name in peers)
    return own + "".join(f"{statistics.median(m):>20.1%}" if m else f"{'-':>20}" for m in medians)


def _peers() -> dict[str, Peer]:
    """What users count with today; those that are not installed are left out."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    found: dict[str, Peer] = {}
    try:
        from litellm import token_counter
    except ImportError:
        pass
    else:
        found["litellm"] = lambda record: int(
            token_counter(
                model=record["model"],
                messages=record["request"]["messages"],
                tools=record["request"].get("tools"),
            )
        )
    try:
        from langchain_core.messages import convert_to_messages
        from langchain_core.messages.utils import count_tokens_approximately
    except ImportError:
        return found
    found["langchain"] = lambda record: int(
        count_tokens_approximately(convert_to_messages(record["request"]["messages"]))
    )
    return found


if __name__ == "__main__":
    main()
