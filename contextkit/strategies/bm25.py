"""Rank the texts of a talk: by a query (BM25), or by how much they say that nothing else says.

Words are compared without case, width and the common English endings. Scripts that put no spaces
between words (Chinese, Japanese, Thai ...), and Korean, whose words carry their particles, are
compared by pairs of characters.

The texts are read once, into one flat array of term numbers; everything behind that is arithmetic
on arrays, so the work grows with the text and not with the number of texts times the query.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_K1 = 0.9
_B = 0.4
"""How much a repeated term and the length of a text count: the usual values for short passages."""

_NAME_WEIGHT = 8.0
"""What a name or number weighs beside any other word, where nobody asks for anything."""

_COMPARED = 128
"""Groups among which what one says is not counted again for the next."""

_OVERHEAD = 10.0
"""Terms that a text costs beside its own: a text of one word is no bargain."""

_PAIRED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese
    "\uac00-\ud7af"  # Korean
)
_WORD = re.compile(rf"[{_PAIRED}]+|[^\W_{_PAIRED}]+")
_PAIRED_START = re.compile(f"[{_PAIRED}]")
_SENTENCE_START = re.compile(r"(?:^|[.!?…]\s|\n)[\W_]{0,8}[A-Z]")

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about after again ah all also am an and any are as at be because been before being
        both but by bye can could d did do does doing don done down during each few for from
        goodbye great had ha haha has have having he hello her here hey hi him his hmm how i if
        in into is it its just later ll lol m may me might more most my nice no not of off oh ok
        okay on only or other our out over own please re s same she should so some sorry such
        sure t than thank thanks that the their them then there these they this those to too up
        us ve very was we welcome were what when where which while who whom what why will with
        would wow yea yeah yep yes you your
        """,
    )
)
"""English words that do not tell what a text is about, courtesies among them."""


_ENDINGS = (
    ("sses", "ss"),
    ("ies", "y"),
    ("ing", ""),
    ("ed", ""),
    ("ly", ""),
    ("es", ""),
    ("s", ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """The terms of many texts, as arrays.

    Attributes:
        size: number of texts.
        terms: numbers of all terms, text by text; stop words are left out.
        owners: the text in which each of them stands.
        names: for each term number, whether it is a name or number.
        vocabulary: the number of every term.
    """

    size: int
    terms: Ints
    owners: Ints
    names: NDArray[np.bool_]
    vocabulary: _Vocabulary

    def relevance(self, query: str) -> Floats:
        """Return the BM25 score of every text for ``query``; 0 where they share no term."""
        import numpy as np

        asked = np.array(self.vocabulary.known(query), dtype=np.int64)
        columns = np.full(len(self.names), -1)
        columns[asked] = np.arange(len(asked))
        hits = columns[self.terms]
        pairs = (self.owners * len(asked) + hits)[hits >= 0]
        pairs, repeats = np.unique(pairs, return_counts=True)
        texts, terms = np.divmod(pairs, max(1, len(asked)))
        weights = _rarity(np.bincount(terms, minlength=len(asked)), self.size)[terms]
        lengths = np.bincount(self.owners, minlength=self.size)
        usual = max(1.0, len(self.terms) / max(1, self.size))
        gain = repeats * (_K1 + 1) / (repeats + _K1 * (1 - _B + _B * lengths[texts] / usual))
        return np.bincount(texts, weights * gain, minlength=self.size).astype(np.float64)

    def most_telling(self, groups: Sequence[int], number: int) -> Iterator[int]:
        """Yield the groups of texts, first those that say most for their length.

        Rare words weigh more, and names and numbers weigh most. What a later group says too does
        not count, nor, among the first, what was said by those that were yielded before.

        Args:
            groups: for each text the group it belongs to, -1 for none.
            number: number of groups.
        """
        import numpy as np

        group = np.asarray(groups, dtype=np.int64)[self.owners]
        lengths = np.bincount(group[group >= 0], minlength=number) + _OVERHEAD
        pairs = np.unique((group * len(self.names) + self.terms)[group >= 0])
        who, terms = np.divmod(pairs, len(self.names))
        weights = _rarity(np.bincount(terms, minlength=len(self.names)), number)
        weights *= np.where(self.names, _NAME_WEIGHT, 1.0)
        said = np.bincount(who, weights[terms] * _is_newest(who, terms), minlength=number)
        ranked = np.argsort(-said / lengths, kind="stable")
        borders = np.searchsorted(who, np.arange(number + 1))
        first = {int(g): terms[borders[g] : borders[g + 1]] for g in ranked[:_COMPARED]}
        yield from _covering(first, weights, lengths)
        yield from map(int, ranked[_COMPARED:])


def indexed(texts: Iterable[str]) -> Index:
    """Read texts into an index.

    Example:
        >>> index = indexed(["The parcels left Hamburg.", "我的订单什么时候到？", "Thanks!"])
        >>> [round(float(score), 1) for score in index.relevance("Which parcel?")]
        [1.0, 0.0, 0.0]
    """
    import numpy as np

    vocabulary = _Vocabulary()
    rows = [[vocabulary[form] for form in _forms(text)] for text in texts]
    lengths = [len(row) for row in rows]
    forms = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=sum(lengths))
    owners = np.repeat(np.arange(len(rows)), lengths)
    terms = np.array(vocabulary.terms, dtype=np.int64)[forms]
    marked = np.array(vocabulary.marked, dtype=np.float64)[forms]
    seen = np.bincount(terms, minlength=vocabulary.size)
    names = 2 * np.bincount(terms, marked, minlength=vocabulary.size) >= np.maximum(1, seen)
    telling = terms > 0
    return Index(
        size=len(rows),
        terms=terms[telling],
        owners=owners[telling],
        names=names,
        vocabulary=vocabulary,
    )


def _rarity(spread: Ints, size: int) -> Floats:
    """The weights of terms that stand in ``spread`` of ``size`` texts."""
    import numpy as np

    return np.log1p((size - spread + 0.5) / (spread + 0.5))


def _is_newest(who: Ints, terms: Ints) -> NDArray[np.bool_]:
    """For each pair of a group and a term, whether no later group has the term."""
    import numpy as np

    newest = np.zeros(terms.max(initial=0) + 1, dtype=np.int64)
    np.maximum.at(newest, terms, who)
    return np.equal(newest[terms], who)


def _covering(
    groups: dict[int, Ints], weights: Floats, lengths: NDArray[np.floating[Any]]
) -> Iterator[int]:
    """Yield the groups, always the one next that says most of what is not said yet."""
    unsaid = weights.copy()
    while groups:
        best = max(groups, key=lambda group: float(unsaid[groups[group]].sum() / lengths[group]))
        unsaid[groups.pop(best)] = 0
        yield best


class _Vocabulary(dict[str, int]):
    """Numbers of the forms of words as they are written; asking for a new form adds it.

    ``terms[form]`` is the number of its term, the same for all forms of a word and 0 for stop
    words; ``marked[form]`` says whether it is written as names and numbers are.
    """

    def __init__(self) -> None:
        self.terms: list[int] = []
        self.marked: list[bool] = []
        self._numbers = {"": 0}

    def __missing__(self, form: str) -> int:
        self[form] = len(self.terms)
        term = _term(form)
        self.terms.append(self._numbers.setdefault(term, len(self._numbers)))
        self.marked.append(form[0].isupper() or any(map(str.isdigit, form)))
        return self[form]

    @property
    def size(self) -> int:
        """Number of terms, 0 for the stop words among them."""
        return len(self._numbers)

    def known(self, text: str) -> list[int]:
        """The numbers of the terms of ``text`` that stand in the vocabulary, each once."""
        terms = {_term(form) for form in _forms(text)} - {""}
        return sorted(self._numbers[term] for term in terms & self._numbers.keys())


def _forms(text: str) -> Iterator[str]:
    """The words of a text as they are written, and the pairs of characters of unspaced scripts."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    words = _WORD.findall(_SENTENCE_START.sub(lambda start: start[0].lower(), text))
    if text.isascii():
        return iter(words)
    return chain.from_iterable(map(_pairs, words))


def _pairs(word: str) -> Iterable[str]:
    if len(word) == 1 or not _PAIRED_START.match(word):
        return (word,)
    return map(add, word, word[1:])


def _term(form: str) -> str:
    """What the forms of one word have in common; "" for stop words."""
    word = form.casefold()
    if word in _STOP_WORDS:
        return ""
    return _stem(word) if word.isascii() and len(word) > 3 else word


def _stem(word: str) -> str:
    for ending, rest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word[: -len(ending)] + rest
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word
