"""A real control plane of Kubernetes on loopback (long): etcd, API server, controllers, scheduler; kwok plays nodes.

scripts/kubernetes-server builds it, once. There is no kubelet, so no container runs: what is proved is what the API,
the Deployment and the scheduler do with our orders. The chart's own Deployment is applied, as it is rendered.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import kubernetes
import pytest
import yaml
from kubernetes.client.exceptions import ApiException
from urllib3.exceptions import HTTPError

from tests.crawl.fleet import until
from tests.servers import HOST
from thresher.fleet.plan import KubernetesPlan
from thresher.lab.servers import dying_with_us, free_port

library: Any = kubernetes  # partly untyped
PROGRAMS = Path.home() / ".cache" / "thresher-servers" / "kubernetes" / "bin"
RENDERED = Path(__file__).parent / "rendered"
NAMESPACE, DEPLOYMENT, TOKEN = "crawl", "crawl-worker", "of-this-test-alone"
NODES = 3
OPERATORS = ("monitoring.coreos.com", "keda.sh")
CONTROLLERS = ",".join(
    f"{name}-controller"
    for name in (
        *("deployment", "replicaset", "statefulset", "disruption"),
        "node-lifecycle",  # takes the mark "not ready" from a new node
        "persistentvolume-binder",
        "garbage-collector",  # with a Deployment, its pods go
    )
)


class ControlPlane:
    """The servers' processes, and a client that may do everything."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.kubeconfig = folder / "kubeconfig"
        self._etcd, self._api, peers = (free_port() for _ in range(3))
        self._etcd_flags = {
            "data-dir": folder / "etcd",
            "listen-client-urls": f"http://{HOST}:{self._etcd}",
            "advertise-client-urls": f"http://{HOST}:{self._etcd}",
            "listen-peer-urls": f"http://{HOST}:{peers}",
            "initial-advertise-peer-urls": f"http://{HOST}:{peers}",
            "initial-cluster": f"default=http://{HOST}:{peers}",
            "unsafe-no-fsync": "true",
        }

    def start(self) -> None:
        """Start everything, and return when the API answers and the nodes are there."""
        key = self.folder / "accounts.key"
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
        (self.folder / "tokens").write_text(f'{TOKEN},test,test,"system:masters"\n')
        self.kubeconfig.write_text(json.dumps(self._way()))
        self._run("etcd", self._etcd_flags)
        self._run("kube-apiserver", self._api_flags(key))
        self.client: Any = library.config.new_client_from_config(str(self.kubeconfig))
        self.core: Any = library.client.CoreV1Api(self.client)
        self.apps: Any = library.client.AppsV1Api(self.client)
        self._stack.callback(self.client.close)
        until(self._is_ready, within_s=300.0)
        own = {"kubeconfig": self.kubeconfig, "leader-elect": "false", "bind-address": HOST, "secure-port": "0"}
        accounts = {"service-account-private-key-file": key, "controllers": CONTROLLERS}
        self._run("kube-controller-manager", own | accounts)
        self._run("kube-scheduler", own)
        kwok = {"kubeconfig": self.kubeconfig, "manage-all-nodes": "true", "node-lease-duration-seconds": "40"}
        self._run("kwok", kwok | {"node-ip": HOST, "server-address": f"{HOST}:{free_port()}"})
        for number in range(NODES):
            self.core.create_node(
                {"metadata": {"name": f"node-{number}", "annotations": {"kwok.x-k8s.io/node": "fake"}}}
            )
        self.core.create_namespace({"metadata": {"name": NAMESPACE}})

    def apply(self, name: str, *, dry_run: bool) -> list[str]:
        """Create every object of a rendered chart, or let the server say that it would; return their kinds.

        Objects of operators, whose kinds a bare cluster does not know, are left out.
        """
        found = yaml.safe_load_all((RENDERED / f"{name}.yaml").read_text("utf-8"))
        own = [each for each in found if each and not each["apiVersion"].startswith(OPERATORS)]
        terms = {"dry_run": "All"} if dry_run else {}
        for each in own:
            library.utils.create_from_dict(self.client, each, namespace=NAMESPACE, **terms)
        return [each["kind"] for each in own]

    def deploy(self, *, replicas: int) -> None:
        """Create the Deployment of workers of the chart alone."""
        found = yaml.safe_load_all((RENDERED / "default.yaml").read_text("utf-8"))
        (wanted,) = (
            each for each in found if each and each["metadata"]["name"] == DEPLOYMENT and each["kind"] == "Deployment"
        )
        wanted["spec"]["replicas"] = replicas
        self.apps.create_namespaced_deployment(NAMESPACE, wanted)

    def remove(self) -> None:
        """Delete the Deployment, what it made, and wait until that is gone."""
        self.apps.delete_namespaced_deployment(DEPLOYMENT, NAMESPACE, propagation_policy="Background")
        self.apps.delete_collection_namespaced_replica_set(NAMESPACE)
        self.core.delete_collection_namespaced_pod(NAMESPACE, grace_period_seconds=0)
        until(lambda: not self.core.list_namespaced_pod(NAMESPACE).items)

    def _run(self, name: str, flags: dict[str, Any]) -> None:
        line = [*dying_with_us(), str(PROGRAMS / name), *(f"--{flag}={value}" for flag, value in flags.items())]
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(line, stdout=log, stderr=log, cwd=self.folder)
        self._stack.callback(process.wait)
        self._stack.callback(process.terminate)

    def _api_flags(self, key: Path) -> dict[str, Any]:
        return {
            "etcd-servers": f"http://{HOST}:{self._etcd}",
            "bind-address": HOST,
            "advertise-address": HOST,
            "endpoint-reconciler-type": "none",
            "secure-port": self._api,
            "cert-dir": self.folder / "certificates",
            "service-account-issuer": "https://kubernetes.default.svc",
            "service-account-key-file": key,
            "service-account-signing-key-file": key,
            "token-auth-file": self.folder / "tokens",
            "authorization-mode": "RBAC",
            "service-cluster-ip-range": "10.0.0.0/24",
            "disable-admission-plugins": "ServiceAccount",
        }

    def _is_ready(self) -> bool:
        try:
            return str(self.core.list_namespace().kind) == "NamespaceList"
        except (ApiException, OSError, HTTPError):
            return False

    def _way(self) -> dict[str, Any]:
        cluster = {"server": f"https://{HOST}:{self._api}", "insecure-skip-tls-verify": True}
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "own",
            "clusters": [{"name": "own", "cluster": cluster}],
            "users": [{"name": "test", "user": {"token": TOKEN}}],
            "contexts": [{"name": "own", "context": {"cluster": "own", "user": "test", "namespace": NAMESPACE}}],
        }


@contextmanager
def control_plane(folder: Path) -> Iterator[ControlPlane]:
    """Run a control plane; skip where it was not built. It is optional, in CI too."""
    for name in ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"):
        if not (PROGRAMS / name).exists():
            pytest.skip(f"{name} is not built; scripts/kubernetes-server builds it")
    with ExitStack() as stack:
        found = ControlPlane(folder, stack)
        found.start()
        yield found


def plan_of(plane: ControlPlane) -> KubernetesPlan:
    """Return the plan of a fleet of the chart's workers."""
    return KubernetesPlan(DEPLOYMENT, NAMESPACE, kubeconfig=str(plane.kubeconfig))
