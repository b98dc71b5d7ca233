"""Any other model: a vocabulary by name, a tokenizer.json, its chat template."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from contextkit import OptionError, TokenizerMissing, count, count_text, trim
from contextkit.counting.vocabularies import text_counter

CHATML = (
    "{% if tools %}<tools>{{ tools | tojson }}</tools>\n{% endif %}"
    "{% for m in messages %}"
    "{% if m.role == 'tool' and loop.first %}{{ raise_exception('a result first') }}{% endif %}"
    "<|{{ m.role }}|>{{ m.content }}"
    "{% for c in m.tool_calls or [] %}<call>{{ c.function | tojson }}</call>{% endfor %}<end>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)

CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "你好, how many?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"n": 1}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "a", "content": "17"},
    {"role": "assistant", "content": "Seventeen."},
    {"role": "user", "content": "Thanks."},
]


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    """A tokenizer in which every byte is a token."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    file = tmp_path / "tokenizer.json"
    made.save(str(file))
    return file


def rendered_bytes(messages: list[dict[str, Any]]) -> int:
    """The template by hand."""
    text = ""
    for m in messages:
        text += f"<|{m['role']}|>{m['content'] or ''}"
        for call in m.get("tool_calls", ()):
            function = {"name": call["function"]["name"], "arguments": {"n": 1}}
            text += f"<call>{json.dumps(function)}</call>"
        text += "<end>\n"
    return len((text + "<|assistant|>").encode())


def write_template(tokenizer: Path, template: object) -> None:
    config = {"chat_template": template}
    tokenizer.with_name("tokenizer_config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    "template",
    [CHATML, [{"name": "tool_use", "template": "x"}, {"name": "default", "template": CHATML}]],
)
def test_a_chat_is_counted_as_its_template_renders_it(tokenizer: Path, template: object) -> None:
    write_template(tokenizer, template)
    total = count(CHAT, encoding=tokenizer)
    assert total == rendered_bytes(CHAT)
    assert total.method == "reconstructed"


def test_a_template_in_a_file_of_its_own(tokenizer: Path) -> None:
    tokenizer.with_name("chat_template.jinja").write_text(CHATML)
    assert count(CHAT, encoding=str(tokenizer)) == rendered_bytes(CHAT)


def test_tools_are_part_of_the_template(tokenizer: Path) -> None:
    write_template(tokenizer, CHATML)
    tools = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    added = count(CHAT, tools=tools, encoding=tokenizer) - count(CHAT, encoding=tokenizer)
    assert added == len(f"<tools>{json.dumps(tools)}</tools>\n")


def test_trimming_with_a_template_fits_what_the_template_renders(tokenizer: Path) -> None:
    write_template(tokenizer, CHATML)
    for limit in range(70, rendered_bytes(CHAT) + 5, 10):
        result = trim(CHAT, max_tokens=limit, encoding=tokenizer)
        assert rendered_bytes(result.messages) == result.tokens <= limit


def test_without_a_template_the_framing_is_an_estimate(tokenizer: Path) -> None:
    total = count(CHAT, encoding=tokenizer)
    assert total.method == "estimate"
    assert total.low < total < total.high
    assert count_text("你好", encoding=tokenizer) == 6


def test_a_named_vocabulary_counts_any_model() -> None:
    assert count_text("你好，世界", encoding="cl100k_base") == text_counter("cl100k_base")(
        "你好，世界"
    )
    total = count(CHAT, model="my-own-model", encoding="cl100k_base")
    assert total.method == "estimate"
    tools = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    assert count(CHAT, tools=tools, encoding="cl100k_base") > total


def test_what_cannot_be_used_says_so(tokenizer: Path) -> None:
    with pytest.raises(TokenizerMissing, match="vocabularies known"):
        count(CHAT, encoding="p99k")
    with pytest.raises(TokenizerMissing, match="cannot be read"):
        count(CHAT, encoding=tokenizer.with_name("missing.json"))
    with pytest.raises(OptionError, match="pass one of the two"):
        count(CHAT, encoding="cl100k_base", counter=len)
    write_template(tokenizer, "{% for %}")
    with pytest.raises(OptionError, match="the chat template is broken"):
        count(CHAT, encoding=tokenizer)
    write_template(tokenizer, "{{ raise_exception('roles must alternate') }}")
    with pytest.raises(OptionError, match="refuses them: roles must alternate"):
        count(CHAT, encoding=tokenizer)
