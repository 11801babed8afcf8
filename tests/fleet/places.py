"""The places where a fleet can run, for the contract: processes, containers, pods of a double, pods of a real cluster.

Their members are small programs that obey signals; what is tried is the platform and how we speak with it.
"""

import fcntl
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import docker
import pytest

from tests.fleet.api_double import DEPLOYMENT, NAMESPACE, Cluster, served
from tests.fleet.cluster import ControlPlane, plan_of
from thresher.fleet.contract import Backend, Member, Phase
from thresher.fleet.docker import Docker
from thresher.fleet.kubernetes import Kubernetes
from thresher.fleet.plan import DockerPlan, Engine, KubernetesPlan
from thresher.fleet.processes import Processes, Supervisor

OBEYS = "import signal, sys; signal.signal(15, lambda *_: sys.exit(0)); print('ready', flush=True); signal.pause()"


class Place(Protocol):
    """A backend, and what a test may do behind its back."""

    backend: Backend
    keeps_ended: bool  # a member that has ended is still there, and can be started again
    images: tuple[str, str] | None  # two that members can be of; None: a member has no image

    def again(self) -> Backend:
        """Connect a second time."""

    def is_ready(self, member: Member) -> bool:
        """Say whether a member obeys signals by now."""

    def crash(self, member: Member) -> None:
        """End a member as a fault would; skip the test where that cannot be done."""


class LocalPlace:
    """Processes, looked after by a supervisor in a thread of the test."""

    keeps_ended, images = True, None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.backend = self.again()

    def again(self) -> Processes:
        return Processes(self._folder, {})

    def is_ready(self, member: Member) -> bool:
        return member.phase is Phase.RUNNING and self.backend.logs(member.name, 1) == ["ready"]

    def crash(self, member: Member) -> None:
        os.kill(int(member.heard_as.split("/")[1]), signal.SIGKILL)


@contextmanager
def local(folder: Path) -> Iterator[LocalPlace]:
    """Run a supervisor."""
    ending, supervisor = threading.Event(), Supervisor(folder, lambda *_: [sys.executable, "-S", "-c", OBEYS])

    def look() -> None:
        while not ending.wait(0.02):
            supervisor.look()

    thread = threading.Thread(target=look)
    with (folder / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        thread.start()
        place = LocalPlace(folder)
        try:
            yield place
        finally:
            place.backend.remove([member.name for member in place.backend.members()])
            ending.set()
            thread.join()


class DockerPlace:
    """Containers of a real engine."""

    keeps_ended = True

    def __init__(self, url: str, images: tuple[str, str]) -> None:
        self._plan = DockerPlan(images[0], (Engine("here", url),), f"contract-{os.getpid()}", network="none")
        self._client = docker.DockerClient(url)
        self.images = images
        self.backend = self.again()

    def again(self) -> Docker:
        return Docker(self._plan)

    def is_ready(self, member: Member) -> bool:
        return member.phase is Phase.RUNNING and self.backend.logs(member.name, 1) == ["ready"]

    def crash(self, member: Member) -> None:
        os.kill(self._client.containers.get(member.name).attrs["State"]["Pid"], signal.SIGKILL)


@contextmanager
def containers() -> Iterator[DockerPlace]:
    """Use the engine of DOCKER_HOST and the image of THRESHER_IMAGE, with another program in it."""
    url, image = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock"), os.environ.get("THRESHER_IMAGE", "")
    try:
        client = docker.DockerClient(url)
        client.images.get(image or "thresher:0.1.0")
    except docker.errors.DockerException as error:
        pytest.skip(f"no Docker engine with an image of Thresher (DOCKER_HOST, THRESHER_IMAGE): {error}")
    recipe = f'FROM {image or "thresher:0.1.0"}\nENTRYPOINT ["python3", "-S", "-c", "{OBEYS}"]\n'
    tags = ("thresher-contract:1", "thresher-contract:2")
    for number, tag in enumerate(tags):
        client.images.build(fileobj=io.BytesIO(f"{recipe}LABEL number={number}\n".encode()), tag=tag, rm=True)
    place = DockerPlace(url, tags)
    try:
        yield place
    finally:
        place.backend.remove([member.name for member in place.backend.members()])
        place.backend.close()
        client.close()


class PodPlace:
    """Pods of a Deployment."""

    keeps_ended = False

    def __init__(self, plan: KubernetesPlan, images: tuple[str, str], cluster: Cluster | None = None) -> None:
        self._plan, self._cluster = plan, cluster
        self.images = images
        self.backend = self.again()

    def again(self) -> Kubernetes:
        return Kubernetes(self._plan)

    def is_ready(self, member: Member) -> bool:
        return member.phase is Phase.RUNNING

    def crash(self, member: Member) -> None:
        if self._cluster is None:
            pytest.skip("there is no process in these pods")
        self._cluster.crash(member.name)


@contextmanager
def pods(folder: Path) -> Iterator[PodPlace]:
    """Serve the double of a cluster."""
    cluster = Cluster()
    with served(cluster, folder) as kubeconfig:
        plan = KubernetesPlan(DEPLOYMENT, NAMESPACE, kubeconfig=str(kubeconfig))
        place = PodPlace(plan, ("thresher:1", "thresher:2"), cluster)
        yield place
        place.backend.close()


@contextmanager
def real_pods(plane: ControlPlane) -> Iterator[PodPlace]:
    """Make the chart's Deployment of workers, without a pod yet."""
    plane.deploy(replicas=0)
    place = PodPlace(plan_of(plane), ("thresher:0.1.0", "thresher:0.2.0"))
    try:
        yield place
    finally:
        place.backend.close()
        plane.remove()


def heard(place: Place) -> list[dict[str, Any]]:
    """Tell of every member that is ready what its worker would say."""
    return [
        {
            "worker": member.heard_as if "/" in member.heard_as else f"{member.heard_as}/1/1.a",
            "state": "running",
            "heard_s_ago": 0,
            "in_flight": number,
        }
        for number, member in enumerate(place.backend.members())
        if place.is_ready(member)
    ]
