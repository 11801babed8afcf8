"""Searching in SQL: pages of hits, totals and facets from the entries that a query selects, in any SQL index."""

import json
import logging
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from thresher.errors import UsageError
from thresher.index import cursor, histogram
from thresher.index.compiler import NEVER, SORTS, Selection, Statement, check_sort
from thresher.index.contract import NO_LABELS, Labels, Waiting
from thresher.index.entry import unpacked
from thresher.index.matches import FACETS
from thresher.index.nodes import Query
from thresher.index.snippet import Highlighter, Standing
from thresher.index.stems import Stems
from thresher.model import Bucket, Facets, FoundPost, Hit, HitPage

URLS_PER_QUERY = 500
_KINDS: dict[str, type] = {"score": float, "day": float, "seen": float, "id": int}
_YEAR_ONE_S = 62_135_596_800  # seconds from the year 1 to 1970: with them added, times are positive
_HIT = """
    SELECT e.key, e.url, e.title, t.text, e.site, e.kind, e.language, e.published, e.authors
    FROM entries AS e JOIN entry_texts AS t ON t.id = e.id WHERE e.id = ?
"""
_POSTS = "SELECT start, stop, position, author, published, permalink FROM entry_posts WHERE entry = ? ORDER BY start"
_POST = """
    SELECT e.id, e.key, e.url, e.title, e.site, e.language, p.name, p.start, p.stop, p.position, p.author, p.published,
        p.permalink
    FROM entry_posts AS p JOIN entries AS e ON e.id = p.entry WHERE p.id = ?
"""
_TEXT = "SELECT text FROM entry_texts WHERE id = ?"
T = TypeVar("T")
_moment = datetime.fromisoformat
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

    is_deferred = False

    def __init__(self, means: Means) -> None:
        self._means = means

    def waiting(self) -> Waiting:
        """Nothing waits: what was added can be found at once."""
        return Waiting()

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
        wanted = min(limit, 2**31)
        with self._means.reading():
            rows, total = self._rows(query, sort, place, limit=wanted + 1, offset=min(offset, 2**62))
            found = self._hits(query, rows[:wanted], passages)
            hits = tuple(hit for hit in found if hit)
        onward = cursor.written(sort, _place(rows[wanted - 1], sort)) if len(rows) > wanted > 0 else None
        return HitPage(hits, total, onward)

    def total(self, query: Query) -> int:
        """Count the documents that match, those of one text once."""
        with self._means.reading():
            return self._total(query)

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

    def facets(
        self,
        query: Query,
        *,
        limit: int = 10,
        shift_s: int = 0,
        unit: str | None = None,
        labels: Labels = NO_LABELS,
    ) -> Facets:
        """Count the documents that match by their values, and by when they were published."""
        with self._means.reading():
            return self._facets(query, labels, limit=limit, shift_s=shift_s, unit=unit)

    def _rows(
        self, query: Query, sort: str, place: Sequence[Any] | None, *, limit: int, offset: int
    ) -> tuple[Sequence[Sequence[Any]], int]:
        """Return (id, score, day, seen, alike) of some hits in order, and how many there are in all."""
        selection = self._means.select(query)
        page = selection.page(limit=limit, offset=offset, sort=sort, after=tuple(place) if place else None)
        rows = self._means.run(page)
        return rows, int(rows[0][5] if rows else self._total(query))

    def _total(self, query: Query) -> int:
        return int(self._means.run(self._means.select(query).total())[0][0])

    def _facets(self, query: Query, labels: Labels, *, limit: int, shift_s: int, unit: str | None) -> Facets:
        counts: dict[str, list[Bucket]] = {name: [] for name in (*FACETS, *labels)}
        selection = self._means.select(query)
        rows = self._means.run(self._counting(selection, labels, limit=limit, shift_s=shift_s, unit=unit))
        for name, value, count in rows:
            if name in counts and value and count:
                counts[name].append(Bucket(str(value), int(count)))
        told = {name: value for name, value, _ in rows if name not in counts}
        unit = unit or histogram.unit_for(float(told["last"] or 0) - float(told["first"] or 0))
        dates = [(int(value), int(count)) for name, value, count in rows if name == "number"]
        undated = sum(int(count) for name, _, count in rows if name == "undated")
        ordered = {name: tuple(sorted(found, key=_by_count)[:limit]) for name, found in counts.items()}
        return Facets(ordered, histogram.rolled_up(unit, dates, int(told["step"])), undated)

    def _counting(
        self, selection: Selection, labels: Labels, *, limit: int, shift_s: int, unit: str | None
    ) -> Statement:
        """Return what counts everything at once: to find the matches takes most of the time."""
        of = selection.subject
        authors = of.authors or "e.authors"
        found = selection.select(f"e.id, e.site, e.language, e.kind, {authors} AS authors, {of.published} AS day")
        plain = [
            f"SELECT * FROM (SELECT '{name}', {name}, count(*) AS n FROM found WHERE {name} IS NOT NULL "
            f"GROUP BY {name} ORDER BY n DESC, {name} LIMIT {limit}) AS {name}s"
            for name in ("site", "language", "kind")
        ]
        named = f"{self._means.authors}" if not of.authors else "(SELECT authors AS author FROM found) AS named"
        author = (
            f"SELECT * FROM (SELECT 'author', author, count(*) AS n FROM {named} WHERE author <> '' "
            f"GROUP BY author ORDER BY n DESC, author LIMIT {limit}) AS authors"
        )
        source = (
            "SELECT * FROM (SELECT 'source', source, count(*) AS n FROM found JOIN entry_sources USING (id) "
            f"GROUP BY source ORDER BY n DESC, source LIMIT {limit}) AS sources"
        )
        labelled = [_labelled(facet, label, known) for facet, meant in labels.items() for label, known in meant.items()]
        number = self._means.whole.format(f"(day + {_YEAR_ONE_S + shift_s}) / step")
        over_time = [
            "SELECT 'first', CAST(min(day) AS TEXT), 0 FROM found",
            "SELECT 'last', CAST(max(day) AS TEXT), 0 FROM found",
            "SELECT 'undated', '', count(*) FROM found WHERE day IS NULL",
            "SELECT 'step', CAST(step AS TEXT), 0 FROM steps",
            f"SELECT 'number', CAST(number AS TEXT), count(*) FROM (SELECT {number} AS number FROM found, steps "
            "WHERE day IS NOT NULL) AS numbers GROUP BY number",
        ]
        parts = " UNION ALL ".join([*plain, author, source, *over_time, *(part.sql for part in labelled)])
        values = tuple(value for part in labelled for value in part.values)
        sql = f"WITH found AS MATERIALIZED ({found.sql}), steps AS MATERIALIZED ({_step(unit)}) {parts}"
        return Statement(sql, (*found.values, *values))

    def _hits(self, query: Query, rows: Iterable[Sequence[Any]], passages: int) -> Iterator[Hit | None]:
        highlighter = Highlighter(query, self._means.stems)
        if not query.of_posts:
            yield from (self._hit(row, highlighter, passages) for row in rows)
            return
        texts: dict[int, str | None] = {}  # of documents, whose posts often are hits together
        yield from (self._post_hit(row, highlighter, passages, texts) for row in rows)

    def _hit(self, row: Sequence[Any], highlighter: Highlighter, passages: int) -> Hit | None:
        """Return what was found; None, with a warning, when it cannot be read any more."""
        id, score, _, seen, alike = row[:5]
        found = self._means.run(Statement(_HIT, (id,)))
        whole = read_text(found[0][1], found[0][3]) if found else None
        if whole is None:
            return None
        key, url, title, _, site, kind, language, published, authors = found[0]
        posts, post_count = highlighter.posts(whole, self._standing(id, url))
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
            published=_lenient(_moment, published, None),
            authors=tuple(_lenient(json.loads, authors, ())),
            copies=int(alike) - 1,
            seen=datetime.fromtimestamp(seen, UTC),
            posts=posts,
            post_count=post_count,
        )

    def _standing(self, id: int, url: str) -> list[Standing]:
        """Return the posts of a document, and where in its text they stand."""
        rows = self._means.run(Statement(_POSTS, (id,)))
        return [
            Standing(start, stop, FoundPost(position, author or None, _lenient(_moment, published, None), link or url))
            for start, stop, position, author, published, link in rows
        ]

    def _post_hit(
        self, row: Sequence[Any], highlighter: Highlighter, passages: int, texts: dict[int, str | None]
    ) -> Hit | None:
        """Return the post that was found; None, with a warning, when it cannot be read any more."""
        id, score, _, seen = row[:4]
        found = self._means.run(Statement(_POST, (id,)))
        if not found:
            return None
        entry, key, url, title, site, language, name, start, stop, position, author, published, link = found[0]
        if entry not in texts:
            packed = self._means.run(Statement(_TEXT, (entry,)))
            texts[entry] = read_text(url, packed[0][0]) if packed else None
        whole = texts[entry]
        if whole is None:
            return None
        return highlighter.hit(
            whole[start:stop],
            passages,
            key=f"{key}#{name}",
            url=link or url,
            title=title,
            score=float(score or 0),
            site=site,
            kind="post",
            language=language,
            published=_lenient(_moment, published, None),
            authors=(author,) if author else (),
            seen=datetime.fromtimestamp(seen, UTC),
            document_url=url,
            position=position,
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


def _step(unit: str | None) -> str:
    """Return what selects the seconds in which matches are counted: of a unit, or else by the period that they span."""
    if unit:
        return f"SELECT {histogram.step_s(unit)} AS step"
    is_long = f"max(day) - min(day) > {histogram.LONGEST_S['hour']}"
    return f"SELECT CASE WHEN {is_long} THEN {histogram.DAY_S} ELSE {histogram.HOUR_S} END AS step FROM found"


def _labelled(facet: str, label: str, known: Sequence[str]) -> Statement:
    """Return what counts the documents that any of some sources brought."""
    marks = ", ".join("?" * len(known)) or "NULL"
    within = f"SELECT id FROM entry_sources WHERE source IN ({marks})"
    sql = f"SELECT CAST(? AS TEXT), CAST(? AS TEXT), count(*) FROM found WHERE id IN ({within})"
    return Statement(sql, (facet, label, *known))


def _by_count(bucket: Bucket) -> tuple[int, str]:
    return -bucket.count, bucket.value


def _lenient(read: Callable[[str], T], text: str | None, otherwise: T) -> T:
    try:
        return read(text) if text else otherwise
    except ValueError:
        return otherwise


assert NEVER < -_YEAR_ONE_S, "what has no date sorts after everything that has one"
