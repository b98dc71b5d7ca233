"""Languages: told by script, letters and words; measured on the Declaration of Human Rights."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import texts
from hypothesis import given
from hypothesis import strategies as st
from records import records

from contextkit.text import identify, language_of, language_of_signs, words

CORE = ("zh-Hans", "zh-Hant", "ja", "ko", "ar", "hi", "ru", "vi", "th", "he", "el", "en")
_OTHERS = (
    "es pt fr de it nl sv da no fi pl cs sk hu ro tr id tl sw af ca eu gl hr lt lv et uk bg be sr "
    "kk fa ur mr ne bn ta te kn ml gu pa si my km ka hy am ha yo ig"
)
WITH_EXTRA = (*CORE, *_OTHERS.split())
_TAGS = {"zh": "zh-Hans", "nb": "no", "nn": "no", "fil": "tl"}
_VARIANTS = ("Welche", "Chimwiini", "Kibajuni", "Resolution", "resolution")
"""Versions that are filed under a language and are in a dialect of their own."""


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identify, "is_installed", lambda: False)


def excerpts(data: Path, size: int) -> Iterator[tuple[str, str]]:
    """Random stretches of every version of the declaration, with the language it is filed under."""
    chance = random.Random(20)
    for record in records(data, "text/udhr"):
        tag, text = record["bcp47"], record["text"]
        base = tag if tag in ("zh-Hant", "vi-Hani", "jv-Java") else tag.split("-")[0]
        latin_serbian = tag in ("sr-Latn", "az-Cyrl", "ug-Latn")
        if latin_serbian or any(name in record["name"] for name in _VARIANTS):
            continue
        for _ in range(20):
            start = chance.randrange(max(1, len(text) - size))
            yield _TAGS.get(base, base), text[start : start + size]


def shares(data: Path, languages: tuple[str, ...], size: int) -> dict[str, float]:
    """Share of excerpts that are told right, for each language the data has."""
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for language, text in excerpts(data, size):
        if language in languages:
            seen[language] += 1
            right[language] += language_of(text) == language
    return {language: right[language] / seen[language] for language in seen}


@pytest.mark.data
@pytest.mark.usefixtures("without_extra")
def test_the_core_languages_are_told_without_extras(data: Path) -> None:
    found = shares(data, CORE, 60)
    assert len(found) >= 7
    assert min(found.values()) >= 0.97, found


@pytest.mark.data
@pytest.mark.usefixtures("without_extra")
def test_other_languages_in_latin_letters_are_not_taken_for_english(data: Path) -> None:
    told = [language_of(text) for language, text in excerpts(data, 60) if language != "en"]
    assert told.count("en") / len(told) < 0.005


@pytest.mark.data
def test_with_the_extra_most_languages_are_told(data: Path) -> None:
    pytest.importorskip("py3langid")
    found = shares(data, WITH_EXTRA, 60)
    assert sum(found.values()) / len(found) >= 0.95, found
    assert {language for language, share in found.items() if share < 0.85} == set()


@pytest.mark.usefixtures("without_extra")
@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("请帮我查一下 order 20417 的状态", "zh-Hans"),
        ("請幫我查一下訂單狀態", "zh-Hant"),
        ("你好", "zh-Hans"),
        ("我有3个订单没到", "zh-Hans"),
        ("2025年3月的報告", "zh-Hant"),
        ("用户user_1的订单A12", "zh-Hans"),
        ("注文3件が届いていない", "ja"),
        ("Заказ №3-й, где он?", "ru"),
        ("注文はまだ届いていません", "ja"),
        ("주문한 상품이 아직 안 왔어요", "ko"),
        ("Could you tell me where my parcel is?", "en"),
        ("What should I do next?", "en"),
        ("Đơn hàng của tôi đang ở đâu?", "vi"),
        ("¿Dónde está mi paquete?", "latin"),
        ("Où est mon colis, s'il vous plaît ?", "latin"),
        ("Где моя посылка?", "ru"),
        ("Де моя посилка? Її ще немає.", "uk"),
        ("أين طردي؟", "ar"),
        ("मेरा पार्सल कहाँ है?", "hi"),
        ("พัสดุของฉันอยู่ที่ไหน", "th"),
        ("איפה החבילה שלי?", "he"),
        ("Πού είναι το δέμα μου;", "el"),
        ("2025-06-01 17:30, 3.14 %", "zxx"),
        ("https://example.com/a/b 🎉", "zxx"),
        ("", "zxx"),
        ("\U00010330\U00010331", "zxx"),
    ],
)
def test_short_messages(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("¿Dónde está mi paquete? Lo espero desde hace una semana.", "es"),
        ("Où est mon colis, s'il vous plaît ? Je l'attends depuis lundi.", "fr"),
        ("Wo ist mein Paket? Ich warte schon seit einer Woche darauf.", "de"),
        ("Where is my parcel? I have been waiting for a week.", "en"),
    ],
)
def test_latin_languages_with_the_extra(text: str, language: str) -> None:
    pytest.importorskip("py3langid")
    assert language_of(text) == language


@pytest.mark.usefixtures("without_extra")
@pytest.mark.parametrize(
    ("text", "content", "language"),
    [
        ('{"path": "src/main.rs", "limit": 40}', "tool call", "zxx"),
        ('{"user_id": "mia_li_3668", "membership": "gold"}', "json", "zxx"),
        ('{"query": "where can I park near the old harbour"}', "tool call", "en"),
        ('{"city": "上海", "note": "靠窗的座位"}', "json", "zh-Hans"),
        ("name: parcel\nversion: 0.3.1\nlicense: MIT", "yaml", "zxx"),
        (
            "for item in the_list:\n    # this is the part that we want\n    use(item)",
            "code",
            "zxx",
        ),
        ("# 读取所有订单并按客户统计\nx = load()", "code", "zh-Hans"),
        ("2025-03-01 10:00:00 ERROR the payment was not made in time", "log", "en"),
        ("2025-03-01 10:00:00 ERROR 支付失败，请稍后重试", "log", "zh-Hans"),
        ("id,total\n17,3.50\n18,4.25", "csv", "zxx"),
    ],
)
def test_signs_are_in_the_language_of_their_sentences(
    text: str, content: str, language: str
) -> None:
    assert language_of_signs(text, content) == language


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("It isn't here yet.", "en", 4),
        ("我的包裹，在 7 楼。", "zh-Hans", 7),
        ("注文しました", "ja", 6),
        ("", "en", 0),
        ("...", "zh-Hans", 0),
    ],
)
def test_words(text: str, language: str, number: int) -> None:
    assert words(text, language) == number


@given(texts | st.text(st.characters(), max_size=200))
def test_any_string_has_a_language_and_words(text: str) -> None:
    language = language_of(text)
    assert language
    assert 0 <= words(text, language) <= len(text)


@given(st.sampled_from(["请问", "你好，", "請問", "Where is it? ", "где "]), st.integers(1, 30))
def test_repeating_a_text_keeps_its_language(text: str, times: int) -> None:
    assert language_of(text * times) == language_of(text)
