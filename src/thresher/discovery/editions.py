"""Editions: the AMP, mobile and print versions of a page, told by what pages say and by how their URLs are spelled.

    https://example.com/news/5          the main one, which the others call canonical
    https://example.com/news/5/amp      /amp/news/5, /news/5?amp=1, /news/5.amp.html, amp.example.com/news/5
    https://m.example.com/news/5        /mobile/news/5, /news/5?m=1
    https://example.com/news/5/print    /print/news/5, /news/5?view=print, /news/5-print.html

What a page says is a claim. That another page is an edition of it is believed where the URLs say the same; that it is
an edition of another page, when their texts agree (model/joining.py).
"""

import re
from collections.abc import Iterator

from lxml import etree

from thresher import urls
from thresher.discovery.references import FEED_TYPES
from thresher.errors import UsageError
from thresher.html import Tree

HEAD_CHARS = 4_096  # of a page's markup, in which its <html> stands
MAX_LABEL = 40  # characters of a link that says "print"
_HOST_MARKS = frozenset({"m", "amp", "mobile", "mobil", "wap", "touch", "print"})
_WORDS = r"(?:amp|print|printable|printer|printversion|print-version|printer-friendly|mobile|handheld|wap)"
_SEGMENT = re.compile(_WORDS, re.IGNORECASE)
_SUFFIX = re.compile(rf"[._-]{_WORDS}(?=(?:\.[a-z]{{2,5}})?$)", re.IGNORECASE)
_SWITCHES = frozenset({"amp", "print", "printable", "mobile", "m", "printmode", "printview", "isprint", "print_view"})
_ON = frozenset({"", "1", "true", "yes", "on", "y"})
_CHOICES = frozenset({"output", "outputtype", "view", "format", "mode", "layout", "display", "version", "template"})
_AMP = re.compile(r"<html\b[^>]{0,1000}?\s(?:amp|⚡)(?=[\s>=])", re.IGNORECASE)
_SMALL = re.compile(r"handheld|max-(?:device-)?width|\bprint\b", re.IGNORECASE)
_PRINT = re.compile(
    r"\bprint(?:er|able|version)?\b|drucken|imprim|stampa|afdrukken|drukuj|utskrift|печат|打印|列印|印刷|인쇄",
    re.IGNORECASE,
)


def stem_of(url: str) -> str:
    """Return what the editions of a page share: its canonical URL without scheme, www and the marks of an edition."""
    host, _, rest = url.partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    asked = "&".join(pair for pair in query.split("&") if pair and not _chooses(pair))
    return f"{_host(host)}/{_path(path)}" + (f"?{asked}" if asked else "")


def is_marked(url: str) -> bool:
    """Say whether a canonical URL is spelled like that of an edition."""
    return stem_of(url) != _bare(url)


def named_editions(tree: Tree, url: str) -> list[str]:
    """Return the canonical URLs of other editions that a page names, those whose spelling agrees."""
    stem = stem_of(url)
    found: dict[str, None] = {}
    for href in _named(tree.root):
        try:
            target = urls.canonical(href, tree.base_url or url, encoding=tree.encoding or "utf-8")
        except UsageError:
            continue
        if target != url and stem_of(target) == stem and is_marked(target):
            found[target] = None
    return list(found)


def main_of(canonical: str | None, url: str) -> str | None:
    """Return the page that one calls its main edition, if that can be: another one of the site, and not its front."""
    if not canonical:
        return None
    try:
        main = urls.canonical(canonical, url)
    except UsageError:
        return None
    is_front = main[len(urls.origin_of(main)) :].strip("/") == ""
    return main if main != url and not is_front and urls.site_of(main) == urls.site_of(url) else None


def is_reduced(tree: Tree, url: str) -> bool:
    """Say whether a page is an edition that may lack something: AMP, or spelled like a mobile or print version."""
    return is_marked(url) or _AMP.search(tree.source[:HEAD_CHARS]) is not None


def _named(root: etree._Element) -> Iterator[str]:
    for element in root.iter("link", "a"):
        href = element.get("href")
        if not href:
            continue
        rel = (element.get("rel") or "").lower().split()
        if element.tag == "a":
            label = " ".join((element.get("title") or "", element.get("aria-label") or "", *element.itertext()))
            if len(label.strip()) <= MAX_LABEL and _PRINT.search(label):
                yield href
        elif "amphtml" in rel or ("alternate" in rel and _is_small(element)):
            yield href


def _is_small(link: etree._Element) -> bool:
    kind = (link.get("type") or "").partition(";")[0].strip().lower()
    return kind not in FEED_TYPES and _SMALL.search(link.get("media") or "") is not None


def _bare(url: str) -> str:
    host, _, rest = url.partition("://")[2].partition("/")
    path, mark, query = rest.partition("?")
    return f"{host.removeprefix('www.')}/{path.rstrip('/')}{mark}{query}"


def _host(host: str) -> str:
    """Return a host without the label of an edition, one of the first two: m.example.com, en.m.example.com."""
    labels = host.removeprefix("www.").split(".")
    marked = next((place for place in (0, 1) if labels[place : place + 1] and labels[place] in _HOST_MARKS), None)
    if marked is not None and len(labels) > 2 + marked:
        del labels[marked]
    return ".".join(labels).removeprefix("www.")


def _path(path: str) -> str:
    segments = path.strip("/").split("/")
    if len(segments) > 1 and _SEGMENT.fullmatch(segments[-1]):
        segments.pop()
    elif len(segments) > 1 and _SEGMENT.fullmatch(segments[0]):
        segments.pop(0)
    segments[-1] = _SUFFIX.sub("", segments[-1])
    return "/".join(segments)


def _chooses(pair: str) -> bool:
    """Say whether a parameter chooses an edition."""
    name, _, value = pair.lower().partition("=")
    return (name in _SWITCHES and value in _ON) or (name in _CHOICES and _SEGMENT.fullmatch(value) is not None)
