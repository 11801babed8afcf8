"""Threads and articles over several pages: what a page is part of, and the whole as a document to be found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from thresher.crawling.landing import Harvest
from thresher.discovery.links import priority_of
from thresher.discovery.pagination import Pagination
from thresher.index.contract import Index
from thresher.model import Document, Kind, Post
from thresher.model.joining import MAX_PAGES
from thresher.store.contract import Record, Store
from thresher.urls import key_of

FEW_POSTS = 200  # a thread of so many is indexed anew with each of its pages; a longer one when the run ends
MAX_CHARS = 1_000_000  # of the posts of a thread that can be found: "of a very long text the beginning is enough"
MAX_PARTS = 5_000  # pages of a thread; those after them count as links away from the start, for it may be endless


def as_part(found: Harvest, pagination: Pagination, depth: int) -> Harvest:
    """Put a page into its thread, or say which article it may be a page of.

    The other pages are no farther from the start. What seem to be pages of an article may be articles that follow each
    other, so they are a step away unless the first page is among them.
    """
    is_thread = found.document is not None and found.document.kind is Kind.THREAD
    most = MAX_PARTS if is_thread else MAX_PAGES
    pages = {number: url for number, url in (pagination.pages or {}).items() if number <= most}
    if not is_thread and (len(pages) < 2 or pagination.number not in pages):
        return found
    if is_thread or 1 in pages:
        found = _no_farther(found, set(pages.values()), "part" if is_thread else "continued", depth)
    return replace(found, thread=pagination.first, part=pagination.number)


def _no_farther(found: Harvest, pages: set[str], why: str, depth: int) -> Harvest:
    priority = priority_of(why, depth)
    links = (
        replace(link, why=why, depth=depth, priority=priority) if link.url in pages else link for link in found.links
    )
    return replace(found, links=tuple(links))


def joined_pages(store: Store, records: Sequence[Record]) -> list[str]:
    """Return the keys of pages that are joined to an article of which pages were saved: no hits of their own."""
    pages = store.article_pages([record.fate.url for record in records if record.document])
    return [key_of(page) for page, document in pages.items() if page != document]


def to_index(store: Store, records: Sequence[Record], articles: Mapping[str, str]) -> list[Document]:
    """Return what is to be indexed of saved records: of a page of a thread or article, the whole as it is stored now.

    `articles` are pages of articles that were stored before, with the URLs of their documents.
    """
    threads = {record.thread: record.part for record in reversed(records) if record.thread and _is_thread(record)}
    pages = store.article_pages([record.fate.url for record in records if record.document])
    wholes = [whole_thread(store, url, at_once=part > 1) for url, part in threads.items()]
    wholes += [whole_thread(store, url) for url in dict.fromkeys([*pages.values(), *articles.values()])]
    parts = {*pages, *(record.fate.url for record in records if record.thread and _is_thread(record))}
    found = [record.document for record in records if record.document and record.fate.url not in parts]
    names = store.sources([document.url for document in found if document.url])
    groups = store.copy_names([document.url for document in found if document.url])
    sourced = [
        replace(each, sources=names.get(each.url or "", ()), copy_group=groups.get(each.url or "")) for each in found
    ]
    if groups:
        moved = store.moved_copies(list(groups), min(record.fate.at for record in records))
        wholes += [whole_thread(store, url) for url in moved]
    return [document for document in (*sourced, *wholes) if document]


def _is_thread(record: Record) -> bool:
    return record.document is not None and record.document.kind is Kind.THREAD


def whole_thread(store: Store, url: str, *, at_once: bool = False) -> Document | None:
    """Return a stored thread with its posts, those that can be found; None for a long one if it has to be `at_once`."""
    last = store.last_pages([key_of(url)]).get(key_of(url)) if at_once else None
    if last and last.posts > FEW_POSTS:
        return None
    document = store.document(url, posts=False)
    return with_posts(store, document) if document else None


def with_posts(store: Store, document: Document) -> Document:
    """Return a stored document with its posts, those that can be found, and with what its copies share."""
    url = document.url or ""
    posts = tuple(_beginning(store.posts(url)))
    return replace(document, posts=posts, copy_group=store.copy_names([url]).get(url))


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
