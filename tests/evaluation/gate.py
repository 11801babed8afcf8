"""The default extractor's score on some labelled pages of each dataset it was not trained on: it may only rise.

On pages of its training a model that learns them by heart scores best, and serves worst.
"""

import json
import sys
from pathlib import Path

from thresher.lab import ours
from thresher.lab.corpora import load, sample, select
from thresher.lab.metrics.headline import title_of, without_headline
from thresher.lab.metrics.overlap import Overlap, averaged, f1
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.lab.pages import LabelledPage

ARTICLES = Path(__file__).parents[3] / "shared" / "corpora" / "articles"
GATE = Path(__file__).with_name("gate.json")
UNTRAINED = ("canola",)  # of the folder of training pages
PAGES = 30  # of each dataset, by the hash of their id


def scores() -> dict[str, float]:
    """Return the F1 of shingles by dataset, headline removed from both sides."""
    overlaps: dict[str, list[Overlap]] = {}
    for folder, datasets in (("train", UNTRAINED), ("eval", ())):
        for page in sample(select(load(ARTICLES / folder), datasets), PAGES):
            overlaps.setdefault(page.dataset, []).append(_overlap(page))
    return {dataset: f1(*averaged(pages)) for dataset, pages in sorted(overlaps.items())}


def _overlap(page: LabelledPage) -> Overlap:
    titles = (title_of(page.html), page.title)
    found = ours.extract(ours.WHOLE, page.html, page.url, {}).text
    return shingle_overlap(without_headline(found, *titles), without_headline(page.text, *titles))


def record() -> None:
    """Write the scores as they are now."""
    GATE.write_text(json.dumps({name: round(value, 4) for name, value in scores().items()}, indent=2) + "\n")


if __name__ == "__main__" and sys.argv[1:] == ["record"]:
    record()
