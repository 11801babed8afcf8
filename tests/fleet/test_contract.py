"""What every backend of a fleet does alike: processes, pods of a double, and (long) real containers and pods."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.fleet import until
from tests.fleet.cluster import ControlPlane, control_plane
from tests.fleet.places import Place, containers, heard, local, pods, real_pods
from thresher.errors import UsageError
from thresher.fleet.contract import Backend, Member, Phase
from thresher.fleet.fleet import Fleet

LONG = [pytest.mark.slow, pytest.mark.long, pytest.mark.filterwarnings("ignore:Unverified HTTPS request")]
PLACES = [
    "local",
    "double",
    pytest.param("docker", marks=LONG),
    pytest.param("kubernetes", marks=LONG),
]


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    with control_plane(tmp_path_factory.mktemp("kubernetes")) as found:
        yield found


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    places: dict[str, Callable[[], Any]] = {
        "local": lambda: local(tmp_path),
        "double": lambda: pods(tmp_path),
        "docker": containers,
        "kubernetes": lambda: real_pods(request.getfixturevalue("plane")),
    }
    with places[request.param]() as found:
        yield found


def settled(place: Place, count: int) -> list[Member]:
    """Wait until there are so many members, all ready; return them."""

    def is_so() -> bool:
        found = place.backend.members()
        return len(found) == count and all(map(place.is_ready, found))

    until(is_so)
    return place.backend.members()


def names(place: Place) -> list[str]:
    return [member.name for member in place.backend.members()]


def one(place: Place, name: str) -> Member | None:
    return next((member for member in place.backend.members() if member.name == name), None)


def ended(place: Place, name: str) -> bool:
    """Say whether a member has ended: it is there as one that has, or, as a pod, is gone."""
    found = one(place, name)
    return found.phase is Phase.ENDED if found else not place.keeps_ended


def test_members_that_are_added_run_under_names_of_their_own(place: Place) -> None:
    place.backend.add(2)
    first = settled(place, 2)
    place.backend.add(1)
    then = settled(place, 3)
    assert {member.name for member in first} < {member.name for member in then}
    assert [member.name for member in then] == sorted(member.name for member in then)
    assert len({member.heard_as for member in then}) == 3
    for member in then:
        assert member.place
        assert (member.phase, member.restarts, member.code) == (Phase.RUNNING, 0, None)
        assert member.image == (place.images[0] if place.images else "")
        assert member.started_at is not None


@pytest.mark.parametrize("at_once", [False, True], ids=["drain", "stop"])
def test_a_member_that_is_told_to_end_ends_well_and_stays_ended(place: Place, at_once: bool) -> None:
    place.backend.add(2)
    leaving, staying = settled(place, 2)
    place.backend.drain([leaving.name], at_once=at_once)
    until(lambda: ended(place, leaving.name))
    found = one(place, leaving.name)
    assert found is None or (found.code, found.restarts) == (0, 0)
    kept = one(place, staying.name)
    assert kept
    assert (kept.phase, kept.restarts) == (Phase.RUNNING, 0)


def test_a_member_that_has_ended_can_be_started_where_it_is_kept(place: Place) -> None:
    place.backend.add(1)
    (member,) = settled(place, 1)
    place.backend.drain([member.name])
    until(lambda: ended(place, member.name))
    if not place.keeps_ended:
        with pytest.raises(UsageError, match="not started again"):
            place.backend.start([member.name])
        return
    place.backend.start([member.name])
    until(lambda: (found := one(place, member.name)) and found.phase is Phase.RUNNING)
    assert names(place) == [member.name]


def test_a_member_that_fails_is_started_again_under_its_name(place: Place) -> None:
    place.backend.add(2)
    victim, other = settled(place, 2)
    place.crash(victim)
    until(lambda: (found := one(place, victim.name)) and found.restarts == 1 and place.is_ready(found))
    assert names(place) == [victim.name, other.name]
    kept = one(place, other.name)
    assert kept
    assert kept.restarts == 0


def test_a_member_that_is_taken_away_is_gone_and_strange_names_are_passed_over(place: Place) -> None:
    place.backend.add(2)
    first, second = settled(place, 2)
    place.backend.remove([first.name, "nobody-7"])
    if place.keeps_ended:
        until(lambda: names(place) == [second.name])
    else:  # the Deployment was not told to have fewer, and makes another one
        until(lambda: first.name not in names(place))


def test_names_that_are_not_there_are_refused(place: Place) -> None:
    place.backend.add(1)
    settled(place, 1)
    with pytest.raises(UsageError, match="nobody-7"):
        place.backend.drain(["nobody-7"])
    with pytest.raises(UsageError, match="nobody-7"):
        place.backend.logs("nobody-7", 5)
    with pytest.raises(UsageError):
        place.backend.start(["nobody-7"])


def test_orders_for_nobody_change_nothing(place: Place) -> None:
    place.backend.add(1)
    before = settled(place, 1)
    for order in (place.backend.start, place.backend.drain, place.backend.remove):
        order([])
    assert place.backend.members() == before


def test_a_second_connection_sees_the_same_members(place: Place) -> None:
    place.backend.add(2)
    before = settled(place, 2)
    second = place.again()
    assert second.members() == before
    second.close()
    assert place.backend.members() == before


class Watched:
    """A backend that notes, at every look, how many members were ready, and what was asked of it."""

    def __init__(self, place: Place) -> None:
        self._place, self.ready, self.orders = place, list[int](), list[tuple[str, list[str]]]()

    def members(self) -> list[Member]:
        found = self._place.backend.members()
        self.ready.append(sum(map(self._place.is_ready, found)))
        return found

    def drain(self, names: Collection[str], *, at_once: bool = False) -> None:
        self.orders.append(("drain", sorted(names)))
        self._place.backend.drain(names, at_once=at_once)

    def remove(self, names: Collection[str]) -> None:
        still = [name for name in names if not ended(self._place, name)]
        self.orders.append(("remove", sorted(names)))
        assert not still, f"{still} are taken away before they have ended"
        self._place.backend.remove(names)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self._place.backend, name)
        return found


def watched(place: Place) -> tuple[Fleet, Watched]:
    double = Watched(place)
    backend: Backend = double
    return Fleet(backend, lambda: heard(place)), double


def test_a_fleet_that_shrinks_drains_those_of_least_use_before_it_takes_them_away(place: Place) -> None:
    fleet, seen = watched(place)
    fleet.scale(3)
    there = names(place)
    fleet.scale(1)
    leaving = sorted(there[:2])
    assert seen.orders == [("drain", leaving), ("remove", leaving)]
    assert names(place) == there[2:], "the one with the most links in hand stays"


def test_a_fleet_is_upgraded_without_a_moment_of_fewer_workers(place: Place) -> None:
    fleet, seen = watched(place)
    fleet.scale(2)
    old = {(member.name, member.started_at) for member in place.backend.members()}
    seen.ready.clear()
    fleet.restart(image=place.images[1] if place.images else None)
    assert min(seen.ready) >= 2
    found = settled(place, 2)
    assert not old & {(member.name, member.started_at) for member in found}
    if place.images:
        assert {member.image for member in found} == {place.images[1]}
