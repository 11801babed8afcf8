"""Measure whether confidences mean what they say: of the answers that are called 90 % sure, are nine of ten right?"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from thresher.analysis.charts import Chart, Series, panels
from thresher.extraction.algorithms.thresher_any import choose_any
from thresher.extraction.confidence import ANY_TEXT, FIELDS, TEXT, Reading, Weights, article_sign, chance, signs_of
from thresher.extraction.contract import SIGNS
from thresher.extraction.extractor import read_tree
from thresher.extraction.fields.clues import gather
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.sheet import lay_out
from thresher.extraction.learned.walk import walk
from thresher.html import parse
from thresher.lab.fields_gold import Answer, grade
from thresher.lab.metrics.headline import title_of, without_headline
from thresher.lab.metrics.overlap import f1
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.lab.pages import LabelledPage
from thresher.lab.train.anypage import AnyPageTrainer
from thresher.lab.train.confidence import FOLDS, Sign, fit_weights, fold_models, fold_of
from thresher.model import Kind

RIGHT_F1 = 0.9  # of shingles, the headline removed, from which on a text counts as right
BORDERS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)  # of the confidences that are counted together
_GRADED = {"title": "title", "published": "date", "authors": "authors"}  # of a field, as the gold calls it


@dataclass(frozen=True, slots=True)
class Told:
    """One answer: of what, how sure it was called, and whether it is right."""

    field: str
    dataset: str
    confidence: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class Reliability:
    """How confidences of one field fit: shares over all answers, and (from, number, called, right) of each bin."""

    field: str
    answers: int
    right: float
    called: float
    error: float  # mean distance of the bins from what they are called, by number of answers
    brier: float
    bins: tuple[tuple[float, int, float, float], ...]


def article_signs(
    pages: Sequence[LabelledPage], gold: Mapping[str, Answer], models: Sequence[bytes] = ()
) -> Iterator[Sign]:
    """Yield what articles tell of their text and fields; `models` are those of the folds, none is the shipped one."""
    with tempfile.TemporaryDirectory(prefix="thresher-lab-") as folder:
        files = [Path(folder) / f"{number}.model" for number in range(len(models))]
        for file, model in zip(files, models, strict=True):
            file.write_bytes(model)
        for page in pages:
            model_file = str(files[fold_of(page.site)]) if files else None
            reading = read_tree(parse(page.html, url=page.url), model=model_file)
            yield from _signs(page, gold.get(page.id, Answer()), reading)


def _signs(page: LabelledPage, gold: Answer, reading: Reading) -> Iterator[Sign]:
    fields = reading.fields
    kind = fields["kind"]
    if not reading.content.blocks or (kind and kind.value is Kind.THREAD):
        return
    signs = signs_of(reading)
    text = "\n".join(block.text for block in reading.content.blocks)
    yield Sign(TEXT, page.site, page.dataset, signs[TEXT], is_right=_is_right(text, page))
    title, published, authors = (found.value if (found := fields[name]) else None for name in FIELDS)
    answer = Answer(title or "", published.date() if published else None, authors or ())
    grades = grade(answer, gold)
    for name in FIELDS:
        if name in signs and _GRADED[name] in grades:
            yield Sign(name, page.site, page.dataset, signs[name], is_right=grades[_GRADED[name]] == "right")


def other_signs(pages: Sequence[LabelledPage]) -> Iterator[Sign]:
    """Yield what pages of other kinds tell of their text, each by a forest that has not seen its site."""
    with tempfile.TemporaryDirectory(prefix="thresher-lab-") as folder:
        for fold in range(FOLDS):
            file = Path(folder) / f"{fold}.model"
            file.write_bytes(AnyPageTrainer().train([page for page in pages if fold_of(page.site) != fold]))
            for page in (page for page in pages if fold_of(page.site) == fold):
                tree = parse(page.html, url=page.url)
                clues = gather(tree)
                sheet = lay_out(walk(tree.body), read_about(clues))
                facts = choose_any(sheet, clues, favour="balance", model=str(file)).facts
                text = "\n".join(sheet.table.texts[place] for place in facts["own"][0])
                signs = facts[SIGNS] | article_sign(read_tree(tree).article)
                yield Sign(ANY_TEXT, page.site, page.dataset, signs, is_right=_is_right(text, page))


def _is_right(text: str, page: LabelledPage) -> bool:
    titles = (title_of(page.html), page.title)
    overlap = shingle_overlap(without_headline(text, *titles), without_headline(page.text, *titles))
    return f1(overlap.precision, overlap.recall) >= RIGHT_F1


def left_out(signs: Sequence[Sign]) -> Iterator[Told]:
    """Yield each answer with the confidence that weights give it which were fitted to the sites of other folds."""
    for fold in range(FOLDS):
        weights = fit_weights([sign for sign in signs if fold_of(sign.site) != fold])
        yield from told([sign for sign in signs if fold_of(sign.site) == fold], weights)


def told(signs: Sequence[Sign], weights: Mapping[str, Weights] | None = None) -> Iterator[Told]:
    """Yield each answer with the confidence that weights give it, those that are shipped where none are given."""
    for sign in signs:
        yield Told(sign.field, sign.dataset, chance(sign.field, sign.signs, weights), sign.is_right)


def reliability(answers: Sequence[Told]) -> Iterator[Reliability]:
    """Yield how the confidences of each field fit."""
    for field in dict.fromkeys(answer.field for answer in answers):
        of = [answer for answer in answers if answer.field == field]
        bins = []
        for low, high in pairwise(BORDERS):
            inside = [answer for answer in of if low <= answer.confidence < high]
            if inside:
                called, right = (fmean(float(value) for value in values) for values in _columns(inside))
                bins.append((low, len(inside), called, right))
        called, right = (fmean(float(value) for value in values) for values in _columns(of))
        error = sum(number * abs(said - was) for _, number, said, was in bins) / len(of)
        brier = fmean((answer.confidence - answer.is_right) ** 2 for answer in of)
        yield Reliability(field, len(of), right, called, error, brier, tuple(bins))


def _columns(answers: Sequence[Told]) -> tuple[list[float], list[bool]]:
    return [answer.confidence for answer in answers], [answer.is_right for answer in answers]


def diagram(rows: Sequence[Reliability], title: str) -> str:
    """Return an SVG: how often answers were right by how sure they were called; the dashed line is how it should be."""
    curves = [Series(row.field, tuple((called, right) for _, _, called, right in row.bins)) for row in rows]
    line = Series("as called", ((0.0, 0.0), (1.0, 1.0)), "line")
    return panels([Chart(title, "confidence", [*curves, line], y_label="share that is right")])


def fold_signs(pages: Sequence[LabelledPage], gold: Mapping[str, Answer]) -> list[Sign]:
    """Return the signs of articles by models that have not seen their sites."""
    return [*article_signs(pages, gold, fold_models(pages))]
