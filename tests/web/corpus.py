"""A few documents to look at: an article, a copy, a thread, and one that tries to do harm."""

from datetime import timedelta

from tests.contracts.store_words import NOW, fate, page
from thresher.model import Block, Document, Kind, Post, Span
from thresher.store.contract import Record
from thresher.web.corpora import OpenCorpus

HARBOUR = "https://news.example/harbour"
COPY = "https://mirror.example/harbour"
THREAD = "https://forum.example/t/1"
HOSTILE = "https://evil.example/a"
CHINESE = "https://xinwen.example/1"
SCRIPT = "<script>alert('title')</script>"
TEXT = "The harbour is closed because of the storm. Ships wait outside, and the port calls for patience. " * 3


def fill(corpus: OpenCorpus) -> None:
    """Store the documents and make them searchable."""
    run = corpus.store.start_run([HARBOUR], {"job": "run-1"}, NOW)
    for number, document in enumerate(documents()):
        assert document.url
        seen = NOW + timedelta(minutes=number)
        with corpus.parts.together():
            corpus.store.save(
                Record(fate(document.url, run=run.id, reason=document.kind.value), page(document.url), document)
            )
            corpus.index.add([document], seen, run=run.id)
    corpus.index.flush()


def documents() -> list[Document]:
    """Return the documents."""
    posts = (
        Post("Ann", NOW, "Is the harbour open?", 1, id="p1"),
        Post("Bob", NOW, "Not before Friday.", 2, id="p2", reply_to="p1", quotes=("Is the harbour open?",)),
    )
    return [
        _article(HARBOUR, "Harbour closed", TEXT, authors=("Ann Porter",)),
        _article(COPY, "Harbour closed", TEXT),
        _article(CHINESE, "央行宣布降准", "中国人民银行今天宣布降准,释放长期资金约一万亿元。" * 5, language="zh"),
        _article(HOSTILE, SCRIPT, f"{SCRIPT} harbour", description="=HYPERLINK(1)", authors=("=HYPERLINK(2)",)),
        Document(THREAD, Kind.THREAD, 0.9, title="When does it open?", posts=posts, site="forum.example"),
    ]


def _article(url: str, title: str, text: str, **values: object) -> Document:
    site = url.split("/")[2]
    given = {"language": "en", "site": site, "published": NOW - timedelta(days=1), **values}
    return Document(url, Kind.ARTICLE, 0.9, title=title, blocks=(Block((Span(text),)),), **given)  # type: ignore[arg-type]
