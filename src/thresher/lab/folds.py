"""Folds: which pages to train on and which to test on, under each protocol of the papers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from thresher.errors import MissingExtra, UsageError
from thresher.lab.pages import LabelledPage

FOLDS = 10
MIN_SITE_PAGES = 10  # a site with fewer has no ten folds
SEED = 20  # of the shuffling, so that every run has the same folds
PROTOCOLS = ("plain", "ten-fold", "intra-site", "inter-site")


@dataclass(frozen=True, slots=True)
class Fold:
    """Pages to learn from, and pages to be tested on, none in both."""

    train: tuple[LabelledPage, ...]
    test: tuple[LabelledPage, ...]


def folds_of(pages: Sequence[LabelledPage], protocol: str, number: int = FOLDS) -> Iterator[Fold]:
    """Yield the folds of a protocol other than plain; raise UsageError when the pages do not allow it.

    ten-fold: any page may be tested by others of its site. intra-site (FAR-SW, §4.1): trained and tested on one site,
    each with ten pages or more. inter-site: tested on sites that the training never saw. The papers have ten folds.
    """
    if protocol == "ten-fold":
        yield from _page_folds(pages, number)
    elif protocol == "intra-site":
        for site in large_sites(pages).values():
            yield from _page_folds(site, number)
    elif protocol == "inter-site":
        yield from _site_folds(pages, number)
    else:
        raise UsageError(f"no protocol {protocol!r}; there are {', '.join(PROTOCOLS)}")


def large_sites(pages: Sequence[LabelledPage], min_pages: int = MIN_SITE_PAGES) -> dict[str, list[LabelledPage]]:
    """Return the pages of each site that has enough; raise UsageError when none has."""
    sites: dict[str, list[LabelledPage]] = {}
    for page in pages:
        sites.setdefault(page.site, []).append(page)
    large = {site: sites[site] for site in sorted(sites) if len(sites[site]) >= min_pages}
    if not large:
        raise UsageError(f"no site has {min_pages} pages or more")
    return large


def _page_folds(pages: Sequence[LabelledPage], number: int) -> Iterator[Fold]:
    if len(pages) < number:
        raise UsageError(f"{len(pages)} pages cannot be cut into {number} folds")
    splitter = _model_selection().KFold(number, shuffle=True, random_state=SEED)
    yield from _folds(pages, splitter.split(pages))


def _site_folds(pages: Sequence[LabelledPage], number: int) -> Iterator[Fold]:
    sites = [page.site for page in pages]
    number = min(number, len(set(sites)))
    if number < 2:
        raise UsageError("inter-site needs the pages of two sites or more")
    splitter = _model_selection().GroupKFold(number, shuffle=True, random_state=SEED)
    yield from _folds(pages, splitter.split(pages, groups=sites))


def _folds(pages: Sequence[LabelledPage], splits: Any) -> Iterator[Fold]:
    for train, test in splits:
        yield Fold(tuple(pages[n] for n in train), tuple(pages[n] for n in test))


def _model_selection() -> Any:
    try:
        from sklearn import model_selection  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtra("cross-validation needs scikit-learn: pip install 'thresher[train]'") from error
    return model_selection
