"""Words of the tests of alerts: documents that are stored at a time, as a crawl stores them."""

from collections.abc import Iterable
from datetime import UTC, datetime

from thresher.crawling.corpus import Corpus
from thresher.model import Block, Document, Fate, Kind, Page, Span
from thresher.store.contract import Record

NOW = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)


def document(number: int, text: str, *, site: str = "news.test") -> Document:
    """Return an article whose title is its text."""
    blocks = (Block((Span(f"{text} number {number}"),)),)
    return Document(f"https://{site}/{number}", Kind.ARTICLE, 1.0, text, blocks, site=site, language="en")


def store(corpus: Corpus, documents: Iterable[Document], at: datetime = NOW, *, indexed: bool = True) -> None:
    """Store documents and make them searchable, as if they had been fetched at a time."""
    if not corpus.store.runs():
        corpus.store.start_run(["https://news.test/"], {}, at)
    for one in documents:
        assert one.url
        fate = Fate(one.url, 1, "stored", "stored", at, status=200)
        corpus.store.save(Record(fate, Page(one.url, 200, b"x", at), one))
        if indexed:
            corpus.index.add([one], at, run=1)
