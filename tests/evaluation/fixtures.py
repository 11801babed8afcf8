"""A small fixture set: pages of the sample web, whose truth is known without parsing; and each algorithm's score."""

import json
import sys
from pathlib import Path
from statistics import mean

from thresher.lab import ours
from thresher.lab.metrics.overlap import f1
from thresher.lab.metrics.posts import post_overlap
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.lab.pages import GoldPost
from thresher.sample import SampleWeb, Truth

SCORES = Path(__file__).with_name("scores.json")
PAGES_PER_SKIN = 4
FORUM_METHODS = ("pean", "pean-any-date", "mibat", "mibat-any-date")


def fixtures(kind: str) -> list[tuple[Truth, str]]:
    """Return some pages of each markup of the sample web with their truth; of a thread, its only page."""
    web = SampleWeb(pages=120, seed=5)
    chosen: dict[str, list[tuple[Truth, str]]] = {}
    for truth in web.truth():
        pages = chosen.setdefault(truth.skin, [])
        if truth.kind == kind and len(truth.pages) == 1 and len(pages) < PAGES_PER_SKIN:
            answer = web.answer(truth.url)
            charset = "gb18030" if truth.language == "zh" else "utf-8"
            pages.append((truth, answer.body.decode(charset, "replace")))
    return [page for pages in chosen.values() for page in pages]


def score(name: str) -> float:
    """Return an algorithm's mean F1 over the fixtures: of shingles, or of posts for the methods that look for them."""
    if name in FORUM_METHODS:
        return mean(_posts_f1(name, truth, html) for truth, html in fixtures("thread"))
    return mean(_text_f1(name, truth, html) for truth, html in fixtures("article"))


def _text_f1(name: str, truth: Truth, html: str) -> float:
    overlap = shingle_overlap(ours.extract(name, html, truth.url, {}).text, truth.text)
    return f1(overlap.precision, overlap.recall)


def _posts_f1(name: str, truth: Truth, html: str) -> float:
    gold = [GoldPost(post.text) for post in truth.posts]
    overlap = post_overlap(ours.extract(name, html, truth.url, {}).posts, gold)
    return f1(overlap.precision, overlap.recall)


def record() -> None:
    """Write the scores of every algorithm as they are now."""
    scores = {name: round(score(name), 3) for name in ours.names()}
    SCORES.write_text(json.dumps(scores, indent=2) + "\n")


if __name__ == "__main__" and sys.argv[1:] == ["record"]:
    record()
