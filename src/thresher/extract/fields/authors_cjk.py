"""Authors of pages in Chinese, Japanese or Korean: whom they plainly tell, or the likeliest of all who may be named."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from thresher.extract.fields.bylines_cjk import find_cjk_bylines
from thresher.extract.fields.bylines_ja_ko import written_in
from thresher.extract.fields.choice_cjk import Candidate, choose_cjk, find_cjk_candidates
from thresher.extract.fields.clues import Clues
from thresher.extract.fields.credits import ACCOUNT, Credit, find_credits
from thresher.extract.fields.found import Found, found
from thresher.extract.fields.lesser_cjk import find_editors, find_lone_names, find_members, find_offices
from thresher.extract.fields.mentions import Mention
from thresher.extract.fields.mentions_cjk import find_cjk_mentions, is_word, look_at
from thresher.extract.fields.names import is_chinese_name, is_person, names_an_office
from thresher.extract.fields.near import Near
from thresher.extract.fields.segments_cjk import tells_office
from thresher.extract.fields.told import COMPANIES, Told, sites_of, told_by_data, told_by_meta, without_sites
from thresher.extract.fields.zones_cjk import Zone, zone_of
from thresher.html import Tree
from thresher.text import has_cjk, tokens

MIN_PLAIN = 0.7  # confidence of names that are taken before those of people who are nowhere shown
MIN_BETTER = 0.6  # confidence of names that are taken before a login or the site's own name

_SHOWN = ("byline", "reporter", "signed")  # sources that show a name where it is an author's


class CjkPage(NamedTuple):
    """A page in one of these languages, and what is known of it."""

    tree: Tree
    clues: Clues
    near: Near
    zone: Zone
    sites: frozenset[str]
    around: str  # lines near the title and the text
    language: Literal["ja", "ko"] | None  # None for Chinese


def page_of(tree: Tree, clues: Clues, near: Near, site_name: str | None) -> CjkPage:
    """Return what authors are looked for in."""
    zone, sites = zone_of(near), sites_of(tree, clues, site_name)
    around = "\n".join((*near.after, *near.before, *zone.head)) or " "
    return CjkPage(tree, clues, near, zone, sites, around, written_in(near.texts))


def find_cjk_authors(tree: Tree, clues: Clues, near: Near, site_name: str | None) -> Found[tuple[str, ...]] | None:
    """Return the names of those who wrote the page; None when it does not tell.

    A name that is only the site's, an office, a login, or nowhere on the page counts where it shows no better one.
    """
    page = page_of(tree, clues, near, site_name)
    credits: list[Credit] = []
    plain, held = find_plain(page, credits)
    if plain:
        return _found(plain)
    if page.language is None and (chosen := choose_cjk(candidates_of(page, credits))):
        return found(chosen[0].names, chosen[0].source, round(chosen[1], 2), "; ".join(chosen[0].names))
    rest = find_rest(page, held)
    return _found(rest) if rest else None


def find_rest(page: CjkPage, held: Told | None) -> Told | None:
    """Return whom a page names where nobody can be chosen: who is held with a doubt, an office or an editor."""
    return held if held and not _is_site(held, page) else next(_lesser(page), None)


def find_plain(page: CjkPage, credits: list[Credit]) -> tuple[Told | None, Told | None]:
    """Return who is plainly called the author, or else, as the second, who is so with a doubt; neither where nobody is.

    The page's credits are added to `credits` once they are looked at.
    """
    held: Told | None = None
    needs_seen = False
    for told in _plain(page, credits):
        if held is None:
            is_doubtful = _is_doubtful(told, page)
            if not is_doubtful and _is_seen(told, page.near):
                return told, None
            held = told._replace(confidence=told.confidence / 2) if is_doubtful else told
            needs_seen = not is_doubtful
        elif told.names[0] not in held.names and _is_before(told, held, page.near, needs_seen=needs_seen):
            return told, None
    return None, held


def candidates_of(page: CjkPage, credits: Sequence[Credit]) -> list[Candidate]:
    """Return all whom a page may name as its authors, its credits among them."""
    scene = look_at(page.near, page.zone, page.clues.title)
    return find_cjk_candidates((*_told(page, credits), *find_cjk_mentions(scene)), scene)


def _told(page: CjkPage, credits: Sequence[Credit]) -> Iterator[Mention]:
    """Yield whom data names, and elements that credit somebody."""
    for told in told_by_data(page.clues):
        if told.names:
            yield Mention(told.names, told.source, ("data",))
    for told in told_by_meta(page.clues):
        if (names := without_sites(told.names, page.sites)) and not _is_site(told, page):
            yield Mention(names, told.source, ("meta",))
    for credit in credits:
        if any(map(is_word, credit.names)):
            continue
        if all(name in page.around for name in credit.names):
            yield Mention(
                credit.names, credit.source, ("credit", "account" if credit.source == ACCOUNT[0] else "credited")
            )
        elif credit.source == "itemprop author":
            yield Mention(credit.names, credit.source, ("credit", "itemprop"))


def _plain(page: CjkPage, credits: list[Credit]) -> Iterator[Told]:
    """Yield who may be called the author, the surest first; what is costly is read only when asked for."""
    yield from (told for told in told_by_data(page.clues) if told.names)
    rest = (Told(names, source, sure) for source, sure, names in find_cjk_bylines(page.near, page.zone, page.language))
    for told in chain(rest, told_by_meta(page.clues)):
        if names := without_sites(told.names, page.sites):
            yield told._replace(names=names)
    credits += credits_of(page)
    for credit in credits:
        if credit.source != ACCOUNT[0] and all(name in page.around for name in credit.names):
            yield Told(without_sites(credit.names, page.sites), credit.source, credit.confidence)


def credits_of(page: CjkPage) -> Iterator[Credit]:
    """Yield the elements that credit somebody."""
    headings = page.clues.headings
    place = headings.index(page.near.title) if page.near.title in headings else 0
    return find_credits(page.tree, place, page.around)


def _lesser(page: CjkPage) -> Iterator[Told]:
    """Yield the members, lone names, offices and editors of a page that names nobody else."""
    hints = chain(find_members(page.near), find_lone_names(page.near, page.zone))
    for source, sure, names in chain(hints, find_offices(page.zone), find_editors(page.zone)):
        yield Told(names, source, sure)


def _is_before(told: Told, held: Told, near: Near, *, needs_seen: bool) -> bool:
    """Say whether names are taken before those that are held, of a login, an office, the site or nobody shown."""
    if held.source.startswith("meta") and not any(map(is_person, held.names)) and has_cjk(near.title):
        is_of_site = has_cjk(held.names[0]) or not _is_seen(held, near)
        if is_of_site and told.source.startswith(_SHOWN) and not names_an_office(told.names[0]):
            return True
    if told.confidence < MIN_BETTER or (has_cjk(told.names[0]) and not told.source.startswith((*_SHOWN, "meta"))):
        return False  # columns beside the text name their authors in classes and links
    if not all(is_person(name) or (has_cjk(name) and not names_an_office(name)) for name in told.names):
        return False
    return not needs_seen or (told.confidence >= MIN_PLAIN and _is_seen(told, near))


def _is_site(told: Told, page: CjkPage) -> bool:
    """Say whether <meta> names no person but the site: <title> has it, too, or it is called as sites and papers are."""
    if not told.source.startswith("meta") or not told.names or is_person(told.names[0]):
        return False
    return told.names[0] in page.clues.title or (told.source == "meta author" and tells_office(told.names[0]))


def _is_seen(told: Told, near: Near) -> bool:
    """Say whether the page shows one of the names; not asked of those found on it."""
    if not told.source.startswith(("json-ld", "meta")) or not near.texts:
        return True
    if any(name in text for name in told.names for text in near.texts):
        return True
    shown = "\n".join(near.texts).casefold()
    return any(name.casefold().partition(",")[0].rpartition(" ")[2] in shown for name in told.names)


def _found(told: Told) -> Found[tuple[str, ...]]:
    return found(told.names, told.source, told.confidence, told.raw or "; ".join(told.names))


def _is_doubtful(told: Told, page: CjkPage) -> bool:
    """Say whether the only name is a login, an office or the site's own."""
    if len(told.names) > 1:
        return False
    name = told.names[0]
    if told.is_staff or name.endswith(COMPANIES) or "".join(tokens(name)) in page.sites:
        return True
    if has_cjk(name):
        return names_an_office(name) or (told.source.startswith("meta") and not is_chinese_name(name))
    return " " not in name and not _is_shown(name, page.near)


def _is_shown(name: str, near: Near) -> bool:
    """Say whether a name stands by itself below the title, alone or after "by"."""
    wanted = (name.casefold(), f"by {name}".casefold())
    return any(line.casefold() in wanted for line in near.below)
