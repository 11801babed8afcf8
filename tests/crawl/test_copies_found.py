"""Copies that are not word for word are one search hit, in whatever order they are crawled."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest

from thresher import wiring
from thresher.api.corpus import Corpus
from thresher.config import Settings
from thresher.crawling.corpus import Corpus as Opened
from thresher.crawling.threads import to_index
from thresher.model import Block, Document, Fate, Kind, Page, Span
from thresher.store.contract import Record

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
LINES = [" ".join(f"word{line}x{place}" for place in range(12)) for line in range(20)]
# a and c are alike only by way of b; c was published first.
TEXTS = {"a": LINES[:14], "b": LINES[3:17], "c": LINES[6:]}


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Opened]:
    opened = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield opened
    opened.close()


def land(parts: Opened, name: str, minutes: int) -> None:
    """Save and index an article as a crawl does."""
    url = f"https://{name}.example/"
    blocks = tuple(Block((Span(line),)) for line in ["ferry", *TEXTS[name]])
    published = NOW - timedelta(days="abc".index(name))
    document = Document(url, Kind.ARTICLE, 1.0, "T", blocks, published=published, site=f"{name}.example")
    fate = Fate(url, 1, "stored", "stored", NOW + timedelta(minutes=minutes), status=200)
    with parts.together():
        record = Record(fate, Page(url, 200, b"x", fate.at), document)
        parts.store.save(record)
        parts.index.add(to_index(parts.store, [record], {}), fate.at, run=1)


@pytest.mark.parametrize("order", list(permutations(TEXTS)))
def test_copies_are_one_hit_that_names_the_first_publisher(order: tuple[str, ...], parts: Opened) -> None:
    for minutes, name in enumerate(order):
        land(parts, name, minutes)
    corpus = Corpus(parts)
    (hit,) = corpus.search("ferry")
    assert (hit.url, hit.copies, hit.copy_sites, hit.original) == ("https://c.example/", 2, 2, None)
    (other,) = corpus.search("ferry site:a.example")
    assert (other.copies, other.copy_sites, other.original) == (0, 2, "https://c.example/")
    assert [each.url for each in corpus.search("is:original")] == ["https://c.example/"]
    assert corpus.count("is:duplicate site:b.example") == 1
