"""The authors of a page: chosen among all whom it names, or by rules where it is Chinese, Japanese or Korean."""

from collections.abc import Iterable

from thresher.extraction.fields.authors_cjk import find_cjk_authors
from thresher.extraction.fields.choice import Page, choose, find_candidates, find_plain
from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.mentions import (
    CHANGED,
    Mention,
    find_last_mentions,
    find_mentions,
    find_more_mentions,
    find_told,
)
from thresher.extraction.fields.names import is_person
from thresher.extraction.fields.near import Near
from thresher.extraction.fields.texts import Letters
from thresher.extraction.fields.told import sites_of
from thresher.html import Tree
from thresher.text import CJK, cjk_share, has_cjk

SAMPLE = 50  # blocks that tell whether a page under a Latin title is Chinese, Japanese or Korean
SAMPLE_TEXT = 500  # characters of them
MIN_SHARE = 0.3  # of the characters
SURE, LIKELY = 2.0, 1.0  # sums of marks from which on the rest of the page, or its end, is not searched
PLAIN = 0.95  # confidence of authors whom data and a line near the title name alike
ONLY = 0.5  # confidence of those whom an element credits and nothing speaks for besides

_CJK = Letters(((first, last, 0) for first, last in zip(CJK[::3], CJK[2::3], strict=True)), 1)


def find_authors(tree: Tree, clues: Clues, near: Near, site_name: str | None) -> Found[tuple[str, ...]] | None:
    """Return the names of those who wrote the page; None when it does not tell.

    A name that is only the site's, an office, a login, or nowhere on the page counts where it shows no better one.
    """
    if is_cjk(near):
        return find_cjk_authors(tree, clues, near, site_name)
    sites = sites_of(tree, clues, site_name)
    told = list(find_told(clues, sites))
    if plain := find_plain(told, near):
        return _found(plain, PLAIN)
    page = Page(near, sites)
    mentions = [*told, *find_mentions(tree, clues, near, sites)]
    chosen = choose(find_candidates(mentions, page), SURE)
    if chosen is None:
        mentions += find_more_mentions(clues, near, sites)
        chosen = choose(find_candidates(mentions, page), LIKELY)
    if chosen is None:
        mentions += find_last_mentions(tree, clues, near, sites)
        chosen = choose(find_candidates(mentions, page))
    if chosen is None:
        return _only_credited(mentions) or _only_changer(mentions)
    return _found(chosen[0].mention, chosen[1])


def _only_credited(mentions: Iterable[Mention]) -> Found[tuple[str, ...]] | None:
    """Return the person whom an element credits below the title, where the page credits nobody else."""
    credited = [mention for mention in mentions if mention.marks[0] == "credit"]
    if len({mention.names for mention in credited}) != 1 or not all(map(is_person, credited[0].names)):
        return None
    is_above = any(mark.endswith(" early") for mark in credited[0].marks)
    return None if is_above else _found(credited[0], ONLY)


def _only_changer(mentions: Iterable[Mention]) -> Found[tuple[str, ...]] | None:
    """Return the person who changed the page last, where it tells of one."""
    changed = [mention for mention in mentions if mention.marks[0] == CHANGED]
    if len({mention.names for mention in changed}) != 1 or not all(map(is_person, changed[0].names)):
        return None
    return _found(changed[0], ONLY)


def _found(mention: Mention, chance: float) -> Found[tuple[str, ...]]:
    return found(mention.names, mention.source, round(chance, 2), "; ".join(mention.names))


def is_cjk(near: Near) -> bool:
    """Say whether a page is Chinese, Japanese or Korean by its title, or by the beginning of its texts."""
    if has_cjk(near.title):
        return True
    text = ""
    for line in near.texts[:SAMPLE]:
        text += line
        if len(text) >= SAMPLE_TEXT:
            break
    sample = text[:SAMPLE_TEXT]
    return not sample.isascii() and any(_CJK.count(sample)) and cjk_share(sample) > MIN_SHARE
