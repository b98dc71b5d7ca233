"""Where the tokens of a request go: by role, turn, language, content type and tool."""

from contextkit.reports.limits import Excess
from contextkit.reports.pieces import Piece
from contextkit.reports.report import Report, Row, report

__all__ = ["Excess", "Piece", "Report", "Row", "report"]
