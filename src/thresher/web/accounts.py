"""Who is there: passwords, sessions, tokens, and how often one may be wrong.

No password, session or token is stored: only hashes. A login takes the same work whether the account exists or not. A
session is made anew at each login, so that nobody can hand one to somebody else before it.
"""

import asyncio
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from thresher.catalog.accounts import Event, Role, Scope, Session, Token, User
from thresher.errors import UsageError
from thresher.web.corpora import Corpora
from thresher.web.problems import Refused

SESSION = timedelta(days=14)  # without a visit, after which one has to log in again
LONGEST_SESSION = timedelta(days=90)
SEEN_AGAIN = timedelta(minutes=10)  # a session's last visit is written no more often
KEPT_EVENTS = timedelta(days=400)
MIN_PASSWORD = 10  # characters
MAX_PASSWORD = 1_000  # more is work for us and no more safety
HASH_MEMORY_KIB = 32_768
HASHING_AT_ONCE = 2
FREE_FAILURES = 5  # logins that may fail without a wait
LONGEST_WAIT_S = 900
FAILURES_LAST = timedelta(hours=6)
TOKEN_MARK = "thr_"  # so that scanners of published code can know one
NAME = re.compile(r"[^\s/:<>\"'&\\]{1,64}")
ROLE_OF_SCOPE = {
    Scope.READ: Role.VIEWER,
    Scope.WORKER: Role.VIEWER,
    Scope.WRITE: Role.ANALYST,
    Scope.ADMIN: Role.ADMIN,
}


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sends a request."""

    name: str
    role: Role  # of the token, where that is less than the user's
    session: str = ""  # its id
    token: str = ""  # its name
    scope: Scope | None = None  # None: a browser

    def may(self, role: Role) -> bool:
        """Say whether this visitor may do what a role may."""
        return self.role.includes(role) and self.scope is not Scope.WORKER

    @property
    def may_work(self) -> bool:
        """Say whether this visitor may start and stop workers."""
        return self.scope is Scope.WORKER or self.role is Role.ADMIN


def hashed(secret: str) -> str:
    """Return what is stored of a session or a token; they are random, so a fast hash is safe."""
    return hashlib.sha256(secret.encode()).hexdigest()


def csrf_of(secret: str) -> str:
    """Return what forms of a session carry, so that no other site can send one."""
    return hmac.new(secret.encode(), b"thresher form", hashlib.sha256).hexdigest()


def check_name(name: str) -> str:
    """Return a user's or token's name; raise UsageError for one that would be trouble in an address or a log."""
    if not NAME.fullmatch(name) or not name.isprintable():
        raise UsageError("a name has 1 to 64 characters, and no blanks, quotes, slashes, colons or angle brackets")
    return name


def check_password(password: str, name: str = "") -> str:
    """Return a new password; raise UsageError for one that is too easily guessed."""
    if len(password) < MIN_PASSWORD:
        raise UsageError(f"a password has at least {MIN_PASSWORD} characters")
    if len(password) > MAX_PASSWORD:
        raise UsageError(f"a password has at most {MAX_PASSWORD:,} characters")
    if password.lower() == name.lower() or len(set(password)) < 4:
        raise UsageError("this password would be guessed; take several words, for instance")
    return password


def make_hasher(passes: int = 3) -> PasswordHasher:
    """Return what hashes passwords; the number of passes is what a guess costs."""
    return PasswordHasher(time_cost=passes, memory_cost=HASH_MEMORY_KIB if passes > 1 else 64, parallelism=1)


def _now() -> datetime:
    return datetime.now(UTC)


class Gate:
    """Lets people and programs in."""

    def __init__(self, corpora: Corpora, *, passes: int = 3, clock: Callable[[], datetime] = _now) -> None:
        self._corpora = corpora
        self._hasher = make_hasher(passes)
        self._nobody = self._hasher.hash(secrets.token_urlsafe())
        self._hashing = asyncio.Semaphore(HASHING_AT_ONCE)
        self._clock = clock
        self._someone = False
        self._admitted: dict[str, Visitor] = {}  # by the hash of tokens that end with this process

    async def has_users(self) -> bool:
        """Say whether there is an account yet."""
        self._someone = self._someone or bool(await self._corpora.accounts(lambda accounts: accounts.users()))
        return self._someone

    async def create(self, name: str, password: str, role: Role, *, first: bool = False) -> User:
        """Make an account; raise UsageError for a bad name or password, Refused when it cannot be made."""
        check_name(name)
        user = User(name, role, await self._hash(check_password(password, name)), self._clock())
        if not await self._corpora.accounts(lambda accounts: accounts.add_user(user, first=first)):
            raise Refused(409, "there is an account already" if first else f"there is a user {name} already")
        return user

    async def set_password(self, name: str, password: str, *, keep: str = "") -> None:
        """Change a password and end the user's other sessions; raise UsageError for a bad one."""
        user = await self._user(name)
        await self._change(replace(user, password=await self._hash(check_password(password, name))))
        await self._corpora.accounts(lambda accounts: accounts.end_sessions(name, keep=keep))

    async def set_role(self, name: str, role: Role) -> None:
        """Change a role; raise Refused when nobody would be left to administrate."""
        user = await self._user(name)
        if role is not Role.ADMIN:
            await self._leave_an_admin(user)
        await self._change(replace(user, role=role))

    async def remove(self, name: str) -> None:
        """Remove an account with its sessions and tokens; raise Refused when nobody would be left to administrate."""
        await self._leave_an_admin(await self._user(name))
        await self._corpora.accounts(lambda accounts: accounts.remove_user(name))

    async def login(self, name: str, password: str, *, address: str, agent: str = "") -> str:
        """Check a password and open a session; return its secret. Raise Refused: 401 for a wrong one, 429 to wait."""
        who = [f"user-{hashed(name)[:40]}", f"from-{hashed(address)[:40]}"]
        async with self._hashing:
            await self._check_throttle(who)
            user = await self._corpora.accounts(lambda accounts: accounts.user(name))
            right = await asyncio.to_thread(self._verify, user, password[: MAX_PASSWORD + 1])
            if user is None or not right:
                await self._corpora.accounts(lambda accounts: accounts.fail(who, self._clock()))
                await self.note(name[:64], "login.failed", address=address)
                raise Refused(401, "this name and password do not go together")
        await self._corpora.accounts(lambda accounts: accounts.forgive(who[:1]))
        await self._corpora.accounts(lambda accounts: accounts.forget_before(self._clock() - KEPT_EVENTS))
        await self.note(name, "login", address=address)
        return await self._open_session(name, address, agent)

    async def check(self, name: str, password: str, *, address: str) -> bool:
        """Say whether a password is right, for what needs it once more; raise Refused when one has to wait."""
        try:
            secret = await self.login(name, password, address=address)
        except Refused as error:
            if error.status != 401:
                raise
            return False
        await self.logout(hashed(secret))
        return True

    async def logout(self, session: str) -> bool:
        """End a session, given its id; False when there is none."""
        return await self._corpora.accounts(lambda accounts: accounts.end_session(session))

    async def of_session(self, secret: str) -> Visitor | None:
        """Return who has a session; None when it has ended."""
        now = self._clock()
        session = await self._corpora.accounts(lambda accounts: accounts.session(hashed(secret)))
        if session is None or session.expires_at <= now:
            return None
        user = await self._corpora.accounts(lambda accounts: accounts.user(session.user))
        if user is None:
            return None
        if now - session.seen_at > SEEN_AGAIN:
            until = min(now + SESSION, session.created_at + LONGEST_SESSION)
            await self._corpora.accounts(lambda accounts: accounts.see_session(session.id, now, until))
        return Visitor(user.name, user.role, session=session.id)

    def admit(self, visitor: Visitor) -> str:
        """Return a token for somebody of this process itself; it is kept in memory alone."""
        secret = TOKEN_MARK + secrets.token_urlsafe(32)
        self._admitted[hashed(secret)] = visitor
        return secret

    async def of_token(self, secret: str) -> Visitor | None:
        """Return who has a token, with the role that it gives; None when there is no such token, or no more."""
        if admitted := self._admitted.get(hashed(secret)):
            return admitted
        now = self._clock()
        token = await self._corpora.accounts(lambda accounts: accounts.token(hashed(secret)))
        if token is None or (token.expires_at and token.expires_at <= now):
            return None
        user = await self._corpora.accounts(lambda accounts: accounts.user(token.user))
        if user is None:
            return None
        if token.used_at is None or now - token.used_at > SEEN_AGAIN:
            await self._corpora.accounts(lambda accounts: accounts.use_token(token.id, now))
        role = ROLE_OF_SCOPE[token.scope]
        role = role if user.role.includes(role) else user.role
        return Visitor(user.name, role, token=token.name, scope=token.scope)

    async def make_token(self, user: str, name: str, scope: Scope, *, days: int | None = None) -> str:
        """Make a token and return its secret, which is never shown again; raise UsageError where it cannot be made."""
        owner = await self._user(user)
        if scope in (Scope.ADMIN, Scope.WORKER) and owner.role is not Role.ADMIN:
            raise UsageError(f"{user} is not an admin: a token cannot do more than its user")
        secret, now = TOKEN_MARK + secrets.token_urlsafe(32), self._clock()
        until = now + timedelta(days=days) if days else None
        token = Token(hashed(secret), user, check_name(name), scope, now, expires_at=until)
        await self._corpora.accounts(lambda accounts: accounts.add_token(token))
        return secret

    async def note(self, user: str, action: str, target: str = "", *, address: str = "") -> None:
        """Add to the audit log; never with a secret."""
        await self._corpora.accounts(
            lambda accounts: accounts.note(Event(self._clock(), user, action, target, address))
        )

    async def _open_session(self, name: str, address: str, agent: str) -> str:
        secret, now = secrets.token_urlsafe(32), self._clock()
        session = Session(hashed(secret), name, now, now, now + SESSION, address, agent[:200])
        await self._corpora.accounts(lambda accounts: accounts.add_session(session))
        return secret

    async def _check_throttle(self, who: list[str]) -> None:
        now, wait_s = self._clock(), 0.0
        found = await self._corpora.accounts(lambda accounts: accounts.failures(who))
        stale = [key for key, failures in found.items() if now - failures.last_at > FAILURES_LAST]
        if stale:
            await self._corpora.accounts(lambda accounts: accounts.forgive(stale))
        for key, failures in found.items():
            if key not in stale and failures.count >= FREE_FAILURES:
                pause_s = min(2.0 ** min(failures.count - FREE_FAILURES, 20), LONGEST_WAIT_S)
                wait_s = max(wait_s, pause_s - (now - failures.last_at).total_seconds())
        if wait_s > 0:
            seconds = int(wait_s) + 1
            words = f"too many failed logins; try again in {seconds} s"
            raise Refused(429, words, headers={"retry-after": str(seconds)})

    def _verify(self, user: User | None, password: str) -> bool:
        try:
            return self._hasher.verify(user.password if user else self._nobody, password) and user is not None
        except (VerificationError, InvalidHashError):
            return False

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _user(self, name: str) -> User:
        user = await self._corpora.accounts(lambda accounts: accounts.user(name))
        if user is None:
            raise Refused(404, f"there is no user {name}")
        return user

    async def _change(self, user: User) -> None:
        await self._corpora.accounts(lambda accounts: accounts.change_user(user))

    async def _leave_an_admin(self, leaving: User) -> None:
        others = [
            user
            for user in await self._corpora.accounts(lambda accounts: accounts.users())
            if user.name != leaving.name
        ]
        if leaving.role is Role.ADMIN and not any(user.role is Role.ADMIN for user in others):
            raise Refused(409, f"{leaving.name} is the only admin; make somebody else one first")
