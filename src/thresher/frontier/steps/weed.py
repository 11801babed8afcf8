"""Weed: drop links that wait and are not wanted any more: their URL shape is a trap, or their host is full."""

from collections.abc import Callable
from functools import partial

from thresher import urls
from thresher.frontier.contract import Offered
from thresher.frontier.steps.job import LINK_COLUMNS, Job, to_link
from thresher.model import Link

Which = Callable[[Link], bool] | None  # picks links; None: all
IS_TRAP = "SELECT 1 FROM frontier_shapes WHERE host = ? AND shape = ? AND fruitful = 0 AND barren >= ?"
WAITING = f"SELECT id, {LINK_COLUMNS} FROM frontier_links WHERE lane = ? AND state = 'pending' AND suspect = 0"
DROP = "UPDATE frontier_links SET state = 'done', reason = ?, reserved = 0 WHERE id = ?"
LET_GO = "UPDATE frontier_hosts SET waiting = waiting - ? WHERE id = ?"


def weed(job: Job) -> list[Link]:
    """Drop the links of shapes that settles have found to be traps; answer them."""
    dropped: list[Link] = []
    while job.sprung:
        host, shape = job.sprung.pop()
        if job.connection.execute(IS_TRAP, (host, shape, job.rules.barren_pages)).fetchone():
            dropped += _drop(job, host, Offered.TRAP.value, partial(_has_shape, shape))
    return dropped


def _has_shape(shape: str, link: Link) -> bool:
    return urls.shape_of(link.url) == shape


def drop(job: Job, name: str, reason: str, which: Which = None) -> list[Link]:
    """Drop what waits of a host, all of it or what `which` picks; answer the links."""
    query = "SELECT id FROM frontier_hosts WHERE job = ? AND name = ?"
    host = job.connection.execute(query, (job.id, name)).fetchone()
    return _drop(job, host[0], reason, which) if host else []


def _drop(job: Job, host: int, reason: str, which: Which) -> list[Link]:
    waiting = ((row[0], to_link(row[1:])) for row in job.connection.execute(WAITING, (host,)).fetchall())
    doomed = [(row, link) for row, link in waiting if which is None or which(link)]
    job.connection.executemany(DROP, [(reason, row) for row, _ in doomed])
    job.connection.execute(LET_GO, (len(doomed), host))
    return [link for _, link in doomed]
