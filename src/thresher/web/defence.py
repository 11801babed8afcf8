"""What stands before every request: the right host, a bounded body, and headers that browsers heed."""

import asyncio
import time
from urllib.parse import urlsplit

from starlette._utils import get_route_path
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException  # the one error that FastAPI lets through while it reads
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.web.problems import problem
from thresher.web.site import Site

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
MAX_BODY = 16_000_000  # bytes of a request; pages to extract and lists to import are the largest
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
KINDS = {"api": "api", "static": "static", "feeds": "feed", **dict.fromkeys(("healthz", "readyz", "version"), "health")}
BODY_S = 120.0  # for the body of a request to arrive
HSTS_S = 31_536_000


class Defence:
    """ASGI middleware that lets through what is for this host and of a bearable size, and adds headers."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site
        about = "Requests, by what was asked for, method and status."
        self._requests = site.metrics.counter("thresher_http_requests_total", about, "kind", "method", "status")
        about = "Seconds from a request to the first byte of its answer."
        self._seconds = site.metrics.histogram("thresher_http_request_seconds", about, "kind")
        self._hosts = {host.lower() for host in site.options.allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        forwarded = self._site.options.trust_proxy and _believe(scope, headers)
        scope["root_path"] = self._site.options.base_path
        scope.setdefault("state", {}).update(site=self._site, forwarded=forwarded, user=None)
        guarded = self._watched(_with_headers(send, secure=scope["scheme"] == "https"), scope)
        if not self._is_ours(headers.get("host", "")):
            refused = problem(421, "this host name is not one of ours; `thresher serve --allow-host NAME` adds it")
            await refused(scope, receive, guarded)
            return
        await self._app(scope, _bounded(receive, MAX_BODY), guarded)

    def _watched(self, send: Send, scope: Scope) -> Send:
        """Count the answer, let its headers tell how long it took."""
        began_s = time.perf_counter()
        kind, method = _kind(get_route_path(scope)), scope["method"] if scope["method"] in METHODS else "other"

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                taken_s = time.perf_counter() - began_s
                MutableHeaders(scope=message)["server-timing"] = f"total;dur={taken_s * 1_000:.1f}"
                self._requests.labels(kind, method, str(message["status"])).inc()
                self._seconds.labels(kind).observe(taken_s)
            await send(message)

        return watched

    def _is_ours(self, host: str) -> bool:
        if not self._hosts:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or f"[{name}]" in self._hosts


def _kind(path: str) -> str:
    """Return what kind of thing a path asks for: few kinds, whatever is asked."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return KINDS.get(first, "page")


def _believe(scope: Scope, headers: dict[str, str]) -> bool:
    """Take client, scheme and host from what a trusted proxy tells; say whether it told anything."""
    client = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
    host = headers.get("x-forwarded-host", "").rpartition(",")[2].strip()
    if client:
        scope["client"] = (client, 0)
    if scheme in ("http", "https"):
        scope["scheme"] = scheme
    if host:
        headers["host"] = host
        others = [(name, value) for name, value in scope["headers"] if name != b"host"]
        scope["headers"] = [*others, (b"host", host.encode("latin-1"))]
    return bool(client or host)


def _with_headers(send: Send, *, secure: bool) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if secure:
                headers.setdefault("strict-transport-security", f"max-age={HSTS_S}")
        await send(message)

    return guarded


def _bounded(receive: Receive, limit: int) -> Receive:
    """Let a body be so large, and take so long; what comes behind it, the end of the connection, may take its time."""
    taken, arrived, until_s = 0, False, time.monotonic() + BODY_S

    async def bounded() -> Message:
        nonlocal taken, arrived
        if arrived:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, until_s - time.monotonic()))
        except TimeoutError:
            raise HTTPException(408, f"a request arrives within {BODY_S:g} s") from None
        taken += len(message.get("body", b""))
        arrived = not message.get("more_body", False)
        if taken > limit:
            raise HTTPException(413, f"a request has at most {limit:,} bytes")
        return message

    return bounded
