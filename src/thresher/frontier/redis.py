"""RedisFrontier: the frontier of a fleet, in Redis or Valkey; every step is one Lua script, so it is atomic.

The client is the synchronous one: the contract is called from the books' own thread, so the fetching loop never
waits for Redis, and leases and settlements travel in batches; an event loop in that thread would only add to it.
"""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4

from thresher import urls
from thresher.errors import RolledBack
from thresher.frontier.admission import Admission
from thresher.frontier.contract import Census, Offered, Rules, Settlement, Standing, State
from thresher.frontier.keys import JOBS, JobKeys
from thresher.frontier.scripts import script
from thresher.frontier.server import Server
from thresher.frontier.shapes import Shapes, Untold
from thresher.frontier.wire import (
    Entry,
    name_of,
    pack_link,
    pack_settlement,
    unpack_entry,
    unpack_leases,
    unpack_record,
)
from thresher.model import Lease, Link

OFFERED_AT_ONCE = 1000  # links per script call: it keeps others waiting for some 20 ms
SCANNED_AT_ONCE = 1000  # entries of a queue
WEEDED_AT_ONCE = 200  # links dropped by a script call, each of which is looked for in its queue
SPRUNG = 2  # settled, and its URL shape has become a trap
_ANSWERS = {
    "a": Offered.ACCEPTED,
    "s": Offered.SEEN,
    "r": Offered.REOPENED,
    "h": Offered.HOST_FULL,
    "t": Offered.TRAP,
}
_STATES = {1: State.LEASED, 2: State.DELAYED, 3: State.DEAD, 4: State.PENDING}
_COUNTERS = ("pending", "delayed", "leased", "done", "dead", "reserved", "held")
# Steps that leave their number with the server: all that the caller relies on later.
_NUMBERED = frozenset({"offer", "wake", "lease", "settle", "exchange", "release", "reap", "recover"})


@dataclass(frozen=True, slots=True)
class Seen:
    """How known links are remembered: exactly (10 to 12 bytes a link), or in a Bloom filter (3 to 4 bytes).

    A Bloom filter takes a new link for a known one at the error rate, knows no depths (a shorter path to a known link
    changes nothing), and cannot tell a done link from one that was never accepted. A job keeps the kind it began with.
    """

    kind: str = "exact"  # or "bloom"
    capacity: int = 1_000_000  # links in the first layer of the filter; it grows when they are more
    error_rate: float = 1e-5


class RedisFrontier:
    """A Frontier (see contract.py) over a connection to Redis ≥ 6.2 or Valkey; time is the server's.

    Steps are numbered. The server keeps the number of the last one, and each call says which number was answered last:
    a server that does not know it has lost its last seconds, and the call is refused (RolledBack).
    """

    def __init__(
        self,
        server: Server,
        job: str,
        rules: Rules,
        *,
        seen: Seen | None = None,
        clock: Callable[[], float] | None = None,
        watch: bool = True,
    ) -> None:
        """Open the job, adding it when it is new; raise BackendError when that fails.

        Without `watch` it does not matter whether what was done before is lost. `clock` is for tests.
        """
        self._server, self._clock = server, clock
        self._client, self._numbers, self._answered = uuid4().hex[:12] if watch else "", count(1), 0
        self._has_lost = False
        server.check()
        self.names = self._names(job)
        self._keys = self.names.all()
        server.call("SADD", JOBS, job)
        kept, born = self._keep(seen or Seen())
        self._kind = kept.kind
        terms = {**asdict(rules), "bloom_capacity": kept.capacity, "bloom_error": kept.error_rate, "born": born}
        self._rules = json.dumps({name: value for name, value in terms.items() if value is not None})
        self._shapes, self._admission = Shapes(), Admission(self.run)
        self._sprung: list[Link] = []  # pages that have made traps of their shapes, for `weed`
        self._shaped: set[str] = set()  # hosts that have traps: offer wants to know the shapes of their links

    def offer(self, links: Sequence[Link]) -> list[Offered]:
        refused = self._admission.refused(links)
        wanted = [link for link in links if link.host not in refused] if refused else links
        answers: list[Offered] = []
        for at in range(0, len(wanted), OFFERED_AT_ONCE):
            answers += self._offer(wanted[at : at + OFFERED_AT_ONCE])
        if not refused:
            return answers
        of_wanted = iter(answers)
        return [Offered.SITE_FULL if link.host in refused else next(of_wanted) for link in links]

    def wake(self, links: Sequence[Link]) -> list[bool]:
        refused = self._admission.refused(links)
        woken = [link for link in links if link.host not in refused]
        packed = [pack_link(replace(link, replay=False), with_shape=True) for link in woken]
        letters = self.run("wake", *packed).decode() if packed else ""
        answers = {link.url: letter == "a" for link, letter in zip(woken, letters, strict=True)}
        return [answers.get(link.url, False) for link in links]

    def lease(self, worker: str, count: int) -> list[Lease]:
        expires_at, records, lost = self.run("lease", worker, count)
        self._has_lost = lost == 1
        return unpack_leases(records, worker, float(expires_at))

    def renew(self, leases: Sequence[Lease]) -> list[bool]:
        terms = [term for lease in leases for term in (name_of(lease.link.url), lease.token)]
        return [answer == 1 for answer in self.run("renew", *terms)]

    def settle(self, settlements: Sequence[Settlement]) -> list[bool]:
        untold = [self._shapes.untold(end) for end in settlements]
        return self._settled(self.run("settle", *map(pack_settlement, settlements, untold)), settlements, untold)

    def exchange(self, settlements: Sequence[Settlement], worker: str, count: int) -> tuple[list[bool], list[Lease]]:
        untold = [self._shapes.untold(end) for end in settlements]
        packed = map(pack_settlement, settlements, untold)
        answers, (expires_at, records, lost) = self.run("exchange", worker, count, *packed)
        self._has_lost = lost == 1
        return self._settled(answers, settlements, untold), unpack_leases(records, worker, float(expires_at))

    def weed(self) -> list[Link]:
        dropped: list[Link] = []
        while self._sprung:
            barren = self._sprung.pop()
            dropped += self.drop(barren, Offered.TRAP.value, partial(_has_same_shape, barren))
        return dropped

    def drop(self, link: Link, reason: str, which: Callable[[Link], bool] | None = None) -> list[Link]:
        # A part at a time, so that nobody waits for it.
        host, found = link.host, self.run("find", name_of(link.url), link.host)
        placed = self.names.of("placed").encode()  # what holds a place of the limit was asked for before
        doomed: list[tuple[bytes, bytes, Link]] = []
        for lane, key in found[-1] if found else ():
            if lane.decode("utf-8", "surrogatepass") == host and not key.startswith(placed):
                waiting = ((packed, unpack_entry(packed, host)[0]) for packed in self._entries(key))
                doomed += [(key, packed, each) for packed, each in waiting if which is None or which(each)]
        dropped: list[Link] = []
        for at in range(0, len(doomed), WEEDED_AT_ONCE):
            part = doomed[at : at + WEEDED_AT_ONCE]
            pairs = [word for key, packed, _ in part for word in (key, packed)]
            answers = self.run("weed", host.encode("utf-8", "surrogatepass"), reason, *pairs)
            dropped += [each for (_, _, each), answer in zip(part, answers, strict=True) if answer == 1]
        return dropped

    def release(self, worker: str) -> int:
        return int(self.run("release", worker))

    def reap(self, dead_workers: Collection[str] = ()) -> int:
        return int(self.run("reap", *dead_workers))

    def workers(self) -> list[str]:
        return sorted(name.decode() for name in self._server.call("HKEYS", self.names.of("workers")))

    def due_in_s(self) -> float | None:
        answer = self.run("due")
        return None if answer is None else float(answer)

    def census(self) -> Census:
        counts = self._server.call("HMGET", self.names.of("job"), *_COUNTERS)
        return Census(*(int(number or 0) for number in counts))

    def find(self, url: str) -> Standing | None:
        found = self.run("find", name_of(url), urls.host_of(url))
        if found is None:
            return None
        word, record, due, rested_at, now, queues = found
        rest_s = float(due or rested_at) - float(now)
        if record:
            return standing_of(*unpack_record(record), rest_s)
        depth, _, reason = word[1:].decode().partition(" ")
        if word[:1] == b"d":
            return Standing(Link(url, int(depth)), State.DONE, reason, 0, 0, None, None)
        waiting = self._find_waiting(url, queues)
        if waiting is None:  # taken meanwhile, or done where the seen-set cannot tell
            state = State.DONE if word == b"?" else State.PENDING
            return Standing(Link(url, int(depth or 0)), state, "", 0, 0, None, None)
        link, entry = waiting
        return standing_of(replace(link, depth=int(depth or link.depth)), entry, rest_s)

    def dead(self, limit: int = 100) -> list[Standing]:
        return [standing_of(*unpack_record(record), 0.0) for record in self.run("dead", limit)]

    def recover(self) -> bool:
        try:
            self.run("time")
        except RolledBack:
            self._run("recover", 0)
            self._shapes, self._admission = Shapes(), Admission(self.run)
            self._has_lost = True
            return True
        return False

    def has_lost(self) -> bool:
        return self._has_lost

    def loss(self) -> int:
        losses, made_good = self._server.call("HMGET", self.names.of("job"), "losses", "made_good")
        return int(losses or 0) if int(losses or 0) > int(made_good or 0) else 0

    def make_good(self, loss: int) -> None:
        self._server.call("HSET", self.names.of("job"), "made_good", loss)

    def run(self, step: str, *arguments: Any) -> Any:
        """Run one of the steps in lua/; for this package alone."""
        return self._run(step, self._answered, *arguments)

    def _run(self, step: str, answered: int, *arguments: Any) -> Any:
        """Run a step that builds on all up to the one of that number."""
        number = next(self._numbers)
        now = "" if self._clock is None else repr(self._clock())
        caller = f"{self._client} {answered} {number} {now}"
        answer = self._server.run(script(step, self._kind), self._keys, [self._rules, caller, *arguments])
        if self._client and step in _NUMBERED:
            self._answered = max(self._answered, number)
        return answer

    def now(self) -> float:
        """Return the frontier's time, which is the server's unless that went back."""
        return float(self.run("time"))

    def place_of(self, url: str) -> tuple[bytes, bytes, bytes] | None:
        """Return the queue, lane and entry in which a link waits; None when it is in no queue."""
        found = self.run("find", name_of(url), urls.host_of(url))
        return None if found is None else self._place_in(url, found[-1])

    def _names(self, job: str) -> JobKeys:
        """Return the job's keys as they are, or as they are to be when it is new."""
        names, aged = JobKeys(job), JobKeys(job, aged=True, alone=self._server.is_clustered)
        begun = self._server.call("EXISTS", names.of("job"))
        return aged if not begun and self._server.call("EXISTS", aged.of("job")) else names

    def _keep(self, seen: Seen) -> tuple[Seen, str]:
        """Return the seen-set that the job began with, or begins with now, and the mark that tells it from others."""
        job = self.names.of("job")
        self._server.call("HSETNX", job, "kind", f"{seen.kind} {seen.capacity} {seen.error_rate!r}")
        self._server.call("HSETNX", job, "born", uuid4().hex)
        kept, born = self._server.call("HMGET", job, "kind", "born")
        kind, capacity, error_rate = kept.decode().split()
        return Seen(kind, int(capacity), float(error_rate)), born.decode()

    def _settled(
        self, answers: Sequence[int], settlements: Sequence[Settlement], untold: Sequence[Untold]
    ) -> list[bool]:
        for answer, end, shapes in zip(answers, settlements, untold, strict=True):
            if answer and shapes.pages:
                self._shapes.remember(shapes.pages)
            if answer == SPRUNG:
                self._sprung.append(end.lease.link)
        return [answer > 0 for answer in answers]

    def _offer(self, links: Sequence[Link]) -> list[Offered]:
        packed = [pack_link(link, with_shape=link.host in self._shaped) for link in links]
        letters = self.run("offer", *packed).decode()
        if "u" not in letters:
            return [_ANSWERS[letter] for letter in letters]
        unsure = [link for link, letter in zip(links, letters, strict=True) if letter == "u"]
        self._shaped.update(link.host for link in unsure)
        settled = iter(self._offer(unsure))
        return [next(settled) if letter == "u" else _ANSWERS[letter] for letter in letters]

    def _find_waiting(self, url: str, queues: Sequence[tuple[bytes, bytes]]) -> tuple[Link, Entry] | None:
        place = self._place_in(url, queues)
        if place is None:
            return None
        _, lane, packed = place
        return unpack_entry(packed, lane.decode("utf-8", "surrogatepass"))

    def _place_in(self, url: str, queues: Sequence[tuple[bytes, bytes]]) -> tuple[bytes, bytes, bytes] | None:
        """Look through the queues that a link may wait in, a part at a time so that nobody waits for it."""
        name = name_of(url)
        for lane, key in queues:
            for packed in self._entries(key):
                if packed.startswith(name):
                    return key, lane, packed
        return None

    def _entries(self, key: bytes) -> Iterator[bytes]:
        at = 0
        while part := self._server.call("LRANGE", key, at, at + SCANNED_AT_ONCE - 1):
            yield from part
            at += SCANNED_AT_ONCE


def standing_of(link: Link, entry: Entry, rest_s: float) -> Standing:
    """Say how a link stands whose host rests, or that is due itself, for so long."""
    state = _STATES[entry.state]
    waits = state is State.DELAYED or (state is State.PENDING and not link.replay and rest_s > 0)
    due_in_s = max(0.0, rest_s) if waits else None
    return Standing(link, state, entry.reason, entry.attempts, entry.lost, due_in_s, entry.worker or None)


def _has_same_shape(link: Link, other: Link) -> bool:
    return urls.shape_of(link.url) == urls.shape_of(other.url)
