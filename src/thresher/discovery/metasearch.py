"""Metasearch: a page of search results → Links to the results, in the engine's order.

What comes back tells by itself how it is read: the JSON of a SearXNG instance, a feed, or an HTML page, on which the
results are found like the articles of any listing page (listings.py).
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from thresher import urls
from thresher.discovery.feeds import feed_references
from thresher.discovery.kinds import is_feed_or_sitemap
from thresher.discovery.links import MAX_LINKS, Found, Place, base_of, judge
from thresher.discovery.listings import article_links
from thresher.discovery.references import Reference, html_references
from thresher.discovery.robots_meta import wishes
from thresher.errors import UsageError
from thresher.html import Tree, parse
from thresher.model import Page

MAX_JSON_BYTES = 10_000_000  # of the body; more is not read
MAX_TOLD = 300  # characters of what is told of engines that did not answer


@dataclass(frozen=True, slots=True)
class Results:
    """What a page of results leads to, and what is to be told of it."""

    found: Found
    note: str = ""


def discover_results(page: Page, *, depth: int = 0, agent: str = "thresher") -> Results:
    """Return the results on a page, best first; raise ExtractionError for a page that cannot be parsed."""
    robots_tag = page.headers.get("x-robots-tag", "")
    searxng = _searxng(page.body)
    if searxng is not None:  # its X-Robots-Tag is meant for who comes across its pages, not for who uses its API
        return Results(_judged(_searxng_references(searxng), page.url, depth), _unresponsive(searxng))
    if is_feed_or_sitemap(page.content_type, page.body) == "feed":
        entries = (entry for entry in feed_references(page.body, page.url, page.content_type) if entry.why == "feed")
        return Results(_judged(entries, page.url, depth, robots_tag))
    tree = parse(page.body, url=page.url, content_type=page.content_type)
    asked = wishes(tree.root, robots_tag, agent=agent)
    place = Place(page.url, depth, base_of(tree, page.url), tree.encoding or "utf-8")
    return Results(judge(_as_results(result_references(tree, page.url)), asked, place, limit=MAX_LINKS))


def result_references(tree: Tree, url: str) -> list[Reference]:
    """Return the links of an HTML page that are results, those to a redirect of the engine as what they lead to."""
    listed = {link.url for link in article_links(tree, url)}
    base, encoding = base_of(tree, url), tree.encoding or "utf-8"
    found: dict[str, Reference] = {}
    for reference in html_references(tree.body):
        try:
            target = urls.canonical(reference.href, base, encoding=encoding)
        except UsageError:
            continue
        if target in listed:
            found.setdefault(target, reference._replace(href=_unwrapped(target, url)))
    return list(found.values())


def _as_results(references: Iterable[Reference]) -> Iterator[Reference]:
    return (reference._replace(why="result") for reference in references)


def _judged(references: Iterable[Reference], url: str, depth: int, robots_tag: str = "") -> Found:
    return judge(_as_results(references), wishes(None, robots_tag), Place(url, depth, url), limit=MAX_LINKS)


def _searxng(body: bytes) -> dict[str, Any] | None:
    """Return what a SearXNG instance answered; None for anything else."""
    if body.lstrip()[:1] != b"{":
        return None
    try:
        answer = json.loads(body[:MAX_JSON_BYTES], parse_int=float)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and isinstance(answer.get("results"), list) else None


def _searxng_references(answer: dict[str, Any]) -> Iterator[Reference]:
    for result in answer["results"]:
        target = result.get("url") if isinstance(result, dict) else None
        if isinstance(target, str) and target:
            yield Reference(target)


def _unresponsive(answer: dict[str, Any]) -> str:
    """Tell which engines did not answer the instance, and why."""
    silent = answer.get("unresponsive_engines")
    told = []
    for engine in silent if isinstance(silent, list) else ():
        if isinstance(engine, list) and engine and all(isinstance(part, str) for part in engine):
            told.append(f"{engine[0]} ({', '.join(engine[1:])})" if len(engine) > 1 else engine[0])
    return f"no answer from {', '.join(told)}"[:MAX_TOLD] if told else ""


def _unwrapped(target: str, page: str) -> str:
    """Return where a link of the engine to itself leads that carries the address of a result; any other as it is."""
    if urls.site_of(target) != urls.site_of(page):
        return target
    try:
        carried = [value for _, value in parse_qsl(urlsplit(target).query) if value.startswith(("http://", "https://"))]
        outside = [value for value in carried if urls.site_of(urls.canonical(value)) != urls.site_of(page)]
    except (UsageError, ValueError):
        return target
    return outside[0] if len(outside) == 1 else target
