"""What a store promises; every store passes the same tests.

Every call is atomic and idempotent: saving the same record twice leaves one. Calls come from one thread at a time.
Nothing that was collected is lost by a later fetch that brings less. No backend's error type leaves a store: what it
raises is a BackendError.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from thresher.model import Document, Fate, Link, Page, Robots, Run, RunState

SITE_PAGES = 50  # pages whose traces are kept of a site


@dataclass(frozen=True, slots=True)
class Record:
    """All that one fetched link leaves behind; its key is the hash of the URL that was fetched."""

    fate: Fate
    page: Page | None = None  # the raw answer, kept compressed
    document: Document | None = None  # None: the page gave none
    outlinks: tuple[Link, ...] = ()  # what was discovered, for replay
    traces: bytes | None = None  # what the document's page leaves to the memory of its site
    thread: str | None = None  # the URL that names the thread of the document's posts; None: the document's own


@dataclass(frozen=True, slots=True)
class Known:
    """What the store holds under a URL from earlier."""

    kind: str | None  # of the stored document; None when only the page is stored
    etag: str | None
    modified: str | None
    run: int  # the run that fetched it last


@dataclass(frozen=True, slots=True)
class Stored:
    """A document with what the store knows of it: all that is needed to index it anew."""

    key: str
    document: Document
    run: int  # the run that saved it last
    first_seen: datetime
    last_seen: datetime


class Store(Protocol):
    """Keeps runs, pages, documents, posts and fates."""

    def save(self, record: Record) -> None:
        """Insert or replace the page, document, posts, outlinks and fate of one URL.

        A record without a page (or with a 304) or without a document leaves those of an earlier fetch in place: a page
        that gives no document any more does not take the old one away. An answer that is no success does not replace
        the page of one that was, but its outlinks do: replay follows what the URL led to last. Posts are kept by
        thread and post id, or by page and position where there is no id, so a thread's pages may come in any order;
        the posts that a page gave before and gives no more are dropped. Traces are kept with a document that has a
        site, of at most SITE_PAGES pages of a site and run: those whose keys are lowest, in whatever order they come.
        """

    def traces(self, site: str, *, before: int) -> Mapping[str, bytes]:
        """What runs before this one left to the memory of a site, by key: of SITE_PAGES pages, the latest runs first.

        It stays the same while a run goes on, whatever that run saves.
        """

    def note(self, fates: Sequence[Fate]) -> None:
        """Record fates of URLs that were not fetched; a fate other than "refused" of the same run stays as it is."""

    def known(self, urls: Sequence[str]) -> Mapping[str, Known]:
        """Answer which of these canonical URLs have a stored page, and what it is."""

    def outlinks(self, url: str) -> tuple[Link, ...]:
        """The links discovered on a stored page; empty when there are none or no page."""

    def page(self, url: str) -> Page | None:
        """The raw page stored under a URL; None when there is none."""

    def document(self, url: str) -> Document | None:
        """The document stored under a URL, with all posts of its thread by position; None when there is none."""

    def documents(self, *, run: int | None = None, site: str | None = None) -> Iterator[Document]:
        """All documents, oldest first, without loading them all at once; those that a run saved last, or of a site."""

    def stored(self, *, run: int | None = None, site: str | None = None) -> Iterator[Stored]:
        """The same documents, each with when and by which run it was saved."""

    def fates(self, url: str) -> list[Fate]:
        """Everything that became of a URL, newest first."""

    def tally(self, run: int) -> Mapping[tuple[str, str], int]:
        """Count a run's URLs by (state, reason)."""

    def start_run(self, starts: Sequence[str], options: Mapping[str, Any], at: datetime) -> Run:
        """Open a run."""

    def end_run(self, run: int, state: RunState, at: datetime) -> None:
        """Say where a run stands now; one that is running again has no end."""

    def run(self, run: int) -> Run | None:
        """Look a run up; None when there is none of this number."""

    def runs(self, limit: int = 100) -> list[Run]:
        """List runs, newest first."""

    def robots(self, origin: str) -> Robots | None:
        """A host's robots.txt; None if it was never asked for."""

    def save_robots(self, robots: Robots) -> None:
        """Keep a host's robots.txt."""
