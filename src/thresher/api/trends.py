"""Rising terms of a corpus: counted by day in its store as documents come in, or for one query from what it finds.

    arrivals ──▶ terms of each document ──▶ counts by day and language (the store's states) ──▶ rising terms

Each document is read once, when it is new; a call counts what has come since the last one. A document belongs to the
day (UTC) of its publication date, one that claims the future to the day when it was seen. One without a date is left
out, and so are copies of a text that has come before. Several processes may count at a time: whoever comes second
finds the counts changed, and begins again.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

from thresher.analysis.rising import KINDS, Held, Rising, rising, strongest, terms_of
from thresher.analysis.words import Splitter
from thresher.api.stories import all_stop_words
from thresher.errors import BackendError
from thresher.model import Document, Kind
from thresher.store.contract import Arrival, Store

STATE = "trends"
VERSION = 1  # of what is kept; anything else is made anew from the documents
OVERLAP = timedelta(minutes=10)  # that is looked at again: other machines may have stored something late
KEPT_DAYS = 400  # of which counts are kept
BATCH = 2_500  # documents that are counted at a time
CHUNK = 100  # of them between looks at the clock
TRIES = 3  # when others count at the same time
# What is asked for by name: days of a period, and how many periods before it are the usual.
PERIODS = {"day": (1, 28), "week": (7, 4), "month": (30, 4)}

Counts = dict[str, Held]  # by language; "" for an unknown one


@dataclass(frozen=True, slots=True)
class Trends:
    """What rises in a period; `documents` are those of each period with a date, the last one last."""

    rising: tuple[Rising, ...]
    first: date  # days of the period, in UTC
    last: date
    starts: tuple[date, ...]  # of all periods, the oldest first
    documents: tuple[int, ...]
    complete: bool = True  # False: there was no time to count everything that has come


@dataclass(frozen=True, slots=True)
class Span:
    """Periods of some days that end with a day."""

    last: date
    days: int
    usual: int  # periods before the last one

    @property
    def starts(self) -> tuple[date, ...]:
        """The first day of each period, the oldest first."""
        return tuple(self.last - timedelta(days=(back + 1) * self.days - 1) for back in range(self.usual, -1, -1))

    def place(self, day: date) -> int | None:
        """Return the number of the period that a day is in, from 0; None for a day of none."""
        place = self.usual - (self.last - day).days // self.days
        return place if 0 <= place <= self.usual else None


class Reader:
    """Makes terms of documents."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._splitter = Splitter(or_pairs=True)
        self._stop_words = all_stop_words()

    def terms(self, document: Document) -> set[str]:
        """Return the terms of a document, of a thread those of its first posts."""
        text = document.text
        if document.kind is Kind.THREAD and document.url:
            posts = self._store.posts(document.url)
            text = "\n".join(post.text for post, _ in zip(posts, range(20), strict=False)) or text
        language, stop_words = document.language, self._stop_words.of(document.language)
        authors = document.authors
        return terms_of(document.title, text, language, authors, splitter=self._splitter, stop_words=stop_words)


def kept_trends(store: Store, span: Span, *, top: int, kinds: Iterable[str] = KINDS, language: str | None) -> Trends:
    """Return what rises in the whole corpus, or in one language, from the counts that the store keeps."""
    periods: list[Counts] = [defaultdict(Held) for _ in span.starts]
    state = store.state(STATE) or {}
    for day in map(date.fromisoformat, state["days"] if state.get("version") == VERSION else ()):
        place = span.place(day)
        for name, held in _day(store, day).items() if place is not None else ():
            if place is not None and language in (None, name):
                periods[place][name].merge(held)
    return _trends(periods, span, top, kinds)


def counted_trends(
    documents: Iterable[Document], reader: Reader, span: Span, *, top: int, kinds: Iterable[str] = KINDS
) -> Trends:
    """Return what rises in some documents, each of which is read."""
    periods: list[Counts] = [defaultdict(Held) for _ in span.starts]
    for document in documents:
        place = span.place(day_of(document.published)) if document.published else None
        if place is not None:
            periods[place][document.language or ""].add(reader.terms(document))
    return _trends(periods, span, top, kinds)


def _trends(periods: Sequence[Counts], span: Span, top: int, kinds: Iterable[str]) -> Trends:
    wanted = tuple(kinds)
    found: list[Rising] = []
    for language in {name for counts in periods for name in counts}:
        found += rising([counts[language] for counts in periods], language or None, top=top, kinds=wanted)
    documents = tuple(sum(held.documents for held in counts.values()) for counts in periods)
    return Trends(tuple(strongest(found)[:top]), span.starts[-1], span.last, span.starts, documents)


def day_of(moment: datetime) -> date:
    """Return the day of UTC that a moment is in; without a zone it is taken as UTC."""
    try:
        return (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    except OverflowError:  # the first and last hours of all time: pages say anything
        return moment.date()


def bring_up_to_date(store: Store, *, seconds: float | None = None) -> bool:
    """Count what has come since the last time; return False if `seconds` were not enough for all of it.

    What was counted until then is kept, and the next call goes on. Where the corpus can only be read, nothing is kept.
    """
    ends_at = None if seconds is None else time.monotonic() + seconds
    reader, tries = Reader(store), TRIES
    with suppress(BackendError):
        while tries:
            before = store.state(STATE)
            batch = _Batch(store, reader, before)
            more = batch.count(ends_at)
            if not batch.counted:
                return True
            if not store.swap_state(STATE, before, batch.states()):
                tries -= 1
            elif not more or (ends_at is not None and time.monotonic() >= ends_at):
                return not more
    return False


class _Batch:
    """Counts some of the documents that have come since the last time."""

    def __init__(self, store: Store, reader: Reader, before: Mapping[str, Any] | None) -> None:
        self.counted = 0  # documents that were looked at
        self._store = store
        self._reader = reader
        self._seen: datetime | None = None
        self._known: dict[str, datetime] = {}  # documents that are looked at again, and when they were first seen
        self._kept_days: set[str] = set()
        self._days: dict[date, Counts] = {}
        if before is not None and before.get("version") == VERSION:
            self._seen = datetime.fromisoformat(before["seen"])
            self._known = {key: datetime.fromisoformat(at) for key, at in before["known"].items()}
            self._kept_days = set(before["days"])

    def count(self, ends_at: float | None) -> bool:
        """Count documents in the order in which they came; return whether there are more."""
        arrivals = iter(self._store.arrivals(self._seen - OVERLAP if self._seen else None))
        fresh = (arrival for arrival in arrivals if arrival.key not in self._known)
        while chunk := list(islice(fresh, CHUNK)):
            self._add(chunk)
            if self.counted >= BATCH or (ends_at is not None and time.monotonic() >= ends_at):
                return next(fresh, None) is not None
        return False

    def states(self) -> dict[str, dict[str, Any] | None]:
        """Return what is to be kept, with None for what is to be forgotten."""
        assert self._seen is not None, "something was counted"
        oldest = _oldest(self._seen).isoformat()
        days = {day.isoformat() for day in self._days} | self._kept_days
        kept: dict[str, dict[str, Any] | None] = {_name(day): None for day in days if day < oldest}
        for day, counts in self._days.items():
            whole = _day(self._store, day) if day.isoformat() in self._kept_days else {}
            for language, held in counts.items():
                whole.setdefault(language, Held()).merge(held)
            kept[_name(day.isoformat())] = {
                name: {"documents": held.documents, "terms": dict(held.terms)} for name, held in whole.items()
            }
        known = {key: at.isoformat() for key, at in self._known.items() if at >= self._seen - OVERLAP}
        main = {"version": VERSION, "seen": self._seen.isoformat(), "known": known}
        return kept | {STATE: main | {"days": sorted(day for day in days if day >= oldest)}}

    def _add(self, chunk: Sequence[Arrival]) -> None:
        firsts = self._store.originals([arrival.key for arrival in chunk])
        for arrival in chunk:
            if firsts[arrival.key] == arrival.key:
                self._add_one(arrival)
            self._known[arrival.key] = arrival.first_seen
            self._seen = max(self._seen or arrival.first_seen, arrival.first_seen)
        self.counted += len(chunk)

    def _add_one(self, arrival: Arrival) -> None:
        day = min(day_of(arrival.published), arrival.first_seen.date()) if arrival.published else None
        if day is None or not arrival.url or day < _oldest(arrival.first_seen):
            return
        document = self._store.document(arrival.url, posts=False)
        if document:
            counts = self._days.setdefault(day, defaultdict(Held))
            counts[document.language or ""].add(self._reader.terms(document))


def _oldest(seen: datetime) -> date:
    """Return the first day of which counts are kept."""
    return seen.date() - timedelta(days=KEPT_DAYS - 1)


def _name(day: str) -> str:
    return f"{STATE} {day}"


def _day(store: Store, day: date) -> Counts:
    """Return what was counted of a day."""
    state = store.state(_name(day.isoformat())) or {}
    return {name: Held(held["documents"], Counter(held["terms"])) for name, held in state.items()}
