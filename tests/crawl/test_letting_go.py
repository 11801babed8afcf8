"""Workers that are let go while they work: their links go back, another worker finishes, nothing is lost or doubled."""

import signal
import socket
import time
from collections.abc import Iterator

import pytest

from tests.crawl.fleet import Fleet, Found, told, until
from thresher.sample import RunningSample

pytestmark = pytest.mark.slow
GONE_WITHIN_S = 20.0
JOIN = ("worker", "run", "--progress", "none")


@pytest.mark.parametrize("order", ["drain", "stop"])
def test_a_worker_that_is_told_to_go_gives_back_its_links_and_another_finishes(
    order: str, fleet: Fleet, small_site: RunningSample, calm: list[Found]
) -> None:
    small_site.server.forget()
    fleet.tell("crawl", *small_site.starts, "--enqueue", "--delay", "0.05")
    first = fleet.start(*JOIN)
    try:
        until(lambda: len(small_site.server.log()) > 20)
        assert f"to {order}" in fleet.tell("worker", order, "--all")
        began_s = time.monotonic()
        code, said = told(first, within_s=GONE_WITHIN_S + 10)
    finally:
        first.kill()
    assert time.monotonic() - began_s < GONE_WITHIN_S
    assert (code, "Traceback" in said) == (0, False)
    left = fleet.report()
    assert left.census.leased == 0
    assert left.census.pending > 0
    assert left.run.state == "running"
    assert fleet.workers() == []
    assert fleet.run(*JOIN, "--job", "1").returncode == 0
    assert fleet.report().run.state == "finished"
    assert fleet.documents() == calm


@pytest.fixture
def silent() -> Iterator[str]:
    """The URL of a host that takes requests and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


@pytest.mark.parametrize("signals", [1, 2], ids=["one signal", "two signals"])
def test_a_worker_that_waits_for_an_answer_is_gone_in_time(signals: int, fleet: Fleet, silent: str) -> None:
    fleet.tell("crawl", silent, "--enqueue")
    worker = fleet.start(*JOIN)
    try:
        until(lambda: fleet.report().census.leased == 1)
        time.sleep(1.0)
        began_s = time.monotonic()
        for _ in range(signals):
            worker.send_signal(signal.SIGTERM)
            time.sleep(0.5)
        code, said = told(worker, within_s=GONE_WITHIN_S + 10)
    finally:
        worker.kill()
    took_s = time.monotonic() - began_s
    assert took_s < (GONE_WITHIN_S if signals == 1 else 8.0)
    assert (code, "Traceback" in said) == (0, False)
    census = fleet.report().census
    assert (census.leased, census.pending + census.delayed) == (0, 1)
