"""A thousand workers that fetch nothing, in a few processes, against one real Redis: how fast, how late, how polite.

Each worker has a frontier and a connection of its own, holds leases for the time that a page takes, settles them,
offers what they led to and gives signs of life, as a worker of a crawl does; some threads serve all of them. What is
given out is judged by the server's own time: the end of a lease tells when it began.
"""

import json
import math
import subprocess
import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from threading import Thread
from typing import Any

from thresher.errors import BackendError
from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.redis_overseer import RedisOverseer
from thresher.frontier.server import Server
from thresher.lab.simulation import BEAT_EVERY_S, LEASED, SAYS
from thresher.model import Lease, Link, Outcome

JOB = "live"
IDLE_S = 0.5
LEASE_S = 120.0
OFFERED = 1_000


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried."""

    workers: int = 1_000
    processes: int = 2
    threads: int = 16  # of a process, each of which serves some workers
    hosts: int = 20_000
    links: int = 300_000
    delay_s: float = 20.0
    fetch_s: float = 0.5
    minutes: float = 10.0
    new_links: int = 10  # offered for each page, all of them known

    @property
    def rules(self) -> Rules:
        """The rules of the job."""
        return Rules(delay_s=self.delay_s, lease_s=LEASE_S, host_pages=self.links)


@dataclass(slots=True)
class Part:
    """What one process has seen."""

    leases: int = 0
    settled: int = 0
    refused: int = 0  # settlements of leases that had passed to others
    calls_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    given: list[tuple[int, float]] = field(default_factory=list)  # host, the server's time of the lease

    def add(self, other: "Part") -> None:
        """Count another part in."""
        self.leases += other.leases
        self.settled += other.settled
        self.refused += other.refused
        self.given += other.given
        for name, times in other.calls_s.items():
            self.calls_s[name] += times


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a trial."""

    leases_per_s: float
    settled: int
    refused: int
    too_soon: int  # leases of a host sooner after its last one than its delay
    shortest_gap_s: float
    median_ms: dict[str, float]
    p99_ms: dict[str, float]
    server_cpu: float  # of one core
    server_bytes: int


def prepare(url: str, trial: Trial) -> None:
    """Offer the links: every host has as many as any other."""
    server = Server(url)
    frontier = RedisFrontier(server, JOB, trial.rules)
    links = [link(number, trial.hosts) for number in range(trial.links)]
    for at in range(0, len(links), OFFERED):
        frontier.offer(links[at : at + OFFERED])
    server.close()


def link(number: int, hosts: int) -> Link:
    """Return the link of a number: its host, and a page there."""
    return Link(f"https://h{number % hosts:06}.example/an-article-of-{number // hosts}.html", 3, "page")


def measure(url: str, trial: Trial, folder: Path) -> Judged:
    """Run the processes to the end of the trial and judge what they and the server tell."""
    prepare(url, trial)
    server = Server(url)
    before, began = server.call("INFO", "cpu"), time.monotonic()
    children = []
    for number in range(trial.processes):
        words = json.dumps({"url": url, "trial": asdict(trial), "number": number, "to": str(folder / f"{number}.json")})
        command = [sys.executable, "-m", "thresher.lab.simulation_live", words]
        children.append(subprocess.Popen(command))
    codes = [child.wait() for child in children]
    wall_s = time.monotonic() - began
    if any(codes):
        raise BackendError("a process of the trial failed")
    after, memory = server.call("INFO", "cpu"), server.call("INFO", "memory")
    server.close()
    whole = Part()
    for number in range(trial.processes):
        whole.add(_read(folder / f"{number}.json"))
    spent_s = sum(after[name] - before[name] for name in ("used_cpu_user", "used_cpu_sys"))
    too_soon, shortest_s = gaps(whole.given, trial.delay_s)
    return Judged(
        leases_per_s=whole.leases / wall_s,
        settled=whole.settled,
        refused=whole.refused,
        too_soon=too_soon,
        shortest_gap_s=shortest_s,
        median_ms={name: _quantile(times, 0.5) for name, times in whole.calls_s.items()},
        p99_ms={name: _quantile(times, 0.99) for name, times in whole.calls_s.items()},
        server_cpu=spent_s / wall_s,
        server_bytes=int(memory["used_memory"]),
    )


def gaps(given: list[tuple[int, float]], delay_s: float) -> tuple[int, float]:
    """Return how often a host was given out sooner than its delay after the last time, and the shortest gap."""
    last: dict[int, float] = {}
    too_soon, shortest_s = 0, math.inf
    for host, at in sorted(given, key=lambda each: each[1]):
        if host in last:
            gap_s = at - last[host]
            too_soon += gap_s < delay_s - 1e-3
            shortest_s = min(shortest_s, gap_s)
        last[host] = at
    return too_soon, shortest_s


class Worker:
    """One worker: what it holds, and when it has something to do next."""

    def __init__(self, url: str, name: str, trial: Trial, part: Part) -> None:
        self._server = Server(url)
        self._frontier = RedisFrontier(self._server, JOB, trial.rules)
        self._overseer = RedisOverseer(self._server, JOB, trial.rules)
        self._name, self._trial, self._part = name, trial, part
        self._held: list[Lease] = []
        self._beat_at = 0.0

    def turn(self) -> float:
        """Do what is due; return the seconds until there is something to do again."""
        now = time.monotonic()
        if now >= self._beat_at:
            self._beat_at = now + BEAT_EVERY_S
            with self._timed("beat"):
                self._overseer.beat(self._name, SAYS)
        if self._held:
            known = [link(number, self._trial.hosts) for number in range(len(self._held) * self._trial.new_links)]
            with self._timed("offer"):
                self._frontier.offer(known)
            ends = [Settlement(lease, Outcome.DONE, "article", fetched=True) for lease in self._held]
            with self._timed("exchange"):
                answers, leases = self._frontier.exchange(ends, self._name, LEASED)
            self._part.settled += sum(answers)
            self._part.refused += len(answers) - sum(answers)
        else:
            with self._timed("lease"):
                leases = self._frontier.lease(self._name, LEASED)
            if not leases:
                with self._timed("due"):
                    self._frontier.due_in_s()
        self._held = leases
        self._part.leases += len(leases)
        self._part.given += [(int(each.link.host[1:7]), each.expires_at - LEASE_S) for each in leases]
        return self._trial.fetch_s if leases else IDLE_S

    def close(self) -> None:
        """Give back what is held."""
        self._frontier.release(self._name)
        self._server.close()

    def _timed(self, name: str) -> "_Timed":
        return _Timed(self._part.calls_s[name])


class _Timed:
    """Adds the time of its block to a list."""

    def __init__(self, to: list[float]) -> None:
        self._to, self._began = to, 0.0

    def __enter__(self) -> None:
        self._began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self._to.append(time.monotonic() - self._began)


def serve_workers(workers: list[Worker], until_s: float) -> None:
    """Let workers take turns, each when it has something to do, until that time; one at least has a turn."""
    queue = [(time.monotonic() + IDLE_S * number / len(workers), number) for number in range(len(workers))]
    is_over = False
    while not is_over:
        at, number = heappop(queue)
        time.sleep(max(0.0, at - time.monotonic()))
        pause_s = workers[number].turn()
        heappush(queue, (time.monotonic() + pause_s, number))
        is_over = time.monotonic() >= until_s
    for worker in workers:
        worker.close()


def _take_part(url: str, trial: Trial, number: int, to: Path) -> None:
    parts = [Part() for _ in range(trial.threads)]
    mine = range(number, trial.workers, trial.processes)
    crews = [
        [Worker(url, f"w{each}/1/1.a", trial, part) for each in mine[thread :: trial.threads]]
        for thread, part in enumerate(parts)
    ]
    until_s = time.monotonic() + trial.minutes * 60
    threads = [Thread(target=serve_workers, args=(crew, until_s)) for crew in crews if crew]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = Part()
    for part in parts:
        whole.add(part)
    counts = {"leases": whole.leases, "settled": whole.settled, "refused": whole.refused}
    to.write_text(json.dumps(counts | {"calls_s": whole.calls_s}))
    with to.with_suffix(".given").open("wb") as file:
        array("d", _flat(whole.given)).tofile(file)


def _flat(given: list[tuple[int, float]]) -> Iterator[float]:
    for host, at in given:
        yield host
        yield at


def _read(path: Path) -> Part:
    told: dict[str, Any] = json.loads(path.read_text())
    numbers = array("d")
    numbers.frombytes(path.with_suffix(".given").read_bytes())
    told["given"] = [(int(numbers[at]), numbers[at + 1]) for at in range(0, len(numbers), 2)]
    return Part(**told)


def _quantile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1e3


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    _take_part(asked["url"], Trial(**asked["trial"]), asked["number"], Path(asked["to"]))
