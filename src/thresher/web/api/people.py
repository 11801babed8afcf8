"""Accounts: users, tokens, sessions and the audit log."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from thresher.catalog.accounts import Accounts, Role, Scope, Token, User
from thresher.errors import UsageError
from thresher.web.access import noted
from thresher.web.api import shapes
from thresher.web.api.guards import Admin, Here, Reader
from thresher.web.problems import Refused
from thresher.web.views import json_response

ROUTER = APIRouter(tags=["accounts"])
SHOWN_ID = 16  # characters of the hash that a session is known by


@ROUTER.get("/me", response_model=dict[str, str | None])
async def me(visitor: Reader) -> Response:
    """Say who the caller is."""
    return json_response({"name": visitor.name, "role": visitor.role, "token": visitor.token, "scope": visitor.scope})


@ROUTER.get("/users", response_model=list[shapes.UserOut])
async def users(site: Here, _visitor: Admin) -> Response:
    """List the accounts."""
    return json_response([_user(user) for user in await site.corpora.accounts(lambda accounts: accounts.users())])


@ROUTER.post("/users", response_model=shapes.UserOut, status_code=201)
async def add_user(request: Request, site: Here, visitor: Admin, wanted: shapes.UserNew) -> Response:
    """Make an account."""
    made = await site.gate.create(wanted.name, wanted.password, Role(wanted.role))
    await noted(request, "user.add", f"{made.name} ({made.role})")
    return json_response(_user(made), 201)


@ROUTER.patch("/users/{name}", response_model=shapes.UserOut)
async def change_user(request: Request, site: Here, visitor: Admin, name: str, wanted: shapes.UserChange) -> Response:
    """Change a role or a password; a new password ends the sessions."""
    if wanted.role is not None:
        await site.gate.set_role(name, Role(wanted.role))
        await noted(request, "user.role", f"{name} ({wanted.role})")
    if wanted.password is not None:
        await site.gate.set_password(name, wanted.password)
        await noted(request, "user.password", name)
    user = await site.corpora.accounts(lambda accounts: accounts.user(name))
    if user is None:
        raise Refused(404, f"there is no user {name}")
    return json_response(_user(user))


@ROUTER.delete("/users/{name}", status_code=204)
async def remove_user(request: Request, site: Here, visitor: Admin, name: str) -> Response:
    """Remove an account with its sessions and tokens."""
    await site.gate.remove(name)
    await noted(request, "user.remove", name)
    return Response(status_code=204)


@ROUTER.get("/tokens", response_model=list[shapes.TokenOut])
async def tokens(site: Here, visitor: Reader, everybody: bool = False) -> Response:
    """List one's own tokens, or everybody's for an admin."""
    if everybody and not visitor.may(Role.ADMIN):
        raise Refused(403, "only an admin sees the tokens of others")
    whose = None if everybody else visitor.name
    return json_response([_token(token) for token in await site.corpora.accounts(lambda a: a.tokens(whose))])


@ROUTER.post("/tokens", response_model=shapes.TokenMade, status_code=201)
async def make_token(request: Request, site: Here, visitor: Reader, wanted: shapes.TokenNew) -> Response:
    """Make a token for oneself; a token cannot make one that may do more than itself."""
    scope = Scope(wanted.scope)
    if visitor.scope is not None and visitor.scope is not Scope.ADMIN:
        raise Refused(403, "a token makes tokens only when its own scope is admin")
    if scope is Scope.WRITE and not visitor.may(Role.ANALYST):
        raise UsageError("a viewer's token can only read")
    secret = await site.gate.make_token(visitor.name, wanted.name, scope, days=wanted.days)
    await noted(request, "token.make", f"{wanted.name} ({scope})")
    return json_response({"name": wanted.name, "scope": scope, "token": secret}, 201, {"cache-control": "no-store"})


@ROUTER.delete("/tokens/{name}", status_code=204)
async def remove_token(request: Request, site: Here, visitor: Reader, name: str, user: str | None = None) -> Response:
    """End one of one's own tokens, or somebody else's for an admin."""
    owner = user or visitor.name
    if owner != visitor.name and not visitor.may(Role.ADMIN):
        raise Refused(403, "only an admin ends the tokens of others")
    if not await site.corpora.accounts(lambda accounts: accounts.remove_token(owner, name)):
        raise Refused(404, f"{owner} has no token {name}")
    await noted(request, "token.end", f"{owner}/{name}")
    return Response(status_code=204)


@ROUTER.get("/sessions", response_model=list[dict[str, str | bool]])
async def sessions(site: Here, visitor: Reader) -> Response:
    """List one's own sessions, the latest used first."""
    found = await site.corpora.accounts(lambda accounts: accounts.sessions(visitor.name))
    rows = [
        {
            "id": each.id[:SHOWN_ID],
            "created_at": each.created_at,
            "seen_at": each.seen_at,
            "expires_at": each.expires_at,
        }
        | {"address": each.address, "agent": each.agent, "current": each.id == visitor.session}
        for each in found
    ]
    return json_response(rows)


@ROUTER.delete("/sessions/{id}", status_code=204)
async def end_session(request: Request, site: Here, visitor: Reader, id: str) -> Response:
    """End one of one's own sessions."""

    def end(accounts: Accounts) -> bool:
        known = [session.id for session in accounts.sessions(visitor.name) if session.id[:SHOWN_ID] == id]
        return sum(accounts.end_session(session) for session in known) > 0

    if not await site.corpora.accounts(end):
        raise Refused(404, "there is no such session")
    await noted(request, "session.end", id)
    return Response(status_code=204)


@ROUTER.get("/audit", response_model=list[dict[str, str]])
async def audit(
    site: Here, _visitor: Admin, limit: Annotated[int, Query(ge=1, le=1_000)] = 100, before: datetime | None = None
) -> Response:
    """Return who did what, newest first."""
    return json_response(await site.corpora.accounts(lambda accounts: accounts.events(limit=limit, before=before)))


def _user(user: User) -> dict[str, object]:
    return {"name": user.name, "role": user.role, "created_at": user.created_at}


def _token(token: Token) -> dict[str, object]:
    return {
        "name": token.name,
        "user": token.user,
        "scope": token.scope,
        "created_at": token.created_at,
        "used_at": token.used_at,
        "expires_at": token.expires_at,
    }
