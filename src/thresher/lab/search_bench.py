"""Measure search: how fast documents are indexed, how long queries take, what is found, and whether indexes agree."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from sqlite3 import Connection
from typing import TypeVar

from thresher import sqlite
from thresher.errors import UsageError
from thresher.index.contract import Given, Index
from thresher.index.nodes import And, Query, Url, Words
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.postgresql import postgresql_index
from thresher.index.query import parse
from thresher.index.sqlite import SqliteIndex
from thresher.lab.search_corpus import SITES, Prose, documents, words_of
from thresher.lab.servers import new_database, own_folder, own_postgresql, own_search_server, tree_cpu_s
from thresher.search_server import SearchServer

BATCH = 100  # documents added together, as a busy crawl does
ADDED = 2_000  # documents, at most, that come after those of a rebuild, into a full index
TOLD_EVERY = 10_000  # documents
SAMPLE = 2_000  # documents that words are taken from
DEEP = 100  # pages that deep paging goes down before it is timed
TIME_LIMIT_S = 60.0
Times = tuple[float, float]  # seconds on the clock, and of CPU
T = TypeVar("T")
NOW = datetime(2027, 1, 1, tzinfo=UTC)


# About what the JVM of OpenSearch may take; and a log that is not emptied all the time while so much is written.
POSTGRESQL = ("shared_buffers=256MB", "max_wal_size=4GB", "maintenance_work_mem=128MB")


@dataclass
class Measured:
    """What one index of some size did; CPU is that of this process and of the server's processes."""

    name: str
    documents: int
    rebuilt: "Filled"
    added: "Filled"
    size_bytes: int = 0
    times_ms: dict[str, list[float]] = field(default_factory=dict)
    cpu_ms: dict[str, list[float]] = field(default_factory=dict)
    recalled: dict[str, tuple[int, int]] = field(default_factory=dict)  # found, of how many


@dataclass(frozen=True, slots=True)
class Filled:
    """How many documents came into an index in one way, and what that took, without the making of them."""

    documents: int
    wall_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Opened:
    """An empty index; what tells its size and the CPU seconds of its server; and what a quiet night does to it."""

    index: Index
    size_bytes: Callable[[], int]
    server_s: Callable[[], float] = lambda: 0.0
    settle: Callable[[], None] = lambda: None


@contextmanager
def fts5() -> Iterator[Opened]:
    """Open an embedded index."""
    with own_folder() as folder:
        connection = sqlite.connect(folder / "corpus.db")
        yield Opened(SqliteIndex(connection, time_limit_s=TIME_LIMIT_S), lambda: _sqlite_bytes(connection))
        connection.close()


def _sqlite_bytes(connection: Connection) -> int:
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages) * int(size)


@contextmanager
def postgresql() -> Iterator[Opened]:
    """Run PostgreSQL with an index in it."""
    with own_postgresql(*POSTGRESQL) as server:
        index = postgresql_index(new_database(server, "search"), time_limit_s=TIME_LIMIT_S)
        yield Opened(index, index.size_bytes, lambda: tree_cpu_s(server.pid), index.tidy)
        index.close()


@contextmanager
def opensearch() -> Iterator[Opened]:
    """Run OpenSearch with an index in it."""
    with own_search_server("opensearch", lasting=True) as server:
        index = OpenSearchIndex(SearchServer(server.url), time_limit_s=TIME_LIMIT_S)
        yield Opened(index, index.size_bytes, lambda: tree_cpu_s(server.pid))
        index.close()


BACKENDS = {"fts5": fts5, "postgresql": postgresql, "opensearch": opensearch}


def measure(
    name: str, prose: Prose, sizes: Sequence[int], queries: int, recall: int, say: Callable[[str], None]
) -> Iterator[Measured]:
    """Fill an index and ask it at each of some sizes; documents and queries are the same for every index.

    Most documents of the first size come as a rebuild gives them, all others as a crawl does.
    """

    def told(text: str) -> None:
        say(f"{name}: {text}")

    with BACKENDS[name]() as opened:
        index, clocks = opened.index, Clocks(opened.server_s)
        givens, done = documents(prose, max(sizes)), min(sizes) - min(ADDED, min(sizes) // 10)
        rebuilt = _fill(index.rebuild, islice(givens, done), clocks, told)
        for size in sorted(sizes):
            added = _fill(partial(_add, index), islice(givens, size - done), clocks, told)
            done = size
            opened.settle()
            result = Measured(name, size, rebuilt, added, opened.size_bytes())
            apart = max(1, size // SAMPLE)
            sample = [given for number, given in enumerate(documents(prose, size)) if not number % apart]
            _ask(index, result, sample, queries, recall, clocks, say)
            yield result


def _ask(
    index: Index,
    result: Measured,
    sample: Sequence[Given],
    queries: int,
    recall: int,
    clocks: "Clocks",
    say: Callable[[str], None],
) -> None:
    for kind, times in _times(index, sample, queries, clocks):
        say(f"{result.name}: {kind}")
        result.times_ms[kind] = [wall_s * 1_000 for wall_s, _ in times]
        result.cpu_ms[kind] = [cpu_s * 1_000 for _, cpu_s in times]
    for kind, texts in _pieces(sample, recall).items():
        say(f"{result.name}: {kind}")
        result.recalled[kind] = (sum(_is_found(index, *piece) for piece in texts), len(texts))


def disagreements(names: Sequence[str], prose: Prose, count: int, queries: int, seed: int = 7) -> list[str]:
    """Return the queries, of so many made at random, for which indexes of the same documents find different ones."""
    rng = random.Random(seed)
    sample = list(documents(prose, count))
    asked = [_any_query(sample, rng) for _ in range(queries)]
    answers: list[list[frozenset[str]]] = []
    for name in names:
        with BACKENDS[name]() as opened:
            for _ in opened.index.rebuild(iter(sample)):
                pass
            answers.append([frozenset(opened.index.urls(parse(query, NOW))) for query in asked])
    return [query for query, *found in zip(asked, *answers, strict=True) if len(set(found)) > 1]


class Clocks:
    """Seconds on the clock, and of CPU in this process and the server's."""

    def __init__(self, server_s: Callable[[], float]) -> None:
        self._server_s = server_s

    def now(self) -> tuple[float, float, float]:
        """Return what `since` is asked with; to read the server's clock is none of what is measured."""
        server_s = self._server_s()
        return time.perf_counter(), time.process_time(), server_s

    def since(self, started: tuple[float, float, float]) -> Times:
        """Return what has passed since then."""
        wall_s, own_s = time.perf_counter() - started[0], time.process_time() - started[1]
        return wall_s, own_s + self._server_s() - started[2]


class Making:
    """Documents as they are made, and how long that has taken."""

    def __init__(self, givens: Iterator[Given]) -> None:
        self._givens = givens
        self.wall_s = self.cpu_s = 0.0

    def __iter__(self) -> Iterator[Given]:
        while True:
            wall_s, cpu_s = time.perf_counter(), time.process_time()
            given = next(self._givens, None)
            self.wall_s += time.perf_counter() - wall_s
            self.cpu_s += time.process_time() - cpu_s
            if given is None:
                return
            yield given


def _fill(
    put: Callable[[Iterator[Given]], Iterator[int]], givens: Iterator[Given], clocks: Clocks, say: Callable[[str], None]
) -> Filled:
    """Let documents be put into an index."""
    making, started, done, told = Making(givens), clocks.now(), 0, 0
    for count in put(iter(making)):
        done += count
        if done - told >= TOLD_EVERY:
            told, passed = done, clocks.since(started)
            say(f"{done:,} documents in {passed[0] - making.wall_s:.0f} s, {passed[1] - making.cpu_s:.0f} s of CPU")
    passed = clocks.since(started)
    return Filled(done, passed[0] - making.wall_s, passed[1] - making.cpu_s)


def _add(index: Index, givens: Iterator[Given]) -> Iterator[int]:
    """Add documents as a busy crawl does, until they can be found."""
    while batch := list(islice(givens, BATCH)):
        by_run: dict[int | None, list[Given]] = {}
        for given in batch:
            by_run.setdefault(given.run, []).append(given)
        for run, some in by_run.items():
            index.add([given.document for given in some], some[0].seen_at, run=run)
        yield len(batch)
    index.flush()


def _times(index: Index, sample: Sequence[Given], queries: int, clocks: Clocks) -> Iterator[tuple[str, list[Times]]]:
    rng = random.Random(3)
    words = [rng.choice(_words(sample, rng)) for _ in range(queries)]
    phrases = [_phrase(sample, rng) for _ in range(queries)]
    both = [f"{rng.choice(words)} ({rng.choice(words)} | {rng.choice(words)}) -{rng.choice(words)}" for _ in words]

    def _timed(texts: Sequence[str], ask: Callable[[Query], object]) -> list[Times]:
        return [_once(partial(ask, parse(text, NOW)), clocks)[1] for text in texts]

    yield "word", _timed(words, lambda query: index.search(query, limit=10))
    yield "phrase", _timed(phrases, lambda query: index.search(query, limit=10))
    yield "boolean", _timed(both, lambda query: index.search(query, limit=10))
    yield "by date", _timed(words, lambda query: index.search(query, limit=10, sort="date"))
    yield "faceted", _timed(words, lambda query: (index.search(query, limit=10), index.facets(query)))
    yield "histogram", _timed(words, lambda query: index.facets(query, limit=1, unit="month"))
    yield "deep page", _deep(index, clocks)


def _deep(index: Index, clocks: Clocks) -> list[Times]:
    """Page through everything, and time the pages from DEEP on."""
    query, after, times = parse("", NOW), None, []
    for _ in range(2 * DEEP):
        page, passed = _once(partial(index.search, query, limit=10, sort="date", after=after), clocks)
        times.append(passed)
        after = page.next
        if after is None:
            break
    return times[DEEP:]


def _once(ask: Callable[[], T], clocks: Clocks) -> tuple[T, Times]:
    started = clocks.now()
    answer = ask()
    return answer, clocks.since(started)


def _words(sample: Sequence[Given], rng: random.Random) -> list[str]:
    found: list[str] = []
    while len(found) < 5:
        found = words_of(rng.choice(sample), rng)
    return found


def _phrase(sample: Sequence[Given], rng: random.Random) -> str:
    given = rng.choice(sample)
    runs = [run for line in given.document.text.split("\n") for run in line.split() if run.isalpha()]
    if given.document.language == "zh" or len(runs) < 3:
        return f'"{_substring(sample, rng)[0]}"'
    start = rng.randrange(len(runs) - 2)
    return f'"{" ".join(runs[start : start + rng.randint(2, 3)])}"'


def _substring(sample: Sequence[Given], rng: random.Random) -> tuple[str, Given]:
    """Return two to six Chinese characters that follow each other somewhere, and where."""
    while True:
        given = rng.choice(sample)
        text, start = given.document.text, rng.randrange(max(1, len(given.document.text) - 6))
        piece = text[start : start + rng.randint(2, 6)]
        if len(piece) > 1 and all("\u4e00" <= char <= "\u9fff" for char in piece):
            return piece, given


def _pieces(sample: Sequence[Given], count: int) -> dict[str, list[tuple[str, Given]]]:
    rng = random.Random(11)
    words: list[tuple[str, Given]] = []
    while len(words) < count:
        given = rng.choice(sample)
        latin = [word for word in given.document.text.split() if word.isascii() and word.isalnum()]
        if latin:
            words.append((rng.choice(latin), given))
    return {"Chinese substrings": [_substring(sample, rng) for _ in range(count)], "words": words}


def _is_found(index: Index, text: str, given: Given) -> bool:
    assert given.document.url
    return index.total(Query(And((Words(text), Url(given.document.url, whole=True))))) == 1


def _any_query(sample: Sequence[Given], rng: random.Random) -> str:
    """Return a query that can be read: words, phrases, prefixes, NEAR, fields, and, or, not."""
    while True:
        text = rng.choice([" ", " ", " | "]).join(
            rng.choice(["", "", "-"]) + _any_term(sample, rng) for _ in range(rng.randint(1, 3))
        )
        with suppress(UsageError):
            parse(text, NOW)
            return text


def _any_term(sample: Sequence[Given], rng: random.Random) -> str:
    word, other = (rng.choice(_words(sample, rng)) for _ in range(2))
    facts = [f"site:site{rng.randrange(SITES)}.example", "lang:zh", "date:2024", "run:2", "has:author", "is:duplicate"]
    facts += [f"source:source-{rng.randrange(60)}", "len:>1000", f"url:{rng.randrange(100)}", "-has:date"]
    terms = [word, word, f"{word[:4]}*", f"title:{word}", _phrase(sample, rng), f"{word} NEAR/5 {other}"]
    terms += [word[0], rng.choice(facts), f"({other} | {rng.choice(facts)})"]
    return rng.choice(terms)
