"""Crawl the sample web with the real command in a process of its own, and read what it stored."""

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.commands import Command
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.report import Report
from thresher.crawling.run import report
from thresher.sample import RunningSample

ENVIRON = {"THRESHER_ALLOWED_ADDRESSES": "127.0.0.1", "THRESHER_LEASE_S": "20", "THRESHER_BACKOFF_S": "0.1"}
Corpse = tuple[str, str, str, str | None, tuple[tuple[int, str], ...]]


@dataclass(frozen=True)
class Crawl:
    """A data folder and the flags that a crawl of it is run with."""

    data: Path
    site: RunningSample
    flags: tuple[str, ...] = ("--delay", "0", "--concurrency", "8", "--progress", "none")

    def start(self, *more: str, starts: Sequence[str] | None = None) -> Command:
        """Start `thresher crawl`; the sample's front pages are the starts unless others (or none) are given."""
        urls = self.site.starts if starts is None else starts
        line = ["--data", str(self.data), "crawl", *urls, *self.flags, *more]
        return Command(*line, environ=os.environ | ENVIRON)

    def run(self, *more: str, starts: Sequence[str] | None = None, timeout_s: float = 280) -> "Ended":
        """Crawl to the end."""
        process = self.start(*more, starts=starts)
        try:
            out, err = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return Ended(process.wait(), out, err)

    def start_and_wait(self, requests: int, *more: str, starts: Sequence[str] | None = None) -> Command:
        """Start a crawl and return when it has sent so many requests (or has ended)."""
        before = len(self.site.server.log())
        process = self.start(*more, starts=starts)
        while process.poll() is None and len(self.site.server.log()) < before + requests:
            time.sleep(0.02)
        return process

    def open(self) -> Corpus:
        """Open what was stored."""
        return wiring.open_corpus(Settings(data=str(self.data)), create=False)

    def report(self) -> Report:
        """How the last run stands."""
        corpus = self.open()
        try:
            run = corpus.store.runs(limit=1)[0]
            return report(corpus, run.id, corpus.frontier(run.job, wiring.rules(Settings())))
        finally:
            corpus.close()

    def corpus(self) -> set[Corpse]:
        """What the corpus holds, as far as two crawls of one site must agree on it.

        Threads count without their time: a forum that tells "3 weeks ago" tells another with each crawl.
        """
        corpus = self.open()
        try:
            return {
                (
                    document.url or "",
                    document.title,
                    document.text,
                    document.published.isoformat() if document.published and document.kind != "thread" else None,
                    tuple((post.position, post.text) for post in document.posts),
                )
                for document in corpus.store.documents()
            }
        finally:
            corpus.close()


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
