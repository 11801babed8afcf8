"""The opening post, where it stands before the others and in other markup than they do."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from thresher.extraction.forum.families import Family
from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.records import Record, name_of
from thresher.extraction.forum.stamps import Stamp, within

MIN_LINE = 40.0  # letters of a line that an opening post has
MAX_ROWS = 12  # elements before the posts, on each level
MAX_RISE = 4  # elements above the posts whose parts before them are looked at


def with_opening(layout: Layout, family: Family, stamps: list[Stamp]) -> Family:
    """Return the family with the post before it, where a time and a text stand right before the first record."""
    first = family.records[0]
    before = [stamp for stamp in stamps if stamp.element < first.start and not stamp.role]
    known = [stamp.at for stamp in family.stamps if stamp is not None and stamp.at is not None]
    if not before:
        return family
    node = first.start
    for _ in range(MAX_RISE):
        parent = layout.parents[node]
        if parent < 0:
            break
        for row in [child for child in layout.children(parent) if child < node][: -MAX_ROWS - 1 : -1]:
            held = within(before, row, layout.ends[row])
            stamp = _time_of(layout, held, family) if held else None
            if stamp and _is_opening(layout, row, stamp, known):
                record = Record(row, layout.ends[row], stamp.element)
                return family.with_records([stamp, *family.stamps], [record, *family.records])
        node = parent
    return family


def _is_opening(layout: Layout, row: int, stamp: Stamp, known: Sequence[datetime]) -> bool:
    """Say whether an element has a line of text, and is no later than the other posts."""
    if known and stamp.at is not None and stamp.at > min(known) + timedelta(days=1):
        return False
    return any(fresh >= MIN_LINE for fresh in layout.fresh[layout.first_line[row] : layout.last_line[row]])


def _time_of(layout: Layout, held: Sequence[Stamp], family: Family) -> Stamp:
    """Return the stamp most like those of the other posts, the last of equals: lists of answers come before it."""
    alike = {name_of(layout, stamp.element) for stamp in family.stamps if stamp is not None}
    return max(
        reversed(held), key=lambda stamp: (name_of(layout, stamp.element) in alike, stamp.is_marked, stamp.has_time)
    )
