"""A message read once: its sentences, their mood, and what in it is nobody's own words.

Rules look at three texts of equal length, so that offsets agree: ``text`` as written, ``typed``
without code blocks, quoted lines and pasted material, and ``free`` without quotations too. The
last two have simplified characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from contextkit.memory.han import simplified
from contextkit.memory.items import Source, Trust

Mood = Literal["statement", "question", "request", "hypothetical", "hearsay"]

_MOST_OF_A_QUOTE = 160
_LONGEST_SENTENCE = 600
_NOTHING = "\x1a"

_FOREIGN = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|^[ \t]*>[^\n]*",
    re.M | re.S,
)
"""Code and quoted lines."""

_MATERIAL = re.compile(
    r"(?:\b(?:translate|proofread|paraphrase|rewrite|rephrase|summari[sz]e|polish|classify"
    r"|correct the|analy[sz]e the|(?:fix|check) (?:the|my) (?:grammar|spelling))\b"
    r"|翻译|润色|改写|校对|总结一?下?|概括|续写|分析以下|提取以下)[^\n:：]{0,60}[:：]",
    re.I,
)
"""What follows is a text to work on, not something that the user says."""

_QUOTATION = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|「[^」\n]{1,400}」|『[^』\n]{1,400}』"
    r"|'(?<!\w')[^'\n]{12,400}'(?!\w)"
)
_NAMING = re.compile(r"(?:\b(?:call|called|named?|am|is|by|me)|叫|为|我|是)\s*\Z", re.I)
_SHORT_NAME = 24

_STOP = re.compile(r"[。！？；؟\n?!.;]+")
_NO_STOP_BEFORE = re.compile(r"(?:\b(?:Mr|Ms|Mrs|Dr|St|No|vs|e\.g|i\.e)|(?:\A|\s)\d{1,2})\Z")

_QUESTION = re.compile(
    r"[?？؟]\W*\Z|(?:[吗呢]|对不对|是不是|行不行)\W*\Z|[是能有可要会]不[是能有可要会]|有没有"
    r"|\A\W*(?:(?:hi|hey|hello|so|and|but|ok|well)\W+)?"
    r"(?!when (?:i|you|we|it|he|she|they|the|my|an?|there|\w+ing)\b[^?]*,)"
    r"(?:(?:what|why|where|when|who|whose|which|how)\b(?!ever)"
    r"|(?:is|are|was|were|do|does|did|has|have|am|should|shall|will|would|can|could|may)"
    r"\s+(?:i|my|you|your|he|she|it|its|we|they|there|this|that|the|a)\b)",
    re.I,
)
_PRESUPPOSING = re.compile(
    r"\A\W*(?:\w+[,，]\s*)?(?:why|where|when|how come)\b|为[什甚]么|怎么[会还]|哪里",
    re.I,
)
_REQUEST = re.compile(
    r"\b(?:can|could|would|will) (?:you|u|someone)\b|\bplease\b|\bwould you mind\b"
    r"|(?:能|可以|可否|能否|能不能|可不可以|麻烦|请)(?:[你您]|再|先|也)*帮|帮我",
    re.I,
)
_SUPPOSING = re.compile(
    r"\b(?:suppose|supposing|imagine|hypothetically|assuming|assume|what if|let'?s (?:say|pretend)"
    r"|pretend|for example|for instance|e\.g\.|as if)\b"
    r"|假[设如使]|设想|想[象像]一下|倘若|扮演|比如|例如|举个例",
    re.I,
)
_CONDITION = re.compile(r"\b(?:if|unless|in case)\b|如果|要是|万一|若是|的话", re.I)
_OFFER = re.compile(
    r"(?:if|unless|in case) (?:you|there|anything|needed|possible|not|so)\b"
    r"|(?:如果|要是|万一|若是)(?:[你您]|有|需要|方便|可以)",
    re.I,
)
_HEARSAY = re.compile(
    r"\b(?:(?!i\b|we\b)\w+ (?:said|says|told (?:me|us)|claims?|claimed|thinks|believes|mentioned)"
    r"|i (?:think|guess|believe|heard|read|suppose)|apparently|supposedly|reportedly|allegedly"
    r"|rumou?r)\b"
    r"|[听据][说闻]|(?:[他她它]们?|[對对]方|人家|朋友|同事|老板|客户|有人)(?:跟我|告诉我)?说",
    re.I,
)
_GUESS = re.compile(
    r"\b(?:maybe|perhaps|probably|might|not sure)\b"
    r"|可能|也许|好像|大概(?!\s?\d)|或许|不确定|记不清|不太记得",
    re.I,
)
"""These make a guess of the clause they stand in, and of no other."""

_CLAUSE = re.compile(r"[^,，、]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The characters ``[start, end)`` between two full stops."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Manner:
    """How a sentence means what it says.

    Attributes:
        mood: what it does.
        presupposes: whether it is a question that takes what it names for granted.
        doubt: how many of its characters stand before a hypothesis starts.
        guesses: the stretches of it that say what may be so.
    """

    mood: Mood
    presupposes: bool
    doubt: int
    guesses: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A message as the rules see it."""

    index: int
    role: str
    text: str
    typed: str
    free: str
    lower: str
    sentences: Sequence[Sentence]
    starts: Sequence[int]

    @property
    def trust(self) -> Trust:
        if self.role in ("user", "assistant"):
            return "user" if self.role == "user" else "assistant"
        return "tool"

    def sentence_at(self, place: int) -> Sentence:
        """The sentence that holds the character ``place``."""
        return self.sentences[max(bisect_right(self.starts, place) - 1, 0)]

    def manner_at(self, place: int) -> Manner:
        """How the sentence around ``place`` means what it says."""
        sentence = self.sentence_at(place)
        return _manner(self.free[sentence.start : sentence.end])

    def mood_at(self, place: int) -> Mood:
        """What the words at ``place`` do."""
        manner = self.manner_at(place)
        within = place - self.sentence_at(place).start
        if within >= manner.doubt:
            return "hypothetical"
        is_guess = any(start <= within < end for start, end in manner.guesses)
        return "hearsay" if is_guess and manner.mood == "statement" else manner.mood

    def asserts(self, place: int) -> bool:
        """Whether the words at ``place`` are said in earnest."""
        return self.mood_at(place) in ("statement", "request")

    def is_quoted(self, place: int) -> bool:
        """Whether the character at ``place`` stands in a quotation."""
        return self.free[place] == _NOTHING

    def before(self, place: int) -> str:
        """The sentence up to ``place``."""
        return self.typed[self.sentence_at(place).start : place]

    def after(self, place: int) -> str:
        """The sentence from ``place`` on."""
        return self.typed[place : self.sentence_at(place).end]

    def quote(self, place: int) -> str:
        """The sentence around ``place`` on one line, shortened."""
        sentence = self.sentence_at(place)
        start = max(sentence.start, min(place - 60, sentence.end - _MOST_OF_A_QUOTE))
        words = self.text[start : min(sentence.end, start + 2 * _MOST_OF_A_QUOTE)].split()
        return " ".join(words)[:_MOST_OF_A_QUOTE]

    def source(self, start: int, end: int) -> Source:
        """The place ``[start, end)`` of the message."""
        return Source(message=self.index, role=self.role, start=start, end=end)


def read(text: str, *, index: int, role: str) -> Reading:
    """Cut a message into sentences and set aside what nobody asserts.

    Example:
        >>> reading = read("Is it LX-204? My name is Ann.", index=0, role="user")
        >>> [reading.mood_at(sentence.start) for sentence in reading.sentences]
        ['question', 'statement']
    """
    typed = _without_code(simplified(text))
    if role == "user" and (":" in typed or "：" in typed):
        typed = _without_material(typed)
    free = _QUOTATION.sub(_unless_a_name, typed)
    sentences = tuple(_sentences(free))
    return Reading(
        index=index,
        role=role,
        text=text,
        typed=typed,
        free=free,
        lower=free.lower(),
        sentences=sentences,
        starts=[sentence.start for sentence in sentences],
    )


def _without_code(text: str) -> str:
    if not any(mark in text for mark in ("```", "~~~", ">")):
        return text
    return _FOREIGN.sub(lambda match: _blank(len(match[0])), text)


def _without_material(text: str) -> str:
    found = _MATERIAL.search(text)
    return text[: found.end()] + _blank(len(text) - found.end()) if found else text


def _blank(length: int) -> str:
    """A line of its own without words and white space."""
    return f"\n{_NOTHING * (length - 2)}\n"[-length:] if length else ""


def _unless_a_name(match: re.Match[str]) -> str:
    start = match.start()
    if len(match[0]) <= _SHORT_NAME and _NAMING.search(match.string[max(0, start - 8) : start]):
        return match[0]
    return _NOTHING * len(match[0])


def _sentences(text: str) -> Iterator[Sentence]:
    start = 0
    for match in _STOP.finditer(text):
        if _ends_sentence(text, match):
            yield from _cut(start, match.end())
            start = match.end()
    if start < len(text) or not text:
        yield from _cut(start, len(text))


def _cut(start: int, end: int) -> Iterator[Sentence]:
    """A log without full stops must not make every look at it a look at all of it."""
    while end - start > _LONGEST_SENTENCE:
        yield Sentence(start, start + _LONGEST_SENTENCE)
        start += _LONGEST_SENTENCE
    yield Sentence(start, end)


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether a mark is no part of a number, an address, an abbreviation or a list's numbering."""
    if match[0][-1] in "。！？；؟\n":
        return True
    following = text[match.end() : match.end() + 1]
    if match[0][-1] in "?!":
        return not (following.isascii() and (following.isalnum() or following in "/=&%_#-")) or (
            not following
        )
    if following and not following.isspace() and following not in '"”':
        return False
    return not _NO_STOP_BEFORE.search(text[max(0, match.start() - 5) : match.start()])


@lru_cache(maxsize=512)
def _manner(words: str) -> Manner:
    mood: Mood = "statement"
    if _REQUEST.search(words):
        mood = "request"
    elif _QUESTION.search(words):
        mood = "question"
    elif _HEARSAY.search(words):
        mood = "hearsay"
    presupposes = mood == "question" and _PRESUPPOSING.search(words) is not None
    return Manner(mood, presupposes, _doubt(words), tuple(_guesses(words)))


def _guesses(words: str) -> Iterator[tuple[int, int]]:
    if _GUESS.search(words):
        yield from (found.span() for found in _CLAUSE.finditer(words) if _GUESS.search(found[0]))


def _doubt(words: str) -> int:
    """From where on ``words`` are hypothetical; offering help under a condition is not."""
    supposing = _SUPPOSING.search(words)
    places = [supposing.start()] if supposing else []
    condition = _CONDITION.search(words)
    if condition and not _OFFER.match(words, condition.start()):
        # "…的话" stands behind what it supposes.
        places.append(0 if condition[0].startswith("的") else condition.start())
    return min(places, default=len(words) + 1)
