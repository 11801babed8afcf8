"""CEPR's ratios follow the definitions, and its smoothing weighs neighbours by how alike their paths are."""

from math import exp

import pytest

from thresher.extraction.algorithms.cepr import (
    Path,
    extract_cepr,
    extract_cepr_etpr,
    extract_cepr_tpr,
    read_paths,
    smooth_by_path,
)
from thresher.html import parse

MENU = "<ul>" + "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in ("News", "Sports", "Weather")) + "</ul>"
FIRST = "The plane was on a photo flight, with two other planes, when it came down; nobody knows why."
SECOND = "They say they saw the pilot try to get out."
THIRD = "The river was calm (it had rained before), the sky was clear, and boats were near: help came at once!"
PAGE = f"<body>{MENU}<div><p>{FIRST}</p><p>{SECOND}</p><p>{THIRD}</p></div>{MENU}<p>© Us</p></body>"


def paths_of(html: str) -> list[Path]:
    return [path for path in read_paths(parse(html)) if path]


def names_of(path: Path | None) -> str:
    return f"{names_of(path.above)}.{path.tag}".lstrip(".") if path and path.tag else ""


def test_a_tag_path_is_the_chain_of_tags_to_a_leaf() -> None:
    html = "<body>one<div>two<p>three</p>four</div><div><p>five</p></div></body>"
    paths = paths_of(html)
    assert [names_of(path) for path in paths] == ["body", "body.div", "body.div.p", "body.div", "body.div.p"]
    assert paths[1] is paths[3]
    assert paths[2] is paths[4]


def test_white_space_and_what_is_not_shown_are_no_leaves() -> None:
    assert len(paths_of("<body> <p>one</p> \n<script>code</script><p> </p></body>")) == 1


def test_definition_2_4_is_the_mean_length_of_a_paths_leaves() -> None:
    path = paths_of("<body><p>four</p><p>sixsix</p><b>x</b></body>")[0]
    assert path.tpr == 5


def test_definition_2_5_multiplies_by_punctuation_and_by_both_deviations() -> None:
    path = paths_of("<body><p>four.</p><p>six, six, six!</p></body>")[0]
    lengths, marks = (5, 12), (1, 3)
    assert path.tpr == sum(lengths) / 2
    assert path.etpr == pytest.approx(sum(lengths) / 2 * sum(marks) / 2 * 3.5 * 1)


def test_chinese_punctuation_counts() -> None:
    path = paths_of("<body><p>买房，还是租房？</p></body>")[0]
    assert path.marks == 2


def test_equal_leaves_and_lone_leaves_have_an_extended_ratio_of_exactly_zero() -> None:
    equal = paths_of("<body>" + "<p>a.b.c.d.e.f.g</p>" * 7 + "</body>")[0]
    assert equal.etpr == 0
    assert paths_of(f"<body><p>{FIRST}</p></body>")[0].etpr == 0


def test_neighbours_count_by_the_reciprocal_of_their_edit_distance() -> None:
    paths = paths_of("<body><p>one</p><ul><li>two</li></ul><p>three</p></body>")
    side = exp(-0.5) / (1 + 2 * exp(-0.5))
    # body.p and body.ul.li are two edits apart.
    blended = smooth_by_path([10.0, 1.0, 30.0], paths)
    assert blended == pytest.approx([10, side * 10 / 2 + (1 - 2 * side) * 1 + side * 30 / 2, 30])


def test_neighbours_of_the_same_path_count_in_full() -> None:
    paths = paths_of("<body><p>one</p><p>two</p><p>three</p></body>")
    assert smooth_by_path([4.0, 4.0, 4.0], paths) == pytest.approx([4, 4, 4])


def test_long_leaves_with_punctuation_are_the_content() -> None:
    for extract in (extract_cepr, extract_cepr_etpr):
        assert [block.text for block in extract(parse(PAGE)).blocks] == [FIRST, SECOND, THIRD]


def test_the_plain_ratio_takes_a_lone_long_leaf_too_the_extended_one_does_not() -> None:
    notice = "No part of this may be copied, sold or sent without a letter of the owner"
    html = PAGE.replace("© Us", notice)
    assert notice in [block.text for block in extract_cepr_tpr(parse(html)).blocks]
    assert notice not in [block.text for block in extract_cepr_etpr(parse(html)).blocks]


def test_smoothing_saves_a_link_inside_a_paragraph() -> None:
    html = PAGE.replace("the pilot", "<a href='/p'>the pilot</a>")
    assert [block.text for block in extract_cepr(parse(html)).blocks] == [FIRST, SECOND, THIRD]
    assert "They say they saw try to get out." in [block.text for block in extract_cepr_etpr(parse(html)).blocks]


def test_a_higher_threshold_keeps_less() -> None:
    assert len(extract_cepr_tpr(parse(PAGE), threshold=0).blocks) > len(extract_cepr_tpr(parse(PAGE)).blocks)
    assert extract_cepr_tpr(parse(PAGE), threshold=100).blocks == ()


@pytest.mark.parametrize("html", ["", "<body></body>", "<body><script>code</script><br></body>"])
def test_a_page_without_text_gives_nothing(html: str) -> None:
    for extract in (extract_cepr, extract_cepr_etpr, extract_cepr_tpr):
        assert extract(parse(html)).blocks == ()
