"""Languages that share a script, told by the letters and the small words that they alone use."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

ONLY = {
    "Kana": "ja", "Hangul": "ko", "Bopomofo": "zh-Hant", "Greek": "el", "Armenian": "hy",
    "Hebrew": "he", "Syriac": "syr", "Thaana": "dv", "N'Ko": "nqo", "Bengali": "bn",
    "Gurmukhi": "pa", "Gujarati": "gu", "Odia": "or", "Tamil": "ta", "Telugu": "te",
    "Kannada": "kn", "Malayalam": "ml", "Sinhala": "si", "Thai": "th", "Lao": "lo",
    "Tibetan": "bo", "Myanmar": "my", "Georgian": "ka", "Ethiopic": "am", "Cherokee": "chr",
    "Canadian syllabics": "iu", "Khmer": "km", "Mongolian": "mn", "Tifinagh": "zgh", "Yi": "ii",
}  # fmt: skip
"""Scripts that stand for one language, the most spoken where there are several."""

_OWN_LETTERS = {
    "Cyrillic": (
        ("kk", "әғқңұһӘҒҚҢҰҺ"), ("tg", "ҷӣӯҶӢӮ"), ("mn", "өүӨҮ"), ("sr", "ђћЂЋ"),
        ("mk", "ѓќѕЃЌЅ"), ("uk", "їєґЇЄҐ"), ("be", "ўЎ"),
    ),
    "Arabic": (
        ("ur", "ٹڈڑںے"), ("ps", "ټډړږښڼې"), ("ug", "ۆۈۋېە"), ("sd", "ڪڳڄڃڏڙ"), ("fa", "پچژگیک"),
    ),
    "Hebrew": (("yi", "װױײ"),),
    "Bengali": (("as", "ৰৱ"),),
}  # fmt: skip
"""Letters that a language has and those behind it in the row have not."""

_DEFAULT = {"Cyrillic": "ru", "Arabic": "ar", "Devanagari": "hi", **ONLY}

_ENOUGH = 0.008
"""Share of own letters that tells a language: one in 125 letters, a sentence or two."""

_SMALL_WORDS = {
    "Devanagari": (
        (
            "hi",
            "है हैं का की के को में से और पर यह वह नहीं था थे ने भी कि क्या कर मैं हम इस उस किसी तथा या "
            "द्वारा जो होगा सभी अपने हो",
        ),
        ("mr", "आहे आहेत आणि नाही किंवा त्या मी होते करून काय असा त्याला सर्व मिळण्याचा असे च"),
        ("ne", "छ छन् र लाई मा हुनेछ गर्न छैन वा भएको गरेको पनि यो त्यो हरेक प्रत्येक"),
    ),
}
_WORD_OF = {
    script: {word: language for language, row in rows for word in row.split()}
    for script, rows in _SMALL_WORDS.items()
}

_VIETNAMESE = re.compile("[đơưĐƠƯảẢấ-ặẤ-Ặẻ-ẽẺ-Ẽế-ệẾ-ỆỉỈỏỎố-ợỐ-ỢủỦứ-ựỨ-Ựỳ-ỹỲ-Ỹ]")
_TOLD_VIETNAMESE = 0.06
"""Share of these letters among all. Those that Yoruba, Igbo and Romanian have too are left out."""

_LATIN_WORD = re.compile(r"[^\W\d_]+")

_ENGLISH_WORDS = {
    word: weight
    for weight, group in (
        (
            2.0,
            "the and of to that with this have it for are you not from which their shall what your "
            "can be by or has i'm don't it's would should there they will been these those where "
            "when how why who does my please could any may whether without everyone nobody because "
            "about into than other such his her she he them then its our did had just like need "
            "want know make only after before between must each both being here very too while if",
        ),
        (
            0.7,
            "add added adds bug call called change changed changes check code command create data "
            "default error errors example exists fail failed failing file files find first fix "
            "found goes help key keys keep last left line lines list load long look main making "
            "many message messages missing move name names needed needs next old open output "
            "package page part path phase possible read reads remove return returns right run "
            "runs same save see server session set show shows start state step still support "
            "text thing things time type types under update updated use used user users uses "
            "using value values view way well work works write wrong year years",
        ),
        (1.0, "is in on as an was we at but all no me so do i one up out us am yes ok get let new"),
    )
    for word in group.split()
}
_ENGLISH_SHAPE = re.compile(
    r"(?:ing|tion|tions|ment|ness|ly|ed|ight|ould|ough)$|^(?:th|wh|kn)|ck|sh"
)
_FOREIGN = (
    "de la el le les des du et est que en un une los las del por para una con der das und ist "
    "nicht ein eine zu mit von den het een van niet dat wat og det er som ikke och att är inte på "
    "il di che non per sono da em não uma os um na se ne si je w z nie jest yang dan untuk ang "
    "ng sa mga ja ei ve bir bu için ce este și nu az egy és hogy ni ya wa kwa fun ti"
)
_FOREIGN_WORDS = frozenset(_FOREIGN.split())
"""Small words of other languages in Latin letters, that speak against English."""


def told_by_words(script: str, text: str) -> str | None:
    """Return the language whose small words ``text`` has most of; None where it has none.

    Example:
        >>> told_by_words("Devanagari", "मेरा पार्सल कहाँ है"), told_by_words("Latin", "où est-il")
        ('hi', None)
    """
    own = _WORD_OF.get(script, {})
    votes = Counter(own[word] for word in text.split() if word in own) if own else None
    return votes.most_common(1)[0][0] if votes else None


def told_by_letters(script: str, text: str) -> str | None:
    """Return the language that letters of ``text`` tell, or the usual one of the script.

    Example:
        >>> told_by_letters("Cyrillic", "Ми їдемо до моря"), told_by_letters("Cyrillic", "Мы едем")
        ('uk', 'ru')
    """
    letters = Counter(text) if script in _OWN_LETTERS else {}
    for language, own in _OWN_LETTERS.get(script, ()):
        if sum(letters[char] for char in own) > _ENOUGH * len(text):
            return language
    return _DEFAULT.get(script)


def foreign_words(text: str) -> int:
    """Return how many small words of other languages in Latin letters than English there are.

    Example:
        >>> foreign_words("Where is it?"), foreign_words("où est le colis que je cherche ?")
        (0, 4)
    """
    return sum(map(_FOREIGN_WORDS.__contains__, text.lower().split()))


def is_vietnamese(text: str) -> bool:
    """Return whether a text in Latin letters has those of Vietnamese.

    Example:
        >>> is_vietnamese("Xin chào, đơn hàng của tôi ở đâu?"), is_vietnamese("Où est-il passé ?")
        (True, False)
    """
    return not text.isascii() and len(_VIETNAMESE.findall(text)) > _TOLD_VIETNAMESE * sum(
        map(str.isalpha, text)
    )


def english_score(text: str) -> float:
    """Return how English the words of a text in Latin letters are, 0 for not at all.

    Example:
        >>> english_score("Where is the parcel?") > 0.5 > english_score("¿Dónde está el paquete?")
        True
    """
    words = [word.lower() for word in _LATIN_WORD.findall(text)]
    if not words:
        return 0.0
    score = sum(map(_englishness, words))
    return score / len(words)


@lru_cache(maxsize=8192)
def _englishness(word: str) -> float:
    if word in _ENGLISH_WORDS:
        return _ENGLISH_WORDS[word]
    if word in _FOREIGN_WORDS:
        return -1.5
    if not word.isascii():
        return -0.7
    return 0.6 if len(word) > 3 and _ENGLISH_SHAPE.search(word) else 0.0
