"""The authors: structured data, elements that say they name them, and bylines."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from thresher.extract.fields.bylines import find_bylines, find_near_bylines
from thresher.extract.fields.bylines_cjk import find_bylines_elsewhere, find_cjk_bylines
from thresher.extract.fields.clues import Clues, describes_page
from thresher.extract.fields.credits import ACCOUNT, Credit, find_credits
from thresher.extract.fields.found import Found, found
from thresher.extract.fields.json_ld import texts_of
from thresher.extract.fields.named_links import find_named_links
from thresher.extract.fields.names import is_chinese_name, is_person, is_surely_person, names_an_office, names_in
from thresher.extract.fields.near import Near
from thresher.extract.fields.posters_cjk import find_owner, find_posters
from thresher.extract.fields.unsigned_cjk import find_bare_names, find_editors, find_hints
from thresher.extract.fields.zones_cjk import Zone, zone_of
from thresher.html import Tree
from thresher.text import cjk_share, has_cjk, tokens

MIN_PLAIN = 0.7  # confidence of names that are taken before those of people who are nowhere shown
MIN_HINT = 0.3  # confidence of names that are taken before the one that is no person's in <meta>
MIN_BETTER = 0.6  # confidence of names that are taken before a login or the site's own name

SAMPLE = 50  # blocks that tell whether a page under a Latin title is Chinese, Japanese or Korean
SAMPLE_TEXT = 500  # characters of them
MIN_SHARE = 0.3  # of the characters

_META = (
    *("citation_author", "author", "article:author", "parsely-author"),
    *("sailthru.author", "dc.creator", "dcterms.creator", "dc.author"),
    *("byl", "authors", "article.author", "og:author", "twitter:creator:name", "mediator_author", "author_name"),
    *("cxenseparse:author", "shareaholic:article_author_name", "dable:author", "article:author_name", "article-author"),
)
_WRITTEN_BY = (
    "written by",
    "verfasst von",
    "escrito por",
    "écrit par",
    "geschreven door",
    "scritto da",
    "by",
    "author",
)

_ARTICLES = ("the", "die", "der", "das", "el", "la", "le", "il", "o")
_SUFFIX = re.compile(r"\s[|–—·-]\s")
_COMPANIES = (
    " GmbH",
    " AG",
    " Ltd",
    " Ltd.",
    " Inc",
    " Inc.",
    " LLC",
    " Verlag",
    " User",
    " Staff",
    " Team",
    " Editors",
    " Redaktion",
)


class _Told(NamedTuple):
    """Names and where they were found."""

    names: tuple[str, ...]
    source: str
    confidence: float
    raw: str = ""
    is_staff: bool = False  # said to be an organization


def find_authors(tree: Tree, clues: Clues, near: Near, site_name: str | None) -> Found[tuple[str, ...]] | None:
    """Return the names of those who wrote the page; None when it does not tell.

    A name that is only the site's, an office, a login, or nowhere on the page counts where it shows no better one.
    """
    held: _Told | None = None
    sites = _sites(tree, clues, site_name)
    for told in _candidates(tree, clues, near):
        told = _without_sites(told, sites)
        if not told.names:
            continue
        if held is None:
            is_doubtful = _is_doubtful(told, sites, near)
            if not is_doubtful and _is_seen(told, near) and not _is_outdone(told, near):
                return _found(told)
            held = told._replace(confidence=told.confidence / 2) if is_doubtful else told
            needs_seen = not is_doubtful
        elif told.names[0] in held.names:
            continue
        elif _is_of_site(held, near) and _is_hint(told):
            return _found(told)
        elif _is_better(told) and (not needs_seen or _is_plain(told, near)):
            return _found(told)
    return _found(held) if held else None


def _is_outdone(told: _Told, near: Near) -> bool:
    """Say whether a byline near the title names others, while those whom the page's data name stand elsewhere."""
    if not told.source.startswith(("json-ld", "meta")):
        return False
    around = "\n".join((*near.after, *near.before)).casefold()
    if any(name.casefold().rpartition(" ")[2] in around for name in told.names):
        return False
    return any(all(map(is_surely_person, names)) for _, _, names in find_near_bylines(near))


def _is_plain(told: _Told, near: Near) -> bool:
    """Say whether the page shows the names where it says that they are the author's."""
    return told.confidence >= MIN_PLAIN and _is_seen(told, near)


def _is_seen(told: _Told, near: Near) -> bool:
    """Say whether the page shows one of the names; not asked of those found on it."""
    if not told.source.startswith(("json-ld", "meta")) or not near.texts:
        return True
    if any(name in text for name in told.names for text in near.texts):
        return True
    shown = "\n".join(near.texts).casefold()
    return any(name.casefold().partition(",")[0].rpartition(" ")[2] in shown for name in told.names)


def _sites(tree: Tree, clues: Clues, site_name: str | None) -> frozenset[str]:
    """Return what the site is called, without spaces: its name, its publisher, and its host with an article before."""
    publishers = texts_of(clues.article.get("publisher"), clues.known) if clues.article else []
    called = {"".join(tokens(name)) for name in (site_name or "", *publishers)}
    host = (tree.url or "").partition("//")[2].partition("/")[0].lower()
    brand = "".join(tokens(max(host.removeprefix("www.").split(".")[:-1], key=len, default="")))
    return frozenset((*called, *(article + brand for article in _ARTICLES if brand))) - {""}


def _without_sites(told: _Told, sites: frozenset[str]) -> _Told:
    """Leave out the site's own name where it stands on the page beside those of others."""
    if len(told.names) < 2 or told.source.startswith("json-ld"):
        return told
    others = tuple(name for name in told.names if "".join(tokens(name)) not in sites)
    return told._replace(names=others or told.names)


def _is_of_site(held: _Told, near: Near) -> bool:
    """Say whether <meta> of a Chinese page names no person: it is the site or who made its pages, mostly."""
    if not held.source.startswith("meta") or any(map(is_person, held.names)) or not has_cjk(near.title):
        return False
    return has_cjk(held.names[0]) or not _is_seen(held, near)


def _is_hint(told: _Told) -> bool:
    """Say whether a page shows a name where an author's may be, with a label or without."""
    is_shown = told.source.startswith(("byline", "reporter", "name", "signed"))
    return is_shown and told.confidence >= MIN_HINT and not names_an_office(told.names[0])


def _is_better(told: _Told) -> bool:
    """Say whether names are taken before those of a login, an office or the site."""
    if told.confidence < MIN_BETTER or not told.names:
        return False
    if has_cjk(told.names[0]) and not told.source.startswith(("byline", "reporter", "name", "signed", "meta")):
        return False  # columns beside the text name their authors in classes and links
    return all(is_person(name) or (has_cjk(name) and not names_an_office(name)) for name in told.names)


def _found(told: _Told) -> Found[tuple[str, ...]]:
    return found(told.names, told.source, told.confidence, told.raw or "; ".join(told.names))


def _candidates(tree: Tree, clues: Clues, near: Near) -> Iterator[_Told]:
    """Yield what may be the authors, the surest first; the costly ones are read only when asked for."""
    yield from _structured(clues)
    is_cjk = has_cjk(near.title) or _is_cjk("".join(near.texts[:SAMPLE]))
    zone = zone_of(near) if is_cjk else Zone((), (), ())
    if is_cjk:
        yield from (_Told(names, source, sure) for source, sure, names in find_cjk_bylines(near, zone))
    yield from _meta(clues)
    heading = clues.headings.index(near.title) if near.title in clues.headings else 0
    early: list[_Told] = []
    if is_cjk:
        yield from _cjk_credits(tree, near, zone, heading)
    else:
        yield from _latin_credits(near, _credited(find_credits(tree, heading), early))
        yield from _linked(tree, near)
        yield from (_Told(names, source, sure) for source, sure, names in find_bylines(near))
    yield from early
    yield from _owner(tree, clues)
    if is_cjk:
        yield from _cjk_hints(near, zone, clues.title)


def _linked(tree: Tree, near: Near) -> Iterator[_Told]:
    """Yield those after whom links near the title are named."""
    if names := tuple(dict.fromkeys(find_named_links(tree.body, near))):
        yield _Told(names, "link named after a person", 0.5)


def _latin_credits(near: Near, credits: Iterable[_Told]) -> Iterator[_Told]:
    """Yield elements that credit whom lines near the title name, then bylines in these, then the other elements.

    A byline that names these and more is taken before them.
    """
    around = "\n".join((*near.after, *near.before)).casefold()
    bylines = [_Told(names, source, sure) for source, sure, names in find_near_bylines(near)]
    elsewhere: list[_Told] = []
    for told in credits:
        if all(name.casefold() in around for name in told.names):
            yield next((line for line in bylines if set(told.names) < set(line.names)), told)
        else:
            elsewhere.append(told)
    yield from bylines
    yield from elsewhere


def _credited(credits: Iterable[Credit], early: list[_Told]) -> Iterator[_Told]:
    """Yield what elements after the title credit; what those before it do is added to `early`."""
    for each in credits:
        if each.after_title:
            yield _Told(each.names, each.source, each.confidence)
        else:
            less = 0.1 if all(map(is_surely_person, each.names)) else 0.2
            early.append(_Told(each.names, f"{each.source}, above the title", each.confidence - less))


def _cjk_hints(near: Near, zone: Zone, title: str) -> Iterator[_Told]:
    """Yield what may be the author where nothing better is told, the surest first."""
    hints = chain(find_owner(near, title), find_hints(near, zone, title), find_posters(near, zone))
    for source, sure, names in chain(hints, find_bylines_elsewhere(near, zone), find_editors(zone)):
        yield _Told(names, source, sure)


def _cjk_credits(tree: Tree, near: Near, zone: Zone, heading: int) -> Iterator[_Told]:
    """Yield elements that credit whom lines near the title name, then bare names in these, then the other elements."""
    around = "\n".join((*near.after, *near.before))
    credits = list(find_credits(tree, heading, around))
    first = [each for each in credits if all(name in around for name in each.names)]
    yield from (_Told(each.names, each.source, each.confidence) for each in first if each.source != ACCOUNT[0])
    yield from (_Told(names, source, sure) for source, sure, names in find_bare_names(near, zone))
    yield from (_Told(each.names, each.source, each.confidence) for each in first if each.source == ACCOUNT[0])
    early: list[_Told] = []
    yield from _credited((each for each in credits if each not in first), early)
    yield from early


def _owner(tree: Tree, clues: Clues) -> Iterator[_Told]:
    """Yield the person after whom the site is named, in its host and behind the title or as the site's name."""
    host = (tree.url or "").partition("//")[2].partition("/")[0].lower()
    for name in (clues.meta.get("og:site_name", ""), _SUFFIX.split(clues.title)[-1]):
        if is_surely_person(name) and any(len(word) > 3 and word in host for word in tokens(name)):
            yield _Told((name,), "site named after a person", 0.5)


def _is_cjk(text: str) -> bool:
    return not text.isascii() and cjk_share(text[:SAMPLE_TEXT]) > MIN_SHARE


def _structured(clues: Clues) -> Iterator[_Told]:
    for item in clues.items:
        if describes_page(item):
            told = [_of_item(item, key, clues) for key in ("author", "creator")]
            if set(told[0].names) < set(told[1].names):  # some tell the first author only
                told.reverse()
            yield from told


def _of_item(item: dict[str, Any], key: str, clues: Clues) -> _Told:
    value = item.get(key)
    texts = texts_of(value, clues.known)
    kinds = [one.get("@type") for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
    is_staff = bool(kinds) and all("Organization" in str(kind) for kind in kinds)
    return _Told(names_in(texts), f"json-ld {key}", 0.95, "; ".join(texts), is_staff)


def _meta(clues: Clues) -> Iterator[_Told]:
    for name in _META:
        if name in clues.meta:
            texts = clues.repeated.get(name) or [clues.meta[name]]
            if name == "citation_author":  # "Miller, Ann"
                texts = [" ".join(reversed(text.split(", "))) if text.count(",") == 1 else text for text in texts]
            yield _Told(names_in(texts), f"meta {name}", 0.85, "; ".join(texts))
    for number in ("1", "2"):
        if clues.meta.get(f"twitter:label{number}", "").casefold() in _WRITTEN_BY:
            text = clues.meta.get(f"twitter:data{number}", "")
            yield _Told(names_in([text]), f"meta twitter:data{number}", 0.85, text)


def _is_doubtful(told: _Told, sites: frozenset[str], near: Near) -> bool:
    """Say whether the only name is a login, an office or the site's own."""
    if len(told.names) > 1:
        return False
    name = told.names[0]
    if told.is_staff or name.endswith(_COMPANIES) or "".join(tokens(name)) in sites:
        return True
    if has_cjk(name):
        return names_an_office(name) or (told.source.startswith("meta") and not is_chinese_name(name))
    return " " not in name and not _is_shown(name, near)


def _is_shown(name: str, near: Near) -> bool:
    """Say whether a name stands by itself below the title, alone or after "by"."""
    wanted = (name.casefold(), f"by {name}".casefold())
    return any(line.casefold() in wanted for line in near.below)
