"""Audit a crawl through faults: every link is somewhere, nothing is lost, nothing is there twice; all by counting."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from thresher.crawling.corpus import Corpus
from thresher.crawling.harvest import harvest
from thresher.crawling.judge import refusal_of
from thresher.frontier.keys import JobKeys
from thresher.frontier.server import Server
from thresher.model import Document, Page
from thresher.sqlite import connect, snapshot

SKIPPED = ""  # what is expected of a page that gives no document
_COUNT = Path(__file__).with_name("count.lua")
_ROWS = """
SELECT count(*), sum(state = 'pending'), sum(state = 'delayed'), sum(state = 'leased'), sum(state = 'done'),
    sum(state = 'dead'), (job.pending, job.delayed, job.leased, job.done, job.dead) = (sum(state = 'pending'),
    sum(state = 'delayed'), sum(state = 'leased'), sum(state = 'done'), sum(state = 'dead'))
FROM frontier_links AS link JOIN frontier_jobs AS job ON job.id = link.job WHERE job.name = ?
"""


@dataclass(frozen=True, slots=True)
class Count:
    """Links of a job by where they lie in Redis."""

    accepted: int  # in the seen-set
    pending: int
    delayed: int
    leased: int
    done: int
    dead: int
    agrees: bool  # the job's own counters say the same

    @property
    def missing(self) -> int:
        """Accepted links that lie nowhere; less than none when some lie in two places."""
        return self.accepted - self.pending - self.delayed - self.leased - self.done - self.dead

    @property
    def open(self) -> int:
        """Links that are still to be fetched."""
        return self.pending + self.delayed + self.leased


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an audit found; the three faults are counts that should be 0."""

    accepted: int
    stored: int
    skipped: int
    buried: int
    lost: tuple[str, ...]  # URLs that were not accepted, are not done, or whose document is missing or another
    doubled: int  # documents that are there twice, and links that lie in two places
    unbalanced: tuple[str, ...]  # sums that are not equal

    @property
    def is_sound(self) -> bool:
        """True when nothing is lost, nothing doubled, and all sums are equal."""
        return not self.lost and not self.doubled and not self.unbalanced


def count(server: Server, job: str) -> Count:
    """Count the links of a job in one moment."""
    prefix = JobKeys(job).of("")
    accepted, pending, delayed, leased, done, dead, *told = server.run(_script(), [], [prefix])
    counters = [int(number or 0) for number in told]
    return Count(accepted, pending, delayed, leased, done, dead, counters == [pending, delayed, leased, done, dead])


def count_rows(path: str, job: str) -> Count:
    """Do the same for a job of an embedded frontier."""
    connection = connect(path)
    try:
        with snapshot(connection):
            return Count(*connection.execute(_ROWS, (job,)).fetchone())
    finally:
        connection.close()


def joined(verdicts: Sequence[Verdict]) -> Verdict:
    """Return what was found of several jobs as one verdict."""
    return Verdict(
        accepted=sum(each.accepted for each in verdicts),
        stored=sum(each.stored for each in verdicts),
        skipped=sum(each.skipped for each in verdicts),
        buried=sum(each.buried for each in verdicts),
        lost=tuple(dict.fromkeys(url for each in verdicts for url in each.lost)),
        doubled=max(each.doubled for each in verdicts),
        unbalanced=tuple(what for each in verdicts for what in each.unbalanced),
    )


def expected_of(files: Mapping[str, Path]) -> dict[str, str]:
    """Return for each URL what its document reads like, SKIPPED when it gives none: one undisturbed reading."""
    return {url: _expected(url, file) for url, file in files.items()}


def audit(corpus: Corpus, run: int, counted: Count, expected: Mapping[str, str], others: int) -> Verdict:
    """Compare a finished run with what was expected of it; `others` are links that only lead to the pages."""
    tally: Counter[str] = Counter()
    for (state, _), number in corpus.store.tally(run).items():
        tally[state] += number
    documents = [(document.url or "", _digest(document)) for document in corpus.store.documents()]
    found = dict(documents)
    wanted = {url: digest for url, digest in expected.items() if digest != SKIPPED}
    lost = [url for url, digest in wanted.items() if found.get(url) != digest]
    lost += _undone(corpus, run, set(expected) - set(wanted))
    return Verdict(
        accepted=counted.accepted,
        stored=tally["stored"],
        skipped=tally["skipped"],
        buried=tally["buried"],
        lost=tuple(lost),
        doubled=len(documents) - len(found) + len(set(found) - set(wanted)) + max(0, -counted.missing),
        unbalanced=tuple(_unbalanced(counted, tally, len(expected) + others)),
    )


def _unbalanced(counted: Count, tally: Mapping[str, int], links: int) -> Iterable[str]:
    if counted.missing:
        yield f"{counted.missing} accepted links lie nowhere"
    if not counted.agrees:
        yield "the frontier's counters do not tell what it holds"
    if counted.accepted != links:
        yield f"{counted.accepted} links were accepted, and there are {links}"
    if counted.open:
        yield f"{counted.open} links are still open"
    if counted.done != tally["stored"] + tally["skipped"]:
        yield f"{counted.done} links are done, {tally['stored']} stored and {tally['skipped']} skipped for a reason"
    if counted.dead != tally["buried"]:
        yield f"{counted.dead} links are dead, and {tally['buried']} were buried"


def _undone(corpus: Corpus, run: int, urls: Iterable[str]) -> list[str]:
    """Return the URLs that have no fate in the run."""
    return [url for url in urls if not any(fate.run == run for fate in corpus.store.fates(url))]


def _expected(url: str, file: Path) -> str:
    page = Page(url, 200, file.read_bytes(), datetime.now(UTC), {"content-type": "text/html"})
    found = harvest(page, 1, None)
    if found.document is None or refusal_of(found, require_date=False):
        return SKIPPED
    return _digest(found.document)


def _digest(document: Document) -> str:
    return hashlib.sha256(f"{document.title}\n{document.text}".encode()).hexdigest()


@cache
def _script() -> str:
    return _COUNT.read_text("utf-8")
