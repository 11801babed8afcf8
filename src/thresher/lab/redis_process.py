"""A Redis server of our own for as long as a measurement takes: in memory alone, on a free port of this machine."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from thresher.errors import BackendError, MissingExtra, Unreachable
from thresher.frontier.server import Server

READY_S = 30.0


@contextmanager
def own_redis(program: str = "redis-server") -> Iterator[str]:
    """Run a server and yield its URL; raise BackendError when there is none to run or it does not start."""
    path = shutil.which(program)
    if path is None:
        raise MissingExtra(f"{program} is not installed; install it, or name another with --server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        options = ["--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--save", "", "--appendonly", "no"]
        process = subprocess.Popen([path, *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            url = f"redis://127.0.0.1:{port}/0"
            _wait_for(url)
            yield url
        finally:
            process.kill()
            process.wait()


def _wait_for(url: str) -> None:
    server, deadline_s = Server(url), time.monotonic() + READY_S
    while True:
        try:
            server.check()
            server.close()
            return
        except Unreachable as error:
            if time.monotonic() > deadline_s:
                raise BackendError("the Redis server that was started does not answer") from error
            time.sleep(0.05)
