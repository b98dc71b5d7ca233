"""How much of what is asked about later is still there after trimming, against the budget.

    python benchmarks/retention.py FOLDER [--svg FILE]

FOLDER holds the talks with questions and gold answers: ``locomo10.jsonl.gz``, ``scm_zh.jsonl.gz``,
``scm_en.jsonl.gz``, ``longmemeval_sample.jsonl.gz``; those that are missing are left out. A talk is
trimmed to a budget (tokens of the whole request, gpt-4o), by each strategy here and by
langchain-core and litellm (``pip install '.[bench]'``), and the gold answers are looked for in
what is left. The rows "asked" know the question; all others only see the talk.

- contained (LoCoMo's single-hop and multi-hop questions, LongMemEval): the share of answers of
  which every content word stands in the kept text, or for Chinese the whole answer without spaces
  and punctuation. Words are compared without case and the endings -ing, -ed, -es, -s, -ly.
- words (SCM): the mean share of an answer's content words, or pairs of Chinese characters, that
  stand in the kept text. These answers are long and retell, so that not even the whole talk
  contains them.

RecallRelevant was developed on every second talk of LoCoMo, from the first on; the other half
is printed apart. All of it takes a quarter of an hour.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import statistics
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import contextkit
from contextkit import FixedWindow, RecallRelevant, Strategy, TokenBudget, chain, count, trim

Messages = list[dict[str, Any]]
Measure = Callable[[str, "Kept"], float]
Trimmer = Callable[[Messages, str, int], Iterable[Any]]
Scores = dict[str, list[list[list[float]]]]
"""For each strategy, budget by budget and talk by talk, the scores of the questions."""

_BUDGETS = (500, 1_000, 2_000, 4_000, 8_000)
_WHOLE_TALK = "whole talk"
_ASKED = " (asked)"

_STOP_WORDS = frozenset(
    """a an the and or of to in on at for with by from as is are was were be been being it its this
    that these those i you he she they we his her their our my your me him them us do does did done
    have has had having not no so but if then than too very can could will would should may might
    about into over after before up down out off again there here when where which who whom what
    why how all any both each few more most other some such only own same s t just also while during
    because d m re ll ve don am""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_ENDING = re.compile(r"(?:ing|ed|es|s|ly)$")
_COLOURS = ("#1b7f79", "#d1495b", "#edae49", "#00798c", "#8d6a9f", "#5c5c5c", "#a0a0a0", "#c9c9c9")


class Kept:
    """What is left of a talk, as the measures read it."""

    def __init__(self, texts: Iterable[str]) -> None:
        text = " ".join(texts)
        self.words = _words(text)
        self.characters = "".join(_WORD.findall(_normal(text)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A talk, and what is asked about it."""

    messages: Messages
    questions: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Talks of one kind, and how their answers are looked for."""

    name: str
    title: str
    measure: Measure
    categories: frozenset[str] = frozenset()


def main() -> None:
    """Print one table a collection; draw the first one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    for collection in _collections():
        file = options.folder / f"{collection.name}.jsonl.gz"
        if not file.exists():
            continue
        scores = _scores(_talks(file, collection.categories), collection.measure)
        _print_table(collection.title, scores)
        if collection.name == "locomo10":
            _print_table(f"{collection.title}, talks 1, 3, 5 ...", scores, slice(0, None, 2))
            _print_table(f"{collection.title}, talks 2, 4, 6 ...", scores, slice(1, None, 2))
            if options.svg:
                options.svg.write_text(_plot(scores), encoding="utf-8")


def _collections() -> Sequence[Collection]:
    hops = frozenset({"single-hop", "multi-hop"})
    return (
        Collection(name="locomo10", title="LoCoMo, contained", measure=_contained, categories=hops),
        Collection(name="longmemeval_sample", title="LongMemEval, contained", measure=_contained),
        Collection(name="scm_en", title="SCM English, words", measure=_share_of_words),
        Collection(name="scm_zh", title="SCM Chinese, words", measure=_share_of_words),
    )


def _talks(file: Path, categories: frozenset[str]) -> Sequence[Talk]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [_talk(json.loads(line), categories) for line in lines]


def _talk(record: dict[str, Any], categories: frozenset[str]) -> Talk:
    fields = ("role", "name", "content")
    return Talk(
        messages=[{key: m[key] for key in fields if key in m} for m in record["messages"]],
        questions=[
            (question["question"], str(question["answer"]))
            for question in record["questions"]
            if not categories or question["category"] in categories
        ],
    )


def _scores(talks: Sequence[Talk], measure: Measure) -> Scores:
    def of_talk(name: str, trimmer: Trimmer, talk: Talk, budget: int) -> list[float]:
        if name.endswith(_ASKED):
            kept = [Kept(_texts(trimmer(talk.messages, q, budget))) for q, _ in talk.questions]
        else:
            kept = [Kept(_texts(trimmer(talk.messages, "", budget)))] * len(talk.questions)
        return [measure(gold, left) for (_, gold), left in zip(talk.questions, kept, strict=True)]

    return {
        name: [[of_talk(name, trimmer, talk, budget) for talk in talks] for budget in _BUDGETS]
        for name, trimmer in _trimmers().items()
    }


def _texts(messages: Iterable[Any]) -> Iterable[str]:
    """Names and texts of our messages and of langchain's."""
    for message in messages:
        fields = message if isinstance(message, dict) else vars(message)
        yield f"{fields.get('name') or ''} {fields['content']}"


def _contained(gold: str, kept: Kept) -> float:
    if _HAN.search(gold):
        return float("".join(_WORD.findall(_normal(gold))) in kept.characters)
    return float(_words(gold) <= kept.words)


def _share_of_words(gold: str, kept: Kept) -> float:
    wanted = _words(gold)
    return len(wanted & kept.words) / len(wanted)


def _words(text: str) -> frozenset[str]:
    """Content words without their endings, and pairs of Chinese characters."""
    text = _normal(text)
    pairs = {run[i : i + 2] for run in _HAN.findall(text) for i in range(max(1, len(run) - 1))}
    words = set(_WORD.findall(_HAN.sub(" ", text)))
    telling = {_ENDING.sub("", w) if len(w) > 4 else w for w in words - _STOP_WORDS}
    return frozenset(telling | pairs or words)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _trimmers() -> dict[str, Trimmer]:
    return {
        "RecallRelevant" + _ASKED: _ours(lambda q, n: RecallRelevant(max_tokens=n, query=q)),
        "RecallRelevant": _ours(lambda _, n: RecallRelevant(max_tokens=n)),
        **_summaries(),
        "TokenBudget": _ours(lambda _, n: TokenBudget()),
        "FixedWindow(turns=10)": _ours(lambda _, n: FixedWindow(turns=10)),
        **_peers(),
        _WHOLE_TALK: lambda messages, _, budget: messages,
    }


def _ours(strategy: Callable[[str, int], Strategy]) -> Trimmer:
    def trimmed(messages: Messages, question: str, budget: int) -> Iterable[Any]:
        chosen = chain(strategy(question, budget), TokenBudget())
        return trim(messages, max_tokens=budget, strategy=chosen, on_overflow="truncate").messages

    return trimmed


def _summaries() -> dict[str, Trimmer]:
    """Summary compression, alone and with recall, each with half of the budget."""
    summary: Any = getattr(contextkit, "SummaryCompression", None)
    if summary is None:
        return {}

    def both(question: str, budget: int) -> Strategy:
        recall = RecallRelevant(max_tokens=budget // 2, query=question)
        return chain(summary(max_summary_tokens=budget // 2), recall)

    return {
        "SummaryCompression": _ours(lambda _, n: summary(max_summary_tokens=n // 2)),
        "SummaryCompression, RecallRelevant" + _ASKED: _ours(both),
    }


def _peers() -> dict[str, Trimmer]:
    """What users trim with today; those that are not installed are left out."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    found: dict[str, Trimmer] = {}
    try:
        from langchain_core.messages import convert_to_messages, trim_messages
    except ImportError:
        pass
    else:
        found["langchain-core trim_messages"] = lambda messages, _, budget: trim_messages(
            convert_to_messages(messages), max_tokens=budget, token_counter=_size, start_on="human"
        )
    try:
        from litellm.utils import trim_messages as litellm_trim
    except ImportError:
        return found
    found["litellm trim_messages"] = lambda messages, _, budget: litellm_trim(
        [dict(message) for message in messages], model="gpt-4o", max_tokens=budget, trim_ratio=1.0
    )
    return found


def _size(messages: Sequence[Any]) -> int:
    """Tokens of langchain's messages, by the same count as ours."""
    roles = {"human": "user", "ai": "assistant"}
    plain = [{"role": roles.get(m.type, m.type), "content": m.content} for m in messages]
    named = [m | ({"name": o.name} if o.name else {}) for m, o in zip(plain, messages, strict=True)]
    return int(count(named))


def _print_table(title: str, scores: Scores, talks: slice = slice(None)) -> None:
    questions = sum(map(len, next(iter(scores.values()))[0][talks]))
    print(f"\n{title + f' ({questions} questions)':<50}" + "".join(f"{b:>8,}" for b in _BUDGETS))
    for name, curve in scores.items():
        print(f"{name:<50}" + "".join(f"{_mean(cell[talks]):>8.3f}" for cell in curve))


def _mean(talks: Sequence[Sequence[float]]) -> float:
    return statistics.fmean(score for talk in talks for score in talk)


def _plot(scores: Scores) -> str:
    """A line a strategy: the share of answers contained, over the budget in doubling steps."""
    lines = [_grid()]
    for place, (name, curve) in enumerate(scores.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        points = [(_x(step), _y(_mean(cell))) for step, cell in enumerate(curve)]
        path = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        dots = "".join(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3"/>' for x, y in points)
        label = f'<text x="500" y="{40 + 22 * place}">{escape(name)}</text>'
        line = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        lines.append(f'<g fill="{colour}">{line}{dots}{label}</g>')
    style = 'font-family="sans-serif" font-size="12"'
    size = 'viewBox="0 0 760 330" width="760" height="330"'
    body = "\n".join(lines)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n{body}\n</svg>\n'


def _grid() -> str:
    white = '<rect width="760" height="330" fill="white"/>'
    shares = [
        f'<path d="M50 {_y(s):.0f}H480" stroke="#ddd"/><text x="22" y="{_y(s) + 4:.0f}">{s}</text>'
        for s in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    ]
    budgets = [
        f'<text x="{_x(step):.0f}" y="305" text-anchor="middle">{budget:,}</text>'
        for step, budget in enumerate(_BUDGETS)
    ]
    title = (
        '<text x="50" y="16">LoCoMo: share of gold answers contained, by budget in tokens</text>'
    )
    return "\n".join([white, title, *shares, *budgets])


def _x(step: int) -> float:
    return 60 + 410 * step / (len(_BUDGETS) - 1)


def _y(share: float) -> float:
    return 285 - 255 * share


if __name__ == "__main__":
    main()
