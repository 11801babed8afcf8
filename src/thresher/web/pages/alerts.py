"""Alerts: be told of each new document, by digests, of spikes and of silence; what was sent, and sending it again."""

import shlex
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.alerting.lookout import PREVIEW, count_found, would_have_found
from thresher.errors import UsageError
from thresher.model.alert import ANY_SOURCE, DAYS, Alert, AlertHit, AlertKind, AlertState, DeliveryState
from thresher.web import alerts as kept
from thresher.web.access import noted
from thresher.web.accounts import Visitor
from thresher.web.corpora import OpenCorpus
from thresher.web.frame import N_, Wording, wording_of
from thresher.web.pages.saved import suggested_name
from thresher.web.site import Site, site_of
from thresher.web.views import View, page, redirect

KINDS = {
    AlertKind.EVERY: N_("each new document, soon"),
    AlertKind.DIGEST: N_("a digest, daily or weekly"),
    AlertKind.SPIKE: N_("a spike: much more than usual"),
    AlertKind.SILENCE: N_("silence: nothing new comes"),
}
DAY_NAMES = dict(
    zip(
        DAYS,
        (
            N_("Mondays"),
            N_("Tuesdays"),
            N_("Wednesdays"),
            N_("Thursdays"),
            N_("Fridays"),
            N_("Saturdays"),
            N_("Sundays"),
        ),
        strict=True,
    )
)
STATES = {
    DeliveryState.WAITING: (N_("waiting"), "warn"),
    DeliveryState.SENT: (N_("sent"), "ok"),
    DeliveryState.FAILED: (N_("given up"), "bad"),
}
TEXTS = ("name", "query", "source", "at", "day", "zone", "window", "after")
SHOWN_HITS = 50
SHOWN_DELIVERIES = 100
EXAMPLES = 5


async def alerts(request: Request) -> View:
    """List the alerts with what they found last."""
    rows = await site_of(request).corpora.read(partial(_rows, visitor=request.state.user))
    extra = {"_kinds": KINDS, "_cli": "thresher alerts list"}
    return View("alerts.html", N_("Alerts"), {"alerts": rows, **extra}, rows=rows)


async def new(request: Request) -> View | Response:
    """Add an alert: what it finds from now on is told."""
    site, params = site_of(request), request.query_params
    if request.method == "GET":
        query, source = params.get("q", "").strip(), params.get("source", "")
        kind = AlertKind.SILENCE if source else AlertKind.EVERY
        given = {"query": query, "source": source, "kind": str(kind), "name": suggested_name(query or source)}
        return await _form(request, given, "")
    given = await _given(request)
    try:
        alert = _alert(given)
        settings = site.settings
        await site.corpora.write(partial(kept.add_alert, visitor=request.state.user, wanted=alert, settings=settings))
    except UsageError as error:
        return await _form(request, given, str(error))
    await noted(request, "alerts.add", alert.name)
    notice = wording_of(request).gettext("It reports what it finds from now on.")
    return redirect(request, "alerts.one", name=alert.name, notice=notice)


async def edit(request: Request) -> View | Response:
    """Change an alert; with another query, kind or time it begins anew."""
    site, name = site_of(request), request.path_params["name"]
    visitor = request.state.user
    known = await site.corpora.read(partial(kept.alert, visitor=visitor, name=name))
    if request.method == "GET":
        given = {field: str(getattr(known, field)) for field in (*TEXTS, "kind")} | {"to": "\n".join(known.to)}
        return await _form(request, given, "", known=known)
    given = await _given(request) | {"name": name}
    try:
        wanted = _alert(given)
        changes = {field: getattr(wanted, field) for field in (*TEXTS, "kind", "to")}
        change = partial(kept.change_alert, visitor=visitor, name=name, changes=changes, settings=site.settings)
        await site.corpora.write(change)
    except UsageError as error:
        return await _form(request, given, str(error), known=known)
    await noted(request, "alerts.edit", name)
    return redirect(request, "alerts.one", name=name, notice=wording_of(request).gettext("Changed."))


async def alert(request: Request) -> View:
    """Show an alert: what it found, and what was sent."""
    name = request.path_params["name"]
    read = partial(_read, visitor=request.state.user, name=name)
    known, hits, sent, found = await site_of(request).corpora.read(read)
    shown = [{"title": hit.title, "url": hit.url, "site": hit.site, "seen": hit.seen_at} for hit in hits]
    data = {**_facts(known), "found": found, "hits": shown, "deliveries": sent}
    extra = {
        "_when": _when(known, wording_of(request)),
        "_kinds": KINDS,
        "_states": STATES,
        "_cli": f"thresher alerts show {shlex.quote(name)}",
    }
    return View("alert.html", name, {**data, **extra}, rows=shown)


async def log(request: Request) -> View:
    """Show what was and is to be sent, for all alerts."""
    state = request.query_params.get("state", "")
    chosen = DeliveryState(state) if state in list(DeliveryState) else None
    rows = await site_of(request).corpora.read(
        partial(_deliveries, visitor=request.state.user, name=None, state=chosen)
    )
    extra = {"_states": STATES, "_cli": "thresher alerts log" + (f" --state {chosen}" if chosen else "")}
    return View("alerts_log.html", N_("Sent"), {"state": state, "deliveries": rows, **extra}, rows=rows)


async def act(request: Request) -> Response:
    """Pause, resume, test or remove an alert."""
    site, form, _ = site_of(request), await request.form(), wording_of(request).gettext
    name, action = request.path_params["name"], str(form.get("action", ""))
    if action not in NOTICES:
        raise UsageError(f"{action!r} is not one of {', '.join(NOTICES)}")
    work = partial(_act, visitor=request.state.user, name=name, action=action, site=site)
    count = await site.corpora.write(work)
    await noted(request, f"alerts.{action}", name)
    notice = _(NOTICES[action] if count else NO_TARGET)
    if action == "remove":
        return redirect(request, "alerts", notice=_("%(name)s is removed.", name=name))
    return redirect(request, "alerts.one", name=name, notice=notice)


async def replay(request: Request) -> Response:
    """Send something once more."""
    site, form = site_of(request), await request.form()
    wanted = str(form.get("id", ""))
    found = await site.corpora.write(partial(kept.replay, visitor=request.state.user, id=wanted))
    await noted(request, "alerts.replay", found.alert)
    notice = wording_of(request).gettext("It will be sent again in a moment.")
    return redirect(request, "alerts.one", name=found.alert, notice=notice)


NOTICES = {
    "pause": N_("It is paused until somebody resumes it."),
    "resume": N_("It is active again, from now on."),
    "test": N_("A test is on its way to each target; see below how it goes."),
    "remove": N_("%(name)s is removed."),
}
NO_TARGET = N_("It has no target: nothing was sent.")


async def _given(request: Request) -> dict[str, str]:
    return {name: str(value).strip() for name, value in (await request.form()).items()}


def _alert(given: Mapping[str, str]) -> Alert:
    """Return the alert that a form describes; raise UsageError for what makes no sense."""
    kind = given.get("kind", "")
    if kind not in list(AlertKind):
        raise UsageError(f"{kind!r} is not one of {', '.join(AlertKind)}")
    values = {name: given[name] for name in TEXTS if given.get(name)}
    to = tuple(_target(line) for line in given.get("to", "").split())
    return Alert(kind=AlertKind(kind), to=to, **values)  # type: ignore[arg-type]


def _target(text: str) -> str:
    """Return a target as people write it: an e-mail address needs no mailto."""
    return f"mailto:{text}" if "@" in text and "/" not in text and not text.startswith("mailto:") else text


async def _form(request: Request, given: Mapping[str, str], error: str, *, known: Alert | None = None) -> View:
    try:
        preview = await site_of(request).corpora.read(partial(_preview, query=given.get("query", "")))
    except UsageError as wrong:
        preview, error = None, error or str(wrong)
    data = {"given": dict(given), "error": error, "preview": preview}
    language = wording_of(request)
    extra = {
        "_known": known,
        "_kind_choices": [(kind, language.gettext(text)) for kind, text in KINDS.items()],
        "_day_choices": [("", language.gettext("every day"))]
        + [(day, language.gettext(text)) for day, text in DAY_NAMES.items()],
        "_any": ANY_SOURCE,
        "_q": given.get("query", ""),
        "_cli": _command(given, known),
    }
    title = N_("Change an alert") if known else N_("Get word of what is new")
    return View("alert_edit.html", title, {**data, **extra}, status=422 if error else 200)


def _command(given: Mapping[str, str], known: Alert | None) -> str:
    name = shlex.quote(given.get("name") or "NAME")
    query = [shlex.quote(given["query"])] if given.get("query") else []
    return " ".join(["thresher alerts", "edit" if known else "add", name, *query, "--to mailto:ADDRESS"])


def _preview(corpus: OpenCorpus, *, query: str) -> dict[str, Any] | None:
    """Say what an alert would have found last week; nothing without a query."""
    if not query.strip():
        return None
    asked, now = Alert(name="preview", query=query), datetime.now(UTC)
    hits = would_have_found(corpus.parts, asked, now - PREVIEW, now, limit=EXAMPLES)
    shown = [{"title": hit.title, "url": hit.url} for hit in hits]
    return {"found": count_found(corpus.parts, asked, now - PREVIEW, now), "hits": shown}


def _rows(corpus: OpenCorpus, *, visitor: Visitor) -> list[dict[str, Any]]:
    book = corpus.parts.alerts()
    rows = []
    for each in kept.alerts(corpus, visitor):
        last = next(iter(book.hits(each.name, limit=1)), None)
        failed = book.deliveries(each.name, state=DeliveryState.FAILED, limit=SHOWN_DELIVERIES)
        told = {"found": book.count_hits(each.name), "last": last.seen_at if last else None, "failed": len(failed)}
        rows.append(_facts(each) | told)
    return rows


def _facts(known: Alert) -> dict[str, Any]:
    return {
        "name": known.name,
        "kind": str(known.kind),
        "state": str(known.state),
        "query": known.query,
        "source": known.source,
        "to": list(known.to),
        "owner": known.owner,
        "created": known.created_at,
    }


def _when(known: Alert, language: Wording) -> str:
    """Say when an alert tells something, with its own times."""
    if known.kind is AlertKind.DIGEST:
        day = language.gettext(DAY_NAMES[known.day]) if known.day else language.gettext("every day")
        return language.gettext("%(day)s at %(time)s, %(zone)s", day=day, time=known.at, zone=known.zone)
    if known.kind is AlertKind.SPIKE:
        return language.gettext("the last %(span)s against those before", span=known.window)
    if known.kind is AlertKind.SILENCE and known.after:
        return language.gettext("after %(span)s", span=known.after)
    return ""


def _read(
    corpus: OpenCorpus, *, visitor: Visitor, name: str
) -> tuple[Alert, list[AlertHit], list[dict[str, Any]], int]:
    known, book = kept.alert(corpus, visitor, name), corpus.parts.alerts()
    sent = _deliveries(corpus, visitor=visitor, name=name, state=None)
    return known, book.hits(name, limit=SHOWN_HITS), sent, book.count_hits(name)


def _deliveries(
    corpus: OpenCorpus, *, visitor: Visitor, name: str | None, state: DeliveryState | None
) -> list[dict[str, Any]]:
    book = corpus.parts.alerts()
    found = kept.deliveries(corpus, visitor, name, state, SHOWN_DELIVERIES)
    attempts = {each.id: book.attempts(each.id) for each in found}
    return [
        kept.delivery_facts(each)
        | {"attempts": [{"at": one.at, "ok": one.ok, "detail": one.detail} for one in attempts[each.id]]}
        for each in found
    ]


def _act(corpus: OpenCorpus, *, visitor: Visitor, name: str, action: str, site: Site) -> int:
    """Do something with an alert; return how many deliveries or alerts it concerned."""
    if action == "test":
        return len(kept.try_alert(corpus, visitor, name, site.settings))
    if action == "remove":
        kept.remove_alert(corpus, visitor, name)
    else:
        state = AlertState.PAUSED if action == "pause" else AlertState.ACTIVE
        kept.set_alert_state(corpus, visitor, name, state)
    return 1


ROUTES: list[Route] = [
    *page("/alerts", alerts, name="alerts"),
    *page("/alerts/log", log, name="alerts.log"),
    *page("/alerts/new", new, name="alerts.new", role="analyst", methods=("GET", "POST")),
    *page("/alerts/replay", replay, name="alerts.replay", role="analyst", methods=("POST",)),
    *page("/alerts/of/{name:str}/edit", edit, name="alerts.edit", role="analyst", methods=("GET", "POST")),
    *page("/alerts/of/{name:str}/act", act, name="alerts.act", role="analyst", methods=("POST",)),
    *page("/alerts/of/{name:str}", alert, name="alerts.one"),
]
