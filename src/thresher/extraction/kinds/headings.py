"""Features of labels and headings: words that kinds of pages repeat, what stands above the prose, linked headings."""

from array import array

from thresher.extraction.kinds.marks import LINKED, OF_ARTICLE, OF_LIST, OF_SHOP, PROSE
from thresher.extraction.kinds.prose import SAME_TITLE
from thresher.extraction.kinds.records import RUNS
from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.sheet import Sheet
from thresher.extraction.learned.table import SHAPE_CODE

FIRST_HEADING, LAST_HEADING = SHAPE_CODE["h2"], SHAPE_CODE["h4"]


def fill_labels(marks: "array[int]", out: "array[float]") -> None:
    """Fill in how many labels of lists, shops and articles a page has."""
    lists = shops = articles = 0.0
    for i in range(len(marks)):
        if marks[i] & OF_LIST:
            lists += 1
        if marks[i] & OF_SHOP:
            shops += 1
        if marks[i] & OF_ARTICLE:
            articles += 1
    out[33] = lists
    out[34] = shops
    out[35] = articles


def fill_heads(
    sheet: Sheet, marks: "array[int]", chosen: "array[int]", counts: "array[float]", out: "array[float]"
) -> None:
    """Fill in where the chosen prose begins, what lies between the title and it, and which headings are links."""
    shape, rows = sheet.table.shape, sheet.rows
    count = len(marks)
    first = last = title = -1
    linked = plain = own_linked = own_plain = 0.0
    for i in range(count):
        if chosen[i] and marks[i] & PROSE:
            first = i if first < 0 else first
            last = i
    for i in range(count):
        if title < 0 and rows[i * WIDTH + 16] >= SAME_TITLE and not marks[i] & LINKED:
            title = i
        if FIRST_HEADING <= shape[i] <= LAST_HEADING:
            is_own = first <= i <= last
            if marks[i] & LINKED:
                linked += 1
                own_linked += is_own
            else:
                plain += 1
                own_plain += is_own
    out[40] = linked
    out[41] = plain
    out[42] = own_linked
    out[43] = own_plain
    if first < 0:
        return
    out[36] = first / count
    out[44] = counts[count * RUNS + 2] - counts[(last + 1) * RUNS + 2]
    if 0 <= title < first:
        out[37] = first - title
        out[38] = counts[first * RUNS + 2] - counts[title * RUNS + 2]
        out[39] = counts[first * RUNS + 9] - counts[title * RUNS + 9]
