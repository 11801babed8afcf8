"""Follower: what a worker asks when its links belong to sources that are followed for ever (see watching/)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from thresher.crawling.books import Books
from thresher.crawling.holding import Until
from thresher.crawling.intake import Finding, Intake
from thresher.crawling.landing import Landing
from thresher.frontier.contract import Settlement
from thresher.model import Failure, Lease, Link, Page


class Follower(Protocol):
    """Decides about each link before it is asked for and after it has landed; called in the books' thread."""

    intake: Intake
    until: Until

    def tend(self) -> bool:
        """Take in what somebody added or changed meanwhile, every few seconds; say whether the worker is to restart."""

    def prepared(self, lease: Lease) -> Lease | Failure:
        """Return the lease as it is to be fetched, or why it is not."""

    def dated(self, page: Page) -> Page:
        """Return a page with the time that it is read at, which no date on it can be long after."""

    def sifted(self, parent: Link, finding: Finding) -> Finding:
        """Return what is to be followed of what a page leads to."""

    def settled(
        self, landings: Sequence[Landing], endings: Sequence[Settlement], new: Mapping[str | None, int]
    ) -> list[Settlement]:
        """Return how the leases end: when their links come again. `new` says how many new links each page led to."""


Follow = Callable[[Books], Follower]  # who follows sources with these books
