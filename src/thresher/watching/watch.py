"""Watch: work for the sources of a catalog, for ever or until nothing is due."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from thresher.crawling.books import Books
from thresher.crawling.corpus import Corpus, Means
from thresher.crawling.heartbeat import RECYCLE, Limits, is_fresh
from thresher.crawling.identity import worker_name
from thresher.crawling.outage import wait_out
from thresher.crawling.run import work
from thresher.crawling.worker import Watcher
from thresher.frontier.contract import Rules
from thresher.model import Run, RunState
from thresher.model.run import WATCH
from thresher.watching.clock import Clock
from thresher.watching.follower import SourceFollower
from thresher.watching.schedule import Habits

ATTEMPTS = 15  # with waits that double from 5 seconds: given up after 17 hours, for a list may show a page only once
BACKOFF_CAP_S = 6 * 3_600.0
ANY_NUMBER = 1 << 62  # of pages of a host: a source is followed for years
OPTIONS: dict[str, Any] = {"job": WATCH, "limit": None, "refresh": False, "algorithm": None, "means": {}}


def watch(corpus: Corpus, means: Means, habits: Habits, watcher: Watcher, limits: Limits | None = None) -> str:
    """Follow the sources until the worker is told to end; answer what ended it (see `work`).

    A clock that goes faster begins when the watch was opened: processes that are started later go by the same time.
    """
    run = _joined(corpus) if habits.once else wait_out(lambda: _joined(corpus))
    clock = Clock(habits.speed, run.started_at) if habits.speed != 1 else Clock()
    means = replace(
        means,
        rules=_patient(means.rules),
        fetching=means.fetching.starting_at(_addresses(corpus)),
        run_bytes=0,
        host_bytes=0,
    )

    def follow(books: Books) -> SourceFollower:
        with books.together():
            follower = SourceFollower(books, corpus.catalog(), run, habits, clock)
        if not habits.once:
            follower.needs_restart = lambda: _has_other_ports(means, follower.addresses())
        return follower

    order = work(corpus, run, means, watcher, limits, follow)
    if order != RECYCLE:
        _leave(corpus, run, means)
    return order


def _has_other_ports(means: Means, addresses: Sequence[str]) -> bool:
    """Say whether sources are asked at ports that were not known when the work began: they are after a restart."""
    allowed, wanted = means.fetching.allowed_ports, means.fetching.starting_at(addresses).allowed_ports
    return bool(allowed and wanted and wanted - allowed)


def _patient(rules: Rules) -> Rules:
    """Return rules for links that are wanted once they are found, however many, and though their site is down."""
    attempts, cap_s = max(rules.max_attempts, ATTEMPTS), max(rules.backoff_cap_s, BACKOFF_CAP_S)
    return replace(rules, host_pages=ANY_NUMBER, limit=None, max_attempts=attempts, backoff_cap_s=cap_s)


def _joined(corpus: Corpus) -> Run:
    """Return the run of the watch; raise BackendError while the frontier is away."""
    corpus.jobs()
    return run_of(corpus)


def run_of(corpus: Corpus) -> Run:
    """Return the one run of the watch, which is opened where there is none."""
    known = _oldest(corpus)
    if known is None:
        opened = corpus.store.start_run([], OPTIONS, datetime.now(UTC))
        known = _oldest(corpus) or opened
        if known.id != opened.id:  # somebody else opened it at the same moment
            corpus.store.end_run(opened.id, RunState.FINISHED, datetime.now(UTC))
    return known


def _oldest(corpus: Corpus) -> Run | None:
    return min((run for run in corpus.store.runs() if run.is_watch), key=lambda run: run.id, default=None)


def _addresses(corpus: Corpus) -> list[str]:
    """Return where sources are asked: their ports are allowed, as those of the starts of a crawl are."""
    catalog = corpus.catalog()
    own = [source.address for source in catalog.sources() if source.address]
    return [*own, *(endpoint.url for endpoint in catalog.endpoints())]


def _leave(corpus: Corpus, run: Run, means: Means) -> None:
    """Note that nobody watches any more, unless somebody else does."""
    beats = corpus.overseer(run.job, means.rules).beats() if run.job in corpus.jobs() else []
    if not any(is_fresh(beat) and beat.worker != worker_name() for beat in beats):
        corpus.store.end_run(run.id, RunState.FINISHED, datetime.now(UTC))
