"""Members as containers of Docker engines, on this machine or on others."""

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError
from thresher.fleet.contract import Member, Phase
from thresher.fleet.plan import DockerPlan, Engine
from thresher.text import printable
from thresher.urls.secrets import masked_text

FLEET, ROLE = "thresher.fleet", "thresher.role"  # labels by which containers are recognised
TIMEOUT_S = 60
BETWEEN_SIGNALS_S = 0.5  # two that come together are heard as one
OLDEST_API = "1.24"  # that the library speaks
COMMAND = ["worker", "run", "--progress", "none"]
PHASES = {"created": Phase.STARTING, "restarting": Phase.PAUSING, "running": Phase.RUNNING, "paused": Phase.RUNNING}
_TMP = "rw,noexec,nosuid,nodev,size=256m"


class Docker:
    """A fleet of containers (see contract.py); every engine of the plan is asked each time."""

    def __init__(self, plan: DockerPlan) -> None:
        """Connect to the engines; raise Unreachable when one does not answer."""
        try:
            import docker
        except ImportError as error:
            raise MissingExtra(f"Docker needs a library ({error}): pip install 'thresher[docker]'") from error
        self._docker: Any = docker
        self._plan, self._image = plan, plan.image
        self._engines: dict[str, Any] = {}
        for engine in plan.engines:
            with self._foreign_errors(engine):
                self._engines[engine.name] = self._client(engine)
                self._engines[engine.name].ping()

    def members(self) -> list[Member]:
        found = [_member(engine.name, container) for engine, container in self._containers()]
        return sorted(found, key=lambda member: (len(member.name), member.name))

    def add(self, count: int) -> None:
        there = self.members()
        names = {member.name for member in there}
        load = {engine.name: sum(member.place == engine.name for member in there) for engine in self._plan.engines}
        for _ in range(count):
            engine = self._roomiest(load)
            load[engine.name] += 1
            name = next(name for number in range(1, 100_000) if (name := f"{self._plan.name}-{number}") not in names)
            names.add(name)
            with self._foreign_errors(engine):
                self._engines[engine.name].containers.run(self._image, COMMAND, **self._terms(engine, name))

    def start(self, names: Collection[str]) -> None:
        for engine, container in self._named(names):
            with self._foreign_errors(engine):
                container.start()

    def drain(self, names: Collection[str], *, at_once: bool = False) -> None:
        named = self._named(names)
        for number in range(2 if at_once else 1):
            time.sleep(number * BETWEEN_SIGNALS_S)
            for engine, container in named:
                self._ask_to_end(engine, container)

    def remove(self, names: Collection[str]) -> None:
        for engine, container in self._containers():
            if container.name in names:
                with self._foreign_errors(engine, ended_is_fine=True):
                    container.remove(force=True, v=True)

    def renew(self, image: str | None) -> bool:
        self._image = image or self._image
        return False

    def logs(self, name: str, lines: int) -> list[str]:
        ((engine, container),) = self._named([name])
        with self._foreign_errors(engine):
            text = container.logs(tail=lines).decode("utf-8", "replace")
        return [printable(masked_text(line)) for line in text.splitlines()]

    def close(self) -> None:
        for client in self._engines.values():
            client.close()

    def _ask_to_end(self, engine: Engine, container: Any) -> None:
        with self._foreign_errors(engine, ended_is_fine=True):
            if _member(engine.name, container).phase is Phase.PAUSING:
                container.stop(timeout=1)  # nothing runs that could hear a signal
            else:
                container.kill("SIGTERM")

    def _client(self, engine: Engine) -> Any:
        tls = False
        if engine.tls:
            files = (f"{engine.tls}/cert.pem", f"{engine.tls}/key.pem")
            tls = self._docker.tls.TLSConfig(client_cert=files, ca_cert=f"{engine.tls}/ca.pem", verify=True)
        make = partial(self._docker.DockerClient, base_url=engine.url, tls=tls, timeout=TIMEOUT_S)
        if engine.url.startswith("ssh://"):
            return make(use_ssh_client=True)  # the program, which knows the user's keys and known hosts
        if engine.url.startswith("unix://"):
            return make()
        asking = make(version=OLDEST_API)  # with a version it asks nothing yet
        asking.api.trust_env = False  # a proxy, or REQUESTS_CA_BUNDLE, would come before the authority of `tls`
        try:
            version = asking.api.version(api_version=False)["ApiVersion"]
        finally:
            asking.close()
        client = make(version=version)
        client.api.trust_env = False
        return client

    def _terms(self, engine: Engine, name: str) -> dict[str, Any]:
        """Return how a container is to run: with no right that it does not need."""
        plan = self._plan
        secrets = {plan.secrets: {"bind": "/run/secrets", "mode": "ro"}} if plan.secrets else {}
        return {
            "name": name,
            "hostname": name,  # its worker is named after it
            "detach": True,
            "init": True,
            "environment": dict(plan.environment),
            "labels": {FLEET: plan.name, ROLE: "worker"},
            "network_mode": plan.network or None,
            "restart_policy": {"Name": "on-failure"},  # a worker that was told to end stays ended
            "stop_signal": "SIGTERM",
            "read_only": True,
            "tmpfs": {"/tmp": _TMP, "/data": f"{_TMP},uid=10001,gid=10001"},
            "volumes": secrets,
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges:true"],
            "pids_limit": plan.pids,
            "mem_limit": plan.memory or None,
            "nano_cpus": round(plan.cpus * 1e9) if plan.cpus else None,
            "log_config": {"Type": "json-file", "Config": {"max-size": "8m", "max-file": "4"}},
        }

    def _roomiest(self, load: dict[str, int]) -> Engine:
        open_engines = [engine for engine in self._plan.engines if load[engine.name] < engine.max_workers]
        if not open_engines:
            raise UsageError("every engine has as many workers as it may have; raise max_workers or add an engine")
        return min(open_engines, key=lambda engine: load[engine.name])

    def _containers(self) -> Iterator[tuple[Engine, Any]]:
        for engine in self._plan.engines:
            with self._foreign_errors(engine):
                wanted = {"label": [f"{FLEET}={self._plan.name}", f"{ROLE}=worker"]}
                found = self._engines[engine.name].containers.list(all=True, filters=wanted, ignore_removed=True)
            yield from ((engine, container) for container in found)

    def _named(self, names: Collection[str]) -> list[tuple[Engine, Any]]:
        found = {container.name: (engine, container) for engine, container in self._containers()}
        for name in names:
            if name not in found:
                raise UsageError(f"there is no member {name!r}; `thresher fleet status` lists them")
        return [found[name] for name in names]

    @contextmanager
    def _foreign_errors(self, engine: Engine, *, ended_is_fine: bool = False) -> Iterator[None]:
        import requests

        errors = self._docker.errors
        try:
            yield
        except errors.ImageNotFound as error:
            raise BackendError(
                f"the engine {engine.name!r} has no image {self._image!r}: {error.explanation}"
            ) from error
        except errors.APIError as error:
            if ended_is_fine and error.status_code in (404, 409):  # it has ended, or is gone, meanwhile
                return
            raise BackendError(f"the engine {engine.name!r} refuses: {error.explanation or error}") from error
        except (errors.DockerException, requests.RequestException, OSError) as error:
            where = f"the engine {engine.name!r} at {engine.url}"
            raise Unreachable(f"{where} does not answer ({error}); is it running, and may you use it?") from error


def _member(place: str, container: Any) -> Member:
    state = container.attrs["State"]
    phase = PHASES.get(state["Status"], Phase.ENDED)
    return Member(
        name=container.name,
        place=place,
        phase=phase,
        heard_as=container.attrs["Config"]["Hostname"],
        image=container.attrs["Config"]["Image"],
        started_at=_moment(state["StartedAt"]),
        restarts=container.attrs["RestartCount"],
        code=state["ExitCode"] if phase in (Phase.ENDED, Phase.PAUSING) else None,
        reason="its memory was used up" if state.get("OOMKilled") else state.get("Error", ""),
    )


def _moment(text: str) -> datetime | None:
    """Read the engine's time; None for the year 1, with which it says that there is none."""
    moment = datetime.fromisoformat(text[:19] + "+00:00")
    return moment if moment.year > 1 else None
