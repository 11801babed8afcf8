"""A throw-away web server on loopback whose answers are scripted, byte by byte where need be."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

Behaviour = Callable[[socket.socket], None]
Route = bytes | Behaviour


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """Write a whole HTTP answer; header names come with underscores."""
    named = {"Content-Type": "text/html", "Content-Length": str(len(body))}
    named |= {name.replace("_", "-").title(): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


@dataclass(frozen=True)
class Visit:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    at: float = field(default_factory=time.monotonic)


class Site:
    """Serves routes by path from a thread per connection; what has no route is a 404, or what `otherwise` says."""

    def __init__(
        self,
        routes: Mapping[str, Route],
        address: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
        otherwise: Callable[[str], Route] = lambda _path: answer(b"none", "404 Not Found"),
        port: int = 0,
    ) -> None:
        self.routes = dict(routes)
        self._otherwise = otherwise
        self.visits: list[Visit] = []
        self.connections = 0
        self._tls = tls
        self._listener = socket.create_server((address, port))
        self._stopped = threading.Event()
        self.port = self._listener.getsockname()[1]
        self.origin = f"{'https' if tls else 'http'}://{address}:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self._stopped.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def paths(self) -> list[str]:
        """Every path that was asked for, in order."""
        return [visit.path for visit in self.visits]

    def _accept(self) -> None:
        while not self._stopped.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        try:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection:
                while self._answer_one(connection):
                    pass
        except OSError:
            return

    def _answer_one(self, connection: socket.socket) -> bool:
        """Answer one request; False when the connection is to be closed."""
        head = b""
        while b"\r\n\r\n" not in head:
            received = connection.recv(65536)
            if not received:
                return False
            head += received
        first, *lines = head.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
        path = first.split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.visits.append(Visit(path, headers))
        route = self.routes[path] if path in self.routes else self._otherwise(path)
        if callable(route):
            route(connection)
            return False
        connection.sendall(route)
        return True
