"""Add a source: paste anything, see what is there while it is looked at, save it; or import a list of sources."""

import base64
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.catalog.definitions import named, refuse_duplicate
from thresher.crawling.opening import start_url
from thresher.crawling.reasons import meaning_of
from thresher.errors import UsageError
from thresher.model import Endpoint, EndpointKind, Page, Source
from thresher.model.source import source_from_dict
from thresher.web.access import noted
from thresher.web.corpora import OpenCorpus
from thresher.web.errands import RUNNING, Errand
from thresher.web.fragments import render_block
from thresher.web.frame import wording_of
from thresher.web.live import sse
from thresher.web.pages.crawls import begin
from thresher.web.problems import Refused
from thresher.web.shown import framed, powerless
from thresher.web.site import site_of
from thresher.web.views import View, page, redirect

SAMPLES = 5
SHOWN_LINKS = 60
MAX_LIST_BYTES = 20_000_000
CRAWLED = 100  # pages of "save and crawl"
FIELDS = ("channel", "language", "frequency")


async def add(request: Request) -> View | Response:
    """Take what was pasted: an address is looked at, a list of several is imported."""
    _ = wording_of(request)
    if request.method == "GET":
        data = {"given": request.query_params.get("url", ""), "error": "", "_cli": "thresher sources add URL"}
        return View("source_add.html", _.gettext("Add a source"), data)
    form = await request.form()
    text = str(form.get("url", "")).strip()
    try:
        if len(text.split()) > 1:
            return await _import(request, text.encode(), probe=True, tags=[])
        return redirect(request, "probe", id=(await _probe(request, start_url(text))).id)
    except UsageError as error:
        data = {"given": text, "error": str(error), "_cli": "thresher sources add URL"}
        return View("source_add.html", _.gettext("Add a source"), data, status=422)


async def probe(request: Request) -> View:
    """Show what was found at an address so far."""
    errand = _errand(request, "survey")
    data = found_in(errand, request.query_params)
    rows = [{"endpoint": spot["url"], "kind": spot["kind"], "links": len(spot["links"])} for spot in data["spots"]]
    return View("probe.html", wording_of(request).gettext("Add a source"), data, rows=rows)


async def probe_events(request: Request) -> Response:
    """Tell the page of a probe whenever something more was found."""
    errand = _errand(request, "survey")

    async def events() -> AsyncIterator[tuple[str, Any]]:
        async for _ in errand.watch():
            view = View("probe.html", "", found_in(errand, {}))
            yield "show", render_block(request, view, "found")
        yield "over", ""

    return sse(request, events())


async def original(request: Request) -> Response:
    """Show one sample as it came, in a frame in which nothing runs or loads."""
    samples, number = _errand(request, "survey").of("sample"), int(request.path_params["number"])
    if number >= len(samples):
        raise Refused(404, "there is no such sample")
    body = samples[number]["original"].encode("utf-8", "replace")
    page = Page(samples[number]["url"], 200, body, datetime.now(UTC), {"content-type": "text/html; charset=utf-8"})
    return framed(powerless(page), page)


async def cancel(request: Request) -> Response:
    """End a probe or an import early."""
    site, errand = site_of(request), site_of(request).errands.get(request.path_params["id"])
    if errand is None:
        raise Refused(404, "this is over, and what it told is gone")
    site.errands.cancel(errand)
    return redirect(request, "probe" if errand.kind == "survey" else "imported", id=errand.id)


async def save(request: Request) -> View | Response:
    """Keep a source as it was found, and crawl it at once if that is wanted."""
    site, errand, form, _ = site_of(request), _errand(request, "survey"), await request.form(), wording_of(request)
    found = errand.of("source")
    if not found:
        raise UsageError("it is not known yet what is there; wait until it was looked at")
    fields = wanted_fields(found[0], form)
    places = [place for place in errand.of("endpoints")[0] if place["url"] in form.getlist("endpoint")]
    if not places:
        raise UsageError("tick at least one address that is to be asked")
    name = await site.corpora.write(_added, fields, places, str(form.get("name", "")).strip())
    await noted(request, "sources.add", name)
    if form.get("crawl"):
        starts = [place["url"] for place in places]
        run = await begin(request, starts, {"limit": CRAWLED})
        return redirect(request, "crawl", notice=_.gettext("%(name)s is followed.", name=name), run=run.id)
    return redirect(request, "sources.one", notice=_.gettext("%(name)s is followed from now on.", name=name), name=name)


async def bring(request: Request) -> View | Response:
    """Import a list of sources from a file or from text."""
    if request.method == "GET":
        return View("sources_import.html", wording_of(request).gettext("Import sources"), {"error": ""})
    form = await request.form()
    file = form.get("file")
    body = await file.read(MAX_LIST_BYTES) if isinstance(file, UploadFile) and file.filename else b""
    body = body or str(form.get("text", "")).encode()
    if not body.strip():
        raise UsageError("choose a file, or paste a list")
    tags = [tag for tag in re.split(r"[,\s]+", str(form.get("tags", ""))) if tag]
    return await _import(request, body, probe=bool(form.get("probe")), tags=tags)


async def imported(request: Request) -> View:
    """Show how far an import is, and what became of each line."""
    errand = _errand(request, "import")
    data = _import_data(errand)
    return View("imported.html", wording_of(request).gettext("Import sources"), data, rows=data["rows"])


async def imported_events(request: Request) -> Response:
    """Tell the page of an import how far it is."""
    errand = _errand(request, "import")

    async def events() -> AsyncIterator[tuple[str, Any]]:
        async for _ in errand.watch():
            yield "show", render_block(request, View("imported.html", "", _import_data(errand)), "report")
        yield "over", ""

    return sse(request, events())


def found_in(errand: Errand, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return what a probe has found so far; `asked` may have patterns to try on its links."""
    spots, samples, ends = errand.of("spot"), errand.of("sample"), errand.of("source")
    last = errand.messages[-1] if ends else {}
    patterns = {name: [line for line in asked.get(name, "").splitlines() if line] for name in ("include", "exclude")}
    return {
        "id": errand.id,
        "asked": errand.about["url"],
        "state": errand.state,
        "running": errand.state == RUNNING,
        "error": errand.error,
        "requests": len(errand.of("asked")),
        "last": (errand.of("asked") or [""])[-1],
        "spots": spots,
        "samples": [{name: value for name, value in each.items() if name != "original"} for each in samples],
        "_originals": [bool(each["original"]) for each in samples],
        "_reasons": {each["refusal"]: meaning_of(each["refusal"]) for each in samples},
        "source": ends[0] if ends else None,
        "endpoints": last.get("endpoints", []),
        "found_title": last.get("title", ""),
        "language_found": last.get("language", ""),
        "robots": last.get("robots", ""),
        "include": asked.get("include", ""),
        "exclude": asked.get("exclude", ""),
        **tried(spots, patterns),
        "_cli": f"thresher sources add {errand.about['url']}",
    }


def tried(spots: Sequence[Mapping[str, Any]], patterns: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Say of the links that were found which the patterns let pass; what is wrong with a pattern is told."""
    try:
        draft = source_from_dict({"name": "draft", "address": "https://draft.example/", **patterns})
    except UsageError as error:
        return {"links": [], "followed": 0, "of": 0, "fault": str(error)}
    urls = list(dict.fromkeys(url for spot in spots for url in spot["links"]))
    links = [{"url": url, "follow": draft.wants(url)} for url in urls]
    followed = sum(link["follow"] for link in links)
    return {"links": links[:SHOWN_LINKS], "followed": followed, "of": len(links), "fault": ""}


def wanted_fields(found: Mapping[str, Any], form: FormData) -> dict[str, Any]:
    """Return the definition of a source: as it was found, and as the form completes it."""
    fields = {name: value for name, value in found.items() if name not in ("name", "created_at")}
    fields |= {name: value for name in FIELDS if (value := str(form.get(name, "")).strip())}
    for name in ("include", "exclude"):
        fields[name] = [line.strip() for line in str(form.get(name, "")).splitlines() if line.strip()]
    fields["tags"] = [tag.strip() for tag in str(form.get("tags", "")).split(",") if tag.strip()]
    return {name: value for name, value in fields.items() if value not in ("", [])}


def _added(corpus: OpenCorpus, fields: Mapping[str, Any], places: Sequence[Mapping[str, str]], name: str) -> str:
    catalog = corpus.catalog
    refuse_duplicate(catalog, [str(fields["address"]), *(place["url"] for place in places)])
    source: Source = source_from_dict({**fields, "name": name or "draft", "created_at": datetime.now(UTC)})
    endpoints = [Endpoint(source=source.name, url=p["url"], kind=EndpointKind(p["kind"])) for p in places]
    if not name:
        source, endpoints = named(source, endpoints, {known.name for known in catalog.sources()})
    catalog.add(source, endpoints)
    return source.name


async def _probe(request: Request, url: str) -> Errand:
    site = site_of(request)
    await site.corpora.read(lambda corpus: refuse_duplicate(corpus.catalog, [url]))
    await noted(request, "sources.probe", url)
    return site.errands.start("survey", {"draft": {"address": url}, "samples": SAMPLES}, {"url": url})


async def _import(request: Request, body: bytes, *, probe: bool, tags: Sequence[str]) -> Response:
    site = site_of(request)
    order = {"body": base64.b64encode(body).decode("ascii"), "probe": probe, "tags": list(tags)}
    await noted(request, "sources.import", date.today().isoformat())
    errand = site.errands.start("import", order, {"bytes": len(body)})
    return redirect(request, "imported", id=errand.id)


def _import_data(errand: Errand) -> dict[str, Any]:
    rows = (errand.of("rows") or [[]])[0]
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["result"]] = counts.get(row["result"], 0) + 1
    return {
        "id": errand.id,
        "state": errand.state,
        "running": errand.state == RUNNING,
        "error": errand.error,
        "lines": (errand.of("lines") or [0])[0],
        "requests": len(errand.of("asked")),
        "rows": rows,
        "counts": counts,
    }


def _errand(request: Request, kind: str) -> Errand:
    errand = site_of(request).errands.get(request.path_params["id"])
    if errand is None or errand.kind != kind:
        raise Refused(404, "this is over, and what it told is gone; start it again")
    return errand


ROUTES: list[Route] = [
    *page("/sources/add", add, name="sources.new", role="analyst", methods=("GET", "POST")),
    *page("/sources/import", bring, name="sources_import", role="analyst", methods=("GET", "POST")),
    *page("/sources/import/{id}/events", imported_events, name="imported_events", role="analyst"),
    *page("/sources/import/{id}", imported, name="imported", role="analyst"),
    *page("/sources/probe/{id}/events", probe_events, name="probe_events", role="analyst"),
    *page("/sources/probe/{id}/original/{number:int}", original, name="probe_original", role="analyst"),
    *page("/sources/probe/{id}/cancel", cancel, name="probe_cancel", role="analyst", methods=("POST",)),
    *page("/sources/probe/{id}/save", save, name="probe_save", role="analyst", methods=("POST",)),
    *page("/sources/probe/{id}", probe, name="probe", role="analyst"),
]
