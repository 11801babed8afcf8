"""What training on labelled pages is worth: each extracted as now, and by a model that has not seen its site."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from thresher.errors import ThresherError, UsageError
from thresher.lab import ours
from thresher.lab.metrics.overlap import f1
from thresher.lab.metrics.registry import METRICS
from thresher.lab.pages import Found, LabelledPage
from thresher.lab.training import Trainer

FOLDS = 5  # trainings besides the one whose model is kept


@dataclass(frozen=True, slots=True)
class Worth:
    """F1 of the text of one page: with the model that is shipped, and with a new one; None where there is none."""

    page: LabelledPage
    before: float
    after: float | None


def compare(
    algorithm: str, trainer: Trainer, labelled: Sequence[LabelledPage], others: Sequence[LabelledPage] = ()
) -> list[Worth]:
    """Return what training is worth on each labelled page; `others` are learned from as well.

    Sites are left out in turn, so no page is judged by a model that has learned from its site. Where all pages are of
    one site, or the rest holds too little to learn from, there is no figure.
    """
    after: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        for number, (learned, judged) in enumerate(_folds(labelled)):
            model = Path(folder) / f"{number}.model"
            try:
                model.write_bytes(trainer.train([*others, *learned]))
            except UsageError:  # too little to learn from without this site
                continue
            after |= {page.id: _score(algorithm, page, {"model": str(model)}) for page in judged}
    return [Worth(page, _score(algorithm, page, {}), after.get(page.id)) for page in labelled]


def _folds(pages: Sequence[LabelledPage]) -> Iterator[tuple[list[LabelledPage], list[LabelledPage]]]:
    """Yield pages to learn from and pages to judge, a part of the sites left out each time."""
    sites = sorted({page.site for page in pages})
    for fold in range(min(FOLDS, len(sites))):
        left_out = set(sites[fold::FOLDS])
        learned = [page for page in pages if page.site not in left_out]
        if learned:
            yield learned, [page for page in pages if page.site in left_out]


def _score(algorithm: str, page: LabelledPage, parameters: Mapping[str, str]) -> float:
    try:
        found = ours.extract(algorithm, page.html, page.url, parameters)
    except ThresherError:
        found = Found("")
    overlap = METRICS["shingles"].measure(found, page)
    return f1(overlap.precision, overlap.recall)
