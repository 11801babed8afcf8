"""Watch a local web whose publications are known, kill the watching processes, and compare what was collected."""

import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles

from thresher.config import Settings, toml_line
from thresher.crawling.corpus import Corpus
from thresher.errors import ThresherError
from thresher.frontier.contract import Rules
from thresher.lab.fleet import Crew, Job, crew_on
from thresher.lab.servers import free_port, new_database, own_folder, own_postgresql, own_redis
from thresher.lab.watch_web import HOUR_S, Asked, Item, Outlet, Plan, serving
from thresher.model.run import WATCH
from thresher.watching.clock import Clock
from thresher.watching.watch import run_of

NETWORK = "127.7.0.0/16"
DELAY_S = 0.1  # between two requests to a source: time goes faster than usual
BACKOFF_S = 0.2  # until a request that failed is made again
PAUSE_S = 3.0  # at most, until a process that was killed is started again
END_S = 30.0  # for a process to end in good order
LEASE_S = 20.0  # a process on another machine that dies is missed so long
RECHECK_S = HOUR_S  # after which an article is looked at for edits
MINUTE_S = 60.0
LOOK_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Terms:
    """How large, how long and how fast."""

    sources: int = 200
    hours: float = 12.0  # of publishing, by the sources' clock
    speed: float = 60.0
    kills: int = 10
    processes: int = 1
    per_hour: float = 0.3  # that a source publishes, on average
    longest_h: float = 2.0  # after which a source is asked again, however quiet it is
    late_s: float = 60.0  # after it was due by which a source has to be asked, by the machine's clock
    seed: int = 1
    servers: bool = False  # Redis and PostgreSQL instead of one data folder


@dataclass(frozen=True, slots=True)
class Finding:
    """What was collected of what was published."""

    published: int  # articles and posts
    lost: tuple[str, ...]
    doubled: tuple[str, ...]  # documents, posts and index entries that are there twice, or that nobody published
    miscounted: tuple[str, ...]  # sources whose catalog does not count each document once
    edited: int  # articles that changed after they were stored and before they were looked at again
    edits_missed: int
    rounds: int
    requests: int  # that were answered
    failed: int  # requests to sources that were down
    repeated: int  # requests for what had been answered to a process that was killed before it was written
    unexplained: int  # requests that were repeated though nobody was killed meanwhile
    late_s: tuple[float, ...]  # for each round how long after it was due, by the machine's clock; sorted
    delays_s: tuple[float, ...]  # from publication to the store, by the sources' clock; sorted
    least_gap_s: float  # between two requests to a host, by the machine's clock
    starved: int = 0  # sources that were asked later than the terms allow
    kills: int = 0
    seconds: float = 0.0

    @property
    def is_sound(self) -> bool:
        """True when nothing is lost, doubled or fetched twice for no reason, and no source starved."""
        faults = (self.lost, self.doubled, self.miscounted, self.edits_missed, self.unexplained, self.starved)
        return not any(faults)


def watch_trial(terms: Terms, say: Callable[[str], None] = lambda _: None) -> Finding:
    """Run one trial; raise ThresherError when a process does not do its part."""
    with _stage(terms) as (settings, folder), _opened(settings) as corpus:
        begin = run_of(corpus).started_at
        clock = Clock(terms.speed, begin)
        plan = _plan(terms, begin.timestamp())
        outlets = plan.outlets()
        for source, endpoint in map(Outlet.followed, outlets):
            corpus.catalog().add(source, [endpoint])
        began_s = time.monotonic()
        with serving(plan, folder / "web") as requests, _crew(settings, run_of(corpus).id, folder) as crew:
            crew.hire(terms.processes)
            killed_at = _disturb(terms, plan, crew, say)
            _finish(corpus, plan, terms, outlets)
            ended = plan.now()
            _end(crew)
            found = compare(corpus, clock, outlets, requests(), killed_at, ended)
        starved = sum(late_s > terms.late_s for late_s in worst_s(corpus, clock, outlets, ended).values())
        seconds = time.monotonic() - began_s
    return replace(found, starved=starved, kills=len(killed_at), seconds=seconds)


def _plan(terms: Terms, begin: float) -> Plan:
    return Plan(
        count=terms.sources,
        seed=terms.seed,
        begin=begin,
        speed=terms.speed,
        lasts_s=terms.hours * HOUR_S,
        per_hour=terms.per_hour,
        port=free_port("127.7.0.1"),
    )


@contextmanager
def _stage(terms: Terms) -> Iterator[tuple[Settings, Path]]:
    """Make a folder, and start servers where they are wanted."""
    with ExitStack() as stack:
        folder = stack.enter_context(own_folder())
        frontier = stack.enter_context(own_redis()).url if terms.servers else ""
        store = new_database(stack.enter_context(own_postgresql()), "watch") if terms.servers else ""
        yield (
            Settings(
                data=str(folder / "data"),
                frontier=frontier,
                store=store,
                delay_s=DELAY_S,
                lease_s=LEASE_S,
                backoff_s=BACKOFF_S,
                extractors=1,
                allowed_addresses=(NETWORK,),
                longest_interval_s=terms.longest_h * HOUR_S,
                watch_speed=terms.speed,
            ),
            folder,
        )


@contextmanager
def _opened(settings: Settings) -> Iterator[Corpus]:
    job = Job(settings, 0)
    with job.corpus() as corpus:
        yield corpus


@contextmanager
def _crew(settings: Settings, run: int, folder: Path) -> Iterator[Crew]:
    """Have a crew of `thresher watch` processes; all share the settings, a data folder too."""
    file = folder / "thresher.toml"
    names = [name for name in Settings.__dataclass_fields__ if getattr(settings, name) != getattr(Settings(), name)]
    values = {name: getattr(settings, name) for name in names}
    lines = [toml_line(name, list(value) if isinstance(value, tuple) else value) for name, value in values.items()]
    file.write_text("\n".join(lines))
    words = [sys.executable, "-m", "thresher", "--config", str(file), "watch", "--progress", "none"]
    with crew_on(Job(settings, run), folder, lambda job, data: words) as crew:
        yield crew


def _disturb(terms: Terms, plan: Plan, crew: Crew, say: Callable[[str], None]) -> list[float]:
    """Kill processes at random moments while there is something to publish; answer when, by the sources' clock."""
    chance = random.Random(terms.seed)
    end = plan.begin + plan.lasts_s
    moments = sorted(chance.uniform(plan.now(), end) for _ in range(terms.kills))
    killed_at = []
    for moment in moments:
        _sleep_until(plan, moment, crew)
        crew.kill(chance.choice(crew.working))
        killed_at.append(plan.now())
        time.sleep(chance.uniform(0, PAUSE_S))
        crew.hire()
        say(f"{(plan.now() - plan.begin) / HOUR_S:.1f} h: killed {len(killed_at)}")
    _sleep_until(plan, end, crew)
    return killed_at


def _sleep_until(plan: Plan, moment: float, crew: Crew) -> None:
    while plan.now() < moment:
        if any(worker.poll() is not None for worker in crew.working):
            raise ThresherError(f"a watching process ended by itself: {crew.said()}")
        time.sleep(min(LOOK_EVERY_S, max(0.0, (moment - plan.now()) / plan.speed)))


def _finish(corpus: Corpus, plan: Plan, terms: Terms, outlets: Sequence[Outlet]) -> None:
    """Wait until each source was asked after the last publication, and what that brought is done."""
    published = plan.begin + plan.lasts_s
    frontier = corpus.frontier(WATCH, Rules())
    deadline_s = time.monotonic() + terms.longest_h * HOUR_S / terms.speed + terms.late_s + END_S
    while time.monotonic() < deadline_s:
        last = {endpoint.source: endpoint.last_asked for endpoint in corpus.catalog().endpoints()}
        asked = [at for outlet in outlets if (at := last[outlet.name]) is not None and at.timestamp() > published]
        census = frontier.census()
        if len(asked) == len(outlets) and census.pending + census.leased == 0:
            return
        time.sleep(LOOK_EVERY_S)


def _end(crew: Crew) -> None:
    """Ask all processes to end, and raise ThresherError when one does not in good order."""
    for worker in list(crew.working):
        worker.send_signal(signal.SIGTERM)
        if worker.wait(END_S) not in (0, 128 + signal.SIGINT):
            raise ThresherError(f"a watching process ended with {worker.returncode}: {crew.said()}")
        crew.working.remove(worker)


def compare(
    corpus: Corpus,
    clock: Clock,
    outlets: Sequence[Outlet],
    requests: Sequence[Asked],
    killed_at: Sequence[float],
    ended: float,
) -> Finding:
    """Compare what is stored with what was published, and the requests with the rounds that were kept."""
    failed = sum(one.status >= 500 for one in requests)
    requests = [one for one in requests if one.status < 500]
    lost, doubled, delays, edited, missed = _collected(corpus, clock, outlets, requests)
    counts = {name: corpus.catalog().tally(name) for name in (outlet.name for outlet in outlets)}
    expected = {outlet.name: len({item.number for item in outlet.items}) for outlet in outlets}
    stored = {name: sum(n for (state, _), n in tally.items() if state == "stored") for name, tally in counts.items()}
    visits = {outlet.name: _visits(corpus, outlet) for outlet in outlets}
    late = [late_s for outlet in outlets for late_s in _late_s(visits[outlet.name], clock, ended)]
    repeats = _repeats(outlets, requests, visits, killed_at)
    return Finding(
        published=sum(len(outlet.items) for outlet in outlets),
        lost=tuple(lost),
        doubled=tuple(doubled),
        miscounted=tuple(name for name, count in stored.items() if count != expected[name]),
        edited=edited,
        edits_missed=missed,
        rounds=sum(len(each) for each in visits.values()),
        requests=len(requests),
        failed=failed,
        repeated=len(repeats),
        unexplained=sum(not explained for explained in repeats),
        late_s=tuple(sorted(late)),
        delays_s=tuple(sorted(delays)),
        least_gap_s=_least_gap_s(requests) / clock.speed,
    )


def _collected(
    corpus: Corpus, clock: Clock, outlets: Sequence[Outlet], requests: Sequence[Asked]
) -> tuple[list[str], list[str], list[float], int, int]:
    """Return what is lost, what is doubled, delays, and how many edits there were to see and were not seen."""
    stored = {each.document.url or "": each for each in corpus.store.stored(posts=False)}
    number = sum(1 for _ in corpus.store.stored(posts=False))
    lost: list[str] = []
    doubled: list[str] = ["a URL is stored twice"] * (number - len(stored))
    delays: list[float] = []
    wanted: set[str] = set()
    edited = missed = 0
    looks: dict[str, list[float]] = {}
    for one in requests:
        looks.setdefault(one.url, []).append(one.at)
    for outlet in outlets:
        for url, items in _by_url(outlet).items():
            wanted.add(url)
            if url not in stored:
                lost.append(url)
                continue
            if items[0].post:
                places = [post.position for post in corpus.store.posts(url)]
                lost += [f"{url} post {item.post}" for item in items if item.post not in places]
                doubled += [f"{url} post {place}" for place in set(places) if places.count(place) > 1]
                continue
            if clock.since and items[0].at > clock.since.timestamp():
                delays.append(clock.at(stored[url].first_seen).timestamp() - items[0].at)
            change = items[0].edited_at
            if change and any(at < change for at in looks[url]) and any(at > change for at in looks[url]):
                edited += 1
                missed += len(corpus.store.versions(url)) < 2
    doubled += [f"{url} was not published" for url in stored if url not in wanted]
    if corpus.index.count() > len(wanted):
        doubled.append(f"the index has {corpus.index.count()} documents of {len(wanted)}")
    return lost, doubled, delays, edited, missed


def _by_url(outlet: Outlet) -> dict[str, list[Item]]:
    pages: dict[str, list[Item]] = {}
    for item in outlet.items:
        pages.setdefault(outlet.url_of(item), []).append(item)
    return pages


@dataclass(frozen=True, slots=True)
class _Visit:
    at: float
    interval_s: float


def _visits(corpus: Corpus, outlet: Outlet) -> list[_Visit]:
    rounds = corpus.catalog().rounds(outlet.name, limit=1_000_000)
    return [_Visit(each.at.timestamp(), each.interval_s or 0.0) for each in reversed(rounds)]


def worst_s(corpus: Corpus, clock: Clock, outlets: Sequence[Outlet], ended: float) -> dict[str, float]:
    """Return by source how late it was asked at worst, by the machine's clock; infinite when it never was."""
    late = {outlet.name: _late_s(_visits(corpus, outlet), clock, ended) for outlet in outlets}
    return {name: max(each, default=float("inf")) for name, each in late.items()}


def _late_s(visits: Sequence[_Visit], clock: Clock, ended: float) -> list[float]:
    """Return for each round, and for one that is due and did not come, how late it was, by the machine's clock."""
    begin = clock.since.timestamp() if clock.since else 0.0
    due = [begin, *(visit.at + visit.interval_s for visit in visits)]
    came = [*(visit.at for visit in visits), ended]
    return [max(0.0, clock.machine_s(at - when)) for when, at in zip(due, came, strict=True) if when < ended]


def _repeats(
    outlets: Sequence[Outlet],
    requests: Sequence[Asked],
    visits: dict[str, list[_Visit]],
    killed_at: Sequence[float],
) -> list[bool]:
    """Return for each request that was made again before its time whether somebody was killed meanwhile.

    That of an endpoint whose answer no round tells of; and that of an article long before it is looked at for edits.
    """
    asked: dict[str, list[float]] = {}
    for one in requests:
        asked.setdefault(one.url, []).append(one.at)
    repeats = []
    for outlet in outlets:
        rounds = [visit.at for visit in visits[outlet.name]]
        for first, again in pairwise(asked.get(outlet.endpoint, ())):
            if not any(first <= at <= again for at in rounds):
                repeats.append(_killed(first, again, killed_at))
        for url, items in _by_url(outlet).items():
            for first, again in pairwise(asked.get(url, ())):
                if not items[0].post and again - first < RECHECK_S - 5 * MINUTE_S:
                    repeats.append(_killed(first, again, killed_at))
    return repeats


def _killed(first: float, again: float, killed_at: Sequence[float]) -> bool:
    return any(first - MINUTE_S <= at <= again for at in killed_at)


def _least_gap_s(requests: Sequence[Asked]) -> float:
    last: dict[str, float] = {}
    least = float("inf")
    for one in requests:
        host = one.url.split("/")[2]
        least = min(least, one.at - last.get(host, float("-inf")))
        last[host] = one.at
    return least


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median of sorted values, what 95 of 100 do not exceed, and the largest."""
    if len(values) < 2:
        return (values[0],) * 3 if values else (0.0, 0.0, 0.0)
    return median(values), quantiles(values, n=20)[-1], values[-1]
