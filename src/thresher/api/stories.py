"""The stories of a corpus: kept in its store, and brought up to date with what has come since the last time."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any

from thresher.analysis.stories import Report, Stories, Words
from thresher.analysis.words import Splitter, StopWords
from thresher.errors import BackendError
from thresher.extraction.stopwords import ANYWHERE
from thresher.extraction.words import STOP_WORDS
from thresher.model import Kind
from thresher.store.contract import Arrival, Store
from thresher.urls import site_of

STATE = "stories"
VERSION = 1  # of what is kept; anything else is made anew from the documents
OVERLAP = timedelta(minutes=10)  # that is looked at again: other machines may have stored something late


@dataclass(frozen=True, slots=True)
class Reading:
    """The stories of what has been read so far, and how much of what has come is not read yet."""

    stories: Stories
    read: int  # of `total`
    total: int  # documents that had come since the last time


def up_to_date(store: Store) -> Stories:
    """Return the stories of all articles; where the corpus can only be read, they are not kept for the next time."""
    begun = "until" in (store.state(STATE) or {})
    reading = read_on(store)
    return read_on(store).stories if begun else reading.stories  # what has come since another call began


def read_on(store: Store, *, seconds: float | None = None, clock: Callable[[], float] = time.monotonic) -> Reading:
    """Read what has come since the last time, for so many seconds; the next call goes on where this one stopped.

    Documents are read in the order of their publication. Those that come while they are read wait for the next time.
    """
    ends_at = None if seconds is None else clock() + seconds
    state = store.state(STATE)
    if state is None or state.get("version") != VERSION:
        state = {}
    stories = Stories.from_dict(state["stories"], story_words()) if state else Stories(story_words())
    new = _arrived(store, state)
    place = (datetime.fromisoformat(state["place"][0]), state["place"][1]) if "place" in state else None
    read = 0
    for arrival in new:
        if place is None or _order(arrival) > place:
            if ends_at is not None and clock() > ends_at:
                break
            _add(stories, store, arrival)
        read += 1
    if new:
        kept = _done(new, state) if read == len(new) else _stopped(new, new[read - 1] if read else None, state)
        with suppress(BackendError):
            store.keep_state(STATE, {**kept, "version": VERSION, "stories": stories.to_dict()})
    return Reading(stories, read, len(new))


def story_words() -> Words:
    """Return what splits a report into words that say something."""
    splitter, stop_words = Splitter(or_pairs=True), all_stop_words()

    def words(text: str, language: str | None) -> Iterator[str]:
        dropped = stop_words.of(language)
        return (word for word in splitter.words(text, language) if len(word) > 1 and word not in dropped)

    return words


def all_stop_words() -> StopWords:
    """Return the stop words of all languages that have some."""
    anywhere = {language: frozenset(words.split()) for language, words in ANYWHERE.items()}
    return StopWords(STOP_WORDS | anywhere)


def _add(stories: Stories, store: Store, arrival: Arrival) -> None:
    document = store.document(arrival.url, posts=False) if arrival.kind == Kind.ARTICLE.value and arrival.url else None
    if document is None or not (document.title or document.text):
        return
    site = document.site or site_of(arrival.url)
    report = Report(arrival.key, arrival.url, document.title, site, _time(arrival))
    stories.add(report, document.text, document.language)


def _time(arrival: Arrival) -> datetime:
    """Return when a document was published; not after it was seen, whatever it says."""
    published = arrival.published
    if published is None:
        return arrival.first_seen
    return min(published if published.tzinfo else published.replace(tzinfo=UTC), arrival.first_seen)


def _arrived(store: Store, state: Mapping[str, Any]) -> list[Arrival]:
    """Return what is to be read, in order: what has come, or the rest of what an earlier call began with."""
    since = datetime.fromisoformat(state["seen"]) - OVERLAP if "seen" in state else None
    until = datetime.fromisoformat(state["until"]) if "until" in state else None
    known = set(state.get("known", ()))
    found = (
        store.arrivals(since) if until is None else takewhile(lambda a: a.first_seen <= until, store.arrivals(since))
    )
    return sorted((arrival for arrival in found if arrival.key not in known), key=_order)


def _order(arrival: Arrival) -> tuple[datetime, str]:
    return _time(arrival), arrival.key


def _stopped(new: Sequence[Arrival], last: Arrival | None, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return where reading stopped, so that it can go on."""
    place = [_time(last).isoformat(), last.key] if last else before.get("place")
    kept = {name: before[name] for name in ("seen", "known") if name in before}
    kept |= {"place": place} if place else {}
    return kept | {"until": max(arrival.first_seen for arrival in new).isoformat()}


def _done(new: Sequence[Arrival], before: Mapping[str, Any]) -> dict[str, Any]:
    latest = max(arrival.first_seen for arrival in new)
    seen = max(latest, datetime.fromisoformat(before["seen"])) if "seen" in before else latest
    known = {**before.get("known", {}), **{arrival.key: arrival.first_seen.isoformat() for arrival in new}}
    recent = {key: at for key, at in known.items() if datetime.fromisoformat(at) >= seen - OVERLAP}
    return {"seen": seen.isoformat(), "known": recent}
