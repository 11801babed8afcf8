"""What a page is: an article or not, judged by how much solid prose it has and by what it says of itself.

A short block of prose with a link's headline beside it and no prose next to it is a teaser; the rest is solid. Weights
were set by hand on 1,088 labelled articles and 296 pages of other kinds: of the articles 87 to 100 % (by corpus) are
told as such, of listings 40 %, of forum boards none. Threads and boards are not told apart yet.
"""

import math
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from thresher.extract.fields.clues import Clues
from thresher.extract.fields.found import Found, found
from thresher.extract.words import has_stop_word
from thresher.html import Tree
from thresher.model import Block, Kind
from thresher.text import has_cjk

PROSE = 80  # letters a block of prose has; a Chinese, Japanese or Korean character counts as CJK_WEIGHT letters
CJK_WEIGHT = 2.5
TOO_LONG_FOR_TEASER = 400  # letters
HEADLINE = 15  # letters a link next to a teaser has
EVEN_PROSE = 300  # letters of solid prose at which the page alone speaks neither for nor against an article
MIN_LISTED = 5  # link blocks of a listing

_OG_TYPE = {"article": 0.5, "": 0.0, "blog": -0.5, "website": -0.8}
_OG_OTHER = -2.0  # product, profile, video …
_INDEX_WORDS = """
    category categories tag tags topic topics archive archives search author authors page browse section list
    collections shop market
"""
_INDEX = frozenset(_INDEX_WORDS.split())
_LONG_NUMBER = re.compile(r"\d{5}")


def find_kind(tree: Tree, clues: Clues, blocks: Sequence[Block]) -> Found[Kind]:
    """Return whether the page is an article, a listing or something else."""
    sizes = [_size_of(block) for block in blocks]
    is_prose = [_is_prose(block, size) for block, size in zip(blocks, sizes, strict=True)]
    places = [place for place, prose in enumerate(is_prose) if prose]
    teasers = [place for place in places if _is_teaser(place, sizes, is_prose)]
    solid = sum(sizes[place][0] for place in places) - sum(sizes[place][0] for place in teasers)
    raw = f"{len(places)} blocks of prose, {len(teasers)} of them teasers, {solid:.0f} letters of solid prose"
    chance = 0.0
    if solid:
        share = solid / sum(letters for letters, _ in sizes)
        odds = _prose_odds(solid, share, len(teasers), len(places)) + _told_odds(clues) + _url_odds(tree.url)
        chance = 1 / (1 + math.exp(-odds))
    if chance >= 0.5:
        return found(Kind.ARTICLE, "prose", chance, raw)
    listed = sum(1 for size in sizes if _is_headline(size))
    is_listing = listed >= MIN_LISTED and listed > len(places) - len(teasers)
    return found(Kind.LISTING if is_listing else Kind.OTHER, "prose", 1 - chance, f"{raw}, {listed} links")


def _size_of(block: Block) -> tuple[float, float]:
    """Return how many letters a block has, and how many of them lie in links."""
    letters = sum(len(span.text) for span in block.spans)
    linked = sum(len(span.text) for span in block.spans if span.href is not None)
    weight = CJK_WEIGHT if has_cjk(block.text) else 1.0
    return letters * weight, linked * weight


def _is_prose(block: Block, size: tuple[float, float]) -> bool:
    return size[0] >= PROSE and size[1] < size[0] / 2 and has_stop_word(block.text)


def _is_headline(size: tuple[float, float]) -> bool:
    return size[0] >= HEADLINE and size[1] > 0.8 * size[0]


def _is_teaser(place: int, sizes: Sequence[tuple[float, float]], is_prose: list[bool]) -> bool:
    """Say whether a block of prose is short, has no prose next to it, and a headline within two blocks."""
    if sizes[place][0] >= TOO_LONG_FOR_TEASER or any(
        is_prose[max(0, place - 1) : place] + is_prose[place + 1 : place + 2]
    ):
        return False
    return any(_is_headline(size) for size in (*sizes[max(0, place - 2) : place], *sizes[place + 1 : place + 3]))


def _prose_odds(solid: float, share: float, teasers: int, prose: int) -> float:
    """Return the log-odds that a page with so much solid prose (its share of all text) and teasers is an article."""
    many_teasers = max(0.0, teasers / prose - 0.2) * min(1.0, teasers / 8)
    return 1.2 * math.log(solid / EVEN_PROSE) + 3 * (share - 0.2) - 12 * many_teasers


def _told_odds(clues: Clues) -> float:
    told = _OG_TYPE.get(clues.meta.get("og:type", "").lower(), _OG_OTHER)
    return told + (1.5 if clues.article else 0.0)


def _url_odds(url: str | None) -> float:
    """Return the log-odds that the URL adds: roots and indexes speak against, long slugs and numbers for an article."""
    if not url:
        return 0.0
    try:
        parts = urlsplit(url)
    except ValueError:
        return 0.0
    steps = [step for step in parts.path.lower().split("/") if step]
    if not steps:
        return 0.0 if parts.query else -1.5
    if not _INDEX.isdisjoint(steps):
        return -1.5
    is_slug = max(steps[-1].count("-"), steps[-1].count("_")) >= 3 or _LONG_NUMBER.search(steps[-1]) is not None
    return 0.8 if is_slug else 0.0
