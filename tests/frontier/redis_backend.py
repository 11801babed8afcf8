"""The Redis frontier as the contract tests see it."""

import struct
from collections import Counter

from tests.contracts.frontier_words import QUICK, Clock
from thresher.frontier.contract import Rules
from thresher.frontier.keys import JOBS, JobKeys
from thresher.frontier.redis import RedisFrontier, Seen
from thresher.frontier.redis_overseer import RedisOverseer
from thresher.frontier.server import Server

EXACTLY = Seen()


class RedisBackend:
    """One server, or all those of a cluster, emptied; each frontier has its own connection to the first."""

    def __init__(self, url: str, *others: str, seen: Seen = EXACTLY, user_url: str = "") -> None:
        """`user_url`: with the login under which frontiers are opened, where that is not the one that empties it."""
        self.clock = Clock()
        self._url, self._seen = user_url or url, seen
        self._servers = [Server(each) for each in (url, *others)]
        for server in self._servers:
            server.call("FLUSHALL")

    def open(self, rules: Rules = QUICK, job: str = "job") -> RedisFrontier:
        """Open a frontier, as another process would."""
        self._servers.append(Server(self._url))
        return RedisFrontier(self._servers[-1], job, rules, seen=self._seen, clock=self.clock)

    def oversee(self, rules: Rules = QUICK, job: str = "job") -> RedisOverseer:
        """Open the overseer of a job that is there."""
        self._servers.append(Server(self._url))
        return RedisOverseer(self._servers[-1], job, rules, clock=self.clock)

    def audit(self) -> None:
        """Fail when a counter differs from what it counts, or a host is not where lease looks for it."""
        for job in self._servers[0].call("SMEMBERS", JOBS):
            audit(self._servers[0], JobKeys(job.decode()))

    def close(self) -> None:
        """Close every connection."""
        for server in self._servers:
            server.close()


def audit(server: Server, keys: JobKeys) -> None:
    """Fail when a job's books do not agree with each other."""
    counters = {name.decode(): value for name, value in server.call("HGETALL", keys.of("job")).items()}
    links = server.call("HGETALL", keys.of("links"))
    states = Counter(record[0] for record in links.values())
    suspects, expiries = server.call("ZCARD", keys.of("suspects")), server.call("ZCARD", keys.of("expiry"))
    queued = placed = 0
    for name, packed in server.call("HGETALL", keys.of("hosts")).items():
        waiting, kept = audit_host(server, keys, name, packed)
        queued, placed = queued + waiting, placed + kept
    delayed = server.call("ZCARD", keys.of("due")) + server.call("ZCARD", keys.of("due_placed"))
    counted = {name: int(counters.get(name, 0)) for name in ("pending", "delayed", "leased", "dead")}
    held = {"pending": queued + suspects, "delayed": delayed, "leased": expiries, "dead": states[3]}
    assert counted == held
    assert (states[1], states[2], states[4]) == (expiries, delayed, suspects)
    assert states[3] == server.call("ZCARD", keys.of("dead"))
    leases = server.call("HVALS", keys.of("workers"))
    assert sum(map(int, leases)) == expiries
    assert 0 <= placed <= int(counters.get("held", 0)) <= int(counters.get("reserved", 0))


def audit_host(server: Server, keys: JobKeys, name: bytes, packed: bytes) -> tuple[int, int]:
    """Return how many links wait at a host, and how many of them hold a place."""
    *_, waiting, placed, _, flags, length = struct.unpack_from("<dddHIIIHBB", packed)
    at = struct.calcsize("<dddHIIIHBB") + length
    (size,) = struct.unpack_from("<H", packed, at)
    levels = [struct.unpack_from(">H", packed, at + 2 + step)[0] - 32768 for step in range(0, size, 2)]
    assert levels == sorted(set(levels), reverse=True)
    stem = keys.of("queue").encode() + b":" + name + b":"
    queued = sum(server.call("LLEN", stem + str(level).encode()) for level in levels)
    kept = server.call("LLEN", keys.of("placed").encode() + b":" + name)
    assert (waiting, placed) == (queued + kept, kept)
    assert server.call("SISMEMBER", keys.of("placed_hosts"), name) == (placed > 0)
    if waiting == 0 or flags & 1:
        assert server.call("ZSCORE", keys.of("ready"), name) is None
    return waiting, kept
