"""Summary compression: what stays, where it goes, and what happens when a model fails."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import laws
import pytest
from drawn import any_history
from hypothesis import given
from hypothesis import strategies as st

from contextkit import (
    BudgetExceeded,
    Memory,
    OptionError,
    SummaryCompression,
    SummaryRequest,
    TokenBudget,
    TrimResult,
    chain,
    check,
    count,
    remember,
    trim,
)

Messages = list[dict[str, Any]]

FILLER = "The shelves in row four were painted last week and look fine now. " * 12


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def answer(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


TALK: Messages = [
    {"role": "system", "content": "You help in a warehouse."},
    user("My name is Mara Voss and my order is LX-20417. " + FILLER),
    answer("Hello Mara. " + FILLER),
    user("Please remind me to call the carrier. We go with the blue boxes. " + FILLER),
    answer("I will. " + FILLER),
    user("Is row four dry?"),
    answer("Yes."),
    user("And row five?"),
]


def compressed(talk: Messages = TALK, **options: Any) -> TrimResult:
    asked = {key: options.pop(key) for key in ("summarize", "max_tokens") if key in options}
    return trim(talk, strategy=SummaryCompression(**{"keep_turns": 2, **options}), **asked)


# Where it goes


def test_the_memory_stands_in_front_of_the_first_user_message_that_is_kept() -> None:
    result = compressed()
    roles = [message["role"] for message in result.messages]
    assert roles == ["system", "user", "assistant", "user"]
    first = result.messages[1]["content"]
    assert first.endswith("Is row four dry?")
    for known in ("Mara Voss", "LX-20417", "call the carrier"):
        assert known in first
    assert result.messages[0] is TALK[0]
    assert result.messages[-1] is TALK[-1]
    assert result.tokens == count(result.messages) < result.tokens_before
    assert check(result.messages) == []


def test_a_list_of_parts_gets_the_memory_as_its_first_part() -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    parts = {"role": "user", "content": [{"type": "text", "text": "Is it dry?"}, picture]}
    talk = [*TALK[:5], parts, answer("Yes."), user("Sure?")]
    before = copy.deepcopy(talk)
    first = compressed(talk).messages[1]["content"]
    assert [part["type"] for part in first] == ["text", "text", "image_url"]
    assert "Mara Voss" in first[0]["text"]
    assert talk == before


def test_other_placements() -> None:
    in_system = compressed(placement="system").messages
    assert [m["role"] for m in in_system] == ["system", "user", "assistant", "user"]
    assert in_system[0]["content"].startswith("You help in a warehouse.")
    assert "Mara Voss" in in_system[0]["content"]
    pair = compressed(placement="pair").messages
    roles = [m["role"] for m in pair]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    without_system = compressed(TALK[1:], placement="system").messages
    assert without_system[0]["role"] == "system"


@given(any_history, st.integers(1, 3), st.sampled_from(["user", "pair"]))
def test_laws_hold_with_a_memory(history: Messages, keep: int, placement: Any) -> None:
    before = copy.deepcopy(history)
    strategy = SummaryCompression(keep_turns=keep, max_summary_tokens=300, placement=placement)
    result = trim(history, strategy=strategy)
    assert history == before
    assert result.tokens == count(result.messages)
    assert result.undo() == history
    laws.instructions_stay_in_place(history, result)
    laws.groups_are_whole(history, result)
    laws.every_message_is_accounted_for_with_inserts(history, result)
    laws.never_opens_with_an_answer(history, result)
    if result.changed:
        assert result.tokens < result.tokens_before
    again = trim(result.messages, strategy=strategy)
    assert again.tokens <= result.tokens


@given(any_history, st.floats(0.2, 0.9))
def test_a_budget_behind_it_is_kept(history: Messages, share: float) -> None:
    limit = max(1, int(count(history) * share))
    strategy = chain(SummaryCompression(keep_turns=2, max_summary_tokens=200), TokenBudget())
    try:
        result = trim(history, max_tokens=limit, strategy=strategy)
    except BudgetExceeded:
        return
    assert result.tokens == count(result.messages) <= limit


def test_visible_roles_alternate_with_tool_calls_left_out() -> None:
    call = {"id": "r", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    talk = [
        {"role": "system", "content": "sys"},
        user("I am Mara Voss, read the file. " + FILLER),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "r", "content": FILLER},
        answer("It lists shelves."),
        user("go on"),
        answer("ok"),
        user("now mend it"),
    ]
    sent = compressed(talk).messages
    visible = [
        m["role"] for m in sent if m["role"] in ("user", "assistant") and not m.get("tool_calls")
    ]
    assert visible == ["user", "assistant", "user"]
    assert sent[-1] is talk[-1]
    assert str(sent).count("Mara Voss") == 1


def test_a_finished_todo_is_not_open_and_a_corrected_number_is_gone() -> None:
    talk = [
        user("TODO: delete the old price list. " + FILLER),
        answer("Done: the old price list is deleted. " + FILLER),
        user("TODO: write the stock report. My order is AB-7781."),
        answer("Working on the report."),
        user("Please remind me to call Ines. Sorry, the order is AB-7718, not AB-7781."),
        answer("Will do."),
        user("What is left?"),
    ]
    memory = compressed(talk, keep_turns=1).memory
    assert memory is not None
    todos = " ".join(todo.value for todo in memory.todos)
    assert "stock report" in todos
    assert "Ines" in todos
    assert "price list" not in todos
    current = [item.value for item in memory.items if item.is_current]
    assert "AB-7718" in current
    assert "AB-7781" not in current


# When there is nothing to do


@pytest.mark.parametrize(
    "talk",
    [
        [user("hi")],
        [user("x" * 50_000)],
        [{"role": "system", "content": "s"}, user("a"), answer("b"), user("c")],
        TALK[5:],
    ],
)
def test_nothing_to_summarise_changes_nothing_and_asks_nobody(talk: Messages) -> None:
    def never(request: SummaryRequest) -> str:
        raise AssertionError("the model was asked")

    result = compressed(talk, keep_turns=4, summarize=never)
    assert [id(m) for m in result.messages] == [id(m) for m in talk]
    assert not result.changed
    assert result.notes == ("nothing to summarise",)


def test_a_memory_longer_than_what_it_replaces_is_not_used() -> None:
    talk = [user("I am Mara."), answer("Hi."), user("ok"), answer("ok"), user("ok?")]
    result = compressed(talk, keep_turns=1)
    assert not result.changed
    assert "would not be shorter" in result.notes[0]


# A model


def good(request: SummaryRequest) -> str:
    return json.dumps(
        {
            "items": [
                {"kind": "fact", "text": "shelves in row four were painted", "message": 1},
                {"kind": "decision", "text": "We go with the blue boxes", "message": 3},
            ],
            "done": [],
        }
    )


def test_what_a_model_finds_in_the_messages_is_remembered() -> None:
    result = compressed(summarize=good)
    text = result.messages[1]["content"]
    assert "shelves in row four were painted" in text
    assert "Mara Voss" in text
    assert result.notes == ()
    assert result.memory is not None
    assert result.tokens == count(result.messages)


def test_the_request_is_ready_to_send_in_the_language_of_the_talk() -> None:
    seen: list[SummaryRequest] = []

    def keep(request: SummaryRequest) -> str:
        seen.append(request)
        return '{"items": [], "done": []}'

    compressed(summarize=keep, max_summary_tokens=300)
    (request,) = seen
    system, question = request.messages
    assert "JSON" in system["content"]
    assert question["content"].startswith("[1] user: My name is Mara Voss")
    assert "[5]" not in question["content"]
    assert (request.max_tokens, request.span) == (300, (1, 5))
    assert json.loads(json.dumps(request.schema))["required"] == ["items", "done"]
    chinese = [
        user("我叫林晓雨，订单号 LX-20417。" * 40),
        answer("好的。" * 80),
        user("谢谢"),
        user("在吗"),
    ]
    compressed(chinese, summarize=keep, keep_turns=1)
    assert "对话" in seen[-1].messages[0]["content"]


def test_the_cost_is_in_the_plan_before_it_is_paid() -> None:
    plans: list[Any] = []

    def look(plan: Any) -> Any:
        plans.append(plan)
        return plan

    strategy = chain(SummaryCompression(keep_turns=2, max_summary_tokens=500), look)
    result = trim(TALK, strategy=strategy, summarize=good)
    assert len(plans[0].pending) == 1
    assert plans[0].tokens >= 500
    assert result.tokens < plans[0].tokens


def failing(request: SummaryRequest) -> str:
    raise TimeoutError("no answer in 30 s")


@pytest.mark.parametrize(
    "summarize",
    [
        failing,
        lambda request: None,
        lambda request: "",
        lambda request: "I'm sorry, I cannot do that.",
        lambda request: '{"items": [{"kind": "fact", "text": "shel',
        lambda request: '{"items": 7, "done": []}',
        lambda request: '["a"]',
        lambda request: 42,
    ],
)
def test_whatever_a_model_does_the_rules_memory_is_there(summarize: Any) -> None:
    result = compressed(summarize=summarize)
    by_rules = compressed()
    assert result.messages == by_rules.messages
    (note,) = result.notes
    assert note.startswith("degraded: ")
    assert result.undo() == TALK


@pytest.mark.parametrize(
    "item",
    [
        {"kind": "fact", "text": "Mara lives in Paris", "message": 1},
        {"kind": "fact", "text": "painted last week", "message": 99},
        {"kind": "fact", "text": "painted last week", "message": 6},
        {"kind": "fact", "text": "painted last week", "message": "1"},
        {"kind": "todo", "text": "painted last week", "message": 2},
        {"kind": "password", "text": "painted last week", "message": 1},
        {"kind": "fact", "text": FILLER, "message": 1},
        {"kind": "fact", "message": 1},
        "painted last week",
    ],
)
def test_what_has_no_ground_is_left_out_and_counted(item: Any) -> None:
    result = compressed(summarize=lambda request: json.dumps({"items": [item], "done": []}))
    assert result.messages == compressed().messages
    assert result.notes == ("1 items of the summariser had no ground and were left out",)


def test_a_todo_is_not_closed_without_evidence() -> None:
    done = {"items": [], "done": [{"text": "row four were painted", "message": 1}]}
    result = compressed(summarize=lambda request: json.dumps(done))
    assert result.memory is not None
    assert any("call the carrier" in todo.value for todo in result.memory.todos)


def test_atrim_awaits_a_coroutine_and_trim_refuses_one() -> None:
    async def slow(request: SummaryRequest) -> str:
        await asyncio.sleep(0)
        return good(request)

    from contextkit import atrim

    awaited = asyncio.run(atrim(TALK, strategy=SummaryCompression(keep_turns=2), summarize=slow))
    assert awaited.messages == compressed(summarize=good).messages
    plain = asyncio.run(atrim(TALK, strategy=SummaryCompression(keep_turns=2), summarize=good))
    assert plain.messages == awaited.messages
    with pytest.raises(OptionError, match="use atrim"):
        compressed(summarize=slow)


def test_cancelling_loses_nothing() -> None:
    before = copy.deepcopy(TALK)

    async def forever(request: SummaryRequest) -> str:
        await asyncio.sleep(60)
        return ""

    async def impatient() -> None:
        from contextkit import atrim

        strategy = SummaryCompression(keep_turns=2)
        async with asyncio.timeout(0.01):
            await atrim(TALK, strategy=strategy, summarize=forever)

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    assert before == TALK


def test_a_long_talk_is_asked_about_in_stretches() -> None:
    asked: list[tuple[int, int]] = []

    def keep(request: SummaryRequest) -> str:
        asked.append(request.span)
        return '{"items": [], "done": []}'

    talk = [
        TALK[0],
        *[m for n in range(60) for m in (user(f"{n} {FILLER}"), answer(FILLER))],
        user("?"),
    ]
    compressed(talk, summarize=keep, keep_turns=1)
    assert len(asked) > 2
    assert asked[0][0] == 1
    assert [start for start, _ in asked[1:]] == [stop for _, stop in asked[:-1]]


# Again and again


def test_a_memory_goes_on_and_reads_only_what_is_new() -> None:
    first = compressed()
    assert first.memory is not None
    longer = [
        *TALK,
        answer("Dry too."),
        user("Also my phone is +49 30 901820. " + FILLER),
        answer("ok"),
        user("Bye"),
    ]
    second = compressed(longer, memory=first.memory, keep_turns=1)
    assert second.memory is not None
    text = second.messages[1]["content"]
    for known in ("Mara Voss", "LX-20417", "+49 30 901820"):
        assert known in text


def test_twenty_rounds_lose_no_typed_item() -> None:
    history = list(TALK)
    for number in range(20):
        history += [answer("Noted. " + FILLER), user(f"Note order AB-{1000 + number}. {FILLER}")]
        history = trim(history, strategy=SummaryCompression(keep_turns=1)).messages
    known = " ".join(item.value for item in remember(history).items)
    text = str(history)
    for number in range(19):
        assert f"AB-{1000 + number}" in text
    assert "Mara Voss" in text
    assert isinstance(known, str)


def test_a_memory_from_another_version_is_refused() -> None:
    with pytest.raises(OptionError):
        Memory.from_dict({"version": 99, "items": []})


@pytest.mark.parametrize(
    "options", [{"keep_turns": 0}, {"max_summary_tokens": 0}, {"placement": "assistant"}]
)
def test_impossible_options(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        SummaryCompression(**options)
