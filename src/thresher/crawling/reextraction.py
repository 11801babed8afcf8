"""Reextraction: the present extractor reads the stored raw pages again, and what has changed is saved and indexed.

    a stored document ─▶ its raw pages ─▶ harvest, judge (as in a crawl) ─▶ put together in a scratch store ─▶ compare
                                              changed: saved as a run of its own, an article's old text as a version ◀─┘

How far it has come is kept in the store with each batch, so that one that was interrupted goes on.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from thresher.crawling import harvest
from thresher.crawling.corpus import Corpus
from thresher.crawling.judge import SHORT, Judge, readable
from thresher.crawling.landing import harvest_from_bytes
from thresher.crawling.memories import Memories
from thresher.crawling.pool import PageKilled, Pool
from thresher.crawling.threads import joined_pages, to_index, whole_thread
from thresher.errors import Damaged
from thresher.model import Document, Kind, Lease, Link, Page, Post
from thresher.model.codec import document_to_dict, storable
from thresher.store.contract import Record, Store

BATCH = 50  # documents that are written in one transaction
AHEAD = 4  # pages under way for each process
NO_PAGE = "no-raw-page"
OTHER_THREAD = "page-of-another-document"
# What tells nothing to a reader, or comes from elsewhere than the page.
NOT_COMPARED = ("confidence", "evidence", "verdict", "algorithm", "images", "sources", "copy_group", "posts", "site")
Todo = Iterator[tuple[str, str]]  # the mark of each document, in their order, and its URL
Scratch = Callable[[], AbstractContextManager[Store]]  # gives an empty store


@dataclass(slots=True)
class Reextracted:
    """What has come of it so far."""

    documents: int = 0
    changed: int = 0
    left: Counter[str] = field(default_factory=Counter)  # documents that stay as they are, by the reason


@dataclass(frozen=True, slots=True)
class Reading:
    """How pages are read: the processes, how many they are, and what goes with each page."""

    pool: Pool
    size: int
    algorithm: str | None = None
    require_date: bool = False
    site_memory: bool = True


class Reextractor:
    """Reads documents anew and saves, under one run, those that have changed; without a run it only compares."""

    def __init__(self, corpus: Corpus, reading: Reading, *, run: int | None, state: str, scratch: Scratch) -> None:
        """`state` is the name under which the store keeps how far it has come."""
        self._corpus, self._reading, self._run, self._state = corpus, reading, run, state
        self._scratch = scratch
        self._room = asyncio.Semaphore(AHEAD * reading.size)
        judged_as = run or 1
        self._judge = Judge(judged_as, max_attempts=1, require_date=reading.require_date)
        latest = max((each.id for each in corpus.store.runs(limit=1)), default=0)
        self._memories = Memories(corpus.store, run or latest + 1) if reading.site_memory else None
        self.result = Reextracted()

    def go_on(self, todo: Todo, tell: Callable[[Reextracted], None]) -> Reextracted:
        """Work through the documents, some at a time; what an interrupted attempt had saved is indexed first."""
        if self._run is not None:
            self._index_again()
        asyncio.run(self._all(todo, tell))
        return self.result

    async def _all(self, todo: Todo, tell: Callable[[Reextracted], None]) -> None:
        waiting: deque[tuple[str, str, asyncio.Task[list[Record] | str]]] = deque()
        done: list[tuple[str, str, list[Record] | str]] = []
        for mark, url in todo:
            waiting.append((mark, url, asyncio.create_task(self._read(url))))
            if len(waiting) > AHEAD * self._reading.size:
                done.append(await _finished(waiting.popleft()))
            if len(done) >= BATCH:
                self._settle(done)
                done = []
                tell(self.result)
        while waiting:
            done.append(await _finished(waiting.popleft()))
        if done:
            self._settle(done)
        tell(self.result)

    async def _read(self, url: str) -> list[Record] | str:
        """Return the records of a document's pages, the first page first; or why it has to stay as it is."""
        threaded = self._corpus.store.thread_pages(url)
        pages, why = (threaded, "part") if threaded else (self._pages_of(url), "continued")
        found = await asyncio.gather(*(self._read_page(page, url, "page" if page == url else why) for page in pages))
        failed = next((each for each in found if isinstance(each, str)), None)
        now = datetime.now(UTC)  # one for all pages: together they make one version
        return failed or [_as_found(each, now) for each in found if isinstance(each, Record)]

    def _pages_of(self, url: str) -> list[str]:
        """Return the pages of an article, the first one first, and its other versions."""
        pages = self._corpus.store.article_pages([url])
        theirs = [page for page, document in pages.items() if document == url and page != url]
        return [url, *sorted(theirs)]

    async def _read_page(self, url: str, document: str, why: str) -> Record | str:
        async with self._room:
            try:
                page = self._corpus.store.page(url)
            except Damaged:
                return "damaged"
            if page is None or not page.body:
                return NO_PAGE
            if not readable(page):
                return "not-html"
            return await self._judged(page, document, why)

    async def _judged(self, page: Page, document: str, why: str) -> Record | str:
        link = Link(page.url, why=why)
        memory = self._memories.of(page.url) if self._memories else None
        request = harvest.request(page, link, self._reading.algorithm, memory)
        try:
            answer = await self._reading.pool.ask(request)
        except PageKilled as killed:
            return str(killed)
        landing = self._judge.answer(Lease(link, 0, "reextract", 0.0), page, harvest_from_bytes(answer))
        record = landing.record
        if record is None or record.document is None:
            return landing.settlement.reason
        if record.fate.state != "stored" and (record.fate.reason != SHORT or page.url == document):
            return record.fate.reason
        if page.url != document and record.thread != document:
            return OTHER_THREAD
        return record

    def _settle(self, done: Sequence[tuple[str, str, list[Record] | str]]) -> None:
        """Count what became of some documents; save and index those that changed, with how far this has come."""
        changed = self._changed([(url, records) for _, url, records in done if not isinstance(records, str)])
        if self._run is not None:
            after = done[-1][0]
            if changed:
                self._keep(saving=list(changed))
            with self._corpus.together():
                for records in changed.values():
                    self._save(records)
                self._keep(after=after)
        self.result.documents += len(done)
        self.result.changed += len(changed)
        self.result.left.update(records for _, _, records in done if isinstance(records, str))

    def _changed(self, found: Sequence[tuple[str, list[Record]]]) -> dict[str, list[Record]]:
        """Return the documents that differ from what is stored, when their pages are put together."""
        with self._scratch() as scratch:
            for _, records in found:
                for record in _in_order(records):
                    scratch.save(record)
            return {url: records for url, records in found if self._differs(url, scratch)}

    def _differs(self, url: str, scratch: Store) -> bool:
        new, old = scratch.document(url), self._corpus.store.document(url)
        if new is None or old is None:
            return new is not None
        return _facts(new) != _facts(old) or _posts_differ(new, old)

    def _save(self, records: Sequence[Record]) -> None:
        store, index = self._corpus.store, self._corpus.index
        articles = store.article_pages([record.fate.url for record in records])
        for record in _in_order(records):
            store.save(record)
        index.remove(joined_pages(store, records))
        documents = to_index(store, records, articles)
        if documents:
            index.add(documents, min(record.fate.at for record in records), run=records[0].fate.run)

    def _keep(self, *, after: str | None = None, saving: Sequence[str] = ()) -> None:
        held = dict(self._corpus.store.state(self._state) or {})
        mark = held.get("after", "") if after is None else after
        self._corpus.store.keep_state(self._state, held | {"after": mark, "saving": list(saving)})

    def _index_again(self) -> None:
        """Index what was saved last, which may not have reached an index that is no part of the store's database."""
        held = self._corpus.store.state(self._state) or {}
        found = [whole_thread(self._corpus.store, url) for url in held.get("saving", ())]
        if documents := [document for document in found if document]:
            with self._corpus.together():
                self._corpus.index.add(documents, datetime.now(UTC), run=self._run or 0)


async def _finished(
    waiting: tuple[str, str, "asyncio.Task[list[Record] | str]"],
) -> tuple[str, str, list[Record] | str]:
    mark, url, task = waiting
    return mark, url, await task


def _as_found(record: Record, now: datetime) -> Record:
    """Return the record of a page that was read anew and not fetched: the raw page, and when it was asked for, stay.

    An article's text is another version from now on; a thread was asked for when its page was.
    """
    is_thread = record.document is not None and record.document.kind is Kind.THREAD
    at = record.fate.at if is_thread else now
    fate = replace(record.fate, at=at, status=None, detail="extracted anew from the stored page")
    return replace(record, fate=fate, page=None, traces=None)


def _in_order(records: Sequence[Record]) -> list[Record]:
    """Return the pages of a thread as they came: of a post that two of them show the later one's time is kept."""
    is_thread = all(record.document and record.document.kind is Kind.THREAD for record in records)
    return sorted(records, key=lambda record: record.fate.at) if is_thread else list(records)


def _facts(document: Document) -> dict[str, Any]:
    facts = document_to_dict(replace(document, posts=()))
    told: dict[str, Any] = _storable({name: value for name, value in facts.items() if name not in NOT_COMPARED})
    return told


def _posts_differ(new: Document, old: Document) -> bool:
    """Say whether saving would change posts; a stored one with an id stays when its page shows it no more."""
    now, before = ({_told(post): post.id for post in document.posts} for document in (new, old))
    ids = set(now.values()) - {None}
    gone = [before[told] for told in before.keys() - now.keys()]
    return bool(now.keys() - before.keys()) or any(id is None or id in ids for id in gone)


def _told(post: Post) -> str:
    """Return what a post tells; where it stands is left out, which differs between the pages that show it."""
    told = {name: value for name, value in post.to_dict().items() if name not in ("position", "permalink", "xpath")}
    return repr(sorted(_storable(told).items()))


def _storable(value: Any) -> Any:
    """Return JSON data with the texts that a store gives back for its own."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {name: _storable(each) for name, each in value.items()}
    return [_storable(each) for each in value] if isinstance(value, list | tuple) else value
