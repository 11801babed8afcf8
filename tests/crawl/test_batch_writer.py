"""Landings are written in batches, and everybody is told how it went."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from thresher.crawling import batch_writer as writer_module
from thresher.crawling.batch_writer import BATCH, BatchWriter
from thresher.crawling.landing import Landing
from thresher.errors import BackendError
from thresher.frontier.contract import Settlement
from thresher.model import Lease, Link, Outcome


def landing(number: int) -> Landing:
    lease = Lease(Link(f"http://a.test/{number}"), token=number, worker="w", expires_at=0.0)
    return Landing(Settlement(lease, Outcome.DONE, "stored"))


def test_what_waits_while_one_batch_is_written_goes_into_the_next() -> None:
    batches: list[int] = []

    async def write(landings: Sequence[Landing]) -> None:
        batches.append(len(landings))
        await asyncio.sleep(0.01)

    async def main() -> None:
        writer = BatchWriter(write)
        await asyncio.gather(*[writer.land(landing(number)) for number in range(2 * BATCH + 1)])

    asyncio.run(main())
    assert sum(batches) == 2 * BATCH + 1
    assert len(batches) <= 4
    assert max(batches) == BATCH


def test_a_failed_batch_is_reported_to_all_in_it_and_the_next_is_written() -> None:
    written: list[Landing] = []

    async def write(landings: Sequence[Landing]) -> None:
        if not written and landings[0].settlement.lease.token == 0:
            raise BackendError("disk full")
        written.extend(landings)

    async def main() -> None:
        writer = BatchWriter(write)
        with pytest.raises(BackendError):
            await writer.land(landing(0))
        await writer.land(landing(1))

    asyncio.run(main())
    assert [one.settlement.lease.token for one in written] == [1]


def test_a_small_batch_waits_for_what_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []

    async def write(landings: Sequence[Landing]) -> None:
        batches.append(len(landings))

    async def main() -> None:
        writer = BatchWriter(write, under_way=lambda: 12)
        async with asyncio.TaskGroup() as landed:
            for number in range(3):
                landed.create_task(writer.land(landing(number)))
                await asyncio.sleep(0)

    monkeypatch.setattr(writer_module, "LINGER_S", 200.0)
    asyncio.run(main())
    assert batches == [3]


def test_a_small_batch_is_written_all_the_same_when_nothing_more_comes() -> None:
    batches: list[int] = []

    async def write(landings: Sequence[Landing]) -> None:
        batches.append(len(landings))

    async def main() -> None:
        writer = BatchWriter(write, under_way=lambda: 40)
        await writer.land(landing(0))

    asyncio.run(main())
    assert batches == [1]


def test_a_slow_store_leaves_less_room_and_a_quick_one_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    slowness_s, now_s = [0.0], [0.0]

    async def write(landings: Sequence[Landing]) -> None:
        now_s[0] += slowness_s[0]

    async def main() -> None:
        writer = BatchWriter(write)
        assert writer.room(48) == 48
        slowness_s[0] = 2.0
        for number in range(4):
            await writer.land(landing(number))
        assert 1 <= writer.room(48) < 24
        slowness_s[0] = 0.0
        for number in range(20):
            await writer.land(landing(number))
        assert writer.room(48) == 48

    monkeypatch.setattr(writer_module, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    monkeypatch.setattr(writer_module, "LINGER_S", 0.0)
    asyncio.run(main())


def test_closing_lets_a_batch_be_written_and_drops_what_hangs() -> None:
    async def main() -> bool:
        begun, hanging = asyncio.Event(), asyncio.Event()

        async def write(landings: Sequence[Landing]) -> None:
            begun.set()
            await hanging.wait()

        writer = BatchWriter(write)
        landed = asyncio.create_task(writer.land(landing(0)))
        await begun.wait()
        await asyncio.wait_for(writer.close(0.05), 200)
        (result,) = await asyncio.gather(landed, return_exceptions=True)
        return isinstance(result, asyncio.CancelledError)

    assert asyncio.run(main())
