"""Find the comments that readers left below a text, by what their elements are called."""

from thresher.extract.learned.features import title_block
from thresher.extract.learned.hints import BIT
from thresher.extract.learned.sheet import SUMMED, SUMS, Sheet

# Size of prose between the title and the comments. On articles/train 146 pages have elements named for comments so far
# below the title, and none of them holds labelled text; right below the title two of 148 do.
MIN_TEXT = 100.0
MIN_SIZE = 300.0  # of comments that are worth leaving aside; most smaller ones are forms and links to comments

_SIZE, _VALID = SUMMED.index("size"), SUMMED.index("valid")


def comments_of(sheet: Sheet) -> list[int]:
    """Return the elements that hold the comments, in order and apart; none above the text, nor in another.

    The chances of a text fall where many comments stand below it, so they are left aside before blocks are judged.
    """
    table, sums = sheet.table, sheet.sums
    named = [element for element, hints in enumerate(table.hints) if hints & BIT["comment"]]
    if not named:
        return []
    title = title_block(sheet)
    found: list[int] = []
    start, prose = title, 0.0  # what was looked at, and the prose there
    for element in named:
        first, end = table.first[element] * SUMS, table.end[element] * SUMS
        if first <= start * SUMS or sums[end + _SIZE] - sums[first + _SIZE] < MIN_SIZE:
            continue
        above = prose + sums[first + _VALID] - sums[start * SUMS + _VALID]
        if above >= MIN_TEXT:
            found.append(element)
            start, prose = table.end[element], above
    return found
