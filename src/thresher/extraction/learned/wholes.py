"""Keep tables of data, and lists of which a part is chosen, whole amid a text."""

from bisect import bisect_left
from collections import Counter

from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.sheet import Sheet
from thresher.extraction.learned.table import SHAPE_CODE, TAG_CODE, Table

MIN_ROWS, MIN_CELLS = 2, 4
REGULAR = 0.6  # of the rows that have as many cells as most
MAX_CELL = 300  # characters
USUAL_CELL = 60  # characters of a cell in the mean
MIN_ITEMS = 3
MAX_ITEM = 100  # characters of an item in the mean; lists of longer ones are references, comments and the like
LINKED = 0.8  # share of their text that may be links
TAKEN = 0.3  # of a list's text that is chosen, from which on it is taken whole
MAX_BLOCKS = 3_000  # of a table or list

_NAMES = "related share advert comment nav side tag hidden frame"
_ASIDE = sum(BIT[name] for name in _NAMES.split())
_TABLE, _ROW, _FORM = (TAG_CODE[name] for name in ("table", "tr", "form"))
_HEAD = TAG_CODE["th"]
_CELLS = (TAG_CODE["td"], _HEAD)
_WHOLES = frozenset((_TABLE, TAG_CODE["ul"], TAG_CODE["ol"], TAG_CODE["dl"]))
_HEADINGS = frozenset(SHAPE_CODE[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6"))


def with_wholes(sheet: Sheet, chosen: list[int]) -> list[int]:
    """Return the chosen blocks, and all of the tables of data and the lists amid them, in reading order."""
    if len(chosen) < 2:
        return chosen
    table = sheet.table
    kept = set(chosen)
    for element, tag in enumerate(table.tag):
        if tag not in _WHOLES:
            continue
        first, end = table.first[element], table.end[element]
        if not (0 < end - first <= MAX_BLOCKS and chosen[0] < first < chosen[-1]):
            continue
        own = bisect_left(chosen, end) - bisect_left(chosen, first)
        if own == end - first:
            continue
        if is_data(sheet, element) if tag == _TABLE else own > 0 and _is_listed(sheet, element, chosen):
            kept.update(range(first, end))
    return sorted(kept) if len(kept) != len(chosen) else chosen


def _is_listed(sheet: Sheet, element: int, chosen: list[int]) -> bool:
    """Say whether so much of a list is chosen that all of it is text."""
    table = sheet.table
    first, end = table.first[element], table.end[element]
    own = chosen[bisect_left(chosen, first) : bisect_left(chosen, end)]
    is_taken = sum(len(table.texts[place]) for place in own) >= TAKEN * _size(table, element)
    return is_taken and _is_plain_list(sheet, element)


def is_data(sheet: Sheet, element: int) -> bool:
    """Say whether a table holds data in rows and columns under headings (<th>): others lay out a page."""
    table = sheet.table
    first, end = table.first[element], table.end[element]
    if sheet.around[element] & _ASIDE or any(table.shape[place] in _HEADINGS for place in range(first, end)):
        return False
    rows: Counter[int] = Counter()
    is_headed = False
    inner = element + 1
    while inner < len(table.tag) and table.first[inner] < end and _is_in(table, inner, element):
        tag = table.tag[inner]
        if tag in (_TABLE, _FORM):
            return False
        if tag in _CELLS:
            rows[table.parent[inner]] += 1
            is_headed = is_headed or tag == _HEAD
        inner += 1
    usual = Counter(rows.values()).most_common(1)
    if (
        not is_headed
        or len(rows) < MIN_ROWS
        or sum(rows.values()) < MIN_CELLS
        or usual[0][1] < REGULAR * len(rows)
        or usual[0][0] < 2
    ):
        return False
    texts = table.texts[first:end]
    size = sum(map(len, texts))
    is_short = max(map(len, texts)) <= MAX_CELL and size <= USUAL_CELL * sum(rows.values())
    return is_short and sum(table.linked[first:end]) <= LINKED * size


def _is_in(table: Table, inner: int, element: int) -> bool:
    while inner > element:
        inner = table.parent[inner]
    return inner == element


def _is_plain_list(sheet: Sheet, element: int) -> bool:
    """Say whether each item of a list is a line of some words, which are not links for the most part."""
    table = sheet.table
    first, end = table.first[element], table.end[element]
    if sheet.around[element] & _ASIDE or any(table.shape[place] in _HEADINGS for place in range(first, end)):
        return False
    if len(set(table.owner[first:end])) < end - first:
        return False
    size = _size(table, element)
    count = end - first
    return count >= MIN_ITEMS and size <= MAX_ITEM * count and sum(table.linked[first:end]) <= LINKED * size


def _size(table: Table, element: int) -> int:
    return sum(map(len, table.texts[table.first[element] : table.end[element]]))
