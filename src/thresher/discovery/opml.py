"""OPML: the lists of feeds that feed readers exchange, read as any XML from strangers, and written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from lxml import etree

from thresher.discovery.safe_xml import parse_xml
from thresher.html import decode

MAX_OPML_BYTES = 20_000_000  # more is not read
MAX_OUTLINES = 100_000


@dataclass(frozen=True, slots=True)
class Outline:
    """One entry of an OPML list."""

    address: str  # as it is written: of the feed, or else of the page
    title: str = ""
    folders: tuple[str, ...] = ()  # the outlines around it, then its categories
    language: str = ""
    page: str = ""  # the page that a feed belongs to


def read_opml(body: bytes) -> list[Outline] | None:
    """Return the entries that have an address, in their order; None when it is no OPML at all."""
    root = parse_xml(decode(body[:MAX_OPML_BYTES], "text/xml").text, "")
    if root is None or not str(root.tag).lower().endswith("opml"):
        return None
    return list(_entries(root))


def _entries(root: etree._Element) -> Iterator[Outline]:
    for number, element in enumerate(root.iter("{*}outline")):
        if number >= MAX_OUTLINES:
            return
        values = {str(name).lower(): str(value).strip() for name, value in element.attrib.items()}
        address = values.get("xmlurl") or values.get("url") or values.get("htmlurl") or ""
        if address:
            categories = [part.strip("/ ") for part in values.get("category", "").split(",")]
            yield Outline(
                address,
                values.get("title") or values.get("text", ""),
                tuple(dict.fromkeys(name for name in (*_folders(element), *categories) if name)),
                values.get("language", ""),
                values.get("htmlurl", ""),
            )


def _folders(element: etree._Element) -> list[str]:
    """Return the names of the outlines around an element, the outermost first."""
    names = [
        (parent.get("title") or parent.get("text") or "").strip() for parent in element.iterancestors("{*}outline")
    ]
    return names[::-1]


def write_opml(outlines: Sequence[Outline], title: str) -> str:
    """Return OPML 2.0 with one entry for each outline, flat; folders become categories."""
    root = ElementTree.Element("opml", version="2.0")
    ElementTree.SubElement(ElementTree.SubElement(root, "head"), "title").text = title
    body = ElementTree.SubElement(root, "body")
    for outline in outlines:
        is_page = outline.page == outline.address
        values = {
            "type": "link" if is_page else "rss",
            "text": outline.title,
            "title": outline.title,
            ("url" if is_page else "xmlUrl"): outline.address,
            "htmlUrl": outline.page,
            "category": ",".join(outline.folders),
            "language": outline.language,
        }
        ElementTree.SubElement(body, "outline", {name: value for name, value in values.items() if value})
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'
