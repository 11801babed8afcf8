"""Editions in a crawl: an AMP, mobile or print version leads to the main page, which leads to none of them.

A page of a thread that shows posts of it alone, under its address and a parameter more, is a copy.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from thresher import urls
from thresher.crawling.landing import Harvest, Landing
from thresher.crawling.moves import said_by
from thresher.discovery.editions import is_marked, is_reduced, main_of, named_editions
from thresher.discovery.links import priority_of
from thresher.html import Tree
from thresher.model import Document, Kind, Link
from thresher.store.contract import COPY, EDITION, EDITION_PART, Store

CHECKED_EVERY = 20  # links to copies, of which one is followed
REMEMBERED = 200_000  # links
MAX_PARAMETERS = 6  # of a URL that are looked at
MAX_POSTS = 5_000  # of a thread that are compared
ASKED_ANYHOW = ("start", "search", "redirect")  # whys of links that are followed wherever they lead


def as_edition(found: Harvest, tree: Tree, url: str, depth: int) -> Harvest:
    """Leave the other editions that an article names, and say which page it calls its main one.

    An edition that may lack something leads to that page first. A page of several of an article is not looked at.
    """
    document = found.document
    if document is None or document.kind is not Kind.ARTICLE:
        return found
    named = dict.fromkeys(named_editions(tree, url), EDITION)
    links = tuple(link for link in found.links if link.url not in named)
    found = replace(found, links=links, skipped=(*found.skipped, *named.items()))
    main = main_of(document.canonical_url, url)
    if main is None or found.thread:
        return found
    if is_reduced(tree, url):
        onward = Link(main, depth, "continued", url, priority_of("continued", depth))
        found = replace(found, links=(onward, *(link for link in links if link.url != main)))
    return replace(found, thread=main, part=EDITION_PART)


def known_editions(store: Store, links: Sequence[Link]) -> dict[str, str]:
    """Say which links lead to editions of stored documents that these have named, and to which."""
    found: dict[str, str] = {}
    for link in links:
        if link.why in ASKED_ANYHOW or not is_marked(link.url):
            continue
        fate = next((fate for fate in store.fates(link.url) if fate.reason in (EDITION, COPY)), None)
        main = (fate.detail or fate.found_on) if fate else None
        if main and (known := store.known([main]).get(main)) and known.kind:
            found[link.url] = main
    return found


class Copies:
    """Tells which links lead to stored pages under another URL, by parameters that change nothing on their host."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stems: dict[str, str] = {}  # URL without parameters that change nothing → the first that was taken in

    def forget(self) -> None:
        """Drop what is remembered."""
        self._stems.clear()

    def of(self, links: Sequence[Link]) -> dict[str, str]:
        """Say which links lead to what is stored or asked for under another URL, and which that is.

        They differ from it in parameters that change nothing on their host. One in CHECKED_EVERY is followed all the
        same, so that a parameter that begins to matter is noticed.
        """
        asked = [link.url for link in links if "?" in link.url and link.why not in ASKED_ANYHOW]
        names = self._store.parameters([urls.host_of(url) for url in asked]) if asked else {}
        stems = {url: urls.without_parameters(url, names.get(urls.host_of(url), ())) for url in asked} if names else {}
        stems = {url: stem for url, stem in stems.items() if stem != url and not _is_checked(url)}
        if not stems:
            return {}
        copies = dict(self._store.twins(stems))
        if len(self._stems) > REMEMBERED:
            self._stems.clear()
        for url, stem in stems.items():
            first = self._stems.setdefault(stem, url)
            if first != url:
                copies.setdefault(url, first)
        return copies


def without_single_posts(store: Store, landing: Landing) -> Landing:
    """Return a landing as that of a copy, if its page shows nothing but posts of a stored thread: one post, its page …

    Their addresses differ in a parameter that one of them lacks.
    """
    url, document, record = landing.settlement.lease.link.url, landing.document, landing.record
    is_thread = document is not None and document.kind is Kind.THREAD and document.posts
    if record is None or document is None or not is_thread or "?" not in url or record.fate.state != "stored":
        return landing
    thread = next((stem for stem in _shorter(url) if _has_all_posts(store, stem, document)), None)
    if thread is None:
        return landing
    settlement = replace(landing.settlement, reason=COPY, fruitful=False)
    fate = replace(record.fate, state="skipped", reason=COPY, detail=thread)
    kept = replace(record, fate=fate, document=None, thread=None, part=1, traces=None)
    return replace(landing, settlement=settlement, record=kept)


def _shorter(url: str) -> list[str]:
    """Return what is left of a URL without each of its parameters."""
    path, _, query = url.partition("?")
    pairs = query.split("&")
    left = ("&".join(pairs[:place] + pairs[place + 1 :]) for place in range(min(len(pairs), MAX_PARAMETERS)))
    return [f"{path}?{rest}" if rest else path for rest in left]


def _has_all_posts(store: Store, url: str, document: Document) -> bool:
    """Say whether the thread stored under a URL is another than a document, and has all the posts of that."""
    whole = store.document(url, posts=False)
    if whole is None or whole.kind is not Kind.THREAD or whole.url == document.url:
        return False
    known = {said_by(post) for post in islice(store.posts(url), MAX_POSTS)}
    return all(post.text and said_by(post) in known for post in document.posts)


def _is_checked(url: str) -> bool:
    return int(urls.key_of(url)[:8], 16) % CHECKED_EVERY == 0
