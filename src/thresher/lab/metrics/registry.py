"""The metrics by name: how each measures a page, and how it sums pages up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from thresher.errors import UsageError
from thresher.lab.metrics.bag import bag_overlap
from thresher.lab.metrics.lcs import lcs_overlap, score
from thresher.lab.metrics.overlap import Overlap, averaged, f1, pooled
from thresher.lab.metrics.post_values import author_overlap, own_text_overlap, time_overlap
from thresher.lab.metrics.posts import post_overlap
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.lab.metrics.verdicts import verdict
from thresher.lab.pages import Found, FoundPost, GoldPost, LabelledPage

Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric; `version` changes with what it counts, `chief` names the value that a wide table shows."""

    name: str
    version: int
    chief: str
    measure: Callable[[Found, LabelledPage], Overlap]
    summarise: Callable[[Sequence[Overlap]], Values]
    needs_posts: bool = False


def metric_named(name: str) -> Metric:
    """Return a metric; raise UsageError when there is none of this name."""
    if name not in METRICS:
        raise UsageError(f"no metric {name!r}; there are {', '.join(METRICS)}")
    return METRICS[name]


def _of_texts(overlap: Callable[[str, str], Overlap]) -> Callable[[Found, LabelledPage], Overlap]:
    return lambda found, page: overlap(found.text, page.text)


def _of_posts(
    overlap: Callable[[Sequence[FoundPost], Sequence[GoldPost]], Overlap],
) -> Callable[[Found, LabelledPage], Overlap]:
    return lambda found, page: overlap(found.posts, page.posts)


def _rates_averaged(pages: Sequence[Overlap]) -> Values:
    precision, recall = averaged(pages)
    return {"precision": precision, "recall": recall, "f1": f1(precision, recall)}


def _rates_pooled(pages: Sequence[Overlap]) -> Values:
    total = pooled(pages)
    return {"precision": total.precision, "recall": total.recall, "f1": f1(total.precision, total.recall)}


def _right_of_all(pages: Sequence[Overlap]) -> Values:
    return {"right": pooled(pages).recall}


def _rates_and_score(pages: Sequence[Overlap]) -> Values:
    return _rates_pooled(pages) | {"score": score(pooled(pages))}


def _shares(pages: Sequence[Overlap]) -> Values:
    verdicts = [verdict(page) for page in pages]
    return {
        "contains_text": sum(each.contains_text for each in verdicts) / max(len(pages), 1),
        "little_else": sum(each.little_else for each in verdicts) / max(len(pages), 1),
        "both": sum(each.contains_text and each.little_else for each in verdicts) / max(len(pages), 1),
    }


METRICS = {
    metric.name: metric
    for metric in (
        Metric("shingles", 1, "f1", _of_texts(shingle_overlap), _rates_averaged),
        Metric("lcs", 1, "f1", _of_texts(lcs_overlap), _rates_and_score),
        Metric("bag", 1, "f1", _of_texts(bag_overlap), _rates_averaged),
        Metric("verdicts", 1, "both", _of_texts(lcs_overlap), _shares),
        Metric("posts", 2, "f1", _of_posts(post_overlap), _rates_pooled, needs_posts=True),
        Metric("post-authors", 1, "right", _of_posts(author_overlap), _right_of_all, needs_posts=True),
        Metric("post-times", 1, "right", _of_posts(time_overlap), _right_of_all, needs_posts=True),
        Metric("post-texts", 1, "right", _of_posts(own_text_overlap), _right_of_all, needs_posts=True),
    )
}
