"""The words in which servers say that something was too long, and where the numbers stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["input", "output", "rate"]

_N = r"(?P<n>\d{1,3}(?:[,，_.'’\u00a0\u202f]\d{3})+(?!\d)|\d+)(?![\d.]*\s?[kKmM]\b)"
"""A number, with separators of thousands or without; "128K" is none, since its size is a guess."""


_LONGEST = 4_000
"""Characters of an error that are read; what follows is a quotation of the request."""


@dataclass(frozen=True, slots=True)
class Words:
    """The text of an error.

    Attributes:
        text: in lower case, quotation marks left out.
    """

    text: str

    @classmethod
    def of(cls, text: str) -> Words:
        """Return the text in the form in which the patterns are written."""
        head = text[:_LONGEST].lower().replace("＞", ">")
        return cls(re.sub(r"[`'\"“”‘’]", "", head))

    def has(self, *patterns: str) -> bool:
        """Whether one of the patterns is in the text."""
        return any(re.search(pattern, self.text) for pattern in patterns)


_NOT_LENGTH = (
    r"insufficient|billing|current quota|balance|credit|payment",
    r"余额|欠费|充值|额度|账户|配额不足",
    r"content[ _](?:filter|policy|management)|safety|moderation|敏感|违规",
    r"api[ _-]?key|unauthori[sz]ed|permission|authenticat|密钥|鉴权|认证",
    r"messages\[\d+\]\.(?:name|tool_call)",
)
"""Faults that may name tokens, limits or lengths, and have nothing to do with the window."""

_RATE = (
    r"\brate[ _-]?limit|per[ _-](?:minute|hour|day|second)|\btp[md]\b|\brp[md]\b",
    r"too many requests|please wait|throttl|quota exceeded|exceeded .{0,20}quota|overloaded",
    r"频繁|限流|限速|速率|频率|每分钟|每秒|稍后(?:再试|重试)",
)

_ANSWER = r"(?:max(?:imum)?[ _](?:completion[ _]|new[ _]|output[ _])?tokens?|最大输出)"

_OUTPUT = (
    _ANSWER + r"(?: value)?,?[^.;。；]{0,40}(?:valid range|too large|less than or equal|at most)",
    r"(?<!\+ )"
    + _ANSWER
    + r"(?: value)?[^.;。；]{0,20}(?:should be \[|>|范围|取值|超过|超出|过大)",
    r"maximum (?:allowed )?(?:number of )?output",
    r"(?:输出|回答|补全)[^。；]{0,16}(?:超过|超出|过长|太长)",
)

_TOO = (
    r"(?:exceed(?:s|ed|ing)?|too (?:long|large|big)|(?:longer|greater|larger) than"
    r"|over the (?:limit|maximum))\b"
)
_INPUT = (
    r"(?:context|prompt|input|tokens?|messages|conversation|request)\b[^.;]{0,90}?\b"
    + _TOO
    + r"(?! (?:time|in |\d+ (?:mb|images)))",
    r"exceed(?:s|ed|ing)?\b[^.;]{0,60}\b(?:context|tokens?|prompt|input|maximum size|max length)",
    r"\bprompt\b[^.;]{0,20} > ",
    r"maximum (?:context|prompt|input|model|allowed input) (?:length|window|size)",
    r"reduce the length of (?:the|your) (?:messages|prompt|input)",
    r"\bmax_(?:seq|model)_len\b",
    r"(?:range of )?input length should be|too many tokens: (?:size|total)|tokens? exceed",
    r"tokens? \+ [^.;]{0,30}must be (?:<=|less)|string too long|expected maxlength",
    r"must be less than the context (?:length|window)",
    r"truncating input prompt",
    r"(?:上下文|输入|提示词?|消息|对话|请求|内容|token|长度|字数)[^。；]{0,40}(?:超过|超出|超限|过长|太长|超长)",
    r"(?:超过|超出)[^。；]{0,40}(?:上下文|最大长度|长度|token|输入|窗口)",
)

_INPUT_CODES = (
    "context_length_exceeded",
    "context_window_exceeded",
    "model_max_prompt_tokens_exceeded",
    "exceed_context_size_error",
    "request_too_large",
    "contextwindowexceedederror",
)
_RATE_CODES = ("rate_limit", "throttl", "resource_exhausted", "too_many_requests", "ratelimit")
_ACCOUNT_CODES = ("insufficient_quota", "billing", "authentication_error", "content_filter")


def kind_of(words: Words, *, codes: Collection[str], status: int | None) -> Kind | None:
    """Tell the kinds apart; None where nothing is too long."""
    if words.has(*_NOT_LENGTH) or _any_of(codes, _ACCOUNT_CODES):
        return None
    if words.has(*_RATE) or _any_of(codes, _RATE_CODES) or status == 429:
        return "rate"
    if words.has(*_OUTPUT):
        return "output"
    if words.has(*_INPUT) or _any_of(codes, _INPUT_CODES):
        return "input"
    return None


def _any_of(codes: Collection[str], wanted: Sequence[str]) -> bool:
    return any(part in code for code in codes for part in wanted)


_NEAR = r"[^.;。；\d]"
_NO_LIMIT = r"(?:(?!最大|上限|限制|窗口|长度)[^.;。；\d])"
_TOKENS = r"\s*(?:个\s*)?(?:tokens?)?"
_NUMBERS: Mapping[str, Sequence[str]] = {
    "excess": (r"exceeded by " + _N,),
    "limit": (
        r"\+ [\d,._]+ > " + _N,
        r"\d" + _TOKENS + r" > " + _N,
        r"\[\s*\d+\s*[,，]\s*" + _N + r"\s*\]",
        r"with " + _N + r" maximum",
        r"at most " + _N,
        r"(?:<=|≤|less than or equal to|cannot exceed|不超过|不能超过|不得超过|最多)\s*" + _N,
        r"\b(?:context|seq)[ _](?:length|size|window|len)" + _NEAR + r"{0,30}?" + _N,
        r"(?:limit|maximum|\bmax|window|maxlength|max_\w+_len)" + _NEAR + r"{0,50}?" + _N,
        r"(?:最大|上限|限制|窗口)" + _NEAR + r"{0,24}?" + _N,
    ),
    "requested": (
        r"(?:requested|request has|resulted in|contains?|supplied|received|provided|actual"
        r"|current length is|string with length|prompt=|too large:)" + _NEAR + r"{0,24}?" + _N,
        _N + _TOKENS + r" > ",
        r"token count" + _NEAR + r"{0,5}?" + _N,
        r"(?:input|request|prompt|prompt_tokens)(?: length| is too long)?:? ?\(?" + _N,
        r"(?:当前|实际|本次|请求|输入|共)" + _NO_LIMIT + r"{0,16}?" + _N,
    ),
    "input": (
        r"\(" + _N + r" (?:in (?:the|your) (?:messages|prompt)|of text input)",
        _N + r" tokens from the input|request has " + _N.replace("<n>", "<m>") + r" input tokens",
        r"given: " + _N + r" inputs",
        r"limit: " + _N + r" \+",
    ),
    "output": (
        _N
        + r" (?:in|for) the (?:completion|output)|"
        + _N.replace("<n>", "<m>")
        + r" tokens for the completion",
        r"and " + _N + r" max_new_tokens",
        r"\+ " + _N + r" >",
        r"tokens is too large: " + _N,
    ),
}


def number_of(words: Words, name: str) -> int | None:
    """Find the limit, what was requested, or a part of it; None when it is not said."""
    text = words.text if name == "excess" else re.sub(r"exceeded by [\d,._]+", "", words.text)
    for pattern in _NUMBERS[name]:
        match = re.search(pattern, text)
        if match is not None:
            found = match["n"] or match["m"]
            return int(re.sub(r"\D", "", found))
    return None


def unit_of(words: Words, codes: Collection[str]) -> Literal["tokens", "characters", "bytes"]:
    """Tell limits of one field and of the body from those of the window."""
    if words.has(r"string too long|expected maxlength|characters|字符"):
        return "characters"
    if words.has(r"maximum size|\d ?(?:bytes|mb)\b") or _any_of(codes, ("request_too_large",)):
        return "bytes"
    return "tokens"


_PROVIDERS: Mapping[str, str] = {
    "anthropic": r"prompt is too long: [\d,]+ tokens >|max_tokens exceed context limit",
    "gemini": r"input token count .{0,20}exceeds the maximum number of tokens allowed",
    "qwen": r"internalerror\.algo|range of (?:input length|max_tokens) should be",
    "moonshot": r"exceeded model token limit|model max length exceeded",
    "zhipu": r"^prompt exceeds max length",
    "mistral": r"too large for model with|prompt [\d,]+ > [\d,]+ maximum context",
    "groq": r"service tier|tokens per minute \(tpm\): limit",
    "cerebras": r"current length is [\d,]+ while limit is",
    "huggingface": r"inputs tokens \+ max_new_tokens must be",
    "vllm": r"your request has [\d,]+ input tokens",
    "sglang": r"is longer than the models context length|exceeds the maximum allowed length \(",
    "llama.cpp": r"exceeds the available context size",
    "lmstudio": r"tokens to keep from the initial prompt",
    "ollama": r"truncating input prompt",
    "bedrock": r"input is too long for requested model|malformed input request: expected maxlength",
    "openrouter": r"this endpoints maximum context length",
    "xai": r"maximum prompt length is",
    "cohere": r"too many tokens: ",
    "copilot": r"prompt token count of [\d,]+ exceeds",
    "minimax": r"context window exceeds limit",
    "azure": r"input tokens exceed the configured limit",
}


def provider_of(words: Words, codes: Collection[str]) -> str | None:
    """Name the provider whose wording this is, where no other is known to use it."""
    if _any_of(codes, ("exceed_context_size_error",)):
        return "llama.cpp"
    named = (name for name, pattern in _PROVIDERS.items() if words.has(pattern))
    return next(named, None)
