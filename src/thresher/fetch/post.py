"""Post a small body to an address that somebody gave us: only to public addresses, like everything that we ask for.

What is called is the address that was checked, not the name once more; redirects are not followed; the answer is read
as far as a log needs it. Standard library alone: notices are sent where no crawl runs.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from thresher.errors import NotPermitted, Unreachable, UsageError
from thresher.fetch.guard import Guard, port_of

TIMEOUT_S = 15.0  # of the whole exchange
MAX_ANSWER = 2_000  # bytes that are read of it
LookUp = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    text: str  # how its body begins
    retry_after: str = ""

    @property
    def ok(self) -> bool:
        """Say whether it was accepted."""
        return 200 <= self.status < 300


def looked_up(host: str) -> list[str]:
    """Return the addresses of a host, best first; none when it cannot be resolved."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


class Poster:
    """Posts to addresses that the guard admits."""

    def __init__(self, guard: Guard, *, user_agent: str, look_up: LookUp = looked_up, strict: bool = False) -> None:
        """A host with a refused address is called at its others; not at all when we are `strict`."""
        self._guard = guard
        self._user_agent = user_agent
        self._look_up = look_up
        self._strict = strict

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send a body; raise NotPermitted for an address that is refused, Unreachable where nobody answers in time."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", port_of(url)
        except ValueError as error:
            raise UsageError(f"{url!r} is not a URL: {error}") from None
        if parts.scheme not in ("http", "https") or not host or not port:
            raise NotPermitted(f"{url!r} is not an http(s) URL")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
        try:
            connection.sock = self._connected(host, port, secure=parts.scheme == "https")
            return self._exchange(connection, path, body, {"User-Agent": self._user_agent, **headers})
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unreachable(f"no answer from {parts.netloc}: {error or type(error).__name__}") from error
        finally:
            connection.close()

    def _exchange(
        self, connection: http.client.HTTPConnection, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        """Send and read, and be done in time, however slowly the other side drips."""
        hurry = threading.Timer(TIMEOUT_S, _hang_up, (connection.sock,))
        hurry.daemon = True
        hurry.start()
        try:
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            text = answer.read(MAX_ANSWER).decode("utf-8", "replace")
            return Answer(answer.status, text, answer.headers.get("retry-after", ""))
        finally:
            hurry.cancel()

    def _connected(self, host: str, port: int, *, secure: bool) -> socket.socket:
        found = list(self._look_up(host))
        if not found:
            raise Unreachable(f"{host} cannot be resolved")
        admitted = [address for address in found if self._guard.admits(address)]
        if not admitted or (self._strict and len(admitted) < len(found)):
            raise NotPermitted(f"{host} has the address {found[0]}, which is not public; see allowed_addresses")
        failure: OSError | None = None
        for address in admitted:
            try:
                plain = socket.create_connection((address, port), TIMEOUT_S)
            except OSError as error:
                failure = error
                continue
            return ssl.create_default_context().wrap_socket(plain, server_hostname=host) if secure else plain
        raise failure or OSError("no address")


def _hang_up(connection: socket.socket | None) -> None:
    if connection:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
