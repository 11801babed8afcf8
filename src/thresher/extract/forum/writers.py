"""Writers: who wrote each record, told by the place where a name stands in most of them."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from lxml import etree

from thresher.extract.fields.dates import find_dates
from thresher.extract.forum.families import Family
from thresher.extract.forum.layout import Layout
from thresher.extract.forum.records import Record
from thresher.extract.forum.words import AUTHOR, NO_NAME, PROFILE

MAX_NAME = 50  # characters
MAX_WORDS = 6
_ATTRIBUTES = ("data-author", "data-username", "data-user-name", "data-author-name", "data-name", "data-nick")
_TAGS = frozenset(
    ("a", "span", "b", "strong", "div", "h2", "h3", "h4", "h5", "h6", "p", "dt", "dd", "td", "th", "li", "em", "cite")
) | {"font", "i", "label", "bdi", "ins", "small"}
_BY = re.compile(r"^(?:(?:posted |written |submitted )?by|von|par|por|door|от|作者)\s?[:：]?\s", re.IGNORECASE)
Place = tuple[str, ...]


@dataclass(slots=True)
class _Names:
    """The names that stand at one place: the first of each record, and what speaks for them."""

    by_record: dict[int, str] = field(default_factory=dict)
    hints: float = 0.0
    before: int = 0  # records in which it stands before the text


def find_writers(layout: Layout, family: Family, bodies: Sequence[Sequence[int]]) -> list[str | None]:
    """Return the author of each record, None where none is told."""
    places: dict[Place, _Names] = {}
    records = family.records
    for number, record in enumerate(records):
        stamp = family.stamps[number]
        taken = {*bodies[number], *family.comments} - {record.start}
        for place, name, hint, is_before in _names(layout, record, taken, stamp.element if stamp else None):
            names = places.setdefault(place, _Names())
            if number not in names.by_record:
                names.by_record[number] = name
                names.hints += hint
                names.before += is_before
    return _chosen(places, len(records))


def _chosen(places: dict[Place, _Names], count: int) -> list[str | None]:
    writers: list[str | None] = [None] * count
    ranked = sorted(places.values(), key=lambda names: -_score(names, count))
    for names in ranked[:4]:
        if _score(names, count) <= 0:
            break
        for number, name in names.by_record.items():
            if writers[number] is None:
                writers[number] = name
    return writers


def _score(names: _Names, count: int) -> float:
    """Weigh a place: names stand in most records, differ, are named or linked as such, and stand before the text."""
    met = len(names.by_record)
    differ = len(set(names.by_record.values()))
    if differ == 1 and met > 3 and names.hints / met < 3:
        return 0.0
    variety = 0.6 + 0.4 * min(1.0, (differ - 1) / max(1.0, 0.3 * (met - 1))) if met > 1 else 0.8
    return (met / count) * variety * (names.hints / met) * (0.7 + 0.3 * names.before / met)


def _names(layout: Layout, record: Record, taken: Set[int], stamp: int | None) -> list[tuple[Place, str, float, bool]]:
    """Return what may be a name in a record, by place, with what speaks for it."""
    found = []
    first_taken = min((node for node in taken if node >= record.start), default=record.end)
    node = record.start
    while node < record.end:
        if node in taken:
            node = layout.ends[node]
            continue
        found += _attributes(layout, node)
        name = _name_at(layout, node, stamp)
        if name and (hint := _hint(layout, node, record.start)):
            found.append((_place(layout, node, record.start), name, hint, node < first_taken))
        node += 1
    return found


def _attributes(layout: Layout, node: int) -> list[tuple[Place, str, float, bool]]:
    element = layout.elements[node]
    if not len(element.attrib):
        return []
    told = ((name, element.get(name)) for name in _ATTRIBUTES)
    return [
        ((layout.keys[node], name), value.strip(), 4.0, True)
        for name, value in told
        if value and value.strip() and len(value) <= MAX_NAME
    ]


def _name_at(layout: Layout, node: int, stamp: int | None) -> str | None:
    """Return the text of an element that may be a name: short, alone in its element, and no time, number or button."""
    element = layout.elements[node]
    if layout.keys[node].partition(".")[0] not in _TAGS or node == stamp:
        return None
    if layout.ends[node] - node > 4 or layout.last_line[node] - layout.first_line[node] > 1:
        return None
    text = " ".join("".join(element.itertext())[: 4 * MAX_NAME].split())
    text = _BY.sub("", text).strip(" :：,»|·•-–—@")
    if not text or len(text) > MAX_NAME or len(text.split()) > MAX_WORDS or NO_NAME.match(text):
        return None
    if (not any(map(str.isalpha, text)) and not element.get("href")) or _is_count(text, element):
        return None
    if next(find_dates(text), None) is not None:
        return None
    return text


def _is_count(text: str, element: etree._Element) -> bool:
    """Say whether a text is a number, as of posts; a long one that links to a profile may be a name."""
    if not text.lstrip("#").replace(",", "").isdigit():
        return False
    return len(text) < 6 or not PROFILE.search((element.get("href") or "").lower())


def _hint(layout: Layout, node: int, start: int) -> float:
    """Weigh what the names and links of an element and of those around it say about its being an author."""
    element = layout.elements[node]
    hint = 0.2
    prop = element.get("itemprop") or element.get("rel") or ""
    if "author" in prop or prop in ("name", "creator"):
        hint += 1.5
    href = element.get("href")
    if href and PROFILE.search(href.lower()):
        hint += 1.2
    if AUTHOR.search(layout.keys[node].partition(".")[2]):
        hint += 1.0
    above, steps = layout.parents[node], 0
    while above >= start and steps < 2:
        outer = layout.elements[above]
        if "author" in (outer.get("itemprop") or "") or AUTHOR.search(layout.keys[above].partition(".")[2]):
            hint += 0.5
            break
        above, steps = layout.parents[above], steps + 1
    if any(any(map(str.strip, child.itertext())) for child in element):
        hint *= 0.7  # what is inside is the name itself
    if layout.keys[node].partition(".")[0] in ("b", "strong", "h3", "h4", "a", "cite"):
        hint += 0.3
    return hint


def _place(layout: Layout, node: int, start: int) -> Place:
    keys: list[str] = []
    while node >= start and len(keys) < 3:
        keys.append(layout.keys[node] + ("@" if "author" in (layout.elements[node].get("itemprop") or "") else ""))
        node = layout.parents[node]
    return tuple(keys)
