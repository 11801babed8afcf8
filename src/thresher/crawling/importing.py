"""Importing: documents and pages from files come into a corpus as if a run had fetched them.

    a line of an export ─▶ Document ─────────────────────────────▶ Record ─┐
    a record of a WARC ──▶ Page ─▶ harvest, judge (as in a crawl) ─▶ Record ─┴▶ saved and indexed, some at a time

How far a file has come is kept in the store with each batch, so that an import that was interrupted goes on.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from thresher.crawling import harvest
from thresher.crawling.corpus import Corpus
from thresher.crawling.judge import Judge, readable
from thresher.crawling.landing import harvest_from_bytes
from thresher.crawling.pool import PageKilled, Pool
from thresher.crawling.threads import joined_pages, to_index
from thresher.errors import UsageError
from thresher.model import Block, Document, Fate, Lease, Link, Page, Span
from thresher.model.codec import document_from_dict
from thresher.store.contract import Record
from thresher.urls import canonical, key_of

BATCH = 50  # records that are written in one transaction
AHEAD = 4  # pages under way for each process
IMPORTED = "imported"  # the reason of a document that came without its page


@dataclass(slots=True)
class Imported:
    """What became of a file."""

    before: int = 0  # records that an earlier attempt had done
    records: int = 0
    documents: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


class Importer:
    """Writes the records of one file into a corpus, under a run of their own."""

    def __init__(self, corpus: Corpus, name: str, run: int, tell: Callable[[Imported], None]) -> None:
        """`name` says which file it is; a file of the same name goes on where an earlier attempt has ended."""
        self._corpus, self._run, self._tell = corpus, run, tell
        self._state = f"import {key_of(name)}"
        kept = corpus.store.state(self._state) or {}
        self.result = Imported(before=int(kept.get("records", 0)))

    def lines(self, lines: Iterable[Mapping[str, Any] | str]) -> Imported:
        """Import the lines of an export: JSON data, or a text that says why a line cannot be read."""
        coming = islice(iter(lines), self.result.before, None)
        while batch := list(islice(coming, BATCH)):
            self._write([self._record(line) for line in batch])
        return self.result

    def _record(self, data: Mapping[str, Any] | str) -> Record | str:
        if isinstance(data, str):
            return data
        try:
            document = _document(data)
        except (KeyError, TypeError, ValueError, AttributeError, UsageError) as error:
            return f"not-a-document ({error})"
        if document.url is None:
            return "no-url"
        seen = data.get("last_seen")
        at = datetime.fromisoformat(seen) if seen else datetime.now(UTC)
        return Record(Fate(document.url, self._run, "stored", IMPORTED, at), None, document)

    def pages(self, pages: Iterator[Page | str], pool: Pool, size: int, *, require_date: bool) -> Imported:
        """Import raw pages, each extracted anew; a text says why a record holds none."""
        judge = Judge(self._run, max_attempts=1, require_date=require_date)
        asyncio.run(self._harvested(islice(pages, self.result.before, None), pool, size, judge))
        return self.result

    async def _harvested(self, pages: Iterator[Page | str], pool: Pool, size: int, judge: Judge) -> None:
        waiting: deque[asyncio.Task[Record | str]] = deque()
        done: list[Record | str] = []
        for page in pages:
            waiting.append(asyncio.create_task(_judged(page, pool, judge)))
            if len(waiting) > AHEAD * size:
                done.append(await waiting.popleft())
            if len(done) >= BATCH:
                self._write(done)
                done = []
        while waiting:
            done.append(await waiting.popleft())
        self._write(done)

    def _write(self, found: Sequence[Record | str]) -> None:
        """Save and index records together with how far the file has come."""
        if not found:
            return
        store, index = self._corpus.store, self._corpus.index
        records = [record for record in found if isinstance(record, Record)]
        done = self.result.before + self.result.records + len(found)
        with self._corpus.together():
            articles = store.article_pages([record.fate.url for record in records])
            for record in records:
                store.save(record)
            index.remove(joined_pages(store, records))
            documents = to_index(store, records, articles)
            if documents:
                index.add(documents, min(record.fate.at for record in records), run=self._run)
            store.keep_state(self._state, {"records": done})
        self.result.records += len(found)
        self.result.documents += sum(record.fate.state == "stored" for record in records)
        reasons = [record.fate.reason for record in records if record.fate.state != "stored"]
        self.result.skipped.update([*reasons, *(each for each in found if isinstance(each, str))])
        self._tell(self.result)


async def _judged(page: Page | str, pool: Pool, judge: Judge) -> Record | str:
    if isinstance(page, str):
        return page
    link = Link(page.url)
    lease = Lease(link, 0, "import", 0.0)
    try:
        answer = await pool.ask(harvest.request(page, link, None)) if readable(page) else None
    except PageKilled as killed:
        landing = judge.killed(lease, page, str(killed), killed.detail)
    else:
        landing = judge.answer(lease, page, harvest_from_bytes(answer) if answer else None)
    return landing.record or landing.settlement.reason


def _document(data: Mapping[str, Any]) -> Document:
    """Return the document of a line; its text becomes blocks, a line each, since an export has no others."""
    text = "" if data.get("posts") else data.get("text", "")
    blocks = tuple(Block((Span(line),)) for line in text.split("\n") if line)
    document = document_from_dict({**data, "blocks": (), "url": data.get("url")})
    changed = {"url": canonical(document.url) if document.url else None, "blocks": blocks}
    return Document(**{name: getattr(document, name) for name in document.__slots__} | changed)
