"""Learn a server's own counts from the ``usage`` it returns.

For a model without a public tokenizer an estimate is all there is, until the first answer comes
back with the number the server counted. A calibration keeps those numbers and corrects the next
counts:

- a request that continues one already seen starts from the server's number for it, and only what is
  new is counted;
- any other request is corrected by a ridge regression of the error on a few additive features.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from contextkit.counting.corrections import Correction, KnownPart, Observation, learnt
from contextkit.counting.counters import Counter
from contextkit.counting.counts import Count, Part
from contextkit.counting.features import (
    FRAME_FEATURES,
    MESSAGE_FEATURES,
    frame_features,
    message_features,
    request_features,
)
from contextkit.counting.requests import counter_for, message_parts, read_request
from contextkit.counting.usage import input_tokens
from contextkit.errors import OptionError
from contextkit.formats import Api, Request
from contextkit.messages import Message

_VERSION = 1
_KEPT = 500
"""Observations kept for each model; the oldest go first."""

_LEAST = 3
"""Observations from which on the regression is used."""

_FRAME, _MESSAGE, _MESSAGE_SHARE = 30.0, 1.0, 0.04
"""Tokens by which the frame of a request and one of its messages are usually misjudged, the latter
a number and a share of its tokens."""


@dataclass
class Calibration:
    """What servers have counted, by model; grows with `observe`.

    Example:
        >>> calibration = Calibration()
        >>> chat = [{"role": "user", "content": "你好"}]
        >>> calibration.observe({"model": "gpt-4o", "messages": chat}, {"prompt_tokens": 8})
        >>> chat += [{"role": "assistant", "content": "您好"}, {"role": "user", "content": "在吗"}]
        >>> calibration.count({"model": "gpt-4o", "messages": chat})
        Count(19, exact)
    """

    _seen: dict[str, list[Observation]] = field(default_factory=dict)
    _learnt: dict[str, Correction | None] = field(default_factory=dict, repr=False)

    def observe(
        self, request: object, usage: object, *, model: str | None = None, api: Api | None = None
    ) -> None:
        """Learn the server's count of a request.

        Args:
            request: a body, or a list of chat messages.
            usage: the usage of the response, or its number of input tokens.
            model: whose; None takes the body's.
            api: wire format of a body; None recognises it.

        Raises:
            OptionError: no model, or no input tokens in ``usage``.
        """
        read, name = _read(request, model, api)
        counter = counter_for(name, None, read.api)
        observation = _observed(read, counter, input_tokens(usage))
        self._seen[name] = [*self._seen.get(name, ()), observation][-_KEPT:]
        self._learnt.pop(name, None)

    def count(self, request: object, *, model: str | None = None, api: Api | None = None) -> Count:
        """Count a request with what was learnt; without observations as `contextkit.count` does.

        Raises:
            OptionError: no model.
        """
        read, name = _read(request, model, api)
        counter = counter_for(name, None, read.api)
        continued = self._continued(read, name, counter)
        if continued is not None:
            return continued
        calibrated = self.counter(name, read.api)
        return Count.of([*message_parts(read.history, calibrated), *calibrated.count_frame(read)])

    def counter(self, model: str, api: Api = "openai-chat") -> Counter:
        """Return the model's counter as corrected so far, for `contextkit.trim`."""
        counter = counter_for(model, None, api)
        correction = self.correction(model)
        return CalibratedCounter(counter, correction) if correction else counter

    def observations(self, model: str) -> int:
        """Return how many requests of a model were observed."""
        return len(self._seen.get(model, ()))

    def correction(self, model: str) -> Correction | None:
        """Return what was learnt of a model; None where that is nothing yet."""
        if model not in self._learnt:
            seen = self._seen.get(model, [])
            self._learnt[model] = learnt(seen) if len(seen) >= _LEAST else None
        return self._learnt[model]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        models = {
            model: [
                [
                    o.features,
                    o.unsure,
                    [[p.digest, p.usual, p.is_exact] for p in o.parts],
                    o.estimated,
                    o.counted,
                    o.digests,
                ]
                for o in observations
            ]
            for model, observations in self._seen.items()
        }
        return {"version": _VERSION, "models": models}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Calibration:
        """Return a calibration from what `to_dict` gave.

        Raises:
            OptionError: it is of another version or damaged.
        """
        if plain.get("version") != _VERSION:
            found = f"version {plain.get('version')!r}, this is {_VERSION}"
            raise OptionError("calibration", found, "observe again, old numbers do not carry over")
        try:
            seen = {
                model: [_observation(row) for row in rows]
                for model, rows in plain["models"].items()
            }
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise OptionError(
                "calibration", f"damaged: {error!r}", "load an unedited file"
            ) from error
        return cls(seen)

    def save(self, path: str | Path) -> None:
        """Write everything to a JSON file."""
        Path(path).write_text(json.dumps(self.to_dict()), "utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Calibration:
        """Read a file that `save` wrote.

        Raises:
            OptionError: it is no JSON, of another version, or damaged.
        """
        try:
            plain = json.loads(Path(path).read_text("utf-8"))
        except ValueError as error:
            raise OptionError(
                "calibration", f"{path} is no JSON", "load an unedited file"
            ) from error
        return cls.from_dict(plain if isinstance(plain, dict) else {})

    def _continued(self, request: Request, model: str, counter: Counter) -> Count | None:
        """Count what is new behind the longest request already counted by the server."""
        digests = list(_digests(request))
        known = {o.digests[-1]: o.counted for o in self._seen.get(model, ()) if o.digests}
        for size in range(len(digests), 0, -1):
            if digests[size - 1] in known:
                parts = message_parts(request.history, counter)
                counted = Part("counted by the server", known[digests[size - 1]])
                return Count.of([counted, *parts[size:]])
        return None


@dataclass(frozen=True, slots=True)
class CalibratedCounter:
    """A model's counter with the corrections that its server taught."""

    counter: Counter
    learnt: Correction

    def count_text(self, text: str) -> int:
        return self.counter.count_text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        parts = self.counter.count_unit(messages)
        return [self._corrected(m, p) for m, p in zip(messages, parts, strict=True)]

    def count_frame(self, request: Request) -> Sequence[Part]:
        parts = self.counter.count_frame(request)
        unsure = [part for part in parts if not self.learnt.leaves_alone(part)]
        if not unsure:
            return parts
        features = frame_features(request, sum(part.tokens for part in unsure))
        added = round(self.learnt.of_frame(features, _frame_digest(request).hexdigest()))
        tokens = sum(part.tokens for part in unsure) + added
        margin = round(abs(tokens) * self.learnt.spread)
        sure = [part for part in parts if self.learnt.leaves_alone(part)]
        calibrated = Part("calibration", added, "estimate", margin)
        return [*sure, *(Part(p.name, p.tokens, p.method) for p in unsure), calibrated]

    def _corrected(self, message: Message, part: Part) -> Part:
        if self.learnt.leaves_alone(part):
            return part
        features = message_features(message, part.tokens)
        added = self.learnt.of_message(features, _message_digest(message))
        tokens = max(1, round(part.tokens + added))
        return Part(part.name, tokens, "estimate", round(tokens * self.learnt.spread), part.index)


def _read(request: object, model: str | None, api: Api | None) -> tuple[Request, str]:
    read, named = read_request(request, None, api)
    name = model or named
    if not name:
        raise OptionError("model", "none is given and the request names none", "pass model=")
    return read, name


def _observed(request: Request, counter: Counter, counted: int) -> Observation:
    of_messages = message_parts(request.history, counter)
    of_frame = list(counter.count_frame(request))
    return Observation(
        features=tuple(_features(request, of_messages, of_frame)),
        unsure=tuple(_features(request, *map(_unsure, (of_messages, of_frame)))),
        parts=tuple(_known_parts(request, of_messages, of_frame)),
        estimated=sum(part.tokens for part in (*of_messages, *of_frame)),
        counted=counted,
        digests=tuple(_digests(request)),
    )


def _known_parts(
    request: Request, of_messages: Sequence[Part], of_frame: Sequence[Part]
) -> Iterator[KnownPart]:
    yield KnownPart(_frame_digest(request).hexdigest(), _FRAME, not _unsure(of_frame))
    for message, part in zip(request.history, of_messages, strict=True):
        usual = _MESSAGE + _MESSAGE_SHARE * part.tokens
        yield KnownPart(_message_digest(message), usual, part.method == "exact")


def _unsure(parts: Sequence[Part]) -> list[Part]:
    return [part for part in parts if part.method != "exact"]


def _features(
    request: Request, of_messages: Sequence[Part], of_frame: Sequence[Part]
) -> list[float]:
    messages = [
        message_features(request.history[part.index], part.tokens)
        for part in of_messages
        if part.index is not None
    ]
    frame = [0.0] * len(FRAME_FEATURES)
    if of_frame:
        frame = frame_features(request, sum(part.tokens for part in of_frame))
    return request_features(messages, frame)


def _digests(request: Request) -> Iterator[str]:
    """One digest for each message, over the frame of the request and all messages up to it."""
    chained = _frame_digest(request)
    for message in request.history:
        chained.update(_written(message.data))
        yield chained.hexdigest()


def _frame_digest(request: Request) -> blake2b:
    """Stands for what requests of one application share: tools, their choice, the answer schema."""
    tools = [tool.raw for tool in request.tools]
    frame = [tools, str(request.tool_choice), str(request.answer_schema)]
    return blake2b(_written(frame), digest_size=16)


def _message_digest(message: Message) -> str:
    return blake2b(_written(message.data), digest_size=16).hexdigest()


def _written(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, default=str).encode("utf-8", "surrogatepass")


def _observation(row: Sequence[Any]) -> Observation:
    features, unsure, parts, estimated, counted, digests = row
    wanted = len(MESSAGE_FEATURES) + len(FRAME_FEATURES)
    if len(features) != wanted or len(unsure) != wanted:
        raise ValueError("another number of features")
    numbers = tuple(map(float, features)), tuple(map(float, unsure))
    known = tuple(KnownPart(str(d), float(usual), bool(exact)) for d, usual, exact in parts)
    return Observation(*numbers, known, int(estimated), int(counted), tuple(digests))
