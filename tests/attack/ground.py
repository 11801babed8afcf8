"""Where attacks take place: a corpus of its own, the real commands on it, and what can be counted afterwards."""

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.commands import run
from thresher import urls, wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.intake import MAX_NOTED
from thresher.errors import UsageError
from thresher.frontier.contract import State
from thresher.frontier.server import Server
from thresher.lab.audit import Count, count, count_rows

ENVIRON = {
    "THRESHER_ALLOWED_ADDRESSES": "127.0.0.1",
    "THRESHER_BACKOFF_S": "0.1",
    "THRESHER_BARREN_PAGES": "20",
    "THRESHER_CONCURRENCY": "16",
    "THRESHER_CRAWL_DELAY_CAP_S": "0.05",
    "THRESHER_DELAY_S": "0",
    "THRESHER_DISK_RESERVE_BYTES": "0",
    "THRESHER_EXTRACTORS": "2",
    "THRESHER_HOST_CONCURRENCY": "4",
    "THRESHER_HOST_PAGES": "300",
    "THRESHER_MAX_ATTEMPTS": "2",
    "THRESHER_MAX_FAILURES": "1",
}
ENDED = (0, 3)  # exit codes of a crawl that came to its end
BAD_CHARS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
PATIENCE_S = 900.0


@dataclass(frozen=True)
class Ground:
    """A corpus, and where its links wait."""

    folder: Path
    frontier: str = ""
    store: str = ""
    more: Mapping[str, str] = field(default_factory=dict)  # settings

    @property
    def environ(self) -> dict[str, str]:
        """The environment of its commands, without settings of this machine's own."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith("THRESHER_")}
        places = {"THRESHER_DATA": f"{self.folder}", "THRESHER_FRONTIER": self.frontier, "THRESHER_STORE": self.store}
        return {**ours, **ENVIRON, **places, **self.more}

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return run(*words, environ=self.environ, timeout_s=PATIENCE_S)

    @contextmanager
    def corpus(self) -> Iterator[Corpus]:
        """Open what was stored."""
        place = Settings(data=str(self.folder), frontier=self.frontier, store=self.store)
        corpus = wiring.open_corpus(place, create=False)
        try:
            yield corpus
        finally:
            corpus.close()

    def reasons(self, wanted: Sequence[str]) -> dict[str, str]:
        """Return what became of each URL in the last run; empty for one that has no fate and waits nowhere."""
        found = {}
        with self.corpus() as corpus:
            for url in wanted:
                found[url] = next((fate.reason for fate in corpus.store.fates(known_as(url))), "")
                if not found[url]:
                    found[url] = next((str(each.state) for each in corpus.standings(known_as(url)).values()), "")
        return found

    def faults(self) -> list[str]:
        """Say what is wrong with the books of the last run, which has ended: links that lie nowhere or have no fate."""
        with self.corpus() as corpus:
            last = corpus.store.runs(limit=1)[0]
            tally: Counter[str] = Counter()
            for (state, _), number in corpus.store.tally(last.id).items():
                tally[state] += number
            wrong = [f"{url} has no fate" for url in _without_fate(corpus, last.id)]
            counted = self._count(last.job)
        found = {"missing": counted.missing, "open": counted.open, "badly counted": not counted.agrees}
        found["given up without a reason"] = counted.dead - tally["buried"]
        done = tally["stored"] + tally["skipped"]
        found["done without a reason"] = max(0, counted.done - done - tally["refused"])
        wrong += [f"{number} links {what}" for what, number in found.items() if number]
        return wrong + ([] if last.state == "finished" else [f"the run is {last.state}"])

    def _count(self, job: str) -> Count:
        if not self.frontier:
            return count_rows(f"{self.folder / 'corpus.db'}", job)
        server = Server(self.frontier)
        try:
            return count(server, job)
        finally:
            server.close()


def known_as(url: str) -> str:
    """Return the form under which a URL is known, whether it is one or not."""
    try:
        return urls.canonical(url)
    except UsageError:
        return urls.shown(url)


def _without_fate(corpus: Corpus, run_id: int) -> Iterator[str]:
    """Yield links of stored pages to hosts of the starts that nobody can tell anything about.

    Where a page has very many that are refused, the first are noted and the others only counted.
    """
    run = corpus.store.run(run_id)
    assert run
    ours, after = {urls.host_of(start) for start in run.starts}, ""
    fates: dict[str, str] = {}  # of links that were looked at, by URL
    while pages := corpus.store.followed(run_id, after=after):
        after = pages[-1].key
        for page in pages:
            found = [link.url for link in page.links if link.host in ours]
            for url in found:
                if url not in fates:
                    fates[url] = _state(corpus, url, run.job)
            if sum(fates[url] == "refused" for url in found) < MAX_NOTED:
                yield from (url for url in found if not fates[url])


def _state(corpus: Corpus, url: str, job: str) -> str:
    """Say how a link ended; empty when nobody can tell."""
    ended = next((fate.state for fate in corpus.store.fates(url)), "")
    standing = None if ended else corpus.standings(url).get(job)
    return str(standing.state) if standing and standing.state in (State.DONE, State.DEAD) else ended


def spoken(ended: "subprocess.CompletedProcess[str]") -> list[str]:
    """Say what is wrong with how a crawl ended and what it printed."""
    wrong = [] if ended.returncode in ENDED else [f"exit code {ended.returncode}: {ended.stderr[-300:]!r}"]
    wrong += ["a traceback"] if "Traceback" in ended.stderr else []
    wrong += ["worker-error"] if "worker-error" in ended.stderr else []
    wrong += [f"prints {bad[0]!r}"] if (bad := BAD_CHARS.search(ended.stdout + ended.stderr)) else []
    return wrong + (["tells a password"] if "s3cret" in ended.stdout + ended.stderr else [])
