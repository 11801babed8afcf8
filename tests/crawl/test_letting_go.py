"""Workers that are let go while they work: their links go back, another worker finishes, nothing is lost or doubled."""

import signal
import socket
import time
from collections.abc import Iterator

import pytest

from tests.crawl.fleet import Fleet, Found, told, until
from thresher.sample import RunningSample

pytestmark = pytest.mark.slow
JOIN = ("worker", "run", "--progress", "none")


@pytest.mark.parametrize("order", ["drain", pytest.param("stop", marks=pytest.mark.long)])
def test_a_worker_that_is_told_to_go_gives_back_its_links_and_another_finishes(
    order: str, fleet: Fleet, small_site: RunningSample, calm: list[Found]
) -> None:
    small_site.server.forget()
    fleet.tell("crawl", *small_site.starts, "--enqueue", "--delay", "0.05")
    first = fleet.start(*JOIN)
    try:
        until(lambda: len(small_site.server.log()) > 20)
        assert f"to {order}" in fleet.tell("worker", order, "--all")
        code, said = told(first)
    finally:
        first.kill()
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
def silent() -> Iterator[socket.socket]:
    """A host that takes requests and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.mark.parametrize("signals", [1, 2], ids=["one signal", "two signals"])
def test_a_worker_that_waits_for_an_answer_goes_without_it(
    signals: int, fleet: Fleet, silent: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THRESHER_TIMEOUT_S", "3600")
    fleet.tell("crawl", f"http://127.0.0.1:{silent.getsockname()[1]}/", "--enqueue")
    worker = fleet.start(*JOIN)
    try:
        asked, _ = silent.accept()
        assert asked.recv(1)
        for _ in range(signals):
            worker.send_signal(signal.SIGTERM)
            time.sleep(0.5)  # two at once could arrive as one
        code, said = told(worker)
        asked.close()
    finally:
        worker.kill()
    assert (code, "Traceback" in said) == (0, False)
    census = fleet.report().census
    assert (census.leased, census.pending + census.delayed) == (0, 1)
