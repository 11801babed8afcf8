"""Tell feeds and sitemaps from pages by their first bytes."""

import re
from typing import Literal

from thresher.discovery.references import FEED_TYPES
from thresher.discovery.sitemaps import unpacked

_HEAD_BYTES = 8_192
_ROOTS: dict[str, Literal["feed", "sitemap"]] = {
    "rss": "feed",
    "feed": "feed",
    "rdf": "feed",
    "urlset": "sitemap",
    "sitemapindex": "sitemap",
}
_BEFORE_ROOT = (("<!--", "-->"), ("<?", "?>"), ("<!", ">"))
_ROOT = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_URL_LINE = re.compile(r"https?://\S+", re.IGNORECASE)


def is_feed_or_sitemap(content_type: str, body: bytes) -> Literal["feed", "sitemap"] | None:
    """Say which of the two a document is; None when it is neither, an HTML page for instance."""
    head = _head(body)
    kind = content_type.partition(";")[0].strip().lower()
    if head.startswith("{"):
        return "feed" if "json" in kind and "jsonfeed.org/version" in head else None
    name = _root_name(head)
    if name in _ROOTS and (name != "rdf" or "purl.org/rss" in head or "netscape.com/rdf" in head):
        return _ROOTS[name]
    if name == "html":
        return None
    if kind in FEED_TYPES[:3]:
        return "feed"
    return "sitemap" if kind == "text/plain" and _is_url_list(head) else None


def _head(body: bytes) -> str:
    start = next(unpacked(body[:_HEAD_BYTES], _HEAD_BYTES), b"")
    wide = start.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = start.decode("utf-16" if wide else "latin-1", "replace")
    return text.removeprefix("ï»¿").lstrip("\ufeff \t\r\n")


def _root_name(head: str) -> str:
    """Return the local name of the root element in lower case; empty when it is not in sight."""
    while True:
        for opening, closing in _BEFORE_ROOT:
            if head.startswith(opening):
                bracket = head.find("[", 0, head.find(">") + 1) if opening == "<!" else -1
                end = head.find(closing, head.find("]", bracket) if bracket >= 0 else 0)
                if end < 0:
                    return ""
                head = head[end + len(closing) :].lstrip()
                break
        else:
            root = _ROOT.match(head)
            return root[1].lower() if root else ""


def _is_url_list(head: str) -> bool:
    lines = [line.strip() for line in head.split("\n")]
    whole = [line for line in (lines[:-1] or lines) if line]  # the last may be cut off
    return bool(whole) and all(map(_URL_LINE.fullmatch, whole))
