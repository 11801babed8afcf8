"""Train the model that tells kinds of pages: boosted trees, one forest for each kind against all others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thresher.errors import MissingExtra, UsageError
from thresher.extraction.algorithms.thresher import choose_content
from thresher.extraction.contract import Content
from thresher.extraction.fields.clues import Clues, gather
from thresher.extraction.kind import KINDS
from thresher.extraction.kinds.features import FEATURES, describe
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.forest import LearnedModel, save
from thresher.extraction.learned.sheet import Sheet, lay_out
from thresher.extraction.learned.walk import walk
from thresher.html import Tree, parse
from thresher.lab.kinds import KindPage
from thresher.lab.train.kind_pages import MADE, made_pages
from thresher.lab.train.trees import forest_of
from thresher.model import Kind

ROUNDS = 800  # trees of each kind
SHARES = {Kind.ARTICLE: 3.0, Kind.THREAD: 1.0, Kind.BOARD: 0.5, Kind.LISTING: 2.0, Kind.OTHER: 0.4}  # of the weights
MADE_WEIGHT = {Kind.ARTICLE: 0.4, Kind.THREAD: 0.2, Kind.BOARD: 0.4, Kind.LISTING: 0.1, Kind.OTHER: 0.4}
GROUP_POWER = -0.6  # pages of a group weigh less the more there are
SEED = 1
PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.03,
    "num_leaves": 7,
    "min_data_in_leaf": 16,
    "extra_trees": True,  # thresholds by chance: what few listings happen to have in common counts less
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 3.0,
    "max_bin": 63,
    "seed": SEED,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}
_ADDRESS = [place for place, name in enumerate(FEATURES) if name.startswith("url_")]
_SAID_NAMES = ("og_type", "item_", "body_", "times", "published", "signed", "title_size", "h1_size")
_SAID = [place for place, name in enumerate(FEATURES) if name.startswith(_SAID_NAMES)]


@dataclass(frozen=True, slots=True)
class KindSample:
    """A page as features, with its kind and the group that it is held out with."""

    page: str
    dataset: str
    group: str
    kind: Kind
    features: Any


def samples_of(pages: Sequence[KindPage]) -> list[KindSample]:
    """Return the samples of labelled pages and of the pages made of them."""
    return [sample_of(page) for page in (*pages, *made_pages(pages))]


def sample_of(page: KindPage) -> KindSample:
    """Return one page as features."""
    import numpy as np

    features = np.frombuffer(describe(*read_page(page)), dtype=np.float32).copy()
    return KindSample(page.id, page.dataset, page.group, page.kind, features)


def read_page(page: KindPage) -> tuple[Tree, Clues, Sheet, Content]:
    """Return what the kind of a page is told from: the page, what it says of itself, its blocks and the chosen ones."""
    tree = parse(page.html, url=page.url)
    clues = gather(tree)
    sheet = lay_out(walk(tree.body), read_about(clues))
    return tree, clues, sheet, choose_content(sheet, model=None, favour="balance")


def train_kinds(samples: Sequence[KindSample]) -> bytes:
    """Return the content of a model file; raise UsageError when a kind has no pages. The same samples give the same."""
    missing = [kind for kind in KINDS if kind not in {sample.kind for sample in samples}]
    if missing:
        raise UsageError(f"nothing to learn from: no page of kind {', '.join(missing)}")
    counts = Counter(f"{sample.dataset}: {sample.kind}" for sample in samples)
    stages = tuple(map(forest_of, fit(samples)))
    return save(LearnedModel((FEATURES,) * len(stages), stages, about={"pages": dict(sorted(counts.items()))}))


def fit(samples: Sequence[KindSample]) -> list[Any]:
    """Return a booster for each kind. Real pages are learned with and without address and what they say of themselves.

    Pages of other sites, and older ones, say less.
    """
    import numpy as np

    lightgbm = _lightgbm()
    pairs = [(sample, row) for sample in samples for row in _variants(sample)]
    learned = [sample for sample, _ in pairs]
    table, weights = np.stack([row for _, row in pairs]), np.asarray(_weights(learned))
    boosters = []
    for kind in KINDS:
        gold = np.asarray([float(sample.kind is kind) for sample in learned])
        boosters.append(lightgbm.train(PARAMETERS, lightgbm.Dataset(table, gold, weight=weights), ROUNDS))
    return boosters


def _variants(sample: KindSample) -> list[Any]:
    if sample.dataset == MADE:
        return [sample.features]
    variants = [sample.features]
    for hidden in (_ADDRESS, _SAID):
        copies = [row.copy() for row in variants]
        for row in copies:
            row[hidden] = 0
        variants += copies
    return variants


def _weights(samples: Sequence[KindSample]) -> list[float]:
    """Return weights that give every kind its share, and every group within it a fair one."""
    sizes = Counter((sample.kind, sample.group, sample.dataset == MADE) for sample in samples)
    raw = [
        sizes[sample.kind, sample.group, sample.dataset == MADE] ** GROUP_POWER
        * (MADE_WEIGHT[sample.kind] if sample.dataset == MADE else 1.0)
        for sample in samples
    ]
    sums: dict[Kind, float] = {}
    for sample, weight in zip(samples, raw, strict=True):
        sums[sample.kind] = sums.get(sample.kind, 0.0) + weight
    whole = len(samples) / sum(SHARES[kind] for kind in sums)
    return [
        whole * SHARES[sample.kind] * weight / sums[sample.kind] for sample, weight in zip(samples, raw, strict=True)
    ]


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("training needs lightgbm: pip install 'thresher[train]'") from error
    return lightgbm
