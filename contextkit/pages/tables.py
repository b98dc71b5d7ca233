"""Tables for a page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from contextkit.pages.document import text


def table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, numeric: Collection[str] = ()
) -> str:
    """Return an HTML table that scrolls sideways where the page is narrow.

    Args:
        headings: one for each column.
        rows: cells as values; they are written as plain text.
        numeric: headings of the columns that are set to the right.

    Example:
        >>> table(["role", "tokens"], [["user", 12]], numeric=["tokens"]).count("<td")
        2
    """
    classes = [' class="number"' if heading in numeric else "" for heading in headings]
    head = _cells("th", classes, headings)
    body = "\n".join(f"<tr>{_cells('td', classes, row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _cells(tag: str, classes: Sequence[str], values: Sequence[object]) -> str:
    pairs = zip(classes, values, strict=True)
    return "".join(f"<{tag}{kind}>{text(value)}</{tag}>" for kind, value in pairs)
