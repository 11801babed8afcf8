"""CETR measures lines by characters and tags, and parts them by threshold or by clusters."""

import pytest

from thresher.extraction.algorithms.cetr import (
    derivative,
    extract_cetr,
    extract_cetr_km,
    extract_cetr_tm,
    tag_ratios,
)
from thresher.extraction.contract import Algorithm, Content
from thresher.extraction.lines import lines_of
from thresher.html import parse

ALL = (extract_cetr, extract_cetr_km, extract_cetr_tm)
SENTENCE = "The plane was on a photo flight with two other planes when it came down. "
MENU = "".join(f"<li><a href='/{n}'>Entry {n}</a></li>\n" for n in range(12))
TEXT = "".join(f"<p>{SENTENCE * times}</p>\n" for times in (2, 3, 2, 4, 3, 2, 3))
PAGE = f"<html><body>\n<ul>\n{MENU}</ul>\n<div>\n{TEXT}</div>\n<ul>\n{MENU}</ul>\n</body></html>"


def texts_of(content: Content) -> list[str]:
    return [block.text for block in content.blocks]


def test_the_tag_ratio_is_characters_outside_of_tags_by_tags() -> None:
    lines = lines_of("<body><p>four <b>five</b></p>\nno tags\n<br><br></body>")
    assert tag_ratios(lines) == [8 / 4, 6, 0]


def test_equation_2_4_compares_a_line_with_the_next_ones() -> None:
    assert derivative([1.0, 2.0, 6.0, 1.0, 0.0], 2) == [(1 + 2 + 6) / 2 - 1, (2 + 6 + 1) / 2 - 2, (6 + 1) / 2 - 6, 0, 0]


def test_short_pages_have_no_derivative() -> None:
    assert derivative([1.0, 2.0], 3) == [0, 0]
    assert derivative([], 3) == []


@pytest.mark.parametrize("extract", ALL)
def test_dense_lines_are_the_content(extract: Algorithm) -> None:
    texts = texts_of(extract(parse(PAGE)))
    assert [text for text in texts if "plane" in text] == [(SENTENCE * n).strip() for n in (2, 3, 2, 4, 3, 2, 3)]
    assert "Entry 0" not in texts
    assert texts.count("Entry 11") <= 1


def test_a_minified_page_comes_out_like_a_written_one_when_lines_are_re_flowed() -> None:
    minified = PAGE.replace("\n", "")
    assert texts_of(extract_cetr(parse(minified))) == texts_of(extract_cetr(parse(PAGE)))
    assert len(extract_cetr(parse(minified), layout="source").blocks) <= 1
    assert len(extract_cetr(parse(PAGE), layout="source").blocks) >= 7


def test_a_higher_threshold_keeps_less() -> None:
    kept = [len(extract_cetr_tm(parse(PAGE), threshold=threshold).blocks) for threshold in (0, 1.3, 100)]
    assert kept[0] > kept[1] > kept[2] == 0


def test_smoothing_saves_a_short_line_between_long_ones() -> None:
    page = PAGE.replace(f"<p>{SENTENCE * 4}</p>", "<p>So.</p>")
    assert "So." in texts_of(extract_cetr(parse(page)))
    assert "So." not in texts_of(extract_cetr_km(parse(page), sigma=0))


def test_every_run_gives_the_same() -> None:
    assert extract_cetr(parse(PAGE)) == extract_cetr(parse(PAGE))


@pytest.mark.parametrize("html", ["", "<body></body>", "<body><script>code</script><br></body>", "<p></p>" * 50])
def test_a_page_without_text_gives_nothing(html: str) -> None:
    for extract in ALL:
        assert extract(parse(html)).blocks == ()


def test_equal_lines_are_all_content_for_the_clusters_with_a_centre_at_the_origin() -> None:
    assert texts_of(extract_cetr(parse("<body><p>one</p><p>two</p></body>"))) == ["one", "two"]
