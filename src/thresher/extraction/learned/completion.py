"""Complete a text: inside the element that holds it, less likely blocks are kept, such as lists and short lines."""

from array import array
from bisect import bisect_left

from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.sheet import SUMS, Sheet
from thresher.extraction.learned.table import SHAPE_CODE, Table

# Set on articles/train by sites left out and by whole datasets left out (shingles F1): English .950 and .936 without
# this, .950 and .939 with it; Chinese .967 and .966, then .969 and .967; other languages .963 and .957, then .964 and
# .956. Lines before the text and after it, lists aside, are bylines and notes for the most part.
HELD = 0.9  # of the text that the element holds
MOSTLY = 0.6  # of the element that is text
ENOUGH = 0.5  # of the threshold that a block must pass
LINKED = 0.5  # share of a block that may be links
_NAMES = "related share advert box comment nav side media tag hidden"
_H1 = SHAPE_CODE["h1"]
_LISTED = frozenset(SHAPE_CODE[name] for name in ("li", "blockquote", "td", "pre"))
_ASIDE = sum(BIT[name] for name in _NAMES.split())


def complete(sheet: Sheet, chances: "array[float]", chosen: list[int], cut: float) -> list[int]:
    """Return the chosen blocks and those that go with them, in reading order; `cut` is the threshold of the former."""
    if len(chosen) < 2:
        return chosen
    table, sums = sheet.table, sheet.sums
    sizes = sizes_before(sheet.rows, chosen)
    holder = holder_of(table, chosen, sizes)
    first, end = table.first[holder], table.end[holder]
    inside = sizes[bisect_left(chosen, end)] - sizes[bisect_left(chosen, first)]
    if holder == 0 or inside < MOSTLY * (sums[end * SUMS] - sums[first * SUMS]):
        return chosen
    kept = set(chosen)
    added = [
        place
        for place in likely_between(chances, first, end, ENOUGH * cut)
        if place not in kept
        and (table.shape[place] in _LISTED or (table.shape[place] != _H1 and chosen[0] < place < chosen[-1]))
        and table.linked[place] <= LINKED * len(table.texts[place])
        and not _names_up_to(sheet, place, holder) & _ASIDE
    ]
    return sorted(chosen + added) if added else chosen


def sizes_before(rows: "array[float]", chosen: list[int]) -> "array[float]":
    """Return the size of all chosen blocks before each, and at the end that of all."""
    sizes = array("d", bytes(8 * (len(chosen) + 1)))
    for number in range(len(chosen)):
        sizes[number + 1] = sizes[number] + rows[chosen[number] * WIDTH]
    return sizes


def likely_between(chances: "array[float]", first: int, end: int, least: float) -> list[int]:
    """Return the blocks from the first up to the end that are likelier than `least`."""
    found = []
    for place in range(first, end):
        if chances[place] > least:
            found.append(place)
    return found


def holder_of(table: Table, chosen: list[int], sizes: "array[float]") -> int:
    """Return the innermost element that holds most of the chosen blocks: one around the block at half of their size."""
    middle = chosen[max(bisect_left(sizes, sizes[-1] / 2) - 1, 0)]
    element: int = table.owner[middle]
    while element > 0:
        first, end = bisect_left(chosen, table.first[element]), bisect_left(chosen, table.end[element])
        if end - first > 1 and sizes[end] - sizes[first] >= HELD * sizes[-1]:
            break
        element = table.parent[element]
    return element


def _names_up_to(sheet: Sheet, place: int, holder: int) -> int:
    """Return the hints of a block's inline elements and of the elements around it inside the holder."""
    table = sheet.table
    names = table.inner[place]
    element = table.owner[place]
    while element > holder:
        names |= table.hints[element]
        element = table.parent[element]
    return names
