"""Which counter a model needs: the one place where names are told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module

from contextkit.counting.counters import Counter
from contextkit.errors import TokenizerMissing
from contextkit.formats import Api
from contextkit.models import bare_name, find_model

Factory = Callable[[str, Api], Counter]


def counter_of_model(model: str, api: Api = "openai-chat") -> Counter:
    """Return the counter of a model for requests in a wire format.

    Args:
        model: its name; hosts (``azure/``, ``openrouter/anthropic/``) in front are ignored.
        api: the format that the request is in.

    Raises:
        UnknownModel: nothing is known of the model.
        TokenizerMissing: its vocabulary is not here.

    Example:
        >>> counter_of_model("gpt-4o").count_text("你好，世界")
        3
    """
    name = bare_name(model)
    for pattern, factory in _FAMILIES:
        if pattern.match(name):
            return factory(name, api)
    row = find_model(model)
    if row.encoding is None:
        raise TokenizerMissing(row.name, "pass counter= with a tokenizer of your own")
    return _openai(row.name, api)


def _openai(name: str, api: Api) -> Counter:
    from contextkit.counting.openai_chat import family_of, openai_chat_counter
    from contextkit.counting.openai_responses import openai_responses_counter

    row = find_model(name)
    make = openai_responses_counter if api == "openai-responses" else openai_chat_counter
    return make(row.encoding or "o200k_base", family_of(row.name), name)


def _from(module: str, function: str) -> Factory:
    """Name a provider's counter without loading its module before it is needed."""

    def make(name: str, api: Api) -> Counter:
        factory = getattr(import_module(f"contextkit.counting.{module}"), function)
        counter: Counter = factory(name, api)
        return counter

    return make


_FAMILIES: Sequence[tuple[re.Pattern[str], Factory]] = (
    (re.compile(r"claude"), _from("anthropic", "anthropic_counter")),
    (re.compile(r"gemini|gemma"), _from("gemini", "gemini_counter")),
    (re.compile(r"deepseek-r1-distill-llama"), _from("open_models", "llama_counter")),
    (re.compile(r"deepseek"), _from("deepseek", "deepseek_counter")),
    (
        re.compile(r"(?:open-)?mi[sx]tral|ministral|codestral|magistral|pixtral|voxtral|devstral"),
        _from("mistral", "mistral_counter"),
    ),
    (re.compile(r"qwen|qwq"), _from("open_models", "qwen_counter")),
    (re.compile(r"(?:meta-)?llama"), _from("open_models", "llama_counter")),
    (re.compile(r"gpt-oss"), _from("open_models", "gpt_oss_counter")),
    (re.compile(r"grok"), _from("hosted", "grok_counter")),
    (re.compile(r"command"), _from("hosted", "cohere_counter")),
    (re.compile(r"nova"), _from("hosted", "nova_counter")),
    (
        re.compile(
            r"glm|zai-glm|chatglm|kimi|moonshot|minimax|granite|phi|compound|sonar|titan|nemotron"
            r"|palmyra|jamba|arn:"
        ),
        _from("hosted", "estimated_counter"),
    ),
)
"""By the beginning of the bare name, tried in order; OpenAI's own names have to be in the table."""
