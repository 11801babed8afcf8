"""Backend: the place where workers run, as processes, containers or pods; what every such place can do.

             add                    start
    (none) ───────▶ STARTING ─▶ RUNNING ◀────────── ENDED ──remove──▶ (none)
                        ▲        │   │   drain, or    ▲
                 PAUSING┘◀─fails─┘   └─ ends with 0 ──┘

A member is one worker's process, container or pod; it keeps its name while it is started again and again. What a
backend tells is what it sees at that moment, never what it was asked for: whoever asks for something looks again.

The signal with which a platform ends a member is the worker's drain: it finishes the requests in flight, gives its
other links back, and exits with code 0, within 20 seconds. A member that ended with 0 stays ended, for it was told to
end; one that ended otherwise is started again, after a pause that grows. No backend's error type leaves a backend: what
it raises is a BackendError, or a UsageError for a name that is not there.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

GRACE_S = 30.0  # between the first signal and the last; a worker ends itself 17 seconds after the first


class Phase(StrEnum):
    """What a platform says of a member."""

    STARTING = "starting"
    RUNNING = "running"
    PAUSING = "pausing"  # it failed, and is started again after a pause
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Member:
    """One worker's process, container or pod, as its platform sees it."""

    name: str
    place: str  # the machine, engine or node
    phase: Phase
    heard_as: str  # what the name of its worker begins with, by which heartbeats are recognised
    image: str = ""
    started_at: datetime | None = None
    restarts: int = 0
    code: int | None = None  # with which it ended last
    reason: str = ""  # why it does not run, where the platform tells


class Backend(Protocol):
    """Where the members of one fleet run."""

    def members(self) -> list[Member]:
        """List the members as they are now, in the order of their numbers or names."""

    def add(self, count: int) -> None:
        """Add members, and return when the platform has taken the order; they may still be starting."""

    def start(self, names: Collection[str]) -> None:
        """Start members that have ended."""

    def drain(self, names: Collection[str], *, at_once: bool = False) -> None:
        """Ask members to end, and return at once: with what is in flight finished, or (`at_once`) given back."""

    def remove(self, names: Collection[str]) -> None:
        """Take members away; one that still runs is ended by force. Names that are not there are passed over."""

    def renew(self, image: str | None) -> bool:
        """Let members that are added from now on be of another image; None: of the same one.

        True where the platform replaces the present members itself, one by one, and has begun to.
        """

    def logs(self, name: str, lines: int) -> list[str]:
        """Return the last lines that a member wrote to its terminal; raise UsageError where there is no such member."""

    def close(self) -> None:
        """Close connections; members go on."""
