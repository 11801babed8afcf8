"""The fleet as pages and the API see it: its members joined with heartbeats, and orders that are carried out beside.

    request ──order──▶ Order ──in a thread of its own──▶ Fleet ──▶ processes, containers or pods
            ◀──look─── what it has observed so far, and how it ended

An order that is cancelled waits no longer; what it has asked for already, the platform does.
"""

import asyncio
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from thresher.config import Settings, environment_of
from thresher.crawling.heartbeat import DRAIN, STOP, is_fresh
from thresher.crawling.workers import heard, worker_facts
from thresher.errors import BackendError, ThresherError, UsageError
from thresher.fleet.contract import Backend
from thresher.fleet.fleet import Fleet, facts_of
from thresher.fleet.opening import open_backend
from thresher.web.corpora import Corpora, OpenCorpus

MAX_MEMBERS = 256
MAX_RUNNING = 4  # orders at once
KEPT = 5  # orders that are over
HEAR_WITHIN_S = 30.0
LOG_LINES = 200
RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
ADD, SCALE, START, REMOVE, RESTART = "add", "scale", "start", "remove", "restart"
ORDERS = (START, DRAIN, STOP, REMOVE)  # to one member
MEMBERS_ALONE = ("member", "place", "restarts", "image", "why")  # is known of
CLOSED_WITHIN_S = 5.0

Work = Callable[[Fleet], None]


class _Cancelled(Exception):
    """Somebody cancelled the order."""


@dataclass(eq=False)
class Order:
    """Something that the fleet is to do, what was observed of it so far and how it ended."""

    id: str
    action: str
    target: str  # members, or how many
    user: str
    started_at: datetime
    state: str = RUNNING
    error: str = ""
    notes: list[str] = field(default_factory=list)
    cancelled: threading.Event = field(default_factory=threading.Event, repr=False)
    thread: threading.Thread | None = field(default=None, repr=False)

    def pause(self, seconds: float) -> None:
        """Wait a while; raise when the order was cancelled."""
        if self.cancelled.wait(seconds):
            raise _Cancelled

    def facts(self) -> dict[str, Any]:
        """Return what is known of it as plain data."""
        names = ("id", "action", "target", "user", "started_at", "state", "error", "notes")
        return {name: getattr(self, name) for name in names}


class Workforce:
    """The workers of all machines, and what may be asked of them."""

    def __init__(self, settings: Settings, corpora: Corpora) -> None:
        self._settings, self._corpora = settings, corpora
        self._backend: Backend | None = None
        self._orders: dict[str, Order] = {}

    async def look(self) -> list[dict[str, Any]]:
        """Return every member, then all others that were heard of, those that are lost as well; raise ThresherError."""
        said = await self._corpora.read(_listed)
        rows = await run_in_threadpool(lambda: [facts_of(each) for each in self._fleet(said).status()])
        known = {row["worker"] for row in rows}
        lost = [dict.fromkeys(MEMBERS_ALONE) | each for each in said if each["worker"] not in known]
        by_name = {each["worker"]: each for each in said}
        more = [{name: by_name.get(row["worker"], {}).get(name) for name in ("documents", "last_url")} for row in rows]
        return [row | each for row, each in zip(rows, more, strict=True)] + lost

    def orders(self) -> list[Order]:
        """Return what is being done, and what was done last, the latest first."""
        return list(reversed(self._orders.values()))

    def get(self, id_: str) -> Order | None:
        """Look an order up; None when there is none, or none any more."""
        return self._orders.get(id_)

    def cancel(self, order: Order) -> None:
        """Let an order wait no longer."""
        order.cancelled.set()

    async def logs(self, name: str) -> list[str]:
        """Return the last lines that a member wrote to its terminal; raise UsageError where there is none."""
        return await run_in_threadpool(lambda: self._opened().logs(name, LOG_LINES))

    async def members(self) -> set[str]:
        """Return the names of all members."""
        return await run_in_threadpool(lambda: {member.name for member in self._opened().members()})

    def add(self, count: int, user: str) -> Order:
        """Add members."""
        return self._start(ADD, str(count), user, lambda fleet: fleet.grow(count))

    def scale(self, count: int, user: str) -> Order:
        """Have so many members: add some, or drain and take away those of least use."""
        return self._start(SCALE, str(count), user, lambda fleet: fleet.scale(count))

    def restart(self, user: str) -> Order:
        """Replace all members one by one."""
        return self._start(RESTART, "", user, lambda fleet: fleet.restart())

    def order(self, action: str, names: Sequence[str], user: str) -> Order:
        """Start, drain, stop or remove members."""
        work: dict[str, Work] = {
            START: lambda fleet: fleet.start(names),
            DRAIN: lambda fleet: fleet.drain(names),
            STOP: lambda fleet: fleet.drain(names, at_once=True),
            REMOVE: lambda fleet: fleet.shrink(names),
        }
        if action not in work:
            raise UsageError(f"{action!r} is not one of {', '.join(ORDERS)}")
        return self._start(action, ", ".join(names), user, work[action])

    async def tell(self, worker: str, order: str) -> bool:
        """Tell a worker that is no member, with its next heartbeat; False when it was not heard of just now."""
        return await self._corpora.write(_told, worker, order)

    def close(self) -> None:
        """Let all orders wait no longer; the members go on."""
        for order in self._orders.values():
            order.cancelled.set()
        for order in self._orders.values():
            if order.thread:
                order.thread.join(CLOSED_WITHIN_S)
        if self._backend:
            self._backend.close()

    def _opened(self) -> Backend:
        if self._backend is None:
            self._backend = open_backend(Path(self._settings.data), environment_of(self._settings))
        return self._backend

    def _fleet(self, said: list[dict[str, Any]]) -> Fleet:
        return Fleet(self._opened(), lambda: said)

    def _start(self, action: str, target: str, user: str, work: Work) -> Order:
        if sum(order.state == RUNNING for order in self._orders.values()) >= MAX_RUNNING:
            raise UsageError(f"{MAX_RUNNING} of these run already; wait for one to end, or cancel it")
        over = [id_ for id_, order in self._orders.items() if order.state != RUNNING]
        for id_ in over[: 1 - KEPT]:
            del self._orders[id_]
        order = Order(secrets.token_urlsafe(9), action, target, user, datetime.now(UTC))
        self._orders[order.id] = order
        loop = asyncio.get_running_loop()

        def hear() -> list[dict[str, Any]]:
            try:
                return asyncio.run_coroutine_threadsafe(self._corpora.read(_listed), loop).result(HEAR_WITHIN_S)
            except BackendError:  # the frontier is away; what the platform tells is still to be seen
                return []

        order.thread = threading.Thread(target=self._carry_out, args=(order, work, hear), daemon=True)
        order.thread.start()
        return order

    def _carry_out(self, order: Order, work: Work, hear: Callable[[], list[dict[str, Any]]]) -> None:
        try:
            work(Fleet(self._opened(), hear, note=order.notes.append, sleep=order.pause))
        except _Cancelled:
            order.state = CANCELLED
        except (ThresherError, TimeoutError) as error:
            order.error, order.state = str(error), FAILED
        else:
            order.state = DONE


def _listed(corpus: OpenCorpus) -> list[dict[str, Any]]:
    return [worker_facts(job, beat) for job, _, beat in heard(corpus.parts)]


def _told(corpus: OpenCorpus, worker: str, order: str) -> bool:
    found = [(overseer, beat) for _, overseer, beat in heard(corpus.parts) if beat.worker == worker]
    return any(is_fresh(beat) and overseer.tell(beat.worker, order) for overseer, beat in found)
