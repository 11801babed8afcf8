"""The store in a document database: what sql.py does with SQL, done with rows that are looked up by their keys.

Whoever saves holds the locks of the hosts that the record is about, and in the end the one lock of what all documents
share: groups of copies and the log of changes. Everything is then written in one step (see collections.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from http import HTTPStatus
from typing import Any

from sqlalchemy import Table

from thresher.errors import Damaged
from thresher.model import Document, Fate, Kind, Page, Robots, Run, RunState
from thresher.model.codec import storable
from thresher.store import keyed_articles as articles
from thresher.store import keyed_copies, rows, tables
from thresher.store.articles import Moment, read_page
from thresher.store.bodies import hash_of
from thresher.store.collections import SHARED, Row, Work, read_all
from thresher.store.contract import SITE_PAGES, KindCount, Record
from thresher.store.keyed_articles import Saving
from thresher.store.keyed_reading import KeyedReading, Shelf
from thresher.store.packing import json_text
from thresher.store.sql_runs import MAX_CHARS
from thresher.store.threads import stands_before
from thresher.urls import host_of, key_of


class KeyedStore(KeyedReading):
    """Keeps everything in a document database."""

    @contextmanager
    def _work(self, *names: str) -> Iterator[Work]:
        """Hold locks, and write in the end what the block changed."""
        with self._collections.locked(names):
            work = Work(self._collections)
            yield work
            self._collections.write(work.changes)

    def save(self, record: Record) -> None:
        """Insert or replace the page, document, posts, outlinks and fate of one URL."""
        while not self._saved(record):  # another process changed the page just before it was locked
            continue

    def _saved(self, record: Record) -> bool:
        key = key_of(record.fate.url)
        bodies = _bodies_of(self._held_page(Work(self._collections), key), record)
        with self._collections.locked([*self._hosts_of(key, record), *bodies]):
            saving = Saving(Work(self._collections), self._packer, Moment.of(record.fate))
            held = self._held_page(saving.work, key)
            if _bodies_of(held, record) != bodies:
                return False
            touched = articles.touched(saving.work, key, record)
            saving.work.put(tables.fates, rows.fate_row(record.fate))
            self._save_page(saving.work, key, held, record)
            articles.note_asked(saving, key, record.fate)
            if record.document:
                self._save_document(saving, key, record.document, record, touched)
            self._add_volume(saving.work, record)
            if record.document or touched:
                theirs = articles.documents_of(saving.work, key, touched, record)
                at_hand = record.document if len(theirs) == record.part == 1 else None
                with self._collections.locked([SHARED]):
                    keyed_copies.note_copies(saving, theirs, at_hand)
                    self._note_changes(saving.work, theirs)
                    self._collections.write(saving.work.changes)
            else:
                self._collections.write(saving.work.changes)
        return True

    def move(self, old: str, new: str, fate: Fate) -> datetime | None:
        """Let the document under one URL be that under another, which its page has now; return when it came."""
        left, kept = key_of(old), key_of(new)
        with self._collections.locked(sorted({host_of(old), host_of(new)})), self._work(SHARED) as work:
            before, document = (work.get(tables.documents, key) for key in (left, kept))
            if before is None or document is None:
                return None
            first_seen = min(before["first_seen"], document["first_seen"])
            articles.hand_over(work, left, kept)
            work.change(tables.documents, document, first_seen=first_seen)
            work.put(tables.fates, rows.fate_row(fate))
            keyed_copies.note_copies(Saving(work, self._packer, Moment.of(fate)), sorted((left, kept)))
            self._note_changes(work, (left, kept))
        return datetime.fromisoformat(first_seen)

    def _hosts_of(self, key: str, record: Record) -> list[str]:
        """Return the hosts whose documents a record may change."""
        urls = {record.fate.url, record.thread or record.fate.url}
        for held in self._collections.get(tables.article_pages, [(key,)], ["page", "article"]):
            first = self._collections.get(tables.article_pages, [(held["article"],)], ["url"])
            urls.update(row["url"] for row in first)
        names = {host_of(url) for url in urls}
        if record.document and record.document.site:
            names.add(record.document.site)
        return sorted(names)

    def _held_page(self, work: Work, key: str) -> Row | None:
        return work.get_all(tables.pages, [(key,)], ["status", "body"]).get((key,))

    def _save_page(self, work: Work, key: str, held: Row | None, record: Record) -> None:
        if record.page and record.page.status != HTTPStatus.NOT_MODIFIED:
            row = rows.page_row(record.page, key, record.fate.run, record.outlinks, self._packer)
            is_success = 200 <= record.page.status < 300
            if held is None or is_success or not 200 <= held["status"] < 300:
                work.put(tables.pages, row)
                self._save_body(work, record.page, record.fate.url, held["body"] if held else "")
            elif stored := work.get(tables.pages, key):
                work.change(tables.pages, stored, run=row["run"], outlinks=row["outlinks"])
        elif held and record.fate.status is not None and (stored := work.get(tables.pages, key)):
            work.change(tables.pages, stored, run=record.fate.run)

    def _save_body(self, work: Work, page: Page, url: str, before: str) -> None:
        """Keep the body of a page, and remove the one it had before if no other page has it."""
        now = hash_of(page.body)
        if now == before:
            return
        if now and not work.get_all(tables.bodies, [(now,)], ["host"]):
            host = storable(host_of(url))[:MAX_CHARS]
            work.put(tables.bodies, self._bodies.row_of(page.body, host, Shelf(work)))
        if before:
            others = self._collections.find(tables.pages, ("body", "=", before), limit=2, columns=["key"])
            if len(others) < 2:
                work.drop(tables.bodies, {"hash": before})

    def _save_document(
        self, saving: Saving, key: str, document: Document, record: Record, touched: Sequence[str]
    ) -> None:
        if articles.is_paged(saving.work, key, record):
            self._save_posts(saving.work, key, key, record)
            articles.save_page(saving, document, record)
        else:
            self._save_single(saving, key, document, record)
            articles.let_go(saving, touched, record)
        keyed_copies.note_variant(saving.work, record.fate.url, document, record.fate.run)
        if record.traces and document.site:
            self._save_traces(saving.work, key, storable(document.site), record)

    def _save_single(self, saving: Saving, key: str, document: Document, record: Record) -> None:
        work, at = saving.work, saving.moment.at
        thread = key_of(record.thread) if record.thread else key
        if document.kind is Kind.ARTICLE and not record.thread:
            articles.note_change(saving, key, document)
        latest = {"run": record.fate.run, "last_seen": at}
        facts = {"key": thread, "thread": thread, "part": record.part, "first_seen": at} | latest
        row = facts | rows.document_row(document, self._packer)
        articles.put_document(work, row | ({"url": storable(record.thread)} if record.thread else {}))
        if record.part > 1 and (held := work.get(tables.documents, thread)):
            work.change(tables.documents, held, **latest)
        if document.kind is Kind.THREAD or record.thread:
            part = {"page": key, "thread": thread, "number": record.part, "asked_at": at}
            work.put(tables.parts, part | {"url": storable(record.fate.url)})
        else:
            articles.leave_thread(work, key)
        self._save_posts(work, key, thread, record)

    def _save_posts(self, work: Work, key: str, thread: str, record: Record) -> None:
        if record.document is None:
            return
        for post in work.find(tables.posts, ("page", "=", key), columns=["id"]):
            if record.document.kind is not Kind.THREAD or post["id"] is None:
                work.drop(tables.posts, post)
        new = list(rows.post_rows(record.document.posts, key, thread, record.part))
        held = work.get_all(tables.posts, [(thread, row["post"]) for row in new], ["page", "place", "position"])
        for row in new:
            known = held.get((thread, row["post"]))
            if known and known["page"] != key and stands_before(known, row):
                row |= {name: known[name] for name in ("page", "place", "position")}
            work.put(tables.posts, row)

    def _save_traces(self, work: Work, key: str, site: str, record: Record) -> None:
        run = record.fate.run
        held = [(row["run"], row["key"]) for row in work.find(tables.traces, ("site", "=", site), columns=["key"])]
        ours = sorted({key, *(other for of, other in held if of == run)})
        earlier = sorted(((of, other) for of, other in held if of < run), key=lambda each: (-each[0], each[1]))
        surplus = [(run, other) for other in ours[SITE_PAGES:] if other != key] + earlier[2 * SITE_PAGES :]
        for of, other in surplus:
            work.drop(tables.traces, {"site": site, "run": of, "key": other})
        if key in ours[:SITE_PAGES]:
            row = {"site": site, "run": run, "key": key}
            work.put(tables.traces, row | {"content": self._packer.pack(record.traces or b"")})

    def _add_volume(self, work: Work, record: Record) -> None:
        if record.page and record.page.body:
            place = {"run": record.fate.run, "host": storable(host_of(record.fate.url))[:MAX_CHARS]}
            held = work.get(tables.volumes, place["run"], place["host"])
            sent = len(record.page.body) + (held["bytes"] if held else 0)
            work.put(tables.volumes, place | {"bytes": sent})

    def _note_changes(self, work: Work, keys: Sequence[str]) -> None:
        """Move the entries of some documents to the end of the log; the lock of what they share is held."""
        wanted = [(key,) for key in keys]
        known = {*work.get_all(tables.documents, wanted, ["thread"]), *work.get_all(tables.changes, wanted)}
        last = self._collections.find(tables.changes, order=["-number"], limit=1)
        number = last[0]["number"] if last else 0
        for place, (key,) in enumerate(sorted(known), start=1):
            work.put(tables.changes, {"key": key, "number": number + place})

    def note_copies(self) -> int:
        """Look for the copies of documents that were saved before copies were kept; return how many there were."""
        noted = 0
        for row in read_all(self._collections, tables.documents, columns=["text_hash", "last_seen", "run"]):
            if row["text_hash"] and not self._collections.get(tables.copies, [(row["key"],)]):
                with self._work(SHARED) as work:
                    moment = Moment(row["run"], row["last_seen"])
                    keyed_copies.note_copies(Saving(work, self._packer, moment), [row["key"]])
                noted += 1
        return noted

    def note(self, fates: Sequence[Fate]) -> None:
        """Record fates of URLs that were not fetched; a fate other than "refused" of the same run stays as it is."""
        if not fates:
            return
        with self._work(*sorted({host_of(fate.url) for fate in fates})) as work:
            found = [rows.fate_row(fate) for fate in fates]
            held = work.get_all(tables.fates, [(row["key"], row["run"]) for row in found])
            for row in found:
                known = held.get((row["key"], row["run"]))
                if known is None or known["state"] == "refused":
                    work.put(tables.fates, row)

    def count_unlisted(self, run: int, reasons: Mapping[str, int]) -> None:
        """Count links that were refused without noting each."""
        if reasons:
            with self._work(f"run {run}") as work:
                held = work.get_all(tables.unlisted, [(run, reason) for reason in reasons])
                for reason, links in reasons.items():
                    before = held.get((run, reason), {}).get("links", 0)
                    work.put(tables.unlisted, {"run": run, "reason": reason, "links": before + links})

    def count_kinds(self, counts: Sequence[KindCount]) -> None:
        """Add to what is known of kinds of links."""
        if counts:
            with self._work(*sorted({count.host for count in counts})) as work:
                for count in counts:
                    self._count_kind(work, count)

    def _count_kind(self, work: Work, count: KindCount) -> None:
        names = {"host": storable(count.host)[:MAX_CHARS], "kind": storable(count.kind)[:MAX_CHARS]}
        row = asdict(count) | names | {"at": rows.time_text(count.at)}
        held = work.get(tables.kinds, row["host"], row["kind"])
        added = {name: row[name] + (held[name] if held else 0) for name in ("bore", "led", "skipped")}
        work.put(tables.kinds, row | added)

    def note_source(self, source: str, urls: Sequence[str], at: datetime) -> list[str]:
        """Note that a source led to pages; return those that it had not led to before."""
        by_key = {key_of(url): url for url in urls}
        if not by_key:
            return []
        with self._work(SHARED) as work:
            held = work.get_all(tables.page_sources, [(key, source) for key in by_key])
            new = sorted(key for key in by_key if (key, source) not in held)
            for key in new:
                work.put(tables.page_sources, {"page": key, "source": source, "at": rows.time_text(at)})
            if new:
                self._note_changes(work, self._documents_with(work, new))
        return [by_key[key] for key in new]

    def _documents_with(self, work: Work, pages: Sequence[str]) -> list[str]:
        wanted = [(page,) for page in pages]
        found = set(pages)
        found.update(row["thread"] for row in work.get_all(tables.parts, wanted).values())
        found.update(row["article"] for row in work.get_all(tables.article_pages, wanted, ["article"]).values())
        return sorted(found)

    def keep_state(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep what an analysis wants to know the next time, in place of what it kept before."""
        with self._work(f"state {name}") as work:
            self._put_states(work, {name: state})

    def swap_state(
        self, name: str, before: Mapping[str, Any] | None, after: Mapping[str, Mapping[str, Any] | None]
    ) -> bool:
        """Keep several states at once, unless the one under a name is not what it was; return whether they are kept."""
        with self._work(*sorted({f"state {each}" for each in (name, *after)})) as work:
            if self.state(name) != before:
                return False
            self._put_states(work, after)
            return True

    def _put_states(self, work: Work, kept: Mapping[str, Mapping[str, Any] | None]) -> None:
        for name, state in kept.items():
            if state is None:
                work.drop(tables.states, {"name": name})
            else:
                work.put(tables.states, {"name": name, "content": self._packer.pack_json(state)})

    def start_run(self, starts: Sequence[str], options: Mapping[str, Any], at: datetime) -> Run:
        """Open a run."""
        row: Row = {
            "starts": storable(json_text(list(starts))),
            "options": storable(json_text(dict(options))),
            "state": RunState.RUNNING.value,
            "started_at": rows.time_text(at),
            "finished_at": None,
        }
        with self._work("runs") as work:
            last = self._collections.find(tables.runs, order=["-id"], limit=1)
            row["id"] = 1 + (last[0]["id"] if last else 0)
            work.put(tables.runs, row)
        return rows.run_of(row)

    def end_run(self, run: int, state: RunState, at: datetime) -> None:
        """Say where a run stands now; one that is running again has no end."""
        finished_at = None if state is RunState.RUNNING else rows.time_text(at)
        with self._work("runs") as work:
            if row := work.get(tables.runs, run):
                work.change(tables.runs, row, state=state.value, finished_at=finished_at)

    def save_robots(self, robots: Robots) -> None:
        """Keep a host's robots.txt."""
        with self._work(robots.origin) as work:
            work.put(tables.robots, rows.robots_row(robots, self._packer))

    def damaged(self) -> Iterator[str]:
        """Read everything that is stored; say of each thing that cannot be read what it is."""
        readers: list[tuple[Table, Any]] = [
            (tables.runs, rows.run_of),
            (tables.robots, lambda row: rows.robots_of(row, self._packer)),
            (tables.pages, lambda row: rows.links_of(row["outlinks"], self._packer, row["url"])),
            (tables.pages, lambda row: self._page_of(next(self._with_bodies([row])))),
            (tables.documents, self._whole),
            (tables.article_pages, lambda row: read_page(row, self._packer)),
        ]
        for table, read in readers:
            for row in read_all(self._collections, table):
                try:
                    read(row)
                except Damaged as error:
                    yield str(error)


def _bodies_of(held: Row | None, record: Record) -> list[str]:
    """Return the locks of the bodies that a record may add or remove: pages of any host may have them."""
    if record.page is None or record.page.status == HTTPStatus.NOT_MODIFIED:
        return []
    hashes = {held["body"] if held else ""} ^ {hash_of(record.page.body)}
    return [f"body {hash_}" for hash_ in sorted(hashes) if hash_]
