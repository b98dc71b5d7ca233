"""Density as a server bills it: the tokens are read from the ``usage`` of its answers.

A request bills its text and the framing around it. The framing is measured by requests whose text
is one letter: one letter is one token in every vocabulary made of bytes or with single letters, so
what is billed beside it is framing. Two different letters have to agree.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from contextkit.counting.usage import input_tokens
from contextkit.counting.vocabularies import repaired
from contextkit.densities.measuring import density
from contextkit.densities.table import DensityTable
from contextkit.errors import OptionError
from contextkit.options import whole_number

Ask = Callable[[str], object]
"""Sends a text to the server and returns the ``usage`` of the answer, or its input tokens."""

_LETTERS = ("a", "x")

_LEAST: Mapping[str, Any] = {"max_tokens": 1}


def density_from_usage(
    samples: Iterable[object],
    *,
    client: Any,
    model: str,
    options: Mapping[str, Any] = _LEAST,
    requests_per_minute: int | None = None,
    answers: str | os.PathLike[str] | None = None,
    framing: int | None = None,
    replicates: int = 1_000,
    seed: int = 0,
) -> DensityTable:
    """Measure density by what a server counts: one request a sample, its answer cut off at once.

    For models whose vocabulary is not public, and to see whether a vocabulary is the right one.
    Each sample is the only message of its request. A server that strips texts, or joins them with
    its framing, counts blanks at their ends differently; equal texts are asked for once.

    Args:
        samples: as `density` takes them.
        client: an OpenAI-compatible client (``client.chat.completions.create``), which retries as
            it is set up to; or a function that sends a text and returns the ``usage`` of the
            answer, for any other API.
        model: the model's name, and the table's name for the tokenizer.
        options: what else a request says; some models want ``{"max_completion_tokens": 16}``.
        requests_per_minute: the most requests a minute; None does not wait.
        answers: a JSONL file that keeps each answer as it comes. Called again with it, only what is
            not there yet is asked: one file for one server. Texts are kept as their hashes.
        framing: input tokens of a request beside its text; None measures them, with two requests.
        replicates: how often the bootstrap draws samples anew.
        seed: of its random numbers.

    Returns:
        The table, with ``model`` as its one tokenizer.

    Raises:
        SampleError: the request for a sample fails, with its index; what is answered is kept.
        OptionError: the client is none, a line of ``answers`` is broken, or the framing is not the
            same for all texts.

    Example:
        >>> def send(text):                     # a server that bills 9 tokens around the text
        ...     return {"prompt_tokens": 9 + len(text.split())}
        >>> table = density_from_usage(["one two three"], client=send, model="toy")
        >>> table.row().tokens
        3
    """
    ask = client if callable(client) else _chat(client, model, options)
    with nullcontext() if answers is None else _opened(Path(answers)) as file:
        server = _Server(model, ask, _pause(requests_per_minute), file, _kept(file))
        around = server.framing() if framing is None else whole_number("framing", framing, 0)

        def counted(text: str) -> int:
            return server.tokens(text) - around if text else 0

        return density(samples, tokenizers={model: counted}, replicates=replicates, seed=seed)


@dataclass(slots=True)
class _Server:
    """Asks for each text once, at the pace that is allowed, and keeps the answers."""

    model: str
    ask: Ask
    pause: float
    file: IO[str] | None
    known: dict[str, int]
    _next: float = field(default_factory=time.monotonic)

    def framing(self) -> int:
        """Return the tokens around a text, measured around two letters."""
        first, second = (self.tokens(letter) - 1 for letter in _LETTERS)
        if first != second:
            letters = " and ".join(map(repr, _LETTERS))
            found = f"{first} and {second} tokens around {letters}"
            raise OptionError("framing", found, "the server's count is not steady: pass the number")
        return first

    def tokens(self, text: str) -> int:
        """Return the input tokens of the request with ``text``."""
        key = hashlib.sha256(f"{self.model}\0{repaired(text)}".encode()).hexdigest()
        if key not in self.known:
            self.known[key] = self._asked(repaired(text))
            self._keep(key)
        return self.known[key]

    def _asked(self, text: str) -> int:
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + self.pause
        return input_tokens(self.ask(text))

    def _keep(self, key: str) -> None:
        if self.file is not None:
            line = {"key": key, "model": self.model, "input_tokens": self.known[key]}
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()


def _chat(client: Any, model: str, options: Mapping[str, Any]) -> Ask:
    create = getattr(getattr(getattr(client, "chat", None), "completions", None), "create", None)
    if create is None or inspect.iscoroutinefunction(inspect.unwrap(create)):
        found = f"{type(client).__name__} has no chat.completions.create that answers at once"
        raise OptionError("client", found, "pass a client that is not async, or a function")

    def ask(text: str) -> object:
        messages = [{"role": "user", "content": text}]
        return create(model=model, messages=messages, **options).usage

    return ask


def _pause(requests_per_minute: int | None) -> float:
    """Seconds from one request to the next."""
    if requests_per_minute is None:
        return 0.0
    return 60 / whole_number("requests_per_minute", requests_per_minute, 1)


def _opened(path: Path) -> IO[str]:
    """Open a file of answers; a last line that was not written to its end is cut off."""
    file = path.open("a+b")
    file.seek(0)
    whole = file.read()
    file.truncate(whole.rfind(b"\n") + 1)
    file.close()
    return path.open("a+", encoding="utf-8", newline="\n")


def _kept(file: IO[str] | None) -> dict[str, int]:
    if file is None:
        return {}
    file.seek(0)
    return dict(_answer(line, number) for number, line in enumerate(file, start=1))


def _answer(line: str, number: int) -> tuple[str, int]:
    try:
        answer = json.loads(line)
        return str(answer["key"]), int(answer["input_tokens"])
    except (ValueError, KeyError, TypeError) as error:
        found = f"line {number} is no answer: {line.strip()[:40]!r}"
        raise OptionError("answers", found, "name another file, or drop the line") from error
