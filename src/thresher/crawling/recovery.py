"""Recovery: what a frontier that has lost its last seconds no longer knows is taken from the store.

A Redis may come back without the last seconds that it had acknowledged. It then holds an older state of the crawl, in
which nothing is wrong: what was done since waits to be done again. Two things would go wrong all the same. A worker
that remembers what it has offered would not offer it again: it forgets (Books.on_loss). And pages would be fetched
twice: a link whose page this run has stored is settled as it was then, and the links that were found there are offered.

Before the run is called finished, everything that was stored in it is looked at: each page has to be known, and so
does each link that was found on it.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from thresher import urls
from thresher.crawling.books import Books
from thresher.crawling.intake import Finding, Intake
from thresher.crawling.judge import leads_from_start
from thresher.crawling.landing import Landing
from thresher.crawling.revisit import rebased
from thresher.discovery.links import priority_of
from thresher.frontier.contract import Settlement
from thresher.model import Fate, Lease, Link, Outcome
from thresher.store.contract import Followed

BATCH = 50  # pages whose links are offered together
DONE = ("stored", "skipped")  # states of a URL that is not to be asked for again
NO_PAGE = "not-html"  # the reason of an answer that is a success and no page


class Recovery:
    """Makes good what the frontier of one run has lost."""

    def __init__(self, books: Books, intake: Intake) -> None:
        self._books, self._intake, self._run = books, intake, intake.run

    def landing_of(self, lease: Lease) -> Landing | None:
        """Return what the link of a lease left behind when this run fetched it; None when it did not."""
        store, link = self._books.store, lease.link
        fate = next((fate for fate in store.fates(link.url) if fate.run == self._run.id), None)
        if fate is None or fate.state not in DONE:
            return None
        found = tuple(rebased(each, link) for each in store.outlinks(link.url))
        widens = bool(found) and fate.reason == "redirected" and leads_from_start(link)
        return Landing(_settled(lease, fate), links=found, from_start=widens)

    async def is_needed(self, in_a_hurry: Callable[[], bool] = lambda: False) -> bool:
        """Look whether all is known that this run has stored; offer what is not, and say whether there was any.

        A worker that is to end leaves it to others; then the run is not over.
        """
        books = self._books
        loss = await books.ask(books.frontier.loss)
        if not loss:
            return False
        self._intake.forget()
        await books.call(self._offer_starts)
        after = ""
        while pages := await books.call(books.store.followed, self._run.id, after=after, limit=BATCH):
            if in_a_hurry():
                return False
            await books.call(self._offer_again, pages)
            after = pages[-1].key
        if await books.ask(books.frontier.due_in_s) is not None:
            return True
        await books.ask(books.frontier.make_good, loss)
        return False

    def _offer_starts(self) -> None:
        with self._books.together():
            starts = [Link(url, priority=priority_of("start", 0)) for url in self._run.starts]
            self._intake.take(starts, self._run.started_at)

    def _offer_again(self, pages: Sequence[Followed]) -> None:
        with self._books.together():
            for origin in dict.fromkeys(urls.origin_of(page.url) for page in pages):
                robots = self._books.store.robots(origin)
                if robots:
                    self._intake.take_sitemaps(robots)
            self._intake.take_all([self._finding(page) for page in pages], datetime.now(UTC))

    def _finding(self, page: Followed) -> Finding:
        """Return the links of a page as it is known, or the page itself when it is not."""
        standing = self._books.frontier.find(page.url)
        if standing is None:
            depth = _depth_of(page.links)
            return Finding([Link(page.url, depth, "page", page.found_on, priority_of("page", depth))])
        knows_depth = bool(standing.reason)  # a Bloom filter does not
        links = [rebased(each, standing.link) if knows_depth else each for each in page.links]
        return Finding(links, fruitful=True)  # so a next page is as far from the start as it was then


def _settled(lease: Lease, fate: Fate) -> Settlement:
    came = fate.status is not None and 200 <= fate.status < 300 and fate.reason != NO_PAGE
    fruitful = fate.state == "stored"
    return Settlement(lease, Outcome.DONE, fate.reason, fetched=came or fruitful, fruitful=fruitful)


def _depth_of(links: Sequence[Link]) -> int:
    """Return how deep a page lies, by the links that were found on it; 0 when it led nowhere."""
    return max(0, min((each.depth - each.is_step for each in links), default=0))
