"""Write tools, the choice among them, and the schema of the answer, in any format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from contextkit.conversion.draft import Draft
from contextkit.formats.request import AnswerSchema, Tool
from contextkit.messages import as_mapping

Json = dict[str, Any]

_NO_PARAMETERS: Json = {"type": "object", "properties": {}}

_KNOWN = frozenset(
    {
        *("type", "function", "name", "description", "parameters", "strict", "input_schema"),
        *("parametersJsonSchema", "parameters_json_schema", "toolSpec"),
    }
)


def tool_keys(draft: Draft) -> Json:
    """Return the keys of the body that offer tools, and say which of them to call."""
    request = draft.talk.request
    tools = [written for tool in request.tools for written in _tool(draft, tool)]
    if not tools:
        return {}
    listed: Json = {"tools": tools}
    if draft.to == "gemini":
        declared = [tool for tool in tools if "name" in tool]
        others = [tool for tool in tools if "name" not in tool]
        listed["tools"] = [*([{"functionDeclarations": declared}] if declared else ()), *others]
    return {**listed, **_choice(draft)}


def _tool(draft: Draft, tool: Tool) -> Sequence[Json]:
    if not tool.name:
        if draft.is_same:
            return [dict(tool.raw)]
        kind = tool.raw.get("type") or next(iter(tool.raw), "?")
        draft.note(None, f"tool {kind!r} is known to its own server alone; left out")
        return []
    inner = as_mapping(tool.raw.get("function")) or tool.raw
    extra = draft.extra(None, {k: v for k, v in inner.items() if k not in _KNOWN})
    strict = inner.get("strict")
    if draft.to == "gemini" and strict:
        draft.note(None, f"tool {tool.name!r} is strict: gemini has no such mark")
    plain = replace(tool, parameters=_schema_of(draft, tool.parameters))
    return [{**_WRITERS[draft.to](plain, strict), **extra}]


def _schema_of(draft: Draft, schema: Mapping[str, Any]) -> Json:
    return dict(plain_schema(schema) if draft.talk.api == "gemini" else schema)


def _named(tool: Tool) -> Json:
    return {"name": tool.name, **({"description": tool.description} if tool.description else {})}


def _chat_tool(tool: Tool, strict: object) -> Json:
    parameters = {"parameters": tool.parameters} if tool.parameters else {}
    strictly = {} if strict is None else {"strict": strict}
    return {"type": "function", "function": {**_named(tool), **parameters, **strictly}}


def _responses_tool(tool: Tool, strict: object) -> Json:
    """Without ``strict`` the server takes a function as strict, other servers do not."""
    parameters = tool.parameters if tool.parameters else _NO_PARAMETERS
    return {"type": "function", **_named(tool), "parameters": parameters, "strict": bool(strict)}


def _anthropic_tool(tool: Tool, strict: object) -> Json:
    schema = {**_NO_PARAMETERS, **tool.parameters}
    strictly = {"strict": True} if strict else {}
    return {**_named(tool), "input_schema": schema, **strictly}


def _gemini_tool(tool: Tool, strict: object) -> Json:
    schema = {"parametersJsonSchema": tool.parameters} if tool.parameters else {}
    return {**_named(tool), **schema}


_WRITERS = {
    "openai-chat": _chat_tool,
    "openai-responses": _responses_tool,
    "anthropic": _anthropic_tool,
    "gemini": _gemini_tool,
}


def plain_schema(schema: Any) -> Any:
    """Return a schema with the type names of JSON schema; Gemini's own are in capitals.

    Example:
        >>> plain_schema({"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}})
        {'type': 'object', 'properties': {'n': {'type': 'integer'}}}
    """
    if isinstance(schema, (list, tuple)):
        return [plain_schema(entry) for entry in schema]
    if not isinstance(schema, Mapping):
        return schema
    written = {key: plain_schema(value) for key, value in schema.items()}
    kind = written.get("type")
    is_own = isinstance(kind, str) and kind.isupper()
    return {**written, "type": str(kind).lower()} if is_own else written


def _choice(draft: Draft) -> Json:
    request = draft.talk.request
    choice, parallel = request.tool_choice, request.parallel_calls
    given = request.body.get("tool_choice")
    if choice is None and given is not None:
        draft.note(None, f"tool_choice {given!r} is left out")
    if choice is None and parallel is None:
        return {}
    mode, name = (choice.mode, choice.name) if choice else ("auto", "")
    if draft.to == "gemini":
        if parallel is not None:
            draft.note(None, "whether calls may be parallel: gemini has no option for it")
        return {} if choice is None else {"toolConfig": _gemini_choice(mode, name)}
    if draft.to == "anthropic":
        return (
            {} if choice is None and parallel is None else _anthropic_choice(mode, name, parallel)
        )
    written: Json = {} if parallel is None else {"parallel_tool_calls": parallel}
    return {**written, **({} if choice is None else _openai_choice(draft, mode, name))}


def _openai_choice(draft: Draft, mode: str, name: str) -> Json:
    if mode != "named":
        return {"tool_choice": mode}
    if draft.to == "openai-chat":
        return {"tool_choice": {"type": "function", "function": {"name": name}}}
    return {"tool_choice": {"type": "function", "name": name}}


def _anthropic_choice(mode: str, name: str, parallel: bool | None) -> Json:
    kinds = {"auto": "auto", "none": "none", "required": "any", "named": "tool"}
    found: Json = {"type": kinds[mode]}
    if mode == "named":
        found["name"] = name
    if parallel is not None and mode != "none":
        found["disable_parallel_tool_use"] = not parallel
    return {"tool_choice": found}


def _gemini_choice(mode: str, name: str) -> Json:
    modes = {"auto": "AUTO", "none": "NONE", "required": "ANY", "named": "ANY"}
    calling: Json = {"mode": modes[mode]}
    if mode == "named":
        calling["allowedFunctionNames"] = [name]
    return {"functionCallingConfig": calling}


def answer_keys(draft: Draft) -> Json:
    """Return the keys of the body that ask for an answer in JSON; {} where none is asked for."""
    schema = draft.talk.request.answer_schema
    if schema:
        return _schema(draft, schema)
    if not _wants_json(draft.talk.request.body):
        return {}
    if draft.to == "anthropic":
        draft.note(None, "JSON without a schema: anthropic has no option for it; left out")
        return {}
    if draft.to == "openai-chat":
        return {"response_format": {"type": "json_object"}}
    if draft.to == "openai-responses":
        return {"text": {"format": {"type": "json_object"}}}
    return {"generationConfig": {"responseMimeType": "application/json"}}


def _schema(draft: Draft, answer: AnswerSchema) -> Json:
    schema = _schema_of(draft, answer.schema)
    described = {"description": answer.description} if answer.description else {}
    named = {"name": answer.name or "answer", **described, "schema": schema}
    strict = _strict(draft.talk.request.body)
    if draft.to in ("anthropic", "gemini") and (answer.name or answer.description):
        draft.note(None, f"the name {answer.name!r} of the answer's schema is left out")
    if draft.to == "openai-chat":
        return {"response_format": {"type": "json_schema", "json_schema": {**named, **strict}}}
    if draft.to == "openai-responses":
        return {"text": {"format": {"type": "json_schema", **named, **strict}}}
    if draft.to == "anthropic":
        return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
    config = {"responseMimeType": "application/json", "responseJsonSchema": schema}
    return {"generationConfig": config}


def _strict(body: Mapping[str, Any]) -> Json:
    chat = as_mapping((as_mapping(body.get("response_format")) or {}).get("json_schema")) or {}
    responses = as_mapping((as_mapping(body.get("text")) or {}).get("format")) or {}
    strict = chat.get("strict", responses.get("strict"))
    return {} if strict is None else {"strict": strict}


def _wants_json(body: Mapping[str, Any]) -> bool:
    config = as_mapping(body.get("generationConfig") or body.get("generation_config")) or {}
    text = as_mapping((as_mapping(body.get("text")) or {}).get("format")) or {}
    chat = as_mapping(body.get("response_format")) or {}
    mime = config.get("responseMimeType") or config.get("response_mime_type")
    return mime == "application/json" or "json_object" in (text.get("type"), chat.get("type"))
