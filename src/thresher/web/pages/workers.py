"""Workers: who works, as it was observed; the members of the fleet are added, started, drained, stopped and removed."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.crawling.heartbeat import DRAIN, FRESH_S, STOP
from thresher.errors import ThresherError, UsageError
from thresher.web.access import noted
from thresher.web.fragments import render_block, ticks
from thresher.web.frame import N_, wording_of
from thresher.web.live import sse
from thresher.web.problems import Refused
from thresher.web.processes import Process
from thresher.web.site import site_of
from thresher.web.views import View, page, redirect
from thresher.web.workforce import ADD, MAX_MEMBERS, ORDERS, RESTART, RUNNING, SCALE

LOOK_EVERY_S = 2.0
MAX_ADDED = 16  # workers at once
WORKING = ("running", "waiting", "draining")
TONES = {"running": "ok", "waiting": "", "draining": "warn", "lost": "bad", "silent": "bad", "failed": "bad"}
ACTIONS = {  # what an order is called while it is carried out
    ADD: N_("Adding workers"),
    SCALE: N_("Changing the number of workers"),
    RESTART: N_("Replacing all workers one by one"),
    "start": N_("Starting"),
    DRAIN: N_("Draining"),
    STOP: N_("Stopping"),
    "remove": N_("Removing"),
}


async def workers(request: Request) -> View:
    """List the workers of all machines, members of the fleet first, and the processes that this server started."""
    data = await _data(request)
    return View("workers.html", wording_of(request).gettext("Workers"), data, rows=data["rows"])


async def worker_events(request: Request) -> Response:
    """Tell who works, every two seconds."""

    async def events() -> AsyncIterator[tuple[str, Any]]:
        async for _ in ticks(LOOK_EVERY_S):
            yield "show", render_block(request, View("workers.html", "", await _data(request)), "list")

    return sse(request, events())


async def log(request: Request) -> View:
    """Show what a member wrote to its terminal last."""
    name = request.path_params["name"]
    lines = await site_of(request).workforce.logs(name)
    rows = [{"line": line} for line in lines]
    data = {"name": name, "_lines": lines, "_cli": f"thresher fleet logs {name}"}
    return View("worker_log.html", name, data, rows=rows)


async def add(request: Request) -> Response:
    """Add members to the fleet, which are kept running until they are stopped."""
    return await _change(request, ADD, 1, MAX_ADDED)


async def scale(request: Request) -> Response:
    """Have so many members: add some, or drain those of least use and take them away."""
    return await _change(request, SCALE, 0, MAX_MEMBERS)


async def restart(request: Request) -> Response:
    """Replace all members one by one."""
    user = request.state.user.name
    site_of(request).workforce.restart(user)
    await noted(request, "workers.restart", "")
    return redirect(request, "workers", notice=wording_of(request).gettext("Each is replaced when a new one works."))


async def tell(request: Request) -> Response:
    """Start, drain, stop or remove a member; drain or stop a worker that is none."""
    site, form, _ = site_of(request), await request.form(), wording_of(request)
    member, worker, order = (str(form.get(name, "")) for name in ("member", "worker", "order"))
    if order not in ORDERS:
        raise UsageError(f"{order!r} is not one of {', '.join(ORDERS)}")
    if member:
        if member not in await site.workforce.members():
            raise Refused(404, f"there is no member {member}")
        site.workforce.order(order, [member], request.state.user.name)
    elif order not in (DRAIN, STOP) or not await site.workforce.tell(worker, order):
        raise Refused(409, f"{worker} was not heard of for {FRESH_S:.0f} seconds, so it cannot be told anything")
    own = next((each for each in site.processes.list() if each.pid and f"/{each.pid}/" in worker), None)
    if own and not member:  # it would be started again
        site.processes.stop(own.name)
    await noted(request, f"workers.{order}", member or worker)
    notice = "" if member else _.gettext("It gets the order with its next sign of life, in a few seconds.")
    return redirect(request, "workers", notice=notice)


async def cancel(request: Request) -> Response:
    """Let an order wait no longer."""
    site = site_of(request)
    order = site.workforce.get(str((await request.form()).get("order", "")))
    if order is None:
        raise Refused(404, "this is over, and what it told is gone")
    site.workforce.cancel(order)
    notice = wording_of(request).gettext("No longer waited for. What was asked for already is done all the same.")
    return redirect(request, "workers", notice=notice)


async def stop(request: Request) -> Response:
    """Stop a process of this server: it finishes what it has in flight, and is not started again."""
    site = site_of(request)
    process = site.processes.stop(str((await request.form()).get("process", "")))
    await noted(request, "workers.remove", process.name)
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


async def _change(request: Request, action: str, least: int, most: int) -> Response:
    """Change the number of members by a form's count."""
    site, text = site_of(request), str((await request.form()).get("count", ""))
    count = int(text) if text.isdecimal() and len(text) < 9 else -1
    if not least <= count <= most:
        raise UsageError(f"a number of workers from {least} to {most} is needed, not {text!r}")
    user = request.state.user.name
    (site.workforce.add if action == ADD else site.workforce.scale)(count, user)
    await noted(request, f"workers.{action}", str(count))
    return redirect(request, "workers")


async def _data(request: Request) -> dict[str, Any]:
    site, now, fault = site_of(request), datetime.now(UTC), ""
    try:
        rows = await site.workforce.look()
    except ThresherError as error:  # a plan that cannot be read, a platform that does not answer
        rows, fault = [], str(error)
    kept = [process_facts(process, now) for process in site.processes.list()]
    orders = [order.facts() for order in site.workforce.orders()]
    return {
        "rows": rows,
        "fault": fault,
        "processes": kept,
        "orders": orders,
        "members": sum(row["member"] is not None for row in rows),
        "fresh": sum(row["state"] in WORKING for row in rows),
        "per_min": round(sum(row["per_min"] or 0 for row in rows if row["state"] == "running"), 1),
        "_going": [order for order in orders if order["state"] == RUNNING],
        "_over": [order for order in orders if order["state"] != RUNNING][:3],
        "_tones": TONES,
        "_working": WORKING,
        "_actions": ACTIONS,
        "_cli": "thresher fleet status",
    }


ROUTES: list[Route] = [
    *page("/workers", workers, name="workers"),
    *page("/workers/events", worker_events, name="worker_events"),
    *page("/workers/of/{name}", log, name="worker_log", role="analyst"),
    *page("/workers/add", add, name="workers_add", role="admin", methods=("POST",)),
    *page("/workers/scale", scale, name="workers_scale", role="admin", methods=("POST",)),
    *page("/workers/restart", restart, name="workers_restart", role="admin", methods=("POST",)),
    *page("/workers/tell", tell, name="workers_tell", role="admin", methods=("POST",)),
    *page("/workers/cancel", cancel, name="workers_cancel", role="admin", methods=("POST",)),
    *page("/workers/stop", stop, name="workers_stop", role="admin", methods=("POST",)),
]
