"""Features of a block from its neighbours, the blocks before and after it, and the whole page."""

from array import array
from math import log1p

from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.sheet import SUMS, Sheet

REACH = 3  # neighbours on each side
WINDOWS = array("i", [3, 8, 20])  # blocks

NEIGHBOUR = ["size", "link_share", "final", "shape", "dated"]
WINDOW = ["size", "link_share", "valid", "ends", "dated"]
PAGE = ["size", "blocks", "largest", "link_share", "valid", "cjk", "told", "long", "dated", "titles", "comments"]
NEARBY = (
    *(f"at{step:+d}_{name}" for step in range(-REACH, REACH + 1) if step for name in NEIGHBOUR),
    *(f"{side}{window}_{name}" for window in WINDOWS for side in ("before", "after") for name in WINDOW),
    *(f"page_{name}" for name in PAGE),
)


def fill_neighbours(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in the three blocks on each side; -1 beyond the ends of the page."""
    table, rows = sheet.table, sheet.rows
    linked, shape, texts = table.linked, table.shape, table.texts
    count = len(texts)
    for i in range(count):
        o = i * width + at
        for step in range(-REACH, REACH + 1):
            if step == 0:
                continue
            k = i + step
            if 0 <= k < count:
                r = k * WIDTH
                out[o] = log1p(rows[r])
                out[o + 1] = linked[k] / len(texts[k])
                out[o + 2] = rows[r + 10]
                out[o + 3] = shape[k]
                out[o + 4] = rows[r + 21]
            else:
                for j in range(5):
                    out[o + j] = -1.0
            o += 5
    return at + 10 * REACH


def fill_windows(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in the sums over the next blocks on each side."""
    sums, windows = sheet.sums, WINDOWS
    count = len(sheet.table.texts)
    for i in range(count):
        o = i * width + at
        for k in range(len(windows)):
            window = windows[k]
            fill_window(sums, out, o, max(0, i - window), i)
            fill_window(sums, out, o + 5, i + 1, min(count, i + 1 + window))
            o += 10
    return at + 10 * len(WINDOWS)


def fill_window(sums: "array[float]", out: "array[float]", o: int, start: int, end: int) -> None:
    """Fill in the sums over the blocks from `start` up to `end`."""
    a = start * SUMS
    b = end * SUMS
    size = sums[b] - sums[a]
    out[o] = log1p(size)
    out[o + 1] = (sums[b + 1] - sums[a + 1]) / size if size else 0.0
    out[o + 2] = (sums[b + 4] - sums[a + 4]) / size if size else 0.0
    out[o + 3] = sums[b + 5] - sums[a + 5]
    out[o + 4] = sums[b + 8] - sums[a + 8]


def fill_page(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in what is the same for all blocks of a page."""
    rows, sums = sheet.rows, sheet.sums
    count = len(sheet.table.texts)
    largest = cjk = told = 0.0
    for i in range(count):
        r = i * WIDTH
        largest = max(largest, rows[r])
        cjk += rows[r + 8]
        told += rows[r + 17]
    t = count * SUMS
    size = sums[t]
    size_log, largest_log = log1p(size), log1p(largest)
    for i in range(count):
        o = i * width + at
        out[o] = size_log
        out[o + 1] = count
        out[o + 2] = largest_log
        out[o + 3] = sums[t + 1] / size
        out[o + 4] = log1p(sums[t + 4])
        out[o + 5] = cjk / size
        out[o + 6] = told
        out[o + 7] = sums[t + 7]
        out[o + 8] = sums[t + 8]
        out[o + 9] = sums[t + 9]
        out[o + 10] = sums[t + 10]
    return at + len(PAGE)
