"""Features of a page's text as a whole: its prose, its links, and what our own method chose of it."""

from array import array
from math import log, log1p

from thresher.extraction.kinds.marks import DATED, HEADLINE, LINKED, PROSE
from thresher.extraction.kinds.records import RUNS
from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.sheet import SUMS, Sheet

TOO_LONG_FOR_TEASER = 400  # letters
NO_ODDS = -9.0  # of an article on a page without prose
EVEN_PROSE = 300  # letters of solid prose at which the page alone speaks neither for nor against an article
TITLE_BEFORE = 15  # blocks before the prose that may be its headline
SAME_TITLE = 0.6  # of the title's words that a headline has
DATE_BEFORE, DATE_AFTER = 8, 3  # blocks around the beginning of the prose that may hold its date
TEXT = (
    "size",
    "blocks",
    "linked",
    "prose_n",
    "prose",
    "dates",
    "counts",
    "headlines",
    "labels_t",
    "labels_b",
    "chosen_n",
    "chosen",
    "chosen_share",
    "chosen_prose",
    "chosen_linked",
    "chosen_dates",
    "confidence",
    "teasers",
    "solid",
    "solid_share",
    "stretch",
    "stretch_share",
    "largest",
    "cjk",
    "prices",
    "date_near",
    "odds",
    "cores",
    "core_share",
    "compact",
    "span_heads",
    "span_dates",
    "title_head",
    "labels_l",
    "labels_s",
    "labels_a",
    "begins",
    "title_gap",
    "gap_heads",
    "gap_images",
    "heads_linked",
    "heads_plain",
    "own_heads_linked",
    "own_heads_plain",
    "after_heads",
)


def fill_text(
    sheet: Sheet, marks: "array[int]", chosen: "array[int]", counts: "array[float]", out: "array[float]"
) -> None:
    """Fill in the features of a page's text, the confidence of our own method aside."""
    sums, rows = sheet.sums, sheet.rows
    count = len(marks)
    proses = teasers = solid = stretch = longest = largest = cjk = chosen_n = chosen_prose = chosen_linked = (
        chosen_dates
    ) = 0.0
    for i in range(count):
        bits = marks[i]
        s = i * SUMS
        size = sums[s + SUMS] - sums[s]
        cjk += rows[i * WIDTH + 8]
        if bits & DATED:
            stretch = 0.0
        elif bits & PROSE:
            stretch += size
            longest = max(longest, stretch)
            largest = max(largest, size)
        if not chosen[i]:
            continue
        chosen_n += 1
        chosen_linked += sums[s + SUMS + 1] - sums[s + 1]
        if bits & DATED:
            chosen_dates += 1
        if bits & PROSE:
            proses += 1
            chosen_prose += size
            if is_teaser(marks, i, count, size):
                teasers += 1
            else:
                solid += size
    t = count * SUMS
    size = sums[t] if sums[t] > 0 else 1.0
    chosen_size = counts[count * RUNS + 7]
    of_chosen = chosen_size if chosen_size > 0 else 1.0
    out[10] = chosen_n
    out[13] = chosen_prose / of_chosen
    out[14] = chosen_linked / of_chosen
    out[15] = chosen_dates
    out[17] = teasers
    out[18] = log1p(solid)
    out[19] = solid / size
    out[20] = log1p(longest)
    out[21] = longest / size
    out[22] = log1p(largest)
    out[23] = cjk / size
    out[26] = prose_odds(solid, solid / size, teasers, proses) if solid > 0 else NO_ODDS


def fill_totals(sheet: Sheet, counts: "array[float]", out: "array[float]") -> None:
    """Fill in what the running sums and counts tell of the whole page."""
    sums = sheet.sums
    count = len(sheet.table.texts)
    t = count * SUMS
    c = count * RUNS
    size = sums[t] if sums[t] > 0 else 1.0
    out[0] = log1p(size)
    out[1] = count
    out[2] = sums[t + 1] / size
    out[3] = counts[c + 4]
    out[4] = counts[c + 8] / size
    out[5] = counts[c]
    out[6] = counts[c + 1]
    out[7] = counts[c + 2]
    out[8] = counts[c + 5]
    out[9] = counts[c + 6]
    out[11] = log1p(counts[c + 7])
    out[12] = counts[c + 7] / size
    out[24] = counts[c + 10]


def is_teaser(marks: "array[int]", place: int, count: int, size: float) -> bool:
    """Say whether a block of prose is short, has no prose next to it, and a headline within two blocks."""
    if size >= TOO_LONG_FOR_TEASER:
        return False
    if (place > 0 and marks[place - 1] & PROSE) or (place + 1 < count and marks[place + 1] & PROSE):
        return False
    for near in range(max(0, place - 2), min(count, place + 3)):  # noqa: SIM110  # compiled, this is a plain loop
        if marks[near] & HEADLINE:
            return True
    return False


def date_near(marks: "array[int]", chosen: "array[int]") -> float:
    """Return 1 where a date stands close to the beginning of the chosen prose, as articles have it; 0 otherwise."""
    count = len(marks)
    first = 0
    while first < count and not (chosen[first] and marks[first] & PROSE):
        first += 1
    if first == count:
        return 0.0
    for place in range(max(0, first - DATE_BEFORE), min(count, first + DATE_AFTER)):
        if marks[place] & DATED:
            return 1.0
    return 0.0


def fill_cores(sheet: Sheet, marks: "array[int]", chosen: "array[int]", out: "array[float]") -> None:
    """Fill in how many elements hold the chosen prose, and how much of it the first of them has.

    An article's paragraphs have one parent, posts and teasers one each.
    """
    table, sums = sheet.table, sheet.sums
    owner, parent, first, end = table.owner, table.parent, table.first, table.end
    mass: dict[int, float] = {}
    total = most = 0.0
    for i in range(len(marks)):
        if not (chosen[i] and marks[i] & PROSE):
            continue
        e = owner[i]
        if end[e] - first[e] == 1 and e > 0:
            e = parent[e]
        size = sums[(i + 1) * SUMS] - sums[i * SUMS]
        total += size
        held = mass.get(e, 0.0) + size
        mass[e] = held
        most = max(most, held)
    out[27] = len(mass)
    out[28] = most / total if total > 0 else 0.0


def fill_span(
    sheet: Sheet, marks: "array[int]", chosen: "array[int]", counts: "array[float]", out: "array[float]"
) -> None:
    """Fill in what lies between the first and the last block of the chosen prose, and whether the title heads it."""
    rows = sheet.rows
    first = last = -1
    number = 0
    for i in range(len(marks)):
        if chosen[i] and marks[i] & PROSE:
            first = i if first < 0 else first
            last = i
            number += 1
    if first < 0:
        return
    out[29] = number / (last - first + 1)
    out[30] = (counts[(last + 1) * RUNS + 2] - counts[first * RUNS + 2]) / number
    out[31] = (counts[(last + 1) * RUNS] - counts[first * RUNS]) / number
    for i in range(max(0, first - TITLE_BEFORE), first):
        if rows[i * WIDTH + 16] >= SAME_TITLE and not marks[i] & LINKED:
            out[32] = 1.0


def prose_odds(solid: float, share: float, teasers: float, proses: float) -> float:
    """Return the log-odds that a page with so much solid prose (its share of all text) and teasers is an article.

    The weights were set by hand: a summary that holds on pages of all ages, for trees to begin with.
    """
    many_teasers = max(0.0, teasers / proses - 0.2) * min(1.0, teasers / 8)
    return 1.2 * log(solid / EVEN_PROSE) + 3 * (share - 0.2) - 12 * many_teasers
