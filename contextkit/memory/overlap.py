"""How much of one sentence another one says again, in words, or bigrams of Han and kana."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from unicodedata import normalize

LEAST_OVERLAP = 0.5
"""A sentence is about a todo when at least this share of the content is common."""

_UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUNS = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")

_EMPTY_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a an the this that these those it its i me my we us our you your he she they them their his
        her to of in on at for from by with and or as is are was were be been am do does did done
        have has had will would shall should can could please ok okay yes no not now already just
        also then so actually forget cancel finished completed about up out
        el la los las un una de del y en con al por para que mi ya o os da do no na meu minha e já
        le les des du et au aux mon ma mes j ai der die das den dem ein eine einen zu zum zur und
        mein meine ist habe noch
        """,
    )
)

_EMPTY_CHINESE = re.compile(
    "已经|已經|刚刚|剛剛|刚才|剛才|昨天|今天|一下|帮我|幫我|记得|記得|别忘了|別忘了|我们|我們"
    "|完成|搞定|弄好|"
    "那边|那邊|这边|這邊|不用|不必|不需要|[这那這][条项個个條項]|[关划勾去]掉|"
    "[把将將的了已给給他她它个個去来來跟和吧呢啊呀哦嘛我你您请請先再就都也还還过過完好]"
)

_IRREGULAR = {
    "sent": "send", "paid": "pay", "made": "mak", "bought": "buy", "wrote": "writ",
    "written": "writ", "told": "tell", "called": "call", "built": "build", "ran": "run",
    "got": "get", "took": "tak", "taken": "tak", "gave": "giv", "given": "giv", "found": "find",
    "met": "meet", "spoke": "speak", "spoken": "speak", "brought": "bring", "left": "leav",
}  # fmt: skip
"""Past forms whose stem no ending shows."""


@lru_cache(maxsize=8192)
def content(text: str) -> frozenset[str]:
    """Return what ``text`` is made of: stems of its words, bigrams of its Han and kana.

    Words and characters that say nothing about the matter ("the", "already", "了") are left out.

    Example:
        >>> content("Calling mom") == content("call the mom")
        True
        >>> sorted(content("把报告发了"))
        ['告发', '报告']
    """
    plain = normalize("NFKC", text).casefold()
    found: set[str] = set()
    for run in _RUNS.findall(plain):
        if _IS_UNSPACED.match(run):
            found.update(_bigrams(_EMPTY_CHINESE.sub("", run)))
        elif run not in _EMPTY_WORDS:
            found.add(_stem(run))
    return frozenset(found)


def likeness(one: str, other: str) -> float:
    """Return how much of two sentences is common, between 0 and 1, whichever comes first.

    Example:
        >>> likeness("call mom", "call mom and book a flight")
        0.6666666666666666
    """
    left, right = content(one), content(other)
    return 2 * len(left & right) / max(1, len(left) + len(right))


class Sentences:
    """Sentences that can be asked which of them another one is about.

    Example:
        >>> todos = Sentences()
        >>> todos.add("1", "renew the certificate")
        >>> todos.add("2", "call mom")
        >>> todos.closest("the certificate is renewed"), todos.closest("the weather")
        ('1', '')
    """

    __slots__ = ("_content", "_holding")

    def __init__(self) -> None:
        self._content: dict[str, frozenset[str]] = {}
        self._holding: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def add(self, name: str, text: str) -> None:
        self._content[name] = content(text)
        for unit in self._content[name]:
            self._holding[unit][name] = None

    def remove(self, name: str) -> None:
        for unit in self._content.pop(name, ()):
            del self._holding[unit][name]

    def closest(self, text: str) -> str:
        """Name of the sentence that ``text`` says again for the most part; "" where two tie."""
        asked = content(text)
        shared = Counter(name for unit in asked for name in self._holding.get(unit, ()))
        overlaps = {
            name: _overlap(self._content[name], asked, common) for name, common in shared.items()
        }
        most = max(overlaps.values(), default=0.0)
        best = [name for name, overlap in overlaps.items() if overlap == most]
        return best[0] if most >= LEAST_OVERLAP and len(best) == 1 else ""

    def sharing(self, text: str) -> list[str]:
        """Names of the sentences that have anything in common with ``text``."""
        shared = (self._holding.get(unit, {}) for unit in sorted(content(text)))
        return list(dict.fromkeys(name for names in shared for name in names))


def _overlap(sentence: frozenset[str], asked: frozenset[str], common: int) -> float:
    share = common / _measure(sentence, asked)
    return max(share, LEAST_OVERLAP) if _is_fronted(sentence, asked) else share


def _is_fronted(sentence: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether Chinese says nothing new, in any order: "电话回了" of "给客户回电话"."""
    characters = set("".join(asked))
    if any(not _IS_UNSPACED.match(unit) for unit in asked):
        return False
    return asked <= sentence or (len(characters) >= 3 and characters <= set("".join(sentence)))


def _measure(sentence: frozenset[str], asked: frozenset[str]) -> float:
    """What the common part is a share of.

    That is the sentence's content, or the mean of both when less was asked: who names a task again
    does it in short ("the tyres"), and a Chinese word left out costs two bigrams.
    """
    return min(len(sentence), (len(sentence) + len(asked)) / 2)


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(max(1, len(run) - 1))] if run else []


def _stem(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and word.isascii():
            stem = word[: -len(ending)]
            # "planning" and "plan" are one word, "calling" and "call" too.
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls"
            return stem[:-1] if doubled else stem
    return word
