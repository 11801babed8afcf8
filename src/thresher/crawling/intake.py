"""Intake: the gate that every discovered link passes: scope, traps, what is stored already, then the frontier."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from thresher.crawling.editions import Copies, known_editions
from thresher.crawling.kinds import BARREN, Kinds, short_list
from thresher.crawling.moves import Awakening
from thresher.crawling.revisit import Revisit
from thresher.discovery.links import SITEMAP_FILE, sitemaps_from_robots
from thresher.discovery.scope import Limits
from thresher.discovery.traps import trap
from thresher.frontier.contract import Frontier, Offered, Settlement
from thresher.model import Fate, Link, Robots, Run
from thresher.store.contract import COPY, Store

ALREADY_STORED = "already-stored"
RESTING = "resting"
COMMENT_FEED = "comment-feed"
SIDE_FEEDS = ("subfeed", "comments")  # what they lead to is mostly known: a page that links to one gives nothing by it
HOST_BYTES = "host-bytes"
MAX_NOTED = 100  # links of one page that are refused for one reason and noted each; the others are only counted
REMEMBERED = 200_000  # links whose verdict is kept in memory, so that a menu is not offered anew with every page


class Finding(NamedTuple):
    """What one page leads to."""

    links: Sequence[Link]
    skipped: Sequence[tuple[str, str]] = ()  # (url, reason)
    fruitful: bool = False  # it is a document itself


class Intake:
    """Offers links to the frontier, and notes why the others are not wanted."""

    def __init__(self, frontier: Frontier, store: Store, run: Run, scope: Limits, *, refresh: bool) -> None:
        self._frontier = frontier
        self._store = store
        self.run = run
        self.revisit = Revisit(store, run.id, refresh=refresh, now=None if run.is_watch else run.started_at)
        self.awakening = Awakening(frontier)
        self.kinds = Kinds(store, run.started_at, run.starts)
        self.scope = scope
        self.comment_feeds = False  # whether they are followed
        self._depths: dict[str, int] = {}  # url → smallest depth it was taken in with
        self._full: set[str] = set()  # hosts that have sent all that they may in this run
        self._copies = Copies(store)

    def widen(self, host: str) -> None:
        """Let a host into the scope: a start redirects to it."""
        self.scope = self.scope.widened(host)

    def follow(self, link: Link) -> None:
        """Let the host of a leased link into the scope: another worker may have seen a start redirect to it."""
        if self.scope.refuse(replace(link, depth=0)) == "off-host":
            self.widen(link.host)

    def take(self, links: Sequence[Link], at: datetime) -> None:
        """Take in links that were found nowhere, or in one place."""
        self.take_all([Finding(links)], at)

    def take_all(self, findings: Iterable[Finding], at: datetime) -> Mapping[str | None, int]:
        """Offer the wanted links and note the fate of the others; answer how many new ones each page led to.

        Call it inside a transaction.

        The next page of a list is no farther from the start than the page before it, if that gave something new: an
        archive may be long. One that gives nothing new is as far as any other link, and so ends.
        """
        fates: list[Fate] = []
        listed: list[Link] = []
        onward: list[Link] = []
        bearing: Counter[str | None] = Counter()  # pages that are documents, or lead to links which nobody knew
        for links, skipped, fruitful in findings:
            found_on = links[0].found_on if links else None
            fates += [self._fate(url, reason, at, found_on) for url, reason in skipped]
            if fruitful:
                bearing[found_on] += 0
            first_list = short_list([link for link in links if self.kinds.is_of_first_list(link)])
            taken = {link.url for link in first_list}
            onward += [*first_list, *(link for link in links if link.why == "next" and link.url not in taken)]
            listed += [link for link in links if link.why != "next" and link.url not in taken]
        fates += self._take_in(listed, at, bearing)
        if onward:
            fates += self._take_in([self._no_farther(link, bearing) for link in onward], at, bearing)
        self._note(fates)
        return bearing

    def _note(self, fates: Sequence[Fate]) -> None:
        """Note fates; of a page with very many links that are refused for one reason the first, and count the rest."""
        seen: Counter[tuple[str | None, str]] = Counter()
        listed: list[Fate] = []
        unlisted: Counter[str] = Counter()
        for fate in fates:
            seen[fate.found_on, fate.reason] += 1
            if fate.state != "refused" or seen[fate.found_on, fate.reason] <= MAX_NOTED:
                listed.append(fate)
            else:
                unlisted[fate.reason] += 1
        self._store.note(listed)
        self._store.count_unlisted(self.run.id, unlisted)

    def _take_in(self, links: Iterable[Link], at: datetime, bearing: Counter[str | None]) -> list[Fate]:
        """Offer the wanted ones, note the pages that gave new ones, and return the fates of the others."""
        fates: list[Fate] = []
        wanted: list[Link] = []
        for link in self._unseen(links):
            reason = self._reason_to_leave(link) or (BARREN if self.kinds.refuses(link) else None)
            if reason:
                fates.append(self._fate(link.url, reason, at, link.found_on))
            else:
                wanted.append(link)
        copies = self._copies.of(wanted) | known_editions(self._store, wanted)
        for link in wanted:
            if link.url in copies:
                fates.append(self._fate(link.url, COPY, at, link.found_on, copies[link.url]))
        wanted = [link for link in wanted if link.url not in copies]
        return fates + self._offer(wanted, at, bearing) if wanted else fates

    def _reason_to_leave(self, link: Link) -> str | None:
        reason = self.scope.refuse(link) or trap(link.url, depth=link.depth)
        reason = reason or (COMMENT_FEED if link.why == "comments" and not self.comment_feeds else None)
        return reason or (HOST_BYTES if link.host in self._full else None)

    def _no_farther(self, link: Link, bearing: Collection[str | None]) -> Link:
        """Return a link to a next page as far from the start as its list; where --max-depth is set, each is a step."""
        if self.scope.max_depth is not None or link.found_on not in bearing:
            return link
        return replace(link, depth=max(link.depth - 1, 1))  # 0 is for starts, which no pattern excludes

    def note_replayed(self, links: Sequence[Link], at: datetime) -> None:
        """Note the fate of links that were only followed again, should whoever offered them not have come to do so."""
        self._store.note([self._fate(link.url, ALREADY_STORED, at, link.found_on) for link in links])

    def close_host(self, host: str) -> None:
        """Take in no more links of a host: it has sent all that it may in this run."""
        self._full.add(host)

    def is_closed(self, host: str) -> bool:
        """Say whether a host has sent all that it may."""
        return host in self._full

    def note_dropped(self, links: Sequence[Link], at: datetime, reason: str = Offered.TRAP.value) -> None:
        """Note the fate of links that waited until their URL shape was found to be a trap, or their host was full."""
        fates = [self._fate(link.url, reason, at, link.found_on) for link in links]
        self._store.note([replace(fate, state="skipped") for fate in fates])  # they were accepted, and count as done

    def learn(
        self,
        endings: Sequence[Settlement],
        new: Mapping[str | None, int],
        before: Collection[str],
        at: datetime,
        items: Mapping[str, int],
    ) -> None:
        """Learn which kinds of links lead to nothing, and drop what waits of them.

        `before` are pages stored earlier, `items` says how many items each page names.
        """
        self.awakening.wake()
        learned = self.kinds.learn(endings, new, before, items)
        for link in () if self._frontier.has_lost() else learned.given_up:  # what waits again may be stored
            dropped = self._frontier.drop(link, BARREN, self.kinds.refuses)
            self.note_dropped(dropped, at, BARREN)
        self._frontier.wake([link for link in learned.again if not self._reason_to_leave(link)])
        if self.revisit.has_history:
            news = [end.lease.link for end in endings if end.fruitful and not end.unchanged]
            self.ask_again(self.revisit.stir({link.host for link in news if link.url not in before}))

    def ask_again(self, links: Sequence[Link]) -> None:
        """Let URLs in scope be asked for, even if this run has passed them over since they are stored."""
        wanted = [link for link in links if not self._reason_to_leave(link)]
        if wanted:
            self.awakening.wake(*wanted)

    def take_sitemaps(self, robots: Robots) -> None:
        """Offer the sitemaps that a robots.txt names; a search wants its results, not the sites that they are on."""
        is_search = bool(self.run.options.get("search"))
        named = sitemaps_from_robots(robots.body) if robots.status == 200 and not is_search else []
        links = [Link(url, 1, "sitemap", f"{robots.origin}/robots.txt", SITEMAP_FILE) for url in named]
        self.take(links, robots.fetched_at)

    def forget(self) -> None:
        """Drop what is remembered: the transaction that it was learned in did not happen."""
        self._depths.clear()
        self.awakening.forget()
        self._copies.forget()
        self.kinds.forget()

    def _offer(self, links: list[Link], at: datetime, bearing: Counter[str | None]) -> list[Fate]:
        asked = {link.url for link in links}
        revised = [link for link in self.revisit.revised(links) if link.url in asked or not self.scope.refuse(link)]
        fates = []
        for link, offered in zip(revised, self._frontier.offer(revised), strict=True):
            if offered in (Offered.HOST_FULL, Offered.SITE_FULL, Offered.TRAP):
                fates.append(self._fate(link.url, offered.value, at, link.found_on))
            elif offered is Offered.ACCEPTED:
                bearing[link.found_on] += not link.replay and link.why not in SIDE_FEEDS
                self.kinds.note_new(link)
                if link.replay:
                    is_resting = self.revisit.rests(link)
                    if is_resting:
                        self.kinds.note_resting(link)
                    reason = RESTING if is_resting else ALREADY_STORED
                    fates.append(self._fate(link.url, reason, at, link.found_on))
        return fates

    def _unseen(self, links: Iterable[Link]) -> list[Link]:
        if len(self._depths) > REMEMBERED:
            self._depths.clear()
        fresh = []
        for link in links:
            if self._depths.get(link.url, 1 << 30) > link.depth:
                self._depths[link.url] = link.depth
                fresh.append(link)
        return fresh

    def _fate(self, url: str, reason: str, at: datetime, found_on: str | None, detail: str = "") -> Fate:
        state = "skipped" if reason in (ALREADY_STORED, RESTING) else "refused"
        return Fate(url, self.run.id, state, reason, at, detail, found_on=found_on)
