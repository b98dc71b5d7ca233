"""A report as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from contextkit.pages import Bar, Section, Segment, bars, columns, document, share_bar, table
from contextkit.reports.tables import headline, kind_text

if TYPE_CHECKING:
    from contextkit.reports.report import Report

_PREVIEW = 120
"""Characters of a message that the page shows."""

_BARS = 6
"""Colour of bars whose name stands beside them; up to six roles have others."""

_MOST_COLUMNS = 400
"""Turns drawn one by one; the newest ones of a longer talk."""


def report_page(report: Report, title: str) -> str:
    """Return the page of a report."""
    return document(title, _sections(report), lead=headline(report))


def _sections(report: Report) -> Iterator[Section]:
    yield Section("The window", share_bar(list(_window(report))), _free(report))
    if report.exceeded:
        lines = "".join(f'<p class="warn">{_plain(str(over))}</p>' for over in report.exceeded)
        yield Section("Over their limits", lines)
    yield Section("By language", bars(list(_bars(report, "language"))))
    yield Section("By content type", bars(list(_bars(report, "content"))))
    yield Section("Language and content type", _crossed(report))
    yield Section("Tokens per turn", _growth(report), _turns(report))
    if report.rows("tool"):
        yield Section("By tool", bars(list(_bars(report, "tool"))), "Schemas, calls and results.")
    yield Section("Largest messages", _biggest(report))
    if report.result is not None:
        yield Section("What was done, message by message", _fates(report))


def _window(report: Report) -> Iterator[Segment]:
    for place, row in enumerate(report.rows("role")):
        yield Segment(str(row.kind[0]), row.tokens, f"{row.tokens:,}", place % 8)
    if report.headroom is not None and report.headroom > 0:
        yield Segment("free", report.headroom, f"{report.headroom:,}", None)


def _free(report: Report) -> str:
    if report.headroom is None:
        return "No limit is known for this request."
    if report.headroom < 0:
        return f"{-report.headroom:,} tokens too many for the limit of {report.limit:,}."
    return f"{report.headroom:,} of {report.limit:,} tokens are free."


def _bars(report: Report, by: str) -> Iterator[Bar]:
    for row in report.rows(by):
        shown = f"{row.tokens:,} · {100 * row.share:.1f} %"
        yield Bar(kind_text(row.kind[0], by), row.tokens, shown, colour=_BARS)


def _crossed(report: Report) -> str:
    """A table with a row for each content type and a column for each language."""
    cells = {row.kind: row.tokens for row in report.rows(("content", "language"))}
    contents = [str(row.kind[0]) for row in report.rows("content")]
    languages = [str(row.kind[0]) for row in report.rows("language")]
    headings = ["", *(kind_text(language, "language") for language in languages)]
    rows = [
        [content, *(_number(cells.get((content, language))) for language in languages)]
        for content in contents
    ]
    return table(headings, rows, numeric=headings[1:])


def _number(tokens: int | None) -> str:
    return f"{tokens:,}" if tokens else ""


def _growth(report: Report) -> str:
    stacked: dict[int, dict[str, float]] = {}
    for row in report.rows(("turn", "role")):
        stacked.setdefault(int(row.kind[0]), {})[str(row.kind[1])] = row.tokens
    shown = list(stacked.values())[-_MOST_COLUMNS:]
    turns = list(stacked)[-_MOST_COLUMNS:]
    ends = (kind_text(turn, "turn") for turn in (turns[0], turns[-1])) if turns else ("", "")
    first, last = ends
    roles = [str(row.kind[0]) for row in report.rows("role")]
    return columns(shown, first=first, last=last, names=roles)


def _turns(report: Report) -> str:
    turns = max((turn for turn, _, _ in report.growth), default=0)
    said = f"{turns:,} turn{'' if turns == 1 else 's'}."
    return f"{said} The newest {_MOST_COLUMNS} are drawn." if turns >= _MOST_COLUMNS else said


def _biggest(report: Report) -> str:
    rows = [
        [index, report.history.roles[index], f"{tokens:,}", _preview(report, index)]
        for index, tokens in report.biggest()
    ]
    return table(["message", "role", "tokens", "text"], rows, numeric=["message", "tokens"])


def _preview(report: Report, index: int) -> str:
    message = report.history[index]
    called = ", ".join(f"{call.name}()" for call in message.tool_calls)
    words = " ".join(message.text[: 2 * _PREVIEW].split())[:_PREVIEW]
    return " ".join(filter(None, (words, called)))


def _fates(report: Report) -> str:
    assert report.result is not None
    rows = []
    for step in report.result.plan.steps:
        last = step.stop - 1
        messages = "+" if last < step.start else "–".join(map(str, sorted({step.start, last})))
        why = step.reason or report.result.plan.protection(step.start)
        tokens = (f"{step.tokens_before:,}", f"{step.tokens_after:,}")
        rows.append([messages, step.action, *tokens, why, step.by])
    headings = ["messages", "what", "tokens before", "after", "why", "by"]
    return table(headings, rows, numeric=["messages", "tokens before", "after"])


def _plain(words: str) -> str:
    from contextkit.pages.document import text

    return text(words)
