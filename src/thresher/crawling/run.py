"""Conduct one run: offer its starts, work until the job is over or somebody stops it, and say how it ended."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from thresher import urls
from thresher.crawling import harvest
from thresher.crawling.books import Books
from thresher.crawling.corpus import Corpus, Means
from thresher.crawling.follower import Follow
from thresher.crawling.heartbeat import Heart, Limits, is_fresh
from thresher.crawling.holding import Overdue
from thresher.crawling.identity import is_dead, worker_name
from thresher.crawling.intake import Intake
from thresher.crawling.judge import MAX_REDIRECTS, Judge
from thresher.crawling.memories import Memories
from thresher.crawling.outage import wait_out
from thresher.crawling.pool import Pool
from thresher.crawling.reasons import NOT_PERMITTED, is_failure
from thresher.crawling.report import Report
from thresher.crawling.threads import index_long_threads
from thresher.crawling.worker import Task, Watcher, Worker
from thresher.discovery.links import priority_of
from thresher.discovery.scope import Scope
from thresher.errors import JobLost
from thresher.fetch.fetcher import fetch
from thresher.frontier.contract import Census, Frontier, Rules
from thresher.model import Link, Run, RunState
from thresher.store.contract import Store

log = logging.getLogger("thresher.crawl")


def conduct(corpus: Corpus, run: Run, means: Means, watcher: Watcher) -> Report:
    """Crawl until nothing is left, the limit is reached or a signal asks to stop; raise when the books break.

    When others still work on the run, it goes on without us.
    """
    frontier = corpus.frontier(run.job, means.rules)
    try:
        work(corpus, run, means, watcher)
        index_long_threads(corpus.store, corpus.index, run.id, datetime.now(UTC))
    finally:
        leave(corpus, run, means.rules)
    return report(corpus, run.id, frontier)


def work(
    corpus: Corpus, run: Run, means: Means, watcher: Watcher, limits: Limits | None = None, follow: Follow | None = None
) -> str:
    """Crawl as one of a run's workers until the job is over or the worker is to end; raise when the books break.

    With `follow` it is the worker of a watch. Answer what ended it: "drain", "stop" or "recycle" (see heartbeat.py),
    empty when the job is over.
    """
    frontier = corpus.frontier(run.job, means.rules)
    books = Books(frontier, corpus.store, corpus.index, corpus.together, apart=corpus.apart)
    heart = Heart(corpus.overseer(run.job, means.rules), worker_name(), limits or Limits())
    pool = Pool(
        harvest.answer,
        means.extractors,
        timeout_s=means.extract_timeout_s,
        memory_bytes=means.extract_memory_bytes,
        probe=harvest.request(harvest.PROBE, Link(harvest.PROBE.url), run.options.get("algorithm")),
    )
    try:
        worker = wait_out(lambda: _worker(books, pool, run, means, heart, follow))
        worker.watcher = watcher
        fetch(worker, means.fetching.starting_at(run.starts))
    except Overdue as error:
        log.warning("%s", error)
    finally:
        pool.close()
        books.close()
    if isinstance(worker.error, JobLost):
        leave(corpus, run, means.rules)
    if worker.error:
        raise worker.error
    return heart.order


def enqueue(corpus: Corpus, run: Run, means: Means) -> Census:
    """Offer a run's starts and leave the work to others; answer what waits."""
    frontier = corpus.frontier(run.job, means.rules)
    books = Books(frontier, corpus.store, corpus.index, corpus.together)
    _intake(books, run)
    books.close()
    corpus.store.end_run(run.id, RunState.RUNNING, datetime.now(UTC))
    return frontier.census()


def leave(corpus: Corpus, run: Run, rules: Rules) -> None:
    """Note how a run stands when we work on it no more: finished, interrupted, or in the hands of others."""
    if run.job in corpus.jobs():
        beats = corpus.overseer(run.job, rules).beats()
        others = any(is_fresh(beat) and beat.worker != worker_name() for beat in beats)
        if close_if_over(corpus.store, corpus.frontier(run.job, rules), run) or others:
            return
    corpus.store.end_run(run.id, RunState.INTERRUPTED, datetime.now(UTC))


def close_if_over(store: Store, frontier: Frontier, run: Run) -> bool:
    """Note that a run is finished when nothing of it is left to do; answer whether it is."""
    over = is_over(frontier)
    if over:
        store.end_run(run.id, RunState.FINISHED, datetime.now(UTC))
    return over


def is_over(frontier: Frontier) -> bool:
    """Say whether nothing of a run is left to do, nothing that the frontier may have lost either."""
    return frontier.due_in_s() is None and not frontier.loss()


def report(corpus: Corpus, run_id: int, frontier: Frontier) -> Report:
    """Read from the rows how a run stands."""
    run = corpus.store.run(run_id)
    assert run, f"run {run_id} was just written"
    return Report(run, corpus.store.tally(run_id), frontier.census(), _failed_starts(corpus.store, run))


def _failed_starts(store: Store, run: Run) -> dict[str, str]:
    """Return the starts that failed, or that we may not fetch, themselves or where they redirect to."""
    failed = {}
    for start in run.starts:
        last = next((fate for fate in store.fates(_redirected(start, store)[-1]) if fate.run == run.id), None)
        if last and (is_failure(last.state, last.reason) or last.reason in NOT_PERMITTED | {"not-html"}):
            failed[start] = last.reason
    return failed


def _worker(books: Books, pool: Pool, run: Run, means: Means, heart: Heart, follow: Follow | None) -> Worker:
    frontier, store = books.frontier, books.store
    # What dead workers held, and the process that we were before if it could not give it back, is lost.
    dead = [name for name in frontier.workers() if is_dead(name, shared=books.apart)]
    frontier.reap([*dead, worker_name()])
    follower = follow(books) if follow else None
    intake = follower.intake if follower else _intake(books, run)
    intake.comment_feeds = means.comment_feeds
    store.end_run(run.id, RunState.RUNNING, datetime.now(UTC))
    ahead = 3 * means.fetching.concurrency
    memories = Memories(store, run.id) if means.site_memory else None
    task = Task(
        worker_name(),
        ahead,
        means.rules.lease_s,
        algorithm=run.options.get("algorithm"),
        memories=memories,
        host_bytes=means.host_bytes,
        run_bytes=means.run_bytes,
        shortage=means.shortage,
        follower=follower,
    )
    judge = Judge(
        run.id,
        max_attempts=means.rules.max_attempts,
        require_date=means.require_date,
        scope=intake.scope,
        confidence=means.min_confidence,
    )
    return Worker(task, books, pool, intake=intake, judge=judge, heart=heart)


def _intake(books: Books, run: Run) -> Intake:
    """Return the gate of a run's links, with its starts taken in."""
    options: Mapping[str, Any] = run.options
    scope = _as_widened(Scope.from_json(options["scope"]), run, books.store)
    intake = Intake(books.frontier, books.store, run, scope, refresh=bool(options["refresh"]))
    why = "search" if options.get("search") else "start"
    starts = [Link(url, why=why, priority=priority_of(why, 0)) for url in run.starts]
    with books.together():
        intake.take(starts, run.started_at)
    return intake


def _as_widened(scope: Scope, run: Run, store: Store) -> Scope:
    """Widen the scope by the hosts that the starts were seen to redirect to."""
    for start in run.starts:
        for url in _redirected(start, store)[1:]:
            scope = scope.widened(urls.host_of(url))
    return scope


def _redirected(url: str, store: Store) -> list[str]:
    """Return a URL, and one after the other those that it was seen to redirect to."""
    chain = [url]
    while len(chain) <= MAX_REDIRECTS:
        onward = next((link.url for link in store.outlinks(chain[-1]) if link.why in ("redirect", "search")), None)
        if onward is None:
            break
        chain.append(onward)
    return chain
