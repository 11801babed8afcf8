"""The sieve tells which marks each line holds, compiled or not."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.extraction.fields.bylines_cjk import AUTHOR, COLON, MARKS, OPENING
from thresher.extraction.fields.sieve import plain, sieve

LINES = st.lists(st.text(st.one_of(st.sampled_from([*MARKS]), st.characters()), max_size=30), max_size=10)


def test_a_line_holds_the_marks_of_its_characters() -> None:
    author, brackets, nothing = sieve(("作者：王小明", "(x)", "𠀀 é"), MARKS)
    assert author & AUTHOR == AUTHOR
    assert author & COLON
    assert brackets == OPENING
    assert nothing == 0


@given(LINES)
def test_both_sieves_agree(lines: list[str]) -> None:
    assert sieve(lines, MARKS) == plain(lines, MARKS)
    other = {"a": 1, "作": 2}
    assert sieve(lines, other) == plain(lines, other)
