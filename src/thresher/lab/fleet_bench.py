"""Measure a crawl of eight sites by fleets of one worker and more, beside one standalone Scrapy process."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from thresher.config import Settings
from thresher.errors import ThresherError
from thresher.frontier.overseer import Overseer
from thresher.frontier.server import Server
from thresher.lab import fleet_worker, plain_spiders
from thresher.lab.containers import DATA, Containers
from thresher.lab.fleet import Crew, Job, crew_on, open_job
from thresher.lab.gauge import busy_s, cpu_in_sessions, cpu_of, cpu_of_family, gauge
from thresher.lab.plain_spiders import Order
from thresher.lab.servers import OwnServer, new_database, own_folder, own_postgresql, own_redis
from thresher.lab.sites import SITES, Sites, serve_sites

READY_S = 180.0  # for a fleet to be up, on a busy machine
RUN_S = 1800.0
LOOK_EVERY_S = 0.25
COUNT_EVERY_S = 2.0  # at most, while the end is far: counting is a call to the Redis whose cost is measured
BREATH_S = 2.0  # after the last sign of life that was waited for, until extraction processes are up
SCRAPY = {"harvest": "standalone Scrapy, our extraction", "trafilatura": "standalone Scrapy, trafilatura"}


@dataclass(frozen=True, slots=True)
class Pass:
    """One crawl of all sites."""

    name: str
    workers: int
    pages: int
    seconds: float  # from the first request to the last page
    cpu_s: float  # of the crawling processes; of a fleet: from when all were up
    arrived_to_parsed_s: float  # summed over pages
    busy: float  # share of the machine's cores in use, whoever used them
    frontier_wall_s: float = 0.0  # in calls, as the workers saw it
    frontier_cpu_s: float = 0.0  # of these calls, in the workers
    redis_cpu_s: float = 0.0
    store_cpu_s: float = 0.0

    @property
    def pages_per_s(self) -> float:
        """Pages by time."""
        return self.pages / self.seconds

    @property
    def scheduling(self) -> float:
        """The share of a page's CPU time, the servers' included, that goes into scheduling, in worker and Redis."""
        return (self.frontier_cpu_s + self.redis_cpu_s) / (self.cpu_s + self.redis_cpu_s + self.store_cpu_s)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The clock and what was spent so far."""

    at_s: float
    workers_s: dict[tuple[int, int], float]  # CPU, by process
    store_s: dict[tuple[int, int], float]  # likewise
    redis_s: float  # CPU
    machine_s: float  # its cores in use, as a share of all


@dataclass(frozen=True)
class Track:
    """The sites, servers and settings of all passes."""

    sites: Sites
    redis: OwnServer
    postgresql: OwnServer
    folder: Path
    concurrency: int  # requests in flight of one worker, and of Scrapy
    containers: Containers | None = None  # of the workers; None: they are processes
    passes: list[str] = field(default_factory=list)

    def fleet(self, workers: int) -> Pass:
        """Let a fleet crawl from nothing; the clock runs once all workers are up."""
        folder = self._new_folder(f"fleet-{workers}")
        wire = Server(self.redis.url)
        wire.call("FLUSHALL")
        wire.close()
        settings = self._settings(folder)
        job = open_job(settings, self.sites.indexes, {}, max_depth=1)
        with job.overseer() as overseer, self._crew_on(job, folder) as crew:
            overseer.pause()
            crew.hire(workers)
            _wait_until_up(lambda: len(overseer.beats()), workers, crew)
            self.sites.forget()
            before = self._meter(crew)
            overseer.resume()
            after = self._watch(overseer, crew)
            crew.retire(READY_S)
        return self._fleet_pass(workers, before, after)

    @contextmanager
    def _crew_on(self, job: Job, folder: Path) -> Iterator[Crew]:
        try:
            with crew_on(job, folder, partial(_timed_command, self.containers)) as crew:
                yield crew
        finally:
            if self.containers:
                self.containers.remove(_names(folder))

    def _fleet_pass(self, workers: int, before: "_Reading", after: "_Reading") -> Pass:
        folder = self.folder / self.passes[-1]
        figures = [json.loads(path.read_text()) for path in folder.glob(f"worker-*/{fleet_worker.FIGURES}")]
        asked = self.sites.log()
        return Pass(
            name=f"fleet of {workers}",
            workers=workers,
            pages=sum(each.status == 200 for each in asked),
            seconds=after.at_s - asked[0].began_at,
            cpu_s=_more(after.workers_s, before.workers_s),
            arrived_to_parsed_s=sum(each["arrived_to_parsed_s"] for each in figures),
            busy=(after.machine_s - before.machine_s) / (after.at_s - before.at_s),
            frontier_wall_s=sum(each["wall_s"] for each in figures),
            frontier_cpu_s=sum(each["cpu_s"] for each in figures),
            redis_cpu_s=after.redis_s - before.redis_s,
            store_cpu_s=_more(after.store_s, before.store_s),
        )

    def scrapy(self, kind: str) -> Pass:
        """Let one plain Scrapy process do the same, keeping nothing; its clock runs from its first request."""
        folder = self._new_folder(kind)
        order = Order(
            kind,
            starts=self.sites.indexes,
            origins=self.sites.origins,
            excluded=(),
            noise=(),
            max_depth=1,
            concurrency=self.concurrency,
        )
        (folder / "order.json").write_text(json.dumps(asdict(order)), "utf-8")
        self.sites.forget()
        busy, began_s = busy_s(), time.monotonic()
        command = [sys.executable, "-m", plain_spiders.__name__, str(folder / "order.json")]
        reading = gauge(command, folder=folder, timeout_s=RUN_S)
        elapsed_s = time.monotonic() - began_s
        asked = self.sites.log()
        return Pass(
            name=SCRAPY[kind],
            workers=1,
            pages=sum(each.status == 200 for each in asked),
            seconds=max(each.ended_at for each in asked) - asked[0].began_at,
            cpu_s=reading.cpu_s,
            arrived_to_parsed_s=float(reading.output.split()[0]),
            busy=(busy_s() - busy) / elapsed_s,
        )

    def _meter(self, crew: Crew) -> "_Reading":
        leaders = {worker.pid for worker in crew.working}
        if self.containers:
            leaders = self.containers.pids(_names(self.folder / self.passes[-1]))
        store_s = cpu_of_family(self.postgresql.pid)
        return _Reading(time.time(), cpu_in_sessions(leaders), store_s, cpu_of(self.redis.pid), busy_s())

    def _watch(self, overseer: Overseer, crew: Crew) -> "_Reading":
        """Wait until all is done; processes that end before that keep their last reading."""
        links = len(self.sites.files) + len(self.sites.indexes)
        workers_s: dict[tuple[int, int], float] = {}
        store_s: dict[tuple[int, int], float] = {}
        ended, began_s = 0, time.monotonic()
        count_at_s = began_s
        while time.monotonic() < began_s + RUN_S:
            if time.monotonic() >= count_at_s:
                census = overseer.census()
                ended = census.done + census.dead
                count_at_s = time.monotonic() + _wait_s(ended, links, time.monotonic() - began_s)
            reading = self._meter(crew)
            workers_s |= reading.workers_s
            store_s |= reading.store_s
            if ended >= links:
                return replace(reading, workers_s=workers_s, store_s=store_s)
            time.sleep(LOOK_EVERY_S)
        raise ThresherError(f"the crawl was not done within {RUN_S:.0f} s: {crew.said()}")

    def _new_folder(self, name: str) -> Path:
        self.passes.append(f"{len(self.passes)}-{name}")
        folder = self.folder / self.passes[-1]
        folder.mkdir()
        return folder

    def _settings(self, folder: Path) -> Settings:
        return Settings(
            data=str(folder / "data"),
            frontier=self.redis.url,
            store=new_database(self.postgresql, f"pass_{len(self.passes)}"),
            delay_s=0.0,
            concurrency=self.concurrency,
            host_concurrency=1000,
            extractors=1,
            allowed_addresses=self.sites.addresses,
        )


@contextmanager
def prepared_track(
    pages: int, *, latency_s: float, concurrency: int, containers: Containers | None = None
) -> Iterator[Track]:
    """Serve eight sites with so many pages together, with a latency, and start the servers of a fleet."""
    with ExitStack() as stack:
        sites = stack.enter_context(serve_sites(SITES, -(-pages // SITES), latency_s=latency_s))
        redis = stack.enter_context(own_redis("redis-server", "--hz", "1"))  # as docs/frontier.md says
        store = stack.enter_context(own_postgresql())
        yield Track(sites, redis, store, stack.enter_context(own_folder()), concurrency, containers)


def _wait_s(ended: int, links: int, elapsed_s: float) -> float:
    """Return how long it makes no sense to count again: a quarter of the time that is left at this pace."""
    return min(COUNT_EVERY_S, (links - ended) * elapsed_s / max(ended, 1) / 4)


def _more(after: dict[tuple[int, int], float], before: dict[tuple[int, int], float]) -> float:
    return sum(after.values()) - sum(before.values())


def _timed_command(containers: Containers | None, job: Job, data: Path) -> list[str]:
    settings: dict[str, Any] = {name: getattr(job.settings, name) for name in Settings.__dataclass_fields__}
    place = DATA if containers else str(data)
    order = {"settings": settings | {"data": place, "store": job.settings.store_url}, "run": job.run}
    (data / "order.json").write_text(json.dumps(order), "utf-8")
    words = ["-m", fleet_worker.__name__, f"{place}/order.json"]
    return containers.command(_name(data), data, words) if containers else [sys.executable, *words]


def _names(folder: Path) -> list[str]:
    """Name the containers of a pass."""
    return [_name(data) for data in sorted(folder.glob("worker-*"))]


def _name(data: Path) -> str:
    return f"thresher-bench-{os.getpid()}-{data.parent.name}-{data.name}"


def _wait_until_up(up: Callable[[], int], workers: int, crew: Crew) -> None:
    deadline_s = time.monotonic() + READY_S
    while up() < workers:
        if time.monotonic() > deadline_s:
            raise ThresherError(f"not all of {workers} workers came up: {crew.said()}")
        time.sleep(0.1)
    time.sleep(BREATH_S)
