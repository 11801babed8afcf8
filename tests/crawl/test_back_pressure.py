"""A store that is slow or locked makes a worker fetch less; one whose memory grows begins anew. Nothing is lost."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from resource import getpagesize

import psycopg
import pytest

from tests.crawl.fleet import ENVIRON, Fleet, Found, told, until
from thresher.sample import RunningSample

pytestmark = pytest.mark.slow
JOIN = ("worker", "run", "--job", "1", "--progress", "none")
AHEAD = 3 * int(ENVIRON["THRESHER_CONCURRENCY"])  # links that a worker holds at most
ROBOTS = 8  # requests at most that belong to no link: each host's robots.txt, asked for by each process
GROWTH_BYTES = 64_000_000


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Let nobody write what became of a URL."""
    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE fates IN EXCLUSIVE MODE")
        yield


@contextmanager
def slow(url: str) -> Iterator[None]:
    """Let every row of what became of a URL take a quarter of a second."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.25); RETURN NEW; END'"
        )
        connection.execute("CREATE TRIGGER slowly BEFORE INSERT ON fates FOR EACH ROW EXECUTE FUNCTION doze()")
        yield
        connection.execute("DROP TRIGGER slowly ON fates")


@pytest.mark.parametrize("trouble", [locked, pytest.param(slow, marks=pytest.mark.long)])
def test_a_worker_fetches_no_faster_than_its_store_writes(
    trouble: Callable[[str], AbstractContextManager[None]], fleet: Fleet, small_site: RunningSample, calm: list[Found]
) -> None:
    def ahead() -> int:
        done = fleet.report().census.done
        return len(small_site.server.log()) - done

    small_site.server.forget()
    fleet.tell("crawl", *small_site.starts, "--enqueue")
    worker = fleet.start(*JOIN)
    try:
        until(lambda: len(small_site.server.log()) > 20)
        with trouble(fleet.store):
            before_bytes = resident_bytes(worker.pid)
            deadline_s = time.monotonic() + 1.5 * float(ENVIRON["THRESHER_LEASE_S"])
            while time.monotonic() < deadline_s:
                assert ahead() <= AHEAD + ROBOTS
                time.sleep(0.2)
            assert fleet.report().census.leased > 0
            assert worker.poll() is None
            assert resident_bytes(worker.pid) - before_bytes < GROWTH_BYTES
        code, said = told(worker)
    finally:
        worker.kill()
    assert (code, "Traceback" in said) == (0, False)
    assert fleet.documents() == calm
    census = fleet.report().census
    assert (census.pending, census.delayed, census.leased) == (0, 0, 0)
    asked = [each.url for each in small_site.server.log() if each.status == 200 and "robots.txt" not in each.url]
    assert len(asked) == len(set(asked)), "leases are renewed while the store is waited for"


def resident_bytes(pid: int) -> int:
    """Return the memory that a process takes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * getpagesize()


@pytest.mark.long
def test_a_worker_begins_anew_when_it_takes_too_much_memory(fleet: Fleet, small_site: RunningSample) -> None:
    fleet.tell("crawl", small_site.starts[0], "--enqueue", "--delay", "0.5", "--limit", "10")
    worker = fleet.start(*JOIN, "--max-memory", "1M")  # less than it takes: it begins anew after every sign of life
    try:
        code, said = told(worker)
    finally:
        worker.kill()
    assert (code, "Traceback" in said) == (0, False)
    assert said.count("working on run 1") >= 2
    assert (fleet.report().run.state, fleet.report().fetched) == ("finished", 10)
