"""Clues: what a page says about itself in its head and its structured data, read once for all fields."""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from thresher.extraction.fields.inline import text_of
from thresher.extraction.fields.json_ld import by_id, read_items, texts_of
from thresher.html import Tree
from thresher.text import clean

try:
    from thresher.extraction.fields._signed import Telling
except ImportError:  # not compiled
    Telling = None  # type: ignore[assignment,misc]

MAX_CONTENT = 2_000  # characters of one meta element
MAX_SAME = 20  # meta elements of one name
MAX_TITLE = 300  # characters of a title or heading that are looked at
MAX_HEADINGS = 8  # <h1> elements that are looked at
MAX_SCRIPTS = 100  # of JSON-LD that are read
MAX_TIMES = 50  # <time> elements that are looked at

_ARTICLES = ("Article", "BlogPosting", "Report", "LiveBlogPosting", "SocialMediaPosting")
_NO_PAGES = ("Comment", "Answer", "Question", "Person", "Organization", "Event", "ImageObject", "BreadcrumbList")
# In one pass and in document order, as the compiled search does.
_TELLING = etree.XPath(
    "descendant-or-self::*[self::meta or self::script or self::link or self::title or self::h1 or self::time or "
    "self::abbr or contains(@itemprop, 'ate') or contains(@property, 'ate')]"
)
# What microdata, RDFa (Drupal's, too) and hAtom call the dates of a page; not those of events and offers.
_DATED = re.compile(
    r"date(?:published|created|modified|posted|issued)|uploaddate|pubdate|\b(?:dc|dcterms):(?:date|created|issued|modified)|"
    r"\b(?:dt-)?(?:published|updated)\b"
)
MAX_UP = 8  # ancestors that are looked at for comments
_NO_TITLES = ("svg", "symbol", "g", "noscript")


class Stamp(NamedTuple):
    """A <time> element: what it says, what it says it is, and how many <h1> stand before it."""

    text: str
    role: str
    headings: int


@dataclass(frozen=True, slots=True)
class Clues:
    """What a page says of itself.

    Meta elements by lower-case name (`meta` the first of each, `repeated` all of those met more than once), JSON-LD
    objects with articles first, and the texts of <title>, <h1> and <time>.
    """

    meta: dict[str, str]
    items: tuple[dict[str, Any], ...]
    repeated: dict[str, list[str]] = field(default_factory=dict)
    known: dict[str, dict[str, Any]] = field(default_factory=dict)  # JSON-LD objects by @id
    title: str = ""
    headings: tuple[str, ...] = ()
    times: tuple[Stamp, ...] = ()
    canonical: str = ""

    @property
    def article(self) -> dict[str, Any] | None:
        """The JSON-LD object that describes an article, if there is one."""
        return self.items[0] if self.items and is_article(self.items[0]) else None


def gather(tree: Tree) -> Clues:
    """Read meta elements, JSON-LD, title, headings and times of a page in one pass; what is broken is left out."""
    reader = _Reader()
    if Telling is not None:
        telling = Telling(tree.root)
        for element in telling:
            reader.read(element)
        for meta in telling.metas:
            reader.add_meta(*meta)
    else:
        for element in _TELLING(tree.root):
            reader.read(element)
    items = read_items(reader.scripts)
    known = by_id(items)
    spoken = " ".join((reader.title, *reader.headings)).casefold()
    if len(items) > 1:
        items.sort(key=lambda item: _rank(item, spoken))
    return Clues(
        meta=reader.meta,
        items=tuple(items),
        repeated=reader.repeated,
        known=known,
        title=reader.title,
        headings=tuple(reader.headings),
        times=tuple(reader.times),
        canonical=reader.canonical,
    )


def is_article(item: dict[str, Any]) -> bool:
    """Say whether a JSON-LD object describes an article."""
    return any(kind.endswith(_ARTICLES) for kind in _kinds(item))


def _kinds(item: dict[str, Any]) -> list[str]:
    kinds = item.get("@type")
    return [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]


def _rank(item: dict[str, Any], spoken: str) -> int:
    """Order JSON-LD objects: the article that the page is about, other articles, other pages, the rest."""
    if is_article(item):
        headline = texts_of(item.get("headline"))
        return 0 if headline and headline[0].casefold() in spoken else 1
    return 3 if any(kind.endswith(_NO_PAGES) for kind in _kinds(item)) else 2


def describes_page(item: dict[str, Any]) -> bool:
    """Say whether dates and authors of a JSON-LD object can be those of the page."""
    return not any(kind.endswith(_NO_PAGES) for kind in _kinds(item))


class _Reader:
    """What has been read so far on the way through a page."""

    def __init__(self) -> None:
        self.meta: dict[str, str] = {}
        self.repeated: dict[str, list[str]] = {}
        self.scripts: list[str] = []
        self.title = ""
        self.headings: list[str] = []
        self.times: list[Stamp] = []
        self.canonical = ""
        self._h1_count = 0

    def read(self, element: etree._Element) -> None:
        match element.tag:
            case "meta":
                content = element.get("content")
                own = element.get("property") or element.get("name")
                name = own or element.get("itemprop") or element.get("http-equiv")
                if name and content:
                    self.add_meta(name, content, bool(own))
            case "script":
                kind = element.get("type")
                if kind and "ld+json" in kind.lower() and len(self.scripts) < MAX_SCRIPTS and (text := element.text):
                    self.scripts.append(text)
            case "link":
                rel = element.get("rel")
                if not self.canonical and rel and "canonical" in rel.lower().split():
                    self.canonical = element.get("href") or ""
            case "title":
                if not self.title and not _is_inside(element, _NO_TITLES):
                    text = "".join(element.itertext()) if len(element) else element.text or ""
                    self.title = clean(text[: 4 * MAX_TITLE])[:MAX_TITLE]
            case "h1":
                self._h1_count += 1
                if len(self.headings) < MAX_HEADINGS and (text := text_of(element, MAX_TITLE)):
                    self.headings.append(text)
            case "time":
                self._read_time(element)
            case _:
                self._read_dated(element)

    def add_meta(self, name: str, content: str, is_named: bool) -> None:
        """Add what a <meta> says; the name may be one that is not meant for the page, such as itemprop's."""
        if content.isspace():
            return
        is_plain = content.isascii() and content.isprintable() and "  " not in content
        value = content[:MAX_CONTENT].strip() if is_plain else clean(content[:MAX_CONTENT])
        name = name.lower()
        if name not in self.meta:
            self.meta[name] = value
        elif is_named:
            same = self.repeated.setdefault(name, [self.meta[name]])
            if len(same) < MAX_SAME and value not in same:
                same.append(value)

    def _read_time(self, element: etree._Element) -> None:
        if len(self.times) < MAX_TIMES:
            stamp = element.get("datetime") or element.get("content") or text_of(element, 100)
            self.times.append(Stamp(stamp, _role_of(element), self._h1_count))

    def _read_dated(self, element: etree._Element) -> None:
        """Read an element other than <time> that microdata, RDFa or hAtom call a date of the page."""
        if len(self.times) >= MAX_TIMES:
            return
        role = _role_of(element)
        if _DATED.search(role) and not _is_of_comment(element):
            told = element.get("content") or element.get("datetime") or element.get("title")
            self.times.append(Stamp(told or text_of(element, 100), role, self._h1_count))


def _role_of(element: etree._Element) -> str:
    names = ("itemprop", "property", "class", "pubdate", "id", "data-testid")
    role = " ".join(filter(None, map(element.get, names))).lower()
    return f"{role} pubdate" if element.get("pubdate") is not None else role


def _is_of_comment(element: etree._Element) -> bool:
    for above in islice(element.iterancestors(), MAX_UP):
        if any("comment" in (above.get(name) or "").lower() for name in ("class", "id", "itemprop", "itemtype")):
            return above.tag != "body"
    return False


def _is_inside(element: etree._Element, tags: tuple[str, ...]) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag in tags
