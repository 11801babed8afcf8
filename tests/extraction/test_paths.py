"""XPaths are the same compiled or not, and lead back to their elements."""

from importlib.util import find_spec
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.extraction.learned.markup import MARKUP
from tests.extraction.learned.pages import some_pages
from thresher.extraction import paths
from thresher.extraction.paths import MAX_DEPTH, Paths
from thresher.html import parse

needs_compiled = pytest.mark.skipif(
    find_spec("thresher.extraction._paths") is None, reason="the paths are not compiled here"
)


def assert_agree(html: str, seed: int = 0) -> None:
    elements = list(parse(html).root.iter())
    Random(seed).shuffle(elements)
    asked = elements[: 1 + len(elements) // 2]
    compiled, interpreted = Paths(), Paths(compiled=False)
    assert [compiled.of(each) for each in asked] == [interpreted.of(each) for each in asked]


@needs_compiled
@settings(max_examples=300)
@given(MARKUP, st.integers(0, 9))
def test_compiled_and_interpreted_paths_agree(markup: str, seed: int) -> None:
    assert_agree(markup, seed)


@needs_compiled
@pytest.mark.corpus
def test_compiled_and_interpreted_paths_of_labelled_pages_agree() -> None:
    for html in some_pages(3):
        assert_agree(html)


def test_a_path_leads_back_to_its_element() -> None:
    root = parse("<p>a<p>b<div><svg:x><b>c</b></svg:x></div><p>d").root
    for element in root.iter():
        assert root.xpath(Paths().of(element)) == [element]


@pytest.mark.parametrize("compiled", [True, False])
def test_an_element_that_lies_too_deep_has_no_path(compiled: bool) -> None:
    root = etree.fromstring("<a>" * (MAX_DEPTH + 1) + "</a>" * (MAX_DEPTH + 1))
    deepest = next(each for each in root.iter() if not len(each))
    asked = Paths(compiled=compiled)
    assert asked.of(deepest) == ""
    parent = deepest.getparent()
    assert parent is not None
    assert asked.of(parent).count("/") == MAX_DEPTH


@needs_compiled
def test_paths_go_on_where_the_compiled_part_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MAX_STEPS", 3)
    root = parse("<p>a" * 9).root
    asked = Paths()
    assert [asked.of(each)[-4:] for each in root.iter("p")] == [f"p[{place}]" for place in range(1, 10)]
