"""Train the learned extractor: two stages of boosted trees over blocks, the second on chances of sites left out."""

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thresher.errors import MissingExtra, UsageError
from thresher.extraction.learned.features import FEATURES
from thresher.extraction.learned.forest import LearnedModel, load, save
from thresher.extraction.learned.second import SECOND, compute_second
from thresher.lab.pages import LabelledPage
from thresher.lab.train.samples import FOLDS, Sample, samples_of
from thresher.lab.train.trees import forest_of

ROUNDS = 120  # trees of each stage
DROPPED = 0.03  # of the pages, those that the first stage contradicts most: gold cut to its lead, or of another page
SEED = 1
PARAMETERS = {
    "objective": "cross_entropy",  # labels are shares of a block
    "learning_rate": 0.1,
    "num_leaves": 31,
    "min_data_in_leaf": 150,
    "feature_fraction": 0.2,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 30.0,
    "max_bin": 63,
    "seed": SEED,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}

Rows = Callable[[Sample], Any]  # a sample's features for one stage


@dataclass(frozen=True, slots=True)
class LearnedTrainer:
    """Trains the algorithm `thresher`; the same pages give the same model."""

    def train(self, pages: Sequence[LabelledPage]) -> bytes:
        """Return the content of a model file; raise UsageError when the pages hold nothing to learn from."""
        samples = samples_of(pages)
        if not samples:
            raise UsageError("nothing to learn from: no page is long enough and shows most of its gold")
        if len({sample.fold for sample in samples}) < 2:
            raise UsageError(
                "too little to learn from: the second stage needs pages of several sites, four or more at best; "
                "in records `site` tells them apart, beside name.html and name.txt a folder for each"
            )
        chances = _chances_left_out(samples)
        first = fit(samples, lambda sample: sample.features)
        kept = _without_contradicted(samples, chances)
        second = fit_second(samples, chances, kept)
        counts = Counter(page.dataset for page in pages)
        about = {
            "pages": dict(sorted(counts.items())),
            "samples": len(samples),
            "contradicted": len(samples) - len(kept),
        }
        stages = (forest_of(first), forest_of(second))
        return save(LearnedModel((FEATURES, (*FEATURES, *SECOND)), stages, about=about))

    def describe(self, model: bytes) -> Mapping[str, str]:
        """Return how large a model is and what it was trained on."""
        about = load(model).about
        return {"samples": str(about["samples"]), "size": f"{len(model) / 1000:.0f} kB"}


def _chances_left_out(samples: Sequence[Sample]) -> list[Any]:
    """Return the first stage's chances of every sample, from a model that has not seen its site."""
    chances: list[Any] = [None] * len(samples)
    for fold in range(FOLDS):
        others = [sample for sample in samples if sample.fold != fold]
        if len(others) == len(samples):
            continue
        booster = fit(others, lambda sample: sample.features)
        for number, sample in enumerate(samples):
            if sample.fold == fold:
                chances[number] = booster.predict(sample.features, num_threads=1)
    return chances


def _without_contradicted(samples: Sequence[Sample], chances: Sequence[Any]) -> list[Sample]:
    """Leave out the pages where gold and first stage disagree most, with their noisy copies."""
    import numpy as np

    losses: dict[str, float] = {}
    for sample, chance in zip(samples, chances, strict=True):
        bounded = np.clip(chance, 1e-3, 1 - 1e-3)
        loss = -(sample.gold * np.log(bounded) + (1 - sample.gold) * np.log(1 - bounded))
        sizes = np.asarray([len(text) for text in sample.sheet.table.texts], dtype=np.float64)
        losses.setdefault(sample.page, float((loss * sizes).sum() / sizes.sum()))
    worst = sorted(losses, key=lambda page: -losses[page])[: int(DROPPED * len(losses))]
    return [sample for sample in samples if sample.page not in worst]


def _second_rows(sample: Sample, chances: Any) -> Any:
    import numpy as np

    first = array("f", sample.features.tobytes())
    rows = compute_second(sample.sheet, first, array("d", chances.tobytes()))
    return np.frombuffer(rows, dtype=np.float32).reshape(len(chances), -1)


def fit_second(samples: Sequence[Sample], chances: Sequence[Any], kept: Sequence[Sample] | None = None) -> Any:
    """Return the second stage's booster, fitted to samples of which the first's chances are given, less the worst."""
    kept = _without_contradicted(samples, chances) if kept is None else kept
    numbered = {id(sample): number for number, sample in enumerate(samples)}
    return fit(kept, lambda sample: _second_rows(sample, chances[numbered[id(sample)]]))


def fit(samples: Sequence[Sample], rows: Rows) -> Any:
    """Return a booster fitted to what is learned from."""
    import numpy as np

    lightgbm = lightgbm_library()
    features = np.concatenate([rows(sample)[sample.learned] for sample in samples])
    gold = np.concatenate([sample.gold[sample.learned] for sample in samples])
    weights = np.concatenate([sample.weights[sample.learned] for sample in samples])
    return lightgbm.train(PARAMETERS, lightgbm.Dataset(features, gold, weight=weights), ROUNDS)


def lightgbm_library() -> Any:
    """Return the module; raise MissingExtra where it is not installed."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("training needs lightgbm: pip install 'thresher[train]'") from error
    return lightgbm
