"""Sampling options and other keys of a body, from one format to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from contextkit.conversion.draft import Draft
from contextkit.formats import Api
from contextkit.messages import as_mapping

Path = tuple[str, ...]

_CONFIG = "generationConfig"


@dataclass(frozen=True, slots=True)
class Setting:
    """One option under the names that the formats have for it; the first is the one to write."""

    paths: Mapping[Api, tuple[Path, ...]]


def _setting(chat: str = "", responses: str = "", anthropic: str = "", gemini: str = "") -> Setting:
    """Name an option; dots go into an object, bars part older names from the one to write."""
    named: dict[Api, str] = {
        "openai-chat": chat,
        "openai-responses": responses,
        "anthropic": anthropic,
        "gemini": gemini,
    }
    split = {
        api: tuple(tuple(name.split(".")) for name in names.split("|"))
        for api, names in named.items()
        if names
    }
    return Setting(split)


_SETTINGS = (
    _setting(
        "max_completion_tokens|max_tokens",
        "max_output_tokens",
        "max_tokens",
        f"{_CONFIG}.maxOutputTokens",
    ),
    _setting("temperature", "temperature", "temperature", f"{_CONFIG}.temperature"),
    _setting("top_p", "top_p", "top_p", f"{_CONFIG}.topP"),
    _setting("top_k", "", "top_k", f"{_CONFIG}.topK"),
    _setting("stop", "", "stop_sequences", f"{_CONFIG}.stopSequences"),
    _setting("seed", "", "", f"{_CONFIG}.seed"),
    _setting("presence_penalty", "", "", f"{_CONFIG}.presencePenalty"),
    _setting("frequency_penalty", "", "", f"{_CONFIG}.frequencyPenalty"),
    _setting("n", "", "", f"{_CONFIG}.candidateCount"),
    _setting("reasoning_effort", "reasoning.effort"),
    _setting("verbosity", "text.verbosity"),
    _setting("stream", "stream", "stream"),
    *(
        _setting(name, name)
        for name in (
            *("store", "metadata", "user", "service_tier", "prompt_cache_key", "safety_identifier"),
            *("top_logprobs", "prompt_cache_retention", "prompt_cache_options"),
        )
    ),
)
"""By the providers' references, November 2026."""

_READ: Mapping[Api, frozenset[str]] = {
    "openai-chat": frozenset(
        {
            *("messages", "tools", "functions", "tool_choice", "function_call"),
            *("parallel_tool_calls", "response_format", "model"),
        }
    ),
    "openai-responses": frozenset(
        {*("input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "model")}
    ),
    "anthropic": frozenset({*("messages", "system", "tools", "tool_choice", "model")}),
    "gemini": frozenset(
        {
            *("contents", "systemInstruction", "system_instruction", "tools"),
            *("toolConfig", "tool_config", "model"),
        }
    ),
    "bedrock": frozenset({"messages", "system", "toolConfig", "modelId"}),
}
"""Keys that other parts of a conversion read."""

_READ_INSIDE = frozenset(
    {
        *("text.format", "output_config.format", "output_format"),
        *(f"{_CONFIG}.{key}" for key in ("responseMimeType", "responseSchema")),
        f"{_CONFIG}.responseJsonSchema",
    }
)

_WARMEST = 1.0
"""Anthropic's highest temperature; OpenAI's and Gemini's is 2."""


def setting_keys(draft: Draft) -> dict[str, Any]:
    """Return the options of the source body under the target's names; note the others."""
    body: dict[str, Any] = {}
    leaves = dict(_leaves(draft))
    for path, value in leaves.items():
        target = path if draft.is_same else _target(draft, path)
        if target is None:
            draft.note(None, f"option {'.'.join(path)!r} is none of {draft.to}; left out")
        elif value is not None:
            _put(body, target, _fitting(draft, target, value))
    return body


def _leaves(draft: Draft) -> Iterator[tuple[Path, Any]]:
    """The options of the source, those inside an object with the way to them."""
    objects = {path[0] for s in _SETTINGS for path in s.paths.get(draft.talk.api, ()) if path[1:]}
    for key, value in draft.talk.request.body.items():
        inside = as_mapping(value) if _camel(key) in objects or key == "output_config" else None
        if key in _READ[draft.talk.api]:
            continue
        named: dict[Path, Any] = {(key,): value}
        if inside is not None:
            named = {(_camel(key), _camel(inner)): found for inner, found in inside.items()}
        yield from ((p, v) for p, v in named.items() if ".".join(p) not in _READ_INSIDE)


def _camel(key: str) -> str:
    """Gemini takes snake_case for its names too; the names of other formats stay."""
    head, *rest = key.split("_")
    written = head + "".join(word.title() for word in rest)
    gemini = {p for s in _SETTINGS for path in s.paths.get("gemini", ()) for p in path}
    known = gemini | {"responseMimeType", "responseSchema", "responseJsonSchema"}
    return written if written in known else key


def _target(draft: Draft, path: Path) -> Path | None:
    for setting in _SETTINGS:
        if path in setting.paths.get(draft.talk.api, ()):
            return next(iter(setting.paths.get(draft.to, ())), None)
    return None


def _fitting(draft: Draft, target: Path, value: Any) -> Any:
    """Adapt what the target takes in another range or shape; say so where it changes."""
    if target[-1] in ("stop_sequences", "stopSequences") and isinstance(value, str):
        return [value]
    too_warm = isinstance(value, (int, float)) and value > _WARMEST
    if draft.to == "anthropic" and target == ("temperature",) and too_warm:
        draft.note(None, f"temperature {value} is above anthropic's highest; {_WARMEST} it is")
        return _WARMEST
    return value


def _put(body: dict[str, Any], path: Path, value: Any) -> None:
    for key in path[:-1]:
        body = body.setdefault(key, {})
    body[path[-1]] = value
