"""What a text is made of: the language and the kind of content of each of its spans."""

from __future__ import annotations

from contextkit.text.content import content_of
from contextkit.text.language import language_of, words
from contextkit.text.signs import language_of_signs
from contextkit.text.spans import Span, spans

__all__ = ["Span", "content_of", "language_of", "language_of_signs", "spans", "words"]
