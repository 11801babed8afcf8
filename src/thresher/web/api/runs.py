"""Runs: crawls are started, watched, cancelled and resumed."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from thresher.api.runs import run_facts
from thresher.model import RunState
from thresher.web import crawls, reports
from thresher.web.access import noted
from thresher.web.api import shapes
from thresher.web.api.documents import After, next_page, page_start
from thresher.web.api.guards import DEAR, Analyst, Here, Reader
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
    await noted(request, "run.start", f"{run.id}: {' '.join(run.starts)}"[:500])
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
    await noted(request, "run.cancel", str(run))
    return json_response(await site.corpora.read(_facts, run), 202)


@ROUTER.post("/runs/{run}/resume", response_model=shapes.RunOut, status_code=202, dependencies=DEAR)
async def resume_run(request: Request, site: Here, visitor: Analyst, run: Number) -> Response:
    """Go on with a run that was interrupted."""
    await crawls.resume_crawl(site, run)
    await noted(request, "run.resume", str(run))
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


def _facts(corpus: OpenCorpus, run: int) -> dict[str, Any]:
    return run_facts(corpus.parts, crawls.known_run(corpus, run))
