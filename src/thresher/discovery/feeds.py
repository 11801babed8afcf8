"""Feeds: what RSS (0.9 to 2.0), Atom and JSON Feed documents point to."""

import json
from collections.abc import Iterator
from typing import Any

from lxml import etree

from thresher.discovery.references import Reference
from thresher.discovery.safe_xml import parse_xml
from thresher.html import decode

MAX_FEED_BYTES = 10_000_000  # of the body; more is not read


def feed_references(body: bytes, url: str, content_type: str = "") -> Iterator[Reference]:
    """Yield the entries of a feed in its order, and its next page; nothing when it cannot be read at all."""
    text = decode(body[:MAX_FEED_BYTES], content_type).text
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _json_references(text)
    root = parse_xml(text, url)
    return iter(()) if root is None else _xml_references(root)


def _xml_references(root: etree._Element) -> Iterator[Reference]:
    for link in root.iter("{*}link"):
        if link.get("rel") == "next" and _name(link.getparent()) in ("feed", "channel"):
            yield Reference(link.get("href") or "", "next", base=link.base)
    for entry in root.iter("{*}item", "{*}entry"):
        reference = _entry_reference(entry)
        if reference is not None:
            yield reference


def _entry_reference(entry: etree._Element) -> Reference | None:
    """Return an entry's own page: the original before a proxy's, a link before an identifier."""
    best: tuple[int, Reference] | None = None
    for child in entry.iterchildren("*"):
        rank = _rank(child)
        href = (child.get("href") or child.text or "").strip()
        if rank and href and (best is None or rank > best[0]):
            best = rank, Reference(href, "feed", base=child.base)
    return best[1] if best else None


def _rank(child: etree._Element) -> int:
    """Rate how surely an entry's child names its page: 0 is not at all."""
    name, text = _name(child), (child.text or "").strip()
    if name == "origLink":
        return 4
    if name == "link":
        if child.get("rel", "alternate") != "alternate":
            return 0
        return 3 if "html" in child.get("type", "html") else 2
    permanent = name == "id" or (name == "guid" and child.get("isPermaLink", "true").lower() != "false")
    return 1 if permanent and text.startswith(("http://", "https://")) else 0


def _name(element: etree._Element | None) -> str:
    # A prefix that is bound to no namespace stays in the tag.
    return "" if element is None else str(element.tag).rpartition("}")[2].rpartition(":")[2]


def _json_references(text: str) -> Iterator[Reference]:
    try:
        # Control characters in strings and numbers of any length are let pass: they cost no other entry.
        feed: Any = json.loads(text.lstrip("\ufeff"), strict=False, parse_int=float)
    except (ValueError, RecursionError):
        return
    if not isinstance(feed, dict):
        return
    if isinstance(feed.get("next_url"), str):
        yield Reference(feed["next_url"], "next")
    items = feed.get("items")
    for item in items if isinstance(items, list) else ():
        target = (item.get("url") or item.get("id")) if isinstance(item, dict) else None
        if isinstance(target, str):
            yield Reference(target, "feed")
