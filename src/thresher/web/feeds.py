"""Feeds: what a search finds, as RSS for whoever has the feed's own address, without a login."""

from urllib.parse import urljoin

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from thresher.catalog.alerts import Feed
from thresher.model import HitPage
from thresher.web import rss
from thresher.web.access import address_of
from thresher.web.accounts import hashed
from thresher.web.corpora import OpenCorpus
from thresher.web.problems import Refused
from thresher.web.site import site_of

ITEMS = 50
MAX_TOKEN = 100  # characters; ours are shorter


async def feed(request: Request) -> Response:
    """Answer the feed of a token; 404 for one that was ended, or whose owner is no user any more."""
    site = site_of(request)
    site.callers.spend(address_of(request))
    secret = str(request.path_params["token"])
    found = await site.corpora.read(_found, hashed(secret)) if len(secret) <= MAX_TOKEN else None
    if found is None or await site.corpora.accounts(lambda accounts: accounts.user(found[0].owner)) is None:
        raise Refused(404, "there is no such feed (any more)")
    told, hits = found
    link = urljoin(str(request.base_url), site.paths.of("search", q=told.query))
    headers = {"cache-control": "private, max-age=60", "referrer-policy": "no-referrer"}
    pieces = rss.feed(told.name, link, f"{hits.total} documents", hits)
    return StreamingResponse(pieces, headers=headers, media_type=rss.TYPE)


def _found(corpus: OpenCorpus, id: str) -> tuple[Feed, HitPage] | None:
    told = corpus.parts.alerts().feed(id)
    return (told, corpus.corpus.search(told.query, sort="seen", limit=ITEMS)) if told else None


ROUTES = [Route("/feeds/{token}.rss", feed, name="feed")]
