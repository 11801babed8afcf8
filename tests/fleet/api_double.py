"""A double of the part of Kubernetes' API that a fleet uses, over HTTP: one Deployment and its pods.

It obeys as a cluster does, one step each time the pods are listed: a new pod runs at the next look, a pod that is to go
says so at the next look and is gone at the one after, and a rollout replaces one pod at a time.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

NAMESPACE, DEPLOYMENT = "crawl", "thresher-worker"
LABELS = {"app.kubernetes.io/name": "thresher", "app.kubernetes.io/component": "worker"}
COST = "controller.kubernetes.io/pod-deletion-cost"


class Cluster:
    """One Deployment, its pods, and what was asked of it."""

    def __init__(self) -> None:
        self.replicas, self.version = 0, 1
        self.conflicts = 0  # how many writes are still refused because somebody else was faster
        self.template: dict[str, Any] = {"image": "thresher:1", "annotations": {}}
        self.strategy: dict[str, Any] = {}
        self.pods: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self._numbers, self._lock = count(1), threading.Lock()

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Do what one request asks for."""
        with self._lock:
            self.asked.append(f"{method} {path}")
            deployment = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/{DEPLOYMENT}"
            pods = f"/api/v1/namespaces/{NAMESPACE}/pods"
            if path.startswith(deployment):
                return self._deployment(method, path.removeprefix(deployment), body)
            if path == pods:
                self._step()
                return 200, {"kind": "PodList", "apiVersion": "v1", "items": list(self.pods.values())}
            name, _, rest = path.removeprefix(f"{pods}/").partition("/")
            if name not in self.pods:
                return 404, {"kind": "Status", "message": f'"{path}" not found', "code": 404}
            return self._pod(method, name, rest, body)

    def _deployment(self, method: str, rest: str, body: Any) -> tuple[int, Any]:
        meta = {"name": DEPLOYMENT, "namespace": NAMESPACE, "resourceVersion": str(self.version)}
        if rest == "/scale":
            if method == "PUT":
                if self.conflicts or body["metadata"]["resourceVersion"] != str(self.version):
                    self.conflicts = max(self.conflicts - 1, 0)
                    return 409, {"kind": "Status", "message": "the object has been modified", "code": 409}
                self.replicas, self.version = body["spec"]["replicas"], self.version + 1
            scale = {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": meta}
            return 200, scale | {"spec": {"replicas": self.replicas}, "status": {"replicas": len(self.pods)}}
        if method == "PATCH":
            template = body["spec"]["template"]
            images = [container["image"] for container in template["spec"].get("containers", [])]
            self.template = {
                "image": images[0] if images else self.template["image"],
                "annotations": template["metadata"]["annotations"],
            }
            self.strategy = body["spec"]["strategy"]
        spec = {"replicas": self.replicas, "selector": {"matchLabels": LABELS}, "template": {"metadata": {}}}
        return 200, {"kind": "Deployment", "apiVersion": "apps/v1", "metadata": meta, "spec": spec}

    def _pod(self, method: str, name: str, rest: str, body: Any) -> tuple[int, Any]:
        if rest == "log":
            return 200, f"working on run 1\npod {name}\n"
        if method == "PATCH":
            self.pods[name]["metadata"].setdefault("annotations", {}).update(body["metadata"]["annotations"])
        if method == "DELETE":
            return 200, self.pods.pop(name)
        return 200, self.pods[name]

    def crash(self, name: str) -> None:
        """Let a pod's container end with a fault; it is started again at the look after the next."""
        (status,) = self.pods[name]["status"]["containerStatuses"]
        status["restartCount"] += 1
        status["state"] = {"waiting": {"reason": "CrashLoopBackOff"}}
        status["lastState"] = {"terminated": {"exitCode": 137}}

    def _step(self) -> None:
        for name, pod in list(self.pods.items()):
            if "deletionTimestamp" in pod["metadata"]:
                del self.pods[name]
            elif pod["status"]["phase"] == "Pending":
                self._run(pod)
            else:
                (status,) = pod["status"]["containerStatuses"]
                status["state"] = {"running": {"startedAt": "2026-11-01T00:00:00Z"}}
        staying = {name: pod for name, pod in self.pods.items() if "deletionTimestamp" not in pod["metadata"]}
        old = [name for name, pod in staying.items() if pod["metadata"]["thresher"] != self.template]
        surge = 1 if old and self.replicas else 0
        for _ in range(self.replicas + surge - len(staying)):
            self._add()
        all_run = all(pod["status"]["phase"] == "Running" for pod in staying.values())
        if len(staying) > self.replicas and (all_run or not surge):
            for name in self._cheapest(staying, old)[: len(staying) - self.replicas]:
                self.pods[name]["metadata"]["deletionTimestamp"] = "2026-11-01T00:00:00Z"

    def _cheapest(self, staying: dict[str, Any], old: list[str]) -> list[str]:
        def cost(name: str) -> tuple[bool, int]:
            annotations = staying[name]["metadata"].get("annotations", {})
            return name not in old if old else False, int(annotations.get(COST, 0))

        return sorted(staying, key=cost)

    def _add(self) -> None:
        name = f"{DEPLOYMENT}-{next(self._numbers):05}"
        self.pods[name] = {
            "metadata": {"name": name, "namespace": NAMESPACE, "labels": LABELS, "thresher": dict(self.template)},
            "spec": {"nodeName": "node-1", "containers": [{"name": "worker", "image": self.template["image"]}]},
            "status": {"phase": "Pending"},
        }

    def _run(self, pod: dict[str, Any]) -> None:
        container = {"name": "worker", "image": "", "imageID": "", "ready": True, "restartCount": 0}
        pod["status"] = {
            "phase": "Running",
            "startTime": "2026-11-01T00:00:00Z",
            "containerStatuses": [container | {"state": {"running": {"startedAt": "2026-11-01T00:00:00Z"}}}],
        }


@contextmanager
def served(cluster: Cluster, folder: Path) -> Iterator[Path]:
    """Serve a cluster on loopback; give the kubeconfig that leads there."""

    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            status, said = cluster.answer(self.command, self.path.partition("?")[0], body)
            data = (said if isinstance(said, str) else json.dumps(said)).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain" if isinstance(said, str) else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PUT = do_PATCH = do_POST = do_DELETE = _do  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    path = folder / "kubeconfig"
    path.write_text(json.dumps(_kubeconfig(f"http://127.0.0.1:{server.server_port}")))
    try:
        yield path
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _kubeconfig(url: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "double",
        "clusters": [{"name": "double", "cluster": {"server": url}}],
        "users": [{"name": "nobody", "user": {}}],
        "contexts": [{"name": "double", "context": {"cluster": "double", "user": "nobody", "namespace": NAMESPACE}}],
    }
