"""OpenAI requests: worked examples, laws, and the recorded requests."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from drawn import any_history
from hypothesis import given
from hypothesis import strategies as st

from contextkit import Count, count, count_text
from contextkit.counting.openai_tools import has_cycle, schema_text, tools_text
from contextkit.formats import Api
from contextkit.formats.openai_chat import read_tools
from contextkit.formats.request import AnswerSchema

Body = dict[str, Any]


def function(name: str, properties: Body, **more: Any) -> Body:
    schema = {"type": "object", "properties": properties, "required": list(properties), **more}
    return {"name": name, "parameters": schema}


def written(name: str, properties: Body, *, in_line: bool = False, **more: Any) -> str:
    """The lines of one function, without what stands around them."""
    text = tools_text(read_tools([function(name, properties, **more)]), unions_in_line=in_line)
    return text.removeprefix("namespace functions {\n\n").removesuffix(
        "\n\n} // namespace functions"
    )


MULTIPLY: Body = {
    "type": "function",
    "function": {
        **function("multiply", {"a": {"type": "integer"}, "b": {"type": "integer"}}),
        "description": "Multiply two numbers.",
    },
}
ASKED = [
    {"role": "system", "content": "A sync streaming agent with tools"},
    {"role": "user", "content": "What is 6 times 7?"},
]
ANSWERED = [
    *ASKED,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "multiply", "arguments": '{"a": 6, "b": 7}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "call_1", "content": "42"},
]

# Chat


def test_text_with_a_name() -> None:
    named = [{**ASKED[0]}, {**ASKED[1], "name": "user"}]
    assert count(ASKED, model="gpt-4o") == (3 + 1 + 6) + (3 + 1 + 8) + 3
    assert count(named, model="gpt-4o") == (3 + 1 + 6) + (3 + 2 + 8) + 3


def test_tools_with_instructions_and_a_call() -> None:
    asked, answered = ({"messages": each, "tools": [MULTIPLY]} for each in (ASKED, ANSWERED))
    assert count(asked, model="gpt-4o-mini") == 3 + 10 + 34 + 12
    assert count(answered, model="gpt-4o-mini") == 84


def test_tools_without_instructions_are_a_message_of_their_own() -> None:
    with_tools = count({"messages": ASKED[1:], "tools": [MULTIPLY]}, model="gpt-4o")
    heading = "# Tools\n\n## functions\n\n" + tools_text(read_tools([MULTIPLY]))
    assert with_tools == 12 + 3 + 4 + count_text(heading) - 1


def test_a_named_choice_costs_its_name_but_not_on_gpt_5() -> None:
    choice = {"type": "function", "function": {"name": "multiply"}}
    free = {"messages": ASKED, "tools": [MULTIPLY]}
    named = {**free, "tool_choice": choice}
    assert count(named, model="gpt-4o") - count(free, model="gpt-4o") == 7 + 1
    assert count(named, model="gpt-5") == count(free, model="gpt-5")
    for word in ("auto", "none", "required"):
        assert count({**free, "tool_choice": word}, model="gpt-4o") == count(free, model="gpt-4o")


def test_functions_of_2023_are_tools() -> None:
    old = {"messages": ASKED, "functions": [MULTIPLY["function"]], "function_call": "auto"}
    new = {"messages": ASKED, "tools": [MULTIPLY]}
    assert count(old, model="gpt-4o") == count(new, model="gpt-4o")


def test_models_of_the_next_generation_are_framed_like_gpt_5() -> None:
    from contextkit.counting.openai_chat import family_of

    assert family_of("gpt-6-mini") == family_of("gpt-5.4") == "gpt-5"


def answer_format(name: str = "age", **more: Any) -> Body:
    schema: Body = {"type": "object", "properties": {"years": {"type": "integer", "minimum": 0}}}
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, **more}}


def test_an_answer_schema() -> None:
    plain = count(ASKED, model="gpt-4o")
    asked = count({"messages": ASKED, "response_format": answer_format()}, model="gpt-4o")
    text = '{"type":"object","properties":{"years":{"type":"integer"}}}'
    assert asked - plain == 8 + 2 * 1 + count_text(text) + 1
    described = answer_format(description="How old.")
    more = count({"messages": ASKED, "response_format": described}, model="gpt-4o")
    assert more - asked == count_text("// How old.\n")


def test_json_mode_is_free() -> None:
    wanted = {"messages": ASKED, "response_format": {"type": "json_object"}}
    assert count(wanted, model="gpt-4o") == count(ASKED, model="gpt-4o")


def test_earlier_json_answers_carry_the_name_of_the_schema() -> None:
    answers = [{"role": "assistant", "content": text} for text in ('{"years":7}', "{broken", "[]")]
    grown = [*ASKED, *answers]
    framed = {"response_format": answer_format()}
    before = count({"messages": ASKED, **framed}, model="gpt-4o")
    after = count({"messages": grown, **framed}, model="gpt-4o")
    plain = count(grown, model="gpt-4o") - count(ASKED, model="gpt-4o")
    assert after - before == plain + 2 + 1


# The text of tools


def test_a_property_that_has_more_than_a_type_gets_lines() -> None:
    properties = {
        "city": {"type": "string", "title": "City", "description": " Where.\n\n  Exactly. "},
        "unit": {"enum": ["c", "f"], "default": "c"},
        "days": {"type": "array", "items": {"type": "integer"}, "default": [1]},
    }
    lines = [
        "type weather = (_: {",
        "// City",
        "//",
        "// Where.",
        "//",
        "// Exactly.",
        "city: string,",
        'unit?: "c" | "f", // default: c',
        "days?: number[], // default: [1]",
        "}) => any;",
    ]
    assert written("weather", properties, required=["city"]) == "\n".join(lines)


def test_unions_in_one_line_and_in_many() -> None:
    nullable: Body = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert written("f", {"a": nullable}) == "type f = (_: { a: string | null }) => any;"
    documented: Body = {"a": {**nullable, "description": "A."}}
    many = "type f = (_: {\n// A.\na:\n | string\n | null\n,\n}) => any;"
    assert written("f", documented) == many
    short = "type f = (_: {\n// A.\na: string | null,\n}) => any;"
    assert written("f", documented, in_line=True) == short
    listed: Body = {"a": {"type": ["string", "null"], "description": "A."}}
    shared = "type f = (_: {\n// A.\na:\n// A.\n | string\n// A.\n | null\n,\n}) => any;"
    assert written("f", listed) == shared


def test_references_are_written_out() -> None:
    step = {"type": "object", "title": "Step", "properties": {"text": {"const": "go"}}}
    steps = {"type": "array", "items": {"$ref": "#/$defs/Step"}}
    definitions: Body = {"$defs": {"Step": step}}
    text = written("run", {"steps": steps}, title="Plan", **definitions)
    lines = ["type run = (_: // Plan", "{", "steps: Array<", "// Step", '{ text?: "go" }', ">,"]
    assert text == "\n".join([*lines, "}) => any;"])


def test_functions_without_properties_and_objects_without_any() -> None:
    assert written("now", {}) == "type now = () => any;"
    assert written("f", {"o": {"type": "object"}}) == "type f = (_: { o: object }) => any;"


def recursive_tool(definitions: int) -> Body:
    names = [f"Node{number}" for number in range(definitions)]
    properties = {name.lower(): {"$ref": f"#/$defs/{name}"} for name in names}
    node = {"type": "object", "properties": properties}
    return function("walk", properties, **{"$defs": dict.fromkeys(names, node)})


@pytest.mark.parametrize("definitions", [1, 2, 30])
def test_a_schema_that_holds_itself_is_an_estimate_and_ends(definitions: int) -> None:
    tool = recursive_tool(definitions)
    assert has_cycle(tool["parameters"])
    total = count({"messages": ASKED, "functions": [tool]}, model="gpt-4o")
    assert total.method == "estimate"
    assert total.low < total < total.high


@pytest.mark.parametrize("reference", ["#", "#/$defs/Nobody", "elsewhere.json", "#/properties/a"])
def test_references_that_lead_nowhere_or_in_a_circle_end(reference: str) -> None:
    tool = function("f", {"a": {"$ref": reference}})
    assert count({"messages": ASKED, "functions": [tool]}, model="gpt-4o") > 0


_KEYS = (
    "type",
    "properties",
    "items",
    "enum",
    "anyOf",
    "required",
    "title",
    "default",
    "$ref",
    "a",
)
_leaves = st.sampled_from([None, True, 7, "object", "array", "#/a", ["string", "null"], "// x"])
_schemas = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(_KEYS), _schemas, max_size=4))
def test_no_schema_is_an_error(schema: Body) -> None:
    tools = [{"name": "f", "parameters": schema}]
    wanted = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
    body = {"messages": ASKED, "functions": tools, "response_format": wanted}
    assert count(body, model="gpt-4o") > count(ASKED, model="gpt-4o")
    assert count(body, model="gpt-5") > count(ASKED, model="gpt-5")


def test_a_custom_tool_is_an_estimate() -> None:
    custom = {"type": "custom", "custom": {"name": "sums", "description": "Adds."}}
    total = count({"messages": ASKED, "tools": [custom]}, model="gpt-5")
    assert total.method == "estimate"
    assert total.low >= count(ASKED, model="gpt-5")


def test_keys_of_an_answer_schema_that_are_names_stay() -> None:
    schema = {"properties": {"minimum": {"type": "integer", "minimum": 1}}, "required": ["minimum"]}
    assert schema_text(AnswerSchema("s", "", schema)) == (
        '{"properties":{"minimum":{"type":"integer"}}}'
    )


# Responses

CALL = {"type": "function_call", "call_id": "c1", "name": "multiply", "arguments": '{"a": 6}'}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "42"}
QUESTION = {"role": "user", "content": [{"type": "input_text", "text": "What is 6 times 7?"}]}
REASONING = {"type": "reasoning", "id": "rs_1", "encrypted_content": "g" * 4000}


def responses(items: Any, model: str = "gpt-4o", **options: Any) -> Count:
    return count({"model": model, "input": items, **options})


def test_instructions_are_a_system_message() -> None:
    assert responses("What is 6 times 7?", instructions=ASKED[0]["content"]) == 10 + 12 + 3
    assert responses([QUESTION]) == 12 + 3


def test_tools_of_responses_stand_apart() -> None:
    tool = {"type": "function", **MULTIPLY["function"]}
    text = tools_text(read_tools([MULTIPLY]))
    assert responses([QUESTION], tools=[tool]) == 15 + 3 + count_text(text)
    assert responses([QUESTION], "gpt-5", tools=[tool]) == 12 + 2 + 8 + count_text(text) + 1


def test_calls_and_outputs_of_responses() -> None:
    asked = responses([QUESTION])
    own = (3 + 1 + 3 + 1) + count_text('{"a": 6}') + (3 + 1 + 1 + 1)
    assert responses([QUESTION, CALL, OUTPUT]) == asked + own
    stored = {**CALL, "id": "fc_1", "status": "completed"}
    assert responses([QUESTION, stored, OUTPUT]) == asked + own + 3
    assert responses([QUESTION, stored, OUTPUT], store=False) == asked + own
    assert responses([QUESTION, stored, {**stored, "call_id": "c2"}, OUTPUT]) == (
        asked + own + 8 + count_text('{"a": 6}')
    )


def test_parallel_calls_name_each_output() -> None:
    second = {**CALL, "call_id": "c2", "name": "divide_exactly"}
    outputs = [OUTPUT, {**OUTPUT, "call_id": "c2"}]
    parts = responses([QUESTION, CALL, second, *outputs]).parts
    difference = count_text("divide_exactly") - count_text("multiply")
    assert parts[4].tokens - parts[3].tokens == difference > 0


def test_calls_of_gpt_5_are_addressed() -> None:
    grown = responses([QUESTION, CALL, OUTPUT], "gpt-5.4") - responses([QUESTION], "gpt-5.4")
    call = 3 + count_text("assistant to=functions.multiply") + 4 + count_text('{"a":6}')
    assert grown == call + 3 + count_text("functions.multiply to=assistant") + 2 + 1


def test_reasoning_counts_while_its_turn_runs() -> None:
    running = responses([QUESTION, REASONING, CALL, OUTPUT], "gpt-5.4")
    without = responses([QUESTION, CALL, OUTPUT], "gpt-5.4")
    assert running.method == "estimate"
    assert without < running.low < running < running.high
    over = responses([QUESTION, REASONING, CALL, OUTPUT, QUESTION], "gpt-5.4")
    assert over == without + 12
    assert over.method == "reconstructed"


@pytest.mark.parametrize(
    "item",
    [
        {"type": "compaction", "encrypted_content": "g" * 2800},
        {"type": "item_reference", "id": "msg_1"},
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"role": "user", "content": [{"type": "input_file", "file_id": "file-1"}]},
        {"type": "custom_tool_call", "call_id": "c", "name": "sums", "input": "1 + 1"},
    ],
)
def test_items_that_only_the_server_knows_are_estimates(item: Body) -> None:
    total = responses([item, QUESTION], "gpt-5")
    assert total.method == "estimate"
    assert total.low < total < total.high


def test_stored_state_is_an_estimate() -> None:
    assert responses([QUESTION], previous_response_id="resp_1").high > 1000


def test_an_answer_schema_of_responses() -> None:
    schema = answer_format()["json_schema"]
    wanted: Body = {"format": {"type": "json_schema", **schema}}
    text = '{"type":"object","properties":{"years":{"type":"integer"}}}'
    assert responses([QUESTION], text=wanted) == 15 + 7 + 1 + count_text(text)
    assert responses([QUESTION], "gpt-5", text=wanted) == 14 + 6 + 1 + count_text(text)


# Laws

models = st.sampled_from(["gpt-3.5-turbo", "gpt-4o", "o3", "gpt-5", "gpt-5.4-mini"])


@given(any_history, models, st.booleans())
def test_no_message_lowers_the_count(history: list[Body], model: str, offers: bool) -> None:
    tools = [MULTIPLY] if offers else None
    totals = [
        int(count(history[:size], model=model, tools=tools)) for size in range(len(history) + 1)
    ]
    assert totals == sorted(totals)


@given(any_history, models)
def test_parts_sum_and_the_interval_holds_the_count(history: list[Body], model: str) -> None:
    body = {"messages": history, "tools": [MULTIPLY], "response_format": answer_format()}
    total = count(body, model=model)
    assert sum(part.tokens for part in total.parts) == total
    assert total.low <= total <= total.high
    assert [part.index for part in total.parts][: len(history)] == list(range(len(history)))


# The recorded requests

TARGETS = {
    ("openai-chat", "text"): (0.98, 0.0),
    ("openai-chat", "tools"): (0.95, 0.01),
    ("openai-chat", "schema"): (0.95, 0.01),
    ("openai-chat", "images"): (0.85, 0.01),
    ("openai-responses", "text"): (0.93, 1.0),
    ("openai-responses", "tools"): (0.88, 1.0),
    ("openai-responses", "history"): (0.80, 1.0),
    ("openai-responses", "schema"): (0.88, 1.0),
}
"""Share that has to be exact, and the largest relative error of 95 % of the requests."""

_APIS: Mapping[str, Api] = {"openai-chat": "openai-chat", "openai-responses": "openai-responses"}


def recorded(data: Path) -> Iterator[Body]:
    """Requests to models of OpenAI that hold everything they were billed for."""
    for name in ("openai_chat", "openai_responses", "openai_azure", "openrouter", "other"):
        with gzip.open(data / "usage_pairs" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                model = str(record.get("response_model") or record["model"]).split("/")[-1]
                features = record["features"]
                is_openai = model.startswith(("gpt-", "o1", "o3", "o4", "computer"))
                is_whole = not features["server_tools"] and not features["server_state"]
                if is_openai and is_whole and "gpt-oss" not in model and record["api"] in _APIS:
                    yield {**record, "model": model}


def kind_of(record: Body) -> str:
    features = record["features"]
    if features["files"] or features["audio_video"]:
        return "files"
    if features["images"]:
        return "images"
    if features["structured_output"]:
        return "schema"
    history = "tools" if record["api"] == "openai-chat" else "history"
    return history if features["tool_results"] else "tools" if features["n_tools"] else "text"


def with_sizes(value: Any, media: list[Body]) -> Any:
    """Put the sizes of the images whose data was left out beside them, in order."""
    if isinstance(value, list):
        return [with_sizes(item, media) for item in value]
    if not isinstance(value, dict):
        return value
    if "image" in str(value.get("type")) and "__OMITTED" in json.dumps(value) and media:
        size = media.pop(0)
        return {**value, "width": size["width"], "height": size["height"]}
    return {key: with_sizes(inner, media) for key, inner in value.items()}


def counted(record: Body) -> tuple[Count, int]:
    media = [medium for medium in record["media"] if medium["width"]]
    body = with_sizes(record["request"], media)
    total = count(body, model=record["model"], api=_APIS[record["api"]])
    return total, record["usage_norm"]["prompt_tokens"]


@pytest.mark.data
def test_recorded_requests_are_met_as_often_as_promised(data: Path) -> None:
    errors: dict[tuple[str, str], list[float]] = defaultdict(list)
    for record in recorded(data):
        total, billed = counted(record)
        if total.method != "estimate":
            errors[record["api"], kind_of(record)].append(abs(total - billed) / billed)
    for row, (share, worst) in TARGETS.items():
        found = sorted(errors[row])
        assert found.count(0) / len(found) >= share, row
        assert found[int(0.95 * len(found))] <= worst, row


@pytest.mark.data
def test_estimates_say_how_far_they_are_off(data: Path) -> None:
    held = [
        total.low <= billed <= total.high
        for total, billed in map(counted, recorded(data))
        if total.method == "estimate"
    ]
    assert sum(held) / len(held) >= 0.95
