"""What an accounts book promises: users, their sessions and tokens, failed logins, and who did what.

It holds no secret in the clear: passwords come hashed, sessions and tokens are known by the hash of theirs. Every call
is atomic and comes from one thread at a time. Times are aware and passed in. What it raises is a BackendError, or a
UsageError for something that is there already, or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class Role(StrEnum):
    """What a user may do; each role may do what those before it may."""

    VIEWER = "viewer"  # reads
    ANALYST = "analyst"  # also changes sources, crawls, saved searches
    ADMIN = "admin"  # also changes users, workers and settings

    def includes(self, other: "Role") -> bool:
        """Say whether this role may do what the other one may."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)


class Scope(StrEnum):
    """What a token may be used for, at most: never for more than its user may do."""

    READ = "read"
    WRITE = "write"
    WORKER = "worker"  # workers alone: list, start, stop them
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may log in."""

    name: str
    role: Role
    password: str  # its hash, in the form that says how it was made
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """One login of a user, in one browser."""

    id: str  # the hash of what the browser sends
    user: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    address: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """What a program sends in place of a password."""

    id: str  # the hash of what the program sends
    user: str
    name: str
    scope: Scope
    created_at: datetime
    used_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that somebody did, for the audit log."""

    at: datetime
    user: str
    action: str  # e.g. "login", "source.pause"
    target: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Failures:
    """Failed logins in a row, of an account or an address."""

    count: int
    last_at: datetime


class Accounts(Protocol):
    """Keeps users, sessions, tokens, failed logins and the audit log."""

    def add_user(self, user: User, *, first: bool = False) -> bool:
        """Keep a new user; False when there is one of this name or, with `first`, anybody at all."""

    def change_user(self, user: User) -> None:
        """Replace a user's role and password; raise UsageError when there is none of this name."""

    def remove_user(self, name: str) -> bool:
        """Forget a user with all sessions and tokens; False when there is none."""

    def user(self, name: str) -> User | None:
        """Look a user up."""

    def users(self) -> list[User]:
        """All users, by name."""

    def add_session(self, session: Session) -> None:
        """Keep a session."""

    def session(self, id: str) -> Session | None:
        """Look a session up, expired or not."""

    def see_session(self, id: str, at: datetime, expires_at: datetime) -> None:
        """Note that a session was used, and when it ends."""

    def sessions(self, user: str) -> list[Session]:
        """The sessions of a user, the latest used first."""

    def end_session(self, id: str) -> bool:
        """Forget a session; False when there is none."""

    def end_sessions(self, user: str, *, keep: str = "") -> int:
        """Forget all sessions of a user except one; answer how many there were."""

    def add_token(self, token: Token) -> None:
        """Keep a token; raise UsageError when its user has one of its name."""

    def token(self, id: str) -> Token | None:
        """Look a token up, expired or not."""

    def use_token(self, id: str, at: datetime) -> None:
        """Note that a token was used."""

    def tokens(self, user: str | None = None) -> list[Token]:
        """The tokens of a user, or all, by user and name."""

    def remove_token(self, user: str, name: str) -> bool:
        """Forget a token; False when there is none."""

    def failures(self, keys: Sequence[str]) -> Mapping[str, Failures]:
        """Failed logins of these accounts and addresses; one that has none is left out."""

    def fail(self, keys: Sequence[str], at: datetime) -> None:
        """Count a failed login for each of these accounts and addresses."""

    def forgive(self, keys: Sequence[str]) -> None:
        """Forget the failed logins of these accounts and addresses."""

    def note(self, event: Event) -> None:
        """Add to the audit log."""

    def events(self, *, limit: int = 100, before: datetime | None = None) -> list[Event]:
        """The audit log, newest first; with `before`, what is older than that."""

    def forget_before(self, at: datetime) -> None:
        """Forget sessions that ended before a time, failed logins and the audit log from before it."""

    def close(self) -> None:
        """Let go of the database."""
