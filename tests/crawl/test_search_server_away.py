"""A crawl goes on while its search server is away, and in the end everything that it stored is found."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.commands import Command
from tests.crawl.harness import ENVIRON, Crawl
from tests.servers import Server
from thresher import wiring
from thresher.config import Settings
from thresher.index.query import parse
from thresher.sample import RunningSample, SampleWeb, serve

AWAY_S = 60.0  # of the long form


class Relay:
    """Passes connections on to a server, unless it is closed: then it refuses them, and breaks those it has."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening: socket.socket | None = None
        self._open: list[socket.socket] = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])

    def open(self) -> None:
        """Listen."""
        self._listening = socket.create_server(("127.0.0.1", self.port), reuse_port=True)
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def close(self) -> None:
        """Refuse connections from now on."""
        if self._listening:
            self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
            self._listening = None
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._open += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def crawling(crawl: Crawl, index: str, *flags: str) -> Iterator[Command]:
    """Start a crawl whose index is in a search server; it has ended well in the end."""
    line = ["--data", str(crawl.data), "crawl", *crawl.site.starts, "--index", index, "--progress", "none", *flags]
    process = Command(*line, environ=os.environ | ENVIRON)
    try:
        yield process
        _, err = process.communicate(timeout=280)
        assert process.returncode == 0, err
    finally:
        process.kill()


def wait(process: Command, reached: Callable[[], bool]) -> None:
    """Wait until the crawl has come so far, or has ended."""
    while process.poll() is None and not reached():
        time.sleep(0.02)


def counted(data: Path, index: str) -> tuple[int, int]:
    """Return how many documents are stored, and how many of them are found."""
    corpus = wiring.open_corpus(Settings(data=str(data), index=index), create=False)
    try:
        stored = [document.url for document in corpus.store.documents(posts=False)]
        corpus.index.add([], datetime.now(UTC))
        return len(stored), len(set(corpus.index.urls(parse("", datetime.now(UTC)))) & set(stored))
    finally:
        corpus.close()


@pytest.mark.long
def test_a_crawl_goes_on_while_its_search_server_refuses_connections(
    new_crawl: Callable[..., Crawl], site: RunningSample, opensearch_process: Server
) -> None:
    crawl, relay = new_crawl(), Relay(opensearch_process.port)
    index = f"opensearch://127.0.0.1:{relay.port}/refused"
    relay.open()
    with crawling(crawl, index, "--delay", "0", "--concurrency", "2") as process:
        wait(process, lambda: len(site.server.log()) >= 15)
        relay.close()
        wait(process, lambda: len(site.server.log()) >= 40)
        asked = len(site.server.log())
        relay.open()
    if asked < 40:  # it ended before: whoever writes next carries over what waits
        with crawling(crawl, index, "--delay", "0"):
            pass
    stored, found = counted(crawl.data, index)
    assert stored > 30
    assert found == stored
    relay.close()


@pytest.mark.long
def test_a_search_server_that_is_stopped_for_a_minute_catches_up_during_the_crawl(
    tmp_path: Path, opensearch_process: Server
) -> None:
    index = f"{opensearch_process.url}/minute"
    with serve(SampleWeb(pages=400, crawl_delay_s=None, slow_s=0.2)) as site:
        crawl = Crawl(tmp_path / "data", site)
        with crawling(crawl, index, "--delay", "0.3", "--concurrency", "2") as process:
            wait(process, lambda: len(site.server.log()) >= 40)
            opensearch_process.kill()
            stopped_s, before = time.monotonic(), len(site.server.log())
            wait(process, lambda: time.monotonic() - stopped_s > AWAY_S)
            assert len(site.server.log()) > before, "the crawl went on"
            opensearch_process.start()
            assert process.poll() is None, "the crawl ended before the server was back: more pages are needed"
    stored, found = counted(crawl.data, index)
    assert stored > 200
    assert found == stored
