"""Read the input tokens out of the ``usage`` that a server returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contextkit.errors import OptionError
from contextkit.messages import as_mapping

_TOTALS = ("prompt_tokens", "promptTokenCount", "prompt_token_count", "prompt_eval_count")
"""Keys whose number includes what came from a cache (OpenAI chat, Gemini, Ollama)."""

_APART = (
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "cacheReadInputTokens",
    "cacheWriteInputTokens",
)
"""Keys that Anthropic and Bedrock keep apart from their input tokens; OpenAI has none of them."""


def input_tokens(usage: object) -> int:
    """Return all input tokens that a usage record tells of, cached ones included.

    Args:
        usage: the record as it came: a mapping or SDK object of OpenAI (chat or Responses),
            Anthropic, Gemini, Bedrock, Ollama, Cohere, or the number itself.

    Raises:
        OptionError: it holds no count of input tokens, or a negative one.

    Example:
        >>> input_tokens({"input_tokens": 3, "cache_read_input_tokens": 1200, "output_tokens": 5})
        1203
    """
    if isinstance(usage, int) and not isinstance(usage, bool):
        return _sound(usage)
    record = as_mapping(usage) or {}
    for key in _TOTALS:
        if isinstance(record.get(key), int):
            return _sound(record[key])
    nested = as_mapping(record.get("tokens")) or record
    plain = nested.get("input_tokens", nested.get("inputTokens"))
    if not isinstance(plain, (int, float)) or isinstance(plain, bool):
        found = f"no input tokens in {_keys(record) or type(usage).__name__}"
        raise OptionError("usage", found, "pass the usage of a response, or the number itself")
    return _sound(int(plain) + sum(_number(record.get(key)) for key in _APART))


def _sound(tokens: int) -> int:
    if tokens < 0:
        raise OptionError("usage", f"{tokens} input tokens", "a count is never negative")
    return tokens


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _keys(record: Mapping[str, Any]) -> str:
    return ", ".join(map(str, record))
