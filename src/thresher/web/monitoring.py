"""What programs ask that watch over this one: is it alive, is it ready, which version is it, how does it fare."""

import shutil
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from thresher.catalog.accounts import Role
from thresher.crawling.workers import heard, work_of, worker_facts
from thresher.errors import BackendError
from thresher.frontier.contract import Rules
from thresher.metrics import TYPE, Family
from thresher.model import RunState
from thresher.model.alert import DeliveryState
from thresher.version import __version__
from thresher.web.access import identify, is_local, require
from thresher.web.corpora import OpenCorpus, nothing_passed
from thresher.web.problems import problem_of
from thresher.web.site import site_of

MAX_JOBS = 100  # whose queues are told
MAX_COUNTED = 1_000


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
    families = await site.corpora.read(_families, Path(site.settings.data))
    return Response(site.metrics.text(families), media_type=TYPE, headers={"cache-control": "no-store"})


def _families(corpus: OpenCorpus, data: Path) -> list[Family]:
    """Read what is known of documents, sources, runs, queues, workers, deliveries and the disk."""
    now = datetime.now(UTC)
    disk = shutil.disk_usage(data if data.exists() else Path())
    sources = Counter(str(source.state) for source in corpus.catalog.sources())
    overdue = sum(1 for endpoint in corpus.catalog.endpoints() if endpoint.due and endpoint.due < now)
    running = sum(run.state is RunState.RUNNING for run in corpus.store.runs())
    beats = [worker_facts(job, beat) for job, _, beat in heard(corpus.parts)]
    work = work_of(corpus.parts, Rules())
    workers = Counter(str(beat["state"]) for beat in beats)
    late = corpus.parts.alerts().deliveries(state=DeliveryState.WAITING, limit=MAX_COUNTED)
    return [
        Family("thresher_documents", "Documents that can be found.", {(): corpus.index.count()}),
        Family("thresher_sources", "Sources, by state.", _by_one(sources), ("state",)),
        Family("thresher_endpoints_overdue", "Addresses of sources that should have been asked.", {(): overdue}),
        Family("thresher_runs_running", "Crawls that run.", {(): running}),
        Family("thresher_queue_links", "Links of jobs, by state.", _queues(corpus), ("job", "state")),
        Family("thresher_due_links", "Hosts with a link due that nobody has, and links held.", {(): sum(work)}),
        Family("thresher_workers", "Workers that were heard of, by state.", _by_one(workers), ("state",)),
        Family("thresher_deliveries_waiting", "Notices on their way, up to 1,000.", {(): len(late)}),
        Family("thresher_disk_free_bytes", "Left on the disk of the data folder.", {(): disk.free}),
    ]


def _queues(corpus: OpenCorpus) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for job in corpus.parts.jobs()[:MAX_JOBS]:
        census = corpus.parts.overseer(job, Rules()).census()
        if census.pending + census.delayed + census.leased:
            for state in ("pending", "delayed", "leased", "dead"):
                found[job, state] = getattr(census, state)
    return found


def _by_one(counts: "Counter[str]") -> dict[tuple[str, ...], float]:
    return {(name,): float(count) for name, count in counts.items()}


ROUTES = [
    Route("/metrics", metrics, name="metrics"),
    Route("/healthz", healthz, name="healthz"),
    Route("/readyz", readyz, name="readyz"),
    Route("/version", version, name="version"),
]
