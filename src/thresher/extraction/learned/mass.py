"""Features from where the first stage's mass lies: before and after, in containers, likes, runs and cores."""

from array import array
from math import log1p

from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.sheet import Sheet

SUMS = 2  # columns of the running sums: chance times size, and size
LEVELS = 6  # elements around a block that are looked at
GAP = 3  # blocks that may be refused inside one run
LIKELY = 0.5  # chance from which a block opens or lengthens a run
FAR = 99  # blocks; a run further away is as good as absent
NO_RUN = -999  # blocks from the largest run where there is none
ALPHAS = (0.5, 0.9)  # how much of the mass the walk down to a core keeps


def fill_mass(
    chances: "array[float]", sums: "array[float]", out: "array[float]", at: int, width: int, *, top: float
) -> int:
    """Fill in how much mass lies before and after a block, and how much the page has."""
    count = len(chances)
    total = sums[count * SUMS]
    size = sums[count * SUMS + 1]
    largest = 0.0
    for i in range(count):
        largest = max(largest, chances[i])
    total_log = log1p(total)
    for i in range(count):
        o = i * width + at
        out[o] = share(sums[i * SUMS], total)
        out[o + 1] = share(total - sums[(i + 1) * SUMS], total)
        out[o + 2] = total_log
        out[o + 3] = share(total, size)
        out[o + 4] = largest
        out[o + 5] = top
    return at + 6


def fill_containers(sheet: Sheet, sums: "array[float]", out: "array[float]", at: int, width: int) -> int:
    """Fill in the mass of a block's owner and of the elements around that."""
    table = sheet.table
    owner, parent, first, end = table.owner, table.parent, table.first, table.end
    count = len(owner)
    total = sums[count * SUMS]
    for i in range(count):
        e = owner[i]
        o = i * width + at
        for _ in range(LEVELS):
            a = first[e] * SUMS
            b = end[e] * SUMS
            mass = sums[b] - sums[a]
            out[o] = share(mass, sums[b + 1] - sums[a + 1])
            out[o + 1] = log1p(mass)
            out[o + 2] = share(mass, total)
            o += 3
            if parent[e] >= 0:
                e = parent[e]
    return at + 3 * LEVELS


def fill_likes(
    sheet: Sheet, group: "array[int]", chances: "array[float]", out: "array[float]", at: int, width: int
) -> int:
    """Fill in the mass of the blocks whose owner has the same path, or is of the same kind."""
    rows, owner = sheet.rows, sheet.table.owner
    kept = array("d", bytes(16 * max(sheet.paths, sheet.kinds)))
    for i in range(len(chances)):
        k = 2 * group[owner[i]]
        kept[k] += chances[i] * rows[i * WIDTH]
        kept[k + 1] += rows[i * WIDTH]
    for i in range(len(chances)):
        k = 2 * group[owner[i]]
        o = i * width + at
        out[o] = share(kept[k], kept[k + 1])
        out[o + 1] = log1p(kept[k])
    return at + 2


def find_runs(chances: "array[float]") -> "array[int]":
    """Return first and last block of each run of likely blocks, one after the other; small gaps do not end a run."""
    runs = array("i")
    start = last = -1
    for i in range(len(chances)):
        if chances[i] >= LIKELY:
            if start < 0:
                start = i
            elif i - last - 1 > GAP:
                runs.append(start)
                runs.append(last)
                start = i
            last = i
    if start >= 0:
        runs.append(start)
        runs.append(last)
    return runs


def largest_run(runs: "array[int]", sums: "array[float]") -> int:
    """Return the place in `runs` of the run with most mass; -1 where there is none."""
    best = -1
    most = -1.0
    for k in range(0, len(runs), 2):
        mass = sums[(runs[k + 1] + 1) * SUMS] - sums[runs[k] * SUMS]
        if mass > most:
            most = mass
            best = k
    return best


def fill_runs(runs: "array[int]", best: int, sums: "array[float]", out: "array[float]", at: int, width: int) -> int:
    """Fill in the run that a block lies in, and how far it lies from the nearest and from the largest one."""
    count = len(sums) // SUMS - 1
    total = sums[count * SUMS]
    best_first = runs[best] if best >= 0 else 0
    best_last = runs[best + 1] if best >= 0 else -1
    largest = share(sums[(best_last + 1) * SUMS] - sums[best_first * SUMS], total)
    k = 0
    for i in range(count):
        o = i * width + at
        while k < len(runs) and runs[k + 1] < i:
            k += 2
        before = i - runs[k - 1] if k > 0 else FAR
        after = FAR
        if k < len(runs):
            after = max(runs[k] - i, 0)
            if after == 0:
                mass = sums[(runs[k + 1] + 1) * SUMS] - sums[runs[k] * SUMS]
                out[o] = log1p(mass)
                out[o + 1] = share(mass, total)
                out[o + 2] = 1.0 if k == best else 0.0
        out[o + 3] = NO_RUN if best < 0 else min(i - best_first, 0) + max(i - best_last, 0)
        out[o + 4] = largest
        out[o + 5] = min(before, after, FAR) if after > 0 else 0.0
    return at + 6


def fill_core(sheet: Sheet, sums: "array[float]", alpha: float, out: "array[float]", at: int, width: int) -> int:
    """Fill in where a block lies from the element that a walk by the largest child's mass ends in."""
    table = sheet.table
    e = walk_down(sheet, sums, alpha)
    first = table.first[e]
    end = table.end[e]
    mass = sums[end * SUMS] - sums[first * SUMS]
    count = len(table.texts)
    inside = share(mass, sums[count * SUMS])
    mean = share(mass, sums[end * SUMS + 1] - sums[first * SUMS + 1])
    for i in range(count):
        o = i * width + at
        out[o] = 1.0 if first <= i < end else 0.0
        out[o + 1] = inside
        out[o + 2] = mean
        out[o + 3] = i - first
        out[o + 4] = end - i
    return at + 5


def walk_down(sheet: Sheet, sums: "array[float]", alpha: float) -> int:
    """Return the element where a walk from the body ends: no child of several blocks holds `alpha` of its mass."""
    table = sheet.table
    parent, first, end = table.parent, table.first, table.end
    count = len(parent)
    largest = array("i", [-1]) * count
    most = array("d", bytes(8 * count))
    for e in range(1, count):
        mass = sums[end[e] * SUMS] - sums[first[e] * SUMS]
        if mass > most[parent[e]]:
            most[parent[e]] = mass
            largest[parent[e]] = e
    e = 0
    while largest[e] >= 0:
        mass = sums[end[e] * SUMS] - sums[first[e] * SUMS]
        if most[e] < alpha * mass or end[largest[e]] - first[largest[e]] <= 1:
            break
        e = largest[e]
    return e


def fill_shared(sheet: Sheet, sums: "array[float]", middle: int, out: "array[float]", at: int, width: int) -> int:
    """Fill in how far one must climb from a block to hold the middle of the largest run too, and the mean there."""
    table = sheet.table
    owner, parent, first, end = table.owner, table.parent, table.first, table.end
    for i in range(len(owner)):
        e = owner[i]
        steps = 0
        while parent[e] >= 0 and not first[e] <= middle < end[e]:
            e = parent[e]
            steps += 1
        a = first[e] * SUMS
        b = end[e] * SUMS
        o = i * width + at
        out[o] = steps
        out[o + 1] = share(sums[b] - sums[a], sums[b + 1] - sums[a + 1])
    return at + 2


def share(part: float, whole: float) -> float:
    """Return a part's share of the whole; 0 of nothing."""
    return part / whole if whole else 0.0
