"""WPMTE keeps runs of long paragraphs, one of them very long."""

import pytest

from thresher.extraction.algorithms.wpmte import LONG, SHORT, extract_wpmte, runs
from thresher.html import parse


def paragraph(words: int) -> str:
    return " ".join(["word"] * words)


def lengths_of(html: str, short: int = SHORT, long: int = LONG) -> list[int]:
    return [len(block.text.split()) for block in extract_wpmte(parse(html), short=short, long=long).blocks]


def test_every_paragraph_of_a_run_is_longer_than_the_short_length() -> None:
    assert list(runs([3, 9, 30, 4, 9], 4, 25)) == [[1, 2]]


def test_a_run_without_a_paragraph_of_the_long_length_is_left_out() -> None:
    assert list(runs([9, 24, 9, 1, 25], 4, 25)) == [[4]]


def test_all_runs_that_fit_are_kept() -> None:
    assert list(runs([30, 1, 40, 5], 4, 25)) == [[0], [2, 3]]


def test_no_paragraphs_make_no_run() -> None:
    assert list(runs([], 4, 25)) == []


def test_the_paragraphs_of_the_runs_are_the_content() -> None:
    html = "<body>" + "".join(f"<p>{paragraph(words)}</p>" for words in (2, 6, 30, 12, 3, 20, 1)) + "</body>"
    assert lengths_of(html) == [6, 30, 12]
    assert lengths_of(html, short=1, long=30) == [2, 6, 30, 12, 3, 20]


def test_each_chinese_character_counts_as_a_word() -> None:
    text = "买房还是租房这是眼下很多人要面对的一道选择题如果简单比较"
    assert [block.text for block in extract_wpmte(parse(f"<body><p>菜单</p><p>{text}</p></body>")).blocks] == [text]


def test_paragraphs_are_lines_of_the_source_where_asked() -> None:
    html = f"<body><p>{paragraph(15)}\n{paragraph(15)}</p></body>"
    assert len(extract_wpmte(parse(html)).blocks) == 1
    assert extract_wpmte(parse(html), layout="source").blocks == ()


@pytest.mark.parametrize("html", ["", "<body></body>", "<body><p>A few words only.</p></body>"])
def test_a_page_without_long_paragraphs_gives_nothing(html: str) -> None:
    content = extract_wpmte(parse(html))
    assert content.blocks == ()
    assert content.confidence == 0
