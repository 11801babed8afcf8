"""Authors of pages in Chinese, Japanese or Korean: what their data tells, bylines, credits and hints."""

from collections.abc import Iterator
from itertools import chain

from thresher.extraction.fields.bylines_cjk import find_bylines_above, find_cjk_bylines
from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.credits_cjk import find_cjk_credits
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.names import is_chinese_name, is_person, names_an_office
from thresher.extraction.fields.near import Near
from thresher.extraction.fields.posters_cjk import find_owner, find_posters
from thresher.extraction.fields.told import (
    COMPANIES,
    Told,
    host_of,
    owner_of,
    sites_of,
    told_by_data,
    told_by_meta,
    without_sites,
)
from thresher.extraction.fields.unsigned_cjk import find_editors, find_hints, find_offices
from thresher.extraction.fields.zones_cjk import Zone, zone_of
from thresher.html import Tree
from thresher.text import has_cjk, tokens

MIN_PLAIN = 0.7  # confidence of names that are taken before those of people who are nowhere shown
MIN_HINT = 0.3  # confidence of names that are taken before the one that is no person's in <meta>
MIN_BETTER = 0.6  # confidence of names that are taken before a login or the site's own name

_HINTS = ("byline", "reporter", "name", "signed")  # sources: what a page shows in its lines
_SHOWN = (*_HINTS, "editor", "owner", "collected", "licence")


def find_cjk_authors(tree: Tree, clues: Clues, near: Near, site_name: str | None) -> Found[tuple[str, ...]] | None:
    """Return the names of those who wrote the page; None when it does not tell.

    A name that is only the site's, an office, a login, or nowhere on the page counts where it shows no better one.
    """
    held: Told | None = None
    is_of_portal = False  # its <meta> names the site
    sites = sites_of(tree, clues, site_name)
    for told in _candidates(tree, clues, near):
        if not told.source.startswith("json-ld"):
            told = told._replace(names=without_sites(told.names, sites))
        if not told.names or (is_of_portal and _is_loose(told)):
            continue
        if _is_site(told, tree, near, clues):
            is_of_portal = True
            continue
        if held is None:
            is_doubtful = _is_doubtful(told, sites, near)
            if not is_doubtful and _is_seen(told, near):
                return _found(told)
            held = told._replace(confidence=told.confidence / 2) if is_doubtful else told
            needs_seen = not is_doubtful
        elif told.names[0] in held.names:
            continue
        elif (_is_of_site(held, near) and _is_hint(told)) or (
            _is_better(told) and (not needs_seen or _is_plain(told, near))
        ):
            return _found(told)
    return _found(held) if held else None


def _is_site(told: Told, tree: Tree, near: Near, clues: Clues) -> bool:
    """Say whether <meta> names the site: an office, what <title> ends with, or the host's name, which it does not show.

    The owner of a blog, who may be called as the host is, shows the name.
    """
    if not told.source.startswith("meta") or any(map(is_person, told.names)):
        return False
    name = told.names[0]
    if has_cjk(name):
        return len(told.names) > 1 or names_an_office(name) or name in clues.title.replace(near.title, "")
    word = tokens(name)[0]
    return word in tokens(host_of(tree)) and word not in clues.title.lower()


def _is_loose(told: Told) -> bool:
    """Say whether an element is called so that it may name an author, and names no person: portals call many so."""
    return not told.source.startswith((*_SHOWN, "meta")) and not all(map(is_person, told.names))


def _is_plain(told: Told, near: Near) -> bool:
    """Say whether the page shows the names where it says that they are the author's."""
    return told.confidence >= MIN_PLAIN and _is_seen(told, near)


def _is_seen(told: Told, near: Near) -> bool:
    """Say whether the page shows one of the names; not asked of those found on it."""
    if not told.source.startswith(("json-ld", "meta")) or not near.texts:
        return True
    if any(name in text for name in told.names for text in near.texts):
        return True
    shown = "\n".join(near.texts).casefold()
    return any(name.casefold().partition(",")[0].rpartition(" ")[2] in shown for name in told.names)


def _is_of_site(held: Told, near: Near) -> bool:
    """Say whether <meta> of a Chinese page names no person: it is the site or who made its pages, mostly."""
    if not held.source.startswith("meta") or any(map(is_person, held.names)) or not has_cjk(near.title):
        return False
    return has_cjk(held.names[0]) or not _is_seen(held, near)


def _is_hint(told: Told) -> bool:
    """Say whether a page shows a name where an author's may be, with a label or without."""
    is_shown = told.source.startswith(_HINTS)
    return is_shown and told.confidence >= MIN_HINT and not names_an_office(told.names[0])


def _is_better(told: Told) -> bool:
    """Say whether names are taken before those of a login, an office or the site."""
    if told.confidence < MIN_BETTER or not told.names:
        return False
    if has_cjk(told.names[0]) and not told.source.startswith((*_HINTS, "meta")):
        return False  # columns beside the text name their authors in classes and links
    return all(is_person(name) or (has_cjk(name) and not names_an_office(name)) for name in told.names)


def _found(told: Told) -> Found[tuple[str, ...]]:
    return found(told.names, told.source, told.confidence, told.raw or "; ".join(told.names))


def _candidates(tree: Tree, clues: Clues, near: Near) -> Iterator[Told]:
    """Yield what may be the authors, the surest first; the costly ones are read only when asked for."""
    yield from told_by_data(clues)
    zone = zone_of(near)
    yield from (Told(names, source, sure) for source, sure, names in find_cjk_bylines(near, zone))
    yield from told_by_meta(clues)
    heading = clues.headings.index(near.title) if near.title in clues.headings else 0
    yield from find_cjk_credits(tree, near, zone, heading)
    if owner := owner_of(tree, clues):
        yield Told((owner,), "site named after a person", 0.5)
    yield from _cjk_hints(near, zone, clues.title)


def _cjk_hints(near: Near, zone: Zone, title: str) -> Iterator[Told]:
    """Yield what may be the author where nothing better is told, the surest first."""
    hints = chain(find_owner(near, title), find_hints(near, zone, title), find_posters(near, zone))
    above = find_bylines_above(near)
    for source, sure, names in chain(hints, above, find_offices(zone), find_editors(zone)):
        yield Told(names, source, sure)


def _is_doubtful(told: Told, sites: frozenset[str], near: Near) -> bool:
    """Say whether the only name is a login, an office or the site's own."""
    if len(told.names) > 1:
        return False
    name = told.names[0]
    if told.is_staff or name.endswith(COMPANIES) or "".join(tokens(name)) in sites:
        return True
    if has_cjk(name):
        return names_an_office(name) or (told.source.startswith("meta") and not is_chinese_name(name))
    return " " not in name and not _is_shown(name, near)


def _is_shown(name: str, near: Near) -> bool:
    """Say whether a name stands by itself below the title, alone or after "by"."""
    wanted = (name.casefold(), f"by {name}".casefold())
    return any(line.casefold() in wanted for line in near.below)
