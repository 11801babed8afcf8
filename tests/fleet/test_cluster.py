"""The chart and a fleet on a real API server of Kubernetes 1.34 (long): scaling, drain order, upgrade, timed."""

import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.fleet import until
from tests.fleet.cluster import NAMESPACE, PROGRAMS, ControlPlane, control_plane, plan_of
from thresher.fleet.contract import Phase
from thresher.fleet.fleet import Fleet
from thresher.fleet.kubernetes import COST, Kubernetes

CHART = Path(__file__).parents[2] / "deploy" / "helm" / "thresher"
RELEASE = "release"  # the namespace of what helm installs
pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore:Unverified HTTPS request"),  # the server's certificate is made by itself
]


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    with control_plane(tmp_path_factory.mktemp("kubernetes")) as found:
        yield found


@pytest.fixture
def backend(plane: ControlPlane) -> Iterator[Kubernetes]:
    plane.deploy(replicas=0)
    opened = Kubernetes(plan_of(plane))
    yield opened
    opened.close()
    plane.remove()


def fleet_of(backend: Kubernetes, least: str = "") -> Fleet:
    """A fleet whose pods are heard of once they run; the one named `least` has the fewest links in hand."""

    def hear() -> list[dict[str, Any]]:
        running = [member.name for member in backend.members() if member.phase is Phase.RUNNING]
        return [
            {"worker": f"{name}/1/7.a", "state": "running", "heard_s_ago": 0, "in_flight": 0 if name == least else 9}
            for name in running
        ]

    return Fleet(backend, hear)


@pytest.mark.parametrize("name", ["default", "full", "keda"])
def test_the_api_server_takes_every_object_of_the_chart(plane: ControlPlane, name: str) -> None:
    """A dry run: the server checks and completes each as it would when it is created."""
    kinds = plane.apply(name, dry_run=True)
    assert "Deployment" in kinds


def test_a_fleet_is_scaled_to_1_10_2_and_upgraded(
    backend: Kubernetes, plane: ControlPlane, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet, took = fleet_of(backend), {}
    for count in (1, 10, 2):
        began = time.monotonic()
        fleet.scale(count)
        took[f"scale to {count}"] = time.monotonic() - began
        assert len(fleet.members()) == count
    began, old = time.monotonic(), {member.name for member in backend.members()}
    fleet.restart(image="thresher:0.2.0")
    took["new image on 2"] = time.monotonic() - began
    found = backend.members()
    assert not old & {member.name for member in found}
    assert {member.image for member in found} == {"thresher:0.2.0"}
    with capsys.disabled():
        print("\n" + ", ".join(f"{what} {seconds:.1f} s" for what, seconds in took.items()))


def test_the_pods_that_are_marked_go_first_however_old_they_are(backend: Kubernetes, plane: ControlPlane) -> None:
    fleet_of(backend).scale(1)
    (oldest,) = (member.name for member in backend.members())
    fleet = fleet_of(backend, least=oldest)
    fleet.scale(5)
    fleet.scale(4)
    assert oldest not in [member.name for member in backend.members()], "Kubernetes alone would keep the oldest"
    left = plane.core.list_namespaced_pod(NAMESPACE).items
    assert not [pod.metadata.name for pod in left if COST in (pod.metadata.annotations or {})]


def test_pods_are_spread_over_nodes_and_carry_what_lets_them_drain(backend: Kubernetes, plane: ControlPlane) -> None:
    fleet_of(backend).scale(3)
    for pod in plane.core.list_namespaced_pod(NAMESPACE).items:
        assert pod.spec.node_name.startswith("node-")
        assert "worker drain" in pod.spec.containers[0].lifecycle.pre_stop._exec.command[-1]
        assert pod.spec.termination_grace_period_seconds > 20


def test_an_autoscaler_may_change_the_number_meanwhile(backend: Kubernetes, plane: ControlPlane) -> None:
    fleet = fleet_of(backend)
    fleet.scale(2)
    plane.apps.patch_namespaced_deployment_scale("crawl-worker", NAMESPACE, {"spec": {"replicas": 4}})
    until(lambda: len(fleet.members()) == 4)
    backend.add(1)
    until(lambda: len(backend.members()) == 5)


def test_helm_installs_upgrades_and_takes_away_the_chart(plane: ControlPlane) -> None:
    """Everything of the chart as a user gets it: helm waits until workers, watch and the application are ready."""
    if not (PROGRAMS / "helm").exists():
        pytest.skip("helm is not built; scripts/kubernetes-server --helm builds it")
    plane.core.create_namespace({"metadata": {"name": RELEASE}})
    plane.core.create_namespaced_secret(RELEASE, {"metadata": {"name": "thresher"}, "stringData": {"store": "none"}})
    plane.core.create_persistent_volume(
        {
            "metadata": {"name": "disk"},
            "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/disk"}},
        }
    )
    took = {}
    for name, words in {
        "install": ("install", "crawl", CHART, "--set", "image.tag=0.1.0"),
        "upgrade": ("upgrade", "crawl", CHART, "--set", "image.tag=0.2.0", "--set", "worker.replicas=4"),
        "roll back": ("rollback", "crawl", "1"),
    }.items():
        began = time.monotonic()
        helm(plane, *words)
        took[name] = time.monotonic() - began
        tag, workers = ("0.2.0", 4) if name == "upgrade" else ("0.1.0", 2)
        wanted = {("worker", tag): workers, ("watch", tag): 1, ("serve", tag): 1}
        until(partial(runs, plane, wanted))
    helm(plane, "uninstall", "crawl")
    until(lambda: not plane.core.list_namespaced_pod(RELEASE).items)
    print("\n" + ", ".join(f"{what} {seconds:.1f} s" for what, seconds in took.items()))


def helm(plane: ControlPlane, *words: object) -> None:
    line = [PROGRAMS / "helm", *words, "-n", RELEASE, "--kubeconfig", plane.kubeconfig, "--wait", "--timeout", "280s"]
    ended = subprocess.run([str(word) for word in line], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def runs(plane: ControlPlane, wanted: dict[tuple[str, str], int]) -> bool:
    """Say whether so many pods run, by role and by version, and no others."""
    counts: dict[tuple[str, str], int] = {}
    for pod in plane.core.list_namespaced_pod(RELEASE).items:
        role, image = pod.metadata.labels["app.kubernetes.io/component"], pod.spec.containers[0].image
        if pod.status.phase == "Running":
            counts[role, image.rpartition(":")[2]] = counts.get((role, image.rpartition(":")[2]), 0) + 1
    return counts == wanted
