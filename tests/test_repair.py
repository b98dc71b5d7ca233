"""What repair mends, what it leaves alone, and the account that it gives."""

from __future__ import annotations

import copy
from typing import Any, Literal

import pytest
from drawn import any_history, faulty_histories
from hypothesis import given
from hypothesis import strategies as st

from contextkit import OptionError, check, convert, repair
from contextkit.conversion.converting import Target
from contextkit.diagnosis.drafts import NO_MESSAGE, NO_RESULT
from contextkit.diagnosis.providers import PROVIDERS
from contextkit.diagnosis.repair import MENDED

Message = dict[str, Any]
Messages = list[Message]
Unanswered = Literal["placeholder", "remove"]

providers = st.sampled_from(sorted(PROVIDERS))
ways: st.SearchStrategy[Unanswered] = st.sampled_from(["placeholder", "remove"])


def user(text: Any) -> Message:
    return {"role": "user", "content": text}


def answer(text: Any) -> Message:
    return {"role": "assistant", "content": text}


def call(id: Any, arguments: Any = "{}") -> Message:
    return {"id": id, "type": "function", "function": {"name": "f", "arguments": arguments}}


def calls(*ids: Any, content: Any = None) -> Message:
    return {"role": "assistant", "content": content, "tool_calls": [call(id) for id in ids]}


def result(id: Any, text: Any = "ok") -> Message:
    return {"role": "tool", "tool_call_id": id, "content": text}


def codes(messages: Any, provider: str = "openai") -> list[str]:
    return [p.code for p in check(messages, provider=provider) if p.severity == "rejected"]


# Histories drawn with faults of every kind


@st.composite
def broken(draw: st.DrawFn) -> Messages:
    """A history with messages out of place, and some with broken fields."""
    history = copy.deepcopy(draw(faulty_histories()))
    for _ in range(draw(st.integers(0, 4))):
        message = history[draw(st.integers(0, len(history) - 1))]
        _break(message, draw(st.sampled_from(sorted(_FAULTS))))
    return history


def _drop_content(message: Message) -> None:
    message["content"] = None


def _empty_content(message: Message) -> None:
    message["content"] = []


def _blank_content(message: Message) -> None:
    message["content"] = [{"type": "text", "text": " \n"}]


def _empty_calls(message: Message) -> None:
    message["tool_calls"] = []


def _foreign_calls(message: Message) -> None:
    if message["role"] != "assistant":
        message["tool_calls"] = [call("x")]


def _drop_ids(message: Message) -> None:
    for each in message.get("tool_calls") or ():
        each["id"] = None
    message.pop("tool_call_id", None)


def _same_ids(message: Message) -> None:
    for each in message.get("tool_calls") or ():
        each["id"] = "same"
    if "tool_call_id" in message:
        message["tool_call_id"] = "same"


def _long_ids(message: Message) -> None:
    for each in message.get("tool_calls") or ():
        each["id"] = f"functions.{each['id']}:" + "0" * 40


def _object_arguments(message: Message) -> None:
    for each in message.get("tool_calls") or ():
        each["function"]["arguments"] = {"城市": "杭州"}


def _trailing_space(message: Message) -> None:
    if isinstance(message.get("content"), str):
        message["content"] += " \n"


_FAULTS = {
    f.__name__: f
    for f in (
        _drop_content,
        _empty_content,
        _blank_content,
        _empty_calls,
        _foreign_calls,
        _drop_ids,
        _same_ids,
        _long_ids,
        _object_arguments,
        _trailing_space,
    )
}


def _break(message: Message, fault: str) -> None:
    _FAULTS[fault](message)


@given(broken(), providers, ways)
def test_no_rejected_fault_that_repair_mends_is_left(
    history: Messages, provider: str, unanswered: Unanswered
) -> None:
    mended = repair(history, provider=provider, unanswered=unanswered)
    assert not MENDED.intersection(codes(mended.messages, provider))
    assert list(mended.problems) == check(mended.messages, provider=provider)


@given(broken(), providers, ways)
def test_mending_twice_is_mending_once(
    history: Messages, provider: str, unanswered: Unanswered
) -> None:
    once = repair(history, provider=provider, unanswered=unanswered)
    twice = repair(once.messages, provider=provider, unanswered=unanswered)
    assert not twice.changed
    assert twice.messages == once.messages


@given(broken(), providers, ways)
def test_repair_begins_with_a_fault_that_check_names(
    history: Messages, provider: str, unanswered: Unanswered
) -> None:
    """What comes later may be its consequence: an orphan that its removed call leaves behind."""
    named = {problem.code for problem in check(history, provider=provider)}
    changes = repair(history, provider=provider, unanswered=unanswered).changes
    assert {change.code for change in changes[:1]} <= named


@given(broken(), providers, ways)
def test_nothing_is_written_to_and_what_is_fine_stays_the_same_object(
    history: Messages, provider: str, unanswered: Unanswered
) -> None:
    before = copy.deepcopy(history)
    mended = repair(history, provider=provider, unanswered=unanswered)
    assert history == before
    changed = {change.index for change in mended.changes}
    kept = [message for index, message in enumerate(history) if index not in changed]
    sent = {id(message) for message in mended.messages}
    merged_into = {int(c.what.rsplit(" ", 1)[1]) for c in mended.changes if "merged into" in c.what}
    for index, message in enumerate(history):
        if index not in changed | merged_into:
            assert id(message) in sent
    assert len(kept) >= len(history) - len(changed)


@given(broken(), providers, ways)
def test_no_text_is_invented_and_none_is_lost_without_account(
    history: Messages, provider: str, unanswered: Unanswered
) -> None:
    mended = repair(history, provider=provider, unanswered=unanswered)
    given_texts = {text.strip() for message in history for text in texts(message)}
    for message in mended.messages:
        for text in texts(message):
            rest = text.replace(NO_RESULT, "").replace(NO_MESSAGE, "")
            for known in sorted(given_texts, key=len, reverse=True):
                rest = rest.replace(known, "") if known else rest
            assert not rest.strip()
    removed = {change.index for change in mended.changes if "removed" in change.what}
    sent = "\n".join(text for message in mended.messages for text in texts(message))
    for index, message in enumerate(history):
        if index not in removed:
            assert all(text.strip() in sent for text in texts(message))


def texts(message: Message) -> list[str]:
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    return [str(part.get("text") or "") for part in content or () if part.get("type") == "text"]


@given(any_history)
def test_a_valid_history_comes_back_as_it_is(history: Messages) -> None:
    mended = repair(history)
    assert not mended.changed
    assert all(sent is given for sent, given in zip(mended.messages, history, strict=True))


# One fault each


def test_a_foreign_result_in_a_group_is_removed_and_the_others_stay() -> None:
    history = [
        user("走吧"),
        calls("new"),
        result("old", "stale"),
        result("new", "fresh"),
        answer("好"),
    ]
    mended = repair(history)
    assert [id(m) for m in mended.messages] == [id(history[i]) for i in (0, 1, 3, 4)]
    (change,) = mended.changes
    assert (change.code, change.index, change.id) == ("orphan_tool_result", 2, "old")
    assert mended.problems == ()


def test_an_interrupted_call_gets_a_marked_placeholder() -> None:
    history = [user("ship it"), calls("d1"), user("stop, wait"), answer("Stopped.")]
    mended = repair(history)
    assert mended.messages == [history[0], history[1], result("d1", NO_RESULT), *history[2:]]
    assert all(mended.messages[at] is history[i] for at, i in ((0, 0), (1, 1), (3, 2), (4, 3)))


def test_or_it_is_removed_with_the_message_that_says_nothing_else() -> None:
    history = [user("ship it"), calls("d1"), user("stop, wait"), answer("Stopped.")]
    mended = repair(history, unanswered="remove")
    assert [id(m) for m in mended.messages] == [id(history[i]) for i in (0, 2, 3)]
    talking = [user("q"), calls("a", "b", content="One moment."), result("b")]
    kept = repair(talking, unanswered="remove").messages
    assert kept == [talking[0], {**talking[1], "tool_calls": [call("b")]}, talking[2]]
    alone = repair([user("q"), calls("a", content="Hm."), user("?")], unanswered="remove")
    assert alone.messages[1] == answer("Hm.")


def test_a_displaced_result_goes_back_behind_its_call() -> None:
    history = [
        user("send both"),
        calls("s1", "s2"),
        result("s2", "video"),
        answer("Here is the video."),
        result("s1", "audio"),
        user("谢谢"),
    ]
    mended = repair(history)
    assert [id(m) for m in mended.messages] == [id(history[i]) for i in (0, 1, 2, 4, 3, 5)]
    assert [c.code for c in mended.changes] == ["tool_result_not_contiguous"]


def test_ids_that_are_used_again_are_no_fault() -> None:
    round_ = [user("q"), calls("a"), result("a"), answer("done")]
    assert not repair([*round_, *round_]).changed


def test_a_call_and_its_result_without_ids_find_each_other() -> None:
    history = [user("q"), calls(None), {"role": "tool", "content": "4"}]
    mended = repair(history)
    assert mended.problems == ()
    made = mended.messages[1]["tool_calls"][0]["id"]
    assert mended.messages[2] == {"role": "tool", "tool_call_id": made, "content": "4"}


def test_two_calls_under_one_id_are_told_apart_with_their_results() -> None:
    history = [user("q"), calls("a", "a"), result("a", "first"), result("a", "second")]
    mended = repair(history)
    assert mended.problems == ()
    ids = [each["id"] for each in mended.messages[1]["tool_calls"]]
    assert [m["tool_call_id"] for m in mended.messages[2:]] == ids
    assert [m["content"] for m in mended.messages[2:]] == ["first", "second"]


def test_arguments_become_json_text() -> None:
    made = {"role": "assistant", "content": None, "tool_calls": [call("a", {"城市": "杭州"})]}
    mended = repair([user("q"), made, result("a")])
    assert mended.messages[1]["tool_calls"][0]["function"]["arguments"] == '{"城市": "杭州"}'


@pytest.mark.parametrize(
    ("provider", "id"),
    [("anthropic", "functions.f:0"), ("mistral", "call_1"), ("openai", "c" * 60)],
)
def test_ids_are_written_as_the_provider_takes_them(provider: str, id: str) -> None:
    history = [user("q"), calls(id, id[:-1]), result(id[:-1], "2"), result(id, "1")]
    mended = repair(history, provider=provider)
    assert mended.problems == ()
    first, second = (each["id"] for each in mended.messages[1]["tool_calls"])
    assert first != second
    assert [m["tool_call_id"] for m in mended.messages[2:]] == [second, first]


def test_strict_templates_get_roles_that_alternate() -> None:
    history = [
        user("Hello"),
        answer(""),
        user("在吗？"),
        answer("Yes"),
        user("Good"),
        {"role": "system", "content": "Be brief."},
        user("One more thing"),
    ]
    mended = repair(history, provider="strict")
    assert mended.messages == [
        {"role": "system", "content": "Be brief."},
        user("Hello\n\n在吗？"),
        answer("Yes"),
        user("Good\n\nOne more thing"),
    ]
    assert mended.problems == ()
    assert not repair(history[:5]).changed


def test_what_cannot_be_mended_stays_and_is_named() -> None:
    history = [user("q"), {"role": "usr", "content": "?"}, answer("a"), calls("x", content="b")]
    mended = repair(history)
    assert mended.messages[1] is history[1]
    assert [(p.code, p.index) for p in mended.problems] == [("unreadable_message", 1)]
    assert "left: message 1" in mended.explain()


def test_impossible_options() -> None:
    with pytest.raises(OptionError, match="did you mean 'anthropic'"):
        repair([user("q")], provider="antropic")
    with pytest.raises(OptionError, match="unanswered"):
        repair([user("q")], unanswered="guess")  # type: ignore[arg-type]


# Anthropic messages


def use(id: str) -> Message:
    return {"type": "tool_use", "id": id, "name": "f", "input": {}}


def used(id: str, text: Any = "ok") -> Message:
    return {"type": "tool_result", "tool_use_id": id, "content": text}


def text(content: str) -> Message:
    return {"type": "text", "text": content}


def test_anthropic_turns_alternate_with_results_in_front() -> None:
    history = [
        answer([text("您好")]),
        user([text("weather in both")]),
        user([text(" ")]),
        answer([use("a1"), use("a2")]),
        user([text("and now?"), used("a1", "rain")]),
        user([used("a2", "sun")]),
        answer([text("same"), text("")]),
    ]
    mended = repair(history, provider="anthropic")
    assert mended.messages == [
        user(NO_MESSAGE),
        history[0],
        history[1],
        history[3],
        user([used("a1", "rain"), used("a2", "sun"), text("and now?")]),
        answer([text("same")]),
    ]
    assert mended.messages[2] is history[1]
    assert {change.code for change in mended.changes} == {
        "first_not_user",
        "empty_text",
        "same_role_twice",
        "results_not_first",
    }
    assert codes(mended.messages, "anthropic") == []


def test_anthropic_calls_and_results_are_paired() -> None:
    history = [
        user([text("q")]),
        answer([use("a"), use("b")]),
        user([used("zzz"), used("b")]),
        answer([text("hm")]),
        user([used("a", "late"), text("so?")]),
        answer([use("c")]),
    ]
    mended = repair(history, provider="anthropic")
    assert mended.messages[2] == user([used("b"), used("a", "late")])
    assert mended.messages[4] == user([text("so?")])
    assert mended.messages[6] == user([{**used("c", NO_RESULT), "is_error": True}])
    assert codes(mended.messages, "anthropic") == []
    removed = repair(history, provider="anthropic", unanswered="remove")
    assert removed.messages == mended.messages[:5]


blocks = st.lists(
    st.one_of(
        st.sampled_from(["a", "b", "c.d"]).map(use),
        st.sampled_from(["hello", " ", "", "你好"]).map(text),
        st.sampled_from(["a", "b", "c.d"]).map(used),
    ),
    max_size=3,
)


@st.composite
def anthropic_histories(draw: st.DrawFn) -> Messages:
    """Messages with blocks where they may stand, in any order, one of them certainly a call."""
    history = [answer([use("a")])]
    for role in draw(st.lists(st.sampled_from(["user", "assistant"]), max_size=6)):
        kind = "tool_result" if role == "assistant" else "tool_use"
        content = draw(blocks | st.sampled_from(["x", "好 "]))
        if isinstance(content, list):
            content = [b for b in content if b["type"] != kind]
            ids = [b.get("id") for b in content if b["type"] == "tool_use"]
            content = content if len(ids) == len(set(ids)) else [text("x")]
        history.insert(draw(st.integers(0, len(history))), {"role": role, "content": content})
    return history


@given(anthropic_histories(), ways)
def test_anthropic_repair_keeps_the_laws_too(history: Messages, unanswered: Unanswered) -> None:
    before = copy.deepcopy(history)
    mended = repair(history, provider="anthropic", unanswered=unanswered)
    assert history == before
    assert not MENDED.intersection(codes(mended.messages, "anthropic"))
    again = repair(mended.messages, provider="anthropic", unanswered=unanswered)
    assert not again.changed
    assert again.messages == mended.messages


@given(anthropic_histories(), ways)
def test_no_block_is_lost_without_account(history: Messages, unanswered: Unanswered) -> None:
    mended = repair(history, provider="anthropic", unanswered=unanswered)

    def number(messages: Messages, kind: str) -> int:
        return sum(
            block["type"] == kind and block.get("content") != NO_RESULT
            for message in messages
            if isinstance(message["content"], list)
            for block in message["content"]
        )

    accounted = [change.code for change in mended.changes]
    removed = accounted.count("orphan_tool_result")
    assert number(history, "tool_result") - removed == number(mended.messages, "tool_result")
    gone = accounted.count("unanswered_tool_call") if unanswered == "remove" else 0
    assert number(history, "tool_use") - gone == number(mended.messages, "tool_use")
    said = "\n".join(str(message["content"]) for message in mended.messages)
    assert all(word in said for word in ("hello", "你好") if word in str(history))


# Bodies and lists of every format

SPEAKERS: dict[Target, str] = {
    "openai-chat": "openai",
    "openai-responses": "openai",
    "anthropic": "anthropic",
    "gemini": "gemini",
}
LISTS = {"openai-responses": "input", "gemini": "contents"}


@st.composite
def broken_bodies(draw: st.DrawFn) -> tuple[str, Message]:
    """A body whose messages and blocks are lost, doubled or out of place."""
    to = draw(st.sampled_from(sorted(SPEAKERS)))
    body = copy.deepcopy(convert({"messages": draw(any_history)}, to=to).body)
    items: Messages = body[LISTS.get(to, "messages")]
    _shuffle(draw, items)
    for item in items:
        blocks = item.get("parts") or item.get("content")
        if isinstance(blocks, list) and to in ("anthropic", "gemini") and draw(st.booleans()):
            _shuffle(draw, blocks)
    return SPEAKERS[to], body


def _shuffle(draw: st.DrawFn, items: list[Any]) -> None:
    for _ in range(draw(st.integers(0, 2 if items else 0))):
        place = draw(st.integers(0, len(items) - 1))
        fault = draw(st.sampled_from(["lose", "double", "move"]))
        if fault == "double":
            items.insert(place, copy.deepcopy(items[place]))
        elif len(items) > 1:
            item = items.pop(place)
            if fault == "move":
                items.insert(draw(st.integers(0, len(items))), item)


@given(broken_bodies(), ways)
def test_bodies_are_mended_once_and_for_all(
    drawn: tuple[str, Message], unanswered: Unanswered
) -> None:
    provider, body = drawn
    before = copy.deepcopy(body)
    mended = repair(body, provider=provider, unanswered=unanswered)
    assert body == before
    assert not MENDED.intersection(codes(mended.body, provider))
    assert mended.changed == (mended.body is not body)
    again = repair(mended.body, provider=provider, unanswered=unanswered)
    assert not again.changed
    assert again.body is mended.body


@given(broken_bodies(), ways)
def test_a_change_of_a_body_touches_two_messages_at_most(
    drawn: tuple[str, Message], unanswered: Unanswered
) -> None:
    """The message at fault, and the one that a block moves into."""
    provider, body = drawn
    key = next(key for key in ("input", "contents", "messages") if key in body)
    mended = repair(body, provider=provider, unanswered=unanswered)
    assert all(mended.body[name] is body[name] for name in body if name != key)
    kept = set(map(id, mended.messages))
    touched = [item for item in body[key] if id(item) not in kept]
    assert len(touched) <= 2 * len(mended.changes)
    named = {problem.code for problem in check(body, provider=provider)}
    assert {change.code for change in mended.changes[:1]} <= named
    assert mended.changed or not MENDED.intersection(codes(body, provider))


def test_responses_pair_by_id_and_a_placeholder_stands_behind_all_calls() -> None:
    made = [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        *({"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"} for id in "ab"),
    ]
    said = {"type": "function_call_output", "call_id": "b", "output": "好"}
    stale = {"type": "function_call_output", "call_id": "z", "output": "old"}
    asked = {"role": "user", "content": "今天天气？"}
    body = {"model": "gpt-5", "input": [asked, *made, said, stale]}
    mended = repair(body)
    answered = {"type": "function_call_output", "call_id": "a", "output": NO_RESULT}
    assert mended.messages == [asked, *made, answered, said]
    assert mended.body == {"model": "gpt-5", "input": mended.messages}
    assert [(c.code, c.index, c.id) for c in mended.changes] == [
        ("orphan_tool_result", 5, "z"),
        ("unanswered_tool_call", 2, "a"),
    ]
    assert repair(body, unanswered="remove").messages == [asked, made[0], made[2], said]
    assert repair([asked, *made], unanswered="remove").messages == [asked]
    stored = {**body, "previous_response_id": "resp_1", "input": [stale, asked]}
    assert repair(stored).body is stored


def test_reasoning_that_leads_nowhere_is_named_and_removed() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    asked = {"role": "user", "content": "q"}
    assert codes([thought, asked]) == ["reasoning_without_item"]
    assert repair([thought, asked]).messages == [asked]
    answered = {"type": "message", "role": "assistant", "content": "a"}
    assert codes([thought, answered, asked]) == []


def test_custom_calls_and_written_arguments_of_responses() -> None:
    custom = {"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls"}
    loose = {"type": "function_call", "call_id": "f", "name": "f", "arguments": {"q": "杭州"}}
    mended = repair([custom, loose])
    assert mended.messages[1]["arguments"] == '{"q": "杭州"}'
    assert [item["type"] for item in mended.messages[2:]] == [
        "function_call_output",
        "custom_tool_call_output",
    ]
    nameless = {"type": "function_call_output", "output": "?"}
    assert repair([{"role": "user", "content": "q"}, nameless]).messages == [
        {"role": "user", "content": "q"}
    ]


def test_gemini_calls_and_responses_are_paired_by_name_and_order() -> None:
    def called(name: str, **id: str) -> Message:
        return {"functionCall": {**id, "name": name, "args": {}}}

    def responded(name: str, **id: str) -> Message:
        return {"functionResponse": {**id, "name": name, "response": {"output": "ok"}}}

    opened = {"role": "user", "parts": [{"text": "看看"}]}
    both = {"role": "model", "parts": [called("f"), called("g", id="g1"), called("f")]}
    half = {"role": "user", "parts": [{"text": "and?"}, responded("f"), responded("h")]}
    mended = repair({"contents": [opened, both, half]}, provider="gemini")
    assert mended.messages[:2] == [opened, both]
    assert [part.get("functionResponse", part) for part in mended.messages[2]["parts"]] == [
        {"name": "f", "response": {"output": "ok"}},
        {"name": "g", "id": "g1", "response": {"error": NO_RESULT}},
        {"name": "f", "response": {"error": NO_RESULT}},
        {"text": "and?"},
    ]
    removed = repair([opened, both, half], provider="gemini", unanswered="remove")
    assert removed.messages[1] == {"role": "model", "parts": [called("f")]}
    alone = repair([opened, {"role": "model", "parts": [called("f")]}], provider="gemini")
    assert alone.messages[2]["role"] == "user"
    apart = [
        opened,
        {"role": "model", "parts": [called("f"), called("g")]},
        {"role": "user", "parts": [responded("g")]},
        {"role": "user", "parts": [responded("f")]},
    ]
    assert not repair(apart, provider="gemini").changed
    empty = {"role": "model", "parts": []}
    assert repair([opened, empty], provider="gemini").messages == [opened]


def test_a_body_that_the_provider_does_not_speak_is_not_mended() -> None:
    with pytest.raises(OptionError, match="gemini format, which anthropic does not speak"):
        repair({"contents": [{"parts": [{"text": "q"}]}]}, provider="anthropic")
    with pytest.raises(OptionError, match="convert"):
        repair({"messages": [{"role": "user", "content": [{"text": "q"}]}]}, provider="bedrock")
