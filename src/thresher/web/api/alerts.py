"""Saved searches, alerts, what was sent for them, and feeds."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from thresher.model.alert import AlertKind, AlertState, DeliveryState, SavedSearch, alert_from_dict
from thresher.web import alerts
from thresher.web.access import noted
from thresher.web.api import shapes
from thresher.web.api.guards import DEAR, Analyst, Here, Reader
from thresher.web.corpora import OpenCorpus
from thresher.web.views import json_response

ROUTER = APIRouter(tags=["alerts"])
Name = Annotated[str, Path(min_length=1, max_length=80)]
Limit = Annotated[int, Query(ge=1, le=1_000)]


@ROUTER.get("/saved", response_model=list[shapes.SavedOut])
async def list_saved(site: Here, visitor: Reader) -> Response:
    """List the saved searches: everybody's that are shared, and one's own."""
    return json_response([_search(each) for each in await site.corpora.read(alerts.searches, visitor)])


@ROUTER.get("/saved/{name}", response_model=shapes.SavedOut)
async def show_saved(site: Here, visitor: Reader, name: Name) -> Response:
    """Return a saved search."""
    return json_response(_search(await site.corpora.read(alerts.search, visitor, name)))


@ROUTER.put("/saved/{name}", response_model=shapes.SavedOut, responses={201: {"model": shapes.SavedOut}})
async def save_search(request: Request, site: Here, visitor: Analyst, name: Name, wanted: shapes.SavedNew) -> Response:
    """Save a search under a name, or change it; `saved:NAME` stands for it in other queries."""
    search = SavedSearch(name=name, query=wanted.query, shared=wanted.shared)
    is_new = await site.corpora.write(alerts.save_search, visitor, search)
    await noted(request, "saved.add" if is_new else "saved.change", name)
    return json_response(_search(await site.corpora.write(alerts.search, visitor, name)), 201 if is_new else 200)


@ROUTER.delete("/saved/{name}", status_code=204)
async def remove_saved(request: Request, site: Here, visitor: Analyst, name: Name) -> Response:
    """Forget a saved search; alerts that name it say so."""
    await site.corpora.write(alerts.remove_search, visitor, name)
    await noted(request, "saved.remove", name)
    return Response(status_code=204)


@ROUTER.get("/alerts", response_model=list[shapes.AlertOut])
async def list_alerts(site: Here, visitor: Reader) -> Response:
    """List one's own alerts; an admin sees all."""

    def read(corpus: OpenCorpus) -> list[dict[str, Any]]:
        return [alerts.alert_facts(corpus, alert) for alert in alerts.alerts(corpus, visitor)]

    return json_response(await site.corpora.read(read))


@ROUTER.post("/alerts", response_model=shapes.AlertOut, status_code=201)
async def add_alert(request: Request, site: Here, visitor: Analyst, wanted: shapes.AlertNew) -> Response:
    """Add an alert: what it finds from now on is told."""
    draft = alert_from_dict(wanted.model_dump(exclude_none=True))
    made = await site.corpora.write(alerts.add_alert, visitor, draft, site.settings)
    await noted(request, "alert.add", made.name)
    facts = await site.corpora.write(alerts.alert_facts, made)
    return json_response(facts, 201, {"location": f"{request.url.path}/{made.name}"})


@ROUTER.get("/alerts/{name}", response_model=shapes.AlertOut)
async def show_alert(site: Here, visitor: Reader, name: Name) -> Response:
    """Return an alert."""

    def read(corpus: OpenCorpus) -> dict[str, Any]:
        return alerts.alert_facts(corpus, alerts.alert(corpus, visitor, name))

    return json_response(await site.corpora.read(read))


@ROUTER.patch("/alerts/{name}", response_model=shapes.AlertOut)
async def change_alert(
    request: Request, site: Here, visitor: Analyst, name: Name, wanted: shapes.AlertChange
) -> Response:
    """Change an alert; what is left out stays. With another query, kind or time it begins anew."""
    given = wanted.model_dump(exclude_unset=True, exclude_none=True)
    if "kind" in given:
        given["kind"] = AlertKind(given["kind"])
    if "to" in given:
        given["to"] = tuple(given["to"])
    changed = await site.corpora.write(alerts.change_alert, visitor, name, given, site.settings)
    await noted(request, "alert.change", name)
    return json_response(await site.corpora.write(alerts.alert_facts, changed))


@ROUTER.delete("/alerts/{name}", status_code=204)
async def remove_alert(request: Request, site: Here, visitor: Analyst, name: Name) -> Response:
    """Forget an alert with what it found and what it still has to send."""
    await site.corpora.write(alerts.remove_alert, visitor, name)
    await noted(request, "alert.remove", name)
    return Response(status_code=204)


@ROUTER.post("/alerts/{name}/pause", response_model=shapes.AlertOut)
async def pause_alert(request: Request, site: Here, visitor: Analyst, name: Name) -> Response:
    """Look after an alert no more, until it is resumed."""
    return await _set_state(request, site, visitor, name, AlertState.PAUSED)


@ROUTER.post("/alerts/{name}/resume", response_model=shapes.AlertOut)
async def resume_alert(request: Request, site: Here, visitor: Analyst, name: Name) -> Response:
    """Look after an alert again, from now on."""
    return await _set_state(request, site, visitor, name, AlertState.ACTIVE)


@ROUTER.post("/alerts/{name}/test", response_model=list[shapes.DeliveryOut], status_code=202, dependencies=DEAR)
async def try_alert(request: Request, site: Here, visitor: Analyst, name: Name) -> Response:
    """Put a test on its way to each target of an alert; the deliveries tell how that went."""
    made = await site.corpora.write(alerts.try_alert, visitor, name, site.settings)
    await noted(request, "alert.test", name)
    return json_response([alerts.delivery_facts(delivery) for delivery in made], 202)


@ROUTER.get("/alerts/{name}/hits", response_model=list[dict[str, Any]])
async def alert_hits(site: Here, visitor: Reader, name: Name, limit: Limit = 50) -> Response:
    """Return what an alert found, the last seen first."""

    def read(corpus: OpenCorpus) -> list[Any]:
        alerts.alert(corpus, visitor, name)
        return list(corpus.parts.alerts().hits(name, limit=limit))

    return json_response(await site.corpora.read(read))


@ROUTER.get("/deliveries", response_model=list[shapes.DeliveryOut])
async def list_deliveries(
    site: Here,
    visitor: Reader,
    alert: Annotated[str | None, Query(max_length=80)] = None,
    state: Literal["waiting", "sent", "failed"] | None = None,
    limit: Limit = 50,
) -> Response:
    """List what was and is to be sent for one's alerts, the newest first."""
    wanted = DeliveryState(state) if state else None
    found = await site.corpora.read(alerts.deliveries, visitor, alert, wanted, limit)
    return json_response([alerts.delivery_facts(delivery) for delivery in found])


@ROUTER.get("/deliveries/{id}", response_model=dict[str, Any])
async def show_delivery(site: Here, visitor: Reader, id: Name) -> Response:
    """Return a delivery with every attempt to send it."""
    found, attempts = await site.corpora.read(alerts.delivery, visitor, id)
    return json_response(alerts.delivery_facts(found) | {"tried": attempts, "hits": found.notice.hits})


@ROUTER.post("/deliveries/{id}/replay", response_model=shapes.DeliveryOut, status_code=202, dependencies=DEAR)
async def replay_delivery(request: Request, site: Here, visitor: Analyst, id: Name) -> Response:
    """Send something once more."""
    again = await site.corpora.write(alerts.replay, visitor, id)
    await noted(request, "delivery.replay", id)
    return json_response(alerts.delivery_facts(again), 202)


@ROUTER.get("/feeds", response_model=list[shapes.FeedOut])
async def list_feeds(site: Here, visitor: Reader) -> Response:
    """List one's own feeds, without their addresses."""
    return json_response([alerts.feed_facts(feed) for feed in await site.corpora.read(alerts.feeds, visitor)])


@ROUTER.post("/feeds", response_model=shapes.FeedMade, status_code=201)
async def make_feed(request: Request, site: Here, visitor: Reader, wanted: shapes.FeedNew) -> Response:
    """Make an RSS feed of what a query finds. Its address is shown this once: whoever has it reads the feed."""
    feed, secret = await site.corpora.write(alerts.make_feed, visitor, wanted.query, wanted.name)
    await noted(request, "feed.make", feed.name)
    path = site.paths.of("feed", token=secret)
    return json_response(alerts.feed_facts(feed) | {"path": path}, 201, {"cache-control": "no-store"})


@ROUTER.delete("/feeds/{id}", status_code=204)
async def end_feed(request: Request, site: Here, visitor: Reader, id: Name) -> Response:
    """End one of one's own feeds: its address opens nothing any more."""
    await site.corpora.write(alerts.end_feed, visitor, id)
    await noted(request, "feed.end", id)
    return Response(status_code=204)


def _search(search: SavedSearch) -> dict[str, Any]:
    return {
        "name": search.name,
        "query": search.query,
        "owner": search.owner,
        "shared": search.shared,
        "created_at": search.created_at,
    }


async def _set_state(request: Request, site: Here, visitor: Analyst, name: str, state: AlertState) -> Response:
    changed = await site.corpora.write(alerts.set_alert_state, visitor, name, state)
    await noted(request, f"alert.{'pause' if state is AlertState.PAUSED else 'resume'}", name)
    return json_response(await site.corpora.write(alerts.alert_facts, changed))
