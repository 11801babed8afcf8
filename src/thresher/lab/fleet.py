"""A crew of workers on one job, each a process of its own, that may be killed, stopped, woken and replaced."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.run import enqueue
from thresher.discovery.scope import Scope
from thresher.errors import ThresherError
from thresher.frontier.contract import Census
from thresher.frontier.overseer import Overseer
from thresher.lab.servers import dying_with_us
from thresher.model import Run

LOOK_EVERY_S = 0.05
END_S = 25.0  # for a worker to end in good order
_TOLD_CHARS = 2_000


@dataclass(frozen=True)
class Job:
    """A run whose starts wait in the frontier, and the settings that its workers share."""

    settings: Settings
    run: int
    starts: tuple[str, ...] = ()
    means: Mapping[str, Any] = field(default_factory=dict)  # the settings by which its workers crawl

    @contextmanager
    def corpus(self) -> Iterator[Corpus]:
        """Open what the job writes to."""
        corpus = wiring.open_corpus(self.settings)
        try:
            yield corpus
        finally:
            corpus.close()

    @contextmanager
    def overseer(self) -> Iterator[Overseer]:
        """Open the job as its keepers see it."""
        with self.corpus() as corpus:
            yield corpus.overseer(f"run-{self.run}", wiring.rules(self.settings))


def open_job(
    settings: Settings, starts: Sequence[str], means: Mapping[str, Any], *, max_depth: int, refresh: bool = False
) -> Job:
    """Open a run and offer its starts; `means` are the settings by which its workers crawl."""
    corpus = wiring.open_corpus(settings)
    try:
        options = {
            "scope": Scope.around(starts, max_depth=max_depth).as_json(),
            "limit": None,
            "refresh": refresh,
            "algorithm": None,
            "means": dict(means),
        }
        run: Run = corpus.store.start_run(starts, options, datetime.now(UTC))
        enqueue(corpus, run, wiring.means(settings))
        return Job(settings, run.id, tuple(starts), means)
    finally:
        corpus.close()


def worker_command(job: Job, data: Path) -> list[str]:
    """Return the command of a worker that ends when the job is over."""
    servers = ["--store", job.settings.store_url]
    if job.settings.frontier:
        servers += ["--frontier", job.settings.frontier]
    own = ["--data", str(data), "worker", "run", "--job", str(job.run), "--progress", "none"]
    return [sys.executable, "-m", "thresher", *own, *servers]


class Crew:
    """Worker processes; those that are left when the crew is closed are killed."""

    def __init__(self, job: Job, folder: Path, command: Callable[[Job, Path], list[str]] = worker_command) -> None:
        """`folder` gets the data folder and the log of every worker; embedded backends stay where the job has them."""
        self._job, self._folder, self._command = job, folder, command
        self._started = 0
        self.working: list[subprocess.Popen[bytes]] = []

    def hire(self, count: int = 1, *, prefix: Sequence[str] = ()) -> None:
        """Start workers; `prefix` are words before their command."""
        for _ in range(count):
            self._started += 1
            data = self._folder / f"worker-{self._started}"
            data.mkdir()
            with (data / "log").open("wb") as log:
                command = [*dying_with_us(), *prefix, *self._command(self._job, data)]
                # A session of its own is how a worker's processes are known.
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=data, start_new_session=True
                )
            self.working.append(process)

    def kill(self, worker: "subprocess.Popen[bytes]") -> bool:
        """Kill a worker as the kernel would; False when it had ended by itself."""
        alive = worker.poll() is None
        worker.kill()
        worker.wait()
        self.working.remove(worker)
        return alive

    def retire(self, within_s: float) -> None:
        """Wait until all have ended by themselves; raise ThresherError when one fails or takes longer."""
        deadline_s = time.monotonic() + within_s
        for worker in list(self.working):
            try:
                code = worker.wait(max(0.1, deadline_s - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise ThresherError(f"a worker did not end within {within_s:.0f} s: {self.said()}") from None
            if code:
                raise ThresherError(f"a worker ended with {code}: {self.said()}")
            self.working.remove(worker)

    def said(self) -> str:
        """Return the end of what the workers wrote."""
        return "".join(self._logs())[-_TOLD_CHARS:]

    def most_lines(self) -> int:
        """Return how many lines the worker wrote that wrote the most."""
        return max((len(log.splitlines()) for log in self._logs()), default=0)

    def _logs(self) -> list[str]:
        return [path.read_text(errors="replace") for path in sorted(self._folder.glob("worker-*/log"))]

    def close(self) -> None:
        """Kill who is left."""
        for worker in list(self.working):
            worker.send_signal(signal.SIGCONT)
            self.kill(worker)


@contextmanager
def crew_on(job: Job, folder: Path, command: Callable[[Job, Path], list[str]] = worker_command) -> Iterator[Crew]:
    """Have a crew for a job, and let none of it stay."""
    crew = Crew(job, folder, command)
    try:
        yield crew
    finally:
        crew.close()


def pause(worker: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Let a worker neither work nor answer for a while."""
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        os.kill(worker.pid, signal.SIGCONT)


def wait_for(overseer: Overseer, enough: Callable[[Census], bool], within_s: float) -> None:
    """Return when the job has come so far; raise ThresherError when it takes longer."""
    wait_until(lambda: enough(overseer.census()), within_s)


def wait_until(happened: Callable[[], bool], within_s: float) -> None:
    """Return when it has happened; raise ThresherError when it takes longer."""
    deadline_s = time.monotonic() + within_s
    while not happened():
        if time.monotonic() > deadline_s:
            raise ThresherError(f"the crawl did not come far enough within {within_s:.0f} s")
        time.sleep(LOOK_EVERY_S)
