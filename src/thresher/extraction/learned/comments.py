"""Find the comments that readers left below a text, by what their elements are called."""

from array import array

from thresher.extraction.learned.features import title_block
from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.sheet import SUMMED, SUMS, Sheet

# Size of prose between the title and the comments. On articles/train 146 pages have elements named for comments so far
# below the title, and none of them holds labelled text; right below the title two of 148 do.
MIN_TEXT = 100.0
MIN_SIZE = 600.0  # of comments that are worth leaving aside; most smaller ones are forms and links to comments

_SIZE, _VALID = SUMMED.index("size"), SUMMED.index("valid")


def comments_of(sheet: Sheet) -> list[int]:
    """Return the elements that hold the comments, in order and apart; none above the text, nor in another.

    The chances of a text fall where many comments stand below it, so they are left aside before blocks are judged.
    """
    table, sums = sheet.table, sheet.sums
    named = named_by(table.hints, BIT["comment"])
    if not named:
        return []
    title = title_block(sheet)
    found: list[int] = []
    start, prose = title + 1, 0.0  # where the next may stand, and the prose above
    for element in named:
        first, end = table.first[element], table.end[element]
        if first < start or sums[end * SUMS + _SIZE] - sums[first * SUMS + _SIZE] < MIN_SIZE:
            continue
        above = prose + sums[first * SUMS + _VALID] - sums[start * SUMS + _VALID]
        if above >= MIN_TEXT:
            found.append(element)
            start, prose = end, above
    return found


def named_by(hints: "array[int]", bit: int) -> list[int]:
    """Return the elements that have a hint."""
    return [element for element in range(len(hints)) if hints[element] & bit]
