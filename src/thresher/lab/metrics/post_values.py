"""What the posts say, against the labels: author, time and own text, as a share of all gold posts that have the value.

A gold post that was not found counts as wrong. Authors are equal strings, white space aside. Times are equal at the
precision that the page shows, zone aside; a shown time that only counts from now is read from its attribute, and left
out where there is none. Own text is scored by its shingles against labels without quotations, where there are such.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from thresher.extraction.fields.dates import Habits, Moment, find_dates
from thresher.lab.metrics.overlap import Overlap, f1
from thresher.lab.metrics.posts import matches, once
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.lab.pages import FoundPost, GoldPost

_HABITS = (Habits(day_first=True), Habits(day_first=False))
Right = Callable[[FoundPost, GoldPost], float]


def author_overlap(found: Sequence[FoundPost], gold: Sequence[GoldPost]) -> Overlap:
    """Return how many gold posts have their author, of those that name one."""
    return _overlap(found, gold, lambda post: bool(post.author), _same_author)


def time_overlap(found: Sequence[FoundPost], gold: Sequence[GoldPost]) -> Overlap:
    """Return how many gold posts have their time, of those that tell one."""
    return _overlap(found, gold, lambda post: any(True for _ in _moments(post)), _same_time)


def own_text_overlap(found: Sequence[FoundPost], gold: Sequence[GoldPost]) -> Overlap:
    """Return the sum of the F1 of shingles over the gold posts that have a text without quotations."""
    return _overlap(found, gold, lambda post: post.own is not None, _text_f1)


def _overlap(
    found: Sequence[FoundPost], gold: Sequence[GoldPost], has: Callable[[GoldPost], bool], right: Right
) -> Overlap:
    labels = once(gold)
    pairs = {label: number for number, label in matches(found, labels).items()}
    told = [number for number, post in enumerate(labels) if has(post)]
    common = sum(right(found[pairs[number]], labels[number]) for number in told if number in pairs)
    return Overlap(common, sum(number in pairs for number in told), len(told))


def _same_author(found: FoundPost, gold: GoldPost) -> float:
    return float(found.author.split() == gold.author.split())


def _same_time(found: FoundPost, gold: GoldPost) -> float:
    if not found.published:
        return 0.0
    at = datetime.fromisoformat(found.published)
    return float(any(_shown(at, moment) == _shown(moment.at, moment) for moment in _moments(gold)))


def _shown(at: datetime, moment: Moment) -> str:
    """Write a time at the precision of another."""
    if not moment.has_time:
        return f"{at:%Y-%m-%d}"
    return f"{at:%Y-%m-%d %H:%M:%S}" if moment.raw.count(":") > 1 else f"{at:%Y-%m-%d %H:%M}"


def _moments(gold: GoldPost) -> Iterator[Moment]:
    """Yield what the time of a gold post may mean, day or month first; its attribute, where it shows no date."""
    none_yet = True
    for text in (gold.time, gold.time_attribute):
        for moment in (moment for habits in _HABITS for moment in find_dates(text, habits)):
            none_yet = False
            yield moment
        if not none_yet:
            return


def _text_f1(found: FoundPost, gold: GoldPost) -> float:
    overlap = shingle_overlap(found.text, gold.own or "")
    return f1(overlap.precision, overlap.recall)
