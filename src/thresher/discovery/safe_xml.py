"""XML from strangers: no entity is expanded, no DTD or network asked, and what can be read of a broken file is."""

import re
from collections.abc import Iterable, Iterator
from typing import TypedDict

from lxml import etree

MAX_TAGS = 500_000  # "<" in a document that is read whole; what follows is cut off
MAX_BARREN_BYTES = 1_000_000  # streamed without one wanted element: then there is nothing to come

_PROLOG = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>)", re.DOTALL | re.IGNORECASE)
_MAX_PROLOG = 20  # declarations and comments before the root
_XML_START = re.compile(r"<(?:\?xml|rss|feed|rdf:RDF|!DOCTYPE|!--)", re.IGNORECASE)
_ROOT_START = re.compile(r"<[A-Za-z_]")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# An ampersand that begins no entity: in links, the most common fault of all.
_BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});)")

# A declaration that programs write who made a text of it in memory: the bytes are others.
_FALSE_WIDE = re.compile(rb"""^(\s*<\?xml[^>]{0,100}?)\sencoding=["']utf-?16[^"']{0,10}["']""", re.IGNORECASE)


class _Options(TypedDict):
    resolve_entities: bool
    no_network: bool
    load_dtd: bool
    dtd_validation: bool
    recover: bool
    huge_tree: bool
    remove_comments: bool
    remove_pis: bool


_OPTIONS: _Options = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "recover": True,
    "huge_tree": False,  # keeps libxml2's limits on depth and text
    "remove_comments": True,
    "remove_pis": True,
}


def parse_xml(text: str, url: str) -> etree._Element | None:
    """Return the root of a whole document, whatever junk stands before it; None when there is none."""
    data = _BARE_AMPERSAND.sub(b"&amp;", _from_root(text).encode("utf-8", "replace"))
    if data.count(b"<") > MAX_TAGS:
        data = b"<".join(data.split(b"<", MAX_TAGS)[:-1])
    parser = etree.XMLParser(encoding="utf-8", **_OPTIONS)
    try:
        # lxml answers None for a text without elements, against its stubs.
        root: etree._Element | None = etree.fromstring(data, parser, base_url=url)
    except etree.XMLSyntaxError:
        return None
    return root


def stream(chunks: Iterable[bytes], tags: tuple[str, ...]) -> Iterator[etree._Element]:
    """Yield the elements of these local names as they end, in bounded memory; stop where nothing more can be read."""
    parser = etree.XMLPullParser(events=("end",), tag=[f"{{*}}{tag}" for tag in tags], **_OPTIONS)
    barren_bytes = 0
    for piece in _cut_after_tags(chunks):
        barren_bytes += len(piece)
        try:
            parser.feed(piece)
        except etree.XMLSyntaxError:
            return
        for _, element in parser.read_events():
            if isinstance(element, etree._Element):
                yield element
                _forget(element)
                barren_bytes = 0
        if barren_bytes > MAX_BARREN_BYTES:
            return


def _from_root(text: str) -> str:
    """Return the text from its root element on: declarations mean nothing once decoded, entities are only a danger."""
    start = _XML_START.search(text)
    position = start.start() if start else 0
    for _ in range(_MAX_PROLOG):
        prolog = _PROLOG.match(text, position)
        if not prolog:
            break
        position = prolog.end()
    root = _ROOT_START.search(text, position)
    return _NOT_XML.sub("", text[root.start() :]) if root else ""


def _cut_after_tags(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks repaired, cut so that no entity spans two."""
    rest, wide = b"", None
    for chunk in chunks:
        if wide is None:
            wide = chunk.startswith((b"\xff\xfe", b"\xfe\xff"))
            chunk = chunk if wide else _FALSE_WIDE.sub(rb"\1", chunk)
        if wide:
            yield chunk
            continue
        cut = chunk.rfind(b">") + 1
        if cut or len(rest) > MAX_BARREN_BYTES:
            yield _BARE_AMPERSAND.sub(b"&amp;", rest + chunk[:cut])
            rest = chunk[cut:]
        else:
            rest += chunk
    if rest:
        yield rest


def _forget(element: etree._Element) -> None:
    """Free an element's content and all that came before it."""
    element.clear()
    current, parent = element, element.getparent()
    while parent is not None:
        while parent[0] is not current:
            del parent[0]
        current, parent = parent, parent.getparent()
