"""What is shown is what was observed: platform and heartbeats joined, for every pair of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from thresher.errors import BackendError, UsageError
from thresher.fleet.contract import Member, Phase
from thresher.fleet.fleet import Fleet

NOW = datetime(2026, 11, 1, tzinfo=UTC)


class Frozen:
    """A platform on which nothing moves, whatever is asked of it."""

    def __init__(self, *members: Member) -> None:
        self.there = list(members)
        self.removed: list[str] = []

    def members(self) -> list[Member]:
        return self.there

    def add(self, count: int) -> None:
        pass

    def start(self, names: Any) -> None:
        pass

    def drain(self, names: Any, *, at_once: bool = False) -> None:
        pass

    def remove(self, names: Any) -> None:
        self.removed += names

    def renew(self, image: str | None) -> bool:
        return False

    def logs(self, name: str, lines: int) -> list[str]:
        return []

    def close(self) -> None:
        pass


def member(phase: Phase, *, up_s: float = 600.0, code: int | None = None) -> Member:
    return Member("worker-1", "here", phase, "here/7/1.a", started_at=NOW - timedelta(seconds=up_s), code=code)


def said(state: str, worker: str = "here/7/1.a", age_s: int = 1) -> dict[str, Any]:
    return {"worker": worker, "state": state, "heard_s_ago": age_s, "in_flight": 0}


def fleet_of(platform: Frozen, *heard: dict[str, Any]) -> tuple[Fleet, list[str]]:
    """A fleet whose clock goes on by what it sleeps, and what it notes."""
    noted: list[str] = []
    clock = [0.0]
    fleet = Fleet(
        platform,
        lambda: list(heard),
        note=noted.append,
        clock=lambda: clock[0],
        sleep=lambda seconds: clock.__setitem__(0, clock[0] + seconds),
        now=lambda: NOW,
    )
    return fleet, noted


@pytest.mark.parametrize(
    ("observed", "heard", "state"),
    [
        (member(Phase.RUNNING), [said("running")], "running"),
        (member(Phase.RUNNING), [said("draining")], "draining"),
        (member(Phase.RUNNING), [said("lost", age_s=99), said("waiting", "here/7/1.a")], "waiting"),
        (member(Phase.RUNNING), [said("lost")], "silent"),
        (member(Phase.RUNNING), [], "silent"),
        (member(Phase.RUNNING, up_s=5), [], "starting"),
        (member(Phase.RUNNING), [said("running", "here/71/1.a")], "silent"),
        (member(Phase.RUNNING, up_s=5), [said("running", age_s=9)], "starting"),  # it was the one of before
        (member(Phase.STARTING), [], "starting"),
        (member(Phase.PAUSING, code=1), [said("running")], "pausing"),
        (member(Phase.ENDED, code=0), [said("running")], "stopped"),
        (member(Phase.ENDED, code=-9), [], "failed"),
    ],
)
def test_a_state_needs_both_the_platform_and_the_heartbeat(
    observed: Member, heard: list[dict[str, Any]], state: str
) -> None:
    fleet, _ = fleet_of(Frozen(observed), *heard)
    assert fleet.members()[0].state == state


def test_workers_that_are_no_members_are_shown_while_they_are_heard() -> None:
    fleet, _ = fleet_of(Frozen(), said("running", "there/1/1.b"), said("lost", "there/2/1.b"))
    assert [(status.name, status.member) for status in fleet.status()] == [("there/1/1.b", None)]
    assert fleet.members() == []


def test_a_worker_that_does_not_come_up_is_told_with_its_state() -> None:
    fleet, _ = fleet_of(Frozen(member(Phase.ENDED, code=1)))
    with pytest.raises(BackendError, match="worker-1 is failed; `thresher fleet logs NAME`"):
        fleet.start(["worker-1"])
    with pytest.raises(BackendError, match="no new member is there"):
        fleet.grow(1)


def test_a_worker_that_does_not_end_is_taken_away_by_force_and_that_is_said() -> None:
    platform = Frozen(member(Phase.RUNNING))
    fleet, noted = fleet_of(platform, said("running"))
    with pytest.raises(BackendError, match="worker-1 is running"):
        fleet.drain(["worker-1"])
    assert platform.removed == []
    fleet.shrink(["worker-1"])
    assert platform.removed == ["worker-1"]
    assert "by force" in noted[0]


def test_a_name_that_is_not_there_is_refused() -> None:
    fleet, _ = fleet_of(Frozen())
    for order in (fleet.start, fleet.drain, fleet.restart):
        with pytest.raises(UsageError, match="no member 'nobody'"):
            order(["nobody"])
