"""Chinese in simplified and in traditional characters.

Two national standards tell them apart: a character that GB 2312 (Beijing, 1980) has and Big5
(Taipei, 1984) has not is a simplified form, and one that only Big5 has is a traditional form.
Python ships both tables as codecs, so there is no list to keep.
"""

from __future__ import annotations

from functools import cache

_UNIFIED = range(0x4E00, 0xA000)


def chinese_variant(text: str, *, otherwise: str = "zh-Hans") -> str:
    """Return "zh-Hans" or "zh-Hant" by the characters that only one of the two has.

    Text in common characters alone (你好) is the same in both, and told as ``otherwise``.

    Example:
        >>> [chinese_variant(text) for text in ("请问几点开门", "請問幾點開門", "你好")]
        ['zh-Hans', 'zh-Hant', 'zh-Hans']
    """
    simplified, traditional = _forms()
    balance = sum(map(traditional.__contains__, text)) - sum(map(simplified.__contains__, text))
    if balance == 0:
        return otherwise
    return "zh-Hant" if balance > 0 else "zh-Hans"


@cache
def _forms() -> tuple[frozenset[str], frozenset[str]]:
    mainland, taiwan = _repertoire("gb2312"), _repertoire("big5")
    return mainland - taiwan, taiwan - mainland


def _repertoire(codec: str) -> frozenset[str]:
    return frozenset("".join(map(chr, _UNIFIED)).encode(codec, "ignore").decode(codec))
