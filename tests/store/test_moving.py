"""A corpus is moved between databases: whole, resumable, compared in the end."""

from itertools import islice, pairwise
from pathlib import Path

import pytest

from tests.contracts.store_words import NOW, document, fate, full_document, page
from tests.store.test_postgresql import article_page, near_copy, record
from thresher import sqlite, wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.errors import BackendError, NothingCollected, UsageError
from thresher.model import Source, SourceKind
from thresher.moving import move_corpus
from thresher.store.contract import Record


def fill(corpus: Corpus) -> None:
    """Put something of every kind into a corpus."""
    run = corpus.store.start_run(["https://example.com/"], {"limit": 1}, NOW)
    for number in range(3):
        corpus.store.save(near_copy(number))
        corpus.store.save(article_page(number + 1, run.id))
    corpus.store.save(Record(fate("https://example.com/f"), page("https://example.com/f"), full_document()))
    corpus.store.save(record("https://example.com/t"))
    for title in ("Old", "New"):
        url = "https://example.com/v"
        corpus.store.save(Record(fate(url, run=run.id), page(url), document(url, title=title)))
    corpus.store.note_source("news", ["https://example.com/f"], NOW)
    corpus.store.keep_state("analysis", {"seen": [1, 2]})
    corpus.catalog().add(Source(name="news", kind=SourceKind.FEED, address="https://example.com/feed", created_at=NOW))


def contents(corpus: Corpus) -> object:
    stored = [(each.key, each.document, each.run, each.first_seen) for each in corpus.store.stored()]
    urls = [each[1].url for each in stored]
    return (
        stored,
        [corpus.store.page(url) for url in urls if url],
        [corpus.store.versions(url) for url in urls if url],
        [corpus.store.copies(url) for url in urls if url],
        corpus.store.runs(),
        corpus.store.state("analysis"),
        corpus.catalog().sources(),
    )


@pytest.fixture
def filled(tmp_path: Path) -> str:
    """The URL of a corpus in a file."""
    corpus = wiring.open_corpus(Settings(data=str(tmp_path / "first")))
    fill(corpus)
    corpus.close()
    return f"sqlite:///{tmp_path / 'first' / 'corpus.db'}"


def opened(tmp_path: Path, url: str) -> Corpus:
    return wiring.open_corpus(Settings(data=str(tmp_path / "frontier"), store=url))


def test_a_corpus_goes_round_all_databases_and_comes_back_the_same(
    filled: str, postgresql_url: str, mariadb_url: str, tmp_path: Path
) -> None:
    places = [filled, postgresql_url, mariadb_url, f"sqlite:///{tmp_path / 'last' / 'corpus.db'}"]
    for source, target in pairwise(places):
        compared = {each.table: each for each in move_corpus(source, target) if each.hash}
        assert compared["documents"].rows > 5
        assert compared["catalog_sources"].rows == 1
    found = []
    for url in (filled, places[-1], postgresql_url):
        corpus = opened(tmp_path, url)
        found.append(contents(corpus))
        assert corpus.store.start_run([], {}, NOW).id == 2
        corpus.close()
    assert found[0] == found[1] == found[2]


def test_a_move_that_was_interrupted_goes_on(filled: str, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'second' / 'corpus.db'}"
    begun = list(islice(move_corpus(filled, target), 3))
    rest = [each.table for each in move_corpus(filled, target) if not each.hash]
    assert not {each.table for each in begun} & set(rest)
    assert rest


def test_what_differs_in_the_end_is_said(filled: str, tmp_path: Path) -> None:
    path = tmp_path / "second" / "corpus.db"
    list(move_corpus(filled, f"sqlite:///{path}"))
    connection = sqlite.connect(path)
    connection.execute("UPDATE documents SET title = 'Changed'")
    connection.close()
    with pytest.raises(BackendError, match="table documents differs"):
        list(move_corpus(filled, f"sqlite:///{path}"))


def test_another_corpus_is_not_written_into(filled: str, tmp_path: Path) -> None:
    other = wiring.open_corpus(Settings(data=str(tmp_path / "other")))
    other.store.start_run(["https://example.org/"], {}, NOW.replace(year=2025))
    other.close()
    with pytest.raises(UsageError, match="another corpus"):
        list(move_corpus(filled, f"sqlite:///{tmp_path / 'other' / 'corpus.db'}"))
    with pytest.raises(UsageError, match="the same"):
        list(move_corpus(filled, filled))
    with pytest.raises(NothingCollected):
        list(move_corpus(f"sqlite:///{tmp_path / 'nowhere.db'}", filled))
