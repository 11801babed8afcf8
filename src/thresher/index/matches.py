"""Matches: the documents that a query selects in the embedded index, counted and put in order by their columns.

To join each of a hundred thousand matches with its row takes SQLite longer than to find them. So only their ids are
read, and what is asked of all of them comes from columns (index/columns.py).
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import compress
from typing import Any

from thresher.index import histogram
from thresher.index.columns import Column
from thresher.index.compiler import NEVER, ORIGIN, SORTS, Statement
from thresher.index.contract import Labels
from thresher.index.fts5 import RANKED
from thresher.index.nodes import Everything, Labelled, Query
from thresher.model import Bucket, Facets

Read = Callable[[Iterable[str], Sequence[int]], Mapping[str, Column]]
Scores = Callable[[Sequence[int]], Iterable[tuple[int, float]]]
Values = Callable[[Sequence[int]], Mapping[int, str]]
Row = tuple[int, float, float, float, int]  # id, score, day, seen, documents with that text
Place = tuple[Any, ...]

_YEAR_ONE_S = 62_135_596_800  # seconds from the year 1 to 1970: with them added, times are positive
_SORTED_BY = {"score": "0.0", "day": f"coalesce(e.published_at, {NEVER})", "seen": "e.seen_at", "id": "e.id"}
FACETS = ("site", "source", "language", "author", "kind")


class Matches:
    """Ids of entries, in order."""

    def __init__(self, ids: Sequence[int], read: Read) -> None:
        self._ids, self._read = ids, read

    def total(self) -> int:
        """Count them, those of one text once."""
        return len(self._ids) - len(self._others)

    def page(self, sort: str, place: Place | None, wanted: int, scores: Scores) -> list[Row]:
        """Return the first of them in an order, each of another text, or those behind a place in it."""
        ids = self._singles
        days, seen = self._columns["published"].__getitem__, self._columns["seen"].__getitem__
        if sort == "seen":
            found = [(at, id) for at, id in _best(zip(map(seen, ids), ids, strict=True), place, wanted)]
            keys = [(0.0, days(id), at, id) for at, id in found]
        elif sort == "date":
            dated = zip(map(days, ids), map(seen, ids), ids, strict=True)
            keys = [(0.0, *key) for key in _best(dated, place, wanted)]
        else:
            ranked = self._ranked(ids, place, wanted, scores, days)
            keys = [(score, day, seen(id), id) for score, day, id in ranked]
        return [(id, score, day, at, self._alike.get(id, 1)) for score, day, at, id in keys]

    def _ranked(
        self, ids: Sequence[int], place: Place | None, wanted: int, scores: Scores, days: Callable[[int], float]
    ) -> list[Place]:
        """Return (score, day, id) of the best; only the last RANKED have a score above nothing."""
        window, rest = ids[-RANKED:], ids[:-RANKED]
        known = dict(scores(window))
        best = _best(((known.get(id, 0.0), days(id), id) for id in window), place, wanted)
        if len(best) == wanted or not rest:
            return best
        others = zip((0.0 for _ in rest), map(days, rest), rest, strict=True)
        return sorted([*best, *_best(others, place, wanted)], reverse=True)[:wanted]

    @cached_property
    def _columns(self) -> Mapping[str, Column]:
        return self._read(("published", "seen", "twin"), self._ids)

    @cached_property
    def _singles(self) -> Sequence[int]:
        others = self._others
        return [id for id in self._ids if id not in others] if others else self._ids

    @cached_property
    def _others(self) -> set[int]:
        """Return those that another stands for."""
        return {id for group in self._groups for id in group[1:]}

    @cached_property
    def _alike(self) -> dict[int, int]:
        return {group[0]: len(group) for group in self._groups}

    @cached_property
    def _groups(self) -> list[list[int]]:
        """Return the ids of those that have one text, the first that was published in front."""
        twin = self._columns["twin"].__getitem__
        twinned = list(compress(self._ids, map(twin, self._ids)))
        groups: dict[int, list[int]] = {}
        for id in twinned:
            groups.setdefault(twin(id), []).append(id)
        found = [group for group in groups.values() if len(group) > 1]
        days, seen = self._columns["published"], self._columns["seen"]

        def origin(id: int) -> tuple[float, float, int]:
            day, at = days[id], seen[id]
            return (day if NEVER < day < at else at), at, id

        for group in found:
            group.sort(key=origin)
        return found

    def facets(self, values: Values, labels: Labels, *, limit: int, shift_s: int, unit: str | None) -> Facets:
        """Count them by their most frequent values, and by when they were published."""
        ids = self._ids
        if not limit:  # nobody asks for values
            published = self._read(("published",), ids)["published"]
            return self._over_time(published, dict.fromkeys((*FACETS, *labels), ()), shift_s, unit)
        columns = self._read(("profile", "authors", "published"), ids)
        profiles, authors = (Counter(map(columns[name].__getitem__, ids)) for name in ("profile", "authors"))
        meaning = values([*profiles, *authors])
        told: dict[str, Counter[str]] = {name: Counter() for name in (*FACETS, *labels)}
        for number, count in profiles.items():
            site, language, kind, sources = json.loads(meaning[number])
            _add(told["site"], [site], count)
            _add(told["language"], [language], count)
            _add(told["kind"], [kind], count)
            _add(told["source"], sources, count)
            for facet, meant in labels.items():
                held = [label for label, known in meant.items() if not set(sources).isdisjoint(known)]
                _add(told[facet], held, count)
        for number, count in authors.items():
            names = meaning[number]
            _add(told["author"], set(json.loads(names)) if names != "[]" else (), count)
        counts = {name: most_frequent(found, limit) for name, found in told.items()}
        return self._over_time(columns["published"], counts, shift_s, unit)

    def _over_time(
        self, published: Column, counts: Mapping[str, tuple[Bucket, ...]], shift_s: int, unit: str | None
    ) -> Facets:
        dated = [day for day in map(published.__getitem__, self._ids) if day > NEVER]
        unit = unit or histogram.unit_for(max(dated) - min(dated) if dated else 0)
        step, ahead = histogram.step_s(unit), _YEAR_ONE_S + shift_s
        days = Counter([(day + ahead) // step for day in dated])
        dates = histogram.rolled_up(unit, ((int(number), count) for number, count in days.items()))
        return Facets(counts, dates, len(self._ids) - len(dated))


@dataclass(frozen=True, slots=True)
class Listing:
    """All documents, or those of one run: they are read off an index in order, however many there are."""

    run: int | None

    @classmethod
    def of(cls, query: Query) -> "Listing | None":
        """Return the listing that a query asks for; None for any other query."""
        if isinstance(query.root, Everything):
            return cls(None)
        if isinstance(query.root, Labelled) and query.root.field == "run":
            return cls(int(query.root.value))
        return None

    def page(self, sort: str, place: Sequence[Any] | None, *, limit: int, offset: int) -> Statement:
        """Return what selects (id, score, day, seen, alike) of some of them, each of another text."""
        names = SORTS[sort]
        columns = [_SORTED_BY[name] for name in names]
        origins = [f"({ORIGIN.format(name)}, {name}.seen_at, {name}.id)" for name in "oe"]
        others = f"FROM entries AS o WHERE o.text_hash = e.text_hash{self._within('o')}"
        is_copy = f"e.twinned = 1 AND EXISTS (SELECT 1 {others} AND {origins[0]} < {origins[1]})"
        alike = f"CASE WHEN e.twinned = 1 THEN max((SELECT count(*) {others}), 1) ELSE 1 END"
        beyond = f" AND ({', '.join(columns)}) < ({', '.join('?' * len(columns))})" if place else ""
        # What has no date is NULL, which comes last; the plain columns can be read off an index.
        plain = {**_SORTED_BY, "day": "e.published_at"}
        order = ", ".join(f"{plain[name]} DESC" for name in names if name != "score")
        sql = f"""
            SELECT e.id, 0.0, {_SORTED_BY["day"]}, e.seen_at, {alike} FROM entries AS e
            WHERE NOT ({is_copy}){self._within("e")}{beyond} ORDER BY {order} LIMIT ? OFFSET ?
        """
        return Statement(sql, (*self._values * 3, *(place or ()), limit, offset))

    def total(self) -> Statement:
        """Return what counts them, those of one text once; copies have a small index of their own."""
        sql = f"""
            SELECT (SELECT count(*) FROM entries AS e WHERE TRUE{self._within("e")}) - (
                SELECT count(*) - count(DISTINCT e.text_hash) FROM entries AS e INDEXED BY entries_by_twin
                WHERE e.twinned = 1 AND e.text_hash IS NOT NULL{self._within("e")}
            )
        """
        return Statement(sql, self._values * 2)

    @property
    def _values(self) -> tuple[int, ...]:
        return () if self.run is None else (self.run,)

    def _within(self, table: str) -> str:
        return "" if self.run is None else f" AND {table}.run = ?"


def most_frequent(counts: Mapping[str, int], limit: int) -> tuple[Bucket, ...]:
    """Return the most frequent values, those of one frequency in their order."""
    found = [(-count, value) for value, count in counts.items() if value and count]
    return tuple(Bucket(value, -count) for count, value in sorted(found)[:limit])


def _best(keys: Iterable[Place], place: Place | None, wanted: int) -> list[Place]:
    return nlargest(wanted, _behind(keys, place) if place else keys)


def _behind(keys: Iterable[Place], place: Place) -> Iterator[Place]:
    return (key for key in keys if key < place)


def _add(counts: Counter[str], values: Iterable[str | None], count: int) -> None:
    for value in values:
        if value:
            counts[value] += count
