"""Link → Lease, who may fetch what and when.

                              ┌───────────── offered on a shorter path (replay) ───────────┐
              offer           ▼        lease               settle DONE                     │
    (new) ───────────────▶ PENDING ────────────▶ LEASED ───────────────────────────────▶ DONE
                            ▲   ▲                │  │ │
                        due │   └────────────────┘  │ └─ settle BURY, the last RETRY, ───▶ DEAD
                            │     release, reap     │    a lease lost too often
                         DELAYED ◀──────────────────┘
                                    settle RETRY, or DONE with `again_in_s`

    accepted = pending + delayed + leased + done + dead, always.

A frontier holds one job; links of jobs never mix. Every call is atomic, may come from any of several processes, and is
made from a thread beside the event loop: offer and settle from that which writes the store, the others, where the
frontier is a server of its own, from a second one. Time is the frontier's own: callers say how long, never when; it
never goes back, whatever a machine's clock does. No backend's error type leaves a frontier: what it raises is a
BackendError. A frontier that finds that it has lost the last steps it took for its caller raises RolledBack, and takes
none until `recover` is called.

Politeness is counted by host and by address, over all jobs of a database or server. A host rests for its delay (the
rules', what robots.txt asks, or the time it takes to answer) from each lease and again from each settle, and so, more
briefly, does the address that a settle names: all hosts there wait. Hosts that are due take turns, so none starves
another, and jobs that want one host take turns there; within a host higher priority goes first, then what was accepted
first (a link that comes back from a worker may go before both). Between two jobs the longer delay holds; a job without
a delay takes no part in this. A replay sends no request, so it knows no host: no delay, no concurrency, no place of the
limit.

Of a done link only state, depth and reason are kept for certain, for most links of a large crawl are done ones; the
store knows the rest. A seen-set that errs (a Bloom filter) keeps still less: it knows that a URL is known, so `find`
says DONE without a reason, and a shorter path to a known link changes nothing.

A link that is settled with `again_in_s` is never done: it is asked for again and again (a feed, a listing), each time
as if it were new. It gives its place of the limit back.

With a limit, a link takes one of its places when it is leased and keeps it through lost leases and restarts; only a
settle without a page gives it back (or the burial of a link that was lost too often). So the number of pages fetched
with success never exceeds the limit and, while there are links, reaches it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from thresher.frontier.rules import Rules
from thresher.model import Lease, Link, Outcome

__all__ = ["Census", "Frontier", "Offered", "Rules", "Settlement", "Standing", "State"]


class Offered(StrEnum):
    """What became of one offered link."""

    ACCEPTED = "accepted"
    SEEN = "seen"  # known already
    REOPENED = "reopened"  # known, but this path is shorter: its outlinks are to be followed again
    HOST_FULL = "host-full"  # the host has reached the rule's number of pages
    SITE_FULL = "site-full"  # the host would be one more than the rule allows of its registrable domain
    TRAP = "trap"  # the host gave many pages of this URL shape and no document


class State(StrEnum):
    """Where a link stands."""

    PENDING = "pending"
    DELAYED = "delayed"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Settlement:
    """How one lease ended, and what was learned about its host."""

    lease: Lease
    outcome: Outcome
    reason: str  # a short fixed word, kept with the link
    fetched: bool = False  # a page came: the link keeps its place in the limit
    fruitful: bool = False  # the page gave a document, now or when it was stored
    unchanged: bool = False  # it is as it was stored: counts for its URL shape, and for its host, like a page that came
    counted: bool = True  # False: a RETRY that is no fault of the link and costs it no attempt
    slow_host: bool = False  # the host is too busy (429, 503): a back-off that doubles holds for all its links
    retry_after_s: float | None = None  # asked for by the server: holds for all links of the host
    crawl_delay_s: float | None = None  # asked for by robots.txt
    response_s: float | None = None  # how long the host took to answer
    address: str | None = None  # that was asked; other hosts there wait, too
    again_in_s: float | None = None  # DONE for now: the link is due again after so long (Rules.again_cap_s at most)


@dataclass(frozen=True, slots=True)
class Census:
    """How many links stand where; their sum is `accepted`."""

    pending: int
    delayed: int
    leased: int
    done: int
    dead: int
    reserved: int  # places of the limit in use
    held: int = 0  # of these, by links whose page has not come yet

    @property
    def fetched(self) -> int:
        """Pages fetched with success."""
        return self.reserved - self.held

    @property
    def accepted(self) -> int:
        """All links ever accepted."""
        return self.pending + self.delayed + self.leased + self.done + self.dead


@dataclass(frozen=True, slots=True)
class Standing:
    """What the frontier knows of one link."""

    link: Link
    state: State
    reason: str  # of the last settle, or empty
    attempts: int
    lost: int
    due_in_s: float | None  # for delayed links and for pending ones of a host that is not due
    worker: str | None  # who holds the lease


class Frontier(Protocol):
    """One job's links: each is leased to one worker at a time, politely, until it is done or dead."""

    def offer(self, links: Sequence[Link]) -> list[Offered]:
        """Add the links that are new; answer for each what became of it."""

    def wake(self, links: Sequence[Link]) -> list[bool]:
        """Let links wait for a lease from now on, wherever they stood: unknown, delayed, done or dead.

        What the frontier keeps of them is what is given here. False for one that waits or is leased already, and for
        one that `offer` would refuse. A seen-set that errs does not know what is done: it stays so.
        """

    def lease(self, worker: str, count: int) -> list[Lease]:
        """Give out up to `count` links of hosts that are due, best first, hosts in turn; empty when none is due.

        Expired leases are reaped first. A suspect comes alone, when nothing else is due, and only to a worker that
        holds no lease; while that worker holds it, it is given nothing else.
        """

    def renew(self, leases: Sequence[Lease]) -> list[bool]:
        """Extend leases; False for one that is no longer held under its token."""

    def settle(self, settlements: Sequence[Settlement]) -> list[bool]:
        """End leases; False (and no effect) for one whose token is no longer valid: another worker has the link."""

    def exchange(self, settlements: Sequence[Settlement], worker: str, count: int) -> tuple[list[bool], list[Lease]]:
        """Settle, then lease, in one step: what a worker does again and again costs one call."""

    def weed(self) -> list[Link]:
        """Drop the links that wait though their URL shape has become a trap, as done for that reason; answer them.

        It looks at what became a trap in settles of this object since the last call; a link that is a suspect, delayed,
        a replay, or that was leased before may stay.
        """

    def drop(self, link: Link, reason: str, which: Callable[[Link], bool] | None = None) -> list[Link]:
        """Drop what waits of the host of a known link as done for a reason; answer it. What `weed` leaves may stay.

        With `which`, only the links that it picks are dropped.
        """

    def release(self, worker: str) -> int:
        """Give back all leases of a worker that stops in good order; answer how many.

        That costs a link nothing, except for a suspect: it was leased alone, and its worker ends without having
        settled it, so it counts as lost once more.
        """

    def reap(self, dead_workers: Collection[str] = ()) -> int:
        """Take back expired leases, and all those of workers known to be dead, as lost; answer how many."""

    def workers(self) -> list[str]:
        """Name the workers that hold leases."""

    def due_in_s(self) -> float | None:
        """Say how long until a link can be leased (0: now; leased links count by their expiry).

        None when the job is over: nothing is leased, and nothing pending or delayed can be leased any more (there is
        none, or the limit is used up and those left are neither replays nor hold a place). A 0 promises nothing:
        another worker may be faster, or a suspect may wait for one without a lease.
        """

    def census(self) -> Census:
        """Count the links by state."""

    def find(self, url: str) -> Standing | None:
        """Look a canonical URL up; None when it was never accepted."""

    def dead(self, limit: int = 100) -> list[Standing]:
        """List dead letters, newest first."""

    def recover(self) -> bool:
        """Go on after RolledBack; answer False when another thread has done so.

        Hosts rest once from now. All steps from some moment on are forgotten, and none before: leases and links that
        came later are not known, and links settled since then wait again.
        """

    def has_lost(self) -> bool:
        """Say whether links may be leased again whose pages are stored, as far as the last lease told; asks nobody."""

    def loss(self) -> int:
        """Return the number of the last loss that was noticed (see `recover`) and not made good; 0: there is none."""

    def make_good(self, loss: int) -> None:
        """Note that all that is stored is known again, whatever was lost until that loss."""
