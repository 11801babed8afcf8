"""Bodies: the elements of each record that hold what its author wrote, told by where new text comes again and again."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from thresher.extract.forum.families import line_at
from thresher.extract.forum.layout import Layout
from thresher.extract.forum.records import Record
from thresher.extract.forum.words import BODY, CHROME, QUOTES, SIGNATURE, USER_CARD

Place = tuple[str, ...]  # the keys of an element and of two around it, inside of its record
ROUNDS = 4  # places that are tried one after the other for records that have no body yet
MANY = 0.9  # weight of a place that comes several times in a record
UNNAMED = 0.97  # weight of a place whose names do not speak of text
WITH_ANCHOR = 0.6  # weight of a place that also holds the time
RARE = 0.5  # weight of a place that few records have
_NO_BODY = frozenset(
    ("a", "b", "i", "em", "strong", "u", "font", "br", "hr", "time", "small", "button", "label", "abbr", "noscript")
)


@dataclass(slots=True)
class _Sum:
    """What the elements of one place hold, over all records."""

    wanted: float = 0.0  # letters of new text
    held: float = 0.0  # letters of all text
    records: set[int] = field(default_factory=set)
    elements: dict[int, list[int]] = field(default_factory=dict)  # by record
    has_anchor: int = 0


def find_bodies(layout: Layout, records: Sequence[Record], anchors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the elements that hold the text of each record, none where there is none to tell."""
    wanted, held = _letters(layout, records)
    sums = _sums(layout, records, wanted=wanted, held=held, anchors=anchors)
    totals = [wanted[line_at(layout, r.end)] - wanted[line_at(layout, r.start)] for r in records]
    bodies: list[list[int]] = [[] for _ in records]
    left = set(range(len(records)))
    for _ in range(ROUNDS):
        best = _best(sums, left, totals)
        if best is None:
            break
        for number in left & best.records:
            bodies[number] = best.elements[number]
        left -= best.records
    return bodies


def _letters(layout: Layout, records: Sequence[Record]) -> tuple[list[float], list[float]]:
    """Return the sums over lines of the letters that a post's text may have, and of all letters."""
    chrome = [False] * len(layout.lines)
    for record in records:
        node = record.start
        while node < record.end:
            inside = node != record.start and is_chrome(layout, node)
            if inside and layout.ends[node] <= record.end:
                chrome[layout.first_line[node] : layout.last_line[node]] = [True] * (
                    layout.last_line[node] - layout.first_line[node]
                )
                node = layout.ends[node]
            else:
                node += 1
    new = (0.0 if bad else line.mass for bad, line in zip(chrome, layout.lines, strict=True))
    return list(accumulate(new, initial=0.0)), list(accumulate((line.letters for line in layout.lines), initial=0.0))


def is_chrome(layout: Layout, node: int) -> bool:
    """Say whether an element's names tell that it holds no words of a post: a user card, a signature, buttons."""
    key = layout.keys[node]
    names = key.partition(".")[2].replace(".", " ")
    if not names:
        return key in ("button", "nav", "form", "footer", "cite")
    if SIGNATURE.search(names):
        return True
    if CHROME.search(names) or USER_CARD.search(names):
        return not BODY.search(names) or "avatar" in names or "author" in names
    return False


def is_quote(layout: Layout, node: int) -> bool:
    """Say whether an element's names tell that it quotes another post."""
    key = layout.keys[node]
    if key.partition(".")[0] == "blockquote":
        return True
    return "quote" in key and QUOTES.search(key.partition(".")[2].replace(".", " ")) is not None


def _sums(
    layout: Layout,
    records: Sequence[Record],
    *,
    wanted: Sequence[float],
    held: Sequence[float],
    anchors: Sequence[Sequence[int]],
) -> dict[Place, _Sum]:
    sums: dict[Place, _Sum] = {}
    for number, record in enumerate(records):
        for node in range(record.start, record.end):
            if layout.ends[node] > record.end or layout.keys[node].partition(".")[0] in _NO_BODY:
                continue
            first, last = layout.first_line[node], layout.last_line[node]
            if held[last] == held[first]:
                continue
            each = sums.setdefault(_place(layout, node, record.start), _Sum())
            each.wanted += wanted[last] - wanted[first]
            each.held += held[last] - held[first]
            each.records.add(number)
            each.elements.setdefault(number, []).append(node)
            each.has_anchor += any(layout.holds(node, anchor) for anchor in anchors[number])
    return sums


def _place(layout: Layout, node: int, start: int) -> Place:
    keys = [layout.keys[node]]
    while len(keys) < 3:
        node = layout.parents[node]
        if node < start:
            break
        keys.append(layout.keys[node])
    return tuple(keys)


def _best(sums: dict[Place, _Sum], left: set[int], totals: Sequence[float]) -> _Sum | None:
    """Return the place that holds most new text of the records left, and little else."""
    total = sum(totals[number] for number in left)
    scored = []
    for place, each in sums.items():
        common = len(each.records & left)
        if common and each.wanted > 0:
            scored.append((_score(place, each, common / len(left), total), -each.held, place))
    if not scored:
        return None
    return sums[max(scored)[2]]


def _score(place: Place, each: _Sum, share: float, total: float) -> float:
    precision = each.wanted / max(each.held, 1.0)
    recall = min(1.0, each.wanted / max(total, 1.0))
    score = 2 * precision * recall / max(precision + recall, 1e-9)
    score *= RARE + (1 - RARE) * share
    if sum(map(len, each.elements.values())) > 1.2 * len(each.records):
        score *= MANY
    if each.has_anchor > 0.3 * len(each.records):
        score *= WITH_ANCHOR
    if not BODY.search(place[0].partition(".")[2]):
        score *= UNNAMED
    return score


def common_places(layout: Layout, records: Sequence[Record], nodes: Sequence[int]) -> Counter[Place]:
    """Count the places of elements, one for a record."""
    return Counter(_place(layout, node, record.start) for record, node in zip(records, nodes, strict=True))
