"""Sitemaps: what urlsets, sitemap indexes (compressed or not), text lists and robots.txt point to."""

import re
import zlib
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from thresher import urls
from thresher.discovery.references import Reference, time_of
from thresher.discovery.safe_xml import stream
from thresher.errors import UsageError

FILES = (".xml", ".gz", ".txt")  # how the names of sitemaps end
MAX_SITEMAP_BYTES = 50_000_000  # after decompression: the sitemap protocol's own limit
MAX_ENTRIES = 100_000  # empty and repeated ones included; the protocol allows 50,000
MAX_ROBOTS_BYTES = 512_000  # RFC 9309 asks for 500 KiB at least
MAX_ROBOTS_SITEMAPS = 1_000
LISTS = "sitemap-of-lists"
# Words in the names of sitemaps of articles, and of those that name lists of these alone.
_OF_ITEMS = frozenset({"post", "posts", "article", "articles", "story", "stories"})
_OF_LISTS = frozenset({"tag", "tags", "category", "categories", "taxonomy", "taxonomies", "tax"})
_OF_LISTS |= {"author", "authors", "user", "users"}
_CHUNK_BYTES = 65_536
_GZIP = b"\x1f\x8b"
_WORD = re.compile("[a-z]+")
_SITEMAP_LINE = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


def sitemap_references(body: bytes) -> Iterator[Reference]:
    """Yield the URLs of a sitemap, or the sitemaps of an index, in their order; stop where it can no longer be read.

    Sitemaps of tags, categories and authors come last, and are refused where others hold the articles that these list.
    """
    start = next(unpacked(body), b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    is_xml = start.startswith((b"<", b"\xff\xfe", b"\xfe\xff"))
    lists: list[Reference] = []
    has_items = False
    for reference in _xml_references(body) if is_xml else _text_references(body):
        words = _words_of_file(reference)
        if words.isdisjoint(_OF_LISTS):
            has_items = has_items or not words.isdisjoint(_OF_ITEMS)
            yield reference
        else:
            lists.append(reference)
    yield from (each._replace(refusal=LISTS) if has_items else each for each in lists)


def unpacked(body: bytes, chunk_bytes: int = _CHUNK_BYTES) -> Iterator[bytes]:
    """Yield the body in chunks, decompressed where it is gzip, up to MAX_SITEMAP_BYTES in all."""
    if not body.startswith(_GZIP):
        for start in range(0, min(len(body), MAX_SITEMAP_BYTES), chunk_bytes):
            yield body[start : start + chunk_bytes]
        return
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    rest, room = body, MAX_SITEMAP_BYTES
    while room > 0 and not inflate.eof:
        try:
            chunk = inflate.decompress(rest, min(chunk_bytes, room))
        except zlib.error:
            return
        if not chunk:
            return
        yield chunk
        rest, room = inflate.unconsumed_tail, room - len(chunk)


def sitemaps_from_robots(body: bytes) -> list[str]:
    """Return the canonical URLs of the sitemaps that a robots.txt names, each once; those that are no URL are left."""
    found: dict[str, None] = {}
    lines = _SITEMAP_LINE.finditer(body[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace"))
    for match in islice(lines, MAX_ROBOTS_SITEMAPS):
        try:
            found[urls.canonical(match[1])] = None
        except UsageError:
            continue
    return list(found)


def is_sitemap_file(url: str, why: str) -> bool:
    """Say whether a link of a sitemap leads to another sitemap rather than to a page, by its name."""
    return why == "sitemap" and url.partition("?")[0].endswith(FILES)


def _xml_references(body: bytes) -> Iterator[Reference]:
    for entry in islice(stream(unpacked(body), ("url", "sitemap")), MAX_ENTRIES):
        for child in entry.iterchildren("{*}loc"):
            # Images and videos have their own <loc>, further down.
            if (child.text or "").strip() and _namespace(child) == _namespace(entry):
                yield Reference((child.text or "").strip(), "sitemap", date=_entry_time(entry))


def _words_of_file(reference: Reference) -> frozenset[str]:
    """Return the words in the name of a sitemap that another names; none for a page."""
    if not is_sitemap_file(reference.href, reference.why):
        return frozenset()
    return frozenset(_WORD.findall(reference.href.partition("?")[0].rpartition("/")[2].lower()))


def _entry_time(entry: etree._Element) -> float | None:
    """Return when an entry was last changed, or published where it is news."""
    told = [time_of(child.text) for child in entry.iter("{*}lastmod", "{*}publication_date")]
    return max((at for at in told if at is not None), default=None)


def _namespace(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[0]  # QName refuses a namespace with a brace in it


def _text_references(body: bytes) -> Iterator[Reference]:
    rest = b""
    for chunk in unpacked(body):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield from _line_reference(line)
        rest = rest[: urls.MAX_LENGTH * 2]
    yield from _line_reference(rest)


def _line_reference(line: bytes) -> Iterator[Reference]:
    text = line.decode("utf-8-sig", "replace").strip()
    if text.lower().startswith(("http://", "https://")):
        yield Reference(text, "sitemap")
