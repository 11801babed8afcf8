"""Real signals sent to a real crawl."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.fetch.conftest import CHILD
from tests.fetch.loopback import Site, answer


@dataclass
class Crawling:
    """A crawl in a process of its own, whose events can be waited for."""

    child: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def listen(self) -> None:
        assert self.child.stderr
        for line in self.child.stderr:
            with self.news:
                self.lines.append(line.strip())
                self.news.notify_all()

    def wait_for(self, event: str) -> None:
        with self.news:
            assert self.news.wait_for(lambda: any(line.startswith(event) for line in self.lines), 200), self.lines

    def end(self) -> dict[str, Any]:
        """Wait for the process to end by itself and return its report."""
        assert self.child.stdout
        report: dict[str, Any] = json.loads(self.child.stdout.read())
        assert self.child.wait(200) == 0
        return report


def start(*urls: str, **script: Any) -> Crawling:
    child = subprocess.Popen(
        [sys.executable, str(CHILD)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdin
    options = {"obey_robots": False, "concurrency": 2}
    json.dump({"links": [{"url": url} for url in urls], "options": options, "loud": True, **script}, child.stdin)
    child.stdin.close()
    crawling = Crawling(child)
    threading.Thread(target=crawling.listen, daemon=True).start()
    return crawling


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What holds back the slow pages."""
    gate = threading.Event()
    yield gate
    gate.set()


@pytest.fixture
def site(gate: threading.Event) -> Iterator[Site]:
    def slow(connection: Any) -> None:
        gate.wait(250)
        connection.sendall(answer(b"slow"))

    with Site({"/fast": answer(b"fast")} | {f"/slow{n}": slow for n in range(6)}) as site:
        yield site


def slow_ones(site: Site) -> list[str]:
    return [f"{site.origin}/slow{n}" for n in range(6)]


def wait_for_visits(site: Site, count: int) -> None:
    for _ in range(20_000):
        if len(site.visits) >= count:
            return
        time.sleep(0.01)
    raise AssertionError(f"only {site.paths()} arrived")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_lets_what_is_in_flight_finish(site: Site, gate: threading.Event, number: int) -> None:
    crawling = start(f"{site.origin}/fast", *slow_ones(site), slots=3, deliver_s=0.2)
    wait_for_visits(site, 3)  # the fast page and two slow ones: both lanes are taken
    crawling.wait_for(f"settled {site.origin}/fast")
    crawling.child.send_signal(number)
    crawling.wait_for("interrupt")
    gate.set()
    report = crawling.end()
    assert report["ended"] == "interrupted"
    settled = [event for event in report["events"] if event.startswith("settled")]
    leased = len(report["answers"])
    assert len(settled) == leased
    assert 3 <= leased < 7  # nothing was leased after the signal
    assert [answer["status"] for answer in report["answers"]] == [200] * leased
    assert report["events"][-1] == "closing"


def test_a_crawl_that_waits_for_work_stops_at_the_first_signal(site: Site) -> None:
    crawling = start(f"{site.origin}/fast", endless=True)
    crawling.wait_for("settled")
    crawling.child.send_signal(signal.SIGINT)
    report = crawling.end()
    assert (report["ended"], report["events"][-2:]) == ("interrupted", ["interrupt", "closing"])


def test_the_second_signal_stops_at_once(site: Site) -> None:
    crawling = start(*slow_ones(site), slots=4)
    wait_for_visits(site, 2)
    crawling.child.send_signal(signal.SIGINT)
    crawling.wait_for("interrupt")
    crawling.child.send_signal(signal.SIGINT)
    report = crawling.end()  # though the slow pages are still held back
    assert (report["ended"], report["error"], report["answers"]) == ("halted", "", [])
    assert report["events"][-1] == "closing"
    assert not [line for line in crawling.lines if "Traceback" in line or "destroyed" in line]


def test_the_second_signal_does_not_wait_for_what_will_not_let_go(site: Site) -> None:
    crawling = start(f"{site.origin}/fast", deliver_s=1000, linger_s=1000)
    crawling.wait_for("delivered")
    crawling.child.send_signal(signal.SIGTERM)
    crawling.wait_for("interrupt")
    crawling.child.send_signal(signal.SIGTERM)
    assert crawling.end()["ended"] == "halted"
