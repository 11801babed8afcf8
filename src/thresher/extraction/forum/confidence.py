"""How sure it is that records are posts of a thread: what threads have and articles, listings and boards lack."""

from collections.abc import Sequence

from thresher.extraction.forum.families import Family
from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.words import POST
from thresher.model import Post

# Of thread pages of 15 engines 5 % have less than 14 % of their text in posts, and half of the posts below 49 letters.
USUAL_SHARE = 0.12
USUAL_LENGTH = 25
SINGLE = 0.8  # weight of a thread of one post


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


def _timed(family: Family) -> float:
    """Return the share of records that tell a time of day; where none tells any time that says nothing."""
    told = [stamp for stamp in family.stamps if stamp is not None]
    return sum([stamp.has_time for stamp in told]) / len(family.stamps) if told else 0.5
