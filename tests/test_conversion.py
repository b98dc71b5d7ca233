"""convert(): nothing is lost on the way, and each API takes what comes out."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

import openai
import pytest
from drawn import any_history
from hypothesis import given, settings
from hypothesis import strategies as st

from contextkit import (
    Conversion,
    OptionError,
    RecallRelevant,
    SummaryCompression,
    TokenBudget,
    chain,
    collect_stream,
    convert,
    count,
    trim,
)
from contextkit.conversion.converting import Target

Messages = list[dict[str, Any]]

TARGETS = get_args(Target)
OTHERS = [to for to in TARGETS if to != "openai-chat"]

LLAMA_PATHS: dict[Target, str] = {
    "openai-chat": "/chat/completions",
    "openai-responses": "/responses",
    "anthropic": "/messages",
}
"""What a llama.cpp server speaks."""

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQAAAADsdIMm"


def call(id: str, name: str = "look_up", arguments: str = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls: dict[str, Any], content: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def answers(id: str, content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def said(messages: Messages) -> list[tuple[Any, ...]]:
    """What a chat history says: texts, images, calls and results; blanks of results aside."""
    found: list[tuple[Any, ...]] = []
    for index, message in enumerate(messages):
        role, content = message["role"], message.get("content")
        parts: list[Any] = (
            [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        )
        texts = [part["text"] for part in parts if part["type"] == "text"]
        if role in ("tool", "function"):
            words = "".join("".join(texts).split())
            found.append(("result", message.get("tool_call_id"), words))
            continue
        side = "system" if role in ("system", "developer") else role
        shown = (p["text"] if "text" in p else p["image_url"]["url"] for p in parts)
        found += [(side, words) for words in shown if words.strip()]
        legacy = message.get("function_call")
        calls = [*(message.get("tool_calls") or ())]
        calls += [{"id": f"call_{index}_0", "function": legacy}] if legacy else []
        found += [("call", c["id"], c["function"]["name"], _read(c["function"])) for c in calls]
    return found


def _read(function: Mapping[str, Any]) -> Any:
    try:
        return json.loads(function["arguments"] or "{}")
    except ValueError:
        return function["arguments"]


def system_apart(found: list[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
    return [f for f in found if f[0] == "system"], [f for f in found if f[0] != "system"]


def same_but_legacy_ids(one: list[Any], other: list[Any]) -> bool:
    """Results of 2023 have no id; they get that of their call."""

    def plain(found: Any) -> Any:
        return (found[0], found[2]) if found[0] == "result" else found

    known = [f for f in one if f[0] != "result" or f[1] is not None]
    kept = [b for a, b in zip(one, other, strict=True) if a[0] != "result" or a[1] is not None]
    return list(map(plain, one)) == list(map(plain, other)) and known == kept


@pytest.mark.parametrize("to", OTHERS)
@given(any_history)
def test_there_and_back_again_says_the_same(to: Target, history: Messages) -> None:
    before = copy.deepcopy(history)
    there = convert(history, to=to)
    back = convert(there.body, to="openai-chat", source=to)
    assert history == before
    systems, dialogue = system_apart(said(history))
    systems_back, dialogue_back = system_apart(said(back.messages))
    assert systems_back == systems
    assert same_but_legacy_ids(dialogue, dialogue_back)


PAIRS = list(itertools.permutations(TARGETS, 2))


@pytest.mark.parametrize(("source", "to"), PAIRS)
@settings(max_examples=40)
@given(any_history)
def test_every_pair_there_and_back_says_the_same(
    source: Target, to: Target, history: Messages
) -> None:
    body = convert({"messages": history}, to=source).body
    back = convert(convert(body, to=to, source=source).body, to=source, source=to).body
    first, last = (convert(each, to="openai-chat", source=source).messages for each in (body, back))
    systems, dialogue = system_apart(said(first))
    systems_back, dialogue_back = system_apart(said(last))
    assert systems_back == systems
    assert same_but_legacy_ids(dialogue, dialogue_back)


@pytest.mark.parametrize(("source", "to"), PAIRS)
@settings(max_examples=40)
@given(any_history)
def test_what_both_formats_share_comes_back_exactly(
    source: Target, to: Target, history: Messages
) -> None:
    """Once a body has been there and back it holds nothing else, and stays as it is."""
    shared = convert({"messages": history}, to=source).body
    for one, other in ((source, to), (to, source)):
        shared = convert(shared, to=other, source=one).body
    again = convert(convert(shared, to=to, source=source).body, to=source, source=to)
    assert again.body == shared


@given(any_history)
def test_every_note_names_a_message_of_the_source(history: Messages) -> None:
    for to in TARGETS:
        for note in convert(history, to=to).notes:
            assert note.index is None or 0 <= note.index < len(history)
            assert note.reason


@given(any_history)
def test_what_disappears_is_noted(history: Messages) -> None:
    """A key, a text or a thought that is in no message any more stands in a note."""
    for to in OTHERS:
        there = convert(history, to=to)
        text = json.dumps(there.body, ensure_ascii=False)
        for index, message in enumerate(history):
            reasons = " ".join(note.reason for note in there.notes if note.index == index)
            for key in ("name", "metadata"):
                if key in message and message["role"] == "user":
                    assert f"{key!r}" in reasons
            thought = message.get("reasoning_content")
            if thought and json.dumps(thought, ensure_ascii=False) not in text:
                assert "reasoning" in reasons


def anthropic_order(messages: Messages) -> None:
    """The server's rules, written down again: alternation, results first and right behind."""
    roles = [message["role"] for message in messages]
    assert all(left != right for left, right in itertools.pairwise(roles))
    asked: list[str] = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        assert blocks
        assert all(block["text"].strip() for block in blocks if block["type"] == "text")
        kinds = [block["type"] == "tool_result" for block in blocks]
        assert kinds == sorted(kinds, reverse=True)
        answered = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        assert sorted(answered) == sorted(asked)
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]


def gemini_order(contents: Messages) -> None:
    roles = [content["role"] for content in contents]
    assert all(left != right for left, right in itertools.pairwise(roles))
    asked: list[tuple[str, str]] = []
    for content in contents:
        assert content["parts"]
        answers = [p["functionResponse"] for p in content["parts"] if "functionResponse" in p]
        assert sorted((a["id"], a["name"]) for a in answers) == sorted(asked)
        calls = [p["functionCall"] for p in content["parts"] if "functionCall" in p]
        asked = [(c["id"], c["name"]) for c in calls]


@given(any_history)
def test_order_rules_of_anthropic(history: Messages) -> None:
    anthropic_order(convert(history, to="anthropic").messages)


@given(any_history)
def test_order_rules_of_gemini(history: Messages) -> None:
    gemini_order(convert(history, to="gemini").messages)


SUMMARIES = [
    *(SummaryCompression(keep_turns=1, placement=place) for place in ("user", "system", "pair")),
    chain(SummaryCompression(keep_turns=2), RecallRelevant(max_tokens=200), TokenBudget()),
    chain(SummaryCompression(keep_turns=1, placement="pair"), TokenBudget()),
]


@pytest.mark.parametrize("strategy", SUMMARIES, ids=str)
@given(any_history)
def test_summaries_keep_the_order_rules_of_anthropic(strategy: Any, history: Messages) -> None:
    opened = {"role": "user", "content": "我叫林晓雨，我的订单是 LX-20417。"}
    talk = [opened, {"role": "assistant", "content": "Noted."}, *history]
    result = trim(talk, strategy=strategy, max_tokens=count(talk))
    sent = convert(result.messages, to="anthropic").messages
    anthropic_order(sent)
    first = next(m for m in result.messages if m["role"] not in ("system", "developer"))
    if said([first]):
        assert sent[0]["role"] == "user"


def test_parallel_results_are_one_user_message_with_its_text_behind_them() -> None:
    talk = [
        user("杭州和 Berlin 的天气？"),
        asks(call("w1"), call("w2")),
        answers("w1", "雨"),
        answers("w2", "sun"),
        user("And tomorrow?"),
        {"role": "assistant", "content": "Both dry."},
    ]
    made = convert(talk, to="anthropic")
    assert [m["role"] for m in made.messages] == ["user", "assistant", "user", "assistant"]
    kinds = [block["type"] for block in made.messages[2]["content"]]
    assert kinds == ["tool_result", "tool_result", "text"]
    assert convert(made.body, to="openai-chat").messages == talk


def test_a_result_that_came_late_goes_in_front() -> None:
    talk = [user("go"), asks(call("a")), user("still there?"), answers("a", "done")]
    sent = convert(talk, to="anthropic").messages
    assert [b["type"] for b in sent[2]["content"]] == ["tool_result", "text"]


def test_ids_outside_the_alphabet_are_escaped_and_come_back() -> None:
    ids = ["functions.find:0", "call_Ab-9", "esc_x", "查询"]
    talk = [user("x"), asks(*map(call, ids)), *(answers(id, "1") for id in ids), user("ok")]
    made = convert(talk, to="anthropic")
    used = [b["id"] for b in made.messages[1]["content"]]
    assert [b["tool_use_id"] for b in made.messages[2]["content"][:-1]] == used
    assert all(id.isascii() and id.replace("_", "").replace("-", "").isalnum() for id in used)
    assert made.ids == {id: new for id, new in zip(ids, used, strict=True) if id != new}
    assert convert(made.body, to="openai-chat").messages == talk


@given(st.lists(st.text(min_size=1), unique=True))
def test_escaped_ids_are_one_to_one(ids: list[str]) -> None:
    from contextkit.conversion.ids import original_id, safe_id

    safe = [safe_id(id) for id in ids]
    assert len(set(safe)) == len(ids)
    assert [original_id(id) for id in safe] == ids


def test_an_image_in_a_result_never_becomes_text() -> None:
    image = {"type": "base64", "media_type": "image/png", "data": PNG}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image"}]}
    result["content"] = [{"type": "image", "source": image}]
    used = {"type": "tool_use", "id": "t", "name": "screenshot", "input": {}}
    talk = [user("看看屏幕"), {"role": "assistant", "content": [used]}, user([result])]
    made = convert(talk, to="openai-chat")
    tool, shown = made.messages[2:]
    assert tool["role"] == "tool"
    assert tool["content"]
    assert PNG not in str(tool)
    url = f"data:image/png;base64,{PNG}"
    assert shown["content"][-1] == {"type": "image_url", "image_url": {"url": url}}
    assert [note.index for note in made.notes] == [2]
    responses = convert(talk, to="openai-responses").messages
    assert responses[-1]["output"][0]["image_url"] == url


def test_an_empty_answer_is_left_out_and_its_neighbours_meet() -> None:
    talk = [
        user("你好"),
        {"role": "assistant", "content": ""},
        user("Anybody?"),
        {"role": "assistant", "content": "Yes."},
        user("Fine"),
        user("还有一件事"),
    ]
    made = convert(talk, to="anthropic")
    assert [m["role"] for m in made.messages] == ["user", "assistant", "user"]
    assert [text for _, text in said(made.messages)] == [
        *("你好", "Anybody?", "Yes.", "Fine", "还有一件事")
    ]
    assert [(note.index, "empty" in note.reason) for note in made.notes] == [(1, True)]


def test_a_trimmed_agent_turn_opens_with_its_user_in_every_format() -> None:
    rounds = [m for n in range(6) for m in (asks(call(f"c{n}")), answers(f"c{n}", "ok " * 20))]
    talk = [user("old"), {"role": "assistant", "content": "older"}, user("整理文件"), *rounds]
    kept = trim(talk, max_tokens=150).messages
    assert kept[0] is talk[2]
    assert convert(kept, to="anthropic").messages[0]["role"] == "user"
    assert convert(kept, to="gemini").messages[0]["role"] == "user"


@pytest.mark.parametrize("arguments", ['{"path": "a.txt", "text": "ab', "[1]", "NaN", "null", "{]"])
@pytest.mark.parametrize("to", ["anthropic", "gemini"])
def test_arguments_that_are_no_object_are_carried_marked_and_noted(
    to: Target, arguments: str
) -> None:
    talk = [user("write"), asks(call("w", "write_file", arguments)), answers("w", "no")]
    made = convert(talk, to=to)
    assert any(note.index == 1 and "no JSON object" in note.reason for note in made.notes)
    assert arguments in json.dumps(made.body, ensure_ascii=False).replace('\\"', '"')
    back = convert(made.body, to="openai-chat").messages[1]["tool_calls"][0]
    assert back["function"]["arguments"] == arguments


def test_arguments_that_a_stream_broke_off_are_what_they_were() -> None:
    block = {"type": "tool_use", "id": "w", "name": "write_file", "input": {}}
    fragment = {"type": "input_json_delta", "partial_json": '{"path": "甲.txt", "te'}
    message = collect_stream(
        [
            {"type": "message_start", "message": {"role": "assistant", "content": []}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": fragment},
        ]
    )
    assert message.incomplete_calls == ("w",)
    chat = convert([user("write"), message], to="openai-chat").messages
    assert chat[1]["tool_calls"][0]["function"]["arguments"] == fragment["partial_json"]


def test_signed_thoughts_come_back_to_their_own_server() -> None:
    thought = {"type": "thinking", "thinking": "想一想", "signature": "c2ln"}
    hidden = {"type": "redacted_thinking", "data": "eHh4"}
    answer = [thought, hidden, {"type": "text", "text": "42"}]
    body = {"messages": [user("6 * 7?"), {"role": "assistant", "content": answer}]}
    chat = convert(body, to="openai-chat")
    assert chat.messages[1]["reasoning_content"] == "想一想"
    assert convert(chat.body, to="anthropic").messages[1]["content"] == answer
    dropped = convert(body, to="openai-chat", reasoning="drop").messages[1]
    assert dropped == {"role": "assistant", "content": "42"}


def test_unsigned_thoughts_are_noted_where_they_would_be_refused() -> None:
    talk = [user("?"), {"role": "assistant", "content": "42", "reasoning_content": "hm"}]
    made = convert(talk, to="anthropic")
    assert made.messages[1] == {"role": "assistant", "content": "42"}
    assert "reasoning" in made.notes[0].reason
    assert convert(made.body, to="anthropic").notes == ()
    parts = convert(talk, to="gemini").messages[1]["parts"]
    assert parts == [{"text": "hm", "thought": True}, {"text": "42"}]


def test_parallel_calls_of_responses_are_one_chat_message() -> None:
    items = [
        {"role": "user", "content": "两个城市"},
        {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "plan"}]},
        {"type": "message", "role": "assistant", "content": "Looking."},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "g", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "function_call_output", "call_id": "b", "output": "2"},
    ]
    _, step, *results = convert(items, to="openai-chat").messages
    assert (step["content"], step["reasoning_content"]) == ("Looking.", "plan")
    assert [c["id"] for c in step["tool_calls"]] == [r["tool_call_id"] for r in results]
    assert convert(items, to="openai-responses").messages == items


BODY: dict[str, Any] = {
    "model": "gpt-4o",
    "messages": [{"role": "system", "content": "简短回答"}, user("Weather in 杭州?")],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "weather",
                "description": "Look it up.",
                "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
            },
        }
    ],
    "tool_choice": {"type": "function", "function": {"name": "weather"}},
    "parallel_tool_calls": False,
    "max_completion_tokens": 300,
    "temperature": 0.5,
    "top_p": 0.9,
    "stop": ["END"],
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": {"type": "object"}},
    },
}


@pytest.mark.parametrize("to", OTHERS)
def test_tools_and_options_of_a_body_come_back(to: Target) -> None:
    there = convert(BODY, to=to)
    back = convert(there.body, to="openai-chat", source=to, model="gpt-4o").body
    lost = {
        "openai-responses": {"stop"},
        "anthropic": set(),
        "gemini": {"parallel_tool_calls"},
    }[to]
    text = " ".join(note.reason for note in there.notes)
    for key, value in BODY.items():
        if key in lost:
            assert key not in back
            assert key in text or "parallel" in text
        elif key == "tools":
            (function,) = (tool["function"] for tool in back["tools"])
            assert BODY["tools"][0]["function"].items() <= function.items()
        else:
            assert back[key] == value, key


def test_anthropic_body() -> None:
    made = convert(BODY, to="anthropic", model="claude-sonnet-4-5")
    assert made.body["system"] == "简短回答"
    assert made.body["max_tokens"] == 300
    choice = {"type": "tool", "name": "weather", "disable_parallel_tool_use": True}
    assert made.body["tool_choice"] == choice
    assert made.body["model"] == "claude-sonnet-4-5"


def test_what_an_option_cannot_be_is_noted() -> None:
    made = convert({**BODY, "temperature": 1.7, "logit_bias": {"1": 2}, "seed": 3}, to="anthropic")
    text = " ".join(map(str, made.notes))
    assert made.body["temperature"] == 1.0
    assert all(word in text for word in ("1.7", "logit_bias", "seed", "gpt-4o"))


@pytest.mark.parametrize(
    ("options", "named"),
    [({"to": "claude"}, "to"), ({"to": "gemini", "source": "x"}, "source")],
)
def test_impossible_options(options: dict[str, Any], named: str) -> None:
    with pytest.raises(OptionError, match=f"^{named}:"):
        convert([user("hi")], **options)


def forced(value: Any) -> None:
    """Read everything: pydantic validates iterables only as far as they are read."""
    if isinstance(value, Mapping):
        value = value.values()
    elif isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        return
    for inner in value:
        forced(inner)


@cache
def adapter(kind: Any) -> Any:
    """An adapter that lives on: what it validated reads from it."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def accepted(kind: Any, value: Any) -> None:
    forced(adapter(kind).validate_python(value))


def _accepts_chat(made: Conversion) -> None:
    from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam

    accepted(list[ChatCompletionMessageParam], made.messages)
    accepted(list[ChatCompletionToolParam], made.body.get("tools", []))


def _accepts_responses(made: Conversion) -> None:
    from openai.types.responses import FunctionToolParam, ResponseInputParam

    accepted(ResponseInputParam, made.messages)
    accepted(list[FunctionToolParam], made.body.get("tools", []))


def _accepts_anthropic(made: Conversion) -> None:
    from anthropic.types import MessageParam, TextBlockParam, ToolParam

    accepted(list[MessageParam], made.messages)
    accepted(list[ToolParam], made.body.get("tools", []))
    accepted(str | list[TextBlockParam], made.body.get("system", ""))


def _accepts_gemini(made: Conversion) -> None:
    from google.genai import types

    for content in made.messages:
        types.Content.model_validate(content)
    for tool in made.body.get("tools", []):
        types.Tool.model_validate(tool)
    types.GenerationConfig.model_validate(made.body.get("generationConfig", {}))
    if "systemInstruction" in made.body:
        types.Content.model_validate(made.body["systemInstruction"])


ACCEPTS: Mapping[Target, Callable[[Conversion], None]] = {
    "openai-chat": _accepts_chat,
    "openai-responses": _accepts_responses,
    "anthropic": _accepts_anthropic,
    "gemini": _accepts_gemini,
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("source", TARGETS)
@pytest.mark.parametrize("to", TARGETS)
@given(any_history)
def test_the_types_of_the_sdk_accept_it(source: Target, to: Target, history: Messages) -> None:
    plain = [m for m in history if "\ud83d" not in json.dumps(m, ensure_ascii=False)]
    body = convert({**BODY, "messages": plain or [user("你好")]}, to=source).body
    ACCEPTS[to](convert(body, to=to, source=source))


def test_the_types_of_the_sdk_refuse_what_is_wrong() -> None:
    from pydantic import ValidationError

    wrong = Conversion(
        {"messages": [{"role": "user", "content": [{"type": "tex"}]}]}, "anthropic", (), {}
    )
    with pytest.raises(ValidationError):
        _accepts_anthropic(wrong)


@pytest.mark.parametrize("through", OTHERS)
def test_a_real_server_takes_what_came_back(llama_server: Any, through: Target) -> None:
    talk = [
        {"role": "system", "content": "Be brief."},
        user([{"type": "text", "text": "Weather in Berlin"}, {"type": "text", "text": "和杭州?"}]),
        asks(call("functions.w:0", "weather", '{"city": "Berlin"}'), call("w2")),
        answers("functions.w:0", "rain"),
        answers("w2", "晴"),
        user("Thanks"),
    ]
    back = convert(convert(talk, to=through).body, to="openai-chat", source=through)
    answer = llama_server.chat.completions.create(
        model="smollm2", messages=back.messages, max_tokens=2
    )
    assert answer.usage.prompt_tokens > 20


@pytest.mark.parametrize(("to", "path"), sorted(LLAMA_PATHS.items()))
def test_a_real_server_takes_the_body_in_its_own_format(
    llama_server: openai.OpenAI, to: Target, path: str
) -> None:
    talk = [
        {"role": "system", "content": "Be brief."},
        user([{"type": "text", "text": "Weather in Berlin"}, {"type": "text", "text": "和杭州?"}]),
        asks(call("functions.w:0", "weather", '{"city": "Berlin"}'), call("w2")),
        answers("functions.w:0", "rain"),
        answers("w2", "晴"),
        user("Thanks"),
    ]
    made = convert({"messages": talk, "max_tokens": 2}, to=to, model="smollm2")
    answer: Any = llama_server.post(path, body=made.body, cast_to=object)
    usage = answer["usage"]
    assert usage.get("prompt_tokens", usage.get("input_tokens")) > 20


@pytest.mark.data
@pytest.mark.parametrize("to", OTHERS)
def test_real_histories_come_back(trajectories: list[Messages], to: Target) -> None:
    for history in trajectories:
        there = convert(history, to=to)
        back = convert(there.body, to="openai-chat", source=to)
        systems, dialogue = system_apart(said(history))
        systems_back, dialogue_back = system_apart(said(back.messages))
        assert systems_back == systems
        assert same_but_legacy_ids(dialogue, dialogue_back)


def test_the_command_prints_the_body_and_notes_what_is_left_out(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from contextkit.cli import main

    file = tmp_path / "request.json"
    file.write_text(json.dumps({**BODY, "seed": 3}), "utf-8")
    run = CliRunner().invoke(main, ["convert", str(file), "--to", "anthropic"])
    assert run.exit_code == 0
    assert json.loads(run.stdout) == convert(BODY, to="anthropic").body
    assert "'seed'" in run.stderr
    listed = CliRunner().invoke(
        main, ["convert", str(file), "--to", "anthropic", "--format", "csv"]
    )
    assert listed.stdout.splitlines()[0] == "place,index,reason"
    assert len(listed.stdout.splitlines()) == 1 + len(run.stderr.splitlines())


def test_the_trim_command_writes_the_format_that_it_read(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from contextkit.cli import main

    talk = [
        m
        for n in range(9)
        for m in (user(f"{n} 你好 " * 9), {"role": "assistant", "content": "ok"})
    ]
    body = convert({"messages": [*talk, user("And now?")]}, to="gemini").body
    file = tmp_path / "body.json"
    file.write_text(json.dumps(body), "utf-8")
    run = CliRunner().invoke(main, ["trim", str(file), "--max-tokens", "120"])
    assert run.exit_code == 0
    sent = json.loads(run.stdout)
    assert sent["contents"] == body["contents"][-len(sent["contents"]) :]
    assert 1 < len(sent["contents"]) < len(body["contents"])
