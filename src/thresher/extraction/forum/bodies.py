"""Bodies: the elements of each record that hold what its author wrote, told by where new text comes again and again."""

from array import array
from functools import lru_cache

from thresher.extraction.forum.families import Family, line_at
from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.naming import (
    IS_BARE_CHROME,
    IS_CHROME,
    IS_QUOTE,
    IS_TEXT,
    MAY_BE_CHROME,
    NO_BODY,
    SPEAKS_OF_TEXT,
)
from thresher.extraction.forum.places import Part, Place, Places
from thresher.extraction.forum.records import Record
from thresher.extraction.forum.words import CARD_LINE

ROUNDS = 4  # places that are tried one after the other for records that have no body yet
MANY = 0.9  # weight of a place that comes several times in a record
UNNAMED = 0.97  # weight of a place whose names do not speak of text
UNNAMED_FEW = 0.8  # the same in threads of few posts, where little comes again
FEW = 4  # posts
WITH_ANCHOR = 0.6  # weight of a place that also holds the time
MIN_LATER = 0.3  # score of a place that serves records which lack the usual one
RARE = 0.5  # weight of a place that few records have
MAX_CARD_LINE = 80  # characters of a line of a user card, or of one that tells who wrote a post, and when
MAX_BYLINE = 40  # of these, those that are not the time
MIN_LINES = 2  # of a post that tells its time in a line of its own
LOOK = 60  # elements inside one that are looked at for its text
_OTHER = IS_QUOTE | IS_CHROME | MAY_BE_CHROME | IS_BARE_CHROME  # marks of what may hold no words of the post


def find_bodies(layout: Layout, family: Family) -> list[list[int]]:
    """Return the elements that hold the text of each record, none where there is none to tell."""
    records = family.records
    wanted, held = _letters(layout, family)
    places = Places(layout)
    totals: list[float] = []
    for number, record in enumerate(records):
        stamp = family.stamps[number]
        _add_parts(places.of_record(record), (number, record), -1 if stamp is None else stamp.element, wanted, held)
        totals.append(wanted[line_at(layout, record.end)] - wanted[line_at(layout, record.start)])
    bodies: list[list[int]] = [[] for _ in records]
    left = set(range(len(records)))
    for turn in range(ROUNDS):
        best = _best(layout, places.found(), left, totals, MIN_LATER if turn else 0.0) if left else None
        if best is None:
            break
        for part in best.parts:
            if part.number in left:
                bodies[part.number] = part.elements
                left.discard(part.number)
    return bodies


def _letters(layout: Layout, family: Family) -> tuple["array[float]", "array[float]"]:
    """Return the sums over lines of the letters that a post's text may have, and of all but those of quotations."""
    records, comments, count = family.records, family.comments, len(layout.texts)
    sums = array("d", bytes(8 * (count + 1))), array("d", bytes(8 * (count + 1)))
    wanted, held = sums
    for number in range(count):
        wanted[number + 1], held[number + 1] = layout.fresh[number], layout.letters[number]
    first = line_at(layout, min([record.start for record in records]))
    last = line_at(layout, max([record.end for record in records]))
    for number in range(first, last):
        text = layout.texts[number]
        if len(text) < MAX_CARD_LINE and _is_of_card(text):
            wanted[number + 1] = 0.0
    times = _lines_of_times(layout, family)
    letters = 0.0  # that are left without the times: none where all posts say the same
    for number in range(first, last):
        letters += wanted[number + 1]
    for number in times:
        letters -= wanted[number + 1]
    if letters > 0.0:
        for number in times:
            wanted[number + 1] = 0.0
    has_comments = len(comments) > 0
    for record in records:
        node, end = record.start + 1, record.end
        while node < end:
            mark = layout.marks[node]
            quotes = mark & IS_QUOTE != 0
            is_other = quotes or (mark & _OTHER != 0 and is_chrome(layout, node))
            is_other = is_other or (has_comments and node in comments)
            if not is_other or layout.ends[node] > end:
                node += 1
                continue
            for place in range(layout.first_line[node], layout.last_line[node]):
                wanted[place + 1] = 0.0
                if quotes:
                    held[place + 1] = 0.0
            node = layout.ends[node]
    for number in range(count):
        wanted[number + 1] += wanted[number]
        held[number + 1] += held[number]
    return sums


def _lines_of_times(layout: Layout, family: Family) -> list[int]:
    """Return the lines that tell the times of posts and little else; where posts are told by them alone, none."""
    lines: list[int] = []
    for record, stamp in zip(family.records, family.stamps, strict=True):
        if stamp is None or stamp.rest > MAX_BYLINE:
            continue
        line = line_at(layout, stamp.element)
        if line >= len(layout.texts) or len(layout.texts[line]) > MAX_CARD_LINE:
            continue
        if line_at(layout, record.end) - line_at(layout, record.start) < MIN_LINES:
            return []
        lines.append(line)
    return lines


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


def _add_parts(
    places: Places, one: tuple[int, Record], anchor: int, wanted: "array[float]", held: "array[float]"
) -> None:
    """Add what the elements of a record hold to places; `one` is its number and itself, `anchor` tells its time."""
    number, record = one
    layout = places.layout
    for node in range(record.start, record.end):
        first, last, end = layout.first_line[node], layout.last_line[node], layout.ends[node]
        mark = layout.marks[node]
        if held[last] == held[first] or end > record.end or mark & NO_BODY:
            continue
        part = places.part_at(node, number)
        part.wanted += wanted[last] - wanted[first]
        part.held += held[last] - held[first]
        if node >= part.end:
            part.elements.append(node)
            part.end = end
        if node <= anchor < end:
            part.has_anchor = True


def _best(layout: Layout, places: list[Place], left: set[int], totals: list[float], floor: float) -> Place | None:
    """Return the place that holds most new text of the records left, and little else."""
    total = 0.0
    for number in left:
        total += totals[number]
    best, most, least = None, floor, 0.0
    for place in places:
        common = [part for part in place.parts if part.number in left]
        if not common:
            continue
        held = 0.0
        for part in common:
            held += part.held
        score = _score(common, len(left), total, _is_named(layout, common[0]))
        if score < most or (score == most and (best is None or held > least)):
            continue
        if score == most and held == least and best is not None and place.keys() < best.keys():
            continue
        best, most, least = place, score, held
    return best


def _is_named(layout: Layout, part: Part) -> bool:
    """Say whether elements are named as the text of posts."""
    mark = layout.marks[part.elements[0]]
    return mark & SPEAKS_OF_TEXT != 0


def _score(parts: list[Part], count: int, total: float, is_named: bool) -> float:
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
