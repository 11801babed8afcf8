"""The first stage's features of every block: itself, the elements around it, its likes, its neighbours, its page."""

from array import array
from math import log1p

from thresher.extraction.learned.hints import BIT, HINTS
from thresher.extraction.learned.lexicon import COMMENT, RELATED, SENSES
from thresher.extraction.learned.measure import WIDTH
from thresher.extraction.learned.nearby import NEARBY, fill_neighbours, fill_page, fill_windows
from thresher.extraction.learned.sheet import LABEL, MARKED, SUMS, Sheet
from thresher.extraction.learned.surroundings import SURROUNDINGS, fill_core, fill_groups, fill_levels

OWN = [
    "size",
    "words",
    "link_share",
    "links",
    "punct",
    "ends",
    "stops",
    "digits",
    "uppers",
    "cjk",
    "quotes",
    "final",
    "first",
    "word_length",
    "hits",
    "title_in",
    "title_of",
    "told",
    "repeated",
    "shape",
    "tag",
    "strong",
    "broken",
    "images",
    "position",
    "before_share",
    "from_title",
    "size_from_title",
    "after_title",
    "depth",
    "summary",
    "dated",
    "since_comment",
    "since_related",
    "since_heading",
    "since_dated",
    "titles",
]
FEATURES = (
    *OWN,
    *(f"sense_{name}" for name in SENSES[1:]),
    *("inner_good", "inner_bad", "inner_byline", "inner_media"),
    *(f"around_{name}" for name in HINTS),
    *(f"in_{name}" for name in MARKED),
    *SURROUNDINGS,
    *NEARBY,
)
COUNT = len(FEATURES)
FAR = 100  # blocks; what lies further back is as good as absent

_OWN = len(OWN)
_SENSES = len(SENSES) - 1
_HINTS = len(HINTS)
_MARKED = len(MARKED)
_GOOD = BIT["body"] | BIT["article"] | BIT["content"]
_BYLINE = BIT["byline"]
_MEDIA = BIT["media"]
_BAD = ((1 << _HINTS) - 1) & ~(_GOOD | _BYLINE | _MEDIA | BIT["title"] | BIT["list"])


def compute(sheet: Sheet, width: int = COUNT) -> "array[float]":
    """Return the features of every block, one row after the other; rows may be wider, for what comes to them later."""
    out = array("f", (0.0,)) * (width * len(sheet.table.texts))
    at = fill_own(sheet, out, 0, width)
    at = fill_since(sheet, out, at, width)
    at = fill_marks(sheet, out, at, width)
    at = fill_levels(sheet, out, at, width)
    at = fill_groups(sheet, sheet.path, out, at, width)
    at = fill_groups(sheet, sheet.kind, out, at, width)
    at = fill_core(sheet, out, at, width)
    at = fill_neighbours(sheet, out, at, width)
    at = fill_windows(sheet, out, at, width)
    fill_page(sheet, out, at, width)
    return out


def share(part: float, whole: float) -> float:
    """Return a part's share of the whole; 0 of nothing."""
    return part / whole if whole else 0.0


def fill_own(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in what a block's own text and place tell, up to its depth."""
    table = sheet.table
    rows, sums, depth = sheet.rows, sheet.sums, sheet.depth
    shape, tag, owner, linked, links = table.shape, table.tag, table.owner, table.linked, table.links
    strong, broken, images, texts = table.strong, table.broken, table.images, table.texts
    count = len(texts)
    total = sums[count * SUMS]
    top = title_block(sheet)
    for i in range(count):
        o = i * width + at
        r = i * WIDTH
        s = i * SUMS
        length = len(texts[i])
        words = rows[r + 1]
        looked = rows[r + 14] + rows[r + 8]
        out[o] = log1p(rows[r])
        out[o + 1] = words
        out[o + 2] = linked[i] / length
        out[o + 3] = links[i]
        out[o + 4] = share(rows[r + 2], words)
        out[o + 5] = share(rows[r + 3], words)
        out[o + 6] = share(rows[r + 4], looked)
        out[o + 7] = rows[r + 5] / length
        out[o + 8] = share(rows[r + 6], rows[r + 7])
        out[o + 9] = rows[r + 8] / length
        out[o + 10] = rows[r + 9]
        out[o + 11] = rows[r + 10]
        out[o + 12] = rows[r + 11]
        out[o + 13] = share(rows[r + 7], words)
        out[o + 14] = share(rows[r + 13], looked)
        out[o + 15] = rows[r + 15]
        out[o + 16] = rows[r + 16]
        out[o + 17] = rows[r + 17]
        out[o + 18] = rows[r + 18]
        out[o + 19] = shape[i]
        out[o + 20] = tag[owner[i]]
        out[o + 21] = strong[i] / length
        out[o + 22] = broken[i]
        out[o + 23] = images[i]
        out[o + 24] = i / count
        out[o + 25] = share(sums[s], total)
        out[o + 26] = i - top
        out[o + 27] = sums[s] - sums[top * SUMS]
        out[o + 28] = 1.0 if i > top else 0.0
        out[o + 29] = depth[owner[i]]
    return at + 30


def fill_since(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in how far back the last label, heading and date stand."""
    rows, shape = sheet.rows, sheet.table.shape
    comment = related = heading = dated = -FAR
    for i in range(len(shape)):
        o = i * width + at
        r = i * WIDTH
        out[o] = rows[r + 20]
        out[o + 1] = rows[r + 21]
        out[o + 2] = min(i - comment, FAR)
        out[o + 3] = min(i - related, FAR)
        out[o + 4] = min(i - heading, FAR)
        out[o + 5] = min(i - dated, FAR)
        out[o + 6] = rows[r + 19]
        senses = int(rows[r + 12])
        if rows[r] < LABEL:
            if senses & COMMENT:
                comment = i
            if senses & RELATED:
                related = i
        if 1 <= shape[i] <= 6:
            heading = i
        if rows[r + 21] > 0:
            dated = i
    return at + 7


def title_block(sheet: Sheet) -> int:
    """Return the number of the block that is most likely the headline, or 0."""
    rows, shape = sheet.rows, sheet.table.shape
    best = 0.3
    place = 0
    for i in range(len(shape)):
        r = i * WIDTH
        weight = 2.0 if shape[i] == 1 else 1.2 if 2 <= shape[i] <= 6 else 1.0
        score = rows[r + 15] * rows[r + 16] * weight
        if score > best:
            best = score
            place = i
    return place


def fill_marks(sheet: Sheet, out: "array[float]", at: int, width: int) -> int:
    """Fill in what the words, classes and tags in and around a block say it is."""
    table = sheet.table
    rows, around, marks = sheet.rows, sheet.around, sheet.marks
    owner, inners = table.owner, table.inner
    for i in range(len(owner)):
        o = i * width + at
        senses = int(rows[i * WIDTH + 12]) >> 1
        inner = inners[i]
        hints = around[owner[i]]
        marked = marks[owner[i]]
        for j in range(_SENSES):
            out[o + j] = senses >> j & 1
        o += _SENSES
        out[o] = 1.0 if inner & _GOOD else 0.0
        out[o + 1] = 1.0 if inner & _BAD else 0.0
        out[o + 2] = 1.0 if inner & _BYLINE else 0.0
        out[o + 3] = 1.0 if inner & _MEDIA else 0.0
        o += 4
        for j in range(_HINTS):
            out[o + j] = hints >> j & 1
        o += _HINTS
        for j in range(_MARKED):
            out[o + j] = marked >> j & 1
    return at + _SENSES + 4 + _HINTS + _MARKED
