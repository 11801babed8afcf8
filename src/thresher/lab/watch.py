"""Watch: how long a piece of work with a Redis server takes, and how much processor time of both sides."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from thresher.frontier.server import Server


@dataclass(slots=True)
class Watch:
    """Sums up the pieces of work that are done under it."""

    server: Server
    wall_s: float = 0.0
    cpu_s: float = 0.0  # of this process and of the server

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure what is done inside."""
        served, own, started = _server_cpu_s(self.server), time.process_time(), time.perf_counter()
        yield
        self.wall_s += time.perf_counter() - started
        self.cpu_s += time.process_time() - own + _server_cpu_s(self.server) - served


def _server_cpu_s(server: Server) -> float:
    said = server.call("INFO", "cpu")
    return float(said["used_cpu_user"]) + float(said["used_cpu_sys"])
