"""What is read from a store in a document database; keyed.py writes it."""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Table

from thresher.errors import Damaged
from thresher.model import Document, Fate, Link, Page, Post, Robots, Run, RunState, Visit
from thresher.model.codec import storable
from thresher.store import keyed_copies, rows, tables, threads
from thresher.store.bodies import MOST, Bodies
from thresher.store.collections import BATCH, Collections, Key, Row, Work, read_all
from thresher.store.contract import (
    MAX_COPIES,
    SITE_PAGES,
    Arrival,
    Change,
    CopyGroup,
    Followed,
    KindCount,
    Known,
    LastPage,
    Stored,
    Version,
)
from thresher.store.copies import MAX_MOVED
from thresher.store.packing import Packer
from thresher.store.sql_runs import MAX_CHARS
from thresher.store.sql_sources import with_sources
from thresher.store.versions import content_of, version_of
from thresher.urls import key_of

POST_ORDER = ("place", "moment", "post")
ABOUT = ("title", "kind", "language", "published", "length", "first_seen")  # what a visit tells of its document
T = TypeVar("T")
log = logging.getLogger("thresher.store")


class KeyedReading:
    """Reads what is kept in a document database."""

    def __init__(self, collections: Collections) -> None:
        self._collections = collections
        self._packer = Packer()
        self._bodies = Bodies()

    @property
    def collections(self) -> Collections:
        """Where the rows are."""
        return self._collections

    def _get(self, table: Table, keys: Iterable[Key], columns: Sequence[str] = ()) -> dict[Key, Row]:
        """Return rows by their keys, however many there are."""
        found: dict[Key, Row] = {}
        wanted = iter(dict.fromkeys(keys))
        while chunk := list(islice(wanted, BATCH)):
            found.update(Work(self._collections).get_all(table, chunk, columns))
        return found

    def _with(self, table: Table, column: str, values: Iterable[Any], columns: Sequence[str] = ()) -> Iterator[Row]:
        """Yield the rows whose column has one of some values, however many these are."""
        wanted = iter(dict.fromkeys(values))
        while chunk := list(islice(wanted, BATCH)):
            yield from Work(self._collections).find(table, (column, "in", chunk), columns=columns)

    def _document_keys(self, keys: Sequence[str]) -> dict[str, str]:
        """Return by the key of each page that of the document that it belongs to."""
        wanted = [(key,) for key in keys]
        parts = self._get(tables.parts, wanted, ["thread"])
        pages = self._get(tables.article_pages, wanted, ["article", "joined"])
        joined = {key: row["article"] for key, row in pages.items() if row["joined"]}
        return {key: parts[(key,)]["thread"] if (key,) in parts else joined.get((key,), key) for key in keys}

    def _document_key(self, url: str) -> str:
        return self._document_keys([key_of(url)])[key_of(url)]

    def tally(self, run: int) -> Mapping[tuple[str, str], int]:
        """Count a run's URLs by (state, reason)."""
        found = self._collections.count(tables.fates, ("run", "=", run), by=["state", "reason"])
        counts: Counter[tuple[str, str]] = Counter({(key[0], key[1]): number for key, number in found.items()})
        for row in read_all(self._collections, tables.unlisted, ("run", "=", run)):
            counts["refused", row["reason"]] += row["links"]
        return counts

    def traces(self, site: str, *, before: int) -> Mapping[str, bytes]:
        """What runs before this one left to the memory of a site, by key; the latest runs first."""
        here = (("site", "=", storable(site)), ("run", "<", before))
        held = read_all(self._collections, tables.traces, *here, columns=["key"])
        latest = sorted(held, key=lambda row: (-row["run"], row["key"]))[: 2 * SITE_PAGES]
        chosen: dict[str, Key] = {}
        for row in latest:
            if len(chosen) < SITE_PAGES:
                chosen.setdefault(row["key"], (row["site"], row["run"], row["key"]))
        found = self._get(tables.traces, chosen.values())
        contents = {key: found[of]["content"] for key, of in chosen.items() if of in found}
        read = {key: self._if_readable(self._trace, key, content) for key, content in contents.items()}
        return {key: trace for key, trace in read.items() if trace is not None}

    def _trace(self, key: str, content: bytes) -> bytes:
        with rows.reading("trace", key):
            return self._packer.unpack(content)

    def kinds(self, host: str) -> list[KindCount]:
        """What is known of the kinds of links of a host, from all runs."""
        found = read_all(self._collections, tables.kinds, ("host", "=", storable(host)[:MAX_CHARS]))
        return [KindCount(**{**row, "at": datetime.fromisoformat(row["at"])}) for row in found]

    def volume(self, run: int, host: str | None = None) -> int:
        """How many bytes the pages had that a run was sent, by one host or by all."""
        if host is not None:
            found = self._get(tables.volumes, [(run, storable(host)[:MAX_CHARS])]).values()
            return sum(row["bytes"] for row in found)
        return sum(row["bytes"] for row in read_all(self._collections, tables.volumes, ("run", "=", run)))

    def known(self, urls: Sequence[str]) -> Mapping[str, Known]:
        """Answer which of these canonical URLs have a stored page, and what it is."""
        by_key = {key_of(url): url for url in urls}
        pages = self._get(tables.pages, [(key,) for key in by_key], ["etag", "modified", "run", "fetched_at"])
        keys = [key for (key,) in pages]
        parts = self._get(tables.parts, pages, ["thread"])
        of = self._document_keys(keys)
        documents = self._get(tables.documents, [(key,) for key in of.values()], ["kind"])
        found = {}
        for (key,), page in pages.items():
            kind = documents.get((of[key],), {}).get("kind")
            thread = parts.get((key,), {}).get("thread")
            at = datetime.fromisoformat(page["fetched_at"])
            found[by_key[key]] = Known(kind, page["etag"], page["modified"], page["run"], thread, at)
        return found

    def outlinks(self, url: str) -> tuple[Link, ...]:
        """The links discovered on a stored page; empty when there are none or no page."""
        found = self._get(tables.pages, [(key_of(url),)], ["outlinks"])
        return self._links({"outlinks": next(iter(found.values()))["outlinks"], "url": url}) if found else ()

    def _links(self, row: Mapping[str, Any]) -> tuple[Link, ...]:
        return self._if_readable(rows.links_of, row["outlinks"], self._packer, row["url"]) or ()

    def followed(self, run: int, *, after: str = "", limit: int = 100) -> list[Followed]:
        """The stored pages whose links a run has followed, by key; some at a time: those whose keys come after one."""
        told = ("run", "=", run), ("state", "in", ["stored", "skipped"]), ("key", ">", after)
        found: list[Followed] = []
        fates = read_all(self._collections, tables.fates, *told, order=["key", "run"])
        while len(found) < limit and (batch := list(islice(fates, limit))):
            pages = self._get(tables.pages, [(row["key"],) for row in batch], ["outlinks"])
            for row in batch:
                if (page := pages.get((row["key"],))) and len(found) < limit:
                    links = self._links({"outlinks": page["outlinks"], "url": row["url"]})
                    found.append(Followed(row["key"], row["url"], links, row["found_on"]))
        return found

    def page(self, url: str) -> Page | None:
        """The raw page stored under a URL; None when there is none."""
        found = self._with_bodies(self._get(tables.pages, [(key_of(url),)]).values())
        return next(map(self._page_of, found), None)

    def _page_of(self, row: Row) -> Page:
        return rows.page_of(row, lambda held: self._bodies.body_of(held, Shelf(Work(self._collections))))

    def _with_bodies(self, pages: Iterable[Row]) -> Iterator[Row]:
        """Yield rows of pages with what their bodies are read from."""
        batch = list(pages)
        held = self._get(tables.bodies, [(row["body"],) for row in batch if row["body"]])
        nothing = dict.fromkeys(column.name for column in rows.BODY)
        for row in batch:
            body = held.get((row["body"],), nothing)
            yield row | {name: body[name] for name in nothing}

    def document(self, url: str, *, posts: bool = True) -> Document | None:
        """The document stored under a URL or that of one of its pages; None when there is none."""
        key = self._document_key(url)
        found = self._get(tables.documents, [(key,)])
        if not found:
            return None
        row = found[(key,)]
        return with_sources(self._whole(row) if posts else self._alone(row), self._sources_of([key])).document

    def _whole(self, row: Row) -> Stored:
        return rows.stored_of(row, threads.numbered(self._posts(row["thread"])), self._packer)

    def _alone(self, row: Row) -> Stored:
        return rows.stored_of(row, [], self._packer)

    def versions(self, url: str) -> list[Version]:
        """The versions of the article stored under a URL, the oldest first and the present one last."""
        key = self._document_key(url)
        held = read_all(self._collections, tables.versions, ("key", "=", key), order=["key", "at"])
        found = [version_of(row["at"], self._packer.unpack_json(row["content"])) for row in held]
        if found:
            return found
        documents = self._get(tables.documents, [(key,)]).values()
        return [version_of(row["first_seen"], content_of(self._alone(row).document)) for row in documents]

    def posts(self, url: str) -> Iterator[Post]:
        """The posts of the thread under a URL or that of one of its pages, in order, some at a time."""
        return map(rows.post_of, threads.numbered(self._posts(self._document_key(url))))

    def _posts(self, thread: str) -> Iterator[Row]:
        return read_all(self._collections, tables.posts, ("thread", "=", thread), order=POST_ORDER)

    def with_posts(self, urls: Sequence[str]) -> set[str]:
        """Answer which of some documents, by their own URLs, have posts."""
        by_key = {key_of(url): url for url in urls}
        return {by_key[key] for key in self._talked(list(by_key))}

    def _talked(self, keys: Sequence[str]) -> set[str]:
        return {thread for thread, _ in self._numbers_of_posts(keys)}

    def _numbers_of_posts(self, keys: Iterable[str]) -> Iterator[tuple[str, int]]:
        wanted = iter(dict.fromkeys(keys))
        while chunk := list(islice(wanted, BATCH)):
            found = self._collections.count(tables.posts, ("thread", "in", chunk), by=["thread"])
            yield from ((thread, number) for (thread,), number in found.items())

    def documents(self, *, run: int | None = None, site: str | None = None, posts: bool = True) -> Iterator[Document]:
        """All documents, oldest first, without loading them all at once; those that a run saved last, or of a site."""
        return (stored.document for stored in self.stored(run=run, site=site, posts=posts))

    def stored(self, *, run: int | None = None, site: str | None = None, posts: bool = True) -> Iterator[Stored]:
        """The same documents, each with when and by which run it was saved."""
        where = [("run", "=", run)] if run is not None else []
        where += [("site", "=", storable(site))] if site is not None else []  # type: ignore[list-item]
        found = read_all(self._collections, tables.documents, *where, order=["first_seen", "key"])
        while batch := list(islice(found, 100)):
            talked = self._talked([row["thread"] for row in batch]) if posts else ()
            names = self._sources_of([row["key"] for row in batch])
            for row in batch:
                whole = self._if_readable(self._whole if row["thread"] in talked else self._alone, row)
                if whole:
                    yield with_sources(whole, names)

    def changes(self, after: int, *, limit: int = 100) -> list[Change]:
        """The entries of the log of changes whose numbers come after one, in order."""
        found = self._collections.find(tables.changes, ("number", ">", after), order=["number"], limit=limit)
        keys = [row["key"] for row in found]
        held = self._get(tables.documents, [(key,) for key in keys])
        names = self._sources_of(keys)
        return [self._change(row, held.get((row["key"],)), names) for row in found]

    def _change(self, entry: Row, row: Row | None, names: Mapping[str, tuple[str, ...]]) -> Change:
        stored = self._if_readable(self._whole, row) if row else None
        whole = with_sources(stored, names) if stored else None
        return Change(entry["number"], entry["key"], whole, is_damaged=row is not None and whole is None)

    def count_changes(self, after: int) -> int:
        """How many entries of the log come after a number."""
        return self._collections.count(tables.changes, ("number", ">", after)).total()

    def last_pages(self, keys: Sequence[str]) -> Mapping[str, LastPage]:
        """The last page of each of these threads, by the thread's key; that of an unknown one is missing."""
        last: dict[str, Row] = {}
        for row in sorted(self._with(tables.parts, "thread", keys), key=lambda row: (row["number"], row["page"])):
            last[row["thread"]] = row
        pages = self._get(tables.pages, [(row["page"],) for row in last.values()], ["etag", "modified"])
        numbers = dict(self._numbers_of_posts(last))
        return {
            thread: LastPage(
                row["url"],
                row["number"],
                datetime.fromisoformat(row["asked_at"]),
                numbers.get(thread, 0),
                pages[(row["page"],)]["etag"],
                pages[(row["page"],)]["modified"],
                self._latest_post(thread),
            )
            for thread, row in last.items()
            if (row["page"],) in pages
        }

    def _latest_post(self, thread: str) -> datetime | None:
        here = ("thread", "=", thread)
        found = self._collections.find(tables.posts, here, order=["-published"], limit=1, columns=["published"])
        return threads.in_a_zone(found[0]["published"]) if found else None

    def article_pages(self, urls: Sequence[str]) -> Mapping[str, str]:
        """All pages of the articles that some pages belong to, or may: their URLs, and those of their documents."""
        own = self._get(tables.article_pages, [(key_of(url),) for url in urls], ["article"])
        columns = ["article", "joined", "url"]
        found = list(self._with(tables.article_pages, "article", (row["article"] for row in own.values()), columns))
        firsts = {row["page"]: row["url"] for row in found if row["page"] == row["article"]}
        return {row["url"]: firsts[row["article"]] if row["joined"] else row["url"] for row in found}

    def thread_pages(self, url: str) -> list[str]:
        """The URLs of the pages of the thread under a URL, by number; empty where there is none."""
        found = self._with(tables.parts, "thread", [key_of(url)], ["number", "url"])
        return [row["url"] for row in sorted(found, key=lambda row: (row["number"], row["page"]))]

    def long_threads(self, run: int, *, posts_over: int) -> list[str]:
        """The URLs of the threads that a run saved last and that have more posts than so many."""
        held = read_all(self._collections, tables.documents, ("run", "=", run), columns=["url"])
        by_key = {row["key"]: row["url"] for row in held}
        return [by_key[key] for key, number in sorted(self._numbers_of_posts(by_key)) if number > posts_over]

    def sources(self, urls: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The sources that led to pages or documents, the first one first; a URL that none led to is missing."""
        by_key = {key_of(url): url for url in urls}
        return {by_key[key]: names for key, names in self._sources_of(list(by_key)).items()}

    def _sources_of(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return by key the sources of pages, and of all pages of documents."""
        pages: dict[str, set[str]] = {key: {key} for key in keys}
        for row in self._with(tables.parts, "thread", keys, ["thread"]):
            pages[row["thread"]].add(row["page"])
        for row in self._with(tables.article_pages, "article", keys, ["article", "joined"]):
            if row["joined"]:
                pages[row["article"]].add(row["page"])
        noted: dict[str, list[Row]] = defaultdict(list)
        for row in self._with(tables.page_sources, "page", {page for each in pages.values() for page in each}):
            noted[row["page"]].append(row)
        found: dict[str, dict[str, str]] = defaultdict(dict)  # when each source first led there
        for key, theirs in pages.items():
            for row in (row for page in theirs for row in noted.get(page, ())):
                found[key][row["source"]] = min(found[key].get(row["source"], row["at"]), row["at"])
        return {key: tuple(sorted(names, key=lambda name: (names[name], name))) for key, names in found.items()}

    def copies(self, url: str) -> list[str]:
        """The URLs of all documents that say what the one under a URL says, that one among them, the original first."""
        work = Work(self._collections)
        own = work.get(tables.copies, self._document_key(url))
        if own is None or (text := work.get(tables.texts, own["text"])) is None:
            return []
        keys = [row["key"] for row in keyed_copies.group_rows(work, text["copy_group"])]
        urls = self._get(tables.documents, [(key,) for key in keys], ["url"])
        named = [urls[(key,)]["url"] for key in keys if (key,) in urls]
        return [each for each in named if each is not None][:MAX_COPIES]

    def copy_groups(self, urls: Sequence[str]) -> Mapping[str, CopyGroup]:
        """Of which group some documents are, by their own URLs; one that has no copies is missing."""
        by_key = {key_of(url): url for url in urls}
        originals = self._get(tables.copies, [(key,) for key in by_key], ["original"])
        wanted = iter(sorted({row["original"] for row in originals.values()}))
        groups: dict[str, CopyGroup] = {}
        while chunk := list(islice(wanted, BATCH)):
            groups.update(keyed_copies.sizes(Work(self._collections), chunk))
        return {by_key[key]: groups[row["original"]] for (key,), row in originals.items() if row["original"] in groups}

    def copy_names(self, urls: Sequence[str]) -> Mapping[str, str]:
        """What the copies of each of some documents share, by their own URLs; missing if the text is too short."""
        by_key = {key_of(url): url for url in urls}
        return {by_key[key]: f"{group + 2**63:016x}" for key, group in self._groups(list(by_key)).items()}

    def _groups(self, keys: Sequence[str]) -> dict[str, int]:
        held = self._get(tables.copies, [(key,) for key in keys], ["text"])
        texts = self._get(tables.texts, [(row["text"],) for row in held.values()], ["copy_group"])
        return {key: texts[(row["text"],)]["copy_group"] for (key,), row in held.items() if (row["text"],) in texts}

    def moved_copies(self, urls: Sequence[str], since: datetime) -> list[str]:
        """The URLs of other documents in the groups of some, that came into them from another group since a time."""
        keys = [key_of(url) for url in urls]
        work, at = Work(self._collections), rows.time_text(since)
        theirs = [
            row for group in sorted({*self._groups(keys).values()}) for row in keyed_copies.group_rows(work, group)
        ]
        moved = [(row["key"],) for row in theirs if row["changed"] >= at and row["key"] not in keys]
        found = self._get(tables.documents, moved[:MAX_MOVED], ["url"]).values()
        return [row["url"] for row in found if row["url"] is not None]

    def originals(self, keys: Sequence[str]) -> Mapping[str, str]:
        """The key of the original of each of some documents, by key: its own for an original or one without copies."""
        held = self._get(tables.copies, [(key,) for key in keys], ["original"])
        return {key: held[(key,)]["original"] if (key,) in held else key for key in keys}

    def arrivals(self, since: datetime | None = None) -> Iterator[Arrival]:
        """The documents that were first seen since a time, in that order, without what they say."""
        after = [rows.time_text(since) if since else "", ""]
        order, columns = ["first_seen", "key"], ["url", "kind", "published"]
        for row in read_all(self._collections, tables.documents, order=order, after=after, columns=columns):
            published = datetime.fromisoformat(row["published"]) if row["published"] else None
            seen = datetime.fromisoformat(row["first_seen"])
            yield Arrival(row["key"], row["url"] or "", row["kind"], published, seen)

    def state(self, name: str) -> Mapping[str, Any] | None:
        """What was kept under a name; None when there is nothing, or it cannot be read any more."""
        found = self._get(tables.states, [(name,)])
        if not found:
            return None
        try:
            with rows.reading("state of", name):
                return dict(self._packer.unpack_json(found[(name,)]["content"]))
        except Damaged:
            return None

    def parameters(self, hosts: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The parameters of URLs that change nothing, by host; a host that has none is missing."""
        work = Work(self._collections)
        found = {host: keyed_copies.idle_parameters(work, host) for host in dict.fromkeys(hosts)}
        return {host: names for host, names in found.items() if names}

    def twins(self, stems: Mapping[str, str]) -> Mapping[str, str]:
        """Documents that are stored under the same URL but for parameters that change nothing."""
        return keyed_copies.twins_of(Work(self._collections), stems)

    def fates(self, url: str) -> list[Fate]:
        """Everything that became of a URL, newest first."""
        found = read_all(self._collections, tables.fates, ("key", "=", key_of(url)))
        return [rows.fate_of(row) for row in sorted(found, key=lambda row: (row["at"], row["run"]), reverse=True)]

    def visits(self, run: int, *, pages: bool = True, state: str = "", reason: str = "") -> Iterator[Visit]:
        """A run's URLs that were not refused, in the order in which they were settled, a few in memory at a time."""
        order = ["at", "key", "run"]
        asked = (row for row in read_all(self._collections, tables.fates, ("run", "=", run), order=order))
        wanted = {name: value for name, value in (("state", state), ("reason", reason)) if value}
        told = (row for row in asked if row["state"] != "refused" and wanted.items() <= row.items())
        while batch := list(islice(told, 20 if pages else 100)):
            keys = [(row["key"],) for row in batch]
            raw = (
                {(row["key"],): row for row in self._with_bodies(self._get(tables.pages, keys).values())}
                if pages
                else {}
            )
            parts = self._get(tables.parts, keys, ["thread"])
            of = {key: (parts[key]["thread"],) if key in parts else key for key in keys}
            documents = self._get(tables.documents, of.values(), ABOUT)
            for row in batch:
                about = documents.get(of[(row["key"],)]) or dict.fromkeys(ABOUT)
                yield self._visit(row, about, raw.get((row["key"],)))

    def _visit(self, fate: Row, about: Row, page: Row | None) -> Visit:
        raw = self._if_readable(self._page_of, page) if page else None
        row = {**about, **fate, "page_run": page["run"] if page else None}
        return rows.visit_of(row, raw, len(self._links(page)) if page else 0)

    def run(self, run: int) -> Run | None:
        """Look a run up; None when there is none of this number."""
        found = self._get(tables.runs, [(run,)])
        return rows.run_of(found[(run,)]) if found else None

    def runs(self, *, limit: int | None = None, state: RunState | None = None) -> list[Run]:
        """List runs, newest first: all of them, the first so many, those in one state."""
        where = [("state", "=", state.value)] if state else []
        found = self._collections.find(tables.runs, *where, order=["-id"], limit=limit)
        return [rows.run_of(row) for row in found]

    def robots(self, origin: str) -> Robots | None:
        """A host's robots.txt; None if it was never asked for."""
        found = self._get(tables.robots, [(storable(origin),)])
        return self._if_readable(rows.robots_of, next(iter(found.values())), self._packer) if found else None

    def _if_readable(self, read: Callable[..., T], *arguments: Any) -> T | None:
        """Return what is read; None, with a warning, when it is damaged: the rest is still good."""
        try:
            return read(*arguments)
        except Damaged as error:
            log.warning("skipped: %s; `thresher doctor --deep` lists what is damaged", error)
            return None


class Shelf:
    """Bodies and dictionaries as one piece of work sees them."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def versions(self, host: str) -> list[Row]:
        """The dictionaries of a host by number, without their content."""
        keys = [(host, number) for number in range(1, MOST + 1)]
        found = self._work.get_all(tables.dictionaries, keys, ["bodies", "hash"])
        return sorted(found.values(), key=lambda row: int(row["number"]))

    def dictionary(self, host: str, number: int) -> bytes:
        """The content of a dictionary; raise KeyError when there is none."""
        return bytes(self._work.get_all(tables.dictionaries, [(host, number)])[host, number]["content"])

    def count(self, host: str) -> int:
        """How many bodies of a host there are."""
        return self._work.count(tables.bodies, ("host", "=", host)).total()

    def sample(self, host: str, limit: int) -> list[Row]:
        """Some bodies of a host: those with the lowest hashes."""
        return self._work.some(tables.bodies, ("host", "=", host), order=["hash"], limit=limit)

    def add(self, dictionary: Row) -> None:
        """Keep a dictionary; whoever adds one of its host holds the host's lock."""
        self._work.put(tables.dictionaries, dictionary)
