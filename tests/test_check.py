"""Each fault that an OpenAI-compatible server rejects has a name, a place and a remedy."""

from __future__ import annotations

from typing import Any

import pytest

from contextkit import check, sample_history

USER = {"role": "user", "content": "x"}


def calls(*made: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(made), **keys}


def call(id: str | None = "a", arguments: Any = "{}", name: str = "f") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def tool(id: str | None = "a", content: Any = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([], [("empty_list", None, None, "rejected")]),
        ([tool()], [("orphan_tool_result", 0, "a", "rejected")]),
        ([USER, tool()], [("orphan_tool_result", 1, "a", "rejected")]),
        ([USER, calls(call())], [("unanswered_tool_call", 1, "a", "rejected")]),
        ([USER, calls(call()), USER], [("unanswered_tool_call", 1, "a", "rejected")]),
        (
            [USER, calls(call("a"), call("b")), tool("a"), USER],
            [("unanswered_tool_call", 1, "b", "rejected")],
        ),
        (
            [
                USER,
                calls(call("a"), call("b")),
                tool("b"),
                {"role": "assistant", "content": "-"},
                tool("a"),
            ],
            [("tool_result_not_contiguous", 4, "a", "rejected")],
        ),
        (
            [USER, calls(call()), tool(), tool()],
            [("duplicate_tool_result", 3, "a", "rejected")],
        ),
        (
            [USER, calls(call(), call()), tool()],
            [("duplicate_call_id", 1, "a", "rejected")],
        ),
        (
            [USER, calls(call(None)), USER],
            [("missing_call_id", 1, None, "rejected")],
        ),
        (
            [USER, calls(call()), tool(None)],
            [
                ("unanswered_tool_call", 1, "a", "rejected"),
                ("missing_tool_call_id", 2, None, "rejected"),
            ],
        ),
        ([USER, calls(call(name="")), tool()], [("missing_function_name", 1, "a", "rejected")]),
        (
            [USER, calls(call(arguments={"q": 1})), tool()],
            [("arguments_not_string", 1, "a", "rejected")],
        ),
        (
            [USER, calls(call(arguments='{"q": ')), tool()],
            [("invalid_arguments_json", 1, "a", "risky")],
        ),
        ([USER, calls(content="x")], [("empty_tool_calls", 1, None, "rejected")]),
        (
            [{**USER, "tool_calls": [call()]}],
            [("tool_calls_outside_assistant", 0, None, "rejected")],
        ),
        ([{"role": "user"}], [("missing_content", 0, None, "rejected")]),
        ([{"role": "system", "content": None}, USER], [("missing_content", 0, None, "rejected")]),
        ([{"role": "user", "content": []}], [("empty_content_list", 0, None, "rejected")]),
        (
            [USER, {"role": "assistant", "content": None}],
            [("empty_assistant_message", 1, None, "risky")],
        ),
        ([{"role": "function", "content": "x"}], [("missing_function_name", 0, None, "rejected")]),
        (
            [{"role": "usr", "content": "x"}, tool(), 7],
            [
                ("unreadable_message", 0, None, "rejected"),
                ("orphan_tool_result", 1, "a", "rejected"),
                ("unreadable_message", 2, None, "rejected"),
            ],
        ),
    ],
)
def test_fault(messages: Any, expected: list[tuple[Any, ...]]) -> None:
    problems = check(messages)
    assert [(p.code, p.index, p.id, p.severity) for p in problems] == expected
    for problem in problems:
        assert problem.message
        assert problem.remedy
        assert problem.code in str(problem)


@pytest.mark.parametrize(
    "messages",
    [
        [USER],
        [USER, USER],
        [{"role": "assistant", "content": "hello"}, USER],
        [{"role": "system", "content": "s"}, USER, {"role": "developer", "content": "d"}],
        [USER, calls(call("a")), tool("a"), USER, calls(call("a")), tool("a")],
        [USER, calls(call("a"), call("b")), tool("b"), tool("a")],
        [USER, {"role": "assistant", "content": None, "refusal": "I cannot."}],
        [
            USER,
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "f", "arguments": "{}"},
            },
            {"role": "function", "name": "f", "content": "x"},
        ],
        [{"role": "user", "content": ""}],
    ],
)
def test_what_a_server_takes_has_no_fault(messages: Any) -> None:
    assert check(messages) == []


def test_the_sample_has_no_fault() -> None:
    assert check(sample_history()) == []
