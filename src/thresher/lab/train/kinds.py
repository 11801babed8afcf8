"""Train the model that tells kinds of pages: a forest for each kind, and one that tells threads by their posts too.

The latter sees what the others say of pages of sites and engines that they have not seen: what they say of those they
were fitted to would be too good to learn from.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from thresher.errors import MissingExtra, UsageError
from thresher.extraction.algorithms.thresher import choose_content
from thresher.extraction.contract import CHOSEN, COMMENTS, HEADED, Content
from thresher.extraction.evidence import EVIDENCE, Held, evidence_of, held_by
from thresher.extraction.fields.clues import Clues, gather
from thresher.extraction.forum.thread import Thread, find_thread
from thresher.extraction.kind import KINDS, judge_row
from thresher.extraction.kinds.features import FEATURES, describe
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.forest import LearnedModel, save
from thresher.extraction.learned.kept import drafts
from thresher.extraction.learned.sheet import Sheet, lay_out
from thresher.extraction.learned.walk import walk
from thresher.extraction.paths import Paths
from thresher.html import Tree, parse
from thresher.lab.kinds import KindPage
from thresher.lab.train.kind_pages import MADE, made_pages
from thresher.lab.train.trees import forest_of
from thresher.model import Kind

ROUNDS = 200  # trees of each kind
LIVE_EVERY = 4  # thread pages of live installations, one of so many is learned from
TALK_ROUNDS = 300  # trees that tell threads by their posts
FOLDS = 10
ENGINES = ("phpbb", "xenforo", "discuz", "fluxbb", "discourse", "stackexchange")  # each in a fold of its own
SHARES = {Kind.ARTICLE: 3.0, Kind.THREAD: 1.0, Kind.BOARD: 0.5, Kind.LISTING: 2.0, Kind.OTHER: 0.4}  # of the weights
MADE_WEIGHT = {Kind.ARTICLE: 0.6, Kind.THREAD: 0.08, Kind.BOARD: 0.4, Kind.LISTING: 0.1, Kind.OTHER: 0.4}
GROUP_POWER = -0.6  # pages of a group weigh less the more there are
SEED = 1
PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.1,
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
TALK = {**PARAMETERS, "learning_rate": 0.05, "num_leaves": 8, "feature_fraction": 0.5}
# What pages count where threads are told by their posts too: an article that is none is lost, and there are many more.
TALK_SHARES = {Kind.ARTICLE: 1.5, Kind.THREAD: 1.5, Kind.BOARD: 0.3, Kind.LISTING: 0.3, Kind.OTHER: 0.3}
TALK_MADE_WEIGHT = {**MADE_WEIGHT, Kind.ARTICLE: 1.0, Kind.THREAD: 0.3}
_ADDRESS = [place for place, name in enumerate(FEATURES) if name.startswith("url_")]
_SAID_NAMES = ("og_type", "item_", "body_", "times", "published", "signed", "title_size", "h1_size")
_SAID = [place for place, name in enumerate(FEATURES) if name.startswith(_SAID_NAMES)]


@dataclass(frozen=True, slots=True)
class Talk:
    """The posts found on a page, and where its main text lies."""

    thread: Thread
    held: Held
    named: frozenset[str]
    headed: frozenset[str]


@dataclass(frozen=True, slots=True)
class KindSample:
    """A page as features, with its kind, the group and the site that it is held out with, and its posts if any."""

    page: str
    dataset: str
    group: str
    kind: Kind
    features: Any
    site: str = ""
    talk: Talk | None = None
    is_live: bool = False  # of an installation made for the purpose


def samples_of(pages: Sequence[KindPage]) -> list[KindSample]:
    """Return the samples of labelled pages and of the pages made of them."""
    return [sample_of(page) for page in (*pages, *made_pages(pages))]


def sample_of(page: KindPage) -> KindSample:
    """Return one page as features."""
    import numpy as np

    tree, clues, sheet, content = read_page(page)
    features = np.frombuffer(describe(tree, clues, sheet, content), dtype=np.float32).copy()
    site = page.site or page.group
    talk = _talk_of(tree, sheet, content)
    return KindSample(page.id, page.dataset, page.group, page.kind, features, site, talk, page.is_live)


def _talk_of(tree: Tree, sheet: Sheet, content: Content) -> Talk | None:
    """Return the posts that a page shows; None where it shows none."""
    thread = find_thread(tree)
    if not thread.posts:
        return None
    paths = Paths()
    text = [(block.xpath, len(block.text)) for block in drafts(sheet.table, content.facts[CHOSEN], paths)]
    named, headed = (
        frozenset(paths.of(sheet.table.nodes[element]) for element in content.facts[name])
        for name in (COMMENTS, HEADED)
    )
    return Talk(thread, held_by(thread, text), named, headed)


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
    talk = fit_talk(samples, chances_left_out(samples, lambda sample: fold_of(sample.group)))
    stages = tuple(forest_of(booster) for booster in (*fit(samples), talk))
    features = (*(FEATURES,) * len(KINDS), EVIDENCE)
    return save(LearnedModel(features, stages, about={"pages": dict(sorted(counts.items()))}))


def fold_of(group: str) -> int:
    """Return the fold in which a site or a family of forum engines is held out."""
    return ENGINES.index(group) if group in ENGINES else crc32(group.encode()) % FOLDS


def chances_left_out(samples: Sequence[KindSample], fold: Callable[[KindSample], int]) -> dict[str, Any]:
    """Return the chances of every page by id, from a model that has seen no page of its fold, made ones neither."""
    import numpy as np

    chances: dict[str, Any] = {}
    for number in range(FOLDS):
        held = [sample for sample in samples if fold(sample) == number]
        if not held:
            continue
        boosters = fit([sample for sample in samples if fold(sample) != number])
        rows = np.stack([sample.features for sample in held])
        given = np.stack([booster.predict(rows, num_threads=1) for booster in boosters], axis=1)
        chances.update((sample.page, row) for sample, row in zip(held, given, strict=True))
    return chances


def fit_talk(samples: Sequence[KindSample], chances: Mapping[str, Any]) -> Any:
    """Return a booster that tells threads by looks and posts; `chances` are those of pages left out, by id."""
    import numpy as np

    lightgbm = _lightgbm()
    held = [sample for sample in _thinned(samples) if sample.talk is not None]
    table = np.stack([evidence_row(sample, chances[sample.page]) for sample in held])
    gold = np.asarray([float(sample.kind is Kind.THREAD) for sample in held])
    weights = np.asarray(_weights(held, TALK_SHARES, TALK_MADE_WEIGHT))
    return lightgbm.train(TALK, lightgbm.Dataset(table, gold, weight=weights), TALK_ROUNDS)


def evidence_row(sample: KindSample, given: Any) -> Any:
    """Return what a page with posts and the chances that it was given say together."""
    import numpy as np

    if sample.talk is None:
        raise ValueError(f"no posts were found on {sample.page}")
    judged = judge_row(sample.features, given)
    talk = sample.talk
    says = judged.says_thread
    row = evidence_of(talk.thread, talk.held, judged.chances, says_thread=says, named=talk.named, headed=talk.headed)
    return np.frombuffer(row, dtype=np.float32)


def fit(samples: Sequence[KindSample]) -> list[Any]:
    """Return a booster for each kind. Real pages are learned with and without address and what they say of themselves.

    Pages of other sites, and older ones, say less.
    """
    import numpy as np

    lightgbm = _lightgbm()
    pairs = [(sample, row) for sample in _thinned(samples) for row in _variants(sample)]
    learned = [sample for sample, _ in pairs]
    table, weights = np.stack([row for _, row in pairs]), np.asarray(_weights(learned, SHARES))
    boosters = []
    for kind in KINDS:
        gold = np.asarray([float(sample.kind is kind) for sample in learned])
        boosters.append(lightgbm.train(PARAMETERS, lightgbm.Dataset(table, gold, weight=weights), ROUNDS))
    return boosters


def _thinned(samples: Sequence[KindSample]) -> list[KindSample]:
    """Leave most pages of live installations out: they differ by little from each other."""
    live = [sample.page for sample in samples if sample.is_live and sample.kind is Kind.THREAD]
    kept = set(live[::LIVE_EVERY])
    return [sample for sample in samples if not sample.is_live or sample.kind is not Kind.THREAD or sample.page in kept]


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


def _weights(
    samples: Sequence[KindSample], shares: Mapping[Kind, float], made: Mapping[Kind, float] = MADE_WEIGHT
) -> list[float]:
    """Return weights that give every kind its share, and every group within it a fair one."""
    sizes = Counter((sample.kind, sample.group, sample.dataset == MADE) for sample in samples)
    raw = [
        sizes[sample.kind, sample.group, sample.dataset == MADE] ** GROUP_POWER
        * (made[sample.kind] if sample.dataset == MADE else 1.0)
        for sample in samples
    ]
    sums: dict[Kind, float] = {}
    for sample, weight in zip(samples, raw, strict=True):
        sums[sample.kind] = sums.get(sample.kind, 0.0) + weight
    whole = len(samples) / sum(shares[kind] for kind in sums)
    return [
        whole * shares[sample.kind] * weight / sums[sample.kind] for sample, weight in zip(samples, raw, strict=True)
    ]


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("training needs lightgbm: pip install 'thresher[train]'") from error
    return lightgbm
