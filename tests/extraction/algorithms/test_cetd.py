"""CETD's densities follow the definitions, and the node with the greatest sum of them is the content."""

from collections.abc import Iterator
from math import e, log

import pytest
from lxml import etree

from thresher.extraction.algorithms import cetd
from thresher.extraction.algorithms.cetd import (
    Node,
    composite_density,
    count,
    extract_cetd,
    extract_cetd_plain,
    extract_cetd_smooth,
    measure,
    text_density,
)
from thresher.extraction.contract import Algorithm
from thresher.extraction.leaves import Step, walk
from thresher.html import parse

MENU = "<ul>" + "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in ("News", "Sports", "Weather")) + "</ul>"
SENTENCE = "The plane was on a photo flight with two other planes when it came down. "
PAGE = f"<body>{MENU}<div id=text><p>{SENTENCE * 2}</p><p>{SENTENCE}</p><p>{SENTENCE * 3}</p></div>{MENU}</body>"


def node_with(*, chars: int, tags: int, link_chars: int = 0, link_tags: int = 0) -> Node:
    return Node("div", None, 0, chars, tags, link_chars, link_tags)


def texts_of(html: str) -> list[str]:
    return [block.text for block in extract_cetd(parse(html)).blocks]


def test_characters_and_tags_below_a_node_are_counted_with_those_of_links_apart() -> None:
    nodes, _ = count(parse("<body><div>one two<p>three <a href=x>four <b>five</b></a></p><br></div></body>").body)
    counted = {node.tag: node for node in nodes}
    assert (counted["div"].chars, counted["div"].tags) == (len("onetwothreefourfive"), 4)
    assert (counted["div"].link_chars, counted["div"].link_tags) == (len("fourfive"), 1)
    assert (counted["div"].own, counted["p"].own, counted["a"].own) == (6, 5, 4)
    assert (counted["body"].chars, counted["body"].tags) == (19, 5)


def test_scripts_styles_and_text_areas_are_neither_characters_nor_tags() -> None:
    html = "<body><p>word</p><script>code</script><style>code</style><textarea>much code</textarea><!-- code --></body>"
    nodes, _ = count(parse(html).body)
    assert (nodes[0].chars, nodes[0].tags) == (4, 1)


def test_definition_2_1_is_characters_by_tags() -> None:
    body = node_with(chars=100, tags=10)
    assert text_density(node_with(chars=30, tags=4), body) == 7.5
    assert text_density(node_with(chars=30, tags=0), body) == 30


def test_definition_2_2_weighs_the_links() -> None:
    body = node_with(chars=1000, tags=100, link_chars=400, link_tags=50)
    node = node_with(chars=300, tags=6, link_chars=20, link_tags=2)
    base = log(300 / 280 * 20 + 400 / 1000 * 300 + e)
    assert composite_density(node, body) == pytest.approx(300 / 6 * log(300 / 20 * 6 / 2) / log(base))


def test_definition_2_2_takes_one_for_a_denominator_of_zero() -> None:
    body = node_with(chars=1000, tags=100, link_chars=400, link_tags=50)
    base = log(400 / 1000 * 300 + e)
    assert composite_density(node_with(chars=300, tags=0), body) == pytest.approx(300 * log(300) / log(base))
    assert composite_density(node_with(chars=20, tags=1, link_chars=20, link_tags=1), body) == 0


def test_without_links_on_the_page_the_composite_density_is_the_plain_one() -> None:
    body = node_with(chars=1000, tags=100)
    assert composite_density(node_with(chars=30, tags=4), body) == 7.5


def test_definition_2_3_sums_the_densities_of_the_children() -> None:
    nodes, _ = count(parse("<body><div><p>four</p><p>sixsix</p></div>own</body>").body)
    measure(nodes, text_density)
    sums = {node.tag: node.density_sum for node in nodes}
    assert sums == {"body": 10 / 2, "div": 4 + 6, "p": 0}


@pytest.mark.parametrize("extract", [extract_cetd, extract_cetd_plain])
def test_the_node_with_the_greatest_sum_is_the_content(extract: Algorithm) -> None:
    content = extract(parse(PAGE))
    assert [block.text for block in content.blocks] == [(SENTENCE * times).strip() for times in (2, 1, 3)]


def test_a_link_list_denser_than_the_text_misleads_the_plain_density_only() -> None:
    titles = "".join(f"<li><a href='/{n}'>{SENTENCE * 2}</a></li>" for n in range(4))
    html = f"<body><ul>{titles}</ul><div><p>{SENTENCE}</p><p>{SENTENCE}</p><p>{SENTENCE}</p></div></body>"
    assert len(texts_of(html)) == 3
    assert len(extract_cetd_plain(parse(html)).blocks) == 4


def test_a_long_quotation_hides_the_article_as_the_thesis_shows() -> None:
    quotation = "".join(f"<p>{SENTENCE}</p>" for _ in range(6))
    html = f"<body><div><p>{SENTENCE} A</p><blockquote>{quotation}</blockquote><p>{SENTENCE} C</p></div>{MENU}</body>"
    assert texts_of(html) == [SENTENCE.strip()] * 6


def test_the_threshold_of_smoothing_is_the_density_of_the_body() -> None:
    content = extract_cetd_smooth(parse(PAGE), sigma=0)
    assert [block.text for block in content.blocks] == [(SENTENCE * times).strip() for times in (2, 1, 3)]


def test_smoothing_saves_a_short_line_between_long_ones() -> None:
    html = f"<body>{MENU}<p>{SENTENCE * 3}</p><p>So.</p><p>{SENTENCE * 3}</p>{MENU}</body>"
    short = "So."
    assert short in [block.text for block in extract_cetd_smooth(parse(html), sigma=1).blocks]
    assert short not in [block.text for block in extract_cetd_smooth(parse(html), sigma=0).blocks]


@pytest.mark.parametrize("html", ["", "<body></body>", "<body><script>code</script><br></body>"])
def test_a_page_without_text_gives_nothing(html: str) -> None:
    for extract in (extract_cetd, extract_cetd_plain, extract_cetd_smooth):
        assert extract(parse(html)).blocks == ()


def test_text_that_is_in_no_element_is_the_body() -> None:
    assert texts_of("<body>Just words.</body>") == ["Just words."]


@pytest.mark.parametrize("extract", [extract_cetd, extract_cetd_plain, extract_cetd_smooth])
def test_work_grows_with_the_page_and_no_faster(extract: Algorithm, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"steps": 0, "densities": 0}

    def counted_walk(root: etree._Element) -> Iterator[Step]:
        for step in walk(root):
            counts["steps"] += 1
            yield step

    def counted_log(*numbers: float) -> float:
        counts["densities"] += 1
        return log(*numbers)

    monkeypatch.setattr(cetd, "walk", counted_walk)
    monkeypatch.setattr(cetd, "log", counted_log)
    works = []
    for size in (20, 200, 2000):
        counts.update(steps=0, densities=0)
        extract(parse(f"<body><ul><li><a href=x>News</a></ul><div>{f'<p>{SENTENCE}</p>' * size}</div></body>"))
        works.append(sum(counts.values()))
    # One more paragraph costs the same on any page.
    assert (works[2] - works[1]) / 1800 == pytest.approx((works[1] - works[0]) / 180)
    assert works[2] <= 10 * 2000
