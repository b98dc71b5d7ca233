"""Tell Chinese from other languages, as far as contextkit's own words have to."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u30ff]")
_LATIN_WORD = re.compile(r"(?<![\w@./:-])[^\W\d_]{2,}(?![\w@/:-]|\.\w)")

_HAN_SHARE = 0.3
"""From this share of Han characters among all words on, a text is Chinese."""


def is_chinese(texts: Iterable[str]) -> bool:
    """Return whether ``texts`` are mostly Chinese; numbers and ids are in no language.

    Example:
        >>> is_chinese(["张伟", "ACC-99321"]), is_chinese(["Liz"]), is_chinese(["ありがとう"])
        (True, False, False)
    """
    han = latin = 0
    for text in texts:
        if not _KANA.search(text):
            han += len(_HAN.findall(text))
        latin += sum(map(len, _LATIN_WORD.findall(_HAN.sub(" ", text))))
    return bool(han) and han >= _HAN_SHARE * (han + latin)
