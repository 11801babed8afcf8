"""Follow sources: what is asked for them, when it comes again, and what is noted of it in the catalog.

    endpoint (feed, listing, board …)  ──▶ its links are offered ──▶ delayed until its interval has passed ──▶ …
    article                            ──▶ stored, checked for edits a few times, then done
    last page of a thread              ──▶ woken when its board shows new posts

Everything is part of the transaction in which a landing is written, where the books share a database; else it comes
after the store, and may be repeated.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from thresher.catalog.contract import STORED, Catalog
from thresher.crawling.books import Books
from thresher.crawling.holding import Until
from thresher.crawling.intake import Finding, Intake
from thresher.crawling.landing import Landing
from thresher.crawling.revisit import Revisit
from thresher.crawling.threads import whole_thread
from thresher.discovery.feeds import feed_hubs
from thresher.discovery.links import priority_of
from thresher.frontier.contract import Settlement, State
from thresher.model import (
    Document,
    Endpoint,
    EndpointKind,
    Failure,
    Judged,
    Kind,
    Lease,
    Link,
    Outcome,
    Page,
    Round,
    Run,
    Source,
)
from thresher.model.source import EndpointState
from thresher.store.contract import EDITION_PART
from thresher.watching.clock import Clock
from thresher.watching.lists import NEXT, leads_on, taken
from thresher.watching.lost import MISSING, home_of, is_lost, replacement
from thresher.watching.schedule import Habits, Rhythm, Visit, interval_s, learned
from thresher.watching.sources import ONWARD, Sources, Watched, moved
from thresher.watching.told import told_by

TEND_EVERY_S = 5.0  # looks for new and changed sources
PAUSED_S = 3_600.0  # until a link of a paused source is looked at again
SELDOM_S = 7 * 86_400.0  # until an endpoint that has moved or is gone is asked again, in case that it is back
PERMANENT = frozenset({301, 308})
GONE = 410
PAUSED, REMOVED, FULL = "source-paused", "source-removed", "source-limit"
NO_RUN = -1  # so that what the watch itself has stored counts as stored earlier
UNCHANGED = "unchanged"
NOT_JUDGED = frozenset({"redirected", "replayed", "copy"})  # fates that say nothing about a page


class SourceFollower:
    """A Follower (see crawling/follower.py) of all sources of a catalog."""

    def __init__(self, books: Books, catalog: Catalog, run: Run, habits: Habits, clock: Clock) -> None:
        self._books, self._catalog, self._habits, self._clock = books, catalog, habits, clock
        self._sources = Sources(catalog)
        self._revisit = Revisit(books.store, NO_RUN, refresh=False)
        self.intake = Intake(books.frontier, books.store, run, self._sources, refresh=False)
        self.until = Until.IDLE if habits.once else Until.TOLD
        self.needs_restart: Callable[[], bool] = lambda: False
        self._tended_s = 0.0
        self._look()

    def tend(self) -> bool:
        """Take in sources that were added, changed or resumed; say whether the worker is to restart."""
        if time.monotonic() < self._tended_s + TEND_EVERY_S:
            return False
        with self._books.together():
            self._look()
        return self._habits.called_away() or self.needs_restart()

    def addresses(self) -> list[str]:
        """Return where sources are asked, as they were read last."""
        return self._sources.addresses()

    def _look(self) -> None:
        new, hurried = self._sources.refreshed()
        frontier = self._books.frontier
        standings = {endpoint.url: frontier.find(endpoint.url) for endpoint in new}
        unknown = [endpoint for endpoint in new if standings[endpoint.url] is None]
        frontier.offer([_link_of(endpoint) for endpoint in unknown])
        ended = [
            endpoint
            for endpoint in new
            if (at := standings[endpoint.url])
            and (at.state in (State.DONE, State.DEAD) or endpoint.last_asked is None)  # another source asks there
        ]
        for endpoint in new:
            self._note_source(endpoint.source, [endpoint.url])
        frontier.wake([_link_of(endpoint) for endpoint in (*ended, *hurried)])
        self._tended_s = time.monotonic()

    def prepared(self, lease: Lease) -> Lease | Failure:
        """Return the lease with the validators of what is stored; a Failure for a source that is not followed now."""
        link = lease.link
        watched = self._sources.get(link.source)
        if watched is None or not watched.source.is_active:
            other = self._other_source(link)
            if other is None:
                return Failure(REMOVED if watched is None else PAUSED, Outcome.RETRY, counted=False)
            watched, link = other, replace(link, source=other.source.name)
            lease = replace(lease, link=link)
        known = self._books.store.known([link.url]).get(link.url)
        if known is None:
            if link.url not in watched.endpoints and self._is_full(watched.source):
                return Failure(FULL, Outcome.RETRY, counted=False)
            return lease
        return replace(lease, link=replace(link, etag=known.etag, modified=known.modified))

    def dated(self, page: Page) -> Page:
        """Return a page as if it had been fetched by the clock of the schedules: its sources go by that as well."""
        return replace(page, fetched_at=self._clock.at(page.fetched_at))

    def _other_source(self, link: Link) -> Watched | None:
        """Return another source that asks at an address or led to a page, in place of one that is not followed now."""
        names = [endpoint.source for endpoint in self._sources.asked_at(link.url)]
        names += self._books.store.sources([link.url]).get(link.url, ())
        others = (self._sources.get(name) for name in names)
        return next((other for other in others if other and other.source.is_active), None)

    def _is_full(self, source: Source) -> bool:
        """Say whether a source has given as many documents today as it may."""
        if source.limit is None:
            return False
        today = self._clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
        hours = self._catalog.hours(source.name, since=today)
        return sum(hour.count for hour in hours if hour.state == STORED) >= source.limit

    def sifted(self, parent: Link, finding: Finding) -> Finding:
        """Give links the source of their page; of a page that is no list only what belongs to it is followed."""
        watched = self._sources.get(parent.source)
        endpoints = self._endpoints(parent)
        if watched:
            self._find_again(watched, parent, finding.links)
        if watched is None or not (endpoints or parent.why == NEXT):
            links = [replace(link, source=parent.source) for link in finding.links if link.why in ONWARD]
            self._note_source(parent.source, self._wanted(links))
            return finding._replace(links=links, skipped=())
        sources = [watched, *(each for each in map(self._sources.get, _others(endpoints, watched)) if each)]
        found = [self._sifted_for(each.source, parent, finding) for each in sources]
        return finding._replace(links=found[0] if len(found) == 1 else self._accepted(found))

    def _sifted_for(self, source: Source, parent: Link, finding: Finding) -> list[Link]:
        """Return what a list shows for one source, and let the list go on where it shows something new."""
        links = [replace(link, source=source.name, depth=1) for link in taken(finding.links, source)]
        items = self._wanted(links)
        new = self._note_source(source.name, items)
        endpoint = self._sources.endpoint(source.name, parent.url)
        is_first_round = endpoint is not None and endpoint.asked == 0
        if leads_on(items, new, source, is_first_round=is_first_round):
            further = [replace(each, source=source.name, depth=1) for each in finding.links if each.why == NEXT]
            self._books.frontier.wake([link for link in further if self._sources.refuse(link) is None])
        return links

    def _accepted(self, found: Sequence[Sequence[Link]]) -> list[Link]:
        """Return each link once, for the first of the sources that takes it."""
        chosen: dict[str, Link] = {}
        for link in (link for links in found for link in links):
            if link.url not in chosen or self._sources.refuse(chosen[link.url]) is not None:
                chosen[link.url] = link
        return list(chosen.values())

    def _wanted(self, links: Sequence[Link]) -> list[str]:
        return [link.url for link in links if self._sources.refuse(link) is None]

    def _note_source(self, source: str, urls: Sequence[str]) -> list[str]:
        """Note which pages a source led to; documents that others brought before are counted for it and found by it.

        Return the pages that it had not led to before.
        """
        store = self._books.store
        new = store.note_source(source, urls, self._clock.machine())
        for url, known in store.known(new).items():
            document = whole_thread(store, url) if known.kind else None
            if document and document.url:
                self._books.index.add([document], self._clock.machine(), run=known.run)
                self._catalog.note([self._verdict(source, document.url, document, document.kind.value)])
        return new

    def settled(
        self, landings: Sequence[Landing], endings: Sequence[Settlement], new: Mapping[str | None, int]
    ) -> list[Settlement]:
        """Say when links come again, and note what became of them."""
        pairs = zip(landings, endings, strict=True)
        return [self._settled(landing, ending, new.get(ending.lease.link.url, 0)) for landing, ending in pairs]

    def _settled(self, landing: Landing, ending: Settlement, new: int) -> Settlement:
        link = ending.lease.link
        if ending.reason == REMOVED:
            return replace(ending, outcome=Outcome.DONE)
        if ending.reason in (PAUSED, FULL):
            return replace(ending, outcome=Outcome.DONE, again_in_s=self._clock.machine_s(PAUSED_S))
        if ending.outcome is Outcome.RETRY and not ending.counted:  # robots.txt was asked for first
            return ending
        endings = [self._endpoint_settled(landing, ending, each, new) for each in self._endpoints(link)]
        if endings:
            return min(endings, key=lambda each: each.again_in_s or 0.0)
        if link.why != NEXT and link.depth > 0:  # neither a further page of a list nor a front page
            self._judge(landing, link.source)
        return replace(ending, again_in_s=self._check_in_s(landing, ending))

    def _endpoints(self, link: Link) -> list[Endpoint]:
        """Return the endpoints that are asked with a link: that of its source, and those of others at its address."""
        own = self._sources.endpoint(link.source, link.url)
        others = [each for each in self._sources.asked_at(link.url) if each.source != link.source]
        return [own, *others] if own else others

    def _endpoint_settled(self, landing: Landing, ending: Settlement, endpoint: Endpoint, new: int) -> Settlement:
        """Choose the next time of an endpoint from what it brought, and keep the round; it is never given up."""
        endpoint = self._catalog.endpoint(endpoint.source, endpoint.url) or endpoint  # others may have asked meanwhile
        at, fate = self._clock.now(), landing.fate
        status = fate.status if fate else _status_in(ending.reason)
        is_redirect = ending.reason == "redirected" and landing.links
        onward = landing.links[0].url if is_redirect else None
        came = ending.fetched or ending.reason == UNCHANGED or onward is not None
        rhythm = Rhythm.from_text(endpoint.rhythm)
        found = len(landing.links) if ending.fetched else int(rhythm.listed)
        failures = 0 if came else endpoint.failures + 1
        visit = Visit(at.timestamp(), found, new if ending.fetched else 0, failures=failures)
        if onward is None:
            rhythm = learned(rhythm, visit)
        told = told_by(landing.headers, self._body(landing, ending), at)
        watched = self._sources.get(endpoint.source)
        frequency = watched.source.frequency if watched else "adaptive"
        wait_s = interval_s(frequency, rhythm, visit, told, self._habits.bounds)
        endpoint, wait_s = self._moved(endpoint, status, onward, wait_s)
        visited = Round(
            source=endpoint.source,
            url=endpoint.url,
            at=at,
            status=status,
            found=found,
            new=visit.new,
            reason="" if came else ending.reason,
            interval_s=wait_s,
            rhythm=rhythm.to_text(),
        )
        endpoint = self._with_hubs(endpoint, landing)
        kept = self._catalog.record(visited)
        if kept:
            self._sources.keep(kept)
        if kept and status in MISSING and is_lost(kept):
            self._books.frontier.wake([home_of(kept)])
        if ending.fetched:
            self._wake_threads(landing.links, endpoint.source)
        return replace(ending, outcome=Outcome.DONE, again_in_s=self._clock.machine_s(wait_s))

    def _with_hubs(self, endpoint: Endpoint, landing: Landing) -> Endpoint:
        """Keep which WebSub hubs a feed names, when it comes."""
        page = landing.record.page if landing.record else None
        if endpoint.kind is not EndpointKind.FEED or page is None or not 200 <= page.status < 300:
            return endpoint
        hubs = tuple(feed_hubs(page.body, page.url, landing.headers.get("link", "")))
        if hubs != endpoint.hubs:
            endpoint = replace(endpoint, hubs=hubs)
            self._catalog.save_endpoints([endpoint])
        return endpoint

    def _find_again(self, watched: Watched, page: Link, links: Sequence[Link]) -> None:
        """Ask the feed that a front page announces in place of one that is gone."""
        for endpoint in [each for each in watched.endpoints.values() if is_lost(each)]:
            url = replacement(links, watched.endpoints) if home_of(endpoint).url == page.url else None
            if url is None:
                continue
            for each in moved(endpoint, url):
                self._catalog.save_endpoints([each])
                self._sources.keep(each)
            self._books.frontier.wake([_link_of(watched.endpoints[url])])

    def _moved(
        self, endpoint: Endpoint, status: int | None, onward: str | None, wait_s: float
    ) -> tuple[Endpoint, float]:
        """Ask where an endpoint redirects to instead of it; the endpoint itself is asked seldom, it may come back."""
        changed = endpoint
        if onward is not None:
            changed, there = moved(endpoint, onward)
            if status not in PERMANENT:
                changed = endpoint
            if self._catalog.endpoint(endpoint.source, onward) is None:
                self._catalog.save_endpoints([there])
                self._sources.keep(there)
                self._books.frontier.wake([_link_of(there)])
            wait_s = SELDOM_S if status in PERMANENT else max(wait_s, self._habits.bounds.longest_s)
        elif status == GONE:
            changed, wait_s = replace(endpoint, state=EndpointState.GONE), SELDOM_S
        elif endpoint.state is not EndpointState.ACTIVE and status is not None and status < 400:
            changed = replace(endpoint, state=EndpointState.ACTIVE, moved_to="")
        if changed != endpoint:
            self._catalog.save_endpoints([changed])
        return changed, wait_s

    def _body(self, landing: Landing, ending: Settlement) -> bytes:
        """Return a feed as it was stored last: an answer that nothing has changed does not repeat what it asks for."""
        if landing.record and landing.record.page:
            return landing.record.page.body
        page = self._books.store.page(ending.lease.link.url) if ending.reason == UNCHANGED else None
        return page.body if page else b""

    def _wake_threads(self, links: Sequence[Link], source: str) -> None:
        """Ask for the last pages of threads in which somebody has written, by what their board shows."""
        threads = [link for link in links if link.why == "thread" and (link.active_at is not None or link.counts)]
        grown = self._revisit.grown(threads) if threads else []
        self._books.frontier.wake([replace(link, source=source) for link in grown])

    def _judge(self, landing: Landing, source: str) -> None:
        fate, document = landing.fate, landing.document
        if fate is None or landing.is_part or fate.reason in NOT_JUDGED:
            return
        if fate.reason == UNCHANGED:  # whoever stored it may have been killed before this was noted
            document = self._books.store.document(fate.url, posts=False)
            if document is None:
                return
        sources = self._books.store.sources([fate.url]).get(fate.url, (source,))
        reason = document.kind.value if document else fate.reason
        verdicts = [self._verdict(name, self._counted_as(landing), document, reason) for name in sources]
        stored = fate.state == "stored" or fate.reason == UNCHANGED
        self._catalog.note([replace(verdict, stored=stored) for verdict in verdicts])

    def _counted_as(self, landing: Landing) -> str:
        """Return under which URL a page counts: that of its document, or of the main version that is still to come."""
        assert landing.record, "only what has a fate is counted"
        store, url, main = self._books.store, landing.record.fate.url, landing.record.thread
        is_early = landing.record.part == EDITION_PART and main is not None and not store.known([main])
        return main if is_early and main else store.article_pages([url]).get(url, url)

    def _verdict(self, source: str, url: str, document: Document | None, reason: str) -> Judged:
        return Judged(
            source=source,
            url=url,
            at=self._clock.now(),
            stored=document is not None,
            reason=reason,
            length=len(document.text) if document else 0,
            text_hash=document.text_hash if document else None,
        )

    def _check_in_s(self, landing: Landing, ending: Settlement) -> float | None:
        """Return after how long an article is looked at for edits; None when it is not."""
        if ending.outcome is not Outcome.DONE or not ending.fruitful:
            return None
        versions = self._books.store.versions(ending.lease.link.url)
        document = landing.document
        if not versions or (document and document.kind is not Kind.ARTICLE):
            return None
        first, published = self._clock.at(versions[0].at), versions[-1].published
        if published and _aware(published) < first - timedelta(seconds=self._habits.recent_s):
            return None
        age_s = (self._clock.now() - first).total_seconds()
        wait_s = next((check_s - age_s for check_s in self._habits.checks_s if check_s > age_s + 60), None)
        return None if wait_s is None else self._clock.machine_s(wait_s)


def _others(endpoints: Sequence[Endpoint], watched: Watched) -> list[str]:
    return [each.source for each in endpoints if each.source != watched.source.name]


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _status_in(reason: str) -> int | None:
    """Return the status of an answer that left nothing behind but the reason why it is tried again."""
    number = reason.removeprefix("http-")
    return int(number) if number.isdigit() else None


def _link_of(endpoint: Endpoint) -> Link:
    why = "search" if endpoint.kind is EndpointKind.SEARCH else "start"
    return Link(endpoint.url, 0, why, priority=priority_of(why, 0), source=endpoint.source)
