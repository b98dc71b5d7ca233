"""The exceptions of contextkit.

::

    ContextKitError
    ├── MessageError       (ValueError)   a message that cannot be read, with its index
    ├── OptionError        (ValueError)   an option no call can honour
    ├── BudgetExceeded     (ValueError)   what has to stay does not fit
    ├── StrategyError      (RuntimeError) a strategy broke a law of the plan
    ├── UnknownModel       (LookupError)  a model nobody has told contextkit about
    ├── TokenizerMissing   (LookupError)  the model is known, its vocabulary is not here
    └── VocabularyCorrupt  (RuntimeError) a vocabulary file is not what it was when shipped

Every class has a built-in parent too, so code that knows nothing of contextkit can catch it.
The text says what was found, the limit, each term of the sum, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
    ) -> None:
        self.needed = needed
        self.limit = limit
        self.terms = tuple(terms)
        self.unit = unit
        addends = " + ".join(f"{name} {amount:,}" for name, amount in self.terms)
        super().__init__(
            f"{needed:,} {unit} have to stay, the limit is {limit:,} "
            f"({needed - limit:,} too many): {addends} = {needed:,}; {remedy}"
        )


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
