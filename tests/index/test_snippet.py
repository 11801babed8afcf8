"""Snippets: where they are cut, and what is marked in them."""

import unicodedata
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.index import tokens
from thresher.index.nodes import Query
from thresher.index.query import parse
from thresher.index.snippet import snippet

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def query(text: str) -> Query:
    return parse(text, NOW)


def marked(text: str, marks: tuple[tuple[int, int], ...]) -> list[str]:
    return [text[start:end] for start, end in marks]


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ("Ｆｏｏ and FOO, foobar", "foo", ["Ｆｏｏ", "FOO"]),
        ("降准与降准", "降准", ["降准", "降准"]),
        ("存款准备金", "款准 备金", ["款准备金"]),
        ("a ﬁne day", "fine", ["ﬁne"]),
        ("Straße", "strasse", ["Straße"]),
        ("cafe\u0301s cafe\u0301", "café", ["cafe\u0301"]),
        ("co\u00adop", "coop", ["co\u00adop"]),
        ("שָׁלוֹם עולם", "שלום", ["שָׁלוֹם"]),
        ("one two", "-one two", ["two"]),
        ("one two", "title:one two", ["two"]),
        ("one two", "date:7d", []),
    ],
)
def test_these_parts_are_marked(text: str, wanted: str, expected: list[str]) -> None:
    passage, marks = snippet(text, query(wanted))
    assert marked(passage, marks) == expected


def test_the_passage_with_the_most_different_words_is_chosen() -> None:
    text = "apple apple apple " + "x " * 300 + "apple banana " + "y " * 300
    passage, marks = snippet(text, query("apple banana"))
    assert marked(passage, marks) == ["apple", "banana"]


def test_without_matches_the_beginning_is_shown() -> None:
    assert snippet("First line\nsecond", query("site:x.com")) == ("First line second", ())
    assert snippet("", query("x")) == ("", ())


def test_a_match_far_into_a_long_text_is_found() -> None:
    passage, marks = snippet("filler " * 60_000 + "needle", query("needle"))
    assert marked(passage, marks) == ["needle"]


LATIN = ["needle", "word", "e\u0301", "é" * 9, "\u0301" * 3, " ", "\n"]
OTHERS = ["针", "降准", "，", "ｶﾞ", "한", "नि", "👨\u200d👩\u200d👧"]
PIECES = st.sampled_from(LATIN + OTHERS)


@given(st.lists(PIECES, max_size=120).map("".join), st.sampled_from(["needle", "针", "降准", "é*", "가", "word 针"]))
def test_marks_lie_in_the_snippet_and_cover_what_matched(text: str, wanted: str) -> None:
    passage, marks = snippet(text, query(wanted))
    patterns = [tokens.pattern(words.text, prefix=words.prefix) for words in query(wanted).words()]
    assert all(end <= following for (_, end), (following, _) in pairwise(marks))
    for start, end in marks:
        assert 0 <= start < end <= len(passage)
        folded = tokens.fold(passage[start:end]).text
        assert any(pattern and pattern.search(folded) for pattern in patterns) or passage[end:] == "…"


@given(st.lists(PIECES, max_size=200).map("".join))
def test_a_snippet_never_begins_or_ends_inside_a_combined_character(text: str) -> None:
    passage, _ = snippet(text, query("needle"))
    whole = text.replace("\n", " ")
    body = passage.removeprefix("…").removesuffix("…")
    start = whole.index(body)
    following = whole[start + len(body) : start + len(body) + 1]
    if passage.startswith("…"):
        assert not unicodedata.category(body[0]).startswith("M")
    if passage.endswith("…"):
        assert not unicodedata.category(following).startswith("M")
