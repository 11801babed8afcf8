"""Saved searches: queries under names, to come back to and to build other queries from."""

import re
import shlex
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.catalog.alerts import Feed
from thresher.errors import UsageError
from thresher.model.alert import SavedSearch
from thresher.web import alerts
from thresher.web.access import noted
from thresher.web.accounts import Visitor
from thresher.web.corpora import OpenCorpus
from thresher.web.frame import N_, wording_of
from thresher.web.problems import Refused
from thresher.web.site import site_of
from thresher.web.views import View, page, redirect

MAX_SUGGESTION = 40  # characters of a name made from a query
FRESH = "seen:7d"


async def saved(request: Request) -> View:
    """List the saved searches with what each finds."""
    site = site_of(request)
    rows = await site.corpora.read(partial(_rows, visitor=request.state.user))
    extra = {"_cli": "thresher saved list", "_fresh": FRESH}
    return View("saved.html", N_("Saved searches"), {"searches": rows, **extra}, rows=rows)


async def new(request: Request) -> View | Response:
    """Keep a search under a name."""
    site, params = site_of(request), request.query_params
    if request.method == "GET":
        query = params.get("q", "").strip()
        return await _form(request, {"query": query, "name": suggested_name(query), "shared": True}, "")
    form = {name: str(value) for name, value in (await request.form()).items()}
    given: dict[str, Any] = {
        "query": form.get("query", ""),
        "name": form.get("name", ""),
        "shared": form.get("shared") == "1",
    }
    try:
        wanted = SavedSearch(name=given["name"].strip(), query=given["query"].strip(), shared=given["shared"])
        await site.corpora.write(partial(_save, visitor=request.state.user, wanted=wanted, replace="replace" in form))
    except (UsageError, Refused) as error:
        return await _form(request, given, str(error))
    await noted(request, "saved.add", given["name"])
    notice = wording_of(request).gettext("Saved as %(name)s.", name=given["name"])
    return redirect(request, "search", q=given["query"], notice=notice)


async def remove(request: Request) -> Response:
    """Forget a saved search."""
    site, name = site_of(request), str((await request.form()).get("name", ""))
    me = request.state.user
    await site.corpora.write(partial(alerts.remove_search, visitor=me, name=name))
    await noted(request, "saved.remove", name)
    return redirect(request, "saved", notice=wording_of(request).gettext("%(name)s is removed.", name=name))


async def feeds(request: Request) -> View | Response:
    """List one's own feeds; make one, whose address is shown once, or end one."""
    site, me, params = site_of(request), request.state.user, request.query_params
    form = {name: str(value).strip() for name, value in (await request.form()).items()}
    if "end" in form:
        await site.corpora.write(partial(alerts.end_feed, visitor=me, id=form["end"]))
        await noted(request, "feed.remove", form["end"])
        return redirect(
            request,
            "feeds",
            notice=wording_of(request).gettext("The feed is ended; its address no longer works."),
        )
    made, error = "", ""
    if request.method == "POST":
        try:
            name, query = form.get("name", ""), form.get("query", "")
            _, secret = await site.corpora.write(partial(alerts.make_feed, visitor=me, query=query, name=name))
            made = str(request.base_url).rstrip("/") + site.paths.of("feed", token=secret).removeprefix(
                site.options.base_path
            )
            await noted(request, "feed.add", name)
        except (UsageError, Refused) as wrong:
            error = str(wrong)
    known: list[Feed] = await site.corpora.read(partial(alerts.feeds, visitor=me))
    rows = [alerts.feed_facts(each) for each in known]
    given = {"query": form.get("query", params.get("q", "")), "name": form.get("name", "")}
    extra = {"_made": made, "_given": given, "_cli": ""}
    return View("feeds.html", N_("Feeds"), {"feeds": rows, "error": error, **extra}, rows=rows)


def suggested_name(query: str) -> str:
    """Return a name for a query, made of its own words."""
    words = [word for word in re.findall(r"[^\W_][\w.-]*", query) if word not in ("OR", "AND", "NOT")]
    return "-".join(words)[:MAX_SUGGESTION].rstrip("-._")


async def _form(request: Request, given: dict[str, Any], error: str) -> View:
    count = await site_of(request).corpora.read(partial(_count, query=given["query"]))
    data = {"given": given, "error": error, "found": count}
    words = f"{shlex.quote(given['name'] or 'NAME')} {shlex.quote(given['query'] or 'QUERY')}"
    extra = {"_cli": f"thresher saved add {words}", "_q": given["query"]}
    return View("saved_new.html", N_("Save a search"), {**data, **extra}, status=422 if error else 200)


def _save(corpus: OpenCorpus, *, visitor: Visitor, wanted: SavedSearch, replace: bool) -> None:
    if not replace and corpus.parts.alerts().saved_search(wanted.name):
        raise UsageError(f"there is a saved search {wanted.name} already; choose another name")
    alerts.save_search(corpus, visitor, wanted)


def _rows(corpus: OpenCorpus, *, visitor: Visitor) -> list[dict[str, Any]]:
    return [
        {
            "name": search.name,
            "query": search.query,
            "found": _count(corpus, query=search.query),
            "fresh": _count(corpus, query=f"({search.query}) {FRESH}"),
            "owner": search.owner,
            "shared": search.shared,
            "created": search.created_at,
        }
        for search in alerts.searches(corpus, visitor)
    ]


def _count(corpus: OpenCorpus, *, query: str) -> int | None:
    """Count what a query finds; None when it cannot be read (any more)."""
    try:
        return corpus.corpus.count(query)
    except UsageError:
        return None


ROUTES: list[Route] = [
    *page("/saved", saved, name="saved"),
    *page("/saved/new", new, name="saved.new", role="analyst", methods=("GET", "POST")),
    *page("/saved/feeds", feeds, name="feeds", methods=("GET", "POST")),
    *page("/saved/remove", remove, name="saved.remove", role="analyst", methods=("POST",)),
]
