"""Bodies: the elements of each record that hold what its author wrote, told by where new text comes again and again."""

from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import accumulate

from thresher.extract.forum.families import Family, line_at
from thresher.extract.forum.layout import Layout
from thresher.extract.forum.naming import (
    IS_BARE_CHROME,
    IS_CHROME,
    IS_QUOTE,
    IS_TEXT,
    MAY_BE_CHROME,
    SPEAKS_OF_TEXT,
)
from thresher.extract.forum.records import Record, roots_of
from thresher.extract.forum.words import CARD_LINE

Place = tuple[str, ...]  # the keys of an element and of two around it, inside of its record
ROUNDS = 4  # places that are tried one after the other for records that have no body yet
MANY = 0.9  # weight of a place that comes several times in a record
UNNAMED = 0.97  # weight of a place whose names do not speak of text
UNNAMED_FEW = 0.8  # the same in threads of few posts, where little comes again
FEW = 4  # posts
WITH_ANCHOR = 0.6  # weight of a place that also holds the time
MIN_LATER = 0.3  # score of a place that serves records which lack the usual one
RARE = 0.5  # weight of a place that few records have
MAX_CARD_LINE = 80  # characters of a line of a user card
LOOK = 60  # elements inside one that are looked at for its text
_NO_BODY = frozenset(
    ("a", "b", "i", "em", "strong", "u", "font", "br", "hr", "time", "small", "button", "label", "abbr", "noscript")
)


class _Part:
    """What the elements of one place hold in one record."""

    __slots__ = ("elements", "has_anchor", "held", "wanted")

    def __init__(self) -> None:
        self.wanted = 0.0  # letters of new text
        self.held = 0.0  # letters of all text
        self.elements: list[int] = []
        self.has_anchor = False


_Parts = dict[int, _Part]  # by record


def find_bodies(layout: Layout, family: Family) -> list[list[int]]:
    """Return the elements that hold the text of each record, none where there is none to tell."""
    records = family.records
    anchors = [[stamp.element] if stamp else [] for stamp in family.stamps]
    wanted, held = _letters(layout, records, family.comments)
    places: dict[Place, _Parts] = {}
    for number, record in enumerate(records):
        _add_parts(places, layout, (number, record, anchors[number]), (wanted, held))
    totals = [wanted[line_at(layout, r.end)] - wanted[line_at(layout, r.start)] for r in records]
    bodies: list[list[int]] = [[] for _ in records]
    left = set(range(len(records)))
    for turn in range(ROUNDS):
        best = _best(layout, places, left, totals, floor=MIN_LATER if turn else 0.0) if left else None
        if best is None:
            break
        for number in left & best.keys():
            bodies[number] = best[number].elements
        left -= best.keys()
    return bodies


def _letters(layout: Layout, records: Sequence[Record], comments: Set[int]) -> tuple[list[float], list[float]]:
    """Return the sums over lines of the letters that a post's text may have, and of all but those of quotations."""
    wanted = [line.mass for line in layout.lines]
    held = [line.letters for line in layout.lines]
    first, last = min([record.start for record in records]), max([record.end for record in records])
    for number in range(line_at(layout, first), line_at(layout, last)):
        text = layout.lines[number].text
        if len(text) < MAX_CARD_LINE and _is_of_card(text):
            wanted[number] = 0.0
    has_comments = len(comments) > 0
    for record in records:
        node, end = record.start + 1, record.end
        while node < end:
            quotes = is_quote(layout, node)
            is_other = quotes or is_chrome(layout, node) or (has_comments and node in comments)
            if not is_other or layout.ends[node] > end:
                node += 1
                continue
            for place in range(layout.first_line[node], layout.last_line[node]):
                wanted[place] = 0.0
                held[place] = 0.0 if quotes else held[place]
            node = layout.ends[node]
    return list(accumulate(wanted, initial=0.0)), list(accumulate(held, initial=0.0))


@lru_cache(maxsize=10_000)  # the same lines come again on every post
def _is_of_card(text: str) -> bool:
    return CARD_LINE.match(text.strip()) is not None


def is_chrome(layout: Layout, node: int) -> bool:
    """Say whether an element's names tell that it holds no words of a post: a user card, a signature, buttons."""
    mark = layout.marks[node]
    if mark & IS_BARE_CHROME and not layout.names[node]:
        return True
    if not mark & MAY_BE_CHROME:
        return mark & IS_CHROME != 0
    for inner in range(node + 1, min(layout.ends[node], node + LOOK)):
        mark = layout.marks[inner]
        if mark & IS_TEXT:
            return False
    return True


def is_quote(layout: Layout, node: int) -> bool:
    """Say whether an element's names tell that it quotes another post."""
    mark = layout.marks[node]
    return mark & IS_QUOTE != 0


def _add_parts(
    places: dict[Place, _Parts],
    layout: Layout,
    one: tuple[int, Record, Sequence[int]],
    sums: tuple[list[float], list[float]],
) -> None:
    """Add what the elements of a record hold to places; `one` is its number, itself and its anchors."""
    number, record, anchors = one
    wanted, held = sums
    start, stop = record.start, record.end
    keys = _root_keys(layout, record)
    for node in range(start, stop):
        first, last = layout.first_line[node], layout.last_line[node]
        end = layout.ends[node]
        held_before, held_after = held[first], held[last]
        if held_after == held_before or end > stop or layout.tags[node] in _NO_BODY:
            continue
        place = _place(layout, node, start, keys)
        parts = places.get(place)
        if parts is None:
            parts = places[place] = {}
        part = parts.get(number)
        if part is None:
            part = parts[number] = _Part()
        wanted_before, wanted_after = wanted[first], wanted[last]
        part.wanted += wanted_after - wanted_before
        part.held += held_after - held_before
        elements = part.elements
        if not elements or not layout.holds(elements[-1], node):
            elements.append(node)
        for anchor in anchors:
            part.has_anchor |= node <= anchor < end


def _place(layout: Layout, node: int, start: int, known: dict[int, str]) -> Place:
    """Return the keys of an element and two around it, as they are told apart inside of a record."""
    keys: list[str] = []
    while node >= start and len(keys) < 3:
        key = known.get(node)
        if key is None:
            key = known[node] = _key(layout, node)
        keys.append(key)
        node = layout.parents[node]
    return tuple(keys)


def _key(layout: Layout, node: int) -> str:
    """Return the key of an element; that of cells with their number, that of others without class with their id."""
    key = layout.keys[node]
    if key.startswith(("td", "th")):
        return f"{key}@{_cells_before(layout, node)}"
    return f"{key}#{layout.names[node]}" if "." not in key and layout.names[node] else key


def _cells_before(layout: Layout, node: int) -> int:
    """Count the cells of a table that stand before an element in the same one."""
    count, other = 0, layout.parents[node] + 1
    while other < node:
        if layout.tags[other] in ("td", "th"):
            count += 1
        other = layout.ends[other]
    return count


def _root_keys(layout: Layout, record: Record) -> dict[int, str]:
    """Return the keys of the elements that a record of several is made of, by number where they have no name."""
    roots = roots_of(layout, record)
    unnamed = [(place, root) for place, root in enumerate(roots) if "." not in layout.keys[root]]
    return {root: f"{layout.keys[root]}@{place}" for place, root in unnamed} if len(roots) > 1 else {}


def _best(
    layout: Layout, places: dict[Place, _Parts], left: set[int], totals: Sequence[float], floor: float
) -> _Parts | None:
    """Return the place that holds most new text of the records left, and little else."""
    total = sum(totals[number] for number in left)
    scored = []
    for place, parts in places.items():
        common = [part for number, part in parts.items() if number in left]
        if common:
            score = _score(common, len(left), total, _is_named(layout, common))
            scored.append((score, -sum(part.held for part in common), place))
    best = max(scored, default=None)
    return places[best[2]] if best and best[0] > floor else None


def _is_named(layout: Layout, parts: Sequence[_Part]) -> bool:
    """Say whether elements are named as the text of posts."""
    return layout.marks[parts[0].elements[0]] & SPEAKS_OF_TEXT != 0


def _score(parts: list[_Part], count: int, total: float, is_named: bool) -> float:
    wanted = held = 0.0
    elements = anchors = 0
    for part in parts:
        wanted += part.wanted
        held += part.held
        elements += len(part.elements)
        anchors += part.has_anchor
    precision = wanted / max(held, 1.0)
    recall = min(1.0, wanted / max(total, 1.0))
    score = 2 * precision * recall / max(precision + recall, 1e-9)
    score *= RARE + (1 - RARE) * len(parts) / count
    if elements > 1.2 * len(parts):
        score *= MANY
    if anchors > 0.3 * len(parts):
        score *= WITH_ANCHOR
    if not is_named:
        score *= UNNAMED if count > FEW else UNNAMED_FEW
    return score
