"""Protocols: plain evaluation and cross-validation, with the same runner, cache and tables; and the rules per site."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from thresher.extraction.lines import layout_named
from thresher.lab.cache import Cache
from thresher.lab.evaluate import Heard, Options, Result, Unit, evaluate, models_of, run_units
from thresher.lab.extractors import Extractor, with_parameters
from thresher.lab.folds import Fold, folds_of, large_sites
from thresher.lab.pages import LabelledPage
from thresher.lab.training import TRAINERS, Models, trainer_of

ALL_SITES = "all sites"


def run_protocol(
    pages: Iterable[LabelledPage],
    extractors: Sequence[Extractor],
    protocol: str,
    options: Options,
    heard: Heard | None = None,
) -> list[Result]:
    """Return the results of extractors under a protocol: those that are trained are trained anew for each fold.

    The others, and peers, are run as they are on the pages that are tested, to stand beside them in the table.
    """
    if protocol == "plain":
        return evaluate(pages, extractors, options, heard)
    with tempfile.TemporaryDirectory(prefix="thresher-lab-") as spare:
        cache = Cache(options.cache_folder)
        models = Models((options.cache_folder or Path(spare)) / "models", cache)
        try:
            folds = folds_of(list(pages), protocol, options.folds)
            units = list(_units(folds, extractors, protocol, models))
        finally:
            cache.close()
        return run_units(units, options, heard, reads=models_of(extractor for _, extractor in units))


def rules_per_site(
    pages: Sequence[LabelledPage], algorithm: str, cache: Cache, min_pages: int
) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Yield each large site, how many pages it has and what a model trained on it says; last, all pages together.

    This is FAR-SW's Table 9.
    """
    trainer = trainer_of(algorithm)
    models = Models(Path(), cache)
    for site, theirs in large_sites(pages, min_pages).items():
        yield site, len(theirs), dict(trainer.describe(models.bytes(algorithm, theirs)))
    yield ALL_SITES, len(pages), dict(trainer.describe(models.bytes(algorithm, pages)))


def _units(folds: Iterable[Fold], extractors: Sequence[Extractor], protocol: str, models: Models) -> Iterator[Unit]:
    for fold in folds:
        for extractor in extractors:
            fitted = _fitted(extractor, fold.train, protocol, models)
            yield from ((page, fitted) for page in fold.test)


def _fitted(extractor: Extractor, train: Sequence[LabelledPage], protocol: str, models: Models) -> Extractor:
    """Train an extractor on a fold, unless it cannot be trained or brings its own model."""
    if extractor.is_peer or extractor.origin not in TRAINERS or "model" in extractor.parameters:
        return extractor
    layout = extractor.parameters.get("layout")
    model = str(models.path(extractor.origin, train, layout_named(str(layout)) if layout else None))
    return with_parameters(extractor.origin, {**extractor.parameters, "model": model}, f"{extractor.name} {protocol}")
