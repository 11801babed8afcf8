"""Sinks: what changes in the store is carried to other places, each at its own pace.

    log of changes ──▶ sink "archive"  at 1,204 ──▶ files          each has its place in the log, kept in the store
                   ──▶ sink "search"   at   977 ──▶ a server       (states "sink NAME"), and tries again by itself

A crawl never waits for a sink, and nothing is lost when one is away: its place in the log stays where it was. Two
processes may carry for one sink; then some documents are delivered twice, which destinations take.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from thresher.errors import BackendError, Damaged
from thresher.model import Page
from thresher.store.contract import Store
from thresher.store.destination import Destination

BATCH = 100  # documents that are delivered together
FIRST_WAIT_S = 1.0  # after a failure; then twice as long each time
MAX_WAIT_S = 300.0
log = logging.getLogger("thresher.sinks")


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a sink is."""

    name: str
    cursor: int = 0  # the number of the last change that was delivered
    delivered: int = 0  # changes, ever
    delivered_at: str | None = None  # when the last ones were
    failures: int = 0  # in a row
    error: str = ""  # of the last one
    retry_at: str | None = None
    lag: int = 0  # documents that are still to be delivered


def standing_of(store: Store, name: str) -> Standing:
    """Return how far a sink is; one that never delivered anything is at the beginning."""
    held = dict(store.state(_state(name)) or {})
    known = {key: held[key] for key in held if key in Standing.__dataclass_fields__ and key not in ("name", "lag")}
    standing = Standing(name, **known)
    return Standing(**{**asdict(standing), "lag": store.count_changes(standing.cursor)})


def replay(store: Store, name: str) -> int:
    """Let a sink begin anew, at the beginning of the log; return how many documents it will deliver again."""
    store.keep_state(_state(name), {"cursor": 0})
    return store.count_changes(0)


class Sink:
    """Carries changes from a store to one destination, which is opened when it is needed."""

    def __init__(
        self,
        name: str,
        store: Store,
        opened: Callable[[], Destination],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self._store, self._open, self._clock = store, opened, clock
        self._destination: Destination | None = None

    def carry(self) -> int:
        """Deliver the next changes; return how many there were, 0 while it waits after a failure."""
        held = self._store.state(_state(self.name))
        before: dict[str, Any] = dict(held or {})
        now = self._clock()
        if (retry_at := before.get("retry_at")) and datetime.fromisoformat(retry_at) > now:
            return 0
        changes = self._store.changes(before.get("cursor", 0), limit=BATCH)
        if not changes:
            return 0
        try:
            self._destination = self._destination or self._open()
            self._destination.deliver([change for change in changes if not change.is_damaged], self._page)
        except BackendError as error:
            self._failed(held, before, error, now)
            return 0
        done = {
            "cursor": changes[-1].number,
            "delivered": before.get("delivered", 0) + len(changes),
            "delivered_at": now.isoformat(),
        }
        self._store.swap_state(_state(self.name), held, {_state(self.name): done})  # unless another one was first
        return len(changes)

    def close(self) -> None:
        """Close the destination."""
        destination, self._destination = self._destination, None
        if destination:
            destination.close()

    def _page(self, url: str) -> Page | None:
        try:
            return self._store.page(url)
        except Damaged:  # `doctor --deep` tells
            return None

    def _failed(self, held: Any, before: dict[str, Any], error: BackendError, now: datetime) -> None:
        """Note a failure, and when to try again; the destination is closed now and opened again then."""
        with suppress(BackendError):  # the failure that is noted is the one of the delivery
            self.close()
        failures = before.get("failures", 0) + 1
        wait_s = min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** min(failures - 1, 20))
        log.warning("sink %s: %s; next attempt in %.0f s", self.name, error, wait_s)
        retry_at = (now + timedelta(seconds=wait_s)).isoformat()
        noted = {**before, "failures": failures, "error": str(error)[:500], "retry_at": retry_at}
        self._store.swap_state(_state(self.name), held, {_state(self.name): noted})


def _state(name: str) -> str:
    return f"sink {name}"
