"""Streams written by hand, and drawn: an answer cut into deltas, in the ways that servers do it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

Dict = dict[str, Any]

texts = st.lists(
    st.sampled_from(
        ["Hello", " world", "你好，", "👩‍👩‍👧", "\n\n", '"quoted"', "data: x", "\\", ": ", ""]
    ),
    max_size=8,
).map("".join)


def cut(draw: st.DrawFn, text: Any) -> list[Any]:
    """A text or bytes in pieces, empty ones among them."""
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


@st.composite
def answers(draw: st.DrawFn) -> Dict:
    """An assistant message with text, reasoning and calls."""
    message: Dict = {"role": "assistant", "content": draw(texts)}
    if draw(st.booleans()):
        message["reasoning_content"] = draw(texts)
    names = draw(st.lists(st.sampled_from(["add", "look_up"]), max_size=3))
    calls = [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps({"q": draw(texts)})},
        }
        for place, name in enumerate(names)
    ]
    return {**message, "tool_calls": calls} if calls else message


@st.composite
def chat_chunks(draw: st.DrawFn, message: Dict) -> list[Dict]:
    """Chunks that bring ``message``; calls are interleaved, facts said once or in every delta."""
    repeats, has_index = draw(st.booleans()), draw(st.booleans())
    deltas: list[Dict] = [{"role": "assistant", "content": ""}]
    for key in ("reasoning_content", "content"):
        deltas += [{key: piece} for piece in cut(draw, message.get(key) or "")]
    if "reasoning_content" not in message:
        deltas = [delta for delta in deltas if "reasoning_content" not in delta]
    queues = [
        _call_deltas(draw, *call, repeats) for call in enumerate(message.get("tool_calls", ()))
    ]
    while any(queues):
        queue = draw(st.sampled_from([q for q in queues if q])) if has_index else _first(queues)
        delta = queue.pop(0)
        deltas.append({"tool_calls": [delta if has_index else _without(delta, "index")]})
    if repeats:
        deltas = [{"role": "assistant", **delta} for delta in deltas]
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    chunks = [{"choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    usage = {"prompt_tokens": 7, "completion_tokens": len(deltas)}
    return [
        *chunks,
        {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
        {"choices": [], "usage": usage},
    ]


def _call_deltas(draw: st.DrawFn, index: int, call: Dict, repeats: bool) -> list[Dict]:
    first, *others = cut(draw, call["function"]["arguments"])
    opening = {"index": index, **call, "function": {**call["function"], "arguments": first}}
    if repeats:
        return [
            {**opening, "function": {**call["function"], "arguments": piece}}
            for piece in (first, *others)
        ]
    return [opening, *({"index": index, "function": {"arguments": piece}} for piece in others)]


def _first(queues: list[list[Dict]]) -> list[Dict]:
    return next(queue for queue in queues if queue)


def _without(delta: Dict, key: str) -> Dict:
    return {k: v for k, v in delta.items() if k != key}


@st.composite
def anthropic_events(draw: st.DrawFn, message: Dict) -> list[Dict]:
    """Events that bring an Anthropic message."""
    start = {"role": "assistant", "content": [], "usage": {"input_tokens": 9, "output_tokens": 1}}
    events: list[Dict] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(message["content"]):
        empty, kind, key, text = _emptied(block)
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events += [
            {"type": "content_block_delta", "index": index, "delta": {"type": kind, key: piece}}
            for piece in cut(draw, text)
        ]
        events.append({"type": "content_block_stop", "index": index})
    usage = {"output_tokens": 44}
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    return [
        *events,
        {"type": "message_delta", "delta": delta, "usage": usage},
        {"type": "message_stop"},
    ]


def _emptied(block: Dict) -> tuple[Dict, str, str, str]:
    if block["type"] == "tool_use":
        text = json.dumps(block["input"], ensure_ascii=False)
        return {**block, "input": {}}, "input_json_delta", "partial_json", text
    key = block["type"]
    return {**block, key: ""}, f"{key}_delta", key, block[key]


@st.composite
def anthropic_answers(draw: st.DrawFn) -> Dict:
    thinking = texts.map(lambda text: {"type": "thinking", "thinking": text})
    text = texts.map(lambda text: {"type": "text", "text": text})
    calls = texts.map(lambda q: {"type": "tool_use", "id": "t", "name": "add", "input": {"q": q}})
    return {"role": "assistant", "content": draw(st.lists(thinking | text | calls, max_size=4))}


@st.composite
def wire(draw: st.DrawFn, events: list[Dict]) -> bytes:
    """The events as a server may write them: any line end, comments, names, a byte order mark."""
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    lines: list[str] = []
    for event in events:
        if draw(st.integers(0, 9)) == 0:
            lines += [": keep-alive", ""]
        if "type" in event:
            lines.append(f"event: {event['type']}")
        indent = draw(st.sampled_from([None, None, None, 1]))
        space = draw(st.sampled_from(["", " "]))
        data = json.dumps(event, ensure_ascii=False, indent=indent)
        lines += [f"data:{space}{line}" for line in data.split("\n")]
        lines += ["id: 7", ""]
    lines += ["data: [DONE]", "", ""]
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return (mark + end.join(lines)).encode()
