"""The leases that a worker holds: how many, and what becomes of them when it is to end."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from thresher.crawling import holding
from thresher.crawling.books import Books
from thresher.crawling.holding import Holding, Overdue
from thresher.frontier.contract import Frontier, Rules, Settlement
from thresher.frontier.sqlite import SqliteFrontier
from thresher.model import Link, Outcome
from thresher.sqlite import connect


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[Frontier]:
    """A frontier with 40 links of as many hosts, all due."""
    connection = connect(tmp_path / "frontier.db")
    frontier = SqliteFrontier(connection, "job", Rules(delay_s=0.0))
    frontier.offer([Link(f"http://h{number}.test/") for number in range(40)])
    yield frontier
    connection.close()


def books_of(frontier: Frontier) -> Books:
    return Books(frontier, None, None, nullcontext)  # type: ignore[arg-type]


def test_no_more_is_leased_than_there_is_room_for(frontier: Frontier) -> None:
    rooms = iter([9, 9, 2, 2])  # the store becomes slow after the second look

    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: next(rooms), lease_s=120.0)
        first = [await held.next() for _ in range(9)]
        assert len(held) == 9
        for lease in first[:6]:
            assert lease
            held.settled(lease)
        assert await held.next() is not None
        assert frontier.census().leased == 9 + 6
        held.drain()
        assert await held.next() is None

    asyncio.run(main())


def test_who_finds_nothing_looks_less_often_and_at_once_again_with_a_new_link(frontier: Frontier) -> None:
    frontier.lease("other", 40)
    waits: list[float] = []

    class Enough(Exception):
        """The second link was waited for."""

    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 9, lease_s=120.0)

        async def wait(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 12:
                frontier.offer([Link("http://new.test/")])
            if lease or len(waits) > 100:
                raise Enough
            await asyncio.sleep(0.01)

        held._wait, lease = wait, None  # type: ignore[method-assign]
        lease = await held.next()
        assert lease
        frontier.settle([Settlement(lease, Outcome.DONE, "article")])
        held.settled(lease)
        with pytest.raises(Enough):
            await held.next()

    asyncio.run(main())
    assert 0.4 <= waits[0] <= 0.5
    assert all(1.6 <= seconds <= 2.0 for seconds in waits[4:12])
    assert len(set(waits[4:12])) > 1  # not all workers at the same moment
    assert 0.4 <= waits[-1] <= 0.5


def test_what_nobody_has_begun_is_not_waited_for(frontier: Frontier) -> None:
    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 12, lease_s=120.0)
        lease = await held.next()
        assert lease
        held.drain()
        asyncio.get_running_loop().call_later(0.05, held.settled, lease)
        await held.finish(hurry=lambda: False)
        assert len(held) == 0
        await held.give_back()

    asyncio.run(main())
    assert frontier.census().leased == 0
    assert frontier.census().pending == 40


@pytest.mark.parametrize("hurry", [True, False])
def test_what_takes_too_long_is_dropped_and_given_back(
    frontier: Frontier, hurry: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holding, "DRAIN_S", 30.0 if hurry else 0.05)
    monkeypatch.setattr(holding, "IDLE_S", 0.02)

    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 12, lease_s=120.0)
        assert await held.next()
        held.drain()
        with pytest.raises(Overdue, match="not finished in time: 1 of"):
            await asyncio.wait_for(held.finish(hurry=lambda: hurry), 5)
        await held.give_back()

    asyncio.run(main())
    assert frontier.census().leased == 0


def test_a_lease_that_was_lost_is_not_fetched(frontier: Frontier) -> None:
    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 12, lease_s=120.0)
        begun = await held.next()
        frontier.reap(["w"])
        await held.renew()
        assert begun
        assert len(held) == 1
        held.settled(begun)
        again = await held.next()
        assert again
        assert again.link.url == "http://h12.test/"  # none of the twelve that were lost

    asyncio.run(main())


def test_places_that_a_settle_frees_are_filled_by_it(frontier: Frontier) -> None:
    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 9, lease_s=120.0)
        first = await held.next()
        assert first
        assert held.claim(1) == 1  # the other eight are leased already
        held.take(frontier.lease("w", 1))
        held.settled(first)
        assert len(held) == 9

    asyncio.run(main())
    assert frontier.census().leased == 10  # nobody has settled the first in the frontier


def test_nothing_is_claimed_or_kept_when_draining(frontier: Frontier) -> None:
    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 9, lease_s=120.0)
        assert held.claim(0) == 9
        held.drain()
        held.take(frontier.lease("w", 9))
        assert len(held) == 0
        assert held.claim(9) == 0
        held.take([])
        await held.give_back()

    asyncio.run(main())
    assert frontier.census().leased == 0


def test_leases_are_renewed_when_it_is_time(frontier: Frontier) -> None:
    now_s = [100.0]
    renewed = []

    async def main() -> None:
        books = books_of(frontier)
        held = Holding(books, "w", lambda: 9, lease_s=120.0, clock=lambda: now_s[0])
        await held.next()
        frontier.reap(["w"])  # all but the one that was begun are noticed, and dropped, with the next renewal
        for now_s[0] in (102.0, 137.0, 138.0):
            await held.renew(after_s=38.0)
            renewed.append(len(held) == 1)

    asyncio.run(main())
    assert renewed == [False, False, True]


def test_a_lease_that_may_have_expired_is_asked_for_before_it_is_fetched(tmp_path: Path) -> None:
    now_s = [1000.0]
    connection = connect(tmp_path / "frontier.db")
    rules = Rules(delay_s=0.0, lease_s=120.0)
    frontier = SqliteFrontier(connection, "job", rules, clock=lambda: now_s[0])
    frontier.offer([Link(f"http://h{number}.test/") for number in range(4)])

    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 4, lease_s=120.0, clock=lambda: now_s[0])
        first = await held.next()
        assert first
        now_s[0] += 121.0
        (taken,) = frontier.lease("another", 1)  # all four have expired
        rest = [await held.next() for _ in range(3)]
        assert frontier.renew([lease for lease in rest if lease]) == [True, True, True]
        assert taken.link.url not in [lease.link.url for lease in rest if lease]

    asyncio.run(main())
    connection.close()


def test_a_link_that_comes_to_us_again_is_held_until_its_own_lease_ends(tmp_path: Path) -> None:
    now_s = [1000.0]
    connection = connect(tmp_path / "frontier.db")
    frontier = SqliteFrontier(connection, "job", Rules(delay_s=0.0, lease_s=120.0), clock=lambda: now_s[0])
    frontier.offer([Link("http://h.test/")])

    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 9, lease_s=120.0, clock=lambda: now_s[0])
        late = await held.next()
        now_s[0] += 121.0
        again = await held.next()
        assert late
        assert again
        assert again.token > late.token
        held.settled(late)
        assert len(held) == 1
        await held.renew()
        held.settled(again)
        assert len(held) == 0

    asyncio.run(main())
    connection.close()
