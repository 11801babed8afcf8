"""Keys: every Redis key, what it holds and why; scripts get them all in KEYS, in this order.

Links of jobs never mix, but all jobs share how long a host rests: all keys carry one hash tag, so that all jobs live in
one slot of a Redis Cluster, where one script can reach what they share. A job that an older version began in a cluster
has a slot of its own, and shares nothing.
A stem is the beginning of many keys: a script appends the host (which lease learns only while it runs) to it.
A link is called by its name, the first 8 bytes of its key (model.Link.key); entry and record are explained in
lua/records.lua, the seen-set's words in lua/seen_exact.lua.
"""

from dataclasses import dataclass

from thresher.errors import UsageError

JOBS = "thresher:jobs"  # SET of job names; outside every job, so no script touches it

KEYS = {
    "job": "HASH: counters (pending … dead, reserved, held), token, paused, born, the seen-set's kind, size and growth",
    "hosts": "HASH: host → packed state: next time, delays, counts, address, priorities that wait (lua/hosts.lua)",
    "sites": "HASH: registrable domain → how many hosts of it may have links",
    "ready": "ZSET: host → time of its next lease; only hosts with links that may be leased then",
    "first": "ZSET: the same for boosted hosts, which are served before the others",
    "addresses": "HASH: address → packed time of its next request, until when hosts of the job have booked it",
    "links": "HASH: name → record of a link that is leased, delayed, dead or a suspect; others have only an entry",
    "expiry": "ZSET: name → end of the lease",
    "due": "ZSET: name → time at which a delayed link is due",
    "due_placed": "ZSET: the same for links that hold a place of the limit, and for replays",
    "placed_hosts": "SET: hosts with pending links that hold a place of the limit",
    "suspects": "ZSET: name → since when a pending link is a suspect",
    "dead": "ZSET: name → time of burial",
    "workers": "HASH: worker → leases it holds",
    "alone": "HASH: worker → suspect it holds",
    "beats": "HASH: worker → packed time of its last sign of life, and what it was doing",
    "orders": "HASH: worker → what it is told to do, heard with its next sign of life",
    "shallower": "HASH: name → depth of a pending link to which a shorter path was found since it was queued",
    "codes": "HASH: the seen-set's words → number, and number → word",
}
STEMS = {
    "queue": "LIST by host and priority: entries of pending links, the next one left",
    "placed": "LIST by host: entries of pending links that came back with a place of the limit; they go first",
    "shapes": "HASH by host: hash of a URL shape → pages without a document, or -1 once one gave a document",
    "seen": "HASH by bucket: rest of the fingerprint → number of its word (exact seen-set)",
    "bloom": "STRING by layer: bit array (Bloom seen-set)",
}
SHARED = {
    "clock": "HASH: the latest time seen, how far it is ahead of the server's, losses noticed, and the clients' marks",
    "rests": "HASH: host → packed: when any job may ask it next, whose turn it is, leases by job (lua/rests.lua)",
    "resting": "HASH: address → packed time of its next request, of any job",
}
_TAG = "thresher:{jobs}"


@dataclass(frozen=True, slots=True)
class JobKeys:
    """The keys of one job, and those that it shares with others."""

    job: str
    aged: bool = False  # begun by an older version, whose keys carried the job's name as hash tag
    alone: bool = False  # in a slot of its own, where nothing can be shared

    def __post_init__(self) -> None:
        """Raise UsageError for a name that would end the hash tag early, or that would not end where it does."""
        if not self.job or set("{}:") & set(self.job):
            raise UsageError(f"job: {self.job!r} cannot be a job's name; leave out braces and colons")

    def all(self) -> list[str]:
        """Return keys, stems and shared keys in the order of KEYS."""
        own = [self.of(name) for name in KEYS] + [f"{self.of(name)}:" for name in STEMS]
        return own + [self.of(name) if self.alone else f"{_TAG}:{name}" for name in SHARED]

    def of(self, name: str) -> str:
        """Return the job's key of that name."""
        return f"thresher:{{{self.job}}}:{name}" if self.aged else f"{_TAG}:{self.job}:{name}"


def lua_names() -> str:
    """Return the Lua statement that gives KEYS their names."""
    names = enumerate([*KEYS, *STEMS, *SHARED], 1)
    return "local K = {" + ", ".join(f"{name} = KEYS[{at}]" for at, name in names) + "}\n"
