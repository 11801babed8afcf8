"""The workers of all jobs, as they were heard of."""

from collections.abc import Callable
from typing import Any, Protocol

from thresher.crawling.heartbeat import doing_of, is_fresh
from thresher.crawling.identity import is_dead
from thresher.crawling.waiting import WAITING_JOB
from thresher.frontier.contract import Rules
from thresher.frontier.overseer import Beat, Overseer


class Jobs(Protocol):
    """The jobs of a frontier; a Corpus has them, too."""

    @property
    def jobs(self) -> Callable[[], list[str]]:
        """Name the jobs."""

    @property
    def overseer(self) -> Callable[[str, Rules], Overseer]:
        """Open one of them."""


def heard(corpus: Jobs) -> list[tuple[str, Overseer, Beat]]:
    """Return every worker that was heard of, with the job it works on."""
    overseers = {job: corpus.overseer(job, Rules()) for job in corpus.jobs()}
    return [(job, overseer, beat) for job, overseer in overseers.items() for beat in overseer.beats()]


def work_of(corpus: Jobs, rules: Rules) -> tuple[int, int]:
    """Return how many hosts of all jobs have a link due that nobody has, and how many links workers hold."""
    overseers = [corpus.overseer(job, rules) for job in corpus.jobs()]
    held = sum(beat.leases for overseer in overseers for beat in overseer.beats() if is_fresh(beat))
    return sum(overseer.due_hosts() for overseer in overseers), held


def worker_facts(job: str, beat: Beat) -> dict[str, Any]:
    """Return what a worker said last, and whether it can still be there: as it was observed, never as it was asked."""
    said = doing_of(beat)
    state = said.get("state", "running") if is_fresh(beat) else "lost"
    return {
        "worker": beat.worker,
        "job": None if job == WAITING_JOB else job,
        "state": "ended" if is_dead(beat.worker, shared=True) else state,
        "heard_s_ago": round(beat.age_s),
        "in_flight": beat.leases,
        "pages": said.get("pages"),
        "documents": said.get("documents"),
        "per_min": said.get("per_min"),
        "memory_mb": round(said.get("memory_bytes", 0) / 1e6),
        "last_url": said.get("last_url") or None,
    }
