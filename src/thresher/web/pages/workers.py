"""Workers: who works, as it was heard of, and starting and stopping those of this machine."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.crawling.heartbeat import DRAIN, FRESH_S, STOP
from thresher.crawling.workers import heard, worker_facts
from thresher.errors import UsageError
from thresher.web.corpora import OpenCorpus
from thresher.web.fragments import render_block, ticks
from thresher.web.frame import wording_of
from thresher.web.live import sse
from thresher.web.problems import Refused
from thresher.web.processes import Process
from thresher.web.site import site_of
from thresher.web.views import View, page, redirect

LOOK_EVERY_S = 2.0
MAX_ADDED = 16  # workers at once
TONES = {"running": "ok", "waiting": "", "draining": "warn", "lost": "bad", "ended": ""}


async def workers(request: Request) -> View:
    """List the workers of all machines, and the processes that this server started."""
    data = await _data(request)
    return View("workers.html", wording_of(request).gettext("Workers"), data, rows=data["rows"])


async def worker_events(request: Request) -> Response:
    """Tell who works, every two seconds."""

    async def events() -> AsyncIterator[tuple[str, Any]]:
        async for _ in ticks(LOOK_EVERY_S):
            yield "show", render_block(request, View("workers.html", "", await _data(request)), "list")

    return sse(request, events())


async def add(request: Request) -> Response:
    """Start workers on this machine, which are kept running until they are stopped."""
    site, form, _ = site_of(request), await request.form(), wording_of(request)
    text = str(form.get("count", "1"))
    count = int(text) if text.isdecimal() else 0
    if not 1 <= count <= MAX_ADDED:
        raise UsageError(f"start between 1 and {MAX_ADDED} workers at once")
    for _number in range(count):
        name = site.processes.free_name("worker")
        site.processes.start(name, ["worker", "run", "--progress", "none"], keep=True)
    await site.gate.note(request.state.user.name, "workers.add", str(count))
    words = _.ngettext("%(num)s worker starts.", "%(num)s workers start.", count)
    return redirect(request, "workers", notice=words)


async def tell(request: Request) -> Response:
    """Ask a worker to finish what it has in flight and end, or to end at once."""
    site, form, _ = site_of(request), await request.form(), wording_of(request)
    worker, order = str(form.get("worker", "")), str(form.get("order", ""))
    if order not in (DRAIN, STOP):
        raise UsageError(f"{order!r} is neither {DRAIN} nor {STOP}")
    told = await site.corpora.write(_told, worker, order)
    if not told:
        raise Refused(409, f"{worker} was not heard of for {FRESH_S:.0f} seconds, so it cannot be told anything")
    own = next((each for each in site.processes.list() if each.pid and f"/{each.pid}/" in worker), None)
    if own:  # it would be started again
        site.processes.stop(own.name)
    await site.gate.note(request.state.user.name, f"workers.{order}", worker)
    return redirect(request, "workers", notice=_.gettext("It is told with its next sign of life, in a few seconds."))


async def stop(request: Request) -> Response:
    """Stop a process of this server: it finishes what it has in flight, and is not started again."""
    site = site_of(request)
    process = site.processes.stop(str((await request.form()).get("process", "")))
    await site.gate.note(request.state.user.name, "workers.remove", process.name)
    notice = wording_of(request).gettext("%(name)s finishes what is in flight, and ends.", name=process.name)
    return redirect(request, "workers", notice=notice)


def process_facts(process: Process, now: datetime) -> dict[str, Any]:
    """Return what is known of a process that this server looks after."""
    up = (now - process.started_at).total_seconds() if process.started_at and process.state == "running" else None
    return {
        "name": process.name,
        "state": process.state,
        "pid": process.pid,
        "up_s": round(up) if up is not None else None,
        "starts": process.starts,
        "code": process.code,
        "kept": process.keep,
        "said": list(process.lines)[-3:],
    }


def _listed(corpus: OpenCorpus) -> list[dict[str, Any]]:
    return [worker_facts(job, beat) for job, _, beat in heard(corpus.parts)]


def _told(corpus: OpenCorpus, worker: str, order: str) -> bool:
    found = [(overseer, beat) for _, overseer, beat in heard(corpus.parts) if beat.worker == worker]
    return any(beat.age_s <= FRESH_S and overseer.tell(beat.worker, order) for overseer, beat in found)


async def _data(request: Request) -> dict[str, Any]:
    site, now = site_of(request), datetime.now(UTC)
    rows = await site.corpora.read(_listed)
    kept = [process_facts(process, now) for process in site.processes.list()]
    return {
        "rows": rows,
        "processes": kept,
        "fresh": sum(row["state"] in ("running", "waiting", "draining") for row in rows),
        "per_min": round(sum(row["per_min"] or 0 for row in rows if row["state"] == "running"), 1),
        "_tones": TONES,
        "_cli": "thresher worker list",
    }


ROUTES: list[Route] = [
    *page("/workers", workers, name="workers"),
    *page("/workers/events", worker_events, name="worker_events"),
    *page("/workers/add", add, name="workers_add", role="admin", methods=("POST",)),
    *page("/workers/tell", tell, name="workers_tell", role="admin", methods=("POST",)),
    *page("/workers/stop", stop, name="workers_stop", role="admin", methods=("POST",)),
]
