"""Self-contained HTML pages: one file, hand-written SVG, light and dark, no script.

Words and numbers are HTML, so they keep their size on a phone; only shapes are SVG, stretched to
the width that is there.
"""

from contextkit.pages.charts import Bar, Segment, bars, columns, lines, share_bar
from contextkit.pages.document import Section, document
from contextkit.pages.tables import table

__all__ = [
    "Bar",
    "Section",
    "Segment",
    "bars",
    "columns",
    "document",
    "lines",
    "share_bar",
    "table",
]
