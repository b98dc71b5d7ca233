"""One shape for the ``usage`` of every provider: each token in exactly one class.

Providers disagree about what includes what. OpenAI (and DeepSeek, Qwen, Mistral, xAI, Moonshot)
count cached tokens inside the prompt, Anthropic and Bedrock beside it, Gemini inside the prompt but
the tool results of its own searches beside it, Cohere bills less than it processes. Reasoning is
part of the output everywhere but at Gemini, where it stands beside it. Read from some 2,300
recorded answers, 2023 to September 2026.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextkit.errors import OptionError
from contextkit.messages import as_mapping, mappings_in

_ENVELOPES = ("usage", "usageMetadata", "usage_metadata")
"""Where a whole response holds its usage."""

_INPUT_DETAILS = ("prompt_tokens_details", "input_tokens_details", "input_token_details")
_OUTPUT_DETAILS = ("completion_tokens_details", "output_tokens_details", "output_token_details")

_ANSWERS = ("completion_tokens", "output_tokens", "outputTokens", "eval_count", "output")
"""Keys of the length of an answer, its reasoning included."""

_STANDARD = frozenset({"standard", "default", "auto", "on_demand", "unspecified"})
"""Names that providers give to their usual service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The tokens of one request, each in one class.

    Attributes:
        uncached: input that no cache served.
        cache_read: input served from the provider's cache.
        cache_write_5m: input written to it for the usual lifetime.
        cache_write_1h: input written to it for an hour.
        unbilled: input that the provider processes and does not charge (Cohere's own prompt,
            cached or not).
        output: the answer, its reasoning included.
        reasoning: how much of ``output`` is reasoning.
        audio: how much of ``uncached`` is audio.
        cached_audio: how much of ``cache_read`` is audio.
        image: how much of ``uncached`` is images, where the provider says so.
        output_audio: how much of ``output`` is audio.
        output_image: how much of ``output`` is images.
        service: "batch", "flex", "priority" ... where the record says so; None for the usual one.
        faults: what does not add up in the record, in words.
        extra: further model calls inside the same request, each with its model (None: the same).
        searches: web searches that the provider ran; they are billed apart from tokens.
    """

    uncached: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    unbilled: int = 0
    output: int = 0
    reasoning: int = 0
    audio: int = 0
    cached_audio: int = 0
    image: int = 0
    output_audio: int = 0
    output_image: int = 0
    service: str | None = None
    faults: tuple[str, ...] = ()
    extra: tuple[tuple[str | None, Usage], ...] = ()
    searches: int = 0

    @property
    def input(self) -> int:
        """All input tokens: cached, written, uncached and unbilled ones."""
        return self.uncached + self.cache_read + self.written + self.unbilled

    @property
    def written(self) -> int:
        """Input tokens written to the cache, for however long."""
        return self.cache_write_5m + self.cache_write_1h


def read_usage(usage: object) -> Usage:
    """Sort the tokens of a usage record, or of a whole response, into classes.

    Args:
        usage: a mapping or SDK object as it came from OpenAI (chat or Responses), Anthropic,
            Gemini, Bedrock, DeepSeek, Qwen, Mistral, Cohere, xAI, Ollama or a server that speaks
            one of their dialects.

    Raises:
        OptionError: it is no usage, or a count is negative or no number.

    Example:
        >>> read_usage({"input_tokens": 3, "cache_read_input_tokens": 1200}).input
        1203
        >>> chat = {"prompt_tokens": 100, "completion_tokens": 5,
        ...         "prompt_tokens_details": {"cached_tokens": 64}}
        >>> read_usage(chat).uncached
        36
    """
    if isinstance(usage, Usage):
        return usage
    record = as_mapping(usage)
    if record is None:
        raise _no_usage(type(usage).__name__)
    for envelope in _ENVELOPES:
        inner = as_mapping(record.get(envelope))
        if inner is not None:
            return _read({"service_tier": record.get("service_tier"), **inner})
    return _read(record)


def _read(record: Mapping[str, Any]) -> Usage:
    counts = _Counts(record)
    output = _output(counts)
    total, read, written, hour = _input(counts)
    total, output = _completed(counts, total, output)
    faults = tuple(_faults(counts, total, read, written, hour, output))
    read = min(read, total)
    written = min(written, total - read)
    hour = min(hour, written)
    unbilled, uncached = _billed(counts, total - read - written)
    audio, cached_audio = _input_of_kind(counts, "audio", read)
    image, _ = _input_of_kind(counts, "image", read)
    return Usage(
        uncached=uncached,
        cache_read=read,
        cache_write_5m=written - hour,
        cache_write_1h=hour,
        unbilled=unbilled,
        output=output,
        reasoning=min(_reasoning(counts), output),
        audio=min(audio, uncached),
        cached_audio=min(cached_audio, read),
        image=min(image, uncached),
        output_audio=min(_output_of_kind(counts, "audio"), output),
        output_image=min(_output_of_kind(counts, "image"), output),
        service=_service(record),
        faults=faults,
        extra=tuple(_further_calls(record)),
        searches=counts.within(("server_tool_use",), "web_search_requests"),
    )


class _Counts:
    """A usage record, read count by count; null is absent."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record

    def find(self, *keys: str) -> int | None:
        """The first of these counts that is there."""
        found = ((key, self.record[key]) for key in keys if self.record.get(key) is not None)
        return next((_count(key, value) for key, value in found), None)

    def get(self, *keys: str) -> int:
        return self.find(*keys) or 0

    def within(self, outer: Sequence[str], *keys: str) -> int:
        """The first of these counts in a nested record, 0 if none is there."""
        nested = (as_mapping(self.record.get(name)) for name in outer)
        found = (_Counts(inner).find(*keys) for inner in nested if inner is not None)
        return next((count for count in found if count is not None), 0)

    def by_modality(self, kind: str, *keys: str) -> int:
        """Tokens of one kind in Gemini's lists by modality."""
        listed = next((key for key in keys if self.record.get(key)), "")
        ours = (entry for entry in _entries(self.record, listed) if _modality(entry) == kind)
        return sum(_Counts(entry).get("tokenCount", "token_count") for entry in ours)

    def has(self, *keys: str) -> bool:
        return any(self.record.get(key) is not None for key in keys)


def _input(counts: _Counts) -> tuple[int, int, int, int]:
    """All input, and how much of it was read from a cache, written to one, written for an hour."""
    hour = counts.within(("cache_creation",), "ephemeral_1h_input_tokens")
    hour += _bedrock_hour(counts.record)
    read = 0 if counts.has("billed_units") else _cached(counts)
    written = _written(counts)
    prompt = _prompt(counts)
    if prompt is not None:
        return prompt, read, written, hour
    plain = counts.find("input_tokens", "inputTokens", "input")
    if plain is not None:
        inclusive = counts.has(*_INPUT_DETAILS) or not _keeps_apart(counts)
        return plain if inclusive else plain + read + written, read, written, hour
    counted = counts.find("totalTokens", "total_tokens")
    if counted is None or counts.has(*_ANSWERS):
        raise _no_usage(", ".join(map(str, counts.record)) or "an empty record")
    return counted, 0, 0, 0


def _prompt(counts: _Counts) -> int | None:
    """The number of a prompt that includes what a cache served."""
    gemini = counts.find("promptTokenCount", "prompt_token_count")
    if gemini is not None:
        return gemini + counts.get("toolUsePromptTokenCount", "tool_use_prompt_token_count")
    cohere = as_mapping(counts.record.get("tokens"))
    if cohere is not None:
        return _Counts(cohere).find("input_tokens")
    return counts.find("prompt_tokens", "prompt_eval_count")


def _keeps_apart(counts: _Counts) -> bool:
    """Whether the record counts cached tokens beside its input, as Anthropic and Bedrock do."""
    return counts.has(
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "cacheReadInputTokens",
        "cacheWriteInputTokens",
        "cacheRead",
    )


def _cached(counts: _Counts) -> int:
    detailed = counts.within(_INPUT_DETAILS, "cached_tokens", "cache_read")
    return detailed or counts.get(
        "cache_read_input_tokens",
        "cacheReadInputTokens",
        "cacheRead",
        "cachedContentTokenCount",
        "cached_content_token_count",
        "prompt_cache_hit_tokens",
        "cached_tokens",
        "num_cached_tokens",
    )


def _written(counts: _Counts) -> int:
    detailed = counts.within(
        _INPUT_DETAILS, "cache_write_tokens", "cache_creation_input_tokens", "cache_creation"
    )
    return detailed or counts.get(
        "cache_creation_input_tokens", "cacheWriteInputTokens", "cacheWrite"
    )


def _bedrock_hour(record: Mapping[str, Any]) -> int:
    long = (entry for entry in _entries(record, "cacheDetails") if entry.get("ttl") == "1h")
    return sum(_Counts(entry).get("inputTokens") for entry in long)


def _billed(counts: _Counts, uncached: int) -> tuple[int, int]:
    """What of the uncached input is free of charge, and the rest."""
    billed = as_mapping(counts.record.get("billed_units"))
    if billed is None:
        return 0, uncached
    charged = min(_Counts(billed).get("input_tokens"), uncached)
    return uncached - charged, charged


def _output(counts: _Counts) -> int:
    billed = as_mapping(counts.record.get("billed_units"))
    if billed is not None:
        return _Counts(billed).get("output_tokens")
    said = counts.find(*_ANSWERS)
    if said is not None:
        return said
    candidates = counts.get("candidatesTokenCount", "candidates_token_count")
    return candidates + counts.get("thoughtsTokenCount", "thoughts_token_count")


def _completed(counts: _Counts, prompt: int, output: int) -> tuple[int, int]:
    """Add what the record counts in its total alone: audio at Mistral, reasoning at xAI."""
    missing = counts.get("total_tokens") - prompt - output
    audio = counts.within(_INPUT_DETAILS, "audio_tokens")
    if missing > 0 and missing == audio:
        return prompt + audio, output
    if missing > 0 and missing == _reasoning(counts):
        return prompt, output + missing
    return prompt, output


def _reasoning(counts: _Counts) -> int:
    detailed = counts.within(_OUTPUT_DETAILS, "reasoning_tokens", "thinking_tokens", "reasoning")
    return detailed or counts.get("thoughtsTokenCount", "thoughts_token_count")


def _input_of_kind(counts: _Counts, kind: str, read: int) -> tuple[int, int]:
    """Input of one kind that was not cached, and that was."""
    everything = counts.within(_INPUT_DETAILS, f"{kind}_tokens")
    everything += counts.by_modality(kind, "promptTokensDetails", "prompt_tokens_details")
    cached = counts.by_modality(kind, "cacheTokensDetails", "cache_tokens_details")
    cached = min(cached, read)
    return max(0, everything - cached), cached


def _output_of_kind(counts: _Counts, kind: str) -> int:
    detailed = counts.within(_OUTPUT_DETAILS, f"{kind}_tokens")
    return detailed + counts.by_modality(kind, "candidatesTokensDetails")


def _faults(
    counts: _Counts, total: int, read: int, written: int, hour: int, output: int
) -> Iterator[str]:
    if read > total:
        yield f"{read:,} cached tokens of {total:,} in all: counted as {total:,} cached"
    elif read + written > total:
        yield f"{read:,} cached and {written:,} written tokens of {total:,} in all"
    if hour > written:
        yield f"{hour:,} tokens written for an hour, {written:,} written in all"
    said = counts.get("total_tokens", "totalTokens", "totalTokenCount")
    if said and said != total + output:
        yield f"{total:,} tokens in and {output:,} out, {said:,} in all"
    if _reasoning(counts) > output:
        yield f"{_reasoning(counts):,} reasoning tokens in an answer of {output:,}"


def _service(record: Mapping[str, Any]) -> str | None:
    named = record.get("service_tier") or record.get("serviceTier") or ""
    tier = str(getattr(named, "value", named)).lower()
    return None if tier in _STANDARD or not tier else tier


def _further_calls(record: Mapping[str, Any]) -> Iterator[tuple[str | None, Usage]]:
    """Anthropic's compactions and advisors: billed, and not part of the record's own numbers."""
    for call in _entries(record, "iterations"):
        if call.get("type") != "message":
            yield call.get("model"), _read(call)


def _count(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise OptionError("usage", f"{key} is {value!r}", "a count is a whole number")
    if value < 0:
        raise OptionError("usage", f"{key} is {value}", "a count is never negative")
    return int(value)


def _modality(entry: Mapping[str, Any]) -> str:
    named = entry.get("modality")
    return str(getattr(named, "value", named)).lower()


def _entries(record: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """The records listed under ``key``; none where there is no list."""
    return mappings_in(record.get(key))


def _no_usage(found: str) -> OptionError:
    return OptionError("usage", f"no input tokens in {found}", "pass the usage of a response")
