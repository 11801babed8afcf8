"""Records: elements that a page repeats, counted by their kind, and the kinds most like posts, rows and teasers."""

from array import array
from math import log1p

from thresher.extraction.kinds.marks import COUNT, DATED, HEADLINE, LINKED, OF_BOARD, OF_THREAD, PRICE, PROSE
from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.sheet import SUMS, Sheet

# What is counted over the blocks before each, so that an element's own are a difference.
DATES, COUNTS, HEADS, LINKS, PROSES, LABELS_T, LABELS_B, CHOSEN_SIZE, PROSE_SIZES, IMAGES, PRICES = range(11)
RUNS = 11
# What is counted over the elements of a kind.
N, POSTS, ROWS, TEASERS, ONE_DATE, DATED_N, COUNT_N, PROSE_N, SIZE, OWN, DATE_SUM, LINK_SUM = range(12)
CHOSEN, IMAGE_SUM, CARDS, LABEL_T, LABEL_B, FIRST, LAST, PROSE_SUM, HINTS, PRICE_N = range(12, 22)
COLUMNS = 22
POST_OWN = 25  # letters outside links that a post has, its date included
ROW_SIZE = 700  # letters; a longer record is no row of a list
MIN_RECORDS = 2
MAX_DILUTED = 2  # elements of a kind to each record of a sort: layouts share tags with what they lay out
SIDE_WEIGHT = 0.3  # of records in menus and at the side, when the most telling ones are looked for
_COMMENT, _ARTICLE, _LIST = BIT["comment"], BIT["article"], BIT["list"]
_SIDE = BIT["side"] | BIT["nav"] | BIT["frame"]

GROUP = [
    "n",
    "share_n",
    "text",
    "prose",
    "chosen",
    "own",
    "linked",
    "dates",
    "one_date",
    "counts",
    "links",
    "images",
    "prices",
    "prose_n",
    "before",
    "span",
    "labels_t",
    "labels_b",
    "comment",
    "article",
    "list",
    "side",
]
GROUPS = ("posts", "rows", "teasers", "cards")
RECORDS = tuple(f"{group}_{name}" for group in GROUPS for name in GROUP)


def running_counts(sheet: Sheet, marks: "array[int]", chosen: "array[int]") -> "array[float]":
    """Return for every block what was counted over the blocks before it, and at the end over all."""
    images, sums = sheet.table.images, sheet.sums
    whole = array("d", bytes(8 * RUNS * (len(marks) + 1)))
    out = whole
    for i in range(len(marks)):
        a = i * RUNS
        b = a + RUNS
        bits = marks[i]
        size = sums[(i + 1) * SUMS] - sums[i * SUMS]
        out[b] = out[a] + (1.0 if bits & DATED else 0.0)
        out[b + 1] = out[a + 1] + (1.0 if bits & COUNT else 0.0)
        out[b + 2] = out[a + 2] + (1.0 if bits & HEADLINE else 0.0)
        out[b + 3] = out[a + 3] + (1.0 if bits & LINKED else 0.0)
        out[b + 4] = out[a + 4] + (1.0 if bits & PROSE else 0.0)
        out[b + 5] = out[a + 5] + (1.0 if bits & OF_THREAD else 0.0)
        out[b + 6] = out[a + 6] + (1.0 if bits & OF_BOARD else 0.0)
        out[b + 7] = out[a + 7] + (size if chosen[i] else 0.0)
        out[b + 8] = out[a + 8] + (size if bits & PROSE else 0.0)
        out[b + 9] = out[a + 9] + images[i]
        out[b + 10] = out[a + 10] + (1.0 if bits & PRICE else 0.0)
    return whole


def count_records(sheet: Sheet, counts: "array[float]") -> "array[float]":
    """Return a row of COLUMNS for each kind of element of a page."""
    table, kind, sums, around = sheet.table, sheet.kind, sheet.sums, sheet.around
    first, end = table.first, table.end
    whole = array("d", bytes(8 * COLUMNS * sheet.kinds))
    out = whole
    for e in range(1, len(kind)):
        f = first[e]
        t = end[e]
        if f >= t:
            continue
        k = kind[e] * COLUMNS
        a = f * RUNS
        b = t * RUNS
        size = sums[t * SUMS] - sums[f * SUMS]
        own = size - (sums[t * SUMS + 1] - sums[f * SUMS + 1])
        dates = counts[b] - counts[a]
        numbers = counts[b + 1] - counts[a + 1]
        heads = counts[b + 2] - counts[a + 2]
        links = counts[b + 3] - counts[a + 3]
        if out[k] == 0:
            out[k + 17] = f
            out[k + 20] = around[e]
        out[k] += 1
        out[k + 18] = t
        if dates > 0:
            out[k + 5] += 1
            if own >= POST_OWN and heads <= 1:
                out[k + 1] += 1
            if dates < 2:
                out[k + 4] += 1
            if links > 0 and numbers > 0 and size < ROW_SIZE:
                out[k + 2] += 1
        if heads > 0 and heads < 4:
            out[k + 3] += 1
        pictures = counts[b + 9] - counts[a + 9]
        prices = counts[b + 10] - counts[a + 10]
        if links > 0 and (pictures > 0 or prices > 0) and size < ROW_SIZE:
            out[k + 14] += 1
        if prices > 0:
            out[k + 21] += 1
        if numbers > 0:
            out[k + 6] += 1
        out[k + 8] += size
        out[k + 9] += own
        out[k + 10] += dates
        out[k + 11] += links
        out[k + 13] += pictures
        add_counts(out, k, counts, a, b)
    return whole


def add_counts(out: "array[float]", k: int, counts: "array[float]", a: int, b: int) -> None:
    """Add to a kind what was counted over the blocks of one more of its elements."""
    if counts[b + 4] > counts[a + 4]:
        out[k + 7] += 1
    out[k + 12] += counts[b + 7] - counts[a + 7]
    out[k + 15] += counts[b + 5] - counts[a + 5]
    out[k + 16] += counts[b + 6] - counts[a + 6]
    out[k + 19] += counts[b + 8] - counts[a + 8]


def best_kind(table: "array[float]", column: int, mass: int) -> int:
    """Return where the kind begins that has most records of a sort, by number and mass; -1 where none has two."""
    best = -1
    top = 0.0
    for k in range(0, len(table), COLUMNS):
        count = table[k + column]
        if count < MIN_RECORDS or MAX_DILUTED * count < table[k]:
            continue
        score = count * log1p(table[k + mass])
        if int(table[k + HINTS]) & _SIDE:
            score *= SIDE_WEIGHT
        if score > top:
            best, top = k, score
    return best


def fill_group(
    table: "array[float]", k: int, out: "array[float]", o: int, page: tuple[float, float, float, float]
) -> None:
    """Fill in what describes a kind of records; `page` has its letters, prose, chosen letters and blocks."""
    if k < 0:
        return
    letters, prose, chosen, blocks = page
    n = table[k]
    size = table[k + SIZE] or 1.0
    hints = int(table[k + HINTS])
    values = (
        n,
        table[k + DATED_N] / n,
        size / (letters or 1.0),
        table[k + PROSE_SUM] / (prose or 1.0),
        table[k + CHOSEN] / (chosen or 1.0),
        log1p(table[k + OWN] / n),
        1 - table[k + OWN] / size,
        table[k + DATE_SUM] / n,
        table[k + ONE_DATE] / n,
        table[k + COUNT_N] / n,
        table[k + LINK_SUM] / n,
        table[k + IMAGE_SUM] / n,
        table[k + PRICE_N] / n,
        table[k + PROSE_N] / n,
        table[k + FIRST] / blocks,
        (table[k + LAST] - table[k + FIRST]) / blocks,
        table[k + LABEL_T] / n,
        table[k + LABEL_B] / n,
        1.0 if hints & _COMMENT else 0.0,
        1.0 if hints & _ARTICLE else 0.0,
        1.0 if hints & _LIST else 0.0,
        1.0 if hints & _SIDE else 0.0,
    )
    for place, value in enumerate(values):
        out[o + place] = value


def fill_records(sheet: Sheet, counts: "array[float]", out: "array[float]", o: int) -> None:
    """Fill in the records most like posts, rows of a board, teasers and cards; they stay zero where there are none."""
    table = count_records(sheet, counts)
    blocks = len(sheet.table.texts)
    total = blocks * RUNS
    page = (sheet.sums[blocks * SUMS], counts[total + PROSE_SIZES], counts[total + CHOSEN_SIZE], float(blocks))
    for place, (column, mass) in enumerate(((POSTS, OWN), (ROWS, SIZE), (TEASERS, SIZE), (CARDS, SIZE))):
        fill_group(table, best_kind(table, column, mass), out, o + place * len(GROUP), page)
