"""The ledger writes what landings leave behind: saved, indexed, their links offered, their leases settled."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from thresher import tracing, urls
from thresher.crawling.books import Books
from thresher.crawling.editions import without_single_posts
from thresher.crawling.follower import Follower
from thresher.crawling.intake import HOST_BYTES, Finding, Intake
from thresher.crawling.kinds import named_items
from thresher.crawling.landing import Landing
from thresher.crawling.moves import follow_moves
from thresher.crawling.revisit import rebased
from thresher.crawling.threads import joined_pages, to_index
from thresher.frontier.contract import Settlement
from thresher.model import Lease, Link

REPLAYED = "replayed"
KEPT = ("unchanged", REPLAYED)  # reasons of pages that stay as they were stored


class Ledger:
    """Writes landings in the books' thread."""

    def __init__(self, books: Books, intake: Intake, follower: Follower | None = None, host_bytes: int = 0) -> None:
        """`host_bytes` is what a host may send in the run; 0: any amount."""
        self._books, self._follower = books, follower
        self._intake = intake
        self._host_bytes = host_bytes

    def write(self, landings: Sequence[Landing], worker: str = "", wanted: int = 0) -> list[Lease]:
        """Save, index, offer, settle: one transaction where the books share a database, else in the safe order.

        What the worker may fetch next, as many links as are wanted, comes back with what is settled.
        """
        frontier, store, index = self._books.frontier, self._books.store, self._books.index
        leases = [landing.settlement.lease for landing in landings]
        try:
            with self._books.together():
                before = self._intake.revisit.stored_before([landing.settlement.lease.link for landing in landings])
                landings = [without_single_posts(store, landing) for landing in landings]
                edited = self._intake.revisit.edited(landings)
                records = [landing.record for landing in landings if landing.record]
                articles = store.article_pages([record.fate.url for record in records])
                with tracing.stage("save", leases):
                    for record in records:
                        store.save(record)
                with tracing.stage("index", leases):
                    index.remove(joined_pages(store, records))
                    documents = to_index(store, records, articles)
                    if documents:
                        index.add(documents, records[0].fate.at, run=records[0].fate.run)
                if self._intake.revisit.has_history:
                    follow_moves(store, index, landings, self._intake.ask_again)
                endings = [self._informed(landing.settlement) for landing in landings]
                fruitful = [ending.fruitful for ending in endings]
                new = self._intake.take_all(map(self._finding, landings, fruitful), datetime.now(UTC))
                if self._follower:
                    endings = self._follower.settled(landings, endings, new)
                replayed = [each.settlement.lease.link for each in landings if each.settlement.reason == REPLAYED]
                self._intake.note_replayed(replayed, datetime.now(UTC))
                with tracing.stage("settle", leases):
                    _, new_leases = frontier.exchange(endings, worker, wanted)
                self._intake.note_dropped(frontier.weed(), datetime.now(UTC))
                asked = [end for end, landing in zip(endings, landings, strict=True) if landing.record]
                self._intake.learn(asked, new, before, datetime.now(UTC), named_items(landings))
                self._intake.ask_again(edited)
                self._close_full_hosts(landings)
                return new_leases
        except BaseException:
            self._intake.forget()
            raise

    def _close_full_hosts(self, landings: Sequence[Landing]) -> None:
        """Drop what waits of hosts that have sent more than they may."""
        if not self._host_bytes:
            return
        hosts = {landing.settlement.lease.link.host: landing.settlement.lease.link for landing in landings}
        for host, link in hosts.items():
            if self._intake.is_closed(host):
                continue
            if self._books.store.volume(self._intake.run.id, host) >= self._host_bytes:
                self._intake.close_host(host)
                dropped = self._books.frontier.drop(link, HOST_BYTES)
                self._intake.note_dropped(dropped, datetime.now(UTC), HOST_BYTES)

    def _finding(self, landing: Landing, fruitful: bool) -> Finding:
        parent = landing.settlement.lease.link
        self._intake.follow(parent)
        if landing.from_start:
            self._intake.widen(urls.host_of(landing.links[0].url))
        links: Sequence[Link] = landing.links
        if landing.settlement.reason in KEPT:
            links = [rebased(link, parent) for link in self._books.store.outlinks(parent.url)]
        finding = Finding(links, landing.skipped, fruitful)
        return self._follower.sifted(parent, finding) if self._follower else finding

    def _informed(self, settlement: Settlement) -> Settlement:
        """Say of a page that was not fetched anew whether it gave a document when it was."""
        if settlement.reason not in KEPT:
            return settlement
        url = settlement.lease.link.url
        known = self._books.store.known([url]).get(url)
        return replace(settlement, fruitful=known is not None and known.kind is not None)
