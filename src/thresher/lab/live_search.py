"""Measure search while others write: with nobody beside it, while documents are stored, while the index is rebuilt.

Whoever writes is a process of its own that opens the corpus as a crawl does: documents are saved and indexed in one
transaction where store and index share a database, through the backlog where the index is a search server.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.errors import ThresherError
from thresher.index.contract import Given
from thresher.index.nodes import Query
from thresher.index.query import parse
from thresher.lab.search_bench import NOW
from thresher.lab.search_corpus import Prose, documents, words_of
from thresher.lab.servers import new_database, own_folder, own_postgresql, own_search_server
from thresher.model import Fate
from thresher.store.contract import Record

BACKENDS = ("fts5", "postgresql", "opensearch")
BATCH = 10  # documents that are stored together
FACETS_EVERY = 5  # queries
SEED = 2  # of the documents that come while somebody searches; those before have another
CATCH_UP_S = 120.0  # for what was stored to be found
LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Terms:
    """How much there is at first, and how much is written how fast while somebody searches."""

    documents: int = 5_000
    written: int = 2_000
    per_s: float = 100.0
    idle_s: float = 20.0


@dataclass(slots=True)
class Phase:
    """The queries of a while."""

    name: str
    times_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(slots=True)
class Live:
    """What one index did."""

    name: str
    phases: list[Phase]
    written: int
    missing: int  # documents that were stored and cannot be found


def measure_live(name: str, prose: Prose, terms: Terms, say: Callable[[str], None] = lambda _: None) -> Live:
    """Search a corpus in each phase; raise ThresherError when a process that writes ends badly."""
    with _settings(name) as settings:
        say(f"{name}: storing {terms.documents:,} documents")
        _write(settings, prose, 1, terms.documents, 0.0)
        queries = _queries(prose)
        with _opened(settings) as corpus:
            _until_found(corpus, terms.documents)
            say(f"{name}: searching alone")
            ends_at = time.monotonic() + terms.idle_s
            phases = [_phase("alone", corpus, queries, lambda: time.monotonic() < ends_at)]
            say(f"{name}: searching while {terms.per_s:g} documents a second are stored")
            with _beside(_write, settings, prose, SEED, terms.written, terms.per_s) as writer:
                phases.append(_phase("while documents are stored", corpus, queries, writer.is_alive))
            say(f"{name}: searching while the index is rebuilt")
            with _beside(_rebuild, settings) as rebuilder:
                phases.append(_phase("while the index is rebuilt", corpus, queries, rebuilder.is_alive))
            missing = _until_found(corpus, terms.documents + terms.written)
    return Live(name, phases, terms.written, missing)


@contextmanager
def _settings(name: str) -> Iterator[Settings]:
    with ExitStack() as stack:
        settings = Settings(data=str(stack.enter_context(own_folder()) / "data"))
        if name == "postgresql":
            settings = replace(settings, store=new_database(stack.enter_context(own_postgresql()), "live"))
        if name == "opensearch":
            settings = replace(settings, index=f"{stack.enter_context(own_search_server('opensearch')).url}/live")
        yield settings


@contextmanager
def _opened(settings: Settings) -> Iterator[Corpus]:
    corpus = wiring.open_corpus(settings)
    try:
        yield corpus
    finally:
        corpus.close()


@contextmanager
def _beside(work: Callable[..., None], *arguments: Any) -> Iterator[BaseProcess]:
    process = get_context("spawn").Process(target=work, args=arguments, daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.join()
    if process.exitcode:
        raise ThresherError(f"the process that wrote beside the searches ended with {process.exitcode}")


def _write(settings: Settings, prose: Prose, seed: int, count: int, per_s: float) -> None:
    """Store documents as a crawl does, so many a second; 0: as fast as they can be."""
    with _opened(settings) as corpus:
        run = corpus.store.start_run(["https://www.site0.example/"], {}, NOW)
        given, began_s, done = documents(prose, count, seed), time.monotonic(), 0
        while batch := list(islice(given, BATCH)):
            if per_s:
                time.sleep(max(0.0, began_s + done / per_s - time.monotonic()))
            _store(corpus, batch, run.id, seed)
            done += len(batch)


def _store(corpus: Corpus, batch: Sequence[Given], run: int, seed: int) -> None:
    with corpus.together():
        stored = [replace(given.document, url=f"{given.document.url}-{seed}") for given in batch]
        for given, document in zip(batch, stored, strict=True):
            assert document.url
            fate = Fate(document.url, run, "stored", "article", given.seen_at, status=200)
            corpus.store.save(Record(fate, document=document))
        corpus.index.add(stored, batch[-1].seen_at, run=run)


def _rebuild(settings: Settings) -> None:
    with _opened(settings) as corpus:
        found = corpus.store.stored(posts=False)
        given = (Given(each.key, each.document, each.first_seen, each.run) for each in found)
        for _ in corpus.index.rebuild(given):
            pass


def _queries(prose: Prose) -> list[Query]:
    rng = random.Random(3)
    words = [word for given in documents(prose, 100) for word in words_of(given, rng)]
    return [parse(f'"{word}"' if rng.random() < 0.3 else word, NOW) for word in rng.choices(words, k=500)]


def _phase(name: str, corpus: Corpus, queries: Sequence[Query], goes_on: Callable[[], bool]) -> Phase:
    phase, began_s, number = Phase(name), time.perf_counter(), 0
    while goes_on() or not number:
        query = queries[number % len(queries)]
        asked_s = time.perf_counter()
        try:
            corpus.index.search(query, limit=10)
            if number % FACETS_EVERY == 0:
                corpus.index.facets(query)
        except ThresherError as error:
            phase.errors.append(str(error))
        phase.times_ms.append((time.perf_counter() - asked_s) * 1_000)
        number += 1
    phase.seconds = time.perf_counter() - began_s
    return phase


def _until_found(corpus: Corpus, expected: int) -> int:
    """Wait until so many documents can be found, a while at most; return how many cannot."""
    deadline_s = time.monotonic() + CATCH_UP_S
    while (missing := expected - corpus.index.count()) and time.monotonic() < deadline_s:
        time.sleep(LOOK_EVERY_S)
    return missing
