"""Train the forest that finds the main content of any page, on pages that the article's stages have not seen."""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thresher.errors import UsageError
from thresher.extraction.algorithms.thresher import MAX_JUDGED, judge_blocks
from thresher.extraction.algorithms.thresher_any import ANY, rows_of
from thresher.extraction.fields.clues import gather
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.forest import LearnedModel, load, save
from thresher.extraction.learned.sheet import lay_out
from thresher.extraction.learned.walk import walk
from thresher.html import parse
from thresher.lab.metrics.tokens import tokens_of
from thresher.lab.pages import LabelledPage
from thresher.lab.train.align import shares_in_gold
from thresher.lab.train.learned import PARAMETERS as OF_ARTICLES
from thresher.lab.train.learned import lightgbm_library
from thresher.lab.train.samples import MIN_FOUND
from thresher.lab.train.trees import forest_of

ROUNDS = 100  # trees
PARAMETERS = {**OF_ARTICLES, "num_leaves": 15, "min_data_in_leaf": 100}  # for fewer pages

Learned = tuple[Any, Any, Any]  # rows, the share of each block that is gold, and how much each counts


@dataclass(frozen=True, slots=True)
class AnyPageTrainer:
    """Trains `thresher-any`, on chances that the shipped model of articles gives; the same pages give the same."""

    def train(self, pages: Sequence[LabelledPage]) -> bytes:
        """Return the content of a model file; raise UsageError when the pages hold nothing to learn from."""
        import numpy as np

        learned = [sample for page in sorted(pages, key=lambda page: page.id) if (sample := _sample(page))]
        if not learned:
            raise UsageError("nothing to learn from: no page shows most of its gold")
        lightgbm = lightgbm_library()
        rows, gold, weights = (np.concatenate([sample[part] for sample in learned]) for part in range(3))
        booster = lightgbm.train(PARAMETERS, lightgbm.Dataset(rows, gold, weight=weights), ROUNDS)
        counts = Counter(page.dataset for page in pages)
        about = {"pages": dict(sorted(counts.items())), "samples": len(learned)}
        return save(LearnedModel((ANY,), (forest_of(booster),), about=about))

    def describe(self, model: bytes) -> Mapping[str, str]:
        """Return how large a model is and what it was trained on."""
        return {"samples": str(load(model).about["samples"]), "size": f"{len(model) / 1000:.0f} kB"}


def _sample(page: LabelledPage) -> Learned | None:
    import numpy as np

    tree = parse(page.html, url=page.url)
    clues = gather(tree)
    sheet = lay_out(walk(tree.body), read_about(clues))
    texts = sheet.table.texts
    if not 0 < len(texts) <= MAX_JUDGED:
        return None
    words = np.asarray([len(tokens_of(text)) for text in texts], dtype=np.float64)
    gold = np.asarray(shares_in_gold(texts, page.text), dtype=np.float32)
    if (gold * words).sum() < MIN_FOUND * len(tokens_of(page.text)):
        return None
    judgement = judge_blocks(sheet)
    rows = np.frombuffer(rows_of(sheet, judgement.chances, array("f", judgement.rows), clues), dtype=np.float32)
    weights = np.sqrt(np.clip(words, 1, 200))
    weights *= 10 * np.sqrt(min(len(words), 100)) / weights.sum()
    return rows.reshape(len(texts), len(ANY)), gold, weights
