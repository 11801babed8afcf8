"""Who may do what: finds out who sends a request, and refuses what is not theirs or was not meant.

cookie or token ──▶ Visitor ──▶ role of the route? ──▶ unsafe, by cookie: Origin, CSRF token? ──▶ handler
"""

import hmac
import secrets
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from thresher.catalog.accounts import Role
from thresher.web.accounts import SESSION, Visitor, csrf_of
from thresher.web.problems import Refused
from thresher.web.site import site_of

SESSION_COOKIE = "thresher_session"
VISIT_COOKIE = "thresher_visit"  # of who is not logged in: ties the login form to this browser
CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORWARDED = ("x-forwarded-for", "x-forwarded-host", "forwarded", "via", "x-real-ip")
MAX_COOKIE = 200  # characters; ours are shorter


async def identify(request: HTTPConnection) -> Visitor | None:
    """Return who sends a request, and keep it as request.state.user; raise Refused for a token that is not valid."""
    gate, visitor = site_of(request).gate, None
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        visitor = await gate.of_token(secret.strip()[:MAX_COOKIE])
        if visitor is None:
            raise Refused(401, "this token is not valid (any more)", headers={"www-authenticate": "Bearer"})
    elif cookie := request.cookies.get(SESSION_COOKIE):
        visitor = await gate.of_session(cookie[:MAX_COOKIE])
    request.state.user = visitor
    return visitor


def require(visitor: Visitor | None, role: Role) -> Visitor:
    """Return the visitor if they may do what a role may; raise Refused."""
    if visitor is None:
        raise Refused(401, "log in, or send a token: Authorization: Bearer …", headers={"www-authenticate": "Bearer"})
    if not visitor.may(role):
        raise Refused(403, f"this takes the role {role}; yours is {visitor.scope or visitor.role}")
    return visitor


async def check_meant(request: Request) -> None:
    """Refuse a change that a browser sends on behalf of another site; tokens are never sent unasked."""
    if request.method in SAFE_METHODS or "authorization" in request.headers:
        return
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower():
        raise Refused(403, "this form was sent from another site")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refused(403, "this form was sent from another site")
    sent = request.headers.get(CSRF_HEADER) or await _field(request)
    if not sent or not hmac.compare_digest(sent.encode(), csrf(request).encode()):
        raise Refused(403, "this form is out of date; load the page again and repeat what you did")


def csrf(request: HTTPConnection) -> str:
    """Return the token that forms and htmx requests of this browser carry."""
    return csrf_of(request.cookies.get(SESSION_COOKIE) or _visit(request))


def remember_visit(request: HTTPConnection, response: Response) -> None:
    """Tie a browser without a session to the forms that it is shown."""
    if SESSION_COOKIE not in request.cookies and VISIT_COOKIE not in request.cookies:
        set_cookie(request, response, VISIT_COOKIE, _visit(request))


def start_session(request: HTTPConnection, response: Response, secret: str) -> None:
    """Let a browser keep the secret of a session."""
    set_cookie(request, response, SESSION_COOKIE, secret, max_age=int(SESSION.total_seconds()))
    response.delete_cookie(VISIT_COOKIE, path=_cookie_path(request))


def end_session(request: HTTPConnection, response: Response) -> None:
    """Let a browser forget its session."""
    response.delete_cookie(SESSION_COOKIE, path=_cookie_path(request))


def set_cookie(
    request: HTTPConnection, response: Response, name: str, value: str, *, max_age: int | None = None
) -> None:
    """Set a cookie that scripts and other sites do not get."""
    response.set_cookie(
        name,
        value,
        max_age=max_age,
        path=_cookie_path(request),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def address_of(request: HTTPConnection) -> str:
    """Return the address that a request comes from; behind a proxy that is trusted, the one it tells."""
    return request.client.host if request.client else ""


async def noted(request: Request, action: str, target: str = "") -> None:
    """Add what the visitor did, and from where, to the audit log; never with a secret."""
    who: Visitor = request.state.user
    name = f"{who.name} ({who.token})" if who.token else who.name
    await site_of(request).gate.note(name, action, target, address=address_of(request))


def is_local(request: HTTPConnection) -> bool:
    """Say whether a request comes from this machine itself, and by no proxy that would make all look so."""
    if any(name in request.headers for name in FORWARDED) or request.state.forwarded:
        return False
    try:
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        return ip_address(address_of(request)).is_loopback and (host == "localhost" or ip_address(host).is_loopback)
    except ValueError:
        return False


def may_set_up(request: HTTPConnection, token: str = "") -> bool:
    """Say whether who sends a request may make the first account: from this machine, or with the one-time token."""
    wanted = site_of(request).options.setup_token
    return is_local(request) or bool(wanted and hmac.compare_digest(token.encode(), wanted.encode()))


def _visit(request: HTTPConnection) -> str:
    known = request.cookies.get(VISIT_COOKIE) or getattr(request.state, "visit", "")
    if not known:
        known = request.state.visit = secrets.token_urlsafe(24)
    return str(known)


async def _field(request: Request) -> str:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return ""
    value = (await request.form()).get(CSRF_FIELD, "")
    return value if isinstance(value, str) else ""


def _cookie_path(request: HTTPConnection) -> str:
    return site_of(request).options.base_path or "/"
