"""A fleet of pods, through the official client, against a double of the API server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fleet.api_double import COST, DEPLOYMENT, NAMESPACE, Cluster, served
from thresher.errors import BackendError, Unreachable
from thresher.fleet.contract import Phase
from thresher.fleet.fleet import Fleet
from thresher.fleet.kubernetes import Kubernetes
from thresher.fleet.plan import KubernetesPlan


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


@pytest.fixture
def backend(cluster: Cluster, tmp_path: Path) -> Iterator[Kubernetes]:
    with served(cluster, tmp_path) as kubeconfig:
        opened = Kubernetes(KubernetesPlan(DEPLOYMENT, NAMESPACE, kubeconfig=str(kubeconfig)))
        yield opened
        opened.close()


def fleet_of(backend: Kubernetes, cluster: Cluster) -> Fleet:
    """A fleet whose pods are heard of as soon as they run."""

    def hear() -> list[dict[str, Any]]:
        running = [name for name, pod in cluster.pods.items() if pod["status"]["phase"] == "Running"]
        return [
            {"worker": f"{name}/1/7.abcd", "state": "running", "heard_s_ago": 1, "in_flight": number}
            for number, name in enumerate(running)
        ]

    return Fleet(backend, hear, sleep=lambda _: None)


def test_pods_are_added_and_are_members_once_they_are_seen(backend: Kubernetes, cluster: Cluster) -> None:
    fleet = fleet_of(backend, cluster)
    fleet.grow(3)
    assert cluster.replicas == 3
    first = fleet.status()[0]
    assert (first.state, first.said["worker"]) == ("running", f"{first.name}/1/7.abcd")
    assert first.member
    assert (first.member.place, first.member.image, first.member.phase) == ("node-1", "thresher:1", Phase.RUNNING)


def test_the_pod_that_is_drained_is_the_one_that_goes(backend: Kubernetes, cluster: Cluster) -> None:
    fleet = fleet_of(backend, cluster)
    fleet.grow(3)
    names = [status.name for status in fleet.members()]
    fleet.shrink([names[1]])
    assert [status.name for status in fleet.members()] == [names[0], names[2]]
    assert cluster.replicas == 2
    assert not any("DELETE" in asked for asked in cluster.asked), "the Deployment takes pods away, with SIGTERM"


def test_scaling_down_takes_the_pods_with_the_fewest_links_in_hand(backend: Kubernetes, cluster: Cluster) -> None:
    fleet = fleet_of(backend, cluster)
    fleet.scale(4)
    busiest = list(cluster.pods)[-1]
    fleet.scale(1)
    assert [status.name for status in fleet.members()] == [busiest]
    assert COST not in cluster.pods[busiest]["metadata"].get("annotations", {})


def test_a_new_image_replaces_pods_one_by_one(backend: Kubernetes, cluster: Cluster) -> None:
    fleet = fleet_of(backend, cluster)
    fleet.grow(3)
    before = set(cluster.pods)
    fleet.restart(image="thresher:2")
    assert cluster.strategy == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    assert not before & set(cluster.pods)
    assert {status.member.image for status in fleet.members() if status.member} == {"thresher:2"}


def test_somebody_else_who_scales_at_the_same_time_is_not_overwritten(backend: Kubernetes, cluster: Cluster) -> None:
    cluster.replicas, cluster.conflicts = 5, 2
    backend.add(1)
    assert cluster.replicas == 6
    cluster.conflicts = 100
    with pytest.raises(BackendError, match="something else keeps changing"):
        backend.add(1)


def test_logs_are_those_of_the_pod(backend: Kubernetes, cluster: Cluster) -> None:
    fleet_of(backend, cluster).grow(1)
    (name,) = cluster.pods
    assert backend.logs(name, 10) == ["working on run 1", f"pod {name}"]


def test_what_makes_no_sense_is_refused(backend: Kubernetes, cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="no way to a cluster"):
        Kubernetes(KubernetesPlan(kubeconfig=str(tmp_path / "none")))
    absent = Kubernetes(KubernetesPlan("other", NAMESPACE, kubeconfig=str(tmp_path / "kubeconfig")))
    with pytest.raises(BackendError, match="Kubernetes refuses"):
        absent.members()


def test_an_api_server_that_does_not_answer_is_unreachable(cluster: Cluster, tmp_path: Path) -> None:
    with served(cluster, tmp_path) as kubeconfig:
        backend = Kubernetes(KubernetesPlan(DEPLOYMENT, NAMESPACE, kubeconfig=str(kubeconfig)))
    with pytest.raises(Unreachable, match="does not answer"):
        backend.members()
