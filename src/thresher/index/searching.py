"""Searching in SQL: pages of hits, totals and facets from the entries that a query selects, in any SQL index."""

import json
import logging
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from thresher.errors import UsageError
from thresher.index import cursor, histogram
from thresher.index.compiler import NEVER, SORTS, Selection, Statement, check_sort
from thresher.index.entry import unpacked
from thresher.index.nodes import Query
from thresher.index.snippet import Highlighter
from thresher.index.stems import Stems
from thresher.model import Bucket, Facets, Hit, HitPage

URLS_PER_QUERY = 500
FACETS = ("site", "source", "language", "author", "kind")
_KINDS: dict[str, type] = {"score": float, "day": float, "seen": float, "id": int}
_YEAR_ONE_S = 62_135_596_800  # seconds from the year 1 to 1970: with them added, times are positive
_HIT = """
    SELECT e.key, e.url, e.title, t.text, e.site, e.kind, e.language, e.published, e.authors
    FROM entries AS e JOIN entry_texts AS t ON t.id = e.id WHERE e.id = ?
"""
T = TypeVar("T")
log = logging.getLogger("thresher.index")


@dataclass(frozen=True, slots=True)
class Means:
    """What searching needs of a database, and where the dialects differ."""

    run: Callable[[Statement], Sequence[Any]]  # all rows
    select: Callable[[Query], Selection]
    reading: Callable[[], AbstractContextManager[object]]  # one state of the database, for a limited time
    stems: Stems
    whole: str  # the whole number below {0}
    authors: str  # what to join for `author`, one author a row
    blob: Callable[[Any], bytes] = bytes


class SqlSearch:
    """The part of an index that answers queries, over the tables entries, entry_texts and entry_sources."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def search(
        self,
        query: Query,
        *,
        limit: int = 20,
        offset: int = 0,
        sort: str = "relevance",
        after: str | None = None,
        passages: int = 1,
    ) -> HitPage:
        """Find documents in order, with highlighted passages."""
        if limit < 0 or offset < 0:
            raise UsageError("limit and offset are numbers from 0 up")
        check_sort(sort)
        place = cursor.read(after, sort, [_KINDS[column] for column in SORTS[sort]]) if after else None
        selection = self._means.select(query)
        wanted = min(limit, 2**31)
        page = selection.page(limit=wanted + 1, offset=min(offset, 2**62), sort=sort, after=place)
        with self._means.reading():
            rows = self._means.run(page)
            total = rows[0][5] if rows else self._means.run(selection.total())[0][0]
            highlighter = Highlighter(query, self._means.stems)
            hits = tuple(hit for row in rows[:wanted] if (hit := self._hit(row, highlighter, passages)))
        onward = cursor.written(sort, _place(rows[wanted - 1], sort)) if len(rows) > wanted > 0 else None
        return HitPage(hits, int(total), onward)

    def total(self, query: Query) -> int:
        """Count the documents that match, those of one text once."""
        selection = self._means.select(query)
        with self._means.reading():
            return int(self._means.run(selection.total())[0][0])

    def urls(self, query: Query) -> Iterator[str]:
        """The URLs of all documents that match, in the order in which they were first added, however many they are."""
        statement = self._means.select(query).ids()
        with self._means.reading():  # eight bytes a document: the text is what would not fit
            ids = array("q", (id for (id,) in self._means.run(statement)))
        for start in range(0, len(ids), URLS_PER_QUERY):
            chunk = ids[start : start + URLS_PER_QUERY]
            sql = f"SELECT url FROM entries WHERE id IN ({', '.join('?' * len(chunk))}) ORDER BY id"
            with self._means.reading():
                found = self._means.run(Statement(sql, tuple(chunk)))
            yield from (url for (url,) in found)

    def facets(self, query: Query, *, limit: int = 10, shift_s: int = 0, unit: str | None = None) -> Facets:
        """Count the documents that match by their values, and by when they were published."""
        selection = self._means.select(query)
        found = selection.select("e.id, e.site, e.language, e.kind, e.authors, e.published_at")
        with self._means.reading():
            rows = self._means.run(self._counting(found, limit))
            counts: dict[str, list[Bucket]] = {name: [] for name in FACETS}
            for name, value, count in rows:
                if name in counts and value:
                    counts[name].append(Bucket(str(value), int(count)))
            extent = {name: value for name, value, _ in rows if name not in FACETS}
            first, last = float(extent["first"] or 0), float(extent["last"] or 0)
            unit = unit or histogram.unit_for(last - first)
            dates = self._means.run(self._days(selection, unit, shift_s))
        undated = sum(int(count) for name, _, count in rows if name == "undated")
        ordered = {name: tuple(sorted(found, key=_by_count)) for name, found in counts.items()}
        return Facets(ordered, histogram.rolled_up(unit, dates), undated)

    def _counting(self, found: Statement, limit: int) -> Statement:
        plain = [
            f"SELECT * FROM (SELECT '{name}', {name}, count(*) AS n FROM found WHERE {name} IS NOT NULL "
            f"GROUP BY {name} ORDER BY n DESC, {name} LIMIT {limit}) AS {name}s"
            for name in ("site", "language", "kind")
        ]
        author = (
            f"SELECT * FROM (SELECT 'author', author, count(*) AS n FROM {self._means.authors} "
            f"GROUP BY author ORDER BY n DESC, author LIMIT {limit}) AS authors"
        )
        source = (
            "SELECT * FROM (SELECT 'source', source, count(*) AS n FROM found JOIN entry_sources USING (id) "
            f"GROUP BY source ORDER BY n DESC, source LIMIT {limit}) AS sources"
        )
        extent = [
            "SELECT 'first', CAST(min(published_at) AS TEXT), 0 FROM found",
            "SELECT 'last', CAST(max(published_at) AS TEXT), 0 FROM found",
            "SELECT 'undated', '', count(*) FROM found WHERE published_at IS NULL",
        ]
        sql = f"WITH found AS MATERIALIZED ({found.sql}) {' UNION ALL '.join([*plain, author, source, *extent])}"
        return Statement(sql, found.values)

    def _days(self, selection: Selection, unit: str, shift_s: int) -> Statement:
        step = histogram.step_s(unit)
        number = self._means.whole.format(f"(e.published_at + {_YEAR_ONE_S + shift_s}) / {step}")
        found = selection.select(f"{number} AS number, e.published_at AS day")
        sql = f"WITH found AS ({found.sql}) SELECT number, count(*) FROM found WHERE day IS NOT NULL GROUP BY number"
        return Statement(sql, found.values)

    def _hit(self, row: Sequence[Any], highlighter: Highlighter, passages: int) -> Hit | None:
        """Return what was found; None, with a warning, when it cannot be read any more."""
        id, score, _, seen, alike, _ = row
        found = self._means.run(Statement(_HIT, (id,)))
        whole = read_text(found[0][1], found[0][3]) if found else None
        if whole is None:
            return None
        key, url, title, _, site, kind, language, published, authors = found[0]
        return highlighter.hit(
            whole,
            passages,
            key=key,
            url=url,
            title=title,
            score=float(score or 0),
            site=site,
            kind=kind,
            language=language,
            published=_lenient(datetime.fromisoformat, published, None),
            authors=tuple(_lenient(json.loads, authors, ())),
            copies=int(alike) - 1,
            seen=datetime.fromtimestamp(seen, UTC),
        )


def read_text(what: str | None, text: Any) -> str | None:
    """Return a text that was packed; None, with a warning, when a damaged disk has changed it."""
    try:
        return unpacked(bytes(text or b""))
    except (zlib.error, ValueError, TypeError):
        log.warning("skipped the index entry of %s: it is damaged; `thresher index rebuild` repairs it", what)
        return None


def _place(row: Sequence[Any], sort: str) -> list[float | int]:
    values = {"id": int(row[0]), "score": float(row[1]), "day": float(row[2]), "seen": float(row[3])}
    return [values[column] for column in SORTS[sort]]


def _by_count(bucket: Bucket) -> tuple[int, str]:
    return -bucket.count, bucket.value


def _lenient(read: Callable[[str], T], text: str | None, otherwise: T) -> T:
    try:
        return read(text) if text else otherwise
    except ValueError:
        return otherwise


assert NEVER < -_YEAR_ONE_S, "what has no date sorts after everything that has one"
