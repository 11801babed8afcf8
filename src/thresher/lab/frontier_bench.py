"""Measure the Redis frontier: bytes for each link it knows, links per second, and whether a long queue slows it."""

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from statistics import median

from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.redis import RedisFrontier, Seen
from thresher.frontier.server import Server
from thresher.lab.watch import Watch
from thresher.model import Lease, Link, Outcome

RULES = Rules(delay_s=0.0, host_concurrency=1_000_000, host_pages=100_000_000)  # no politeness in the way
OFFERED = 1000  # links per call: what a few pages lead to
LEASED = 64  # links per call
HOSTS = 1000
OF_A_PAGE = 100  # links in a row to one host
TIMED_LEASES = 400


@dataclass(slots=True)
class Bytes:
    """Memory for each link."""

    seen: float  # of the seen-set alone
    whole: float  # all that a pending link costs: seen-set, queue, hosts


@dataclass(slots=True)
class Rates:
    """Each round's links per second and microseconds of processor time per link, client and server together."""

    put: list[tuple[float, float]] = field(default_factory=list)  # offered, or pushed
    got: list[tuple[float, float]] = field(default_factory=list)  # leased and settled, or popped

    def medians(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the medians over the rounds."""
        put, got = ((median(a for a, _ in rows), median(b for _, b in rows)) for rows in (self.put, self.got))
        return put, got


def rate(watch: Watch, count: int) -> tuple[float, float]:
    """Return links per second, and microseconds of processor time per link."""
    return count / watch.wall_s, watch.cpu_s / count * 1e6


def links(start: int = 0) -> Iterator[Link]:
    """Yield different links without end: articles of many hosts, those of a page in a row."""
    number = start
    while True:
        host = f"www.site{number // OF_A_PAGE % HOSTS:04}.example"
        found_on = f"https://{host}/section/{number // OF_A_PAGE % 97}/"
        yield Link(f"https://{host}/2026/11/{number % 28 + 1}/an-article-of-{number}.html", 3, "page", found_on, 5)
        number += 1


def job(url: str, name: str, seen: Seen | None = None) -> RedisFrontier:
    """Open a job of its own on the server."""
    return RedisFrontier(Server(url), name, RULES, seen=seen)


def fill(frontier: RedisFrontier, source: Iterator[Link], count: int, watch: Watch | None = None) -> None:
    """Offer so many links."""
    for _ in range(0, count, OFFERED):
        batch = list(islice(source, OFFERED))
        with watch.running() if watch else nullcontext():
            frontier.offer(batch)


def drain(frontier: RedisFrontier, count: int, watch: Watch) -> None:
    """Lease and settle so many links as documents; as in a worker, one call settles some and leases the next."""
    with watch.running():
        leases = frontier.lease("w1", min(LEASED, count))
    left = count - len(leases)
    while leases:
        endings = [_document(lease) for lease in leases]
        with watch.running():
            _, leases = frontier.exchange(endings, "w1", min(LEASED, left))
        left -= len(leases)


def bytes_per_link(url: str, seen: Seen, count: int) -> Bytes:
    """Measure the memory of so many pending links on a server that holds nothing else."""
    server = Server(url)
    server.call("FLUSHALL")
    before = used_bytes(server)
    fill(job(url, "memory", seen), links(), count)
    whole = used_bytes(server) - before
    known = sum(_size(server, key) for key in server.call("KEYS", "*:seen:*") + server.call("KEYS", "*:bloom:*"))
    server.call("FLUSHALL")
    return Bytes(known / count, whole / count)


def false_positives(url: str, seen: Seen, count: int, probes: int) -> float:
    """Return the share of new links that a filter of so many takes for known ones."""
    server = Server(url)
    server.call("FLUSHALL")
    frontier = job(url, "errors", seen)
    fill(frontier, links(), count)
    fresh = links(start=count * 10)
    wrong = sum(frontier.find(link.url) is not None for link in islice(fresh, probes))
    server.call("FLUSHALL")
    return wrong / probes


def lease_us(url: str, pending: Sequence[int]) -> list[float]:
    """Return the median time of a lease call, in microseconds per link, at each number of pending links."""
    Server(url).call("FLUSHALL")
    frontier, source, held, times = job(url, "queue"), links(), 0, []
    for count in pending:
        fill(frontier, source, count - held)
        held = count
        taken = []
        for _ in range(TIMED_LEASES):
            started = time.perf_counter()
            leases = frontier.lease("w1", LEASED)
            taken.append((time.perf_counter() - started) / len(leases))
            frontier.release("w1")
        times.append(median(taken) * 1e6)
    Server(url).call("FLUSHALL")
    return times


def used_bytes(server: Server) -> int:
    """Return the bytes that the server has allocated for data and its own needs."""
    return int(server.call("INFO", "memory")["used_memory"])


def _size(server: Server, key: bytes) -> int:
    return int(server.call("MEMORY", "USAGE", key, "SAMPLES", 0))


def _document(lease: Lease) -> Settlement:
    return Settlement(lease, Outcome.DONE, "article", fetched=True, fruitful=True, response_s=0.2, address="192.0.2.1")
