"""Lookout: goes through what is new for every alert, and decides what is to be told.

    documents in the order they were first seen ──▶ a small index of a batch of them ──▶ the query of each alert
                                                                                            │
                cursor, hits and deliveries: one transaction of whoever holds the lease ◀───┘

What is new is searched in an index of its own, made of the batch alone: the same words are found as in the corpus, a
search server that lags behind is no matter, and the cost does not grow with the corpus. A document may be stored later
than others that were seen after it, by a worker that was slow; so the last minutes are gone through again each time,
and once in an hour the corpus is asked for what came later still. What an alert has found it knows, so nothing is told
twice.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from uuid import uuid4

from thresher.alerting.judging import judge, remembered
from thresher.alerting.notices import digest_notice, every_notices, judged_notice, trial_notice
from thresher.api.queries import read_query
from thresher.catalog.alerts import Step
from thresher.crawling.corpus import Corpus
from thresher.errors import UsageError
from thresher.index.contract import Index
from thresher.index.nodes import And, Dated, Query
from thresher.model import Document, Hit
from thresher.model.alert import ANY_SOURCE, Alert, AlertHit, AlertKind, Delivery, Notice, Standing
from thresher.store.contract import Arrival

LEASE_S = 120.0  # of an alert; a look takes far less
LATE_S = 900.0  # by which a document is usually stored after it was first seen
SWEEP_S = 3_600.0  # between looks for what was stored later than that
SWEEP_BACK_S = 26 * 3_600.0
JUDGE_S = 900.0  # between looks whether there is a spike or silence
BATCH = 200  # documents in a small index
MOST = 4_000  # documents that one look goes through; the next goes on
DIGEST_MOST = 100_000
MAX_SNIPPET = 400  # characters
PREVIEW = timedelta(days=7)  # of what an alert would have found
FOLLOWING = (AlertKind.EVERY, AlertKind.DIGEST)
log = logging.getLogger("thresher.alerts")


@dataclass(frozen=True, slots=True)
class Means:
    """What a lookout needs besides the corpus."""

    worker: str  # who holds the leases
    scratch: Callable[[], AbstractContextManager[Index]]  # makes an empty index
    search_link: Callable[[str], str]  # where a person sees what a query finds; empty where there are no pages


class Lookout:
    """Looks after all alerts of a corpus; several processes may, each alert is looked after by one at a time."""

    def __init__(self, corpus: Corpus, means: Means) -> None:
        self._corpus = corpus
        self._means = means
        self._seen: dict[tuple[str, datetime], dict[str, datetime]] = {}  # by alert and beginning: what it looked at

    def look(self, now: datetime) -> int:
        """Look once for every active alert; return how many notices there are to send. Raise BackendError."""
        book = self._corpus.alerts()
        active = [alert for alert in book.alerts() if alert.is_active]
        standings = {alert.name: standing for alert in active if (standing := book.standing(alert.name))}
        present = [alert for alert in active if alert.name in standings]
        told = self._follow([alert for alert in present if follows(alert)], standings, now)
        for alert in present:
            standing = standings[alert.name]
            if follows(alert) and (now - standing.swept_at).total_seconds() >= SWEEP_S:
                told += self._held(alert, now, self._sweep)
            if alert.kind is not AlertKind.EVERY and (standing.due_at is None or standing.due_at <= now):
                told += self._held(alert, now, self._judge)
        return told

    def leave(self, now: datetime) -> None:
        """Give all leases back."""
        book = self._corpus.alerts()
        for alert in book.alerts():
            book.lease(alert.name, self._means.worker, now, now)

    def _held(self, alert: Alert, now: datetime, work: Callable[[Alert, Standing, datetime], int]) -> int:
        """Do some work for an alert while its lease is ours; an alert that cannot be looked after harms no other."""
        until = now + timedelta(seconds=LEASE_S)
        standing = self._corpus.alerts().lease(alert.name, self._means.worker, until, now)
        if standing is None:
            return 0
        try:
            return work(alert, standing, now)
        except UsageError as error:  # a saved search in its query was removed, or the query takes too long
            log.warning("alert %s cannot be looked after: %s", alert.name, str(error).splitlines()[0])
            return 0

    def _follow(self, alerts: Sequence[Alert], standings: dict[str, Standing], now: datetime) -> int:
        """Go through what is new for the alerts that want to know each document."""
        self._forget([(alert.name, standings[alert.name].started_at) for alert in alerts], now)
        if not alerts:
            return 0
        since = min(standings[alert.name].cursor_at for alert in alerts) - timedelta(seconds=LATE_S)
        arrivals = self._corpus.store.arrivals(since)
        told = done = 0
        while done < MOST and (batch := list(islice(arrivals, BATCH))):
            wanted = {alert.name: self._unseen(alert, standings[alert.name], batch) for alert in alerts}
            fresh = [one for one in batch if any(one.key in keys for keys in wanted.values())]
            if fresh:
                told += self._match(fresh, [alert for alert in alerts if wanted[alert.name]], now)
                done += len(fresh)
        return told

    def _unseen(self, alert: Alert, standing: Standing, batch: Sequence[Arrival]) -> set[str]:
        seen = self._seen.setdefault((alert.name, standing.started_at), {})
        since = max(standing.started_at, standing.cursor_at - timedelta(seconds=LATE_S))
        return {one.key for one in batch if one.first_seen >= since and one.key not in seen}

    def _forget(self, present: Sequence[tuple[str, datetime]], now: datetime) -> None:
        """Forget what was looked at long ago, and by alerts that are no more."""
        self._seen = {which: self._seen.get(which, {}) for which in present}
        for seen in self._seen.values():
            latest = max(seen.values(), default=now)
            for key in [key for key, at in seen.items() if at < latest - timedelta(seconds=2 * LATE_S)]:
                del seen[key]

    def _match(self, fresh: Sequence[Arrival], alerts: Sequence[Alert], now: datetime) -> int:
        with_documents = [(one, found) for one in fresh if (found := self._corpus.store.document(one.url))]
        arrivals = {one.url: one for one in fresh}
        told = 0
        with self._means.scratch() as index:
            self._fill(index, with_documents)
            for alert in alerts:
                told += self._held(alert, now, partial(self._examine, arrivals, index))
        return told

    def _fill(self, index: Index, documents: Sequence[tuple[Arrival, Document]]) -> None:
        """Index documents, and the originals of copies among them: without these, a copy would pass for one."""
        store = self._corpus.store
        urls = [one.url for one, _ in documents]
        names, groups = store.copy_names(urls), store.copy_groups(urls)
        runs = store.known(urls)
        for url in {group.url for group in groups.values()} - set(urls):
            original = store.document(url, posts=False)
            if original:
                earliest = min(one.first_seen for one, _ in documents) - timedelta(days=1)
                name = store.copy_names([url]).get(url)
                index.add([replace(original, copy_group=name, published=earliest)], earliest)
        for one, document in documents:
            named = replace(document, copy_group=names.get(one.url))
            run = runs[one.url].run if one.url in runs else None
            index.add([named], one.first_seen, run=run)

    def _examine(
        self, arrivals: dict[str, Arrival], index: Index, alert: Alert, standing: Standing, now: datetime
    ) -> int:
        """Keep what a batch has for one alert."""
        query = read_query(self._corpus, alert.query, now)
        cursor = max(standing.cursor_at, *(one.first_seen for one in arrivals.values()))
        since = max(standing.started_at, standing.cursor_at - timedelta(seconds=LATE_S))
        found = {url for url in index.urls(query) if url in arrivals and arrivals[url].first_seen >= since}
        shown = {hit.url: hit for hit in index.search(query, limit=len(arrivals)) if hit.url in found} if found else {}
        hits = [alert_hit(self._corpus, arrivals[url], shown.get(url)) for url in arrivals if url in found]
        told = self._keep(alert, replace(standing, cursor_at=cursor), hits, now)
        seen = self._seen.setdefault((alert.name, standing.started_at), {})
        seen.update({one.key: one.first_seen for one in arrivals.values()})
        return told

    def _keep(self, alert: Alert, standing: Standing, hits: Sequence[AlertHit], now: datetime) -> int:
        """Keep hits that are new to an alert, and what is to be sent of them; return how many notices that is."""
        book = self._corpus.alerts()
        known = book.known(alert.name, [hit.key for hit in hits])
        new = [hit for hit in hits if hit.key not in known]
        notices: list[Notice] = []
        if alert.kind is AlertKind.EVERY:
            notices = every_notices(alert, new, now, self._means.search_link(alert.query))
        if alert.kind is AlertKind.SILENCE:
            standing = replace(standing, memory=remembered(standing.memory, new))
        told = [] if alert.kind is AlertKind.DIGEST else [hit.key for hit in new]
        step = Step(standing, hits=new, deliveries=deliveries_of(alert, notices, now), told=told)
        return len(notices) if book.advance(alert.name, self._means.worker, step) else 0

    def _sweep(self, alert: Alert, standing: Standing, now: datetime) -> int:
        """Ask the corpus for what was stored so late that no look has seen it."""
        since = max(standing.started_at, standing.cursor_at - timedelta(seconds=SWEEP_BACK_S))
        until = standing.cursor_at
        query = read_query(self._corpus, alert.query, now)
        late = Query(And((query.root, Dated("seen", since, until))), query.text)
        urls = set(self._corpus.index.urls(late))
        arrivals = self._corpus.store.arrivals(since) if urls else iter(())
        missed = [one for one in arrivals if one.url in urls and one.first_seen <= until]
        known = self._corpus.alerts().known(alert.name, [one.key for one in missed])
        hits = [alert_hit(self._corpus, one, None) for one in missed if one.key not in known]
        return self._keep(alert, replace(standing, swept_at=now), hits, now)

    def _judge(self, alert: Alert, standing: Standing, now: datetime) -> int:
        """Send a digest when it is time, or tell of a spike or of silence when it begins and when it ends."""
        if alert.kind is AlertKind.DIGEST:
            return self._digest(alert, standing, now)
        verdict = judge(self._corpus, alert, standing, now)
        notices = [judged_notice(alert, verdict, now, self._means.search_link(alert.query))] if verdict.message else []
        after = replace(standing, memory=verdict.memory, due_at=now + timedelta(seconds=JUDGE_S))
        step = Step(after, deliveries=deliveries_of(alert, notices, now))
        return len(notices) if self._corpus.alerts().advance(alert.name, self._means.worker, step) else 0

    def _digest(self, alert: Alert, standing: Standing, now: datetime) -> int:
        book = self._corpus.alerts()
        if standing.due_at is None:
            first = replace(standing, due_at=alert.next_digest(standing.started_at))
            book.advance(alert.name, self._means.worker, Step(first))
            return self._digest(alert, first, now) if first.due_at and first.due_at <= now else 0
        hits = book.hits(alert.name, limit=DIGEST_MOST, untold=True)
        notices = [digest_notice(alert, hits, now, self._means.search_link(alert.query))] if hits else []
        after = replace(standing, due_at=alert.next_digest(now))
        step = Step(after, deliveries=deliveries_of(alert, notices, now), told=[hit.key for hit in hits])
        return len(notices) if book.advance(alert.name, self._means.worker, step) else 0


def follows(alert: Alert) -> bool:
    """Say whether an alert wants to know each document that matches."""
    return alert.kind in FOLLOWING or (alert.kind is AlertKind.SILENCE and not alert.source)


def deliveries_of(alert: Alert, notices: Sequence[Notice], now: datetime) -> list[Delivery]:
    """Return the notices on their way to each target of an alert."""
    return [
        Delivery(id=uuid4().hex, alert=alert.name, target=target, notice=notice, created_at=now, due_at=now)
        for notice in notices
        for target in alert.to
    ]


def alert_hit(corpus: Corpus, arrival: Arrival, hit: Hit | None) -> AlertHit:
    """Return what an alert keeps of a document: with the passage that matched, or else as it begins."""
    published = arrival.published.isoformat() if arrival.published else ""
    title, site, language, snippet = arrival.url, "", "", ""
    if hit:
        title, site, language, snippet = hit.title, hit.site, hit.language or "", hit.snippet
    elif document := corpus.store.document(arrival.url, posts=False):
        title, site, language = document.title, document.site or "", document.language or ""
        snippet = " ".join(document.text[: 2 * MAX_SNIPPET].split())
    return AlertHit(
        key=arrival.key,
        url=arrival.url,
        title=title,
        seen_at=arrival.first_seen,
        site=site,
        published=published,
        language=language,
        snippet=snippet[:MAX_SNIPPET],
    )


def would_have_found(corpus: Corpus, alert: Alert, since: datetime, now: datetime, *, limit: int = 20) -> Iterator[Hit]:
    """Yield what an alert would have found since a time, the last seen first."""
    query = read_query(corpus, alert.query, now)
    seen = Query(And((query.root, Dated("seen", since, None))), query.text, query.clauses)
    yield from corpus.index.search(seen, limit=limit, sort="seen")


def count_found(corpus: Corpus, alert: Alert, since: datetime, now: datetime) -> int:
    """Count what an alert would have found since a time."""
    query = read_query(corpus, alert.query, now)
    return corpus.index.total(Query(And((query.root, Dated("seen", since, None))), query.text))


def check_alert(corpus: Corpus, alert: Alert, now: datetime) -> None:
    """Raise UsageError for an alert whose query cannot be read, or whose source is not there."""
    if alert.source:
        if alert.source != ANY_SOURCE and corpus.catalog().source(alert.source) is None:
            raise UsageError(f"there is no source {alert.source}; `thresher sources list` lists them all")
        return
    read_query(corpus, alert.query, now)


def trial_delivery(corpus: Corpus, alert: Alert, now: datetime, link: str = "") -> list[Delivery]:
    """Return a test for each target of an alert, with what it would have found in the last week."""
    hits: list[AlertHit] = []
    total = 0
    if not alert.source:
        total = count_found(corpus, alert, now - PREVIEW, now)
        for hit in would_have_found(corpus, alert, now - PREVIEW, now, limit=5):
            arrival = Arrival(hit.key, hit.url, hit.kind, hit.published, hit.seen or now)
            hits.append(alert_hit(corpus, arrival, hit))
    return deliveries_of(alert, [trial_notice(alert, hits, total, now, link)], now)
