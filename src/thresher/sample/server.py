"""The server of the sample web: Twisted answers what the web says, fast, and keeps a log of who asked what."""

import json
import os
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from twisted.internet import task
from twisted.web.http import CACHED
from twisted.web.server import NOT_DONE_YET, Site

from thresher.sample.folder import FolderSite
from thresher.sample.plan import Origins
from thresher.sample.shelf import Parcel, Shelf
from thresher.sample.web import SampleWeb

_LOG_SIZE = 200_000
_BACKLOG = 512
_WATCH_S = 0.5


class Desk:
    """What the sites of one server share: ready answers, the log, and what was asked for before."""

    def __init__(self, content: SampleWeb | FolderSite, origins: Sequence[str]) -> None:
        self._content = content
        self.shelf = Shelf(content.answer)
        self.origins = origins
        self.log: deque[tuple[float, int, str, int, str]] = deque(maxlen=_LOG_SIZE)
        self.asked: set[str] = set()

    def grow(self, change: dict[str, Any]) -> None:
        """Let a sample web have more posts, and others edited."""
        if isinstance(self._content, SampleWeb):
            edited = [(thread, position) for thread, position in change["edited"]]
            self._content = self._content.grown(dict(change["added"]), edited)
            self.shelf = Shelf(self._content.answer)


class Front:
    """One site, as Twisted's resource: every path is answered here."""

    def __init__(self, desk: Desk, site: int, clock: Any) -> None:
        self.isLeaf = True
        self._desk = desk
        self._site = site
        self._clock = clock

    def render(self, request: Any) -> bytes | int:
        """Answer a request; NOT_DONE_YET while a slow page waits."""
        target = request.uri.decode("latin-1")
        if target.startswith("/__posts__"):
            self._desk.grow(json.load(request.content))
            return b""
        if target.startswith("/__log__"):
            return self._control(request)
        parcel = self._parcel(self._desk.origins[self._site] + target)
        if parcel.delay_s:
            call = self._clock.callLater(parcel.delay_s, self._late, request, parcel)
            request.notifyFinish().addErrback(lambda _: call.active() and call.cancel())
            return NOT_DONE_YET
        return self._send(request, parcel)

    def _parcel(self, url: str) -> Parcel:
        parcel = self._desk.shelf.take(url)
        if parcel.at_first is None or url in self._desk.asked:
            return parcel
        self._desk.asked.add(url)
        return parcel.at_first

    def _late(self, request: Any, parcel: Parcel) -> None:
        body = self._send(request, parcel)
        request.setHeader(b"content-length", str(len(body)).encode())
        request.write(body)
        request.finish()

    def _send(self, request: Any, parcel: Parcel) -> bytes:
        """Set status and headers, log the request, and return the body."""
        request.setResponseCode(parcel.status)
        for name, value in parcel.headers:
            request.setHeader(name, value)
        known = request.setETag(parcel.etag) if parcel.etag else None
        if parcel.modified_s is not None and not request.getHeader(b"if-none-match"):
            known = request.setLastModified(parcel.modified_s) or known
        body = b"" if known is CACHED else self._encoded(request, parcel)
        agent = request.getHeader(b"user-agent") or b""
        row = (time.monotonic(), self._site, request.uri.decode("latin-1"), request.code, agent.decode("latin-1"))
        self._desk.log.append(row)
        return body

    def _encoded(self, request: Any, parcel: Parcel) -> bytes:
        accepted = request.getHeader(b"accept-encoding") or b""
        if parcel.gzipped is None or b"gzip" not in accepted:
            return parcel.body
        request.setHeader(b"content-encoding", b"gzip")
        return parcel.gzipped

    def _control(self, request: Any) -> bytes:
        """Return the log, or empty it."""
        if request.method == b"DELETE":
            self._desk.log.clear()
            self._desk.asked.clear()
        request.setHeader(b"content-type", b"application/json")
        return json.dumps(list(self._desk.log)).encode()


def _listening(host: str, ports: Sequence[int]) -> list[socket.socket]:
    return [socket.create_server((host, port), backlog=_BACKLOG) for port in ports]


def _run(sockets: Sequence[socket.socket], desk: Desk, parent: int | None = None) -> None:
    # Importing the reactor installs one for the whole process: only a process that serves may do so.
    from twisted.internet import reactor

    loop: Any = reactor
    for site, each in enumerate(sockets):
        each.setblocking(False)
        loop.adoptStreamPort(each.fileno(), each.family, _factory(Front(desk, site, loop)))
    if parent is not None:
        task.LoopingCall(lambda: None if os.getppid() == parent else loop.stop()).start(_WATCH_S)
    loop.run()


def _factory(front: Front) -> Any:
    make: Any = Site  # untyped in Twisted
    factory = make(front)
    factory.log = lambda request: None  # the desk keeps the log
    return factory


def main(order: dict[str, Any]) -> None:
    """Serve what a ServerProcess orders, and tell it on standard output where."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    host = order["host"]
    try:
        sockets = _listening(host, order["ports"])
    except OSError as error:
        ports = ", ".join(map(str, order["ports"]))
        print(json.dumps({"error": f"cannot listen on {host} {ports}: {error.strerror}; choose another port"}))
        return
    ports_taken = [each.getsockname()[1] for each in sockets]
    origins = [f"http://{host}:{port}" for port in ports_taken]
    desk = Desk(_content(order["content"], origins), origins)
    print(json.dumps({"ports": ports_taken}), flush=True)
    _run(sockets, desk, order["parent"])


def _content(content: dict[str, Any], origins: Sequence[str]) -> SampleWeb | FolderSite:
    if "folder" in content:
        return FolderSite(Path(content["folder"]))
    web = dict(content["web"])
    web["reference"] = datetime.fromisoformat(web["reference"])
    return SampleWeb(**web, origins=Origins(*origins))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
