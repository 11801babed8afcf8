"""Families of elements that are named as posts, for pages that tell no times of posts, or have a single one."""

import re
from collections.abc import Sequence
from functools import lru_cache

from thresher.extraction.forum.families import Family, evenness, letters_of, mass_of, place_of
from thresher.extraction.forum.layout import POST_NAMES, Layout
from thresher.extraction.forum.naming import MAY_BE_POST, SPEAKS_OF_POST
from thresher.extraction.forum.records import Record, cut_records, name_of
from thresher.extraction.forum.stamps import Stamp, inside_of, within

MAX_GROUPS = 20  # that are looked at, the largest first
QUALITY = 0.7  # of a family that is told by names alone
WITH_TIMES = 0.2  # more, where the records tell times
SINGLE_POST = 1000.0  # letters from which on a post that stands alone counts no more
MAX_RISE = 4  # elements above a post that stands alone which may tell its time
MIN_SINGLE = 40.0  # letters of a post that stands alone

_ID = re.compile(
    r"^(?:js-)?(?:el)?(?:post|p|pid|msg|message|comment|c|reply|entry|answer|floor|topic)[-_]?\d+$", re.IGNORECASE
)
_POST_NAMES = frozenset(POST_NAMES)
_NAMED_POST = SPEAKS_OF_POST | MAY_BE_POST
_TYPES = ("Comment", "DiscussionForumPosting", "Answer", "Question", "UserComments")
_POST_CLASS = re.compile(
    r"^(?:js-)?(?:post|comment|message|reply|answer|topic|forum|thread|discussion|l)[-_]{0,2}"
    r"(?:post|item|body|content|text|message|row|container|wrapper|stream__post|entry)$|^(?:post|comment|message|reply)$"
    r"|^(?:commentpost|postbody|messagebody|blockpost|postcontainer|l_post)$"
)


def find_named(layout: Layout, stamps: list[Stamp]) -> list[Family]:
    """Return the families of elements with ids, types or classes of posts, the best first; one element is enough."""
    groups = _groups(layout)
    several = sorted(groups.items(), key=lambda item: -len(item[1]))[:MAX_GROUPS]
    found = [_family(layout, why, _outermost(layout, group), stamps) for (why, _), group in several]
    return sorted(found, key=lambda family: -family.score)


def _groups(layout: Layout) -> dict[tuple[str, str], list[int]]:
    """Return the elements that are named as posts, by what names them so, and their names."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number in range(len(layout.tags)):
        mark = layout.marks[number]
        if mark & _NAMED_POST != _NAMED_POST:
            continue
        why = _why(layout, number)
        if why and not layout.is_quoted(number):
            groups.setdefault((why, name_of(layout, number)), []).append(number)
    return groups


def _why(layout: Layout, number: int) -> str:
    """Return what names an element as a post: id, type or class; empty where nothing does."""
    told = layout.attributes[number]
    if told:
        own = told.get("id")
        if own is not None and _ID.match(own):
            return "id"
        if not _POST_NAMES.isdisjoint(told) and any(map(told.get, POST_NAMES)):
            return "id"
        kind = told.get("itemtype")
        if kind and kind.rstrip("/").endswith(_TYPES):
            return "type"
    return "class" if _is_post_class(layout.keys[number]) else ""


@lru_cache(maxsize=10_000)
def _is_post_class(key: str) -> bool:
    return any(map(_POST_CLASS.match, key.split(".")[1:3]))


def _outermost(layout: Layout, group: list[int]) -> list[int]:
    """Leave out what is another name for the one before: an element that is all that it holds."""
    kept = group[:1]
    for number in group[1:]:
        if not (layout.holds(kept[-1], number) and number - kept[-1] <= 2):
            kept.append(number)
    return kept


def _family(layout: Layout, why: str, group: list[int], stamps: list[Stamp]) -> Family:
    records = cut_records(layout, group) if len(group) > 1 else [_with_time(layout, group[0], stamps)]
    times = stamps_of(layout, records, stamps)
    told = sum([stamp is not None for stamp in times]) / len(records)
    quality = QUALITY + WITH_TIMES * told - (0.1 if why == "class" else 0.0) - (0.15 if len(records) == 1 else 0.0)
    quality *= evenness(layout, records)
    letters = letters_of(layout, records) if len(records) > 1 else min(mass_of(layout, records[0]), SINGLE_POST)
    if len(records) == 1 and letters < MIN_SINGLE:
        letters = 0.0
    if len(records) == 1 and not told:
        letters, quality = letters / 2, quality / 2
    return Family(times, records, quality * letters, quality)


def _with_time(layout: Layout, element: int, stamps: list[Stamp]) -> Record:
    """Return the record of a post that stands alone: its element, or one not far above that tells a time."""
    node = element
    for _ in range(MAX_RISE):
        if node < 0:
            break
        if "" in [stamp.role for stamp in within(stamps, node, layout.ends[node])]:
            return Record(node, layout.ends[node], element)
        node = layout.parents[node]
    return Record(element, layout.ends[element], element)


def stamps_of(layout: Layout, records: list[Record], stamps: list[Stamp]) -> list[Stamp | None]:
    """Return the stamp of each record that stands at the place where most records have one."""
    plain = [stamp for stamp in stamps if not stamp.role]
    inside = inside_of(plain, [(record.start, record.end) for record in records])
    places = {stamp.element: place_of(layout, stamp) for held in inside for stamp in held}
    counts: dict[tuple[str, ...], int] = {}
    for held in inside:
        for place in {places[stamp.element] for stamp in held}:
            counts[place] = counts.get(place, 0) + 1
    return [_most_usual(held, places, counts) for held in inside]


def _most_usual(
    held: Sequence[Stamp], places: dict[int, tuple[str, ...]], counts: dict[tuple[str, ...], int]
) -> Stamp | None:
    """Return of stamps the first at the most usual place, one told by an attribute before others there."""
    best = None
    most = 0
    for stamp in held:
        count = 2 * counts[places[stamp.element]] + stamp.is_marked
        if count > most:
            best, most = stamp, count
    return best
