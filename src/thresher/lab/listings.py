"""Measure how well the links to a listing's items are found: on labelled real pages and on the sample web.

Labels are kept as hashes (`listing_labels.json`): page → the links to its items, and those left open, which count
neither way. How they were made is told in docs/evaluation-listings.md.
"""

import gzip
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from thresher import urls
from thresher.discovery.listing_weights import LEARNED_WEIGHT, TOGETHER
from thresher.discovery.listings import article_links, described_links, score_links, width_of
from thresher.errors import UsageError
from thresher.extraction.extractor import extract
from thresher.html import Tree, parse
from thresher.lab.corpora import RECORDS
from thresher.lab.tables import table
from thresher.model import Kind
from thresher.sample import SampleWeb

HASH_DIGITS = 8
LONG_TEXT = 25  # characters of a link's text, for the baseline
SAMPLE_PAGES = 300
FIT_C = 0.1  # inverse of the strength of regularisation, chosen by cross-validation over the sites of the first half

Finder = Callable[[Tree, str], Collection[str]]


@dataclass(frozen=True, slots=True)
class ListingPage:
    """A page with the links to its items, hashed."""

    id: str
    part: str  # "develop", "report" or "sample"
    url: str
    html: str | bytes
    items: frozenset[str]
    open: frozenset[str] = frozenset()  # links that count neither way


class Score(NamedTuple):
    """Precision and recall of the links of one page."""

    precision: float
    recall: float


def hash_of(url: str) -> str:
    """Return what the labels call a canonical URL."""
    return urls.key_of(url)[:HASH_DIGITS]


def load_listings(folders: Sequence[Path]) -> list[ListingPage]:
    """Read the labelled pages from folders of *.jsonl.gz files; raise UsageError when none of them is there."""
    labels = json.loads((files("thresher.lab") / "listing_labels.json").read_text("utf-8"))
    found: dict[str, ListingPage] = {}
    for record in (each for folder in folders for each in _records(folder)):
        label = labels.get(record["id"])
        if label:
            url = urls.canonical(record.get("url") or f"https://{record.get('site')}/")
            items, left = (frozenset(label[name].split()) for name in ("items", "open"))
            found[record["id"]] = ListingPage(record["id"], label["part"], url, record["html"], items, left)
    if not found:
        raise UsageError(f"{' '.join(map(str, folders))}: holds none of the labelled listing pages")
    return [found[name] for name in sorted(found)]


def _records(folder: Path) -> Iterator[dict[str, str]]:
    if not folder.exists():
        raise UsageError(f"{folder}: no such file or folder of labelled pages")
    for file in [folder] if folder.is_file() else sorted(folder.rglob(RECORDS)):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def sample_listings(pages: int = SAMPLE_PAGES) -> list[ListingPage]:
    """Return the listings of the sample web's news site and blog: front pages, sections and their further pages."""
    web = SampleWeb(pages)
    items = frozenset(hash_of(urls.canonical(truth.url)) for truth in web.truth() if truth.kind is Kind.ARTICLE)
    found = []
    for url in sorted({urls.canonical(each) for each in web.expected_urls().listings}):
        answer = web.answer(url)
        if answer.status == 200:
            tree = parse(answer.body, url=url, content_type=answer.content_type)
            linked = {hash_of(link.url) for link in score_links(tree, url)}
            if linked & items:
                found.append(ListingPage(url, "sample", url, answer.body, items & linked))
    return found


def by_score(tree: Tree, url: str) -> set[str]:
    """Find items as crawls do."""
    return {link.url for link in article_links(tree, url)}


def by_long_text(tree: Tree, url: str) -> set[str]:
    """Find items by the simple rule that we compare with: links on the same site with a long text."""
    site = urls.site_of(url)
    links = score_links(tree, url)
    return {link.url for link in links if width_of(link.text) >= LONG_TEXT and urls.site_of(link.url) == site}


FINDERS: dict[str, Finder] = {"thresher": by_score, "long texts of the same site": by_long_text}


def score_of(page: ListingPage, found: Collection[str]) -> Score:
    """Compare what was found on a page with its labels."""
    hashes = {hash_of(url) for url in found} - page.open
    right = len(hashes & page.items)
    return Score(right / len(hashes) if hashes else 0.0, right / len(page.items))


def listings_table(pages: Sequence[ListingPage]) -> str:
    """Return precision, recall and F1 of each finder, averaged over the pages of each part."""
    rows = []
    for part in ("develop", "report", "sample"):
        chosen = [page for page in pages if page.part == part]
        trees = [parse(page.html, url=page.url) for page in chosen]
        for name, finder in FINDERS.items() if chosen else ():
            scores = [score_of(page, finder(tree, page.url)) for page, tree in zip(chosen, trees, strict=True)]
            rows.append([f"{part}: {name}", str(len(chosen)), *_means(scores)])
    return table(["", "pages", "precision", "recall", "F1"], rows)


def pages_table(pages: Iterable[ListingPage]) -> str:
    """Return the scores of each page, with the kind that extraction takes it for."""
    rows = []
    for page in pages:
        tree = parse(page.html, url=page.url)
        score = score_of(page, by_score(tree, page.url))
        kind = extract(page.html, url=page.url).kind
        rows.append([f"{page.part} {page.id}", kind.value, str(len(page.items)), *_means([score])])
    return table(["", "kind", "items", "precision", "recall", "F1"], rows)


def _means(scores: Sequence[Score]) -> list[str]:
    f1 = [2 * p * r / (p + r) if p + r else 0.0 for p, r in scores]
    columns = ([each.precision for each in scores], [each.recall for each in scores], f1)
    return [f"{sum(values) / len(values):.3f}" for values in columns]


def fitted(pages: Sequence[ListingPage]) -> str:
    """Fit the weights to the pages of the first half; return the module discovery/listing_weights.py.

    Every page weighs the same, and on each page the items together about as much as all other links.
    """
    import numpy as np
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    rows, labels, weights = [], [], []
    for page in pages:
        if page.part != "develop":
            continue
        described = described_links(parse(page.html, url=page.url), page.url)
        kept = {url: values for url, values in described.items() if hash_of(url) not in page.open}
        own = [hash_of(url) in page.items for url in kept]
        share = [0.25 / max(1, sum(own)) if each else 0.25 / max(1, len(own) - sum(own)) for each in own]
        rows += list(kept.values())
        labels += own
        weights += [each + 0.5 / len(own) for each in share]
    names = list(rows[0])
    x = np.array([[row[name] for name in names] for row in rows])
    mean, deviation = x.mean(0), x.std(0) + 1e-6
    model = LogisticRegression(C=FIT_C, max_iter=2_000)
    model.fit((x - mean) / deviation, labels, sample_weight=np.array(weights) / np.mean(weights))
    slopes = model.coef_[0] / deviation
    return _module(dict(zip(names, slopes, strict=True)), float(model.intercept_[0] - (slopes * mean).sum()))


def _module(slopes: dict[str, float], intercept: float) -> str:
    values = "".join(f'    "{name}": {value:.3f},\n' for name, value in ({"always": intercept} | slopes).items())
    return (
        '"""The weights of discovery/listings.py, fitted by `thresher bench listings --fit`: not edited by hand."""\n\n'
        "# Feature → what it adds to the log-odds that a link leads to an item of the listing.\n"
        f"WEIGHTS: dict[str, float] = {{\n{values}}}\n"
        f"TOGETHER = {TOGETHER}  # how far a link's score is drawn to the mean of those that stand like it\n"
        f"LEARNED_WEIGHT = {LEARNED_WEIGHT}  # of what became of links of the same shape before; not fitted\n"
    )
