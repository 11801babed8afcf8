"""Fleet: the members of a backend joined with the heartbeats of their workers, and what is done with them.

Nothing here believes what it asked for: after each order it looks until it sees what was wanted, or says what it sees.
A member is taken away only when its worker has ended and given its links back; when it does not end in time it is ended
by force, and its links go to other workers when their leases expire.
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from thresher.errors import BackendError, UsageError
from thresher.fleet.contract import Backend, Member, Phase

LOOK_EVERY_S = 0.25
UP_WITHIN_S = 300.0  # for a new worker to be heard: images are pulled, machines are busy
ENDED_WITHIN_S = 60.0  # after which every platform has ended a member by itself
ROUNDING_S = 0.5  # of the age of a heartbeat
YOUNG_S = 60.0  # a member that runs for less and was not heard of is starting
HEARD = ("running", "waiting", "draining")  # what a worker says of itself
ENDED = ("stopped", "failed")
LEAST_USEFUL = ("failed", "stopped", "pausing", "starting", "silent", "draining", "waiting", "running")


@dataclass(frozen=True, slots=True)
class Status:
    """One worker as it was observed: by its platform, by its heartbeat, or by both."""

    state: str  # running, waiting, draining; starting, silent, pausing, stopped, failed
    member: Member | None  # None: a worker that somebody started outside of this fleet
    said: dict[str, Any]  # its heartbeat, as crawling.workers tells it; empty when it was not heard of

    @property
    def name(self) -> str:
        """The member's name, or the worker's."""
        return self.member.name if self.member else str(self.said["worker"])


class Fleet:
    """The workers of one backend."""

    def __init__(
        self,
        backend: Backend,
        hear: Callable[[], list[dict[str, Any]]],
        *,
        note: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`hear` returns the heartbeats of all workers; `note` is told what was observed, as it happens."""
        self._backend, self._hear, self._note = backend, hear, note
        self._clock, self._sleep, self._now = clock, sleep, now

    def status(self) -> list[Status]:
        """Return every member, then the workers that are heard of and are no members."""
        heard = sorted(self._hear(), key=lambda said: float(said["heard_s_ago"]))
        members = self._backend.members()
        joined = [self._joined(member, heard) for member in members]
        own = {status.said["worker"] for status in joined if status.said}
        others = [said for said in heard if said["state"] in HEARD and said["worker"] not in own]
        return joined + [Status(said["state"], None, said) for said in others]

    def members(self) -> list[Status]:
        """Return the members alone."""
        return [status for status in self.status() if status.member]

    def grow(self, count: int) -> None:
        """Add members and return when all are heard of; raise BackendError when one is not in time."""
        if count < 1:
            return
        began, before = self._clock(), {status.name for status in self.members()}
        self._backend.add(count)

        def fresh() -> list[Status]:
            return [status for status in self.members() if status.name not in before]

        self._until(lambda: self._all_heard(fresh(), count), UP_WITHIN_S, lambda: self._late(fresh(), "heard of"))
        self._note(f"{_counted(count)} more heard of after {self._clock() - began:.1f} s")

    def shrink(self, names: Collection[str]) -> None:
        """Drain members, wait until they have ended, and take them away."""
        if not names:
            return
        try:
            self.drain(names)
        except BackendError as error:
            self._note(f"{error}; they are ended by force, and their links wait until the leases expire")
        self._backend.remove(names)

    def scale(self, count: int) -> None:
        """Have so many members that work: add, or drain and take away those that are of least use; ended ones go."""
        there = sorted(self.members(), key=_usefulness)
        surplus = max(len(there) - count, 0)
        self.shrink([status.name for status in there[:surplus]])
        self.start([status.name for status in there[surplus:] if status.state in ENDED])
        self.grow(count - len(there))

    def start(self, names: Collection[str]) -> None:
        """Start members that have ended, and return when all are heard of."""
        self._known(names)
        if not names:
            return
        began = self._clock()
        self._backend.start(names)
        self._until(
            lambda: self._all_heard(self._of(names), len(names)), UP_WITHIN_S, lambda: self._late(names, "heard of")
        )
        self._note(f"{_counted(len(names))} heard of after {self._clock() - began:.1f} s")

    def drain(self, names: Collection[str], *, at_once: bool = False) -> None:
        """Ask members to end, and return when all have; raise BackendError when one still runs after a while."""
        self._known(names)
        if not names:
            return
        began = self._clock()
        self._backend.drain(names, at_once=at_once)
        self._until(lambda: self._all_ended(names), ENDED_WITHIN_S, lambda: self._late(names, "ended"))
        self._note(f"{_counted(len(names))} ended after {self._clock() - began:.1f} s")

    def restart(self, names: Collection[str] = (), image: str | None = None) -> None:
        """Replace members one by one, all when none is named: a new one is heard of before an old one drains."""
        self._known(names)
        old = list(names) or [status.name for status in self.members()]
        if self._backend.renew(image):
            self._until(lambda: self._all_replaced(old), UP_WITHIN_S * max(len(old), 1), lambda: "the rollout hangs")
            self._note(f"{_counted(len(old))} replaced")
            return
        for name in old:
            self.grow(1)
            self.shrink([name])
            self._note(f"{name} is replaced")

    def _joined(self, member: Member, heard: Sequence[dict[str, Any]]) -> Status:
        up_s = (self._now() - member.started_at).total_seconds() if member.started_at else 0.0
        said = next((each for each in heard if _is_of(member, str(each["worker"]))), {})
        if said and member.started_at and float(said["heard_s_ago"]) > up_s + ROUNDING_S:
            said = {}  # that was the worker of before, which had the same name
        if member.phase is Phase.RUNNING:
            if said.get("state") in HEARD:
                return Status(said["state"], member, said)
            return Status("starting" if up_s < YOUNG_S else "silent", member, said)
        if member.phase is Phase.ENDED:
            return Status("failed" if member.code else "stopped", member, {})
        return Status(member.phase.value, member, {})

    def _of(self, names: Collection[str]) -> list[Status]:
        return [status for status in self.members() if status.name in names]

    def _known(self, names: Collection[str]) -> None:
        there = {member.name for member in self._backend.members()} if names else set()
        for name in names:
            if name not in there:
                raise UsageError(f"there is no member {name!r}; `thresher fleet status` lists them")

    def _all_heard(self, found: Sequence[Status], count: int) -> bool:
        return len(found) >= count and all(status.state in HEARD for status in found)

    def _all_ended(self, names: Collection[str]) -> bool:
        """Say whether members have ended: they may be gone, as a pod is."""
        return all(status.state in ENDED for status in self._of(names))

    def _all_replaced(self, old: Collection[str]) -> bool:
        found = self.members()
        return self._all_heard(found, len(old)) and not any(status.name in old for status in found)

    def _until(self, happened: Callable[[], bool], within_s: float, why: Callable[[], str]) -> None:
        deadline = self._clock() + within_s
        while not happened():
            if self._clock() >= deadline:
                raise BackendError(why())
            self._sleep(LOOK_EVERY_S)

    def _late(self, which: Collection[str] | Sequence[Status], what: str) -> str:
        names = {each.name if isinstance(each, Status) else each for each in which}
        found = [f"{status.name} is {status.state}" for status in self._of(names)] or ["no new member is there"]
        return f"not all members were {what} in time: {', '.join(found)}; `thresher fleet logs NAME` may say why"


def facts_of(status: Status) -> dict[str, Any]:
    """Return what is known of a worker as plain data."""
    member, said = status.member, status.said
    return {
        "member": member.name if member else None,
        "place": member.place if member else None,
        "state": status.state,
        "worker": said.get("worker"),
        "heard_s_ago": said.get("heard_s_ago"),
        "job": said.get("job"),
        "in_flight": said.get("in_flight"),
        "pages": said.get("pages"),
        "per_min": said.get("per_min"),
        "memory_mb": said.get("memory_mb"),
        "restarts": member.restarts if member else None,
        "image": member.image or None if member else None,
        "why": _why(status),
    }


def _why(status: Status) -> str | None:
    """Say why a member does not work, as far as its platform tells."""
    member = status.member
    if member is None or status.state in HEARD:
        return None
    return member.reason or (f"ended with code {member.code}" if member.code is not None else None)


def _usefulness(status: Status) -> tuple[int, int]:
    return LEAST_USEFUL.index(status.state), int(status.said.get("in_flight") or 0)


def _is_of(member: Member, worker: str) -> bool:
    """Say whether a heartbeat is a member's: of its very process, or of whichever runs in its container."""
    return bool(member.heard_as) and (worker == member.heard_as or worker.startswith(f"{member.heard_as}/"))


def _counted(count: int) -> str:
    return f"{count} member" if count == 1 else f"{count} members"
