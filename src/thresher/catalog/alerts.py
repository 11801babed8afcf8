"""What a book of alerts promises: saved searches, alerts, what they found, what was sent, and feeds of searches.

    alert ──lease──▶ look at new documents ──advance──▶ hits, deliveries, cursor: one transaction
    delivery ──lease──▶ sent or not ──settle──▶ sent, waiting for another attempt, or given up

Every call is atomic and comes from one thread at a time, of any number of processes. Whoever holds a lease is named by
a word; a call of somebody whose lease was taken over changes nothing. Times are aware and passed in. What it raises is
a BackendError, or a UsageError for something that is there already, or not at all.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from thresher.model.alert import Alert, AlertHit, AlertState, Attempt, Delivery, DeliveryState, SavedSearch, Standing

KEEP_HITS_DAYS = 90  # that an alert found; none is looked for again that was first seen before
KEEP_DELIVERIES_DAYS = 90


@dataclass(frozen=True, slots=True)
class Step:
    """What one look of an alert leads to."""

    standing: Standing
    hits: Sequence[AlertHit] = ()  # that were not found before
    deliveries: Sequence[Delivery] = ()
    told: Collection[str] = ()  # keys of hits that a digest has told now


@dataclass(frozen=True, slots=True)
class Feed:
    """A search that may be read with a token of its own."""

    id: str  # the hash of the token
    query: str
    name: str
    owner: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a WebSub hub was asked for."""

    source: str
    topic: str  # the URL of the feed, as it names itself
    url: str  # of the endpoint
    hub: str
    path: str  # the secret part of the callback's address
    secret: str  # that the hub signs with
    asked_at: datetime
    until: datetime | None = None  # the end of the lease; None: the hub has not confirmed it
    pushed_at: datetime | None = None  # when it brought something last
    detail: str = ""  # what went wrong last
    memory: Mapping[str, Any] = field(default_factory=dict)


class Alerts(Protocol):
    """Keeps saved searches, alerts, deliveries and feeds."""

    def save_search(self, search: SavedSearch, *, replace: bool = False) -> None:
        """Keep a search; raise UsageError when there is one of its name and it is not to be replaced."""

    def saved_search(self, name: str) -> SavedSearch | None:
        """Look a saved search up."""

    def saved_searches(self) -> list[SavedSearch]:
        """All saved searches, by name."""

    def remove_search(self, name: str) -> bool:
        """Forget a saved search; False when there is none."""

    def add(self, alert: Alert, at: datetime) -> None:
        """Keep a new alert that begins at a time; raise UsageError when there is one of its name."""

    def change(self, alert: Alert, at: datetime) -> None:
        """Replace an alert; it begins anew where what it asks for is another. UsageError when there is none."""

    def set_state(self, name: str, state: AlertState, at: datetime) -> None:
        """Pause an alert, or resume it: it begins anew. Raise UsageError when there is none of its name."""

    def remove(self, name: str) -> bool:
        """Forget an alert with its hits and what is still to be sent; False when there is none."""

    def alert(self, name: str) -> Alert | None:
        """Look an alert up."""

    def alerts(self) -> list[Alert]:
        """All alerts, by name."""

    def standing(self, name: str) -> Standing | None:
        """Where an alert stands; None when there is none."""

    def lease(self, name: str, worker: str, until: datetime, now: datetime) -> Standing | None:
        """Take or renew the exclusive right to look after an alert; None while it is somebody else's, or paused."""

    def advance(self, name: str, worker: str, step: Step) -> bool:
        """Keep what a look led to, all of it or nothing: False when the lease is somebody else's now."""

    def known(self, name: str, keys: Sequence[str]) -> set[str]:
        """Answer which of these documents an alert has found before."""

    def hits(self, name: str, *, limit: int = 50, untold: bool = False) -> list[AlertHit]:
        """What an alert found, the last seen first; only what no digest has told yet."""

    def count_hits(self, name: str, *, since: datetime | None = None) -> int:
        """How many documents an alert has found, or found since a time."""

    def add_delivery(self, delivery: Delivery) -> None:
        """Keep something to be sent that no look led to: a test."""

    def lease_deliveries(self, worker: str, until: datetime, now: datetime, *, limit: int = 10) -> list[Delivery]:
        """Take the exclusive right to send what is due, the longest due first."""

    def settle(
        self, id: str, worker: str, attempt: Attempt, state: DeliveryState, due_at: datetime | None = None
    ) -> bool:
        """Note how an attempt went; False when the lease is somebody else's now."""

    def replay(self, id: str, at: datetime) -> Delivery:
        """Send something once more, attempts counted from the beginning; raise UsageError when there is none."""

    def delivery(self, id: str) -> Delivery | None:
        """Look a delivery up."""

    def deliveries(
        self, alert: str | None = None, *, state: DeliveryState | None = None, limit: int = 50
    ) -> list[Delivery]:
        """What was or is to be sent, for an alert or all, the newest first."""

    def attempts(self, id: str) -> list[Attempt]:
        """The attempts to deliver something, in their order."""

    def forget_before(self, at: datetime) -> None:
        """Forget hits of before a time that were told, and deliveries from before it that are over."""

    def add_feed(self, feed: Feed) -> None:
        """Keep a feed of a search; the same again changes nothing."""

    def feed(self, id: str) -> Feed | None:
        """Look a feed up by the hash of its token."""

    def feeds(self, owner: str | None = None) -> list[Feed]:
        """The feeds of a user, or all, by name."""

    def remove_feed(self, id: str) -> bool:
        """Forget a feed: its token opens nothing any more. False when there is none."""

    def save_subscription(self, subscription: Subscription) -> None:
        """Insert or replace a subscription, identified by endpoint and hub."""

    def subscriptions(self) -> list[Subscription]:
        """All subscriptions, by endpoint and hub."""

    def subscription(self, path: str) -> Subscription | None:
        """Look a subscription up by the secret part of its callback's address."""

    def remove_subscription(self, url: str, hub: str) -> bool:
        """Forget a subscription; False when there is none."""

    def close(self) -> None:
        """Let go of the database."""
