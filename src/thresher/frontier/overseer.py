"""Overseer: what people may see of a job and change in it while workers crawl; the contract of every backend's."""

from dataclasses import dataclass
from typing import Protocol

from thresher.frontier.contract import Census, Standing


@dataclass(frozen=True, slots=True)
class HostState:
    """How one host stands."""

    name: str
    pending: int  # suspects aside
    leased: int
    accepted: int  # of all states
    delay_s: float  # between two requests
    due_in_s: float  # 0: now
    address: str | None  # that was asked last
    paused: bool
    boosted: bool


@dataclass(frozen=True, slots=True)
class Beat:
    """A worker's last sign of life."""

    worker: str
    age_s: float
    doing: str  # as the worker put it
    leases: int  # it holds now


class Overseer(Protocol):
    """One job as its keepers see it. Every call is atomic; what it raises is a BackendError."""

    def census(self) -> Census:
        """Count the links by state."""

    def is_paused(self) -> bool:
        """Say whether the whole job is paused."""

    def hosts(self, limit: int = 50) -> list[HostState]:
        """List hosts, those with the most links waiting first."""

    def due_hosts(self) -> int:
        """Count the hosts of which a link could be leased at this moment; 0 while the job is paused.

        It is what more workers could do more of: a thousand links of one host are one.
        """

    def overdue_s(self) -> float:
        """Say for how long the host has waited for a worker that could be asked first; 0 when none is due.

        A host whose links were all dealt with before counts from when it could have been asked, not from when the next
        link came.
        """

    def peek(self, count: int = 20, host: str | None = None) -> list[Standing]:
        """List what waits to be leased next, of one host or of all in turn; nothing is leased."""

    def pause(self, host: str | None = None) -> bool:
        """Lease nothing more of a host or of the whole job until it is resumed; False for a host that is not known.

        What is leased goes on. The job is not over while something waits that is paused.
        """

    def resume(self, host: str | None = None) -> bool:
        """End a pause; False for a host that is not known."""

    def boost(self, host: str, *, on: bool = True) -> bool:
        """Serve a host before the others whenever it is due, or no longer; False for one that is not known."""

    def prefer(self, url: str, priority: int) -> bool:
        """Give a link that is pending or delayed another priority; False when there is none of that URL."""

    def retry(self, *, url: str | None = None, host: str | None = None) -> int:
        """Let dead letters wait again as if they had never failed: one, a host's or all; answer how many."""

    def beat(self, worker: str, doing: str) -> str:
        """Note that a worker is alive, and what it is doing; answer what it was told to do, empty when nothing."""

    def tell(self, worker: str, order: str) -> bool:
        """Tell a worker what to do, which it hears with its next sign of life; False for one that has given none."""

    def retire(self, worker: str) -> None:
        """Forget a worker that has stopped in good order."""

    def beats(self) -> list[Beat]:
        """List the workers that have given a sign of life and were not retired, the last sign first."""
