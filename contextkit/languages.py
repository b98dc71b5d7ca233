"""Tell Chinese from other languages, as far as contextkit's own words have to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from contextkit.text.language import is_japanese, letters_of
from contextkit.text.scripts import main_script


def is_chinese(texts: Iterable[str]) -> bool:
    """Return whether ``texts`` are mostly Chinese; numbers and ids are in no language.

    Unlike `language_of`, all of a text decides, not its beginning.

    Example:
        >>> is_chinese(["张伟", "ACC-99321"]), is_chinese(["Liz"]), is_chinese(["ありがとう"])
        (True, False, False)
    """
    found: Counter[str] = Counter()
    for text in texts:
        found.update(letters_of(text))
    return main_script(found) == "Han" and not is_japanese(found)
