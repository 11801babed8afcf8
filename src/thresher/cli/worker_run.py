"""One worker process: waits for a run, works on it, and begins anew as a fresh process for the next."""

import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from types import FrameType
from typing import Any, NoReturn

import click

from thresher import tracing, wiring
from thresher.cli import exits, telemetry
from thresher.cli.options import places_in, settings
from thresher.cli.progress import Meter
from thresher.cli.terminal import TIMED, log_to_stderr, say
from thresher.crawling.corpus import Corpus
from thresher.crawling.heartbeat import DRAIN, STOP, Limits
from thresher.crawling.landing import Landing
from thresher.crawling.outage import wait_out
from thresher.crawling.run import close_if_over, is_over, work
from thresher.crawling.threads import index_long_threads
from thresher.crawling.waiting import open_run, run_named, wait_for_run
from thresher.errors import Unreachable, UsageError
from thresher.frontier.contract import Census, Rules
from thresher.model import Run, RunState
from thresher.watching.watch import watch

END_WITHIN_S = 17.0  # of a signal, whatever holds us up; what is not given back by then expires
SIGNALS = (signal.SIGTERM, signal.SIGINT)
log = logging.getLogger("thresher.worker")


class Watch:
    """Shows progress; once the worker was asked to end, sees to it that it does."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self.interrupted = False  # by a signal

    def landed(self, landing: Landing) -> None:
        """Show one more landing."""
        self._meter.landed(landing)

    def counted(self, census: Census) -> None:
        """Show how many links are left."""
        self._meter.counted(census)

    def draining(self) -> None:
        """Begin to count the seconds."""
        self.interrupted = True
        self._meter.draining()
        deadline = threading.Timer(END_WITHIN_S, os._exit, (exits.DONE,))  # a server that hangs keeps threads alive
        deadline.daemon = True
        deadline.start()


def serve(ctx: click.Context, flags: dict[str, Any]) -> int:
    """Work until there is nothing left to do or the worker is told to end; return the exit code."""
    log_to_stderr(TIMED)
    bury_children()
    before = {number: signal.signal(number, _leave) for number in SIGNALS}
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    try:
        order = _shift(ctx, flags)
    finally:
        for number, action in before.items():
            signal.signal(number, action)
    return exits.DONE if order in (DRAIN, STOP) else restart()


def _shift(ctx: click.Context, flags: dict[str, Any]) -> str:
    """Join one run and work on it; answer "drain" or "stop" when the worker is to end, otherwise it begins anew."""
    chosen = settings(ctx, **places_in(flags))
    corpus = wait_out(lambda: wiring.open_corpus(chosen))
    telemetry.begin(chosen, "worker")
    try:
        run = _run_to_join(corpus, flags)
        if run and run.is_watch:
            return _watch(corpus, ctx, flags)
        return _work(corpus, run, ctx, flags) if run else DRAIN
    except Unreachable as error:
        log.warning("%s (restarting)", error)
        return ""
    finally:
        corpus.close()


def _run_to_join(corpus: Corpus, flags: dict[str, Any]) -> Run | None:
    if flags["job"] is not None:
        run = wait_out(lambda: run_named(corpus, flags["job"]))
        if run.state is RunState.FINISHED:
            return None
        if run.job not in wait_out(corpus.jobs):
            raise UsageError(f"the frontier has no links of run {run.id}; was the run opened with another frontier?")
        return run
    opened = wait_out(lambda: open_run(corpus, watched=not flags["until_done"]))
    if opened or flags["until_done"]:
        return opened
    say("waiting for a run; `thresher crawl URL --enqueue` opens one, and so does `thresher watch`")
    return wait_for_run(corpus, Rules())


def _work(corpus: Corpus, run: Run, ctx: click.Context, flags: dict[str, Any]) -> str:
    """Work on a run, and close it when nothing of it is left; answer what the worker was told, empty when nothing."""
    given = {name: flags[name] for name in ("data", "concurrency", "allowed_addresses") if flags[name]}
    means = wiring.means(settings(ctx, **run.options.get("means", {}) | given), limit=run.options["limit"])
    limits = Limits(flags["max_pages"], flags["max_memory"])
    meter = Meter(flags["progress"], None)
    say(f"working on run {run.id}")
    with meter.open():
        order = work(corpus, run, means, Watch(meter), limits)
    frontier = corpus.frontier(run.job, means.rules)
    if not order or is_over(frontier):
        index_long_threads(corpus.store, corpus.index, run.id, datetime.now(UTC))
        close_if_over(corpus.store, frontier, run)
        say(f"run {run.id} is over")
    return order


def _watch(corpus: Corpus, ctx: click.Context, flags: dict[str, Any]) -> str:
    """Follow the sources with whoever watches, until there is a crawl to work on; answer what the worker was told."""
    given = {name: flags[name] for name in ("data", "concurrency", "allowed_addresses") if flags[name]}
    chosen = settings(ctx, **given)
    habits = wiring.habits(chosen)
    if flags["job"] is None:
        habits = replace(habits, called_away=lambda: open_run(corpus) is not None)
    meter = Meter(flags["progress"], None)
    say("following sources, as `thresher watch` does")
    with meter.open():
        return watch(
            corpus, wiring.means(chosen), habits, Watch(meter), Limits(flags["max_pages"], flags["max_memory"])
        )


def restart() -> NoReturn:
    """Become a fresh process of the same number: supervisors see one that goes on, and nothing old stays in memory."""
    tracing.end()
    sys.stdout.flush()
    sys.stderr.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # one that comes now waits until the fresh process can hear it
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def bury_children() -> None:
    """Take note of the children of the process that we were before: they ended with it."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(exits.DONE)
