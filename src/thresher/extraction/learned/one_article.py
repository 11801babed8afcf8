"""Keep the article that the page's title belongs to: leave out other articles, and teasers of such, from the text."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress

from thresher.extraction.learned.features import title_block
from thresher.extraction.learned.lexicon import BYLINE, DATE
from thresher.extraction.learned.measure import MEASURES, WIDTH
from thresher.extraction.learned.sheet import Sheet
from thresher.extraction.learned.table import SHAPE_CODE, Table

MIN_TITLE = 0.6  # of the page title's words that its <h1> must have to tell its article from others
LEAD = 100  # of size; so much text shows where the article stands
MIN_ITEMS = 3  # children of one kind from which each may be a teaser
LINKED = 0.6  # share of a teaser's heading that is a link, at least
# What a teaser is less likely than in the mean. With 0.6, pages of articles/train whose sites are left out lose the
# teasers below short articles, and keep lists whose entries have links as headings.
SURE = 0.6

MAX_LEVEL = 3  # of headings that are an article's title
HARDLY = 0.4  # of the page title's words that headings of other articles have at most
MAX_OTHERS = 30
SIGNED_WITHIN, SIGNATURE = 2, 80  # blocks below a heading; size of a line that signs

_H1 = SHAPE_CODE["h1"]
_OF_LINES = ("size", "title_of", "senses", "dated", "final")
_SIZE, _TITLE_OF, _SENSES, _DATED, _FINAL = (MEASURES.index(name) for name in _OF_LINES)


def of_one_article(sheet: Sheet, chances: "array[float]", chosen: list[int]) -> list[int]:
    """Return the chosen blocks that are of the title's article; all of them where no block is surely the title."""
    title = title_block(sheet)
    if not chosen:
        return chosen
    chosen = _between_signed_headings(sheet, title, chosen)
    if not _is_title(sheet, title):
        return chosen
    if sheet.table.shape.count(_H1) > 1:
        chosen = _before_next_headline(sheet, title, _without_likes(sheet, title, chosen))
    return _without_teasers(sheet, title, chances, chosen)


def _between_signed_headings(sheet: Sheet, title: int, chosen: list[int]) -> list[int]:
    """Keep what stands below the title where other headings made as it is are signed as it is: each has an article."""
    table, path = sheet.table, sheet.path
    shape = table.shape[title]
    if not 1 <= shape <= MAX_LEVEL or sheet.rows[title * WIDTH + _TITLE_OF] < MIN_TITLE or not _is_signed(sheet, title):
        return chosen
    place = path[table.owner[title]]
    others = [
        other
        for other, level in enumerate(table.shape)
        if level == shape and other != title and path[table.owner[other]] == place and _is_signed(sheet, other)
    ]
    if not 0 < len(others) <= MAX_OTHERS or any(sheet.rows[other * WIDTH + _TITLE_OF] > HARDLY for other in others):
        return chosen
    end = min((other for other in others if other > title), default=len(table.texts))
    own = chosen[bisect_left(chosen, title) : bisect_left(chosen, end)]
    return own if sum(sheet.rows[block * WIDTH + _SIZE] for block in own) >= LEAD else chosen


def _is_signed(sheet: Sheet, heading: int) -> bool:
    """Say whether a short line right below a heading tells who wrote what follows, or when."""
    for block in range(heading + 1, min(heading + 1 + SIGNED_WITHIN, len(sheet.table.texts))):
        row = block * WIDTH
        is_line = sheet.rows[row + _SIZE] < SIGNATURE and not sheet.rows[row + _FINAL]
        if is_line and (int(sheet.rows[row + _SENSES]) & (BYLINE | DATE)) and sheet.rows[row + _DATED]:
            return True
    return False


def _is_title(sheet: Sheet, place: int) -> bool:
    return sheet.table.shape[place] == _H1 and sheet.rows[place * WIDTH + _TITLE_OF] >= MIN_TITLE


def _without_likes(sheet: Sheet, title: int, chosen: list[int]) -> list[int]:
    """Leave out the other articles of an endless page: likes of the title's own element that have their own <h1>."""
    table = sheet.table
    for element in _around(table, table.owner[title]):
        if sheet.likes[element] > 1 and _holds_several(table, element, chosen):
            left_out = bytearray(len(table.texts))
            for first, end in _other_articles(sheet, element):
                left_out[first:end] = b"\x01" * (end - first)
            return [place for place in chosen if not left_out[place]]
    return chosen


def _holds_several(table: Table, element: int, chosen: list[int]) -> bool:
    """Say whether an element has more blocks than the headline, and a chosen one among them."""
    first, end = table.first[element], table.end[element]
    place = bisect_left(chosen, first)
    return end - first > 1 and place < len(chosen) and chosen[place] < end


def _other_articles(sheet: Sheet, element: int) -> Iterator[tuple[int, int]]:
    """Yield the blocks, from the first up to the end, of the element's likes that have an <h1>."""
    table, kind = sheet.table, sheet.kind
    for other in range(len(table.tag)):
        is_like = table.parent[other] == table.parent[element] and kind[other] == kind[element]
        if is_like and other != element and _H1 in table.shape[table.first[other] : table.end[other]]:
            yield table.first[other], table.end[other]


def _before_next_headline(sheet: Sheet, title: int, chosen: list[int]) -> list[int]:
    """End the text where another headline stands that is made as the title is, and is itself no part of the text."""
    table, path = sheet.table, sheet.path
    start = bisect_left(chosen, title + 1)
    for place in _headlines(table, title + 1):
        if path[table.owner[place]] == path[table.owner[title]]:
            end = bisect_left(chosen, place)
            is_chosen = end < len(chosen) and chosen[end] == place
            if not is_chosen and sum(sheet.rows[block * WIDTH + _SIZE] for block in chosen[start:end]) >= LEAD:
                return chosen[:end]
    return chosen


def _headlines(table: Table, start: int) -> Iterator[int]:
    """Yield the blocks from `start` on that are an <h1>."""
    with suppress(ValueError):  # no more of them
        while True:
            place = table.shape.index(_H1, start)
            yield place
            start = place + 1


def _without_teasers(sheet: Sheet, title: int, chances: "array[float]", chosen: list[int]) -> list[int]:
    """Leave out the teasers of other articles that stand outside the element with the title and the text below it."""
    table = sheet.table
    home = _home(sheet, title, chosen)
    first, end = table.first[home], table.end[home]
    outside = chosen[: bisect_left(chosen, first)] + chosen[bisect_left(chosen, end) :]
    teasers = _headed_by_links(sheet, outside) if outside else None
    if not teasers:
        return chosen
    size = sum(len(table.texts[block]) for block in teasers)
    if sum(chances[block] * len(table.texts[block]) for block in teasers) >= SURE * size:
        return chosen
    return [block for block in chosen if block not in teasers]


def _home(sheet: Sheet, title: int, chosen: list[int]) -> int:
    """Return the innermost element with the title and the beginning of the text below it; the body without such."""
    table = sheet.table
    seen = 0.0
    for block in chosen[bisect_left(chosen, title + 1) :]:
        seen += sheet.rows[block * WIDTH + _SIZE]
        if seen >= LEAD:
            holders = _around(table, table.owner[title])
            return next((element for element in holders if block < table.end[element]), 0)
    return 0


def _headed_by_links(sheet: Sheet, blocks: list[int]) -> set[int]:
    """Return the blocks that lie in one of several alike elements whose heading, or else first block, is a link."""
    table = sheet.table
    known = {0: False}  # by element
    found = set()
    for block in blocks:
        seen = []
        element = table.owner[block]
        while element not in known:
            seen.append(element)
            if sheet.likes[element] >= MIN_ITEMS and table.end[element] - table.first[element] > 1:
                known[element] = _begins_with_link(table, element)
            else:
                element = table.parent[element]
        known.update(dict.fromkeys(seen, known[element]))
        if known[element]:
            found.add(block)
    return found


def _begins_with_link(table: Table, element: int) -> bool:
    places = range(table.first[element], table.end[element])
    head = next((place for place in places if 1 <= table.shape[place] <= 6), places.start)
    return table.linked[head] >= LINKED * len(table.texts[head])


def _around(table: Table, element: int) -> Iterator[int]:
    while element > 0:
        yield element
        element = table.parent[element]
