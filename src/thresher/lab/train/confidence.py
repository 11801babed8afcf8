"""Fit the probabilities that text, title, date and authors are right, on pages of sites that no stage has seen."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from thresher.extraction.learned.features import FEATURES
from thresher.extraction.learned.forest import LearnedModel, save
from thresher.extraction.learned.second import SECOND
from thresher.lab.pages import LabelledPage
from thresher.lab.train import learned
from thresher.lab.train.samples import Sample, plain_samples
from thresher.lab.train.trees import forest_of

FOLDS = 3  # of the sites
MIN_SEEN = 20  # pages with a sign from which on it has a weight of its own
STEPS = 25  # of Newton's method; fewer do
RIDGE = 2.0  # how much weights other than the bias are held back


@dataclass(frozen=True, slots=True)
class Sign:
    """One field of one page: what is told of it, and whether it is right."""

    field: str
    site: str
    dataset: str
    signs: Mapping[str, float]
    is_right: bool


def fold_of(site: str) -> int:
    """Return the fold of a site, the same in every run."""
    return int.from_bytes(sha256(("c" + site).encode()).digest()[:4]) % FOLDS


def fold_models(pages: Sequence[LabelledPage]) -> list[bytes]:
    """Return for each fold a model of both stages that has seen no page of its sites, nor made-up copies of pages.

    The second stage learns from what first stages say of the folds that they have not seen.
    """
    samples = plain_samples(pages)
    sites = {page.id: page.site for page in pages}
    for sample in samples:
        sample.fold = fold_of(sites[sample.page])
    return [_without(samples, fold) for fold in range(FOLDS)]


def _without(samples: Sequence[Sample], fold: int) -> bytes:
    seen = [sample for sample in samples if sample.fold != fold]
    inner = {
        other: learned.fit([sample for sample in seen if sample.fold != other], lambda sample: sample.features)
        for other in range(FOLDS)
        if other != fold
    }
    chances = [inner[sample.fold].predict(sample.features, num_threads=1) for sample in seen]
    first = learned.fit(seen, lambda sample: sample.features)
    second = learned.fit_second(seen, chances)
    stages = (forest_of(first), forest_of(second))
    return save(LearnedModel((FEATURES, (*FEATURES, *SECOND)), stages, about={"samples": len(seen)}))


def fit_weights(signs: Sequence[Sign]) -> dict[str, dict[str, float]]:
    """Return the weights of each field's logistic function."""
    fields = dict.fromkeys(sign.field for sign in signs)
    return {field: _logistic([sign for sign in signs if sign.field == field]) for field in fields}


def encode(weights: Mapping[str, Mapping[str, float]], about: Mapping[str, Any]) -> bytes:
    """Return the content of models/confidence.json."""
    rounded = {field: {name: round(value, 4) for name, value in of.items()} for field, of in weights.items()}
    return (json.dumps({"format": 1, "about": about, "fields": rounded}, indent=1, sort_keys=True) + "\n").encode()


def _logistic(signs: Sequence[Sign]) -> dict[str, float]:
    """Fit by Newton's method, weights held back by a ridge; a sign that few pages have counts nothing."""
    import numpy as np

    seen = Counter(name for sign in signs for name in sign.signs)
    names = ["bias", *sorted(name for name, count in seen.items() if count >= MIN_SEEN)]
    rows = np.array([[1.0, *(sign.signs.get(name, 0.0) for name in names[1:])] for sign in signs])
    right = np.array([float(sign.is_right) for sign in signs])
    ridge = np.diag([1e-6, *[RIDGE] * (len(names) - 1)])
    weights = np.zeros(len(names))
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (right - chances) - ridge @ weights
        curve = (rows * (chances * (1 - chances))[:, None]).T @ rows + ridge
        weights += np.linalg.solve(curve, slope)
    return dict(zip(names, map(float, weights), strict=True))
