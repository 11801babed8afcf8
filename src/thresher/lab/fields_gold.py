"""GoldFields: pages whose title, day and authors are labelled, and how an answer is graded against them."""

import gzip
import heapq
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha1
from pathlib import Path
from typing import Any, Literal

from thresher.errors import UsageError
from thresher.lab.author_sets import author_set, normalised
from thresher.lab.corpora import RECORDS

Grade = Literal["right", "wrong", "missing"]
AS_WRITTEN = "authors as written"  # the stricter measure: each string by itself
FIELDS = ("title", "date", "authors", AS_WRITTEN)
HALVES = ("dev", "test")
_DAY = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page's title, day of publication and authors are, as labelled or as found; empty where unknown."""

    title: str = ""
    day: date | None = None
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldFields:
    """A page and its labelled fields."""

    id: str
    dataset: str
    site: str
    language: str
    html: str
    url: str | None
    gold: Answer


def load_gold(paths: Iterable[Path], datasets: Collection[str] = (), half: str | None = None) -> Iterator[GoldFields]:
    """Yield the pages of files or folders that have a labelled field, of one half of the sites where that is named.

    Raise UsageError for what cannot be read.
    """
    for path in paths:
        files = [path] if path.is_file() else sorted(path.rglob(RECORDS))
        if not files:
            raise UsageError(f"{path}: holds no {RECORDS} file of labelled pages")
        for page in (page for file in files for page in _records(file)):
            named = not datasets or page.dataset in datasets
            if named and page.gold != Answer() and half in (None, half_of(page.site)):
                yield page


def half_of(site: str) -> str:
    """Say in which half of the sites one is: `dev`, on which rules are made, or `test`, on which they are scored."""
    return HALVES[sha1(site.encode(), usedforsecurity=False).digest()[0] % 2]


def sample(pages: Iterable[GoldFields], limit: int) -> list[GoldFields]:
    """Return `limit` pages of each dataset, always the same ones: those of lowest id hash."""
    by_dataset: dict[str, list[GoldFields]] = {}
    for page in pages:
        by_dataset.setdefault(page.dataset, []).append(page)
    return [page for group in by_dataset.values() for page in heapq.nsmallest(limit, group, key=_rank)]


def _rank(page: GoldFields) -> bytes:
    return sha1(page.id.encode(), usedforsecurity=False).digest()


def grade(found: Answer, gold: Answer) -> dict[str, Grade]:
    """Grade each field that has gold: titles exactly once `normalised`, dates by day, authors as sets.

    Authors are compared as the people that they name and, more strictly, as the strings in which they are written.
    """
    grades: dict[str, Grade] = {}
    if gold.title:
        grades["title"] = _grade(normalised(found.title), normalised(gold.title))
    if gold.day:
        grades["date"] = _grade(found.day, gold.day)
    if gold.authors:
        grades["authors"] = _grade(author_set(found.authors), author_set(gold.authors))
        as_written = (frozenset(map(normalised, authors)) for authors in (found.authors, gold.authors))
        grades[AS_WRITTEN] = _grade(*as_written)
    return grades


def _grade(found: object, gold: object) -> Grade:
    if found == gold:
        return "right"
    return "wrong" if found else "missing"


def _records(file: Path) -> Iterator[GoldFields]:
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield _page(json.loads(line))
    except (EOFError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{file}: no labelled pages: {type(error).__name__} {error}") from error


def _page(record: dict[str, Any]) -> GoldFields:
    return GoldFields(
        id=record["id"],
        dataset=record.get("dataset") or "",
        site=record.get("site") or "",
        language=record.get("lang") or "",
        html=record["html"],
        url=record.get("url") or None,
        gold=Answer(
            title=record.get("title") or "",
            day=day_of(record.get("date") or ""),
            authors=tuple(name for name in record.get("authors") or () if name.strip()),
        ),
    )


def day_of(text: str) -> date | None:
    """Return the day as it is written, whatever the zone; None where no day is told."""
    match = _DAY.match(text.strip())
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None
