"""The name of the site within <title>, known by the links that lead to its front page.

Many pages tell the name of their site nowhere but at an end of <title> and in the link at the top of the page. It is
that end of <title> which such a link shows, or an <h1> that leads elsewhere while another one leads nowhere.
"""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from thresher import urls
from thresher.extraction.fields.inline import text_of
from thresher.extraction.fields.texts import fold
from thresher.html import Tree

MAX_LINKS = 300  # from the top, among which those to the front page are looked for
MAX_HEADINGS = 8  # <h1> elements that are looked at
MAX_NAME = 80  # characters of the name of a site
_FRONT = frozenset(("/", "/index.html", "/index.htm", "/index.php", "/index.asp", "/index.aspx", "/index.jsp"))
_ENDS = re.compile(r"(?:\s+[-–—:~/]+\s*|\s*[|_·•»›｜\[(]+\s*)$")  # what stands before a name at the end
_STARTS = re.compile(r"(?:\s+[-–—:~/]+\s+|\s*[|_·•»›｜]+\s*)")  # and after one at the start


def name_in_title(tree: Tree, title: str) -> str:
    """Return the name of the site as it stands at an end of <title>; empty where no link tells it."""
    if not title or (tree.url and urls.origin_of(tree.url) == tree.url.rstrip("/")):
        return ""
    folded = fold(title)
    names = (text for text in _names(tree) if fold(text) in folded and without_name(title, text))
    return next(names, "")


def without_name(title: str, name: str) -> str:
    """Return what is left of a title that begins or ends with a name; empty where it does neither."""
    size = len(name)
    plain = title.rstrip(" ])") if "[" in title or "(" in title else title
    if not size or len(plain) <= size:
        return ""
    if fold(plain[-size:]) == fold(name) and (border := _ENDS.search(plain[:-size])):
        return plain[: border.start()].strip()
    if fold(title[:size]) == fold(name) and (border := _STARTS.match(title, size)):
        return title[border.end() :].strip()
    return ""


def _names(tree: Tree) -> Iterator[str]:
    """Yield what the links to the front page show, and the headings that lead elsewhere beside one that does not."""
    origin = urls.origin_of(tree.url) if tree.url else ""
    for link in islice(tree.root.iter("a"), MAX_LINKS):
        href = link.get("href")
        if href and (href in _FRONT or (origin and href.rstrip("/") == origin) or link.get("rel") == "home"):
            yield from _shown_by(link)
    headings = list(islice(tree.root.iter("h1"), MAX_HEADINGS))
    leading = [heading for heading in headings if _leads_elsewhere(heading, tree.url)]
    if 0 < len(leading) < len(headings):
        for heading in leading:
            yield from _shown_by(heading)


def _shown_by(element: etree._Element) -> Iterator[str]:
    text = text_of(element, MAX_NAME)
    alts = (image.get("alt") for image in islice(element.iter("img"), 2)) if not text else ()
    yield from (each.strip() for each in (text, *alts) if each and each.strip())


def _leads_elsewhere(heading: etree._Element, url: str | None) -> bool:
    """Say whether a heading is one link to another page."""
    link = next(heading.iter("a"), None)
    href = link.get("href") if link is not None else None
    if link is None or not href or href.startswith("#"):
        return False
    if url and (href == url or url.endswith(href)):
        return False
    return text_of(link, MAX_NAME) == text_of(heading, MAX_NAME)
