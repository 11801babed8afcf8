"""The clock that schedules go by: the machine's, or for a trial one that goes faster from some moment on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def now_utc() -> datetime:
    """The time of the machine."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clock:
    """Tells the time of schedules. Leases and politeness keep to the machine's, however fast this one goes."""

    speed: float = 1.0  # seconds of a schedule in a second of the machine
    since: datetime | None = None  # the moment at which both showed the same time; None: they always do
    machine: Callable[[], datetime] = now_utc

    def now(self) -> datetime:
        """The time that it is for a schedule."""
        return self.at(self.machine())

    def at(self, moment: datetime) -> datetime:
        """Return the time that it was for a schedule when the machine's clock showed this moment."""
        return moment if self.since is None else self.since + (moment - self.since) * self.speed

    def machine_s(self, seconds: float) -> float:
        """Return how long a wait of a schedule takes on the machine."""
        return seconds if self.since is None else seconds / self.speed
