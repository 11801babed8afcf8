"""What a run did, read from a corpus: its numbers, its pages one by one, and how it goes on."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from thresher.analysis.report import Summary, Words, facts_of, summarise
from thresher.crawling.corpus import Corpus
from thresher.crawling.heartbeat import is_fresh
from thresher.crawling.reasons import NOT_PERMITTED, is_failure, meaning_of
from thresher.crawling.workers import worker_facts
from thresher.frontier.contract import Rules
from thresher.index.query import parse
from thresher.model import Run, RunState

WORDS = Words(is_failure, NOT_PERMITTED, meaning_of)
PARTS = ("thread-page", "article-page")  # reasons of pages that are stored and are no documents of their own


def summary_of(corpus: Corpus, run: Run) -> Summary:
    """Count what a run did; its fates are read once, some at a time."""
    census = corpus.overseer(run.job, Rules()).census() if run.job in corpus.jobs() else None
    waiting = census.pending + census.delayed + census.leased if census else 0
    started = Summary(run, datetime.now(UTC), corpus.store.tally(run.id), waiting, corpus.store.volume(run.id))
    return summarise(started, corpus.store.visits(run.id, pages=False), WORDS)


def page_facts(corpus: Corpus, run: Run) -> Iterator[dict[str, Any]]:
    """Yield what is known of each page of a run, in the order of time."""
    return (facts_of(visit, run) for visit in corpus.store.visits(run.id))


def run_facts(corpus: Corpus, run: Run) -> dict[str, Any]:
    """Return how a run stands, by a few numbers."""
    return _facts_by(corpus.store.tally(run.id), run)


def _facts_by(tally: Mapping[tuple[str, str], int], run: Run) -> dict[str, Any]:
    stored = {reason: count for (state, reason), count in tally.items() if state == "stored"}
    return {
        "run": run.id,
        "state": run.state.value,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "duration_s": Summary(run, datetime.now(UTC), tally).duration_s,
        "links": sum(tally.values()),
        "documents": sum(stored.values()) - sum(stored.get(part, 0) for part in PARTS),
        "failed": sum(count for (state, reason), count in tally.items() if is_failure(state, reason)),
        "starts": list(run.starts),
    }


def progress_of(corpus: Corpus, run: Run, last: int) -> dict[str, Any]:
    """Return how a run goes now: its queue, its workers, its latest documents, and what failed, by reason."""
    tally = corpus.store.tally(run.id)
    facts = _facts_by(tally, run)
    census, beats = None, []
    if run.job in corpus.jobs():
        overseer = corpus.overseer(run.job, Rules())
        census = overseer.census()
        beats = [worker_facts(run.job, beat) for beat in overseer.beats() if is_fresh(beat)]
    hits = corpus.index.search(parse(f"run:{run.id}", datetime.now(UTC)), limit=last, sort="seen").hits
    failed = {reason: n for (state, reason), n in tally.items() if is_failure(state, reason)}
    waiting = census.pending + census.delayed + census.leased if census else 0
    return facts | {
        "limit": run.options.get("limit"),
        "fetched": census.fetched if census else 0,
        "waiting": waiting,
        "in_flight": census.leased if census else 0,
        "workers": beats,
        "per_s": sum(beat["per_min"] or 0 for beat in beats) / 60,
        "going": run.state is RunState.RUNNING,
        "stalled": run.state is RunState.RUNNING and not beats,
        "resumable": run.state is RunState.INTERRUPTED and waiting > 0,
        "dead": census.dead if census else 0,
        "last": [{"url": hit.url, "title": hit.title, "site": hit.site, "seen": hit.seen} for hit in hits],
        "errors": [
            {"reason": reason, "meaning": meaning_of(reason), "links": n}
            for reason, n in sorted(failed.items(), key=lambda item: (-item[1], item[0]))
        ],
        "stored": sum(n for (state, _), n in tally.items() if state == "stored"),
        "skipped": sum(n for (state, _), n in tally.items() if state == "skipped"),
        "watch": run.is_watch,
    }
