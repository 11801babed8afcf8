"""What a store promises; every store passes the same tests.

Every call is atomic and idempotent: saving the same record twice leaves one. Calls come from one thread at a time.
Nothing that was collected is lost by a later fetch that brings less. No backend's error type leaves a store: what it
raises is a BackendError.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from thresher.model import Document, Fate, Link, Page, Post, Robots, Run, RunState, Visit

SITE_PAGES = 50  # pages whose traces are kept of a site
MAX_COPIES = 100  # of a document that are named
MAX_VERSIONS = 20  # of an article that are kept
ARTICLE_PAGE = "article-page"  # the reason of a page whose text is stored with the first page of its article
COPY = "copy"  # the reason of a link that is not followed since it leads to a stored page under another URL
EDITION = "edition"  # the reason of another version of a page (AMP, mobile, print …)
EDITION_PART = 0  # the `part` of such a page
SAME_PATHS = 3  # pages that show that a parameter changes nothing, each with another text


@dataclass(frozen=True, slots=True)
class Record:
    """All that one fetched link leaves behind; its key is the hash of the URL that was fetched."""

    fate: Fate
    page: Page | None = None  # the raw answer, kept compressed
    document: Document | None = None  # None: the page gave none
    outlinks: tuple[Link, ...] = ()  # what was discovered, for replay
    traces: bytes | None = None  # what the document's page leaves to the memory of its site
    thread: str | None = None  # the URL that names the thread or article whose page it is; None: the document's own
    part: int = 1  # which page of that, from 1; EDITION_PART: another version of it


@dataclass(frozen=True, slots=True)
class Known:
    """What the store holds under a URL from earlier."""

    kind: str | None  # of the stored document; None when only the page is stored
    etag: str | None
    modified: str | None
    run: int  # the run that fetched it last
    thread: str | None = None  # the key of the thread that it is a page of
    fetched_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class LastPage:
    """The last page of a thread that the store knows."""

    url: str
    number: int  # of the page, from 1
    asked_at: datetime  # when it was fetched, or found unchanged, last
    posts: int  # of the thread, as they are stored
    etag: str | None = None
    modified: str | None = None
    posted_at: datetime | None = None  # of the latest post, as its page shows it; one without a zone is taken for UTC


@dataclass(frozen=True, slots=True)
class Stored:
    """A document with what the store knows of it: all that is needed to index it anew."""

    key: str
    document: Document
    run: int  # the run that saved it last
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """A document that was saved or has gone since: an entry of the store's log of changes."""

    number: int  # of the entry; later ones have higher numbers
    key: str
    stored: Stored | None  # as it is now, whole; None when it is there no more, or `is_damaged`
    is_damaged: bool = False  # it is there, and cannot be read any more


@dataclass(frozen=True, slots=True)
class Version:
    """An article as it was from a time on."""

    at: datetime  # when it was first seen so
    title: str
    text: str
    published: datetime | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """A document that came in, without what it says."""

    key: str
    url: str
    kind: str
    published: datetime | None
    first_seen: datetime


@dataclass(frozen=True, slots=True)
class CopyGroup:
    """Documents that say the same, word for word or nearly."""

    original: str  # the key of the one that was published first
    url: str  # of the original
    site: str | None
    documents: int  # two or more, the original among them
    sites: int  # that have one


@dataclass(frozen=True, slots=True)
class Followed:
    """A stored page whose links a run has followed."""

    key: str
    url: str
    links: tuple[Link, ...]  # that were found on it
    found_on: str | None


@dataclass(frozen=True, slots=True)
class KindCount:
    """What pages gave whose links are of one kind (urls.kind_of)."""

    host: str
    kind: str
    signs: int  # that it leads to nothing, in a row
    given_up: int  # 1 when its links are not followed any more
    bore: int  # 1 or more when pages of it are documents
    led: int  # 1 or more when pages of it have led to documents
    skipped: int  # links that were not followed
    at: datetime  # when something was learned of it last


class Store(Protocol):
    """Keeps runs, pages, documents, posts and fates."""

    def save(self, record: Record) -> None:
        """Insert or replace the page, document, posts, outlinks and fate of one URL.

        A record without a page (or with a 304) or without a document leaves those of an earlier fetch in place: a page
        that gives no document any more does not take the old one away. An answer that is no success does not replace
        the page of one that was, but its outlinks do: replay follows what the URL led to last.

        The pages of a thread make one document, under the thread's URL, in whatever order they come; what is not
        posts is that of the first page that was saved, by number. A post is kept once in its thread, whichever pages
        show it: by its id, or by author, time and text where there is none (or where a page gives one id to several).
        A thread's posts with an id stay when their page shows them no more: they may have moved to another. Those
        without are dropped then, as those of an article are: they may have been edited. A page that is gone (404, 410)
        is no part of its thread any more.

        The pages of an article make one document as well, under the URL of the first page and with its title, author
        and time, in whatever order they come: what `thread` names is the first page. A page belongs to it when the
        first page is stored and they agree (model/joining.py); its fate then is ARTICLE_PAGE. Until then, and if they
        do not agree, it is a document of its own, or none if its fate is another than stored: it is too short for one.
        A page that says nothing new adds its posts alone. One that is gone (404, 410, or moved for good) leaves the
        article, and so do those to which the page before leads no more.

        Other versions of an article's page (EDITION_PART: AMP, mobile, print …) and their main page, which `thread`
        names, make one document under the main page's URL, when both are stored and their texts agree
        (model/joining.py). Its text is the main page's, unless a version has much more of it.

        Traces are kept with a document that has a site, of at most SITE_PAGES pages of a site and run: those whose keys
        are lowest, in whatever order they come.
        """

    def traces(self, site: str, *, before: int) -> Mapping[str, bytes]:
        """What runs before this one left to the memory of a site, by key: of SITE_PAGES pages, the latest runs first.

        It stays the same while a run goes on, whatever that run saves.
        """

    def note(self, fates: Sequence[Fate]) -> None:
        """Record fates of URLs that were not fetched; a fate other than "refused" of the same run stays as it is."""

    def count_unlisted(self, run: int, reasons: Mapping[str, int]) -> None:
        """Count links that were refused without noting each: `tally` has them, `fates` has not."""

    def count_kinds(self, counts: Sequence[KindCount]) -> None:
        """Add to what is known of kinds of links: `bore`, `led` and `skipped` are added, the rest is as it is now."""

    def kinds(self, host: str) -> list[KindCount]:
        """What is known of the kinds of links of a host, from all runs."""

    def volume(self, run: int, host: str | None = None) -> int:
        """How many bytes the pages had that a run was sent, by one host or by all; repeated work counts again."""

    def known(self, urls: Sequence[str]) -> Mapping[str, Known]:
        """Answer which of these canonical URLs have a stored page, and what it is."""

    def outlinks(self, url: str) -> tuple[Link, ...]:
        """The links discovered on a stored page; empty when there are none or no page."""

    def followed(self, run: int, *, after: str = "", limit: int = 100) -> list[Followed]:
        """The stored pages whose links a run has followed, by key; some at a time: those whose keys come after one."""

    def page(self, url: str) -> Page | None:
        """The raw page stored under a URL; None when there is none."""

    def document(self, url: str, *, posts: bool = True) -> Document | None:
        """The document stored under a URL or that of one of its pages, with all posts in order; None if there is none.

        A thread may have many: without `posts` the document comes alone, and `posts` gives them one by one.
        """

    def note_source(self, source: str, urls: Sequence[str], at: datetime) -> list[str]:
        """Note that a source (by its name) led to pages, stored or not; return those that it had not led to before.

        A document comes with the sources that led to any of its pages (Document.sources), the first one first.
        """

    def sources(self, urls: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The sources that led to pages or documents, the first one first; a URL that none led to is missing."""

    def versions(self, url: str) -> list[Version]:
        """The versions of the article stored under a URL, the oldest first and the present one last; empty without one.

        A version is another title or text; what is saved at one moment (Fate.at) makes one. Of more than MAX_VERSIONS
        the first and the latest are kept. Threads have one: their posts are kept by themselves.
        """

    def posts(self, url: str) -> Iterator[Post]:
        """The posts of the thread under a URL or that of one of its pages, in order, without loading them all at once.

        Their position is the number that the page showed, or else their place in the thread.
        """

    def with_posts(self, urls: Sequence[str]) -> set[str]:
        """Answer which of some documents, by their own URLs, have posts: whoever reads many need not ask for each."""

    def documents(self, *, run: int | None = None, site: str | None = None, posts: bool = True) -> Iterator[Document]:
        """All documents, oldest first, without loading them all at once; those that a run saved last, or of a site."""

    def stored(self, *, run: int | None = None, site: str | None = None, posts: bool = True) -> Iterator[Stored]:
        """The same documents, each with when and by which run it was saved."""

    def last_pages(self, keys: Sequence[str]) -> Mapping[str, LastPage]:
        """The last page of each thread, by its key (Known.thread); that of an unknown one is missing."""

    def article_pages(self, urls: Sequence[str]) -> Mapping[str, str]:
        """All pages of the articles that some pages belong to, or may: their URLs, and those of their documents.

        An article of a single page is missing.
        """

    def thread_pages(self, url: str) -> list[str]:
        """The URLs of the pages of the thread under a URL, by number; empty where there is none."""

    def long_threads(self, run: int, *, posts_over: int) -> list[str]:
        """The URLs of the threads that a run saved last and that have more posts than so many."""

    def copies(self, url: str) -> list[str]:
        """The URLs of all documents that say what the one under a URL says, that one among them, the original first.

        They have the same text (Document.text_hash), or nearly: another headline, paragraphs cut or moved, a line of
        an agency or of the site more. What is alike to one of them is one of them, so the order in which they come
        makes no difference. The original is the one that was published first (seen first, where no date is known, or
        one after that), of several at a time the one that was seen first; it may change when another one comes.
        At most MAX_COPIES; empty when there is no document, or its text is too short to tell.
        """

    def copy_groups(self, urls: Sequence[str]) -> Mapping[str, CopyGroup]:
        """Of which group some documents are, by their own URLs; one that has no copies is missing."""

    def copy_names(self, urls: Sequence[str]) -> Mapping[str, str]:
        """What the copies of each of some documents share (Document.copy_group), by their own URLs.

        It stays when others join the group, unless two groups become one; see `moved_copies`. A document whose text is
        too short to tell is missing.
        """

    def moved_copies(self, urls: Sequence[str], since: datetime) -> list[str]:
        """The URLs of other documents in the groups of some, that came into them from another group since a time."""

    def originals(self, keys: Sequence[str]) -> Mapping[str, str]:
        """The key of the original of each of some documents, by key: its own for an original or one without copies."""

    def note_copies(self) -> int:
        """Look for the copies of documents that were saved before copies were kept; return how many there were."""

    def arrivals(self, since: datetime | None = None) -> Iterator[Arrival]:
        """The documents that were first seen since a time, in that order, without what they say."""

    def changes(self, after: int, *, limit: int = 100) -> list[Change]:
        """The entries of the log of changes whose numbers come after one, in order, at most so many.

        Every document has one entry, which moves to the end of the log whenever what is stored of it may have changed.
        An entry is never seen later than one with a higher number: who has read up to a number has missed nothing.
        """

    def count_changes(self, after: int) -> int:
        """How many entries of the log come after a number."""

    def state(self, name: str) -> Mapping[str, Any] | None:
        """What an analysis kept under a name; None when there is nothing, or it cannot be read any more."""

    def keep_state(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep what an analysis wants to know the next time (JSON data), in place of what it kept before."""

    def swap_state(
        self, name: str, before: Mapping[str, Any] | None, after: Mapping[str, Mapping[str, Any] | None]
    ) -> bool:
        """Keep several states at once, one that is None no longer; return False, and do nothing, if somebody was first.

        So it is when what `state` gives for a name is no longer what it was before.
        """

    def parameters(self, hosts: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The parameters of URLs that change nothing, by host; a host that has none is missing.

        So documents show whose URLs differ in that parameter alone, in its value or in having it: on SAME_PATHS pages
        with different texts at least they had the same text, and none of one run had another. Names that mostly choose
        the page (id, page …) are none of them, whatever the documents show.
        """

    def twins(self, stems: Mapping[str, str]) -> Mapping[str, str]:
        """Documents that are stored under the same URL but for such parameters; unknown ones are missing.

        `stems` are URLs with what is left of each without them; the answer is by the same URLs.
        """

    def move(self, old: str, new: str, fate: Fate) -> datetime | None:
        """Let the document under one URL be that under another, which its page has now; return when it was first seen.

        What is stored under the new URL stays as it is, and gets what it lacks: posts, sources and versions of the old
        one. The fate is noted of the old URL. None, and nothing is done, where one of the two is no document.
        """

    def fates(self, url: str) -> list[Fate]:
        """Everything that became of a URL, newest first."""

    def tally(self, run: int) -> Mapping[tuple[str, str], int]:
        """Count a run's URLs by (state, reason)."""

    def visits(self, run: int, *, pages: bool = True, state: str = "", reason: str = "") -> Iterator[Visit]:
        """A run's URLs that were not refused, in the order in which they were settled, a few in memory at a time.

        Without `pages` they come without their pages and outlinks, which takes a fraction of the time. With a
        state or a reason, only those that ended so.
        """

    def start_run(self, starts: Sequence[str], options: Mapping[str, Any], at: datetime) -> Run:
        """Open a run."""

    def end_run(self, run: int, state: RunState, at: datetime) -> None:
        """Say where a run stands now; one that is running again has no end."""

    def run(self, run: int) -> Run | None:
        """Look a run up; None when there is none of this number."""

    def runs(self, *, limit: int | None = None, state: RunState | None = None) -> list[Run]:
        """List runs, newest first: all of them, the first so many, those in one state."""

    def damaged(self) -> Iterator[str]:
        """Read everything that is stored; say of each thing that cannot be read any more what it is.

        Where something else is asked for, damaged things are passed over with a warning; `page` and `document`, which
        are asked for one thing, raise Damaged.
        """

    def robots(self, origin: str) -> Robots | None:
        """A host's robots.txt; None if it was never asked for."""

    def save_robots(self, robots: Robots) -> None:
        """Keep a host's robots.txt."""
