"""Languages that letters do not tell, by py3langid where the extra ``lang`` is installed.

py3langid is a naive Bayes classifier over byte n-grams. Left alone it answers with any of its 140
languages; among those that are written in the script of the text it is right far more often.
"""

from __future__ import annotations

import copy
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_LATIN = (
    "af az ca cs cy da de en eo es et eu fi fr ga gl ha hr ht hu id ig is it lt lv mg mt nl no "
    "om pl pt ro rw sk sl sn so sq st sv sw tl tr uz vi xh yo zu"
)
CANDIDATES = {
    "Latin": tuple(_LATIN.split()),
    "Cyrillic": ("be", "bg", "kk", "ky", "mk", "mn", "ru", "sr", "tg", "tt", "uk"),
    "Arabic": ("ar", "fa", "ps", "ug", "ur"),
    "Devanagari": ("hi", "mr", "ne", "sa"),
}
"""The languages told apart in each script: widely written ones that py3langid knows."""

_SAMPLE = 240
"""Characters that are enough to tell a language by statistics."""


def identified(script: str, text: str) -> str | None:
    """Return the most likely language of a text in ``script``.

    None where py3langid is not installed, or where it knows no two languages of the script.
    """
    if script not in CANDIDATES or not is_installed():
        return None
    return _classified(script, text[:_SAMPLE])


def is_installed() -> bool:
    """Return whether the extra ``lang`` is there."""
    return find_spec("py3langid") is not None


@lru_cache(maxsize=512)
def _classified(script: str, text: str) -> str:
    return str(_identifier(script).classify(text)[0])


@cache
def _whole_model() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE)


@cache
def _identifier(script: str) -> LanguageIdentifier:
    identifier = copy.copy(_whole_model())
    identifier.set_languages(CANDIDATES[script])
    return identifier
