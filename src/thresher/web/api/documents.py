"""What was collected: documents, posts, searches, facets, stories, what rises, and what became of a URL."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Literal
from urllib.parse import urljoin

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from thresher import urls
from thresher.analysis import volume as volumes
from thresher.crawling.reasons import meaning_of
from thresher.export.csv_rows import row as csv_row
from thresher.frontier.contract import State
from thresher.model import Document, HitPage
from thresher.web import counts, rss
from thresher.web.api import shapes
from thresher.web.api.guards import DEAR, Here, Reader
from thresher.web.corpora import OpenCorpus
from thresher.web.problems import Refused
from thresher.web.views import json_response, plain

ROUTER = APIRouter(tags=["documents"])
MAX_POSTS = 1_000
MAX_GROUPS = counts.VALUES
STORIES_WAIT_S = 20.0
Sort = Literal["relevance", "date", "seen"]
Text = Annotated[str, Query(max_length=shapes.MAX_QUERY, description="in the query language; empty: everything")]
Of = Annotated[str, Query(max_length=shapes.MAX_URL, min_length=1, description="of the document")]
After = Annotated[str | None, Query(max_length=2_000, description="`next` of the page before")]
FORMATS: dict[str, tuple[Callable[[Document], str], str]] = {
    "md": (Document.markdown, "text/markdown"),
    "html": (Document.html, "text/html"),
    "txt": (lambda document: document.text, "text/plain"),
}
Limit = Annotated[int, Query(ge=1, le=100)]
CSV_FIELDS = ("url", "title", "site", "kind", "language", "published", "seen", "authors", "copies", "score", "snippet")


async def _found(site: Here, q: str, sort: Sort, limit: int, after: str | None, passages: int = 1) -> HitPage:
    return await site.corpora.recent(
        ("found", q, sort, limit, after, passages),
        lambda corpus: corpus.corpus.search(q, sort=sort, limit=limit, after=after, passages=passages),
    )


@ROUTER.get("/search", response_model=shapes.Found)
@ROUTER.get("/search.json", response_model=shapes.Found, include_in_schema=False)
async def search(
    site: Here,
    _visitor: Reader,
    q: Text = "",
    sort: Sort = "relevance",
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    after: After = None,
    passages: Annotated[int, Query(ge=1, le=10)] = 1,
) -> Response:
    """Find documents."""
    page = await _found(site, q, sort, limit, after, passages)
    facts = {"total": page.total, "next": page.next, "suggestion": page.suggestion, "hits": page.hits}
    return json_response(facts)


@ROUTER.get("/search.csv", responses={200: {"content": {"text/csv": {}}}}, response_class=Response)
async def search_csv(
    site: Here,
    _visitor: Reader,
    q: Text = "",
    sort: Sort = "relevance",
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Response:
    """Find documents, as CSV; for all of them, see /export."""
    page = await _found(site, q, sort, limit, None)
    lines = [csv_row(CSV_FIELDS), *(csv_row([_cell(hit, name) for name in CSV_FIELDS]) for hit in page)]
    return Response("\ufeff" + "".join(lines), media_type="text/csv; charset=utf-8")


@ROUTER.get("/search.jsonl", responses={200: {"content": {"application/jsonl": {}}}}, response_class=Response)
async def search_jsonl(
    site: Here,
    _visitor: Reader,
    q: Text = "",
    sort: Sort = "relevance",
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Response:
    """Find documents, a line of JSON each."""
    page = await _found(site, q, sort, limit, None)
    body = "".join(json.dumps(plain(hit), ensure_ascii=False) + "\n" for hit in page).encode("utf-8", "replace")
    return Response(body, media_type="application/jsonl")


@ROUTER.get("/search.rss", responses={200: {"content": {"application/rss+xml": {}}}}, response_class=Response)
async def search_rss(
    request: Request, site: Here, _visitor: Reader, q: Text = "", limit: Annotated[int, Query(ge=1, le=100)] = 50
) -> Response:
    """Find documents, the last collected first, as a feed."""
    page = await _found(site, q, "seen", limit, None)
    link = urljoin(str(request.base_url), site.paths.of("search", q=q))
    return StreamingResponse(rss.feed(q or "Thresher", link, f"{page.total} documents", page.hits), media_type=rss.TYPE)


@ROUTER.get("/facets", response_model=shapes.FacetsOut)
async def facets(
    site: Here,
    _visitor: Reader,
    q: Text = "",
    limit: Annotated[int, Query(ge=1, le=MAX_GROUPS)] = 10,
    unit: Literal["hour", "day", "week", "month", "year"] | None = None,
) -> Response:
    """Count what a query finds by site, source, language, author, kind and time."""
    if not q.strip():
        return json_response(await counts.awaited_facets(site, unit, limit))
    counted = await site.corpora.recent(
        ("facets", q, limit, unit), lambda corpus: corpus.corpus.facets(q, limit=limit, unit=unit)
    )
    return json_response(counted)


@ROUTER.get("/clauses", response_model=list[shapes.ClauseOut])
async def clauses(site: Here, _visitor: Reader, q: Text = "") -> Response:
    """Count what each part of a query finds by itself."""
    return json_response(await site.corpora.read(lambda corpus: corpus.corpus.clauses(q)))


@ROUTER.get(
    "/documents",
    response_model=shapes.DocumentOut,
    responses={200: {"content": {"text/markdown": {}, "text/html": {}, "text/plain": {}}}},
)
async def document(
    site: Here, _visitor: Reader, url: Of, format: Literal["json", "md", "html", "txt"] = "json", posts: bool = True
) -> Response:
    """Return the document of a URL, or of any page of a thread."""
    found = await site.corpora.read(lambda corpus: corpus.corpus.get(url, posts=posts))
    if found is None:
        raise Refused(404, f"no document is stored under {url}; /why says what happened to it")
    if format == "json":
        return json_response(found.to_dict())
    write, kind = FORMATS[format]
    headers = {"content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'"}
    return Response(write(found).encode("utf-8", "replace"), headers=headers, media_type=f"{kind}; charset=utf-8")


@ROUTER.get("/posts", response_model=shapes.Posts)
async def posts(
    site: Here,
    _visitor: Reader,
    url: Of,
    limit: Annotated[int, Query(ge=1, le=MAX_POSTS)] = 100,
    after: After = None,
) -> Response:
    """Return the posts of a thread, some at a time."""
    start = page_start(after)

    def read(corpus: OpenCorpus) -> dict[str, Any] | None:
        if corpus.corpus.get(url, posts=False) is None:
            return None
        total, chosen = 0, []
        for place, post in enumerate(corpus.corpus.posts(url)):
            total += 1
            if start <= place < start + limit:
                chosen.append(post.to_dict())
        more = start + limit < total
        return {"total": total, "next": str(start + limit) if more else None, "posts": chosen}

    found = await site.corpora.read(read)
    if found is None:
        raise Refused(404, f"no document is stored under {url}")
    return json_response(found)


@ROUTER.get("/versions", response_model=shapes.Versions)
async def versions(site: Here, _visitor: Reader, url: Of) -> Response:
    """Return the versions of an article, the present one last."""

    def read(corpus: OpenCorpus) -> list[Any]:
        known = corpus.corpus.get(url, posts=False)
        return corpus.store.versions(known.url) if known and known.url else []

    return json_response({"versions": await site.corpora.read(read)})


@ROUTER.get("/copies", response_model=shapes.Copies)
async def copies(site: Here, _visitor: Reader, url: Of) -> Response:
    """Return the documents that say the same, the original first."""
    wanted = _canonical(url)
    return json_response({"copies": await site.corpora.read(lambda corpus: corpus.store.copies(wanted))})


@ROUTER.get("/stories", response_model=shapes.Items)
async def stories(
    site: Here,
    _visitor: Reader,
    days: Annotated[int, Query(ge=0, le=36_500, description="with a report within so many; 0: ever")] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    after: After = None,
) -> Response:
    """Return the stories that two articles or more report, at most 500, those of most sites first."""
    start = page_start(after)
    found = await _stories(site, days)
    items = found[start : start + limit]
    return json_response({"total": len(found), "next": next_page(start + limit, len(found)), "items": items})


@ROUTER.get("/stories/{id}", response_model=dict[str, Any])
async def story(site: Here, _visitor: Reader, id: str) -> Response:
    """Return one story with its reports."""
    found = next((each for each in await _stories(site, 0) if each["id"] == id), None)
    if found is None:
        raise Refused(404, f"there is no story {id}")
    return json_response(found)


async def _stories(site: Here, days: int) -> list[dict[str, Any]]:
    """Return what a process beside this one worked out; raise Refused while it still works."""
    found = await counts.recent_stories(site, days, wait_s=STORIES_WAIT_S)
    if found is None or found.value is None:
        words = found.failed if found else "the stories are being worked out; ask again in a moment"
        raise Refused(503, words, headers={"retry-after": "5"})
    return list(found.value["stories"])


@ROUTER.get("/trends", response_model=dict[str, Any], dependencies=DEAR)
async def trends(
    site: Here,
    _visitor: Reader,
    q: Text = "",
    period: Literal["day", "week", "month"] = "week",
    top: Annotated[int, Query(ge=1, le=200)] = 20,
    language: Annotated[str | None, Query(max_length=20)] = None,
) -> Response:
    """Return the words and names that rise."""
    return json_response(
        await site.corpora.read(
            lambda corpus: corpus.corpus.trends(q, period=period, top=top, language=language, seconds=10)
        )
    )


@ROUTER.get("/volume", response_model=shapes.Items)
async def volume(
    site: Here,
    _visitor: Reader,
    q: Text = "",
    per: Literal["hour", "day", "week", "month", "year"] = "day",
) -> Response:
    """Count documents by publication date (UTC); periods without documents are left out."""

    if q.strip():
        found = await site.corpora.recent(("volume", q, per), lambda corpus: corpus.corpus.facets(q, limit=0, unit=per))
    else:
        found = await counts.awaited_facets(site, per, 0)
    per_period = volumes.Volume(per)
    per_period.add("", found.dates, found.undated)
    rows = [{per: period, "documents": count} for period, _, count in per_period.rows()]
    return json_response({"total": len(rows), "next": None, "items": rows})


@ROUTER.get("/stats", response_model=dict[str, int])
async def stats(site: Here, _visitor: Reader) -> Response:
    """Count documents, sources and runs."""
    return json_response(
        await site.corpora.recent(
            "stats",
            lambda corpus: {
                "documents": corpus.index.count(),
                "sources": len(corpus.catalog.sources()),
                "runs": len(corpus.store.runs()),
            },
        )
    )


@ROUTER.get("/why", response_model=shapes.Why)
async def why(site: Here, _visitor: Reader, url: Of) -> Response:
    """Explain what happened to a URL: stored, skipped, waiting, given up or never seen."""
    wanted = _canonical(url)
    return json_response(await site.corpora.read(lambda corpus: why_facts(corpus, wanted)))


def why_facts(corpus: OpenCorpus, url: str) -> dict[str, Any]:
    """Return what became of a canonical URL, newest first, and where it waits."""
    waiting = [
        {
            "job": job,
            "state": str(standing.state.value),
            "reason": standing.reason,
            "attempts": standing.attempts,
            "due_in_s": standing.due_in_s,
        }
        for job, standing in corpus.parts.standings(url).items()
        if standing.state is not State.DEAD
    ]
    fates = [
        {"run": fate.run, "state": fate.state, "reason": fate.reason, "meaning": meaning_of(fate.reason)}
        | {"at": fate.at, "status": fate.status, "detail": fate.detail, "found_on": fate.found_on}
        for fate in corpus.store.fates(url)
    ]
    known = corpus.store.document(url, posts=False)
    copies = corpus.store.copies(url) if known else []
    return {"url": url, "document": known is not None, "copies": copies, "waiting": waiting, "fates": fates}


def _canonical(url: str) -> str:
    return urls.canonical(url if "://" in url else f"https://{url}")


def page_start(after: str | None) -> int:
    if after is None:
        return 0
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        raise Refused(422, "after: this is not the `next` of a page")
    return int(after)


def next_page(place: int, total: int) -> str | None:
    return str(place) if place < total else None


def _cell(hit: Any, name: str) -> object:
    value = getattr(hit, name)
    if isinstance(value, tuple):
        return "; ".join(map(str, value))
    return value.isoformat() if isinstance(value, datetime) else value
