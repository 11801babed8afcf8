"""Offer: dedup and enqueue in one step, one answer per link."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from thresher import urls
from thresher.frontier.contract import Offered, State
from thresher.frontier.steps.job import LINK_COLUMNS, Job
from thresher.model import Link

VALUES = ", ".join("?" * len(LINK_COLUMNS.split(", ")))
_INSERT = f"""
INSERT INTO frontier_links (job, key, host, lane, {LINK_COLUMNS}) VALUES (?, ?, ?, ?, {VALUES})
"""
_REOPEN = """
UPDATE frontier_links
SET state = 'pending', lane = ?, depth = ?, replay = 1, attempts = 0, lost = 0, suspect = 0
WHERE id = ?
"""
_WAKE = f"""
UPDATE frontier_links SET ({LINK_COLUMNS}) = ({VALUES}), state = 'pending', at = NULL, lane = host, attempts = 0,
    lost = 0, suspect = 0, reserved = 0, again = 0
WHERE job = ? AND key = ? AND state IN ('delayed', 'done', 'dead') RETURNING host
"""
_COUNT_HOST = """
INSERT INTO frontier_sites (job, site, hosts) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET hosts = hosts + 1
"""
_COUNT = "UPDATE frontier_hosts SET accepted = accepted + ?, waiting = waiting + ? WHERE id = ?"


@dataclass(slots=True)
class _Host:
    """A host as this batch of offers sees it."""

    id: int
    room: int  # links it may still take
    refusal: Offered  # when there is none
    traps: frozenset[str]  # URL shapes that gave many pages and no document
    added: int = 0
    queued: int = 0  # those added that are no replays


def offer(job: Job, now: float, links: Sequence[Link]) -> list[Offered]:
    """Add the links that are new; answer for each what became of it."""
    hosts: dict[str, _Host] = {}
    answers = [_offer(job, now, link, hosts) for link in links]
    counts = [(host.added, host.queued, host.id) for host in hosts.values() if host.added]
    job.connection.executemany(_COUNT, counts)
    replays = answers.count(Offered.REOPENED) + sum(added - queued for added, queued, _ in counts)
    if replays:
        job.connection.execute(_COUNT, (0, replays, job.replays))
    return answers


def wake(job: Job, now: float, links: Sequence[Link]) -> list[bool]:
    """Let links wait for a lease wherever they stood; answer for each whether it did not yet."""
    answers = []
    for link in links:
        terms = (*_columns(replace(link, replay=False)), job.id, bytes.fromhex(link.key))
        known = job.connection.execute(_WAKE, terms).fetchone()
        if known:
            job.connection.execute(_COUNT, (0, 1, known[0]))
        answers.append(known is not None or offer(job, now, [link]) == [Offered.ACCEPTED])
    return answers


def _columns(link: Link) -> tuple[object, ...]:
    """Return the values of LINK_COLUMNS."""
    origin = (link.url, link.depth, link.why, link.found_on, link.priority, link.hops)
    return (*origin, int(link.replay), link.etag, link.modified, link.source)


def _offer(job: Job, now: float, link: Link, hosts: dict[str, _Host]) -> Offered:
    key = bytes.fromhex(link.key)
    query = "SELECT id, state, depth FROM frontier_links WHERE job = ? AND key = ?"
    known = job.connection.execute(query, (job.id, key)).fetchone()
    if known is not None:
        return _offer_again(job, link.depth, known)
    name = link.host
    host = hosts.get(name) or hosts.setdefault(name, _look_up(job, now, link))
    if host.room <= 0:
        return host.refusal
    if host.traps and urls.shape_of(link.url) in host.traps:
        return Offered.TRAP
    lane = job.replays if link.replay else host.id
    job.connection.execute(_INSERT, (job.id, key, host.id, lane, *_columns(link)))
    host.room -= 1
    host.added += 1
    host.queued += not link.replay
    return Offered.ACCEPTED


def _offer_again(job: Job, depth: int, known: tuple[int, str, int]) -> Offered:
    """Keep the shortest path to a known link; follow a done one again when its outlinks are now less deep."""
    row, state, known_depth = known
    if depth >= known_depth:
        return Offered.SEEN
    if state == State.DONE:
        job.connection.execute(_REOPEN, (job.replays, depth, row))
        return Offered.REOPENED
    # A leased link's outlinks are being offered with the old depth: settle has to know.
    stale = int(state == State.LEASED)
    job.connection.execute("UPDATE frontier_links SET depth = ?, stale = ? WHERE id = ?", (depth, stale, row))
    return Offered.SEEN


def _look_up(job: Job, now: float, link: Link) -> _Host:
    """Return a link's host, adding it when it is new; it then takes its turn behind those that wait already."""
    name = link.host
    query = "SELECT id, accepted FROM frontier_hosts WHERE job = ? AND name = ?"
    row = job.connection.execute(query, (job.id, name)).fetchone()
    if row is None:
        if not _admit(job, urls.site_of(link.url)):
            return _Host(0, 0, Offered.SITE_FULL, frozenset())
        insert = "INSERT INTO frontier_hosts (job, name, next_at) VALUES (?, ?, ?) RETURNING id, accepted"
        row = job.connection.execute(insert, (job.id, name, now)).fetchone()
    host, accepted = row
    query = "SELECT shape FROM frontier_shapes WHERE host = ? AND fruitful = 0 AND barren >= ?"
    traps = frozenset(shape for (shape,) in job.connection.execute(query, (host, job.rules.barren_pages)))
    return _Host(host, job.rules.host_pages - accepted, Offered.HOST_FULL, traps)


def _admit(job: Job, site: str) -> bool:
    """Count one more host of a site; False when it would be one too many."""
    query = "SELECT hosts FROM frontier_sites WHERE job = ? AND site = ?"
    row = job.connection.execute(query, (job.id, site)).fetchone()
    if row is not None and row[0] >= job.rules.site_hosts:
        return False
    job.connection.execute(_COUNT_HOST, (job.id, site))
    return True
