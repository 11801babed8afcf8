"""Crawl a site as a user would, and compare what was stored with what the program's database holds."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from statistics import mean

from tests.programs.site import Item, Site
from thresher import urls, wiring
from thresher.config import load
from thresher.lab.metrics.bag import bag_overlap
from thresher.lab.metrics.overlap import f1
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.model import Document, Kind

SAME = 0.7  # F1 of the words from which on a document is (a copy of) an item
PART = 0.8  # of the runs of words of an item that nobody may read: a document with so many of them leaks it


@dataclass
class Result:
    """How one crawl went, against the truth."""

    site: str
    items: int
    stored: int = 0
    documents: int = 0
    requests: int = 0
    titles: int = 0
    authors: int = 0
    times: int = 0
    text_f1: float = 0.0
    posts: int = 0  # threads whose posts are all there, in order, each with its author and time
    threads: int = 0
    missing: list[str] = field(default_factory=list)
    copies: list[str] = field(default_factory=list)
    listings: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # documents of items that were deleted after they were stored
    asked: list[str] = field(default_factory=list)  # paths, in order
    wrong: list[str] = field(default_factory=list)  # "what URL: found, not truth"

    @property
    def requests_per_document(self) -> float:
        """How many requests one true item cost."""
        return self.requests / max(1, self.items)


def crawl(site: Site, data: Path, *options: str) -> str:
    """Crawl the site with the command line into a folder; return what it printed, raise when it fails."""
    command = [sys.executable, "-m", "thresher", "--data", str(data), "crawl", f"{site.url}/", "--progress", "none"]
    given = ["--allow-address", "127.0.0.1", "--delay", "0", *options]
    done = subprocess.run([*command, *given], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"crawl ended with {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def compare(site: Site, data: Path, asked: Sequence[str]) -> Result:
    """Compare a corpus with the items of a site; `asked` are the requests that it cost."""
    documents = stored_documents(data)
    visible = [item for item in site.items if item.visible]
    result = Result(site.name, len(visible), documents=len(documents), requests=len(asked), asked=[*asked])
    by_url = {document.url: document for document in documents}
    taken: set[str | None] = set()
    scores: list[float] = []
    for item in visible:
        document = by_url.get(urls.canonical(item.url)) or _best(item, documents, taken)
        if document is None:
            result.missing.append(item.url)
            continue
        taken.add(document.url)
        scores.append(_judge(result, item, document, site.zone))
    result.stored = len(scores)
    result.text_f1 = mean(scores) if scores else 0.0
    for document in documents:
        if document.url not in taken:
            _sort_out(result, document, site.items)
        _look_for_leaks(result, document, [item for item in site.items if not (item.visible or item.was_visible)])
    return result


def stored_documents(data: Path) -> list[Document]:
    """Return every document of a corpus."""
    corpus = wiring.open_corpus(load({"data": str(data)}).settings, create=False)
    try:
        return list(corpus.store.documents())
    finally:
        corpus.close()


def _best(item: Item, documents: Sequence[Document], taken: set[str | None]) -> Document | None:
    """Return the document that is the item under another address, if one is."""
    free = [document for document in documents if document.url not in taken]
    best = max(free, key=lambda document: _alike(item, document), default=None)
    return best if best and _alike(item, best) >= SAME else None


def _alike(item: Item, document: Document) -> float:
    overlap = bag_overlap(_words(document), _truth(item))
    return f1(overlap.precision, overlap.recall)


def _words(document: Document) -> str:
    """Return what a document says; the posts of an article are comments."""
    is_thread = document.kind is Kind.THREAD and document.posts
    return "\n".join(post.text for post in document.posts) if is_thread else document.text


def _truth(item: Item) -> str:
    return "\n".join(post.text for post in item.posts) if item.posts else item.text


def _judge(result: Result, item: Item, document: Document, zone: tzinfo | None) -> float:
    """Count what is right of a document; return the F1 of its text."""
    if document.title == item.title:
        result.titles += 1
    else:
        result.wrong.append(f"title {item.url}: {document.title!r}, not {item.title!r}")
    if document.authors == ((item.author,) if item.author else ()):
        result.authors += 1
    else:
        result.wrong.append(f"author {item.url}: {document.authors}, not {item.author!r}")
    if item.published is None or _same_time(document.published, item.published, zone):
        result.times += 1
    else:
        result.wrong.append(f"time {item.url}: {document.published}, not {item.published}")
    if item.posts:
        result.threads += 1
        found = [(post.author, post.text.split()) for post in document.posts]
        truth = [(post.author, post.text.split()) for post in item.posts]
        at = all(
            _same_time(ours.published, post.published, zone)
            for ours, post in zip(document.posts, item.posts, strict=False)
        )
        if found == truth and at:
            result.posts += 1
        else:
            result.wrong.append(f"posts {item.url}: {len(found)} of {len(truth)}")
    score = _alike(item, document)
    if score < 0.95:
        result.wrong.append(f"text {item.url}: F1 {score:.3f}")
    return score


def _same_time(found: datetime | None, truth: datetime, zone: tzinfo | None) -> bool:
    """Tell whether two moments are the same minute.

    A page that shows a day alone tells no more than the day; one that shows the clock of an untold zone, no more than
    what that clock said.
    """
    if found is None:
        return False
    if found.hour == found.minute == 0:
        return any(found.date() == moment.date() for moment in (truth, truth.astimezone(found.tzinfo)))
    shown = truth.astimezone(zone).replace(tzinfo=found.tzinfo) if zone else truth
    return any(abs((found - moment).total_seconds()) < 60 for moment in (truth, shown))


def _sort_out(result: Result, document: Document, items: Sequence[Item]) -> None:
    """Say what a document is that is none of the items: a copy of one, one deleted since, or a page that lists many."""
    if document.url in {urls.canonical(item.url) for item in items if item.was_visible}:
        result.gone.append(str(document.url))
    elif any(_alike(item, document) >= SAME for item in items if item.visible or item.was_visible):
        result.copies.append(str(document.url))
    else:
        result.listings.append(str(document.url))


def _look_for_leaks(result: Result, document: Document, hidden: Sequence[Item]) -> None:
    for item in hidden:
        if shingle_overlap(_words(document), _truth(item)).recall >= PART:
            result.leaks.append(f"{document.url} shows {item.key}")
