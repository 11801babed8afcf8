"""Workers as processes that share a frontier and a store, for the tests of the fleet."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from tests.commands import Command, run
from thresher import wiring
from thresher.cli.main import cli
from thresher.config import Settings
from thresher.crawling.heartbeat import doing_of
from thresher.crawling.report import Report
from thresher.crawling.run import report
from thresher.frontier.contract import Rules

ENVIRON = {
    "THRESHER_ALLOWED_ADDRESSES": "127.0.0.1",
    "THRESHER_BACKOFF_S": "0.1",
    "THRESHER_CONCURRENCY": "8",
    "THRESHER_DELAY_S": "0",
    "THRESHER_EXTRACTORS": "1",
    "THRESHER_LEASE_S": "8",
}
PATIENCE_S = 280.0  # what a machine may take that has much else to do
Found = tuple[str, str, str]  # URL, title and text


@dataclass(frozen=True)
class Fleet:
    """A folder of this machine, and the servers that its workers share."""

    data: Path
    frontier: str
    store: str

    def start(self, *words: str, environ: Mapping[str, str] | None = None) -> Command:
        """Start a command, with more in its environment where that is given."""
        return Command(*words, environ=os.environ | self._environ() | dict(environ or {}))

    def run(self, *words: str, timeout_s: float = PATIENCE_S) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return run(*words, environ=os.environ | self._environ(), timeout_s=timeout_s)

    def tell(self, *words: str) -> str:
        """Run a command in this process, for it is over sooner, and return what it said."""
        ended = CliRunner(env=self._environ()).invoke(cli, words, catch_exceptions=False)
        assert ended.exit_code == 0, ended.output
        return ended.output

    def _environ(self) -> dict[str, str]:
        places = {"THRESHER_DATA": str(self.data), "THRESHER_FRONTIER": self.frontier, "THRESHER_STORE": self.store}
        return ENVIRON | places

    def workers(self) -> list[tuple[str, str, str]]:
        """Name the workers that are heard of, each with its job and state."""
        corpus = wiring.open_corpus(self.settings())
        try:
            heard = [(job, beat) for job in corpus.jobs() for beat in corpus.overseer(job, Rules()).beats()]
            return [(beat.worker, job, doing_of(beat)["state"]) for job, beat in heard]
        finally:
            corpus.close()

    def settings(self) -> Settings:
        """The settings of this fleet."""
        return Settings(data=str(self.data), frontier=self.frontier, store=self.store)

    def documents(self) -> list[Found]:
        """What is in the store."""
        corpus = wiring.open_corpus(self.settings())
        try:
            return sorted((found.url or "", found.title, found.text) for found in corpus.store.documents())
        finally:
            corpus.close()

    def run_state(self) -> str:
        """What the store says of the newest run."""
        corpus = wiring.open_corpus(self.settings())
        try:
            return corpus.store.runs(limit=1)[0].state
        finally:
            corpus.close()

    def report(self) -> Report:
        """How the newest run stands."""
        corpus = wiring.open_corpus(self.settings())
        try:
            run = corpus.store.runs(limit=1)[0]
            return report(corpus, run.id, corpus.frontier(run.job, Rules()))
        finally:
            corpus.close()


def until(happened: Callable[[], object], *, within_s: float = PATIENCE_S) -> None:
    """Return when it has happened; fail when it does not in time."""
    deadline = time.monotonic() + within_s
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def told(process: Command, within_s: float = PATIENCE_S) -> tuple[int, str]:
    """Wait for a command's end; return its exit code and what it said."""
    _, err = process.communicate(timeout=within_s)
    return process.wait(), err
