"""Accounts in SQL, through SQLAlchemy: beside the catalog of sources, in SQLite or in a server."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    MetaData,
    Select,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from thresher import sqlite
from thresher.catalog.accounts import Event, Failures, Role, Scope, Session, Token, User
from thresher.catalog.tables import LONG, NAME, TIME, TYPES, WORD
from thresher.database import (
    again_after_deadlock,
    borrowing_engine,
    dialect_of,
    foreign_errors,
    insert_new,
    server_engine,
)
from thresher.errors import UsageError

Transaction = Callable[[], AbstractContextManager[Any]]
Connect = Callable[[], AbstractContextManager[Connection]]
COMPONENT = "accounts"

_metadata = MetaData()
_users = Table(
    "account_users",
    _metadata,
    Column("name", NAME, primary_key=True),
    Column("role", WORD, nullable=False),
    Column("password", Text(LONG), nullable=False),
    Column("created_at", TIME, nullable=False),
)
_sessions = Table(
    "account_sessions",
    _metadata,
    Column("id", WORD, primary_key=True),
    Column("user", NAME, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("seen_at", TIME, nullable=False),
    Column("expires_at", TIME, nullable=False),
    Column("address", Text(LONG), nullable=False),
    Column("agent", Text(LONG), nullable=False),
)
_tokens = Table(
    "account_tokens",
    _metadata,
    Column("user", NAME, primary_key=True),
    Column("name", NAME, primary_key=True),
    Column("id", WORD, nullable=False),
    Column("scope", WORD, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("used_at", TIME),
    Column("expires_at", TIME),
)
_failures = Table(
    "account_failures",
    _metadata,
    Column("who", WORD, primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("last_at", TIME, nullable=False),
)
_events = Table(
    "account_events",
    _metadata,
    Column("at", TIME, primary_key=True),
    Column("id", WORD, primary_key=True),  # tells events of one moment apart
    Column("user", NAME, nullable=False),
    Column("action", WORD, nullable=False),
    Column("target", Text(LONG), nullable=False),
    Column("address", Text(LONG), nullable=False),
)
_SCRIPTS = (
    """
    CREATE TABLE IF NOT EXISTS account_users (
        name {name} NOT NULL PRIMARY KEY,
        role {word} NOT NULL,
        password {text} NOT NULL,
        created_at {time} NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS account_sessions (
        id {word} NOT NULL PRIMARY KEY,
        {q}user{q} {name} NOT NULL,
        created_at {time} NOT NULL,
        seen_at {time} NOT NULL,
        expires_at {time} NOT NULL,
        address {text} NOT NULL,
        agent {text} NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS account_tokens (
        {q}user{q} {name} NOT NULL,
        name {name} NOT NULL,
        id {word} NOT NULL UNIQUE,
        scope {word} NOT NULL,
        created_at {time} NOT NULL,
        used_at {time},
        expires_at {time},
        PRIMARY KEY ({q}user{q}, name)
    ) {end};
    CREATE TABLE IF NOT EXISTS account_failures (
        who {word} NOT NULL PRIMARY KEY,
        count {number} NOT NULL,
        last_at {time} NOT NULL
    ) {end};
    CREATE TABLE IF NOT EXISTS account_events (
        at {time} NOT NULL,
        id {word} NOT NULL,
        {q}user{q} {name} NOT NULL,
        action {word} NOT NULL,
        target {text} NOT NULL,
        address {text} NOT NULL,
        PRIMARY KEY (at, id)
    ) {end};
    """,
)


def migrations(dialect: str) -> tuple[str, ...]:
    """Return the scripts of a dialect; each may be run again after it broke off half-way."""
    quote = "`" if dialect == "mysql" else '"'
    return tuple(script.format(**TYPES[dialect], q=quote) for script in _SCRIPTS)


def sqlite_accounts(connection: sqlite3.Connection, close: Callable[[], None] = lambda: None) -> "SqlAccounts":
    """Return accounts in a database that others may share: calls inside one `atomic` are one transaction."""
    engine = borrowing_engine(connection, COMPONENT, migrations("sqlite"))
    only = engine.connect()
    return SqlAccounts(engine, connect=lambda: nullcontext(only), atomic=lambda: sqlite.atomic(connection), close=close)


def server_accounts(url: str) -> "SqlAccounts":
    """Return accounts in PostgreSQL, MySQL or MariaDB; raise BackendError where that cannot be."""
    return SqlAccounts(server_engine(url, COMPONENT, migrations(dialect_of(url))))


class SqlAccounts:
    """Keeps everything in the tables above; `connect` and `atomic` are for a connection that is somebody else's."""

    def __init__(
        self,
        engine: Engine,
        *,
        connect: Connect | None = None,
        atomic: Transaction = nullcontext,
        close: Callable[[], None] | None = None,
    ) -> None:
        self._dialect = engine.dialect.name
        self._connect = connect or engine.begin
        self._atomic = atomic
        self.close = close or engine.dispose

    @again_after_deadlock
    def add_user(self, user: User, *, first: bool = False) -> bool:
        """Keep a new user; False when there is one of this name or, with `first`, anybody at all."""
        row = {
            "name": user.name,
            "role": str(user.role),
            "password": user.password,
            "created_at": _text(user.created_at),
        }
        with self._writing() as connection:
            if first and connection.scalar(select(func.count()).select_from(_users)):
                return False
            return connection.execute(insert_new(self._dialect, _users), [row]).rowcount > 0

    @again_after_deadlock
    def change_user(self, user: User) -> None:
        """Replace a user's role and password; raise UsageError when there is none of this name."""
        with self._writing() as connection:
            found = connection.scalar(select(_users.c.name).where(_users.c.name == user.name))
            if found is None:
                raise UsageError(f"there is no user {user.name}")
            values = {"role": str(user.role), "password": user.password}
            connection.execute(update(_users).where(_users.c.name == user.name).values(**values))

    @again_after_deadlock
    def remove_user(self, name: str) -> bool:
        """Forget a user with all sessions and tokens; False when there is none."""
        with self._writing() as connection:
            for table in (_sessions, _tokens):
                connection.execute(delete(table).where(table.c.user == name))
            return connection.execute(delete(_users).where(_users.c.name == name)).rowcount > 0

    def user(self, name: str) -> User | None:
        """Look a user up."""
        rows = self._rows(select(_users).where(_users.c.name == name))
        return _user(rows[0]) if rows else None

    def users(self) -> list[User]:
        """All users, by name."""
        return [_user(row) for row in self._rows(select(_users).order_by(_users.c.name))]

    @again_after_deadlock
    def add_session(self, session: Session) -> None:
        """Keep a session."""
        times = {name: _text(getattr(session, name)) for name in ("created_at", "seen_at", "expires_at")}
        row = {"id": session.id, "user": session.user, "address": session.address, "agent": session.agent, **times}
        with self._writing() as connection:
            connection.execute(insert(_sessions), [row])

    def session(self, id: str) -> Session | None:
        """Look a session up, expired or not."""
        rows = self._rows(select(_sessions).where(_sessions.c.id == id))
        return _session(rows[0]) if rows else None

    @again_after_deadlock
    def see_session(self, id: str, at: datetime, expires_at: datetime) -> None:
        """Note that a session was used, and when it ends."""
        values = {"seen_at": _text(at), "expires_at": _text(expires_at)}
        with self._writing() as connection:
            connection.execute(update(_sessions).where(_sessions.c.id == id).values(**values))

    def sessions(self, user: str) -> list[Session]:
        """The sessions of a user, the latest used first."""
        order = (_sessions.c.seen_at.desc(), _sessions.c.id)
        return [_session(row) for row in self._rows(select(_sessions).where(_sessions.c.user == user).order_by(*order))]

    @again_after_deadlock
    def end_session(self, id: str) -> bool:
        """Forget a session; False when there is none."""
        with self._writing() as connection:
            return connection.execute(delete(_sessions).where(_sessions.c.id == id)).rowcount > 0

    @again_after_deadlock
    def end_sessions(self, user: str, *, keep: str = "") -> int:
        """Forget all sessions of a user except one; answer how many there were."""
        with self._writing() as connection:
            theirs = delete(_sessions).where(_sessions.c.user == user, _sessions.c.id != keep)
            return connection.execute(theirs).rowcount

    @again_after_deadlock
    def add_token(self, token: Token) -> None:
        """Keep a token; raise UsageError when its user has one of its name."""
        row = {
            "user": token.user,
            "name": token.name,
            "id": token.id,
            "scope": str(token.scope),
            "created_at": _text(token.created_at),
            "used_at": _text(token.used_at),
            "expires_at": _text(token.expires_at),
        }
        with self._writing() as connection:
            if not connection.execute(insert_new(self._dialect, _tokens), [row]).rowcount:
                raise UsageError(f"{token.user} has a token {token.name} already; choose another name")

    def token(self, id: str) -> Token | None:
        """Look a token up, expired or not."""
        rows = self._rows(select(_tokens).where(_tokens.c.id == id))
        return _token(rows[0]) if rows else None

    @again_after_deadlock
    def use_token(self, id: str, at: datetime) -> None:
        """Note that a token was used."""
        with self._writing() as connection:
            connection.execute(update(_tokens).where(_tokens.c.id == id).values(used_at=_text(at)))

    def tokens(self, user: str | None = None) -> list[Token]:
        """The tokens of a user, or all, by user and name."""
        query = select(_tokens).order_by(_tokens.c.user, _tokens.c.name)
        return [_token(row) for row in self._rows(query if user is None else query.where(_tokens.c.user == user))]

    @again_after_deadlock
    def remove_token(self, user: str, name: str) -> bool:
        """Forget a token; False when there is none."""
        with self._writing() as connection:
            one = delete(_tokens).where(_tokens.c.user == user, _tokens.c.name == name)
            return connection.execute(one).rowcount > 0

    def failures(self, keys: Sequence[str]) -> Mapping[str, Failures]:
        """Failed logins of these accounts and addresses; one that has none is left out."""
        rows = self._rows(select(_failures).where(_failures.c.who.in_(list(keys))))
        return {row["who"]: Failures(row["count"], _time(row["last_at"])) for row in rows}

    @again_after_deadlock
    def fail(self, keys: Sequence[str], at: datetime) -> None:
        """Count a failed login for each of these accounts and addresses."""
        with self._writing() as connection:
            for key in keys:
                connection.execute(
                    insert_new(self._dialect, _failures), [{"who": key, "count": 0, "last_at": _text(at)}]
                )
                more = {"count": _failures.c["count"] + 1, "last_at": _text(at)}
                connection.execute(update(_failures).where(_failures.c.who == key).values(**more))

    @again_after_deadlock
    def forgive(self, keys: Sequence[str]) -> None:
        """Forget the failed logins of these accounts and addresses."""
        with self._writing() as connection:
            connection.execute(delete(_failures).where(_failures.c.who.in_(list(keys))))

    @again_after_deadlock
    def note(self, event: Event) -> None:
        """Add to the audit log."""
        row = {
            "at": _text(event.at),
            "id": uuid4().hex,
            "user": event.user,
            "action": event.action,
            "target": event.target,
            "address": event.address,
        }
        with self._writing() as connection:
            connection.execute(insert(_events), [row])

    def events(self, *, limit: int = 100, before: datetime | None = None) -> list[Event]:
        """The audit log, newest first; with `before`, what is older than that."""
        query = select(_events).order_by(_events.c.at.desc(), _events.c.id).limit(limit)
        rows = self._rows(query if before is None else query.where(_events.c.at < _text(before)))
        return [Event(_time(row["at"]), row["user"], row["action"], row["target"], row["address"]) for row in rows]

    @again_after_deadlock
    def forget_before(self, at: datetime) -> None:
        """Forget sessions that ended before a time, failed logins and the audit log from before it."""
        with self._writing() as connection:
            for table, column in ((_sessions, "expires_at"), (_failures, "last_at"), (_events, "at")):
                connection.execute(delete(table).where(table.c[column] < _text(at)))

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with foreign_errors(COMPONENT), self._atomic(), self._connect() as connection:
            yield connection

    def _rows(self, query: Select[Any]) -> list[dict[str, Any]]:
        with foreign_errors(COMPONENT), self._connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


def _text(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _user(row: Mapping[str, Any]) -> User:
    return User(row["name"], Role(row["role"]), row["password"], _time(row["created_at"]))


def _session(row: Mapping[str, Any]) -> Session:
    times = {name: _time(row[name]) for name in ("created_at", "seen_at", "expires_at")}
    return Session(id=row["id"], user=row["user"], address=row["address"], agent=row["agent"], **times)


def _token(row: Mapping[str, Any]) -> Token:
    times = {name: _time(row[name]) if row[name] else None for name in ("used_at", "expires_at")}
    scope, created = Scope(row["scope"]), _time(row["created_at"])
    return Token(id=row["id"], user=row["user"], name=row["name"], scope=scope, created_at=created, **times)
