"""Saved searches, alerts and deliveries in SQL, through SQLAlchemy: beside the catalog of sources."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace as with_values
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, delete, func, insert, or_, select, update

from thresher import sqlite
from thresher.catalog.alert_tables import COMPONENT, alerts, attempts, deliveries, feeds, hits, migrations, saved, subs
from thresher.catalog.alerts import Feed, Step, Subscription
from thresher.database import (
    again_after_deadlock,
    borrowing_engine,
    dialect_of,
    foreign_errors,
    insert_new,
    server_engine,
    upsert,
)
from thresher.errors import UsageError
from thresher.model.alert import (
    Alert,
    AlertHit,
    AlertState,
    Attempt,
    Delivery,
    DeliveryState,
    SavedSearch,
    Standing,
    alert_from_dict,
    alert_to_dict,
    notice_from_dict,
    notice_to_dict,
)
from thresher.model.codec import storable
from thresher.urls import key_of

Row = dict[str, Any]
Transaction = Callable[[], AbstractContextManager[Any]]
Connect = Callable[[], AbstractContextManager[Connection]]
ASKS = ("kind", "query", "source", "at", "day", "zone", "window", "after")  # what makes an alert begin anew
KEYS_PER_QUERY = 500
UNTOLD = ""


def sqlite_alerts(connection: sqlite3.Connection, close: Callable[[], None] = lambda: None) -> "SqlAlerts":
    """Return a book of alerts in a database that others share: calls inside one `atomic` are one transaction."""
    engine = borrowing_engine(connection, COMPONENT, migrations("sqlite"))
    only = engine.connect()
    return SqlAlerts(
        engine,
        connect=lambda: nullcontext(only),
        atomic=lambda: sqlite.atomic(connection),
        snapshot=lambda: sqlite.snapshot(connection),
        close=close,
    )


def server_alerts(url: str) -> "SqlAlerts":
    """Return a book of alerts in PostgreSQL, MySQL or MariaDB; raise BackendError where that cannot be."""
    return SqlAlerts(server_engine(url, COMPONENT, migrations(dialect_of(url))))


class SqlAlerts:
    """Keeps everything in the tables of alert_tables.py; the arguments are those of SqlCatalog."""

    def __init__(
        self,
        engine: Engine,
        *,
        connect: Connect | None = None,
        atomic: Transaction = nullcontext,
        snapshot: Transaction = nullcontext,
        close: Callable[[], None] | None = None,
    ) -> None:
        self._dialect = engine.dialect.name
        self._connect = connect or engine.begin
        self._atomic = atomic
        self._snapshot = snapshot
        self.close = close or engine.dispose

    @again_after_deadlock
    def save_search(self, search: SavedSearch, *, replace: bool = False) -> None:
        """Keep a search; raise UsageError when there is one of its name and it is not to be replaced."""
        row = {
            "name": search.name,
            "query": storable(search.query),
            "owner": search.owner,
            "shared": int(search.shared),
            "created_at": _text(search.created_at or datetime.now(UTC)),
        }
        with self._writing() as connection:
            if replace:
                connection.execute(upsert(self._dialect, saved, keep=("created_at",)), [row])
            elif not connection.execute(insert_new(self._dialect, saved), [row]).rowcount:
                raise UsageError(f"there is a saved search {search.name} already; choose another name")

    def saved_search(self, name: str) -> SavedSearch | None:
        """Look a saved search up."""
        rows = self._rows(select(saved).where(saved.c.name == name))
        return _search(rows[0]) if rows else None

    def saved_searches(self) -> list[SavedSearch]:
        """All saved searches, by name."""
        return [_search(row) for row in self._rows(select(saved).order_by(saved.c.name))]

    @again_after_deadlock
    def remove_search(self, name: str) -> bool:
        """Forget a saved search; False when there is none."""
        with self._writing() as connection:
            return connection.execute(delete(saved).where(saved.c.name == name)).rowcount > 0

    @again_after_deadlock
    def add(self, alert: Alert, at: datetime) -> None:
        """Keep a new alert that begins at a time; raise UsageError when there is one of its name."""
        row = _alert_row(with_values(alert, created_at=alert.created_at or at)) | _beginning(at)
        with self._writing() as connection:
            if not connection.execute(insert_new(self._dialect, alerts), [row]).rowcount:
                raise UsageError(f"there is an alert {alert.name} already; choose another name")

    @again_after_deadlock
    def change(self, alert: Alert, at: datetime) -> None:
        """Replace an alert; it begins anew where what it asks for is another. UsageError when there is none."""
        with self._writing() as connection:
            old = self._present(connection, alert.name)
            same = old.state is alert.state and all(getattr(old, name) == getattr(alert, name) for name in ASKS)
            row = _alert_row(with_values(alert, created_at=old.created_at)) | ({} if same else _beginning(at))
            connection.execute(update(alerts).where(alerts.c.name == alert.name).values(**row))

    @again_after_deadlock
    def set_state(self, name: str, state: AlertState, at: datetime) -> None:
        """Pause an alert, or resume it: it begins anew. Raise UsageError when there is none of its name."""
        with self._writing() as connection:
            old = self._present(connection, name)
            if old.state is not state:
                row = _alert_row(with_values(old, state=state)) | _beginning(at)
                connection.execute(update(alerts).where(alerts.c.name == name).values(**row))

    @again_after_deadlock
    def remove(self, name: str) -> bool:
        """Forget an alert with its hits and what is still to be sent; False when there is none."""
        with self._writing() as connection:
            connection.execute(delete(hits).where(hits.c.alert == name))
            theirs = select(deliveries.c.id).where(deliveries.c.alert == name)
            connection.execute(delete(attempts).where(attempts.c.delivery.in_(theirs)))
            connection.execute(delete(deliveries).where(deliveries.c.alert == name))
            return connection.execute(delete(alerts).where(alerts.c.name == name)).rowcount > 0

    def alert(self, name: str) -> Alert | None:
        """Look an alert up."""
        rows = self._rows(select(alerts.c.definition).where(alerts.c.name == name))
        return _alert(rows[0]) if rows else None

    def alerts(self) -> list[Alert]:
        """All alerts, by name."""
        return [_alert(row) for row in self._rows(select(alerts.c.definition).order_by(alerts.c.name))]

    def standing(self, name: str) -> Standing | None:
        """Where an alert stands; None when there is none."""
        rows = self._rows(select(alerts).where(alerts.c.name == name))
        return _standing(rows[0]) if rows else None

    @again_after_deadlock
    def lease(self, name: str, worker: str, until: datetime, now: datetime) -> Standing | None:
        """Take or renew the exclusive right to look after an alert; None while it is somebody else's, or paused."""
        free = _free(alerts.c.worker, alerts.c.leased_until, worker, now)
        with self._writing() as connection:
            active = and_(alerts.c.name == name, alerts.c.state == str(AlertState.ACTIVE))
            taken = update(alerts).where(active, free).values(worker=worker, leased_until=_text(until))
            if not connection.execute(taken).rowcount:
                return None
            row = connection.execute(select(alerts).where(alerts.c.name == name)).mappings().one()
            return _standing(dict(row))

    @again_after_deadlock
    def advance(self, name: str, worker: str, step: Step) -> bool:
        """Keep what a look led to, all of it or nothing: False when the lease is somebody else's now."""
        with self._writing() as connection:
            mine = and_(
                alerts.c.name == name,
                alerts.c.worker == worker,
                # Somebody who changed or resumed the alert meanwhile has begun it anew.
                alerts.c.started_at == _text(step.standing.started_at),
                alerts.c.state == str(AlertState.ACTIVE),
            )
            if not connection.execute(update(alerts).where(mine).values(**_standing_row(step.standing))).rowcount:
                return False
            if step.hits:
                connection.execute(insert_new(self._dialect, hits), [_hit_row(name, hit) for hit in step.hits])
            for part in _parts(sorted(step.told)):
                told = and_(hits.c.alert == name, hits.c.doc_key.in_(part))
                connection.execute(update(hits).where(told).values(told="1"))
            if step.deliveries:
                connection.execute(insert(deliveries), [_delivery_row(delivery) for delivery in step.deliveries])
            return True

    def known(self, name: str, keys: Sequence[str]) -> set[str]:
        """Answer which of these documents an alert has found before."""
        found: set[str] = set()
        for part in _parts(keys):
            query = select(hits.c.doc_key).where(hits.c.alert == name, hits.c.doc_key.in_(part))
            found |= {row["doc_key"] for row in self._rows(query)}
        return found

    def hits(self, name: str, *, limit: int = 50, untold: bool = False) -> list[AlertHit]:
        """What an alert found, the last seen first; only what no digest has told yet."""
        query = select(hits).where(hits.c.alert == name).order_by(hits.c.seen_at.desc(), hits.c.doc_key)
        if untold:
            query = query.where(hits.c.told == UNTOLD)
        return [_hit(row) for row in self._rows(query.limit(limit))]

    def count_hits(self, name: str, *, since: datetime | None = None) -> int:
        """How many documents an alert has found, or found since a time."""
        query = select(func.count().label("n")).select_from(hits).where(hits.c.alert == name)
        rows = self._rows(query.where(hits.c.seen_at >= _text(since)) if since else query)
        return int(rows[0]["n"])

    @again_after_deadlock
    def add_delivery(self, delivery: Delivery) -> None:
        """Keep something to be sent that no look led to: a test."""
        with self._writing() as connection:
            connection.execute(insert(deliveries), [_delivery_row(delivery)])

    @again_after_deadlock
    def lease_deliveries(self, worker: str, until: datetime, now: datetime, *, limit: int = 10) -> list[Delivery]:
        """Take the exclusive right to send what is due, the longest due first."""
        free = _free(deliveries.c.worker, deliveries.c.leased_until, worker, now)
        due = and_(deliveries.c.state == str(DeliveryState.WAITING), deliveries.c.due_at <= _text(now), free)
        taken = []
        with self._writing() as connection:
            wanted = select(deliveries).where(due).order_by(deliveries.c.due_at, deliveries.c.id).limit(limit)
            for row in connection.execute(wanted).mappings().all():
                lease = update(deliveries).where(deliveries.c.id == row["id"], due)
                if connection.execute(lease.values(worker=worker, leased_until=_text(until))).rowcount:
                    taken.append(_delivery(dict(row)))
        return taken

    @again_after_deadlock
    def settle(
        self, id: str, worker: str, attempt: Attempt, state: DeliveryState, due_at: datetime | None = None
    ) -> bool:
        """Note how an attempt went; False when the lease is somebody else's now."""
        detail = storable(attempt.detail)
        values = {"state": str(state), "attempts": attempt.number, "detail": detail, "worker": "", "leased_until": ""}
        if due_at:
            values["due_at"] = _text(due_at)
        row = {"delivery": id, "at": _text(attempt.at), "number": attempt.number, "ok": int(attempt.ok)}
        with self._writing() as connection:
            mine = and_(deliveries.c.id == id, deliveries.c.worker == worker)
            if not connection.execute(update(deliveries).where(mine).values(**values)).rowcount:
                return False
            connection.execute(insert_new(self._dialect, attempts), [row | {"detail": detail}])
            return True

    @again_after_deadlock
    def replay(self, id: str, at: datetime) -> Delivery:
        """Send something once more, attempts counted from the beginning; raise UsageError when there is none."""
        state = str(DeliveryState.WAITING)
        values = {"state": state, "attempts": 0, "due_at": _text(at), "worker": "", "leased_until": ""}
        with self._writing() as connection:
            if not connection.execute(update(deliveries).where(deliveries.c.id == id).values(**values)).rowcount:
                raise UsageError(f"there is no delivery {id}; `thresher alerts log` lists them")
            return _delivery(dict(connection.execute(select(deliveries).where(deliveries.c.id == id)).mappings().one()))

    def delivery(self, id: str) -> Delivery | None:
        """Look a delivery up."""
        rows = self._rows(select(deliveries).where(deliveries.c.id == id))
        return _delivery(rows[0]) if rows else None

    def deliveries(
        self, alert: str | None = None, *, state: DeliveryState | None = None, limit: int = 50
    ) -> list[Delivery]:
        """What was or is to be sent, for an alert or all, the newest first."""
        query = select(deliveries).order_by(deliveries.c.created_at.desc(), deliveries.c.id).limit(limit)
        if alert is not None:
            query = query.where(deliveries.c.alert == alert)
        if state is not None:
            query = query.where(deliveries.c.state == str(state))
        return [_delivery(row) for row in self._rows(query)]

    def attempts(self, id: str) -> list[Attempt]:
        """The attempts to deliver something, in their order."""
        query = select(attempts).where(attempts.c.delivery == id).order_by(attempts.c.at)
        return [
            Attempt(number=row["number"], at=_time(row["at"]), ok=bool(row["ok"]), detail=row["detail"])
            for row in self._rows(query)
        ]

    @again_after_deadlock
    def forget_before(self, at: datetime) -> None:
        """Forget hits of before a time that were told, and deliveries from before it that are over."""
        over = and_(deliveries.c.created_at < _text(at), deliveries.c.state != str(DeliveryState.WAITING))
        with self._writing() as connection:
            connection.execute(delete(hits).where(hits.c.seen_at < _text(at), hits.c.told != UNTOLD))
            theirs = select(deliveries.c.id).where(over)
            connection.execute(delete(attempts).where(attempts.c.delivery.in_(theirs)))
            connection.execute(delete(deliveries).where(over))

    @again_after_deadlock
    def add_feed(self, feed: Feed) -> None:
        """Keep a feed of a search; the same again changes nothing."""
        row = {"id": feed.id, "query": storable(feed.query), "name": feed.name, "owner": feed.owner}
        with self._writing() as connection:
            connection.execute(insert_new(self._dialect, feeds), [row | {"created_at": _text(feed.created_at)}])

    def feed(self, id: str) -> Feed | None:
        """Look a feed up by the hash of its token."""
        rows = self._rows(select(feeds).where(feeds.c.id == id))
        return _feed(rows[0]) if rows else None

    def feeds(self, owner: str | None = None) -> list[Feed]:
        """The feeds of a user, or all, by name."""
        query = select(feeds).order_by(feeds.c.name, feeds.c.id)
        return [_feed(row) for row in self._rows(query if owner is None else query.where(feeds.c.owner == owner))]

    @again_after_deadlock
    def remove_feed(self, id: str) -> bool:
        """Forget a feed: its token opens nothing any more. False when there is none."""
        with self._writing() as connection:
            return connection.execute(delete(feeds).where(feeds.c.id == id)).rowcount > 0

    @again_after_deadlock
    def save_subscription(self, subscription: Subscription) -> None:
        """Insert or replace a subscription, identified by endpoint and hub."""
        with self._writing() as connection:
            connection.execute(upsert(self._dialect, subs), [_subscription_row(subscription)])

    def subscriptions(self) -> list[Subscription]:
        """All subscriptions, by endpoint and hub."""
        found = [_subscription(row) for row in self._rows(select(subs))]
        return sorted(found, key=lambda subscription: (subscription.url, subscription.hub))

    def subscription(self, path: str) -> Subscription | None:
        """Look a subscription up by the secret part of its callback's address."""
        rows = self._rows(select(subs).where(subs.c.path == path))
        return _subscription(rows[0]) if rows else None

    @again_after_deadlock
    def remove_subscription(self, url: str, hub: str) -> bool:
        """Forget a subscription; False when there is none."""
        with self._writing() as connection:
            one = and_(subs.c.url_key == key_of(url), subs.c.hub_key == key_of(hub))
            return connection.execute(delete(subs).where(one)).rowcount > 0

    def _present(self, connection: Connection, name: str) -> Alert:
        query = select(alerts.c.definition).where(alerts.c.name == name).with_for_update()
        row = connection.execute(query).mappings().first()
        if row is None:
            raise UsageError(f"there is no alert {name}; `thresher alerts list` lists them all")
        return _alert(dict(row))

    def _rows(self, query: Select[Any]) -> list[Row]:
        with self._snapshot(), foreign_errors(COMPONENT), self._connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._atomic(), foreign_errors(COMPONENT), self._connect() as connection:
            yield connection


def _free(worker: ColumnElement[str], until: ColumnElement[str], who: str, now: datetime) -> ColumnElement[bool]:
    return or_(worker == "", worker == who, until <= _text(now))


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), KEYS_PER_QUERY):
        yield keys[start : start + KEYS_PER_QUERY]


def _text(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else ""


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _maybe_time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _search(row: Mapping[str, Any]) -> SavedSearch:
    values = {name: row[name] for name in ("name", "query", "owner")}
    return SavedSearch(**values, shared=bool(row["shared"]), created_at=_time(row["created_at"]))


def _alert_row(alert: Alert) -> Row:
    definition = json.dumps(alert_to_dict(alert), ensure_ascii=False)
    return {"name": alert.name, "state": str(alert.state), "definition": storable(definition)}


def _alert(row: Mapping[str, Any]) -> Alert:
    return alert_from_dict(json.loads(row["definition"]))


def _beginning(at: datetime) -> Row:
    return {"worker": "", "leased_until": ""} | _standing_row(Standing(started_at=at, cursor_at=at, swept_at=at))


def _standing_row(standing: Standing) -> Row:
    times = {name: _text(getattr(standing, name)) for name in ("started_at", "cursor_at", "swept_at", "due_at")}
    return {**times, "memory": json.dumps(dict(standing.memory))}


def _standing(row: Mapping[str, Any]) -> Standing:
    times = {name: _time(row[name]) for name in ("started_at", "cursor_at", "swept_at")}
    return Standing(**times, due_at=_maybe_time(row["due_at"]), memory=json.loads(row["memory"]))


def _hit_row(alert: str, hit: AlertHit) -> Row:
    texts = {
        name: storable(getattr(hit, name)) for name in ("url", "title", "site", "published", "language", "snippet")
    }
    return {"alert": alert, "doc_key": hit.key, "seen_at": _text(hit.seen_at), "told": UNTOLD, **texts}


def _hit(row: Mapping[str, Any]) -> AlertHit:
    texts = {name: row[name] for name in ("url", "title", "site", "published", "language", "snippet")}
    return AlertHit(key=row["doc_key"], seen_at=_time(row["seen_at"]), **texts)


def _delivery_row(delivery: Delivery) -> Row:
    return {
        "id": delivery.id,
        "alert": delivery.alert,
        "target": delivery.target,
        "notice": json.dumps(notice_to_dict(delivery.notice), ensure_ascii=False),
        "created_at": _text(delivery.created_at),
        "due_at": _text(delivery.due_at),
        "state": str(delivery.state),
        "attempts": delivery.attempts,
        "detail": storable(delivery.detail),
        "worker": "",
        "leased_until": "",
    }


def _delivery(row: Mapping[str, Any]) -> Delivery:
    return Delivery(
        id=row["id"],
        alert=row["alert"],
        target=row["target"],
        notice=notice_from_dict(json.loads(row["notice"])),
        created_at=_time(row["created_at"]),
        due_at=_time(row["due_at"]),
        state=DeliveryState(row["state"]),
        attempts=row["attempts"],
        detail=row["detail"],
    )


def _feed(row: Mapping[str, Any]) -> Feed:
    return Feed(row["id"], row["query"], row["name"], row["owner"], _time(row["created_at"]))


def _subscription_row(one: Subscription) -> Row:
    texts = {name: storable(getattr(one, name)) for name in ("source", "topic", "url", "hub", "path", "secret")}
    times = {name: _text(getattr(one, name)) for name in ("asked_at", "until", "pushed_at")}
    keys = {"url_key": key_of(one.url), "hub_key": key_of(one.hub)}
    return texts | times | keys | {"detail": storable(one.detail), "memory": json.dumps(dict(one.memory))}


def _subscription(row: Mapping[str, Any]) -> Subscription:
    texts = {name: row[name] for name in ("source", "topic", "url", "hub", "path", "secret", "detail")}
    return Subscription(
        **texts,
        asked_at=_time(row["asked_at"]),
        until=_maybe_time(row["until"]),
        pushed_at=_maybe_time(row["pushed_at"]),
        memory=json.loads(row["memory"]),
    )
