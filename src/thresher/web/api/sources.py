"""Sources and keywords: what is followed; and looks at a URL: probe and extract."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from thresher.catalog.definitions import named, refuse_duplicate
from thresher.catalog.facts import facts_of, health_facts, healths
from thresher.crawling.opening import start_url
from thresher.crawling.sights import unseen
from thresher.errors import UsageError
from thresher.model import Endpoint, EndpointKind, Keyword, Source, SourceKind, SourceState
from thresher.model.source import source_from_dict, source_to_dict
from thresher.web.access import noted
from thresher.web.api import shapes
from thresher.web.api.documents import After, next_page, page_start
from thresher.web.api.guards import DEAR, Analyst, Here, Reader
from thresher.web.corpora import OpenCorpus
from thresher.web.problems import Refused
from thresher.web.reading import SURVEY_LIMIT_S
from thresher.web.views import json_response

ROUTER = APIRouter(tags=["sources"])
SAMPLES = 5
ROUNDS = 20
Limit = Annotated[int, Query(ge=1, le=1_000)]
Any_ = dict[str, Any]


@ROUTER.get("/sources", response_model=shapes.Items)
async def list_sources(
    site: Here, _visitor: Reader, tag: str | None = None, limit: Limit = 100, after: After = None
) -> Response:
    """List the sources, by name."""
    start = page_start(after)
    known = await site.corpora.read(lambda corpus: corpus.catalog.sources())
    chosen = [source for source in known if tag is None or tag in source.tags]
    items = [_shown(source) for source in chosen[start : start + limit]]
    return json_response({"total": len(chosen), "next": next_page(start + limit, len(chosen)), "items": items})


@ROUTER.post("/sources", response_model=Any_, status_code=201, dependencies=DEAR)
async def add_source(request: Request, site: Here, visitor: Analyst, wanted: shapes.SourceNew) -> Response:
    """Follow an address: it is looked at first, for feeds, sitemaps and boards, unless `probe` is false."""
    address = start_url(wanted.url)
    await site.corpora.read(lambda corpus: refuse_duplicate(corpus.catalog, [address]))
    given = wanted.model_dump(
        mode="json", exclude_none=True, exclude_defaults=True, exclude={"url", "name", "kind", "probe"}
    )
    draft = source_from_dict({"name": wanted.name or "draft", "kind": "site", **given, "address": address})
    if wanted.probe:
        seen = await _survey(site, draft, samples=0)
        source = source_from_dict(seen["source"])
        places = seen["endpoints"]
        endpoints = [Endpoint(source=source.name, url=e["url"], kind=EndpointKind(e["kind"])) for e in places]
    else:
        source, found = unseen(draft)
        endpoints = list(found)
    source = replace(source, created_at=datetime.now(UTC), kind=SourceKind(wanted.kind or source.kind))
    added = await site.corpora.write(_add, source, endpoints, has_name=wanted.name is not None)
    await noted(request, "source.add", added.name)
    return json_response(_shown(added), 201, {"location": f"{request.url.path}/{added.name}"})


@ROUTER.get("/sources/health", response_model=list[Any_])
async def source_health(site: Here, _visitor: Reader) -> Response:
    """Say how every source fares: what is due, what is usual, and what is wrong."""
    now = datetime.now(UTC)
    found = await site.corpora.read(lambda corpus: healths(corpus.catalog, now))
    return json_response([health_facts(health) for health in found])


@ROUTER.get("/sources/{name}", response_model=Any_)
async def show_source(site: Here, _visitor: Reader, name: str) -> Response:
    """Return everything that is known of a source."""

    def read(corpus: OpenCorpus) -> dict[str, Any]:
        return facts_of(corpus.catalog, _known(corpus, name), rounds=ROUNDS, now=datetime.now(UTC))

    return json_response(await site.corpora.read(read))


@ROUTER.patch("/sources/{name}", response_model=Any_)
async def change_source(
    request: Request, site: Here, visitor: Analyst, name: str, wanted: shapes.SourceChange
) -> Response:
    """Change the definition of a source; what is left out stays."""
    given = wanted.model_dump(mode="json", exclude_unset=True)

    def change(corpus: OpenCorpus) -> Source:
        before = _known(corpus, name)
        kept = {field: value for field, value in source_to_dict(before).items() if field not in given}
        held = {field: value for field, value in given.items() if value not in (None, "", 0, [])}
        after = source_from_dict(kept | held)
        corpus.catalog.change(after)
        return after

    changed = await site.corpora.write(change)
    await noted(request, "source.change", name)
    return json_response(_shown(changed))


@ROUTER.delete("/sources/{name}", status_code=204)
async def remove_source(request: Request, site: Here, visitor: Analyst, name: str) -> Response:
    """Follow a source no more; its documents stay."""
    if not await site.corpora.write(lambda corpus: corpus.catalog.remove(name)):
        raise Refused(404, f"there is no source {name}")
    await noted(request, "source.remove", name)
    return Response(status_code=204)


@ROUTER.post("/sources/{name}/pause", response_model=Any_)
async def pause_source(request: Request, site: Here, visitor: Analyst, name: str) -> Response:
    """Stop asking a source."""
    return await _set_state(request, site, visitor, name, SourceState.PAUSED)


@ROUTER.post("/sources/{name}/resume", response_model=Any_)
async def resume_source(request: Request, site: Here, visitor: Analyst, name: str) -> Response:
    """Ask a source again."""
    return await _set_state(request, site, visitor, name, SourceState.ACTIVE)


@ROUTER.post("/sources/{name}/test", response_model=shapes.Survey, dependencies=DEAR)
async def try_source(site: Here, _visitor: Analyst, name: str) -> Response:
    """Look at what a source lists now, with a few samples; nothing is stored."""
    source = await site.corpora.read(lambda corpus: _known(corpus, name))
    if source.kind is SourceKind.SEARCH:
        raise UsageError(f"{name} is a search; `thresher sources test {name}` tries those")
    return json_response(await _survey(site, source, samples=SAMPLES))


@ROUTER.post("/probe", response_model=Any_, dependencies=DEAR)
async def probe(site: Here, _visitor: Analyst, wanted: shapes.Probe) -> Response:
    """Say what a crawl would do with a URL; nothing is stored."""
    return json_response(await site.readings.probe(start_url(wanted.url)))


@ROUTER.post("/survey", response_model=shapes.Survey, dependencies=DEAR)
async def survey(site: Here, _visitor: Analyst, wanted: shapes.Probe) -> Response:
    """Look for feeds, sitemaps and boards at an address, and extract a few of its newest documents."""
    draft = source_from_dict({"name": "draft", "kind": "site", "address": start_url(wanted.url)})
    return json_response(await _survey(site, draft, samples=SAMPLES))


@ROUTER.post("/extract", response_model=shapes.DocumentOut)
async def extract(request: Request, site: Here, visitor: Reader, wanted: shapes.Extract) -> Response:
    """Return the document of a page, given as HTML or by its URL; nothing is stored."""
    how = wanted.model_dump(include={"algorithm", "favour", "posts", "images"})
    if wanted.html is not None:
        return json_response(await site.readings.extract(wanted.html, wanted.url, how))
    if wanted.url is None:
        raise UsageError("give html or url")
    site.dear_callers.spend(visitor.name)
    return json_response(await site.readings.extract_url(start_url(wanted.url), how))


@ROUTER.get("/keywords", response_model=list[Any_])
async def keywords(site: Here, _visitor: Reader) -> Response:
    """Return the hot keywords, the heaviest first."""
    return json_response(await site.corpora.read(lambda corpus: corpus.catalog.keywords()))


@ROUTER.post("/keywords", response_model=list[Any_])
async def add_keywords(request: Request, site: Here, visitor: Analyst, wanted: shapes.KeywordNew) -> Response:
    """Keep words as hot keywords; return all of them."""
    now = datetime.now(UTC)
    words = [" ".join(word.split()) for word in wanted.words]
    if not all(words):
        raise UsageError("a keyword is not empty")
    added = [Keyword(word=word, origin="edited", added_at=now) for word in words]

    def add(corpus: OpenCorpus) -> list[Keyword]:
        corpus.catalog.save_keywords(added)
        return corpus.catalog.keywords()

    found = await site.corpora.write(add)
    await noted(request, "keyword.add", " ".join(words)[:200])
    return json_response(found)


@ROUTER.delete("/keywords/{word}", status_code=204)
async def remove_keyword(request: Request, site: Here, visitor: Analyst, word: str) -> Response:
    """Forget a hot keyword."""
    if not await site.corpora.write(lambda corpus: corpus.catalog.remove_keywords([word])):
        raise Refused(404, f"there is no keyword {word}")
    await noted(request, "keyword.remove", word[:200])
    return Response(status_code=204)


async def _survey(site: Here, draft: Source, *, samples: int) -> dict[str, Any]:
    """Look at an address in a child process."""
    plain = {name: value for name, value in source_to_dict(draft).items() if name != "created_at"}
    asked = {"errand": "survey", "draft": plain, "samples": samples, "data": site.settings.data}
    told = await site.readings.errand(asked, SURVEY_LIMIT_S)
    found = next((message for message in told if "source" in message), None)
    if found is None:
        raise Refused(503, "the process that looked at this address ended before it was done")
    return found | {"samples": [message["sample"] for message in told if "sample" in message]}


def _add(corpus: OpenCorpus, source: Source, endpoints: list[Endpoint], *, has_name: bool) -> Source:
    refuse_duplicate(corpus.catalog, [source.address, *(endpoint.url for endpoint in endpoints)])
    if not has_name:
        source, endpoints = named(source, endpoints, {known.name for known in corpus.catalog.sources()})
    corpus.catalog.add(source, endpoints)
    return source


async def _set_state(request: Request, site: Here, visitor: Analyst, name: str, state: SourceState) -> Response:
    def change(corpus: OpenCorpus) -> Source:
        _known(corpus, name)
        corpus.catalog.set_state(name, state)
        return _known(corpus, name)

    changed = await site.corpora.write(change)
    await noted(request, f"source.{'pause' if state is SourceState.PAUSED else 'resume'}", name)
    return json_response(_shown(changed))


def _known(corpus: OpenCorpus, name: str) -> Source:
    source = corpus.catalog.source(name)
    if source is None:
        raise Refused(404, f"there is no source {name}")
    return source


def _shown(source: Source) -> dict[str, Any]:
    return {"state": str(source.state), **source_to_dict(source)}
