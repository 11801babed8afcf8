"""A post that stands alone and is named by nothing: the text next to a time, where a page has no family of posts."""

from operator import itemgetter

from thresher.extraction.forum.families import Family, mass_of
from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.records import Record
from thresher.extraction.forum.stamps import Stamp

QUALITY = 0.35
MIN_LETTERS = 40.0  # of the post
MAX_RISE = 6  # elements above a time that may hold its post
MAX_STAMPS = 20  # of a page that are looked at


def find_single(layout: Layout, stamps: list[Stamp]) -> Family | None:
    """Return a family of one record, the smallest with a text beside a time; None where no time has text near it."""
    found: list[tuple[int, float, Record, Stamp]] = []
    for stamp in [stamp for stamp in stamps if not stamp.role][:MAX_STAMPS]:
        node = stamp.element
        for _ in range(MAX_RISE):
            record = Record(node, layout.ends[node], stamp.element)
            mass = mass_of(layout, record)
            if mass >= MIN_LETTERS + stamp.rest or layout.parents[node] < 0:
                found.append((record.end - record.start, mass, record, stamp))
                break
            node = layout.parents[node]
    if not found:
        return None
    _, mass, record, stamp = min(found, key=itemgetter(0, 1))
    return Family([stamp], [record], QUALITY * mass, QUALITY) if mass >= MIN_LETTERS else None
