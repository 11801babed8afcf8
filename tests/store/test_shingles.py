"""The hashes of shingles that C finds are those that Python finds, by the library of XXH3."""

import random
import sys

import pytest

from thresher.store import sketch
from thresher.text import CJK

compiled = pytest.importorskip("thresher.store._shingles", reason="runs without compiled modules").lowest
LETTERS = "ab cd  e,f_9.\n éßжшא٣०ー々〇中文字語한글ｱ𠮷𝔘ⅷ½²ª·\u200b\ud800"


def same(text: str, low: int) -> bool:
    return bool(compiled(text, sketch.WORDS, low, CJK) == sketch.lowest_by_text(text, low))


@pytest.mark.parametrize("low", [0, 3, sketch.LOW])
def test_any_text_has_the_same_hashes_in_c_and_in_python(low: int) -> None:
    rng = random.Random(low)
    texts = ["".join(rng.choices(LETTERS, k=rng.randrange(400))).lower() for _ in range(300)]
    assert [text for text in ["", "a", *texts] if not same(text, low)] == []


def test_shingles_of_every_length_have_the_hash_of_the_library() -> None:
    assert [length for length in range(1, 400) if not same(f"{'x' * length} a b c d", 0)] == []


def test_every_character_is_a_word_of_its_own_a_letter_or_neither_as_in_python() -> None:
    every = [chr(code) for code in range(sys.maxunicode + 1)]
    text = " ".join(f"a{char}b" for char in every)
    assert same(text.lower(), 100_000)
