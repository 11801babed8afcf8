"""Editions in a crawl: an AMP, mobile or print version leads to the main page, which leads to none of them."""

from collections.abc import Sequence
from dataclasses import replace

from thresher.crawling.landing import Harvest
from thresher.discovery.editions import is_marked, is_reduced, main_of, named_editions
from thresher.discovery.links import priority_of
from thresher.html import Tree
from thresher.model import Kind, Link
from thresher.store.contract import COPY, EDITION, EDITION_PART, Store

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
