"""The plan of a fleet: a TOML file that says where its workers run and how.

backend = "docker"                  # local (without a file), docker or kubernetes
[docker]
image = "thresher:0.1.0"
secrets = "/etc/thresher/secrets"   # a folder of each host, /run/secrets in the containers
[docker.environment]
THRESHER_FRONTIER_FILE = "/run/secrets/frontier"
[docker.engines.north]
url = "ssh://crawler@north.example"
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from thresher.errors import UsageError

FILE_NAME = "fleet.toml"
LOCAL, DOCKER, KUBERNETES = "local", "docker", "kubernetes"
SOCKET = "unix:///var/run/docker.sock"
SCHEMES = ("unix://", "ssh://", "tcp://", "https://")
LOCAL_NETWORK = ("tcp://127.0.0.1:", "tcp://localhost:")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Engine:
    """One Docker engine."""

    name: str
    url: str = SOCKET
    tls: str = ""  # folder with ca.pem, cert.pem and key.pem
    max_workers: int = 1_000


@dataclass(frozen=True, slots=True)
class DockerPlan:
    """Workers as containers."""

    image: str
    engines: tuple[Engine, ...] = (Engine("here"),)
    name: str = "thresher-worker"  # of the fleet, and what the names of its containers begin with
    environment: Mapping[str, str] = field(default_factory=dict)
    secrets: str = ""
    network: str = ""
    memory: str = "2g"
    cpus: float = 0.0  # 0: no limit
    pids: int = 512


@dataclass(frozen=True, slots=True)
class KubernetesPlan:
    """Workers as pods of a Deployment that is there, the Helm chart's for instance."""

    deployment: str = "thresher-worker"
    namespace: str = "default"
    context: str = ""  # of the kubeconfig; empty: the current one, or in a pod its service account
    kubeconfig: str = ""
    container: str = "worker"


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the workers of a fleet run."""

    backend: str = LOCAL
    docker: DockerPlan | None = None
    kubernetes: KubernetesPlan = KubernetesPlan()


def read_plan(path: Path | None, default: Path = Path(FILE_NAME)) -> Plan:
    """Read a plan; without a file the fleet is of this machine. Raise UsageError for one that makes no sense."""
    if path is None and not default.exists():
        return Plan()
    path = path or default
    try:
        found = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path} is not valid TOML: {error}") from error
    try:
        return _plan(found)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _plan(found: dict[str, Any]) -> Plan:
    backend = found.get("backend", LOCAL)
    if backend not in (LOCAL, DOCKER, KUBERNETES):
        raise UsageError(f"backend is {backend!r}; it is one of {LOCAL}, {DOCKER}, {KUBERNETES}")
    _only(found, "the file", ("backend", DOCKER, KUBERNETES))
    docker = found.get(DOCKER)
    if backend == DOCKER and not docker:
        raise UsageError('a table [docker] is missing; it has at least image = "NAME:TAG"')
    return Plan(
        backend,
        _docker(_table(docker, DOCKER)) if docker else None,
        _made(KubernetesPlan, _table(found.get(KUBERNETES, {}), KUBERNETES), "[kubernetes]"),
    )


def _docker(table: dict[str, Any]) -> DockerPlan:
    if not table.get("image"):
        raise UsageError('[docker] has no image; write image = "NAME:TAG"')
    engines = _table(table.pop("engines", {"here": {}}), "docker.engines")
    environment = _table(table.pop("environment", {}), "docker.environment")
    read = tuple(_engine(name, _table(engine, f"docker.engines.{name}")) for name, engine in engines.items())
    words = {name: _word(value, f"docker.environment.{name}") for name, value in environment.items()}
    return _made(DockerPlan, table | {"engines": read, "environment": words}, "[docker]")


def _engine(name: str, table: dict[str, Any]) -> Engine:
    engine = _made(Engine, table | {"name": name}, f"[docker.engines.{name}]")
    if not engine.url.startswith(SCHEMES):
        raise UsageError(f"[docker.engines.{name}] has the url {engine.url!r}; it begins with {', '.join(SCHEMES)}")
    if engine.url.startswith("tcp://") and not engine.tls and not engine.url.startswith(LOCAL_NETWORK):
        raise UsageError(
            f"[docker.engines.{name}]: who reaches {engine.url} without TLS is root there; set tls, or ssh://"
        )
    return engine


def _made(kind: Callable[..., T], table: dict[str, Any], where: str) -> T:
    types = {item.name: item.type for item in fields(kind)}  # type: ignore[arg-type]
    _only(table, where, tuple(types))
    for name, value in table.items():
        wanted: Any = {"str": str, "int": int, "float": (int, float), str: str, int: int, float: (int, float)}.get(
            types[name], object
        )
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise UsageError(f"{name} of {where} is {value!r}, which makes no sense")
    return kind(**table)


def _only(table: Mapping[str, Any], where: str, known: tuple[str, ...]) -> None:
    for name in table:
        if name not in known:
            raise UsageError(f"unknown {name!r} in {where}; known are {', '.join(known)}")


def _table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"[{where}] is not a table")
    return dict(value)


def _word(value: Any, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError(f"{where} is neither a text nor a number")
    return str(value)
