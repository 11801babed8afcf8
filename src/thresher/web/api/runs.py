"""Runs and workers: crawls are started, watched and cancelled; workers are started, drained and stopped."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from thresher.api.runs import run_facts
from thresher.crawling.heartbeat import DRAIN, STOP, is_fresh
from thresher.crawling.workers import heard, worker_facts
from thresher.model import RunState
from thresher.web import crawls, reports
from thresher.web.api import shapes
from thresher.web.api.documents import After, next_page, page_start
from thresher.web.api.guards import DEAR, Analyst, Here, Reader, WorkerOrAdmin, noted
from thresher.web.corpora import OpenCorpus
from thresher.web.live import sse
from thresher.web.problems import Refused
from thresher.web.views import json_response, plain

ROUTER = APIRouter(tags=["runs"])
EVERY_S = 1.0  # a run's progress is told
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@ROUTER.get("/runs", response_model=shapes.Runs)
async def list_runs(
    site: Here, _visitor: Reader, limit: Annotated[int, Query(ge=1, le=100)] = 20, after: After = None
) -> Response:
    """List runs, newest first."""
    start = page_start(after)

    def read(corpus: OpenCorpus) -> tuple[int, list[dict[str, Any]]]:
        known = corpus.store.runs()
        return len(known), [run_facts(corpus.parts, run) for run in known[start : start + limit]]

    total, facts = await site.corpora.recent(("runs", start, limit), read)
    return json_response({"total": total, "next": next_page(start + limit, total), "runs": facts})


@ROUTER.post("/runs", response_model=shapes.RunOut, status_code=202, dependencies=DEAR)
async def start_run(request: Request, site: Here, visitor: Analyst, wanted: shapes.RunNew) -> Response:
    """Start a crawl; it goes on when the caller has gone."""
    options = wanted.model_dump(exclude={"urls", "reach", "delay_s", "since"})
    options |= {"mode": wanted.reach, "since": wanted.since.isoformat() if wanted.since else None}
    options |= {"means": {"delay_s": wanted.delay_s} if wanted.delay_s is not None else {}}
    run = await crawls.start_crawl(site, wanted.urls, options)
    await noted(request, visitor, "run.start", f"{run.id}: {' '.join(run.starts)}"[:500])
    facts = await site.corpora.read(lambda corpus: run_facts(corpus.parts, run))
    return json_response(facts, 202, {"location": f"{request.url.path}/{run.id}"})


@ROUTER.get("/runs/{run}", response_model=shapes.RunOut)
async def show_run(site: Here, _visitor: Reader, run: Number) -> Response:
    """Say how a run stands."""
    return json_response(await site.corpora.recent(("run", run), _facts, run))


@ROUTER.get("/runs/{run}/summary", response_model=dict[str, Any], dependencies=DEAR)
async def summarise_run(site: Here, _visitor: Reader, run: Number) -> Response:
    """Say what a run did: links found, pages by what became of them and why, hosts, sizes.

    A large run is counted for some seconds: meanwhile the answer is 503, with Retry-After.
    """
    counted = await reports.summary_of_run(site, run)
    if counted is None or counted.value is None:
        words = counted.failed if counted else "the run is being counted; ask again in a moment"
        raise Refused(503, words, headers={"retry-after": str(reports.AGAIN_S)})
    return json_response(counted.value)


@ROUTER.get("/runs/{run}/tally", response_model=dict[str, int])
async def tally_run(site: Here, _visitor: Reader, run: Number) -> Response:
    """Count a run's URLs by what became of them."""

    def read(corpus: OpenCorpus) -> dict[str, int]:
        found = corpus.store.tally(crawls.known_run(corpus, run).id)
        return {f"{state}: {reason}": count for (state, reason), count in found.items()}

    return json_response(await site.corpora.recent(("tally", run), read))


@ROUTER.post("/runs/{run}/cancel", response_model=shapes.RunOut, status_code=202)
async def cancel_run(request: Request, site: Here, visitor: Analyst, run: Number) -> Response:
    """Let a run finish what is in flight, and stop; it can be resumed."""
    await crawls.cancel_crawl(site, run)
    await noted(request, visitor, "run.cancel", str(run))
    return json_response(await site.corpora.read(_facts, run), 202)


@ROUTER.post("/runs/{run}/resume", response_model=shapes.RunOut, status_code=202, dependencies=DEAR)
async def resume_run(request: Request, site: Here, visitor: Analyst, run: Number) -> Response:
    """Go on with a run that was interrupted."""
    await crawls.resume_crawl(site, run)
    await noted(request, visitor, "run.resume", str(run))
    return json_response(await site.corpora.read(_facts, run), 202)


@ROUTER.get("/runs/{run}/events", responses={200: {"content": {"text/event-stream": {}}}}, response_class=Response)
async def run_events(request: Request, site: Here, _visitor: Reader, run: Number) -> Response:
    """Tell how a run goes, as server-sent events, until it is over."""
    await site.corpora.read(_facts, run)

    async def progress() -> AsyncIterator[tuple[str, Any]]:
        last: dict[str, Any] = {}
        while last.get("state") in (None, RunState.RUNNING.value):
            facts = plain(await site.corpora.recent(("run", run), _facts, run))
            if facts != last:
                yield "progress", facts
                last = facts
            await asyncio.sleep(EVERY_S)

    return sse(request, progress())


@ROUTER.get("/workers", response_model=list[dict[str, Any]])
async def list_workers(site: Here, _visitor: WorkerOrAdmin) -> Response:
    """List workers of all machines as they were heard, and the processes of this server."""
    found = await site.corpora.read(lambda corpus: [worker_facts(job, beat) for job, _, beat in heard(corpus.parts)])
    return json_response(found)


@ROUTER.post("/workers", response_model=list[str], status_code=202)
async def start_workers(request: Request, site: Here, visitor: WorkerOrAdmin, wanted: shapes.WorkerNew) -> Response:
    """Start workers on the machine of the server; return the names of their processes."""
    names = []
    for _ in range(wanted.count):
        process = site.processes.start(site.processes.free_name("worker"), ["worker", "run"], keep=True)
        names.append(process.name)
    await noted(request, visitor, "worker.start", " ".join(names))
    return json_response(names, 202)


@ROUTER.post("/workers/{name}/drain", status_code=202, response_model=dict[str, Any])
async def drain_worker(request: Request, site: Here, visitor: WorkerOrAdmin, name: str) -> Response:
    """Let a worker finish the requests in flight and end."""
    return await _tell(request, site, visitor, name, DRAIN)


@ROUTER.post("/workers/{name}/stop", status_code=202, response_model=dict[str, Any])
async def stop_worker(request: Request, site: Here, visitor: WorkerOrAdmin, name: str) -> Response:
    """Let a worker return its links and end at once."""
    return await _tell(request, site, visitor, name, STOP)


async def _tell(request: Request, site: Here, visitor: WorkerOrAdmin, name: str, order: str) -> Response:
    """Tell a worker, or stop a process of this server that is to be kept running."""
    process = site.processes.get(name)
    if process and process.state != "ended":
        site.processes.stop(name)
    else:

        def tell(corpus: OpenCorpus) -> bool:
            fresh = [(overseer, beat) for _, overseer, beat in heard(corpus.parts) if is_fresh(beat)]
            return any(overseer.tell(name, order) for overseer, beat in fresh if beat.worker == name)

        if not await site.corpora.write(tell):
            raise Refused(404, f"no worker {name} was heard of within 15 seconds")
    await noted(request, visitor, f"worker.{order}", name)
    return json_response({"worker": name, "order": order}, 202)


def _facts(corpus: OpenCorpus, run: int) -> dict[str, Any]:
    return run_facts(corpus.parts, crawls.known_run(corpus, run))
