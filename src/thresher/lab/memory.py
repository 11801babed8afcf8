"""Measure what site memory brings: every page of a site with what the others showed, against the page alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from thresher.errors import ThresherError
from thresher.extraction.extractor import extract_traced
from thresher.extraction.memory import MAX_PAGES, SiteMemory, Traces, recall
from thresher.html import parse
from thresher.lab.metrics.headline import title_of, without_headline
from thresher.lab.metrics.overlap import Overlap, averaged, f1
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.lab.pages import LabelledPage


@dataclass(frozen=True, slots=True)
class Remembered:
    """One page's overlap with its gold, without and with the memory of the other pages of its site."""

    page: str
    dataset: str
    site: str
    alone: Overlap
    together: Overlap


def sites_of(pages: Iterable[LabelledPage], min_pages: int) -> list[list[LabelledPage]]:
    """Return the pages of each dataset's sites that have so many."""
    found: dict[tuple[str, str], list[LabelledPage]] = {}
    for page in pages:
        if page.site:
            found.setdefault((page.dataset, page.site), []).append(page)
    return [group for group in found.values() if len(group) >= min_pages]


def measure_site(pages: Sequence[LabelledPage], *, no_headline: bool = False) -> list[Remembered]:
    """Extract each page of a site twice: alone, and with the memory of the others, at most MAX_PAGES of them."""
    firsts = [_extract(page, SiteMemory()) for page in pages]
    results = []
    for place, page in enumerate(pages):
        others = [traces for number, (_, traces) in enumerate(firsts[: MAX_PAGES + 1]) if number != place and traces]
        text, _ = _extract(page, recall(others))
        scores = (_score(found, page, no_headline) for found in (firsts[place][0], text))
        results.append(Remembered(page.id, page.dataset, page.site, *scores))
    return results


def f1_of(overlaps: Sequence[Overlap]) -> float:
    """Return the F1 of precision and recall, each averaged over the pages."""
    return f1(*averaged(overlaps))


def _extract(page: LabelledPage, memory: SiteMemory) -> tuple[str, Traces | None]:
    """Return a page's main text and traces; empty and None for a page that cannot be read."""
    try:
        document, traces = extract_traced(parse(page.html, url=page.url), memory=memory)
    except ThresherError:
        return "", None
    return document.text, traces


def _score(found: str, page: LabelledPage, no_headline: bool) -> Overlap:
    if no_headline:
        titles = (title_of(page.html), page.title)
        found, page = without_headline(found, *titles), replace(page, text=without_headline(page.text, *titles))
    return shingle_overlap(found, page.text)
