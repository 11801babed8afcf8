"""Synthetic noise is put around a page's text, the same for the same seed, and leaves the text itself."""

from random import Random

import pytest
from lxml import etree

from thresher.html import parse
from thresher.lab.train.noise import Supply, another_article, boxes, comments, disturb, sentences_of, teasers, when

SENTENCES = [f"Sentence number {number} speaks of the weather at sea." for number in range(40)]
OTHER = etree.fromstring("<div><p>Another story of another page.</p></div>")
SUPPLY = Supply(SENTENCES, [OTHER], "en")
PAGE = (
    "<html><body><div id=text>"
    + "".join(f"<p>Paragraph {n} of the text.</p>" for n in range(8))
    + "</div></body></html>"
)


def disturbed(seed: int) -> str:
    root = parse(PAGE).root
    core = root.find(".//div")
    assert core is not None
    disturb(core, list(core), SUPPLY, Random(seed))
    return etree.tostring(root, encoding="unicode")


def test_the_same_seed_gives_the_same_page() -> None:
    assert disturbed(3) == disturbed(3)
    assert len({disturbed(seed) for seed in range(8)}) == 8


@pytest.mark.parametrize("seed", range(12))
def test_the_beginning_of_the_text_always_stays(seed: int) -> None:
    assert "Paragraph 0 of the text." in disturbed(seed)


def test_every_kind_of_noise_comes_up() -> None:
    pages = [disturbed(seed) for seed in range(60)]
    for sign in ("Sentence number", "Another story", "href"):
        assert any(sign in page for page in pages)


def test_some_texts_are_parted_by_breaks_and_some_lie_in_a_table() -> None:
    pages = [disturbed(seed) for seed in range(60)]
    assert any("<br/><br/>" in page for page in pages)
    assert any("<table>" in page for page in pages)
    assert any("<br" not in page and "<table" not in page for page in pages)


def test_some_pages_lose_most_of_their_text() -> None:
    counts = [disturbed(seed).count("Paragraph") for seed in range(60)]
    assert min(counts) < 5
    assert max(counts) == 8


@pytest.mark.parametrize("make", [comments, teasers, another_article])
def test_a_section_holds_sentences_of_other_pages(make: object) -> None:
    section = make(SUPPLY, Random(1))  # type: ignore[operator]
    text = "".join(section.itertext())
    assert "Sentence number" in text


def test_notices_are_in_the_page_s_language() -> None:
    chinese = Supply(SENTENCES, [], "zh")
    assert any("\u4e00" <= char <= "\u9fff" for box in boxes(chinese, Random(1)) for char in "".join(box.itertext()))
    assert any("\u4e00" <= char <= "\u9fff" or char == "-" for char in when(chinese, Random(1)))


def test_an_inserted_article_is_a_copy() -> None:
    another_article(SUPPLY, Random(1))
    assert OTHER.getparent() is None


def test_sentences_are_neither_tiny_nor_endless() -> None:
    assert sentences_of("Yes. The ferry left the pier at noon. " + "word " * 200) == [
        "The ferry left the pier at noon."
    ]
