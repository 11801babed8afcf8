"""Threads as documents to be found: their posts from all pages, however many a crawl has brought."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from thresher.index.contract import Index
from thresher.model import Document, Post
from thresher.store.contract import Store
from thresher.urls import key_of

FEW_POSTS = 200  # a thread of so many is indexed anew with each of its pages; a longer one when the run ends
MAX_CHARS = 1_000_000  # of the posts of a thread that can be found: "of a very long text the beginning is enough"


def whole_thread(store: Store, url: str, *, at_once: bool = False) -> Document | None:
    """Return a stored thread with its posts, those that can be found; None for a long one if it has to be `at_once`."""
    last = store.last_pages([key_of(url)]).get(key_of(url)) if at_once else None
    if last and last.posts > FEW_POSTS:
        return None
    document = store.document(url, posts=False)
    return with_posts(store, document) if document else None


def with_posts(store: Store, document: Document) -> Document:
    """Return a stored document with its posts, those that can be found."""
    return replace(document, posts=tuple(_beginning(store.posts(document.url or ""))))


def index_long_threads(store: Store, index: Index, run: int, at: datetime) -> int:
    """Index the long threads that a run has added to; return how many."""
    urls = store.long_threads(run, posts_over=FEW_POSTS)
    for url in urls:
        document = whole_thread(store, url)
        if document:
            index.add([document], at, run=run)
    return len(urls)


def _beginning(posts: Iterable[Post]) -> Iterator[Post]:
    room = MAX_CHARS
    for post in posts:
        yield post
        room -= len(post.text)
        if room <= 0:
            return
