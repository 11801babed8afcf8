"""Site memory: what other pages of a site showed tells its template from the text of one page.

A text that stands in the same place of several pages is template; a place whose text was never kept is probably none
of the main text, one whose text always was probably is. A page leaves its Traces, which depend on that page alone;
the Traces of several pages give a SiteMemory; a SiteMemory weighs the chances of the blocks of another page.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from thresher.extraction.fingerprints import fingerprints
from thresher.extraction.learned.table import Table
from thresher.text import cjk_share

MAX_PAGES = 50  # pages that are counted; more say nothing new
MAX_ENTRIES = 3_000  # texts of a memory, and places, the most frequent ones
MIN_PAGES = 3  # a memory of less says nothing
MIN_REPEATS = 2  # other pages that show a text; one alone may be the same article under another URL
MIN_SHARE = 0.1  # of the pages that show a text; a story that is told again and updated fills fewer
SAME = 0.8  # of the kept text that two pages share: they are one article under two URLs
SHORT = 30  # letters; a shorter text, such as the name of a section, may well come again in an article

# Log-odds, set on the sites of articles/train with three pages or more: of 1,686 blocks that two more pages show none
# belongs to the main text, of other blocks of their length 47 %; of 2,178 shorter ones 13, of others 6 %. What places
# tell repeats what the model thought of other pages: given its chances they added nothing there, so they say little.
REPEATED = -7.0
REPEATED_SHORT = -1.5
NEVER_KEPT = -0.5
ALWAYS_KEPT = 0.25
RARELY = 0.02  # share of a place's characters up to which it counts as never kept
NEARLY = 0.95  # share from which it counts as always kept

T = TypeVar("T", int, "Place")


class Place(NamedTuple):
    """What became of the text of one place: on how many pages, how many characters kept, and how many shown."""

    pages: int
    kept: int
    shown: int


@dataclass(frozen=True, slots=True)
class Traces:
    """What one page showed, its texts and places as fingerprints; what was kept is judged without any memory."""

    kept: Mapping[int, int] = field(default_factory=dict)  # fingerprint of each text that was kept → its characters
    dropped: frozenset[int] = frozenset()
    places: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # characters kept, and shown


@dataclass(frozen=True, slots=True)
class SiteMemory:
    """What other pages of a site showed; an empty one leaves every page as it is."""

    pages: int = 0
    texts: Mapping[int, int] = field(default_factory=dict)  # on how many pages, where on enough of them
    places: Mapping[int, Place] = field(default_factory=dict)


def trace(table: Table, chosen: Sequence[int]) -> Traces:
    """Return what a page leaves behind, given the numbers of the blocks that were kept."""
    wanted = set(chosen)
    kept: dict[int, int] = {}
    dropped: set[int] = set()
    places: dict[int, tuple[int, int]] = {}
    for number, (spot, mark) in enumerate(fingerprints(table)):
        size = len(table.texts[number])
        is_kept = number in wanted
        before = places.get(spot, (0, 0))
        places[spot] = before[0] + size * is_kept, before[1] + size
        if mark and is_kept:
            kept[mark] = size
        elif mark:
            dropped.add(mark)
    return Traces(kept, frozenset(dropped - kept.keys()), places)


def recall(pages: Iterable[Traces]) -> SiteMemory:
    """Return the memory of these pages; one without main text or with that of another adds nothing."""
    counted: list[Traces] = []
    for page in pages:
        if len(counted) < MAX_PAGES and page.kept and not any(_is_same(page, other) for other in counted):
            counted.append(page)
    texts = Counter(mark for page in counted for mark in (*page.kept, *page.dropped))
    enough = max(MIN_REPEATS, MIN_SHARE * len(counted))
    repeated = {mark: count for mark, count in texts.items() if count >= enough}
    places: dict[int, Place] = {}
    for page in counted:
        for spot, (kept, shown) in page.places.items():
            before = places.get(spot, Place(0, 0, 0))
            places[spot] = Place(before.pages + 1, before.kept + kept, before.shown + shown)
    often = {spot: place for spot, place in places.items() if place.pages >= MIN_PAGES}
    return SiteMemory(len(counted), _most_frequent(repeated), _most_frequent(often))


def weigh(chances: "array[float]", table: Table, memory: SiteMemory) -> "array[float]":
    """Return the chances of a page's blocks in the light of other pages; as they are when too few pages are known."""
    if memory.pages < MIN_PAGES:
        return chances
    weighed = array("d", chances)
    for number, (spot, mark) in enumerate(fingerprints(table)):
        shift = 0.0
        if mark in memory.texts:
            shift = REPEATED if _size(table.texts[number]) >= SHORT else REPEATED_SHORT
        elif spot in memory.places:
            shift = _of_place(memory.places[spot])
        if shift:
            weighed[number] = _moved(chances[number], shift)
    return weighed


def _of_place(place: Place) -> float:
    share = place.kept / place.shown
    if share <= RARELY:
        return NEVER_KEPT
    return ALWAYS_KEPT if share >= NEARLY else 0.0


def _moved(chance: float, shift: float) -> float:
    sure = min(max(chance, 1e-6), 1 - 1e-6)
    return 1 / (1 + math.exp(-math.log(sure / (1 - sure)) - shift))


def _size(text: str) -> float:
    """Return how long a text is in letters; a Chinese, Japanese or Korean character says as much as 2.5 of them."""
    return len(text) * (1 + 1.5 * (0.0 if text.isascii() else cjk_share(text)))


def _is_same(page: Traces, other: Traces) -> bool:
    most = max(sum(page.kept.values()), sum(other.kept.values()))
    return sum(page.kept[mark] for mark in page.kept.keys() & other.kept.keys()) >= SAME * most


def _most_frequent(counts: dict[int, T]) -> dict[int, T]:
    if len(counts) <= MAX_ENTRIES:
        return counts
    ordered = sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return dict(ordered[:MAX_ENTRIES])
