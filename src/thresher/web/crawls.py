"""Crawls from the web: opened in the store, carried out by a process of their own, and told of by their rows.

start ──▶ the run is written down ──▶ `thresher runs resume N` ──▶ rows that everybody reads
cancel ──▶ the process drains; the workers of a run without one are told to
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from thresher.crawling.heartbeat import DRAIN
from thresher.crawling.opening import open_run, options_of, start_url
from thresher.frontier.contract import Rules
from thresher.model import Run, RunState
from thresher.web.corpora import OpenCorpus
from thresher.web.problems import Refused
from thresher.web.site import Site


def process_name(run: int) -> str:
    """Return the name of the process that carries out a run."""
    return f"crawl-{run}"


async def start_crawl(site: Site, urls: Sequence[str], options: Mapping[str, Any]) -> Run:
    """Open a run and start the process that carries it out; raise UsageError for what makes no sense.

    The options are those of `options_of`: limit, max_depth, since, include, exclude, mode, algorithm, refresh, means.
    """
    starts = list(dict.fromkeys(start_url(url) for url in urls))
    chosen = options_of(starts, **options)
    run = await site.corpora.write(lambda corpus: open_run(corpus.parts, starts, chosen))
    site.processes.start(process_name(run.id), ["runs", "resume", str(run.id), "--quiet"])
    return run


async def resume_crawl(site: Site, run_id: int) -> Run:
    """Go on with a run that was interrupted; raise Refused for one that cannot be."""
    run = await site.corpora.read(known_run, run_id)
    if run.is_watch or run.state is RunState.FINISHED:
        raise Refused(
            409, f"run {run_id} is {'the watch' if run.is_watch else 'finished'}; there is nothing to go on with"
        )
    site.processes.start(process_name(run.id), ["runs", "resume", str(run.id), "--quiet"])
    return run


async def cancel_crawl(site: Site, run_id: int) -> Run:
    """Let a run finish what is in flight and stop; it can be resumed. Raise Refused for one that does not run."""
    run = await site.corpora.read(known_run, run_id)
    if run.state is not RunState.RUNNING:
        raise Refused(409, f"run {run_id} is {run.state.value}; it does not run")
    process = site.processes.get(process_name(run_id))
    if process and process.state != "ended":
        site.processes.stop(process.name)
        return run
    told = await site.corpora.write(_drain_workers, run)
    if not told:
        await site.corpora.write(lambda corpus: corpus.store.end_run(run_id, RunState.INTERRUPTED, datetime.now(UTC)))
    return run


def known_run(corpus: OpenCorpus, run_id: int) -> Run:
    """Return a run; raise Refused when there is none of this number."""
    run = corpus.store.run(run_id) if run_id < 2**31 else None
    if run is None:
        raise Refused(404, f"there is no run {run_id}")
    return run


def _drain_workers(corpus: OpenCorpus, run: Run) -> int:
    """Tell the workers of a run to drain; answer how many heard it."""
    if run.job not in corpus.parts.jobs():
        return 0
    overseer = corpus.parts.overseer(run.job, Rules())
    return sum(overseer.tell(beat.worker, DRAIN) for beat in overseer.beats())
