"""Measure search: how fast documents are indexed, how long queries take, what is found, and whether indexes agree."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from sqlite3 import Connection

from thresher import sqlite
from thresher.errors import UsageError
from thresher.index.contract import Given, Index
from thresher.index.nodes import And, Query, Url, Words
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.postgresql import postgresql_index
from thresher.index.query import parse
from thresher.index.search_server import SearchServer
from thresher.index.sqlite import SqliteIndex
from thresher.lab.search_corpus import SITES, Prose, documents, words_of
from thresher.lab.servers import new_database, own_folder, own_postgresql, own_search_server

BATCH = 100  # documents added together, as a busy crawl does
SAMPLE = 2_000  # documents that words are taken from
DEEP = 100  # pages that deep paging goes down before it is timed
TIME_LIMIT_S = 60.0
Times = tuple[float, float]  # on the clock, on a core
NOW = datetime(2027, 1, 1, tzinfo=UTC)


@dataclass
class Measured:
    """What one index did."""

    name: str
    documents: int = 0
    indexing_s: float = 0.0
    size_bytes: int = 0
    times_ms: dict[str, list[float]] = field(default_factory=dict)
    cpu_ms: dict[str, list[float]] = field(default_factory=dict)  # of this process, which is all for an embedded index
    recalled: dict[str, tuple[int, int]] = field(default_factory=dict)  # found, of how many


@contextmanager
def fts5() -> Iterator[tuple[Index, Callable[[], int]]]:
    """Open an embedded index, and what tells its size."""
    with own_folder() as folder:
        connection = sqlite.connect(folder / "corpus.db")
        yield SqliteIndex(connection, time_limit_s=TIME_LIMIT_S), lambda: _sqlite_bytes(connection)
        connection.close()


def _sqlite_bytes(connection: Connection) -> int:
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages) * int(size)


@contextmanager
def postgresql() -> Iterator[tuple[Index, Callable[[], int]]]:
    """Run PostgreSQL with an index in it."""
    with own_postgresql() as server:
        index = postgresql_index(new_database(server, "search"), time_limit_s=TIME_LIMIT_S)
        yield index, index.size_bytes
        index.close()


@contextmanager
def opensearch() -> Iterator[tuple[Index, Callable[[], int]]]:
    """Run OpenSearch with an index in it."""
    with own_search_server("opensearch") as server:
        index = OpenSearchIndex(SearchServer(server.url), time_limit_s=TIME_LIMIT_S)
        yield index, index.size_bytes
        index.close()


BACKENDS = {"fts5": fts5, "postgresql": postgresql, "opensearch": opensearch}


def measure(name: str, prose: Prose, count: int, queries: int, recall: int, say: Callable[[str], None]) -> Measured:
    """Fill an index and ask it; documents and queries are the same for every index."""
    result = Measured(name, count)
    with BACKENDS[name]() as (index, size):
        result.indexing_s = _fill(index, documents(prose, count), say)
        result.size_bytes = size()
        sample = list(islice(documents(prose, count), SAMPLE))
        for kind, times in _times(index, sample, queries):
            say(f"{name}: {kind}")
            result.times_ms[kind] = [wall_ms for wall_ms, _ in times]
            result.cpu_ms[kind] = [cpu_ms for _, cpu_ms in times]
        for kind, texts in _pieces(sample, recall).items():
            say(f"{name}: {kind}")
            result.recalled[kind] = (sum(_is_found(index, *piece) for piece in texts), len(texts))
    return result


def disagreements(names: Sequence[str], prose: Prose, count: int, queries: int, seed: int = 7) -> list[str]:
    """Return the queries, of so many made at random, for which indexes of the same documents find different ones."""
    rng = random.Random(seed)
    sample = list(documents(prose, count))
    asked = [_any_query(sample, rng) for _ in range(queries)]
    answers: list[list[frozenset[str]]] = []
    for name in names:
        with BACKENDS[name]() as (index, _):
            _fill(index, iter(sample), lambda _: None)
            answers.append([frozenset(index.urls(parse(query, NOW))) for query in asked])
    return [query for query, *found in zip(asked, *answers, strict=True) if len(set(found)) > 1]


def _fill(index: Index, givens: Iterator[Given], say: Callable[[str], None]) -> float:
    spent_s, done = 0.0, 0
    while batch := list(islice(givens, BATCH)):
        started_s = time.perf_counter()
        by_run: dict[int | None, list[Given]] = {}
        for given in batch:
            by_run.setdefault(given.run, []).append(given)
        for run, some in by_run.items():
            index.add([given.document for given in some], some[0].seen_at, run=run)
        spent_s += time.perf_counter() - started_s
        done += len(batch)
        if done % 10_000 == 0:
            say(f"{done:,} documents in {spent_s:.0f} s")
    index.flush()
    return spent_s


def _times(index: Index, sample: Sequence[Given], queries: int) -> Iterator[tuple[str, list[Times]]]:
    rng = random.Random(3)
    words = [rng.choice(_words(sample, rng)) for _ in range(queries)]
    phrases = [_phrase(sample, rng) for _ in range(queries)]
    both = [f"{rng.choice(words)} ({rng.choice(words)} | {rng.choice(words)}) -{rng.choice(words)}" for _ in words]
    yield "word", _timed(words, lambda query: index.search(query, limit=10))
    yield "phrase", _timed(phrases, lambda query: index.search(query, limit=10))
    yield "boolean", _timed(both, lambda query: index.search(query, limit=10))
    yield "by date", _timed(words, lambda query: index.search(query, limit=10, sort="date"))
    yield "faceted", _timed(words, lambda query: (index.search(query, limit=10), index.facets(query)))
    yield "histogram", _timed(words, lambda query: index.facets(query, limit=1, unit="month"))
    yield "deep page", _deep(index)


def _timed(texts: Sequence[str], ask: Callable[[Query], object]) -> list[Times]:
    times = []
    for text in texts:
        query = parse(text, NOW)
        started = _clocks()
        ask(query)
        times.append(_since(started))
    return times


def _deep(index: Index) -> list[Times]:
    """Page through everything, and time the pages from DEEP on."""
    query, after, times = parse("", NOW), None, []
    for _ in range(2 * DEEP):
        started = _clocks()
        page = index.search(query, limit=10, sort="date", after=after)
        times.append(_since(started))
        after = page.next
        if after is None:
            break
    return times[DEEP:]


def _clocks() -> Times:
    return time.perf_counter(), time.process_time()


def _since(started: Times) -> Times:
    wall_s, cpu_s = _clocks()
    return (wall_s - started[0]) * 1_000, (cpu_s - started[1]) * 1_000


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
