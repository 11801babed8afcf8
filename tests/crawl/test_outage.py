"""Patience: what a server's outage does to the calls that need it."""

import asyncio
import logging

import pytest

from thresher.crawling import outage
from thresher.crawling.books import Books
from thresher.crawling.outage import Patience, wait_out
from thresher.errors import BackendError, Unreachable


class Shop:
    """A server that is away for so many calls."""

    def __init__(self, closed_for: int, error: BackendError | None = None) -> None:
        self.calls = 0
        self._closed_for = closed_for
        self._error = error or Unreachable("the shop is closed")

    def buy(self) -> str:
        self.calls += 1
        if self.calls <= self._closed_for:
            raise self._error
        return "bread"

    async def order(self) -> str:
        await asyncio.sleep(0)
        return self.buy()


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "SHORTEST_PAUSE_S", 0.001)


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "thresher.crawl"]


def test_many_calls_wait_for_one_outage_and_two_lines_tell_of_it(caplog: pytest.LogCaptureFixture) -> None:
    shop, patience = Shop(closed_for=12), Patience()

    async def main() -> list[str]:
        return await asyncio.gather(*[patience.through(shop.order) for _ in range(8)])

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(main()) == ["bread"] * 8
    away, back = said(caplog)
    assert away == "the shop is closed (waiting for it; nothing is lost)"
    assert back.startswith("it answers again after")
    assert not patience.is_waiting


def test_an_error_that_trying_again_cannot_help_is_raised_at_once() -> None:
    shop, patience = Shop(closed_for=9, error=BackendError("the disk is full")), Patience()
    with pytest.raises(BackendError, match="full"):
        asyncio.run(patience.through(shop.order))
    assert shop.calls == 1
    assert not patience.is_waiting


def test_who_waits_for_one_server_does_not_hold_up_who_waits_for_another() -> None:
    patience, store, frontier = Patience(), Shop(closed_for=1_000_000), Shop(closed_for=3)

    async def main() -> str:
        writing = asyncio.create_task(patience.through(store.order, "books"))
        while not patience.is_waiting:
            await asyncio.sleep(0)
        renewed = await asyncio.wait_for(patience.through(frontier.order, "frontier"), 200)
        assert patience.is_waiting
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        return renewed

    assert asyncio.run(main()) == "bread"
    assert not patience.is_waiting


def test_who_waits_tries_again_as_soon_as_a_server_answers_somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "SHORTEST_PAUSE_S", 3600.0)
    patience, store, frontier = Patience(), Shop(closed_for=1), Shop(closed_for=2)

    async def main() -> str:
        leasing = asyncio.create_task(patience.through(frontier.order, "frontier"))
        while not patience.is_waiting:
            await asyncio.sleep(0)
        assert await patience.through(store.order, "books") == "bread"
        return await asyncio.wait_for(leasing, 200)

    assert asyncio.run(main()) == "bread"
    assert not patience.is_waiting


def test_somebody_hears_when_the_server_is_back() -> None:
    heard, patience = [], Patience()
    patience.on_back = lambda: heard.append("back")
    asyncio.run(patience.through(Shop(closed_for=2).order))
    asyncio.run(patience.through(Shop(closed_for=0).order))
    assert heard == ["back"]


def test_pauses_grow_with_the_outage_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    assert wait_out(Shop(closed_for=16).buy, pauses.append) == "bread"
    assert pauses == sorted(pauses)
    assert pauses[0] == 0.001
    assert pauses[-1] == outage.LONGEST_PAUSE_S


def test_a_store_that_hangs_keeps_nobody_from_asking_a_frontier_that_is_apart() -> None:
    async def main() -> str:
        books = Books(None, None, None, None, apart=True)  # type: ignore[arg-type]
        free = asyncio.Event()
        loop = asyncio.get_running_loop()
        begun = asyncio.Event()

        def hang() -> None:
            loop.call_soon_threadsafe(begun.set)
            asyncio.run_coroutine_threadsafe(free.wait(), loop).result()

        hanging = asyncio.create_task(books.call(hang))
        await begun.wait()
        answer = await asyncio.wait_for(books.ask(lambda: "leases"), 200)
        free.set()
        await hanging
        books.close()
        return answer

    assert asyncio.run(main()) == "leases"
