"""Tokens: folding, pairs of characters, and the agreement of index and highlighter."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.costs import costing_at_most

from thresher.index import tokens

ALPHABET = "aAbéß 1１.-_e\u0301\u00ad\u200dйи\u0306降准备金率，。がか゛ｶﾞ한국ไม่🙂"
LETTERS = st.text(alphabet=st.sampled_from(ALPHABET), max_size=30)
HAN = st.text(alphabet=st.sampled_from("存款准备金率"), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("存款准备金", ["存款", "款准", "准备", "备金", "金"]),
        ("降准abc降", ["降准", "准", "abc", "降"]),
        ("Café Ångström ﬁn", ["cafe", "angstrom", "fin"]),
        ("ＡＢＣ　１２３", ["abc", "123"]),
        ("й и\u0306 и", ["й", "й", "и"]),
        ("ガ ｶﾞ カ\u3099", ["ガ", "ガ", "ガ"]),
        ("한국 \u1112\u1161\u11ab", ["한국", "국", "한"]),
        ("٣٤ ४", ["34", "4"]),
        ("co\u00adoperate snake_case", ["cooperate", "snake", "case"]),
        ("हिन्दी", ["हिन्दी"]),
        ("ქართული ენა", ["ქართული", "ენა"]),
        ("שָׁלוֹם־עולם", ["שלום", "עולם"]),
        ("© ★ — 🙂", []),
        ("x" * 100, ["x" * 64]),
    ],
)
def test_a_text_becomes_these_tokens(text: str, expected: list[str]) -> None:
    assert tokens.tokens(text) == expected


def test_a_phrase_leaves_open_what_follows_its_last_character() -> None:
    assert tokens.phrase("准备") == tokens.Phrase(("准备",), prefix=False)
    assert tokens.phrase("准") == tokens.Phrase(("准",), prefix=True)
    assert tokens.phrase("A股") == tokens.Phrase(("a", "股"), prefix=True)
    assert tokens.phrase("wor", prefix=True) == tokens.Phrase(("wor",), prefix=True)
    assert tokens.phrase("…") == tokens.Phrase((), prefix=False)


@given(st.text())
def test_tokens_are_free_of_what_the_full_text_engine_could_read_as_syntax(text: str) -> None:
    for token in tokens.tokens(text):
        assert token
        assert all(char.isalnum() or ord(char) > 127 for char in token)
        assert not any(char.isspace() for char in token)


@given(st.text())
def test_every_folded_character_knows_where_it_stood(text: str) -> None:
    folded = tokens.fold(text)
    for place in range(len(folded.text)):
        start, end = folded.span(place, place + 1)
        assert 0 <= start < end <= len(text)
        assert folded.text[place] in tokens.fold(text[start:end]).text


@given(LETTERS, LETTERS)
def test_the_highlighter_finds_a_phrase_exactly_where_the_index_does(text: str, wanted: str) -> None:
    pattern = tokens.pattern(wanted)
    phrase = tokens.phrase(wanted)
    assert (pattern is None) == (not phrase.tokens)
    if pattern:
        assert bool(pattern.search(tokens.fold(text).text)) == _engine_finds(text, phrase)


@given(HAN, HAN, HAN)
def test_any_part_of_an_unspaced_text_is_found(before: str, part: str, after: str) -> None:
    for text in (part, before + part, part + after, before + part + after, f"a{part}b"):
        assert _engine_finds(text, tokens.phrase(part))


def _engine_finds(text: str, phrase: tokens.Phrase) -> bool:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (body, content = '', tokenize = 'ascii')")
    connection.execute("INSERT INTO words (rowid, body) VALUES (1, ?)", (" ".join(tokens.tokens(text)),))
    expression = f'"{" ".join(phrase.tokens)}"{" *" if phrase.prefix else ""}'
    found = connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (expression,)).fetchone()
    connection.close()
    return bool(found[0])


HOSTILE = ["e" + "\u0301\u0316" * 250_000, "\u0316\u0301" * 250_000, "ー゛" * 250_000, "x" * 500_000]


@pytest.mark.parametrize("text", HOSTILE, ids=["marks", "loose marks", "kana", "word"])
def test_hostile_text_costs_no_more_than_other_text(text: str) -> None:
    with costing_at_most(5):
        tokens.tokens(text)
        tokens.fold(text)
