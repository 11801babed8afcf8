"""Crawl through faults with real processes: workers killed and stopped, clocks set, servers killed, rolled back.

Most faults fall into a crawl whose frontier is in Redis; some into one whose frontier is embedded in the corpus.
"""

import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thresher.config import Settings
from thresher.errors import ThresherError, UsageError
from thresher.frontier.keys import JobKeys
from thresher.frontier.server import Server
from thresher.lab.audit import Count, Verdict, audit, count, count_rows, expected_of, joined
from thresher.lab.fleet import Crew, Job, crew_on, open_job, pause, wait_for, wait_until
from thresher.lab.gauge import cpu_in_sessions
from thresher.lab.rewind import cut, length
from thresher.lab.servers import HOST, OwnServer, new_database, own_folder, own_postgresql, own_redis
from thresher.lab.sites import Sites, can_delay, least_gap_s, serve_sites

LEASE_S = 5.0
EMBEDDED_LEASE_S = 60.0  # libfaketime makes workers so slow that short leases expire
LATENCY_S = 0.1  # of an answer, so that faults find requests in flight
STOPS = 3
SKEWS = ("+1h", "-1h", "+400d")
FAKETIME = ("env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f")
SETTINGS = ("-3600", "+86400", "+0")  # of a clock, one after the other, in seconds from the right time
LAG_S = 8.0  # by which a replica is behind when it takes over
NEARLY_ALL = 0.9  # of the links; a loss that takes so long comes now


@dataclass(frozen=True, slots=True)
class Terms:
    """How large and how fast the crawls are."""

    sites: int = 8
    pages: int = 100  # of each site
    workers: int = 4
    delay_s: float = 0.2  # between two requests to a site
    kills: int = 200
    seed: int = 1
    outage_s: float = 4.0  # how long a server stays away
    within_s: float = 480.0  # for one crawl


@dataclass(frozen=True, slots=True)
class Ordeal:
    """What came of one crawl."""

    name: str
    faults: int
    workers: int
    verdict: Verdict
    repeated: int  # requests for what had been answered before
    least_gap_s: float
    seconds: float
    log_lines: int = 0  # that the most talkative worker wrote
    idling: float | None = None  # share of a core that a worker used while a server was away; None: none was


@dataclass
class Scene:
    """A crawl that is going on, for a fault to fall into."""

    terms: Terms
    job: Job
    crew: Crew
    redis: OwnServer
    program: str  # of Redis
    store: OwnServer | None
    links: int  # that there are
    folder: Path
    others: list[tuple[Job, Crew]] = field(default_factory=list)  # that crawl the same sites
    idling: list[float] = field(default_factory=list)  # for each outage the share of a core that a worker used
    ending: ExitStack = field(default_factory=ExitStack)  # what a fault began, and what is to be put right in the end

    @property
    def jobs(self) -> list[Job]:
        """The job and the others."""
        return [self.job, *(job for job, _ in self.others)]

    def wait_for_share(self, share: float) -> None:
        """Return when this share of the links is done."""
        self.wait_for_done(int(share * self.links))

    def wait_for_done(self, number: int) -> None:
        """Return when so many links are done, or nothing is left to do."""
        with self.job.overseer() as overseer:
            wait_for(overseer, lambda census: census.done >= min(number, self.links), self.terms.within_s)

    def holders(self) -> list["subprocess.Popen[bytes]"]:
        """Return the workers that hold leases now."""
        with self.wire() as wire:
            names = wire.call("HKEYS", JobKeys(f"run-{self.job.run}").of("workers"))
        numbers = {int(name.decode().rsplit("/", 2)[1]) for name in names}
        return [worker for worker in self.crew.working if worker.pid in numbers]

    def wait_out(self) -> None:
        """Let an outage last, and note what the workers do meanwhile."""
        sessions, began_s = [worker.pid for worker in self.crew.working], time.monotonic()
        before = cpu_in_sessions(sessions)
        time.sleep(self.terms.outage_s)
        used_s = sum(cpu_s - before.get(process, 0.0) for process, cpu_s in cpu_in_sessions(sessions).items())
        self.idling.append(used_s / len(sessions) / (time.monotonic() - began_s))

    def wait_s(self, seconds: float) -> None:
        """Return when so much time has passed, or nearly all links are done."""
        deadline_s = time.monotonic() + seconds
        with self.job.overseer() as overseer:
            while time.monotonic() < deadline_s and overseer.census().done < NEARLY_ALL * self.links:
                time.sleep(min(0.1, seconds))

    @contextmanager
    def wire(self) -> Iterator[Server]:
        """Connect to the server of the frontier."""
        wire = Server(self.job.settings.frontier)
        try:
            yield wire
        finally:
            wire.close()

    def count(self, job: Job) -> Count:
        """Count the links of a job by where they lie."""
        if not job.settings.frontier:
            with job.corpus():
                return count_rows(job.settings.store_url.removeprefix("sqlite:///"), f"run-{job.run}")
        with self.wire() as wire:
            return count(wire, f"run-{job.run}")

    def is_balanced(self) -> bool:
        """Say whether every accepted link lies in exactly one place now."""
        found = self.count(self.job)
        return not found.missing and found.agrees


Fault = Callable[[Scene], int]  # makes the crawl go wrong; answers how often


@dataclass(frozen=True)
class Ground:
    """What the crawls of one measurement share: sites, servers, and what is expected."""

    terms: Terms
    sites: Sites
    redis: OwnServer
    program: str  # of Redis
    postgresql: OwnServer | None
    folder: Path
    expected: dict[str, str]
    names: list[str] = field(default_factory=list)  # of the crawls so far

    def crawl(self, name: str, fault: Fault, *, embedded: bool = False) -> Ordeal:
        """Crawl from nothing while a fault falls in, to the end, and audit what there is then."""
        self.names.append(name)
        folder = self.folder / f"crawl-{len(self.names)}"
        folder.mkdir()
        self.sites.forget()
        began_s = time.monotonic()
        means = self._means(EMBEDDED_LEASE_S if embedded else LEASE_S)
        settings = self._settings(folder, means, embedded=embedded)
        job = open_job(settings, self.sites.indexes, means, max_depth=1)
        links = len(self.expected) + len(self.sites.indexes)
        with crew_on(job, folder) as crew, ExitStack() as ending:
            scene = Scene(
                self.terms, job, crew, self.redis, self.program, self.postgresql, links, folder, ending=ending
            )
            faults = fault(scene)
            crews = [crew, *(other for _, other in scene.others)]
            workers = sum(len(each.working) for each in crews)
            for each in crews:
                each.retire(self.terms.within_s)
            seconds = time.monotonic() - began_s
            verdict = joined([self._verdict(scene, each) for each in scene.jobs])
        asked = [each for each in self.sites.log() if each.status == 200]
        return Ordeal(
            name,
            faults,
            workers,
            verdict,
            repeated=sum(Counter(each.url for each in asked).values()) - len({each.url for each in asked}),
            least_gap_s=least_gap_s(self.sites.log()),
            seconds=seconds,
            log_lines=max(each.most_lines() for each in crews),
            idling=max(scene.idling, default=None),
        )

    def _verdict(self, scene: Scene, job: Job) -> Verdict:
        counted = scene.count(job)
        with job.corpus() as corpus:
            return audit(corpus, job.run, counted, self.expected, len(self.sites.indexes))

    def _settings(self, folder: Path, means: dict[str, Any], *, embedded: bool) -> Settings:
        number = len(self.names)
        if embedded:
            return Settings(data=str(folder / "data"), **means)
        store = new_database(self.postgresql, f"crawl_{number}") if self.postgresql else ""
        frontier = self.redis.url.rpartition("/")[0] + f"/{number}"
        return Settings(data=str(folder / "data"), frontier=frontier, store=store, **means)

    def _means(self, lease_s: float) -> dict[str, Any]:
        return {
            "delay_s": self.terms.delay_s,
            "lease_s": lease_s,
            "concurrency": 8,
            "extractors": 1,
            "allowed_addresses": self.sites.addresses,
            "backoff_s": 0.2,
        }


@contextmanager
def prepared(terms: Terms, *, store: str = "postgresql", redis: str = "redis-server") -> Iterator[Ground]:
    """Serve sites and start servers; `store` is "postgresql" or "sqlite". Raise BackendError where one is missing."""
    if store not in ("postgresql", "sqlite"):
        raise UsageError(f"store: {store!r} is neither postgresql nor sqlite")
    with ExitStack() as stack:
        folder = stack.enter_context(own_folder())
        latency_s = LATENCY_S if can_delay() else 0.0
        sites = stack.enter_context(serve_sites(terms.sites, terms.pages, latency_s=latency_s))
        queue = stack.enter_context(own_redis(redis))
        shared = stack.enter_context(own_postgresql()) if store == "postgresql" else None
        yield Ground(terms, sites, queue, redis, shared, folder, expected_of(sites.files))


def calm(scene: Scene) -> int:
    """Let twice as many workers crawl undisturbed: what matters is the log of the sites."""
    scene.crew.hire(2 * scene.terms.workers)
    return 0


def kills(scene: Scene) -> int:
    """Kill workers one after the other, each at a random moment, and replace each."""
    chance = random.Random(scene.terms.seed)
    scene.crew.hire(scene.terms.workers)
    step, done, killed = scene.links / (scene.terms.kills + 1), 0.0, 0
    for _ in range(scene.terms.kills):
        done += chance.uniform(0.5, 1.0) * step
        scene.wait_for_done(int(done))
        time.sleep(chance.uniform(0.0, 0.2))
        killed += scene.crew.kill(chance.choice(scene.holders() or scene.crew.working))
        scene.crew.hire()
        if not scene.is_balanced():
            raise ThresherError(f"after {killed} kills a link is missing, or in two places")
    return killed


def stopped(scene: Scene) -> int:
    """Stop a worker for twice its lease and wake it, again and again: others have its links then."""
    chance = random.Random(scene.terms.seed)
    scene.crew.hire(scene.terms.workers)
    for number in range(STOPS):
        scene.wait_for_share((number + 0.5) / (STOPS + 1))
        pause(chance.choice(scene.holders() or scene.crew.working), 2 * LEASE_S)
    return STOPS


def skewed(scene: Scene) -> int:
    """Let clocks of workers be an hour and a year wrong; the first one's is right."""
    scene.crew.hire()
    for skew in SKEWS:
        scene.crew.hire(prefix=(*FAKETIME, skew))
    return len(SKEWS)


def redis_killed(scene: Scene) -> int:
    """Kill Redis twice and start it again: what it had answered, it had written to its file."""
    return _without_redis(scene, rewind=False)


def redis_rewound(scene: Scene) -> int:
    """The same, and let the last second of its file be gone, as after a power cut with everysec."""
    return _without_redis(scene, rewind=True)


def _without_redis(scene: Scene, *, rewind: bool) -> int:
    scene.crew.hire(scene.terms.workers)
    for share in (0.25, 0.55):
        scene.wait_for_share(share)
        before = length(scene.redis.folder)
        time.sleep(1.0)
        scene.redis.kill()
        if rewind:
            cut(scene.redis.folder, before)
        scene.wait_out()
        scene.redis.start()
    return 2


def store_away(scene: Scene) -> int:
    """Stop PostgreSQL and start it again."""
    scene.crew.hire(scene.terms.workers)
    scene.wait_for_share(0.3)
    if scene.store:
        scene.store.stop()
        scene.wait_out()
        scene.store.start()
    return 1


def rolled_back(lost_s: float, times: int) -> Fault:
    """Return a fault: Redis loses what it was told in so many last seconds, and nobody says so."""

    def fault(scene: Scene) -> int:
        scene.crew.hire(scene.terms.workers)
        for number in range(times):
            scene.wait_for_share(0.1 + 0.2 * number)
            before = length(scene.redis.folder)
            scene.wait_s(lost_s)
            scene.redis.kill()
            cut(scene.redis.folder, before)
            scene.redis.start()
        return times

    return fault


def failed_over(scene: Scene) -> int:
    """Let a replica that is some seconds behind take the place of Redis: it listens where that did."""
    master = scene.redis
    replica = scene.ending.enter_context(own_redis(scene.program, "--replicaof", f"{HOST} {master.port}"))
    scene.ending.callback(master.start)  # in the end, when the replica is gone
    scene.ending.callback(replica.kill)
    scene.crew.hire(scene.terms.workers)
    scene.wait_for_share(0.3)
    wire = Server(replica.url)
    wait_until(lambda: wire.call("INFO", "replication")["master_link_status"] == "up", scene.terms.within_s)
    wire.call("REPLICAOF", "NO", "ONE")  # it follows no more; all that comes now is lost
    scene.wait_s(LAG_S)
    master.kill()
    wire.call("CONFIG", "SET", "port", master.port)
    wire.close()
    return 1


def clock_set(scene: Scene) -> int:
    """Set the clock of the workers' machine an hour back, then a day forward, then right, as they crawl."""
    clock = scene.folder / "clock"
    clock.write_text("+0")
    scene.crew.hire(scene.terms.workers, prefix=_with_clock(clock))
    for number, setting in enumerate(SETTINGS):
        scene.wait_for_share(0.2 + 0.2 * number)
        clock.write_text(setting)
    return len(SETTINGS)


def _with_clock(file: Path) -> tuple[str, ...]:
    """Return the words that let a command go by a clock that a file sets while it runs."""
    terms = ("FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_CACHE_DURATION=1", f"FAKETIME_TIMESTAMP_FILE={file}")
    return ("env", f"LD_PRELOAD={_libfaketime()}", *terms)


def _libfaketime() -> Path | None:
    return next(iter(sorted(Path("/usr/lib").glob("**/faketime/libfaketime.so.1"))), None)


def two_jobs(scene: Scene) -> int:
    """Let another run crawl the same sites at the same time and ask for every page again."""
    folder = scene.folder / "other"
    folder.mkdir()
    means = {**scene.job.means, "site_memory": False}  # else it reads pages in the light of the first run
    other = open_job(scene.job.settings, scene.job.starts, means, max_depth=1, refresh=True)
    crew = scene.ending.enter_context(crew_on(other, folder))
    scene.others.append((other, crew))
    for each in (scene.crew, crew):
        each.hire(max(1, scene.terms.workers // 2))
    return 2


@dataclass(frozen=True, slots=True)
class Trial:
    """A fault, what it is called in the table, and where the frontier is while it falls in."""

    label: str
    fault: Fault
    embedded: bool = False


FAULTS: dict[str, Trial] = {
    "calm": Trial("none; twice the workers", calm),
    "kills": Trial("workers killed (kill -9)", kills),
    "stopped": Trial("worker stopped for twice its lease", stopped),
    "skewed": Trial("workers' clocks wrong by -1 h to +400 d", skewed),
    "redis": Trial("Redis killed (kill -9), started again", redis_killed),
    "rewound": Trial("the same, and its last second lost", redis_rewound),
    "rollback": Trial("Redis lost its last 2 s, and nobody said so", rolled_back(2.0, 3)),
    "rollback-8": Trial("the same, 8 s", rolled_back(8.0, 3)),
    "rollback-60": Trial("the same, 60 s", rolled_back(60.0, 1)),
    "failover": Trial(f"replica {LAG_S:.0f} s behind took over", failed_over),
    "store": Trial("PostgreSQL stopped, started again", store_away),
    "clock": Trial("embedded: clock set -1 h, +24 h, right", clock_set, embedded=True),
    "jobs": Trial("two runs crawl the same sites", two_jobs),
    "jobs-embedded": Trial("the same, embedded", two_jobs, embedded=True),
}


def missing_for(name: str, *, store: str) -> str:
    """Say what a fault needs that is not here; empty when nothing."""
    needed = {"skewed": shutil.which("faketime"), "clock": _libfaketime()}
    if name in needed and needed[name] is None:
        return "faketime is not installed"
    return "the store is no server" if name == "store" and store != "postgresql" else ""
