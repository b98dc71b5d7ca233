"""Values that look the same in every language: mails, phones, addresses, ids, amounts, dates.

Patterns run in order, the surest first; what one has taken no later one reads again, so that the
digits of an order number are no phone. Most values have figures, and most text has few: only the
surroundings of figures are searched for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from contextkit.memory.han import simplified
from contextkit.memory.rules.typed_amounts import AMOUNT, amount_norm
from contextkit.memory.rules.typed_dates import DATE, TIME, date_norm
from contextkit.memory.rules.typed_forms import (
    EMAIL,
    ERROR,
    FILE,
    IP,
    IP6,
    LABELLED_PHONE,
    PATH,
    PHONE,
    URL,
    VERSION,
    is_path,
    is_phone,
    phone_norm,
)
from contextkit.memory.rules.typed_ids import (
    BARE,
    CONTRASTED,
    IBAN,
    LABELLED,
    PLATE,
    UUID,
    is_bare_id,
    is_contrasted_id,
    is_labelled_id,
    label_of,
)

_TRAILING = " .,;:!?)'\"*"
_AROUND = 64

_FIGURES = re.compile(
    r"[0-9]+|[A-Z]{5,}|[零〇一二两三四五六七八九十百千万亿]{1,16}(?=[元块月点日美欧港人])|"
    r"(?<=[a-z])(?:Error|Exception)\b"
)
"""What every value of the later forms has in it or right before it."""


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value whose form says what it is.

    Attributes:
        key: "email", "phone", "url", "path", "ip", "amount", "date", "time", "version",
            "error_code", "account" or one of `typed_ids.IDS`.
        value: as written.
        norm: normal form; "" when ``value`` is as good.
        start: its first character in the text.
        end: the character behind it.
    """

    key: str
    value: str
    norm: str
    start: int
    end: int


def _plain(match: re.Match[str]) -> str:
    return ""


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


def _squeezed(match: re.Match[str]) -> str:
    return re.sub(r"[\s·•-]", "", match[0])


def _phone(match: re.Match[str]) -> str:
    return phone_norm(match.groupdict().get("value") or match[0])


def _any(match: re.Match[str]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Form:
    """How values of one key look."""

    key: str | Callable[[re.Match[str]], str]
    pattern: re.Pattern[str]
    norm: Callable[[re.Match[str]], str] = _plain
    accepts: Callable[[re.Match[str]], bool] = _any
    hint: str = ""
    """A string without which there is no such value."""


_ANYWHERE = (
    _Form("url", URL, hint="://"),
    _Form("url", URL, hint="www."),
    _Form("email", EMAIL, _lower, hint="@"),
    _Form("path", PATH, accepts=is_path, hint="/"),
    _Form("path", PATH, accepts=is_path, hint="\\"),
)
_AT_FIGURES = (
    _Form("id", UUID, _lower, hint="-"),
    _Form("ip", IP, hint="."),
    _Form("ip", IP6, hint=":"),
    _Form("id", IBAN, _squeezed),
    _Form("date", DATE, date_norm),
    _Form(label_of, LABELLED, accepts=is_labelled_id),
    _Form("phone", PHONE, _phone),
    _Form("phone", LABELLED_PHONE, _phone, is_phone),
    _Form("time", TIME),
    _Form("amount", AMOUNT, amount_norm),
    _Form("version", VERSION, hint="."),
    _Form("id", CONTRASTED, accepts=is_contrasted_id),
    _Form("error_code", ERROR),
    _Form("id", BARE, accepts=is_bare_id),
    _Form("id", PLATE, _squeezed),
)
_FILES = (_Form("path", FILE),)
_IS_FILE = re.compile(r"\.[A-Za-z]{2,5}\b(?<!\.com)(?<!\.org)(?<!\.net)")


def typed_values(text: str, start: int = 0, end: int | None = None) -> list[TypedValue]:
    """Return the typed values of a text, in order.

    Args:
        text: what to search.
        start: first character to look at.
        end: the character behind the last one; None takes all.

    Example:
        >>> found = typed_values("Order LX-204: 329元, 3月15号付的, 见 https://a.cn/q?id=3。")
        >>> [(value.key, value.value, value.norm) for value in found]
        [('order_id', 'LX-204', ''), ('amount', '329元', '329 CNY'), ('date', '3月15号', '03-15'), \
('url', 'https://a.cn/q?id=3', '')]
    """
    scan = _Scan(text, start, len(text) if end is None else end)
    return sorted(scan.values(), key=lambda value: value.start)


class _Scan:
    """One pass over a stretch of text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._written = text
        self._text = simplified(text)
        self._start, self._end = start, end
        self._taken = bytearray(end - start)

    def values(self) -> Iterator[TypedValue]:
        whole = [(self._start, self._end)]
        yield from self._formed(_ANYWHERE, whole)
        if figures := list(self._surroundings()):
            yield from self._formed(_AT_FIGURES, figures)
        if _IS_FILE.search(self._text, self._start, self._end):
            yield from self._formed(_FILES, whole)

    def _surroundings(self) -> Iterator[tuple[int, int]]:
        """Stretches around figures; those that touch are one."""
        first = last = -1
        for match in _FIGURES.finditer(self._text, self._start, self._end):
            if last >= 0 and match.start() - _AROUND > last:
                yield first, last
                first = -1
            first = max(self._start, match.start() - _AROUND) if first < 0 else first
            last = min(self._end, match.end() + _AROUND)
        if last >= 0:
            yield first, last

    def _formed(
        self, forms: Sequence[_Form], stretches: Sequence[tuple[int, int]]
    ) -> Iterator[TypedValue]:
        for form in forms:
            if form.hint not in self._text:
                continue
            for start, end in stretches:
                for match in form.pattern.finditer(self._text, start, end):
                    yield from self._accepted(form, match)

    def _accepted(self, form: _Form, match: re.Match[str]) -> Iterator[TypedValue]:
        group = next(
            (name for name in ("value", "shown", "thrown") if match.groupdict().get(name)), 0
        )
        start = match.start(group)
        end = start + len(match[group].rstrip(_TRAILING))
        inside = slice(start - self._start, end - self._start)
        if any(self._taken[inside]) or start == end or not form.accepts(match):
            return
        self._taken[inside] = b"\1" * (end - start)
        key = form.key if isinstance(form.key, str) else form.key(match)
        yield TypedValue(key, self._written[start:end], form.norm(match), start, end)
