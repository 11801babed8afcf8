"""Labels of listing pages are hashes, and precision and recall leave open links out."""

from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.lab.listings import ListingPage, Score, hash_of, listings_table, load_listings, sample_listings, score_of


def page(items: list[str], left: list[str]) -> ListingPage:
    hashes = (frozenset(map(hash_of, urls)) for urls in (items, left))
    return ListingPage("p", "report", "https://a.example/", "<html></html>", *hashes)


def test_open_links_count_neither_way() -> None:
    labelled = page(["https://a.example/1", "https://a.example/2"], ["https://a.example/3"])
    found = ["https://a.example/1", "https://a.example/3", "https://a.example/4"]
    assert score_of(labelled, found) == Score(0.5, 0.5)
    assert score_of(labelled, []) == Score(0.0, 0.0)


def test_a_folder_without_labelled_pages_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds none of the labelled listing pages"):
        load_listings([tmp_path])
    with pytest.raises(UsageError, match="no such file or folder"):
        load_listings([tmp_path / "nowhere"])


def test_nearly_all_articles_of_the_sample_web_are_found_on_its_listings() -> None:
    pages = sample_listings(60)
    assert len(pages) > 5
    line = next(line for line in listings_table(pages).splitlines() if line.startswith("| sample: thresher"))
    _, _, _, precision, recall, *_ = (cell.strip() for cell in line.split("|"))
    assert float(precision) > 0.9
    assert float(recall) > 0.95
