"""A page that hangs, crashes or eats memory costs its own attempt, and the pool goes on."""

import asyncio
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl import poison
from tests.crawl.fleet import until
from thresher.crawling import child
from thresher.crawling import pool as pool_module
from thresher.crawling.child import serve
from thresher.crawling.pool import PageKilled, Pool, PoolBroken


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool(poison.work, 2, timeout_s=200.0, memory_bytes=300_000_000)
    yield made
    made.close()


@pytest.fixture
def impatient() -> Iterator[Pool]:
    made = Pool(poison.work, 2, timeout_s=4.0, memory_bytes=300_000_000)
    yield made
    made.close()


@pytest.mark.parametrize(("request_", "reason"), [(b"crash", "extract-crash"), (b"greedy", "extract-memory")])
def test_a_poisonous_page_is_killed_for_its_reason_and_the_next_one_works(
    pool: Pool, request_: bytes, reason: str
) -> None:
    with pytest.raises(PageKilled, match=reason):
        asyncio.run(pool.ask(request_))
    assert asyncio.run(pool.ask(b"well")) == b"WELL"


def test_an_error_is_told_to_the_parent_and_printed_nowhere(pool: Pool, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PageKilled, match="extract-crash") as killed:
        asyncio.run(pool.ask(b"raise"))
    assert killed.value.detail == "ValueError: this page is not liked"
    assert asyncio.run(pool.ask(b"well")) == b"WELL"
    assert capfd.readouterr().err == ""


def test_a_page_that_hangs_is_killed_and_does_not_hold_up_the_others(impatient: Pool) -> None:
    async def both() -> list[object]:
        asks = [impatient.ask(b"hang"), *[impatient.ask(b"well") for _ in range(20)]]
        return list(await asyncio.gather(*asks, return_exceptions=True))

    first, *others = asyncio.run(both())
    assert isinstance(first, PageKilled)
    assert str(first) == "extract-timeout"
    assert others == [b"WELL"] * 20
    assert asyncio.run(impatient.ask(b"well")) == b"WELL"


@pytest.mark.parametrize(("starved", "outcome"), [(True, "DOZED"), (False, "extract-timeout")])
def test_a_page_that_others_keep_from_the_cores_gets_more_time_than_one_that_is_stuck(
    starved: bool, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "wants_a_core", lambda pid: starved)
    monkeypatch.setattr(pool_module, "PATIENCE", 10_000)
    pool = Pool(poison.work, 1, timeout_s=0.05, memory_bytes=300_000_000)
    try:
        said = asyncio.run(pool.ask(b"doze")).decode()
    except PageKilled as killed:
        said = str(killed)
    finally:
        pool.close()
    assert said == outcome


@pytest.mark.parametrize(("program", "wants"), [("while True: pass", True), ("import time; time.sleep(900)", False)])
def test_a_process_that_works_wants_a_core_and_one_that_waits_does_not(program: str, wants: bool) -> None:
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        try:
            until(lambda: child.wants_a_core(process.pid) is wants)
        finally:
            process.kill()


def test_large_requests_and_answers_pass(pool: Pool) -> None:
    body = b"a" * 20_000_000
    assert asyncio.run(pool.ask(body)) == body.upper()


def test_a_child_is_reused_for_many_pages(pool: Pool) -> None:
    async def pids() -> set[bytes]:
        return {await pool.ask(b"pid") for _ in range(10)}

    assert len(asyncio.run(pids())) <= 2


def test_pages_that_fail_do_not_break_a_pool_that_answers_its_probe() -> None:
    pool = Pool(poison.work, 1, timeout_s=10.0, memory_bytes=300_000_000, probe=b"probe")
    try:
        for _ in range(6):
            with pytest.raises(PageKilled, match="extract-crash"):
                asyncio.run(pool.ask(b"raise"))
    finally:
        pool.close()


def test_a_pool_that_cannot_answer_its_probe_is_broken() -> None:
    pool = Pool(poison.damaged, 1, timeout_s=10.0, memory_bytes=300_000_000, probe=b"probe")
    try:
        with pytest.raises(PoolBroken, match="ValueError: the model is damaged"):
            asyncio.run(pool.ask(b"page"))
    finally:
        pool.close()


def test_a_pool_that_cannot_start_says_so_before_it_is_asked() -> None:
    pool = Pool(poison.damaged, 1, timeout_s=10.0, memory_bytes=300_000_000, probe=b"probe")
    try:
        with pytest.raises(PoolBroken, match="the model is damaged"):
            asyncio.run(pool.ready())
    finally:
        pool.close()


def limited(bytes_: int, job: str) -> "subprocess.CompletedProcess[str]":
    """Ask a pool for a page in a process whose supervisor allows it so much memory (as `ulimit -v` does)."""
    line = (
        f"import asyncio, resource; from tests.crawl import {job} as job; from thresher.crawling.pool import Pool\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({bytes_}, {bytes_}))\n"
        "pool = Pool(job.work, 1, timeout_s=10.0, memory_bytes=300_000_000)\n"
        "try: print(asyncio.run(pool.ask(b'well')).decode())\n"
        "except Exception as error: print(f'{type(error).__name__}: {error}')\n"
        "finally: pool.close()"
    )
    return subprocess.run(
        [sys.executable, "-c", line], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )


def test_a_limit_set_by_a_supervisor_is_kept_and_leaves_the_pool_working() -> None:
    assert limited(4_000_000_000, "poison").stdout == "WELL\n"


def test_a_limit_that_leaves_no_room_is_told_in_one_line() -> None:
    told = limited(1_000_000_000, "hungry").stdout
    assert told.startswith("PoolBroken: an extraction process cannot be started")
    assert "thresher doctor" in told


def test_the_processes_are_started_before_they_are_asked_and_end_with_the_pool() -> None:
    before = set(multiprocessing.active_children())
    pool = Pool(poison.work, 2, timeout_s=200.0, memory_bytes=300_000_000)
    deadline_s = time.monotonic() + 280
    while len(set(multiprocessing.active_children()) - before) < 2:
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    pool.close()
    assert set(multiprocessing.active_children()) <= before


def test_a_pool_may_be_closed_while_it_starts() -> None:
    before = set(multiprocessing.active_children())
    Pool(poison.work, 2, timeout_s=200.0, memory_bytes=300_000_000).close()
    assert set(multiprocessing.active_children()) <= before


def test_a_process_whose_parent_is_gone_ends_quietly(capfd: pytest.CaptureFixture[str]) -> None:
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, poison.work, 300_000_000, 1.0))
    ours.close()
    process.start()
    theirs.close()
    process.join(60)
    assert process.exitcode == 0
    assert capfd.readouterr().err == ""
