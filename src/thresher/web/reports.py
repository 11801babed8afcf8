"""What a run did, for pages and the API: small runs are counted at once, large ones in a process beside the server.

To count a run all its pages are read, which takes seconds where there are many. Until that is done there is nothing to
show, and who asks is told to come back; what was counted is kept until the run goes on.
"""

import time
from dataclasses import replace
from itertools import islice
from typing import Any

from thresher import wiring
from thresher.analysis.report import THREAD_PAGE
from thresher.analysis.words import Splitter
from thresher.analysis.zipf import WordCounts, law_of
from thresher.api.runs import summary_of
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.reasons import meaning_of
from thresher.model import Run, RunState
from thresher.web.corpora import OpenCorpus
from thresher.web.crawls import known_run
from thresher.web.kept import WAIT_S, Finding
from thresher.web.site import Site

LARGE = 2_000  # links from which a run is counted beside the server
GOING_FRESH_S = 30.0  # of a run that goes on
OVER_FRESH_S = 86_400.0
SUMMARY_WAIT_S = 20.0  # for one that is counted beside the server
AGAIN_S = 3  # who asks too early asks again after so many seconds
ZIPF_DOCUMENTS, ZIPF_WORDS, ZIPF_POINTS, ZIPF_LEAST = 300, 100_000, 90, 10
SHOWN_HOSTS = 50
STATES = ("stored", "skipped", "buried", "refused")


async def report_of(site: Site, number: int) -> Finding | None:
    """Return what `report` counts of a run; None while a process works that out. Raise Refused for no run."""
    run, links = await site.corpora.recent(("size of run", number), _size, number)
    if links >= LARGE:
        return await _counted(site, run, WAIT_S)
    return _at_once(await site.corpora.recent(("report", number), lambda corpus: report(corpus.parts, run)))


async def summary_of_run(site: Site, number: int) -> Finding | None:
    """Return a run's summary as plain data; None while a process works that out. Raise Refused for no run."""
    run, links = await site.corpora.recent(("size of run", number), _size, number)
    if links < LARGE:
        return _at_once(await site.corpora.recent(("summary", number), lambda corpus: summary(corpus.parts, run)))
    found = await _counted(site, run, SUMMARY_WAIT_S)  # one process counts for the page and the API
    return replace(found, value=found.value["summary"]) if found and found.value else found


async def _counted(site: Site, run: Run, wait_s: float) -> Finding | None:
    fresh_s = GOING_FRESH_S if run.state is RunState.RUNNING else OVER_FRESH_S
    name = f"{run.id} {run.state.value} {run.finished_at}"  # changes when the run goes on, or ends
    return await site.counted.get(name, beside, run.id, fresh_s=fresh_s, wait_s=wait_s)


def _at_once(value: dict[str, Any]) -> Finding:
    return Finding(value, time.monotonic())


def beside(settings: Settings, number: int) -> dict[str, Any]:
    """Count a run in a process of its own."""
    parts = wiring.open_corpus(settings, create=False, lean=True)
    try:
        run = parts.store.run(number)
        assert run is not None, "runs are never removed"
        return report(parts, run)
    finally:
        parts.close()


def summary(corpus: Corpus, run: Run) -> dict[str, Any]:
    """Count what a run did, as plain data."""
    return summary_of(corpus, run).to_dict()


def report(corpus: Corpus, run: Run) -> dict[str, Any]:
    """Count what a run did, with what failed, and the words of some of its documents."""
    counted = summary_of(corpus, run)
    facts = counted.to_dict()
    failures = [
        {"url": v.fate.url, "reason": v.fate.reason, "meaning": meaning_of(v.fate.reason), "detail": v.fate.detail}
        for v in counted.failures
    ]
    reasons = [(s, r, n, meaning_of(r)) for s in STATES for r, n in counted.reasons(s) if r != THREAD_PAGE or n]
    return facts | {
        "summary": facts,
        "run": run.id,
        "started": run.started_at,
        "finished": run.finished_at,
        "reasons": reasons,
        "failures": failures,
        "hosts": facts["hosts"][:SHOWN_HOSTS],
        "host_count": len(facts["hosts"]),
        "zipf": zipf(corpus, run),
    }


def zipf(corpus: Corpus, run: Run) -> dict[str, Any]:
    """Count the words of some documents of a run, in the language of most of them; points only where that tells."""
    counts, splitter = WordCounts(ZIPF_WORDS), Splitter(or_pairs=True)
    for document in islice(corpus.store.documents(run=run.id, posts=False), ZIPF_DOCUMENTS):
        counts.add(document.language or "?", splitter.words(document.text, document.language))
    group = next(iter(counts.groups), "")
    ranked, found = counts.ranked(group), {"language": group, "documents": counts.documents[group]}
    if len(ranked) < ZIPF_LEAST:
        return found | {"points": [], "line": None}
    ranks = sorted({min(round(1.15**step), len(ranked)) for step in range(ZIPF_POINTS)})
    points = [(float(rank), float(ranked[rank - 1][1]), f"{rank}. {ranked[rank - 1][0]}") for rank in ranks]
    law = law_of(counts, group).likelihood
    line = None
    if law:
        last = min(float(len(ranked)), law.scale ** (1 / law.exponent) if law.exponent > 0 else 1.0)
        line = ((1.0, law.scale), (last, max(law.scale / last**law.exponent, 1.0)))
    return found | {"points": points, "line": line}


def _size(corpus: OpenCorpus, number: int) -> tuple[Run, int]:
    run = known_run(corpus, number)
    return run, sum(corpus.store.tally(run.id).values())
