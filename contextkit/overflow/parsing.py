"""Read from an error what did not fit: the input, the output, or too much in too little time.

The three have different cures: a shorter history, a smaller limit for the answer, patience. Every
server words them in its own way, in an HTTP error, in an event of a stream, in a body with status
200, or not at all. The wordings were collected from reports and recorded tests until 2026-11-30;
numbers are found by the words around them, so a new wording of an old kind is read as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from contextkit.errors import OptionError
from contextkit.overflow.fields import ErrorFields, fields_of
from contextkit.overflow.words import Words, kind_of, number_of, provider_of, unit_of

Kind = Literal["input", "output", "rate"]
Unit = Literal["tokens", "characters", "bytes"]

_TRUNCATED_BELOW = 0.8
"""A prompt that was counted at less than this share of ours was cut, not counted differently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overflow:
    """What a server said about a request that was too long.

    Attributes:
        kind: "input" (shorten the history), "output" (ask for a shorter answer) or "rate" (wait).
        limit: the most that it takes, in ``unit``; for "output" the most of the answer, or the
            whole window when ``input`` is given too; for "rate" the quota. None when not said.
        requested: what it counted, in ``unit``; None when not said.
        input: the part of ``requested`` that is the input; None when not said.
        output: the part of it that is the reserve for the answer; None when not said.
        unit: "tokens", or "characters" or "bytes" for limits of one field or of the body.
        provider: whose wording it is, where only one has it; None otherwise.
        silent: whether the server cut the prompt without saying so.
        message: the text it was read from.
    """

    kind: Kind
    limit: int | None = None
    requested: int | None = None
    input: int | None = None
    output: int | None = None
    unit: Unit = "tokens"
    provider: str | None = None
    silent: bool = False
    message: str = ""

    def limit_for(self, sent: int, *, reserve_output: int = 0) -> int:
        """Return the limit to trim to, in the tokens of our own count.

        The server's count and ours may differ; their ratio for the request that failed carries the
        server's limit over. Without numbers the request gets shorter by a quarter.

        Args:
            sent: our count of the request that failed, in tokens.
            reserve_output: tokens reserved for the answer, where the server does not say.

        Raises:
            OptionError: shortening the input is no cure.

        Example:
            >>> error = "prompt is too long: 220000 tokens > 200000 maximum"
            >>> parse_overflow(error).limit_for(sent=209_000)
            190000
        """
        if self.kind == "rate" or (self.kind == "output" and self.input is None):
            raise OptionError("after", f"an overflow of kind {self.kind!r}", self.cure)
        if self.limit is None:
            return max(1, sent * 3 // 4)
        room = max(1, self.limit - (self.output if self.output is not None else reserve_output))
        asked = self._asked_input()
        if asked is None or asked <= 0:
            # Its count is unknown, but it is above the limit, and ours may be too low.
            return max(1, min(room, sent * 9 // 10))
        return max(1, min(sent * room // asked, sent - 1))

    @property
    def cure(self) -> str:
        """What to do about it, in words."""
        if self.kind == "rate":
            return "wait and send it again: the request itself is not too long for the model"
        if self.kind == "input":
            return "shorten the input: trim(messages, after=overflow)"
        most = self.most_output
        return "ask for a shorter answer" + (f": at most {most:,} tokens" if most else "")

    @property
    def most_output(self) -> int | None:
        """The longest answer that may be asked for, in tokens; None when it cannot be told."""
        if self.kind != "output" or self.limit is None:
            return None
        return max(0, self.limit - (self.input or 0))

    def _asked_input(self) -> int | None:
        if self.requested is None:
            return self.input
        return self.requested - (self.output or 0)


def parse_overflow(
    error: object, *, sent: int | None = None, window: int | None = None
) -> Overflow | None:
    """Read what was too long from an error, or from a response that hides one.

    Args:
        error: an exception of any SDK, a response body (a dict, JSON, or an SDK object; status 200
            too), an event or the raw lines of a stream, a stream that was collected, or the text of
            an error.
        sent: our count of the request in tokens; with ``window`` it shows a prompt that the server
            cut silently, by the usage of a response.
        window: tokens of the context window, for the same.

    Returns:
        None when nothing was too long: wrong keys, empty accounts, content filters, and any text
        that a model wrote.

    Example:
        >>> found = parse_overflow("提示过长：上下文最大长度为 8,192 个 token，当前请求 9,001 个")
        >>> found.kind, found.limit, found.requested
        ('input', 8192, 9001)
        >>> parse_overflow({"usage": {"prompt_tokens": 2048}}, sent=5065, window=2048).silent
        True
    """
    fields = fields_of(error)
    if fields.is_answer:
        return _cut_silently(fields.usage, sent, window)
    for text in fields.texts:
        found = _read(text, fields)
        if found is not None:
            return found
    return None


def _read(text: str, fields: ErrorFields) -> Overflow | None:
    words = Words.of(text)
    kind = kind_of(words, codes=fields.codes, status=fields.status)
    if kind is None:
        return None
    limit, requested, input, output = _numbers(words, fields)
    if kind != "rate" and limit is not None and input is not None and output:
        kind = "input" if input >= limit else "output"
    return Overflow(
        kind=kind,
        limit=limit,
        requested=requested,
        input=input,
        output=output,
        unit=unit_of(words, fields.codes),
        provider=provider_of(words, fields.codes),
        silent="truncating input prompt" in words.text,
        message=text,
    )


def _numbers(
    words: Words, fields: ErrorFields
) -> tuple[int | None, int | None, int | None, int | None]:
    """The limit, and what was requested: in all, for the input, for the output."""
    limit = fields.numbers.get("n_ctx", number_of(words, "limit"))
    input, output = number_of(words, "input"), number_of(words, "output")
    requested = fields.numbers.get("n_prompt_tokens", number_of(words, "requested"))
    excess = number_of(words, "excess")
    if requested is None and limit is not None and excess is not None:
        requested = limit + excess
    if input is not None:
        requested = max(requested or 0, input + (output or 0))
    return limit, requested, input, output


def _cut_silently(
    usage: Mapping[str, Any], sent: int | None, window: int | None
) -> Overflow | None:
    """A prompt that fills the window to the brim and is far below our count was cut."""
    keys = ("prompt_tokens", "input_tokens", "prompt_eval_count", "promptTokenCount")
    counted = next((usage[key] for key in keys if isinstance(usage.get(key), int)), None)
    if counted is None or window is None:
        return None
    is_cut = sent is not None and window * 0.98 <= counted < sent * _TRUNCATED_BELOW
    if not is_cut and counted <= window:
        return None
    return Overflow(
        kind="input",
        limit=window,
        requested=sent if is_cut else counted,
        silent=True,
        message=f"{counted:,} prompt tokens in a window of {window:,}",
    )
