"""Words that the frontier's tests are told in."""

from collections.abc import Sequence
from typing import Protocol

from thresher.frontier.contract import Frontier, Rules, Settlement
from thresher.frontier.overseer import Overseer
from thresher.model import Lease, Link, Outcome

QUICK = Rules(delay_s=0.0, host_concurrency=1000)  # no politeness in the way


class Clock:
    """A clock that stands still until it is told to advance."""

    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s

    def advance(self, seconds: float) -> None:
        self.now_s += seconds


class Backend(Protocol):
    """One backend under test; what it opens shares one database and one clock."""

    clock: Clock

    def open(self, rules: Rules = QUICK, job: str = "job") -> Frontier:
        """Open a frontier, as another process would."""

    def oversee(self, rules: Rules = QUICK, job: str = "job") -> Overseer:
        """Open the overseer of a job that is there."""

    def audit(self) -> None:
        """Fail when what the backend counts differs from what it holds."""


def link(path: str = "1", host: str = "a.example", *, depth: int = 1, priority: int = 0, replay: bool = False) -> Link:
    return Link(f"https://{host}/{path}", depth=depth, why="page", priority=priority, replay=replay)


def links(count: int, host: str = "a.example") -> list[Link]:
    return [link(str(number), host) for number in range(count)]


def done(lease: Lease, *, fetched: bool = True, fruitful: bool = True) -> Settlement:
    return Settlement(lease, Outcome.DONE, "article", fetched=fetched, fruitful=fruitful)


def failed(lease: Lease, reason: str = "timeout") -> Settlement:
    return Settlement(lease, Outcome.RETRY, reason)


def buried(lease: Lease, reason: str = "http-404") -> Settlement:
    return Settlement(lease, Outcome.BURY, reason)


def paths(leases: Sequence[Lease]) -> list[str]:
    return [lease.link.url.rsplit("/", 1)[1] for lease in leases]


def take(frontier: Frontier, worker: str = "w1") -> Lease:
    """The one lease that is there to be had."""
    (lease,) = frontier.lease(worker, 10)
    return lease


def drain(frontier: Frontier, worker: str = "w1", batch: int = 16) -> list[Lease]:
    """Lease and finish whatever can be had without waiting."""
    drained = []
    while leases := frontier.lease(worker, batch):
        assert all(frontier.settle([done(lease) for lease in leases]))
        drained += leases
    return drained
