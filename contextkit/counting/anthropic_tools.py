"""What Claude reads of tools: the lines that describe them, and calls and results written as XML.

The server writes all of it into the prompt. Here the same text is written again, so that its tokens
can be counted; on recorded requests (2024-06 to 2026-08) the rebuilt text gives the server's number
in nine of ten cases, and is one or two tokens off in most others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contextkit.counting.anthropic_media import Cost
from contextkit.counting.anthropic_models import Version
from contextkit.formats import Request
from contextkit.formats.request import Tool
from contextkit.messages import Message, ToolCall

_NAMESPACE = "antml:"
"""Stands before the names of the three elements that a call is made of."""


@dataclass(frozen=True, slots=True)
class ToolPrompt:
    """Tokens of the hidden text that introduces the tools, by tool choice.

    Attributes:
        auto: the model may call; also for the choice "none", which leaves the tools in place.
        required: it has to call one of them.
        named: it has to call a certain one, whose name costs its own tokens on top.
        single: as ``auto``, with parallel calls switched off.
        named_single: as ``named``, with parallel calls switched off.
    """

    auto: int
    required: int
    named: int
    single: int
    named_single: int

    def tokens(self, request: Request) -> int:
        """Return the tokens of the text that goes with the choice of a request."""
        mode = request.tool_choice.mode if request.tool_choice else "auto"
        single = request.parallel_calls is False
        if mode == "named":
            return self.named_single if single else self.named
        if mode == "required":
            return self.required
        return self.single if single else self.auto


TOOL_PROMPTS: Sequence[tuple[Version, str, ToolPrompt]] = (
    ((5, 0), "sonnet", ToolPrompt(354, 474, 474, 354, 474)),
    ((4, 8), "", ToolPrompt(290, 410, 410, 290, 410)),
    ((4, 5), "", ToolPrompt(496, 588, 590, 288, 591)),
    ((3, 7), "", ToolPrompt(313, 315, 317, 273, 274)),
    ((3, 5), "haiku", ToolPrompt(264, 355, 357, 264, 357)),
    ((3, 5), "", ToolPrompt(294, 261, 261, 294, 261)),
    ((3, 0), "opus", ToolPrompt(530, 281, 281, 530, 281)),
    ((3, 0), "sonnet", ToolPrompt(159, 235, 235, 159, 235)),
    ((3, 0), "", ToolPrompt(264, 340, 340, 264, 340)),
)
"""In tokens, by first version and tier ("" is any), newest first.

Recorded: 4.5 to 4.7 (from 2025-11 on; before, Sonnet 4.5 had 313 and Haiku 4.5 259), 3.7 and 4, and
``auto`` of the older ones. Documented only: 4.8 and 5, and the other choices of 3 and 3.5.
"""


SERVER_TOOLS: Mapping[str, Cost] = {
    "memory": Cost(1_070, 10),
    "bash": Cost(245, 30),
    "text_editor": Cost(700, 80),
    "computer": Cost(1_200, 300),
    "tool_search_tool": Cost(640, 460),
    "advisor": Cost(2_050, 1_000),
    "code_execution": Cost(4_200, 4_000),
    "web_": Cost(5_000, 4_500),
}
"""In tokens, by the beginning of the type. Recorded in 2026 (1 to 9 times each), documented for
bash, text_editor and computer. What a tool finds comes on top, and can be a hundred times as long.
"""

_UNKNOWN = Cost(1_000, 1_000)


def tool_prompt(version: Version, tier: str) -> ToolPrompt:
    """Return the newest row that a model of this version and tier falls under.

    Example:
        >>> tool_prompt((4, 6), "sonnet").auto, tool_prompt((3, 5), "haiku").auto
        (496, 264)
    """
    rows = (
        prompt for since, only, prompt in TOOL_PROMPTS if since <= version and only in ("", tier)
    )
    return next(rows, TOOL_PROMPTS[-1][2])


def tool_line(tool: Tool, *, escapes: bool = True) -> str:
    r"""Write the line that describes a tool in the prompt.

    Args:
        tool: a function.
        escapes: whether characters beyond ASCII stand as escapes.

    Example:
        >>> tool_line(Tool("now", "", {"type": "object"}, {}))
        '<function>{"name": "now", "parameters": {"type": "object"}}</function>\n'
    """
    described = {"description": tool.description} if tool.description else {}
    function = {**described, "name": tool.name, "parameters": tool.parameters}
    written = json.dumps(function, sort_keys=True, ensure_ascii=escapes, default=str)
    return f"<function>{written}</function>\n"


def server_tool_cost(tool: Tool) -> Cost:
    """Return what a tool that the provider defines costs, by its type."""
    kind = str(tool.raw.get("type") or "")
    return next((cost for start, cost in SERVER_TOOLS.items() if kind.startswith(start)), _UNKNOWN)


def calls_text(calls: Sequence[ToolCall]) -> str:
    """Write calls as the model writes them; "" for none."""
    if not calls:
        return ""
    return _element("function_calls", "\n" + "".join(f"{_invocation(call)}\n" for call in calls))


def results_text(calls: Sequence[ToolCall], results: Sequence[Message]) -> str:
    """Write the results that stand behind their calls; "" for none."""
    if not results:
        return ""
    if len(results) == 1:
        return f"\n\n<function_results>{_outcome(results[0], '')}</function_results>\n\n"
    names = {call.id: call.name for call in calls}
    listed = (_listed(m, names.get(m.tool_call_id) or m.name or "") for m in results)
    return f"\n\n<function_results>\n{''.join(listed)}</function_results>\n\n"


def _invocation(call: ToolCall) -> str:
    arguments = (
        _element("parameter", value if isinstance(value, str) else json.dumps(value), name)
        for name, value in _arguments(call).items()
    )
    return _element("invoke", "\n" + "".join(f"{argument}\n" for argument in arguments), call.name)


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    """Read the arguments; what is no JSON object stands as one of no name."""
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        arguments = call.arguments
    return arguments if isinstance(arguments, dict) else {"": arguments}


def _element(tag: str, inner: str, name: str | None = None) -> str:
    attribute = "" if name is None else f' name="{name}"'
    return f"<{_NAMESPACE}{tag}{attribute}>{inner}</{_NAMESPACE}{tag}>"


def _listed(result: Message, name: str) -> str:
    return f"<result>\n<name>{name}</name>\n{_outcome(result, 'output')}\n</result>\n"


def _outcome(result: Message, tag: str) -> str:
    if result.data.get("is_error"):
        tag = "error"
    return f"<{tag}>{result.text}</{tag}>" if tag else result.text
