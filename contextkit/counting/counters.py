"""What can count a conversation: the protocol, and the caller's own function as one.

A counter is asked about one **unit** at a time, because providers bill a tool call and its
results together, and once about the request around them. Both answers are `Part` addends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from contextkit.counting.counts import Part
from contextkit.errors import OptionError
from contextkit.formats import Request
from contextkit.messages import Message


@runtime_checkable
class Counter(Protocol):
    """Anything that counts the tokens of a conversation.

    Pass one as ``counter`` to `trim` or `count`. Its numbers may be of any unit, as long as the
    limit is in the same.

    Example:
        >>> from contextkit import Part, count
        >>> class Characters:
        ...     def count_text(self, text):
        ...         return len(text)
        ...     def count_unit(self, messages):
        ...         return [Part("message", len(m.text), index=m.index) for m in messages]
        ...     def count_frame(self, request):
        ...         return []
        >>> int(count([{"role": "user", "content": "你好"}], counter=Characters()))
        2
    """

    def count_text(self, text: str) -> int:
        """Tokens of ``text`` alone, without any framing."""
        ...

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        """One part for each message of a unit, its framing included."""
        ...

    def count_frame(self, request: Request) -> Sequence[Part]:
        """What the request costs beside its messages: priming, tools, a schema for the answer.

        It may depend on what no trim removes (instructions, the newest user message and unit, the
        options of the request), not on older messages.
        """
        ...


@dataclass(frozen=True, slots=True)
class FunctionCounter:
    """A `Counter` from the caller's function of one message; nothing is added to its answer.

    Args:
        function: takes a message as a mapping, returns its size (tokens, characters, whatever the
            budget is measured in).

    Example:
        >>> counter = FunctionCounter(lambda message: len(message["content"]))
        >>> counter.count_text("four")
        4
    """

    function: Callable[[Mapping[str, Any]], int]

    def count_text(self, text: str) -> int:
        return self._checked({"role": "user", "content": text}, None)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        return [
            Part("message", self._checked(m.data, m.index), "custom", index=m.index)
            for m in messages
        ]

    def count_frame(self, request: Request) -> Sequence[Part]:
        if request.tools:
            found = "a function of one message cannot count tools"
            raise OptionError(
                "counter", found, "pass a Counter, or take their tokens off max_tokens"
            )
        return ()

    def _checked(self, message: Mapping[str, Any], index: int | None) -> int:
        size = self.function(message)
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            place = "a text" if index is None else f"message {index}"
            found = f"it returned {size!r} for {place}"
            raise OptionError("counter", found, "return an int of 0 or more")
        return size


def as_counter(counter: object) -> Counter:
    """Return ``counter`` itself, or wrap a plain function of one message.

    Raises:
        OptionError: it is neither.
    """
    if isinstance(counter, Counter):
        return counter
    if callable(counter):
        return FunctionCounter(counter)
    found = f"{type(counter).__name__} counts nothing"
    raise OptionError("counter", found, "pass a function of one message, or a Counter")
