"""Serving: the sample web, or a folder of pages, in a process of its own that ends with ours."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.request import ProxyHandler, Request, build_opener

from thresher.errors import UsageError
from thresher.sample.folder import FolderSite
from thresher.sample.plan import Origins
from thresher.sample.web import SampleWeb

_SITES = 3
_STOP_S = 5.0
_CONTROL_S = 10.0
_direct = build_opener(ProxyHandler({}))  # loopback is never behind a proxy


class Access(NamedTuple):
    """One request that the server answered."""

    at: float  # time.monotonic() of the server's machine
    url: str
    status: int
    user_agent: str


class ServerProcess:
    """A server in its own process: it shares no lock with a crawler under test and ends when we do."""

    def __init__(self, content: dict[str, Any], host: str, ports: list[int]) -> None:
        """Start the server and wait until it listens; raise UsageError where a port is taken."""
        order = {"content": content, "host": host, "ports": ports, "parent": os.getpid()}
        command = [sys.executable, "-m", "thresher.sample.server", json.dumps(order)]
        # Its own session: Ctrl-C is for the crawler, which may still need the pages while it drains.
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
        self.origins = tuple(f"http://{host}:{port}" for port in self._ports())

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    @property
    def starts(self) -> tuple[str, ...]:
        """The front pages."""
        return tuple(f"{origin}/" for origin in self.origins)

    def log(self) -> list[Access]:
        """Return what was asked for since the start, oldest first (the latest 200,000 requests)."""
        with _direct.open(f"{self.origins[0]}/__log__", timeout=_CONTROL_S) as reply:
            rows = json.load(reply)
        return [Access(at, self.origins[site] + path, status, agent) for at, site, path, status, agent in rows]

    def hits(self, url: str) -> int:
        """Return how often a URL was asked for; with a * at its end, how often any URL that begins so."""
        if url.endswith("*"):
            return sum(access.url.startswith(url[:-1]) for access in self.log())
        return sum(access.url == url for access in self.log())

    def forget(self) -> None:
        """Empty the log, and let the flaky page be flaky again."""
        request = Request(f"{self.origins[0]}/__log__", method="DELETE")
        with _direct.open(request, timeout=_CONTROL_S):
            pass

    def grow(self, added: Mapping[int, int], edited: Sequence[tuple[int, int]] = ()) -> None:
        """Let posts be added to threads of a sample web, and others be edited."""
        change = json.dumps({"added": list(added.items()), "edited": list(edited)}).encode()
        with _direct.open(Request(f"{self.origins[0]}/__posts__", data=change), timeout=_CONTROL_S):
            pass

    def stop(self) -> None:
        """End the server; does nothing when it has ended."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _ports(self) -> list[int]:
        """Read the line in which the server says where it listens, or what prevents it."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        told = json.loads(line) if line else {"error": "the sample server ended before it listened"}
        if "error" in told:
            self.stop()
            raise UsageError(told["error"])
        return list(told["ports"])


@dataclass(frozen=True, slots=True)
class RunningSample:
    """A sample web that is being served, at its actual addresses."""

    web: SampleWeb
    server: ServerProcess

    @property
    def starts(self) -> tuple[str, ...]:
        """The front pages of the three sites."""
        return self.web.starts

    def log(self) -> list[Access]:
        """Return what was asked for since the start, oldest first."""
        return self.server.log()

    def hits(self, url: str) -> int:
        """Return how often a URL was asked for; with a * at its end, how often any URL that begins so."""
        return self.server.hits(url)

    def grown(self, added: Mapping[int, int], edited: Sequence[tuple[int, int]] = ()) -> "RunningSample":
        """Add posts to threads and edit others, (thread, position), now; return the sample as it is then."""
        self.server.grow(added, edited)
        return RunningSample(self.web.grown(added, edited), self.server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.server.stop()


def serve(web: SampleWeb, host: str = "127.0.0.1", port: int = 0) -> RunningSample:
    """Serve a web on three ports from `port` on (0: any free ones); raise UsageError where one is taken."""
    plan = web.plan
    content = {
        "pages": plan.pages,
        "seed": plan.seed,
        "crawl_delay_s": plan.crawl_delay_s,
        "slow_s": plan.slow_s,
        "reference": plan.reference.isoformat(),
    }
    ports = [port + site if port else 0 for site in range(_SITES)]
    server = ServerProcess({"web": content}, host, ports)
    for thread, count in plan.added:
        server.grow({thread: count})
    server.grow({}, plan.edited)
    return RunningSample(web.at(Origins(*server.origins)), server)


def serve_folder(folder: Path, host: str = "127.0.0.1", port: int = 0) -> ServerProcess:
    """Serve the HTML files below a folder, with an index at /; raise UsageError where there are none."""
    FolderSite(folder)
    return ServerProcess({"folder": str(folder.resolve())}, host, [port])
