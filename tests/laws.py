"""The laws of trimming, each as a check that shares no code with contextkit."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from contextkit import TrimResult

Messages = Sequence[dict[str, Any]]

INSTRUCTIONS = ("system", "developer")
RESULTS = ("tool", "function")


def positions(history: Messages, sent: Messages) -> list[int]:
    """Where each sent message stands in the history, by identity, in order; fails on strangers."""
    found, at = [], 0
    for message in sent:
        while history[at] is not message:
            at += 1
        found.append(at)
        at += 1
    return found


def kept_messages_are_the_same_objects_in_order(history: Messages, result: TrimResult) -> None:
    assert positions(history, result.messages) == list(result.kept)


def instructions_stay_in_place(history: Messages, result: TrimResult) -> None:
    wanted = [m for m in history if m["role"] in INSTRUCTIONS]
    got = [m for m in result.messages if m["role"] in INSTRUCTIONS]
    assert [id(m) for m in got] == [id(m) for m in wanted]


def newest_user_message_stays(history: Messages, result: TrimResult) -> None:
    users = [m for m in history if m["role"] == "user"]
    assert not users or any(m is users[-1] for m in result.messages)


def newest_message_stays(history: Messages, result: TrimResult) -> None:
    assert result.messages[-1] is history[-1]


def groups(history: Messages) -> list[list[int]]:
    """Each assistant message with calls, with the results that stand right behind it."""
    found: list[list[int]] = []
    for index, message in enumerate(history):
        if message.get("tool_calls") or message.get("function_call"):
            group = [index]
            while group[-1] + 1 < len(history) and history[group[-1] + 1]["role"] in RESULTS:
                group.append(group[-1] + 1)
            found.append(group)
    return found


def groups_are_whole(history: Messages, result: TrimResult) -> None:
    kept = set(result.kept)
    for group in groups(history):
        assert kept.issuperset(group) or kept.isdisjoint(group)


def never_opens_with_an_answer(history: Messages, result: TrimResult) -> None:
    if opening(history) == "user":
        assert opening(result.messages) == "user"


def opening(messages: Messages) -> str:
    return next((m["role"] for m in messages if m["role"] not in INSTRUCTIONS), "user")


def fits(result: TrimResult, limit: int) -> None:
    assert 0 < result.tokens <= limit
    assert result.messages


def every_message_is_accounted_for(history: Messages, result: TrimResult) -> None:
    steps = [step for step in result.plan.steps if step.action != "insert"]
    covered = [index for step in steps for index in range(step.start, step.stop)]
    assert covered == list(range(len(history)))
    assert len(history) - len(result.dropped) == len(result.messages)


def every_message_is_accounted_for_with_inserts(history: Messages, result: TrimResult) -> None:
    steps = [step for step in result.plan.steps if step.action != "insert"]
    assert [i for s in steps for i in range(s.start, s.stop)] == list(range(len(history)))
    assert sum(step.messages_after for step in result.plan.steps) == len(result.messages)


def the_sums_are_right(result: TrimResult) -> None:
    removed = sum(s.tokens_before - s.tokens_after for s in result.plan.steps)
    assert result.tokens_before - removed == result.tokens


ALL_OF_A_RESULT = (
    kept_messages_are_the_same_objects_in_order,
    instructions_stay_in_place,
    newest_user_message_stays,
    newest_message_stays,
    groups_are_whole,
    never_opens_with_an_answer,
    every_message_is_accounted_for,
)


def newest_unit(history: Messages) -> range:
    start = len(history) - 1
    while start and history[start]["role"] in RESULTS and history[start - 1]["role"] in RESULTS:
        start -= 1
    answered = history[start]["role"] in RESULTS and any(start in g for g in groups(history))
    return range(start - 1 if answered else start, len(history))


def units(history: Messages) -> list[tuple[int, int]]:
    """First and behind-last index of every unit."""
    borders = [0]
    while borders[-1] < len(history):
        stop = borders[-1] + 1
        while len(newest_unit(history[: stop + 1])) > stop - borders[-1] and stop < len(history):
            stop += 1
        borders.append(stop)
    return list(itertools.pairwise(borders))


def least_messages(history: Messages) -> list[dict[str, Any]]:
    """What has to stay, whatever the budget: instructions, newest user message, newest unit."""
    users = [i for i, m in enumerate(history) if m["role"] == "user"]
    instructions = [i for i, m in enumerate(history) if m["role"] in INSTRUCTIONS]
    return [history[i] for i in sorted({*newest_unit(history), *users[-1:], *instructions})]
