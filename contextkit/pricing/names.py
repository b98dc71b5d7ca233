"""Take a model's name apart: who bills for it, and what it is called there."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HOSTS = {
    "azure": "azure azure_ai azure-ai azure_openai azure-openai",
    "aws": "aws bedrock bedrock_converse amazon",
    "google": "google google-vertex vertex vertex_ai gemini google-gla",
    "together": "together together_ai together-ai",
    "fireworks": "fireworks fireworks_ai",
    "x-ai": "x-ai xai",
    "moonshotai": "moonshotai moonshot",
    "alibaba": "alibaba dashscope bailian",
    "zai": "zai z-ai",
    "zhipuai": "zhipuai zhipu bigmodel",
    "huggingface": "huggingface",
    "mistral": "mistral mistralai",
}
"""Names of a host in front of a model's, by the name used in prices."""

_SAME = (
    "openai anthropic openrouter groq deepseek perplexity cohere cerebras minimax novita meta "
    "databricks baseten cloudflare github-copilot avian ovhcloud ollama"
)

_HOST_OF = {alias: host for host, aliases in _HOSTS.items() for alias in aliases.split()}
_HOST_OF |= {host: host for host in _SAME.split()}

_BEDROCK = re.compile(
    r"^(?:(?:us|eu|apac|global|jp|au|ca|us-gov)\.)?"
    r"(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|nvidia|openai"
    r"|qwen|writer|zai)\.\w"
)
"""A Bedrock name: its region, its maker and a dot."""

_PATH = re.compile(r"^(?:projects/[^/]+/locations/[^/]+/)?(?:publishers/[^/]+/)?models/")
"""What Google's APIs write before a model's name."""

_ROUTE = re.compile(r"^(?:converse|invoke|[a-z]{2}(?:-gov)?-[a-z]+-\d)/")
"""What LiteLLM writes between ``bedrock/`` and the name: a route or a region."""


@dataclass(frozen=True, slots=True)
class PricedName:
    """A model's name as prices know it.

    Attributes:
        given: the name as it came.
        host: who bills; None where the name does not say.
        model: what it is called there, in lower case.
    """

    given: str
    host: str | None
    model: str


def priced_name(given: str) -> PricedName:
    """Take a name apart.

    Hosts in front of a name count as who bills: ``azure/``, ``openrouter/``, ``groq/`` and the
    like. Bedrock names and ARNs are recognised by their shape, with or without ``bedrock/``.

    Example:
        >>> priced_name("openrouter/anthropic/claude-haiku-4.5").host
        'openrouter'
        >>> arn = "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5-v1:0"
        >>> priced_name(arn).host, priced_name(arn).model
        ('aws', 'eu.anthropic.claude-opus-5-v1:0')
    """
    name = given.strip().lower().replace("%3a", ":").replace("%2f", "/")
    if name.startswith("arn:"):
        return PricedName(given, "aws", name.rpartition("/")[2])
    name = _PATH.sub("", name)
    first, slash, rest = name.partition("/")
    if slash and first in _HOST_OF:
        host = _HOST_OF[first]
        return PricedName(given, host, _ROUTE.sub("", rest) if host == "aws" else rest)
    if name.startswith("ft:"):
        return PricedName(given, "openai", name)
    return PricedName(given, "aws" if _BEDROCK.match(name) else None, name)
