"""The frame of a page: head, style, sections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

_STYLE = """
:root { color-scheme: light dark;
  --paper: #fdfcf9; --ink: #22262b; --quiet: #5f6770; --rule: #d9d6cd; --warn: #b3261e;
  --c0: #2f6fa8; --c1: #d9822b; --c2: #3f8f5f; --c3: #a8507f; --c4: #7a6bb8; --c5: #8a7442;
  --c6: #3f9aa3; --c7: #b5564a; --rest: #c9c6bd; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #16191d; --ink: #e6e4de; --quiet: #a2a8b0; --rule: #383d44; --warn: #ff8a80;
  --c0: #6aaee6; --c1: #f0a65a; --c2: #74c795; --c3: #de8bb6; --c4: #a99bea; --c5: #c8b06f;
  --c6: #6cc9d1; --c7: #ea8f83; --rest: #4a4f57; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", "PingFang SC",
  "Microsoft YaHei", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .4rem 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--rule); }
p { margin: .4rem 0; } .quiet { color: var(--quiet); font-size: .9rem; }
.warn { color: var(--warn); font-weight: 600; }
svg { display: block; width: 100%; overflow: visible; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); }
.c3 { color: var(--c3); } .c4 { color: var(--c4); } .c5 { color: var(--c5); }
.c6 { color: var(--c6); } .c7 { color: var(--c7); } .rest { color: var(--rest); }
rect, circle { fill: currentColor; } polyline { stroke: currentColor; fill: none; }
.rule { stroke: var(--rule); } .mark { stroke: var(--ink); }
.share svg { height: 2.2rem; border-radius: 4px; overflow: hidden; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .5rem 0; padding: 0;
  list-style: none; font-size: .9rem; }
.legend svg { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; }
.bars { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr max-content;
  gap: .25rem .8rem; align-items: center; font-size: .95rem; }
.bars > * { min-width: 0; } .bars svg { height: 1rem; overflow: hidden; }
.bars .value, td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.plot { display: grid; grid-template-columns: max-content 1fr; gap: 0 .5rem; font-size: .8rem;
  color: var(--quiet); } .plot svg { height: 11rem; }
.plot .scale { display: flex; flex-direction: column; justify-content: space-between;
  text-align: right; } .plot .ends { grid-column: 2; display: flex;
  justify-content: space-between; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--rule); text-align: left;
  vertical-align: top; } th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
td { min-width: 2.5rem; overflow-wrap: break-word; } td.number { white-space: nowrap; }
@media (max-width: 34rem) { .bars { grid-template-columns: 1fr max-content;
  grid-auto-flow: dense; } .bars .bar { grid-column: 1 / -1; } }
"""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a page.

    Attributes:
        title: its heading, plain text.
        body: HTML, made by the functions of this package.
        note: a sentence below the heading, plain text; "" without one.
    """

    title: str
    body: str
    note: str = ""


def document(title: str, sections: Iterable[Section], *, lead: str = "") -> str:
    """Return a whole page as HTML.

    Args:
        title: heading and window title, plain text.
        sections: what the page shows, in order.
        lead: a sentence below the title, plain text.

    Example:
        >>> page = document("Tokens", [Section("By role", "<p>none</p>")], lead="An empty talk.")
        >>> page.startswith("<!doctype html>"), "<h2>By role</h2>" in page
        (True, True)
    """
    body = "\n".join(map(_section, sections))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{text(title)}</h1>\n{_paragraph(lead)}{body}\n</body>\n</html>\n"
    )


def text(value: object) -> str:
    """Return ``value`` as text for HTML; a lone surrogate becomes the replacement character.

    Example:
        >>> text("a < b")
        'a &lt; b'
    """
    return escape(str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _section(section: Section) -> str:
    note = _paragraph(section.note)
    return f"<section>\n<h2>{text(section.title)}</h2>\n{note}{section.body}\n</section>"


def _paragraph(words: str) -> str:
    return f'<p class="quiet">{text(words)}</p>\n' if words else ""
