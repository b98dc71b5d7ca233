"""Count the joined messages of Responses by the items they are made of, as the server does.

A whole request bills the reasoning of the running turn once, beside its messages. Where a turn may
be cut through, each reasoning item carries its own share.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contextkit.counting.counters import Counter
from contextkit.counting.counts import Part
from contextkit.counting.requests import message_parts
from contextkit.formats import Request
from contextkit.formats.openai_responses import members
from contextkit.messages import History, Message, as_mapping

_REASONING = "reasoning"


@dataclass(frozen=True, slots=True)
class MemberCounter:
    """A `Counter` of histories whose steps of the model are joined into one message each.

    Attributes:
        counter: counts the items one by one.
        shares: what each reasoning item of the running turn takes.
    """

    counter: Counter
    shares: Mapping[str, Part]

    def count_text(self, text: str) -> int:
        return self.counter.count_text(text)

    def count_unit(self, messages: Sequence[Message]) -> Sequence[Part]:
        made_of = [chat for message in messages for chat in members(message.data)]
        shares = (self.shares.get(_digest(chat)) for chat in made_of)
        return [*message_parts(History(made_of), self.counter), *filter(None, shares)]

    def count_frame(self, request: Request) -> Sequence[Part]:
        parts = self.counter.count_frame(request)
        return [part for part in parts if part.name != _REASONING or not self.shares]


def member_counter(counter: Counter, request: Request) -> MemberCounter:
    """Return the counter of a request whose reasoning goes and stays with its step."""
    start = max(request.history.users, default=-1) + 1
    digests = list(filter(None, map(_digest, request.history.data[start:])))
    parts = [part for part in counter.count_frame(request) if part.name == _REASONING]
    if len(parts) != len(digests):
        return MemberCounter(counter, {})
    shares = (replace(part, name="message") for part in parts)
    return MemberCounter(counter, dict(zip(digests, shares, strict=True)))


def _digest(chat: Mapping[str, Any]) -> str:
    """A key for a reasoning item, the same for its copy; "" for any other message."""
    item = as_mapping(chat.get("item")) or {}
    is_reasoning = item.get("type") == _REASONING
    return json.dumps(item, sort_keys=True, default=str) if is_reasoning else ""
