"""Train DGWC: discretise the features of all lines, fit a classifier, and keep its answer for each of the 729 cells."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from thresher.errors import MissingExtra
from thresher.extraction.algorithms.dgwc import LEVELS, cell_of
from thresher.extraction.line_features import Features
from thresher.extraction.lines import Layout
from thresher.extraction.models import decode_model, encode_model
from thresher.lab.pages import LabelledPage
from thresher.lab.train.lines import card_of, gather, scopes_over

# The share of a page's lines, in its middle, that is sampled as topical region (section III-B gives none). F1 of the
# shingles on every second page of articles/train, dgwc-svm trained inter-site: .888 with 0.1, .887 with 0.3, .886 with
# 0.5.
CENTRE = 0.3
SEED = 20

CELLS = tuple("".join(levels) for levels in product(LEVELS, repeat=len(Features._fields)))

Counts = Mapping[tuple[str, bool], int]  # lines, by cell and whether they are topical
Predict = Callable[[Sequence[str]], Iterable[bool]]
Fit = Callable[[Sequence[str], Sequence[bool], Sequence[int]], Predict]  # cells, whether topical, how many lines


@dataclass(frozen=True, slots=True)
class DgwcTrainer:
    """Trains one of the three classifiers."""

    algorithm: str
    layout: Layout = "flowed"

    def train(self, pages: Sequence[LabelledPage]) -> bytes:
        """Return the content of a model file; raise UsageError when the pages hold nothing to learn from."""
        gathered = gather(pages, self.layout)
        scopes = scopes_over(gathered, [centre(len(lines.labels)) for lines in gathered])
        counts: Counter[tuple[str, bool]] = Counter()
        for lines in gathered:
            counts.update(zip((cell_of(row, scopes) for row in lines.rows()), map(bool, lines.labels), strict=True))
        return encode_model(
            self.algorithm,
            {
                "layout": self.layout,
                "scopes": scopes,
                "topical": topical_cells(counts, FITS[self.algorithm]),
                "trained_on": card_of(pages, gathered),
            },
        )

    def describe(self, model: bytes) -> Mapping[str, str]:
        """Return the mean number of lines a page has, and how many cells are topical."""
        values = decode_model(model, self.algorithm)
        pages = sum(values["trained_on"]["pages"].values())
        return {"lines a page": f"{values['trained_on']['lines'] / pages:.0f}", "cells": str(len(values["topical"]))}


def centre(length: int) -> bytes:
    """Mark the lines in the middle of a page: 1 for those sampled as topical region."""
    return bytes(abs((number + 0.5) / length - 0.5) <= CENTRE / 2 for number in range(length))


def topical_cells(counts: Counts, fit: Fit) -> list[str]:
    """Fit a classifier to counted lines, and return the cells that it takes for topical.

    Lines of one cell are all alike to it, so each cell is one sample for each label, weighed by its lines.
    """
    seen = sorted(key for key in counts if counts[key])
    labels = [label for _, label in seen]
    if all(labels):
        return list(CELLS)
    predict = fit([cell for cell, _ in seen], labels, [counts[key] for key in seen])
    return [cell for cell, answer in zip(CELLS, predict(CELLS), strict=True) if answer]


def _fit_svm(cells: Sequence[str], labels: Sequence[bool], weights: Sequence[int]) -> Predict:
    # The paper names no kernel. F1 on articles/train in five folds by site with C = 0.0001, 0.001, 0.01, 0.1 and 1:
    # linear .880 throughout, radial .226, .880, .867, .863, .863.
    machine = _sklearn("svm").SVC(C=1.0, kernel="linear")
    machine.fit(_one_hot(cells), labels, sample_weight=weights)
    return lambda asked: machine.predict(_one_hot(asked))


def _fit_naive_bayes(cells: Sequence[str], labels: Sequence[bool], weights: Sequence[int]) -> Predict:
    bayes = _sklearn("naive_bayes").CategoricalNB(min_categories=len(LEVELS))
    bayes.fit(_ordinal(cells), labels, sample_weight=weights)
    return lambda asked: bayes.predict(_ordinal(asked))


def _fit_c45(cells: Sequence[str], labels: Sequence[bool], weights: Sequence[int]) -> Predict:
    tree = _sklearn("tree").DecisionTreeClassifier(criterion="entropy", random_state=SEED)
    tree.fit(_ordinal(cells), labels, sample_weight=weights)
    return lambda asked: tree.predict(_ordinal(asked))


def _one_hot(cells: Sequence[str]) -> list[list[int]]:
    return [[int(level == each) for level in cell for each in LEVELS] for cell in cells]


def _ordinal(cells: Sequence[str]) -> list[list[int]]:
    return [[LEVELS.index(level) for level in cell] for cell in cells]


def _sklearn(module: str) -> Any:
    try:
        from sklearn import naive_bayes, svm, tree  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtra("training needs scikit-learn: pip install 'thresher[train]'") from error
    return {"naive_bayes": naive_bayes, "svm": svm, "tree": tree}[module]


FITS: dict[str, Fit] = {"dgwc-svm": _fit_svm, "dgwc-nb": _fit_naive_bayes, "dgwc-c45": _fit_c45}
