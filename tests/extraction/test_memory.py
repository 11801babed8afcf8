"""Site memory: repeated text is template, and what is the page's own stays."""

from array import array
from collections.abc import Sequence

import pytest

from thresher.extraction.extractor import extract, extract_traced
from thresher.extraction.fingerprints import MAX_BLOCKS, fingerprints
from thresher.extraction.learned.walk import walk
from thresher.extraction.memory import (
    MAX_ENTRIES,
    MAX_PAGES,
    MIN_PAGES,
    Place,
    SiteMemory,
    Traces,
    recall,
    trace,
    weigh,
)
from thresher.extraction.memory_codec import memory_from_bytes, memory_to_bytes, traces_from_bytes, traces_to_bytes
from thresher.html import parse

REFRAIN = "The captain told the harbour office that he would sail again the next morning if the wind allowed it."


def page(number: int, *more: str, tag: str = "p") -> str:
    """A page of a site: text of its own in <main>, and whatever else is given after it."""
    own = "".join(
        f"<p>On day {number} the ferry left the harbour in weather {number * 7 + line}, and {line} crates stayed.</p>"
        for line in range(4)
    )
    rest = "".join(f"<{tag}>{text}</{tag}>" for text in more)
    return f"<html><head><title>Day {number}</title></head><body><main>{own}{rest}</main></body></html>"


def traces_of(html: str, chosen: Sequence[int] | None = None) -> Traces:
    table = walk(parse(html).body)
    return trace(table, range(len(table.texts)) if chosen is None else chosen)


def weighed(html: str, memory: SiteMemory, chance: float = 0.9) -> list[float]:
    table = walk(parse(html).body)
    return list(weigh(array("d", [chance] * len(table.texts)), table, memory))


def test_text_that_other_pages_show_in_the_same_place_is_template() -> None:
    memory = recall(traces_of(page(number, REFRAIN)) for number in range(1, 5))
    *own, refrain = weighed(page(9, REFRAIN), memory)
    assert refrain < 0.05
    assert all(chance >= 0.9 for chance in own)


def test_a_headline_among_the_links_of_other_pages_stays() -> None:
    headline = "The ferry comes back to the harbour at last"
    listed = f'</main><aside class="related"><ul><li><a href="/9">{headline}</a></li></ul></aside><main>'
    memory = recall(traces_of(page(number) + listed) for number in range(1, 5))
    first, *_ = weighed(page(9).replace("<main>", f"<main><h1>{headline}</h1>"), memory)
    assert first >= 0.9


def test_short_texts_fall_less_than_long_ones() -> None:
    memory = recall(traces_of(page(number, "How it began", REFRAIN)) for number in range(1, 5))
    *_, short, long = weighed(page(9, "How it began", REFRAIN), memory)
    assert long < short < 0.9


def test_chinese_text_without_spaces_is_compared_too() -> None:
    notice = "本报版权所有,未经许可不得转载本网站的任何内容,违者必究法律责任。"
    memory = recall(traces_of(page(number, notice, "编辑")) for number in range(1, 5))
    *_, told, short = weighed(page(9, notice, "编辑"), memory)
    assert told < 0.05
    assert short >= 0.9


def test_places_that_were_never_kept_fall_and_those_always_kept_rise() -> None:
    pages = [page(number, f"Passing remark {number} of somebody", tag="li") for number in range(1, 6)]
    memory = recall(traces_of(html, chosen=range(4)) for html in pages)
    *own, remark = weighed(page(9, "Another passing remark altogether", tag="li"), memory, 0.6)
    assert remark < 0.5
    assert all(chance > 0.6 for chance in own)


def test_too_few_pages_say_nothing() -> None:
    memory = recall(traces_of(page(number, REFRAIN)) for number in range(1, MIN_PAGES))
    assert weighed(page(9, REFRAIN), memory) == [0.9] * 5


def test_the_same_article_under_other_urls_is_counted_once() -> None:
    prints = [page(9, f"Printed at {hour} o'clock") for hour in range(3)]
    others = [page(number) for number in range(1, 4)]
    memory = recall(traces_of(html) for html in (*prints, *others))
    assert memory.pages == 4
    assert all(chance >= 0.9 for chance in weighed(page(9), memory))


def test_a_page_of_which_only_the_template_was_kept_is_not_the_same_article() -> None:
    pages = [traces_of(page(number, REFRAIN), chosen=[4] if number == 1 else range(5)) for number in range(1, 5)]
    assert recall(pages).pages == 4


def test_a_story_told_again_on_a_few_of_many_pages_stays() -> None:
    retold = "The harbour master closed the northern quay on Monday after a crane had fallen into the water."
    pages = [page(number, *([retold] if number < 4 else ())) for number in range(1, 41)]
    *_, told = weighed(page(99, retold), recall(traces_of(html) for html in pages))
    assert told >= 0.9


def test_a_page_without_main_text_is_not_counted() -> None:
    assert recall([traces_of(page(1), chosen=()), traces_of(page(2))]).pages == 1


def test_a_memory_is_bounded() -> None:
    pages = [
        Traces({page + 1: 100}, frozenset(range(1000, 1000 + 2 * MAX_ENTRIES)), dict.fromkeys(range(9000), (1, 2)))
        for page in range(MAX_PAGES + 20)
    ]
    memory = recall(pages)
    assert memory.pages == MAX_PAGES
    assert len(memory.texts) == len(memory.places) == MAX_ENTRIES
    assert recall(pages) == memory
    table = walk(parse("<p>one two</p>" * (MAX_BLOCKS + 5)).body)
    assert sum(1 for _ in fingerprints(table)) == MAX_BLOCKS
    assert len(weigh(array("d", [0.5] * (MAX_BLOCKS + 5)), table, memory)) == MAX_BLOCKS + 5


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_certain_chances_are_weighed_without_harm(certain: float) -> None:
    memory = recall(traces_of(page(number, REFRAIN)) for number in range(1, 5))
    assert all(0 <= chance <= 1 for chance in weighed(page(9, REFRAIN), memory, certain))


def test_white_space_and_the_classes_of_the_body_make_no_difference() -> None:
    one = traces_of(page(1, REFRAIN).replace("<body>", '<body class="single article tag">'))
    other = traces_of(page(1, REFRAIN.replace(" ", "\n  ")))
    assert one == other


def test_digits_make_a_difference() -> None:
    assert traces_of("<p>Issue number 7</p>").kept.keys() != traces_of("<p>Issue number 8</p>").kept.keys()


def test_traces_and_memories_survive_their_encoding() -> None:
    traces = traces_of(page(1, REFRAIN), chosen=[0, 1])
    assert traces_from_bytes(traces_to_bytes(traces)) == traces
    memory = recall(traces_of(page(number, REFRAIN)) for number in range(1, 5))
    assert memory_from_bytes(memory_to_bytes(memory)) == memory
    assert memory_from_bytes(memory_to_bytes(SiteMemory())) == SiteMemory()
    assert traces_from_bytes(traces_to_bytes(Traces())) == Traces()


def test_a_count_that_is_too_large_to_be_written_is_written_as_the_largest() -> None:
    memory = SiteMemory(3, {}, {1: Place(3, 2**33, 2**33)})
    assert memory_from_bytes(memory_to_bytes(memory)).places == {1: Place(3, 2**32 - 1, 2**32 - 1)}


def test_a_text_that_stands_twice_and_is_kept_once_counts_as_kept() -> None:
    both = traces_of(f"<body><p>{REFRAIN}</p><p>{REFRAIN}</p></body>", [0])
    assert len(both.kept) == 1
    assert not both.dropped


def test_the_fingerprints_of_a_place_and_a_text_are_those_that_are_stored() -> None:
    """A change here makes every stored memory worthless: it must be a wanted one."""
    table = walk(parse('<body><div class="article"><p>Some two words</p><p>one</p></div>').body)
    place = 0xED90C14E9AFF47FD
    assert list(fingerprints(table)) == [(place, 0xFC4BDE14289F3330), (place, 0)]


def test_a_site_known_from_other_pages_loses_its_refrain_and_a_single_page_is_as_before() -> None:
    traces = []
    for number in range(1, 5):
        _, left = extract_traced(parse(page(number, REFRAIN)), memory=SiteMemory())
        assert left
        traces.append(left)
    alone = extract(page(9, REFRAIN))
    assert REFRAIN in alone.text
    assert extract(page(9, REFRAIN), memory=SiteMemory()) == alone
    told = extract(page(9, REFRAIN), memory=recall(traces))
    assert REFRAIN not in told.text
    assert "On day 9 the ferry" in told.text


def test_what_a_page_leaves_does_not_depend_on_what_is_known() -> None:
    tree = parse(page(9, REFRAIN))
    memory = recall(traces_of(page(number, REFRAIN)) for number in range(1, 5))
    assert extract_traced(tree, memory=memory)[1] == extract_traced(tree, memory=SiteMemory())[1]
    assert extract_traced(tree)[1] is None
    assert extract_traced(tree, algorithm="cevc", memory=memory)[1] is None


def test_a_place_counts_its_pages_and_characters() -> None:
    memory = recall(
        traces_of(f"<p>Word number {number}</p><p>{REFRAIN}{number}</p>", chosen=[1]) for number in range(3)
    )
    size = len(REFRAIN) + 1
    assert list(memory.places.values()) == [Place(3, 3 * size, 3 * (size + len("Word number 0")))]
