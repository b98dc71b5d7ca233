"""Make long mixed histories for the benchmarks: chat in two languages, code, JSON, tool rounds."""

from __future__ import annotations

import json
import random
from typing import Any

_ENGLISH = (
    "The parcel left the depot this morning and should arrive before noon tomorrow. "
    "Please check the address once more, since the street has two numbers with the same name. "
)
_CHINESE = (
    "订单已经从仓库发出，预计明天中午之前送到。请再核对一下地址，这条街上有两个相同的门牌号。"
)
_CODE = (
    "def total(rows: list[dict[str, float]]) -> float:\n"
    "    return sum(row['price'] for row in rows)\n\n"
)


def mixed_history(messages: int, seed: int = 7) -> list[dict[str, Any]]:
    """Return ``messages`` messages of about 770 bytes each: 10,000 of them are 7.7 MB."""
    draw = random.Random(seed)
    history: list[dict[str, Any]] = [{"role": "system", "content": "You are a careful assistant."}]
    while len(history) < messages - 1:
        history.append({"role": "user", "content": _prose(draw)})
        if draw.random() < 0.4:
            history.extend(_tool_round(draw, len(history)))
        history.append({"role": "assistant", "content": _prose(draw) + _CODE * draw.randint(0, 3)})
    del history[messages - 1 :]
    return [*history, {"role": "user", "content": "And what is still open? 还有什么没办完？"}]


def _prose(draw: random.Random) -> str:
    sentence = draw.choice((_ENGLISH, _ENGLISH, _CHINESE))
    return "".join(f"{draw.randint(1, 9_999)}. {sentence}" for _ in range(draw.randint(2, 7)))


def _tool_round(draw: random.Random, serial: int) -> list[dict[str, Any]]:
    rows = [
        {"sku": f"LW-{draw.randint(1000, 9999)}", "price": draw.random() * 100, "ok": True}
        for _ in range(draw.randint(4, 30))
    ]
    call = {
        "id": f"call_{serial}",
        "type": "function",
        "function": {"name": "list_rows", "arguments": json.dumps({"page": serial})},
    }
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call_{serial}", "content": json.dumps(rows)},
    ]
