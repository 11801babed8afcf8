"""Leave out what stands on the slides of a show, where the page has a text beside it."""

import re
from array import array

from lxml import etree

from thresher.extraction.learned.features import title_block
from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.sheet import Sheet

MIN_SLIDES = 3  # blocks of a show
MAX_NAME = 200  # characters of a class or id that are looked at
MIN_TEXT = 300  # characters of the text beside it
# Of articles/train, four elements of such names hold less than nine tenths of the chosen text; one of them has labelled
# text, a single block. Where they hold more, they hold the whole article.
LEAST = 0.1  # of the chosen text that stands beside it

_SHOW = re.compile(r"slide-?show|slider|carousel|rotator|swiper|galler(?:y|ia)", re.IGNORECASE)


def without_slides(sheet: Sheet, chosen: list[int]) -> list[int]:
    """Return the chosen blocks less those of slide shows; all of them where little else was chosen."""
    owner, around, texts = sheet.table.owner, sheet.around, sheet.table.texts
    pictured = places_in(chosen, owner, around, BIT["media"])
    if len(pictured) < MIN_SLIDES:
        return chosen
    title = title_block(sheet)
    shows: dict[int, list[int]] = {}
    known: dict[int, bool] = {}
    for place in pictured:
        show = show_around(sheet, place, title, known)
        if show:
            shows.setdefault(show, []).append(place)
    slides = {place for show in shows.values() if len(show) >= MIN_SLIDES for place in show}
    rest = [place for place in chosen if place not in slides]
    size = sum(len(texts[place]) for place in rest)
    return rest if size >= max(MIN_TEXT, LEAST * sum(len(texts[place]) for place in chosen)) else chosen


def places_in(places: list[int], owner: "array[int]", around: "array[int]", names: int) -> list[int]:
    """Return the blocks of some that stand in elements with some names."""
    found: list[int] = []
    for place in places:
        if around[owner[place]] & names:
            found.append(place)
    return found


def show_around(sheet: Sheet, place: int, title: int, known: dict[int, bool]) -> int:
    """Return the outermost element around a block that is named for a slide show and does not hold the title, or 0.

    `known` remembers of elements whether they are so named.
    """
    table = sheet.table
    element, show = table.owner[place], 0
    while element > 0 and not table.first[element] <= title < table.end[element]:
        if element not in known:
            may_be = bool(table.hints[element] & BIT["media"] and table.nodes)
            known[element] = may_be and _is_show(table.nodes[element])
        if known[element]:
            show = element
        element = table.parent[element]
    return show


def _is_show(node: etree._Element) -> bool:
    return any(_SHOW.search(node.get(name, "")[:MAX_NAME]) for name in ("class", "id"))
