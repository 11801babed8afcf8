"""RedisOverseer: what people may see and change of a job in Redis or Valkey."""

import struct
from collections.abc import Callable, Iterator
from heapq import nsmallest
from itertools import islice, zip_longest
from typing import Any

from thresher.errors import UsageError
from thresher.frontier.contract import Census, Rules, Standing
from thresher.frontier.keys import JOBS
from thresher.frontier.overseer import Beat, HostState
from thresher.frontier.redis import RedisFrontier, standing_of
from thresher.frontier.server import Server
from thresher.frontier.wire import name_of, unpack_entry, unpack_record

FORGOTTEN_AFTER_S = 86_400.0  # a worker that has given no sign of life for so long
AT_ONCE = 500  # dead letters or hosts per call
MICROSECONDS = 1e6  # a second, as scores of sorted sets are written
PAUSED, BOOSTED = 1, 2  # flags of a host (lua/hosts.lua)
_HOST = struct.Struct("<dddHIIIHBB")


def redis_jobs(server: Server) -> list[str]:
    """Name the jobs of a server."""
    return sorted(name.decode() for name in server.call("SMEMBERS", JOBS))


class RedisOverseer:
    """An Overseer (see overseer.py) over a connection to Redis or Valkey."""

    def __init__(self, server: Server, job: str, rules: Rules, clock: Callable[[], float] | None = None) -> None:
        """Open a job that is there; raise UsageError when it is not."""
        if job not in redis_jobs(server):
            raise UsageError(f"there is no job {job!r}; `thresher frontier status` lists the ones that exist")
        self._frontier = RedisFrontier(server, job, rules, clock=clock, watch=False)
        self._server, self._rules = server, rules

    def census(self) -> Census:
        return self._frontier.census()

    def is_paused(self) -> bool:
        return bool(self._server.call("HEXISTS", self._key("job"), "paused"))

    def hosts(self, limit: int = 50) -> list[HostState]:
        now = self._frontier.now()
        states = (self._host(name, packed, now) for name, packed in self._scan("hosts") if name)
        return nsmallest(limit, states, key=lambda host: (-host.pending, host.name))

    def due_hosts(self) -> int:
        if self.is_paused():
            return 0
        now = round(self._frontier.now() * MICROSECONDS)
        return sum(int(self._server.call("ZCOUNT", self._key(name), "-inf", now)) for name in ("ready", "first"))

    def overdue_s(self) -> float:
        if self.is_paused():
            return 0.0
        pairs: list[tuple[bytes, bytes]] = []
        for name in ("ready", "first"):
            told = self._server.call("ZRANGE", self._key(name), 0, 1, "WITHSCORES")  # one may be the lane of replays
            pairs += zip(told[::2], told[1::2], strict=True)
        since = min((float(at) / MICROSECONDS for host, at in pairs if host), default=None)
        return 0.0 if since is None else max(0.0, self._frontier.now() - since)

    def peek(self, count: int = 20, host: str | None = None) -> list[Standing]:
        now, *lanes = self._run("peek", count, host or "", count)
        each = [
            [self._waiting(lane, entry, float(at) - float(now)) for entry in entries] for lane, at, entries in lanes
        ]
        in_turn = (standing for turn in zip_longest(*each) for standing in turn if standing is not None)
        return list(islice(in_turn, count))

    def pause(self, host: str | None = None) -> bool:
        if host is not None:
            return self._mark(host, PAUSED, on=True)
        self._server.call("HSET", self._key("job"), "paused", 1)
        return True

    def resume(self, host: str | None = None) -> bool:
        if host is not None:
            return self._mark(host, PAUSED, on=False)
        self._server.call("HDEL", self._key("job"), "paused")
        return True

    def boost(self, host: str, *, on: bool = True) -> bool:
        return self._mark(host, BOOSTED, on=on)

    def prefer(self, url: str, priority: int) -> bool:
        place = self._frontier.place_of(url) or ()
        return bool(self._run("prefer", name_of(url), min(max(priority, -32768), 32767), *place))

    def retry(self, *, url: str | None = None, host: str | None = None) -> int:
        if url is not None:
            return int(self._run("retry", name_of(url)))
        names = list(self._dead_names(host))
        return sum(int(self._run("retry", *names[at : at + AT_ONCE])) for at in range(0, len(names), AT_ONCE))

    def beat(self, worker: str, doing: str) -> str:
        return str(self._run("beat", worker, doing, FORGOTTEN_AFTER_S).decode())

    def tell(self, worker: str, order: str) -> bool:
        if not self._server.call("HEXISTS", self._key("beats"), worker):
            return False
        self._server.call("HSET", self._key("orders"), worker, order)
        return True

    def retire(self, worker: str) -> None:
        self._server.call("HDEL", self._key("beats"), worker)
        self._server.call("HDEL", self._key("orders"), worker)

    def beats(self) -> list[Beat]:
        now = self._frontier.now()
        leases = dict(self._scan("workers"))
        beats = [
            Beat(
                name.decode(),
                max(0.0, now - struct.unpack_from("<d", said)[0]),
                said[8:].decode(),
                int(leases.get(name, 0)),
            )
            for name, said in self._scan("beats")
        ]
        return sorted(beats, key=lambda beat: (beat.age_s, beat.worker))

    def _run(self, step: str, *arguments: Any) -> Any:
        return self._frontier.run(step, *arguments)

    def _key(self, name: str) -> str:
        return self._frontier.names.of(name)

    def _mark(self, host: str, flag: int, *, on: bool) -> bool:
        return bool(host) and self._run("mark", host, flag, int(on)) == 1

    def _scan(self, name: str) -> Iterator[tuple[bytes, bytes]]:
        """Read a hash a part at a time, so that nobody waits for it; each field comes once."""
        cursor, seen = 0, set[bytes]()
        while True:
            cursor, part = self._server.call("HSCAN", self._key(name), cursor, "COUNT", AT_ONCE)
            for field, value in part.items():
                if field not in seen:
                    seen.add(field)
                    yield field, value
            if not cursor:
                return

    def _host(self, name: bytes, packed: bytes, now: float) -> HostState:
        next_at, asked_s, pace_s, _, accepted, waiting, _, leased, flags, length = _HOST.unpack_from(packed)
        return HostState(
            name=name.decode("utf-8", "surrogatepass"),
            pending=waiting,
            leased=leased,
            accepted=accepted,
            delay_s=self._rules.gap_s(asked_s, pace_s),
            due_in_s=max(0.0, next_at - now),
            address=packed[_HOST.size : _HOST.size + length].decode() or None,
            paused=bool(flags & PAUSED),
            boosted=bool(flags & BOOSTED),
        )

    def _waiting(self, lane: bytes, packed: bytes, rest_s: float) -> Standing:
        return standing_of(*unpack_entry(packed, lane.decode("utf-8", "surrogatepass")), rest_s)

    def _dead_names(self, host: str | None) -> Iterator[bytes]:
        names = self._server.call("ZRANGE", self._key("dead"), 0, -1)
        for at in range(0, len(names), AT_ONCE):
            part = names[at : at + AT_ONCE]
            for name, record in zip(part, self._server.call("HMGET", self._key("links"), *part), strict=True):
                if record and (host is None or unpack_record(record)[0].host == host):
                    yield name
