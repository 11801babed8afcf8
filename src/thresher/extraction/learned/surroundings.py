"""Features of a block from the elements around it, the blocks of its kind, and the element that CEVC would take."""

from array import array
from math import log1p

from thresher.extraction.learned.hints import BIT, HINTS
from thresher.extraction.learned.sheet import SUMS, Sheet

LEVELS = 4  # elements around a block that are looked at: its owner and three more
ALPHA = 0.5  # the walk down to the core goes on while the largest child holds this share (CEVC)

LEVEL = [
    "size",
    "link_share",
    "punct",
    "stops",
    "blocks",
    "density",
    "valid",
    "tag",
    "share",
    "before",
    "long",
    "hint_good",
    "hint_bad",
    "likes",
    "dated",
    "titles",
    "comment",
]
GROUP = ["count", "size", "link_share", "valid", "ends", "first", "last"]
CORE = ["inside", "share", "depth", "before", "after", "mcr"]
SURROUNDINGS = (
    *(f"up{level}_{name}" for level in range(LEVELS) for name in LEVEL),
    *(f"{group}_{name}" for group in ("path", "kind") for name in GROUP),
    *(f"core_{name}" for name in CORE),
)

_LEVEL = len(LEVEL)
_GROUP = len(GROUP)
_GOOD = BIT["body"] | BIT["article"] | BIT["content"]
_COMMENT = BIT["comment"]
_NEUTRAL = BIT["byline"] | BIT["media"] | BIT["title"] | BIT["list"]
_BAD = ((1 << len(HINTS)) - 1) & ~(_GOOD | _NEUTRAL)


def fill_levels(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in the text and the hints of a block's owner and of the elements around that."""
    table = sheet.table
    sums, likes = sheet.sums, sheet.likes
    parent, tag, hints, first, end, tags = table.parent, table.tag, table.hints, table.first, table.end, table.tags
    owner = table.owner
    for i in range(len(owner)):
        e = owner[i]
        own = sums[(i + 1) * SUMS] - sums[i * SUMS]
        o = i * width + at
        for _ in range(LEVELS):
            a = first[e] * SUMS
            b = end[e] * SUMS
            size = sums[b] - sums[a]
            words = sums[b + 6] - sums[a + 6]
            out[o] = log1p(size)
            out[o + 1] = share(sums[b + 1] - sums[a + 1], size)
            out[o + 2] = share(sums[b + 2] - sums[a + 2], words)
            out[o + 3] = share(sums[b + 3] - sums[a + 3], words)
            out[o + 4] = end[e] - first[e]
            out[o + 5] = share(size, tags[e])
            out[o + 6] = share(sums[b + 4] - sums[a + 4], size)
            out[o + 7] = tag[e]
            out[o + 8] = share(own, size)
            out[o + 9] = share(sums[i * SUMS] - sums[a], size)
            out[o + 10] = sums[b + 7] - sums[a + 7]
            out[o + 11] = 1.0 if hints[e] & _GOOD else 0.0
            out[o + 12] = 1.0 if hints[e] & _BAD else 0.0
            out[o + 13] = likes[e]
            out[o + 14] = sums[b + 8] - sums[a + 8]
            out[o + 15] = share(sums[b + 9] - sums[a + 9], words)
            out[o + 16] = 1.0 if hints[e] & _COMMENT else 0.0
            o += _LEVEL
            if parent[e] >= 0:
                e = parent[e]
    return at + _LEVEL * LEVELS


def fill_groups(sheet: Sheet, group: "array[int]", out: "array[float]", at: int, width: int) -> int:
    """Fill in what the blocks whose owner has the same path, or is of the same kind, have in common."""
    sums, owner = sheet.sums, sheet.table.owner
    count = len(owner)
    kept = array("d", bytes(8 * _GROUP * max(sheet.paths, sheet.kinds)))
    for i in range(count):
        k = group[owner[i]] * _GROUP
        s = i * SUMS
        if not kept[k]:
            kept[k + 5] = i
        kept[k] += 1
        kept[k + 1] += sums[s + SUMS] - sums[s]
        kept[k + 2] += sums[s + SUMS + 1] - sums[s + 1]
        kept[k + 3] += sums[s + SUMS + 4] - sums[s + 4]
        kept[k + 4] += sums[s + SUMS + 5] - sums[s + 5]
        kept[k + 6] = i
    valid = sums[count * SUMS + 4]
    for i in range(count):
        k = group[owner[i]] * _GROUP
        o = i * width + at
        out[o] = kept[k]
        out[o + 1] = log1p(kept[k + 1] / kept[k])
        out[o + 2] = share(kept[k + 2], kept[k + 1])
        out[o + 3] = share(kept[k + 3], valid)
        out[o + 4] = kept[k + 4] / kept[k]
        out[o + 5] = i - kept[k + 5]
        out[o + 6] = kept[k + 6] - i
    return at + _GROUP


def fill_core(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in where a block lies from the element that a walk by valid characters ends in."""
    table, sums = sheet.table, sheet.sums
    core = core_of(sheet)
    first = table.first[core]
    end = table.end[core]
    count = len(table.texts)
    valid = sums[end * SUMS + 4] - sums[first * SUMS + 4]
    inside = share(valid, sums[count * SUMS + 4])
    mcr = share(largest_child(sheet, core), valid)
    depth = sheet.depth[core]
    for i in range(count):
        o = i * width + at
        out[o] = 1.0 if first <= i < end else 0.0
        out[o + 1] = inside
        out[o + 2] = depth
        out[o + 3] = i - first
        out[o + 4] = end - i
        out[o + 5] = mcr
    return at + 6


def core_of(sheet: Sheet) -> int:
    """Return the element where a walk from the body by the largest child ends: no child speaks for it."""
    table, sums = sheet.table, sheet.sums
    parent, first, end = table.parent, table.first, table.end
    count = len(parent)
    largest = array("i", [-1]) * count
    most = array("d", bytes(8 * count))
    for e in range(1, count):
        mass = sums[end[e] * SUMS + 4] - sums[first[e] * SUMS + 4]
        if mass > most[parent[e]]:
            most[parent[e]] = mass
            largest[parent[e]] = e
    e = 0
    while largest[e] >= 0:
        mass = sums[end[e] * SUMS + 4] - sums[first[e] * SUMS + 4]
        if most[e] < ALPHA * mass or end[largest[e]] - first[largest[e]] <= 1:
            break
        e = largest[e]
    return e


def largest_child(sheet: Sheet, core: int) -> float:
    """Return the valid characters of an element's largest child."""
    table, sums = sheet.table, sheet.sums
    parent, first, end = table.parent, table.first, table.end
    most = 0.0
    for e in range(core + 1, len(parent)):
        if parent[e] == core:
            most = max(most, sums[end[e] * SUMS + 4] - sums[first[e] * SUMS + 4])
    return most


def share(part: float, whole: float) -> float:
    """Return a part's share of the whole; 0 of nothing."""
    return part / whole if whole else 0.0
