"""A page's text is written in other shapes, the same for the same seed; what a dataset leaves out is skipped."""

from random import Random

import pytest
from lxml import etree

from thresher.html import parse
from thresher.lab.pages import LabelledPage
from thresher.lab.train.restyle import restyle
from thresher.lab.train.samples import samples_of

TEXT = [
    f"Paragraph {number} says that the harvest of the year was good. It goes on for a while." for number in range(8)
]
PAGE = f"<html><body><div id=text>{''.join(f'<p>{text}</p>' for text in TEXT)}</div></body></html>"


def restyled(seed: int, *, is_chinese: bool = False) -> str:
    root = parse(PAGE).root
    core = root.find(".//div")
    assert core is not None
    restyle(core, list(core), Random(seed), is_chinese=is_chinese)
    return etree.tostring(root, encoding="unicode")


def test_the_same_seed_writes_the_same_page() -> None:
    assert restyled(5) == restyled(5)


@pytest.mark.parametrize("shape", ["<li>", "<blockquote>", "<td>", "<br/>", "<div>Paragraph"])
def test_every_shape_comes_up(shape: str) -> None:
    assert any(shape in restyled(seed) for seed in range(80))


@pytest.mark.parametrize("seed", range(20))
def test_the_parts_stay_in_order_and_none_comes_twice(seed: int) -> None:
    page = restyled(seed)
    numbers = [number for number in range(8) if f"Paragraph {number}" in page]
    assert numbers
    assert [page.count(f"Paragraph {number}") for number in numbers] == [1] * len(numbers)
    assert numbers == sorted(numbers, key=lambda number: page.index(f"Paragraph {number}"))


def test_some_items_are_cut_to_their_first_sentence() -> None:
    pages = [restyled(seed) for seed in range(80)]
    assert any("harvest of the year was good.</li>" in page for page in pages)


def test_chinese_texts_are_not_made_into_lists() -> None:
    assert not any("<li>" in restyled(seed, is_chinese=True) for seed in range(80))


def labelled(number: int, dataset: str, *, items_are_gold: bool) -> LabelledPage:
    items = [f"Item {number} {letter} names one more thing that was seen at the fair." for letter in "abc"]
    lines = [*TEXT[:3], *(items if items_are_gold else []), *TEXT[3:]]
    listed = "".join(f"<li>{item}</li>" for item in items)
    before, after = ("".join(f"<p>{text}</p>" for text in part) for part in (TEXT[:3], TEXT[3:]))
    html = f"<html><body><div>{before}<ul>{listed}</ul>{after}</div></body></html>"
    return LabelledPage(f"{dataset}:{number}", dataset, f"s{number}.example", "en", html, "\n".join(lines))


def test_lists_that_a_dataset_leaves_out_of_its_gold_are_not_learned_from() -> None:
    pages = [labelled(n, "without", items_are_gold=False) for n in range(4)]
    pages += [labelled(n, "with", items_are_gold=True) for n in range(4, 8)]
    learned = {"without": [], "with": []}  # type: dict[str, list[bool]]
    for sample in samples_of(pages):
        table = sample.sheet.table
        items = [n for n, text in enumerate(table.texts) if text.startswith("Item ") and not table.linked[n]]
        learned[sample.dataset] += [bool(sample.learned[place]) for place in items]
    assert learned["with"]
    assert all(learned["with"])
    assert learned["without"].count(True) < len(learned["without"]) / 4


def test_a_small_dataset_counts_more_by_page_than_a_large_one() -> None:
    pages = [labelled(n, "large", items_are_gold=True) for n in range(8)]
    pages += [labelled(n, "small", items_are_gold=True) for n in range(8, 10)]
    whole = {sample.page: float(sample.weights.sum()) for sample in reversed(samples_of(pages))}
    assert whole["small:8"] == pytest.approx(2 * whole["large:0"], rel=0.01)
