"""A fleet of a thousand workers on a hundred thousand hosts, simulated: who is served when, and what Redis pays for it.

The model is the queue that politeness makes: hosts that are due wait in the order in which they became due, each gives
one page when its turn comes and is due again after its gap; a fleet takes so many in a step as its workers can deal
with. It works in steps of one gap, and keeps nothing of a host but how many pages are left.

    sizes ─▶ course_of_model ─┐ compared, step by step     costs (measured on a real server)
    sizes ─▶ course_of_redis ─┘ and host by host               └──▶ what a fleet asks of one server

It is right where all hosts have one delay, answer in one time and have addresses of their own. It knows no failures,
and no discovery: every link waits from the beginning, which is the most memory that a crawl can take.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.redis_overseer import RedisOverseer
from thresher.frontier.server import Server
from thresher.model import Lease, Link, Outcome

OFFERED = 500  # links in a call
LEASED = 16  # links in a call: what a worker asks for (crawling/holding.py)
BEAT_EVERY_S, RENEW_EVERY_S = 2.0, 40.0  # of a worker (crawling/heartbeat.py, crawling/holding.py)
IDLE_POLLS_S = 1 / 1.8  # calls for a lease per second of a worker that has got none for some seconds (holding.py)
SAYS = '{"state": "running", "pages": 4210, "documents": 3377, "url": "https://host.example/2026/11/an-article"}' * 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated."""

    urls: int = 100_000_000
    hosts: int = 100_000
    workers: int = 1_000
    days: float = 7.0
    delay_s: float = 1.0
    fetch_s: float = 0.5  # until a host has answered
    pages_per_s: float = 10.0  # that one worker can extract and store
    skew: float = 0.8  # exponent of the sizes of hosts: 0, all alike
    host_pages: int = 100_000  # of a host at most (Rules.host_pages)
    new_links: float = 10.0  # offered for each page, known ones included

    @property
    def gap_s(self) -> float:
        """The time between two pages of a host."""
        return self.delay_s + self.fetch_s


@dataclass(slots=True)
class Course:
    """How a crawl went, in steps of one gap."""

    served: list[int] = field(default_factory=list)  # pages in each step
    ended: list[int] = field(default_factory=list)  # by host: the step after its last page; 0: it was not finished
    left: list[int] = field(default_factory=list)  # by host: pages not served
    hosts: list[list[int]] = field(default_factory=list)  # by step: who was served, where that is kept

    def steps_until(self, share: float) -> int | None:
        """Return the steps until such a share of all pages was served; None when it was not."""
        wanted, so_far = share * (sum(self.served) + sum(self.left)), 0
        for step, count in enumerate(self.served, 1):
            so_far += count
            if so_far >= wanted:
                return step
        return None


def sizes_of(plan: Plan) -> list[int]:
    """Return the pages of each host, the largest first: a power law, cut off at the most that a host may have."""
    weights = [(rank + 1) ** -plan.skew for rank in range(plan.hosts)]
    found, left, free = [0] * plan.hosts, plan.urls, sum(weights)
    for rank, weight in enumerate(weights):
        found[rank] = max(1, min(plan.host_pages, round(left * weight / free)))
        left, free = left - found[rank], free - weight
    return found


def course_of_model(sizes: Sequence[int], per_step: int, steps: int, *, keep: bool = False) -> Course:
    """Return the course of a fleet that deals with so many pages in a step, for so many steps at most."""
    import numpy as np

    left = np.array(sizes, dtype=np.int64)
    ended = np.zeros(len(sizes), dtype=np.int64)
    queue = np.arange(len(sizes))
    course = Course()
    for step in range(1, steps + 1):
        now, rest = queue[:per_step], queue[per_step:]
        left[now] -= 1
        is_over = left[now] == 0
        ended[now[is_over]] = step
        course.served.append(len(now))
        if keep:
            course.hosts.append(sorted(now.tolist()))
        queue = np.concatenate((rest, np.sort(now[~is_over])))
        if not len(queue):
            break
    course.ended, course.left = ended.tolist(), left.tolist()
    return course


def course_of_redis(url: str, sizes: Sequence[int], *, workers: int, plan: Plan) -> Course:
    """Return the course of the real frontier with so many workers that hold LEASED links each; time is passed in."""
    now = [1_000_000.0]
    server = Server(url)
    frontier = RedisFrontier(server, "simulation", _rules(plan), clock=lambda: now[0])
    _offer_all(frontier, [_link(host, page) for host, pages in enumerate(sizes) for page in range(pages)])
    course, left = Course(), list(sizes)
    ended = [0] * len(sizes)
    while frontier.due_in_s() is not None:
        held = {f"w{number}": frontier.lease(f"w{number}", LEASED) for number in range(workers)}
        hosts = sorted(_host_number(lease) for leases in held.values() for lease in leases)
        course.hosts.append(hosts)
        course.served.append(len(hosts))
        for host in hosts:
            left[host] -= 1
            ended[host] = 0 if left[host] else len(course.served)
        now[0] += plan.fetch_s
        for leases in held.values():
            frontier.settle([Settlement(lease, Outcome.DONE, "article", fetched=True) for lease in leases])
        now[0] += plan.delay_s + 0.001
    server.close()
    course.ended, course.left = ended, left
    return course


@dataclass(frozen=True, slots=True)
class Costs:
    """What one server pays: processor time in microseconds, and memory in bytes."""

    offer_us: float  # a new link
    known_us: float  # one that is known
    page_us: float  # settled and the next one leased, by LEASED in a call
    idle_us: float  # asked for a lease that there is not, and when there will be one
    beat_us: float  # a sign of life beside those of all workers
    renew_us: float  # a lease
    host_bytes: float  # with its first link
    waiting_bytes: float  # a further link that waits
    done_bytes: float  # a link that is done


def costs(url: str, workers: int, *, hosts: int = 2_000, links: int = 40_000) -> Costs:
    """Measure what a real server pays, with the processor time and the memory that it tells of itself."""
    server = Server(url)
    now = [1_000_000.0]
    plan = Plan(urls=links, hosts=hosts, delay_s=1.0, fetch_s=0.0)
    frontier = RedisFrontier(server, "costs", _rules(plan), clock=lambda: now[0])
    overseer = RedisOverseer(server, "costs", _rules(plan), clock=lambda: now[0])
    first = [_link(host, 0) for host in range(hosts)]
    rest = [_link(number % hosts, 1 + number // hosts) for number in range(links - hosts)]
    empty = _memory(server)
    _offer_all(frontier, first)
    begun = _memory(server)
    offer_us = _spent_us(server, lambda: _offer_all(frontier, rest)) / len(rest)
    full = _memory(server)
    known_us = _spent_us(server, lambda: _offer_all(frontier, rest)) / len(rest)
    for number in range(workers):
        overseer.beat(f"host-{number}/1/123.abc", SAYS)
    beat_us = _spent_us(server, lambda: _times(2_000, lambda at: overseer.beat(f"host-{at % workers}/1/123.abc", SAYS)))
    leases = frontier.lease("w", 1_000)
    renew_us = _spent_us(server, lambda: _times(20, lambda _: frontier.renew(leases))) / (20 * len(leases))
    held = [leases]

    def exchange(_: int) -> None:
        now[0] += 1.0 / (hosts // LEASED) + 0.001  # a host of some is due with each call
        ends = [Settlement(lease, Outcome.DONE, "article", fetched=True) for lease in held[0][:LEASED]]
        held[0] = held[0][LEASED:] + frontier.exchange(ends, "w", LEASED)[1]

    calls = (links - len(leases)) // LEASED
    pages = frontier.census().done
    page_us = _spent_us(server, lambda: _times(calls, exchange)) / max(1, frontier.census().done - pages)
    _settle_all(frontier, held[0], now)
    done = _memory(server)
    idle_us = _spent_us(server, lambda: _times(2_000, lambda _: (frontier.lease("w", 16), frontier.due_in_s())))
    server.close()
    host_bytes = (begun - empty) / hosts
    return Costs(
        offer_us=offer_us,
        known_us=known_us,
        page_us=page_us,
        idle_us=idle_us / 2_000,
        beat_us=beat_us / 2_000,
        renew_us=renew_us,
        host_bytes=host_bytes,
        waiting_bytes=(full - begun) / len(rest),
        done_bytes=max(0.0, done - begun) / len(rest),
    )


@dataclass(frozen=True, slots=True)
class Load:
    """What a fleet asks of one server."""

    overhead: float  # share of one core for signs of life, renewals and calls in vain, when all workers wait
    most_pages_per_s: float  # that one core pays for beside that
    memory_at_first: float  # bytes, when every link waits
    memory_at_last: float  # when every link is done


def load_of(plan: Plan, cost: Costs) -> Load:
    """Return what one server pays for a fleet, by what was measured."""
    busy_us = cost.beat_us / BEAT_EVERY_S + LEASED * cost.renew_us / RENEW_EVERY_S
    overhead = plan.workers * (busy_us + cost.idle_us * IDLE_POLLS_S) / 1e6
    a_page_us = cost.page_us + cost.offer_us + max(0.0, plan.new_links - 1) * cost.known_us
    most = max(0.0, 1 - plan.workers * busy_us / 1e6) * 1e6 / a_page_us
    of_hosts = plan.hosts * cost.host_bytes
    return Load(overhead, most, of_hosts + plan.urls * cost.waiting_bytes, of_hosts + plan.urls * cost.done_bytes)


def evenness(course: Course, sizes: Sequence[int], step: int) -> tuple[int, int]:
    """Return the fewest and the most pages of any host by then, of those that had links left all the time.

    Only for a course that kept its hosts.
    """
    counts = [0] * len(sizes)
    for hosts in course.hosts[:step]:
        for host in hosts:
            counts[host] += 1
    waiting = [count for count, size in zip(counts, sizes, strict=True) if size > count]
    return min(waiting, default=0), max(waiting, default=0)


def _rules(plan: Plan) -> Rules:
    return Rules(delay_s=plan.delay_s, host_pages=max(plan.host_pages, plan.urls))


def _link(host: int, page: int) -> Link:
    return Link(f"https://h{host:06}.example/2026/11/an-article-of-{page}.html", 3, "page", None, 0)


def _host_number(lease: Lease) -> int:
    return int(lease.link.host[1:7])


def _offer_all(frontier: RedisFrontier, links: Sequence[Link]) -> None:
    for at in range(0, len(links), OFFERED):
        frontier.offer(links[at : at + OFFERED])


def _settle_all(frontier: RedisFrontier, held: Sequence[Lease], now: list[float]) -> None:
    while held or frontier.due_in_s() is not None:
        frontier.settle([Settlement(lease, Outcome.DONE, "article", fetched=True) for lease in held])
        now[0] += 2.0
        held = frontier.lease("w", 1_000)


def _times(count: int, work: Callable[[int], object]) -> None:
    for number in range(count):
        work(number)


def _told(server: Server, section: str) -> dict[str, Any]:
    told: dict[str, Any] = server.call("INFO", section)
    return told


def _memory(server: Server) -> float:
    return float(_told(server, "memory")["used_memory"])


def _spent_us(server: Server, work: Callable[[], object]) -> float:
    """Return the processor time of the server, in microseconds, while the work is done."""
    before = _told(server, "cpu")
    work()
    after = _told(server, "cpu")
    return float(sum(after[name] - before[name] for name in ("used_cpu_user", "used_cpu_sys")) * 1e6)
