"""Run finders of fields over labelled pages and say which share of the answers is right, by dataset and language."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from lxml import etree

from thresher.extraction.blocks import cut
from thresher.extraction.fields.all_fields import find_fields
from thresher.extraction.fields.clues import gather
from thresher.html import parse
from thresher.lab.fields_finders import FINDERS, FINDS
from thresher.lab.fields_gold import FIELDS, Answer, GoldFields, Grade, grade
from thresher.lab.job import FAULTS

TEXT_BLOCKS = 100  # of the page that tell its language, as in the extractor
MACRO = "macro"  # the mean over the datasets
_WARM_UP = "<html><head><title>A page</title></head><body><p>To load what is needed once.</p></body></html>"


@dataclass(frozen=True, slots=True)
class Graded:
    """One finder on one page."""

    page: str
    dataset: str
    site: str
    language: str
    finder: str
    cpu_s: float
    error: str
    found: Answer
    grades: Mapping[str, Grade]


@dataclass(frozen=True, slots=True)
class Share:
    """How one finder did at one field over a group of pages: the shares of right, wrong and missing answers."""

    group: str
    field: str
    finder: str
    pages: int
    right: float
    wrong: float
    missing: float


class _Line(NamedTuple):
    """A block as the extractor hands it to fields: its text and shape, ready to be read."""

    text: str
    tag: str


def run(
    pages: Iterable[GoldFields], finders: Sequence[str], heard: Callable[[Graded], None] | None = None
) -> list[Graded]:
    """Return each finder's graded answer on each page; what raises counts as an empty answer."""
    for name in finders:
        _answer(name, GoldFields("", "", "", "en", _WARM_UP, None, Answer()))
    graded = []
    for page in pages:
        for name in finders:
            graded.append(_answer(name, page))
            if heard:
                heard(graded[-1])
    return graded


def _answer(finder: str, page: GoldFields) -> Graded:
    found, error = Answer(), ""
    started_s = time.thread_time()
    try:
        found = FINDERS[finder](page.html, page.url, page.language)
    except FAULTS as fault:
        error = f"{type(fault).__name__}: {fault}"[:200]
    cpu_s = time.thread_time() - started_s
    grades = grade(found, page.gold)
    kept = {field: grades[field] for field in FINDS.get(finder, FIELDS) if field in grades}
    return Graded(page.id, page.dataset, page.site, page.language, finder, cpu_s, error, found, kept)


def shares(graded: Sequence[Graded], by: Callable[[Graded], str]) -> list[Share]:
    """Return the shares of each group, field and finder in alphabetical order of groups, finders as they came."""
    groups: dict[tuple[str, str, str], list[Grade]] = {}
    for each in graded:
        for field, value in each.grades.items():
            groups.setdefault((by(each), field, each.finder), []).append(value)
    return [_share(key, grades) for key, grades in sorted(groups.items(), key=lambda item: item[0][0])]


def _share(key: tuple[str, str, str], grades: Sequence[Grade]) -> Share:
    right, wrong, missing = (grades.count(value) / len(grades) for value in ("right", "wrong", "missing"))
    return Share(*key, pages=len(grades), right=right, wrong=wrong, missing=missing)


def macro(rows: Sequence[Share]) -> Iterator[Share]:
    """Yield the plain means over the groups, one for each field and finder."""
    for field, finder in dict.fromkeys((row.field, row.finder) for row in rows):
        of = [row for row in rows if (row.field, row.finder) == (field, finder)]
        right, wrong, missing = (fmean(getattr(row, name) for row in of) for name in ("right", "wrong", "missing"))
        yield Share(MACRO, field, finder, sum(row.pages for row in of), right, wrong, missing)


def field_times(pages: Iterable[GoldFields]) -> tuple[float, float]:
    """Return the mean CPU seconds per page of the bare parser, and of all fields on the page it gives."""
    parse_s, fields_s = [], []
    for page in pages:
        parse_s.append(_parser_s(page.html))
        tree = parse(page.html, url=page.url)
        lines = [_Line(block.text, block.tag) for block in cut(tree.body, bare=True)]
        text = "\n".join(line.text for line in lines[:TEXT_BLOCKS])
        started_s = time.thread_time()
        find_fields(tree, gather(tree), lines, text=text, fetched_at=None)
        fields_s.append(time.thread_time() - started_s)
    return fmean(parse_s), fmean(fields_s)


def _parser_s(html: str) -> float:
    markup = html.encode("utf-8", "replace")
    started_s = time.thread_time()
    etree.fromstring(markup, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    return time.thread_time() - started_s
