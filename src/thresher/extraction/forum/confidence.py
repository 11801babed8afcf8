"""What speaks for records being the posts of a thread: as one number, and as features that a model learns from."""

from array import array
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from math import log1p
from statistics import median

from thresher.extraction.forum.families import Family, form_of, line_at
from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.records import Record, name_of
from thresher.extraction.forum.words import POST, PROFILE
from thresher.model import Post

# Of thread pages of 15 engines 5 % have less than 14 % of their text in posts, and half of the posts below 49 letters.
USUAL_SHARE = 0.12
USUAL_LENGTH = 25
SINGLE = 0.8  # weight of a thread of one post
SIGNS = (
    *("posts", "sure", "quality", "authors", "writers", "top_writer", "times", "clock", "moments", "rising", "oldest"),
    *("empty", "usual_size", "largest", "first_size", "first_ratio", "whole_size", "page_share", "links", "linked"),
    *("ids", "named", "as_comments", "alike", "siblings", "quotes", "answers", "before", "after", "gaps", "marked"),
    *("rest", "questions", "span", "lines"),
    *("first_form", "first_like", "others_like", "first_again", "first_way", "ways", "first_gap"),
    *("even", "others_share", "below_title"),
)
COMMENT = "comment"
MAX_REST = 200  # characters beside a time in its line that are counted
LOOKED_AT = 30  # records that are looked at closely, and elements of each
MAX_ELEMENTS = 80
MAX_NAME = 80  # characters of a link to whoever wrote a post
EVEN = 0.25  # lines that a record may have more or less than usual, as a share


def confidence_of(layout: Layout, family: Family, posts: Sequence[Post]) -> float:
    """Return how sure it is that posts are what they are taken for, 0 to 1."""
    count = len(posts)
    lengths = sorted([len(post.text) for post in posts])
    letters = 0.0
    for line in range(len(layout.texts)):
        letters += layout.letters[line]
    named = sum([POST.search(layout.names[record.start]) is not None for record in family.records])
    marked = max(named, sum([post.id is not None for post in posts]))
    sure = family.quality * (0.85 if count > 1 else SINGLE)
    sure *= 0.3 + 0.7 * sum([post.author is not None for post in posts]) / count
    sure *= 0.2 + 0.8 * sum([length > 0 for length in lengths]) / count
    sure *= 0.4 + 0.6 * min(1.0, sum(lengths) / max(letters, 1.0) / USUAL_SHARE)
    sure *= 0.3 + 0.7 * min(1.0, lengths[count // 2] / USUAL_LENGTH)
    sure *= 0.6 + 0.4 * min(1.0, marked / count)
    sure *= 0.8 + 0.2 * _timed(family)
    return min(1.0, sure / 0.85)


def signs_of(layout: Layout, family: Family, posts: Sequence[Post], sure: float) -> "array[float]":
    """Return the features of posts that tell a thread from comments, teasers and rows of a board, in order of SIGNS."""
    told = {"posts": log1p(len(posts)), "sure": sure, "quality": family.quality}
    told |= _of_writers(posts) | _of_times(family, posts) | _of_texts(posts) | _of_markup(layout, family.records, posts)
    told |= _of_place(layout, family.records) | _of_first(layout, family, posts) | _of_rows(layout, family.records)
    return array("f", [told[name] for name in SIGNS])


def _of_writers(posts: Sequence[Post]) -> dict[str, float]:
    count = len(posts)
    writers = Counter(post.author for post in posts if post.author)
    return {
        "authors": sum(writers.values()) / count,
        "writers": len(writers) / count,
        "top_writer": max(writers.values(), default=0) / count,
        "answers": sum([post.reply_to is not None for post in posts]) / count,
    }


def _of_times(family: Family, posts: Sequence[Post]) -> dict[str, float]:
    count = len(family.records)
    told = [stamp for stamp in family.stamps if stamp is not None]
    moments = [post.published for post in posts if post.published]
    hours = (max(moments) - min(moments)).total_seconds() / 3600 if moments else 0.0
    return {
        "times": len(told) / count,
        "clock": sum([stamp.has_time for stamp in told]) / count,
        "moments": len(set(moments)) / max(len(moments), 1),
        "rising": _rising(moments),
        "oldest": float(bool(moments) and posts[0].published == min(moments)),
        "span": log1p(hours) if moments else -1.0,
        "marked": sum([stamp.is_marked for stamp in told]) / count,
        "rest": sum([min(stamp.rest, MAX_REST) for stamp in told]) / max(len(told), 1),
    }


def _of_texts(posts: Sequence[Post]) -> dict[str, float]:
    lengths = [len(post.text) for post in posts]
    count, whole = len(posts), sum(lengths)
    return {
        "empty": sum([not length for length in lengths]) / count,
        "usual_size": log1p(median(lengths)),
        "largest": max(lengths) / (whole or 1),
        "first_size": log1p(lengths[0]),
        "first_ratio": lengths[0] / (median(lengths[1:] or [0]) + 10),
        "whole_size": log1p(whole),
        "quotes": sum([bool(post.quotes) for post in posts]) / count,
        "questions": sum(["?" in post.text or "？" in post.text for post in posts]) / count,
    }


def _of_markup(layout: Layout, records: Sequence[Record], posts: Sequence[Post]) -> dict[str, float]:
    count = len(records)
    names = Counter(name_of(layout, record.start) for record in records)
    parents = Counter(layout.parents[record.start] for record in records)
    called = [layout.names[record.start] for record in records]
    return {
        "ids": sum([post.id is not None for post in posts]) / len(posts),
        "named": sum([POST.search(name) is not None for name in called]) / count,
        "as_comments": sum([COMMENT in name for name in called]) / count,
        "alike": max(names.values()) / count,
        "siblings": max(parents.values()) / count,
    }


def _of_place(layout: Layout, records: Sequence[Record]) -> dict[str, float]:
    """Tell what the records have of the page's text, how much of theirs is links, and what lies around them."""
    spans = [(line_at(layout, record.start), line_at(layout, record.end)) for record in records]
    letters = sum([sum(layout.letters[first:last]) for first, last in spans])
    fresh = sum([layout.masses[last] - layout.masses[first] for first, last in spans])
    whole = layout.masses[len(layout.texts)] or 1
    return {
        "page_share": fresh / whole,
        "links": 1 - fresh / (letters or 1),
        "linked": sum([_is_linked(layout, first, last) for first, last in spans]) / len(records),
        "before": layout.masses[spans[0][0]] / whole,
        "after": (layout.masses[-1] - layout.masses[spans[-1][1]]) / whole,
        "gaps": _gaps(layout, spans) / (fresh or 1),
        "lines": median([last - first for first, last in spans]),
    }


def _of_first(layout: Layout, family: Family, posts: Sequence[Post]) -> dict[str, float]:
    """Tell how much the first record is like the others: an article above its comments is made otherwise than they are.

    Its date is written in another way, it has other elements inside, nobody links to its author as comments do to
    theirs, and the author does not come back.
    """
    records = family.records[:LOOKED_AT]
    first = family.stamps[0]
    forms = {form_of(stamp) for stamp in family.stamps[1:] if stamp is not None}
    likeness = _likeness(layout, records)
    ways = [_profile_ways(layout, record) for record in records]
    authors = [post.author for post in posts]
    moments = [post.published for post in posts[:2] if post.published]
    hours = abs((moments[1] - moments[0]).total_seconds()) / 3600 if len(moments) > 1 else None
    others = likeness[1:]
    return {
        "first_form": float(first is not None and form_of(first) in forms),
        "first_like": likeness[0] if others else -1.0,
        "others_like": sum(others) / len(others) if others else -1.0,
        "first_again": float(authors[0] is not None and authors[0] in authors[1:]),
        "first_way": float(not ways[0].isdisjoint(set().union(*ways[1:]))),
        "ways": sum(map(bool, ways)) / len(records),
        "first_gap": -1.0 if hours is None else log1p(hours),
    }


def _likeness(layout: Layout, records: Sequence[Record]) -> list[float]:
    """Return for each record how much of what it holds, by name, is what most records but the first hold."""
    held = [
        {name_of(layout, node) for node in range(record.start, min(record.end, record.start + MAX_ELEMENTS))}
        for record in records
    ]
    counts = Counter(name for names in held[1:] for name in names)
    usual = {name for name, count in counts.items() if 2 * count > len(held) - 1}
    return [len(names & usual) / max(len(usual), len(names), 1) for names in held]


def _profile_ways(layout: Layout, record: Record) -> set[str]:
    """Return what the addresses of links to users in a record begin with."""
    ways = set()
    for node in range(record.start, min(record.end, record.start + MAX_ELEMENTS)):
        href = layout.attributes[node].get("href") if layout.attributes[node] else None
        if href and PROFILE.search(href.lower()) and len(layout.short_text(node)) <= MAX_NAME:
            ways.add(_unnamed(href.lower()))
    return ways


def _unnamed(href: str) -> str:
    """Return an address without its end, where a profile names its owner, and without what follows that."""
    ends = [place for place in (href.find("&"), href.find("#")) if place >= 0]
    address = href[: min(ends)] if ends else href.removesuffix("/")
    return address[: max(map(address.rfind, "/?=")) + 1]


def _of_rows(layout: Layout, records: Sequence[Record]) -> dict[str, float]:
    """Tell how even records are, what those below the first have of the page's text, and whether they are titled."""
    spans = [(line_at(layout, record.start), line_at(layout, record.end)) for record in records]
    usual = median([last - first for first, last in spans])
    even = [abs(last - first - usual) <= 1 + EVEN * usual for first, last in spans]
    title = layout.tags.index("h1") if "h1" in layout.tags else -1
    others = sum([layout.masses[last] - layout.masses[first] for first, last in spans[1:]])
    return {
        "even": sum(even) / len(even),
        "others_share": others / (layout.masses[len(layout.texts)] or 1),
        "below_title": float(0 <= title < records[0].start),
    }


def _rising(moments: Sequence[datetime]) -> float:
    """Return the share of neighbours that are in order of time, in whichever order is more usual; 0 for one time."""
    pairs = list(pairwise(moments))
    ups = sum([one <= two for one, two in pairs])
    downs = sum([one >= two for one, two in pairs])
    return max(ups, downs) / len(pairs) if pairs else 0.0


def _is_linked(layout: Layout, first: int, last: int) -> bool:
    """Say whether the longest line of a record is that of a link, as the titles in lists are."""
    longest = max(range(first, last), key=lambda line: layout.letters[line], default=None)
    return longest is not None and layout.fresh[longest] < 0.2 * layout.letters[longest]


def _gaps(layout: Layout, spans: Sequence[tuple[int, int]]) -> float:
    """Return the letters between the records."""
    return sum([layout.masses[two[0]] - layout.masses[one[1]] for one, two in pairwise(spans) if two[0] > one[1]])


def _timed(family: Family) -> float:
    """Return the share of records that tell a time of day; where none tells any time that says nothing."""
    told = [stamp for stamp in family.stamps if stamp is not None]
    return sum([stamp.has_time for stamp in told]) / len(family.stamps) if told else 0.5
