"""Feeds: what RSS (0.9 to 2.0), Atom and JSON Feed documents point to."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from typing import Any
from urllib.parse import urljoin

from lxml import etree

from thresher import urls
from thresher.discovery.link_header import header_links
from thresher.discovery.references import Reference, mark_of, newest_of, time_of
from thresher.discovery.safe_xml import parse_xml
from thresher.errors import UsageError
from thresher.html import decode

# The next page of a feed, and the archive before it (RFC 5005).
ONWARD = ("next", "prev-archive")
TEXTS = ("title", "encoded", "content", "description", "summary")
JSON_TEXTS = ("title", "content_html", "content_text", "summary")
TIMES = ("pubDate", "published", "updated", "date", "modified", "issued")
HEAD_BYTES = 65_536  # of a feed, in which its channel is described
_SIDE_FEED = re.compile(r"comment|/author/|/tag/|/category/", re.IGNORECASE)
_LINK_TAG = re.compile(rb"<(?:[\w.-]{1,20}:)?link\b([^<>]{1,2000})>", re.IGNORECASE)
_REL = re.compile(rb"\srel\s*=\s*[\"']([^\"'<>]{1,200})[\"']", re.IGNORECASE)
_HREF = re.compile(rb"\shref\s*=\s*[\"']([^\"'<>]{1,2000})[\"']", re.IGNORECASE)
MAX_FEED_BYTES = 10_000_000  # of the body; more is not read


def feed_references(body: bytes, url: str, content_type: str = "") -> Iterator[Reference]:
    """Yield the entries of a feed in its order, and its next page; nothing when it cannot be read at all."""
    text = decode(body[:MAX_FEED_BYTES], content_type).text
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _json_references(text)
    root = parse_xml(text, url)
    return iter(()) if root is None else _xml_references(root)


def is_side_feed(url: str) -> bool:
    """Say whether a feed is, by its address, one of comments, of one author or of one topic."""
    return _SIDE_FEED.search(url) is not None


def feed_hubs(body: bytes, url: str, link_header: str = "") -> list[str]:
    """Return the WebSub hubs that a feed names before its entries or in the Link header of its answer; each once.

    The feed is not parsed for it: this may be done wherever a feed comes by.
    """
    told = _told(body, link_header, "hub")
    hubs: dict[str, None] = {}
    for target in told:
        with suppress(UsageError):
            hubs[urls.canonical(target, url)] = None
    return list(hubs)


def feed_topic(body: bytes, url: str, link_header: str = "") -> str:
    """Return the address that a feed names as its own, by which its hubs know it; else the one given."""
    for target in _told(body, link_header, "self"):
        with suppress(ValueError):
            topic = urljoin(url, target.strip())
            if topic.startswith(("http://", "https://")):
                return topic
    return url


def _told(body: bytes, link_header: str, rel: str) -> list[str]:
    """Return the targets of links with a relation, in the header and before the entries of a feed."""
    told = [link.target for link in header_links(link_header) if rel in link.rels]
    head = re.split(rb"<(?:[\w.-]{1,20}:)?(?:item|entry)\b", body[:HEAD_BYTES], maxsplit=1)[0]
    for tag in _LINK_TAG.findall(head):
        href, rels = _HREF.search(tag), _REL.search(tag)
        if href and rels and rel.encode() in rels[1].lower().split():
            told.append(unescape(href[1].decode("utf-8", "replace")))
    return told


def _xml_references(root: etree._Element) -> Iterator[Reference]:
    entries = [found for entry in root.iter("{*}item", "{*}entry") if (found := _entry_reference(entry)) is not None]
    newest = newest_of(entry.date for entry in entries)
    for link in root.iter("{*}link"):
        if link.get("rel") in ONWARD and _name(link.getparent()) in ("feed", "channel"):
            yield Reference(link.get("href") or "", "next", base=link.base, date=newest)
    yield from entries


def _entry_reference(entry: etree._Element) -> Reference | None:
    """Return an entry's own page: the original before a proxy's, a link before an identifier."""
    best: tuple[int, Reference] | None = None
    for child in entry.iterchildren("*"):
        rank = _rank(child)
        href = (child.get("href") or child.text or "").strip()
        if rank and href and (best is None or rank > best[0]):
            best = rank, Reference(href, "feed", base=child.base)
    return best[1]._replace(date=_entry_time(entry), mark=_entry_mark(entry)) if best else None


def _entry_time(entry: etree._Element) -> float | None:
    """Return the latest time that an entry tells of itself."""
    told = (time_of(child.text) for child in entry.iterchildren("*") if _name(child) in TIMES)
    return max((at for at in told if at is not None), default=None)


def _entry_mark(entry: etree._Element) -> str:
    """Return a mark of the title and the text that an entry has."""
    return mark_of("".join(map(str, child.itertext())) for child in entry.iterchildren("*") if _name(child) in TEXTS)


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
    items = feed.get("items")
    entries = [
        Reference(target, "feed", date=_item_time(item), mark=_item_mark(item))
        for item in (items if isinstance(items, list) else ())
        if isinstance(item, dict) and isinstance(target := item.get("url") or item.get("id"), str)
    ]
    if isinstance(feed.get("next_url"), str):
        yield Reference(feed["next_url"], "next", date=newest_of(entry.date for entry in entries))
    yield from entries


def _item_time(item: dict[str, Any]) -> float | None:
    told = (item.get("date_published"), item.get("date_modified"))
    return newest_of((time_of(text) for text in told if isinstance(text, str)), least=1)


def _item_mark(item: dict[str, Any]) -> str:
    return mark_of(text for name in JSON_TEXTS if isinstance(text := item.get(name), str))
