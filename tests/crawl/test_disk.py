"""A crawl waits for room before its disk is full, and goes on when there is some."""

import asyncio
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.crawl.test_holding import books_of
from tests.crawl.test_holding import frontier as frontier  # a fixture
from thresher.crawling.disk import shortage
from thresher.crawling.holding import Holding
from thresher.crawling.worker import Task, Worker
from thresher.frontier.contract import Frontier

GIGABYTE = 1_000_000_000


class Disk(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> list[Disk]:
    disks = [Disk(100 * GIGABYTE, 0, 100 * GIGABYTE)]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: disks[0])
    return disks


def test_a_disk_with_less_than_the_reserve_is_short(disk: list[Disk], tmp_path: Path) -> None:
    assert shortage(tmp_path, GIGABYTE) == ""
    disk[0] = Disk(100 * GIGABYTE, 0, GIGABYTE // 5)
    told = shortage(tmp_path / "not" / "there" / "yet", GIGABYTE)
    assert "only 200 MB are free" in told
    assert "1,000 MB are kept free" in told
    assert shortage(tmp_path, 0) == ""


def test_of_a_small_disk_a_twentieth_is_kept_free(disk: list[Disk], tmp_path: Path) -> None:
    disk[0] = Disk(2 * GIGABYTE, 0, GIGABYTE // 5)
    assert shortage(tmp_path, GIGABYTE) == ""
    disk[0] = Disk(2 * GIGABYTE, 0, GIGABYTE // 11)
    assert "100 MB are kept free" in shortage(tmp_path, GIGABYTE)


def test_nothing_is_begun_while_the_machine_is_short_of_room(
    frontier: Frontier, caplog: pytest.LogCaptureFixture
) -> None:
    told = ["no room"]

    async def main() -> None:
        held = Holding(books_of(frontier), "w", lambda: 9, lease_s=120.0)
        worker = Worker.__new__(Worker)
        worker._task, worker._holding = Task("w", 9, 120.0, shortage=lambda: told[0]), held
        await worker._heed_shortage()
        await worker._heed_shortage()
        waiting = asyncio.create_task(held.next())
        done, _ = await asyncio.wait({waiting}, timeout=0.01)
        assert not done
        assert frontier.census().leased == held.claim(3) == 0
        told[0] = ""
        await worker._heed_shortage()
        assert await waiting is not None

    asyncio.run(main())
    assert [record.message for record in caplog.records] == [
        "waiting for room: no room",
        "there is space again; the crawl continues",
    ]
