"""Build a message list from its sections, in the order that models are used to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from contextkit.errors import AssemblyError, MessageError, OptionError
from contextkit.messages import INSTRUCTION_ROLES, RESULT_ROLES, History, as_mapping

Dict = dict[str, Any]
Content = Literal["keep", "text", "parts"]

SEPARATOR = "\n\n"
"""What stands between two texts that become one."""


def build_messages(
    *,
    system: object = None,
    few_shot: Iterable[Any] = (),
    messages: Iterable[Any] = (),
    prompt: object = None,
    merge_turns: bool = False,
    content: Content = "keep",
) -> list[Dict]:
    r"""Return instructions, examples, history and the new question as one message list.

    Args:
        system: a text, a system or developer message, or a list of texts, content parts and such
            messages, which becomes one message: texts with a blank line between them, or parts
            where some are parts. None for no instructions.
        few_shot: examples: ``(user, assistant)`` pairs of texts or messages, or messages.
        messages: the history.
        prompt: the new question: a text, content parts, or a message. None for none.
        merge_turns: make one message of neighbours with one role, for servers that want the roles
            to alternate, and leave out messages that say nothing. Results of calls, calls, and
            messages whose other keys differ (another ``name``) stay apart.
        content: "text" makes every content a string, "parts" a list of parts, "keep" neither.

    Returns:
        A new list. Messages that need no change are the caller's own dicts; none is written to.

    Raises:
        AssemblyError: something is no message, or has content that cannot be what is asked for;
            with the section and the index in it.
        OptionError: ``content`` is none of the three.

    Example:
        >>> for message in build_messages(
        ...     system=["You translate.", "Answer with the translation alone."],
        ...     few_shot=[("good morning", "早上好")],
        ...     prompt="good night",
        ... ):
        ...     print(message)
        {'role': 'system', 'content': 'You translate.\n\nAnswer with the translation alone.'}
        {'role': 'user', 'content': 'good morning'}
        {'role': 'assistant', 'content': '早上好'}
        {'role': 'user', 'content': 'good night'}
    """
    if content not in get_args(Content):
        raise OptionError("content", repr(content), f"use one of {', '.join(get_args(Content))}")
    sections = {
        "system": _system(system),
        "few_shot": _few_shot(few_shot),
        "messages": _history(messages),
        "prompt": _prompt(prompt),
    }
    built = [
        _with_content(section, place, message, content)
        for section, several in sections.items()
        for place, message in several
    ]
    return _merged(built) if merge_turns else built


def payload(message: Any) -> Mapping[str, Any] | None:
    """Return a message as it is sent: an SDK object writes null for all that was never there.

    Example:
        >>> payload({"role": "user", "content": "你好"}), payload("你好")
        ({'role': 'user', 'content': '你好'}, None)
    """
    data = as_mapping(message)
    if data is None or isinstance(message, Mapping):
        return data
    return {key: value for key, value in data.items() if value is not None or key == "content"}


def _system(system: object) -> list[tuple[int | None, Dict]]:
    if system is None:
        return []
    if not isinstance(system, (list, tuple)):
        return [(None, _instruction(None, system))]
    several = [_instruction(place, each) for place, each in enumerate(system)]
    if not several:
        return []
    first, *others = several
    for place, message in enumerate(others, start=1):
        if _beside_content(message) != _beside_content(first):
            found = f"a {message['role']} message with other keys than the {first['role']} message"
            remedy = "give both the same role and keys, or put it into messages"
            raise AssemblyError("system", place, f"{found} before it", remedy)
    return [(None, first if not others else {**first, "content": _joined(several)})]


def _instruction(place: int | None, each: object) -> Dict:
    """A text, a content part or a message, as a system message."""
    data = payload(each)
    if isinstance(each, str):
        return {"role": "system", "content": each}
    if data is not None and "role" not in data and "type" in data:
        return {"role": "system", "content": [each]}
    message = _message("system", place, each)
    if message["role"] not in INSTRUCTION_ROLES:
        remedy = "use a system or developer message, and few_shot or messages for others"
        raise AssemblyError("system", place, f"the role {message['role']!r}", remedy)
    return message


def _few_shot(few_shot: Iterable[Any]) -> Iterator[tuple[int, Dict]]:
    for place, each in enumerate(_listed("few_shot", few_shot)):
        if not isinstance(each, (tuple, list)):
            yield place, _message("few_shot", place, each)
        elif len(each) == 2:
            yield place, _spoken("few_shot", place, each[0], "user")
            yield place, _spoken("few_shot", place, each[1], "assistant")
        else:
            remedy = "use (user, assistant) pairs; give longer examples as messages"
            raise AssemblyError("few_shot", place, f"{len(each)} values in place of two", remedy)


def _history(messages: Iterable[Any]) -> Iterator[tuple[int, Dict]]:
    for place, each in enumerate(_listed("messages", messages)):
        yield place, _message("messages", place, each)


def _prompt(prompt: object) -> Iterator[tuple[None, Dict]]:
    if isinstance(prompt, (list, tuple)):
        yield None, _message("prompt", None, {"role": "user", "content": list(prompt)})
    elif prompt is not None:
        yield None, _spoken("prompt", None, prompt, "user")


def _spoken(section: str, place: int | None, said: object, role: str) -> Dict:
    """A text, or a message that has to have this role."""
    if isinstance(said, str):
        return {"role": role, "content": said}
    message = _message(section, place, said)
    if message["role"] != role:
        found = f"the role {message['role']!r} where {role!r} belongs"
        raise AssemblyError(section, place, found, f"use a text or a message of role {role!r}")
    return message


def _message(section: str, place: int | None, message: object) -> Dict:
    """A message as a dict: the caller's own, if it is one."""
    data = payload(message)
    if data is None:
        found = f"{type(message).__name__} is no message"
        remedy = "use a dict with role and content, or an SDK object"
        raise AssemblyError(section, place, found, remedy)
    try:
        History([data])
    except MessageError as error:
        raise AssemblyError(section, place, error.found, error.remedy) from None
    return data if isinstance(data, dict) else dict(data)


def _listed(section: str, several: object) -> list[Any]:
    if isinstance(several, (str, bytes, Mapping)) or not isinstance(several, Iterable):
        found = f"{type(several).__name__} where a list belongs"
        raise AssemblyError(section, None, found, "wrap a single one in a list")
    return list(several)


def _with_content(section: str, place: int | None, message: Dict, form: Content) -> Dict:
    content = message.get("content")
    if form == "parts" and isinstance(content, str) and message["role"] != "function":
        return {**message, "content": _parts(content)}
    if form == "text" and isinstance(content, (list, tuple)):
        return {**message, "content": _text(section, place, content)}
    return message


def _text(section: str, place: int | None, parts: Sequence[Any]) -> str:
    """The parts as one string; a part that is more than text has no place in one."""
    texts = []
    for part in parts:
        data = as_mapping(part) or {}
        if data.keys() != {"type", "text"} or not isinstance(data["text"], str):
            found = f"a part with {', '.join(map(str, data))} cannot be a string"
            raise AssemblyError(section, place, found, 'use content="parts" or "keep"')
        texts.append(data["text"])
    return "".join(texts)


def _parts(content: Any) -> list[Any]:
    if content is None:
        return []
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _merged(messages: Sequence[Dict]) -> list[Dict]:
    merged: list[Dict] = []
    runs: list[list[Dict]] = []
    for message in messages:
        if _says_nothing(message):
            continue
        if merged and _can_merge(merged[-1], message):
            runs[-1].append(message)
            merged[-1] = {**merged[-1], **message}
        else:
            merged.append(message)
            runs.append([message])
    return [
        whole if len(run) == 1 else {**whole, "content": _joined(run)}
        for whole, run in zip(merged, runs, strict=True)
    ]


def _says_nothing(message: Dict) -> bool:
    """Whether a message of user or assistant has nothing but its role and empty content."""
    told = {key for key, value in message.items() if value not in (None, "", [])}
    return message["role"] in ("user", "assistant") and told <= {"role", "name"}


def _can_merge(first: Dict, second: Dict) -> bool:
    """Whether two neighbours can be one message with nothing lost: only their content differs."""
    if first["role"] != second["role"] or first["role"] in RESULT_ROLES:
        return False
    if first.get("tool_calls") or first.get("function_call"):
        return False
    one, other = _beside_content(first), _beside_content(second)
    calls = ("tool_calls", "function_call")
    return one == {key: value for key, value in other.items() if key not in calls}


def _beside_content(message: Dict) -> Dict:
    return {k: v for k, v in message.items() if k != "content" and v is not None}


def _joined(messages: Iterable[Dict]) -> Any:
    """The contents of several messages as one: a string if all are, else parts."""
    contents = [message["content"] for message in messages if message.get("content")]
    if all(isinstance(content, str) for content in contents):
        return SEPARATOR.join(contents) if contents else None
    return [part for content in contents for part in _parts(content)]
