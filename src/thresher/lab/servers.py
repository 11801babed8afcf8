"""Throw-away servers of a measurement as processes, on free loopback ports: Redis, PostgreSQL, MariaDB, MongoDB …

Each can be killed and started again on the same port and folder, as a power cut or an administrator would. One that
is started by a thread ends with that thread.
"""

import importlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from thresher.errors import BackendError, MissingExtra

HOST = "127.0.0.1"
STARTS = 10  # children of a killed PostgreSQL hold its memory for a moment, and a start meanwhile fails
READY_S = 600.0  # how long a server may take to start, however busy the machine is
END_S = 20.0  # how long it may take to end when asked
POSTGRES_USER = "thresher"
_JAVA_MEMORY = ("-Xmx512m", "-XX:+UseSerialGC")
_QUICK_START = "-XX:TieredStopAtLevel=1"  # what runs for seconds is not worth compiling well
# Search servers that run from their distribution: the program, the Java that it needs, and settings.
_DISTRIBUTIONS: dict[str, tuple[str, str, dict[str, str]]] = {
    "opensearch3": ("opensearch", "*25*", {}),
    "elasticsearch8": ("elasticsearch", "*17*", {"xpack.security.enabled": "false"}),
}
_TOLD_CHARS = 2_000  # of the log of a server that does not start


class OwnServer:
    """A server process; `kill` and `start` again keep its port and what it wrote to its folder."""

    def __init__(
        self, command: Sequence[str], folder: Path, *, port: int, url: str, ready: Callable[[int], bool]
    ) -> None:
        self.folder, self.port, self.url = folder, port, url
        self._command, self._ready = command, ready
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process, "the server was not started"
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers; raise BackendError with the end of its log when it does not."""
        deadline_s = time.monotonic() + READY_S
        for _ in range(STARTS):
            self._process = self._spawn()
            while time.monotonic() < deadline_s and self._process.poll() is None:
                if self._ready(self.port) and self._process.poll() is None:
                    return
                time.sleep(0.02)
            time.sleep(0.2)
        self.kill()
        said = (self.folder / "log").read_text(errors="replace")[-_TOLD_CHARS:]
        raise BackendError(f"{self._command[-1]} did not start: {said}")

    def _spawn(self) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)

    def kill(self) -> None:
        """End it as a power cut would; does nothing when it has ended."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as an administrator would, letting no client hold it up."""
        self._end(signal.SIGINT)  # to PostgreSQL this is a fast shutdown, to Redis and nginx an ordinary one

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
def own_redis(program: str = "redis-server", *options: str) -> Iterator[OwnServer]:
    """Run a Redis or Valkey server, with an append-only file unless `options` of its command line say otherwise.

    Raise BackendError when there is none to run.
    """
    path = _needed(program)
    with own_folder() as folder:
        port = free_port()
        settings = {"--port": f"{port}", "--bind": HOST, "--dir": f"{folder}", "--appendonly": "yes", "--save": ""}
        words = [word for setting in settings.items() for word in setting]
        command, url = [*dying_with_us(), path, *words, *options], f"redis://{HOST}:{port}/0"
        server = OwnServer(command, folder, port=port, url=url, ready=_answers_ping)
        with running(server):
            yield server


@contextmanager
def own_postgresql(*settings: str) -> Iterator[OwnServer]:
    """Run PostgreSQL with a superuser who needs no password, sorting by the rules of a language and not by code.

    `settings` ("NAME=VALUE") go before the few that it has here. Raise BackendError when there is none to run.
    """
    binaries = Path(postgresql_path() or _needed("postgres")).parent
    with own_folder() as folder:
        user, data, port = _as_user(folder), folder / "data", free_port()
        locale = ("--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")
        make = (f"{binaries}/initdb", "-D", f"{data}", "-U", POSTGRES_USER, "-A", "trust", "--no-sync", *locale)
        subprocess.run([*user, *make], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        options = f"-k {folder} -h {HOST} -p {port} -c fsync=off -c max_connections=200 -c shared_buffers=32MB".split()
        options += [word for setting in settings for word in ("-c", setting)]

        def ready(port: int) -> bool:
            return subprocess.run([f"{binaries}/pg_isready", "-q", "-h", HOST, "-p", f"{port}"]).returncode == 0

        command = [*user, f"{binaries}/postgres", "-D", f"{data}", *options]
        url = f"postgresql://{POSTGRES_USER}@{HOST}:{port}/postgres"
        with running(OwnServer(command, folder, port=port, url=url, ready=ready)) as server:
            yield server


@contextmanager
def own_mariadb() -> Iterator[OwnServer]:
    """Run MariaDB with a root who needs no password, in a folder with its socket `db.sock`.

    Raise BackendError when there is none to run.
    """
    program, client = _needed_in_sbin("mariadbd"), _needed("mariadb")
    with own_folder() as folder:
        data, port = folder / "data", free_port()
        user = ["--user=root"] if os.geteuid() == 0 else []
        make = ["--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal", "--skip-test-db"]
        quiet = subprocess.DEVNULL
        subprocess.run([_needed("mariadb-install-db"), *make, *user], check=True, stdout=quiet, stderr=quiet)

        def ready(port: int) -> bool:
            ask = [client, "--no-defaults", "-h", HOST, "-P", f"{port}", "-uroot", "-e", "SELECT 1"]
            return subprocess.run(ask, stdout=quiet, stderr=quiet).returncode == 0

        where = [f"--datadir={data}", f"--socket={folder / 'db.sock'}", f"--bind-address={HOST}", f"--port={port}"]
        small = ["--innodb-buffer-pool-size=16M", "--innodb-flush-log-at-trx-commit=2", f"--pid-file={folder / 'pid'}"]
        command = [*dying_with_us(), program, "--no-defaults", *where, *small, *user]
        server = OwnServer(command, folder, port=port, url=f"mysql://root@{HOST}:{port}/", ready=ready)
        with running(server):
            yield server


def mongodb_path() -> str | None:
    """Return where mongod is: on the path, or where scripts/servers puts it; None when there is none."""
    own = Path.home() / ".cache" / "thresher-servers" / "mongodb" / "mongod"
    return system_path("mongod") or (str(own) if own.exists() else None)


@contextmanager
def own_mongodb(*, replicas: str = "") -> Iterator[OwnServer]:
    """Run MongoDB, as a replica set of one if a name for it is given; raise BackendError when there is none to run."""
    program = mongodb_path() or _needed("mongod")
    with own_folder() as folder:
        data, port = folder / "data", free_port()
        data.mkdir()
        where = ["--dbpath", f"{data}", "--bind_ip", HOST, "--port", f"{port}", "--unixSocketPrefix", f"{folder}"]
        small = ["--wiredTigerCacheSizeGB", "0.25", "--setParameter", "diagnosticDataCollectionEnabled=false"]
        command = [*dying_with_us(), program, *where, *small, *(["--replSet", replicas] if replicas else [])]
        url = f"mongodb://{HOST}:{port}/"
        with running(OwnServer(command, folder, port=port, url=url, ready=partial(_answers_hello, replicas))) as server:
            yield server


def _answers_hello(replicas: str, port: int) -> bool:
    """Say whether MongoDB takes writes; make the replica set where there is to be one and is none yet."""
    pymongo = importlib.import_module("pymongo")
    with pymongo.MongoClient(HOST, port, directConnection=True, serverSelectionTimeoutMS=1_000) as client:
        try:
            told = client.admin.command("hello")
            if replicas and not told.get("setName"):
                members = [{"_id": 0, "host": f"{HOST}:{port}"}]
                client.admin.command("replSetInitiate", {"_id": replicas, "members": members})
        except pymongo.errors.PyMongoError:
            return False
        return bool(told.get("isWritablePrimary"))


def search_server_folder(kind: str) -> Path:
    """Return where scripts/servers puts the programs of a search server.

    The kinds are opensearch and elasticsearch (OpenSearch 2 and Elasticsearch 7, as libraries of Java), opensearch3 and
    elasticsearch8 (whole distributions), and opensearch-smartcn (OpenSearch 2 with that analyser of Chinese).
    """
    return Path.home() / ".cache" / "thresher-servers" / kind


@contextmanager
def own_search_server(kind: str, *, lasting: bool = False) -> Iterator[OwnServer]:
    """Run a search server with one node; raise MissingExtra when scripts/servers did not install it.

    `lasting`: it runs for so long that it is worth compiling well.
    """
    programs = search_server_folder(kind)
    if not programs.exists():
        raise MissingExtra(f"{kind} is not installed; scripts/servers --search installs it")
    with own_folder() as folder:
        port = free_port()
        start = _distribution if kind in _DISTRIBUTIONS else _library
        url = f"{kind.partition('-')[0].rstrip('38')}://{HOST}:{port}"
        with running(
            OwnServer(
                start(kind, programs, folder, port, _java(lasting)), folder, port=port, url=url, ready=_answers_http
            )
        ) as server:
            yield server


def _java(lasting: bool) -> Sequence[str]:
    return _JAVA_MEMORY if lasting else (*_JAVA_MEMORY, _QUICK_START)


def _library(_kind: str, programs: Path, folder: Path, port: int, java: Sequence[str]) -> list[str]:
    classes = f"{programs}/classes:{programs}/jars/*"
    node = ["-cp", classes, "Node", f"{folder / 'node'}", f"{port}", f"{free_port()}"]
    return [*dying_with_us(), _needed("java"), *java, *node]


def _distribution(kind: str, programs: Path, folder: Path, port: int, memory: Sequence[str]) -> list[str]:
    """Copy a distribution into the folder, for it does not run as root, and return how it starts."""
    own = folder / "programs"
    shutil.copytree(programs, own)
    name, java, settings = _DISTRIBUTIONS[kind]
    given = {"network.host": HOST, "http.port": f"{port}", "transport.port": f"{free_port()}"}
    given |= {"discovery.type": "single-node", "cluster.routing.allocation.disk.threshold_enabled": "false"}
    lines = [f"{key}: {value}" for key, value in {**given, **settings}.items()]
    (own / "config" / f"{name}.yml").write_text("\n".join(lines) + "\n")
    user = _as_user(folder)
    if os.geteuid() == 0:
        for place in (own, *own.rglob("*")):
            os.chown(place, folder.stat().st_uid, -1)
    homes = (path.parents[1] for path in Path("/usr/lib/jvm").glob(f"{java}/bin/java"))
    home = next(map(str, sorted(homes)), "")
    options = " ".join(("-XX:-UseG1GC", "-Xms256m", *memory))  # they set these otherwise
    words = {
        "OPENSEARCH_JAVA_HOME": home,
        "ES_JAVA_HOME": home,
        "OPENSEARCH_JAVA_OPTS": options,
        "ES_JAVA_OPTS": options,
    }
    return [*user, "env", *(f"{key}={value}" for key, value in words.items()), f"{own}/bin/{name}"]


def _answers_http(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1) as wire:
            wire.sendall(b"GET /_cluster/health HTTP/1.0\r\n\r\n")
            return b" 200 " in wire.recv(64)
    except OSError:
        return False


def new_mariadb_database(server: OwnServer, name: str) -> str:
    """Create an empty database in a MariaDB server and return its URL."""
    client = [_needed("mariadb"), "--no-defaults", "-h", HOST, "-P", f"{server.port}", "-uroot"]
    subprocess.run([*client, "-e", f"CREATE DATABASE {name} CHARACTER SET utf8mb4"], check=True)
    return f"{server.url}{name}"


def new_database(server: OwnServer, name: str, *options: str) -> str:
    """Create an empty database in a PostgreSQL server, with options of `createdb`, and return its URL."""
    createdb = Path(postgresql_path() or _needed("postgres")).with_name("createdb")
    subprocess.run([createdb, "-h", HOST, "-p", f"{server.port}", "-U", POSTGRES_USER, *options, name], check=True)
    return server.url.rpartition("/")[0] + f"/{name}"


def postgresql_path() -> str | None:
    """Return the newest PostgreSQL's program, None when there is none; Debian keeps each version off the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if folders:
        return str(folders[-1])
    found = shutil.which("postgres")
    return found and str(Path(found).resolve())


@contextmanager
def running(server: OwnServer) -> Iterator[OwnServer]:
    """Start a server, and kill it in the end."""
    server.start()
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make a folder that another user may be given, and remove it in the end."""
    folder = Path(tempfile.mkdtemp(prefix="thresher-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def tree_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of all that descend from it, as far as it can be told.

    Those that live are told to the nanosecond, those that have ended to the hundredth of a second.
    """
    spent_s = 0.0
    for each in _descent(pid):
        with suppress(OSError):
            spent_s += time.clock_gettime((~each << 3) | 2)  # the clock of a process, as clock_getcpuclockid names it
            ended = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[13:15]
            spent_s += sum(map(int, ended)) / os.sysconf("SC_CLK_TCK")
    return spent_s


def _descent(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        with suppress(OSError):
            found += [
                int(child)
                for task in Path(f"/proc/{each}/task").iterdir()
                for child in (task / "children").read_text().split()
            ]
    return found


def dying_with_us() -> list[str]:
    """Return the words that let a command end with the thread that starts it, however that ends; none off Linux."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig=KILL"] if setpriv else []


def free_port(host: str = HOST) -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def _as_user(folder: Path) -> list[str]:
    """Give the folder to somebody and return the words that start a command as them: PostgreSQL refuses to be root."""
    if os.geteuid() != 0:
        return dying_with_us()
    user = next(entry for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))
    os.chown(folder, user.pw_uid, user.pw_gid)
    who = (f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")
    return [_needed("setpriv"), *who, *dying_with_us()[1:]]


def system_path(program: str) -> str | None:
    """Return where a program is that the system has, None when it has none.

    Packages may put servers of their own, of other versions, beside the interpreter: those go by their whole path.
    """
    beside = Path(sys.executable).parent
    folders = [folder for folder in os.get_exec_path() if Path(folder).absolute() != beside.absolute()]
    return shutil.which(program, path=os.pathsep.join(folders))


def _needed(program: str) -> str:
    path = system_path(program)
    if path is None:
        raise MissingExtra(f"{program} is not installed; install it, or measure without it")
    return path


def _needed_in_sbin(program: str) -> str:
    """Return where a server is that Debian keeps off the path of ordinary users."""
    path = Path("/usr/sbin") / program
    return system_path(program) or (str(path) if path.exists() else _needed(program))


def _answers_ping(port: int) -> bool:
    """Say whether a Redis server is there and, where no login is needed to ask, has loaded what it kept."""
    try:
        with socket.create_connection((HOST, port), timeout=1) as wire:
            wire.sendall(b"PING\r\n")
            return wire.recv(64).startswith((b"+PONG", b"-NOAUTH"))
    except OSError:
        return False
