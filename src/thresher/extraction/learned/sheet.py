"""Sheet: a page's table with what is counted once for all features: running sums, and what lies around an element."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from thresher.errors import ExtractionError
from thresher.extraction.learned.about import About
from thresher.extraction.learned.lexicon import COMMENT
from thresher.extraction.learned.measure import WIDTH, measure
from thresher.extraction.learned.table import TAGS, Table

try:
    from thresher.extraction.learned import _inherit
except ImportError:  # not compiled
    _inherit = None  # type: ignore[assignment]

SUMMED = ["size", "linked", "punct", "stops", "valid", "ends", "words", "long", "dated", "titles", "comments"]
SUMS = len(SUMMED)  # columns of the running sums
LONG = 80  # size from which a block counts as long
LABEL = 60  # size below which a block may be a label, such as "12 comments"

_BY_BLOCK = ("owner", "shape", "linked", "links", "strong", "inner", "broken", "images")
Run = tuple[int, int]  # blocks side by side, from the first up to the end
MARKED = ("article", "main", "section", "header", "footer", "nav", "aside", "list", "table", "form", "figure", "quote")
_MARK = {"article": 0, "main": 1, "section": 2, "header": 3, "footer": 4, "nav": 5, "aside": 6}
_MARK |= dict.fromkeys(("ul", "ol", "dl", "li", "dd", "dt"), 7) | dict.fromkeys(("table", "td", "th", "tr"), 8)
_MARK |= {"form": 9, "figure": 10, "figcaption": 10, "blockquote": 11}
MARK_OF_TAG = array("i", [1 << _MARK[tag] if tag in _MARK else 0 for tag in TAGS])


@dataclass(slots=True)
class Sheet:
    """The columns are arrays: rows and sums by block, the rest by element."""

    table: Table
    rows: "array[float]"  # MEASURES of each block
    sums: "array[float]"  # SUMMED over the blocks before each, and at the end over all
    around: "array[int]"  # hints of the element and of all that hold it
    marks: "array[int]"  # the MARKED tags among them, as bits
    depth: "array[int]"
    path: "array[int]"  # number of the element's path of tags
    kind: "array[int]"  # number of its path of tags and hints
    likes: "array[int]"  # children of its parent that are of its kind, itself included
    paths: int = 0  # how many paths there are
    kinds: int = 0


def lay_out(table: Table, about: About) -> Sheet:
    """Measure a table's texts, and count what the features need; raise ExtractionError where no element holds them."""
    if table.texts and not table.tag:
        raise ExtractionError("a page must be walked from an element of block level")
    rows = measure(table.texts, about)
    around, marks, depth, path, kind, likes = (array("i", bytes(4 * len(table.tag))) for _ in range(6))
    sheet = Sheet(table, rows, running_sums(table, rows), around, marks, depth, path, kind, likes)
    if _inherit:
        _inherit.fill(sheet, MARK_OF_TAG)
    else:
        inherit(sheet)
        count_likes(sheet)
    return sheet


def without(sheet: Sheet, left_out: Sequence[Run]) -> Sheet:
    """Return the sheet less some runs of blocks, which are in order and apart; all elements stay."""
    table = sheet.table
    before = _kept_before(left_out, len(table.texts))
    part = replace(
        table,
        first=array("i", [before[place] for place in table.first]),
        end=array("i", [before[place] for place in table.end]),
        texts=_less(table.texts, left_out),
        **{name: _less(getattr(table, name), left_out) for name in _BY_BLOCK},
    )
    rows = _less(sheet.rows, [(first * WIDTH, end * WIDTH) for first, end in left_out])
    return replace(sheet, table=part, rows=rows, sums=running_sums(part, rows))


def _kept_before(left_out: Sequence[Run], count: int) -> "array[int]":
    """Return how many blocks are kept before each place, and at the end how many of all."""
    before = array("i")
    start = gone = 0
    for first, end in left_out:
        before.extend(range(start - gone, first - gone))
        before.extend([first - gone] * (end - first))
        start = end
        gone += end - first
    before.extend(range(start - gone, count + 1 - gone))
    return before


def _less(column: Any, left_out: Sequence[Run]) -> Any:
    """Return a column, which is a list or an array, less some runs."""
    kept = column[:0]
    start = 0
    for first, end in left_out:
        kept += column[start:first]
        start = end
    return kept + column[start:]


def running_sums(table: Table, rows: "array[float]") -> "array[float]":
    """Return for every block the sums over the blocks before it, and at the end those over all."""
    texts, linked_chars = table.texts, table.linked
    count = len(texts)
    whole = array("d", bytes(8 * SUMS * (count + 1)))
    sums = whole  # compiled, a view of it
    for i in range(count):
        row = i * WIDTH
        s = i * SUMS
        after = s + SUMS
        size = rows[row]
        linked = linked_chars[i] * (size / len(texts[i]))
        is_prose = 2 * linked < size
        sums[after] = sums[s] + size
        sums[after + 1] = sums[s + 1] + linked
        sums[after + 2] = sums[s + 2] + rows[row + 2]
        sums[after + 3] = sums[s + 3] + rows[row + 4]
        sums[after + 4] = sums[s + 4] + (size - linked if is_prose and rows[row + 4] > 0 else 0.0)
        sums[after + 5] = sums[s + 5] + rows[row + 3]
        sums[after + 6] = sums[s + 6] + rows[row + 1]
        sums[after + 7] = sums[s + 7] + (1.0 if is_prose and size >= LONG else 0.0)
        sums[after + 8] = sums[s + 8] + rows[row + 21]
        sums[after + 9] = sums[s + 9] + rows[row + 19]
        sums[after + 10] = sums[s + 10] + (1.0 if size < LABEL and int(rows[row + 12]) & COMMENT else 0.0)
    return whole


def inherit(sheet: Sheet) -> None:
    """Fill in what every element has from those around it; parents stand before their children."""
    table = sheet.table
    parent = table.parent
    tag = table.tag
    hints = table.hints
    around, marks, depth, path, kind = sheet.around, sheet.marks, sheet.depth, sheet.path, sheet.kind
    paths: dict[int, int] = {}
    kinds: dict[int, int] = {}
    for e in range(len(tag)):
        up = parent[e]
        around[e] = hints[e]
        marks[e] = MARK_OF_TAG[tag[e]]
        above = kind_above = -1
        if up >= 0:
            around[e] |= around[up]
            marks[e] |= marks[up]
            depth[e] = depth[up] + 1
            above = path[up]
            kind_above = kind[up]
        path[e] = paths.setdefault((above + 1) << 6 | tag[e], len(paths))
        kind[e] = kinds.setdefault(((kind_above + 1) << 6 | tag[e]) << 20 | hints[e], len(kinds))
    sheet.paths = len(paths)
    sheet.kinds = len(kinds)


def count_likes(sheet: Sheet) -> None:
    """Count for every element how many of its parent's children are of its kind."""
    parent = sheet.table.parent
    kind, likes = sheet.kind, sheet.likes
    counts: dict[int, int] = {}
    for e in range(len(parent)):
        key = (parent[e] + 1) << 32 | kind[e]
        counts[key] = counts.get(key, 0) + 1
    for e in range(len(parent)):
        likes[e] = counts[(parent[e] + 1) << 32 | kind[e]]
