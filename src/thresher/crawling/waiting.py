"""Waiting: a worker without a job gives signs of life until there is a run for it to join."""

import time
from collections.abc import Callable
from contextlib import suppress

from thresher.crawling.corpus import Corpus
from thresher.crawling.heartbeat import Heart, Limits
from thresher.crawling.identity import worker_name
from thresher.crawling.outage import wait_out
from thresher.errors import BackendError, UsageError
from thresher.frontier.contract import Rules
from thresher.model import Run, RunState
from thresher.model.run import WATCH

WAITING_JOB = "waiting"  # a job that never has links
LOOK_EVERY_S = 2.0


def run_named(corpus: Corpus, name: str) -> Run:
    """Return the run that "3", "run-3" or "watch" names; raise UsageError when there is none."""
    number = name.removeprefix("run-")
    run = corpus.store.run(int(number)) if number.isascii() and number.isdigit() and len(number) < 10 else None
    if name == WATCH:
        run = next((run for run in corpus.store.runs() if run.is_watch), None)
    if run is None:
        raise UsageError(f"there is no run {name!r}; `thresher runs list` lists them all")
    return run


def open_run(corpus: Corpus, *, watched: bool = False) -> Run | None:
    """Return the newest run that is not over and whose links are in this frontier; None when there is none.

    With `watched` that of the watch, if somebody began it, where there is no other: a crawl goes first, for it ends.
    """
    jobs = set(corpus.jobs())
    open_runs = [run for run in corpus.store.runs(state=RunState.RUNNING) if run.job in jobs]
    return next((run for run in sorted(open_runs, key=lambda run: run.is_watch) if watched or not run.is_watch), None)


def wait_for_run(corpus: Corpus, rules: Rules, sleep: Callable[[float], None] = time.sleep) -> Run | None:
    """Return the first run that there is to join; None when the worker is told to end before."""
    heart = wait_out(lambda: _heart(corpus, rules), sleep)
    try:
        while (run := wait_out(lambda: open_run(corpus, watched=True), sleep)) is None:
            wait_out(lambda: heart.beat("waiting", 0), sleep)
            if heart.order:
                return None
            sleep(LOOK_EVERY_S)
    finally:
        with suppress(BackendError):
            heart.retire()
    return None if heart.order else run


def _heart(corpus: Corpus, rules: Rules) -> Heart:
    corpus.frontier(WAITING_JOB, rules)
    return Heart(corpus.overseer(WAITING_JOB, rules), worker_name(), Limits())
