"""Choose among families the one whose records are the posts: of posts that have comments, the posts."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from thresher.extraction.forum.families import Family, find_families, mass_of
from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.named import find_named
from thresher.extraction.forum.records import Record
from thresher.extraction.forum.single import find_single
from thresher.extraction.forum.stamps import Stamp

NAMED = 0.8  # weight of a family of names beside one of times
RIVALS = 12  # families that are compared with the best one
MIN_QUALITY = 0.5  # of posts that have comments
OWN_SHARE = 0.5  # letters that posts have beside those of their comments, as a share of these


def choose(layout: Layout, stamps: list[Stamp]) -> Family | None:
    """Return the family that is most likely that of the posts, None where there is none."""
    timed = find_families(layout, stamps)[:RIVALS]
    named = find_named(layout, stamps)[:RIVALS]
    if not timed or not named:
        best = next(iter([*timed, *named]), None)
    else:
        best = named[0] if _is_better(layout, named[0], timed[0]) else timed[0]
    if best is None or best.score <= 0:
        return find_single(layout, stamps)
    rivals = [family for family in (*timed, *named) if family.quality >= MIN_QUALITY and len(family.records) > 1]
    for rival in rivals:
        if rival is not best and _is_commented(layout, rival, best):
            best = rival
    best = _completed(best, named)
    comments = [rival for rival in rivals if rival is not best and _is_commented(layout, best, rival)]
    best.comments = frozenset([record.start for family in comments for record in family.records])
    return best


def _is_better(layout: Layout, named: Family, timed: Family) -> bool:
    if len(named.records) == 1 and False not in [layout.holds(named.records[0].start, r.start) for r in timed.records]:
        return False
    return NAMED * named.score > timed.score


def _completed(best: Family, named: Sequence[Family]) -> Family:
    """Return a family of names that has all records of the best one, each by itself, and more that tell a time."""
    for family in sorted(named, key=lambda family: -family.quality):
        starts = [record.start for record in family.records]
        places = [bisect_right(starts, record.anchor) - 1 for record in best.records]
        if len(family.records) <= len(best.records) or len(set(places)) < len(places) or places[0] < 0:
            continue
        if any(r.anchor >= family.records[place].end for r, place in zip(best.records, places, strict=True)):
            continue
        stamps = list(family.stamps)
        for place, stamp in zip(places, best.stamps, strict=True):
            stamps[place] = stamp
        told = [pair for pair in zip(family.records, stamps, strict=True) if pair[1] is not None]
        if len(told) > len(best.records):
            records, times = zip(*told, strict=True)
            return Family(list(times), list(records), best.score, best.quality)
    return best


def _is_commented(layout: Layout, posts: Family, comments: Family) -> bool:
    """Say whether the records of one family are comments inside those of the other, which have text of their own."""
    if len(posts.records) < 2:
        return False
    starts = [record.start for record in posts.records]
    own = set(starts)
    units = [Record(r.start, min(r.end, layout.ends[r.start]), r.anchor) for r in comments.records]
    inside = [_holder(unit, posts.records, starts) for unit in units if unit.start not in own]
    held = set(inside)
    if sum([place >= 0 for place in inside]) < 0.9 * len(units) or len(held) - (-1 in held) < 2:
        return False
    theirs = sum([mass_of(layout, unit) for unit in units])
    whole = sum([mass_of(layout, record) for record in posts.records])
    return whole - theirs >= OWN_SHARE * theirs


def _holder(unit: Record, records: list[Record], starts: list[int]) -> int:
    """Return the place of the record that holds another, -1 where none does."""
    place = bisect_left(starts, unit.start) - 1
    if place < 0:
        return -1
    holder = records[place]
    return place if unit.end <= holder.end else -1
