"""Workers and the fleet: who works, as it was observed, and orders to members, carried out beside the request."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from thresher.crawling.heartbeat import DRAIN, STOP
from thresher.web.access import noted
from thresher.web.accounts import Visitor
from thresher.web.api import shapes
from thresher.web.api.guards import Here, WorkerOrAdmin
from thresher.web.problems import Refused
from thresher.web.site import Site
from thresher.web.views import json_response
from thresher.web.workforce import REMOVE, START, Order

ROUTER = APIRouter(tags=["workers"])
Facts = dict[str, Any]
Name = Annotated[str, Path(max_length=300)]


@ROUTER.get("/workers", response_model=list[Facts])
async def list_workers(site: Here, _visitor: WorkerOrAdmin) -> Response:
    """List members of the fleet, then all other workers of all machines that were heard of."""
    return json_response(await site.workforce.look())


@ROUTER.post("/workers", response_model=Facts, status_code=202)
async def start_workers(request: Request, site: Here, visitor: WorkerOrAdmin, wanted: shapes.WorkerNew) -> Response:
    """Add workers to the fleet; return the order."""
    await noted(request, "worker.add", str(wanted.count))
    return _accepted(site.workforce.add(wanted.count, visitor.name))


@ROUTER.post("/workers/{name:path}/drain", status_code=202, response_model=Facts)
async def drain_worker(request: Request, site: Here, visitor: WorkerOrAdmin, name: Name) -> Response:
    """Let a member, or any worker, finish the requests in flight and end."""
    return await _order(request, site, visitor, name, DRAIN)


@ROUTER.post("/workers/{name:path}/stop", status_code=202, response_model=Facts)
async def stop_worker(request: Request, site: Here, visitor: WorkerOrAdmin, name: Name) -> Response:
    """Let a member, or any worker, return its links and end at once."""
    return await _order(request, site, visitor, name, STOP)


@ROUTER.post("/workers/{name:path}/start", status_code=202, response_model=Facts)
async def start_worker(request: Request, site: Here, visitor: WorkerOrAdmin, name: Name) -> Response:
    """Start a member that has ended."""
    return await _order(request, site, visitor, name, START)


@ROUTER.delete("/workers/{name:path}", status_code=202, response_model=Facts)
async def remove_worker(request: Request, site: Here, visitor: WorkerOrAdmin, name: Name) -> Response:
    """Drain a member and take it away."""
    return await _order(request, site, visitor, name, REMOVE)


@ROUTER.get("/fleet", response_model=Facts)
async def fleet(site: Here, _visitor: WorkerOrAdmin) -> Response:
    """Tell the members of the fleet, and the orders to it: those that are carried out, and the last that were."""
    rows = [row for row in await site.workforce.look() if row["member"] is not None]
    return json_response({"members": rows, "orders": [order.facts() for order in site.workforce.orders()]})


@ROUTER.get("/fleet/logs/{name:path}", response_model=Facts)
async def fleet_logs(site: Here, _visitor: WorkerOrAdmin, name: Name) -> Response:
    """Tell what a member wrote to its terminal last."""
    if name not in await site.workforce.members():
        raise Refused(404, f"there is no member {name}")
    return json_response({"member": name, "lines": await site.workforce.logs(name)})


@ROUTER.post("/fleet/scale", status_code=202, response_model=Facts)
async def scale_fleet(request: Request, site: Here, visitor: WorkerOrAdmin, wanted: shapes.FleetSize) -> Response:
    """Have so many members: add some, or drain those of least use and take them away; return the order."""
    await noted(request, "fleet.scale", str(wanted.count))
    return _accepted(site.workforce.scale(wanted.count, visitor.name))


@ROUTER.post("/fleet/restart", status_code=202, response_model=Facts)
async def restart_fleet(request: Request, site: Here, visitor: WorkerOrAdmin) -> Response:
    """Replace all members one by one; return the order."""
    await noted(request, "fleet.restart", "")
    return _accepted(site.workforce.restart(visitor.name))


@ROUTER.get("/fleet/orders/{id}", response_model=Facts)
async def fleet_order(site: Here, _visitor: WorkerOrAdmin, id: str) -> Response:
    """Tell what was observed of an order, and how it ended."""
    return json_response(_known(site, id).facts())


@ROUTER.post("/fleet/orders/{id}/cancel", response_model=Facts)
async def cancel_fleet_order(request: Request, site: Here, visitor: WorkerOrAdmin, id: str) -> Response:
    """Let an order wait no longer; what it has asked for already, the platform does."""
    order = _known(site, id)
    site.workforce.cancel(order)
    await noted(request, "fleet.cancel", f"{order.action} {order.target}")
    return json_response(order.facts())


async def _order(request: Request, site: Site, visitor: Visitor, name: str, action: str) -> Response:
    """Give an order to a member, or tell a worker that is none."""
    if name in await site.workforce.members():
        await noted(request, f"worker.{action}", name)
        return _accepted(site.workforce.order(action, [name], visitor.name))
    process = site.processes.get(name)
    if action not in (DRAIN, STOP):
        raise Refused(404, f"there is no member {name}")
    if process and process.state != "ended":  # of `thresher serve --workers`
        site.processes.stop(name)
    elif not await site.workforce.tell(name, action):
        raise Refused(404, f"no worker {name} was heard of within 15 seconds")
    await noted(request, f"worker.{action}", name)
    return json_response({"worker": name, "order": action}, 202)


def _accepted(order: Order) -> Response:
    return json_response(order.facts(), 202)


def _known(site: Site, id_: str) -> Order:
    order = site.workforce.get(id_)
    if order is None:
        raise Refused(404, f"there is no order {id_} (any more)")
    return order
