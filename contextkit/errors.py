"""The exceptions of contextkit.

::

    ContextKitError
    ├── MessageError       (ValueError)   a message that cannot be read, with its index
    │   ├── InvalidMessages               messages of a wrong shape, with every fault
    │   └── AssemblyError                 a part of a request to be built, by section and index
    ├── StreamError        (ValueError)   a chunk of a stream that cannot be read, with its index
    ├── SampleError        (ValueError)   a sample that cannot be read or counted, with its place
    ├── OptionError        (ValueError)   an option no call can honour
    ├── BudgetExceeded     (ValueError)   what has to stay does not fit
    ├── RequestTooLong     (ValueError)   a server found what was sent, or asked for, too long
    ├── StrategyError      (RuntimeError) a strategy broke a law of the plan
    ├── UnknownModel       (LookupError)  a model nobody has told contextkit about
    ├── UnknownPrice       (LookupError)  no source has a price for what was asked
    ├── TokenizerMissing   (LookupError)  the model is known, its vocabulary is not here
    └── VocabularyCorrupt  (RuntimeError) a vocabulary file is not what it was when shipped

Every class has a built-in parent too, so code that knows nothing of contextkit can catch it.
The text says what was found, the limit, each term of the sum, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextkit.overflow import Overflow
    from contextkit.schema import Fault


class ContextKitError(Exception):
    """The root of all errors that contextkit raises on purpose."""


class MessageError(ContextKitError, ValueError):
    """A message cannot be read.

    Attributes:
        index: position of the message in the list, or None when the list itself is at fault.
        found: what stood there.
        remedy: what to do.
    """

    def __init__(self, index: int | None, found: str, remedy: str) -> None:
        self.index = index
        self.found = found
        self.remedy = remedy
        place = "messages" if index is None else f"message {index}"
        super().__init__(f"{place}: {found}; {remedy}")


class InvalidMessages(MessageError):
    """Messages have not the shape that the wire format asks for.

    ``index``, ``found`` and ``remedy`` are those of the first fault.

    Attributes:
        faults: all of them, in order; see `contextkit.schema.Fault`.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        first = self.faults[0]
        super().__init__(first.index, first.found, first.remedy)
        self.args = ("\n".join(map(str, self.faults)),)


class AssemblyError(MessageError):
    """A part of a request that is to be built cannot be used.

    Attributes:
        section: "system", "few_shot", "messages" or "prompt".
    """

    def __init__(self, section: str, index: int | None, found: str, remedy: str) -> None:
        super().__init__(index, found, remedy)
        self.section = section
        place = section if index is None else f"{section}[{index}]"
        self.args = (f"{place}: {found}; {remedy}",)


class StreamError(ContextKitError, ValueError):
    """A chunk of a stream cannot be read.

    Attributes:
        index: number of the chunk, from 0; None when that is not known.
        found: what stood there.
        remedy: what to do.
    """

    def __init__(self, index: int | None, found: str, remedy: str) -> None:
        self.index = index
        self.found = found
        self.remedy = remedy
        place = "stream" if index is None else f"chunk {index}"
        super().__init__(f"{place}: {found}; {remedy}")


class SampleError(ContextKitError, ValueError):
    """A sample cannot be read, or its tokens cannot be counted.

    Attributes:
        place: index of the sample, or its file and line.
        found: what went wrong.
        remedy: what to do.
    """

    def __init__(self, place: int | str, found: str, remedy: str) -> None:
        self.place = place
        self.found = found
        self.remedy = remedy
        named = f"sample {place}" if isinstance(place, int) else place
        super().__init__(f"{named}: {found}; {remedy}")


class OptionError(ContextKitError, ValueError):
    """An option has a value that no call can honour.

    Attributes:
        option: name of the option.
    """

    def __init__(self, option: str, found: str, remedy: str) -> None:
        self.option = option
        super().__init__(f"{option}: {found}; {remedy}")


class BudgetExceeded(ContextKitError, ValueError):
    """What has to stay is larger than the budget.

    Attributes:
        needed: the least that the request can have, in ``unit``.
        limit: the most it may have, in ``unit``.
        terms: ``(name, amount)`` pairs that sum to ``needed``.
        unit: "tokens", or "messages" for a window counted in messages.
    """

    def __init__(
        self,
        *,
        needed: int,
        limit: int,
        terms: Sequence[tuple[str, int]],
        remedy: str,
        unit: str = "tokens",
        found: str = "have to stay",
    ) -> None:
        self.needed = needed
        self.limit = limit
        self.terms = tuple(terms)
        self.unit = unit
        addends = " + ".join(f"{name} {amount:,}" for name, amount in self.terms)
        super().__init__(
            f"{needed:,} {unit} {found}, the limit is {limit:,} "
            f"({needed - limit:,} too many): {addends} = {needed:,}; {remedy}"
        )


class RequestTooLong(ContextKitError, ValueError):
    """A server found every attempt too long, or the answer that was asked for.

    Attributes:
        overflow: what it said last.
        attempts: how often it was asked.
    """

    def __init__(self, overflow: Overflow, attempts: int, remedy: str) -> None:
        self.overflow = overflow
        self.attempts = attempts
        times = "once" if attempts == 1 else f"{attempts} times"
        super().__init__(f"the server was asked {times}: {overflow.message}; {remedy}")


class StrategyError(ContextKitError, RuntimeError):
    """A strategy did what no strategy may do.

    Attributes:
        strategy: its name.
    """

    def __init__(self, strategy: str, found: str, remedy: str) -> None:
        self.strategy = strategy
        super().__init__(f"strategy {strategy}: {found}; {remedy}")


class UnknownModel(ContextKitError, LookupError):
    """A model name is in no table.

    Attributes:
        model: the name as given.
        near: known names that look like it, best first.
    """

    def __init__(self, model: str, near: Iterable[str]) -> None:
        self.model = model
        self.near = tuple(near)
        hint = f"did you mean {', '.join(self.near)}? " if self.near else ""
        super().__init__(
            f"model {model!r} is unknown; {hint}"
            "For a model of your own pass max_tokens= (its limit) and counter= (its tokenizer)"
        )


class UnknownPrice(ContextKitError, LookupError):
    """No source has a price for a model, or for a class of its tokens.

    Attributes:
        model: the name as given, and what of it has no price.
        near: known names that look like it, best first.
    """

    def __init__(self, model: str, near: Iterable[str]) -> None:
        self.model = model
        self.near = tuple(near)
        hint = f"known is {', '.join(self.near)}; " if self.near else ""
        super().__init__(
            f"no price for {model}; {hint}"
            "add it to a TOML file of your own (source=, --prices), or pass unknown='none'"
        )


class TokenizerMissing(ContextKitError, LookupError):
    """The model is known, but nothing here can count its tokens.

    Attributes:
        name: the model or encoding.
    """

    def __init__(self, name: str, remedy: str) -> None:
        self.name = name
        super().__init__(f"no tokenizer for {name!r} is installed; {remedy}")


class VocabularyCorrupt(ContextKitError, RuntimeError):
    """A vocabulary file does not have the hash it was shipped with.

    Attributes:
        name: the encoding.
        expected: sha256 the file has to have.
        found: sha256 it has.
    """

    def __init__(self, name: str, expected: str, found: str) -> None:
        self.name = name
        self.expected = expected
        self.found = found
        super().__init__(
            f"vocabulary {name}: sha256 is {found}, expected {expected}; reinstall contextkit"
        )
