"""The authors: structured data, elements that say they name them, and bylines."""

from collections.abc import Iterator
from typing import NamedTuple

from thresher.extract.fields.bylines import find_bylines
from thresher.extract.fields.bylines_cjk import find_cjk_bylines
from thresher.extract.fields.clues import Clues, describes_page
from thresher.extract.fields.credits import find_credits
from thresher.extract.fields.found import Found, found
from thresher.extract.fields.json_ld import texts_of
from thresher.extract.fields.names import is_chinese_name, is_person, names_an_office, names_in
from thresher.extract.fields.near import Near
from thresher.extract.fields.unsigned_cjk import find_bare_names, find_editors
from thresher.html import Tree
from thresher.text import cjk_share, has_cjk, tokens

MIN_BETTER = 0.6  # confidence of names that are taken before a login or the site's own name

SAMPLE = 50  # blocks that tell whether a page under a Latin title is Chinese, Japanese or Korean
SAMPLE_TEXT = 500  # characters of them
MIN_SHARE = 0.3  # of the characters

_META = (
    *("author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "dc.author"),
    *("byl", "authors", "article.author", "citation_author", "og:author", "twitter:creator:name", "mediator_author"),
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


def find_authors(tree: Tree, clues: Clues, near: Near, site_name: str | None) -> Found[tuple[str, ...]] | None:
    """Return the names of those who wrote the page; None when it does not tell.

    A name that is only the site's, an office or a login counts where the page shows no better one.
    """
    doubtful: _Told | None = None
    site = "".join(tokens(site_name or ""))
    for told in _candidates(tree, clues, near):
        told = _without_site(told, site)
        if doubtful is None and told.names and not _is_doubtful(told, site, near):
            return _found(told)
        if doubtful and _is_better(told):
            return _found(told)
        doubtful = doubtful or (told if told.names else None)
    return _found(doubtful._replace(confidence=doubtful.confidence / 2)) if doubtful else None


def _without_site(told: _Told, site: str) -> _Told:
    """Leave out the site's own name where it stands on the page beside those of others."""
    if len(told.names) < 2 or told.source.startswith(("json-ld", "meta")):
        return told
    others = tuple(name for name in told.names if "".join(tokens(name)) != site)
    return told._replace(names=others or told.names)


def _is_better(told: _Told) -> bool:
    """Say whether names are taken before those of a login, an office or the site."""
    if told.confidence < MIN_BETTER or not told.names:
        return False
    if has_cjk(told.names[0]) and not told.source.startswith(("byline", "reporter", "name", "signed")):
        return False  # columns beside the text name their authors in classes and links
    return all(is_person(name) or (has_cjk(name) and not names_an_office(name)) for name in told.names)


def _found(told: _Told) -> Found[tuple[str, ...]]:
    return found(told.names, told.source, told.confidence, told.raw or "; ".join(told.names))


def _candidates(tree: Tree, clues: Clues, near: Near) -> Iterator[_Told]:
    """Yield what may be the authors, the surest first; the costly ones are read only when asked for."""
    yield from _structured(clues)
    is_cjk = has_cjk(near.title) or _is_cjk("".join(near.texts[:SAMPLE]))
    if is_cjk:
        yield from (_Told(names, source, sure) for source, sure, names in find_cjk_bylines(near))
    yield from _meta(clues)
    if is_cjk:
        yield from (_Told(names, source, sure) for source, sure, names in find_bare_names(near))
    early: list[_Told] = []
    heading = clues.headings.index(near.title) if near.title in clues.headings else 0
    for each in find_credits(tree, heading):
        if each.after_title:
            yield _Told(each.names, each.source, each.confidence)
        else:
            early.append(_Told(each.names, each.source, each.confidence - 0.2))
    if not is_cjk:
        yield from (_Told(names, source, sure) for source, sure, names in find_bylines(near))
    yield from early
    if is_cjk:
        yield from (_Told(names, source, sure) for source, sure, names in find_editors(near))


def _is_cjk(text: str) -> bool:
    return not text.isascii() and cjk_share(text[:SAMPLE_TEXT]) > MIN_SHARE


def _structured(clues: Clues) -> Iterator[_Told]:
    for item in clues.items:
        if describes_page(item):
            for key in ("author", "creator"):
                texts = texts_of(item.get(key), clues.known)
                yield _Told(names_in(texts), f"json-ld {key}", 0.95, "; ".join(texts))


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


def _is_doubtful(told: _Told, site: str, near: Near) -> bool:
    """Say whether the only name is a login, an office or the site's own."""
    if len(told.names) > 1:
        return False
    name = told.names[0]
    if name.endswith(_COMPANIES) or "".join(tokens(name)) == site:
        return True
    if has_cjk(name):
        return names_an_office(name) or (told.source.startswith("meta") and not is_chinese_name(name))
    return " " not in name and not _is_shown(name, near)


def _is_shown(name: str, near: Near) -> bool:
    """Say whether a name stands by itself below the title, alone or after "by"."""
    wanted = (name.casefold(), f"by {name}".casefold())
    return any(line.casefold() in wanted for line in near.below)
