"""Credentials: headers, logins and cookies for requests, each with the hosts it is for; no other host ever gets it."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from thresher import urls
from thresher.errors import UsageError

HTTP_ONLY = "#HttpOnly_"  # how cookies.txt marks a cookie that scripts must not see
HIDDEN = "***"
# What the fetcher itself says: of the connection, of the content, and who we are (robots.txt is read for that name).
OURS = frozenset(
    {"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}
    | {"Accept-Encoding", "Proxy-Authorization", "Proxy-Connection", "User-Agent"}
)
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]*")
_SECONDS = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]*)?")  # some browsers write fractions
_SCOPED = re.compile(r"(\S+)\s+(\S.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may be told: one host and port over one scheme, or a host with all below it."""

    scheme: str
    host: str  # without port
    port: int
    subdomains: bool = False

    def admits(self, url: str) -> bool:
        """Say whether a canonical URL lies there; what may be said over http may also be said over https."""
        scheme, host, port = _place(url)
        same_host = host == self.host or (self.subdomains and host.endswith(f".{self.host}"))
        safer = (self.scheme, scheme) == ("http", "https") and (self.port, port) == (80, 443)
        return same_host and (safer or (self.scheme, self.port) == (scheme, port))


@dataclass(frozen=True, slots=True)
class Grant:
    """One header for one audience."""

    audience: Audience
    name: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cookie:
    """One line of a cookies.txt."""

    domain: str
    subdomains: bool
    path: str
    secure: bool
    expires: int  # seconds since 1970; 0: when the session ends
    name: str
    value: str = field(repr=False)

    def is_for(self, url: str, now: datetime) -> bool:
        """Say whether a request for a canonical URL carries it."""
        scheme, host, _ = _place(url)
        path = urlsplit(url).path
        same_host = host == self.domain or (self.subdomains and host.endswith(f".{self.domain}"))
        below = path == self.path or path.startswith(self.path.removesuffix("/") + "/")
        fresh = not self.expires or now.timestamp() < self.expires
        return same_host and below and fresh and (scheme == "https" or not self.secure)


@dataclass(frozen=True, slots=True)
class Credentials:
    """Everything that requests may carry beyond what all of them do."""

    grants: tuple[Grant, ...] = ()
    cookies: tuple[Cookie, ...] = ()

    def headers_for(self, url: str, now: datetime) -> dict[str, str]:
        """Return the headers that a request for this canonical URL carries; of two with one name, the last."""
        headers = {grant.name: grant.value for grant in self.grants if grant.audience.admits(url)}
        pairs = [f"{cookie.name}={cookie.value}" for cookie in self.cookies if cookie.is_for(url, now)]
        if pairs:
            headers["Cookie"] = "; ".join(filter(None, [headers.get("Cookie"), *pairs]))
        return headers


def read_credentials(headers: Sequence[str] = (), logins: Sequence[str] = (), cookies: str = "") -> Credentials:
    """Read "HOST Name: value" lines, "HOST USER:PASSWORD" lines and a cookies.txt.

    Raise UsageError for what makes no sense; the message tells no secret.
    """
    grants = (*map(_login, logins), *map(_header, headers))
    return Credentials(grants, tuple(_cookies(cookies)))


def read_audience(text: str) -> Audience:
    """Read [http://|https://][*.]HOST[:PORT]; https where no scheme is named. Raise UsageError."""
    scheme, mark, rest = text.rpartition("://")
    subdomains = rest.startswith("*.")
    place = rest.removeprefix("*.").removesuffix("/")
    url = urls.canonical(f"{scheme if mark else 'https'}://{place}/")
    if urls.origin_of(url) + "/" != url:
        raise UsageError(f"{urls.shown(text)} is not of the form [http://][*.]HOST[:PORT]")
    scheme, host, port = _place(url)
    if subdomains and _is_public_suffix(host):
        raise UsageError(f"unrelated sites share {host}; name one of them")
    return Audience(scheme, host, port, subdomains)


def masked_header(line: str) -> str:
    """Return a line of the headers setting without its value."""
    found = _SCOPED.fullmatch(line)
    name, colon, _ = found[2].partition(":") if found else ("", "", "")
    return f"{found[1]} {name}: {HIDDEN}" if found and colon else HIDDEN


def masked_login(line: str) -> str:
    """Return a line of the logins setting without its password."""
    found = _SCOPED.fullmatch(line)
    user = found[2].partition(":")[0] if found else ""
    return f"{found[1]} {user}:{HIDDEN}" if found and user else HIDDEN


def _header(line: str) -> Grant:
    place, text = _scoped(line, "HOST Name: value")
    name, colon, value = text.partition(":")
    name, value = name.strip().title(), value.strip()
    if not colon or not _NAME.fullmatch(name):
        raise UsageError(f"a header for {place} is not of the form Name: value")
    if name in OURS:
        raise UsageError(f"the header {name} is written by Thresher itself")
    if value == HIDDEN:
        raise UsageError(f"the value of the header {name} for {place} is masked; put in the real one")
    if not _VALUE.fullmatch(value):
        raise UsageError(f"the value of the header {name} for {place} contains characters not allowed in headers")
    return Grant(read_audience(place), name, value)


def _login(line: str) -> Grant:
    place, text = _scoped(line, "HOST USER:PASSWORD")
    if ":" not in text:
        raise UsageError(f"the login for {place} is not of the form USER:PASSWORD")
    if text.partition(":")[2] == HIDDEN:
        raise UsageError(f"the password for {place} is masked; put in the real one")
    token = base64.b64encode(text.encode()).decode()
    return Grant(read_audience(place), "Authorization", f"Basic {token}")


def _scoped(line: str, form: str) -> tuple[str, str]:
    found = _SCOPED.fullmatch(line.strip())
    if not found:
        raise UsageError(f"a line is not of the form {form}")
    return found[1], found[2]


def _cookies(text: str) -> list[Cookie]:
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        plain = line.removeprefix(HTTP_ONLY)
        if not plain.strip() or (plain.startswith("#") and plain == line):
            continue
        cookie = _cookie(plain.split("\t"))
        if cookie is None:
            raise UsageError(
                f"line {number} is not of cookies.txt: seven fields with tabs between them, the second and fourth "
                "TRUE or FALSE, the fifth a number"
            )
        found.append(cookie)
    return found


def _cookie(fields: list[str]) -> Cookie | None:
    if len(fields) == 6:  # a cookie without a value
        fields = [*fields, ""]
    if len(fields) != 7 or not fields[0] or {fields[1], fields[3]} - {"TRUE", "FALSE"}:
        return None
    domain, below, path, secure, expires, name, value = fields
    if not _SECONDS.fullmatch(expires) or not _VALUE.fullmatch(name + value):
        return None
    host = _place(urls.canonical(f"https://{domain.removeprefix('.')}/"))[1]
    subdomains = below == "TRUE" and not _is_public_suffix(host)
    return Cookie(host, subdomains, path or "/", secure == "TRUE", int(float(expires)), name, value)


def _place(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _is_public_suffix(host: str) -> bool:
    below = f"x.{host}"
    return "." not in host or urls.site_of(f"https://{below}/") == below
