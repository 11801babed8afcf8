"""Train the choice of authors of Chinese pages, from pages that are labelled, read or written."""

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha1
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from thresher.extract.blocks import cut
from thresher.extract.fields.authors import is_cjk
from thresher.extract.fields.authors_cjk import CjkPage, candidates_of, credits_of, find_plain, find_rest
from thresher.extract.fields.authors_cjk import page_of as cjk_page_of
from thresher.extract.fields.clues import gather
from thresher.extract.fields.meta import find_site_name
from thresher.extract.fields.near import look_near
from thresher.extract.fields.title import find_title
from thresher.html import parse
from thresher.lab.author_sets import author_set
from thresher.lab.corpora import RECORDS
from thresher.lab.fields_gold import half_of
from thresher.lab.train.authors import Row, fit
from thresher.lab.train.signed_pages import Signed, can_be_set, page_of, read_frames, read_signed, set_into

LABELS = "read_authors.json"  # of pages labelled by reading: digests of those who may be named, by id
LABELLED = "immortal_zh"
FOLDS = 8
# How much a page counts.
REAL, WRITTEN, BUSY, SET = 2.0, 0.5, 0.4, 0.25
EITHER = 0.3  # times that, where it may name somebody or nobody
EMPTY = 1.5  # times that, where a real page names nobody, of which there are few
PLAIN = 0.3  # times that, where it plainly tells the author, so that nobody need be chosen
NOBODY = ""


class Lesson(NamedTuple):
    """A page, those who may be named as its authors, by their digests, and what it counts.

    `keys` are its site, and the way it is signed if it was written: pages that share one are never on both sides.
    """

    keys: tuple[str, ...]
    kind: str
    html: str
    url: str | None
    right: frozenset[str]
    weight: float


def digest(names: Iterable[str]) -> str:
    """Return what stands for a set of people in the file of labels; empty for nobody."""
    people = sorted(author_set(names))
    return sha1("|".join(people).encode(), usedforsecurity=False).hexdigest()[:12] if people else NOBODY


def lessons_of(corpora: Sequence[Path], folder: Path) -> Iterator[Lesson]:
    """Yield labelled pages of `dev`, pages labelled by reading, written pages, and ways to sign set into real pages."""
    real = list(_real(corpora))
    yield from real
    frames = read_frames(folder)
    ways: list[Signed] = []
    for _, signed in read_signed(folder):
        right = frozenset((digest(signed.names),))
        yield Lesson((signed.name,), "written", page_of(signed, frames), None, right, WRITTEN)
        if signed.language == "zh":
            yield Lesson((signed.name,), "busy", page_of(signed, frames, is_busy=True), None, right, BUSY)
            ways += [signed] if can_be_set(signed) else []
    for lesson in (each for each in real if NOBODY in each.right):
        page = cjk_page(lesson.html, lesson.url)
        if page is None or page.language or page.zone.first is None or page.zone.last is None:
            continue
        texts = page.near.texts
        for signed, whole in set_into(lesson.html, texts[page.zone.first], texts[page.zone.last], ways):
            right = frozenset((digest(signed.names),))
            yield Lesson((*lesson.keys, signed.name), "set", whole, lesson.url, right, SET)


def _real(corpora: Sequence[Path]) -> Iterator[Lesson]:
    labels: dict[str, list[str]] = json.loads(resources.files("thresher.lab.train").joinpath(LABELS).read_text("utf-8"))
    for record in _records(corpora):
        if record["dataset"] == LABELLED and half_of(record["site"]) == "dev":
            right, kind = frozenset((digest(record.get("authors") or ()),)), "dev"
        elif record["id"] in labels:
            right, kind = frozenset(labels[record["id"]]), "read"
        else:
            continue
        weight = REAL * (1.0 if NOBODY not in right else EITHER if len(right) > 1 else EMPTY)
        yield Lesson((record["site"],), kind, record["html"], record.get("url"), right, weight)


def _records(corpora: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for file in (file for path in corpora for file in ([path] if path.is_file() else sorted(path.rglob(RECORDS)))):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


class Case(NamedTuple):
    """A page as it is learned from and asked about: its row, whom it plainly tells, and whom where nobody is chosen."""

    lesson: Lesson
    row: Row
    plain: str | None
    rest: str


def case_of(lesson: Lesson) -> Case | None:
    """Return what is learned from a page; None where it is not Chinese, whose authors alone are chosen."""
    page = cjk_page(lesson.html, lesson.url)
    if page is None or page.language is not None:
        return None
    plain, held = find_plain(page, [])
    rest = None if plain else find_rest(page, held)
    candidates = candidates_of(page, list(credits_of(page)))
    marks = tuple(each.marks for each in candidates)
    right = tuple(digest(each.names) in lesson.right for each in candidates)
    weight = lesson.weight * (PLAIN if plain else 1.0)
    row = Row("|".join(lesson.keys), lesson.kind, weight, marks, right, NOBODY in lesson.right, True)
    return Case(lesson, row, digest(plain.names) if plain else None, digest(rest.names) if rest else NOBODY)


def cjk_page(markup: str, url: str | None) -> CjkPage | None:
    """Return a page as its authors are looked for; None where it is in a European language."""
    tree = parse(markup, url=url)
    clues = gather(tree)
    blocks = cut(tree.body, bare=True)
    site_name = find_site_name(clues)
    name = site_name.value if site_name else None
    title = find_title(tree, clues, name, blocks)
    near = look_near(blocks, title.value if title else "")
    return cjk_page_of(tree, clues, near, name) if is_cjk(near) else None


def cross_validate(cases: Sequence[Case]) -> dict[str, tuple[int, int]]:
    """Return for each kind of page how many are answered rightly by weights of others, and of how many.

    The others are pages of other sites and signed in other ways. Whom a page plainly tells counts, too.
    """
    found: dict[str, tuple[int, int]] = {}
    for fold in range(FOLDS):
        weights = fit([each.row for each in cases if all(_fold(key) != fold for key in each.lesson.keys)])
        for case in cases:
            if _fold(case.lesson.keys[-1]) == fold:
                kind = case.lesson.kind if any(case.lesson.right) else f"{case.lesson.kind}, nobody"
                right, count = found.get(kind, (0, 0))
                found[kind] = right + _is_right(case, weights), count + 1
    return found


def _is_right(case: Case, weights: dict[str, float]) -> bool:
    if case.plain is not None:
        return case.plain in case.lesson.right
    sums = [sum(weights.get(mark, 0.0) for mark in marks) for marks in case.row.marks]
    return case.row.right[sums.index(max(sums))] if sums and max(sums) > 0 else case.rest in case.lesson.right


def _fold(key: str) -> int:
    return sha1(f"fold {key}".encode(), usedforsecurity=False).digest()[0] % FOLDS
