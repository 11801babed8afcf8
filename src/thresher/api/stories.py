"""The stories of a corpus: kept in its store, and brought up to date with what has come since the last time."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
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


def up_to_date(store: Store) -> Stories:
    """Return the stories of all articles; where the corpus can only be read, they are not kept for the next time."""
    state = store.state(STATE)
    if state is None or state.get("version") != VERSION:
        stories, since, known = Stories(story_words()), None, set[str]()
    else:
        stories = Stories.from_dict(state["stories"], story_words())
        since = datetime.fromisoformat(state["seen"])
        known = set(state["known"])
    new = [arrival for arrival in store.arrivals(since - OVERLAP if since else None) if arrival.key not in known]
    for arrival in sorted(new, key=lambda each: (_time(each), each.key)):
        _add(stories, store, arrival)
    if new:
        with suppress(BackendError):
            store.keep_state(STATE, _state(stories, new, state))
    return stories


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


def _state(stories: Stories, new: Iterable[Arrival], before: Mapping[str, Any] | None) -> dict[str, Any]:
    arrivals = list(new)
    latest = max(arrival.first_seen for arrival in arrivals)
    seen = max(latest, datetime.fromisoformat(before["seen"])) if before and "seen" in before else latest
    known = {arrival.key: arrival.first_seen.isoformat() for arrival in arrivals}
    known |= before["known"] if before and before.get("version") == VERSION else {}
    recent = {key: at for key, at in known.items() if datetime.fromisoformat(at) >= seen - OVERLAP}
    return {"version": VERSION, "seen": seen.isoformat(), "known": recent, "stories": stories.to_dict()}
