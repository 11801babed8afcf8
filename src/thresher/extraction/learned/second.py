"""The second stage's features: what the first stage said of a block's neighbours, containers and likes."""

from array import array
from math import log1p

from thresher.extraction.learned.mass import (
    ALPHAS,
    LEVELS,
    SUMS,
    fill_containers,
    fill_core,
    fill_likes,
    fill_mass,
    fill_runs,
    fill_shared,
    find_runs,
    largest_run,
)
from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.sheet import Sheet

REACH = 4  # neighbours on each side
WINDOWS = array("i", [3, 8, 20])  # blocks

SECOND = (
    "chance",
    *(f"chance{step:+d}" for step in range(-REACH, REACH + 1) if step),
    *(f"{side}{window}_{what}" for window in WINDOWS for side in ("before", "after") for what in ("mean", "mass")),
    *("mass_before", "mass_after", "page_mass", "page_share", "page_largest", "page_top"),
    *(f"up{level}_{what}" for level in range(LEVELS) for what in ("mean", "mass", "share")),
    *("path_mean", "path_mass", "kind_mean", "kind_mass"),
    *("run_mass", "run_share", "run_is_largest", "from_largest", "largest_share", "run_gap"),
    *(f"core{alpha}_{what}" for alpha in ALPHAS for what in ("inside", "share", "mean", "before", "after")),
    *("shared_up", "shared_mean"),
)
COUNT = len(SECOND)


def compute_second(sheet: Sheet, first: "array[float]", chances: "array[float]") -> "array[float]":
    """Return both stages' features of every block, one row after the other; `first` are the first stage's."""
    count = len(chances)
    start = len(first) // count if count else 0
    out = array("f", (0.0,)) * ((start + COUNT) * count)
    copy_rows(first, start, out, start + COUNT)
    fill_second(sheet, chances, out, start)
    return out


def fill_second(sheet: Sheet, chances: "array[float]", out: "array[float]", start: int) -> None:
    """Fill in the second stage's features behind the first stage's, which are `start` in number."""
    count, width = len(chances), start + COUNT
    sums = chance_sums(sheet, chances)
    at = fill_near(chances, sums, out, start, width)
    at = fill_mass(chances, sums, out, at, width, top=top_chance(sheet, chances))
    at = fill_containers(sheet, sums, out, at, width)
    at = fill_likes(sheet, sheet.path, chances, out, at, width)
    at = fill_likes(sheet, sheet.kind, chances, out, at, width)
    runs = find_runs(chances)
    best = largest_run(runs, sums)
    at = fill_runs(runs, best, sums, out, at, width)
    for alpha in ALPHAS:
        at = fill_core(sheet, sums, alpha, out, at, width)
    middle = (runs[best] + runs[best + 1]) // 2 if best >= 0 else (count - 1) // 2
    fill_shared(sheet, sums, middle, out, at, width)


def copy_rows(rows: "array[float]", size: int, out: "array[float]", width: int) -> None:
    """Copy rows into wider ones."""
    for i in range(len(rows) // size if size else 0):
        for k in range(size):
            out[i * width + k] = rows[i * size + k]


def chance_sums(sheet: Sheet, chances: "array[float]") -> "array[float]":
    """Return for every block the sums over the blocks before it, and at the end those over all."""
    rows = sheet.rows
    whole = array("d", bytes(8 * SUMS * (len(chances) + 1)))
    sums = whole  # compiled, a view of it
    for i in range(len(chances)):
        s = i * SUMS
        sums[s + 2] = sums[s] + chances[i] * rows[i * WIDTH]
        sums[s + 3] = sums[s + 1] + rows[i * WIDTH]
    return whole


def top_chance(sheet: Sheet, chances: "array[float]") -> float:
    """Return how sure the first stage is of the best part: the mean, by size, over chances from half the largest."""
    rows = sheet.rows
    largest = 0.0
    for i in range(len(chances)):
        largest = max(largest, chances[i])
    mass = size = 0.0
    for i in range(len(chances)):
        if chances[i] >= 0.5 * largest:
            mass += chances[i] * rows[i * WIDTH]
            size += rows[i * WIDTH]
    return mass / size if size else 0.0


def fill_near(chances: "array[float]", sums: "array[float]", out: "array[float]", at: int, width: int) -> int:
    """Fill in the chances of a block and its neighbours, and means and masses over the blocks around."""
    count, windows = len(chances), WINDOWS
    for i in range(count):
        o = i * width + at
        out[o] = chances[i]
        o += 1
        for step in range(-REACH, REACH + 1):
            if step != 0:
                k = i + step
                out[o] = chances[k] if 0 <= k < count else -0.1
                o += 1
        for w in range(len(windows)):
            window = windows[w]
            fill_window(sums, out, o, max(0, i - window), i)
            fill_window(sums, out, o + 2, i + 1, min(count, i + 1 + window))
            o += 4
    return at + 1 + 2 * REACH + 4 * len(WINDOWS)


def fill_window(sums: "array[float]", out: "array[float]", o: int, start: int, end: int) -> None:
    """Fill in mean chance and mass of the blocks from `start` up to `end`."""
    mass = sums[end * SUMS] - sums[start * SUMS]
    out[o] = share(mass, sums[end * SUMS + 1] - sums[start * SUMS + 1])
    out[o + 1] = log1p(mass)


def share(part: float, whole: float) -> float:
    """Return a part's share of the whole; 0 of nothing."""
    return part / whole if whole else 0.0
