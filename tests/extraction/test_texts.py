"""Folding, counting words and looking for a title give the same, compiled or not."""

import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.extraction.fields.texts import (
    Ballot,
    Letters,
    PlainBallot,
    PlainLetters,
    compact,
    find_shown,
    fold,
    plain_find_shown,
)
from thresher.extraction.words import STOP_WORDS
from thresher.text import tokens

# Letters that are folded to several, to fewer bytes, or to those of another script.
ODD = "ßẞſKÅŸİıµΣςŉﬁŒ’—é中𐐀"
TEXTS = st.text(st.one_of(st.sampled_from(f"abAB {ODD}"), st.characters()), max_size=40)
SPACES = st.sampled_from(" \t\n\x1c\x85\xa0\u2003\u3000")
WORDS = sorted(word for words in STOP_WORDS.values() for word in words)
BEARERS: dict[str, tuple[int, ...]] = {word: (len(word) % 3, 3) for word in WORDS}
BALLOT, PLAIN_BALLOT = Ballot(BEARERS, 4), PlainBallot(BEARERS, 4)


@given(TEXTS)
def test_a_text_is_folded_as_python_does(text: str) -> None:
    folded = fold(text)
    assert folded == text.casefold()
    assert sys.getsizeof(folded) <= sys.getsizeof("".join(folded))
    assert {folded: 1}.get(text.casefold()) == 1


def test_every_character_is_folded_as_python_does() -> None:
    for code in range(0x110000):
        character = chr(code)
        assert fold(character + "é") == (character + "é").casefold()


@given(st.lists(TEXTS, max_size=12), TEXTS.filter(bool), st.integers(0, 3), st.integers(1, 30))
def test_a_title_is_found_by_both(lines: list[str], title: str, start: int, least: int) -> None:
    shown = [title, title.upper(), f"x {title} y", title[1:], title[:-1]]
    sizes = {"least": min(len(title), least), "most": 2 * len(title) + 9, "least_part": least}
    for texts in (lines, [*lines, *shown], [*shown, *lines]):
        found = find_shown(texts, fold(title), start, **sizes)
        assert found == plain_find_shown(texts, title.casefold(), start, **sizes)


def test_a_title_that_is_folded_to_more_letters_is_found() -> None:
    sizes = {"least": 6, "most": 50, "least_part": 20}
    assert find_shown(["Stra", "STRASSE", "Straße"], "strasse", 0, **sizes) == (1, -1, -1)
    assert find_shown(["Stra", "STRASSE", "Straße"], "strasse", 2, **sizes) == (2, -1, -1)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.one_of(st.sampled_from(WORDS), TEXTS), SPACES), max_size=30))
def test_words_are_counted_by_both(words: list[tuple[str, str]]) -> None:
    text = "".join(word + space for word, space in words)
    for each in (text, text.upper(), text + "the"):
        assert BALLOT.count(each) == PLAIN_BALLOT.count(each)


@given(TEXTS)
def test_letters_are_counted_by_both(text: str) -> None:
    ranges = (("A", "Z", 0), ("a", "z", 0), ("À", "ɏ", 1), ("\u4e00", "\u9fff", 2), ("\x00", "\U0010ffff", 3))
    assert Letters(ranges, 4).count(text) == PlainLetters(ranges, 4).count(text)


@given(st.one_of(TEXTS, st.text(st.characters(max_codepoint=127))))
def test_a_compact_text_has_all_words(text: str) -> None:
    assert compact(text) == "".join(tokens(text))
