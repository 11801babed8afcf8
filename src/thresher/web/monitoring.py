"""What programs ask that watch over this one: is it alive, is it ready, which version is it, how does it fare."""

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from thresher.catalog.accounts import Role
from thresher.catalog.facts import healths
from thresher.config import Settings
from thresher.crawling.workers import heard, work_of, worker_facts
from thresher.errors import BackendError, Unreachable
from thresher.frontier.contract import Rules
from thresher.index.query import parse
from thresher.metrics import TYPE, Family
from thresher.model import RunState
from thresher.model.alert import DeliveryState
from thresher.store.sinks import standing_of
from thresher.version import __version__
from thresher.web.access import identify, is_local, require
from thresher.web.corpora import OpenCorpus, nothing_passed
from thresher.web.problems import problem_of
from thresher.web.site import site_of

MAX_JOBS = 100  # whose queues are told
MAX_COUNTED = 1_000
DUPLICATES = "Documents that say what another one says."


async def healthz(request: Request) -> Response:
    """Answer as long as the process is alive."""
    return JSONResponse({"status": "alive"})


async def readyz(request: Request) -> Response:
    """Answer whether corpus and accounts can be reached."""
    corpora = site_of(request).corpora
    try:
        await corpora.accounts(nothing_passed)
        await corpora.read(lambda corpus: corpus.index.count())
    except BackendError as error:
        return problem_of(error)
    return JSONResponse({"status": "ready"})


async def version(request: Request) -> Response:
    """Answer the version."""
    return JSONResponse({"name": "thresher", "version": __version__})


async def metrics(request: Request) -> Response:
    """Answer the metrics, to this machine itself and to tokens that read."""
    site = site_of(request)
    visitor = await identify(request)
    if not is_local(request):
        require(visitor, Role.VIEWER)
    families = await site.corpora.read(_families, site.settings)
    problems = await site.corpora.recent("source problems", _problems)
    about = "Sources with a problem, by its kind: silent, failing, late …"
    families += [Family("thresher_source_problems", about, problems, ("problem",))]
    families += [Family("thresher_duplicates", DUPLICATES, await site.corpora.recent("duplicates", _duplicates))]
    return Response(site.metrics.text(families), media_type=TYPE, headers={"cache-control": "no-store"})


def _families(corpus: OpenCorpus, settings: Settings) -> list[Family]:
    """Read what is known of documents, sources, runs, queues, workers, deliveries and the disk."""
    now, data = datetime.now(UTC), Path(settings.data)
    disk = shutil.disk_usage(data if data.exists() else Path())
    sources = Counter(str(source.state) for source in corpus.catalog.sources())
    overdue = sum(1 for endpoint in corpus.catalog.endpoints() if endpoint.due and endpoint.due < now)
    running = sum(run.state is RunState.RUNNING for run in corpus.store.runs())
    beats = [worker_facts(job, beat) for job, _, beat in heard(corpus.parts)]
    work = work_of(corpus.parts, Rules())
    workers = Counter(str(beat["state"]) for beat in beats)
    late = corpus.parts.alerts().deliveries(state=DeliveryState.WAITING, limit=MAX_COUNTED)
    return [
        Family("thresher_documents", "Documents that can be found.", _counted(corpus.index.count)),
        Family("thresher_sources", "Sources, by state.", _by_one(sources), ("state",)),
        Family("thresher_endpoints_overdue", "Addresses of sources that should have been asked.", {(): overdue}),
        Family("thresher_runs_running", "Crawls that run.", {(): running}),
        *_queues(corpus),
        Family("thresher_due_links", "Hosts with a link due that nobody has, and links held.", {(): sum(work)}),
        Family("thresher_workers", "Workers that were heard of, by state.", _by_one(workers), ("state",)),
        Family("thresher_deliveries_waiting", "Notices on their way, up to 1,000.", {(): len(late)}),
        Family("thresher_disk_free_bytes", "Left on the disk of the data folder.", {(): disk.free}),
        *_delays(corpus, settings, now),
    ]


def _delays(corpus: OpenCorpus, settings: Settings, now: datetime) -> list[Family]:
    """Read what has yet to be carried over: to a search server, and to the sinks."""
    waiting = corpus.index.waiting()
    waited_s = max(0.0, (now - waiting.since).total_seconds()) if waiting.since else 0.0
    names = [each.partition("=")[0] for each in settings.sinks]
    sinks = [standing_of(corpus.store, name) for name in names]
    lags: dict[tuple[str, ...], float] = {(sink.name,): sink.lag for sink in sinks}
    failures: dict[tuple[str, ...], float] = {(sink.name,): sink.failures for sink in sinks}
    return [
        Family("thresher_index_waiting", "Changes that a search server has yet to be given.", {(): waiting.changes}),
        Family("thresher_index_waited_seconds", "For how long the first of these has waited.", {(): waited_s}),
        Family("thresher_sink_lag", "Documents that a sink has yet to be given.", lags, ("sink",)),
        Family("thresher_sink_failures", "Attempts in a row that a sink has failed.", failures, ("sink",)),
    ]


def _problems(corpus: OpenCorpus) -> dict[tuple[str, ...], float]:
    """Count the sources that a person should look at: silent, failing, late …"""
    found = healths(corpus.catalog, datetime.now(UTC))
    return _by_one(Counter(kind for health in found for kind in {problem.kind for problem in health.problems}))


def _duplicates(corpus: OpenCorpus) -> dict[tuple[str, ...], float]:
    """Count the documents that say what another one says, of each group all but one."""
    everything = parse("", datetime.now(UTC))
    return _counted(lambda: max(0, corpus.index.count() - corpus.index.total(everything)))


def _counted(count: Callable[[], int]) -> dict[tuple[str, ...], float]:
    """Return what the index counts; nothing while its server is away, for the rest is to be told all the same."""
    try:
        return {(): float(count())}
    except Unreachable:
        return {}


def _queues(corpus: OpenCorpus) -> list[Family]:
    """Read how many links of each open job stand where, and since when a host waits to be asked."""
    links: dict[tuple[str, ...], float] = {}
    ages_s: dict[tuple[str, ...], float] = {}
    for job in corpus.parts.jobs()[:MAX_JOBS]:
        overseer = corpus.parts.overseer(job, Rules())
        census = overseer.census()
        if census.pending + census.delayed + census.leased:
            ages_s[job,] = overseer.overdue_s()
            for state in ("pending", "delayed", "leased", "dead"):
                links[job, state] = getattr(census, state)
    about = "For how long the host that could be asked first has waited for a worker."
    return [
        Family("thresher_queue_links", "Links of jobs, by state.", links, ("job", "state")),
        Family("thresher_queue_age_seconds", about, ages_s, ("job",)),
    ]


def _by_one(counts: "Counter[str]") -> dict[tuple[str, ...], float]:
    return {(name,): float(count) for name, count in counts.items()}


ROUTES = [
    Route("/metrics", metrics, name="metrics"),
    Route("/healthz", healthz, name="healthz"),
    Route("/readyz", readyz, name="readyz"),
    Route("/version", version, name="version"),
]
