"""A page is written as it would have been before HTML5, its text unchanged."""

from lxml import etree

from thresher.html import parse
from thresher.lab.train.age import age

PAGE = """<html><head><title>A day out</title><meta name="description" content="By boat"></head><body>
<header role="banner">Top</header><article itemprop="articleBody"><p>It was a <mark>long</mark> day.</p>
<script type="application/ld+json">{"@type": "Article"}</script>and more<aside>Beside</aside></article></body></html>"""


def aged() -> etree._Element:
    root = parse(PAGE).root
    age(root)
    return root


def test_no_element_tells_a_part_of_the_page() -> None:
    tags = [element.tag for element in aged().iter("*")]
    assert tags == ["html", "head", "title", "body", "div", "div", "p", "span", "div"]


def test_the_text_stays_and_nothing_is_said_of_it() -> None:
    root = aged()
    text = " ".join("".join(root.itertext()).split())
    assert text == "A day out TopIt was a long day. and moreBeside"
    assert not any(element.attrib for element in root.iter("*"))
