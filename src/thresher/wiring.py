"""Wiring: turns settings into backends and into the plain arguments that the stages take."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from thresher import sqlite
from thresher.catalog.accounts import Accounts
from thresher.catalog.alerts import Alerts
from thresher.catalog.contract import Catalog
from thresher.catalog.sql import server_catalog, sqlite_catalog
from thresher.catalog.sql_accounts import server_accounts, sqlite_accounts
from thresher.catalog.sql_alerts import server_alerts, sqlite_alerts
from thresher.config import DOCUMENTS, MYSQL, POSTGRESQL, SQLITE, Settings
from thresher.crawling.corpus import Corpus, Means
from thresher.crawling.disk import shortage
from thresher.crawling.pool import cores
from thresher.errors import NothingCollected
from thresher.fetch.contract import FetchOptions, Manner
from thresher.fetch.guard import USUAL_PORTS
from thresher.frontier.contract import Rules
from thresher.frontier.jobs import open_standings as redis_standings
from thresher.frontier.redis import RedisFrontier, Seen
from thresher.frontier.redis_overseer import RedisOverseer, redis_jobs
from thresher.frontier.sqlite import SqliteFrontier, open_standings
from thresher.frontier.sqlite_overseer import SqliteOverseer, sqlite_jobs
from thresher.index.contract import Index
from thresher.index.sqlite import SqliteIndex
from thresher.index.stems import Stems
from thresher.indexes import backlogged_index, index_beside_documents, shared_index
from thresher.model.credentials import read_credentials
from thresher.queues import LOCAL, redis_server
from thresher.sinks import carry_beside
from thresher.store.contract import Store
from thresher.store.servers import server_store
from thresher.store.sql import sqlite_store
from thresher.urls.secrets import masked
from thresher.watching.schedule import Bounds, Habits


def open_corpus(settings: Settings, *, create: bool = True, lean: bool = False) -> Corpus:
    """Open the corpus that the settings name; raise NothingCollected when there is none and none is to be made.

    `lean` is for a process that opens it many times: each holds little of the embedded database in memory.
    """
    if settings.store_url.startswith((*POSTGRESQL, *MYSQL, *DOCUMENTS)):
        corpus = _beside_a_server(settings)
    else:
        corpus = _embedded(settings, create=create, lean=lean)
    corpus = replace(corpus, close=partial(_close, corpus))
    if settings.catalog_url != settings.store_url or not settings.store_url.startswith(SQLITE):
        corpus = _with_catalog(corpus, settings)
    if create and settings.sinks:
        corpus = _with_sinks(corpus, settings)
    return _with_redis(corpus, settings) if settings.frontier else corpus


def _with_sinks(corpus: Corpus, settings: Settings) -> Corpus:
    """Carry what changes to the sinks, in a thread, until the corpus is closed."""
    end = carry_beside(settings)

    def close() -> None:
        end()
        corpus.close()

    return replace(corpus, close=close)


def open_catalog(settings: Settings, *, create: bool = True) -> Catalog:
    """Open the catalog of sources alone; raise NothingCollected when there is none and none is to be made."""
    url = settings.catalog_url
    if not url.startswith(SQLITE):
        return server_catalog(url)
    path = Path(url.removeprefix(SQLITE))
    if not create and not path.exists():
        raise NothingCollected(f"there is no source in {path.parent} yet; add one with `thresher sources add URL`")
    connection = sqlite.connect(path, parents=True)
    return sqlite_catalog(connection, connection.close)


def open_alerts(settings: Settings) -> Alerts:
    """Open saved searches and alerts alone, in the database of the catalog; make it where it is not there."""
    url = settings.catalog_url
    if not url.startswith(SQLITE):
        return server_alerts(url)
    connection = sqlite.connect(Path(url.removeprefix(SQLITE)), parents=True)
    return sqlite_alerts(connection, connection.close)


def open_accounts(settings: Settings) -> Accounts:
    """Open the accounts of the web application, which are in the database of the catalog; make it where it is not."""
    url = settings.catalog_url
    if not url.startswith(SQLITE):
        return server_accounts(url)
    connection = sqlite.connect(Path(url.removeprefix(SQLITE)), parents=True)
    return sqlite_accounts(connection, connection.close)


def search_note(settings: Settings, found: int) -> str | None:
    """Say what a search may have missed in an index that holds so many documents; None when it misses nothing."""
    if found or (settings.store_url.startswith(SQLITE) and not settings.index):
        return None
    return "the index is empty; if the store holds documents, `thresher reindex` makes them searchable"


def _beside_a_server(settings: Settings) -> Corpus:
    """Open store and index that machines share, with a frontier of this machine alone."""
    store, close_store = server_store(settings.store_url)
    local = Path(settings.data) / LOCAL
    connection = sqlite.connect(local, parents=True)
    if settings.store_url.startswith(DOCUMENTS):
        shared = index_beside_documents(connection, local, settings) if settings.index else None
    else:
        shared = shared_index(settings)

    def close() -> None:
        connection.close()
        close_store()

    return Corpus(
        store=store,
        index=shared or _own_index(connection, settings),
        together=lambda: sqlite.atomic(connection),
        frontier=lambda job, rules: SqliteFrontier(connection, job, rules),
        jobs=lambda: sqlite_jobs(connection),
        overseer=lambda job, rules: SqliteOverseer(connection, job, rules),
        standings=lambda url: open_standings(connection, url),
        catalog=lambda: open_catalog(settings),
        alerts=lambda: open_alerts(settings),
        close=close,
        faults=lambda: sqlite.faults(connection),
    )


def _with_catalog(corpus: Corpus, settings: Settings) -> Corpus:
    """Put a catalog with connections of its own in place of one that is part of the store; it is opened when needed.

    The book of alerts is beside it.
    """
    opened = cache(lambda: open_catalog(settings))
    alerts = cache(lambda: open_alerts(settings))

    def close() -> None:
        for part in (opened, alerts):
            if part.cache_info().currsize:
                part().close()
        corpus.close()

    return replace(corpus, catalog=opened, alerts=alerts, close=close)


def _with_redis(corpus: Corpus, settings: Settings) -> Corpus:
    """Put the frontier that workers share in place of the embedded one."""
    server = redis_server(settings)
    seen = Seen(settings.seen, settings.bloom_capacity, settings.bloom_error_rate)

    def close() -> None:
        server.close()
        corpus.close()

    return replace(
        corpus,
        together=nullcontext,  # no transaction spans two servers: what is written in order is safe
        frontier=lambda job, rules: RedisFrontier(server, job, rules, seen=seen),
        jobs=lambda: redis_jobs(server),
        overseer=lambda job, rules: RedisOverseer(server, job, rules),
        standings=lambda url: redis_standings(server, url),
        close=close,
        apart=True,
    )


def check_frontier(settings: Settings) -> str:
    """Ask the Redis that is set whether it can be used, and return where it is; raise BackendError when it cannot."""
    server = redis_server(settings)
    try:
        server.check()
    finally:
        server.close()
    return masked(settings.frontier)


def _close(corpus: Corpus) -> None:
    corpus.index.close()
    corpus.close()


def _own_index(connection: sqlite3.Connection, settings: Settings) -> SqliteIndex:
    return SqliteIndex(connection, stems=Stems(settings.stemming), time_limit_s=settings.search_timeout_s)


def _embedded(settings: Settings, *, create: bool, lean: bool) -> Corpus:
    """Open frontier, store and index in one database file, so that a landing is one transaction."""
    path = Path(settings.store_url.removeprefix(SQLITE))
    if not create and not path.exists():
        raise NothingCollected(f"nothing was collected in {path.parent} yet; start with `thresher crawl URL`")
    connection = sqlite.connect(path, lean=lean, parents=True)
    return Corpus(
        store=sqlite_store(connection),
        index=backlogged_index(connection, settings) if settings.index else _own_index(connection, settings),
        together=lambda: sqlite.atomic(connection),
        frontier=lambda job, rules: SqliteFrontier(connection, job, rules),
        jobs=lambda: sqlite_jobs(connection),
        overseer=lambda job, rules: SqliteOverseer(connection, job, rules),
        standings=lambda url: open_standings(connection, url),
        catalog=lambda: sqlite_catalog(connection),
        alerts=cache(lambda: sqlite_alerts(connection)),
        close=connection.close,
        faults=lambda: sqlite.faults(connection),
    )


@contextmanager
def scratch_index(settings: Settings) -> Iterator[Index]:
    """Give an empty index in memory that finds what the corpus's own would; it is gone with the block."""
    with closing(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)) as connection:
        yield _own_index(connection, settings)


@contextmanager
def scratch_store() -> Iterator[Store]:
    """Give an empty store in memory; it is gone with the block."""
    with closing(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)) as connection:
        yield sqlite_store(connection)


def means(settings: Settings, *, limit: int | None = None) -> Means:
    """Translate the settings into what a run is carried out with."""
    return Means(
        rules=rules(settings, limit=limit),
        fetching=fetch_options(settings),
        extractors=settings.extractors or cores(),
        extract_timeout_s=settings.extract_timeout_s,
        extract_memory_bytes=settings.extract_memory_bytes,
        require_date=settings.require_date,
        min_confidence=settings.min_confidence,
        site_memory=settings.site_memory,
        comment_feeds=settings.comment_feeds,
        host_bytes=settings.host_bytes,
        run_bytes=settings.run_bytes,
        shortage=lambda: shortage(Path(settings.data), settings.disk_reserve_bytes),
    )


def habits(settings: Settings, *, once: bool = False) -> Habits:
    """Translate the settings into how sources are followed; `once`: until nothing is due any more."""
    shortest_s = min(settings.shortest_interval_s, settings.longest_interval_s)
    return Habits(
        bounds=Bounds(shortest_s=shortest_s, longest_s=settings.longest_interval_s),
        checks_s=tuple(sorted(3_600 * float(hours) for hours in settings.recheck_h.split(",") if hours.strip())),
        once=once,
        speed=settings.watch_speed,
    )


def rules(settings: Settings, *, limit: int | None = None) -> Rules:
    """Translate the settings into the frontier's rules; without a delay, hosts take all the concurrency there is."""
    per_host = settings.concurrency if settings.delay_s == 0 else settings.host_concurrency
    return Rules(
        delay_s=settings.delay_s,
        host_concurrency=max(per_host, settings.host_concurrency),
        lease_s=settings.lease_s,
        max_attempts=settings.max_attempts,
        backoff_s=settings.backoff_s,
        crawl_delay_cap_s=settings.crawl_delay_cap_s,
        limit=limit,
        host_pages=settings.host_pages,
        site_hosts=settings.site_hosts,
        barren_pages=settings.barren_pages,
    )


def fetch_options(settings: Settings) -> FetchOptions:
    """Translate the settings into the fetcher's options."""
    return FetchOptions(
        user_agent=settings.user_agent,
        concurrency=settings.concurrency,
        timeout_s=settings.timeout_s,
        max_body_bytes=settings.max_body_bytes,
        allowed_addresses=settings.allowed_addresses,
        strict_addresses=settings.strict_addresses,
        allowed_ports=frozenset({*USUAL_PORTS.values(), *map(int, settings.allowed_ports)}),
        proxy=settings.proxy,
        credentials=read_credentials(settings.headers, settings.logins, settings.cookies),
        render=settings.render,
        render_pages=settings.render_pages,
        render_timeout_s=settings.render_timeout_s,
        manners=tuple(Manner(engine.pattern, engine.delay_s, engine.robots) for engine in settings.engines),
    )
