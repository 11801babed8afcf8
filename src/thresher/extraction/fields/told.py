"""Authors that a page's data tells: JSON-LD and meta elements, and the names by which the site itself goes."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.extraction.fields.clues import Clues, describes_page
from thresher.extraction.fields.json_ld import texts_of
from thresher.extraction.fields.names import is_surely_person, names_in
from thresher.extraction.fields.texts import compact
from thresher.html import Tree
from thresher.text import tokens

_META = (
    *("citation_author", "author", "article:author", "parsely-author"),
    *("sailthru.author", "dc.creator", "dcterms.creator", "dc.author"),
    *("byl", "authors", "article.author", "og:author", "twitter:creator:name", "mediator_author", "author_name"),
    *("cxenseparse:author", "shareaholic:article_author_name", "dable:author", "article:author_name", "article-author"),
)
_WRITTEN_BY = frozenset(
    ("written by", "verfasst von", "escrito por", "écrit par", "geschreven door", "scritto da", "by", "author")
)
# How companies are called, and how teams and other organisations are.
LEGAL_FORMS = (
    *(" GmbH", " AG", " Ltd", " Ltd.", " Inc", " Inc.", " LLC", " S.A.", " SA", " S.p.A.", " S.r.l.", " sp. z o.o."),
    *(" B.V.", " Oy", " A/S", " Kft.", " d.o.o.", " Pty", " s.r.o.", " Α.Ε.", " Interactive"),
)
COMPANIES = (*LEGAL_FORMS, " Verlag", " User", " Staff", " Team", " Editors", " Redaktion", " e.V.", " Publishing")
_ARTICLES = ("the", "die", "der", "das", "el", "la", "le", "il", "o", "do", "da")
_SUFFIX = re.compile(r"\s[|–—·-]\s")


class Told(NamedTuple):
    """Names and where they were found."""

    names: tuple[str, ...]
    source: str
    confidence: float
    raw: str = ""
    is_staff: bool = False  # said to be an organization


def told_by_data(clues: Clues) -> Iterator[Told]:
    """Yield the authors of each JSON-LD object that describes the page."""
    for item in clues.items:
        if ("author" in item or "creator" in item) and describes_page(item):
            told = [_of_item(item, key, clues) for key in ("author", "creator")]
            # Some tell the first author only, and all as creators.
            yield from told[1:] if set(told[0].names) < set(told[1].names) else told


def _of_item(item: dict[str, Any], key: str, clues: Clues) -> Told:
    value = item.get(key)
    if value is None:
        return Told((), f"json-ld {key}", 0.95)
    texts = texts_of(value, clues.known)
    kinds = [one.get("@type") for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
    is_staff = bool(kinds) and all("Organization" in str(kind) for kind in kinds)
    return Told(names_in(texts), f"json-ld {key}", 0.95, "; ".join(texts), is_staff)


def told_by_meta(clues: Clues) -> Iterator[Told]:
    """Yield the authors of each meta element that names some."""
    for name in _META:
        if name in clues.meta:
            texts = clues.repeated.get(name) or [clues.meta[name]]
            if name == "citation_author":  # "Miller, Ann"
                texts = [" ".join(reversed(text.split(", "))) if text.count(",") == 1 else text for text in texts]
            yield Told(names_in(texts), f"meta {name}", 0.85, "; ".join(texts))
    for number in ("1", "2"):
        if clues.meta.get(f"twitter:label{number}", "").casefold() in _WRITTEN_BY:
            text = clues.meta.get(f"twitter:data{number}", "")
            yield Told(names_in([text]), f"meta twitter:data{number}", 0.85, text)


def sites_of(tree: Tree, clues: Clues, site_name: str | None) -> frozenset[str]:
    """Return what the site is called, without spaces: its name, its publisher, and its host with an article before."""
    publishers = texts_of(clues.article.get("publisher"), clues.known) if clues.article else []
    called = {compact(name) for name in (site_name or "", *publishers)}
    brand = compact(max(host_of(tree).removeprefix("www.").split(".")[:-1], key=len, default=""))
    return frozenset((*called, *(article + brand for article in _ARTICLES if brand))) - {""}


def without_sites(names: tuple[str, ...], sites: frozenset[str]) -> tuple[str, ...]:
    """Leave out the site's own name where it stands beside those of others."""
    others = tuple(name for name in names if compact(name) not in sites) if len(names) > 1 else names
    return others or names


def owner_of(tree: Tree, clues: Clues) -> str | None:
    """Return the person after whom the site is named, in its host and behind the title or as the site's name."""
    for name in (clues.meta.get("og:site_name", ""), _SUFFIX.split(clues.title)[-1]):
        if is_surely_person(name) and any(len(word) > 3 and word in host_of(tree) for word in tokens(name)):
            return name
    return None


def host_of(tree: Tree) -> str:
    """Return the host of the page's URL in small letters; empty without one."""
    return (tree.url or "").partition("//")[2].partition("/")[0].lower()
