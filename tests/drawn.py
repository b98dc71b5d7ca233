"""Histories drawn by Hypothesis: what real clients send, and what broken ones do."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

Dict = dict[str, Any]

_PHRASES = (
    "Where is my parcel?",
    "我的订单什么时候到？请帮我查一下。",
    "請幫我看看這份報告，謝謝。",
    "ありがとうございます。",
    "def f(x):\n    return x * 2\n",
    '{"sku": "LW-1004", "price": 39.9}',
    "👩‍👩‍👧 🎉 fine",
    "broken \ud83d surrogate",
    "<|endoftext|> is text",
    " \n\t\n   ",
    "",
    "ok",
)

texts = st.lists(st.sampled_from(_PHRASES), min_size=1, max_size=6).map(" ".join) | st.text(
    max_size=40
)
contents = texts | st.lists(texts, min_size=1, max_size=3).map(
    lambda parts: [{"type": "text", "text": text} for text in parts]
)
_ids = st.sampled_from([f"call_{n}" for n in range(6)])
_image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 300}}


def user_messages() -> st.SearchStrategy[Dict]:
    pictures = texts.map(lambda text: [{"type": "text", "text": text}, dict(_image)])
    return st.fixed_dictionaries(
        {"role": st.just("user"), "content": contents | pictures},
        optional={"name": st.sampled_from(["lin", "tom"]), "metadata": st.just({"kept": [1, 2]})},
    )


def instructions() -> st.SearchStrategy[Dict]:
    return st.builds(
        lambda role, content: {"role": role, "content": content},
        st.sampled_from(["system", "developer"]),
        texts,
    )


def answers() -> st.SearchStrategy[Dict]:
    return st.fixed_dictionaries(
        {"role": st.just("assistant"), "content": contents},
        optional={"reasoning_content": texts, "refusal": st.none()},
    )


@st.composite
def tool_rounds(draw: st.DrawFn) -> list[Dict]:
    """An assistant message with one to three calls, and all their results in any order."""
    ids = draw(st.lists(_ids, min_size=1, max_size=3, unique=True))
    arguments = st.sampled_from(["{}", '{"q": "杭州"}', json.dumps({"a": [1, None]}), "{broken"])
    calls = [
        {
            "id": id,
            "type": "function",
            "function": {"name": "look_up", "arguments": draw(arguments)},
        }
        for id in ids
    ]
    results = [{"role": "tool", "tool_call_id": id, "content": draw(contents)} for id in ids]
    content = draw(st.none() | texts)
    opener = {"role": "assistant", "content": content, "tool_calls": calls}
    return [opener, *draw(st.permutations(results))]


@st.composite
def legacy_rounds(draw: st.DrawFn) -> list[Dict]:
    call = {"name": "look_up", "arguments": "{}"}
    return [
        {"role": "assistant", "content": None, "function_call": call},
        {"role": "function", "name": "look_up", "content": draw(texts)},
    ]


@st.composite
def turns(draw: st.DrawFn, rounds: int = 3) -> list[Dict]:
    """A user message, then tool rounds, answers and now and then a system message."""
    unit = st.one_of(
        tool_rounds(),
        tool_rounds(),
        answers().map(lambda message: [message]),
        legacy_rounds(),
        instructions().map(lambda message: [message]),
    )
    units = draw(st.lists(unit, max_size=rounds))
    return [draw(user_messages()), *(message for unit in units for message in unit)]


@st.composite
def histories(draw: st.DrawFn, rounds: int = 3) -> list[Dict]:
    """A history that a server takes: systems, perhaps a greeting, one or more turns."""
    opening = draw(st.lists(instructions(), max_size=2))
    greeting = draw(st.just([]) | answers().map(lambda message: [message]))
    several = draw(st.lists(turns(rounds), min_size=1, max_size=6))
    return [*opening, *greeting, *(message for turn in several for message in turn)]


@st.composite
def agent_loops(draw: st.DrawFn) -> list[Dict]:
    """One user message and many tool rounds behind it."""
    several = draw(st.lists(tool_rounds(), min_size=3, max_size=8))
    opening = draw(st.lists(instructions(), max_size=1))
    task = draw(user_messages())
    return [*opening, task, *(message for unit in several for message in unit)]


@st.composite
def faulty_histories(draw: st.DrawFn) -> list[Dict]:
    """A history with messages missing, doubled or out of place."""
    history = draw(histories() | agent_loops())
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(history) - 1))
        fault = draw(st.sampled_from(["lose", "double", "move"]))
        if fault == "double":
            history.insert(place, dict(history[place]))
        elif len(history) > 1:
            message = history.pop(place)
            if fault == "move":
                history.insert(draw(st.integers(0, len(history))), message)
    return history


any_history = histories() | agent_loops()
shares = st.floats(0.02, 1.1, allow_nan=False)
