"""Which answers are worth downloading: pages, feeds and sitemaps, never pictures, archives or films."""

from urllib.parse import urlsplit

XML_OR_JSON = ("+xml", "+json", "/xml", "/json", "/rss", "/atom")
UNREAD_TEXT = frozenset({"css", "javascript", "ecmascript", "csv", "calendar", "vcard", "vtt", "x-component"})
PACKED = frozenset({"application/gzip", "application/x-gzip", "application/octet-stream", "binary/octet-stream"})
LINK_LIST_ENDINGS = (".xml", ".xml.gz", ".rss", ".atom")


def is_wanted(content_type: str, url: str, why: str = "page") -> bool:
    """Say whether an answer of this type may hold text or links; one that does not tell its type may."""
    kind = content_type.partition(";")[0].strip().lower()
    major, slash, minor = kind.partition("/")
    if not slash:
        return True
    if kind in PACKED:
        return why in ("sitemap", "feed", "subfeed", "comments") or urlsplit(url).path.lower().endswith(
            LINK_LIST_ENDINGS
        )
    if major == "text":
        return minor not in UNREAD_TEXT
    return major == "application" and kind.endswith(XML_OR_JSON)
